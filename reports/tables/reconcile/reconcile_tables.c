#include "reports/tables/reconcile/reconcile_tables.h"
#include "measure/matches/match_facts.h"
#include "reports/words/verdict_words.h"

void reconcile_begin(const reconcile_scope *s, cell_grid *grid, const grid_column *columns, size_t n)
{
    double largest = 0;
    FOR_EACH(const roof_reconciled, e, s->r->experiments, s->r->n_experiments) {
        const double times[] = {e->total.bypass_s, e->total.per_layer_s, e->total.sum_of_layers_s,
                                e->total.listed_s};
        for (size_t k = 0; k < N_OF(times); k++)
            largest = times[k] > largest ? times[k] : largest;
    }
    grid_begin(grid, s->arena, columns, n);
    if (largest >= 10)
        grid->times = (grid_times){1, "[s]", 4};
    else if (largest < 1e-4 && largest > 0)
        grid->times = (grid_times){1e6, "[us]", 2};
}

const char *reconcile_name_on_hardware(const roof_reconciliation *r, const roof_reconciled *e,
                                       roof_arena *arena)
{
    const char *hardware = e->hardware_id ? say_hardware_of(e) : e->device;
    return r->one_hardware || !hardware ? e->model : say_printf(arena, "%s on %s", e->model, hardware);
}

/* "1.2..1.4", which sorts by the first. */
static grid_cell two_cell(roof_arena *arena, double first, const char *between, double second, int digits)
{
    return cell_worded(say_printf(arena, "%.*f%s%.*f", digits, first, between, digits, second), first,
                       digits);
}

/* --- models ------------------------------------------------------------------------------------------- */

void reconcile_view_models(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(columns, GRID_NAME("model", 0), GRID_NUMBER("boundaries", NULL, 2), GRID_TIME("latency", 0),
                 GRID_TIME("per-layer", 0), GRID_TIME("sum of layers", 0), GRID_TIME("overhead", 1),
                 GRID_SCALED("longer", "[%]", 6, .times = 100, .digits = 1, .format = FORMAT_SIGNED),
                 GRID_TIME("corrected", 0), GRID_TIME("95 %", 4),
                 GRID_SCALED("error", "[%]", 0, .times = 100, .digits = 1, .format = FORMAT_SIGNED),
                 GRID_SCALED("left out", "[%]", 5, .times = 100, .digits = 1, .format = FORMAT_SIGNED),
                 GRID_TIME("bound", 0), GRID_PERCENT("bound/meas.", 3));
    reconcile_begin(s, grid, columns, N_OF(columns));
    grid->what = "model";
    FOR_EACH(const roof_reconciled, e, s->r->experiments, s->r->n_experiments) {
        double low = grid->times.factor * e->total.corrected_ci95_s[0],
               high = grid->times.factor * e->total.corrected_ci95_s[1];
        double layered_s = roof_layered_seconds(e), limit_s = experiment_hardware_limit_s(e);
        const double reached = quotient_of(limit_s, e->bypass ? e->total.bypass_s : layered_s);
        const grid_cell of_limit =
            experiment_rows_left_out(e) && !isnan(reached)
                ? cell_worded(say_printf(s->arena, ">= %.1f", 100 * reached), reached, CELL_ANY_DIGITS)
                : cell_value(reached);
        bool is_overhead = e->total.inflation_ratio >= 0; /* what is less than the whole is none */
        GRID_ADD(grid, cell_text(reconcile_name_on_hardware(s->r, e, s->arena)),
                 cell_number(e->boundaries == ROOF_NONE ? NAN : (double)e->boundaries, 0),
                 cell_value(e->total.bypass_s), cell_value(e->total.per_layer_s),
                 cell_value(e->total.sum_of_layers_s),
                 cell_value(is_overhead ? layered_s - e->total.bypass_s : (double)NAN),
                 cell_value(is_overhead ? e->total.inflation_ratio : (double)NAN),
                 cell_value(e->total.corrected_s),
                 isfinite(low) && isfinite(high) ? two_cell(s->arena, low, "..", high, 1)
                                                 : cell_number(NAN, 0),
                 cell_value(e->total.corrected_error_ratio), cell_value(e->total.left_out_error_ratio),
                 cell_value(limit_s), of_limit);
    }
}

/* --- fits --------------------------------------------------------------------------------------------- */

static void add_line(cell_grid *g, const roof_overhead_fit *f, roof_line_kind kind)
{
    static const char *const kinds[] = {
        [ROOF_LINE_FREE] = "", [ROOF_LINE_ORIGIN] = " through 0", [ROOF_LINE_ROBUST] = " robust"};
    enum { MOST = 8 };
    const roof_line *line = &f->fit.lines[kind];
    const roof_estimate *slope = &line->slope, *constant = &line->intercept;
    bool origin = kind == ROOF_LINE_ORIGIN;
    const char *residuals = f->fit.n > MOST ? say_printf(g->arena, "%zu points", f->fit.n) : "";
    if (!line->known)
        return;
    for (size_t i = 0; i < f->fit.n && f->fit.n <= MOST; i++)
        residuals = say_printf(g->arena, "%s%s%+.3f", residuals, i ? " " : "",
                               1e3 * roof_overhead_residual(f, kind, i));
    GRID_ADD(
        g, cell_text(arena_printf(g->arena, "%s%s%s", f->id, kinds[kind], kind == f->fit.chosen ? " *" : "")),
        two_cell(g->arena, 1e3 * slope->value, " ± ", 1e3 * slope->se, 4),
        two_cell(g->arena, 1e3 * slope->ci95_low, "..", 1e3 * slope->ci95_high, 3),
        origin ? cell_number(0, 0) : two_cell(g->arena, 1e3 * constant->value, " ± ", 1e3 * constant->se, 4),
        origin ? cell_none : two_cell(g->arena, 1e3 * constant->ci95_low, "..", 1e3 * constant->ci95_high, 3),
        cell_number(line->r2, 3), /* unknown where nothing varies */
        cell_number(line->dof, 0), cell_text(residuals));
}

/* The CPU's line through the origin means nothing: a constant is what it is about. */
void reconcile_view_fits(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(columns, GRID_TEXT("fit", 0), GRID_NUMBER("per boundary", "[ms]", 0),
                 GRID_NUMBER("95 %", "[ms]", 0), GRID_NUMBER("intercept", "[ms]", 0),
                 GRID_NUMBER("95 %", "[ms]", 3), GRID_NUMBER("R2", NULL, 0), GRID_NUMBER("dof", NULL, 1),
                 GRID_COLUMN(TEXT, "residuals", "[ms]", NULL, 2));
    grid_begin(grid, s->arena, columns, N_OF(columns));
    for (int i = 0; i < ROOF_FITS; i++)
        for (int kind = 0; kind < ROOF_LINE_KINDS; kind++)
            if (i == ROOF_FIT_OVERHEAD || kind != ROOF_LINE_ORIGIN)
                add_line(grid, &s->r->fits[i], (roof_line_kind)kind);
}

/* --- where the time goes ------------------------------------------------------------------------------ */

static double share_of(const roof_attribution *a, const char *const *names, size_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < a->n_parts; i++)
        sum += WORD_AT(names, n, a->parts[i].name) < n ? a->parts[i].share_ratio : 0;
    return sum;
}

static void add_where(cell_grid *g, const roof_reconciled *e, const char *name, const char *how,
                      const roof_attribution *a)
{
    static const char *const ideal[] = {"ideal", "hardware limit"}, *const overhead[] = {"overhead"},
                             *const gap[] = {"gap"};
    static const char *const outside[] = {"outside layers", "host", "copies", "pre and post phases"};
    static const char *const other[] = {"host layers", "rows without a layer",   "layers",
                                        "accelerator", "phases of unknown kind", "core phases"};
    double gap_share = share_of(a, gap, N_OF(gap)), outside_share = share_of(a, outside, N_OF(outside));
    bool is_deployed = a == &e->deployed, has_ideal = share_of(a, ideal, N_OF(ideal)) != 0 || gap_share != 0;
    bool is_outside_known = is_deployed ? !isnan(e->total.host_s)
                                        : isnan(e->total.per_layer_s) || !isnan(e->total.sum_of_layers_s);
    if (!a->of)
        return;
    /* what is unknown is not none: it is in what is unattributed */
    double known = has_ideal ? 0 : NAN, overhead_known = is_deployed ? 0 : 0 * e->boundary_cost_s;
    if (is_deployed && gap_share == 0)
        gap_share = NAN;
    if (!is_outside_known && outside_share == 0)
        outside_share = NAN;
    GRID_ADD(g, cell_text(name), cell_text(how), cell_value(a->total_s),
             cell_value(share_of(a, ideal, N_OF(ideal)) + known),
             cell_value(share_of(a, overhead, N_OF(overhead)) + overhead_known),
             cell_value(gap_share + known), cell_value(outside_share),
             cell_value(share_of(a, other, N_OF(other))),
             cell_value(quotient_of(a->unattributed_s, a->total_s)), cell_value(a->unattributed_s));
}

void reconcile_view_where(const reconcile_scope *s, cell_grid *grid)
{
#define SHARE(title, rank) GRID_SCALED(title, "[%]", rank, .times = 100, .digits = 1, .format = FORMAT_DASH)
    GRID_COLUMNS(columns, GRID_NAME("where the time goes", 0), GRID_TEXT("measured", 0),
                 GRID_TIME("total", 0), SHARE("bound", 0), SHARE("overhead", 0), SHARE("gap", 0),
                 SHARE("outside", 0), SHARE("other", 2), GRID_PERCENT("unattributed", 0),
                 GRID_TIME("unattributed", 1));
    reconcile_begin(s, grid, columns, N_OF(columns));
    FOR_EACH(const roof_reconciled, e, s->r->experiments, s->r->n_experiments) {
        const char *name = reconcile_name_on_hardware(s->r, e, s->arena);
        add_where(grid, e, name, isnan(e->total.per_layer_s) ? "sum of layers" : "per-layer run",
                  &e->layer_by_layer);
        add_where(grid, e, !e->layer_by_layer.of || s->is_page ? name : "", "whole network", &e->deployed);
    }
}

/* --- times of whole inferences ------------------------------------------------------------------------ */

static void add_times(cell_grid *g, const char *name, const roof_reconciled *e, const roof_run *run)
{
    const roof_times *t = run ? &run->total : NULL;
    if (!t || isnan(times_typical(t)))
        return;
    const roof_prediction *p = e->prediction;
    bool is_bypass = run == e->bypass;
    uint32_t batch = p && p->options.batch ? p->options.batch : 1;
    /* a prediction of another batch has other operations */
    bool is_same = p && !e->has_doubtful_times && (run->batch == ROOF_NONE || run->batch == batch);
    double ops = is_same ? known_count(p->total.ops_count) : NAN;
    GRID_ADD(g, cell_text(name), cell_text(is_bypass ? "whole network" : "per-layer run"),
             cell_number(known_count(t->count), 0), cell_value(t->mean_s), cell_value(t->median_s),
             cell_value(t->p95_s), cell_value(t->p99_s), cell_value(t->min_s), cell_value(t->max_s),
             cell_value(t->std_s), cell_number(quotient_of(1, times_typical(t)), 1),
             cell_value(quotient_of(ops, times_typical(t))));
    if (is_bypass || !e->bypass || e->has_doubtful_times) {
        GRID_ADD(g, cell_empty, cell_empty, cell_empty);
        return;
    }
    double added_s = t->mean_s - e->total.bypass_s;
    GRID_ADD(g, cell_value(quotient_of(added_s, e->total.bypass_s)),
             cell_number(quotient_of(t->std_s, e->bypass->total.std_s), 2),
             cell_value(quotient_of(added_s, e->boundaries == ROOF_NONE ? NAN : (double)e->boundaries)));
}

void reconcile_view_times(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(
        columns, GRID_NAME("times", 0), GRID_TEXT("measured", 0), GRID_NUMBER("number", NULL, 7),
        GRID_TIME("mean", 0), GRID_TIME("P50", 2), GRID_TIME("P95", 2), GRID_TIME("P99", 1),
        GRID_TIME("min", 3), GRID_TIME("max", 1), GRID_TIME("deviation", 4),
        GRID_NUMBER("inferences", "[/s]", 2), GRID_SCALED("rate", "[GOP/s]", 3, .over = 1e9, .digits = 1),
        GRID_SCALED("longer", "[%]", 5, .times = 100, .digits = 1, .format = FORMAT_SIGNED),
        GRID_NUMBER("deviation", "[x]", 6), GRID_SCALED("a boundary", "[us]", 5, .times = 1e6, .digits = 1));
    reconcile_begin(s, grid, columns, N_OF(columns));
    grid->what = "row";
    FOR_EACH(const roof_reconciled, e, s->r->experiments, s->r->n_experiments) {
        const char *name = reconcile_name_on_hardware(s->r, e, s->arena);
        add_times(grid, name, e, e->bypass);
        add_times(grid, name, e, e->per_layer);
    }
}

/* --- parts of a time, with bars ------------------------------------------------------------------------- */

enum { BAR_WIDTH = 48 };

/* A time below the bound makes a part negative, and the first ones can leave the picture. */
static int column_at(double place)
{
    return (int)lround(fmin(fmax(place, 0), BAR_WIDTH));
}

/* From one place to another, in columns; a negative part goes back. One that is too short for a column is a
 * thin line, and one that prints as 0.0 % is nothing. */
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

void reconcile_view_waterfall(const roof_attribution *a, const char *title, bool is_ascii, cell_grid *grid,
                              roof_arena *arena)
{
    const grid_column columns[] = {GRID_NAME(title, 0), GRID_TIME("time", 0), GRID_PERCENT("share", 0),
                                   GRID_TEXT("", 1)};
    double most_s = a->total_s, at_s = 0;
    grid_begin(grid, arena, arena_copy(arena, columns, N_OF(columns), sizeof *columns), N_OF(columns));
    if (!a->of || !a->n_parts || !(a->total_s > 0))
        return;
    for (uint32_t i = 0; i < a->n_parts; i++)
        most_s = fmax(most_s, at_s += a->parts[i].seconds);
    const double column_s = most_s / BAR_WIDTH;
    at_s = 0;
    for (uint32_t i = 0; i <= a->n_parts; i++) {
        bool is_part = i < a->n_parts;
        double seconds = is_part ? a->parts[i].seconds : a->unattributed_s, from_s = at_s;
        at_s += seconds;
        GRID_ADD(grid, cell_text(is_part ? a->parts[i].name : "unattributed"), cell_value(seconds),
                 cell_value(quotient_of(seconds, a->total_s)),
                 cell_text(bar_between(from_s / column_s, at_s / column_s, is_ascii, arena)));
    }
    GRID_ADD(grid, cell_label("total"), cell_value(a->total_s), cell_value(1), cell_empty);
}

/* --- energy ------------------------------------------------------------------------------------------- */

static grid_cell quantity(roof_arena *arena, double value, const char *unit)
{
    enum { DIGITS = 3 };
    return isnan(value) ? cell_number(NAN, 0) : cell_worded(say_quantity(arena, value, unit), value, DIGITS);
}

void reconcile_view_energies(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(columns, GRID_NAME("energy", 0), GRID_TEXT("on", 0), GRID_TEXT("covers", 0),
                 GRID_NUMBER("time", NULL, 3), GRID_NUMBER("power", NULL, 1), GRID_NUMBER("idle", NULL, 2),
                 GRID_NUMBER("an inference", NULL, 0), GRID_NUMBER("above idle", NULL, 4),
                 GRID_NUMBER("inferences/J", NULL, 0),
                 GRID_SCALED("Gops/J", NULL, 0, .over = 1e9, .digits = 2));
    const roof_reconciliation *r = s->r;
    roof_arena *arena = s->arena;
    typedef struct energy_row {
        const char *model, *scope;
        double inferences_per_j;
        const roof_reconciled *of;
    } energy_row;
    energy_row *rows = NEW_ARRAY(arena, energy_row, r->n_experiments);
    uint32_t n = 0;
    grid_begin(grid, arena, columns, N_OF(columns));
    FOR_EACH(const roof_reconciled, of, r->experiments, rows ? r->n_experiments : 0)
        if (!isnan(of->energy.inference_j))
            rows[n++] = (energy_row){of->model, of->energy.scope ? of->energy.scope : "not stated",
                                     of->energy.inferences_per_j, of};
    if (n < 2)
        return;
    order_sort(rows, n, sizeof *rows, /* equals keep the order of the array */
               ORDER_BY(RISING(energy_row, model), RISING(energy_row, scope),
                        FALLING(energy_row, inferences_per_j)));
    for (uint32_t i = 0; i < n; i++) {
        const roof_reconciled *of = rows[i].of;
        const roof_energy *e = &of->energy;
        GRID_ADD(grid, cell_text(of->model),
                 cell_text(text_or_empty(of->hardware_id ? of->hardware_id : of->device)),
                 cell_text(rows[i].scope), quantity(arena, e->time_s, "s"), quantity(arena, e->power_w, "W"),
                 quantity(arena, e->idle_power_w, "W"), quantity(arena, e->inference_j, "J"),
                 quantity(arena, e->above_idle_j, "J"), cell_number(e->inferences_per_j, 3),
                 cell_value(e->ops_per_j));
    }
}

/* --- load ----------------------------------------------------------------------------------------------- */

static grid_cell error_cell(double ratio)
{
    return isnan(ratio) ? cell_empty : cell_signed(100 * ratio, 1);
}

/* One sweep after the other, by threads: what was measured, what its own constants and the law make of it. */
void reconcile_view_loads(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(columns, GRID_NAME("under load", 0), GRID_TEXT("on", 5), GRID_NUMBER("threads", NULL, 0),
                 GRID_NUMBER("frames", "[/s]", 0), GRID_NUMBER("fitted", "[/s]", 3),
                 GRID_NUMBER("left out", "[%]", 4), GRID_NUMBER("law", "[/s]", 2),
                 GRID_NUMBER("error", "[%]", 2), GRID_NUMBER("mean", NULL, 6), GRID_NUMBER("P50", NULL, 0),
                 GRID_NUMBER("P95", NULL, 1), GRID_NUMBER("P99", NULL, 0), GRID_TEXT("limit", 1));
    grid_begin(grid, s->arena, columns, N_OF(columns));
    FOR_EACH(const roof_load_run, l, s->r->loads, s->r->n_loads) {
        const roof_times *t = &l->run->total;
        const double fps = l->run->frames_per_s;
        GRID_ADD(grid, cell_text(l->model), cell_text(text_or_empty(l->hardware)),
                 cell_number(l->run->threads, 0), cell_number(fps, 1), cell_number(l->fitted_fps, 1),
                 error_cell(l->left_out_ratio), cell_number(l->law_fps, 1), error_cell(l->law_fps / fps - 1),
                 quantity(s->arena, l->latency_s, "s"), quantity(s->arena, t->median_s, "s"),
                 quantity(s->arena, t->p95_s, "s"), quantity(s->arena, t->p99_s, "s"),
                 isnan(l->fitted_fps) ? cell_empty : cell_text(roof_load_bound_text(l->bound)));
    }
}

/* --- calibration -------------------------------------------------------------------------------------- */

static grid_cell parameter(const roof_parameter *p, double value, roof_arena *arena)
{
    const char *suffix = strrchr(p->name, '_');
    bool is_time = suffix && strcmp(suffix, "_s") == 0;
    if (!isfinite(1e3 * value))
        return cell_number(NAN, 0);
    return is_time ? cell_worded(arena_printf(arena, "%.4f ms", 1e3 * value), 1e3 * value, 4)
                   : cell_number(value, 3);
}

void reconcile_view_calibration(const roof_calibration *c, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_TEXT("calibration", 0), GRID_NUMBER("value", NULL, 0),
                 GRID_NUMBER("95 % from", NULL, 0), GRID_NUMBER("to", NULL, 0), GRID_NUMBER("prior", NULL, 0),
                 GRID_TEXT("determined", 0), GRID_NOTE("meaning", 1));
    grid_begin(grid, arena, columns, N_OF(columns));
    FOR_EACH(const roof_parameter, p, c->parameters, c->n_parameters) {
        const char *determined = p->determined                                ? "by the data"
                                 : p->value < p->prior || p->value > p->prior ? "weakly"
                                                                              : "no: its prior";
        GRID_ADD(grid, cell_text(p->name), parameter(p, p->value, arena), parameter(p, p->ci95_low, arena),
                 parameter(p, p->ci95_high, arena), parameter(p, p->prior, arena), cell_text(determined),
                 cell_text(p->meaning));
    }
}
