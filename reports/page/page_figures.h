/* reports/page/page_figures.h - charts on a page, with links from their marks to rows of tables. */
#ifndef ROOF_REPORTS_PAGE_FIGURES_H
#define ROOF_REPORTS_PAGE_FIGURES_H

#include "reports/page/page_parts.h"

/* The figures of a model, ROOF_NONE: of all; those beside its key figures, or the others. */
void page_put_figures(const report_page *page, uint32_t model, bool first, textbuf *out);

#endif
