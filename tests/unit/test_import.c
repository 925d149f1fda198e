/* Importers and the files that they open; what they read is in tests/tools/. */
#include "measure/import/row.h"
#include "tests/unit/folder.h"
#include "tests/unit/imported.h"

#include <stdio.h>

static void importers_have_names_and_docs(void **state)
{
    size_t n = 0;
    (void)state;
    for (; roof_importer_name(n); n++) {
        assert_string_equal(importer_at(n)->id, roof_importer_name(n));
        assert_non_null(roof_importer_doc(n));
    }
    assert_true(n >= 8);
    assert_null(roof_importer_doc(n));
    assert_null(importer_at(n));
}

static uint32_t times_in(const char *text, char c)
{
    uint32_t n = 0;
    for (; (text = strchr(text, c)); text++)
        n++;
    return n;
}

static void patterns_of_lines_have_no_more_than_there_is_room_for(void **state)
{
    const line_found room = {.n = {0}};
    uint32_t n = 0;
    (void)state;
    for (size_t i = 0; importer_at(i); i++) {
        const importer_def *of = importer_at(i);
        for (size_t k = 0; k < of->n_lines + (of->table ? of->table->n_lines : 0); k++, n++) {
            const char *pattern = k < of->n_lines ? of->lines[k].pattern : of->table->lines[k].pattern;
            assert_true(times_in(pattern, '#') + times_in(pattern, '~') <= COUNT(room.n));
            assert_true(times_in(pattern, '*') <= COUNT(room.words));
        }
    }
    assert_true(n > 20);
}

static void files_that_cannot_be_opened_say_so(void **state)
{
    roof_measured *m = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_import_file(in_folder("none"), NULL, &m, &err), ROOF_E_NO_INPUT);
    assert_non_null(strstr(err.where, "none"));
    assert_int_equal(roof_import_file(folder, NULL, &m, &err), ROOF_E_NO_INPUT);
    assert_null(m);
}

/* Delegates print thousands of counters before the tables. */
static void a_table_far_behind_the_beginning_is_found(void **state)
{
    textbuf text;
    (void)state;
    text_init(&text, 1 << 20);
    text_puts(&text, "STARTING!\nGraph: [net.tflite]\n");
    for (int i = 0; i < 6000; i++)
        text_puts(&text, "GPUTOTALCYCLES: 123 \"\n");
    text_puts(&text, "INFO: Operator-wise Profiling Info for Regular Benchmark Runs:\n==== Run Order ====\n"
                     "\t[node type]\t[avg ms]\t[times called]\t[Name]\n\tADD\t0.5\t1\t[a]:0\n");
    roof_measured *m = im_import(text.bytes, NULL);
    assert_string_equal(m->sources[0].tool, "tflite_benchmark");
    assert_int_equal(im_run(m, 0)->n_layers, 1);
    roof_measured_free(m);
    text_free(&text);
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_true(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void the_summary_of_vela_has_the_clock(void **state)
{
    static const char layers[] = "TFLite_operator,NNG Operator,Op Cycles,Network%,MAC Count,Name\n"
                                 "CONV_2D,Conv2DBias,1000.0,60.1,500,a;b\nADD,Add,600.0,39.9,0,c\n";
    (void)state;
    put_file(in_folder("summary.csv"),
             "experiment,network,core_clock,dram_bandwidth\ndefault,net,500000000.0,4.0\n");
    roof_measured *m = im_import(layers, &(roof_import_options){.map = in_folder("summary.csv")});
    unlink(in_folder("summary.csv"));
    const roof_run *run = im_run(m, 0);
    assert_close(run->layers[0].time.mean_s, 2e-6, 1e-15);
    assert_close(run->sum_of_layers_s, 3.2e-6, 1e-15);
    assert_int_equal(run->layers[0].counters->workload_ops, 1000);
    assert_close(run->clocks[0].hz, 5e8, 1);
    roof_measured_free(m);
}

/* Timestamps of an AI Engine array have ids, whose names are in another file. */
static void names_lie_beside_the_stamps_or_are_named(void **state)
{
    static const char names[] =
        "{\"events\":[{\"id\":1,\"name\":\"a\",\"op_type\":\"pool\",\"start\":true,\"type\":\"layer\"},"
        "{\"id\":2,\"name\":\"a\",\"op_type\":\"pool\",\"start\":false,\"type\":\"layer\"}]}";
    roof_measured *m = NULL;
    roof_error err = {0};
    char map[128], stamps[128];
    (void)state;
    snprintf(stamps, sizeof stamps, "%s", in_folder("stamps.json"));
    snprintf(map, sizeof map, "%s", in_folder("other.json"));
    put_file(stamps, "{\"header\":{\"clock_freq_MHz\":1000},\"record_timer_ts\":[{\"id\":1,\"cycle\":100},"
                     "{\"id\":2,\"cycle\":200}]}");
    assert_int_equal(roof_import_file(stamps, NULL, &m, &err), ROOF_E_DATA);
    assert_non_null(strstr(err.what, "or name it with --map"));
    put_file(in_folder("dpu_timestamp_info.json"), names);
    assert_int_equal(roof_import_file(stamps, NULL, &m, &err), ROOF_OK);
    roof_measured_free(m);
    assert_int_equal(rename(in_folder("dpu_timestamp_info.json"), map), 0);
    assert_int_equal(roof_import_file(stamps, &(roof_import_options){.map = map}, &m, &err), ROOF_OK);
    assert_int_equal(im_run(m, 0)->n_layers, 1);
    roof_measured_free(m);
    remove(map);
    remove(stamps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(importers_have_names_and_docs),
        cmocka_unit_test(patterns_of_lines_have_no_more_than_there_is_room_for),
        cmocka_unit_test(files_that_cannot_be_opened_say_so),
        cmocka_unit_test(a_table_far_behind_the_beginning_is_found),
        cmocka_unit_test(the_summary_of_vela_has_the_clock),
        cmocka_unit_test(names_lie_beside_the_stamps_or_are_named),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
