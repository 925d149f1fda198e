/* Causes of one number: that ratios are those of public questions to their last digit, that each signature is
 * found where its cases lie, that a second number tells a factor from a constant, and that what was said
 * rules out what it excludes. */
#include "roofline/explanation.h"
#include "tests/unit/fixture.h"

typedef struct question {
    const char *hw;
    const char *measured[2], *published[2];
    uint64_t traits;
} question;

static roof_pace pace_of(const char *text)
{
    roof_pace pace;
    roof_error err = {0};
    if (roof_pace_parse(text, &pace, &err) != ROOF_OK)
        fail_msg("%s: %s", text, fx_message(&err));
    return pace;
}

static roof_explanation *explained(const question *q, const roof_graph *graph,
                                   const roof_predict_options *predict)
{
    roof_explain_number numbers[2] = {0};
    roof_explain_request requested = {.numbers = numbers, .traits = q->traits};
    roof_explanation *e = NULL;
    roof_hw *hw = NULL;
    roof_error err = {0};
    for (; requested.n_numbers < 2 && q->measured[requested.n_numbers]; requested.n_numbers++)
        numbers[requested.n_numbers] =
            (roof_explain_number){.graph = graph,
                                  .measured = pace_of(q->measured[requested.n_numbers]),
                                  .published = pace_of(q->published[requested.n_numbers]),
                                  .predict = predict};
    if (q->hw && roof_hw_load(q->hw, &hw, &err) != ROOF_OK)
        fail_msg("%s: %s", q->hw, fx_message(&err));
    requested.hw = hw;
    if (roof_explain(&requested, &e, &err) != ROOF_OK)
        fail_msg("%s %s: %s", q->hw ? q->hw : "", q->measured[0], fx_message(&err));
    roof_hw_free(hw);
    return e;
}

static roof_graph *read_example(const char *name)
{
    char path[600];
    roof_graph *graph = NULL;
    roof_error err = {0};
    snprintf(path, sizeof path, "%s/examples/models/%s", getenv("ROOFLINE_SOURCE_DIR"), name);
    if (roof_graph_read(path, &graph, &err) != ROOF_OK)
        fail_msg("%s: %s", path, err.what);
    return graph;
}

static const roof_explained_cause *cause_of(const roof_explanation *e, roof_signature signature)
{
    for (uint32_t i = 0; i < e->n_causes; i++)
        if (e->causes[i].signature == signature)
            return &e->causes[i];
    return NULL;
}

static double chance_of(const roof_explanation *e, roof_signature signature)
{
    const roof_explained_cause *cause = cause_of(e, signature);
    return cause ? cause->probability : 0;
}

static void ratios_are_those_of_the_questions(void **state)
{
    static const struct {
        const char *measured, *published;
        double ratio, digit;
    } rows[] = {{"460.538ms", "185.014ms", 2.4892, 5e-5},       {"6.048797ms", "0.99ms", 6.11, 5e-3},
                {"50.672062ms", "36.81ms", 1.377, 5e-4},        {"87.1ms", "63.2ms", 1.3782, 5e-5},
                {"11.29tokens/s", "16.02tokens/s", 1.42, 5e-3}, {"3.6s", "20.52ms", 175.4, 5e-2},
                {"13005.446ms", "386.595ms", 33.64, 5e-3},      {"29fps", "74fps", 2.55, 5e-3}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_explanation *e = explained(
            &(question){.measured = {rows[i].measured}, .published = {rows[i].published}}, NULL, NULL);
        const roof_answer_ratio *r = &e->numbers->ratio;
        if (!(fabs(r->value - rows[i].ratio) <= rows[i].digit) || !(r->low < r->value && r->high > r->value))
            fail_msg("%s of %s: %.6g", rows[i].measured, rows[i].published, r->value);
        assert_int_equal(e->numbers->verdict, ROOF_EXPLAINED_SLOWER);
        roof_explanation_free(e);
    }
}

/* The causes of public questions, or of cases like them: first where first, else among the first two. */
static void each_signature_is_found_where_its_cases_lie(void **state)
{
    static const struct {
        const char *hw, *measured, *published;
        roof_signature cause;
        bool is_first;
        const char *stated;
    } rows[] = {
        {"coral", "5.2ms", "2.6ms", ROOF_SIGNATURE_CLOCK, true, "250 MHz of 500 MHz"},
        {"stm32n6", "25ms", "20ms", ROOF_SIGNATURE_CLOCK, true, "800 MHz of 1 GHz"},
        {"orin-nano-8gb", "16.3ms", "10ms", ROOF_SIGNATURE_CLOCK, true, "625 MHz of 1.02 GHz"},
        {"rk3588", "59.3ms", "42.5ms", ROOF_SIGNATURE_CLOCK, true, NULL},
        {"rk3588", "66.1fps", "173.6fps", ROOF_SIGNATURE_CORES, true, "3 cores"},
        {"stm32n6570-dk", "3.6s", "20.52ms", ROOF_SIGNATURE_FALLBACK, true, NULL},
        {"hailo-8", "28ms", "426fps", ROOF_SIGNATURE_HOST_WORK, false, NULL},
        {"t4", "48ms", "9.9ms", ROOF_SIGNATURE_WAITING, true, NULL},
        {"raspberry-pi-5", "166ms", "44ms", ROOF_SIGNATURE_KERNELS, true, "no NEON"},
        {NULL, "13005ms", "386.6ms", ROOF_SIGNATURE_KERNELS, true, NULL},
        {"wormhole-n150", "20tokens/s", "38tokens/s", ROOF_SIGNATURE_BANDWIDTH, false, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_explanation *e = explained(
            &(question){.hw = rows[i].hw, .measured = {rows[i].measured}, .published = {rows[i].published}},
            NULL, NULL);
        const roof_explained_cause *c = e->causes;
        const bool is_second = !rows[i].is_first && c[1].signature == rows[i].cause;
        if (c->signature != rows[i].cause && !is_second)
            fail_msg("%s, %s of %s: %s %.2f, %s %.2f", rows[i].hw ? rows[i].hw : "", rows[i].measured,
                     rows[i].published, c->kind, c->probability, c[1].kind, c[1].probability);
        if (rows[i].stated && (!c->amount_name || strcmp(c->amount_name, rows[i].stated) != 0))
            fail_msg("%s: %s, want %s", rows[i].measured, c->amount_name ? c->amount_name : "none",
                     rows[i].stated);
        roof_explanation_free(e);
    }
}

static void probabilities_are_one_together_and_fall(void **state)
{
    roof_explanation *e =
        explained(&(question){.hw = "rk3588", .measured = {"29fps"}, .published = {"74fps"}}, NULL, NULL);
    double sum = e->other_probability;
    (void)state;
    for (uint32_t i = 0; i < e->n_causes; i++) {
        sum += e->causes[i].probability;
        assert_true(!i || e->causes[i].probability <= e->causes[i - 1].probability);
        assert_string_equal(e->causes[i].likely, e->causes[i].probability > ROOF_EXPLAIN_LIKELY ? "likely"
                                                 : e->causes[i].probability >= ROOF_EXPLAIN_POSSIBLE
                                                     ? "possible"
                                                     : "unlikely");
    }
    assert_true(fabs(sum - 1) < 1e-12);
    roof_explanation_free(e);
}

/* The same ratio of both is a factor, the same difference a constant: 27 to 68 ms and 40 to 86 ms are +41 and
 * +46 ms, of a language model in Python. */
static void two_numbers_tell_a_factor_from_a_constant(void **state)
{
    static const question one = {.hw = "orin-nano-8gb", .measured = {"16.3ms"}, .published = {"10ms"}},
                          factor = {.hw = "orin-nano-8gb",
                                    .measured = {"16.3ms", "65ms"},
                                    .published = {"10ms", "40ms"}},
                          constant = {.hw = "orin-nano-8gb",
                                      .measured = {"16.3ms", "46.3ms"},
                                      .published = {"10ms", "40ms"}},
                          python = {.measured = {"68ms", "86ms"}, .published = {"27ms", "40ms"}};
    roof_explanation *of_one = explained(&one, NULL, NULL), *of_factor = explained(&factor, NULL, NULL),
                     *of_constant = explained(&constant, NULL, NULL),
                     *of_python = explained(&python, NULL, NULL);
    (void)state;
    assert_true(chance_of(of_factor, ROOF_SIGNATURE_CLOCK) > chance_of(of_one, ROOF_SIGNATURE_CLOCK));
    assert_true(chance_of(of_constant, ROOF_SIGNATURE_CLOCK) < 0.1 * chance_of(of_one, ROOF_SIGNATURE_CLOCK));
    assert_true(chance_of(of_constant, ROOF_SIGNATURE_HOST_WORK) +
                    chance_of(of_constant, ROOF_SIGNATURE_BINDING) >
                0.7);
    assert_true(fabs(of_python->numbers[0].ratio.value - 2.52) < 5e-3 &&
                fabs(of_python->numbers[1].ratio.value - 2.15) < 5e-3);
    assert_int_equal(of_python->causes->signature, ROOF_SIGNATURE_HOST_WORK);
    roof_explanation_free(of_one);
    roof_explanation_free(of_factor);
    roof_explanation_free(of_constant);
    roof_explanation_free(of_python);
}

static void what_was_said_rules_out_or_favours(void **state)
{
    static const struct {
        uint64_t said;
        roof_signature cause;
        int direction; /* 0: out; 1: more; -1: less */
    } rows[] = {{ROOF_TRAIT(CLOCK_GIVEN), ROOF_SIGNATURE_CLOCK, 0},
                {ROOF_TRAIT(CALL_ALONE), ROOF_SIGNATURE_HOST_WORK, 0},
                {ROOF_TRAIT(WHOLE_FRAME), ROOF_SIGNATURE_HOST_WORK, 1},
                {ROOF_TRAIT(CPLUSPLUS), ROOF_SIGNATURE_BINDING, 0},
                {ROOF_TRAIT(PYTHON), ROOF_SIGNATURE_BINDING, 1},
                {ROOF_TRAIT(STEADY), ROOF_SIGNATURE_WARM_UP, 0},
                {ROOF_TRAIT(FIRST_RUN), ROOF_SIGNATURE_WARM_UP, 1},
                {ROOF_TRAIT(FIRST_RUN), ROOF_SIGNATURE_HEAT, 0},
                {ROOF_TRAIT(CORES_GIVEN), ROOF_SIGNATURE_CORES, 0},
                {ROOF_TRAIT(ONE_THREAD), ROOF_SIGNATURE_CORES, 1},
                {ROOF_TRAIT(TYPE_GIVEN), ROOF_SIGNATURE_DATA_TYPE, 0},
                {ROOF_TRAIT(BATCH_GIVEN), ROOF_SIGNATURE_BATCH, 0},
                {ROOF_TRAIT(PROFILED), ROOF_SIGNATURE_PROFILER, 1},
                {ROOF_TRAIT(CALL_ALONE), ROOF_SIGNATURE_CLOCK, 1}};
    const question plain = {.hw = "rk3588", .measured = {"29fps"}, .published = {"74fps"}};
    roof_explanation *before = explained(&plain, NULL, NULL);
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        question said = plain;
        said.traits = rows[i].said;
        roof_explanation *after = explained(&said, NULL, NULL);
        const double was = chance_of(before, rows[i].cause), is = chance_of(after, rows[i].cause);
        if (!(rows[i].direction ? is > was : is == 0 && was > 0))
            fail_msg("row %zu: %g before, %g after", i, was, is);
        roof_explanation_free(after);
    }
    roof_explanation_free(before);
}

/* A network on a board: the verdict, and what causes follow from both. */
static void a_network_on_a_board_has_a_verdict(void **state)
{
    static const struct {
        const char *hw, *measured;
        roof_explain_verdict verdict;
    } rows[] = {{"kv260", "91fps", ROOF_EXPLAINED_AS_EXPECTED},
                {"kv260", "11.5ms", ROOF_EXPLAINED_AS_EXPECTED},
                {"kv260", "40ms", ROOF_EXPLAINED_SLOWER},
                {"kv260", "8ms", ROOF_EXPLAINED_FASTER},
                {"kv260", "5ms", ROOF_EXPLAINED_IMPOSSIBLE},
                {"zcu102", "190fps", ROOF_EXPLAINED_AS_EXPECTED}, /* three cores, where nobody says */
                {"zcu102", "3000fps", ROOF_EXPLAINED_IMPOSSIBLE},
                {"npu2", "5ms", ROOF_EXPLAINED_NOT_KNOWN}};
    roof_graph *graph = read_example("resnet50.onnx");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_explanation *e =
            explained(&(question){.hw = rows[i].hw, .measured = {rows[i].measured}}, graph, NULL);
        if (e->numbers->verdict != rows[i].verdict)
            fail_msg("%s %s: %s", rows[i].hw, rows[i].measured, e->numbers->is);
        roof_explanation_free(e);
    }
    roof_graph_free(graph);
}

/* Two threads of batch 5 at 1009.56 images a second: a call takes 9.9053 ms. */
static void a_rate_with_threads_and_batch_has_a_latency(void **state)
{
    const roof_predict_options five = {.batch = 5};
    const roof_explain_number number = {
        .measured = pace_of("1009.56fps"), .published = pace_of("1000fps"), .predict = &five, .threads = 2};
    const roof_explain_request requested = {.numbers = &number, .n_numbers = 1};
    roof_explanation *e = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_explain(&requested, &e, &err), ROOF_OK);
    assert_true(fabs(e->numbers->latency_s - 9.9053e-3) < 5e-8 && fabs(e->numbers->in_flight - 10) < 1e-9);
    assert_int_equal(e->numbers->verdict, ROOF_EXPLAINED_AS_PUBLISHED);
    roof_explanation_free(e);
}

/* A file's own expectation is of its own input: what took longer had a larger one, what was faster a smaller.
 * A published time may be of another network, so there the file's input is the one that was measured. */
static void another_input_is_larger_where_the_run_is_slower(void **state)
{
    static const struct {
        question requested;
        const char *input;
    } table[] = {
        {{.hw = "raspberry-pi-5", .measured = {"180ms"}}, "an input of 416 in place of 224"},
        {{.hw = "hailo-8", .measured = {"2.1ms"}, .published = {"1.05ms"}},
         "an input of 224 in place of 160"},
        {{.hw = "hailo-8", .measured = {"0.5ms"}, .published = {"1.05ms"}},
         "an input of 224 in place of 320"},
    };
    roof_graph *graph = read_example("resnet50.onnx");
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        roof_explanation *e = explained(&table[i].requested, graph, NULL);
        const roof_explained_cause *network = cause_of(e, ROOF_SIGNATURE_NETWORK);
        assert_non_null(network);
        assert_non_null(network->amount_name);
        assert_string_equal(network->amount_name, table[i].input);
        roof_explanation_free(e);
    }
    roof_graph_free(graph);
}

/* Of a batch of eight as well. */
static void times_of_a_batch_are_those_of_an_image(void **state)
{
    const roof_predict_options eight = {.batch = 8};
    roof_graph *graph = read_example("resnet50.onnx");
    roof_prediction *p = fx_predict(graph, "hailo-8", &eight);
    roof_explanation *e = explained(&(question){.hw = "hailo-8", .measured = {"1100fps"}}, graph, &eight);
    (void)state;
    assert_true(p->total.predicted_s > 0);
    assert_true(fabs(8 * e->numbers->expected.value / p->total.predicted_s - 1) < 1e-12);
    assert_true((e->numbers->others != NULL) == !isnan(e->numbers->others_s));
    roof_explanation_free(e);
    roof_prediction_free(p);
    roof_graph_free(graph);
}

/* Published times of an Orin Nano are of its 15 W mode; the faster one has them by the ratio of bounds. */
static void a_mode_without_times_has_those_of_another(void **state)
{
    roof_graph *graph = read_example("resnet50.onnx");
    roof_explanation *slow =
                         explained(&(question){.hw = "orin-nano-8gb-15w", .measured = {"5ms"}}, graph, NULL),
                     *fast = explained(&(question){.hw = "orin-nano-8gb", .measured = {"5ms"}}, graph, NULL);
    const double times = slow->numbers->expected.value / fast->numbers->expected.value;
    (void)state;
    assert_int_equal(slow->numbers->expected.kind, ROOF_EXPECTED);
    assert_int_equal(fast->numbers->expected.kind, ROOF_ABOUT);
    assert_non_null(strstr(fast->numbers->from, "orin-nano-8gb-15w"));
    assert_true(fabs(times - slow->numbers->bound_s / fast->numbers->bound_s) < 1e-9 && times > 1.4);
    roof_explanation_free(slow);
    roof_explanation_free(fast);
    roof_graph_free(graph);
}

/* A profile whose phases have 28 of 40 ms on the host needs no guess. */
static void phases_of_a_profile_tell_the_host(void **state)
{
    static roof_phase phases[] = {{"host", 28e-3, NULL, ROOF_PHASE_HOST},
                                  {"run", 11e-3, NULL, ROOF_PHASE_ACCELERATOR}};
    const roof_run run = {.phases = phases, .n_phases = 2, .total = {.mean_s = 40e-3}};
    const roof_explain_number number = {
        .measured = pace_of("40ms"), .published = pace_of("11ms"), .run = &run};
    const roof_explain_request requested = {.numbers = &number, .n_numbers = 1};
    roof_explanation *e = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_explain(&requested, &e, &err), ROOF_OK);
    assert_int_equal(e->causes->signature, ROOF_SIGNATURE_HOST_WORK);
    assert_true(e->causes->probability > ROOF_EXPLAIN_LIKELY);
    assert_string_equal(e->causes->amount_name, "phases of the host");
    roof_explanation_free(e);
}

static void nothing_to_hold_against_is_said(void **state)
{
    const roof_explain_number number = {.measured = pace_of("5ms"), .published = pace_of(NULL)};
    const roof_explain_request one = {.numbers = &number, .n_numbers = 1}, none = {.n_numbers = 0};
    roof_explanation *e = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_explain(&one, &e, &err), ROOF_E_USAGE);
    assert_non_null(strstr(err.what, "--published"));
    assert_int_equal(roof_explain(&none, &e, &err), ROOF_E_USAGE);
    assert_null(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ratios_are_those_of_the_questions),
                                       cmocka_unit_test(each_signature_is_found_where_its_cases_lie),
                                       cmocka_unit_test(probabilities_are_one_together_and_fall),
                                       cmocka_unit_test(two_numbers_tell_a_factor_from_a_constant),
                                       cmocka_unit_test(what_was_said_rules_out_or_favours),
                                       cmocka_unit_test(a_network_on_a_board_has_a_verdict),
                                       cmocka_unit_test(a_rate_with_threads_and_batch_has_a_latency),
                                       cmocka_unit_test(times_of_a_batch_are_those_of_an_image),
                                       cmocka_unit_test(another_input_is_larger_where_the_run_is_slower),
                                       cmocka_unit_test(a_mode_without_times_has_those_of_another),
                                       cmocka_unit_test(phases_of_a_profile_tell_the_host),
                                       cmocka_unit_test(nothing_to_hold_against_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
