/* reports/page/page_appendix.h - what stands behind the models: findings, how the numbers came about with
 * every constant of the hardware and its source, what the page was made from. */
#ifndef ROOF_REPORTS_PAGE_APPENDIX_H
#define ROOF_REPORTS_PAGE_APPENDIX_H

#include "reports/page/page_parts.h"

bool page_has_findings(const report_page *page);
void page_put_findings(const report_page *page, textbuf *out);
void page_put_method(const report_page *page, textbuf *out);
void page_put_constants(const report_page *page, textbuf *out);
void page_put_provenance(const report_page *page, textbuf *out);

#endif
