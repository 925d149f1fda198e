/* core/csvout.h - fields of a CSV file, RFC 4180; empty for what is not known.
 *
 * A text that begins with = + - @ would be a formula to a spreadsheet; it gets a leading apostrophe, the convention that
 * spreadsheets themselves use. Controls, line ends included, are shown as core/utf8.h says: a row is a line.
 */
#ifndef ROOF_CORE_CSVOUT_H
#define ROOF_CORE_CSVOUT_H

#include "core/text.h"

/* A text, quoted where it has to be; NULL is empty. */
void roof_csv_text(roof_text *out, const char *text);

/* The same behind a comma, for all fields of a row but the first. */
void roof_csv_next_text(roof_text *out, const char *text);
void roof_csv_next_count(roof_text *out, uint64_t value);
void roof_csv_next_number(roof_text *out, double value);

#endif
