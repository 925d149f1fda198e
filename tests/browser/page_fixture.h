/* tests/browser/page_fixture.h - one browser for all tests of a program, and pages that a test writes itself. start_browser
 * and close_browser are the setup and teardown of a cmocka group.
 */
#ifndef ROOF_TESTS_PAGE_FIXTURE_H
#define ROOF_TESTS_PAGE_FIXTURE_H

#include "core/error.h"
#include "tests/browser/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "tests/unit/folder.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static inline const char *message(const roof_error *err)
{
    static char text[1400];
    roof_error_format(err, text, sizeof text);
    return text;
}

static roof_error failure; /* of the calls that must not fail */

#define MUST(call)                                                                                           \
    do {                                                                                                     \
        if ((call) != ROOF_OK)                                                                               \
            fail_msg("%s: %s", #call, message(&failure));                                                    \
    } while (0)

static browser *shared; /* one browser serves all: starting it takes longer than most tests */

static inline int start_browser(void **state)
{
    roof_error err = {0};
    if (make_folder(state) != 0)
        return -1;
    if (browser_start(NULL, &shared, &err) == ROOF_OK)
        return 0;
    print_error("%s\n", message(&err));
    remove_folder(state);
    return -1;
}

static inline int close_browser(void **state)
{
    browser_close(shared);
    return remove_folder(state);
}

static inline const char *write_page(const char *head, const char *body)
{
    const char *path = in_folder("a page.html");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "<!doctype html><html lang=en><meta charset=utf-8><title>x</title>%s<body>%s</body></html>\n",
            head, body);
    assert_int_equal(fclose(f), 0);
    return path;
}

static inline page *open_page(const char *head, const char *body, const page_view *view)
{
    page *p = NULL;
    MUST(page_new(shared, &p, &failure));
    MUST(page_open(p, write_page(head, body), view, &failure));
    return p;
}

static inline void close_page(page *p)
{
    page_free(p);
    unlink(in_folder("a page.html"));
}

#endif
