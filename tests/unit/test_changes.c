/* What is asked beside a prediction, and what an expected time does then: other clocks, faster memories,
 * other data types, batches. */
#include "tests/unit/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static roof_graph *read_example(const char *name, const roof_workload *workload)
{
    char path[1024];
    roof_graph *graph = NULL;
    roof_error err = {0};
    snprintf(path, sizeof path, "%s/examples/%s", getenv("ROOFLINE_SOURCE_DIR"), name);
    if (roof_graph_read_as(path, workload, &graph, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return graph;
}

static void assert_close(const char *what, double got, double want, double ratio)
{
    if (!(fabs(got - want) <= ratio * fabs(want)))
        fail_msg("%s: %.9g, want %.9g", what, got, want);
}

/* ---- reading
 * --------------------------------------------------------------------------------------------- */

static void what_is_asked_is_told_apart(void **state)
{
    roof_what_if_request requested;
    (void)state;
    assert_int_equal(roof_what_if_parse("load=2,octoFlash=3,precision=i8,clock=0.5", &requested, NULL),
                     ROOF_OK);
    assert_true(requested.has_speedups && requested.has_changes);
    assert_close("load", requested.speedups.load, 2, 0);
    assert_close("clock", requested.speedups.clock, 0.5, 0);
    assert_int_equal(requested.changes.n_pools, 1);
    assert_string_equal(requested.changes.pools[0].pool, "octoFlash");
    assert_close("pool", requested.changes.pools[0].times, 3, 0);
    assert_string_equal(requested.changes.precision, "int8");
}

static void what_nobody_can_ask_is_refused(void **state)
{
    static const char *const refused[] = {"precision=int5",
                                          "precision=",
                                          "octoFlash",
                                          "octoFlash=0",
                                          "load=-1",
                                          "=2",
                                          "a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1",
                                          ""};
    roof_what_if_request requested;
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++)
        if (roof_what_if_parse(refused[i], &requested, NULL) != ROOF_E_USAGE)
            fail_msg("'%s' is taken", refused[i]);
}

/* ---- what is expected
 * ------------------------------------------------------------------------------------ */

static void an_expected_time_is_carried_to_another_clock(void **state)
{
    const roof_speedups faster = {.clock = 325.0 / 300};
    roof_graph *graph = read_example("models/mobilenetv2-b4096.xmodel", NULL),
               *quantised = read_example("models/mobilenetv2.onnx", NULL);
    roof_prediction *own = fx_predict(graph, "kv260", &(roof_predict_options){.what_if = &faster}),
                    *other = fx_predict(graph, "kv260", &(roof_predict_options){.clock_hz = 325e6}),
                    *line = fx_predict(graph, "base=kv260,clock=325MHz", NULL),
                    *slower = fx_predict(graph, "kv260", &(roof_predict_options){.clock_hz = 150e6}),
                    *fitted = fx_predict(quantised, "zcu102", &(roof_predict_options){.clock_hz = 300e6});
    (void)state;
    assert_close("as it is", own->total.predicted_s, 3.2704e-3, 1e-4);
    assert_true(own->schedule.what_ifs[0].is_asked);
    assert_close("--clock", other->total.predicted_s, own->schedule.what_ifs[0].expected_s, 1e-9);
    assert_close("base=", line->total.predicted_s, other->total.predicted_s, 1e-9);
    assert_close("cycles stay cycles", slower->total.predicted_s, 2 * own->total.predicted_s, 1e-9);
    assert_true(isnan(fitted->total.predicted_s));
    assert_non_null(strstr(fx_verdict(fitted, 0), "expected time only at the board's own clock and memory"));
    assert_int_equal(fx_count_findings(fitted, ROOF_FINDING_NOT_CARRIED), 1);
    roof_prediction_free(own);
    roof_prediction_free(other);
    roof_prediction_free(line);
    roof_prediction_free(slower);
    roof_prediction_free(fitted);
    roof_graph_free(quantised);
    roof_graph_free(graph);
}

static void rows_are_ranked_by_what_is_expected_and_sum_up(void **state)
{
    roof_graph *graph = read_example("models/mobilenetv2-b4096.xmodel", NULL);
    roof_prediction *p = fx_predict(graph, "kv260", NULL);
    double shares = roof_beside_layers_s(p) / p->total.predicted_s, path_s = 0;
    (void)state;
    assert_true(!roof_answer_is_bound(roof_rows_kind(p)));
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *l = &p->layers[i];
        shares += isnan(l->predicted_s) ? 0 : roof_layer_share_ratio(p, l);
        path_s += isnan(l->schedule.expected_path_s) ? 0 : l->schedule.expected_path_s;
        if (!isnan(l->predicted_s))
            assert_close("share", roof_layer_share_ratio(p, l), l->predicted_s / p->total.predicted_s, 1e-12);
    }
    assert_close("shares", shares, 1, 1e-9);
    assert_close("path", path_s, p->total.predicted_s, 1e-6);
    assert_close("rate", p->total.predicted_inferences_per_s, 1 / p->total.predicted_s, 1e-9);
    roof_prediction_free(p);
    roof_graph_free(graph);
}

static void no_rate_is_above_what_calls_allow(void **state)
{
    xm_model *model = xn_find_network("chain")->build(&(xn_config){.n_layers = 2}, NULL);
    fx_net net = fx_open(model, NULL);
    roof_prediction *p = fx_predict(net.graph, "kv260", NULL);
    (void)state;
    assert_true(roof_best_s(p) < p->hardware.launch_floor_s);
    assert_close("at most", p->total.inferences_per_s, 1 / p->hardware.launch_floor_s, 1e-12);
    assert_true(!(p->total.predicted_inferences_per_s > (1 + 1e-9) * p->total.inferences_per_s));
    assert_non_null(strstr(fx_verdict(p, 0), "since an empty launch takes 190 us"));
    roof_prediction_free(p);
    fx_close(&net);
    /* an entry that states a chain of calls as well: the sentence and the member are of one and the same */
    roof_product product;
    roof_graph *graph = NULL;
    assert_int_equal(roof_product_parse("64x64x64:bf16", &product, NULL), ROOF_OK);
    assert_int_equal(roof_graph_read_as(NULL, &(roof_workload){.product = &product}, &graph, NULL), ROOF_OK);
    p = fx_predict(graph, "npu2", NULL);
    assert_close("at most", p->total.inferences_per_s, 1 / p->hardware.launch_floor_s, 1e-12);
    assert_non_null(strstr(fx_verdict(p, 0), "since an empty launch takes 45 us"));
    roof_prediction_free(p);
    roof_graph_free(graph);
}

static void a_step_of_a_batch_reads_its_weights_once(void **state)
{
    const roof_workload decode = {.phase = ROOF_TEXT_DECODE, .context_tokens = 2048, .asks_text = true};
    roof_graph *graph = read_example("npu2/llama-3.2-1b.json", &decode);
    roof_prediction *one = fx_predict(graph, "npu2", NULL),
                    *four = fx_predict(graph, "npu2", &(roof_predict_options){.batch = 4});
    const roof_traffic *t = &one->total.deployed.traffic, *u = &four->total.deployed.traffic;
    (void)state;
    assert_int_equal(u->weights_bytes, t->weights_bytes);
    assert_int_equal(u->output_bytes, 4 * t->output_bytes);
    const double more_s = 3 * (double)(t->input_bytes + t->output_bytes) / 115.2e9; /* by the channels */
    assert_true(four->total.deployed.ideal_s < one->total.deployed.ideal_s + 1.001 * more_s);
    assert_true(isnan(four->total.predicted_s));
    assert_int_equal(fx_count_findings(four, ROOF_FINDING_NOT_OF_BATCH), 1);
    assert_non_null(strstr(four->language.expected.not_known, "no law of a batch"));
    assert_true(fabs(roof_beside_layers_s(one)) < 1e-9); /* rows are parts of the whole */
    assert_non_null(strstr(fx_verdict(one, 0), "attention runs on the CPU"));
    assert_string_equal(fx_verdict(one, 2), "Next: replace 'attention', which runs on the CPU.");
    roof_prediction_free(one);
    roof_prediction_free(four);
    roof_graph_free(graph);
}

/* ---- memories and data types
 * ----------------------------------------------------------------------------- */

static roof_status ask(const roof_graph *graph, const char *hw, const char *text, roof_prediction **out,
                       roof_error *err)
{
    roof_what_if_request requested;
    roof_hw *hardware = NULL;
    assert_int_equal(roof_what_if_parse(text, &requested, err), ROOF_OK);
    assert_int_equal(roof_hw_load(hw, &hardware, err), ROOF_OK);
    roof_status status =
        roof_predict(graph, hardware, &(roof_predict_options){.changes = &requested.changes}, out, err);
    roof_hw_free(hardware);
    return status;
}

static void a_faster_memory_is_predicted_anew(void **state)
{
    roof_graph *graph = read_example("stm32n6/network_c_info.json", NULL);
    roof_prediction *p = NULL,
                    *line = fx_predict(graph, "base=stm32n6,mempool.octoflash.bandwidth=800MB/s", NULL);
    roof_error err = {0};
    (void)state;
    assert_int_equal(ask(graph, "stm32n6", "octoflash=2", &p, &err), ROOF_OK);
    assert_true(p->alternatives[0].is_asked);
    assert_string_equal(p->alternatives[0].label, "octoflash x2");
    assert_close("ideal", p->alternatives[0].ideal_s, line->total.deployed.ideal_s, 1e-12);
    assert_true(p->alternatives[0].ideal_s < p->total.deployed.ideal_s);
    roof_prediction_free(p);
    assert_int_equal(ask(graph, "stm32n6", "octoFlsh=2", &p, &err), ROOF_E_USAGE);
    assert_non_null(strstr(err.what, "octoFlash"));
    assert_int_equal(ask(graph, "stm32n6", "precision=int16", &p, &err), ROOF_E_UNSUPPORTED);
    roof_prediction_free(line);
    roof_graph_free(graph);
}

static void another_data_type_has_the_rate_that_is_stated(void **state)
{
    roof_product product;
    roof_graph *graph = NULL, *other = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_product_parse("2048x2048x512:bf16", &product, NULL), ROOF_OK);
    assert_int_equal(roof_graph_read_as(NULL, &(roof_workload){.product = &product}, &graph, NULL), ROOF_OK);
    assert_int_equal(roof_product_parse("2048x2048x512:int8", &product, NULL), ROOF_OK);
    assert_int_equal(roof_graph_read_as(NULL, &(roof_workload){.product = &product}, &other, NULL), ROOF_OK);
    roof_prediction *want = fx_predict(other, "npu2", NULL);
    assert_int_equal(ask(graph, "npu2", "precision=int8", &p, &err), ROOF_OK);
    assert_close("int8", p->alternatives[0].ideal_s, want->total.deployed.ideal_s, 1e-12);
    roof_prediction_free(p);
    roof_prediction_free(want);
    roof_graph_free(graph);
    roof_graph_free(other);
    graph = read_example("models/mobilenetv2-b4096.xmodel", NULL);
    assert_int_equal(ask(graph, "kv260", "precision=int4", &p, &err), ROOF_E_UNSUPPORTED);
    assert_int_equal(ask(graph, "npu2", "precision=bf16", &p, &err),
                     ROOF_E_UNSUPPORTED); /* bytes of its code */
    roof_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked_is_told_apart),
        cmocka_unit_test(what_nobody_can_ask_is_refused),
        cmocka_unit_test(an_expected_time_is_carried_to_another_clock),
        cmocka_unit_test(rows_are_ranked_by_what_is_expected_and_sum_up),
        cmocka_unit_test(no_rate_is_above_what_calls_allow),
        cmocka_unit_test(a_step_of_a_batch_reads_its_weights_once),
        cmocka_unit_test(a_faster_memory_is_predicted_anew),
        cmocka_unit_test(another_data_type_has_the_rate_that_is_stated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
