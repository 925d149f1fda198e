/* reports/paper.h - text as people read it: wrapped paragraphs, Markdown that means what it says, numbers at one scale. */
#ifndef ROOF_REPORTS_PAPER_H
#define ROOF_REPORTS_PAPER_H

#include "core/text.h"

/* Columns of a terminal when nobody knows. */
enum { ROOF_DEFAULT_WIDTH = 120 };

/* Breaks at blanks so that text takes at most width columns, later lines behind indent more; a name that is longer stands
 * alone on a line. The second one ends the last line as well. */
void roof_wrap(roof_text *out, const char *text, size_t width, size_t indent);
void roof_put_wrapped(roof_text *out, const char *text, size_t width, size_t indent);

/* "label        text", the text wrapped beside the label. */
void roof_put_labelled(roof_text *out, const char *label, const char *text, size_t width);

/* Without the blanks at the ends of lines, which help nobody and make diffs noisy. */
void roof_put_trimmed(roof_text *out, const char *text);

/* Markdown: a name in code, and text that may quote names. */
void roof_put_markdown_code(roof_text *out, const char *text);
void roof_put_markdown(roof_text *out, const char *text);

#endif
