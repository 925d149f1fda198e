/* core/mapfile.h - a file as read-only bytes. Pages come in when they are touched, so what is skipped is
 * never read. */
#ifndef ROOF_CORE_MAPFILE_H
#define ROOF_CORE_MAPFILE_H

#include "roofline/status.h"

typedef struct roof_mapfile {
    const unsigned char *bytes;
    uint64_t size_bytes;
} roof_mapfile;

/* Errors: E_NO_INPUT (does not exist, is a directory), E_DATA (empty), E_IO. The message has the path as its
 * place. */
roof_status roof_mapfile_open(const char *path, roof_mapfile *out, roof_error *err);
void roof_mapfile_close(roof_mapfile *file);

#endif
