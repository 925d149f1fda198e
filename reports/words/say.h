/* reports/words/say.h - sentences in the making, out of templates and operands; how a time, a rate, a size, a
 * percentage looks in a sentence.
 *
 * Templates are as sentences.def has them.
 * Ownership: a sentence writes to a buffer of its caller. Texts belong to an arena; without memory they are
 *   "", and the arena knows.
 */
#pragma once

#include "core/findings.h"

typedef struct sentence {
    char *text; /* NULL: it is measured */
    size_t length;
    size_t room; /* what does not fit is cut, which no sentence of ours comes near */
} sentence;

/* An empty sentence in a buffer of ROOF_SENTENCE_SIZE bytes. */
sentence say_into(char *buffer);

/* Adds a text by a format; it is cut where the sentence has no room. */
void say_format(sentence *s, const char *format, ...) ROOF_PRINTF(2, 3);

/* Adds a template with as many operands as it has braces; one without any. */
void say(sentence *s, const char *words);
void say_with(sentence *s, const char *words, const roof_operand *operands);
#define SAY(s, words, ...) say_with((s), (words), (const roof_operand[]){__VA_ARGS__})

/* Adds what a remark says: sentences.c. */
void sentences_say_remark(sentence *s, const roof_remark *remark);

/* The board in a hardware name: "KV260" of "KV260, DPUCZDX8G B4096", else all of it. */
void say_board(sentence *s, const char *hardware);

const char *say_quantity(roof_arena *arena, double value, const char *unit); /* "1.46 ms", "unknown" */
const char *say_seconds(roof_arena *arena, double seconds);
const char *say_count(roof_arena *arena, uint64_t count);            /* "1 234 567", "unknown" */
const char *say_number(roof_arena *arena, double value, int digits); /* "64.8", "?" */
const char *say_percent(roof_arena *arena, double ratio);            /* "19.4 %", "? %" */
const char *say_plural(uint64_t n);                                  /* "s" but for one */

/* A text by a template, of any length. */
const char *say_words(roof_arena *arena, const char *words, const roof_operand *operands);
#define SAY_TEXT(arena, words, ...) say_words((arena), (words), (const roof_operand[]){__VA_ARGS__})
#define ADD_SAID(lines, label, ...) remarks_add((lines), (label), "%s", SAY_TEXT((lines)->arena, __VA_ARGS__))

/* A text by a format. */
const char *say_printf(roof_arena *arena, const char *format, ...) ROOF_PRINTF(2, 3);

/* A text that was made piece by piece, which is freed; NULL without memory. */
const char *say_text(roof_arena *arena, textbuf *text);

/* A name for services that put it as it is into a table of Markdown, between backticks, or into HTML: what
 * would end it there is shown as \x60. */
const char *say_unmarked(roof_arena *arena, const char *name);

/* Adds to a list what stands between and a text by a format; more: "1 conv, 2 pool". */
const char *say_joined(roof_arena *arena, const char *list, const char *between, const char *format, ...)
    ROOF_PRINTF(4, 5);
#define say_more(arena, list, ...) say_joined((arena), (list), ", ", __VA_ARGS__)
