/* measure/import/unpack.h - what a tool wrote, of a file that was compressed by gzip, that a shell wrote as
 * UTF-16, or that somebody pasted.
 *
 * Units: bytes.
 *
 * Content that begins with 1f 8b is inflated, whatever the file is called, and several such files one after
 * the other are one text. Content that begins with the byte order mark of UTF-16, which PowerShell writes
 * where output is redirected, becomes UTF-8. All else stays as it is.
 *
 * A pasted text loses what stands around a tool's own lines: colours of a terminal, prefixes that logs put
 * before each line, quotes and bars at its beginning; frames of tables become bars and dashes. Lines keep
 * their numbers, and one blank at most is taken off behind a prefix, so that columns stay below their
 * headings. JSON and what has NUL bytes in its beginning are given as they are.
 */
#pragma once

#include "measure/import/fields.h"

/* The most that may come out of one file: without this bound it is a thousand times what goes in. */
#define UNPACK_MOST_BYTES (UINT64_C(1) << 33)

typedef struct unpacker unpacker;

/* read and context are borrowed until unpack_free. NULL without memory. */
unpacker *unpack_new(import_read read, void *context, uint64_t most_bytes);
void unpack_free(unpacker *u);

/* An import_read on an unpacker. Errors: E_DATA (damaged, cut off), E_LIMIT, E_NO_MEMORY, those of read. */
roof_status unpack_read(void *context, char *buffer, size_t size, size_t *got, roof_error *err);

/* True if it begins like a JSON document: "[ INFO ]" and "[05/08/2024" do not. */
bool pasted_is_json(const char *text, size_t size);

/* What is unpacked of read, as if nobody had pasted it; both are borrowed. NULL without memory. */
typedef struct pasted pasted;
pasted *pasted_new(import_read read, void *context);
void pasted_free(pasted *p);
roof_status pasted_read(void *context, char *buffer, size_t size, size_t *got, roof_error *err);

/* JSON documents that stand one after the other, as in JSON lines, as one array of them. A document is an
 * object or an array at the outermost level. Other text there is passed on, and is an error for the reader of
 * the array. An empty input stays empty. It begins with what it reads from; the rest is 0. */
typedef struct joined_json {
    import_read read;
    void *context; /* borrowed */
    char block[4096];
    size_t length, at;
    uint64_t depth; /* of objects and arrays that are open */
    bool in_text, is_escaped, has_begun, is_put, has_ended;
} joined_json;

/* An import_read and a json_source, whose context is a joined_json. */
roof_status joined_json_read(void *joined, char *buffer, size_t size, size_t *got, roof_error *err);
