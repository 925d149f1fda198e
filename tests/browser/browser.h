/* tests/browser/browser.h - a browser without a window, spoken to in the Chrome DevTools Protocol
 * (https://chromedevtools.github.io/devtools-protocol/). page.h is what most tests want.
 *
 * Units: milliseconds.
 * Ownership: whoever starts a browser closes it. cJSON values that are given to a call belong to it, those that it gives
 *   belong to the caller.
 *
 * Nothing waits for ever: every call has a deadline, and so has the life of the browser, which shall end before ctest
 * ends the test. Once a call failed because of the browser (it ended, was silent, talked nonsense, a page crashed) all
 * later calls fail at once with the same message. The browser has a fresh profile and does not reach the network.
 */
#ifndef ROOF_TESTS_BROWSER_H
#define ROOF_TESTS_BROWSER_H

#include <limits.h>
#include <stdbool.h>
#include <cjson/cJSON.h>
#include "roofline/status.h"

typedef struct browser browser;

typedef struct browser_options {
    const char *program;                 /* NULL: what browser_find finds */
    unsigned start_ms, call_ms, life_ms; /* how long each may take; 0: 60 000, 30 000, 100 000 */
} browser_options;

/* $ROOFLINE_BROWSER if that is set and not empty, else chromium, chromium-browser or google-chrome on PATH. A snap is not
 * taken: it has a /tmp of its own and cannot open what a test wrote. False: there is none. */
bool browser_find(char path[PATH_MAX]);

/* Says in a line that starts with SKIPPED what is missing; the exit code of a test that was skipped. */
int browser_skipped(void);

/* options: NULL is as good as zeroes. Returns once the browser has answered. Errors: E_DEVICE, E_IO. */
roof_status browser_start(const browser_options *options, browser **out, roof_error *err);

/* Also after a failure; NULL is fine. The processes are gone afterwards, the profile is removed. */
void browser_close(browser *b);

/* Calls a method and waits for its answer. Events that come meanwhile are kept.
 *
 * session: of a page, NULL for the browser itself. params: an object, or NULL; it is freed, also on failure.
 * result: NULL if nobody wants it. Errors: E_DATA when the browser refuses; E_DEVICE when it is lost. */
roof_status browser_call(browser *b, const char *session, const char *method, cJSON *params, cJSON **result,
                         roof_error *err);

/* Takes the oldest event of a session out of what was kept: {"method":...,"params":...}. NULL: there is none. */
cJSON *browser_take_event(browser *b, const char *session);

/* Waits until something came that may be an event; as long as for an answer. Errors: E_DEVICE. */
roof_status browser_wait(browser *b, roof_error *err);

#endif
