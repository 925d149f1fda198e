/* reports/page/page_verdict.h - what a reader sees first: the verdict in sentences, the hardware, and the few
 * numbers that a meeting is about. */
#ifndef ROOF_REPORTS_PAGE_VERDICT_H
#define ROOF_REPORTS_PAGE_VERDICT_H

#include "reports/page/page_parts.h"

void page_put_verdict(const report_page *page, textbuf *out);
void page_put_key_figures(const report_page *page, textbuf *out);

#endif
