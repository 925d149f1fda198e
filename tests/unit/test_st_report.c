/* What reports of ST's tools have in common: prefixes of loggers, counts with commas, clocks. */
#include "measure/import/tools/st/st_report.h"
#include "core/error.h"
#include "tests/unit/fixture.h"

static void want_span(const char *what, text_span got, const char *wanted)
{
    if (!span_is(got, wanted))
        fail_msg("%s: '%.*s', want '%s'", what, (int)got.length, got.text, wanted);
}

static void lines_lose_what_a_logger_put_before_them(void **state)
{
    static const struct {
        const char *line, *wanted;
    } rows[] = {
        {"2026-01-02 03:04:05,678 [INFO] CmdLine:76 -  total  1", "total  1"},
        {"2026-01-02 03:04:05,678 [WARNING] a.b - x", "x"},
        {"01/02/2026 03:04:05 PM  __main__ -- Flashing", "Flashing"},
        {"[I]     n_nodes : 1 ", "n_nodes : 1"},
        {"[I]", ""},
        {"", ""},
        {"   total   1  ", "total   1"},
        {"STAI.IO:  50%|##  | 1/2\r        \r  Summary 'a'", "Summary 'a'"},
        {"[ 1 2 3 ]", "[ 1 2 3 ]"},
        {"[i] small", "[i] small"},
        {"2026-01-02 03:04:05 [INFO] CmdLine:76 - other", "2026-01-02 03:04:05 [INFO] CmdLine:76 - other"},
        {"2026-01-02 03:04:05,678 [", "2026-01-02 03:04:05,678 ["},
        {"2026-01-02 03:04:05,678 [] x - y", "2026-01-02 03:04:05,678 [] x - y"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        want_span(rows[i].line, st_cut_line(span_of(rows[i].line)), rows[i].wanted);
}

static void pairs_are_cut_at_their_first_colon(void **state)
{
    text_span key, value;
    (void)state;
    assert_true(st_cut_pair(span_of("protocol  :  serial:921600 "), &key, &value));
    want_span("key", key, "protocol");
    want_span("value", value, "serial:921600");
    assert_true(st_cut_pair(span_of(":"), &key, &value));
    assert_int_equal(key.length + value.length, 0);
    assert_false(st_cut_pair(span_of("none"), &key, &value));
    assert_false(st_cut_pair(span_of(""), &key, &value));
}

static void words_beyond_the_room_are_counted(void **state)
{
    text_span words[2];
    (void)state;
    assert_int_equal(st_words(span_of("  a \t bc  d "), words, 2), 3);
    want_span("first", words[0], "a");
    want_span("second", words[1], "bc");
    assert_int_equal(st_words(span_of("   "), words, 2), 0);
}

static void commas_stand_at_thousands_or_nowhere(void **state)
{
    static const struct {
        const char *text;
        uint64_t wanted; /* ROOF_UNKNOWN: refused */
    } rows[] = {
        {"0", 0},
        {"999", 999},
        {"1,074,755", 1074755},
        {"1074755", 1074755},
        {"9,007,199,254,740,992", 9007199254740992},
        {"9,007,199,254,740,994", ROOF_UNKNOWN},
        {"99,999,999,999,999,999,999,999,999", ROOF_UNKNOWN},
        {"", ROOF_UNKNOWN},
        {",", ROOF_UNKNOWN},
        {",123", ROOF_UNKNOWN},
        {"1,", ROOF_UNKNOWN},
        {"1,23", ROOF_UNKNOWN},
        {"1234,567", ROOF_UNKNOWN},
        {"1,2345", ROOF_UNKNOWN},
        {"1,,234", ROOF_UNKNOWN},
        {"1,23,456", ROOF_UNKNOWN},
        {"1.5", ROOF_UNKNOWN},
        {"-1", ROOF_UNKNOWN},
        {"1e3", ROOF_UNKNOWN},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_error err = {0};
        uint64_t got = ROOF_UNKNOWN;
        roof_status status = st_count(span_of(rows[i].text), "cycles", &got, &err);
        if (got != rows[i].wanted || (status == ROOF_OK) != (rows[i].wanted != ROOF_UNKNOWN))
            fail_msg("'%s' is %" PRIu64 ": %s", rows[i].text, got, fx_message(&err));
    }
}

/* Same, or both unknown. */
static void want_clocks(const char *what, const st_clocks *got, const double *wanted_mhz)
{
    for (int d = 0; d < ST_DOMAINS; d++)
        if (isnan(wanted_mhz[d]) ? !isnan(got->hz[d]) : fabs(got->hz[d] - wanted_mhz[d] * 1e6) > 1e-3)
            fail_msg("%s: %s is %g Hz", what, st_domains[d], got->hz[d]);
}

static void clocks_are_found_among_the_attributes_of_a_device(void **state)
{
    static const struct {
        const char *attrs;
        double mhz[ST_DOMAINS];
        const char *error; /* or NULL */
    } rows[] = {
        {"fpu,npu_cache=1,mcu_freq=800MHz,noc_freq=400MHz,npu_freq=1000MHz,nic_freq=900MHz",
         {800, 400, 1000, 900},
         NULL},
        {"fpu,core_icache", {NAN, NAN, NAN, NAN}, NULL},
        {"", {NAN, NAN, NAN, NAN}, NULL},
        {"npu_freq=1GHz, mcu_freq=600.5MHz", {600.5, NAN, 1000, NAN}, NULL},
        {"mcu_freq=", {NAN, NAN, NAN, NAN}, "want a frequency"},
        {"mcu_freq=0MHz", {NAN, NAN, NAN, NAN}, "want a frequency"},
        {"mcu_freq=-5MHz", {NAN, NAN, NAN, NAN}, "want a frequency"},
        {"mcu_freq=800", {NAN, NAN, NAN, NAN}, "want a frequency"},
        {"mcu_freq=800mhz", {NAN, NAN, NAN, NAN}, "want a frequency"},
        {"mcu_freq=9999999GHz", {NAN, NAN, NAN, NAN}, "want a frequency"},
        {"mcu_freq=800MHz,mcu_freq=600MHz", {NAN, NAN, NAN, NAN}, "'mcu_freq=600MHz' is there twice"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        st_clocks got = ST_NO_CLOCKS;
        roof_error err = {0};
        roof_status status = st_read_attrs(span_of(rows[i].attrs), &got, &err);
        if ((status == ROOF_OK) != !rows[i].error ||
            (rows[i].error && !strstr(fx_message(&err), rows[i].error)))
            fail_msg("%s: %s", rows[i].attrs, fx_message(&err));
        want_clocks(rows[i].attrs, &got, rows[i].mhz);
    }
}

static void a_device_names_the_clocks_of_its_processor_and_bus(void **state)
{
    static const struct {
        const char *device;
        double mhz[ST_DOMAINS];
    } rows[] = {
        {"stm32 family - 0x486 - STM32N6xx @800/400MHz", {800, 400, NAN, NAN}},
        {"stm32 family - 0x450 - STM32H7xx @480MHz", {480, NAN, NAN, NAN}},
        {"AMD64 family", {NAN, NAN, NAN, NAN}},
        {"a @", {NAN, NAN, NAN, NAN}},
        {"a @/MHz", {NAN, NAN, NAN, NAN}},
        {"a @800/MHz", {NAN, NAN, NAN, NAN}},
        {"a @800/400", {NAN, NAN, NAN, NAN}},
        {"", {NAN, NAN, NAN, NAN}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        st_clocks got = ST_NO_CLOCKS;
        st_read_device(span_of(rows[i].device), &got);
        want_clocks(rows[i].device, &got, rows[i].mhz);
    }
}

static void attributes_say_more_than_the_name_of_a_device(void **state)
{
    static const double wanted[] = {800, 400, NAN, NAN};
    st_clocks got = ST_NO_CLOCKS;
    (void)state;
    assert_int_equal(st_read_attrs(span_of("mcu_freq=800MHz"), &got, NULL), ROOF_OK);
    st_read_device(span_of("x @600/400MHz"), &got);
    want_clocks("attributes first", &got, wanted);
    got = (st_clocks)ST_NO_CLOCKS;
    st_read_device(span_of("x @600/400MHz"), &got);
    assert_int_equal(st_read_attrs(span_of("mcu_freq=800MHz"), &got, NULL), ROOF_OK);
    want_clocks("device first", &got, wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_lose_what_a_logger_put_before_them),
        cmocka_unit_test(pairs_are_cut_at_their_first_colon),
        cmocka_unit_test(words_beyond_the_room_are_counted),
        cmocka_unit_test(commas_stand_at_thousands_or_nowhere),
        cmocka_unit_test(clocks_are_found_among_the_attributes_of_a_device),
        cmocka_unit_test(a_device_names_the_clocks_of_its_processor_and_bus),
        cmocka_unit_test(attributes_say_more_than_the_name_of_a_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
