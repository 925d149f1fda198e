/* reports/page/page_figures.h - charts on a page, with links from their marks to rows of tables. */
#ifndef ROOF_REPORTS_PAGE_FIGURES_H
#define ROOF_REPORTS_PAGE_FIGURES_H

#include "reports/page/page_parts.h"

/* The figures of a model, ROOF_NONE: of all, or of a series, which stand in a place. */
void page_put_figures(const report_page *page, uint32_t model, figure_place place, textbuf *out);

/* True if there is any, drawn or not: its title is on the page. */
bool page_has_figure(const report_page *page, uint32_t model, figure_place place);

/* The row of a model's table of layers for each number of a layer, 0 where none is listed: rows of a profile
 * may stand for several layers, or leave some out. None without memory. */
typedef struct page_rows {
    uint32_t *rows;
    uint32_t n;
} page_rows;
page_rows page_rows_of_layers(const report_page *page, const page_model *model);

#endif
