/* core/table/writer.h - text as people read it: wrapped paragraphs on a terminal, or Markdown that means what
 * it says.
 *
 * Units: columns of a terminal.
 * Ownership: lines and their texts are of the arena. Without memory a line is missing, and the arena knows.
 */
#pragma once

#include "core/core.h"

/* Columns of a terminal of unknown width. */
enum { WRITER_DEFAULT_WIDTH = 120 };

typedef struct text_writer {
    textbuf *out;
    size_t width;
    bool is_markdown, has_colour, is_ascii; /* ascii: no lines in trees but of letters */
    const char *next;                       /* a sentence with the next command; NULL: none */
} text_writer;

/* Breaks at blanks so that text takes at most width columns, later lines behind indent more; a name that is
 * longer stands alone on a line. A command, "`roofline ...`", is one word. The second one ends the last line
 * as well. */
void writer_wrap(textbuf *out, const char *text, size_t width, size_t indent);
void writer_put_wrapped(textbuf *out, const char *text, size_t width, size_t indent);

/* The first sentence, in bold as Markdown, and the others, with the next command as the third; then a blank
 * line. */
void writer_verdict(const text_writer *p, const char *const *sentences, size_t n);

/* The title of a part: a heading of the second level, or a line. */
void writer_title(const text_writer *p, const char *title);

/* "label        text", the text wrapped beside the label, or an item of a list. */
void writer_item(const text_writer *p, const char *label, const char *text);

/* Lines beside a table, "label: text", which are made once for every format. */
typedef struct remark {
    const char *label, *text; /* a label that begins with a blank belongs to the line before */
} remark;

typedef struct remarks {
    roof_arena *arena;
    remark *items;
    size_t n;
} remarks;

/* Nothing is added for an empty text. */
void remarks_add(remarks *r, const char *label, const char *format, ...) ROOF_PRINTF(3, 4);
void remarks_put(const remarks *r, const text_writer *p);

/* Markdown: a name in code, and text that may quote names. */
void writer_put_markdown_code(textbuf *out, const char *text);
void writer_put_markdown(textbuf *out, const char *text);
