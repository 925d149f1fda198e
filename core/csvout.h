/* core/csvout.h - fields of a CSV file, RFC 4180; empty for what is not known.
 *
 * A text that begins with = + - @ would be a formula to a spreadsheet; it gets a leading apostrophe, the convention that
 * spreadsheets themselves use. Controls, line ends included, are shown as core/utf8.h says: a row is a line.
 */
#ifndef ROOF_CORE_CSVOUT_H
#define ROOF_CORE_CSVOUT_H

#include "core/text.h"

/* A text, quoted where it has to be; NULL is empty. */
void csv_text(textbuf *out, const char *text);

/* Twelve digits; nothing for what is not finite. */
void csv_number(textbuf *out, double value);

#endif
