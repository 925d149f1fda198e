/* Measuring with runners that do what they should, and with those that do not: crash, hang, flood, lie,
 * stay. */
#include "core/error.h"
#include "roofline/measure.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#define HELLO                                                                                                \
    "echo '{\"hello\": {\"device\": \"a stone\", \"launches\": 2, \"clocks_hz\": {\"npu\": 3e8}}}'\n"
#define LAYERS                                                                                               \
    "case $q in *per_layer*) echo '{\"layers\": [{\"name\": \"a\", \"macs\": 5}, {\"name\": \"b\", "         \
    "\"skipped\": \"no rule\"}, {\"name\": \"c\", \"type\": \"pool\"}]}';; esac\n"
#define ROUNDS(sample, round)                                                                                \
    "while read l; do n=${l##*: }; n=${n%%\\}*}; i=0; while [ $i -lt $n ]; do " sample                       \
    "; i=$((i+1)); done; " round "; done\n"
/* Times of 2^-21 to 2^-23 s, which are exact, and shorter than what the shell takes to tell of them. */
#define HALF    "4.76837158203125e-07"
#define QUARTER "2.384185791015625e-07"
#define EIGHTH  "1.1920928955078125e-07"
#define SAMPLE                                                                                               \
    "case $q in *per_layer*) echo '{\"sample\": {\"total_s\": " HALF ", \"layers_s\": [" QUARTER             \
    ", null, " EIGHTH "]}}';; "                                                                              \
    "*) echo '{\"sample\": {\"total_s\": " QUARTER ", \"phases\": {\"run_s\": " EIGHTH "}}}';; esac"
#define ROUND "echo \"{\\\"round\\\": {\\\"iterations\\\": $n}}\""
#define GOOD  "read q\n" HELLO LAYERS ROUNDS(SAMPLE, ROUND) "echo '{\"done\": {\"macs\": 5}}'\n"

static const char model[] = "/dev/null"; /* no runner here reads it */

static void install(const char *script)
{
    const char *path = in_folder("roofline-run-stone");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fprintf(file, "#!/bin/sh\n%s", script) > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
    assert_int_equal(setenv("PATH", folder, 1), 0);
}

static void uninstall(void)
{
    setenv("PATH", "/usr/bin:/bin", 1);
    unlink(in_folder("roofline-run-stone"));
}

static roof_status measure(const char *script, roof_measure_options with, roof_measured **out,
                           roof_error *err)
{
    char text[8192];
    snprintf(text, sizeof text, "PATH=/usr/bin:/bin\n%s", script);
    install(text);
    with.device = "stone";
    *out = NULL;
    roof_status status = roof_measure(model, &with, out, err);
    uninstall();
    return status;
}

static void what_a_runner_tells_is_the_document(void **state)
{
    roof_measured *m;
    roof_error err;
    (void)state;
    const roof_measure_options with = {.iterations = 7, .rounds = 3, .most_warmup = 12, .hardware = "b4096"};
    if (measure(GOOD, with, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    const roof_experiment *e = &m->experiments[0];
    assert_string_equal(e->model_name, "null");
    assert_int_equal(e->n_runs, 2);
    const roof_run *whole = &e->runs[0], *layers = &e->runs[1];
    assert_int_equal(whole->mode, ROOF_RUN_BYPASS);
    assert_int_equal(whole->iterations, 7);
    assert_int_equal(whole->warmup, 10); /* two windows of five that do not differ */
    assert_int_equal(whole->launches, 2);
    assert_true(whole->total.mean_s == 0x1p-22 && whole->total.count == 7 && whole->total.samples_s);
    assert_string_equal(whole->phases[0].name, "run");
    assert_true(whole->phases[0].seconds == 0x1p-23);
    assert_string_equal(whole->clocks[0].domain, "npu");
    assert_int_equal(layers->boundaries, 2);
    assert_int_equal(layers->n_layers, 2); /* what is not executed has no time */
    assert_string_equal(layers->layers[0].name, "a");
    assert_true(layers->layers[1].time.mean_s == 0x1p-23);
    assert_string_equal(layers->layers[1].type, "pool");
    assert_int_equal(layers->layers[1].index, 3);
    assert_int_equal(layers->n_conditions, 6);
    assert_non_null(
        strstr(m->sources[0].notes, "1 of 3 layers are not executed: no rule (the first is 'b')"));
    assert_non_null(strstr(m->sources[0].notes, "steady after a warm-up of 10 inferences"));
    roof_measured_free(m);
}

/* A third process, behind all that is timed. */
static void cycles_are_counted_in_a_pass_of_their_own(void **state)
{
    static const char script[] =
        "read q\n"
        "case $q in *counters*) sample='\"total_s\": 9, \"layers_cycles\": [700, null]';; "
        "*per_layer*) sample='\"total_s\": " HALF ", \"layers_s\": [" QUARTER
        ", null]';; *) sample='\"total_s\": " HALF "';; "
        "esac\n"
        "echo '{\"hello\": {\"device\": \"a stone\", \"counts\": \"axi\"}}'\n"
        "case $q in *per_layer*) echo '{\"layers\": [{\"name\": \"a\"}, {\"name\": \"b\", \"skipped\": "
        "\"x\"}]}';; "
        "esac\n" ROUNDS("echo \"{\\\"sample\\\": {$sample}}\"", ROUND) "echo '{\"done\": {}}'\n";
    roof_measured *m;
    roof_error err;
    (void)state;
    if (measure(script, (roof_measure_options){.iterations = 2, .only_per_layer = true}, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    const roof_measured_layer *layer = &m->experiments[0].runs[0].layers[0];
    assert_true(layer->time.mean_s == 0x1p-22 && layer->time.count == 2);
    assert_int_equal(layer->counters->n_cycles, 1);
    assert_string_equal(layer->counters->cycles[0].domain, "axi");
    assert_int_equal(layer->counters->cycles[0].cycles, 700);
    roof_measured_free(m);
}

/* However many reasons a runner has. */
static void reasons_beyond_the_first_are_counted_together(void **state)
{
    char layers[2000] = "{\"name\": \"a\"}", script[4000];
    roof_measured *m;
    roof_error err;
    (void)state;
    for (int i = 0; i < 20; i++) {
        size_t used = strlen(layers);
        snprintf(layers + used, sizeof layers - used, ", {\"name\": \"b%d\", \"skipped\": \"reason %d\"}", i,
                 i % 10);
    }
    snprintf(script, sizeof script,
             "read q\n" HELLO
             "echo '{\"layers\": [%s]}'; read l; echo '{\"sample\": {\"total_s\": 1e-6, \"layers_s\": "
             "[1e-6,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,"
             "null,null,"
             "null]}}'; "
             "echo '{\"round\": {\"iterations\": 1}}'; read l; echo '{\"sample\": {\"total_s\": 1e-6, "
             "\"layers_s\": "
             "[1e-6,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,"
             "null,null,"
             "null]}}'; "
             "echo '{\"round\": {\"iterations\": 1}}'; read l; echo '{\"done\": {}}'",
             layers);
    const roof_measure_options with = {.only_per_layer = true, .iterations = 1, .most_warmup = 1};
    if (measure(script, with, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_non_null(
        strstr(m->sources[0].notes, "2 of 21 layers are not executed: reason 7 (the first is 'b7')"));
    assert_null(strstr(m->sources[0].notes, "reason 8"));
    assert_non_null(strstr(m->sources[0].notes, "4 of 21 layers are not executed for other reasons"));
    roof_measured_free(m);
}

static void one_mode_alone_is_measured_where_the_other_cannot_be(void **state)
{
    static const char script[] = "read q\n" HELLO "case $q in *per_layer*) echo '{\"error\": {\"code\": "
                                 "\"unsupported\", \"text\": \"no code per layer\"}}'; "
                                 "exit 1;; esac\n" ROUNDS(SAMPLE, ROUND) "echo '{\"done\": {}}'\n";
    roof_measured *m;
    roof_error err;
    (void)state;
    assert_int_equal(measure(script, (roof_measure_options){.iterations = 2}, &m, &err), ROOF_OK);
    assert_int_equal(m->experiments[0].n_runs, 1);
    assert_non_null(strstr(m->sources[0].notes, "no per-layer run: no code per layer"));
    roof_measured_free(m);
    assert_int_equal(measure(script, (roof_measure_options){.only_per_layer = true}, &m, &err),
                     ROOF_E_UNSUPPORTED);
}

static const struct {
    const char *script;
    roof_status status;
    const char *says;
} bad[] = {
    /* it dies */
    {"read q; kill -SEGV $$", ROOF_E_DEVICE, "it died (Segmentation fault)"},
    {"read q; echo 'libx: oops' >&2; echo 'the error is here' >&2; exit 3", ROOF_E_DEVICE,
     "it ended before it was done: the error is here"},
    {"read q; echo 'F1122 14:03:07.1 47 x.cpp:44] Check failed: !the_factory_methods.empty() ' >&2; kill "
     "-ABRT $$",
     ROOF_E_DEVICE, "VART finds no DPU on this machine; run it on the board"},
    {"read q\n" HELLO "read l; kill -9 $$", ROOF_E_DEVICE, "it died (Killed)"},
    {"read q; exec >&-; sleep 60", ROOF_E_DEVICE, "it closed its output, and was ended"},
    {"exit 0", ROOF_E_DEVICE, "it ended before it was done"},
    /* it is silent */
    {"read q; sleep 60", ROOF_E_DEVICE,
     "it was silent for 0.3 s and was ended (--timeout makes that longer)"},
    {"read q\n" HELLO "sleep 60", ROOF_E_DEVICE, "silent"},
    {"trap '' TERM INT; read q; while :; do :; done", ROOF_E_DEVICE, "silent"},
    {"read q; while :; do echo flood >&2; done", ROOF_E_DEVICE, "silent for 0.3 s and was ended"},
    /* it floods */
    {"read q; while :; do echo '{\"hello\": {\"device\": \"x\"}}'; done", ROOF_E_INTERNAL,
     "something else than samples"},
    {"read q\n" HELLO "while :; do echo '{\"sample\": {\"total_s\": 1}}'; done", ROOF_E_INTERNAL,
     "more samples than"},
    {"read q; head -c 20000000 /dev/zero | tr '\\0' 'x'; sleep 60", ROOF_E_INTERNAL,
     "a line of more than 16777216 bytes"},
    /* garbage */
    {"read q; echo hello", ROOF_E_INTERNAL, "no JSON value"},
    {"read q; head -c 300 /dev/urandom; echo", ROOF_E_INTERNAL, "its line"},
    {"read q; echo '[]'", ROOF_E_INTERNAL, "its line"},
    {"read q; echo '{\"hello\": {}}'", ROOF_E_INTERNAL, "has no device"},
    {"read q; echo '{}'", ROOF_E_INTERNAL, "a line with none of hello"},
    {"read q; echo '{\"done\": {}}'", ROOF_E_INTERNAL, "its first line is no hello"},
    {"read q\n" HELLO "read l; echo '{\"sample\": {\"total_s\": -1}}'", ROOF_E_INTERNAL, "total_s"},
    {"read q\n" HELLO "read l; echo '{\"sample\": {\"total_s\": 1e999}}'", ROOF_E_INTERNAL, "total_s"},
    {"read q\n" HELLO "read l; echo '{\"sample\": {\"phases\": {\"run_s\": 1}}}'", ROOF_E_INTERNAL,
     "has no total_s"},
    {"read q\n" HELLO "read l; echo '{\"sample\": {\"total_s\": 1, \"phases\": {\"run\": 1}}}'",
     ROOF_E_INTERNAL, "is no phase"},
    /* lies */
    {"read q\n" HELLO ROUNDS(SAMPLE, "echo '{\"round\": {\"iterations\": 4}}'"), ROOF_E_INTERNAL,
     "ends a round of 5 iterations after 5 samples and says 4"},
    {"read q\n" HELLO ROUNDS("echo '{\"sample\": {\"total_s\": 100}}'", ROUND), ROOF_E_INTERNAL,
     "its 5 samples of a turn are 500 s together, want at most the "},
    {"read q\n" HELLO ROUNDS(":", ROUND), ROOF_E_INTERNAL, "ends a round of 5 iterations after 0 samples"},
    {"read q; echo '{\"error\": {\"code\": \"no_device\", \"text\": \"nothing there\", \"advice\": \"plug it "
     "in\"}}'",
     ROOF_E_DEVICE, "nothing there; plug it in"},
    {"read q; echo '{\"error\": {\"code\": \"bad_model\", \"text\": \"broken\"}}'", ROOF_E_DATA, "broken"},
    {"read q; echo '{\"error\": {\"code\": \"strange\", \"text\": \"what\"}}'", ROOF_E_INTERNAL, "what"},
};

static void a_bad_runner_is_told_of_in_bounded_time(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        roof_measured *m;
        roof_error err = {0};
        const double timeout_s = strstr(bad[i].says, "silent") ? 0.3 : 60; /* these machines are shared */
        const roof_measure_options with = {.only_bypass = true, .iterations = 5, .timeout_s = timeout_s};
        roof_status status = measure(bad[i].script, with, &m, &err);
        if (status != bad[i].status || !strstr(fx_message(&err), bad[i].says))
            fail_msg("%s\ngives %d, %s\nwant  %d, %s", bad[i].script, (int)status, fx_message(&err),
                     (int)bad[i].status, bad[i].says);
        assert_null(m);
    }
}

/* --- load ---------------------------------------------------------------------------------------------- */

/* What a turn of so many inferences is, of threads that take them in turns: thread i of T has a latency of
 * (i + 1) 2^-21 s. Each turn is a line of the file that LOG names: which T it was. */
#define LOAD_THREADS "t=${q##*\\\"threads\\\":}; t=${t%%[,\\}]*}\n"
#define LOAD_SAMPLE                                                                                          \
    "k=$((i%t)); case $k in 0) s=" HALF ";; 1) s=9.5367431640625e-07;; *) s=1.9073486328125e-06;; esac; "    \
    "echo \"{\\\"sample\\\": {\\\"total_s\\\": $s, \\\"thread\\\": $k}}\""
#define LOAD                                                                                                 \
    "read q\n" LOAD_THREADS "echo '{\"hello\": {\"device\": \"a stone\", \"batch\": 4}}'\n"                  \
    "while read l; do n=${l##*: }; n=${n%%\\}*}; echo $t $n >>\"$LOG\"; i=0; while [ $i -lt $n ]; "          \
    "do " LOAD_SAMPLE "; i=$((i+1)); done; " ROUND "; done\necho '{\"done\": {}}'\n"

static roof_status measure_load(const char *script, const uint32_t *counts, uint32_t n,
                                roof_measure_options with, roof_measured **out, roof_error *err)
{
    char setting[400];
    snprintf(setting, sizeof setting, "LOG=%s", in_folder("turns.log"));
    const char *const settings[] = {setting, NULL};
    unlink(in_folder("turns.log"));
    with.settings = settings;
    with.n_settings = 1;
    with.thread_counts = counts;
    with.n_thread_counts = n;
    return measure(script, with, out, err);
}

/* 4 images of an inference, by threads whose latencies are 1, 2 and 4 of 2^-21 s. */
static void the_rate_under_load_is_the_sum_of_those_of_the_threads(void **state)
{
    static const uint32_t counts[] = {1, 2, 3};
    static const double rates[] = {4 * 0x1p21, 4 * 0x1.8p21, 4 * 0x1.cp21},
                        means_s[] = {0x1p-21, 0x1p-20, 0x1p-19};
    roof_measured *m;
    roof_error err;
    (void)state;
    const roof_measure_options with = {.iterations = 5, .rounds = 2, .most_warmup = 4};
    if (measure_load(LOAD, counts, COUNT(counts), with, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    const roof_experiment *e = &m->experiments[0];
    assert_int_equal(e->n_runs, COUNT(counts));
    for (uint32_t i = 0; i < COUNT(counts); i++) {
        const roof_run *run = &e->runs[i];
        const uint32_t t = counts[i];
        assert_int_equal(run->mode, ROOF_RUN_LOAD);
        assert_int_equal(run->threads, t);
        assert_int_equal(run->batch, 4);
        assert_int_equal(run->iterations, 5 * t);
        assert_int_equal(run->warmup, 4 * t);
        assert_int_equal(run->total.count, 5 * t);
        assert_true(run->frames_per_s >= rates[i] && run->frames_per_s <= rates[i]);
        for (uint32_t k = 0; k < t; k++)
            assert_true(run->thread_means_s[k] >= means_s[k] && run->thread_means_s[k] <= means_s[k]);
        for (uint32_t k = 0; k < 5 * t; k++) /* in the order in which they were said */
            assert_true(run->total.samples_s[k] >= means_s[k % t] &&
                        run->total.samples_s[k] <= means_s[k % t]);
    }
    roof_measured_free(m);
}

/* A thread that is late may find that the others have taken all of a turn. */
static void a_thread_without_an_inference_has_no_mean_and_no_rate(void **state)
{
    static const char script[] = "read q\n" HELLO ROUNDS(
        "echo '{\"sample\": {\"total_s\": " HALF ", \"thread\": 1}}'", ROUND) "echo '{\"done\": {}}'\n";
    static const uint32_t two[] = {2};
    roof_measured *m;
    roof_error err;
    (void)state;
    const roof_measure_options with = {.iterations = 1, .most_warmup = 1};
    if (measure_load(script, two, 1, with, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    const roof_run *run = &m->experiments[0].runs[0];
    assert_true(isnan(run->thread_means_s[0]) && run->thread_means_s[1] <= 0x1p-21);
    assert_true(run->frames_per_s >= 0x1p21 && run->frames_per_s <= 0x1p21);
    roof_measured_free(m);
}

/* Behind the warm-up, of which each has two turns: forwards, backwards, and from another one on. */
static void numbers_of_threads_take_turns_in_an_order_that_cancels_drift(void **state)
{
    static const uint32_t counts[] = {1, 2, 3};
    static const char want[] = "1 5\n1 3\n2 10\n2 6\n3 15\n3 9\n" /* warm-up: 8 of each thread */
                               "1 2\n2 4\n3 6\n"
                               "3 6\n2 4\n1 2\n"
                               "2 2\n3 3\n1 1\n"
                               "1 1\n3 3\n2 2\n";
    roof_measured *m;
    roof_error err;
    char got[500] = "";
    (void)state;
    const roof_measure_options with = {.iterations = 6, .rounds = 4, .most_warmup = 8};
    if (measure_load(LOAD, counts, COUNT(counts), with, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    FILE *file = fopen(in_folder("turns.log"), "r");
    assert_non_null(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(got, want);
    roof_measured_free(m);
}

static void faults_of_a_load_run_are_told(void **state)
{
    static const struct {
        const char *script;
        roof_status status;
        const char *says;
    } rows[] = {
        {"read q\n" HELLO ROUNDS("echo '{\"sample\": {\"total_s\": 1e-7}}'", ROUND), ROOF_E_INTERNAL,
         "its sample has no thread, want from 0 to 1 in mode load"},
        {"read q\n" HELLO ROUNDS("echo '{\"sample\": {\"total_s\": 1e-7, \"thread\": 2}}'", ROUND),
         ROOF_E_INTERNAL, "its sample is of thread 2, want from 0 to 1"},
        {"read q\n" HELLO ROUNDS("echo '{\"sample\": {\"total_s\": 1e-7, \"thread\": -1}}'", ROUND),
         ROOF_E_INTERNAL, "thread"},
        {"read q\n" HELLO ROUNDS("[ $i = 0 ] || echo '{\"sample\": {\"total_s\": 1e-7, \"thread\": 0}}'",
                                 ROUND),
         ROOF_E_INTERNAL, "ends a round of 2 iterations after 1 samples"},
        {"read q\n" HELLO ROUNDS("echo '{\"sample\": {\"total_s\": 100, \"thread\": 0}}'", ROUND),
         ROOF_E_INTERNAL, "in 2 threads: its clock or its unit is wrong"},
        {"read q; echo '{\"error\": {\"code\": \"unsupported\", \"text\": \"one at a time\"}}'",
         ROOF_E_UNSUPPORTED, "one at a time; without --threads one inference at a time is measured"},
    };
    static const uint32_t two[] = {2};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m;
        roof_error err = {0};
        const roof_measure_options with = {.iterations = 1, .most_warmup = 1, .timeout_s = 60};
        roof_status status = measure_load(rows[i].script, two, 1, with, &m, &err);
        if (status != rows[i].status || !strstr(fx_message(&err), rows[i].says))
            fail_msg("%s\ngives %d, %s\nwant  %d, %s", rows[i].script, (int)status, fx_message(&err),
                     (int)rows[i].status, rows[i].says);
        assert_null(m);
    }
}

static void load_that_cannot_be_asked_for_is_refused(void **state)
{
    static uint32_t many[ROOF_MOST_THREAD_COUNTS + 1];
    static const uint32_t none[] = {0}, beyond[] = {1, ROOF_MOST_THREADS + 1}, one[] = {1};
    const struct {
        roof_measure_options with;
        roof_status status;
        const char *says;
    } rows[] = {
        {{.thread_counts = none, .n_thread_counts = 1}, ROOF_E_USAGE, "0 threads, want from 1 to 256"},
        {{.thread_counts = beyond, .n_thread_counts = 2}, ROOF_E_USAGE, "257 threads, want from 1 to 256"},
        {{.thread_counts = many, .n_thread_counts = COUNT(many)}, ROOF_E_USAGE, "want at most 64 numbers"},
        {{.thread_counts = one, .n_thread_counts = 1, .only_bypass = true}, ROOF_E_USAGE, "and then no mode"},
        {{.thread_counts = one, .n_thread_counts = 1, .iterations = 1 << 30},
         ROOF_E_LIMIT,
         "more than 16777216"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(many); i++)
        many[i] = 1;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m;
        roof_error err = {0};
        assert_int_equal(measure_load(LOAD, rows[i].with.thread_counts, rows[i].with.n_thread_counts,
                                      rows[i].with, &m, &err),
                         rows[i].status);
        if (!strstr(fx_message(&err), rows[i].says))
            fail_msg("gives %s\nwant  %s", fx_message(&err), rows[i].says);
    }
}

/* Inferences that run in several threads at once may take longer together than the time that passes, by as
 * many times as there are threads. The turn lasts 0.2 s at least. */
static void threads_count_in_what_is_claimed(void **state)
{
    static const char script[] =
        "read q\n" HELLO "while read l; do sleep 0.2; for i in 0 1 2 3; do echo \"{\\\"sample\\\": "
        "{\\\"total_s\\\": 0.19, \\\"thread\\\": $i}}\"; done; echo '{\"round\": {\"iterations\": 4}}'; "
        "done; "
        "echo '{\"done\": {}}'\n";
    static const uint32_t four[] = {4};
    roof_measured *m;
    roof_error err = {0};
    (void)state;
    const roof_measure_options with = {.iterations = 1, .most_warmup = 1};
    if (measure_load(script, four, 1, with, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_int_equal(m->experiments[0].runs[0].total.count, 4);
    roof_measured_free(m);
}

static void lies_about_layers_are_refused(void **state)
{
    static const struct {
        const char *layers, *sample, *says;
    } rows[] = {
        {"[]", "", "it does not name the layers"},
        {"[{\"type\": \"conv\"}]", "", "has no name"},
        {"[{\"name\": \"a\"}]", "{\"total_s\": 1}", "has no layers_s"},
        {"[{\"name\": \"a\"}]", "{\"total_s\": 1, \"layers_s\": []}",
         "0 times, want one for each of its 1 layers"},
        {"[{\"name\": \"a\"}]", "{\"total_s\": 1, \"layers_s\": [0.1, 0.1]}",
         "2 times, want one for each of its 1 layers"},
        {"[{\"name\": \"a\"}]", "{\"total_s\": 1, \"layers_s\": [null]}", "null, want the seconds of 'a'"},
        {"[{\"name\": \"a\", \"skipped\": \"x\"}]", "{\"total_s\": 1, \"layers_s\": [1]}", "which it skips"},
        {"[{\"name\": \"a\"}, {\"name\": \"b\"}]", "{\"total_s\": 1, \"layers_s\": [0.6, 0.6]}",
         "the layers of a sample take 1.2 s together, all of it 1 s"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char script[1000];
        roof_measured *m;
        roof_error err = {0};
        snprintf(script, sizeof script,
                 "read q\n" HELLO "echo '{\"layers\": %s}'; read l; echo '{\"sample\": %s}'; read l",
                 rows[i].layers, rows[i].sample);
        const roof_measure_options with = {.only_per_layer = true, .timeout_s = 60};
        assert_int_equal(measure(script, with, &m, &err), ROOF_E_INTERNAL);
        if (!strstr(fx_message(&err), rows[i].says))
            fail_msg("%s %s\ngives %s\nwant  %s", rows[i].layers, rows[i].sample, fx_message(&err),
                     rows[i].says);
    }
}

/* Whether a process with this word in its environment lives. */
static bool is_running(const char *word)
{
    char block[65536], path[300];
    const struct dirent *entry;
    bool found = false;
    DIR *proc = opendir("/proc");
    while (proc && (entry = readdir(proc))) {
        snprintf(path, sizeof path, "/proc/%.20s/environ", entry->d_name);
        int fd = entry->d_name[0] >= '0' && entry->d_name[0] <= '9' ? open(path, O_RDONLY) : -1;
        ssize_t n = fd >= 0 ? read(fd, block, sizeof block) : 0;
        found = found || (n > 0 && memmem(block, (size_t)n, word, strlen(word)));
        if (fd >= 0)
            close(fd);
    }
    if (proc)
        closedir(proc);
    return found;
}

/* In the group, behind a closed output, in a session of its own, and in the middle of one exec after the
 * other. */
static void nothing_that_a_runner_started_stays(void **state)
{
    static const char *const scripts[] = {
        "read q; sleep 61 & sleep 60", "read q; (sleep 61 >&- 2>&- &) ; exit 1",
        "read q; setsid sleep 61 & sleep 60", "read q; setsid sleep 61 >&- 2>&- & exit 1",
        "read q; export i=0 s='[ $((i+=1)) -lt 9999 ] && exec sh -c \"$s\"'; setsid sh -c \"$s\"& sleep 9"};
    const char *const settings[] = {"STONE=rolling-0451", NULL};
    (void)state;
    for (size_t i = 0; i < COUNT(scripts); i++) {
        roof_measured *m;
        roof_error err = {0};
        const roof_measure_options with = {.settings = settings, .n_settings = 1, .timeout_s = 0.3};
        assert_int_equal(measure(scripts[i], with, &m, &err), ROOF_E_DEVICE);
        if (is_running(settings[0]))
            fail_msg("%s leaves something running", scripts[i]);
    }
}

static void what_is_no_runner_is_told_of(void **state)
{
    static const char *const names[] = {"granite", "", "../sh", "a b", "UPPER"};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        roof_measured *m;
        roof_error err = {0};
        const roof_measure_options with = {.device = names[i]};
        assert_int_equal(roof_measure(model, &with, &m, &err), ROOF_E_DEVICE);
        assert_non_null(strstr(fx_message(&err), "there is no runner for"));
    }
}

typedef struct found {
    bool seen, can_run;
    char text[600];
} found;

static roof_status look(void *found_, const roof_runner_about *about, roof_error *err)
{
    found *f = found_;
    (void)err;
    if (strcmp(about->name, "stone") != 0)
        return ROOF_OK;
    f->seen = true;
    f->can_run = about->can_run;
    snprintf(f->text, sizeof f->text, "%s", about->text);
    return ROOF_OK;
}

static void runners_say_what_they_are_or_why_they_cannot_run(void **state)
{
    static const struct {
        const char *script;
        bool can_run;
        const char *text;
    } rows[] = {
        {"read q; echo '{\"hello\": {\"device\": \"a stone\", \"version\": \"2\"}}'", true, "a stone, 2"},
        {"read q; echo '{\"error\": {\"code\": \"no_device\", \"text\": \"gone\"}}'", false, "gone"},
    };
    roof_error err;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        found f = {0};
        install(rows[i].script);
        assert_int_equal(roof_runners_ask(look, &f, &err), ROOF_OK);
        uninstall();
        assert_true(f.seen);
        assert_int_equal(f.can_run, rows[i].can_run);
        assert_non_null(strstr(f.text, rows[i].text));
    }
}

static void what_a_command_writes_is_imported_or_told_of(void **state)
{
    static const struct {
        const char *script, *file;
        roof_status status;
        const char *says; /* NULL: it is imported */
    } rows[] = {
        {"printf 'name,mean_ms\\nconv1,1.5\\nconv2,2.5\\n'", NULL, ROOF_OK, NULL},
        {"printf 'name,mean_ms\\nconv1,1.5\\n' > written.csv; echo done", "written.csv", ROOF_OK, NULL},
        {"exit 0", NULL, ROOF_E_DATA, "'sh' printed nothing; --collect names the files"},
        {"echo hello", NULL, ROOF_E_DATA, "output of sh: unknown profile format"},
        {"echo hello", "written.csv", ROOF_E_NO_INPUT, "written.csv: the command did not write it"},
        {"touch -d yesterday written.csv; sleep 0.01", "written.csv", ROOF_E_DATA, "is older than the run"},
        {"echo why >&2; exit 3", NULL, ROOF_E_DEVICE, "'sh' failed: why"},
        {"kill -9 $$", NULL, ROOF_E_DEVICE, "'sh' died (Killed)"},
        {"sleep 60", NULL, ROOF_E_DEVICE, "'sh' ran longer than 0.5 s and was ended"},
        {"yes >&2", NULL, ROOF_E_DEVICE, "'sh' ran longer than 0.5 s and was ended"},
    };
    char script[300];
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = NULL;
        roof_error err = {0};
        snprintf(script, sizeof script, "cd %s; %s", folder, rows[i].script);
        const char *const command[] = {"sh", "-c", script, NULL};
        const char *const files[] = {in_folder("written.csv"), NULL};
        const roof_command_options with = {.command = command,
                                           .files = files,
                                           .n_files = rows[i].file != NULL,
                                           .import.map = rows[i].says ? NULL : "name=name,time=mean_ms:ms",
                                           .timeout_s =
                                               rows[i].says && strstr(rows[i].says, "longer") ? 0.5 : 60};
        roof_status status = roof_measure_command(&with, &m, &err);
        if (status != rows[i].status || (rows[i].says && !strstr(fx_message(&err), rows[i].says)))
            fail_msg("%s\ngives %d, %s\nwant  %d, %s", rows[i].script, (int)status, fx_message(&err),
                     (int)rows[i].status, rows[i].says);
        assert_int_equal(status == ROOF_OK, m && m->n_experiments == 1);
        roof_measured_free(m);
        unlink(in_folder("written.csv"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_runner_tells_is_the_document),
        cmocka_unit_test(cycles_are_counted_in_a_pass_of_their_own),
        cmocka_unit_test(reasons_beyond_the_first_are_counted_together),
        cmocka_unit_test(one_mode_alone_is_measured_where_the_other_cannot_be),
        cmocka_unit_test(a_bad_runner_is_told_of_in_bounded_time),
        cmocka_unit_test(the_rate_under_load_is_the_sum_of_those_of_the_threads),
        cmocka_unit_test(a_thread_without_an_inference_has_no_mean_and_no_rate),
        cmocka_unit_test(numbers_of_threads_take_turns_in_an_order_that_cancels_drift),
        cmocka_unit_test(faults_of_a_load_run_are_told),
        cmocka_unit_test(load_that_cannot_be_asked_for_is_refused),
        cmocka_unit_test(threads_count_in_what_is_claimed),
        cmocka_unit_test(lies_about_layers_are_refused),
        cmocka_unit_test(nothing_that_a_runner_started_stays),
        cmocka_unit_test(what_a_command_writes_is_imported_or_told_of),
        cmocka_unit_test(what_is_no_runner_is_told_of),
        cmocka_unit_test(runners_say_what_they_are_or_why_they_cannot_run),
    };
    return cmocka_run_group_tests_name("measure", tests, make_folder, remove_folder);
}
