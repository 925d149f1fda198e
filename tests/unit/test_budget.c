/* Budgets as they are read, what is kept and what is not, and the two formats of continuous integration by
 * their readers' rules. */
#include "measure/compare/budget_codec.h"
#include "roofline/render.h"
#include "core/json/jsontree.h"
#include "tests/unit/profile_fixture.h"

#include <math.h>

#define BUDGET(members) "{\"schema\":\"roofline.budget/1\"," members "}"
#define DOCUMENT(name, runs)                                                                                 \
    "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"" name                      \
    "\"},\"runs\":[" runs "]}]}"
#define SAMPLES "\"total\":{\"samples_s\":[0.010,0.011,0.012,0.013,0.014]}"
#define BYPASS  DOCUMENT("net", "{\"mode\":\"bypass\"," SAMPLES ",\"read_bytes\":1000,\"write_bytes\":500}")
#define SLOWER                                                                                               \
    DOCUMENT("net", "{\"mode\":\"bypass\",\"total\":{\"samples_s\":[0.020,0.021,0.022,0.023,0.024]}}")

/* Thirty samples of about a: "0.0100" and two more digits, in two orders. */
#define TEN(a)       a "01," a "02," a "04," a "03," a "05," a "01," a "03," a "02," a "05," a "04"
#define OTHER(a)     a "03," a "01," a "05," a "02," a "04," a "02," a "05," a "01," a "03," a "04"
#define THIRTY(a)    "\"samples_s\":[" TEN(a) "," OTHER(a) "," TEN(a) "]"
#define AGAIN(a)     "\"samples_s\":[" OTHER(a) "," TEN(a) "," OTHER(a) "]"
#define TIMED(times) DOCUMENT("net", "{\"mode\":\"bypass\",\"total\":{" times "}}")
#define LAYERED(name, times)                                                                                 \
    DOCUMENT("net", "{\"mode\":\"per_layer\",\"total\":{" AGAIN("0.0100") "},\"layers\":[{\"name\":\"" name  \
                                                                          "\"," times "}]}")
#define AGAINST "\"baseline\":{\"file\":\"old.json\"}"

static roof_status read(const char *json, roof_budget **out, roof_error *err)
{
    return budget_codec_parse(json, strlen(json), "folder/budget.json", out, err);
}

typedef struct held {
    roof_budget *budget;
    roof_measured *m, *before;
    roof_reconciliation *r, *r_before;
    roof_comparison *comparison;
    roof_checks *checks;
} held;

static roof_reconciliation *reconcile(const roof_measured *m)
{
    roof_reconciliation *r = NULL;
    roof_error err;
    if (roof_reconcile(m, NULL, NULL, &r, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return r;
}

/* before NULL: no baseline is given. */
static held hold(const char *budget, const char *profile, const char *before)
{
    held h = {.m = pf_read(profile), .before = before ? pf_read(before) : NULL};
    roof_error err;
    h.r = reconcile(h.m);
    roof_compare_side subject = {.name = "profile.json", .measured = h.r, .hardware = "kv260"};
    roof_status status = read(budget, &h.budget, &err);
    if (status == ROOF_OK && before) {
        h.r_before = reconcile(h.before);
        status = roof_compare(
            &(roof_compare_side){.name = "old.json", .measured = h.r_before, .hardware = "kv260"}, &subject,
            &h.comparison, &err);
    }
    if (status == ROOF_OK)
        status = roof_budget_check(h.budget, &subject, h.comparison, &h.checks, &err);
    if (status != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return h;
}

static void forget(held *h)
{
    roof_checks_free(h->checks);
    roof_comparison_free(h->comparison);
    roof_reconciliation_free(h->r);
    roof_reconciliation_free(h->r_before);
    roof_measured_free(h->m);
    roof_measured_free(h->before);
    roof_budget_free(h->budget);
}

static void budgets_that_limit_nothing_or_slip_are_refused(void **state)
{
    static const struct {
        const char *json, *fault; /* NULL: it is read */
    } rows[] = {
        {BUDGET("\"total\":{\"p99_s\":0.0333}"), NULL},
        {BUDGET("\"baseline\":{\"file\":\"old.json\"}"), NULL},
        {BUDGET("\"types\":{\"conv\":{\"efficiency_ratio\":0.5}},\"optional\":[\"conv\"]"), NULL},
        {"{\"total\":{\"p99_s\":1}}", "has no \"schema\""},
        {"{\"schema\":\"roofline.budget/1\"}", "sets no limit"},
        {BUDGET("\"total\":{}"), "sets no limit"},
        {BUDGET("\"total\":{\"p99\":1}"), "'p99' is no member of \"total\"; did you mean p99_s?"},
        {BUDGET("\"totals\":{\"p99_s\":1}"), "'totals' is no member of a budget; did you mean total?"},
        {BUDGET("\"total\":{\"p99_s\":-1}"), "found -1, want 0 or more"},
        {BUDGET("\"total\":{\"p98_s\":null}"), "'p98_s' is no member of \"total\""},
        {BUDGET("\"types\":{\"conv\":{\"efficiency\":0.5}}"), "'efficiency' is no member of a layer type"},
        {BUDGET("\"total\":{\"p99_s\":1},\"total\":{}"), "the key 'total' is there twice"},
        {BUDGET("\"total\":{\"p99_s\":1},\"optional\":[null]"), "found null, want a string"},
        {"null", "found null, want an object"},
        {"{\"schema\":\"roofline.budget/2\"}",
         "want \"roofline.budget/1\"; another version of roofline wrote it"},
        {"{\"schema\":\"roofline.measured/1\"}", "another kind of document; want \"roofline.budget/1\""},
        {BUDGET("\"total\":{\"p99_s\":\"33 ms\",\"total_bytes\":\"4 MB\",\"energy_j\":\"5 J\"}"), NULL},
        {BUDGET("\"memory\":{\"ram\":\"40KiB\"}"), NULL},
        {BUDGET("\"total\":{\"p99_s\":\"33\"}"), "'33' has no unit"},
        {BUDGET("\"total\":{\"p99_s\":\"33 MB\"}"), "33 MB"},
        {BUDGET("\"total\":{\"cov_ratio\":\"5 %\"}"), "found the string \"5 %\""},
        {BUDGET("\"types\":{\"conv\":{}}"), "has no efficiency_ratio"},
        {BUDGET("\"baseline\":{\"factor\":1.1}"), "has no file"},
        {BUDGET("\"advice\":{\"max_gain_percent\":5},\"optional\":[\"advice\"]"), NULL},
        {BUDGET("\"advice\":{}"), "has no max_gain_percent"},
        {BUDGET("\"advice\":{\"max_gain\":5}"), "'max_gain' is no member of \"advice\""},
        {BUDGET("\"advice\":{\"max_gain_percent\":101}"), "101"},
        {BUDGET("\"baseline\":{\"file\":\"a\",\"factor\":0.9}"), NULL},
        {BUDGET("\"baseline\":{\"file\":\"a\",\"factor\":0}"),
         "factor of the baseline is 0, want more than 0"},
        {BUDGET("\"baseline\":{\"file\":\"a\",\"not_known\":\"pass\"}"), NULL},
        {BUDGET("\"baseline\":{\"file\":\"a\",\"not_known\":\"ok\"}"), "is 'ok', want \"fail\" or \"pass\""},
        {BUDGET("\"types\":{\"conv\":{\"efficiency_ratio\":50}}"), "is 50, want at most 1: 50 % is 0.5"},
        {BUDGET("\"models\":{\"net\":{\"mean_s\":0.1}},\"optional\":[\"mean_s\"]"), NULL},
        {BUDGET("\"models\":{\"net\":{\"mean\":0.1}}"), "'mean' is no member of a model"},
        {BUDGET("\"models\":{\"net\":{}}"), "sets no limit of its own"},
        {BUDGET("\"steps\":{\"host_s\":0.1}"), NULL},
        {BUDGET("\"steps\":{\"host\":0.1}"), "is no step, want a name that ends with _s"},
        {BUDGET("\"total\":{\"p99_s\":1},\"optional\":[\"p95_s\"]"), "names 'p95_s', which is no limit"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_budget *budget = NULL;
        roof_error err = {0};
        roof_status status = read(rows[i].json, &budget, &err);
        if (status != (rows[i].fault ? ROOF_E_DATA : ROOF_OK) ||
            (rows[i].fault && !strstr(err.what, rows[i].fault)))
            fail_msg("%s: %s", rows[i].json, status == ROOF_OK ? "is read" : fx_message(&err));
        roof_budget_free(budget);
    }
    roof_budget *budget = NULL;
    assert_int_equal(read(rows[1].json, &budget, NULL), ROOF_OK);
    assert_string_equal(budget->baseline.path, "folder/old.json");
    roof_budget_free(budget);
}

static void limits_are_kept_broken_or_not_known(void **state)
{
    static const struct {
        const char *budget, *profile, *before, *name;
        roof_held state;
        double found;
        const char *why;
    } rows[] = {
        {"\"total\":{\"mean_s\":0.014}", BYPASS, NULL, "mean", ROOF_HELD_KEPT, 0.012, "of 5 inferences"},
        {"\"total\":{\"mean_s\":0.012}", BYPASS, NULL, "mean", ROOF_HELD_NOT_KNOWN, 0.012,
         "mean of 5 inferences, 95 % 10.04 ms to 13.96 ms: the limit lies between"}, /* of five */
        {"\"total\":{\"mean_s\":0.01}", BYPASS, NULL, "mean", ROOF_HELD_BROKEN, 0.012, "of 5 inferences"},
        {"\"total\":{\"mean_s\":0.011}", TIMED("\"mean_s\":0.0099,\"std_s\":0.005,\"count\":4"), NULL, "mean",
         ROOF_HELD_NOT_KNOWN, 0.0099,
         "mean of 4 inferences, 95 % 1.944 ms to 17.86 ms: the limit lies between"},
        {"\"total\":{\"mean_s\":0.011}", TIMED("\"mean_s\":0.0099,\"std_s\":0.005,\"count\":30"), NULL,
         "mean", ROOF_HELD_KEPT, 0.0099, "of 30 inferences"},
        {"\"total\":{\"mean_s\":0.011}", TIMED("\"mean_s\":0.0099,\"std_s\":0.0005,\"count\":4"), NULL,
         "mean", ROOF_HELD_KEPT, 0.0099, "of 4 inferences"},
        {"\"total\":{\"p50_s\":0.011}", BYPASS, NULL, "p50", ROOF_HELD_BROKEN, 0.012, "of 5 inferences"},
        {"\"total\":{\"p95_s\":0.0139}", BYPASS, NULL, "p95", ROOF_HELD_NOT_KNOWN, NAN,
         "20 inferences are needed, the p95 of 5 is no more than their slowest"},
        {"\"total\":{\"p95_s\":0.0101}", TIMED(THIRTY("0.0100")), NULL, "p95", ROOF_HELD_KEPT, 0.010005,
         "of 30 inferences"},
        {"\"total\":{\"p99_s\":0.0101}", TIMED(THIRTY("0.0100")), NULL, "p99", ROOF_HELD_NOT_KNOWN, NAN,
         "100 inferences are needed, the p99 of 30 is no more than their slowest"},
        {"\"total\":{\"p99_s\":1}", TIMED("\"mean_s\":0.01,\"p99_s\":0.02,\"count\":5"), NULL, "p99",
         ROOF_HELD_NOT_KNOWN, NAN, "100 inferences are needed, the p99 of 5 is no more than their slowest"},
        {"\"total\":{\"p99_s\":1}", TIMED("\"mean_s\":0.01,\"p99_s\":0.02,\"count\":100"), NULL, "p99",
         ROOF_HELD_KEPT, 0.02, "of 100 inferences"},
        {"\"total\":{\"mean_s\":1}", TIMED("\"samples_s\":[0,0.01,0.01]"), NULL, "mean", ROOF_HELD_NOT_KNOWN,
         NAN, "an inference of 0 s is none; use a finer clock"},
        {"\"total\":{\"mean_s\":1}", TIMED("\"mean_s\":0"), NULL, "mean", ROOF_HELD_NOT_KNOWN, NAN,
         "an inference of 0 s is none; use a finer clock"},
        {"\"total\":{\"p99_s\":0.0139}", BYPASS, NULL, "p99", ROOF_HELD_BROKEN, 0.01396, "of 5 inferences"},
        {"\"total\":{\"worst_s\":0.014}", BYPASS, NULL, "worst", ROOF_HELD_KEPT, 0.014, "of 5 inferences"},
        {"\"total\":{\"deadline_s\":0.0135}", BYPASS, NULL, "deadline", ROOF_HELD_BROKEN, 0.014,
         "1 of 5 inferences are later"},
        {"\"total\":{\"total_bytes\":1500}", BYPASS, NULL, "bytes", ROOF_HELD_KEPT, 1500, "counted"},
        {"\"total\":{\"total_bytes\":1499}", BYPASS, NULL, "bytes", ROOF_HELD_BROKEN, 1500, "counted"},
        {"\"total\":{\"best_s\":1}", BYPASS, NULL, "at best", ROOF_HELD_NOT_KNOWN, NAN,
         "the model is unknown; name it with --model"},
        {"\"total\":{\"best_s\":1},\"optional\":[\"best_s\"]", BYPASS, NULL, "at best", ROOF_HELD_SKIPPED,
         NAN, "the model is unknown; name it with --model"},
        {"\"total\":{\"p99_s\":1}", DOCUMENT("net", "{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.01}}"),
         NULL, "p99", ROOF_HELD_NOT_KNOWN, NAN, "the profile has neither samples nor this figure"},
        {"\"total\":{\"p99_s\":0.02}",
         DOCUMENT("net", "{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.01,\"max_s\":0.02}}"), NULL, "p99",
         ROOF_HELD_KEPT, 0.02, "the slowest inference, which bounds it"},
        {"\"total\":{\"p99_s\":0.019}",
         DOCUMENT("net", "{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.01,\"max_s\":0.02}}"), NULL, "p99",
         ROOF_HELD_NOT_KNOWN, NAN, "the profile has neither samples nor this figure"},
        {"\"types\":{\"conv\":{\"efficiency_ratio\":0.1}}", BYPASS, NULL, "conv efficiency",
         ROOF_HELD_NOT_KNOWN, NAN, "no layer of this kind was measured"},
        {"\"baseline\":{\"file\":\"old.json\",\"factor\":1.1}", SLOWER, BYPASS, "deployed against old.json",
         ROOF_HELD_BROKEN, 11 / 6.0, "typical inference beyond noise, 95 % 1.538 to 2.200"},
        {"\"baseline\":{\"file\":\"old.json\",\"factor\":2}", SLOWER, BYPASS, "deployed against old.json",
         ROOF_HELD_NOT_KNOWN, 11 / 6.0, "30 samples of each are needed, 5 and 5 cannot tell"},
        {AGAINST, BYPASS, SLOWER, "deployed against old.json", ROOF_HELD_NOT_KNOWN, 6 / 11.0,
         "30 samples of each are needed, 5 and 5 cannot tell"},
        {AGAINST, TIMED(THIRTY("0.0100")), TIMED(AGAIN("0.0100")), "deployed against old.json",
         ROOF_HELD_KEPT, 1, "no slowdown beyond noise: typical inference, mean and P88, 95 % up to 1.000"},
        {AGAINST, TIMED(THIRTY("0.0100")), TIMED(THIRTY("0.0100")), "deployed against old.json",
         ROOF_HELD_NOT_KNOWN, 1, "both have the same samples: it is one measurement; give two"},
        {"\"baseline\":{\"file\":\"old.json\",\"factor\":1.05}", TIMED(THIRTY("0.0110")),
         TIMED(AGAIN("0.0100")), "deployed against old.json", ROOF_HELD_BROKEN, 1.1,
         "typical inference, mean, P88 beyond noise, 95 % 1.100 to 1.100"},
        {"\"baseline\":{\"file\":\"old.json\",\"factor\":1.2}", TIMED(THIRTY("0.0110")),
         TIMED(AGAIN("0.0100")), "deployed against old.json", ROOF_HELD_KEPT, 1.1,
         "typical inference, mean and P88, 95 % up to 1.100"},
        {AGAINST, TIMED(THIRTY("0.0050")), TIMED(AGAIN("0.0100")), "deployed against old.json",
         ROOF_HELD_KEPT, 0.5, "no slowdown beyond noise: typical inference, mean and P88, 95 % up to 0.500"},
        {AGAINST, TIMED("\"mean_s\":0.01,\"std_s\":0.0001,\"count\":100"), TIMED(AGAIN("0.0100")),
         "deployed against old.json", ROOF_HELD_KEPT, 1,
         "no slowdown beyond noise: the mean alone, 95 % up to 1.002; without samples the tail is unknown"},
        {AGAINST, TIMED("\"mean_s\":0.01,\"std_s\":0.0001,\"count\":5"), TIMED(AGAIN("0.0100")),
         "deployed against old.json", ROOF_HELD_NOT_KNOWN, 1,
         "30 samples of each are needed, 30 and 5 cannot tell"},
        {AGAINST, TIMED("\"mean_s\":0.1"), BYPASS, "deployed against old.json", ROOF_HELD_NOT_KNOWN, NAN,
         "neither samples nor mean, deviation and count on both sides"},
        {AGAINST, TIMED("\"samples_s\":[0,0,0,0,0]"), BYPASS, "deployed against old.json",
         ROOF_HELD_NOT_KNOWN, NAN, "5 samples are 0 s, which nothing takes; use a finer clock"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char budget[400];
        snprintf(budget, sizeof budget, BUDGET("%s"), rows[i].budget);
        held h = hold(budget, rows[i].profile, rows[i].before);
        const roof_check *c = h.checks->items;
        bool differs = !isnan(rows[i].found) && !(fabs(c->found - rows[i].found) <= 1e-3 * rows[i].found);
        if (h.checks->n != 1 || strcmp(c->name, rows[i].name) != 0 || c->state != rows[i].state || differs ||
            strcmp(c->why, rows[i].why) != 0)
            fail_msg("%s: %s is %s, found %.9g (%s)", rows[i].budget, c->name, roof_held_text(c->state),
                     c->found, c->why);
        assert_int_equal(roof_checks_failed(h.checks),
                         c->state == ROOF_HELD_BROKEN || c->state == ROOF_HELD_NOT_KNOWN);
        forget(&h);
    }
}

#define MEASURED(members) DOCUMENT("net", "{\"mode\":\"bypass\"," members "}")
#define PHASED(part)                                                                                         \
    "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\",\"phase\":\"" part    \
    "\"},\"runs\":[{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.05}}]}]}"
#define RANGE(low, high, n) "\"mean_s\":" low ",\"min_s\":" low ",\"max_s\":" high ",\"count\":" n

static void energy_jitter_phases_steps_models_and_slips_of_units_are_limits(void **state)
{
    static const struct {
        const char *budget, *profile, *before, *name;
        roof_held state;
        const char *why;
    } rows[] = {
        {"\"total\":{\"mean_s\":12.5}", BYPASS, NULL, "mean", ROOF_HELD_NOT_KNOWN,
         "the limit is 1042 times that, so nothing breaks it: write 12.5ms, or less than 100 times "
         "that"}, /* milliseconds */
        {"\"total\":{\"mean_s\":0.1}", BYPASS, NULL, "mean", ROOF_HELD_KEPT, "of 5 inferences"},
        {"\"total\":{\"energy_j\":0.06}", MEASURED(SAMPLES ",\"energy_j\":0.05"), NULL, "energy",
         ROOF_HELD_KEPT, "of an inference; what it covers is not stated"},
        {"\"total\":{\"energy_j\":0.04}", MEASURED(SAMPLES ",\"energy_j\":0.05"), NULL, "energy",
         ROOF_HELD_BROKEN, "of an inference; what it covers is not stated"},
        {"\"total\":{\"energy_j\":0.04}", BYPASS, NULL, "energy", ROOF_HELD_NOT_KNOWN,
         "the profile has neither energy nor power; roofline import --power adds a meter's"},
        {"\"total\":{\"power_w\":5}", MEASURED(SAMPLES ",\"power_w\":6"), NULL, "power", ROOF_HELD_BROKEN,
         "of an inference; what it covers is not stated"},
        {"\"total\":{\"cov_ratio\":0.2}", BYPASS, NULL, "CoV", ROOF_HELD_KEPT, "of 5 inferences"},
        {"\"total\":{\"cov_ratio\":0.1}", BYPASS, NULL, "CoV", ROOF_HELD_BROKEN, "of 5 inferences"},
        {"\"total\":{\"cov_ratio\":0.1}", TIMED("\"mean_s\":0.01"), NULL, "CoV", ROOF_HELD_NOT_KNOWN,
         "the profile has neither samples nor this figure"},
        {"\"total\":{\"p99_per_p50_ratio\":1.5}", BYPASS, NULL, "p99 / p50", ROOF_HELD_NOT_KNOWN,
         "100 inferences are needed, there are 5"}, /* of 5 */
        {"\"total\":{\"p99_per_p50_ratio\":1.5}",
         TIMED("\"mean_s\":0.01,\"median_s\":0.01,\"p99_s\":0.02,\"count\":200"), NULL, "p99 / p50",
         ROOF_HELD_BROKEN, "of 200 inferences"},
        {"\"total\":{\"ttft_s\":0.06}", PHASED("prefill"), NULL, "TTFT", ROOF_HELD_KEPT,
         "as the profile states it"},
        {"\"total\":{\"tpot_s\":0.04}", PHASED("decode"), NULL, "TPOT", ROOF_HELD_BROKEN,
         "as the profile states it"},
        {"\"total\":{\"tpot_s\":0.04}", PHASED("prefill"), NULL, "TPOT", ROOF_HELD_NOT_KNOWN,
         "nothing was measured in the phase decode"},
        {"\"steps\":{\"host_s\":0.001}", MEASURED(SAMPLES ",\"phases\":{\"host_s\":0.002}"), NULL,
         "step host", ROOF_HELD_BROKEN, "of an inference, mean"},
        {"\"steps\":{\"read_s\":0.001}", MEASURED(SAMPLES ",\"phases\":{\"host_s\":0.002}"), NULL,
         "step read", ROOF_HELD_NOT_KNOWN, "there is no such step; there are host_s"},
        {"\"steps\":{\"read_s\":0.001}", MEASURED(SAMPLES ",\"phases\":{\"host_s\":0.002,\"write_s\":0.003}"),
         NULL, "step read", ROOF_HELD_NOT_KNOWN, "there is no such step; there are host_s, write_s"},
        {"\"steps\":{\"read_s\":0.001}", BYPASS, NULL, "step read", ROOF_HELD_NOT_KNOWN,
         "the profile does not state the steps of an inference"},
        {"\"models\":{\"net\":{\"mean_s\":0.01}}", BYPASS, NULL, "mean", ROOF_HELD_BROKEN, "of 5 inferences"},
        {"\"models\":{\"other\":{\"mean_s\":0.011}}", BYPASS, NULL, "mean_s", ROOF_HELD_NOT_KNOWN,
         "no model of this name is in what is checked"},
        {AGAINST, TIMED(RANGE("0.0099", "0.0101", "500")), TIMED(RANGE("0.0199", "0.0201", "500")),
         "deployed against old.json", ROOF_HELD_KEPT,
         "by minimum and maximum: any two inferences have a ratio of 0.493 to 0.508"},
        {AGAINST, TIMED(RANGE("0.0199", "0.0201", "500")), TIMED(RANGE("0.0099", "0.0101", "500")),
         "deployed against old.json", ROOF_HELD_BROKEN,
         "by minimum and maximum: any two inferences have a ratio of 1.970 to 2.030"},
        {AGAINST, TIMED(RANGE("0.0199", "0.0201", "2")), TIMED(RANGE("0.0099", "0.0101", "2")),
         "deployed against old.json", ROOF_HELD_NOT_KNOWN,
         "minimum and maximum alone, and these overlap; keep the time of each inference"}, /* by chance, once in three */
        {AGAINST, TIMED(RANGE("0.0099", "0.0201", "500")), TIMED(RANGE("0.0099", "0.0101", "500")),
         "deployed against old.json", ROOF_HELD_NOT_KNOWN,
         "minimum and maximum alone, and these overlap; keep the time of each inference"},
        {"\"baseline\":{\"file\":\"old.json\",\"not_known\":\"pass\"}",
         TIMED(RANGE("0.0099", "0.0201", "500")), TIMED(RANGE("0.0099", "0.0101", "500")),
         "deployed against old.json", ROOF_HELD_SKIPPED,
         "minimum and maximum alone, and these overlap; keep the time of each inference"},
        {"\"baseline\":{\"file\":\"old.json\",\"factor\":0.9}", TIMED(RANGE("0.0098", "0.0101", "500")),
         TIMED(RANGE("0.0099", "0.0102", "500")), "deployed against old.json", ROOF_HELD_BROKEN,
         "by minimum and maximum: any two inferences have a ratio of 0.961 to 1.020"},
        {"\"baseline\":{\"file\":\"old.json\",\"factor\":0.9}", TIMED(AGAIN("0.0080")),
         TIMED(THIRTY("0.0100")), "deployed against old.json", ROOF_HELD_KEPT,
         "the improvement is reached: typical inference, 95 % 0.800 to 0.800"},
        {"\"baseline\":{\"file\":\"old.json\",\"factor\":0.9}", TIMED(AGAIN("0.0099")),
         TIMED(THIRTY("0.0100")), "deployed against old.json", ROOF_HELD_BROKEN,
         "the improvement is not reached: typical inference, 95 % 0.990 to 0.990"},
        {AGAINST, TIMED(AGAIN("0.0001")), TIMED(THIRTY("0.0100")), "deployed against old.json",
         ROOF_HELD_NOT_KNOWN, "97 times as fast as the baseline: a slip of units, or other work"},
        {"\"baseline\":{\"file\":\"old.json\",\"factor\":0.9}", TIMED(AGAIN("0.008")), TIMED(THIRTY("0.010")),
         "deployed against old.json", ROOF_HELD_KEPT,
         "the improvement is reached: typical inference, 95 % 0.800 to 0.801"},
        {"\"baseline\":{\"file\":\"old.json\",\"factor\":0.9}", TIMED(AGAIN("0.01")), TIMED(THIRTY("0.01")),
         "deployed against old.json", ROOF_HELD_BROKEN,
         "the improvement is not reached: typical inference, 95 % 0.990 to 1.010"},
        {"\"baseline\":{\"file\":\"old.json\",\"factor\":1.2}", TIMED(AGAIN("0.01")), TIMED(THIRTY("0.01")),
         "deployed against old.json", ROOF_HELD_KEPT, "typical inference, mean and P88, 95 % up to 1.010"},
        {"\"baseline\":{\"file\":\"old.json\",\"factor\":0.9}", TIMED("\"samples_s\":[0.008,0.0081,0.0079]"),
         TIMED(THIRTY("0.0100")), "deployed against old.json", ROOF_HELD_NOT_KNOWN,
         "30 samples of each are needed, 30 and 3 cannot tell"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char budget[400];
        snprintf(budget, sizeof budget, BUDGET("%s"), rows[i].budget);
        held h = hold(budget, rows[i].profile, rows[i].before);
        const roof_check *c = h.checks->items;
        if (h.checks->n != 1 || strcmp(c->name, rows[i].name) != 0 || c->state != rows[i].state ||
            strcmp(c->why, rows[i].why) != 0)
            fail_msg("%zu, %s: %u checks, %s is %s, found %.9g (%s)", i, rows[i].budget, h.checks->n, c->name,
                     roof_held_text(c->state), c->found, c->why);
        forget(&h);
    }
}

/* Whatever of a limit is missing, the limit is there: its checks, in their order. */
static void no_limit_of_a_baseline_vanishes(void **state)
{
    static const char both[] =
        "{\"schema\":\"roofline.measured/"
        "1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":[{\"mode\":\"bypass\","
        "\"total\":{" THIRTY("0.0100") "}},{\"mode\":\"per_layer\",\"total\":{" THIRTY(
            "0.0100") "},\"layers\":[{\"name\":"
                      "\"a\"," THIRTY("0.0030") "}]}]},{\"model\":{\"name\":\"more\"},\"runs\":[{\"mode\":"
                                                "\"bypass\",\"total\":{" THIRTY("0.0100") "}}]}]}";
    static const struct {
        const char *what, *profile, *before, *checks; /* "net: deployed kept, why; ..." */
    } rows[] = {
        {"all is there", LAYERED("a", AGAIN("0.0030")), LAYERED("a", THIRTY("0.0030")),
         "net: per-layer run against old.json not known, both have the same samples: it is one measurement; "
         "give two; "
         "net: per-layer run, layers against old.json kept, of 1 layer, the slowest 'a'; "},
        {"a slower layer of another name", LAYERED("b", AGAIN("0.0150")), LAYERED("a", THIRTY("0.0030")),
         "net: per-layer run against old.json not known, both have the same samples: it is one measurement; "
         "give two; "
         "net: per-layer run, layers against old.json not known, 2 only on one side, such as 'a'; "},
        {"a slower layer", LAYERED("a", AGAIN("0.0150")), LAYERED("a", THIRTY("0.0030")),
         "net: per-layer run against old.json not known, both have the same samples: it is one measurement; "
         "give two; "
         "net: per-layer run, layers against old.json broken, 1 slower beyond noise, the most 'a'; "},
        {"no rows", TIMED(AGAIN("0.0100")), TIMED(THIRTY("0.0100")),
         "net: deployed against old.json kept, typical inference, mean and P88, 95 % up to 1.000; "
         "net: layers against old.json not known, no run of both has layers; "},
        {"a mode and a model are gone", TIMED(AGAIN("0.0100")), both,
         "net: deployed against old.json kept, typical inference, mean and P88, 95 % up to 1.000; "
         "net: per-layer run against old.json not known, the baseline has such a run, what is checked has "
         "none; "
         "net: layers against old.json not known, no run of both has layers; "
         "more: deployed against old.json not known, the baseline has such a run, what is checked has "
         "none; "},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char got[800] = "";
        held h = hold(BUDGET("\"baseline\":{\"file\":\"old.json\",\"factor\":1.05,\"layer_factor\":1.1}"),
                      rows[i].profile, rows[i].before);
        for (uint32_t k = 0; k < h.checks->n; k++) {
            const roof_check *c = &h.checks->items[k];
            snprintf(got + strlen(got), sizeof got - strlen(got), "%s: %s %s, %s; ", c->model, c->name,
                     roof_held_text(c->state), c->why);
        }
        if (strcmp(got, rows[i].checks) != 0)
            fail_msg("%s: %s", rows[i].what, got);
        forget(&h);
    }
}

/* Only an edit for which nobody has to train again breaks the limit. */
static void an_edit_that_keeps_the_function_may_gain_so_much(void **state)
{
    static const struct {
        double kept_ratio, other_ratio, limit_percent; /* kept_ratio NaN: there is no advice */
        roof_held want;
        uint32_t host_rows, after; /* on the host, before and after the edit that keeps the function */
        const char *why;
    } rows[] = {
        {0.12, 0.5, 10, ROOF_HELD_BROKEN, 0, 0,
         "by the rule plain, which keeps the outputs; `roofline advise` says where"},
        {0.08, 0.5, 10, ROOF_HELD_KEPT, 0, 0,
         "by the rule plain, which keeps the outputs; `roofline advise` says where"},
        {0, 0.5, 0, ROOF_HELD_KEPT, 0, 0, "of edits that keep the outputs none gains"},
        {0.01, 0, 0, ROOF_HELD_BROKEN, 0, 0,
         "by the rule plain, which keeps the outputs; `roofline advise` says where"},
        {NAN, 0, 10, ROOF_HELD_NOT_KNOWN, 0, 0,
         "only an uncompiled model, on hardware that --hw names, has an advice"},
        {0.12, 0.5, 10, ROOF_HELD_NOT_KNOWN, 3, 3,
         "3 rows on the CPU are in no time, so it is of a part"}, /* of the whole it is less */
        {0.08, 0.5, 10, ROOF_HELD_NOT_KNOWN, 3, 3,
         "3 rows on the CPU are in no time, so it is of a part"}, /* and what is gained there nobody knows */
        {0.08, 0.5, 10, ROOF_HELD_NOT_KNOWN, 1, 1, "1 row on the CPU is in no time, so it is of a part"},
        {0.08, 0.5, 10, ROOF_HELD_NOT_KNOWN, 3, 2, "3 rows on the CPU are in no time, so it is of a part"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[160];
        roof_budget *budget = NULL;
        roof_checks *checks = NULL;
        roof_error err;
        roof_advised edits[] = {
            {.rule = "width", .saving_ratio = rows[i].other_ratio},
            {.rule = "plain", .saving_ratio = rows[i].kept_ratio, .keeps_function = true}};
        edits[0].after.host_rows = rows[i].host_rows;
        edits[1].after.host_rows = rows[i].after;
        const roof_advice advice = {
            .edits = edits, .n_edits = COUNT(edits), .base.host_rows = rows[i].host_rows};
        const roof_compare_side side = {.name = "net.onnx",
                                        .advice = isnan(rows[i].kept_ratio) ? NULL : &advice};
        snprintf(text, sizeof text, BUDGET("\"advice\":{\"max_gain_percent\":%g}"), rows[i].limit_percent);
        if (read(text, &budget, &err) != ROOF_OK ||
            roof_budget_check(budget, &side, NULL, &checks, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        assert_int_equal(checks->n, 1);
        assert_string_equal(checks->items[0].name, "advised gain");
        if (checks->items[0].state != rows[i].want || strcmp(checks->items[0].why, rows[i].why) != 0)
            fail_msg("%zu: %s (%s)", i, roof_held_text(checks->items[0].state), checks->items[0].why);
        roof_checks_free(checks);
        roof_budget_free(budget);
    }
}

/* A prediction's own time is a bound where nothing is expected: what it breaks is broken, and what it keeps
 * is not known. */
static void a_bound_breaks_limits_and_keeps_none(void **state)
{
    static const struct {
        double limit_s, expected_s;
        const char *estimate_of;
        roof_held state;
        double wide; /* the interval is from expected / wide to expected x wide */
        uint32_t host_layers;
        const char *why;
    } rows[] = {
        {0.009, NAN, NULL, ROOF_HELD_BROKEN, NAN, 0, "bound: no run is faster"},
        {0.011, NAN, NULL, ROOF_HELD_NOT_KNOWN, NAN, 0,
         "a prediction without an expected time: give a calibration, or limit best_s"},
        {0.009, NAN, "a graph", ROOF_HELD_NOT_KNOWN, NAN, 0,
         "a prediction without an expected time: give a calibration, or limit best_s"},
        {0.013, 0.012, NULL, ROOF_HELD_KEPT, 1.05, 0, "expected"},
        {0.013, 0.012, NULL, ROOF_HELD_NOT_KNOWN, 1.2, 0,
         "expected, 95 % 10 ms to 14.4 ms: the limit lies between"}, /* the limit lies in the interval */
        {0.011, 0.012, NULL, ROOF_HELD_NOT_KNOWN, 1.2, 0,
         "expected, 95 % 10 ms to 14.4 ms: the limit lies between"},
        {0.011, 0.012, NULL, ROOF_HELD_BROKEN, 1.05, 0, "expected"},
        {0.013, 0.012, NULL, ROOF_HELD_NOT_KNOWN, NAN, 0,
         "expected, without an interval"}, /* no interval is known */
        {0.013, 0.012, NULL, ROOF_HELD_NOT_KNOWN, 1.05, 6,
         "expected of the accelerator, without 6 layers of the host"},
        {0.011, 0.012, NULL, ROOF_HELD_BROKEN, 1.05, 6,
         "expected of the accelerator, without 6 layers of the host"}}; /* with the host it takes longer still */
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_prediction p = {.model.name = "net", .estimate_of = rows[i].estimate_of};
        roof_budget *budget = NULL;
        roof_checks *checks = NULL;
        char json[100];
        snprintf(json, sizeof json, BUDGET("\"total\":{\"mean_s\":%g}"), rows[i].limit_s);
        p.total.floor_s = 0.010;
        p.schedule.scheduled_s = NAN;
        p.schedule.scheduled_cycles = ROOF_UNKNOWN;
        p.total.predicted_s = rows[i].expected_s;
        p.total.predicted_ci95_s[0] = rows[i].expected_s / rows[i].wide;
        p.total.predicted_ci95_s[1] = rows[i].expected_s * rows[i].wide;
        p.total.host_layers = rows[i].host_layers;
        assert_int_equal(read(json, &budget, NULL), ROOF_OK);
        assert_int_equal(roof_budget_check(budget, &(roof_compare_side){.name = "p.json", .prediction = &p},
                                           NULL, &checks, NULL),
                         ROOF_OK);
        if (checks->items[0].state != rows[i].state || strcmp(checks->items[0].why, rows[i].why) != 0)
            fail_msg("row %zu: %s (%s)", i, roof_held_text(checks->items[0].state), checks->items[0].why);
        roof_checks_free(checks);
        roof_budget_free(budget);
    }
}

/* Two boards may run one model: each is held against its own run of the baseline. */
static void models_of_one_name_are_checked_apart(void **state)
{
    static const char two[] =
        "{\"schema\":\"roofline.measured/1\",\"experiments\":["
        "{\"model\":{\"name\":\"net\"},\"hardware\":{\"id\":\"a\"},\"runs\":[{\"mode\":\"bypass\"," SAMPLES
        "}]},"
        "{\"model\":{\"name\":\"net\"},\"hardware\":{\"id\":\"b\"},\"runs\":[{\"mode\":\"bypass\"," SAMPLES
        "}]}]}";
    static const char turned[] =
        "{\"schema\":\"roofline.measured/1\",\"experiments\":["
        "{\"model\":{\"name\":\"net\"},\"hardware\":{\"id\":\"b\"},\"runs\":[{\"mode\":\"bypass\"," SAMPLES
        "}]},"
        "{\"model\":{\"name\":\"net\"},\"hardware\":{\"id\":\"a\"},\"runs\":[{\"mode\":\"bypass\"," SAMPLES
        "}]}]}";
    held h = hold(BUDGET("\"baseline\":{\"file\":\"old.json\"}"), two, two);
    (void)state;
    assert_int_equal(h.checks->n, 2);
    assert_string_equal(h.checks->items[0].model, "net");
    assert_string_equal(h.checks->items[1].model, "net #2 on b");
    forget(&h);
    h = hold(BUDGET("\"baseline\":{\"file\":\"old.json\"}"), two, turned); /* and whatever the order */
    assert_int_equal(h.checks->n, 2);
    assert_null(strstr(h.checks->items[0].why, "not comparable"));
    assert_null(strstr(h.checks->items[1].why, "not comparable"));
    forget(&h);
}

/* --- formats of continuous integration
 * ----------------------------------------------------------------------- */

#define HOSTILE "a<b>&\\\"c'\\u0007\\u001b[31m]]>"

static textbuf render(const held *h, const char *format)
{
    const roof_render_options options = {.format = format};
    textbuf text;
    roof_error err;
    text_init(&text, TEXT_MAX_BYTES);
    if (roof_render(h->checks, &options, (roof_sink){memory_write, &text}, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return text;
}

static held hostile(void)
{
    return hold(BUDGET("\"total\":{\"mean_s\":0.011,\"p95_s\":0.02,\"best_s\":1,\"expected_s\":1},"
                       "\"optional\":[\"best_s\"],"
                       "\"baseline\":{\"file\":\"old <&>.json\"}"),
                DOCUMENT(HOSTILE, "{\"mode\":\"bypass\",\"total\":{" THIRTY("0.0110") "}}"),
                DOCUMENT(HOSTILE, "{\"mode\":\"bypass\",\"total\":{" AGAIN("0.0110") "}}"));
}

static unsigned count(const char *text, const char *what)
{
    unsigned n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        n++;
    return n;
}

/* The value of an attribute of the tag at `at`, in a buffer. */
static const char *attribute(const char *at, const char *name, char *out, size_t size)
{
    char wanted[40];
    snprintf(wanted, sizeof wanted, " %s=\"", name);
    const char *end = strchr(at, '>'), *begin = strstr(at, wanted);
    if (!begin || begin >= end) {
        fail_msg("no attribute '%s' in %.80s", name, at);
        return NULL;
    }
    begin += strlen(wanted);
    snprintf(out, size, "%.*s", (int)strcspn(begin, "\""), begin);
    return out;
}

/* The rules that Jenkins' junit and xunit plugins, GitLab and GitHub's actions have in common. */
static void junit_keeps_the_rules_of_all_its_readers(void **state)
{
    held h = hostile();
    textbuf text = render(&h, "junit");
    const char *xml = text.bytes;
    char value[300], names[10][300];
    unsigned n = 0, open = 0;
    (void)state;
    for (size_t i = 0; i < text.length; i++)
        assert_true((unsigned char)xml[i] >= 0x20 || xml[i] == '\n');
    for (const char *at = strchr(xml, '<'); at;
         at = strchr(at + 1, '<')) { /* markup is ours alone, and balanced */
        const char *end = strchr(at, '>');
        assert_non_null(end);
        assert_true(strspn(at + 1, "/?abcdefghijklmnopqrstuvwxyz") > 0);
        open += at[1] == '?' || end[-1] == '/' ? 0 : at[1] == '/' ? -1U : 1U;
    }
    assert_int_equal(open, 0);
    for (const char *at = strchr(xml, '&'); at; at = strchr(at + 1, '&'))
        assert_true(strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 ||
                    strncmp(at, "&gt;", 4) == 0 || strncmp(at, "&quot;", 6) == 0);
    assert_null(strstr(xml, "<properties"));
    for (const char *at = strstr(xml, "<testsuite"); at; at = strstr(at + 1, "<testsuite"))
        assert_string_equal(attribute(at, "time", value, sizeof value),
                            "0.000"); /* three decimals, no exponent */
    assert_string_equal(attribute(strstr(xml, "<testsuites"), "tests", value, sizeof value), "5");
    assert_string_equal(attribute(strstr(xml, "<testsuites"), "failures", value, sizeof value), "2");
    assert_string_equal(attribute(strstr(xml, "<testsuite "), "skipped", value, sizeof value), "1");
    for (const char *at = strstr(xml, "<testcase"); at; at = strstr(at + 1, "<testcase")) {
        attribute(at, "classname", value, sizeof value);
        attribute(at, "time", value, sizeof value);
        assert_int_equal(strspn(value, "0123456789."), strlen(value));
        attribute(at, "name", names[n], sizeof names[n]);
        for (unsigned i = 0; i < n; i++)
            assert_string_not_equal(names[i], names[n]);
        n++;
    }
    assert_int_equal(n, 5);
    assert_int_equal(count(xml, "<failure type=\""), 2);
    for (const char *at = strstr(xml, "<failure"); at; at = strstr(at + 1, "<failure")) {
        attribute(at, "message", value, sizeof value); /* the text says the same */
        assert_int_equal(strncmp(strchr(at, '>') + 1, value, strlen(value)), 0);
    }
    text_free(&text);
    forget(&h);
}

static void a_benchmark_has_no_nulls_no_twins_and_is_never_empty(void **state)
{
    held h = hostile();
    textbuf text = render(&h, "benchmark");
    cJSON *all = NULL;
    unsigned n = 0;
    (void)state;
    assert_int_equal(jsontree_parse(text.bytes, text.length, NULL, &all, NULL), ROOF_OK);
    assert_true(cJSON_IsArray(all));
    for (const cJSON *item = all->child; item; item = item->next, n++) {
        assert_true(cJSON_GetStringValue(jsontree_get(item, "name")) &&
                    cJSON_GetStringValue(jsontree_get(item, "unit")));
        assert_true(isfinite(cJSON_GetNumberValue(jsontree_get(item, "value"))));
        assert_null(
            strpbrk(cJSON_GetStringValue(jsontree_get(item, "name")), "`|<>")); /* it goes into Markdown */
        for (const cJSON *other = item->next; other; other = other->next)
            assert_string_not_equal(cJSON_GetStringValue(jsontree_get(item, "name")),
                                    cJSON_GetStringValue(jsontree_get(other, "name")));
    }
    assert_int_equal(n, 4); /* what failed, mean, p95 and the baseline: what is not known is left out */
    assert_null(strstr(text.bytes, "null"));
    cJSON_Delete(all);
    text_free(&text);
    forget(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_that_limit_nothing_or_slip_are_refused),
        cmocka_unit_test(limits_are_kept_broken_or_not_known),
        cmocka_unit_test(energy_jitter_phases_steps_models_and_slips_of_units_are_limits),
        cmocka_unit_test(no_limit_of_a_baseline_vanishes),
        cmocka_unit_test(an_edit_that_keeps_the_function_may_gain_so_much),
        cmocka_unit_test(a_bound_breaks_limits_and_keeps_none),
        cmocka_unit_test(models_of_one_name_are_checked_apart),
        cmocka_unit_test(junit_keeps_the_rules_of_all_its_readers),
        cmocka_unit_test(a_benchmark_has_no_nulls_no_twins_and_is_never_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
