/* Networks on boards: figures are those of each prediction, nothing is said that their ranges do not tell,
 * and a document comes back as it was written. */
#include "core/quantity.h"
#include "model/documents/documents.h"
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
    assert_true(pair.ideal_s == p->total.deployed.ideal_s &&
                pair.best_s == number_as_derived(roof_best_s(p)));
    assert_true(pair.expected_s == number_as_derived(p->total.predicted_s));
    assert_true(pair.per_s == number_as_derived(p->total.inferences_per_s));
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

static void a_pair_takes_what_is_known_of_it(void **state)
{
    static const roof_load_point load = {.fps = 10, .fps_low = 8, .fps_high = 12};
    static const struct {
        roof_pair pair;
        roof_answer_kind takes, makes;
        double low, high; /* of what it takes */
    } rows[] = {
        {{.expected_s = 3, .expected_ci95_s = {2, 4}, .best_s = 1, .expected_per_s = 2.0 / 3},
         ROOF_EXPECTED,
         ROOF_EXPECTED,
         2,
         4},
        {{.expected_s = NAN, .expected_ci95_s = {NAN, NAN}, .best_s = 1, .per_s = 1},
         ROOF_AT_LEAST,
         ROOF_AT_MOST,
         1,
         INFINITY},
        {{.expected_s = NAN, .expected_ci95_s = {NAN, NAN}, .best_s = NAN, .per_s = NAN},
         ROOF_NOT_KNOWN,
         ROOF_NOT_KNOWN,
         0,
         INFINITY},
        /* one time, and nobody counted how far an estimate errs */
        {{.expected_s = 3, .expected_ci95_s = {NAN, NAN}, .best_s = 1, .estimate_of = "a graph"},
         ROOF_EXPECTED,
         ROOF_NOT_KNOWN,
         0,
         INFINITY},
        /* a rate has the ends of its time: none */
        {{.expected_s = 3, .expected_ci95_s = {NAN, NAN}, .best_s = 1, .expected_per_s = 2},
         ROOF_EXPECTED,
         ROOF_EXPECTED,
         0,
         INFINITY},
        {{.expected_s = NAN, .expected_ci95_s = {NAN, NAN}, .best_s = 1, .estimate_of = "a graph"},
         ROOF_NOT_KNOWN,
         ROOF_NOT_KNOWN,
         0,
         INFINITY},
        /* of a load, too, what leaves out the host makes no more than that */
        {{.expected_s = 3, .expected_ci95_s = {2, 4}, .best_s = 1, .load = &load},
         ROOF_EXPECTED,
         ROOF_EXPECTED,
         2,
         4},
        {{.expected_s = 3, .expected_ci95_s = {2, 4}, .best_s = 1, .load = &load, .host_layers = 2},
         ROOF_EXPECTED,
         ROOF_AT_MOST,
         2,
         INFINITY},
        /* what the host runs is in none of the times, so that they have no upper end */
        {{.expected_s = 3, .expected_ci95_s = {2, 4}, .best_s = 1, .expected_per_s = 1, .host_layers = 2},
         ROOF_EXPECTED,
         ROOF_AT_MOST,
         2,
         INFINITY},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_answer takes = roof_pair_takes(&rows[i].pair), makes = roof_pair_makes(&rows[i].pair);
        double low, high;
        roof_answer_ends(&takes, &low, &high);
        if (takes.kind != rows[i].takes || makes.kind != rows[i].makes || low != rows[i].low ||
            high != rows[i].high)
            fail_msg("row %zu: kinds %d and %d, %g to %g", i, takes.kind, makes.kind, low, high);
    }
}

/* ---- several ---- */

#define TAKES(kind_, value_, low_, high_)                                                                    \
    {                                                                                                        \
        .kind = (kind_), .value = (value_), .low = (low_), .high = (high_), .unit = "s"                      \
    }

#define NONE  TAKES(ROOF_NOT_KNOWN, NAN, NAN, NAN)
#define FAST  TAKES(ROOF_EXPECTED, 1, 0.9, 1.1)
#define SLOW  TAKES(ROOF_EXPECTED, 3, 2.5, 3.5)
#define NEAR  TAKES(ROOF_EXPECTED, 1.1, 0.95, 1.3)
#define WIDE  TAKES(ROOF_EXPECTED, 2, 0.8, 5)
#define BOUND TAKES(ROOF_AT_LEAST, 0.1, NAN, NAN)
#define LATE  TAKES(ROOF_AT_LEAST, 20, NAN, NAN)

static void what_is_said_of_several_is_what_their_ranges_tell(void **state)
{
    static const struct {
        roof_answer takes[3];
        const char *types[3];
        uint32_t left_out[3], n;
        const char *want;
    } rows[] = {
        {{FAST}, {0}, {0}, 1, "a, expected 1 s (900 ms to 1.1 s)"},
        {{SLOW, FAST},
         {0},
         {0},
         2,
         "b is fastest, expected 1 s (900 ms to 1.1 s), 3 times as fast as a (2.44 to 3.62)"},
        {{FAST, NEAR},
         {0},
         {0},
         2,
         "which is faster is unknown: a expected 1 s (900 ms to 1.1 s) and b expected 1.1 s ("
         "950 ms "
         "to 1.3 s); the ratio of their times is 0.924 to 1.34"},
        {{WIDE, FAST},
         {0},
         {0},
         2,
         "which is faster is unknown: b expected 1 s (900 ms to 1.1 s) and a expected 2 s (800 "
         "ms to "
         "5 s); the ratio of their times is 0.796 to 5.03"},
        {{FAST, NEAR, WIDE},
         {0},
         {0},
         3,
         "which is fastest is unknown: a expected 1 s (900 ms to 1.1 s), b expected 1.1 s (950 "
         "ms to "
         "1.3 s) and c expected 2 s (800 ms to 5 s); by what is expected a and b, not distinguished, "
         "before c"},
        {{FAST, NEAR, FAST},
         {0},
         {0},
         3,
         "which is fastest is unknown: a expected 1 s (900 ms to 1.1 s), c expected 1 s (900 "
         "ms to 1.1 "
         "s) and b expected 1.1 s (950 ms to 1.3 s)"},
        {{FAST, BOUND},
         {0},
         {0},
         2,
         "which is faster is unknown: a expected 1 s (900 ms to 1.1 s) and b bound 100 ms; the "
         "bound of b says little, being so far below"},
        {{BOUND, LATE}, {0}, {0}, 2, "which is faster is unknown: a bound 100 ms and b bound 20 s"},
        {{FAST, LATE},
         {0},
         {0},
         2,
         "a is fastest, expected 1 s (900 ms to 1.1 s), at least 18.2 times as fast as b, by a bound"},
        {{FAST, NEAR, SLOW},
         {0},
         {0},
         3,
         "which is fastest is unknown: a expected 1 s (900 ms to 1.1 s) and b expected 1.1 s ("
         "950 ms "
         "to 1.3 s); the ratio of their times is 0.924 to 1.34; slower: c"},
        {{FAST, SLOW},
         {"int8", "tf32"},
         {0},
         2,
         "not comparable, data type int8 and tf32: a expected 1 s (900 ms to 1.1 s) and b expected 3 s "
         "("
         "2.5 s to 3.5 s)"},
        {{FAST, SLOW},
         {"int8", NULL},
         {0},
         2,
         "not comparable, data type int8 and not stated: a expected 1 s (900 ms to 1.1 s) and b "
         "expected 3 s "
         "(2.5 s to 3.5 s)"},
        {{FAST, NONE},
         {0},
         {0},
         2,
         "which is faster is unknown: a expected 1 s (900 ms to 1.1 s) and b not known"},
        /* operators of the host, in none of the times: alike they leave a part, else nobody is slower */
        {{FAST, SLOW},
         {0},
         {1, 1},
         2,
         "of the accelerator's part, a is fastest, expected 1 s (900 ms to 1.1 s), 3 times as fast as "
         "b (2.44 "
         "to 3.62)"},
        {{FAST, SLOW},
         {0},
         {2, 0},
         2,
         "which is faster is unknown: b expected 3 s (2.5 s to 3.5 s) and a expected 1 s (900 "
         "ms to "
         "1.1 s)"},
    };
    static const char *const names[] = {"a", "b", "c"};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_arena *arena = arena_new(0);
        contestant all[3];
        roof_answer_condition under[3];
        for (uint32_t k = 0; k < rows[i].n; k++) {
            all[k] = (contestant){.name = names[k],
                                  .takes = rows[i].takes[k],
                                  .makes = {.value = NAN, .low = NAN, .high = NAN}};
            all[k].takes.covers.left_out = rows[i].left_out[k];
            under[k] = (roof_answer_condition){"data type", rows[i].types[k]};
            all[k].takes.under = &under[k];
            all[k].takes.n_under = rows[i].types[k] != NULL;
        }
        assert_string_equal(answer_contest(arena, all, rows[i].n, false), rows[i].want);
        arena_free(arena);
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

static roof_predictions *three_pairs(const roof_graph *graph, bool keeps_figures_alone)
{
    roof_predictions *all;
    assert_int_equal(roof_predictions_new(&all, NULL), ROOF_OK);
    all->keeps_figures_alone = keeps_figures_alone;
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
    roof_predictions *all = three_pairs(net.graph, false), *again = NULL;
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

/* Texts of a pair are its own then: predictions are gone. */
static void figures_alone_make_the_same_table(void **state)
{
    fx_net net = fx_open(xn_tiny(NULL, NULL), NULL);
    const roof_render_options csv = {.format = "csv"};
    char *text[2];
    size_t length[2];
    roof_error err;
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        roof_predictions *all = three_pairs(net.graph, alone);
        assert_int_equal(all->owned == NULL, alone);
        assert_int_equal(roof_render_whole(all, &csv, &text[alone], &length[alone], &err), ROOF_OK);
        roof_predictions_free(all);
    }
    assert_string_equal(text[0], text[1]);
    assert_non_null(strstr(text[0], "softmax")); /* of the host's rows */
    free(text[0]);
    free(text[1]);
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
        cmocka_unit_test(figures_alone_make_the_same_table),
        cmocka_unit_test(a_file_for_another_array_does_not_run_as_it_is),
        cmocka_unit_test(a_pair_takes_what_is_known_of_it),
        cmocka_unit_test(what_is_said_of_several_is_what_their_ranges_tell),
        cmocka_unit_test(a_document_comes_back_as_it_was_written),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
