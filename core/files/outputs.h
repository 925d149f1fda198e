/* core/files/outputs.h - the files that a command writes: at the end all of them stand in their places, or none does.
 *
 * Shapes: a set of files. Each is made in a temporary folder .roofline-XXXXXX in the folder that it goes to, and takes its
 *   place at the end. The old files are kept there until the last one is in place. Links to files are followed. What is no
 *   regular file (a pipe, a terminal, /dev/null, a descriptor such as /dev/stdout) cannot be replaced, and is written to
 *   directly.
 * Ownership: a set that was begun is ended, also after a failure. All in it is its own.
 * Sets: one that is begun while another one of the thread is open joins it: its files take their places when the outer one
 *   ends. So a command opens a set, and what it calls need not know.
 * Never overwritten: a file that was read while inputs were watched (core/files/input.h), nor one file by two outputs.
 * A process that dies: outputs_abandon removes what was made. After a kill -9 the folder stays; the next set that writes to
 *   the same place puts the old files back that are in it, and removes it. A lock (flock) tells that its owner is alive.
 */
#ifndef ROOF_CORE_FILES_OUTPUTS_H
#define ROOF_CORE_FILES_OUTPUTS_H

#include "core/files/outputs_place.h"

roof_status outputs_begin(outputs *set, roof_error *err);

/* Puts all files in their places when status is ROOF_OK, in the order in which they were added; takes that back when one of
 * them cannot be. Files that were announced and not made are left out. Returns status, or what went wrong now: E_IO, or
 * E_USAGE where a file would overwrite an input or another output. */
roof_status outputs_end(outputs *set, roof_status status, roof_error *err);

/* A file to write. path: "-" is standard output. Errors: E_IO (the path is the place), E_USAGE, E_NO_MEMORY. */
roof_status outputs_open(outputs *set, const char *path, outputs_file **out, roof_error *err);

/* A file at once, in a set of its own or in the one that is open. */
roof_status outputs_save(const char *path, const char *bytes, size_t length, roof_error *err);

/* A folder for files that a program makes by name. may_make: it need not be there. Errors: E_IO, E_USAGE (it is a file). */
roof_status outputs_folder_open(outputs *set, const char *path, bool may_make, outputs_folder **out,
                                roof_error *err);

/* A file of that name: announced, for another program to make at folder->temporary/name, or opened to be written. */
roof_status outputs_announce(outputs_folder *folder, const char *name, roof_error *err);
roof_status outputs_open_in(outputs_folder *folder, const char *name, outputs_file **out, roof_error *err);

/* The file is only needed on the way: it takes no place. */
void outputs_drop(outputs_file *file);

/* A process that works in a folder of the thread's set, and its end. */
void outputs_adopt(pid_t child);
void outputs_disown(pid_t child);

/* Ends the processes, and removes all that was made, of the thread's open set. Safe in a handler of signals. */
void outputs_abandon(void);

#endif
