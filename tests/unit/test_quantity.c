/* Numbers with units: what is accepted, what is refused and how, and that the locale has no say. */
#include "core/quantity.h"
#include "tests/support/skips.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Bit for bit: a tolerance would hide a wrong last digit. */
static void assert_same_double(const char *name, double got, double want)
{
    if (memcmp(&got, &want, sizeof got) != 0)
        fail_msg("%s: got %.17g, want %.17g", name, got, want);
}

static void quantities_with_prefix_and_unit_are_read(void **state)
{
    static const struct {
        const char *text, *unit;
        double want;
    } rows[] = {
        {"300MHz", "Hz", 300e6},
        {"300 MHz", "Hz", 300e6},
        {"300M", "Hz", 300e6},
        {"1.5MHz", "Hz", 1500000},
        {"3e8Hz", "Hz", 3e8},
        {"19.2GB/s", "B/s", 19.2e9},
        {"19.2G", "B/s", 19.2e9},
        {"2048/cycle", "/cycle", 2048},
        {"2k/cycle", "/cycle", 2000},
        {"4KiB", "B", 4096},
        {"4Ki", "B", 4096},
        {"1MiB", "B", 1048576},
        {"1GiB/s", "B/s", 1073741824},
        {"1TiB", "B", 1099511627776},
        {"1T", "", 1e12},
        {"12", "", 12},
        {"12ms", "s", 0.012},
        {"12us", "s", 12 * 1e-6},
        {"12 ns", "s", 12 * 1e-9},
        {"12s", "s", 12},
        {"0B", "B", 0},
        {"-0 B", "B", 0},
        {"300", "/cycle", 300},
        {".5k", "", 500},
        {"5.", "", 5},
        {" 7 ", "", 7},
        {"1e9B/s", "B/s", 1e9},
        {"+4", "", 4},
        {"300mhz", "Hz", 300e6},
        {"1GHZ", "Hz", 1e9},
        {"300Mhz", "Hz", 300e6},
        {"12hz", "Hz", 12},
        {"2K/cycle", "/cycle", 2000},
        {"5mw", "W", 0.005},
        {"5MW", "W", 5e6},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        double got = NAN;
        roof_error err = {0};
        if (quantity_parse(rows[i].text, rows[i].unit, &got, &err) != ROOF_OK)
            fail_msg("%s: %s", rows[i].text, err.what);
        assert_same_double(rows[i].text, got, rows[i].want);
    }
}

static void a_quantity_that_does_not_fit_is_a_usage_error_that_says_what_would(void **state)
{
    static const struct {
        const char *text, *unit, *want;
    } rows[] = {
        {"", "Hz", "'' does not begin with a number, want a number such as 12Hz or 1.5MHz"},
        {"fast", "Hz", "'fast' does not begin with a number, want a number such as 12Hz or 1.5MHz"},
        {"300mHz", "Hz", "'300mHz' is a thousandth; did you mean 300MHz?"},
        {"19.2gb/s", "B/s", "'19.2gb/s' counts bits; did you mean 19.2GB/s?"},
        {"2m/cycle", "/cycle", "'2m/cycle' is a thousandth; did you mean 2M/cycle?"},
        {"33MS", "s", "'33MS' has a unit that does not fit, want a number such as 12s or 1.5ms"},
        {"5m", "", "'5m' has a unit that does not fit, want a number such as 12 or 1.5M"},
        {"300m", "Hz", "'300m' has a unit that does not fit, want a number such as 12Hz or 1.5MHz"},
        {"5m", "s", "'5m' has a unit that does not fit, want a number such as 12s or 1.5ms"},
        {"300MB", "Hz", "'300MB' has a unit that does not fit, want a number such as 12Hz or 1.5MHz"},
        {"300MHz!", "Hz", "'300MHz!' has a unit that does not fit, want a number such as 12Hz or 1.5MHz"},
        {"1,5MHz", "Hz", "'1,5MHz' has a unit that does not fit, want a number such as 12Hz or 1.5MHz"},
        {"0x10", "", "'0x10' has a unit that does not fit, want a number such as 12 or 1.5M"},
        {"inf", "", "'inf' does not begin with a number, want a number such as 12 or 1.5M"},
        {"nan", "", "'nan' does not begin with a number, want a number such as 12 or 1.5M"},
        {"-1", "B", "'-1' is negative, want a number such as 12B or 1.5MB"},
        {"-1e-300", "B", "'-1e-300' is negative, want a number such as 12B or 1.5MB"},
        {"300", "Hz", "'300' has no unit; did you mean 300MHz?"},
        {" 300 ", "Hz", "' 300 ' has no unit; did you mean 300MHz?"},
        {"300000000", "Hz", "'300000000' has no unit; did you mean 300000000Hz?"},
        {"19.2", "B/s", "'19.2' has no unit; did you mean 19.2GB/s?"},
        {"1228.8", "ops/s", "'1228.8' has no unit; did you mean 1228.8Gops/s?"},
        {"64", "B", "'64' has no unit; did you mean 64KiB?"},
        {"0.3", "s", "'0.3' has no unit; did you mean 0.3ms?"},
        {"1e400", "B", "'1e400' is too large, want a number such as 12B or 1.5MB"},
        {"1e308k", "", "'1e308k' is too large, want a number such as 12 or 1.5M"},
        {"1\x1b[2J", "", "'1\\x1b[2J' has a unit that does not fit, want a number such as 12 or 1.5M"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        double got = 42;
        roof_error err = {0};
        assert_int_equal(quantity_parse(rows[i].text, rows[i].unit, &got, &err), ROOF_E_USAGE);
        assert_string_equal(err.what, rows[i].want);
        assert_same_double(rows[i].text, got, 42);
    }
}

static void number_parse_stops_at_the_end_of_the_number_and_of_the_text(void **state)
{
    static const struct {
        const char *text;
        size_t length, want_used;
        double want;
    } rows[] = {
        {"123", 2, 2, 12},
        {"1.5e3x", 6, 5, 1500},
        {"1e", 2, 1, 1},
        {"1e+", 3, 1, 1},
        {"1e+2", 3, 1, 1},
        {"-.5", 3, 3, -0.5},
        {".", 1, 0, 0},
        {"-", 1, 0, 0},
        {"e5", 2, 0, 0},
        {"", 0, 0, 0},
        {" 1", 2, 0, 0},
        {"0x1p3", 5, 1, 0},
        {"1e-400", 6, 6, 0},
        {"1e400", 5, 5, INFINITY},
        {"4.9e-324", 8, 8, 4.9e-324},
        {"9007199254740993", 16, 16, 9007199254740992.0},
        {"0.1", 3, 3, 0.1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        double got = 0;
        assert_int_equal(number_parse(rows[i].text, rows[i].length, &got), rows[i].want_used);
        assert_same_double(rows[i].text, got, rows[i].want);
    }
}

static void a_number_of_absurd_length_is_refused(void **state)
{
    char digits[4000];
    double got = 42;
    (void)state;
    memset(digits, '1', sizeof digits);
    assert_int_equal(number_parse(digits, sizeof digits, &got), 0);
    assert_int_equal(number_parse(digits, 1000, &got), 1000);
    assert_true(isinf(got));
}

static void formatted_numbers_read_back_as_the_same_double(void **state)
{
    static const struct {
        double value;
        const char *want;
    } rows[] = {
        {0, "0"},          {1, "1"},           {0.1, "0.1"},         {1.0 / 3, "0.3333333333333333"},
        {1e300, "1e+300"}, {-2.5, "-2.5"},     {300e6, "300000000"}, {0.1 + 0.2, "0.30000000000000004"},
        {NAN, "null"},     {INFINITY, "null"}, {-INFINITY, "null"},  {9007199254740992.0, "9007199254740992"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[40];
        double back = 0;
        assert_int_equal(number_format(text, sizeof text, rows[i].value), strlen(rows[i].want));
        assert_string_equal(text, rows[i].want);
        if (isfinite(rows[i].value)) {
            assert_int_equal(number_parse(text, strlen(text), &back), strlen(text));
            assert_same_double(text, back, rows[i].value);
        }
    }
}

static void counts_are_grouped_by_thousands(void **state)
{
    static const struct {
        uint64_t value;
        const char *want;
    } rows[] = {
        {0, "0"},
        {999, "999"},
        {1000, "1 000"},
        {1234567, "1 234 567"},
        {ROOF_UNKNOWN, "unknown"},
        {UINT64_MAX - 1, "18 446 744 073 709 551 614"},
    };
    char text[40];
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(count_format(text, sizeof text, rows[i].value), strlen(rows[i].want));
        assert_string_equal(text, rows[i].want);
    }
    assert_int_equal(count_format(text, 4, 1234567), 9);
    assert_string_equal(text, "1 2");
}

static void a_rounded_size_is_known_where_one_number_of_bytes_is_shown_so(void **state)
{
    static const struct {
        const char *text;
        bool is_size;
        uint64_t want;
    } cases[] = {{"448.000 kB", true, 458752},
                 {"358.626 kB", true, 367233},
                 {"  12 B", false, 0},
                 {"225  B", true, 225},
                 {"0  B", true, 0},
                 {"0.000 kB", true, 0},
                 {"1.000 KB", true, 1024},
                 {"425.00 KB", true, ROOF_UNKNOWN},
                 {"9.73 MB", true, ROOF_UNKNOWN},
                 {"0.00 GB", true, ROOF_UNKNOWN},
                 {"12 TB", false, 0},
                 {"12", false, 0},
                 {"B", false, 0},
                 {".", false, 0},
                 {"1.2.3 B", false, 0},
                 {"-1 B", false, 0},
                 {"1 kBx", false, 0},
                 {"1.0000001 kB", false, 0},
                 {"1073741824 B", false, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t bytes = 7;
        if (size_parse(cases[i].text, strlen(cases[i].text), &bytes) != cases[i].is_size ||
            (cases[i].is_size && bytes != cases[i].want))
            fail_msg("'%s' is %" PRIu64, cases[i].text, bytes);
    }
    assert_true(isnan(known_count(ROOF_UNKNOWN)) && known_count(3) == 3);
}

static void quantities_are_shown_with_a_fitting_prefix(void **state)
{
    static const struct {
        double value;
        const char *unit, *want;
    } rows[] = {
        {1.46e-3, "s", "1.46 ms"}, {19.2e9, "B/s", "19.2 GB/s"},
        {300e6, "Hz", "300 MHz"},  {1228.8e9, "ops/s", "1.229 Tops/s"},
        {999.96e3, "Hz", "1 MHz"}, {999.94e3, "Hz", "999.9 kHz"},
        {120, "s", "120 s"},       {7200, "s", "7200 s"},
        {1.9e-4, "s", "190 us"},   {5e-9, "s", "5 ns"},
        {0, "s", "0 s"},           {4096, "ops/cycle", "4096 ops/cycle"},
        {8, "lanes", "8 lanes"},   {0.5, "B/cycle", "0.5 B/cycle"},
        {2, "count", "2 count"},   {524288, "B", "524.3 kB"},
        {NAN, "s", "unknown"},     {INFINITY, "s", "unknown"},
        {-1.5e-3, "s", "-1.5 ms"}, {1500, "", "1500"},
        {0.25, "", "0.25"},        {0.2, "Hz", "0.2 Hz"},
        {5.51, "W", "5.51 W"},     {1.68e-4, "J", "168 uJ"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[48];
        assert_int_equal(quantity_format(text, sizeof text, rows[i].value, rows[i].unit),
                         strlen(rows[i].want));
        assert_string_equal(text, rows[i].want);
    }
}

/* Skipped where no locale with a decimal comma is installed. */
static void the_locale_has_no_say(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "ps_AF.UTF-8"};
    const char *set = NULL;
    char text[40];
    double got = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(names) && !set; i++)
        set = setlocale(LC_NUMERIC, names[i]);
    if (!set)
        skip_without("a locale with a comma in numbers, such as de_DE.UTF-8");
    number_format(text, sizeof text, 1.5);
    size_t used = number_parse("1.5", 3, &got);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text, "1.5");
    assert_int_equal(used, 3);
    assert_same_double("1.5", got, 1.5);
}

static void a_whole_and_its_parts_close_as_they_are_printed(void **state)
{
    static const struct {
        double whole, part;
        const char *want[3];
    } rows[] = {{0.0053, 0.003999999999999999, {"0.0053", "0.004", "0.0013"}},
                {0.3, 0.1, {"0.3", "0.099999999999", "0.200000000001"}}, /* 0.1 + 0.2 is no 0.3 */
                {1.0 / 3, 0, {"0.333333333333", "0", "0.333333333333"}},
                {2.0 / 3, 2.0 / 3, {"0.666666666667", "0.666666666667", "0"}},
                {9.99999999999, 18, {"9.99999999999", "18", "-8.00000000001"}},
                {1.71081044258, 0.41106131321, {"1.71081044258", "0.41106131294", "1.29974912964"}},
                {5.343e-9, -1e-9, {"5.343e-09", "-1e-09", "6.343e-09"}},
                {4e15, 1e15, {"4e+15", "1e+15", "3e+15"}}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        double got[3] = {rows[i].whole, rows[i].part};
        number_split(&got[0], &got[1], &got[2]);
        assert_true(got[1] + got[2] == got[0]);
        for (int k = 0; k < 3; k++) {
            char text[40];
            number_format(text, sizeof text, got[k]);
            assert_string_equal(text, rows[i].want[k]);
        }
    }
    for (int i = 1; i < 20000; i++) { /* digits and doubles at once */
        double whole = 0.1 + 0.9 * fmod(i * 0.6180339887498949, 1);
        double got[3] = {whole, whole * (3.0 * i / 20000 - 1)};
        int64_t digits[3];
        number_split(&got[0], &got[1], &got[2]);
        for (int k = 0; k < 3; k++) {
            digits[k] = llround(got[k] * 1e12);
            assert_true(fabs(got[k] * 1e12 - (double)digits[k]) < 1e-3);
        }
        assert_true(digits[1] + digits[2] == digits[0] && got[1] + got[2] == got[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_with_prefix_and_unit_are_read),
        cmocka_unit_test(a_quantity_that_does_not_fit_is_a_usage_error_that_says_what_would),
        cmocka_unit_test(number_parse_stops_at_the_end_of_the_number_and_of_the_text),
        cmocka_unit_test(a_number_of_absurd_length_is_refused),
        cmocka_unit_test(formatted_numbers_read_back_as_the_same_double),
        cmocka_unit_test(a_whole_and_its_parts_close_as_they_are_printed),
        cmocka_unit_test(counts_are_grouped_by_thousands),
        cmocka_unit_test(a_rounded_size_is_known_where_one_number_of_bytes_is_shown_so),
        cmocka_unit_test(quantities_are_shown_with_a_fitting_prefix),
        cmocka_unit_test(the_locale_has_no_say),
    };
    return cmocka_run_group_tests_name("quantity", tests, NULL, NULL);
}
