/* reports/page/page_baseline.h - what the models of a page were in a baseline: which is which, and what
 * differs.
 *
 * Ownership: models point into the comparisons, which live until page_baseline_free.
 */
#ifndef ROOF_REPORTS_PAGE_BASELINE_H
#define ROOF_REPORTS_PAGE_BASELINE_H

#include "reports/page/page_parts.h"

typedef struct page_baseline {
    roof_comparison **comparisons;
    uint32_t n;
} page_baseline;

/* Sets before and changes of each model that the baseline has; page->input says what there is. To be freed
 *   also after an error.
 * Errors: E_DATA when it has none of them; E_NO_MEMORY. */
roof_status page_baseline_find(report_page *page, page_baseline *baseline, roof_error *err);
void page_baseline_free(page_baseline *baseline);

/* Puts the differences, in a table for each mode, and in a few words. */
void page_put_changes(const report_page *page, uint32_t model, textbuf *out);
const char *page_say_change(const report_page *page, const page_model *model);

#endif
