/* core/table/paper.h - text as people read it: wrapped paragraphs on a terminal, or Markdown that means what it says.
 *
 * Units: columns of a terminal.
 */
#ifndef ROOF_CORE_TABLE_PAPER_H
#define ROOF_CORE_TABLE_PAPER_H

#include "core/text.h"

/* Columns of a terminal when nobody knows. */
enum { PAPER_DEFAULT_WIDTH = 120 };

typedef struct text_paper {
    textbuf *out;
    size_t width;
    bool is_markdown, has_colour, is_ascii; /* ascii: no lines in trees but of letters */
} text_paper;

/* Breaks at blanks so that text takes at most width columns, later lines behind indent more; a name that is
 * longer stands alone on a line. The second one ends the last line as well. */
void wrap_text(textbuf *out, const char *text, size_t width, size_t indent);
void put_wrapped(textbuf *out, const char *text, size_t width, size_t indent);

/* The first sentence, in bold as Markdown, and the others; then a blank line. */
void paper_verdict(const text_paper *p, const char *const *sentences, size_t n);

/* What is shown below it; a heading of the second level, or a line. */
void paper_title(const text_paper *p, const char *title);

/* "label        text", the text wrapped beside the label, or an item of a list. */
void paper_item(const text_paper *p, const char *label, const char *text);

/* Markdown: a name in code, and text that may quote names. */
void put_markdown_code(textbuf *out, const char *text);
void put_markdown(textbuf *out, const char *text);

#endif
