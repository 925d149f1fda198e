/* What is said of files that tools wrote, once they are laid side by side: small ones, in the tools'
 * forms. */
#include "tests/unit/verdict_fixture.h"
#include "roofline/words.h"

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static const roof_match *unit_at(const vf_result *v, uint32_t i)
{
    assert_int_equal(v->r->n_experiments, 1);
    assert_true(i < v->r->experiments[0].n_matches);
    return &v->r->experiments[0].matches[i];
}

static void assert_seconds(double is, double want)
{
    if (!(fabs(is - want) <= 1e-9))
        fail_msg("%g s, want %g s", is, want);
}

/* --- a timeline beside a run of the same model
 * ------------------------------------------------------------ */

#define CONSOLE "Invoke Time: 1200 us\nIPU Time: 1000 us\n"
#define EVENT(core, name, us, cycles)                                                                        \
    "{\"name\":\"" name "\",\"ph\":\"X\",\"ts\":1,\"dur\":" us ",\"pid\":0,\"tid\":\"" core                  \
    "\",\"args\":{\"total_cycle\":" cycles ",\"conv_cycle_percent\":50}}"
#define TIMELINE(events) "{\"traceEvents\":[" events "]}"
#define WHOLE            EVENT("core0", "0_CONV_2D", "600", "540000") "," EVENT("core0", "1_ADD", "400", "360000")
#define OTHER_CORE       EVENT("core1", "0_CONV_2D", "500", "450000") "," EVENT("core1", "1_ADD", "410", "369000")

static void two_cores_are_one_model(void **state)
{
    static const vf_file files[][3] = {
        {{"log_ctrl0.json", TIMELINE(WHOLE "," OTHER_CORE)}, {"console.txt", CONSOLE}},
        {{"log_ctrl0.json", TIMELINE(WHOLE)},
         {"log_ctrl1.json", TIMELINE(OTHER_CORE)},
         {"console.txt", CONSOLE}},
        /* neither says which core it is of */
        {{"log_ctrl0.json", TIMELINE(WHOLE)},
         {"log_ctrl1.json", TIMELINE(EVENT("core0", "0_CONV_2D", "500",
                                           "450000") "," EVENT("core0", "1_ADD", "410", "369000"))},
         {"console.txt", CONSOLE}}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        vf_result v = vf_reconcile(files[i], 3);
        assert_int_equal(v.r->n_models, 1);
        assert_seconds(unit_at(&v, 0)->measured_s, 600e-6); /* each by the slower core */
        assert_seconds(unit_at(&v, 1)->measured_s, 410e-6);
        assert_seconds(v.r->experiments[0].total.sum_of_layers_s, 1010e-6);
        assert_false(v.r->experiments[0].has_doubtful_rows);
        assert_non_null(strstr(v.text, "run in parallel"));
        assert_null(strstr(v.text, "a copy"));
        assert_true(fabs(v.r->experiments[0].busy->whole.busy.ratios[0] - 0.5) < 1e-3);
        vf_free(&v);
    }
}

/* Another number than that of a core may be that of a run. */
static void timelines_of_other_layers_or_runs_are_not_joined(void **state)
{
    static const vf_file files[][2] = {
        {{"log_ctrl0.json", TIMELINE(WHOLE)},
         {"log_ctrl1.json", TIMELINE(EVENT("core0", "0_MUL", "500", "450000"))}},
        {{"run1.json", TIMELINE(WHOLE)}, {"run2.json", TIMELINE(OTHER_CORE)}}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        roof_measured *m = vf_import(files[i], 2);
        assert_int_equal(m->n_experiments, 2);
        roof_measured_free(m);
    }
}

/* Indices that begin anew within one inference, and such as are left out. */
static void an_index_that_begins_anew_is_of_another_layer(void **state)
{
    static const vf_file file = {
        "log_ctrl0.json", TIMELINE(EVENT("core0", "0_CONV_2D", "600", "540000") "," EVENT(
                              "core0", "1_ADD", "400",
                              "360000") "," EVENT("core0", "0_CONV_2D", "300",
                                                  "270000") "," EVENT("core0", "7_SOFTMAX", "100", "90000"))};
    vf_result v = vf_reconcile(&file, 1);
    (void)state;
    assert_int_equal(v.r->experiments[0].n_matches, 4);
    assert_seconds(unit_at(&v, 2)->measured_s, 300e-6);
    assert_seconds(v.r->experiments[0].total.sum_of_layers_s, 1400e-6);
    vf_free(&v);
}

/* Models may share memory at run time: the largest is what it takes. */
static void memory_that_models_share_is_that_of_the_largest(void **state)
{
    pf_result p = pf_reconcile_document("{\"schema\":\"roofline.measured/1\",\"experiments\":["
                                        "{\"model\":{\"name\":\"a\"},\"runs\":[{\"mode\":\"bypass\","
                                        "\"total\":{\"mean_s\":1e-3},\"memory_bytes\":2000000}]},"
                                        "{\"model\":{\"name\":\"b\"},\"runs\":[{\"mode\":\"bypass\","
                                        "\"total\":{\"mean_s\":1e-3},\"memory_bytes\":5000000}]},"
                                        "{\"model\":{\"name\":\"c\"},\"runs\":[{\"mode\":\"bypass\","
                                        "\"total\":{\"mean_s\":1e-3},\"memory_bytes\":4000000}]}]}",
                                        NULL);
    char *text = vf_render(p.r, &(roof_render_options){.format = "text", .width = 200, .details = true});
    (void)state;
    assert_non_null(strstr(text, "3 models can share 5 MB of memory, the need of b."));
    free(text);
    pf_free(&p);
}

static void another_clock_and_a_cut_log_are_named_first(void **state)
{
    static const struct {
        const char *timeline, *first; /* NULL: nothing is doubted */
    } rows[] = {
        {TIMELINE(WHOLE), NULL},
        {TIMELINE(EVENT("core0", "0_CONV_2D", "675", "540000") "," EVENT("core0", "1_ADD", "450", "360000")),
         "layers sum to 1.125 ms at 800 MHz, but the accelerator ran for 1 ms (900 MHz): the timeline used "
         "the wrong clock"},
        /* above the whole inference: that is no overhead of timing */
        {TIMELINE(EVENT("core0", "0_CONV_2D", "900", "540000") "," EVENT("core0", "1_ADD", "600", "360000")),
         "layers sum to 1.5 ms at 600 MHz"},
        {TIMELINE(EVENT("core0", "0_CONV_2D", "600", "540000")), "the log is cut"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const vf_file files[] = {{"log_ctrl0.json", rows[i].timeline}, {"console.txt", CONSOLE}};
        vf_result v = vf_reconcile(files, COUNT_OF(files));
        if (rows[i].first && !strstr(v.first, rows[i].first))
            fail_msg("%s", v.first);
        assert_true(v.r->experiments[0].has_doubtful_rows == (rows[i].first != NULL));
        assert_null(strstr(v.text, " overhead longer ")); /* a column that has nothing to say */
        if (strstr(v.text, " -0."))
            fail_msg("%s", v.text);
        vf_free(&v);
    }
}

/* --- what phases and printed digits say
 * -------------------------------------------------------------------- */

#define DOCUMENT(runs)                                                                                       \
    "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":[" runs     \
    "]}]}"

static char *shown(const pf_result *p, bool details)
{
    return vf_render(p->r, &(roof_render_options){
                               .format = "text", .width = 200, .all_findings = true, .details = details});
}

static void copies_are_not_the_hosts_wherever_they_stand(void **state)
{
    pf_result p = pf_reconcile_document(
        DOCUMENT(
            "{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.04},\"phases\":{\"run_s\":0.022,\"host_s\":0.012,"
            "\"write_s\":0.004,\"read_s\":0.002}}"),
        NULL);
    const roof_reconciled *e = &p.r->experiments[0];
    char *text = shown(&p, false);
    (void)state;
    assert_int_equal(e->causes[0].kind, ROOF_CAUSE_HOST);
    assert_seconds(e->causes[0].gain_s, 0.012);
    assert_seconds(e->causes[1].gain_s, 0.006);
    assert_non_null(strstr(text, "host          12.000"));
    assert_non_null(strstr(text, "copies         6.000"));
    assert_null(strstr(text, "host          18.000"));
    assert_null(strstr(text, "12 ms of 40 ms are not the accelerator's"));
    free(text);
    pf_free(&p);
}

/* 42 us are printed as 0.042 ms. */
static void a_total_that_is_rounded_is_not_below_its_rows(void **state)
{
    static const struct {
        const char *total;
        bool is_below;
    } rows[] = {{"\"mean_s\":0.000042,\"min_s\":0.000042,\"max_s\":0.000043,\"count\":10", false},
                {"\"mean_s\":0.0000417", true},
                {"\"mean_s\":0.000041", true}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char json[600];
        snprintf(json, sizeof json,
                 DOCUMENT("{\"mode\":\"per_layer\",\"total\":{%s},\"layers\":[{\"name\":\"a\",\"mean_s\":"
                          "0.00003},{\"name\":\"b\",\"mean_s\":0.00001248}]}"),
                 rows[i].total);
        pf_result p = pf_reconcile_document(json, NULL);
        bool is_below = false;
        for (uint32_t k = 0; k < p.r->n_findings; k++)
            is_below |= p.r->findings[k].kind == ROOF_FINDING_BELOW_SUM;
        assert_true(is_below == rows[i].is_below);
        pf_free(&p);
    }
}

/* A microcontroller has no threads: what is before and after each start is made less by fewer starts. */
static void no_threads_are_advised_where_phases_are_around_each_start(void **state)
{
    pf_result p = pf_reconcile_document(
        DOCUMENT(
            "{\"mode\":\"per_layer\",\"clocks_hz\":{\"mcu\":1e9},\"total\":{\"mean_s\":0.0001},\"layers\":[{"
            "\"name\":\"epoch_1\",\"mean_s\":0.0001,\"phase_cycles\":{\"pre\":{\"mcu\":10000},\"core\":{"
            "\"mcu\":86000},\"post\":{\"mcu\":4000}}}]}"),
        NULL);
    char *text = shown(&p, false);
    (void)state;
    assert_int_equal(p.r->experiments[0].causes[0].kind, ROOF_CAUSE_LAUNCHES);
    assert_seconds(p.r->experiments[0].causes[0].gain_s, 14e-6);
    assert_null(strstr(text, "threads"));
    free(text);
    pf_free(&p);
}

static void the_cov_that_a_document_states_is_shown(void **state)
{
    static const struct {
        const char *stated, *shows;
    } rows[] = {{"0.06", " 6.0\n"},
                {"0.09", " 5.9 other CoV printed"}}; /* 0.033 / 0.557 is 0.0592; 9 % is another one */
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char json[600];
        snprintf(json, sizeof json,
                 DOCUMENT("{\"mode\":\"per_layer\",\"layers\":[{\"name\":\"a\",\"mean_s\":0.000557,\"std_s\":"
                          "0.000033,\"cov_ratio\":%s,\"count\":110}]}"),
                 rows[i].stated);
        pf_result p = pf_reconcile_document(json, NULL);
        char *text = shown(&p, false);
        if (!strstr(text, rows[i].shows))
            fail_msg("%s", text);
        free(text);
        pf_free(&p);
    }
}

/* --- kernels and their buffers
 * ----------------------------------------------------------------------------- */

/* A layer of 95.2 ms among ones of 77.97 ms, a call that writes its weights again, one whose output is
 * copied. */
static void a_layer_that_stands_out_and_buffers_that_take_long_are_told(void **state)
{
    static const char report[] =
        "END-TO-END DATAFLOW (per make profile, dataflow order)\n"
        "--- DECODE (avg per token, 2 tokens) ---\n"
        "  |- Decoder block \xc3\x97 4 (per layer, per token) -|\n"
        "    qkv.elf                             NPU      20.00 ms\n"
        "    ffn.elf                             NPU      57.97 ms\n"
        "  |--\n"
        "  End-to-end (per token)                        330.00 ms\n"
        "DECODE (2 tokens) \xe2\x80\x94 detail tables\n"
        "PROFILING REPORT\n"
        "--- Per-Layer Execution ---\n"
        "  Layer   0:   77.97ms\n  Layer   1:   77.97ms\n  Layer   2:   95.20ms\n  Layer   3:   77.97ms\n"
        "--- NPU XRT Call Breakdown (avg per invocation) ---\n"
        "  qkv        avg=  20.00ms  min=  19.50ms  max=  21.00ms  (x8)\n"
        "  ffn        avg=  57.97ms  min=  57.00ms  max=  59.00ms  (x8)\n"
        "--- Fine-Grained NPU Breakdown (avg per invocation) ---\n"
        "  qkv         0.50ms    16.00ms     3.50ms    20.00ms     8.0MB    5bo  (x8)\n"
        "  ffn        11.00ms    46.87ms     0.10ms    57.97ms   116.0MB    1bo  (x8)\n";
    static const char *const says[] = {
        "one slow layer: layer 2 takes 95.2 ms; the median of 3 similar layers is 77.97 ms",
        "ffn: writing its buffers takes 11 ms of the 57.97 ms of each call, 19 %, 116.0 MiB",
        "qkv: reading its buffers back takes 3.5 ms of the 20 ms of each call, 18 %",
        "the accelerator is started 8 times in one inference", "19.500 21.000"};
    static const vf_file file = {"report.log", report};
    vf_result v = vf_reconcile(&file, 1);
    (void)state;
    for (size_t i = 0; i < COUNT_OF(says); i++)
        if (!strstr(v.text, says[i]))
            fail_msg("no '%s' in %s", says[i], v.text);
    assert_null(strstr(v.text, "qkv: writing")); /* 2.5 % of a call is as usual */
    vf_free(&v);
}

/* --- a trace with copies
 * ---------------------------------------------------------------------------------- */

#define SPAN(cat, name, thread, at, us)                                                                      \
    ",{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":1,\"tid\":" thread ",\"ts\":" at       \
    ",\"dur\":" us "}"
#define STEP(at)                                                                                             \
    SPAN("user_annotation", "ProfilerStep#1", "1", at "000", "100")                                          \
    SPAN("cuda_runtime", "cudaLaunchKernel", "1", at "010", "5")                                             \
    SPAN("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", "7", at "015", "30")                                \
    SPAN("kernel", "gemm", "7", at "050", "40")                                                              \
    SPAN("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", "7", at "090", "5")
#define TRACE(events)                                                                                        \
    "{\"schemaVersion\":1,\"deviceProperties\":[],\"traceEvents\":[{\"ph\":\"M\",\"name\":\"x\"}" events "]" \
    "}"

static double phase_s(const vf_result *v, const char *name)
{
    const roof_run *run = v->r->experiments[0].per_layer;
    for (uint32_t i = 0; i < run->n_phases; i++)
        if (strcmp(run->phases[i].name, name) == 0)
            return run->phases[i].seconds;
    fail_msg("no phase %s", name);
    return NAN;
}

static void kernels_copies_and_the_host_are_phases_of_a_step(void **state)
{
    static const vf_file file = {"trace.json", TRACE(STEP("1") STEP("2"))};
    vf_result v = vf_reconcile(&file, 1);
    const roof_reconciled *e = &v.r->experiments[0];
    (void)state;
    assert_seconds(phase_s(&v, "kernels"), 40e-6);
    assert_seconds(phase_s(&v, "copies_to_device"), 30e-6);
    assert_seconds(phase_s(&v, "copies_from_device"), 5e-6);
    assert_seconds(phase_s(&v, "host"), 25e-6);
    assert_seconds(e->total.per_layer_s, 100e-6);
    assert_int_equal(e->causes[0].kind, ROOF_CAUSE_TRANSFERS);
    assert_seconds(e->causes[0].gain_s, 35e-6);
    vf_free(&v);
}

/* Without steps phases are of the whole trace, and no time of an inference is known. */
static void copies_of_a_trace_without_steps_are_a_cause(void **state)
{
    static const vf_file file = {"trace.json", TRACE(SPAN("kernel", "gemm", "7", "50", "40") SPAN(
                                                   "gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", "7", "15",
                                                   "30") SPAN("kernel", "gemm", "7", "150", "40"))};
    vf_result v = vf_reconcile(&file, 1);
    const roof_reconciled *e = &v.r->experiments[0];
    (void)state;
    assert_seconds(phase_s(&v, "kernels"), 80e-6);
    assert_seconds(phase_s(&v, "copies_to_device"), 30e-6);
    assert_true(isnan(e->total.per_layer_s));
    assert_int_equal(e->n_causes, 2);
    assert_int_equal(e->causes[0].kind,
                     ROOF_CAUSE_IDLE); /* of which nobody knows what the host did meanwhile */
    assert_int_equal(e->causes[1].kind, ROOF_CAUSE_TRANSFERS);
    assert_true(fabs(e->causes[1].share_ratio - 30.0 / 110) < 1e-9);
    vf_free(&v);
}

/* --- what could be fused
 * ---------------------------------------------------------------------------------- */

#define ROW(name, type, us) "{\"name\":\"" name "\",\"type\":\"" type "\",\"mean_s\":" us "e-6}"

static void normalisation_and_activation_behind_a_layer_could_be_fused(void **state)
{
    static const struct {
        const char *rows;
        double gain_us; /* 0: there is no such cause */
        uint32_t n;
    } cases[] = {
        {ROW("a", "Conv", "100") "," ROW("b", "BatchNormalization", "20") "," ROW("c", "Relu", "10") "," ROW(
             "d", "MaxPool", "30") "," ROW("e", "CONV_2D", "90") "," ROW("f", "LOGISTIC", "15"),
         45, 3},
        {ROW("a", "Conv", "100") "," ROW("b", "MaxPool", "20") "," ROW("c", "Relu", "10"), 0, 0},
        {ROW("a", "Conv", "100") "," ROW("b", "Conv", "20") "," ROW("c", "Add", "30"), 0, 0},
        {ROW("a", "Conv", "1000") "," ROW("b", "Relu", "10"), 0, 0}, /* less than 5 % */
        {ROW("a", "FusedConv", "100") "," ROW("b", "Softmax", "50"), 0, 0},
        {"{\"name\":\"gemm\",\"type\":\"gemm\",\"mean_s\":1e-4,\"executions\":3}," ROW("b", "relu", "50"), 0,
         0}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char json[1500];
        snprintf(json, sizeof json, DOCUMENT("{\"mode\":\"per_layer\",\"layers\":[%s]}"), cases[i].rows);
        pf_result p = pf_reconcile_document(json, NULL);
        const roof_reconciled *e = &p.r->experiments[0];
        const roof_cause *found = NULL;
        for (uint32_t k = 0; k < e->n_causes; k++)
            if (e->causes[k].kind == ROOF_CAUSE_FUSION)
                found = &e->causes[k];
        assert_true((found != NULL) == (cases[i].n > 0));
        if (found) {
            assert_int_equal(found->n_units, cases[i].n);
            assert_seconds(found->gain_s, 1e-6 * cases[i].gain_us);
            assert_int_equal(found->sure, ROOF_SURE_BOUND);
        }
        pf_free(&p);
    }
}

static void details_show_deviations_of_layers(void **state)
{
    textbuf json;
    text_init(&json, TEXT_MAX_BYTES);
    text_puts(
        &json,
        "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"hardware\":{"
        "\"id\":\"test\"},\"runs\":[{\"mode\":\"per_layer\",\"layers\":[{\"name\":\"a\",\"mean_s\":0.0002,"
        "\"std_s\":0.000007,\"count\":110}]}]");
    pf_put_prediction(&json, "a=100", NULL);
    text_puts(&json, "}]}");
    pf_result p = pf_reconcile_document(json.bytes, NULL);
    char *brief = shown(&p, false), *whole = shown(&p, true);
    (void)state;
    assert_null(strstr(brief, "deviation"));
    if (!strstr(whole, "deviation"))
        fail_msg("%s", whole);
    if (!strstr(whole, "110 0.200     0.007"))
        fail_msg("%s", whole);
    free(brief);
    free(whole);
    pf_free(&p);
    text_free(&json);
}

/* --- what a summary says of a network
 * --------------------------------------------------------------------- */

#define SUMMARY                                                                                              \
    "Summary 'kws' - ['kws']\n"                                                                              \
    "I[1/1] 'in' : int8[1,4,4,3], 48 Bytes, QLinear(0.1,0,int8), activations\n"                              \
    "O[1/1] 'out' : int8[1,2], 2 Bytes, QLinear(0.2,0,int8), activations\n"                                  \
    "n_nodes : 199\nactivations : 1254400\ncapabilities : IO_ONLY, PER_LAYER\n"                              \
    "device.attrs : fpu,mcu_freq=800MHz,npu_freq=1000MHz\n"

static void summaries_of_networks_are_kept(void **state)
{
    static const char profiler[] =
        "NPU Utility - AiRunner Profiler (version 0.2)\n" SUMMARY "Final part (entire model)\nMeasured\n"
        "total duration : 13.649ms, npu_core:13.159ms (96.41%), "
        "mcu_cycles=[1.17, 96.31, 2.53]%\n"
        "mcu cycles : 10919340 (core only = 10515928)\n"
        "npu cycles : 13692714 (core only = 13159399)\n"
        "Memory bandwidth / inference\n<mempool name> : <no mempool info available>\n";
    static const char validate[] =
        "ST Edge AI Core v2.2.0\nParameters            : validate --target stm32n6\n" SUMMARY
        "ST.AI Profiling results v2.0 - \"kws\"\nnb sample(s) : 10\n"
        "duration : 0.080 ms by sample (0.079/0.088/0.003)\nInference time per node\n"
        "c_id m_id type dur (ms) % cumul CPU cycles name\n"
        "0 - epoch 0.080 100.0% 100.0% [ 7,424 53,813 2,924 ] EpochBlock_2\n"
        "total 0.080 [ 7,424 53,813 2,924 ]\n";
    static const struct {
        const char *text, *own;
    } rows[] = {
        {profiler, "of the MCU's cycles 1.17 % are before, 96.31 % while and 2.53 % after the NPU works"},
        {validate, "cycles are the MCU's"}};
    static const char *const facts[] = {"input: int8[1,4,4,3], 48 Bytes", "output: int8[1,2], 2 Bytes",
                                        "n_nodes: 199", "activations: 1254400",
                                        "capabilities: IO_ONLY, PER_LAYER"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const vf_file file = {"report.txt", rows[i].text};
        roof_measured *m = vf_import(&file, 1);
        const char *notes = m->sources[0].notes;
        assert_non_null(notes);
        for (size_t k = 0; k < COUNT_OF(facts); k++)
            if (!strstr(notes, facts[k]))
                fail_msg("no '%s' in %s", facts[k], notes);
        if (!strstr(notes, rows[i].own))
            fail_msg("%s", notes);
        roof_measured_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_cores_are_one_model),
        cmocka_unit_test(timelines_of_other_layers_or_runs_are_not_joined),
        cmocka_unit_test(an_index_that_begins_anew_is_of_another_layer),
        cmocka_unit_test(memory_that_models_share_is_that_of_the_largest),
        cmocka_unit_test(another_clock_and_a_cut_log_are_named_first),
        cmocka_unit_test(copies_are_not_the_hosts_wherever_they_stand),
        cmocka_unit_test(a_total_that_is_rounded_is_not_below_its_rows),
        cmocka_unit_test(no_threads_are_advised_where_phases_are_around_each_start),
        cmocka_unit_test(the_cov_that_a_document_states_is_shown),
        cmocka_unit_test(a_layer_that_stands_out_and_buffers_that_take_long_are_told),
        cmocka_unit_test(kernels_copies_and_the_host_are_phases_of_a_step),
        cmocka_unit_test(copies_of_a_trace_without_steps_are_a_cause),
        cmocka_unit_test(details_show_deviations_of_layers),
        cmocka_unit_test(summaries_of_networks_are_kept),
        cmocka_unit_test(normalisation_and_activation_behind_a_layer_could_be_fused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
