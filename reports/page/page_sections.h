/* reports/page/page_sections.h - the sections of the page: a file each. */
#ifndef ROOF_REPORTS_PAGE_SECTIONS_H
#define ROOF_REPORTS_PAGE_SECTIONS_H

#include "reports/page/page_parts.h"

/* --- sections, in their order; one with nothing to say writes nothing ------------------------------------ */

void page_put_verdict(const report_page *page, textbuf *out);
void page_put_key_figures(const report_page *page, textbuf *out);
void page_put_study(const report_page *page, textbuf *out); /* models, fits, where the time goes */
void page_put_model(const report_page *page, uint32_t model, textbuf *out);
void page_put_epochs(const report_page *page, uint32_t model, textbuf *out); /* within that of the model */
void page_put_calibration(const report_page *page, textbuf *out);
void page_put_findings(const report_page *page, textbuf *out);
void page_put_method(const report_page *page, textbuf *out);
void page_put_constants(const report_page *page, textbuf *out);
void page_put_provenance(const report_page *page, textbuf *out);

bool page_has_study(const report_page *page);
bool page_has_findings(const report_page *page);

#endif
