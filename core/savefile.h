/* core/savefile.h - writing a file piece by piece, so that it is replaced whole or left as it was.
 *
 * Ownership: what was begun is ended, also after a failure. path is borrowed until then.
 *
 * The pieces go to a temporary file in the same folder, which takes the place of path at the end. A device or pipe
 * (/dev/full, /dev/stdout) cannot be replaced, and is written to directly.
 */
#ifndef ROOF_CORE_SAVEFILE_H
#define ROOF_CORE_SAVEFILE_H

#include <stddef.h>
#include "roofline/status.h"

typedef struct roof_savefile {
    const char *path;
    char *temporary; /* NULL: written to directly */
    int fd;
} roof_savefile;

/* Errors of all of them: E_IO (a full disk included), E_NO_MEMORY; the path is the place. */
roof_status roof_savefile_begin(roof_savefile *file, const char *path, roof_error *err);

/* file is a roof_savefile; of the shape of a roof_sink. */
roof_status roof_savefile_write(void *file, const char *bytes, size_t length, roof_error *err);

/* Puts the file in its place when status, that of the writing, is ROOF_OK; else removes what was written. Returns status,
 * or what went wrong now. */
roof_status roof_savefile_end(roof_savefile *file, roof_status status, roof_error *err);

#endif
