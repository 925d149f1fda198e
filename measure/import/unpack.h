/* measure/import/unpack.h - what is inside of a file that was compressed by gzip, or that a shell wrote as
 * UTF-16.
 *
 * Units: bytes.
 *
 * Content that begins with 1f 8b is inflated, whatever the file is called, and several such files one after
 * the other are one text. Content that begins with the byte order mark of UTF-16, which PowerShell writes
 * where output is redirected, becomes UTF-8. All else stays as it is.
 */
#ifndef ROOF_MEASURE_IMPORT_UNPACK_H
#define ROOF_MEASURE_IMPORT_UNPACK_H

#include "measure/import/lines.h"

/* The most that may come out of one file: without this bound it is a thousand times what goes in. */
#define UNPACK_MOST_BYTES (UINT64_C(1) << 33)

typedef struct unpacker unpacker;

/* read and context are borrowed until unpack_free. NULL without memory. */
unpacker *unpack_new(import_read read, void *context, uint64_t most_bytes);
void unpack_free(unpacker *u);

/* An import_read on an unpacker. Errors: E_DATA (damaged, cut off), E_LIMIT, E_NO_MEMORY, those of read. */
roof_status unpack_read(void *context, char *buffer, size_t size, size_t *got, roof_error *err);

#endif
