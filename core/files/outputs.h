/* core/files/outputs.h - the files that a command writes: at the end all of them stand in their places, or
 * none does.
 *
 * Shapes: a set of files. Each is made in a temporary folder .roofline-XXXXXX in the folder that it goes to,
 *   and takes its place at the end. The old files are kept there until the last one is in place. Links to
 *   files are followed. Anything but a regular file (a pipe, a terminal, /dev/null, a descriptor such as
 *   /dev/stdout) cannot be replaced, and is written to directly.
 * Ownership: a set that was begun is ended, also after a failure. All in it is its own.
 * Sets: one that is begun while another one of the thread is open joins it: its files take their places when
 *   the outer one ends. So a command opens a set, and what it calls need not know.
 * Never overwritten: a file that was read while inputs were watched (core/files/input.h), nor one file by
 * two outputs, nor any in a folder that keeps its own. A process that dies: outputs_abandon removes what was
 * made. After a kill -9 the folder stays; the next set that writes to the same place puts the old files back
 * that are in it, and removes it. A lock (flock) shows that its owner is alive.
 */
#pragma once

#include "core/core.h"
#include "core/platform/platform.h"

enum { OUTPUTS_CHILDREN = 4 };

/* A folder that files go to. */
typedef struct outputs_folder {
    struct outputs *set;
    const char *path;        /* as it is shown: without '/' at its end */
    const char *temporary;   /* where its files are made */
    const char *real;        /* path without links */
    const char *keeps;       /* why no file of it is replaced, behind its path; NULL: they are */
    int lock;                /* temporary, held open and locked: its owner is alive */
    bool is_new, is_placed;  /* there was no such folder; it is in its place now */
    bool is_kept, holds_old; /* old files are kept in temporary; one could not be put back, and so it stays */
} outputs_folder;

typedef struct outputs_file {
    const char *path; /* as it is shown */
    /* where it is made, and where it is brought to before it takes its place: NULL if directly */
    const char *made;
    const char *ready, *kept, *wanted;
    outputs_folder *folder; /* that wanted is in */
    int fd;                 /* -1: closed, or never opened here */
    os_entry there;         /* if was_there */
    bool was_there, is_kept, is_placed, is_dropped;
} outputs_file;

typedef struct outputs {
    struct outputs *outer; /* the set that this one joined, or NULL */
    size_t before;         /* files of outer when it joined */
    roof_arena *arena;
    outputs_folder **folders;
    outputs_file **files; /* in the order in which they take their places */
    volatile size_t n_folders, n_files;
    volatile int children[OUTPUTS_CHILDREN]; /* processes that work in the folders; 0 for none */
} outputs;

roof_status outputs_begin(outputs *set, roof_error *err);

/* Puts all files in their places when status is ROOF_OK, in the order in which they were added; takes that
 * back when one of them cannot be. Files that were announced and not made are left out. Returns status, or
 * what went wrong now: E_IO, or E_USAGE where a file would overwrite an input or another output. */
roof_status outputs_end(outputs *set, roof_status status, roof_error *err);

/* A file to write. path: "-" is standard output. Errors: E_IO (with the path), E_USAGE, E_NO_MEMORY. */
roof_status outputs_open(outputs *set, const char *path, outputs_file **out, roof_error *err);

/* file is an outputs_file; of the shape of a roof_sink. */
roof_status outputs_write(void *file, const char *bytes, size_t length, roof_error *err);

/* All of it was written, if status is ROOF_OK. Returns status, or what went wrong now. */
roof_status outputs_close(outputs_file *file, roof_status status, roof_error *err);

/* A file at once, in a set of its own or in the one that is open. */
roof_status outputs_save(const char *path, const char *bytes, size_t length, roof_error *err);

/* A folder for files that a program makes. may_make: it need not be there. Errors: E_IO, E_USAGE (a file). */
roof_status outputs_folder_open(outputs *set, const char *path, bool may_make, outputs_folder **out,
                                roof_error *err);

/* A file of that name: announced, for another program to make at folder->temporary/name, or opened. */
roof_status outputs_announce(outputs_folder *folder, const char *name, roof_error *err);
roof_status outputs_open_in(outputs_folder *folder, const char *name, outputs_file **out, roof_error *err);

/* The file is only needed on the way: it takes no place. */
void outputs_drop(outputs_file *file);

/* Bytes of a file that a program makes in the folder; -1: there is none yet. */
int64_t outputs_made_bytes(const outputs_folder *folder, const char *name);

/* Other bytes for a file that a program has made there; and its end, before it takes its place. */
roof_status outputs_replace(const outputs_folder *folder, const char *name, const char *bytes, size_t length,
                            roof_error *err);
void outputs_remove(const outputs_folder *folder, const char *name);

/* A process that works in a folder of the thread's set, and its end. */
void outputs_adopt(int process);
void outputs_disown(int process);

/* Ends the processes, and removes all that was made, of the open set. Safe in a handler of signals. */
void outputs_abandon(void);
