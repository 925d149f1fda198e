/* reports/paper.h - text as people read it: wrapped paragraphs, Markdown that means what it says, numbers at one scale. */
#ifndef ROOF_REPORTS_PAPER_H
#define ROOF_REPORTS_PAPER_H

#include "core/text.h"

/* Columns of a terminal when nobody knows. */
enum { TEXT_DEFAULT_WIDTH = 120 };

/* Breaks at blanks so that text takes at most width columns, later lines behind indent more; a name that is longer stands
 * alone on a line. The second one ends the last line as well. */
void wrap_text(textbuf *out, const char *text, size_t width, size_t indent);
void put_wrapped(textbuf *out, const char *text, size_t width, size_t indent);

/* "label        text", the text wrapped beside the label. */
void put_labelled(textbuf *out, const char *label, const char *text, size_t width);

/* Without the blanks at the ends of lines, which help nobody and make diffs noisy. */
void put_trimmed(textbuf *out, const char *text);

/* Markdown: a name in code, and text that may quote names. */
void put_markdown_code(textbuf *out, const char *text);
void put_markdown(textbuf *out, const char *text);

#endif
