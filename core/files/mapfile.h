/* core/files/mapfile.h - a file as read-only bytes. Pages come in when they are touched, so what is skipped
 * is never read. */
#pragma once

#include <stdbool.h>
#include "roofline/status.h"

typedef struct mapfile {
    const unsigned char *bytes;
    uint64_t size_bytes;
    bool is_mapped; /* false: bytes of memory, which nothing here lets go or closes */
} mapfile;

/* Errors: E_NO_INPUT (does not exist, is a directory), E_DATA (empty), E_IO, with the path as place. */
roof_status mapfile_open(const char *path, mapfile *out, roof_error *err);

/* The same, and who looks at bytes wants them first (os_want): on some systems they are not there before. */
roof_status mapfile_open_sparse(const char *path, mapfile *out, roof_error *err);
void mapfile_close(mapfile *file);

/* Little of it will be read soon: a large file leaves memory, whatever it has of it, until it is touched. */
void mapfile_let_go(const mapfile *file);

/* The same while a large file is read from one end to the other, of which `at` is reached. Returns from
 * where on it is still there: `from` of the next call, and the file's begin for the first. */
const unsigned char *mapfile_pass(const mapfile *file, const unsigned char *from, const unsigned char *at);
