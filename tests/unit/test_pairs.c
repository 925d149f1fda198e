/* Networks on boards: figures are those of each prediction, times of one kind are compared with one another,
 * and a document comes back as it was written. */
#include "model/documents/predictions_codec.h"
#include "reports/words/prediction_words.h"
#include "roofline/render.h"
#include "tests/support/memory_io.h"
#include "tests/unit/fixture.h"

static void figures_are_those_of_the_prediction(void **state)
{
    fx_net net = fx_open(xn_tiny(NULL, NULL), NULL);
    roof_prediction *p = fx_predict(net.graph, "kv260", NULL);
    const roof_pair pair = roof_pair_of(p);
    (void)state;
    assert_string_equal(pair.hardware, "kv260");
    assert_ptr_equal(pair.prediction, p);
    assert_true(pair.ideal_s == p->total.deployed.ideal_s && pair.best_s == roof_best_s(p));
    assert_true(pair.expected_s == p->total.predicted_s && pair.per_s == p->total.inferences_per_s);
    assert_string_equal(pair.unit, "inference");
    assert_string_equal(pair.bound, p->engines[p->total.deployed.bound]);
    assert_int_equal(pair.macs, p->total.macs);
    assert_int_equal(pair.memory_bytes, roof_traffic_total(&p->total.deployed.traffic));
    const double use = 2.0 * (double)p->total.array_macs / (pair.ideal_s * p->hardware.peak_ops_per_s);
    assert_true(fabs(pair.utilisation_ratio - use) < 1e-12 && use > 0);
    assert_int_equal(pair.layers, p->total.layers);
    assert_int_equal(pair.host_layers, 1);
    assert_string_equal(pair.host_rows[0]->type, "softmax");
    assert_null(pair.host_rows[1]);
    assert_int_equal(pair.basis, ROOF_BASIS_CODE);
    assert_false(pair.is_for_other);
    roof_prediction_free(p);
    fx_close(&net);
}

static void a_file_for_another_array_does_not_run_as_it_is(void **state)
{
    static const struct {
        const char *hw;
        bool is_for_other, is_estimate;
    } rows[] = {{"kv260", false, false}, {"b512", true, false}, {"npu2", true, true}};
    fx_net net = fx_open(xn_tiny(NULL, NULL), NULL);
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_prediction *p = fx_predict(net.graph, rows[i].hw, NULL);
        const roof_pair pair = roof_pair_of(p);
        assert_int_equal(pair.is_for_other, rows[i].is_for_other);
        assert_int_equal(pair.estimate_of != NULL, rows[i].is_estimate);
        roof_prediction_free(p);
    }
    fx_close(&net);
}

static void times_of_one_kind_are_compared(void **state)
{
    enum { MOST = 3 };
    static const struct {
        struct {
            double expected_ms, scheduled_ms, ideal_ms;
            const char *estimate_of;
        } pairs[MOST];
        uint32_t n;
        roof_pair_time want;
    } rows[] = {
        {{{3, 2, 1, NULL}, {4, 3, 2, NULL}}, 2, ROOF_PAIR_EXPECTED},
        {{{3, 2, 1, NULL}, {NAN, 3, 2, NULL}}, 2, ROOF_PAIR_BEST},
        {{{3, 2, 1, NULL}, {4, 3, 2, "a graph"}}, 2, ROOF_PAIR_BEST},
        {{{3, 2, 1, NULL}, {4, NAN, 2, NULL}}, 2, ROOF_PAIR_EXPECTED},
        {{{3, 2, 1, NULL}, {NAN, NAN, 2, NULL}}, 2, ROOF_PAIR_IDEAL},
        {{{3, 2, 1, NULL}, {NAN, NAN, NAN, NULL}}, 2, ROOF_PAIR_NONE},
        {{{NAN, NAN, NAN, NULL}}, 0, ROOF_PAIR_NONE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_prediction predictions[MOST] = {0};
        roof_pair pairs[MOST];
        const roof_pair *all[MOST];
        for (uint32_t k = 0; k < rows[i].n; k++) {
            predictions[k].schedule.scheduled_s = rows[i].pairs[k].scheduled_ms / 1e3;
            pairs[k] = (roof_pair){.prediction = &predictions[k],
                                   .expected_s = rows[i].pairs[k].expected_ms / 1e3,
                                   .best_s = rows[i].pairs[k].scheduled_ms / 1e3,
                                   .ideal_s = rows[i].pairs[k].ideal_ms / 1e3,
                                   .estimate_of = rows[i].pairs[k].estimate_of};
            all[k] = &pairs[k];
        }
        assert_int_equal(roof_pairs_time(all, rows[i].n), rows[i].want);
    }
}

/* ---- the document ---- */

static textbuf written(const roof_predictions *all)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    predictions_codec_write(all, &words_of_predictions, &text);
    assert_int_equal(text_status(&text, NULL), ROOF_OK);
    return text;
}

static roof_predictions *three_pairs(const roof_graph *graph)
{
    roof_predictions *all;
    assert_int_equal(roof_predictions_new(&all, NULL), ROOF_OK);
    assert_int_equal(
        roof_predictions_add(all, "nets/tiny.xmodel", "kv260", fx_predict(graph, "kv260", NULL), NULL, NULL),
        ROOF_OK);
    assert_int_equal(roof_predictions_add(all, "nets/a.txt", NULL, NULL, "nets/a.txt: is no model", NULL),
                     ROOF_OK);
    assert_int_equal(
        roof_predictions_add(all, NULL, "npu2", fx_predict(graph, "npu2", NULL), "left out", NULL), ROOF_OK);
    return all;
}

static void a_document_comes_back_as_it_was_written(void **state)
{
    fx_net net = fx_open(xn_tiny(NULL, NULL), NULL);
    roof_predictions *all = three_pairs(net.graph), *again = NULL;
    textbuf first = written(all);
    memory_source source = {first.bytes, first.length, 0};
    roof_error err = {0};
    (void)state;
    if (predictions_codec_read(memory_read_growing, &source, "p.json", &again, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_int_equal(again->n, 3);
    assert_string_equal(again->pairs[1].path, "nets/a.txt");
    assert_string_equal(again->pairs[1].model, "a.txt");
    assert_string_equal(again->pairs[1].why, "is no model");
    assert_null(again->pairs[1].prediction);
    assert_true(isnan(again->pairs[1].best_s) && again->pairs[1].macs == ROOF_UNKNOWN);
    assert_int_equal(again->pairs[1].layers, ROOF_NONE);
    assert_null(again->pairs[2].why);
    assert_string_equal(again->pairs[2].path, "");
    assert_true(again->pairs[2].is_for_other);
    assert_int_equal(again->pairs[0].host_layers, 1);
    textbuf second = written(again);
    assert_string_equal(second.bytes, first.bytes);
    text_free(&first);
    text_free(&second);
    roof_predictions_free(all);
    roof_predictions_free(again);
    fx_close(&net);
}

static void what_is_wrong_is_refused_with_its_place(void **state)
{
#define PAIR(members) "{\"schema\":\"roofline.predictions/1\",\"pairs\":[{" members "}]}"
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"{\"schema\":\"roofline.prediction/1\"}",
         "p.json: /schema: is \"roofline.prediction/1\", another "
         "kind of document; want \"roofline.predictions/1\" (line 1)"},
        {"{\"schema\":\"roofline.predictions/1\",\"pairs\":[]}",
         "p.json: /pairs: is empty, want at least one pair (line 1)"},
        {"{\"schema\":\"roofline.predictions/1\"}", "p.json: has no \"pairs\" (line 1)"},
        {PAIR("\"path\":\"a\""),
         "p.json: /pairs/0: has neither a prediction nor \"why\" there is none (line 1)"},
        {PAIR("\"path\":1"), "p.json: /pairs/0/path: found a number, want a string (line 1)"},
        {PAIR("\"why\":\"a\",\"why\":\"b\""), "p.json: /pairs/0/why: is there twice (line 1)"},
        {PAIR("\"prediction\":{\"layers\":[]}"),
         "p.json: /pairs/0/prediction: has no \"schema\", want \"roofline.prediction/1\" (line 1)"},
        {PAIR("\"prediction\":{\"schema\":\"roofline.prediction/1\",\"layers\":[{}]}"), NULL},
        {PAIR("\"prediction\":"), NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        memory_source source = {rows[i].text, strlen(rows[i].text), 0};
        roof_predictions *all = NULL;
        roof_error err = {0};
        assert_int_equal(predictions_codec_read(memory_read, &source, "p.json", &all, &err), ROOF_E_DATA);
        assert_null(all);
        if (rows[i].want)
            assert_string_equal(fx_message(&err), rows[i].want);
    }
#undef PAIR
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_the_prediction),
        cmocka_unit_test(a_file_for_another_array_does_not_run_as_it_is),
        cmocka_unit_test(times_of_one_kind_are_compared),
        cmocka_unit_test(a_document_comes_back_as_it_was_written),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
