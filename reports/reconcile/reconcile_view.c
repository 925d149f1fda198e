#include "reports/reconcile/reconcile_view.h"
#include "core/quantity.h"
#include "reports/cells.h"
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

/* A dash is a zero that says "none of it", "?" what is not known. */
static double without_minus(double value, int digits)
{
    return fabs(value) < 0.5 * pow(10, -digits) ? 0 : value;
}

static void add_time(text_grid *g, time_scale s, double seconds)
{
    if (isnan(seconds))
        grid_add(g, "?", NULL);
    else
        grid_printf(g, "%.*f", s.digits, without_minus(seconds * s.factor, s.digits));
}

static void add_percent(text_grid *g, double ratio, bool sign)
{
    if (isnan(ratio))
        grid_add(g, "?", NULL);
    else
        grid_printf(g, sign ? "%+.1f" : "%.1f", without_minus(100 * ratio, 1));
}

/* "19.4 %" of a sentence. */
static const char *percent(char text[40], double ratio)
{
    snprintf(text, 40, isnan(ratio) ? "? %%" : "%.1f %%", without_minus(100 * ratio, 1));
    return text;
}

/* --- models ------------------------------------------------------------------------------------------- */

void view_models(const roof_reconciliation *r, text_grid *grid, roof_arena *arena)
{
    static const char *const titles[] = {"model",    "boundaries", "bypass",    "per-layer", "sum of layers",
                                         "overhead", "longer",     "corrected", "95 %",      "error",
                                         "left out", "ideal",      "efficiency"};
    static const unsigned ranks[] = {0, 2, 0, 0, 0, 1, 6, 0, 4, 0, 5, 0, 3};
    time_scale s = time_scale_of(r);
    grid_column *columns = NEW_ARRAY(arena, grid_column, N(titles));
    grid_begin(grid, arena, columns, N(titles));
    if (!columns) {
        grid->failed = true;
        return;
    }
    for (size_t c = 0; c < N(titles); c++)
        columns[c] = (grid_column){.title = titles[c], .unit = s.unit, .right = c > 0, .rank = ranks[c]};
    columns[0].unit = columns[1].unit = "";
    columns[0].is_name = true;
    columns[6].unit = columns[9].unit = columns[10].unit = columns[12].unit = "[%]";
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        double layered = roof_layered_seconds(e);
        grid_add(grid, e->model, NULL);
        if (e->boundaries == ROOF_NONE)
            grid_add(grid, "?", NULL);
        else
            grid_printf(grid, "%u", e->boundaries);
        add_time(grid, s, e->total.bypass_s);
        add_time(grid, s, e->total.per_layer_s);
        add_time(grid, s, e->total.sum_of_layers_s);
        add_time(grid, s, e->has_doubtful_times ? NAN : layered - e->total.bypass_s);
        add_percent(grid, e->total.inflation_ratio, true);
        add_time(grid, s, e->total.corrected_s);
        if (isnan(e->total.corrected_ci95_s[0]))
            grid_add(grid, "?", NULL);
        else
            grid_printf(grid, "%.1f..%.1f", e->total.corrected_ci95_s[0] * s.factor,
                        e->total.corrected_ci95_s[1] * s.factor);
        add_percent(grid, e->total.corrected_error_ratio, true);
        add_percent(grid, e->total.left_out_error_ratio, true);
        add_time(grid, s, e->bypass ? e->total.ideal_s : e->total.ideal_per_layer_s);
        add_percent(grid, e->total.efficiency_ratio, false);
    }
}

/* --- fits --------------------------------------------------------------------------------------------- */

static void add_estimate(text_grid *g, double factor, const roof_estimate *e)
{
    grid_printf(g, "%.4f ± %.4f", factor * e->value, factor * e->se);
    grid_printf(g, "%.3f..%.3f", factor * e->ci95_low, factor * e->ci95_high);
}

static void add_residuals(text_grid *g, double factor, const roof_overhead_fit *f, roof_line_kind kind)
{
    char text[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < f->fit.n && used + 16 < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%+.3f", i ? " " : "",
                                 factor * roof_overhead_residual(f, kind, i));
    if (f->fit.n > 8)
        snprintf(text, sizeof text, "%zu points", f->fit.n);
    grid_add(g, text, NULL);
}

static void add_line(text_grid *g, const roof_overhead_fit *f, roof_line_kind kind)
{
    static const char *const kinds[] = {
        [ROOF_LINE_FREE] = "", [ROOF_LINE_ORIGIN] = " through 0", [ROOF_LINE_ROBUST] = " robust"};
    const roof_line *line = &f->fit.lines[kind];
    if (!line->known)
        return;
    grid_printf(g, "%s%s%s", f->id, kinds[kind], kind == f->fit.chosen ? " *" : "");
    add_estimate(g, 1e3, &line->slope);
    if (kind == ROOF_LINE_ORIGIN) {
        grid_add(g, "0", NULL);
        grid_add(g, "-", NULL);
    } else {
        add_estimate(g, 1e3, &line->intercept);
    }
    if (isnan(line->r2)) /* nothing varies, so nothing is explained */
        grid_add(g, "?", NULL);
    else
        grid_printf(g, "%.3f", line->r2);
    grid_printf(g, "%u", line->dof);
    add_residuals(g, 1e3, f, kind);
}

/* The host's line through the origin means nothing: a constant is what it is about. */
void view_fits(const roof_reconciliation *r, text_grid *grid, roof_arena *arena)
{
    static const grid_column columns[] = {
        {"fit", "", false, false, false, 0},     {"per boundary", "[ms]", true, false, false, 0},
        {"95 %", "[ms]", true, false, false, 0}, {"intercept", "[ms]", true, false, false, 0},
        {"95 %", "[ms]", true, false, false, 3}, {"R2", "", true, false, false, 0},
        {"dof", "", true, false, false, 1},      {"residuals", "[ms]", false, false, false, 2}};
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

/* Nothing of it is a dash. */
static void add_share(text_grid *g, double ratio)
{
    if (ratio == 0)
        grid_add(g, "-", NULL);
    else
        add_percent(g, ratio, false);
}

static void add_where(text_grid *g, time_scale s, const roof_reconciled *e, bool first, const char *how,
                      const roof_attribution *a)
{
    static const char *const ideal[] = {"ideal"}, *const overhead[] = {"overhead"}, *const gap[] = {"gap"};
    static const char *const outside[] = {"outside layers", "host", "pre and post phases"};
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
    grid_add(g, first ? e->model : "", NULL);
    grid_add(g, how, NULL);
    add_time(g, s, a->total_s);
    add_share(g, share_of(a, ideal, N(ideal)) + known);
    add_share(g, share_of(a, overhead, N(overhead)) + overhead_known);
    add_share(g, gap_share + known);
    add_share(g, outside_share);
    add_share(g, share_of(a, other, N(other)));
    add_percent(g, quotient_of(a->unattributed_s, a->total_s), false);
    add_time(g, s, a->unattributed_s);
}

void view_where(const roof_reconciliation *r, text_grid *grid, roof_arena *arena)
{
    time_scale s = time_scale_of(r);
    const grid_column wanted[] = {
        {"where the time goes", "", false, true, false, 0}, {"measured", "", false, false, false, 0},
        {"total", s.unit, true, false, false, 0},           {"ideal", "[%]", true, false, false, 0},
        {"overhead", "[%]", true, false, false, 0},         {"gap", "[%]", true, false, false, 0},
        {"outside", "[%]", true, false, false, 0},          {"other", "[%]", true, false, false, 2},
        {"unattributed", "[%]", true, false, false, 0},     {"unattributed", s.unit, true, false, false, 1}};
    grid_column *columns = NEW_ARRAY(arena, grid_column, N(wanted));
    grid_begin(grid, arena, columns, N(wanted));
    if (!columns) {
        grid->failed = true;
        return;
    }
    memcpy(columns, wanted, sizeof wanted);
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        add_where(grid, s, e, true, isnan(e->total.per_layer_s) ? "sum of layers" : "layer by layer",
                  &e->layer_by_layer);
        add_where(grid, s, e, !e->layer_by_layer.of, "deployed", &e->deployed);
    }
}

/* --- units -------------------------------------------------------------------------------------------- */

const char *unit_bound(const roof_reconciled *e, const roof_unit *u)
{
    return u->bound == ROOF_NONE || !e->prediction ? "" : e->prediction->engines[u->bound];
}

void view_notes(const roof_unit *u, char *text, size_t size)
{
    static const struct {
        roof_finding_kind kind;
        const char *words;
    } notes[] = {{ROOF_FINDING_IMPOSSIBLE, "faster than its bound"},
                 {ROOF_FINDING_ONE_OUTLIER, "one outlier"},
                 {ROOF_FINDING_OUTLIERS, "outliers"},
                 {ROOF_FINDING_HIGH_COV, "high CoV"},
                 {ROOF_FINDING_SIDE_ENGINE, "fused part binds"},
                 {ROOF_FINDING_REPEATED_ROW, "repeated row"},
                 {ROOF_FINDING_NO_LAYER, "fits no layer"},
                 {ROOF_FINDING_NOT_MEASURED, "not in the profile"},
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
        if (u->notes & 1u << (notes[i].kind - ROOF_FINDING_FIRST_NOTE))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "; " : "", notes[i].words);
}

static const char *colour_of(roof_verdict verdict)
{
    switch (verdict) {
    case ROOF_VERDICT_IMPOSSIBLE:
        return "red";
    case ROOF_VERDICT_GAP:
        return "yellow";
    case ROOF_VERDICT_OVERHEAD:
        return "cyan";
    default:
        return NULL;
    }
}

static bool is_larger(const roof_reconciled *e, uint32_t a, uint32_t b)
{
    double x = e->units[a].measured_s, y = e->units[b].measured_s;
    return isnan(y) ? !isnan(x) : x > y;
}

/* Marks the units to show; the largest so far stand in order, so a million units need no sorting. NULL: all of them. */
static bool *choose(const roof_reconciled *e, uint32_t most, roof_arena *arena)
{
    if (!most || e->n_units <= most)
        return NULL;
    bool *shown = NEW_ARRAY(arena, bool, e->n_units);
    uint32_t *largest = NEW_ARRAY(arena, uint32_t, (size_t)most + 1), n = 0;
    if (!shown || !largest)
        return shown;
    for (uint32_t i = 0; i < e->n_units; i++) {
        uint32_t at = n;
        if (n == most && !is_larger(e, i, largest[n - 1]))
            continue;
        for (; at && is_larger(e, i, largest[at - 1]); at--)
            largest[at] = largest[at - 1];
        largest[at] = i;
        n += n < most;
    }
    for (uint32_t i = 0; i < n; i++)
        shown[largest[i]] = true;
    return shown;
}

static void add_unit(const roof_reconciled *e, const roof_unit *u, time_scale s, name_prefixes prefix,
                     text_grid *g)
{
    char notes[200];
    const char *name = name_without(prefix, u->name);
    view_notes(u, notes, sizeof notes);
    if (u->n_layers && !u->is_unlisted)
        grid_printf(g, "%u", e->prediction->layers[e->layer_order[u->layer]].index);
    else
        grid_add(g, "--", NULL);
    grid_add(g, name, NULL);
    grid_add(g, u->type ? u->type : "", NULL);
    add_time(g, s, u->measured_s);
    add_time(g, s, u->corrected_s);
    add_time(g, s, u->ideal_s);
    add_time(g, s, u->gap_s);
    add_time(g, s, u->host_s);
    add_percent(g, roof_unit_share(e, u), false);
    add_percent(g, u->cov_ratio, false);
    add_percent(g, roof_unit_efficiency(u), false);
    grid_add(g, unit_bound(e, u), NULL);
    grid_add(g, roof_verdict_text((roof_verdict)u->verdict), colour_of((roof_verdict)u->verdict));
    grid_add(g, notes, NULL);
}

/* The sums of the columns, so that a reader can check them. */
static void add_sums(const roof_reconciled *e, time_scale s, text_grid *g)
{
    double measured = 0, corrected = 0, ideal = 0, gap = 0, host = 0;
    bool has_measured = false, has_ideal = false, has_host = false; /* without one, no sum is 0 */
    for (uint32_t i = 0; i < e->n_units; i++) {
        const roof_unit *u = &e->units[i];
        if (isnan(u->measured_s) || roof_unit_is_repeated(u))
            continue;
        has_measured = true;
        measured += u->measured_s;
        corrected += u->corrected_s;
        has_ideal = has_ideal || !isnan(u->ideal_s);
        ideal += isnan(u->ideal_s) ? 0 : u->ideal_s;
        gap += isnan(u->gap_s) ? 0 : u->gap_s;
        has_host = has_host || !isnan(u->host_s);
        host += isnan(u->host_s) ? 0 : u->host_s;
    }
    grid_add(g, "", NULL);
    grid_add(g, "total measured", NULL);
    grid_add(g, "", NULL);
    measured = has_measured ? measured : NAN;
    add_time(g, s, measured);
    add_time(g, s, has_measured ? corrected : NAN);
    add_time(g, s, has_ideal ? ideal : NAN);
    add_time(g, s, has_ideal ? gap : NAN);
    add_time(g, s, has_host ? host : NAN);
    add_percent(g, quotient_of(measured, e->total.sum_of_layers_s), false);
    grid_add(g, "", NULL);
    add_percent(g, has_ideal ? quotient_of(ideal, measured) : NAN, false);
    for (int i = 0; i < 3; i++)
        grid_add(g, "", NULL);
}

uint32_t view_units(const roof_reconciliation *r, const roof_reconciled *e, uint32_t most,
                    name_prefixes prefix, text_grid *grid, roof_arena *arena)
{
    time_scale s = time_scale_of(r);
    const grid_column wanted[] = {{"#", "", true, false, false, 0},
                                  {"layer", "", false, true, false, 0},
                                  {"type", "", false, false, false, 4},
                                  {"measured", s.unit, true, false, false, 0},
                                  {"corrected", s.unit, true, false, false, 0},
                                  {"ideal", s.unit, true, false, false, 0},
                                  {"gap", s.unit, true, false, false, 0},
                                  {"host", s.unit, true, false, false, 1},
                                  {"share", "[%]", true, false, false, 2},
                                  {"CoV", "[%]", true, false, false, 3},
                                  {"ideal/meas.", "[%]", true, false, false, 5},
                                  {"bound", "", false, false, false, 1},
                                  {"verdict", "", false, false, false, 0},
                                  {"note", "", false, false, true, 0}};
    grid_column *columns = NEW_ARRAY(arena, grid_column, N(wanted));
    grid_begin(grid, arena, columns, N(wanted));
    if (!columns) {
        grid->failed = true;
        return 0;
    }
    memcpy(columns, wanted, sizeof wanted);
    bool *shown = choose(e, most, arena);
    uint32_t left_out = 0;
    for (uint32_t i = 0; i < e->n_units; i++) {
        if (shown && !shown[i])
            left_out++;
        else
            add_unit(e, &e->units[i], s, prefix, grid);
    }
    add_sums(e, s, grid);
    return left_out;
}

/* --- rows --------------------------------------------------------------------------------------------- */

void put_row_names(jsonout *j, const char *key, const roof_reconciled *e, const roof_unit *u)
{
    jsonout_array(j, key, true);
    for (uint32_t i = 0; i < u->n_rows; i++) {
        const roof_measured_layer *row = &e->layer_run->layers[e->row_order[u->row + i]];
        if (row->name)
            jsonout_string(j, NULL, row->name);
        else
            jsonout_count(j, NULL, row->index == ROOF_NONE ? ROOF_UNKNOWN : row->index);
    }
    jsonout_end(j);
}

/* --- lines -------------------------------------------------------------------------------------------- */

void view_attribution(const roof_attribution *a, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    char share[40];
    for (uint32_t i = 0; i < a->n_parts && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s %s (%.3f ms), ", a->parts[i].name,
                                 percent(share, a->parts[i].share_ratio), 1e3 * a->parts[i].seconds);
    if (used < size)
        snprintf(text + used, size - used, "in no phase %s (%.3f ms) of %.3f ms",
                 percent(share, quotient_of(a->unattributed_s, a->total_s)), 1e3 * a->unattributed_s,
                 1e3 * a->total_s);
}

void view_types(const roof_reconciled *e, char *text, size_t size)
{
    enum { MOST = 8 };
    char share[40];
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < e->n_types && i < MOST && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s %s (%u)", i ? ", " : "", e->types[i].type,
                                 percent(share, e->types[i].time_share_ratio), e->types[i].layers);
    if (e->n_types > MOST && used < size)
        snprintf(text + used, size - used, " and %u more kinds", e->n_types - MOST);
}

static char *next_line(view_line *lines, uint32_t *n, const char *label)
{
    lines[*n].label = label;
    return lines[(*n)++].text;
}

static void add_bytes_line(const roof_reconciled *e, view_line *lines, uint32_t *n)
{
    if (e->total.bytes_compared)
        snprintf(next_line(lines, n, "DDR"), VIEW_LINE_SIZE,
                 "%u of %u units move as many bytes as predicted, to the printed digit (%llu B)",
                 e->total.bytes_agree, e->total.bytes_compared,
                 (unsigned long long)e->total.bytes_resolution);
}

uint32_t view_lines(const roof_reconciliation *r, const roof_reconciled *e, view_line lines[VIEW_LINES])
{
    uint32_t n = 0, i = (uint32_t)(e - r->experiments);
    char text[ROOF_SENTENCE_SIZE];
    if (e->wall.of)
        view_attribution(&e->wall, next_line(lines, &n, "phases"), VIEW_LINE_SIZE);
    if (e->n_types)
        view_types(e, next_line(lines, &n, "by kind"), VIEW_LINE_SIZE);
    add_bytes_line(e, lines, &n);
    if (r->n_experiments > 1 &&
        roof_sentence(r, ROOF_SENTENCE_SPLIT, i, text)) /* else it is in the verdict */
        snprintf(next_line(lines, &n, "split"), VIEW_LINE_SIZE, "%s", text);
    if (!isnan(e->boundary_cost_s))
        snprintf(next_line(lines, &n, "correction"), VIEW_LINE_SIZE, "%.4f ms taken off per boundary: %s",
                 1e3 * e->boundary_cost_s, roof_sentence(r, ROOF_SENTENCE_BOUNDARY, i, text));
    return n;
}

void view_findings_summary(const roof_reconciliation *r, char *text, size_t size)
{
    uint32_t counts[ROOF_FINDING_COUNT] = {0};
    size_t used;
    const char *between = ": ";
    if (!r->n_findings) {
        snprintf(text, size, "no findings");
        return;
    }
    for (uint32_t i = 0; i < r->n_findings; i++)
        counts[r->findings[i].kind]++;
    used = (size_t)snprintf(text, size, "%u finding%s", r->n_findings, r->n_findings == 1 ? "" : "s");
    for (int kind = 0; kind < ROOF_FINDING_COUNT && used < size; kind++) {
        if (!counts[kind])
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%u %s", between, counts[kind],
                                 roof_finding_kind_text((roof_finding_kind)kind));
        between = ", ";
    }
}

/* --- calibration -------------------------------------------------------------------------------------- */

static void add_value(text_grid *g, const roof_parameter *p, double value)
{
    bool time = strncmp(p->name, "efficiency.", 11) != 0;
    if (!isfinite(1e3 * value))
        grid_add(g, "?", NULL);
    else
        grid_printf(g, time ? "%.4f ms" : "%.3f", time ? 1e3 * value : value);
}

void view_calibration(const roof_calibration *c, text_grid *grid, roof_arena *arena)
{
    static const grid_column columns[] = {
        {"calibration", "", false, false, false, 0}, {"value", "", true, false, false, 0},
        {"95 % from", "", true, false, false, 0},    {"to", "", true, false, false, 0},
        {"prior", "", true, false, false, 0},        {"determined", "", false, false, false, 0},
        {"meaning", "", false, false, true, 1}};
    grid_begin(grid, arena, columns, N(columns));
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        const roof_parameter *p = &c->parameters[i];
        grid_add(grid, p->name, NULL);
        add_value(grid, p, p->value);
        add_value(grid, p, p->ci95_low);
        add_value(grid, p, p->ci95_high);
        add_value(grid, p, p->prior);
        grid_add(grid,
                 p->determined                                ? "by the data"
                 : p->value < p->prior || p->value > p->prior ? "weakly"
                                                              : "no: its prior",
                 NULL);
        grid_add(grid, p->meaning, NULL);
    }
}

void view_calibration_line(const roof_calibration *c, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "fitted to %u layers and %u inferences", c->layers, c->totals);
    if (!isnan(c->scatter_ratio) && used < size)
        used +=
            (size_t)snprintf(text + used, size - used, "; they scatter by %.0f %%", 100 * c->scatter_ratio);
    for (uint32_t i = 0; i < c->n_left_out && i < 8 && used < size; i++) {
        double error = quotient_of(c->left_out[i].predicted_s, c->left_out[i].measured_s) - 1;
        char number[40] = "?";
        if (!isnan(error))
            snprintf(number, sizeof number, "%+.1f", 100 * error);
        used += (size_t)snprintf(text + used, size - used, "%s%s %% (%s)",
                                 i ? ", " : "; each model left out of its own fit: ", number,
                                 c->left_out[i].model);
    }
}
