/* Tables of any tool: the map, the separator, the numbers, and what makes a row. */
#include "measure/import/csvmap.h"
#include "tests/unit/imported.h"

#define MAP(text)                                                                                            \
    {                                                                                                        \
        .map = (text)                                                                                        \
    }
static const char name_time[] = "name=Layer,time=Time:ms";

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

/* A clock goes to the run, where cycles become times; places count from 1, whatever the tool does. */
static void cycles_keep_their_clock_and_places_count_from_1(void **state)
{
    static const char text[] = "idx,Layer,cyc\n0,a,900\n1,b,450\n2,a,90\n";
    static const roof_import_options map = MAP("name=Layer,index=idx,cycles=cyc:900MHz");
    roof_measured *m = im_import(text, &map);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->n_layers, 3);
    assert_int_equal(run->n_clocks, 1);
    assert_string_equal(run->clocks[0].domain, run->layers[0].counters->cycles[0].domain);
    assert_true(run->clocks[0].hz == 9e8);
    for (uint32_t i = 0; i < run->n_layers; i++)
        assert_int_equal(run->layers[i].index, i + 1);
    assert_non_null(strstr(m->sources[0].notes, "counts from 0"));
    roof_measured_free(m);
}

static void separators_are_found_by_the_headings(void **state)
{
    static const char *const texts[] = {
        "Layer,Time\na,1.5\nb,2\na,2.5\n",
        "Layer;Time;x\r\na;1.5;,\r\nb;2;\r\na;2.5;\r\n",
        "Layer\tTime\na\t1.5\nb\t2\na\t2.5",
        "# a tool, 1.0; all in one | line\n\n\"Layer\" | Time\na | 1.5\n\"b\" | 2\na|2.5\n",
        "\xef\xbb\xbfTime,Layer\n1.5,a\n\n2,\"b\"\n2.5,a\n",
    };
    const roof_import_options map = MAP(name_time);
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        roof_measured *m = im_import(texts[i], &map);
        const roof_run *run = im_run(m, 0);
        assert_int_equal(run->n_layers, 2);
        assert_string_equal(run->layers[0].name, "a");
        assert_string_equal(run->layers[1].name, "b");
        assert_int_equal(run->layers[0].time.count, 2);
        assert_close(run->layers[0].time.samples_s[1], 0.0025, 1e-15);
        assert_close(run->layers[1].time.mean_s, 0.002, 1e-15);
        roof_measured_free(m);
    }
}

static void every_mapped_column_finds_its_place(void **state)
{
    static const char text[] = "L,T,S,A,Z,M,N,K,I,B,R,W,C,P,O,G\n"
                               "\"x \"\"y\"\", z\",2,0.5,1,3,1.9,10,conv,4,1.5,1,0.5,1000,25%,7,\"1,234.5\"\n"
                               "w,1,,,,,,,5,,,,,,,\n";
    const roof_import_options map = MAP("name=L,time=T:us,std=S:us,min=A:us,max=Z:us,median=M:us,count=N,"
                                        "type=K,index=I,bytes=B:kB,read=R:kB,write=W:KiB,"
                                        "cycles=C:npu,share=P:%,ops=O:GOP/s,workload=G:MAC");
    roof_measured *m = im_import(text, &map);
    const roof_measured_layer *l = im_run(m, 0)->layers;
    (void)state;
    assert_string_equal(l->name, "x \"y\", z");
    assert_string_equal(l->type, "conv");
    assert_int_equal(l->index, 4);
    assert_int_equal(l->time.count, 10);
    const double got[] = {l->time.mean_s, l->time.std_s, l->time.min_s, l->time.max_s, l->time.median_s};
    static const double want[] = {2e-6, 0.5e-6, 1e-6, 3e-6, 1.9e-6};
    for (size_t i = 0; i < COUNT(want); i++)
        assert_close(got[i], want[i], 1e-18);
    assert_int_equal(l->counters->total_bytes, 1500);
    assert_int_equal(l->counters->read_bytes, 1000);
    assert_int_equal(l->counters->write_bytes, 512);
    assert_string_equal(l->counters->cycles->domain, "npu");
    assert_int_equal(l->counters->cycles->cycles, 1000);
    assert_close(l->counters->share_ratio, 0.25, 1e-12);
    assert_close(l->counters->ops_per_s, 7e9, 1);
    assert_int_equal(l->counters->workload_ops, 2469);
    assert_null(l[1].counters); /* empty cells are not known, not 0 */
    assert_null(l[1].type);
    assert_int_equal(l[1].time.count, ROOF_UNKNOWN);
    roof_measured_free(m);
}

static void columns_by_number_need_no_headings(void **state)
{
    static const char *const texts[] = {"a,1,x\nb,2,x\n", "Name,Time,x\na,1,x\nb,2,x\n"};
    const roof_import_options map = MAP("name=#1,time=#2:s");
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        roof_measured *m = im_import(texts[i], &map);
        assert_int_equal(im_run(m, 0)->n_layers, 2);
        assert_close(im_run(m, 0)->layers[1].time.mean_s, 2, 0);
        roof_measured_free(m);
    }
}

static void an_index_tells_rows_of_one_name_apart(void **state)
{
    const roof_import_options map = MAP("name=Layer,time=Time:ms,index=No,max=Max:ms");
    const roof_import_options samples = MAP("name=Layer,time=Time:ms,index=No");
    roof_measured *m = im_import("No,Layer,Time,Max\n1,a,1,1\n2,a,2,2\n", &map);
    (void)state;
    assert_int_equal(im_run(m, 0)->n_layers, 2);
    assert_int_equal(im_run(m, 0)->layers[1].index, 2);
    roof_measured_free(m);
    m = im_import("No,Layer,Time\n1,a,1\n2,a,2\n1,a,3\n", &samples);
    assert_int_equal(im_run(m, 0)->layers[0].time.count, 2);
    assert_int_equal(im_run(m, 0)->layers[1].time.count, 1);
    roof_measured_free(m);
}

static void what_differs_between_repetitions_is_left_out_and_told(void **state)
{
    const roof_import_options map = MAP("name=Layer,time=Time:ms,bytes=B:B,cycles=C:npu");
    roof_measured *m = im_import("Layer,Time,B,C\na,1,64,100\na,2,64,101\n", &map);
    (void)state;
    assert_int_equal(im_run(m, 0)->layers[0].counters->total_bytes, 64);
    assert_int_equal(im_run(m, 0)->layers[0].counters->n_cycles, 0);
    im_want_note(m, "first in line 3");
    roof_measured_free(m);
}

static void a_share_alone_is_the_basis_of_a_row(void **state)
{
    const roof_import_options map = MAP("name=Layer,share=P:%");
    roof_measured *m = im_import("Layer,P\na,75\nb,25\n", &map);
    (void)state;
    assert_int_equal(im_run(m, 0)->layers[0].basis, ROOF_TIME_SHARE);
    assert_true(isnan(im_run(m, 0)->layers[0].time.mean_s));
    assert_close(im_run(m, 0)->layers[1].counters->share_ratio, 0.25, 1e-12);
    roof_measured_free(m);
}

static void bad_cells_are_refused_with_line_and_column(void **state)
{
#define H "Layer,Time\n"
    static const im_bad rows[] = {
        {"NaN", H "a,1\nb,nan\n", MAP(name_time), ROOF_E_DATA, 3, "column 2, Time, is 'nan', want a number"},
        {"infinite", H "a,inf\n", MAP(name_time), ROOF_E_DATA, 2, "want a number"},
        {"negative", H "a,-1\n", MAP(name_time), ROOF_E_DATA, 2, "want 0 or more"},
        {"beyond a double", H "a,1e400\n", MAP(name_time), ROOF_E_DATA, 2, "beyond the largest"},
        {"longer than any run", H "a,1\nb,2222222222222222\n", MAP(name_time), ROOF_E_DATA, 0,
         "'b' takes 2.22222e+12 s, want at most 1e+12; check the column and its unit"},
        {"a sample longer than any run", H "a,1e99\na,1\n", MAP(name_time), ROOF_E_DATA, 0,
         "takes 5e+95 s, want at most"},
        {"empty", H "a,\n", MAP(name_time), ROOF_E_DATA, 2, "is empty"},
        {"a short row", H "a\n", MAP(name_time), ROOF_E_DATA, 2, "is empty"},
        {"no name", H ",1\n", MAP(name_time), ROOF_E_DATA, 2, "an empty name"},
        {"with a unit", H "a,1 ms\n", MAP(name_time), ROOF_E_DATA, 2, "'1 ms'"},
        {"hexadecimal", H "a,0x10\n", MAP(name_time), ROOF_E_DATA, 2, "'0x10'"},
        {"a decimal comma", "Layer;Time\na;0,5\n", MAP(name_time), ROOF_E_DATA, 2,
         "want a number with a decimal point"},
        {"thousands or not", "Layer;Time\na;1,234\n", MAP(name_time), ROOF_E_DATA, 2,
         "a comma means thousands to some"},
        {"groups of two", H "a,\"12,34,567\"\n", MAP(name_time), ROOF_E_DATA, 2, "a comma means"},
        {"a comma behind the point", H "a,\"1.5,000\"\n", MAP(name_time), ROOF_E_DATA, 2, "a comma means"},
        {"an open quote", H "a,\"1\n", MAP(name_time), ROOF_E_DATA, 2, "a quote where none may be"},
        {"a quote within", H "a\"b,1\n", MAP(name_time), ROOF_E_DATA, 2, "a quote where none may be"},
        {"only headings", H, MAP(name_time), ROOF_E_DATA, 0, "no row below the headings"},
        {"another heading", "Layer,Mean\na,1\n", MAP(name_time), ROOF_E_DATA, 0,
         "the widest has Layer, Mean; try"},
        {"a heading twice", "Layer,Time,Time\na,1,2\n", MAP(name_time), ROOF_E_DATA, 0,
         "no line has all mapped columns"},
        {"a summary twice", "Layer,Time,Max\na,1,2\nb,1,2\na,1,2\n",
         MAP("name=Layer,time=Time:ms,max=Max:ms"), ROOF_E_DATA, 4,
         "a second row of 'a', the first is in line 2"},
        {"an index twice", "No,Layer,Time,Max\n1,a,1,2\n1,a,1,2\n",
         MAP("name=Layer,time=Time:ms,max=Max:ms,index=No"), ROOF_E_DATA, 3, "with the same index"},
        {"an index of two names", "No,Layer,Time\n2,a,1\n1,b,1\n2,c,1\n",
         MAP("name=Layer,time=Time:ms,index=No"), ROOF_E_DATA, 4, "index 2 is in line 2 already"},
        {"a mean above the maximum", "Layer,Time,Max\na,3,2\n", MAP("name=Layer,time=Time:ms,max=Max:ms"),
         ROOF_E_DATA, 2, "mean_s is 0.003, above max_s"},
        {"percent for a ratio", "Layer,P\na,50\n", MAP("name=Layer,share=P:ratio"), ROOF_E_DATA, 2,
         "is the unit %?"},
        {"half a run", "Layer,Time,N\na,1,1.5\n", MAP("name=Layer,time=Time:ms,count=N"), ROOF_E_DATA, 2,
         "want a whole number"},
        {"no run", "Layer,Time,N\na,1,0\n", MAP("name=Layer,time=Time:ms,count=N"), ROOF_E_DATA, 2,
         "want a number from 1"},
        {"a wrong map", H "a,1\n", MAP("name=Layer"), ROOF_E_USAGE, 0, "no time"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

static void without_a_map_the_columns_and_an_example_are_shown(void **state)
{
    static const im_bad rows[] = {
        {"plain",
         "Node Name,Calls,Mean (ms)\na,1,2\n",
         {0},
         ROOF_E_USAGE,
         0,
         "it has the columns Node Name, Calls, Mean (ms); try --map 'name=Node Name,time=Mean (ms):ms'"},
        {"a comma in a heading",
         "Layer;\"Time, us\"\na;1\n",
         {0},
         ROOF_E_USAGE,
         0,
         "--map 'name=Layer,time=\"Time, us\":us'"},
        {"no unit",
         "op_name,duration\na,1\n",
         {0},
         ROOF_E_USAGE,
         0,
         "time=duration:UNIT' with s, ms, us or ns as UNIT"},
        {"no time", "x,y\na,1\n", {0}, ROOF_E_USAGE, 0, "--map 'name=x,time=COLUMN:UNIT'"},
        {"camels",
         "Name,TotalDurationNs,AverageNs\na,1,1\n",
         {0},
         ROOF_E_USAGE,
         0,
         "name=Name,time=AverageNs:ns'"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

static void a_row_that_is_the_total_is_no_layer(void **state)
{
    static const struct {
        const char *rows;
        uint32_t layers;
        double sum_ms; /* NaN: none is stated */
        const char *note;
    } cases[] = {
        {"conv,6\nfc,3\npool,1\nTotal,10\n", 3, 10, "row 'Total' is the sum of the other 3"},
        {"TOTAL:,10\nconv,6\nfc,3\npool,1\n", 3, 10, "row 'TOTAL:' is the sum of the other 3"},
        {"conv,6\nfc,3\npool,1\nSum,10\n", 3, 10, "row 'Sum' is the sum of the other 3"},
        {"conv,6.004\nfc,3\npool,1\nOverall,10.0\n", 3, 10, "row 'Overall' is the sum"}, /* printed digits */
        {"conv,6\nfc,3\nsum,0.5\n", 3, NAN, ""},                                         /* an operator */
        {"conv,6\nfc,3\npool,1\nTotal,12\n", 3, NAN,
         "row 'Total' of 12 ms is left out: it is no layer, and the other 3 add up to 10 ms"},
        {"conv,6\nfc,3\npool,1\nTotal,10\nOverall,10\n", 3, 10, "row 'Total' is the sum"},
        {"conv,6\nfc,3\ntotal_pool,1\n", 3, NAN, ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[200];
        snprintf(text, sizeof text, "Layer,Mean\n%s", cases[i].rows);
        roof_measured *m = im_import(text, &(roof_import_options)MAP("name=Layer,time=Mean:ms"));
        const roof_run *run = &m->experiments[0].runs[0];
        const char *notes = m->sources[0].notes ? m->sources[0].notes : "";
        if (run->n_layers != cases[i].layers || !strstr(notes, cases[i].note))
            fail_msg("case %zu: %u layers, %s", i, run->n_layers, notes);
        if (isnan(cases[i].sum_ms))
            assert_true(isnan(run->sum_of_layers_s));
        else
            assert_close(run->sum_of_layers_s, cases[i].sum_ms * 1e-3, 1e-12);
        roof_measured_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_says_what_is_wrong_with_it),
        cmocka_unit_test(a_map_holds_headings_numbers_and_units),
        cmocka_unit_test(cycles_have_a_domain_a_clock_or_both),
        cmocka_unit_test(cycles_keep_their_clock_and_places_count_from_1),
        cmocka_unit_test(separators_are_found_by_the_headings),
        cmocka_unit_test(every_mapped_column_finds_its_place),
        cmocka_unit_test(columns_by_number_need_no_headings),
        cmocka_unit_test(an_index_tells_rows_of_one_name_apart),
        cmocka_unit_test(what_differs_between_repetitions_is_left_out_and_told),
        cmocka_unit_test(a_share_alone_is_the_basis_of_a_row),
        cmocka_unit_test(bad_cells_are_refused_with_line_and_column),
        cmocka_unit_test(a_row_that_is_the_total_is_no_layer),
        cmocka_unit_test(without_a_map_the_columns_and_an_example_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
