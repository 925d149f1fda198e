/* What an experiment says of a language model is what its prediction is of. */
#include "roofline/language.h"
#include "roofline/measured.h"
#include "tests/unit/fixture.h"

static roof_prediction *predict(const roof_experiment *e, const roof_predict_options *options)
{
    char path[1024];
    roof_prediction *p = NULL;
    roof_error err = {0};
    bool is_borrowed;
    snprintf(path, sizeof path, "%s/examples/npu2/llama-3.2-1b.json", getenv("ROOFLINE_SOURCE_DIR"));
    if (roof_experiment_predict(e, path, "npu2", options, &p, &is_borrowed, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return p;
}

static void a_prediction_is_of_the_weights_that_were_measured(void **state)
{
    roof_experiment wide = {.phase = ROOF_TEXT_DECODE, .context_tokens = 1024};
    roof_experiment narrow = wide;
    narrow.weight_type = "int4";
    roof_prediction *of_wide = predict(&wide, NULL), *of_narrow = predict(&narrow, NULL);
    (void)state;
    assert_true(of_narrow->total.deployed.ideal_s < 0.5 * of_wide->total.deployed.ideal_s);
    roof_prediction_free(of_wide);
    roof_prediction_free(of_narrow);
}

static void a_prediction_expects_what_the_stack_that_ran_does(void **state)
{
    static const struct {
        const char *stack, *requested;
        bool is_expected;
    } rows[] = {{NULL, NULL, true},
                {"mlir-air", NULL, true},
                {"no-such-stack", NULL, false},
                {"no-such-stack", "mlir-air", true}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_experiment e = {.phase = ROOF_TEXT_DECODE, .context_tokens = 2048, .stack = rows[i].stack};
        roof_prediction *p = predict(&e, &(roof_predict_options){.stack = rows[i].requested});
        if (!isnan(p->total.predicted_s) != rows[i].is_expected)
            fail_msg("row %zu: %g s are expected", i, p->total.predicted_s);
        roof_prediction_free(p);
    }
}

static void a_type_that_is_not_known_is_named(void **state)
{
    const roof_experiment e = {.phase = ROOF_TEXT_DECODE, .context_tokens = 7, .weight_type = "no-such-type"};
    char path[1024];
    roof_prediction *p = NULL;
    roof_error err = {0};
    bool is_borrowed;
    (void)state;
    snprintf(path, sizeof path, "%s/examples/npu2/llama-3.2-1b.json", getenv("ROOFLINE_SOURCE_DIR"));
    assert_int_equal(roof_experiment_predict(&e, path, "npu2", NULL, &p, &is_borrowed, &err), ROOF_E_USAGE);
    assert_non_null(strstr(fx_message(&err), "no-such-type"));
}

static void a_language_model_is_found_where_times_over_a_context_are(void **state)
{
    static const struct {
        roof_text_phase phase;
        const char *file;
        bool is_language, has_prediction, is_found;
    } rows[] = {
        {ROOF_TEXT_DECODE, "npu2/llama-3.2-1b.json", true, true, true},
        {ROOF_TEXT_UNSTATED, "npu2/llama-3.2-1b.json", true, true, false},
        {ROOF_TEXT_DECODE, "npu2/llama-3.2-1b.json", false, true, false},
        {ROOF_TEXT_DECODE, "npu2/llama-3.2-1b.json", true, false, false},
        {ROOF_TEXT_DECODE, "npu2/measured.json", true, true, false}, /* a document in place of a model */
        {ROOF_TEXT_DECODE, NULL, true, true, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_experiment e = {.phase = rows[i].phase};
        const roof_prediction p = {.is_language = rows[i].is_language};
        char path[1024];
        roof_graph *graph;
        roof_error err = {0};
        snprintf(path, sizeof path, "%s/examples/%s", getenv("ROOFLINE_SOURCE_DIR"),
                 rows[i].file ? rows[i].file : "");
        if (roof_experiment_language(&e, rows[i].file ? path : NULL, rows[i].has_prediction ? &p : NULL,
                                     &graph, &err) != ROOF_OK)
            fail_msg("row %zu: %s", i, fx_message(&err));
        if ((graph && roof_language_of(graph)) != rows[i].is_found)
            fail_msg("row %zu: found is %d", i, graph != NULL);
        roof_graph_free(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prediction_is_of_the_weights_that_were_measured),
        cmocka_unit_test(a_prediction_expects_what_the_stack_that_ran_does),
        cmocka_unit_test(a_type_that_is_not_known_is_named),
        cmocka_unit_test(a_language_model_is_found_where_times_over_a_context_are),
    };
    return cmocka_run_group_tests_name("experiment_prediction", tests, NULL, NULL);
}
