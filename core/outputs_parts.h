/* core/outputs_parts.h - between the files of outputs (core/outputs.h), and for core/child.c: where paths lead to, what dead processes left, and how
 * files take their places. */
#ifndef ROOF_CORE_OUTPUTS_PARTS_H
#define ROOF_CORE_OUTPUTS_PARTS_H

#include <signal.h>
#include <sys/stat.h>
#include "core/error.h"
#include "core/outputs.h"

/* --- where a path leads to (outpath.c) --- */

typedef struct outpath {
    const char *folder, *name; /* of a regular file, there or not yet: without links */
    const char *full;          /* folder/name */
    int stream;                /* an open descriptor to write to instead; -1: a file */
    bool is_there;
    struct stat st; /* if it is there, or of the stream */
} outpath;

/* Follows links. A descriptor of this process (/dev/stdout) is duplicated, a pipe or a device is opened: the caller closes
 * them.
 * Errors: E_IO for a directory, a block device, a link that leads nowhere, a link that somebody else put into a folder that
 *   all may write to, a file without the right to write; E_NO_MEMORY. The path is the place. */
roof_status outpath_find(roof_arena *arena, const char *path, outpath *out, roof_error *err);

/* --- temporary folders whose process has died (leftovers.c) --- */

/* .roofline-XXXXXX holds new files, and in .was the old ones that they replace (an empty folder of a file's name: there was
 * none). While its process lives it is locked. */
#define LEFTOVERS_PREFIX ".roofline-"
#define LEFTOVERS_KEPT   ".was"
#define LEFTOVERS_DONE   ".done" /* what .was is called once all new files are in their places */

/* Puts back the old files of what a dead process left in folder, and removes the rest. An old file does not take the place
 * of one that somebody has written since. Returns the folder, open and locked, so that no other process clears what the
 * caller is about to make; -1 when it cannot be opened. */
int leftovers_clear(const char *folder);

/* Calls each for every name in an open folder, without memory. */
typedef void leftovers_visitor(int folder, const char *name, void *with);
void leftovers_visit(int folder, leftovers_visitor *each, void *with);

/* Removes a temporary folder and the files in it. Safe in a handler of signals. */
void leftovers_remove(const char *temporary);

/* --- taking places (outputs_place.c) --- */

/* "PATH: WHAT: why", by errno. Returns ROOF_E_IO, or ROOF_E_NO_MEMORY. */
static inline roof_status outputs_fail(roof_error *err, const char *path, const char *what)
{
    roof_status status = error_errno(err, ROOF_E_IO, what);
    if (status != ROOF_E_NO_MEMORY)
        error_prefix(err, "%s", path);
    return status;
}

/* While names change, and between a folder's making and its entry in the list, no handler may look. */
void outputs_hold_signals(sigset_t *before);
void outputs_release_signals(const sigset_t *before);

/* E_USAGE when a file would overwrite what was read, or one that was added before it. */
roof_status outputs_check(const outputs *set, const outputs_file *f, roof_error *err);

/* Puts all files of a set in their places, or none. */
roof_status outputs_place(outputs *set, roof_error *err);

#endif
