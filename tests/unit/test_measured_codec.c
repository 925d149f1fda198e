/* roofline.measured/1: what is read, what is refused and where, what is written. Texts stand here with ' for
 * ". */
#include "measure/profile/profile.h"
#include "tests/support/memory_io.h"
#include "tests/support/named_events.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

#include <fcntl.h>

#define DOC(experiments)    "{'schema':'roofline.measured/1','experiments':" experiments "}"
#define EXPERIMENT(members) DOC("[{" members ",'runs':[{'mode':'bypass'}]}]")
#define RUN(members)        DOC("[{'runs':[{'mode':'per_layer'," members "}]}]")
#define TOTAL(members)      RUN("'total':{" members "}")
#define LAYER(members)      RUN("'layers':[{" members "}]")

/* Quotes as JSON has them. */
static char *json_of(const char *text)
{
    char *json = strdup(text);
    assert_non_null(json);
    for (char *p = json; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    return json;
}

static roof_status try_text(const char *text, const char *name, roof_measured **out, roof_error *err)
{
    char *json = json_of(text);
    memory_source source = {json, strlen(json), 0};
    *out = NULL;
    roof_status status = measured_codec_read(memory_read, &source, name, out, err);
    free(json);
    return status;
}

static roof_measured *read_as(const char *text, const char *name)
{
    roof_measured *m;
    roof_error err;
    if (try_text(text, name, &m, &err) != ROOF_OK)
        fail_msg("%s: %s", text, fx_message(&err));
    return m;
}

static roof_measured *read_text(const char *text)
{
    return read_as(text, "m.json");
}

static char *written(const roof_measured *m)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    assert_int_equal(roof_measured_write(m, (roof_sink){memory_write, &text}, NULL), ROOF_OK);
    assert_int_equal(text_status(&text, NULL), ROOF_OK);
    return text.bytes;
}

/* ---- what is refused ---- */

typedef struct bad {
    const char *text, *message;
} bad;

static void assert_refused(const bad *row, roof_status want)
{
    roof_measured *m;
    roof_error err = {0};
    roof_status status = try_text(row->text, "m.json", &m, &err);
    roof_measured_free(m);
    if (status != want || err.status != want || strcmp(fx_message(&err), row->message) != 0)
        fail_msg("%s\n got %d %s\nwant %d %s", row->text, (int)status, status ? fx_message(&err) : "(read)",
                 (int)want, row->message);
}

static void assert_all_refused(const bad *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_refused(&rows[i], ROOF_E_DATA);
}

static void numbers_that_are_none_are_refused(void **state)
{
    static const bad rows[] = {
        {TOTAL("'mean_s':NaN"),
         "m.json: /experiments/0/runs/0/total/mean_s: 'NaN' is no JSON value (line 1)"},
        {TOTAL("'mean_s':'NaN'"),
         "m.json: /experiments/0/runs/0/total/mean_s: found the string \"NaN\", want seconds (line 1)"},
        {TOTAL("'mean_s':Infinity"),
         "m.json: /experiments/0/runs/0/total/mean_s: 'Infinity' is no JSON value (line 1)"},
        {TOTAL("'mean_s':1e400"),
         "m.json: /experiments/0/runs/0/total/mean_s: '1e400' is too large a number (line 1)"},
        {TOTAL("'mean_s':-0.001"),
         "m.json: /experiments/0/runs/0/total/mean_s: found -0.001 s, want 0 or more (line 1)"},
        {TOTAL("'mean_s':1.1e12"),
         "m.json: /experiments/0/runs/0/total/mean_s: found 1100000000000 s, want at most 1e+12 (line 1)"},
        {TOTAL("'mean_s':'1 ms'"),
         "m.json: /experiments/0/runs/0/total/mean_s: found the string \"1 ms\", want seconds (line 1)"},
        {TOTAL("'mean_s':{}"),
         "m.json: /experiments/0/runs/0/total/mean_s: found an object, want seconds (line 1)"},
        {TOTAL("'samples_s':[1,NaN]"),
         "m.json: /experiments/0/runs/0/total/samples_s/1: 'NaN' is no JSON value (line 1)"},
        {TOTAL("'samples_s':[1,null]"),
         "m.json: /experiments/0/runs/0/total/samples_s/1: found null, want seconds (line 1)"},
        {TOTAL("'samples_s':[1,-1]"),
         "m.json: /experiments/0/runs/0/total/samples_s/1: found -1 s, want 0 or more (line 1)"},
        {TOTAL("'samples_s':[1e13]"), "m.json: /experiments/0/runs/0/total/samples_s/0: found 10000000000000 "
                                      "s, want at most 1e+12 (line 1)"},
        {LAYER("'name':'a','samples_s':[0.1,'0.2']"), "m.json: /experiments/0/runs/0/layers/0/samples_s/1: "
                                                      "found the string \"0.2\", want seconds (line 1)"},
        {RUN("'warmup':1.5"), "m.json: /experiments/0/runs/0/warmup: found 1.5, want a whole number from 0 "
                              "to 9007199254740992 (line 1)"},
        {RUN("'iterations':9007199254740994"),
         "m.json: /experiments/0/runs/0/iterations: found 9007199254740994, want a whole number from 0 to "
         "9007199254740992 (line 1)"},
        {RUN("'boundaries':4294967295"), "m.json: /experiments/0/runs/0/boundaries: found 4294967295, want a "
                                         "whole number from 0 to 4294967294 (line 1)"},
        {RUN("'launches':-1"), "m.json: /experiments/0/runs/0/launches: found -1, want a whole number from 0 "
                               "to 4294967294 (line 1)"},
        {RUN("'sum_of_layers_s':-1e-9"), "m.json: /experiments/0/runs/0/sum_of_layers_s: found "
                                         "-1.0000000000000001e-09 s, want 0 or more (line 1)"},
        {RUN("'energy_j':-1"), "m.json: /experiments/0/runs/0/energy_j: found -1, want 0 or more (line 1)"},
        {RUN("'clocks_hz':{'dpu':0}"),
         "m.json: /experiments/0/runs/0/clocks_hz/dpu: found 0 Hz, want 1 or more (line 1)"},
        {RUN("'clocks_hz':{'dpu':'300 MHz'}"), "m.json: /experiments/0/runs/0/clocks_hz/dpu: found the "
                                               "string \"300 MHz\", want a number of 0 or more (line 1)"},
        {RUN("'phases':{'run_s':-1}"),
         "m.json: /experiments/0/runs/0/phases/run_s: found -1 s, want 0 or more (line 1)"},
        {RUN("'phases':{'run_s':1e13}"),
         "m.json: /experiments/0/runs/0/phases/run_s: found 10000000000000 s, want at most 1e+12 (line 1)"},
        {LAYER("'name':'a','cycles':{'dpu':1.5}"),
         "m.json: /experiments/0/runs/0/layers/0/cycles/dpu: found 1.5, want a whole number from 0 to "
         "9007199254740992 (line 1)"},
        {LAYER("'name':'a','cycles':{'dpu':9007199254740994}"),
         "m.json: /experiments/0/runs/0/layers/0/cycles/dpu: found 9007199254740994, want a whole number "
         "from 0 to 9007199254740992 (line 1)"},
        {LAYER("'name':'a','phase_cycles':{'pre':{'mcu':1.5}}"),
         "m.json: /experiments/0/runs/0/layers/0/phase_cycles/pre/mcu: found 1.5, want a whole number from 0 "
         "to 9007199254740992 (line 1)"},
        {RUN("'phase_cycles':{'pre':{'mcu':-1}}"),
         "m.json: /experiments/0/runs/0/phase_cycles/pre/mcu: found -1, want a whole number from 0 to "
         "9007199254740992 (line 1)"},
        {LAYER("'name':'a','events':{'x':0.5}"),
         "m.json: /experiments/0/runs/0/layers/0/events/x: found 0.5, want a whole number from 0 to "
         "9007199254740992 (line 1)"},
        {RUN("'events':{'x':9007199254740994}"),
         "m.json: /experiments/0/runs/0/events/x: found 9007199254740994, want a whole number from 0 to "
         "9007199254740992 (line 1)"},
        {LAYER("'name':'a','executions':0"),
         "m.json: /experiments/0/runs/0/layers/0: executions is 0, want how often "
         "one inference executes the row (line 1)"},
        {LAYER("'name':'a','repeat':3,'executions':2"), "m.json: /experiments/0/runs/0/layers/0: executions "
                                                        "is 2, but by another name 3: they are one member "
                                                        "(line 1)"},
        {LAYER("'name':'a','calls':1.5"),
         "m.json: /experiments/0/runs/0/layers/0/calls: is no whole number from 1 on, want how often one "
         "inference executes the row (line 1)"},
        {LAYER("'name':'a','executions':2,'phase_cycles':{'pre':{'mcu':1}}"),
         "m.json: /experiments/0/runs/0/layers/0: executions is 2, but phase_cycles are those of an epoch, "
         "which an "
         "inference executes once (line 1)"},
        {RUN("'doubts':[{'text':'x'}]"),
         "m.json: /experiments/0/runs/0/doubts/0: has no kind, want \"emulation\", \"half_clock\", "
         "\"half_width\", \"underflow\", \"no_unit\" or \"logged\" (line 1)"},
        {RUN("'doubts':[{'kind':'underflow','text':null}]"),
         "m.json: /experiments/0/runs/0/doubts/0: has no text, want the figures that raise the doubt (line "
         "1)"},
        {RUN("'trend':{'first_s':1}"),
         "m.json: /experiments/0/runs/0/trend: has no steps, want how many there are (line 1)"},
        {LAYER("'name':'a','share_ratio':1.01"), "m.json: /experiments/0/runs/0/layers/0: share_ratio is "
                                                 "1.01, want at most 1 (not percent) (line 1)"},
        {LAYER("'name':'a','share_ratio':12.5"), "m.json: /experiments/0/runs/0/layers/0: share_ratio is "
                                                 "12.5, want at most 1 (not percent) (line 1)"},
        {LAYER("'name':'a','read_bytes':0.5"),
         "m.json: /experiments/0/runs/0/layers/0/read_bytes: found 0.5, want a whole number from 0 to "
         "9007199254740992 (line 1)"},
    };
    (void)state;
    assert_all_refused(rows, COUNT(rows));
}

static void statistics_that_contradict_each_other_are_refused(void **state)
{
    static const bad rows[] = {
        {TOTAL("'min_s':2,'max_s':1"),
         "m.json: /experiments/0/runs/0/total: min_s is 2, above max_s, which is 1 (line 1)"},
        {TOTAL("'mean_s':3,'min_s':1,'max_s':2"),
         "m.json: /experiments/0/runs/0/total: mean_s is 3, above max_s, which is 2 (line 1)"},
        {TOTAL("'mean_s':0.5,'min_s':1"),
         "m.json: /experiments/0/runs/0/total: mean_s is 0.5, below min_s, which is 1 (line 1)"},
        {TOTAL("'median_s':1,'p95_s':0.9"),
         "m.json: /experiments/0/runs/0/total: median_s is 1, above p95_s, which is 0.9 (line 1)"},
        {TOTAL("'p95_s':1,'p99_s':0.9"),
         "m.json: /experiments/0/runs/0/total: p95_s is 1, above p99_s, which is 0.9 (line 1)"},
        {TOTAL("'samples_s':[0.1,0.2],'p99_s':1"),
         "m.json: /experiments/0/runs/0/total: p99_s is 1, above max_s, which is 0.2 by samples_s (line 1)"},
        {TOTAL("'p99_s':1,'max_s':0.9"),
         "m.json: /experiments/0/runs/0/total: p99_s is 1, above max_s, which is 0.9 (line 1)"},
        {TOTAL("'min_s':1,'median_s':0.9"),
         "m.json: /experiments/0/runs/0/total: min_s is 1, above median_s, which is 0.9 (line 1)"},
        {TOTAL("'samples_s':[1,2],'mean_s':2"),
         "m.json: /experiments/0/runs/0/total: mean_s is 2, but that of samples_s is 1.5 (line 1)"},
        {TOTAL("'mean_s':1,'count':0"),
         "m.json: /experiments/0/runs/0/total: count is 0, want the number of repetitions (line 1)"},
        {TOTAL("'mean_s':1,'count':2.5"), "m.json: /experiments/0/runs/0/total/count: found 2.5, want a "
                                          "whole number from 0 to 9007199254740992 (line 1)"},
        {TOTAL("'mean_s':1,'std_s':-0.1"),
         "m.json: /experiments/0/runs/0/total/std_s: found -0.10000000000000001 s, want 0 or more (line 1)"},
        {TOTAL("'samples_s':[]"),
         "m.json: /experiments/0/runs/0/total/samples_s: is empty, want at least one sample (line 1)"},
        {TOTAL(""), "m.json: /experiments/0/runs/0/total: is empty, want samples_s or mean_s (line 1)"},
        {TOTAL("'mean_s':null"),
         "m.json: /experiments/0/runs/0/total: is empty, want samples_s or mean_s (line 1)"},
        {LAYER("'name':'a','min_s':2,'max_s':1"),
         "m.json: /experiments/0/runs/0/layers/0: min_s is 2, above max_s, which is 1 (line 1)"},
    };
    (void)state;
    assert_all_refused(rows, COUNT(rows));
}

static void what_is_there_twice_is_refused(void **state)
{
    static const bad rows[] = {
        {"{'schema':'roofline.measured/1','schema':'roofline.measured/1'}",
         "m.json: /schema: is there twice (line 1)"},
        {RUN("'mode':'bypass'"), "m.json: /experiments/0/runs/0/mode: is there twice (line 1)"},
        {TOTAL("'mean_s':1,'mean_s':1"),
         "m.json: /experiments/0/runs/0/total/mean_s: is there twice (line 1)"},
        {TOTAL("'mean_s':null,'mean_s':1"),
         "m.json: /experiments/0/runs/0/total/mean_s: is there twice (line 1)"},
        {LAYER("'name':'a','index':1,'name':'b'"),
         "m.json: /experiments/0/runs/0/layers/0/name: is there twice (line 1)"},
        {RUN("'layers':[{'index':2},{'index':1},{'index':2}]"),
         "m.json: /experiments/0/runs/0/layers: two rows have index 2; an index is the place in the order of "
         "execution (line 1)"},
        {RUN("'layers':[{'index':1},{'name':'a'},{'index':1}]"),
         "m.json: /experiments/0/runs/0/layers: two rows have index 1; an index is the place in the order of "
         "execution (line 1)"},
        {RUN("'phases':{'run_s':1,'run_s':2}"),
         "m.json: /experiments/0/runs/0/phases/run_s: is there twice (line 1)"},
        {RUN("'clocks_hz':{'dpu':1,'dpu':2}"),
         "m.json: /experiments/0/runs/0/clocks_hz/dpu: is there twice (line 1)"},
        {LAYER("'name':'a','cycles':{'dpu':1,'dpu':2}"),
         "m.json: /experiments/0/runs/0/layers/0/cycles/dpu: is there twice (line 1)"},
        {LAYER("'name':'a','phase_cycles':{'pre':{},'pre':{'mcu':1}}"),
         "m.json: /experiments/0/runs/0/layers/0/phase_cycles/pre: is there twice (line 1)"},
        {RUN("'phase_cycles':{'pre':{'mcu':1,'mcu':2}}"),
         "m.json: /experiments/0/runs/0/phase_cycles/pre/mcu: is there twice (line 1)"},
        {LAYER("'name':'a','events':{'b':1,'a':2,'b':1}"),
         "m.json: /experiments/0/runs/0/layers/0/events/b: is there twice (line 1)"},
        {RUN("'events':{'b':1,'b':1}"), "m.json: /experiments/0/runs/0/events/b: is there twice (line 1)"},
    };
    (void)state;
    assert_all_refused(rows, COUNT(rows));
}

static void what_is_missing_or_empty_is_refused(void **state)
{
    static const bad rows[] = {
        {"", "m.json: is empty, want a JSON document"},
        {"{}", "m.json: has no \"schema\", want \"roofline.measured/1\" (line 1)"},
        {"{'schema':null,'experiments':[]}",
         "m.json: /experiments: is empty, want at least one experiment (line 1)"},
        {"{'experiments':[{'runs':[{'mode':'bypass'}]}]}",
         "m.json: has no \"schema\", want \"roofline.measured/1\" (line 1)"},
        {"{'schema':'roofline.measured/1'}", "m.json: has no \"experiments\" (line 1)"},
        {"{'schema':'roofline.measured/1','experiments':null}", "m.json: has no \"experiments\" (line 1)"},
        {DOC("[]"), "m.json: /experiments: is empty, want at least one experiment (line 1)"},
        {DOC("[{}]"), "m.json: /experiments/0: has no runs, want what was measured (line 1)"},
        {DOC("[{'runs':null}]"), "m.json: /experiments/0: has no runs, want what was measured (line 1)"},
        {DOC("[{'runs':[]}]"), "m.json: /experiments/0/runs: is empty, want at least one run (line 1)"},
        {DOC("[{'runs':[{}]}]"),
         "m.json: /experiments/0/runs/0: has no mode, want \"bypass\", \"per_layer\" or \"load\" (line 1)"},
        {DOC("[{'runs':[{'mode':null}]}]"),
         "m.json: /experiments/0/runs/0: has no mode, want \"bypass\", \"per_layer\" or \"load\" (line 1)"},
        {LAYER("'mean_s':1"),
         "m.json: /experiments/0/runs/0/layers/0: has neither name nor index, want one of them (line 1)"},
        {LAYER("'name':null,'index':null"),
         "m.json: /experiments/0/runs/0/layers/0: has neither name nor index, want one of them (line 1)"},
        {LAYER("'index':0"),
         "m.json: /experiments/0/runs/0/layers/0: index is 0, want it counted from 1 (line 1)"},
        {RUN("'phases':{'run_s':1},'phase_kinds':{'run_s':'gpu'}"),
         "m.json: /experiments/0/runs/0/phase_kinds/run_s: found another word, want \"accelerator\", "
         "\"transfer\" or "
         "\"host\" (line 1)"},
        {RUN("'phase_kinds':{'run_s':1}"),
         "m.json: /experiments/0/runs/0/phase_kinds/run_s: found a number, want "
         "\"accelerator\", \"transfer\" or \"host\" (line 1)"},
        {RUN("'phase_kinds':{'ipu_s':'host'}"), "m.json: /experiments/0/runs/0: phase_kinds or phase_parents "
                                                "has 'ipu_s', want a member of phases (line 1)"},
        {RUN("'phases':{'a_s':1},'phase_parents':{'a_s':'b_s'}"),
         "m.json: /experiments/0/runs/0: phase_parents: 'a_s' is a part of 'b_s', want a member of phases "
         "(line 1)"},
        {RUN("'phases':{'a_s':1,'b_s':1},'phase_parents':{'a_s':'b_s','b_s':'a_s'}"),
         "m.json: /experiments/0/runs/0: phase_parents: 'a_s' is a part of itself (line 1)"},
        {RUN("'phases':{'a_s':1},'phase_parents':{'a_s':'b'}"),
         "m.json: /experiments/0/runs/0/phase_parents/a_s: a phase is a name and its unit, as in \"run_s\" "
         "(line 1)"},
        {RUN("'phases':{'a_s':1,'b_s':0.7,'c_s':0.6},'phase_parents':{'b_s':'a_s','c_s':'a_s'}"),
         "m.json: /experiments/0/runs/0: the parts of phase 'a_s' are 1.3 s, want at most its own 1 s (line "
         "1)"},
        {RUN("'phases':{'_s':1}"),
         "m.json: /experiments/0/runs/0/phases/_s: a phase is a name and its unit, as in \"run_s\" (line 1)"},
        {RUN("'clocks_hz':{'':1}"), "m.json: /experiments/0/runs/0/clocks_hz/: has an empty name (line 1)"},
    };
    (void)state;
    assert_all_refused(rows, COUNT(rows));
}

static void a_load_run_that_says_not_how_many_threads_it_had_is_refused(void **state)
{
#define LOADED(members) DOC("[{'runs':[{'mode':'load'" members "}]}]")
    static const bad rows[] = {
        {LOADED(""),
         "m.json: /experiments/0/runs/0: has no threads, want how many there were in this run of mode "
         "\"load\" (line 1)"},
        {LOADED(",'threads':null"),
         "m.json: /experiments/0/runs/0: has no threads, want how many there were in this "
         "run of mode \"load\" (line 1)"},
        {LOADED(",'threads':0"),
         "m.json: /experiments/0/runs/0: threads is 0, want how many there were, from 1 (line 1)"},
        {LOADED(",'threads':1.5"),
         "m.json: /experiments/0/runs/0/threads: found 1.5, want a whole number from 0 to "
         "4294967294 (line 1)"},
        {LOADED(",'threads':2,'thread_means_s':[1]"),
         "m.json: /experiments/0/runs/0: thread_means_s has 1 values, "
         "want one for each of its 2 threads (line 1)"},
        {LOADED(",'thread_means_s':[1,2,3],'threads':2"),
         "m.json: /experiments/0/runs/0: thread_means_s has 3 "
         "values, want one for each of its 2 threads (line 1)"},
        {LOADED(",'threads':1,'thread_means_s':[-1]"),
         "m.json: /experiments/0/runs/0/thread_means_s/0: found -1 s, want 0 or more (line 1)"},
        {LOADED(",'threads':1,'frames_per_s':-1"),
         "m.json: /experiments/0/runs/0/frames_per_s: found -1, want 0 or more (line 1)"},
        {LOADED(",'threads':1,'layers':[{'name':'a'}]"),
         "m.json: /experiments/0/runs/0: has layers, which only a run of mode \"per_layer\" or \"bypass\" "
         "has; it is "
         "of mode \"load\" (line 1)"},
        {RUN("'threads':2"),
         "m.json: /experiments/0/runs/0: has threads, frames_per_s or thread_means_s, which only "
         "a run of mode \"load\" has; it is of mode \"per_layer\" (line 1)"},
        {RUN("'frames_per_s':2"),
         "m.json: /experiments/0/runs/0: has threads, frames_per_s or thread_means_s, which "
         "only a run of mode \"load\" has; it is of mode \"per_layer\" (line 1)"},
    };
    (void)state;
    assert_all_refused(rows, COUNT(rows));
}

/* Members in any order, several runs in one experiment, and means of each run for itself. */
static void what_is_known_of_load_is_read_and_written(void **state)
{
    static const char text[] =
        "{\n 'schema':'roofline.measured/1',\n 'experiments':[\n  {\n   'model':{'name':'m'},\n   'runs':[\n "
        "   {\n"
        "     'mode':'load',\n     'batch':2,\n     'threads':1,\n     'frames_per_s':4,\n     "
        "'thread_means_s':[0.5],\n     'total':{'samples_s':[0.5]}\n    },\n    {\n     'mode':'load',\n     "
        "'threads':3,\n     'thread_means_s':[1,null,0.25]\n    },\n    {\n     'mode':'load',\n     "
        "'threads':4294967294\n    },\n    {\n     'mode':'bypass'\n    }\n   ]\n  }\n ]\n}\n";
    roof_measured *m = read_text(text);
    const roof_run *runs = m->experiments[0].runs;
    char *got = written(m), *want = json_of(text);
    (void)state;
    assert_string_equal(got, want);
    assert_int_equal(runs[1].mode, ROOF_RUN_LOAD);
    assert_true(isnan(runs[1].thread_means_s[1]) && runs[1].thread_means_s[2] <= 0.25);
    assert_null(runs[2].thread_means_s);
    assert_int_equal(runs[3].threads, ROOF_NONE);
    assert_true(isnan(runs[3].frames_per_s));
    free(got);
    free(want);
    roof_measured_free(m);
}

static void what_is_known_of_a_language_model_is_read_and_written(void **state)
{
    static const char text[] =
        "{\n 'schema':'roofline.measured/1',\n 'experiments':[\n  {\n   "
        "'model':{'name':'m','phase':'decode','context_tokens':1024,'weight_type':'q4_1','cache_type':'bf16'}"
        ","
        "\n   'device':{'name':'NPU','runs_code':true,'memory_bytes':34359738368},\n   "
        "'stack':'fastflowlm',\n"
        "   'stack_version':'v0.9.30',\n   'runs':[\n    {\n     'mode':'bypass',\n     'batch':8\n    }\n   "
        "]\n  },\n  {\n   'model':{},\n   'device':{'name':null,'runs_code':false,'memory_bytes':1},\n   "
        "'runs':[\n    {\n     'mode':'bypass'\n    }\n   ]\n  }\n ]\n}\n";
    roof_measured *m = read_text(text);
    const roof_experiment *e = m->experiments;
    char *got = written(m);
    (void)state;
    assert_string_equal(e[0].weight_type, "q4_1");
    assert_string_equal(e[0].cache_type, "bf16");
    assert_string_equal(e[0].stack, "fastflowlm");
    assert_string_equal(e[0].stack_version, "v0.9.30");
    assert_int_equal(e[0].memory_bytes, 34359738368);
    assert_null(e[1].weight_type);
    assert_null(e[1].stack);
    assert_int_equal(e[1].memory_bytes, 1);
    roof_measured *again = read_text(got);
    char *second = written(again);
    assert_string_equal(got, second);
    assert_string_equal(again->experiments[0].stack_version, "v0.9.30");
    assert_int_equal(again->experiments[1].memory_bytes, 1);
    free(got);
    free(second);
    roof_measured_free(m);
    roof_measured_free(again);
}

static void other_documents_are_refused_by_name(void **state)
{
    static const bad rows[] = {
        {"{'schema':'roofline.measured/2'}",
         "m.json: /schema: is \"roofline.measured/2\", want \"roofline.measured/1\"; another version of "
         "roofline wrote it (line 1)"},
        {"{'schema':'roofline.prediction/1'}", "m.json: /schema: is \"roofline.prediction/1\", another kind "
                                               "of document; want \"roofline.measured/1\" (line 1)"},
        {"{'schema':'other\\u001b[31m'}",
         "m.json: /schema: is \"other\\x1b[31m\", want \"roofline.measured/1\" (line 1)"},
        {"{'schema':1}", "m.json: /schema: found a number, want \"roofline.measured/1\" (line 1)"},
        {"[]", "m.json: found an array, want an object (line 1)"},
        {"'roofline.measured/1'",
         "m.json: found the string \"roofline.measured/1\", want an object (line 1)"},
        {"\x7f"
         "ELF",
         "m.json: is no JSON document, want \"roofline.measured/1\"; `roofline import` makes one of what "
         "other tools write"},
        {"mean,std\n1,2\n", "m.json: is no JSON document, want \"roofline.measured/1\"; `roofline import` "
                            "makes one of what other tools write"},
        {EXPERIMENT("'prediction':{'schema':'roofline.measured/1'}"),
         "m.json: /experiments/0/prediction/schema: is \"roofline.measured/1\", another kind of "
         "document; want \"roofline.prediction/1\" (line 1)"},
        {EXPERIMENT("'prediction':{'schema':'roofline.prediction/1'}"),
         "m.json: /experiments/0/prediction: has no \"layers\" (line 1)"},
        {EXPERIMENT(
             "'prediction':{'schema':'roofline.prediction/1','layers':[{'name':'a','cycles':{'conv':-1}}]}"),
         "m.json: /experiments/0/prediction/layers/0/cycles/conv: want a whole number of cycles (line 1)"},
    };
    (void)state;
    assert_all_refused(rows, COUNT(rows));
}

static void values_of_the_wrong_type_are_refused_with_their_place(void **state)
{
    static const bad rows[] = {
        {DOC("{}"), "m.json: /experiments: found an object, want an array (line 1)"},
        {DOC("[1]"), "m.json: /experiments/0: found a number, want an object (line 1)"},
        {DOC("[null]"), "m.json: /experiments/0: found null, want an object (line 1)"},
        {DOC("[{'runs':{}}]"), "m.json: /experiments/0/runs: found an object, want an array (line 1)"},
        {DOC("[{'runs':['bypass']}]"),
         "m.json: /experiments/0/runs/0: found the string \"bypass\", want an object (line 1)"},
        {DOC("[{'runs':[{'mode':'both'}]}]"),
         "m.json: /experiments/0/runs/0/mode: found the string "
         "\"both\", want one of \"bypass\", \"per_layer\", \"load\" (line 1)"},
        {DOC("[{'runs':[{'mode':1}]}]"), "m.json: /experiments/0/runs/0/mode: found a number, want one of "
                                         "\"bypass\", \"per_layer\", \"load\" (line 1)"},
        {EXPERIMENT("'model':'net.xmodel'"),
         "m.json: /experiments/0/model: found the string \"net.xmodel\", want an object (line 1)"},
        {EXPERIMENT("'model':{'path':[]}"),
         "m.json: /experiments/0/model/path: found an array, want a string (line 1)"},
        {EXPERIMENT("'hardware':'kv260'"),
         "m.json: /experiments/0/hardware: found the string \"kv260\", want an object (line 1)"},
        {EXPERIMENT("'hardware':{'id':7}"),
         "m.json: /experiments/0/hardware/id: found a number, want a string (line 1)"},
        {EXPERIMENT("'prediction':[]"),
         "m.json: /experiments/0/prediction: found an array, want an object (line 1)"},
        {RUN("'total':0.005"),
         "m.json: /experiments/0/runs/0/total: found a number, want an object (line 1)"},
        {RUN("'clocks_hz':3e8"),
         "m.json: /experiments/0/runs/0/clocks_hz: found a number, want an object (line 1)"},
        {RUN("'phases':[]"), "m.json: /experiments/0/runs/0/phases: found an array, want an object (line 1)"},
        {RUN("'phases':{'run':1}"), "m.json: /experiments/0/runs/0/phases/run: a phase is a name and its "
                                    "unit, as in \"run_s\" (line 1)"},
        {RUN("'phases':{'r\\u00fcn_s':1}"),
         "m.json: /experiments/0/runs/0/phases/r\xc3\xbcn_s: has a name with other characters than those of "
         "ASCII, or with \" or \\ (line 1)"},
        {RUN("'phases':{'r\\\\_s':1}"), "m.json: /experiments/0/runs/0/phases/r\\_s: has a name with other "
                                        "characters than those of ASCII, or with \" or \\ (line 1)"},
        {RUN("'layers':{}"), "m.json: /experiments/0/runs/0/layers: found an object, want an array (line 1)"},
        {RUN("'layers':[[]]"),
         "m.json: /experiments/0/runs/0/layers/0: found an array, want an object (line 1)"},
        {LAYER("'name':1"),
         "m.json: /experiments/0/runs/0/layers/0/name: found a number, want a string (line 1)"},
        {LAYER("'name':'a','type':2"),
         "m.json: /experiments/0/runs/0/layers/0/type: found a number, want a word (line 1)"},
        {LAYER("'name':'a','device':true"),
         "m.json: /experiments/0/runs/0/layers/0/device: found true, want a word (line 1)"},
        {LAYER("'name':'a','index':'1'"), "m.json: /experiments/0/runs/0/layers/0/index: found the string "
                                          "\"1\", want a whole number (line 1)"},
        {LAYER("'name':'a','basis':'guessed'"),
         "m.json: /experiments/0/runs/0/layers/0/basis: found the string \"guessed\", want one of "
         "\"measured\", \"estimated\", \"share\" (line 1)"},
        {LAYER("'name':'a','bytes_basis':''"),
         "m.json: /experiments/0/runs/0/layers/0/bytes_basis: found the string \"\", want one of "
         "\"counter\", \"static\" (line 1)"},
        {LAYER("'name':'a','cycles':7"),
         "m.json: /experiments/0/runs/0/layers/0/cycles: found a number, want an object (line 1)"},
        {LAYER("'name':'a','cycles':{'dpu':'7'}"), "m.json: /experiments/0/runs/0/layers/0/cycles/dpu: found "
                                                   "the string \"7\", want a whole number (line 1)"},
        {RUN("'phase_cycles':{'pre':7}"),
         "m.json: /experiments/0/runs/0/phase_cycles/pre: found a number, want an object (line 1)"},
        {LAYER("'name':'a','phase_cycles':[]"),
         "m.json: /experiments/0/runs/0/layers/0/phase_cycles: found an array, want an object (line 1)"},
        {LAYER("'name':'a','events':{'x':{}}"),
         "m.json: /experiments/0/runs/0/layers/0/events/x: found an object, want a whole number (line 1)"},
        {LAYER("'name':'a','samples_s':0.1"),
         "m.json: /experiments/0/runs/0/layers/0/samples_s: found a number, want an array (line 1)"},
        {"{'schema':'roofline.measured/1','source':'tool'}",
         "m.json: /source: found the string \"tool\", want an object (line 1)"},
        {"{'schema':'roofline.measured/1','source':{'files':'a'}}",
         "m.json: /source/files: found the string \"a\", want an array (line 1)"},
        {"{'schema':'roofline.measured/1','source':{'files':[1]}}",
         "m.json: /source/files/0: found a number, want a string (line 1)"},
        {"{'schema':'roofline.measured/1','sources':{}}",
         "m.json: /sources: found an object, want an array (line 1)"},
        {"{'schema':'roofline.measured/1','sources':[null]}",
         "m.json: /sources/0: found null, want an object (line 1)"},
    };
    (void)state;
    assert_all_refused(rows, COUNT(rows));
}

static void text_behind_the_document_is_refused(void **state)
{
    static const bad rows[] = {
        {DOC("[{'runs':[{'mode':'bypass'}]}]") "x",
         "m.json: more text follows the end of the document (line 1)"},
        {DOC("[{'runs':[{'mode':'bypass'}]}]") "\n\n{}",
         "m.json: more text follows the end of the document (line 3)"},
    };
    (void)state;
    assert_all_refused(rows, COUNT(rows));
}

/* Also where the reader has no use for what is nested. */
static void nesting_has_an_end(void **state)
{
    char text[400] = "{'future':";
    bad row = {text,
               "m.json: "
               "/future/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/"
               "0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0: is nested deeper than 64 levels (line 1)"};
    (void)state;
    for (int i = 0; i < 70; i++)
        strcat(text, "[");
    assert_refused(&row, ROOF_E_LIMIT);
}

/* Names become keys: n of them, each of so many bytes. */
static void assert_named(const char *member, size_t n, size_t bytes, const char *message)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_printf(&text, "{'schema':'roofline.measured/1','experiments':[{'runs':[{'mode':'bypass','%s':{",
                member);
    for (size_t i = 0; i < n; i++)
        text_printf(&text, "%s'%0*zu_s':1", i ? "," : "", (int)bytes - 2, i);
    text_puts(&text, "}}]}]}");
    if (message)
        assert_refused(&(bad){text.bytes, message},
                       strstr(message, "one too many") ? ROOF_E_LIMIT : ROOF_E_DATA);
    else
        roof_measured_free(read_text(text.bytes));
    text_free(&text);
}

static void names_are_bounded_in_number_and_length(void **state)
{
    (void)state;
    assert_named("phases", 64, 10, NULL);
    assert_named("phases", 65, 4,
                 "m.json: /experiments/0/runs/0/phases/64_s: is one too many, want at most 64 (line 1)");
    assert_named("clocks_hz", 64, 100, NULL);
    assert_named("clocks_hz", 65, 4,
                 "m.json: /experiments/0/runs/0/clocks_hz/64_s: is one too many, want at most 64 (line 1)");
    assert_named("phases", 1, 100, NULL);
    assert_named("phases", 1, 101,
                 "m.json: "
                 "/experiments/0/runs/0/phases/"
                 "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
                 "00000000_s: has a name of more than 100 bytes (line 1)");
}

/* members: n of them, counted up, joined by commas. */
static void assert_too_many(const char *before, const char *each, size_t n, const char *after,
                            const char *message)
{
    for (size_t more = 0; more < 2; more++) {
        textbuf text;
        text_init(&text, TEXT_MAX_BYTES);
        text_puts(&text, "{'schema':'roofline.measured/1','experiments':[{'runs':[{'mode':'bypass',");
        text_puts(&text, before);
        for (size_t i = 0; i < n + more; i++)
            text_printf(&text, "%s'%zu':%s", i ? "," : "", i, each);
        text_printf(&text, "%s}]}]}", after);
        if (more)
            assert_refused(&(bad){text.bytes, message}, ROOF_E_LIMIT);
        else
            roof_measured_free(read_text(text.bytes));
        text_free(&text);
    }
}

static void phases_and_events_are_bounded_in_number(void **state)
{
    (void)state;
    assert_too_many("'phase_cycles':{", "{}", 8, "}",
                    "m.json: /experiments/0/runs/0/phase_cycles/8: is one too many, want at most 8 (line 1)");
    assert_too_many("'layers':[{'name':'a','phase_cycles':{'pre':{", "1", 8, "}}}]",
                    "m.json: /experiments/0/runs/0/layers/0/phase_cycles/pre/8: is one too many, want at "
                    "most 8 (line 1)");
    assert_too_many("'events':{", "0", 4096, "}",
                    "m.json: /experiments/0/runs/0/events/4096: is one too many, want at most 4096 (line 1)");
}

#define LONG_DOC                                                                                             \
    "{'schema':'roofline.measured/1','source':{'tool':'t','files':['a']},'hardware':{'id':'kv260'},"         \
    "'experiments':[{'model':{'path':'n.xmodel'},'prediction':{'schema':'roofline.prediction/1',"            \
    "'layers':[{'name':'a','cycles':{'conv':7,'ideal':7}}]},'runs':[{'mode':'per_layer','boundaries':2,"     \
    "'total':{'samples_s':[0.001,2e-3]},'phases':{'run_s':0.1},'layers':[{'index':1,'name':'\\u00e9',"       \
    "'cycles':{'dpu':12}},{'index':2}]}]}]}"

static void a_document_that_ends_too_early_is_refused(void **state)
{
    char *json = json_of(LONG_DOC);
    size_t length = strlen(json);
    (void)state;
    for (size_t cut = 0; cut <= length; cut++) {
        uint8_t *exact = fx_copy(json, cut);
        memory_source source = {(const char *)exact, cut, 0};
        roof_measured *m = NULL;
        roof_error err = {0};
        roof_status status = measured_codec_read(memory_read, &source, "m.json", &m, &err);
        assert_int_equal(status, cut == length ? ROOF_OK : ROOF_E_DATA);
        if (cut < length)
            assert_true(err.status == ROOF_E_DATA && strncmp(err.where, "m.json", 6) == 0 && err.what[0]);
        roof_measured_free(m);
        free(exact);
    }
    free(json);
}

/* ---- what is read ---- */

static void assert_times(const roof_times *t, const roof_times *want)
{
    const double got[] = {t->mean_s,   t->std_s, t->min_s, t->max_s,
                          t->median_s, t->p95_s, t->p99_s, t->cov_ratio};
    const double wanted[] = {want->mean_s,   want->std_s, want->min_s, want->max_s,
                             want->median_s, want->p95_s, want->p99_s, want->cov_ratio};
    assert_int_equal(t->count, want->count);
    for (size_t i = 0; i < COUNT(got); i++)
        assert_true(isnan(got[i]) ? isnan(wanted[i]) : fabs(got[i] - wanted[i]) <= 1e-15);
}

static void samples_count_and_what_is_stated_beside_them_does_not(void **state)
{
    roof_measured *m = read_text(TOTAL("'samples_s':[0.002,0.004],'std_s':7,'count':99,'mean_s':0.00302"));
    const roof_times *t = &m->experiments[0].runs[0].total;
    (void)state;
    assert_int_equal(t->count, 2);
    assert_true(t->samples_s[0] == 0.002 && t->samples_s[1] == 0.004);
    assert_times(t, &(roof_times){NULL, 2, 0, 0.003, 0.0014142135623730950, 0.002, 0.004, 0.003, 0.0039,
                                  0.00398, NAN});
    roof_measured_free(m);
}

static void statistics_are_taken_as_they_stand(void **state)
{
    roof_measured *m = read_text(LAYER("'name':'a','mean_s':3,'std_s':1,'min_s':2,'max_s':5,'median_s':2.5,'"
                                       "p95_s':4,'p99_s':4.5,'count':110"));
    (void)state;
    assert_times(&m->experiments[0].runs[0].layers[0].time,
                 &(roof_times){NULL, 110, 0, 3, 1, 2, 5, 2.5, 4, 4.5, NAN});
    assert_null(m->experiments[0].runs[0].layers[0].time.samples_s);
    roof_measured_free(m);
}

#define HARDWARE(members) EXPERIMENT("'hardware':{" members "}")

/* One reader for both: the items of a line of --hw as members. */
static void hardware_in_a_document_is_what_a_line_says(void **state)
{
    static const struct {
        const char *document, *id, *unread; /* NULL: none */
    } rows[] = {{HARDWARE("'id':'kv260'"), "kv260", NULL},
                {HARDWARE("'base':'kv260'"), "kv260", NULL},
                {HARDWARE("'clock':'250MHz','base':'kv260'"), "base=kv260,clock=250MHz", NULL},
                {HARDWARE("'id':'kv260','clock':'250MHz'"), "base=kv260,clock=250MHz", NULL},
                {HARDWARE("'id':'mac=2048/cycle,clock=1GHz','ddr':'19.2GB/s'"),
                 "mac=2048/cycle,clock=1GHz,ddr=19.2GB/s", NULL},
                {HARDWARE("'mac':'2048/cycle','clock':'300MHz','bandwidth':'19.2GB/s'"),
                 "mac=2048/cycle,clock=300MHz,bandwidth=19.2GB/s", NULL},
                {HARDWARE("'base':'kv260','cores':2,'ddr.bandwidth':'1GB/s'"),
                 "base=kv260,cores=2,ddr.bandwidth=1GB/s", NULL},
                {HARDWARE("'base':'kv260','clock':null"), "kv260", NULL},
                {HARDWARE("'id':null"), NULL, NULL},
                {HARDWARE("'id':'kv260','clock_hz':25e7"), "kv260",
                 "is no member of hardware, but clock is, with the units of --hw"},
                {HARDWARE("'id':'kv260','colour':{'is':['red']}"), "kv260", "is no member of hardware"},
                {HARDWARE("'id':'kv260','clok':'250MHz'"), "kv260",
                 "is no member of hardware, but clock is, with the units of --hw"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = read_text(rows[i].document);
        const char *id = m->experiments[0].hardware_id;
        if (!id != !rows[i].id || (id && strcmp(id, rows[i].id) != 0))
            fail_msg("%s is %s, want %s", rows[i].document, id ? id : "none",
                     rows[i].id ? rows[i].id : "none");
        assert_int_equal(m->n_unread, rows[i].unread != NULL);
        if (rows[i].unread)
            assert_string_equal(m->unread[0].what, rows[i].unread);
        assert_true(!rows[i].unread || m->unread[0].is_of_hardware);
        roof_measured_free(m);
    }
}

static void hardware_that_says_nothing_is_refused(void **state)
{
#define AT "m.json: /experiments/0/hardware"
    static const bad rows[] = {
        {HARDWARE("'id':'kv260','base':'kv260'"),
         AT ": names two entries, by 'id' and by 'base'; leave one of them out (line 1)"},
        {HARDWARE("'base':'kv260','clock':25e7"),
         AT "/clock: '250000000' has no unit; did you mean 250000000Hz? (line 1)"},
        {HARDWARE("'base':'kv260','clock':'5 apples'"),
         AT "/clock: '5 apples' has a unit that does not fit, want a number such as 12Hz or 1.5MHz (line 1)"},
        {HARDWARE("'base':'kv260','cores':1.5"), AT "/cores: wants a whole number of count (line 1)"},
        {HARDWARE("'base':'kv260','name':'a,clock=1GHz'"),
         AT "/name: holds a comma, which stands between items of --hw (line 1)"},
        {HARDWARE("'base':''"), AT "/base: wants a text of one line (line 1)"},
        {HARDWARE("'base':'kv260','clock':'1GHz','clock':'2GHz'"), AT "/clock: is there twice (line 1)"},
        {HARDWARE("'base':'kv260','base':'b4096'"), AT "/base: is there twice (line 1)"},
        {HARDWARE("'base':['kv260']"),
         AT "/base: found an array, want a string as --hw takes it, such as \"250MHz\" (line 1)"},
        {HARDWARE("'id':5"), AT "/id: found a number, want a string (line 1)"},
        {EXPERIMENT("'hardware':'kv260'"), AT ": found the string \"kv260\", want an object (line 1)"}};
    (void)state;
    assert_all_refused(rows, COUNT(rows));
}

static void what_nobody_reads_is_named_once_with_what_was_meant(void **state)
{
    static const struct {
        const char *document, *where, *what;
        uint32_t times;
    } rows[] = {
        {LAYER("'name':'a','mean_ms':3},{'name':'b','mean_ms':4"),
         "m.json: /experiments/0/runs/0/layers/0/mean_ms (line 1)",
         "is no member of a row of layers; did you mean mean_s, in seconds?", 2},
        {LAYER("'name':'a','phases':{'run_s':1}"), "m.json: /experiments/0/runs/0/layers/0/phases (line 1)",
         "is no member of a row of layers, but one of a run", 1},
        {LAYER("'name':'a','repeat':3},{'name':'b','repeat':2"),
         "m.json: /experiments/0/runs/0/layers/0/repeat (line 1)",
         "is read as executions, its name in a row of layers", 2},
        {LAYER("'name':'a','colour':'red'"), "m.json: /experiments/0/runs/0/layers/0/colour (line 1)",
         "is no member of a row of layers", 1},
        {TOTAL("'mean_s':1,'sampels_s':[1]"), "m.json: /experiments/0/runs/0/total/sampels_s (line 1)",
         "is no member of total; did you mean samples_s, in seconds?", 1},
        {EXPERIMENT("'model':{'file':'x'}"), "m.json: /experiments/0/model/file (line 1)",
         "is no member of model", 1},
        {DOC("[{'runs':[{'mode':'bypass'}]}],'sorce':{}"), "m.json: /sorce (line 1)",
         "is no member of the document; did you mean source?", 1},
        {EXPERIMENT("'prediction':{'schema':'roofline.prediction/1','news':1,'layers':[]}"), NULL, NULL, 0},
        {LAYER("'name':'a','mean_ms':null"), NULL, NULL, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = read_text(rows[i].document);
        assert_int_equal(m->n_unread, rows[i].times ? 1 : 0);
        if (rows[i].times) {
            assert_string_equal(m->unread[0].where, rows[i].where);
            assert_string_equal(m->unread[0].what, rows[i].what);
            assert_int_equal(m->unread[0].times, rows[i].times);
        }
        roof_measured_free(m);
    }
}

static void thousands_of_unread_names_are_counted(void **state)
{
    textbuf text;
    uint64_t times = 0;
    (void)state;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, "{'schema':'roofline.measured/1','experiments':[{'runs':[{'mode':'bypass'}]}]");
    for (int i = 0; i < 3000; i++)
        text_printf(&text, ",'other_%d':1", i);
    text_puts(&text, "}");
    roof_measured *m = read_text(text.bytes);
    assert_int_equal(m->n_unread, 64);
    for (uint32_t i = 0; i < m->n_unread; i++)
        times += m->unread[i].times;
    assert_int_equal(times, 3000);
    roof_measured_free(m);
    text_free(&text);
}

/* A tool that prints three digits may print a minimum of 1.00 and a mean of 0.9995. */
static void a_rounded_digit_is_no_contradiction(void **state)
{
    static const char *const rows[] = {"'min_s':1,'mean_s':0.9995", "'p99_s':1,'max_s':0.9995",
                                       "'samples_s':[1,2],'mean_s':1.51", "'min_s':0,'mean_s':0,'max_s':0"};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[400];
        snprintf(text, sizeof text, TOTAL("%s"), rows[i]);
        roof_measured_free(read_text(text));
    }
}

static void null_is_unknown(void **state)
{
    roof_measured *m = read_text(DOC(
        "[{'model':null,'hardware':null,'prediction':null,'runs':[{'mode':'per_layer','boundaries':null,"
        "'launches':null,'warmup':null,'iterations':null,'clocks_hz':{'dpu':null},'total':null,"
        "'sum_of_layers_s':null,'phases':{'run_s':null},'read_bytes':null,'energy_j':null,'doubts':null,"
        "'layers':[{'name':'a','index':null,'type':null,'mean_s':null,'samples_s':null,'basis':null,"
        "'cycles':{'dpu':null},'cycles_kind':null,'read_bytes':null,'bytes_basis':null,'device':null}]}]}]"));
    const roof_experiment *e = &m->experiments[0];
    const roof_run *r = &e->runs[0];
    (void)state;
    assert_true(!e->model_path && !e->resolved_path && !e->model_name && !e->graph_hash && !e->hardware_id);
    assert_null(e->prediction);
    assert_true(r->boundaries == ROOF_NONE && r->launches == ROOF_NONE);
    assert_true(r->warmup == ROOF_UNKNOWN && r->iterations == ROOF_UNKNOWN && r->read_bytes == ROOF_UNKNOWN);
    assert_true(r->n_clocks == 0 && r->n_phases == 0);
    assert_true(isnan(r->sum_of_layers_s) && isnan(r->energy_j) && isnan(r->total.mean_s));
    assert_true(r->total.count == ROOF_UNKNOWN && r->layers[0].time.count == ROOF_UNKNOWN);
    assert_true(r->layers[0].index == ROOF_NONE && !r->layers[0].type && !r->layers[0].counters);
    assert_int_equal(r->layers[0].basis, ROOF_TIME_MEASURED);
    roof_measured_free(m);
}

static void members_that_nobody_knows_are_skipped(void **state)
{
    static const char *const rows[] = {
        "{'later':{'a':[{'b':null}]},'schema':'roofline.measured/"
        "1','experiments':[{'runs':[{'mode':'bypass'}]}]}",
        EXPERIMENT("'later':['x',{'runs':[]}]"),
        RUN("'later':{'mode':'none'}"),
        TOTAL("'mean_s':1,'mode_s':-1"),
        LAYER("'name':'a','later':[-1,{'index':0}]"),
        EXPERIMENT("'model':{'later':'\\u0001'}"),
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        roof_measured_free(read_text(rows[i]));
}

static void phases_and_clocks_have_names_and_their_order(void **state)
{
    roof_measured *m = read_text(
        RUN("'phases':{'host_s':0.001,'write_s':0,'DMA [in]_s':2},'clocks_hz':{'dpu':3e8,'cpu-0':1.2e9}"));
    const roof_run *r = &m->experiments[0].runs[0];
    (void)state;
    assert_int_equal(r->n_phases, 3);
    assert_string_equal(r->phases[0].name, "host");
    assert_true(r->phases[0].seconds == 0.001 && r->phases[1].seconds == 0);
    assert_string_equal(r->phases[2].name, "DMA [in]");
    assert_int_equal(r->n_clocks, 2);
    assert_string_equal(r->clocks[1].domain, "cpu-0");
    assert_true(r->clocks[0].hz == 3e8);
    roof_measured_free(m);
}

static void counters_are_kept_where_there_are_any(void **state)
{
    roof_measured *m = read_text(
        RUN("'layers':[{'name':'a','read_bytes':1,'write_bytes':2,'total_bytes':3,'bytes_basis':'static','"
            "share_ratio':0.5,"
            "'ops_per_s':1e9,'workload_ops':9007199254740992,'device':'DPU','energy_j':0.25,'cycles':{'x':7,'"
            "y':8},"
            "'basis':'estimated'},{'name':'b','mean_s':1,'type':'conv'},{'index':4,'cycles':{'x':1}}]"));
    const roof_measured_layer *l = m->experiments[0].runs[0].layers;
    const roof_layer_counters *c = l[0].counters;
    (void)state;
    assert_true(c->read_bytes == 1 && c->write_bytes == 2 && c->total_bytes == 3);
    assert_true(c->bytes_origin == ROOF_BYTES_STATIC && l[0].basis == ROOF_TIME_ESTIMATED);
    assert_true(c->share_ratio == 0.5 && c->ops_per_s == 1e9 && c->energy_j == 0.25);
    assert_int_equal(c->workload_ops, UINT64_C(9007199254740992));
    assert_string_equal(c->device, "DPU");
    assert_int_equal(c->n_cycles, 2);
    assert_string_equal(c->cycles[1].domain, "y");
    assert_int_equal(c->cycles[1].cycles, 8);
    assert_null(l[1].counters);
    assert_string_equal(l[1].type, "conv");
    assert_true(l[2].counters->cycles[0].cycles == 1 && l[2].counters->read_bytes == ROOF_UNKNOWN);
    assert_true(!l[2].name && l[2].index == 4);
    roof_measured_free(m);
}

static void phases_and_events_stand_in_rows_and_in_runs(void **state)
{
    roof_measured *m =
        read_text(RUN("'phase_cycles':{'core':{'npu':3}},'events':{'x':0,'y':null},'layers':[{'name':'a',"
                      "'phase_cycles':{'pre':{'mcu':18859},'core':{'mcu':10599,'npu':13300},'post':null},"
                      "'events':{'busif0.read_bytes':14080,'b':9007199254740992}},{'name':'b'}]"));
    const roof_run *run = &m->experiments[0].runs[0];
    const roof_layer_counters *c = run->layers[0].counters;
    (void)state;
    assert_true(run->n_phase_cycles == 1 && run->n_events == 1);
    assert_true(run->phase_cycles[0].cycles[0].cycles == 3);
    assert_true(event_count(run->events, run->n_events, "x") == 0);
    assert_true(event_count(run->events, run->n_events, "y") == ROOF_UNKNOWN);
    assert_true(c->n_phases == 2 && c->phases[0].n_cycles == 1 && c->phases[1].n_cycles == 2);
    assert_string_equal(c->phases[1].name, "core");
    assert_string_equal(c->phases[1].cycles[1].domain, "npu");
    assert_true(c->phases[1].cycles[1].cycles == 13300);
    assert_true(event_count(c->events, c->n_events, "busif0.read_bytes") == 14080);
    assert_true(event_count(c->events, c->n_events, "b") == UINT64_C(1) << 53);
    assert_null(run->layers[1].counters);
    roof_measured_free(m);
}

/* What importers use to fill them. */
static void a_phase_or_an_event_that_is_set_again_is_replaced(void **state)
{
    roof_measured *m = read_text(LAYER("'name':'a','phase_cycles':{'pre':{'mcu':1}},'events':{'x':1}"));
    roof_run *run = &m->experiments[0].runs[0];
    roof_measured_layer *layer = &run->layers[0];
    (void)state;
    assert_int_equal(
        counted_set_phase(counted_of_layer(m, layer), "pre", (roof_domain_cycles){"npu", 5}, NULL), ROOF_OK);
    assert_int_equal(
        counted_set_phase(counted_of_layer(m, layer), "pre", (roof_domain_cycles){"mcu", 6}, NULL), ROOF_OK);
    assert_int_equal(
        counted_set_event(counted_of_layer(m, layer), (roof_event){.name = "x", .count = 7}, NULL), ROOF_OK);
    assert_int_equal(counted_set_event(counted_of_run(m, run), (roof_event){.name = "x", .count = 8}, NULL),
                     ROOF_OK);
    assert_int_equal(counted_set_phase(counted_of_run(m, run), "pre", (roof_domain_cycles){"npu", 9}, NULL),
                     ROOF_OK);
    assert_true(layer->counters->n_phases == 1 && layer->counters->phases[0].n_cycles == 2);
    assert_true(layer->counters->phases[0].cycles[0].cycles == 6);
    assert_true(layer->counters->n_events == 1 && layer->counters->events[0].count == 7);
    assert_true(run->n_events == 1 && run->events[0].count == 8);
    assert_true(run->n_phase_cycles == 1 && run->phase_cycles[0].cycles[0].cycles == 9);
    roof_measured_free(m);
}

static void events_that_could_not_be_read_back_are_not_set(void **state)
{
    static const struct {
        roof_event event;
        const char *message;
    } rows[] = {
        {{.name = "", .count = 1}, "'' has an empty name"},
        {{.name = "a\"b", .count = 1},
         "'a\"b' has a name with other characters than those of ASCII, or with \" or \\"},
        {{.name = "a", .count = (UINT64_C(1) << 53) + 1}, "'a' is 9007199254740993, want at most 2^53"},
    };
    roof_measured *m = read_text(RUN("'layers':[]"));
    roof_run *run = &m->experiments[0].runs[0];
    roof_error err;
    char name[8];
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(counted_set_event(counted_of_run(m, run), rows[i].event, &err), ROOF_E_DATA);
        assert_string_equal(fx_message(&err), rows[i].message);
    }
    for (int i = 0; i < MOST_EVENTS; i++) {
        snprintf(name, sizeof name, "%d", i);
        assert_int_equal(
            counted_set_event(counted_of_run(m, run), (roof_event){.name = name, .count = 1}, &err), ROOF_OK);
    }
    assert_int_equal(counted_set_event(counted_of_run(m, run), (roof_event){.name = "x", .count = 1}, &err),
                     ROOF_E_LIMIT);
    assert_string_equal(fx_message(&err), "more than 4096 events");
    roof_measured_free(m);
}

static void the_hardware_of_the_document_is_that_of_experiments_without_one(void **state)
{
    roof_measured *m =
        read_text("{'experiments':[{'runs':[{'mode':'bypass'}]},{'hardware':{'id':'zcu104'},"
                  "'runs':[{'mode':'bypass'}]}],'hardware':{'id':'kv260'},'schema':'roofline.measured/1'}");
    (void)state;
    assert_string_equal(m->experiments[0].hardware_id, "kv260");
    assert_string_equal(m->experiments[1].hardware_id, "zcu104");
    roof_measured_free(m);
}

static void an_embedded_prediction_is_read(void **state)
{
    roof_measured *m = read_text(LONG_DOC);
    const roof_prediction *p = m->experiments[0].prediction;
    (void)state;
    assert_int_equal(p->n_layers, 1);
    assert_string_equal(p->engines[0], "conv");
    assert_int_equal(p->layers[0].deployed.cycles[0], 7);
    roof_measured_free(m);
}

static void paths_are_relative_to_the_document(void **state)
{
    static const struct {
        const char *document, *path, *want;
    } rows[] = {{"m.json", "net.xmodel", "net.xmodel"},
                {"a/b/m.json", "net.xmodel", "a/b/net.xmodel"},
                {"a/m.json", "../net.xmodel", "a/../net.xmodel"},
                {"/m.json", "net.xmodel", "/net.xmodel"},
                {"a/m.json", "/abs/net.xmodel", "/abs/net.xmodel"},
                {"standard input", "net.xmodel", "net.xmodel"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[300];
        snprintf(text, sizeof text, EXPERIMENT("'model':{'path':'%s'}"), rows[i].path);
        roof_measured *m = read_as(text, rows[i].document);
        assert_string_equal(m->experiments[0].model_path, rows[i].path);
        assert_string_equal(m->experiments[0].resolved_path, rows[i].want);
        roof_measured_free(m);
    }
}

static void an_experiment_knows_its_place(void **state)
{
    roof_measured *m =
        read_as(DOC("[{'runs':[{'mode':'bypass'}]},{'runs':[{'mode':'bypass'}]}]"), "a/m.json");
    (void)state;
    assert_string_equal(m->experiments[1].place, "a/m.json: /experiments/1");
    roof_measured_free(m);
}

/* However the window cuts it. */
static void pieces_make_no_difference(void **state)
{
    char *json = json_of(LONG_DOC), *want = NULL;
    (void)state;
    for (size_t piece = 1; piece < 40; piece++) {
        memory_source source = {json, strlen(json), piece};
        roof_measured *m = NULL;
        assert_int_equal(measured_codec_read(memory_read, &source, "m.json", &m, NULL), ROOF_OK);
        char *text = written(m);
        if (want)
            assert_string_equal(text, want);
        free(want);
        want = text;
        roof_measured_free(m);
    }
    free(want);
    free(json);
}

/* ---- files and standard input ---- */

static void write_file(const char *path, const char *text)
{
    char *json = json_of(text);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(json, file) >= 0);
    assert_int_equal(fclose(file), 0);
    free(json);
}

static void a_file_is_read_and_its_folder_is_where_paths_begin(void **state)
{
    char path[200], want[200];
    roof_measured *m = NULL;
    (void)state;
    snprintf(path, sizeof path, "%s", in_folder("m.json"));
    snprintf(want, sizeof want, "%s", in_folder("net.xmodel"));
    write_file(path, EXPERIMENT("'model':{'path':'net.xmodel'}"));
    assert_int_equal(roof_measured_read(path, &m, NULL), ROOF_OK);
    assert_string_equal(m->experiments[0].resolved_path, want);
    roof_measured_free(m);
    unlink(path);
}

static void files_that_cannot_be_read_are_errors(void **state)
{
    char missing[200], want[300];
    roof_measured *m = (roof_measured *)&missing;
    roof_error err;
    (void)state;
    snprintf(missing, sizeof missing, "%s", in_folder("none.json"));
    snprintf(want, sizeof want, "%s: cannot open: No such file or directory", missing);
    assert_int_equal(roof_measured_read(missing, &m, &err), ROOF_E_NO_INPUT);
    assert_string_equal(fx_message(&err), want);
    assert_null(m);
    snprintf(want, sizeof want, "%s: is a directory, want a file", folder);
    assert_int_equal(roof_measured_read(folder, &m, &err), ROOF_E_NO_INPUT);
    assert_string_equal(fx_message(&err), want);
}

/* The standard input of this process is a file for the length of a call. */
static roof_status read_from_stdin(const char *path, roof_measured **out, roof_error *err)
{
    int kept = dup(STDIN_FILENO), file = open(path, O_RDONLY);
    assert_true(file >= 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
    roof_status status = roof_measured_read("-", out, err);
    if (kept >= 0)
        dup2(kept, STDIN_FILENO);
    close(kept);
    close(file);
    return status;
}

static void a_dash_is_standard_input(void **state)
{
    const char *path = in_folder("in.json");
    roof_measured *m = NULL;
    roof_error err;
    (void)state;
    write_file(path, EXPERIMENT("'model':{'path':'sub/net.xmodel'}"));
    assert_int_equal(read_from_stdin(path, &m, NULL), ROOF_OK);
    assert_string_equal(m->experiments[0].resolved_path, "sub/net.xmodel");
    roof_measured_free(m);
    write_file(path, TOTAL("'mean_s':-1"));
    assert_int_equal(read_from_stdin(path, &m, &err), ROOF_E_DATA);
    assert_string_equal(
        fx_message(&err),
        "standard input: /experiments/0/runs/0/total/mean_s: found -1 s, want 0 or more (line 1)");
    unlink(path);
}

/* ---- merging ---- */

static void merged_documents_keep_everything(void **state)
{
    roof_measured *into = read_text("{'schema':'roofline.measured/1','source':{'tool':'one'},"
                                    "'experiments':[{'model':{'name':'a'},'runs':[{'mode':'bypass'}]}]}");
    (void)state;
    for (int i = 0; i < 9; i++) {
        roof_measured *from =
            read_as("{'schema':'roofline.measured/1','source':{'tool':'two'},'hardware':{'id':'h'},"
                    "'experiments':[{'model':{'name':'b'},'runs':[{'mode':'per_layer','layers':"
                    "[{'name':'c'}]}]},{'runs':[{'mode':'bypass'}]}]}",
                    "other.json");
        assert_int_equal(roof_measured_merge(into, from, NULL), ROOF_OK);
    }
    assert_int_equal(into->n_experiments, 19);
    assert_int_equal(into->n_sources, 10);
    assert_string_equal(into->experiments[0].model_name, "a");
    assert_string_equal(into->experiments[17].runs[0].layers[0].name, "c");
    assert_string_equal(into->experiments[18].place, "other.json: /experiments/1");
    assert_string_equal(into->sources[9].tool, "two");
    roof_measured_free(into);
}

static void a_merged_document_is_written_with_all_sources(void **state)
{
    roof_measured *into =
        read_text("{'schema':'roofline.measured/1','source':{'tool':'one'},'hardware':{'id':'h'},"
                  "'experiments':[{'runs':[{'mode':'bypass'}]}]}");
    roof_measured *from = read_text("{'schema':'roofline.measured/1','source':{'files':['x']},"
                                    "'experiments':[{'runs':[{'mode':'bypass'}]}]}");
    (void)state;
    assert_int_equal(roof_measured_merge(into, from, NULL), ROOF_OK);
    char *text = written(into);
    assert_string_equal(
        text,
        "{\n \"schema\":\"roofline.measured/1\",\n \"sources\":[\n  {\n   \"tool\":\"one\"\n  },\n  {\n   "
        "\"files\":[\"x\"]\n  }\n ],\n \"experiments\":[\n  {\n   \"model\":{},\n   "
        "\"hardware\":{\"id\":\"h\"},\n   \"runs\":[\n    {\n     \"mode\":\"bypass\"\n    }\n   ]\n  },\n  "
        "{\n   \"model\":{},\n   \"runs\":[\n    {\n     \"mode\":\"bypass\"\n    }\n   ]\n  }\n ]\n}\n");
    free(text);
    roof_measured_free(into);
}

/* ---- what is written ---- */

static void what_is_not_known_is_left_out(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {DOC("[{'runs':[{'mode':'bypass'}]}]"),
         "{\n \"schema\":\"roofline.measured/1\",\n \"experiments\":[\n  {\n   \"model\":{},\n   "
         "\"runs\":[\n    {\n     \"mode\":\"bypass\"\n    }\n   ]\n  }\n ]\n}\n"},
        {TOTAL("'max_s':2"), "{\n \"schema\":\"roofline.measured/1\",\n \"experiments\":[\n  {\n   "
                             "\"model\":{},\n   \"runs\":[\n    {\n     \"mode\":\"per_layer\",\n     "
                             "\"total\":{\"max_s\":2}\n    }\n   ]\n  }\n ]\n}\n"},
        {TOTAL("'count':5"), "{\n \"schema\":\"roofline.measured/1\",\n \"experiments\":[\n  {\n   "
                             "\"model\":{},\n   \"runs\":[\n    {\n     \"mode\":\"per_layer\",\n     "
                             "\"total\":{\"count\":5}\n    }\n   ]\n  }\n ]\n}\n"},
        {TOTAL("'samples_s':[0.002,0.004],'count':99"),
         "{\n \"schema\":\"roofline.measured/1\",\n \"experiments\":[\n  {\n   \"model\":{},\n   "
         "\"runs\":[\n    {\n     \"mode\":\"per_layer\",\n     \"total\":{\"samples_s\":[0.002,0.004]}\n    "
         "}\n   ]\n  }\n ]\n}\n"},
        {LAYER("'name':'\\u00e9\\u0022','basis':'measured','index':3"),
         "{\n \"schema\":\"roofline.measured/1\",\n \"experiments\":[\n  {\n   \"model\":{},\n   "
         "\"runs\":[\n    {\n     \"mode\":\"per_layer\",\n     \"layers\":[\n      "
         "{\"index\":3,\"name\":\"\xc3\xa9\\\"\"}\n     ]\n    }\n   ]\n  }\n ]\n}\n"},
        {LAYER("'name':'a','bytes_basis':'counter','device':'CPU','basis':'share','share_ratio':0.1"),
         "{\n \"schema\":\"roofline.measured/1\",\n \"experiments\":[\n  {\n   \"model\":{},\n   "
         "\"runs\":[\n    {\n     \"mode\":\"per_layer\",\n     \"layers\":[\n      "
         "{\"name\":\"a\",\"bytes_basis\":\"counter\",\"share_ratio\":0.1,\"device\":\"CPU\",\"basis\":"
         "\"share\"}\n     ]\n    }\n   ]\n  }\n ]\n}\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = read_text(rows[i].text);
        char *text = written(m);
        assert_string_equal(text, rows[i].want);
        free(text);
        roof_measured_free(m);
    }
}

/* All that a document can state, in the order in which it is written. */
static void what_is_known_is_written(void **state)
{
    static const char text[] =
        "{\n 'schema':'roofline.measured/1',\n 'source':{\n  'tool':'t',\n  'files':['a','b'],\n  "
        "'notes':'n'\n },\n"
        " 'hardware':{'id':'kv260'},\n 'experiments':[\n  {\n"
        "   'model':{'path':'p','name':'m','graph_hash':'00'},\n   'runs':[\n    {\n     "
        "'mode':'per_layer',\n"
        "     'boundaries':1,\n     'launches':2,\n     'warmup':3,\n     'iterations':4,\n"
        "     'clocks_hz':{'dpu':300000000},\n"
        "     "
        "'total':{'mean_s':2,'std_s':0.5,'min_s':1,'max_s':4,'median_s':1.5,'p95_s':3,'p99_s':3.5,'count':9,'"
        "cov_ratio':0.25},"
        "\n"
        "     'sum_of_layers_s':0.1,\n     'phases':{'host_s':1,'run_s':2,'x_s':0.5},\n     "
        "'phase_kinds':{'x_s':'host'},\n     "
        "'phase_parents':{'x_s':'run_s'},\n"
        "     'phase_cycles':{'core':{'mcu':1,'npu':2},'post':{}},\n     'events':{'b.c':3,'a':0},\n"
        "     'read_bytes':5,\n"
        "     'write_bytes':6,\n     'total_bytes':7,\n     'layers':[\n"
        "      "
        "{'index':1,'name':'a','type':'conv','samples_s':[0.25,1e-07],'cov_ratio':0.5,'cycles':{'dpu':8,'cpu'"
        ":9},"
        "'cycles_kind':'summed','phase_cycles':{'pre':{'mcu':1}},'events':{'x':9007199254740992},'read_bytes'"
        ":10,"
        "'write_bytes':11,'total_bytes':12,'bytes_basis':'static','share_ratio':0.5,'ops_per_s':13,'workload_"
        "ops':14,"
        "'device':'DPU','energy_j':15,'basis':'estimated'}\n     ],\n     'energy_j':16,\n     "
        "'power_w':17,\n     'doubts':[\n      {'kind':'half_clock','text':'450 MHz'}\n     ]\n    }\n"
        "   ]\n  }\n ]\n}\n";
    roof_measured *m = read_text(text);
    char *got = written(m), *want = json_of(text);
    (void)state;
    assert_string_equal(got, want);
    free(got);
    free(want);
    roof_measured_free(m);
}

static roof_status fail_after_100_kb(void *context, const char *bytes, size_t length, roof_error *err)
{
    size_t *left = context;
    (void)bytes;
    if (err)
        *err = (roof_error){.status = ROOF_E_IO,
                            .where = "disk",
                            .what = "is full",
                            .byte_offset = ROOF_UNKNOWN,
                            .line = ROOF_UNKNOWN};
    if (length > *left)
        return ROOF_E_IO;
    *left -= length;
    return ROOF_OK;
}

static void what_the_sink_says_is_passed_on(void **state)
{
    textbuf text;
    size_t room = 100000;
    roof_error err = {0};
    (void)state;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(
        &text,
        "{'schema':'roofline.measured/1','experiments':[{'runs':[{'mode':'bypass','layers':[{'name':'a'}");
    for (int i = 0; i < 20000; i++)
        text_puts(&text, ",{'name':'layer'}");
    text_puts(&text, "]}]}]}");
    roof_measured *m = read_text(text.bytes);
    assert_int_equal(roof_measured_write(m, (roof_sink){fail_after_100_kb, &room}, &err), ROOF_E_IO);
    assert_string_equal(fx_message(&err), "disk: is full");
    roof_measured_free(m);
    text_free(&text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(statistics_that_contradict_each_other_are_refused),
        cmocka_unit_test(what_is_there_twice_is_refused),
        cmocka_unit_test(what_is_missing_or_empty_is_refused),
        cmocka_unit_test(a_load_run_that_says_not_how_many_threads_it_had_is_refused),
        cmocka_unit_test(what_is_known_of_load_is_read_and_written),
        cmocka_unit_test(what_is_known_of_a_language_model_is_read_and_written),
        cmocka_unit_test(other_documents_are_refused_by_name),
        cmocka_unit_test(values_of_the_wrong_type_are_refused_with_their_place),
        cmocka_unit_test(text_behind_the_document_is_refused),
        cmocka_unit_test(nesting_has_an_end),
        cmocka_unit_test(names_are_bounded_in_number_and_length),
        cmocka_unit_test(phases_and_events_are_bounded_in_number),
        cmocka_unit_test(a_document_that_ends_too_early_is_refused),
        cmocka_unit_test(samples_count_and_what_is_stated_beside_them_does_not),
        cmocka_unit_test(statistics_are_taken_as_they_stand),
        cmocka_unit_test(hardware_in_a_document_is_what_a_line_says),
        cmocka_unit_test(hardware_that_says_nothing_is_refused),
        cmocka_unit_test(what_nobody_reads_is_named_once_with_what_was_meant),
        cmocka_unit_test(thousands_of_unread_names_are_counted),
        cmocka_unit_test(a_rounded_digit_is_no_contradiction),
        cmocka_unit_test(null_is_unknown),
        cmocka_unit_test(members_that_nobody_knows_are_skipped),
        cmocka_unit_test(phases_and_clocks_have_names_and_their_order),
        cmocka_unit_test(counters_are_kept_where_there_are_any),
        cmocka_unit_test(phases_and_events_stand_in_rows_and_in_runs),
        cmocka_unit_test(a_phase_or_an_event_that_is_set_again_is_replaced),
        cmocka_unit_test(events_that_could_not_be_read_back_are_not_set),
        cmocka_unit_test(the_hardware_of_the_document_is_that_of_experiments_without_one),
        cmocka_unit_test(an_embedded_prediction_is_read),
        cmocka_unit_test(paths_are_relative_to_the_document),
        cmocka_unit_test(an_experiment_knows_its_place),
        cmocka_unit_test(pieces_make_no_difference),
        cmocka_unit_test(a_file_is_read_and_its_folder_is_where_paths_begin),
        cmocka_unit_test(files_that_cannot_be_read_are_errors),
        cmocka_unit_test(a_dash_is_standard_input),
        cmocka_unit_test(merged_documents_keep_everything),
        cmocka_unit_test(a_merged_document_is_written_with_all_sources),
        cmocka_unit_test(what_is_not_known_is_left_out),
        cmocka_unit_test(what_is_known_is_written),
        cmocka_unit_test(what_the_sink_says_is_passed_on),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
