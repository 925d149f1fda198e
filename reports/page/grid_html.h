/* reports/page/grid_html.h - a grid as a table of HTML that a script can sort and filter, and that is a table without one. */
#ifndef ROOF_REPORTS_GRID_HTML_H
#define ROOF_REPORTS_GRID_HTML_H

#include "core/grid.h"

typedef struct html_table {
    const char *id;          /* of the table, good for an attribute as it is */
    uint32_t number;         /* behind the id, where it is not 0 */
    const char *caption;     /* what it shows; for those who do not see the heading above it */
    const char *filter;      /* what the box to filter rows by says; NULL: a small table without one */
    const char *name_prefix; /* what names share, which is set back; NULL: nothing */
    size_t n_totals;         /* rows at the end, which become its foot */
    const char *bar;         /* title of a column whose cells get a bar behind the number; NULL: none */
    const char *bound;  /* title of a column of engines, which get the colours of the charts; NULL: none */
    const char *screen; /* title of a column that paper has no room for; NULL: none */
} html_table;

/* Every cell is escaped. Numeric cells that are shown otherwise than as a plain number ("1 285.6", "0.16 ± 0.02", "?") have it in
 * data-value, which is empty for what is not known. Cell colours become classes. Nothing is written for a grid without rows.
 */
void grid_put_html(const cell_grid *g, const html_table *table, textbuf *out);

#endif
