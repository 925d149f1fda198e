/* core/savefolder.h - writing a folder of files so that all of them are replaced or none is.
 *
 * Ownership: what was begun is ended, also after a failure. All texts are the folder's own.
 *
 * The files are made in a temporary folder: beside the wanted one where that does not exist yet, which then is one rename;
 * inside it otherwise, since what is beside it may be another file system. Files that nobody writes stay.
 */
#ifndef ROOF_CORE_SAVEFOLDER_H
#define ROOF_CORE_SAVEFOLDER_H

#include "core/arena.h"
#include "core/text.h"

typedef struct roof_savefolder {
    roof_arena *arena;
    const char *path;      /* the wanted folder, without '/' at its end */
    const char *temporary; /* where files are made until the end */
    const char **files;    /* names of what is to be put in place, in that order */
    size_t n_files;
    bool is_new; /* path does not exist yet */
} roof_savefolder;

/* Errors: E_IO (no right to write, a full disk), E_USAGE (path is there and is no folder); the path is the place. */
roof_status roof_savefolder_begin(roof_savefolder *folder, const char *path, roof_error *err);

/* Path of a file in the temporary folder, which is put in place at the end if it is there then. NULL without memory. */
const char *roof_savefolder_add(roof_savefolder *folder, const char *name);

/* Writes a text as such a file. */
roof_status roof_savefolder_text(roof_savefolder *folder, const char *name, const roof_text *text,
                                 roof_error *err);

/* Puts the files in their places when status is ROOF_OK, the one that was added last at the end; takes all of that back
 * when one of them cannot be. Removes the temporary folder. Returns status, or what went wrong now. */
roof_status roof_savefolder_end(roof_savefolder *folder, roof_status status, roof_error *err);

#endif
