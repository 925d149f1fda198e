/* What the tools of AI Engine arrays write: the profile of a language model, timestamps of the control code, hardware traces. */
#include "tests/support/air_report_writer.h"
#include "tests/support/named_events.h"
#include "tests/support/text_save.h"
#include "tests/unit/folder.h"
#include "tests/unit/imported.h"

/* --- the report of a language model ------------------------------------------------------------------------ */

static char *written(const ar_report *report)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    ar_write(report, &text);
    assert_false(text.failed);
    return text.bytes; /* freed by the caller */
}

static roof_measured *import_report(const ar_report *report)
{
    char *text = written(report);
    roof_measured *m = im_import(text, NULL);
    free(text);
    return m;
}

static const roof_run *run_of(const roof_measured *m, uint32_t experiment)
{
    assert_int_equal(m->n_experiments, 2);
    assert_int_equal(m->experiments[experiment].n_runs, 1);
    return m->experiments[experiment].runs;
}

static const roof_measured_layer *row_named(const roof_run *run, const char *name)
{
    for (uint32_t i = 0; i < run->n_layers; i++)
        if (strcmp(run->layers[i].name, name) == 0)
            return &run->layers[i];
    fail_msg("no row '%s'", name);
    return NULL;
}

static double phase_s(const roof_run *run, const char *name)
{
    for (uint32_t i = 0; i < run->n_phases; i++)
        if (strcmp(run->phases[i].name, name) == 0)
            return run->phases[i].seconds;
    fail_msg("no phase '%s'", name);
    return NAN;
}

/* As printed, with the layers and tokens of the published profile. */
static void the_published_profile_has_its_figures(void **state)
{
    static const struct {
        uint32_t experiment;
        const char *name, *device;
        double mean_s, run_s;
        uint32_t executions;
        uint64_t count;
    } rows[] = {
        {0, "tokenize", "CPU", 0.01, NAN, 1, 1},
        {0, "rms_gemms_rope", "NPU", 0.0073, 0.0065, 16, 16},
        {0, "flash_attn", "NPU", 0.0216, 0.0201, 16, 16},
        {0, "kv_cache_extract", "CPU", 0.0011, NAN, 16, 16},
        {0, "lm_head_gemv", "NPU", 0.0136, 0.0135, 1, 31},
        {1, "rms_gemv_rope", "NPU", 0.0009, 0.00083, 16, 480},
        {1, "lm_head_gemv", "NPU", 0.0136, 0.0135, 1, 31},
        {1, "decode_attention_cpu", "CPU", 0.00028, NAN, 16, 480},
    };
    roof_measured *m = import_report(&ar_llama);
    (void)state;
    assert_string_equal(m->experiments[0].model_name, "Llama-3.2-1B-Instruct, prefill");
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_measured_layer *l = row_named(run_of(m, rows[i].experiment), rows[i].name);
        assert_close(l->time.mean_s, rows[i].mean_s, 1e-12);
        assert_string_equal(l->counters->device, rows[i].device);
        assert_int_equal(l->executions, rows[i].executions);
        assert_int_equal(l->time.count, rows[i].count);
        if (!isnan(rows[i].run_s))
            assert_close(l->counters->run_s, rows[i].run_s, 1e-12);
        else
            assert_true(isnan(l->counters->run_s));
    }
    assert_true(isnan(row_named(run_of(m, 0), "eos_pad")->time.mean_s)); /* 0.00 is no time */
    assert_int_equal(run_of(m, 0)->launches, 49);
    assert_close(run_of(m, 0)->total.mean_s, 1.28, 1e-12);
    assert_close(run_of(m, 0)->setup_s, 7.6, 1e-12);
    assert_close(phase_s(run_of(m, 0), "host"), 0.0365, 1e-12);
    assert_close(phase_s(run_of(m, 0), "calls"), 1.132, 1e-12);
    assert_close(phase_s(run_of(m, 0), "run"), 1.0759, 1e-12);
    assert_close(phase_s(run_of(m, 1), "write"), 0.00065, 1e-12);
    assert_int_equal(run_of(m, 1)->trend.steps, 30);
    assert_close(run_of(m, 1)->trend.last_s - run_of(m, 1)->trend.first_s, 0.0003, 1e-12);
    im_want_note(m, "49 calls of the NPU 1132 + host operations 36.5 + unattributed 111.5 = 1280 ms");
    im_want_note(m, "'lm_head_gemv' is one of its 31 calls that decode counts");
    assert_false(im_notes_have(m, "the report sums up"));
    roof_measured_free(m);
}

static void bytes_are_those_of_mebibytes(void **state)
{
    roof_measured *m = import_report(&ar_llama);
    const roof_layer_counters *c = row_named(run_of(m, 0), "flash_attn")->counters;
    (void)state;
    assert_int_equal(event_count(c->events, c->n_events, "buffers.write_bytes"), 20 << 20);
    assert_int_equal(event_count(c->events, c->n_events, "buffers.read"), 1);
    assert_int_equal(c->write_bytes, ROOF_UNKNOWN); /* they are no traffic of the accelerator */
    roof_measured_free(m);
}

/* Whatever layers and tokens there are, phases and rows are the same sum. */
static void sums_close_for_any_number_of_layers_and_tokens(void **state)
{
    static const struct {
        unsigned layers, tokens;
    } rows[] = {{1, 1}, {2, 3}, {16, 1}, {28, 100}, {80, 7}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        ar_report report = ar_llama;
        report.layers = rows[i].layers;
        report.tokens = rows[i].tokens;
        report.model = i % 2 ? NULL : ar_llama.model;
        roof_measured *m = import_report(&report);
        for (uint32_t e = 0; e < 2; e++) {
            const roof_run *run = run_of(m, e);
            double sum = 0;
            for (uint32_t k = 0; k < run->n_layers; k++)
                sum += isnan(run->layers[k].time.mean_s)
                           ? 0
                           : run->layers[k].executions * run->layers[k].time.mean_s;
            assert_close(sum, run->sum_of_layers_s, 1e-9);
            assert_close(phase_s(run, "host") + phase_s(run, "calls"), sum, 1e-9);
            assert_true(phase_s(run, "write") + phase_s(run, "run") + phase_s(run, "read") <=
                        phase_s(run, "calls"));
            assert_int_equal(run->iterations, e ? rows[i].tokens : 1);
        }
        assert_int_equal(run_of(m, 0)->launches, 3 * rows[i].layers + 1);
        assert_int_equal(run_of(m, 1)->launches, 2 * rows[i].layers + 1);
        assert_true((run_of(m, 1)->trend.steps == ROOF_UNKNOWN) == (rows[i].tokens < 3));
        roof_measured_free(m);
    }
}

static char *replaced(const char *text, const char *what, const char *with)
{
    const char *at = strstr(text, what);
    assert_non_null(at);
    char *out = malloc(strlen(text) + strlen(with) + 1);
    assert_non_null(out);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, with, at + strlen(what));
    return out;
}

static void what_does_not_add_up_is_told(void **state)
{
    static const struct {
        const char *what, *with, *words;
    } rows[] = {
        {"1118.40ms  (48 calls)", "1119.00ms  (49 calls)",
         "prefill: the report sums up 1119 ms in 49 calls of the NPU, its rows 1118.4 ms in 48"},
        {"36.50ms  (20 calls)", "40.00ms  (20 calls)",
         "the report sums up 40 ms in 20 host operations, its rows 36.5 ms"},
        {"44.8ms   1062.4ms", "44.8ms   1092.4ms",
         "the report sums up 1092.4 ms of running, its rows 1062.4 ms"},
        {"(x480)\n", "(x481)\n",
         "'rms_gemv_rope' has 481 executions, which are no multiple of the 30 inferences"},
    };
    char *text = written(&ar_llama);
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *from = i == 3 ? strstr(text, "rms_gemv_rope                            avg=") : text;
        char *tail = replaced(from, rows[i].what, rows[i].with),
             *all = malloc(strlen(text) + strlen(tail) + 1);
        assert_non_null(all);
        sprintf(all, "%.*s%s", (int)(from - text), text, tail);
        roof_measured *m = im_import(all, NULL);
        im_want_note(m, rows[i].words);
        roof_measured_free(m);
        free(tail);
        free(all);
    }
    free(text);
}

#define FLOW_OF(tokens) "--- DECODE (avg per token, " tokens " tokens) ---\n  a.elf   NPU   1.00 ms\n"
#define CALLS_OF(row)   FLOW_OF("3") "--- NPU XRT Call Breakdown (avg per invocation) ---\n" row "\n"
#define AIR(what, text, line, words)                                                                         \
    {                                                                                                        \
        what, text, {.from = "mlir_air_profile"}, ROOF_E_DATA, line, words                                   \
    }

static void reports_that_are_broken_are_refused(void **state)
{
    static const im_bad rows[] = {
        AIR("nothing", "a letter\n", 0, "no row, want the report that `make profile` prints"),
        AIR("no token", FLOW_OF("0"), 1, "0 tokens, want"),
        AIR("two numbers of tokens", FLOW_OF("3") "DECODE (4 tokens) — detail tables\n", 3,
            "4 tokens, want one number"),
        AIR("a cut row", CALLS_OF("  a   avg=   1.00ms  min=   0.9"), 4,
            "is not whole: was the report cut here?"),
        AIR("a row twice",
            CALLS_OF(
                "  a avg= 1.00ms min= 1.00ms max= 1.00ms (x3)\n  a avg= 1.00ms min= 1.00ms max= 1.00ms (x3)"),
            5, "'a' is there twice"),
        AIR("a mean outside", CALLS_OF("  a avg= 3.00ms min= 1.00ms max= 2.00ms (x3)"), 4,
            "contradict one another"),
        AIR("no layer", "--- PREFILL (per query)\n  ┌─ Decoder block × 0 (per layer) ─┐\n", 2,
            "0 layers, want 1 or more"),
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

/* --- timestamps of the control code ------------------------------------------------------------------------ */

#define STAMP_NAMES                                                                                          \
    "\"events\":[{\"id\":1,\"name\":\"a\",\"op_type\":\"conv2d-fix\",\"start\":true,\"type\":\"layer\"},"    \
    "{\"id\":2,\"name\":\"a\",\"op_type\":\"conv2d-fix\",\"start\":false,\"type\":\"layer\"},"               \
    "{\"id\":3,\"name\":\"b\",\"op_type\":\"pool\",\"start\":true,\"type\":\"layer\"},"                      \
    "{\"id\":4,\"name\":\"b\",\"op_type\":\"pool\",\"start\":false,\"type\":\"layer\"},"                     \
    "{\"id\":9,\"name\":\"c\",\"op_type\":\"pool\",\"start\":true,\"type\":\"layer\"},"                      \
    "{\"id\":9,\"name\":\"d\",\"op_type\":\"pool\",\"start\":true,\"type\":\"layer\"},"                      \
    "{\"id\":5,\"name\":\"g\",\"op_type\":\"PDI\",\"start\":true,\"type\":\"pdi_graph\"}]"
#define STAMP_CLOCK      "{\"header\":{\"clock_freq_MHz\":1000},\"record_timer_ts\":["
#define STAMP(id, cycle) "{\"id\":" id ",\"cycle\":" cycle "}"
/* Two inferences in a ring, the second one first; ids of nothing, of a graph, and of two layers. */
#define STAMPS                                                                                               \
    STAMP("1", "1000")                                                                                       \
    "," STAMP("2", "1120") "," STAMP("7", "1130") "," STAMP("5", "1130") "," STAMP("9", "1130") "," STAMP(   \
        "3", "1140") "," STAMP("4",                                                                          \
                               "1200") "," STAMP("1",                                                        \
                                                 "100") "," STAMP("2",                                       \
                                                                  "200") "," STAMP("3",                      \
                                                                                   "210") "," STAMP("4",     \
                                                                                                    "250")

static void stamps_pair_up_through_the_ring(void **state)
{
    roof_measured *m = im_import(STAMP_CLOCK STAMPS "]," STAMP_NAMES "}", NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->n_layers, 2);
    assert_string_equal(run->layers[0].type, "conv2d-fix");
    assert_int_equal(run->layers[0].time.count, 2);
    assert_close(run->layers[0].time.samples_s[0], 100e-9, 1e-18); /* the oldest */
    assert_close(run->layers[0].time.samples_s[1], 120e-9, 1e-18);
    assert_close(run->layers[1].time.mean_s, 50e-9, 1e-18);
    assert_close(run->sum_of_layers_s, 160e-9, 1e-18);
    im_want_note(m, "id 7, 1 times");
    im_want_note(m, "id 9, 1 times");
    im_want_note(m, "seconds rest on the 1000 MHz of the header");
    assert_false(im_notes_have(m, "goes back"));
    assert_false(im_notes_have(m, "without the other"));
    roof_measured_free(m);
}

/* Rows of one name are told apart by the kind of their operation, down to one letter of it and the order of letters. */
static void a_name_has_a_row_for_each_kind_of_operation(void **state)
{
    static const char *const kinds[] = {"conv2d", "conv2e", "vonc2d", "donv2c", "conv", "c", ""};
    textbuf text;
    (void)state;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, STAMP_CLOCK);
    for (unsigned i = 0; i < 2 * COUNT(kinds); i++)
        text_printf(&text, "%s{\"id\":%u,\"cycle\":%u}", i ? "," : "", i + 1, 100 * (i + 1));
    text_puts(&text, "],\"events\":[");
    for (unsigned i = 0; i < 2 * COUNT(kinds); i++)
        text_printf(&text, "%s{\"id\":%u,\"name\":\"a\",\"op_type\":\"%s\",\"start\":%s,\"type\":\"layer\"}",
                    i ? "," : "", i + 1, kinds[i / 2], i % 2 ? "false" : "true");
    text_puts(&text, "]}");
    roof_measured *m = im_import(text.bytes, NULL);
    assert_int_equal(im_run(m, 0)->n_layers, COUNT(kinds));
    for (uint32_t i = 0; i < COUNT(kinds); i++)
        assert_int_equal(im_run(m, 0)->layers[i].time.count, 1);
    roof_measured_free(m);
    text_free(&text);
}

static void a_stamp_without_its_other_is_told_and_left_out(void **state)
{
    roof_measured *m =
        im_import(STAMP_CLOCK STAMP("2", "5") "," STAMP("1", "10") "," STAMP("1", "20") "," STAMP(
                      "2", "30") "," STAMP("3", "40") "]," STAMP_NAMES "}",
                  NULL);
    (void)state;
    assert_int_equal(im_run(m, 0)->n_layers, 1);
    assert_int_equal(im_run(m, 0)->layers[0].time.count, 1);
    assert_close(im_run(m, 0)->layers[0].time.mean_s, 10e-9, 1e-18);
    im_want_note(m, "3 records are a start or an end without the other");
    roof_measured_free(m);
}

static void save_file(const char *name, const char *text)
{
    textbuf buffer;
    text_init(&buffer, TEXT_MAX_BYTES);
    text_puts(&buffer, text);
    assert_int_equal(text_save(&buffer, in_folder(name), NULL), ROOF_OK);
    text_free(&buffer);
}

static void names_lie_beside_the_stamps_or_are_named(void **state)
{
    roof_measured *m = NULL;
    roof_error err = {0};
    char map[128], stamps[128];
    (void)state;
    snprintf(stamps, sizeof stamps, "%s", in_folder("stamps.json"));
    snprintf(map, sizeof map, "%s", in_folder("other.json"));
    save_file("stamps.json", STAMP_CLOCK STAMPS "]}");
    assert_int_equal(roof_import_file(stamps, NULL, &m, &err), ROOF_E_DATA);
    assert_non_null(strstr(err.what, "or name it with --map"));
    save_file("dpu_timestamp_info.json", "{" STAMP_NAMES "}");
    assert_int_equal(roof_import_file(stamps, NULL, &m, &err), ROOF_OK);
    roof_measured_free(m);
    assert_int_equal(rename(in_folder("dpu_timestamp_info.json"), map), 0);
    assert_int_equal(roof_import_file(stamps, &(roof_import_options){.map = map}, &m, &err), ROOF_OK);
    assert_int_equal(im_run(m, 0)->n_layers, 2);
    roof_measured_free(m);
    remove(map);
    remove(stamps);
}

static void stamps_that_are_broken_are_refused(void **state)
{
#define STAMPS_BAD(what, text, words)                                                                        \
    {                                                                                                        \
        what, text, {.from = "aie_record_timer"}, ROOF_E_DATA, 0, words                                      \
    }
    static const im_bad rows[] = {
        STAMPS_BAD("names alone", "{" STAMP_NAMES "}", "names of timestamps without a record"),
        STAMPS_BAD("newer software", STAMP_CLOCK STAMP("0", "1") "," STAMP("1", "2") "]," STAMP_NAMES "}",
                   "newer software stamps only begin and end of the whole"),
        STAMPS_BAD("no clock", "{\"record_timer_ts\":[" STAMP("1", "1") "]," STAMP_NAMES "}",
                   "/header/clock_freq_MHz is nan"),
        STAMPS_BAD("a cycle that no double holds", STAMP_CLOCK STAMP("1", "9007199254740994") "]}", "cycle"),
        STAMPS_BAD("no id", STAMP_CLOCK "{\"cycle\":1}]}", "has no id"),
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

/* --- hardware traces ---------------------------------------------------------------------------------------- */

#define TILE(pid, name)                                                                                      \
    "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":" pid ",\"args\":{\"name\":\"" name "\"}}"
#define EDGE(name, ph, ts, pid)                                                                              \
    ",{\"name\":\"" name "\",\"ph\":\"" ph "\",\"ts\":" ts ",\"pid\":" pid ",\"tid\":0,\"args\":{}}"
#define TRACE_HEAD TILE("0", "core_trace for tile3,1") "," TILE("1", "memtile_trace for tile1,1")

static uint64_t counted(const roof_run *run, const char *name)
{
    return event_count(run->events, run->n_events, name);
}

/* Begins nest, one end is missing, and one begin; times are absolute and large. */
static void a_trace_counts_cycles_by_tile_and_event(void **state)
{
    static const char events[] = TRACE_HEAD EDGE("LOCK_STALL", "B", "9007199254740000", "0")
        EDGE("LOCK_STALL", "B", "9007199254740010", "0") EDGE("LOCK_STALL", "E", "9007199254740020", "0")
            EDGE("LOCK_STALL", "E", "9007199254740050", "0") EDGE("LOCK_STALL", "B", "9007199254740060", "0")
                EDGE("PORT_RUNNING_0", "E", "3", "1") EDGE("PORT_RUNNING_0", "B", "5", "1")
                    EDGE("PORT_RUNNING_0", "E", "12", "1") EDGE("PORT_RUNNING_0", "B", "20", "1")
                        EDGE("PORT_RUNNING_0", "E", "21", "1");
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[sizeof events + 40];
        sprintf(text, i ? "{\"traceEvents\":[%s]}" : "[%s]", events);
        roof_measured *m = im_import(text, NULL);
        const roof_run *run = im_run(m, 0);
        assert_int_equal(counted(run, "trace.core_trace for tile3,1.LOCK_STALL.active_cycles"), 50);
        assert_int_equal(counted(run, "trace.core_trace for tile3,1.LOCK_STALL.begins"), 2);
        assert_int_equal(counted(run, "trace.core_trace for tile3,1.TRACED.active_cycles"), 60);
        assert_int_equal(counted(run, "trace.memtile_trace for tile1,1.PORT_RUNNING_0.active_cycles"), 8);
        assert_int_equal(counted(run, "trace.memtile_trace for tile1,1.PORT_RUNNING_0.bytes"), 32);
        assert_int_equal(counted(run, "trace.core_trace for tile3,1.LOCK_STALL.bytes"), ROOF_UNKNOWN);
        im_want_note(m, "2 events are a begin or an end without the other");
        roof_measured_free(m);
    }
}

static void tiles_of_one_name_stay_apart(void **state)
{
    roof_measured *m =
        im_import("[" TILE("0", "core_trace for tile3,1") "," TILE("1", "core_trace for tile3,1")
                      EDGE("A", "B", "1", "0") EDGE("A", "E", "4", "0") EDGE("A", "B", "1", "1")
                          EDGE("A", "E", "6", "1") "]",
                  NULL);
    (void)state;
    assert_int_equal(counted(im_run(m, 0), "trace.core_trace for tile3,1 (0).A.active_cycles"), 3);
    assert_int_equal(counted(im_run(m, 0), "trace.core_trace for tile3,1 (1).A.active_cycles"), 5);
    roof_measured_free(m);
}

static void traces_that_are_broken_are_refused(void **state)
{
#define TRACE_BAD(what, text, words)                                                                         \
    {                                                                                                        \
        what, "[" TRACE_HEAD text "]", {0}, ROOF_E_DATA, 0, words                                            \
    }
    static const im_bad rows[] = {
        TRACE_BAD("no event", "", "no event, want some"),
        TRACE_BAD("no time", ",{\"name\":\"A\",\"ph\":\"B\",\"pid\":0}", "ts is empty, want a number"),
        TRACE_BAD("a time that no double holds", EDGE("A", "B", "9007199254740994", "0"), "ts"),
        TRACE_BAD("a part of a cycle", EDGE("A", "B", "1.5", "0"), "ts"),
        TRACE_BAD("no tile", ",{\"name\":\"A\",\"ph\":\"B\",\"ts\":1}", "pid is empty"),
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

/* --- all of them -------------------------------------------------------------------------------------------- */

static void no_other_importer_takes_these_files(void **state)
{
    char *report = written(&ar_llama);
    const struct {
        const char *id, *text;
    } rows[] = {{"mlir_air_profile", report},
                {"aie_record_timer", STAMP_CLOCK STAMPS "]," STAMP_NAMES "}"},
                {"aie_trace", "[" TRACE_HEAD EDGE("A", "B", "1", "0") EDGE("A", "E", "2", "0") "]"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t k = 0; roof_importer_name(k); k++) {
            const char *from = roof_importer_name(k);
            roof_measured *m = NULL;
            roof_error err = {0};
            roof_status status = im_try(rows[i].text, &(roof_import_options){.from = from}, &m, &err);
            if ((status == ROOF_OK && m->n_experiments) != (strcmp(from, rows[i].id) == 0))
                fail_msg("%s of %s: %s", from, rows[i].id, fx_message(&err));
            roof_measured_free(m);
        }
    free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_profile_has_its_figures),
        cmocka_unit_test(bytes_are_those_of_mebibytes),
        cmocka_unit_test(sums_close_for_any_number_of_layers_and_tokens),
        cmocka_unit_test(what_does_not_add_up_is_told),
        cmocka_unit_test(reports_that_are_broken_are_refused),
        cmocka_unit_test(stamps_pair_up_through_the_ring),
        cmocka_unit_test(a_name_has_a_row_for_each_kind_of_operation),
        cmocka_unit_test(a_stamp_without_its_other_is_told_and_left_out),
        cmocka_unit_test(names_lie_beside_the_stamps_or_are_named),
        cmocka_unit_test(stamps_that_are_broken_are_refused),
        cmocka_unit_test(a_trace_counts_cycles_by_tile_and_event),
        cmocka_unit_test(tiles_of_one_name_stay_apart),
        cmocka_unit_test(traces_that_are_broken_are_refused),
        cmocka_unit_test(no_other_importer_takes_these_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
