#include "reports/tables/reconcile/reconcile_view.h"
#include "reports/words/cause_lines.h"
#include "core/quantity.h"
#include "measure/profile/phases.h"
#include "measure/units/unit_facts.h"
#include "model/predict/calibrated.h"
#include "roofline/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define N(table) (sizeof(table) / sizeof *(table))

/* --- numbers ------------------------------------------------------------------------------------------ */

time_scale time_scale_of(const roof_reconciliation *r)
{
    double largest = 0;
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const double times[] = {r->experiments[i].total.bypass_s, r->experiments[i].total.per_layer_s,
                                r->experiments[i].total.sum_of_layers_s, r->experiments[i].total.listed_s};
        for (size_t k = 0; k < N(times); k++)
            largest = times[k] > largest ? times[k] : largest;
    }
    if (largest >= 10)
        return (time_scale){1, "[s]", 4};
    return largest < 1e-4 && largest > 0 ? (time_scale){1e6, "[us]", 2} : (time_scale){1e3, "[ms]", 3};
}

grid_cell time_cell(time_scale s, double seconds)
{
    return cell_number(seconds * s.factor, s.digits);
}

static grid_cell percent(double ratio)
{
    return cell_number(100 * ratio, 1);
}

static grid_cell more(double ratio)
{
    return cell_signed(100 * ratio, 1);
}

const char unit_of_times[] = "[time]";

grid_column *begin_times(cell_grid *grid, const grid_column *columns, size_t n, time_scale s,
                         roof_arena *arena)
{
    grid_column *own = NEW_ARRAY(arena, grid_column, n);
    for (size_t i = 0; own && i < n; i++) {
        own[i] = columns[i];
        own[i].unit = own[i].unit == unit_of_times ? s.unit : own[i].unit;
    }
    grid_begin(grid, arena, own, n);
    return own;
}

const char *name_on_hardware(const roof_reconciliation *r, const roof_reconciled *e, roof_arena *arena)
{
    return r->one_hardware || !e->hardware_id
               ? e->model
               : text_or_empty(arena_printf(arena, "%s on %s", e->model, e->hardware_id));
}

/* --- models ------------------------------------------------------------------------------------------- */

void view_models(const roof_reconciliation *r, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_NAME("model", 0), GRID_NUMBER("boundaries", NULL, 2),
                 GRID_NUMBER("bypass", unit_of_times, 0), GRID_NUMBER("per-layer", unit_of_times, 0),
                 GRID_NUMBER("sum of layers", unit_of_times, 0), GRID_NUMBER("overhead", unit_of_times, 1),
                 GRID_NUMBER("longer", "[%]", 6), GRID_NUMBER("corrected", unit_of_times, 0),
                 GRID_NUMBER("95 %", unit_of_times, 4), GRID_NUMBER("error", "[%]", 0),
                 GRID_NUMBER("left out", "[%]", 5), GRID_NUMBER("limit", unit_of_times, 0),
                 GRID_NUMBER("limit/meas.", "[%]", 3));
    time_scale s = time_scale_of(r);
    begin_times(grid, columns, N(columns), s, arena);
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        double low = s.factor * e->total.corrected_ci95_s[0], high = s.factor * e->total.corrected_ci95_s[1];
        double added_s = roof_layered_seconds(e) - e->total.bypass_s;
        bool is_overhead = e->total.inflation_ratio >= 0; /* what is less than the whole is none */
        GRID_ADD(grid, cell_text(name_on_hardware(r, e, arena)),
                 cell_number(e->boundaries == ROOF_NONE ? NAN : (double)e->boundaries, 0),
                 time_cell(s, e->total.bypass_s), time_cell(s, e->total.per_layer_s),
                 time_cell(s, e->total.sum_of_layers_s), time_cell(s, is_overhead ? added_s : (double)NAN),
                 more(is_overhead ? e->total.inflation_ratio : (double)NAN),
                 time_cell(s, e->total.corrected_s),
                 cell_worded(arena_printf(arena, "%.1f..%.1f", low, high), low, 1),
                 more(e->total.corrected_error_ratio), more(e->total.left_out_error_ratio),
                 time_cell(s, hardware_limit_s(e)),
                 percent(quotient_of(hardware_limit_s(e),
                                     e->bypass ? e->total.bypass_s : roof_layered_seconds(e))));
    }
}

/* --- fits --------------------------------------------------------------------------------------------- */

static grid_cell estimate(const roof_estimate *e, roof_arena *arena)
{
    return cell_worded(arena_printf(arena, "%.4f ± %.4f", 1e3 * e->value, 1e3 * e->se), 1e3 * e->value, 4);
}

static grid_cell interval(const roof_estimate *e, roof_arena *arena)
{
    return cell_worded(arena_printf(arena, "%.3f..%.3f", 1e3 * e->ci95_low, 1e3 * e->ci95_high),
                       1e3 * e->ci95_low, 3);
}

static const char *residuals(const roof_overhead_fit *f, roof_line_kind kind, roof_arena *arena)
{
    enum { MOST = 8 };
    const char *text = "";
    if (f->fit.n > MOST)
        return arena_printf(arena, "%zu points", f->fit.n);
    for (size_t i = 0; i < f->fit.n; i++)
        text = text_or_empty(
            arena_printf(arena, "%s%s%+.3f", text, i ? " " : "", 1e3 * roof_overhead_residual(f, kind, i)));
    return text;
}

static void add_line(cell_grid *g, const roof_overhead_fit *f, roof_line_kind kind)
{
    static const char *const kinds[] = {
        [ROOF_LINE_FREE] = "", [ROOF_LINE_ORIGIN] = " through 0", [ROOF_LINE_ROBUST] = " robust"};
    const roof_line *line = &f->fit.lines[kind];
    bool origin = kind == ROOF_LINE_ORIGIN;
    if (!line->known)
        return;
    GRID_ADD(
        g, cell_text(arena_printf(g->arena, "%s%s%s", f->id, kinds[kind], kind == f->fit.chosen ? " *" : "")),
        estimate(&line->slope, g->arena), interval(&line->slope, g->arena),
        origin ? cell_number(0, 0) : estimate(&line->intercept, g->arena),
        origin ? cell_none : interval(&line->intercept, g->arena),
        cell_number(line->r2, 3), /* unknown where nothing varies */
        cell_number(line->dof, 0), cell_text(residuals(f, kind, g->arena)));
}

/* The host's line through the origin means nothing: a constant is what it is about. */
void view_fits(const roof_reconciliation *r, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_TEXT("fit", 0), GRID_NUMBER("per boundary", "[ms]", 0),
                 GRID_NUMBER("95 %", "[ms]", 0), GRID_NUMBER("intercept", "[ms]", 0),
                 GRID_NUMBER("95 %", "[ms]", 3), GRID_NUMBER("R2", NULL, 0), GRID_NUMBER("dof", NULL, 1),
                 GRID_COLUMN(TEXT, "residuals", "[ms]", NULL, 2));
    grid_begin(grid, arena, columns, N(columns));
    for (int i = 0; i < ROOF_FITS; i++)
        for (int kind = 0; kind < ROOF_LINE_KINDS; kind++)
            if (i == ROOF_FIT_OVERHEAD || kind != ROOF_LINE_ORIGIN)
                add_line(grid, &r->fits[i], (roof_line_kind)kind);
}

/* --- where the time goes ------------------------------------------------------------------------------ */

static double share_of(const roof_attribution *a, const char *const *names, size_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < a->n_parts; i++)
        for (size_t k = 0; k < n; k++)
            if (strcmp(a->parts[i].name, names[k]) == 0)
                sum += a->parts[i].share_ratio;
    return sum;
}

static void add_where(cell_grid *g, time_scale s, const roof_reconciled *e, const char *name, const char *how,
                      const roof_attribution *a)
{
    static const char *const ideal[] = {"ideal", "hardware limit"}, *const overhead[] = {"overhead"},
                             *const gap[] = {"gap"};
    static const char *const outside[] = {"outside layers", "host", "copies", "pre and post phases"};
    static const char *const other[] = {"host layers", "rows without a layer",   "layers",
                                        "accelerator", "phases of unknown kind", "core phases"};
    double gap_share = share_of(a, gap, N(gap)), outside_share = share_of(a, outside, N(outside));
    bool is_deployed = a == &e->deployed, has_ideal = share_of(a, ideal, N(ideal)) != 0 || gap_share != 0;
    bool is_outside_known = is_deployed ? !isnan(e->total.host_s)
                                        : isnan(e->total.per_layer_s) || !isnan(e->total.sum_of_layers_s);
    if (!a->of)
        return;
    /* what is not known is not none: it is in what is unattributed */
    double known = has_ideal ? 0 : NAN, overhead_known = is_deployed ? 0 : 0 * e->boundary_cost_s;
    if (is_deployed && gap_share == 0)
        gap_share = NAN;
    if (!is_outside_known && outside_share == 0)
        outside_share = NAN;
    GRID_ADD(g, cell_text(name), cell_text(how), time_cell(s, a->total_s),
             cell_or_none(percent(share_of(a, ideal, N(ideal)) + known)),
             cell_or_none(percent(share_of(a, overhead, N(overhead)) + overhead_known)),
             cell_or_none(percent(gap_share + known)), cell_or_none(percent(outside_share)),
             cell_or_none(percent(share_of(a, other, N(other)))),
             percent(quotient_of(a->unattributed_s, a->total_s)), time_cell(s, a->unattributed_s));
}

void view_where(const roof_reconciliation *r, bool repeats_names, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_NAME("where the time goes", 0), GRID_TEXT("measured", 0),
                 GRID_NUMBER("total", unit_of_times, 0), GRID_NUMBER("limit", "[%]", 0),
                 GRID_NUMBER("overhead", "[%]", 0), GRID_NUMBER("gap", "[%]", 0),
                 GRID_NUMBER("outside", "[%]", 0), GRID_NUMBER("other", "[%]", 2),
                 GRID_NUMBER("unattributed", "[%]", 0), GRID_NUMBER("unattributed", unit_of_times, 1));
    time_scale s = time_scale_of(r);
    begin_times(grid, columns, N(columns), s, arena);
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        bool is_first = !e->layer_by_layer.of;
        const char *name = name_on_hardware(r, e, arena);
        add_where(grid, s, e, name, isnan(e->total.per_layer_s) ? "sum of layers" : "per-layer run",
                  &e->layer_by_layer);
        add_where(grid, s, e, is_first || repeats_names ? name : "", "deployed", &e->deployed);
    }
}

/* --- units -------------------------------------------------------------------------------------------- */

const char *unit_bound(const roof_reconciled *e, const roof_unit *u)
{
    return u->bound == ROOF_NONE || !e->prediction ? "" : e->prediction->engines[u->bound];
}

/* By the tool, which measured nothing of it. */
static bool is_estimated(const roof_reconciled *e, const roof_unit *u)
{
    return u->n_rows && unit_row(e, u, 0)->basis == ROOF_TIME_ESTIMATED;
}

void view_notes(const roof_reconciled *e, const roof_unit *u, char *text, size_t size)
{
    static const struct {
        roof_finding_kind kind;
        const char *words;
    } notes[] = {{ROOF_FINDING_IMPOSSIBLE, "faster than its limit"},
                 {ROOF_FINDING_ONE_OUTLIER, "one outlier"},
                 {ROOF_FINDING_OUTLIERS, "outliers"},
                 {ROOF_FINDING_HIGH_COV, "high CoV"},
                 {ROOF_FINDING_WARM_UP, "warm-up"},
                 {ROOF_FINDING_DRIFT, "drift"},
                 {ROOF_FINDING_CHANGED, "a step in time"},
                 {ROOF_FINDING_TWO_SPEEDS, "two speeds"},
                 {ROOF_FINDING_SIDE_ENGINE, "fused part binds"},
                 {ROOF_FINDING_REPEATED_ROW, "repeated row"},
                 {ROOF_FINDING_NO_LAYER, "fits no layer"},
                 {ROOF_FINDING_NOT_MEASURED, "absent from the profile"},
                 {ROOF_FINDING_JOINED, "several layers"},
                 {ROOF_FINDING_CUT, "several rows"},
                 {ROOF_FINDING_WEAK_MATCH, "by order alone"},
                 {ROOF_FINDING_ESTIMATED, "from its share"},
                 {ROOF_FINDING_ZERO_TIME, "time is 0"},
                 {ROOF_FINDING_FEW_SAMPLES, "few samples"},
                 {ROOF_FINDING_COV_DIFFERS, "other CoV printed"},
                 {ROOF_FINDING_BYTES_DIFFER, "other bytes"},
                 {ROOF_FINDING_ROUNDED_RATE, "rate is rounded"}};
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < N(notes) && used < size; i++)
        if (u->notes & ROOF_NOTE(notes[i].kind))
            used += (size_t)snprintf(
                text + used, size - used, "%s%s", used ? "; " : "",
                notes[i].kind == ROOF_FINDING_ESTIMATED && is_estimated(e, u) ? "estimated" : notes[i].words);
}

static cell_colour colour_of(roof_verdict verdict)
{
    return verdict == ROOF_VERDICT_IMPOSSIBLE ? CELL_RED
           : verdict == ROOF_VERDICT_GAP      ? CELL_YELLOW
           : verdict == ROOF_VERDICT_OVERHEAD ? CELL_CYAN
                                              : CELL_PLAIN;
}

typedef struct units_view {
    const roof_reconciled *e;
    cell_grid *grid;
    time_scale scale;
    name_prefixes prefix;
    bool has_calls;   /* some unit is executed more than once */
    bool has_devices; /* and they run on different ones */
    double cycles;    /* of all units, where that is all that is known of them; 0: it is not */
} units_view;

/* As the profile says it, else the model; "" where neither does. */
static const char *device_of(const roof_reconciled *e, const roof_unit *u)
{
    const roof_layer_counters *c = u->n_rows ? unit_row(e, u, 0)->counters : NULL;
    if (c && c->device)
        return c->device;
    return u->n_layers && !u->is_unlisted ? text_or_empty(unit_layer(e, u, 0)->device) : "";
}

/* Where the profile tells what ran a row, and it is not always the same. */
static bool has_devices(const roof_reconciled *e)
{
    const char *first = NULL;
    for (uint32_t i = 0; i < e->n_units; i++) {
        const roof_unit *u = &e->units[i];
        const roof_layer_counters *c = u->n_rows ? unit_row(e, u, 0)->counters : NULL;
        if (c && c->device && first && strcmp(c->device, first) != 0)
            return true;
        first = c && c->device ? c->device : first;
    }
    return false;
}

static void add_unit(const units_view *v, const roof_unit *u)
{
    char notes[200];
    time_scale s = v->scale;
    roof_verdict verdict = (roof_verdict)u->verdict;
    bool is_listed = u->n_layers && !u->is_unlisted;
    double calls = v->has_calls && u->executions ? (double)u->executions : (double)NAN;
    double cycles = v->cycles > 0 ? unit_cycles(v->e, u) : (double)NAN;
    double share = roof_unit_is_repeated(u) ? (double)NAN /* in no sum */
                   : v->cycles > 0          ? quotient_of(cycles, v->cycles)
                                            : roof_unit_share(v->e, u);
    view_notes(v->e, u, notes, sizeof notes);
    if (u->is_unlisted)
        snprintf(notes, sizeof notes, "absent from the profile");
    GRID_ADD(v->grid, is_listed ? cell_number(unit_layer(v->e, u, 0)->index, 0) : cell_text("--"),
             cell_text(name_without(v->prefix, u->name)), cell_text(u->type ? u->type : ""),
             cell_text(v->has_devices ? device_of(v->e, u) : ""), cell_number(calls, 0),
             time_cell(s, u->measured_s / calls), cell_number(cycles, 0), time_cell(s, u->measured_s),
             time_cell(s, u->corrected_s), time_cell(s, u->ideal_s), time_cell(s, u->scheduled_s),
             time_cell(s, u->gap_s), time_cell(s, u->host_s), percent(share),
             percent(unit_shown_cov(v->e, u)), percent(roof_unit_efficiency(u)),
             cell_text(unit_bound(v->e, u)), cell_coloured(roof_verdict_words(verdict), colour_of(verdict)),
             cell_text(notes[0] ? arena_strdup(v->grid->arena, notes) : ""));
}

/* The sums of the columns over all units that count, so that a reader can check them. */
static void add_sums(const roof_reconciled *e, time_scale s, cell_grid *g)
{
    double measured = NAN, corrected = NAN, ideal = NAN, scheduled = NAN, gap = NAN, host = NAN;
    for (uint32_t i = 0, n = 0; i < e->n_units; i++) {
        const roof_unit *u = &e->units[i];
        if (isnan(u->measured_s) || roof_unit_is_repeated(u))
            continue;
        measured = add_if_known(measured, u->measured_s);
        corrected = n++ ? corrected + u->corrected_s : u->corrected_s; /* not known when one of them is not */
        ideal = add_if_known(ideal, u->ideal_s);
        scheduled = add_if_known(scheduled, u->scheduled_s);
        gap = add_if_known(gap, u->gap_s);
        host = add_if_known(host, u->host_s);
    }
    bool has_cycles = e->profile && e->profile->basis == ROOF_PROFILE_CYCLES;
    GRID_ADD(g, cell_empty,
             cell_text(e->profile && e->profile->is_estimated ? "total estimated" : "total measured"),
             cell_empty, cell_empty, cell_empty, cell_empty,
             cell_number(has_cycles ? e->profile->total : (double)NAN, 0), time_cell(s, measured),
             time_cell(s, corrected), time_cell(s, ideal), time_cell(s, scheduled),
             time_cell(s, isnan(gap) && !isnan(ideal) ? 0 : gap), time_cell(s, host),
             percent(quotient_of(measured, e->total.sum_of_layers_s)), cell_empty,
             percent(quotient_of(ideal, measured)), cell_empty, cell_empty, cell_empty);
}

enum {
    DEVICE = 3,
    CALLS,
    PER_CALL,
    CYCLES,
    VERDICT = 17
}; /* columns that are there only where they say something */

uint32_t view_units(const roof_reconciliation *r, const roof_reconciled *e, uint32_t most,
                    name_prefixes prefix, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_NUMBER("#", NULL, 0), GRID_NAME("layer", 0), GRID_TEXT("type", 4),
                 GRID_TEXT("on", 6), GRID_NUMBER("calls", NULL, 0), GRID_NUMBER("per call", unit_of_times, 2),
                 GRID_NUMBER("cycles", NULL, 0), GRID_NUMBER("measured", unit_of_times, 0),
                 GRID_NUMBER("corrected", unit_of_times, 0), GRID_NUMBER("ideal", unit_of_times, 0),
                 GRID_NUMBER("at best", unit_of_times, 2), GRID_NUMBER("gap", unit_of_times, 0),
                 GRID_NUMBER("host", unit_of_times, 1), GRID_NUMBER("share", "[%]", 2),
                 GRID_NUMBER("CoV", "[%]", 3), GRID_NUMBER("ideal/meas.", "[%]", 5), GRID_TEXT("bound", 1),
                 GRID_TEXT("verdict", 0), GRID_NOTE("note", 0));
    const units_view view = {e,
                             grid,
                             time_scale_of(r),
                             prefix,
                             has_executions(e),
                             has_executions(e) && has_devices(e),
                             e->profile && e->profile->basis == ROOF_PROFILE_CYCLES ? e->profile->total : 0};
    double *times = most && e->n_units > most ? NEW_ARRAY(arena, double, e->n_units) : NULL;
    grid_column *own = begin_times(grid, columns, N(columns), view.scale, arena);
    if (own && !view.has_calls)
        own[CALLS].title = own[PER_CALL].title = NULL;
    if (own && !view.has_devices)
        own[DEVICE].title = NULL;
    if (own && !(view.cycles > 0))
        own[CYCLES].title = NULL;
    if (own && e->profile) /* all are "no ideal" */
        own[VERDICT].title = NULL;
    for (uint32_t i = 0; times && i < e->n_units; i++)
        times[i] = e->units[i].measured_s;
    const bool *shown = mark_largest(arena, times, e->n_units, most);
    for (uint32_t i = 0; i < e->n_units; i++)
        if (!shown || shown[i])
            add_unit(&view, &e->units[i]);
    add_sums(e, view.scale, grid);
    return shown ? e->n_units - most : 0;
}

/* --- rows --------------------------------------------------------------------------------------------- */

void put_row_names(jsonout *j, const char *key, const roof_reconciled *e, const roof_unit *u)
{
    jsonout_array(j, key, true);
    for (uint32_t i = 0; i < u->n_rows; i++) {
        const roof_measured_layer *row = unit_row(e, u, i);
        if (row->name)
            jsonout_string(j, NULL, row->name);
        else
            jsonout_count(j, NULL, row->index == ROOF_NONE ? ROOF_UNKNOWN : row->index);
    }
    jsonout_end(j);
}

/* --- what is absent ------------------------------------------------------------------------------------ */

void view_absent(const roof_reconciled *e, name_prefixes prefix, bool all, remarks *lines)
{
    enum { FIRST = 6 };
    const roof_unit *u = e->n_units ? &e->units[e->n_units - 1] : NULL;
    uint32_t n = u && u->is_unlisted ? u->n_layers : 0, shown = all || n <= FIRST ? n : FIRST;
    const char *list = "", *rest = "";
    for (uint32_t i = 0; i < shown; i++)
        list = say_more(lines->arena, list, "%s", name_without(prefix, unit_layer(e, u, i)->name));
    if (shown < n)
        rest = text_or_empty(arena_printf(lines->arena, " and %u more", n - shown));
    if (n)
        remarks_add(lines, "absent", "%s%s: only their sum is known", list, rest);
}

/* --- lines -------------------------------------------------------------------------------------------- */

/* "host 13.1 % (2.100 ms), in no phase 6.3 % (1.000 ms) of 16.000 ms" */
static void add_phases(const roof_attribution *a, remarks *lines)
{
    roof_arena *arena = lines->arena;
    const char *list = "";
    double rest_s = fabs(a->unattributed_s) < 0.5e-6 ? 0 : a->unattributed_s; /* no "-0.000" */
    for (uint32_t i = 0; a->of && i < a->n_parts; i++)
        list = say_more(arena, list, "%s %s (%.3f ms)", a->parts[i].name,
                        say_percent(arena, a->parts[i].share_ratio), 1e3 * a->parts[i].seconds);
    if (a->of)
        remarks_add(lines, "phases", "%s%sin no phase %s (%.3f ms) of %.3f ms", list, *list ? ", " : "",
                    say_percent(arena, quotient_of(rest_s, a->total_s)), 1e3 * rest_s, 1e3 * a->total_s);
}

/* "accelerator 80.6 %, transfers 3.8 %, host 13.1 %, not known 2.5 %: what its layers take decides"; what binds comes first. */
static void add_bound(const roof_reconciled *e, remarks *lines)
{
    static const struct {
        const char *words, *advice;
    } kinds[ROOF_PHASE_KINDS] = {
        [ROOF_PHASE_UNDECLARED] = {"not known", "whose time the rest is would decide"},
        [ROOF_PHASE_ACCELERATOR] = {"accelerator", "what its layers take decides"},
        [ROOF_PHASE_TRANSFER] = {"transfers",
                                 "share buffers, move less, or move it while the accelerator runs"},
        [ROOF_PHASE_HOST] = {"host", "look at its processing and launches; faster layers help little"}};
    const roof_run *run = phased_run(e);
    const roof_phase_kind bound = run ? phases_bound(run) : ROOF_PHASE_UNDECLARED;
    const roof_phase_kind order[] = {bound ? bound : ROOF_PHASE_ACCELERATOR, ROOF_PHASE_ACCELERATOR,
                                     ROOF_PHASE_TRANSFER, ROOF_PHASE_HOST, ROOF_PHASE_UNDECLARED};
    const char *list = "";
    if (!run || !e->wall.of)
        return;
    phase_sums sums = phases_sum(run);
    double *of_s = sums.of_s, known_s = NAN;
    for (int kind = ROOF_PHASE_ACCELERATOR; kind < ROOF_PHASE_KINDS; kind++)
        known_s = add_if_known(known_s, of_s[kind]);
    if (isnan(known_s))
        return;
    of_s[ROOF_PHASE_UNDECLARED] = fmax(0, e->wall.total_s - known_s);
    for (size_t i = 0; i < N(order); i++) {
        double share = of_s[order[i]] / e->wall.total_s;
        of_s[order[i]] = NAN; /* told */
        if (!isnan(share))
            list = say_more(lines->arena, list, "%s %s", kinds[order[i]].words,
                            say_percent(lines->arena, share));
    }
    remarks_add(lines, "bound by", "%s: %s", list, kinds[bound].advice);
}

/* "conv 41 % (3), conv+dw 30 % (7) and 2 more kinds" */
static void add_kinds(const roof_reconciled *e, const char *label, remarks *lines)
{
    enum { MOST = 8 };
    const char *list = "", *rest = "";
    if (e->n_types == 1 && strcmp(e->types[0].type, "(not known)") == 0)
        return;
    for (uint32_t i = 0; i < e->n_types && i < MOST; i++)
        list = say_more(lines->arena, list, "%s %s (%u)", e->types[i].type,
                        say_percent(lines->arena, e->types[i].time_share_ratio), e->types[i].layers);
    if (e->n_types > MOST)
        rest = text_or_empty(arena_printf(lines->arena, " and %u more kinds", e->n_types - MOST));
    remarks_add(lines, label, "%s%s", list, rest);
}

/* Most of its time is in layers that it does not list, so that the kinds of the others say little. */
static bool is_mostly_absent(const roof_reconciled *e)
{
    return e->n_types && strcmp(e->types[0].type, "(absent)") == 0;
}

void view_lines(const roof_reconciliation *r, const roof_reconciled *e, line_scope scope, remarks *lines)
{
    const bool is_brief = scope != LINES_ALL;
    view_run_lines(r, e, scope == LINES_BRIEF, lines);
    view_busy_lines(e, lines);
    add_phases(&e->wall, lines);
    add_bound(e, lines);
    bool is_told = scope == LINES_BRIEF && is_mostly_absent(e);
    if (!is_told)
        add_kinds(e, scope == LINES_OF_MARKDOWN ? "by kind of layer" : "by kind", lines);
    if (e->total.bytes_compared && !is_brief)
        remarks_add(
            lines, "DDR", "%u of %u units move as many bytes as predicted, to the printed digit (%llu B)",
            e->total.bytes_agree, e->total.bytes_compared, (unsigned long long)e->total.bytes_resolution);
    if (e->total.static_bytes_compared && !is_brief)
        remarks_add(
            lines, "static bytes",
            "%u of %u units have as many as predicted, to the printed digit (%llu B); the tool computed "
            "them from the compiled model, so that they confirm no traffic",
            e->total.static_bytes_agree, e->total.static_bytes_compared,
            (unsigned long long)e->total.bytes_resolution);
    uint32_t i = (uint32_t)(e - r->experiments);
    char text[ROOF_SENTENCE_SIZE];
    if (scope != LINES_BRIEF &&
        (is_brief || r->n_experiments > 1) && /* of a single model it is in the statistics */
        roof_sentence(r, ROOF_SENTENCE_SPLIT, i, text))
        remarks_add(lines, "split", "%s", text);
    if (!isnan(e->boundary_cost_s) && !is_brief)
        remarks_add(lines, "correction", "%.4f ms taken off per boundary: %s", 1e3 * e->boundary_cost_s,
                    roof_sentence(r, ROOF_SENTENCE_BOUNDARY, i, text));
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

void view_calibration(const roof_calibration *c, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_TEXT("calibration", 0), GRID_NUMBER("value", NULL, 0),
                 GRID_NUMBER("95 % from", NULL, 0), GRID_NUMBER("to", NULL, 0), GRID_NUMBER("prior", NULL, 0),
                 GRID_TEXT("determined", 0), GRID_NOTE("meaning", 1));
    grid_begin(grid, arena, columns, N(columns));
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        const roof_parameter *p = &c->parameters[i];
        const char *determined = p->determined                                ? "by the data"
                                 : p->value < p->prior || p->value > p->prior ? "weakly"
                                                                              : "no: its prior";
        GRID_ADD(grid, cell_text(p->name), parameter(p, p->value, arena), parameter(p, p->ci95_low, arena),
                 parameter(p, p->ci95_high, arena), parameter(p, p->prior, arena), cell_text(determined),
                 cell_text(p->meaning));
    }
}

const char *view_calibration_line(const roof_calibration *c, roof_arena *arena)
{
    return text_or_empty(calibration_describe(c, arena));
}

/* --- causes ------------------------------------------------------------------------------------------- */

static const char *name_of_unit(const void *of, uint32_t unit)
{
    const roof_reconciled *e = of;
    return name_without(name_prefix_of(e->prediction), e->units[unit].name);
}

void view_causes(const roof_reconciliation *r, uint32_t most, remarks *lines)
{
    cause_source *sources = NEW_ARRAY(lines->arena, cause_source, r->n_experiments);
    for (uint32_t i = 0; sources && i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        sources[i] = (cause_source){e->causes,
                                    e->n_causes,
                                    r->n_experiments > 1 ? name_on_hardware(r, e, lines->arena) : "",
                                    {name_of_unit, e}};
    }
    if (sources)
        cause_lines_add(sources, r->n_experiments, most, lines);
}
