/* core/span.h - pieces of a text: comparing them, and taking them off its beginning one after the other.
 *
 * Ownership: a span points into the text that it was cut from. It is not NUL-terminated.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "core/utf8.h" /* texts that are shown are quoted */
#include "roofline/status.h"

typedef struct text_span {
    const char *text;
    size_t length;
} text_span;

text_span span_of(const char *text);
text_span span_trim(text_span span); /* without blanks, tabs and carriage returns at both ends */
static inline bool span_is(text_span span, const char *word)
{
    if (!span.length || span.text[0] != word[0]) /* nearly always: names are looked for in lists of words */
        return !span.length && !word[0];
    return span.length == strlen(word) && memcmp(span.text, word, span.length) == 0;
}

static inline bool span_same(text_span a, text_span b)
{
    return a.length == b.length && (!a.length || memcmp(a.text, b.text, a.length) == 0);
}

bool span_has(text_span span, const char *word);      /* anywhere in it */
bool span_mentions(text_span span, const char *word); /* likewise, ignoring ASCII case */
bool span_begins(text_span span, const char *word);

/* A span that is safe to show, cut in the middle when it is long. Returns the buffer. */
enum { SHOWN_SIZE = 80 };
const char *span_show(text_span span, char buffer[SHOWN_SIZE]);

/* The same in a buffer of its own, which lives as long as the block. */
#define SHOWN(span)      span_show((span), (char[SHOWN_SIZE]){""})
#define SHOWN_TEXT(text) quote_text((char[SHOWN_SIZE]){""}, SHOWN_SIZE, (text), strlen(text))

/* Cuts a line at every separator, pieces trimmed. Returns their number; those beyond room are not kept. */
size_t span_split(text_span line, char separator, text_span *pieces, size_t room);

/* ---- a cursor: what is left of a text ---- */

/* Past the word if the span begins with it. */
bool span_skip(text_span *rest, const char *word);

/* Without the word at its end, if it ends so. */
bool span_skip_end(text_span *rest, const char *word);

/* Past all characters at the beginning that are among these. */
void span_skip_any(text_span *rest, const char *characters);

/* Past the first occurrence of the word; the span is left alone where there is none. */
bool span_skip_past(text_span *rest, const char *word);

/* Takes the text before the stop, all of it where there is none; the span goes on behind the stop. */
text_span span_take_until(text_span *rest, const char *stop);

/* Takes the text before the end of the line, which is passed over. The span is not empty. */
text_span span_take_line(text_span *rest);

/* A decimal number, or a hexadecimal one behind "0x", at the beginning. False, with nothing taken: there is
 * none, or one of 2^63 or more. */
bool span_take_whole(text_span *rest, uint64_t *out);
