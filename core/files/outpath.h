/* core/files/outpath.h - where a path that a command writes to leads. */
#pragma once

#include "core/core.h"
#include "core/platform/platform.h"
#include "roofline/status.h"

typedef struct outpath {
    const char *folder, *name; /* of a regular file, there or not yet: without links */
    const char *full;          /* folder/name */
    int stream;                /* an open descriptor to write to instead; -1: a file */
    bool is_there;
    os_entry about; /* if it is there, or of the stream */
} outpath;

/* Follows links. A descriptor of this process (/dev/stdout) is duplicated, a pipe or a device is opened: the
 * caller closes them.
 * Errors: E_IO for a directory, a block device, a link that leads nowhere, a link that somebody else put into
 *   a folder that all may write to, a file without the right to write; E_NO_MEMORY. The path is the place. */
roof_status outpath_find(roof_arena *arena, const char *path, outpath *out, roof_error *err);
