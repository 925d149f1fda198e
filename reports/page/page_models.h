/* reports/page/page_models.h - the tables and lines of a page: of all models, then of each. */
#ifndef ROOF_REPORTS_PAGE_MODELS_H
#define ROOF_REPORTS_PAGE_MODELS_H

#include "reports/page/page_parts.h"

bool page_has_all_models(const report_page *page);
void page_put_all_models(const report_page *page, textbuf *out); /* models, fits, where the time goes */
void page_put_model(const report_page *page, uint32_t model, textbuf *out);
void page_put_calibration(const report_page *page, textbuf *out);

#endif
