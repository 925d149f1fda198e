/* reports/page/page_history.h - runs of months on a page: a chart a series, since when it is slower, and with
 * which layers.
 *
 * Ownership: the series that are shown point into the trends, which live until page_history_free.
 */
#ifndef ROOF_REPORTS_PAGE_HISTORY_H
#define ROOF_REPORTS_PAGE_HISTORY_H

#include "reports/page/page_drawing.h"

/* Series that have a chart; the others are in the table. */
enum { PAGE_MOST_SERIES = 12 };

typedef struct page_history {
    roof_history_trends **trends; /* of each model that was looked for */
    uint32_t n;
    roof_history_trends shown; /* of all that belong to the page */
    const char **missing;      /* what the history has nothing of, in sentences */
    size_t n_missing;
} page_history;

/* Finds the series of the page's models on their devices, and makes them the page's. To be freed also after
 *   an error.
 * Errors: those of roof_history_find_trends; none where there is no series. */
roof_status page_history_find(report_page *page, page_history *history, roof_error *err);
void page_history_free(page_history *history);

/* A figure for each series that has a chart, the worst first. */
roof_status page_history_draw(const roof_history_trends *trends, page_drawing *drawing);

/* Each of these with its layers, then the table of all. */
void page_put_series(const report_page *page, const roof_history_trends *trends, textbuf *out);

bool page_has_history(const report_page *page);
void page_put_history(const report_page *page, textbuf *out);
void page_put_history_verdict(const report_page *page, textbuf *out);

#endif
