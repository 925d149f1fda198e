/* reports/page/page_causes.h - what costs time in a model, ranked: a line each, the first one open. */
#ifndef ROOF_REPORTS_PAGE_CAUSES_H
#define ROOF_REPORTS_PAGE_CAUSES_H

#include "reports/page/page_parts.h"

/* Nothing for a model that was not measured and has none. */
void page_put_causes(const report_page *page, uint32_t model, textbuf *out);

#endif
