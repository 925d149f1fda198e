/* tests/browser/page.h - a page in a browser: open a file, look at it, use it.
 *
 * Units: CSS pixels, of which a screenshot has one per pixel.
 * Ownership: whoever makes a page frees it, before its browser is closed.
 *
 * What a page says on its console and what it fetches is collected from page_open until the next page_open.
 */
#ifndef ROOF_TESTS_PAGE_H
#define ROOF_TESTS_PAGE_H

#include "tests/browser/browser.h"

typedef struct page page;

typedef struct page_view {
    int width_px, height_px; /* of the viewport; 0: 1280 and 800 */
    bool dark;               /* what prefers-color-scheme says; else light */
    bool no_script;          /* scripts of the page do not run */
} page_view;

/* An empty page. Errors: those of browser_call, here and below. */
roof_status page_new(browser *b, page **out, roof_error *err);
void page_free(page *p);

/* Any other method of the protocol; like browser_call. */
roof_status page_call(page *p, const char *method, cJSON *params, cJSON **result, roof_error *err);

/* Opens a file and waits until it and all that it asks for is loaded, and then for two frames. view: NULL is as good as
 * zeroes. Errors besides: E_NO_INPUT. */
roof_status page_open(page *p, const char *path, const page_view *view, roof_error *err);

/* Opens the same file anew in another view; what was collected is kept. */
roof_status page_reopen(page *p, const page_view *view, roof_error *err);

/* The view it was opened in, or that was set since. */
const page_view *page_get_view(const page *p);

/* Changes size and colour scheme without opening it anew; no_script is left as it is. */
roof_status page_set_view(page *p, const page_view *view, roof_error *err);

/* Evaluates a JavaScript expression, waits for it if it is a promise, and gives its value as JSON: *value is NULL for
 * undefined, and is to be freed. Also works without scripts, but then promises do not come true. Errors besides: E_DATA
 * with what was thrown. */
roof_status page_eval(page *p, const char *expression, cJSON **value, roof_error *err);

/* Clicks with the mouse at the middle of the first element that fits a CSS selector, after scrolling to it. Errors
 * besides: E_DATA when there is none, or when something else lies over it. */
roof_status page_click(page *p, const char *selector, roof_error *err);

/* The whole page, also what is below the viewport, as PNG. Errors besides: E_IO. */
roof_status page_screenshot(page *p, const char *path, roof_error *err);

/* The page as it would be printed. */
roof_status page_pdf(page *p, const char *path, roof_error *err);

/* What was collected, one per line, "" for nothing: errors on the console, failed assertions, exceptions and what the
 * browser itself logs as an error; and the URLs of requests, but for the opened file and data: URLs. Valid until the next
 * call with this page. */
roof_status page_console(page *p, const char **lines, roof_error *err);
roof_status page_fetched(page *p, const char **lines, roof_error *err);

#endif
