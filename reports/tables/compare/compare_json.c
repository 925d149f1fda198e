/* A comparison as JSON, docs/schema/comparison-1.schema.json, by tables of its members. */
#include "core/json/codec.h"
#include "reports/renderers/renderer.h"
#include "reports/tables/views.h"

#define ROW(member, kind, how) CODEC(roof_compared, member, kind, how)
/* NOLINTBEGIN(bugprone-macro-parentheses): names of members */
#define LOOK(look)                                                                                           \
    {CODEC_AS(#look "_ratio", roof_compared, look.ratio, NUMBER, DERIVED)},                                  \
        {CODEC_AS(#look "_ratio_ci95", roof_compared, look.ratio_ci95, PAIR, DERIVED)},                      \
        {CODEC_AS(#look "_p", roof_compared, look.p, NUMBER, DERIVED)},                                      \
    {                                                                                                        \
        CODEC_AS(#look "_shown", roof_compared, look.is_shown, BOOL, ALWAYS)                                 \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
static const codec_member row_members[] = {
    {ROW(name, TEXT, ALWAYS)},
    {ROW(type, TEXT, ALWAYS)},
    {CODEC_WORDS("pairing", roof_compared, pairing, compare_pairings, ALWAYS)},
    {ROW(a_s, SECONDS, DERIVED)},
    {ROW(b_s, SECONDS, DERIVED)},
    {ROW(a_count, COUNT, ALWAYS)},
    {ROW(b_count, COUNT, ALWAYS)},
    {ROW(difference_s, NUMBER, DERIVED)},
    {ROW(difference_ci95_s, PAIR, DERIVED)},
    {ROW(ratio, NUMBER, DERIVED)},
    {ROW(ratio_ci95, PAIR, DERIVED)},
    {CODEC_WORDS("test", roof_compared, test, compare_tests, ALWAYS)},
    {ROW(p, NUMBER, DERIVED)},
    {CODEC_AS("shown", roof_compared, is_shown, BOOL, ALWAYS)},
    {CODEC_AS("typical_shown", roof_compared, is_typical_shown, BOOL, ALWAYS)},
    LOOK(mean),
    {ROW(tail_quantile, NUMBER, DERIVED)},
    LOOK(tail),
    {ROW(a_effective, NUMBER, DERIVED)},
    {ROW(b_effective, NUMBER, DERIVED)},
    {CODEC_AS("told", roof_compared, is_told, BOOL, ALWAYS)},
    {ROW(wanted_count, COUNT, ALWAYS)},
};
static const codec_object row_object = {CODEC_ROWS(row_members), .one_line = true};

static const codec_member unlike_members[] = {{CODEC(roof_unlike, what, TEXT, ALWAYS)},
                                              {CODEC(roof_unlike, a, TEXT, ALWAYS)},
                                              {CODEC(roof_unlike, b, TEXT, ALWAYS)},
                                              {CODEC_AS("apart", roof_unlike, is_apart, BOOL, ALWAYS)}};

/* For predictions: the time of a run on each side, and the outcome of A beside B. */
CODEC_WHEN(has_takes, roof_compared_run, it->total.test == ROOF_TEST_EXACT)

static void write_takes(codec *c, const char *key, const void *target)
{
    jsonout_answer(c->out, key, &((const roof_compared_run *)target)->takes[*key == 'b']);
}

static void write_outcome(codec *c, const char *key, const void *target)
{
    const roof_outcome o = compare_outcome(target);
    jsonout_object(c->out, key, true);
    jsonout_string(c->out, "is", roof_outcome_text(o.is));
    jsonout_derived(c->out, "ratio", o.ratio.value);
    jsonout_derived(c->out, "low", o.ratio.low > 0 ? o.ratio.low : (double)NAN);
    jsonout_derived(c->out, "high", isfinite(o.ratio.high) ? o.ratio.high : (double)NAN);
    jsonout_end(c->out);
}

static const codec_member phase_members[] = {{CODEC(roof_compared_phase, name, TEXT, ALWAYS)},
                                             {CODEC(roof_compared_phase, a_s, SECONDS, DERIVED)},
                                             {CODEC(roof_compared_phase, b_s, SECONDS, DERIVED)},
                                             {CODEC(roof_compared_phase, ratio, NUMBER, DERIVED)}};

#define RUN(member, kind, how) CODEC(roof_compared_run, member, kind, how)
#define WITH_RATES             CODEC_IF(roof_compared_run, has_rates)
static const codec_member run_members[] = {
    {RUN(model, TEXT, ALWAYS)},
    {RUN(model_b, TEXT, ALWAYS)},
    {RUN(mode, TEXT, ALWAYS)},
    {CODEC_ITEMS("unlike", roof_compared_run, unlike, n_unlike, CODEC_LINE_OF(unlike_members), UINT32_MAX,
                 ALWAYS)},
    {RUN(is_sum, BOOL, ALWAYS)},
    {CODEC_ITEMS("phases", roof_compared_run, phases, n_phases, CODEC_LINE_OF(phase_members), UINT32_MAX,
                 OMIT)},
    {RUN(a_per_s, NUMBER, DERIVED), WITH_RATES},
    {RUN(b_per_s, NUMBER, DERIVED), WITH_RATES},
    {RUN(rate_unit, TEXT, ALWAYS), WITH_RATES},
    {CODEC_BY("a_time", 0, NULL, write_takes), .when = has_takes},
    {CODEC_BY("b_time", 0, NULL, write_takes), .when = has_takes},
    {CODEC_BY("outcome", 0, NULL, write_outcome), .when = has_takes},
    {CODEC_IN("total", offsetof(roof_compared_run, total), &row_object)},
    {CODEC_AS("paired", roof_compared_run, n_paired, SMALL, PLAIN)},
    {CODEC_AS("tested", roof_compared_run, n_tested, SMALL, PLAIN)},
    {CODEC_AS("shown", roof_compared_run, n_shown, SMALL, PLAIN)},
    {CODEC_AS("untold", roof_compared_run, n_untold, SMALL, PLAIN)},
    {CODEC_AS("only_a", roof_compared_run, n_only_a, SMALL, PLAIN)},
    {CODEC_AS("only_b", roof_compared_run, n_only_b, SMALL, PLAIN)},
    {CODEC_AS("geometric_mean_ratio", roof_compared_run, geometric_mean, NUMBER, DERIVED)},
    {CODEC_AS("geometric_mean_ci95", roof_compared_run, geometric_mean_ci95, PAIR, DERIVED)},
    {CODEC_ITEMS("layers", roof_compared_run, layers, n_layers, &row_object, UINT32_MAX, ALWAYS)},
};

static const codec_member comparison_members[] = {
    {CODEC_IS(ROOF_COMPARISON_SCHEMA)},
    {CODEC(roof_comparison, a, TEXT, ALWAYS)},
    {CODEC(roof_comparison, b, TEXT, ALWAYS)},
    {CODEC(roof_comparison, unused_hardware_a, TEXT, OMIT)},
    {CODEC(roof_comparison, unused_hardware_b, TEXT, OMIT)},
    {CODEC_AS("left_out", roof_comparison, n_left_out, SMALL, PLAIN)},
    {CODEC_ITEMS("runs", roof_comparison, runs, n_runs, CODEC_TABLE(run_members), UINT32_MAX, ALWAYS)},
};

void compare_json(const rendering *r)
{
    codec_write_document(CODEC_TABLE(comparison_members), r->comparison, NULL, NULL, r->out);
}
