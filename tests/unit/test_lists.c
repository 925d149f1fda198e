/* --threads: what is a list of numbers of threads, what is none, and what is said then. */
#include "cli/cli.h"
#include "roofline/measure.h"
#include "tests/unit/fixture.h"

static void a_list_is_ascending_and_has_each_number_once(void **state)
{
    static const struct {
        const char *text;
        uint32_t n, numbers[8];
    } rows[] = {
        {"1", 1, {1}},           {"256", 1, {256}},
        {"1,2,4", 3, {1, 2, 4}}, {"1..4", 4, {1, 2, 3, 4}},
        {"3..3", 1, {3}},        {"1,2,4..8", 7, {1, 2, 4, 5, 6, 7, 8}},
        {"4,1", 2, {1, 4}},      {"2,1..3,2", 3, {1, 2, 3}},
        {"007", 1, {7}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t got[ROOF_MOST_THREAD_COUNTS], n;
        roof_error err;
        if (cli_thread_counts(rows[i].text, got, COUNT(got), &n, &err) != ROOF_OK)
            fail_msg("%s: %s", rows[i].text, fx_message(&err));
        assert_int_equal(n, rows[i].n);
        for (uint32_t k = 0; k < n; k++)
            assert_int_equal(got[k], rows[i].numbers[k]);
    }
}

static void what_is_no_list_is_refused_with_what_is_wanted(void **state)
{
    static const char *const texts[] = {"",
                                        ",",
                                        "1,",
                                        ",1",
                                        "1,,2",
                                        "0",
                                        "0..2",
                                        "2..1",
                                        "1..",
                                        "..2",
                                        "1...3",
                                        "1..2..3",
                                        "257",
                                        "1..257",
                                        "-1",
                                        "+1",
                                        "1.5",
                                        "1 2",
                                        " 1",
                                        "1, 2",
                                        "x",
                                        "1x",
                                        "1;2",
                                        "1e1",
                                        "99999999999999999999999999",
                                        "4294967297",
                                        "1..4294967298"};
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        uint32_t got[ROOF_MOST_THREAD_COUNTS], n;
        roof_error err = {0};
        assert_int_equal(cli_thread_counts(texts[i], got, COUNT(got), &n, &err), ROOF_E_USAGE);
        if (!strstr(err.what, "--threads: '") || !strstr(err.what, "want numbers from 1 to 256"))
            fail_msg("'%s' gives %s", texts[i], err.what);
    }
}

static void a_list_has_no_more_numbers_than_there_is_room_for(void **state)
{
    uint32_t got[3] = {0, 0, 77}, n;
    roof_error err;
    (void)state;
    assert_int_equal(cli_thread_counts("1..2,2,1", got, 2, &n, &err), ROOF_OK);
    assert_int_equal(n, 2);
    assert_int_equal(cli_thread_counts("1..3", got, 2, &n, &err), ROOF_E_USAGE);
    assert_string_equal(err.what, "--threads: '1..3' is more than 2 numbers of threads");
    assert_int_equal(got[2], 77);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_is_ascending_and_has_each_number_once),
        cmocka_unit_test(what_is_no_list_is_refused_with_what_is_wanted),
        cmocka_unit_test(a_list_has_no_more_numbers_than_there_is_room_for),
    };
    return cmocka_run_group_tests_name("lists", tests, NULL, NULL);
}
