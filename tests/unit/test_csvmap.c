/* The map that says which column of a table holds what. */
#include "measure/import/row.h"
#include "tests/unit/imported.h"

static void a_map_says_what_is_wrong_with_it(void **state)
{
    static const struct {
        const char *map, *words;
    } rows[] = {
        {"", "no name, want for example name=Layer"},
        {"name=Layer", "no time, want for example time=Mean:ms"},
        {"name=Layer,time=Mean", "time=Mean has no unit, want one of s, ms, us"},
        {"name=Layer,time=Mean:min", "has another unit, want one of s, ms"},
        {"name=Layer,time=:ms", "want the heading of a column"},
        {"name=Layer,time=Mean:ms,bytes=Mem:KB", "want one of B, kB, MB"},
        {"name=Layer,time=Mean:ms,share=Part", "want one of ratio, %"},
        {"name=Layer,time=Mean:ms,cycles=Cycles", "names no clock domain"},
        {"name=Layer,time=Mean:ms,time=Max:ms", "time is there twice"},
        {"name=Layer,time=Mean:ms,colour=Red", "'colour=Red', want KEY=COLUMN"},
        {"name=Layer;time=Mean:ms", "no time"},
        {"Layer,Mean", "'Layer', want KEY=COLUMN"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        csvmap map;
        roof_error err = {0};
        if (csvmap_parse(rows[i].map, &map, &err) != ROOF_E_USAGE || !strstr(err.what, rows[i].words))
            fail_msg("%s: %s", rows[i].map, err.what);
    }
}

static void a_map_holds_headings_numbers_and_units(void **state)
{
    csvmap map;
    roof_error err = {0};
    (void)state;
    if (csvmap_parse("name=\"Layer, full\" , time=Time: "
                     "mean:us,min=#3:ns,count=a:b,cycles=\"C:x\":npu_1,bytes=Mem:MiB",
                     &map, &err) != ROOF_OK)
        fail_msg("%s", err.what);
    assert_string_equal(map.entries[ROW_NAME].heading, "Layer, full");
    assert_string_equal(map.entries[ROW_TIME].heading, "Time: mean");
    assert_close(map.entries[ROW_TIME].scale, 1e-6, 0);
    assert_int_equal(map.entries[ROW_MIN].column, 2);
    assert_string_equal(map.entries[ROW_COUNT].heading, "a:b");
    assert_string_equal(map.entries[ROW_CYCLES].heading, "C:x");
    assert_string_equal(map.entries[ROW_CYCLES].domain, "npu_1");
    assert_close(map.entries[ROW_BYTES].scale, 1048576, 0);
}

static void cycles_have_a_domain_a_clock_or_both(void **state)
{
    static const struct {
        const char *map, *heading, *domain; /* NULL: refused */
        double clock_hz;
    } rows[] = {{"total_cycle:900MHz", "total_cycle", "clock", 9e8},
                {"total_cycle:dpu", "total_cycle", "dpu", 0},
                {"total_cycle:dpu:0.3GHz", "total_cycle", "dpu", 3e8},
                {"\"a:b\":npu:1GHz", "a:b", "npu", 1e9},
                {"total_cycle:900", NULL, NULL, 0},
                {"total_cycle:9x", NULL, NULL, 0},
                {"total_cycle:0Hz", NULL, NULL, 0},
                {"total_cycle", NULL, NULL, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[80];
        csvmap map;
        snprintf(text, sizeof text, "name=Layer,cycles=%s", rows[i].map);
        roof_status status = csvmap_parse(text, &map, NULL);
        assert_int_equal(status, rows[i].domain ? ROOF_OK : ROOF_E_USAGE);
        if (!rows[i].domain)
            continue;
        assert_string_equal(map.entries[ROW_CYCLES].heading, rows[i].heading);
        assert_string_equal(map.entries[ROW_CYCLES].domain, rows[i].domain);
        assert_true(map.entries[ROW_CYCLES].clock_hz == rows[i].clock_hz);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_says_what_is_wrong_with_it),
        cmocka_unit_test(a_map_holds_headings_numbers_and_units),
        cmocka_unit_test(cycles_have_a_domain_a_clock_or_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
