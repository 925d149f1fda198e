/* core/text.h - a growing text.
 *
 * A text is born with a maximum; past it, or when memory ends, it remembers that it failed and drops the
 * rest, so that writers need no check at each step. text_status tells.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "roofline/status.h"

/* Where a text that is too long for memory goes to, piece by piece. */
typedef roof_status (*text_drain)(void *context, const char *bytes, size_t length, roof_error *err);

typedef struct textbuf {
    char *bytes; /* NUL-terminated once something was added */
    size_t length, room, max_bytes;
    bool failed;
    text_drain drain; /* NULL: all of it stays here */
    void *drain_context;
    roof_error *drain_error;
    roof_status drain_status; /* what the drain returned when it failed */
} textbuf;

enum { TEXT_MAX_BYTES = 1 << 30 };

void text_init(textbuf *text, size_t max_bytes);

/* A text that is handed on by some tens of kilobytes. text_finish hands on the rest. */
void text_init_draining(textbuf *text, text_drain drain, void *context, roof_error *err);
roof_status text_finish(textbuf *text);

void text_free(textbuf *text);
void text_add(textbuf *text, const char *bytes, size_t length);

/* Where length more bytes may be written, or NULL when they do not fit; text_wrote tells how many were. For
 * writers of many small pieces, which would check for room at each of them. */
char *text_room(textbuf *text, size_t length);
void text_wrote(textbuf *text, size_t length);
void text_puts(textbuf *text, const char *string);
void text_printf(textbuf *text, const char *format, ...) ROOF_PRINTF(2, 3);

/* True where two texts are equal, or both NULL. */
bool text_same(const char *a, const char *b);

/* "" for NULL: what is not stated, or could not be made. */
const char *text_or_empty(const char *text);

/* Adds what did not come from our own sources: as core/utf8.h shows it, and of each ASCII character that
 * means something where it will stand, what replacements says. Every format has its table of them; NULL is
 * plain text. */
void text_escaped(textbuf *out, const char *text, size_t length, const char *const replacements[128]);
void text_shown(textbuf *out, const char *text); /* as plain text */

/* Value of a hexadecimal digit; more than 15 for another character. */
unsigned text_digit(char c);

/* As strcmp does, ignoring ASCII case, whatever the locale is. */
int text_compare(const char *a, const char *b);

/* A path behind its last '/'; NULL of NULL. And how many bytes of such a name stand before its extension: all
 * where it has none, or begins with its only dot. */
const char *path_base_name(const char *path);
size_t path_stem_length(const char *name);

/* True where word is among words, which spaces separate. */
bool text_has_word(const char *words, const char *word);

/* Edits (insert, delete, replace, swap neighbours) that turn a into b, ignoring ASCII case; at most limit
 * + 1. */
unsigned text_edit_distance(const char *a, const char *b, unsigned limit);

/* Status of all that was added. Errors: E_NO_MEMORY; those of the drain, which has told them already. */
roof_status text_status(const textbuf *text, roof_error *err);
