/* reports/scols.h - printing a libsmartcols table so that the result depends on nothing but the table. */
#ifndef ROOF_REPORTS_SCOLS_H
#define ROOF_REPORTS_SCOLS_H

#include <libsmartcols.h>
#include <stdbool.h>

/* *out is malloc'ed. False without memory.
 *
 * libsmartcols 2.38 asks the locale how wide characters are. Where that is not UTF-8, it prints names as escapes, and
 * with its own encoding turned off it even loops for ever on the first character that is not ASCII. So UTF-8 is set for
 * this thread while it prints; trees are drawn in ASCII when the caller's locale is not UTF-8.
 */
bool roof_scols_print(struct libscols_table *table, char **out);

#endif
