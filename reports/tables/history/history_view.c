/* Trends of a history: sentences, tables, JSON, and for two services that watch benchmarks. */
#include "reports/tables/views.h"
#include "reports/renderers/document.h"
#include "reports/words/say.h"

/* --- words ---------------------------------------------------------------------------------------------- */

const char *history_series_name(const roof_history_series *s, roof_arena *arena)
{
    const roof_history_key *k = &s->key;
    return SAY_TEXT(arena, "[?row {} of ]{}[? on {}][?, {}], {}[?, {}]", AS_TEXT(s->row),
                    AS_TEXT(k->model ? k->model : "a model without a name"), AS_TEXT(k->device),
                    AS_TEXT(k->stack), AS_TEXT(k->mode ? k->mode : "?"), AS_TEXT(k->workload));
}

/* "slower", "faster"; of what is no time "more", "less". */
static const char *direction(const roof_history_series *s, double ratio)
{
    const bool is_worse = s->metric->is_larger_better ? ratio < 1 : ratio > 1;
    const bool is_speed = s->metric->is_larger_better || strcmp(s->metric->unit, "s") == 0;
    return is_speed ? is_worse ? "slower" : "faster" : is_worse ? "more" : "less";
}

/* " (2.4 to 3.8)" */
static const char *say_interval(const roof_history_segment *g, roof_arena *arena)
{
    const double sign = g->ratio < 1 ? -1 : 1, a = 100 * sign * (g->ratio_ci95[0] - 1),
                 b = 100 * sign * (g->ratio_ci95[1] - 1);
    return isnan(a) || isnan(b) ? ""
                                : say_printf(arena, " (%s to %s)", say_number(arena, fmin(a, b), 1),
                                             say_number(arena, fmax(a, b), 1));
}

const char *history_change(const roof_history_series *s, const roof_history_segment *segment,
                           roof_arena *arena)
{
    return isnan(segment->ratio) ? ""
                                 : say_printf(arena, "%s %s%s", say_percent(arena, fabs(segment->ratio - 1)),
                                              direction(s, segment->ratio), say_interval(segment, arena));
}

static const char *say_commit(const roof_history_point *p, roof_arena *arena)
{
    return p->commit ? say_printf(arena, ", commit %s", p->commit) : "";
}

/* "; of the 66.1 us conv1 makes 60.2 us, and conv2 3.1 us" */
static const char *say_layers(const roof_history_series *s, roof_arena *arena)
{
    enum { MOST = 3 };
    const double all_s = s->segments[s->n_segments - 1].median - s->segments[s->n_segments - 2].median;
    const char *text = "";
    for (uint32_t i = 0; i < s->n_layers && i < MOST; i++) {
        const roof_history_layer *l = &s->layers[i];
        const char *time = say_seconds(arena, fabs(l->difference_s)),
                   *sign = (l->difference_s < 0) == (all_s < 0) ? "" : "-";
        text = i ? say_printf(arena, "%s, %s %s%s", text, l->name, sign, time)
                 : say_printf(arena, "; of the %s %s makes %s%s", say_seconds(arena, fabs(all_s)), l->name,
                              sign, time);
    }
    return s->n_layers > MOST ? say_printf(arena, "%s, and %u more layers changed", text, s->n_layers - MOST)
                              : text;
}

/* "data type f32 before, int8 now": by what a series began, when an earlier one ended; "": by nothing. */
static const char *history_began_with(const roof_history_series *s, roof_arena *arena)
{
    const char *list = "";
    for (uint32_t i = 0; i < s->n_begun_by; i++)
        list = say_more(arena, list, "%s %s before, %s now", s->begun_by[i].what, s->begun_by[i].a,
                        s->begun_by[i].b);
    return list;
}

const char *history_series_says(const roof_history_series *s, roof_arena *arena)
{
    const roof_history_segment *last = &s->segments[s->n_segments - 1];
    const roof_history_point *since = &s->points[last->first];
    const char *name = history_series_name(s, arena);
    if (s->n_begun_by)
        name = say_printf(arena, "%s, since run %" PRIu64 " under other conditions (%s)", name,
                          s->points->run, history_began_with(s, arena));
    const char *level = say_quantity(arena, s->segments->median, s->metric->unit);
    if (s->n_segments == 1 && s->can_tell)
        return say_printf(arena, "%s: no change beyond noise in %u runs, around %s.", name, s->n_points,
                          level);
    if (s->n_segments == 1)
        return say_printf(arena, "%s: %u run%s around %s: too few for a change to be seen, which takes %u.",
                          name, s->n_points, say_plural(s->n_points), level, roof_history_enough_runs());
    enum { FEWEST_STEPS = 4 };
    uint32_t n_up = 0;
    for (uint32_t i = 1; i < s->n_segments; i++)
        n_up += s->segments[i].median > s->segments[i - 1].median;
    /* all go one way, and are more than a change back and forth has */
    if (s->n_segments > FEWEST_STEPS && (!n_up || n_up + 1 == s->n_segments)) {
        const double ratio = last->median / s->segments->median;
        return say_printf(arena, "%s: has drifted, %s %s since run %" PRIu64 "%s, in %u steps.", name,
                          say_percent(arena, fabs(ratio - 1)), direction(s, ratio), s->points->run,
                          say_commit(s->points, arena), s->n_segments - 1);
    }
    return say_printf(arena, "%s: %s by %s%s since run %" PRIu64 "%s%s.", name, direction(s, last->ratio),
                      say_percent(arena, fabs(last->ratio - 1)), say_interval(last, arena), since->run,
                      say_commit(since, arena), say_layers(s, arena));
}

/* --- the verdict ---------------------------------------------------------------------------------------- */

static const char *say_gate(const roof_history_trends *t, roof_arena *arena)
{
    uint32_t n_broken = 0, n_unknown = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        n_broken += t->items[i].state == ROOF_HELD_BROKEN;
        n_unknown += t->items[i].state == ROOF_HELD_NOT_KNOWN;
    }
    const char *unknown = n_unknown ? say_printf(arena, "; of %u it is unknown", n_unknown) : "";
    if (n_broken)
        return say_printf(arena, "FAIL: %u of %u series got worse by more than the factor %.4g%s.", n_broken,
                          t->n, t->factor, unknown);
    if (n_unknown)
        return say_printf(
            arena,
            "UNKNOWN: of %u of %u series it is open whether they got worse by more than the factor %.4g.",
            n_unknown, t->n, t->factor);
    return say_printf(arena, "PASS: none of %u series got worse by more than the factor %.4g.", t->n,
                      t->factor);
}

/* How bad: that of the newest change, as a ratio above 1 for what got worse; 1: there is none. */
static double badness(const roof_history_series *s)
{
    const double ratio = s->segments[s->n_segments - 1].ratio;
    return isnan(ratio) ? 1 : s->metric->is_larger_better ? 1 / ratio : ratio;
}

/* Ties in their order. */
const roof_history_series *history_ranked(const roof_history_trends *t, uint32_t rank)
{
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t before = 0;
        for (uint32_t k = 0; k < t->n; k++)
            before += badness(&t->items[k]) > badness(&t->items[i]) ||
                      (k < i && badness(&t->items[k]) >= badness(&t->items[i]));
        if (before == rank)
            return &t->items[i];
    }
    return NULL;
}

const char *history_sentence(const void *document, uint32_t i, roof_arena *arena)
{
    enum { MOST = 3 };
    const roof_history_trends *t = document;
    const bool has_factor = !isnan(t->factor);
    const uint32_t at = i - has_factor, shown = t->n < MOST ? t->n : MOST;
    if (has_factor && !i)
        return say_gate(t, arena);
    const roof_history_series *series = at < shown ? history_ranked(t, at) : NULL;
    /* what the series says is reason enough where it is too short, or slower than just before */
    const bool is_why = series && has_factor &&
                        (series->state == ROOF_HELD_NOT_KNOWN ? series->can_tell || series->n_segments > 1
                         : series->state == ROOF_HELD_BROKEN  ? series->n_segments > 2
                                                              : false);
    if (is_why)
        return say_printf(arena, "%s %s: %s.", history_series_says(series, arena),
                          series->state == ROOF_HELD_BROKEN ? "Broken" : "Not known", series->why);
    if (series)
        return history_series_says(series, arena);
    return at == shown && t->n > shown ? say_printf(arena, "%u more series are in the table.", t->n - shown)
                                       : NULL;
}

/* --- the table ------------------------------------------------------------------------------------------ */

/* A level between two changes, as a row. */
typedef struct level_row {
    const roof_history_trends *t;
    const roof_history_series *s;
    uint32_t i;
    const roof_history_segment *g;
    const roof_history_point *first, *last;
    const roof_history_metric *metric;
} level_row;

GRID_CELL(trend_series_of, level_row, l, cell_text(l->i ? "" : history_series_name(l->s, row->arena)))
GRID_CELL(trend_span_of, level_row, l,
          cell_text(say_printf(row->arena, "%" PRIu64 " to %" PRIu64 " (%u)%s", l->first->run, l->last->run,
                               l->g->n, say_commit(l->first, row->arena))))
GRID_CELL(trend_level_of, level_row, l, cell_text(say_quantity(row->arena, l->g->median, l->s->metric->unit)))
GRID_CELL(trend_change_of, level_row, l, cell_text(history_change(l->s, l->g, row->arena)))

/* State of a gate, at the newest level alone. */
GRID_CELL(trend_state_of_level, level_row, l,
          cell_text(l->i + 1 == l->s->n_segments && !isnan(l->t->factor) ? roof_held_text(l->s->state) : ""))
GRID_CELL(trend_began_with, level_row, is, cell_text(history_began_with(is->s, row->arena)))

/* Both documents begin with them. */
#define KEYS KEY(model), KEY(model_hash), KEY(device), KEY(stack), KEY(mode), KEY(workload)

#define VIA(name, pointer, type, member, from)                                                               \
    GRID_VIA(name, level_row, pointer, type, member, from, .title = NULL)
#define KEY(member)               VIA(#member, s, roof_history_series, key.member, TEXT)
#define LEVEL(name, member, from) VIA(name, g, roof_history_segment, member, from)

static const grid_column columns[] = {
    KEYS,
    VIA("row", s, roof_history_series, row, TEXT),
    VIA("metric", metric, roof_history_metric, name, TEXT),
    VIA("unit", metric, roof_history_metric, unit, TEXT),
    VIA("first_run", first, roof_history_point, run, COUNT),
    VIA("last_run", last, roof_history_point, run, COUNT),
    LEVEL("runs", n, SMALL),
    VIA("commit", first, roof_history_point, commit, TEXT),
    LEVEL("median", median, VALUE),
    LEVEL("ratio", ratio, VALUE),
    LEVEL("ratio_low", ratio_ci95[0], VALUE),
    LEVEL("ratio_high", ratio_ci95[1], VALUE),
    LEVEL("p", p, VALUE),
    VIA("can_tell", s, roof_history_series, can_tell, FLAG),
    {.csv = "state", .from = FROM_CALL, .cell = trend_state_of_level},
    {.csv = "began_with", .from = FROM_CALL, .cell = trend_began_with},
    GRID_SAID("series", trend_series_of, .kind = COLUMN_NAME, .least = 12, .rank = 2),
    GRID_SAID("runs", trend_span_of, .kind = COLUMN_TEXT),
    GRID_SAID("median", trend_level_of, .kind = COLUMN_TEXT),
    GRID_SAID("change", trend_change_of, .kind = COLUMN_NOTE),
};
#undef KEY

static void trend_add_rows(cell_grid *grid, const void *document)
{
    const roof_history_trends *t = document;
    for (uint32_t k = 0; k < t->n; k++)
        for (uint32_t i = 0; i < t->items[k].n_segments; i++) {
            const roof_history_series *s = &t->items[k];
            const roof_history_segment *g = &s->segments[i];
            const level_row row = {t,        s, i, g, &s->points[g->first], &s->points[g->first + g->n - 1],
                                   s->metric};
            grid_add_row(grid, &row, t);
        }
}

void history_table(const roof_history_trends *t, cell_grid *grid, roof_arena *arena)
{
    document_table(&trends_view, t, grid, arena);
}

void history_layers(const roof_history_series *s, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(layers, {"layer", .kind = COLUMN_NAME},
                 GRID_SCALED("before", "[ms]", 1, .times = 1e3, .digits = 4),
                 GRID_SCALED("change", "[ms]", 0, .times = 1e3, .digits = 4, .format = FORMAT_SIGNED),
                 GRID_TEXT("95 % [ms]", 2), GRID_SCALED("ratio", "", 1, .digits = 3),
                 GRID_SCALED("of the change", "[%]", 1, .times = 100, .digits = 1));
    const double all_s = s->n_segments > 1
                             ? s->segments[s->n_segments - 1].median - s->segments[s->n_segments - 2].median
                             : (double)NAN;
    grid_begin(grid, arena, layers, N_OF(layers));
    FOR_EACH(const roof_history_layer, l, s->layers, s->n_layers)
        GRID_ADD(grid, cell_text(l->name), cell_value(l->before_s), cell_value(l->difference_s),
                 cell_text(say_printf(arena, "%+.4f to %+.4f", 1e3 * l->difference_ci95_s[0],
                                      1e3 * l->difference_ci95_s[1])),
                 cell_value(l->ratio), cell_value(l->difference_s / all_s));
}

void history_remarks(const void *document, remarks *lines)
{
    const roof_history_trends *t = document;
    uint32_t n_alike = 0;
    double most = 1;
    for (uint32_t i = 0; i < t->n; i++) {
        n_alike += t->items[i].noise_factor > 1;
        most = fmax(most, t->items[i].noise_factor);
    }
    if (n_alike)
        remarks_add(lines, "noise",
                    "runs that follow each other are alike in %u of %u series: such noise counts up to %.1f "
                    "times in variance, and changes are seen later",
                    n_alike, t->n, most);
    remarks_add(lines, "change",
                "beyond noise by Mann-Whitney's U; where there is none, 1 of 200 series shows one");
    remarks_add(lines, "interval", "95 %%, of the typical quotient of a run and one of the segment before");
}

/* --- the document --------------------------------------------------------------------------------------- */

GRID_CELL(trend_first_run, roof_history_segment, is,
          cell_count(((const roof_history_series *)row->in)->points[is->first].run))
GRID_CELL(trend_last_run, roof_history_segment, g,
          cell_count(((const roof_history_series *)row->in)->points[g->first + g->n - 1].run))
GRID_CELL(trend_first_commit, roof_history_segment, g,
          cell_text(text_or_empty(((const roof_history_series *)row->in)->points[g->first].commit)))
GRID_CELL(trend_added_s, roof_history_point, is, cell_count((uint64_t)is->added_s))

static const grid_column begun_members[] = {
    GRID_OF(roof_unlike, what, TEXT, .title = NULL),
    GRID_AS("before", roof_unlike, a, TEXT, .title = NULL),
    GRID_AS("now", roof_unlike, b, TEXT, .title = NULL),
};
static const grid_column segment_members[] = {
    GRID_BY("first_run", trend_first_run, .title = NULL),
    GRID_BY("last_run", trend_last_run, .title = NULL),
    GRID_AS("runs", roof_history_segment, n, SMALL, .title = NULL),
    GRID_BY("commit", trend_first_commit, .title = NULL),
    GRID_OF(roof_history_segment, median, NUMBER, .title = NULL),
    GRID_OF(roof_history_segment, ratio, VALUE, .title = NULL),
    GRID_PAIR("ratio_ci95", roof_history_segment, ratio_ci95),
    GRID_OF(roof_history_segment, p, VALUE, .title = NULL),
};
static const grid_column layer_members[] = {
    GRID_OF(roof_history_layer, name, TEXT, .kind = COLUMN_NAME),
    GRID_OF(roof_history_layer, before_s, VALUE, .title = NULL),
    GRID_OF(roof_history_layer, difference_s, VALUE, .title = NULL),
    GRID_PAIR("difference_ci95_s", roof_history_layer, difference_ci95_s),
    GRID_OF(roof_history_layer, ratio, VALUE, .title = NULL),
    GRID_OF(roof_history_layer, p, VALUE, .title = NULL),
};
static const grid_column point_members[] = {
    GRID_OF(roof_history_point, run, COUNT, .title = NULL),
    GRID_BY("added_s", trend_added_s, .title = NULL),
    GRID_OF(roof_history_point, commit, TEXT, .title = NULL),
    GRID_OF(roof_history_point, value, NUMBER, .title = NULL),
};

/* True for a gate: its trends have a factor. */
static bool trend_is_gate(const grid_row *row)
{
    return !isnan(((const roof_history_trends *)row->of)->factor);
}

GRID_CELL(trend_state_of, roof_history_series, is,
          cell_text(trend_is_gate(row) ? roof_held_text(is->state) : ""))
GRID_CELL(trend_why_of, roof_history_series, is, cell_text(trend_is_gate(row) ? text_or_empty(is->why) : ""))
GRID_CELL(trend_series_says, roof_history_series, s, cell_text(history_series_says(s, row->arena)))

#define KEY(member)      GRID_AS(#member, roof_history_series, key.member, TEXT, .title = NULL)
#define OF(member, from) GRID_OF(roof_history_series, member, from, .title = NULL)
#define METRIC(name, member, from)                                                                           \
    GRID_VIA(name, roof_history_series, metric, roof_history_metric, member, from, .title = NULL)
static const grid_column series_members[] = {
    KEYS,
    OF(row, TEXT),
    METRIC("metric", name, TEXT),
    METRIC("unit", unit, TEXT),
    METRIC("is_larger_better", is_larger_better, FLAG),
    GRID_ITEMS("began_with", roof_history_series, begun_by, n_begun_by, begun_members, true),
    OF(has_conditions, FLAG),
    OF(can_tell, FLAG),
    OF(noise_factor, VALUE),
    GRID_BY("state", trend_state_of, .title = NULL),
    GRID_BY("why", trend_why_of, .title = NULL),
    GRID_BY("says", trend_series_says, .title = NULL),
    GRID_ITEMS("segments", roof_history_series, segments, n_segments, segment_members, true),
    GRID_ITEMS("layers", roof_history_series, layers, n_layers, layer_members, true),
    GRID_ITEMS("points", roof_history_series, points, n_points, point_members, true),
};
#undef KEY

static const grid_column members[] = {
    GRID_OF(roof_history_trends, factor, VALUE, .title = NULL),
    GRID_ITEMS("series", roof_history_trends, items, n, series_members, false),
};

const document_view trends_view = {.schema = ROOF_HISTORY_TRENDS_SCHEMA,
                                   DOCUMENT_MEMBERS(members),
                                   DOCUMENT_ROWS(NULL, columns),
                                   .add_rows = trend_add_rows,
                                   .largest_csv = "median",
                                   .sentence = history_sentence,
                                   .remarks = history_remarks};

/* --- for services that watch benchmarks ----------------------------------------------------------------- */

/* "net on kv260, VART 3.5, bypass (9f1c02ab)": series of graphs that differ have names that do. Both services
 * write a name into comments of pull requests as it is. */
static const char *benchmark_name(const roof_history_series *s, roof_arena *arena)
{
    const char *name = history_series_name(s, arena);
    return say_unmarked(arena,
                        s->key.model_hash ? say_printf(arena, "%s (%.8s)", name, s->key.model_hash) : name);
}

/* Least and largest value of the newest segment. */
static void extremes(const roof_history_series *s, double *low, double *high)
{
    const roof_history_segment *g = &s->segments[s->n_segments - 1];
    *low = *high = s->points[g->first].value;
    for (uint32_t i = g->first; i < g->first + g->n; i++) {
        *low = fmin(*low, s->points[i].value);
        *high = fmax(*high, s->points[i].value);
    }
}

/* The newest run of each series. github-action-benchmark compares with what it kept of the run before, and
 * takes smaller for better: what is better when it is larger is left out. */
void trends_benchmark(const rendering *r)
{
    jsonout json;
    jsonout_begin(&json, r->out);
    jsonout_array(&json, NULL, false);
    FOR_EACH(const roof_history_series, s, r->trends->items, r->trends->n) {
        double low, high;
        if (s->metric->is_larger_better)
            continue;
        extremes(s, &low, &high);
        jsonout_object(&json, NULL, true);
        jsonout_string(&json, "name",
                       say_printf(r->arena, "%s/%s", benchmark_name(s, r->arena), s->metric->name));
        jsonout_string(&json, "unit", s->metric->unit);
        jsonout_number(&json, "value", s->points[s->n_points - 1].value);
        jsonout_string(&json, "range", say_printf(r->arena, "%.6g to %.6g", low, high));
        jsonout_string(&json, "extra", history_series_says(s, r->arena));
        jsonout_end(&json);
    }
    jsonout_end(&json);
}

/* Bencher Metric Format: benchmarks by name, measures by name, of each the value with its limits. */
void trends_bencher(const rendering *r)
{
    jsonout json;
    jsonout_begin(&json, r->out);
    jsonout_object(&json, NULL, false);
    FOR_EACH(const roof_history_series, s, r->trends->items, r->trends->n) {
        double low, high;
        extremes(s, &low, &high);
        jsonout_object(&json, benchmark_name(s, r->arena), false);
        jsonout_object(&json, s->metric->name, true);
        jsonout_number(&json, "value", s->points[s->n_points - 1].value);
        jsonout_number(&json, "lower_value", low);
        jsonout_number(&json, "upper_value", high);
        jsonout_end(&json);
        jsonout_end(&json);
    }
    jsonout_end(&json);
}
