/* reports/page/report_page.h - the page: head, navigation, the sections in their order. */
#ifndef ROOF_REPORTS_REPORT_PAGE_H
#define ROOF_REPORTS_REPORT_PAGE_H

#include "reports/page/page_parts.h"

/* Errors: E_NO_MEMORY. */
roof_status page_put(const report_page *page, textbuf *out, roof_error *err);

#endif
