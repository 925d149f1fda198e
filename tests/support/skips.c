#include "tests/support/skips.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { ALL_SKIPPED = 77 };

static bool in_group;
static size_t skipped;

void skip_without(const char *what)
{
    printf("SKIPPED: needs %s\n", what);
    fflush(stdout);
    if (!in_group)
        exit(ALL_SKIPPED);
    skip(); /* does not return */
    abort();
}

const char *shared_folder(void)
{
    const char *folder = getenv("ROOFLINE_SHARED");
    if (!folder)
        skip_without("the optional folder ../shared");
    return folder;
}

/* The linker's names for what stands before cmocka's functions, and for those. */
/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
void __real__skip(const char *file, int line);
void __wrap__skip(const char *file, int line);
int __real__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t n,
                                   CMFixtureFunction setup, CMFixtureFunction teardown);
int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t n,
                                   CMFixtureFunction setup, CMFixtureFunction teardown);

void __wrap__skip(const char *file, int line)
{
    skipped++;
    __real__skip(file, line);
}

int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t n,
                                   CMFixtureFunction setup, CMFixtureFunction teardown)
{
    in_group = true;
    skipped = 0;
    int failed = __real__cmocka_run_group_tests(name, tests, n, setup, teardown);
    in_group = false;
    return failed == 0 && skipped == n ? ALL_SKIPPED : failed;
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
