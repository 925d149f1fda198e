/* Times of whole inferences: what repetitions tell, which of them meet a deadline, and where the time goes, as bars. */
#include "core/quantity.h"
#include "measure/units/unit_facts.h"
#include "reports/tables/reconcile/reconcile_view.h"

#include <math.h>

#define N(table) (sizeof(table) / sizeof *(table))

/* --- every mode ------------------------------------------------------------------------------------------- */

/* Operations of one inference; NaN where the prediction is of another batch. */
static double ops_of(const roof_reconciled *e, const roof_run *run)
{
    const roof_prediction *p = e->prediction;
    uint32_t batch = p && p->options.batch ? p->options.batch : 1;
    bool is_same = p && !e->has_doubtful_times && (run->batch == ROOF_NONE || run->batch == batch);
    return is_same ? known_count(p->total.ops_count) : NAN;
}

/* What timing every layer adds to a deployed inference; nothing where that is not asked. */
static void add_inflation(cell_grid *g, const roof_reconciled *e, const roof_run *run)
{
    const roof_times *t = &run->total;
    double base_s = e->total.bypass_s, added_s = t->mean_s - base_s;
    double boundaries = e->boundaries == ROOF_NONE ? NAN : (double)e->boundaries;
    if (run == e->bypass || !e->bypass || e->has_doubtful_times)
        GRID_ADD(g, cell_empty, cell_empty, cell_empty);
    else
        GRID_ADD(g, cell_signed(100 * quotient_of(added_s, base_s), 1),
                 cell_number(quotient_of(t->std_s, e->bypass->total.std_s), 2),
                 cell_number(1e6 * quotient_of(added_s, boundaries), 1));
}

static void add_times(cell_grid *g, time_scale s, const char *name, const roof_reconciled *e,
                      const roof_run *run)
{
    const roof_times *t = run ? &run->total : NULL;
    if (!t || isnan(times_typical(t)))
        return;
    GRID_ADD(g, cell_text(name), cell_text(run == e->bypass ? "deployed" : "per-layer run"),
             cell_number(known_count(t->count), 0), time_cell(s, t->mean_s), time_cell(s, t->median_s),
             time_cell(s, t->p95_s), time_cell(s, t->p99_s), time_cell(s, t->min_s), time_cell(s, t->max_s),
             time_cell(s, t->std_s), cell_number(quotient_of(1, times_typical(t)), 1),
             cell_number(quotient_of(ops_of(e, run), times_typical(t)) / 1e9, 1));
    add_inflation(g, e, run);
}

void view_times(const roof_reconciliation *r, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_NAME("times", 0), GRID_TEXT("measured", 0), GRID_NUMBER("number", NULL, 7),
                 GRID_NUMBER("mean", unit_of_times, 0), GRID_NUMBER("P50", unit_of_times, 2),
                 GRID_NUMBER("P95", unit_of_times, 2), GRID_NUMBER("P99", unit_of_times, 1),
                 GRID_NUMBER("min", unit_of_times, 3), GRID_NUMBER("max", unit_of_times, 1),
                 GRID_NUMBER("deviation", unit_of_times, 4), GRID_NUMBER("inferences", "[/s]", 2),
                 GRID_NUMBER("rate", "[GOP/s]", 3), GRID_NUMBER("longer", "[%]", 5),
                 GRID_NUMBER("deviation", "[x]", 6), GRID_NUMBER("a boundary", "[us]", 5));
    time_scale s = time_scale_of(r);
    begin_times(grid, columns, N(columns), s, arena);
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        const char *name = name_on_hardware(r, e, arena);
        add_times(grid, s, name, e, e->bypass);
        add_times(grid, s, name, e, e->per_layer);
    }
}

/* --- a deadline ----------------------------------------------------------------------------------------- */

/* In percent, as if times were normally distributed; NaN where mean and deviation are not known. */
static double estimate(const roof_times *t, double deadline_s)
{
    return t->std_s > 0 ? 50 * erfc((t->mean_s - deadline_s) / t->std_s / sqrt(2)) : NAN;
}

/* "about 95 % or more (P95), about 99 % or fewer (P99) meet it"; NULL where no quantile tells. */
static const char *by_quantiles(const roof_times *t, double deadline_s, roof_arena *arena)
{
    static const int percents[] = {50, 95, 99};
    const double seconds[] = {t->median_s, t->p95_s, t->p99_s};
    int meets = 0, misses = 0;
    const char *text = "", *more = "";
    if (t->max_s <= deadline_s)
        return say_printf(arena, "all meet it: the slowest takes %s", say_quantity(arena, t->max_s, "s"));
    if (t->min_s > deadline_s)
        return say_printf(arena, "none meets it: the fastest takes %s", say_quantity(arena, t->min_s, "s"));
    for (int i = 0; i < 3; i++) {
        meets = seconds[i] <= deadline_s ? percents[i] : meets;
        misses = seconds[i] > deadline_s && !misses ? percents[i] : misses;
    }
    if (meets)
        text = say_more(arena, text, "about %d %% or more (P%d)", meets, meets);
    if (misses)
        text = say_more(arena, text, "about %d %% or fewer (P%d)", misses, misses);
    if (!isnan(estimate(t, deadline_s)))
        more =
            say_printf(arena, "; about %.0f %% by mean and deviation, an estimate", estimate(t, deadline_s));
    return *text ? say_printf(arena, "%s meet it, a bound by percentiles%s", text, more) : NULL;
}

static const char *by_samples(const roof_times *t, double deadline_s, roof_arena *arena)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < t->count; i++)
        n += t->samples_s[i] <= deadline_s;
    return arena_printf(arena, "%llu of %llu samples meet it; the slowest takes %s", (unsigned long long)n,
                        (unsigned long long)t->count, say_quantity(arena, t->max_s, "s"));
}

static const char *by_mean(const roof_times *t, double deadline_s, roof_arena *arena)
{
    double typical_s = times_typical(t), percent = estimate(t, deadline_s);
    if (!isnan(percent))
        return say_printf(arena,
                          "about %.1f %% meet it: an estimate by mean and deviation, as if times were "
                          "normally distributed",
                          percent);
    return say_printf(arena, "the mean of %s %s it; how many inferences do is not known",
                      say_quantity(arena, typical_s, "s"), typical_s <= deadline_s ? "meets" : "misses");
}

void view_deadline(const roof_reconciliation *r, double deadline_s, remarks *lines)
{
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        const roof_run *run = e->bypass ? e->bypass : e->per_layer;
        const roof_times *t = run ? &run->total : NULL;
        if (!t || isnan(times_typical(t)))
            continue;
        const char *text = t->samples_s ? by_samples(t, deadline_s, lines->arena)
                                        : by_quantiles(t, deadline_s, lines->arena);
        if (!text)
            text = by_mean(t, deadline_s, lines->arena);
        remarks_add(lines, "deadline", "%s for %s%s: %s", say_quantity(lines->arena, deadline_s, "s"),
                    e->model, run == e->bypass ? "" : " in the per-layer run", text);
    }
}

/* --- where the time goes ---------------------------------------------------------------------------------- */

enum { BAR_WIDTH = 48 };

/* A time below the bound makes a part negative, and the first ones can leave the picture. */
static int column_at(double place)
{
    return (int)lround(fmin(fmax(place, 0), BAR_WIDTH));
}

/* From one place to another, in columns; a negative part goes back. One that is too short for a column is a thin line, and one that
 * prints as 0.0 % is nothing. */
static const char *bar_between(double from, double to, bool is_ascii, roof_arena *arena)
{
    int a = column_at(fmin(from, to)), b = column_at(fmax(from, to));
    const char *thin = fabs(to - from) < 0.0005 * BAR_WIDTH ? "" : is_ascii ? "|" : "\u258f";
    textbuf bar;
    text_init(&bar, TEXT_MAX_BYTES);
    text_printf(&bar, "%*s", a < b || *thin ? a : 0, "");
    for (int i = a; i < b; i++)
        text_puts(&bar, is_ascii ? "#" : "\u2588");
    text_puts(&bar, a < b ? "" : thin);
    return say_text(arena, &bar);
}

/* One part of many, from where the one before it ends. */
typedef struct waterfall {
    cell_grid *grid;
    double total_s, column_s, at_s;
    bool is_ascii;
} waterfall;

static void add_part(waterfall *w, const char *name, double seconds)
{
    double from_s = w->at_s;
    w->at_s += seconds;
    GRID_ADD(
        w->grid, cell_text(name), cell_number(1e3 * seconds, 3),
        cell_number(100 * quotient_of(seconds, w->total_s), 1),
        cell_text(bar_between(from_s / w->column_s, w->at_s / w->column_s, w->is_ascii, w->grid->arena)));
}

void view_waterfall(const roof_attribution *a, const char *title, bool is_ascii, cell_grid *grid,
                    roof_arena *arena)
{
    const grid_column columns[] = {GRID_NAME(title, 0), GRID_NUMBER("time", "[ms]", 0),
                                   GRID_NUMBER("share", "[%]", 0), GRID_TEXT("", 1)};
    grid_column *own = NEW_ARRAY(arena, grid_column, N(columns));
    double most_s = a->total_s, sum_s = 0;
    for (size_t i = 0; own && i < N(columns); i++)
        own[i] = columns[i];
    grid_begin(grid, arena, own, N(columns));
    if (!a->of || !a->n_parts || !(a->total_s > 0))
        return;
    for (uint32_t i = 0; i < a->n_parts; i++)
        most_s = fmax(most_s, sum_s += a->parts[i].seconds);
    waterfall w = {grid, a->total_s, most_s / BAR_WIDTH, 0, is_ascii};
    for (uint32_t i = 0; i < a->n_parts; i++)
        add_part(&w, a->parts[i].name, a->parts[i].seconds);
    add_part(&w, "unattributed", a->unattributed_s);
    GRID_ADD(grid, cell_label("total"), cell_number(1e3 * a->total_s, 3), cell_number(100, 1), cell_empty);
}
