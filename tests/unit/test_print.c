/* Formatted text: as printf has it, but for doubles that are no number, which are "unknown", and for the
 * decimal point of a locale. */
#include "core/print.h"
#include "tests/support/skips.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void no_number_is_unknown(void **state)
{
    static const double none[] = {NAN, -NAN, INFINITY, -INFINITY};
    (void)state;
    for (size_t i = 0; i < COUNT(none); i++) {
        char got[5][40];
        print_into(got[0], sizeof got[0], "%g", none[i]);
        print_into(got[1], sizeof got[1], "%.3f", none[i]);
        print_into(got[2], sizeof got[2], "%+.*f", 2, none[i]);
        print_into(got[3], sizeof got[3], "%3.0f", none[i]);
        print_into(got[4], sizeof got[4], "%.*e", 11, none[i]);
        for (size_t k = 0; k < COUNT(got); k++)
            assert_string_equal(got[k], "unknown");
    }
}

/* The same format and operands as of snprintf give the same text, of any kind, with and without a double. */
#define SAME(format, ...)                                                                                    \
    do {                                                                                                     \
        char got_[400], want_[400];                                                                          \
        const int length_ = snprintf(want_, sizeof want_, format, __VA_ARGS__);                              \
        assert_int_equal(print_into(got_, sizeof got_, format, __VA_ARGS__), length_);                       \
        assert_string_equal(got_, want_);                                                                    \
        assert_int_equal(print_into(NULL, 0, format, __VA_ARGS__), length_);                                 \
    } while (0)

static void the_rest_is_as_of_printf(void **state)
{
    const size_t size = SIZE_MAX;
    (void)state;
    SAME("%s", "no number");
    SAME("%g %s%% of %c", 0.1, "x%y", 'z');
    SAME("%-8s|%8s|%.3s|%.*s|%*s|%g", "left", "right", "cut off", 2, "cut", 6, "star", 1e-7);
    SAME("%-*s|%.*f|%f", 5, "a", -1, 1.5, 2.5); /* less than no digits: the usual six */
    SAME("%d %u %x %08x %i %.17g", -3, 4000000000u, 255u, 255u, 7, 0.1);
    SAME("%zu %llu %lu %ld %lld %.3e", size, UINT64_MAX + 0ull, 3ul, -3l, -3ll, 1e300);
    SAME("%6.1f|%-6.1f|%+.2f|%06.1f|% .1f", 3.25, 3.25, 3.25, 3.25, 3.25);
    SAME("%.3f", 1e308);
    SAME("%.0f of %.0f", -0.0, 0.5);
}

static void text_is_cut_to_its_room(void **state)
{
    char text[10];
    (void)state;
    assert_int_equal(print_into(text, sizeof text, "%g and %s", NAN, "more"), 16);
    assert_string_equal(text, "unknown a");
    assert_int_equal(print_into(text, 1, "%g", 1.5), 3);
    assert_string_equal(text, "");
    assert_int_equal(print_into(text, sizeof text, "%s%.0f", "long enough", 1.0), 12);
    assert_string_equal(text, "long enou");
}

/* Skipped where no locale with a decimal comma is installed. */
static void the_point_is_no_comma(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "ps_AF.UTF-8"};
    const char *set = NULL;
    char text[40];
    (void)state;
    for (size_t i = 0; i < COUNT(names) && !set; i++)
        set = setlocale(LC_NUMERIC, names[i]);
    if (!set)
        skip_without("a locale with a comma in numbers, such as de_DE.UTF-8");
    print_into(text, sizeof text, "%.1f, %s", 1.5, "1,5");
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text, "1.5, 1,5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_number_is_unknown), cmocka_unit_test(the_rest_is_as_of_printf),
        cmocka_unit_test(text_is_cut_to_its_room), cmocka_unit_test(the_point_is_no_comma)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
