/* core/files/outputs_place.h - a set of files (core/files/outputs.h), and how they take their places: all of them or none. */
#ifndef ROOF_CORE_FILES_OUTPUTS_PLACE_H
#define ROOF_CORE_FILES_OUTPUTS_PLACE_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include "core/arena.h"
#include "core/error.h"

enum { OUTPUTS_CHILDREN = 4 };

/* A folder that files go to. */
typedef struct outputs_folder {
    struct outputs *set;
    const char *path;        /* as it is shown: without '/' at its end */
    const char *temporary;   /* where its files are made */
    const char *real;        /* path without links */
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
    dev_t device;           /* of what is there, if was_there */
    ino_t inode;
    bool was_there, is_kept, is_placed, is_dropped;
} outputs_file;

typedef struct outputs {
    struct outputs *outer; /* the set that this one joined, or NULL */
    size_t before;         /* files of outer when it joined */
    roof_arena *arena;
    outputs_folder **folders;
    outputs_file **files; /* in the order in which they take their places */
    volatile size_t n_folders, n_files;
    volatile pid_t children[OUTPUTS_CHILDREN]; /* processes that work in the folders; 0 for none */
} outputs;

/* file is an outputs_file; of the shape of a roof_sink. */
roof_status outputs_write(void *file, const char *bytes, size_t length, roof_error *err);

/* All of it was written, if status is ROOF_OK. Returns status, or what went wrong now. */
roof_status outputs_close(outputs_file *file, roof_status status, roof_error *err);

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
