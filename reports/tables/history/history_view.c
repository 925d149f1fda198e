#include "reports/tables/history/history_view.h"
#include "reports/words/say.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- words ---------------------------------------------------------------------------------------------- */

const char *history_series_name(const roof_history_series *s, roof_arena *arena)
{
    const roof_history_key *k = &s->key;
    const char *text = k->model ? k->model : "a model without a name";
    if (k->device)
        text = say_printf(arena, "%s on %s", text, k->device);
    if (k->stack)
        text = say_printf(arena, "%s, %s", text, k->stack);
    text = say_printf(arena, "%s, %s", text, k->mode ? k->mode : "?");
    if (k->workload)
        text = say_printf(arena, "%s, %s", text, k->workload);
    return s->row ? say_printf(arena, "row %s of %s", s->row, text) : text;
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

static const char *say_median(const roof_history_series *s, double value, roof_arena *arena)
{
    return say_quantity(arena, value, s->metric->unit);
}

static const char *say_steady(const roof_history_series *s, roof_arena *arena)
{
    if (s->can_tell)
        return say_printf(arena, "no change beyond noise in %" PRIu32 " runs, around %s.", s->n_points,
                          say_median(s, s->segments->median, arena));
    return say_printf(
        arena, "%" PRIu32 " run%s around %s: too few for a change to be seen, which takes %" PRIu32 ".",
        s->n_points, say_plural(s->n_points), say_median(s, s->segments->median, arena),
        roof_history_enough_runs());
}

/* "; of the 66.1 us conv1 makes 60.2 us, and conv2 3.1 us" */
static const char *say_layers(const roof_history_series *s, roof_arena *arena)
{
    enum { MOST = 3 };
    const double all_s = s->segments[s->n_segments - 1].median - s->segments[s->n_segments - 2].median;
    const char *text = "";
    for (uint32_t i = 0; i < s->n_layers && i < MOST; i++) {
        const roof_history_layer *l = &s->layers[i];
        const char *time = say_quantity(arena, fabs(l->difference_s), "s"),
                   *sign = (l->difference_s < 0) == (all_s < 0) ? "" : "-";
        text = i ? say_printf(arena, "%s, %s %s%s", text, l->name, sign, time)
                 : say_printf(arena, "; of the %s %s makes %s%s", say_quantity(arena, fabs(all_s), "s"),
                              l->name, sign, time);
    }
    return s->n_layers > MOST
               ? say_printf(arena, "%s, and %" PRIu32 " more layers changed", text, s->n_layers - MOST)
               : text;
}

/* Steps that all go one way, and more than a change back and forth has. */
static bool has_drifted(const roof_history_series *s)
{
    enum { FEWEST_STEPS = 4 };
    uint32_t n_up = 0;
    for (uint32_t i = 1; i < s->n_segments; i++)
        n_up += s->segments[i].median > s->segments[i - 1].median;
    return s->n_segments > FEWEST_STEPS && (!n_up || n_up + 1 == s->n_segments);
}

/* "data type f32 before, int8 now" */
const char *history_began_with(const roof_history_series *s, roof_arena *arena)
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
    if (s->n_segments == 1)
        return say_printf(arena, "%s: %s", name, say_steady(s, arena));
    if (has_drifted(s)) {
        const double ratio = last->median / s->segments->median;
        return say_printf(arena, "%s: has drifted, %s %s since run %" PRIu64 "%s, in %" PRIu32 " steps.",
                          name, say_percent(arena, fabs(ratio - 1)), direction(s, ratio), s->points->run,
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
    const char *unknown = n_unknown ? say_printf(arena, "; of %" PRIu32 " it is not known", n_unknown) : "";
    if (n_broken)
        return say_printf(
            arena, "Broken: %" PRIu32 " of %" PRIu32 " series got worse by more than the factor %.4g%s.",
            n_broken, t->n, t->factor, unknown);
    if (n_unknown)
        return say_printf(arena,
                          "Not known: of %" PRIu32 " of %" PRIu32
                          " series it is open whether they got worse by more than the factor %.4g.",
                          n_unknown, t->n, t->factor);
    return say_printf(arena, "Kept: none of %" PRIu32 " series got worse by more than the factor %.4g.", t->n,
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

const char *history_sentence(const roof_history_trends *t, uint32_t i, roof_arena *arena)
{
    enum { MOST = 3 };
    const bool is_gate = !isnan(t->factor);
    const uint32_t at = i - is_gate, shown = t->n < MOST ? t->n : MOST;
    if (is_gate && !i)
        return say_gate(t, arena);
    const roof_history_series *series = at < shown ? history_ranked(t, at) : NULL;
    /* what the series says is reason enough where it is too short, or slower than just before */
    const bool is_why = series && is_gate &&
                        (series->state == ROOF_HELD_NOT_KNOWN ? series->can_tell || series->n_segments > 1
                         : series->state == ROOF_HELD_BROKEN  ? series->n_segments > 2
                                                              : false);
    if (is_why)
        return say_printf(arena, "%s %s: %s.", history_series_says(series, arena),
                          series->state == ROOF_HELD_BROKEN ? "Broken" : "Not known", series->why);
    if (series)
        return history_series_says(series, arena);
    if (at == shown && t->n > shown)
        return say_printf(arena, "%" PRIu32 " more series are in the table.", t->n - shown);
    return NULL;
}

/* --- the table ------------------------------------------------------------------------------------------ */

/* Documents have the first ones, in this order; the others are for people alone. */
enum {
    MODEL,
    HASH,
    DEVICE,
    STACK,
    MODE,
    WORKLOAD,
    ROW,
    METRIC,
    UNIT,
    FIRST_RUN,
    LAST_RUN,
    RUNS,
    COMMIT,
    MEDIAN,
    RATIO,
    RATIO_LOW,
    RATIO_HIGH,
    P,
    STATE,
    BEGAN,
    SERIES,
    SPAN,
    LEVEL,
    CHANGE,
    COLUMNS
};

static const grid_column columns[COLUMNS] = {
    [MODEL] = GRID_CSV("model"),
    [HASH] = GRID_CSV("model_hash"),
    [DEVICE] = GRID_CSV("device"),
    [STACK] = GRID_CSV("stack"),
    [MODE] = GRID_CSV("mode"),
    [WORKLOAD] = GRID_CSV("workload"),
    [BEGAN] = GRID_CSV("began_with"),
    [ROW] = GRID_CSV("row"),
    [METRIC] = GRID_CSV("metric"),
    [UNIT] = GRID_CSV("unit"),
    [FIRST_RUN] = GRID_CSV("first_run"),
    [LAST_RUN] = GRID_CSV("last_run"),
    [RUNS] = GRID_CSV("runs"),
    [COMMIT] = GRID_CSV("commit"),
    [MEDIAN] = GRID_CSV("median"),
    [RATIO] = GRID_CSV("ratio"),
    [RATIO_LOW] = GRID_CSV("ratio_low"),
    [RATIO_HIGH] = GRID_CSV("ratio_high"),
    [P] = GRID_CSV("p"),
    [STATE] = GRID_CSV("state"),
    [SERIES] = {"series", .kind = COLUMN_NAME, .least = 12, .rank = 2},
    [SPAN] = {"runs", .kind = COLUMN_TEXT},
    [LEVEL] = {"median", .kind = COLUMN_TEXT},
    [CHANGE] = {"change", .kind = COLUMN_NOTE},
};

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static void add_row(const roof_history_trends *t, const roof_history_series *s, uint32_t i, cell_grid *grid)
{
    const roof_history_segment *g = &s->segments[i];
    const roof_history_point *first = &s->points[g->first], *last = &s->points[g->first + g->n - 1];
    const bool is_csv = grid->csv != NULL, is_last = i + 1 == s->n_segments;
    roof_arena *arena = grid->arena;
    const grid_cell cells[COLUMNS] = {
        [MODEL] = cell_text(or_empty(s->key.model)),
        [HASH] = cell_text(or_empty(s->key.model_hash)),
        [DEVICE] = cell_text(or_empty(s->key.device)),
        [STACK] = cell_text(or_empty(s->key.stack)),
        [MODE] = cell_text(or_empty(s->key.mode)),
        [WORKLOAD] = cell_text(or_empty(s->key.workload)),
        [BEGAN] = is_csv ? cell_text(history_began_with(s, arena)) : cell_empty,
        [ROW] = cell_text(or_empty(s->row)),
        [METRIC] = cell_text(s->metric->name),
        [UNIT] = cell_text(s->metric->unit),
        [FIRST_RUN] = cell_count(first->run),
        [LAST_RUN] = cell_count(last->run),
        [RUNS] = cell_count(g->n),
        [COMMIT] = is_csv ? cell_text(or_empty(first->commit)) : cell_empty,
        [MEDIAN] = cell_value(g->median),
        [RATIO] = cell_value(g->ratio),
        [RATIO_LOW] = cell_value(g->ratio_ci95[0]),
        [RATIO_HIGH] = cell_value(g->ratio_ci95[1]),
        [P] = cell_value(g->p),
        [STATE] = cell_text(is_last && !isnan(t->factor) ? roof_held_text(s->state) : ""),
        [SERIES] = is_csv ? cell_empty : cell_text(i ? "" : history_series_name(s, arena)),
        [SPAN] = is_csv ? cell_empty
                        : cell_text(say_printf(arena, "%" PRIu64 " to %" PRIu64 " (%" PRIu32 ")%s",
                                               first->run, last->run, g->n, say_commit(first, arena))),
        [LEVEL] = is_csv ? cell_empty : cell_text(say_median(s, g->median, arena)),
        [CHANGE] = is_csv ? cell_empty : cell_text(history_change(s, g, arena))};
    grid_add(grid, cells, is_csv ? SERIES : COLUMNS);
}

void history_add_rows(const roof_history_trends *t, cell_grid *grid)
{
    for (uint32_t i = 0; i < t->n; i++)
        for (uint32_t k = 0; k < t->items[i].n_segments; k++)
            add_row(t, &t->items[i], k, grid);
}

void history_table(const roof_history_trends *t, cell_grid *grid, roof_arena *arena)
{
    grid_begin(grid, arena, columns, COLUMNS);
    history_add_rows(t, grid);
}

void history_begin_csv(cell_grid *grid, roof_arena *arena, textbuf *out)
{
    grid_begin_csv(grid, arena, columns, SERIES, out);
}

void history_layers(const roof_history_series *s, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(layers, {"layer", .kind = COLUMN_NAME},
                 GRID_SCALED("before", "[ms]", 1, .times = 1e3, .digits = 4),
                 GRID_SCALED("change", "[ms]", 0, .times = 1e3, .digits = 4, .format = FORMAT_SIGNED),
                 GRID_TEXT("95 % [ms]", 2), GRID_SCALED("ratio", "", 1, .digits = 3),
                 GRID_SCALED("of the change", "[%]", 1, .times = 100, .digits = 1));
    enum { LAYER_COLUMNS = sizeof layers / sizeof *layers };
    const double all_s = s->n_segments > 1
                             ? s->segments[s->n_segments - 1].median - s->segments[s->n_segments - 2].median
                             : (double)NAN;
    grid_begin(grid, arena, layers, LAYER_COLUMNS);
    for (uint32_t i = 0; i < s->n_layers; i++) {
        const roof_history_layer *l = &s->layers[i];
        GRID_ADD(grid, cell_text(l->name), cell_value(l->before_s), cell_value(l->difference_s),
                 cell_text(say_printf(arena, "%+.4f to %+.4f", 1e3 * l->difference_ci95_s[0],
                                      1e3 * l->difference_ci95_s[1])),
                 cell_value(l->ratio), cell_value(l->difference_s / all_s));
    }
}

/* --- remarks -------------------------------------------------------------------------------------------- */

void history_remarks(const roof_history_trends *t, remarks *lines)
{
    uint32_t n_alike = 0;
    double most = 1;
    for (uint32_t i = 0; i < t->n; i++) {
        n_alike += t->items[i].noise_factor > 1;
        most = fmax(most, t->items[i].noise_factor);
    }
    if (n_alike)
        remarks_add(lines, "noise",
                    "runs that follow each other are alike in %" PRIu32 " of %" PRIu32
                    " series: such noise counts up to %.1f times in variance, and changes are seen later",
                    n_alike, t->n, most);
    remarks_add(lines, "change",
                "beyond noise by Mann-Whitney's U; where there is none, 1 of 200 series shows one");
    remarks_add(lines, "interval", "95 %%, of the typical quotient of a run and one of the stretch before");
}
