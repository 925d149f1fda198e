/* skipping.c - a program with cmocka of which all tests, some, or none are skipped: its argument says so
 * (skipped.cmake). */
#include "tests/support/skips.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const char *how;

static void first(void **state)
{
    (void)state;
    if (strcmp(how, "none") != 0)
        skip_without("a spoon (of silver)");
}

static void second(void **state)
{
    (void)state;
    if (strcmp(how, "all") == 0)
        skip_without("a spoon");
    assert_string_not_equal(how, "fails");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(first), cmocka_unit_test(second)};
    how = argc > 1 ? argv[1] : "none";
    if (strcmp(how, "before") == 0)
        skip_without("a fork");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
