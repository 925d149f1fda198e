/* Comparisons and checks for programs: JSON by tables of members, docs/schema, and CSV, a record a row. */
#include "core/json/codec.h"
#include "reports/words/cells.h"
#include "reports/renderers/renderer.h"
#include "core/quantity.h"

#include <math.h>

/* --- a comparison ---------------------------------------------------------------------------------------- */

static const char *const pairings[] = {"", "name", "plain_name", NULL};
static const char *const tests[] = {"", "ranks", "welch", "exact", "ranges", NULL};

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
    {CODEC_WORDS("pairing", roof_compared, pairing, pairings, ALWAYS)},
    {ROW(a_s, SECONDS, DERIVED)},
    {ROW(b_s, SECONDS, DERIVED)},
    {ROW(a_count, COUNT, ALWAYS)},
    {ROW(b_count, COUNT, ALWAYS)},
    {ROW(difference_s, NUMBER, DERIVED)},
    {ROW(difference_ci95_s, PAIR, DERIVED)},
    {ROW(ratio, NUMBER, DERIVED)},
    {ROW(ratio_ci95, PAIR, DERIVED)},
    {CODEC_WORDS("test", roof_compared, test, tests, ALWAYS)},
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
                                              {CODEC(roof_unlike, b, TEXT, ALWAYS)}};
static const codec_object unlike_object = {CODEC_ROWS(unlike_members), .one_line = true};

#define RUN(member, kind, how) CODEC(roof_compared_run, member, kind, how)
#define WITH_RATES             CODEC_IF(roof_compared_run, has_rates)
static const codec_member run_members[] = {
    {RUN(model, TEXT, ALWAYS)},
    {RUN(model_b, TEXT, ALWAYS)},
    {RUN(mode, TEXT, ALWAYS)},
    {CODEC_ITEMS("unlike", roof_compared_run, unlike, n_unlike, &unlike_object, UINT32_MAX, ALWAYS)},
    {RUN(is_sum, BOOL, ALWAYS)},
    {RUN(a_per_s, NUMBER, DERIVED), WITH_RATES},
    {RUN(b_per_s, NUMBER, DERIVED), WITH_RATES},
    {RUN(rate_unit, TEXT, ALWAYS), WITH_RATES},
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
static const codec_object run_object = {CODEC_ROWS(run_members)};

static const codec_member comparison_members[] = {
    {CODEC_IS(ROOF_COMPARISON_SCHEMA)},
    {CODEC(roof_comparison, a, TEXT, ALWAYS)},
    {CODEC(roof_comparison, b, TEXT, ALWAYS)},
    {CODEC(roof_comparison, unused_hardware_a, TEXT, OMIT)},
    {CODEC(roof_comparison, unused_hardware_b, TEXT, OMIT)},
    {CODEC_AS("left_out", roof_comparison, n_left_out, SMALL, PLAIN)},
    {CODEC_ITEMS("runs", roof_comparison, runs, n_runs, &run_object, UINT32_MAX, ALWAYS)},
};
static const codec_object comparison_object = {CODEC_ROWS(comparison_members)};

void compare_json(const rendering *r)
{
    codec_write_document(&comparison_object, r->comparison, NULL, r->out);
}

static grid_cell number(double value)
{
    return cell_number(number_as_derived(value), 0);
}

static void add_row(cell_grid *grid, const roof_compared_run *run, const roof_compared *row, const char *name)
{
    GRID_ADD(grid, cell_text(text_or_empty(run->model)), cell_text(run->mode), cell_text(text_or_empty(name)),
             cell_text(text_or_empty(row->type)), cell_text(pairings[row->pairing]), number(row->a_s),
             number(row->b_s), cell_count(row->a_count), cell_count(row->b_count), number(row->difference_s),
             number(row->difference_ci95_s[0]), number(row->difference_ci95_s[1]), number(row->ratio),
             number(row->ratio_ci95[0]), number(row->ratio_ci95[1]), cell_text(tests[row->test]),
             number(row->p), cell_text(row->is_shown ? "1" : "0"), number(row->mean.ratio),
             number(row->mean.ratio_ci95[0]), number(row->mean.ratio_ci95[1]), number(row->tail.ratio),
             number(row->tail.ratio_ci95[0]), number(row->tail.ratio_ci95[1]),
             cell_text(row->is_told ? "1" : "0"), cell_count(row->wanted_count));
}

void compare_csv(const rendering *r)
{
    GRID_COLUMNS(
        columns, GRID_CSV("model"), GRID_CSV("mode"), GRID_CSV("name"), GRID_CSV("type"), GRID_CSV("pairing"),
        GRID_CSV("a_s"), GRID_CSV("b_s"), GRID_CSV("a_count"), GRID_CSV("b_count"), GRID_CSV("difference_s"),
        GRID_CSV("difference_low_s"), GRID_CSV("difference_high_s"), GRID_CSV("ratio"), GRID_CSV("ratio_low"),
        GRID_CSV("ratio_high"), GRID_CSV("test"), GRID_CSV("p"), GRID_CSV("shown"), GRID_CSV("mean_ratio"),
        GRID_CSV("mean_ratio_low"), GRID_CSV("mean_ratio_high"), GRID_CSV("tail_ratio"),
        GRID_CSV("tail_ratio_low"), GRID_CSV("tail_ratio_high"), GRID_CSV("told"), GRID_CSV("wanted_count"));
    const roof_comparison *c = r->comparison;
    cell_grid grid;
    grid_begin_csv(&grid, r->arena, columns, sizeof columns / sizeof *columns, r->out);
    keep_csv(r, &grid);
    for (uint32_t i = 0; i < c->n_runs; i++) {
        const roof_compared_run *run = &c->runs[i];
        for (uint32_t k = 0; k < run->n_layers; k++)
            add_row(&grid, run, &run->layers[k], run->layers[k].name);
        add_row(&grid, run, &run->total, "total");
    }
    put_csv_arranged(r, &grid, "b_s");
}

/* --- checks ---------------------------------------------------------------------------------------------- */

static const char *const states[] = {"kept", "broken", "not_known", "skipped", NULL};

#define CHECK(member, kind, how) CODEC(roof_check, member, kind, how)
static const codec_member check_members[] = {
    {CHECK(model, TEXT, ALWAYS)},
    {CHECK(name, TEXT, ALWAYS)},
    {CODEC_WORDS("state", roof_check, state, states, ALWAYS)},
    {CHECK(unit, TEXT, ALWAYS)},
    {CHECK(found, NUMBER, DERIVED)},
    {CHECK(limit, NUMBER, DERIVED)},
    {CHECK(is_least, BOOL, ALWAYS)},
    {CHECK(excess_ratio, NUMBER, DERIVED)},
    {CHECK(why, TEXT, ALWAYS)},
};
static const codec_object check_object = {CODEC_ROWS(check_members), .one_line = true};
static const codec_member checks_members[] = {
    {CODEC_IS(ROOF_CHECKS_SCHEMA)},
    {CODEC_AS("kept", roof_checks, counts[ROOF_CHECK_KEPT], SMALL, PLAIN)},
    {CODEC_AS("broken", roof_checks, counts[ROOF_CHECK_BROKEN], SMALL, PLAIN)},
    {CODEC_AS("not_known", roof_checks, counts[ROOF_CHECK_UNKNOWN], SMALL, PLAIN)},
    {CODEC_AS("skipped", roof_checks, counts[ROOF_CHECK_SKIPPED], SMALL, PLAIN)},
    {CODEC_ITEMS("checks", roof_checks, items, n, &check_object, UINT32_MAX, ALWAYS)},
};
static const codec_object checks_object = {CODEC_ROWS(checks_members)};

void checks_json(const rendering *r)
{
    codec_write_document(&checks_object, r->checks, NULL, r->out);
}

void checks_csv(const rendering *r)
{
    GRID_COLUMNS(columns, GRID_CSV("model"), GRID_CSV("name"), GRID_CSV("state"), GRID_CSV("unit"),
                 GRID_CSV("found"), GRID_CSV("limit"), GRID_CSV("is_least"), GRID_CSV("excess_ratio"),
                 GRID_CSV("why"));
    cell_grid grid;
    grid_begin_csv(&grid, r->arena, columns, sizeof columns / sizeof *columns, r->out);
    for (uint32_t i = 0; i < r->checks->n; i++) {
        const roof_check *c = &r->checks->items[i];
        GRID_ADD(&grid, cell_text(text_or_empty(c->model)), cell_text(c->name), cell_text(states[c->state]),
                 cell_text(c->unit), number(c->found), number(c->limit), cell_text(c->is_least ? "1" : "0"),
                 number(c->excess_ratio), cell_text(c->why));
    }
}
