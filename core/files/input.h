/* core/files/input.h - a file, or standard input, as bytes in order; for what is read once from the beginning
 * to the end.
 *
 * Ownership: what was opened is closed by input_close, also after a failure.
 */
#pragma once

#include "core/platform/platform.h"

typedef struct input_file {
    int fd;
    const char *name; /* for messages: the path, or "standard input" */
    uint64_t read_bytes, most_bytes;
} input_file;

/* A file has an end; unknown for standard input, a pipe or a device. */
enum { INPUT_MOST_STREAMED_BYTES = 1 << 30 };

/* path: "-" is standard input; it is borrowed. most_bytes: what the input may not exceed; 0: no limit for a
 * file, else INPUT_MOST_STREAMED_BYTES.
 * Errors: E_NO_INPUT, E_IO; the path is the place. */
roof_status input_open(const char *path, uint64_t most_bytes, input_file *out, roof_error *err);

/* Fills buffer with at most size bytes; *got 0 is the end. input is a input_file. Errors: E_IO, E_LIMIT,
 * E_NO_INPUT (a directory). */
roof_status input_read(void *input, char *buffer, size_t size, size_t *got, roof_error *err);

void input_close(input_file *input);

/* Watches the files that a thread reads, so that none is overwritten (core/files/outputs.h): files that it
 * opens are noted from now on until inputs_unwatch. false: a watch is there already, and goes on. */
bool inputs_watch(void);
void inputs_unwatch(void);

/* Notes an open file, or one that is only named, if it is there. */
void inputs_note(const char *path, const os_entry *about);
void inputs_note_path(const char *path);

/* Notes a file or folder that another program will read. Errors: E_NO_INPUT, with the path as place. */
roof_status inputs_require(const char *path, roof_error *err);

/* The noted name of a file, or NULL. *failed: not all was noted. */
const char *inputs_find(const os_entry *about, bool *failed);
