/* Numbers as people write them. */
#include "roofline/explanation.h"
#include "tests/unit/fixture.h"

static void numbers_are_read_as_people_write_them(void **state)
{
    static const struct {
        const char *text;
        double seconds, latency_s;
        bool is_rate, is_of_tokens;
    } rows[] = {{"29fps", 1 / 29.0, NAN, true, false},
                {"29.5 FPS (33.9 ms)", 1 / 29.5, 33.9e-3, true, false},
                {"33.9 ms (29.5 FPS)", 1 / 29.5, 33.9e-3, true, false},
                {"33.9ms, 29.5 fps", 1 / 29.5, 33.9e-3, true, false},
                {"33.9 ms", 33.9e-3, NAN, false, false},
                {"37.5us", 37.5e-6, NAN, false, false},
                {"37.5 \xc2\xb5s", 37.5e-6, NAN, false, false},
                {"3.6s", 3.6, NAN, false, false},
                {"1e3 ms", 1, NAN, false, false},
                {"10.4tokens/s", 1 / 10.4, NAN, true, true},
                {"10.4 tok/s", 1 / 10.4, NAN, true, true},
                {"117.83 ms/token", 117.83e-3, NAN, false, true},
                {"4.2it/s", 1 / 4.2, NAN, true, false},
                {"4.2 s/it", 4.2, NAN, false, false},
                {"1009.56 inferences/s", 1 / 1009.56, NAN, true, false},
                {"  12 Hz  ", 1 / 12.0, NAN, true, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_pace pace;
        roof_error err = {0};
        if (roof_pace_parse(rows[i].text, &pace, &err) != ROOF_OK)
            fail_msg("%s: %s", rows[i].text, fx_message(&err));
        const bool latency = isnan(rows[i].latency_s) ? isnan(pace.latency_s)
                                                      : fabs(pace.latency_s / rows[i].latency_s - 1) < 1e-12;
        if (!latency || !(fabs(pace.seconds / rows[i].seconds - 1) < 1e-12) ||
            pace.is_rate != rows[i].is_rate || pace.is_of_tokens != rows[i].is_of_tokens)
            fail_msg("%s: %.12g s, latency %.12g s", rows[i].text, pace.seconds, pace.latency_s);
    }
}

static void what_has_no_unit_or_is_two_things_is_refused(void **state)
{
    static const char *const rows[] = {"",       "29",      "fps",          "29 apples",   "-3ms",
                                       "0fps",   "29,5fps", "29fps (3fps)", "29fps (3 ms", "29fps, 3ms)",
                                       "nan ms", "1e400 s", "3 ms/frame/s", "1e-12 s"};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_pace pace;
        roof_error err = {0};
        if (roof_pace_parse(rows[i], &pace, &err) != ROOF_E_USAGE ||
            !strstr(err.what, "want a number with its unit"))
            fail_msg("'%s' is taken, or without a word: %s", rows[i], err.what);
    }
}

static void no_text_is_a_number_that_is_not_known(void **state)
{
    roof_pace pace;
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_pace_parse(NULL, &pace, &err), ROOF_OK);
    assert_true(isnan(pace.seconds) && isnan(pace.latency_s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_read_as_people_write_them),
                                       cmocka_unit_test(what_has_no_unit_or_is_two_things_is_refused),
                                       cmocka_unit_test(no_text_is_a_number_that_is_not_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
