/* The cost of instrumentation: three fits over all experiments, the ceiling of physics, and each match
 * without it. */
#include "measure/import/tools.h"
#include "measure/reconcile/steps.h"
#include "roofline/calibration.h"

#include <strings.h>

/* Times are printed with three decimals of a millisecond: a value this little below its bound is rounded. */
#define ROUNDING_RATIO 0.002

static const struct {
    const char *id, *y;
    roof_intercept intercept;
} fits[ROOF_FITS] = {
    [ROOF_FIT_OVERHEAD] = {"overhead", "per_layer_minus_bypass_s", ROOF_INTERCEPT_NONE_EXPECTED},
    [ROOF_FIT_HOST] = {"host", "per_layer_minus_sum_of_layers_s", ROOF_INTERCEPT_EXPECTED},
    [ROOF_FIT_BOUNDARY] = {"boundary", "sum_of_layers_minus_bypass_s", ROOF_INTERCEPT_EXPECTED},
};

/* The y of a fit. */
static double difference(const roof_reconciled *e, int which)
{
    double more = which == ROOF_FIT_BOUNDARY ? e->total.sum_of_layers_s : e->total.per_layer_s;
    return more - (which == ROOF_FIT_HOST ? e->total.sum_of_layers_s : e->total.bypass_s);
}

/* --- the fits ----------------------------------------------------------------------------------------- */

static double mean_error(const roof_run *run)
{
    uint64_t n = run ? run->total.count : 0;
    return n == ROOF_UNKNOWN || n == 0 ? NAN : run->total.std_s / sqrt((double)n);
}

static roof_status fit_one(reconciler *r, int which)
{
    roof_reconciliation *out = r->out;
    roof_overhead_fit *f = &out->fits[which];
    size_t n = 0, most = out->n_experiments;
    f->id = fits[which].id;
    f->x = "boundaries";
    f->y = fits[which].y;
    TRY(ARENA_GET3(r->arena, f->experiments, f->points_x, f->points_y, most, r->err));
    for (uint32_t i = 0; i < out->n_experiments && out->one_hardware; i++) {
        const roof_reconciled *e = &out->experiments[i];
        double y = difference(e, which);
        if (isnan(y) || e->boundaries == ROOF_NONE || e->has_doubtful_times || e->has_doubtful_rows)
            continue;
        f->experiments[n] = i;
        f->points_x[n] = e->boundaries;
        f->points_y[n++] = y;
    }
    TRY(roof_fit_line(f->points_x, f->points_y, n, fits[which].intercept, &f->fit, NULL, r->err));
    /* what to measure next: one more model, far from the others, or more runs of the same ones */
    bool known = f->fit.lines[f->fit.chosen].known;
    f->next_boundaries = known ? 10 * ceil(f->fit.x_max * 2 / 10) : NAN;
    f->next_half_width = roof_fit_slope_half_width_with(&f->fit, ROOF_LINE_FREE, f->next_boundaries);
    /* how far the totals scatter by themselves: what more runs would shrink */
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const roof_reconciled *e = &out->experiments[f->experiments[i]];
        double a = mean_error(e->per_layer), b = mean_error(e->bypass);
        sum += add_if_known(a * a, b * b) / (double)n;
    }
    f->noise = n ? sqrt(sum) : NAN;
    return ROOF_OK;
}

double roof_overhead_residual(const roof_overhead_fit *f, roof_line_kind kind, size_t point)
{
    const roof_line *line = &f->fit.lines[kind];
    return line->known ? f->points_y[point] - (line->intercept.value + line->slope.value * f->points_x[point])
                       : NAN;
}

/* --- the profiling overhead of a boundary ------------------------------------------------------------- */

/* By the first word: "vaitrace 1.4" and "vaitrace, fine-grained" are one tool; or by the program. */
static bool tools_alike(const char *a, const char *b)
{
    size_t n = strcspn(a, " ,;");
    const char *program = tool_program(a), *other = tool_program(b);
    return (n == strcspn(b, " ,;") && strncasecmp(a, b, n) == 0) ||
           (program && other && strcmp(program, other) == 0);
}

/* An id that nobody knows is another one. */
static bool is_of_hardware(reconciler *r, const roof_calibration *c, const char *id)
{
    if (strcasecmp(c->hardware_id, id) == 0)
        return true;
    roof_hw *a = reconciler_hardware(r, c->hardware_id), *b = a ? reconciler_hardware(r, id) : NULL;
    bool is_same = a && b && !roof_hw_is_other(a, b);
    roof_hw_free(a);
    roof_hw_free(b);
    return is_same;
}

/* A constant of the calibration, where the data determine it above 0; NULL: there is none. */
static const roof_parameter *calibrated(const roof_calibration *c, const char *name)
{
    const roof_parameter *p = c ? NAMED(c->parameters, c->n_parameters, name, name) : NULL;
    return p && p->determined && p->value > 0 ? p : NULL;
}

/* Takes the cost from the calibration, or says why not. */
static bool calibrated_cost(reconciler *r, roof_reconciled *e)
{
    const roof_calibration *c = r->options ? r->options->calibration : NULL;
    const roof_parameter *cost = calibrated(c, "per_layer_s");
    const char *hardware = e->stated_hardware_id ? e->stated_hardware_id : e->hardware_id,
               *tool = r->out->tool;
    roof_remark why = {.form = ROOF_FORM_NONE};
    if (!c)
        return false;
    if (!c->hardware_id || !hardware || !is_of_hardware(r, c, hardware))
        why = REMARK(CALIBRATION_HARDWARE, AS_TEXT(c->hardware_id ? c->hardware_id : "unstated hardware"),
                     AS_TEXT(hardware ? hardware : "unstated hardware"));
    else if (c->tool && tool && !tools_alike(c->tool, tool))
        why = REMARK(CALIBRATION_TOOL, AS_TEXT(c->tool), AS_TEXT(tool));
    else if (!cost)
        why = REMARK(CALIBRATION_LACKS, NO_OPERANDS);
    if (why.form == ROOF_FORM_NONE) {
        e->boundary_cost_s = cost->value;
        e->boundary_ci95_s[0] = cost->ci95_low;
        e->boundary_ci95_s[1] = cost->ci95_high;
        e->boundary_source = ROOF_BOUNDARY_CALIBRATION;
        return true;
    }
    e->calibration_unused = reconcile_find_kept(r, e, why);
    return false;
}

/* "profiler.vaitrace.boundary" of the entry, where the profile is of vaitrace. */
static bool entry_cost(reconciler *r, roof_reconciled *e)
{
    const char *id = e->stated_hardware_id ? e->stated_hardware_id : e->hardware_id, *tool = r->out->tool;
    const char *program = tool ? tool_program(tool) : NULL;
    program = tool && !program ? arena_strndup(r->arena, tool, strcspn(tool, " ,;")) : program;
    roof_hw *hw = program && id ? reconciler_hardware(r, id) : NULL;
    const char *key = hw ? arena_printf(r->arena, "profiler.%s.boundary", program) : NULL;
    const roof_quantity *cost = key ? roof_hw_get(hw, key) : NULL;
    if (cost) {
        e->boundary_cost_s = cost->value;
        e->boundary_source = ROOF_BOUNDARY_ENTRY;
        e->boundary_entry = arena_strdup(r->arena, cost->source);
    }
    roof_hw_free(hw);
    return e->boundary_source == ROOF_BOUNDARY_ENTRY;
}

static void set_boundary_cost(reconciler *r, roof_reconciled *e)
{
    const double given_s = r->options ? r->options->boundary_cost_s : 0;
    const roof_fit *fit = &r->out->fits[ROOF_FIT_BOUNDARY].fit;
    const roof_line *line = &fit->lines[fit->chosen];
    e->boundary_ci95_s[0] = e->boundary_ci95_s[1] = NAN;
    if (!e->per_layer || e->has_doubtful_times || e->has_doubtful_rows)
        return;
    if (given_s > 0 || !isnan(e->per_layer->boundary_cost_s)) {
        e->boundary_cost_s = given_s > 0 ? given_s : e->per_layer->boundary_cost_s;
        e->boundary_source = given_s > 0 ? ROOF_BOUNDARY_GIVEN : ROOF_BOUNDARY_DOCUMENT;
        return;
    }
    if (line->known && line->slope.value > 0) {
        e->boundary_cost_s = line->slope.value;
        e->boundary_source = ROOF_BOUNDARY_FIT;
        return;
    }
    if (calibrated_cost(r, e))
        return;
    /* One model has only an average. The CPU's constant is in both totals and cancels out, where both are
     * known. */
    double all = difference(e, ROOF_FIT_OVERHEAD);
    e->boundary_source = isnan(all) ? ROOF_BOUNDARY_SUM : ROOF_BOUNDARY_TOTALS;
    all = isnan(all) ? difference(e, ROOF_FIT_BOUNDARY) : all;
    if (e->boundaries != ROOF_NONE && e->boundaries > 0 && all > 0)
        e->boundary_cost_s = all / e->boundaries;
    else if (!entry_cost(r, e))
        e->boundary_source = ROOF_BOUNDARY_UNKNOWN;
}

/* A start as the calibration of this hardware found it, else a command in a chain as the entry has it. An
 * empty launch is more than a launch within one, so it is the most. */
static roof_status set_launch_cost(reconciler *r, roof_reconciled *e)
{
    const roof_calibration *c = r->options ? r->options->calibration : NULL;
    const char *id = e->stated_hardware_id ? e->stated_hardware_id : e->hardware_id, *key = "launch.chained";
    double *of_s = e->row_launch_s;
    of_s[0] = of_s[1] = NAN;
    if (!id || isnan(experiment_launches(e).shared))
        return ROOF_OK;
    const roof_parameter *start = calibrated(c, "per_start_s");
    if (start && start->ci95_low > 0 && c->hardware_id && is_of_hardware(r, c, id)) {
        memcpy(of_s, (const double[]){start->ci95_low, start->ci95_high}, 2 * sizeof *of_s);
        e->row_launch_source = "per_start_s of the calibration";
        return ROOF_OK;
    }
    roof_hw *hw = reconciler_hardware(r, id);
    const roof_quantity *q;
    for (size_t i = 0; hw && (q = roof_hw_at(hw, i)); i++)
        if (strncmp(q->key, "launch.chained.", 15) == 0 && q->value > 0)
            range_widen(of_s, q->value);
    const roof_quantity *floor = hw ? roof_hw_get(hw, "launch.floor") : NULL;
    if (isnan(of_s[1]) && floor && floor->value > 0) {
        memcpy(of_s, (const double[]){0, floor->value}, 2 * sizeof *of_s);
        key = "launch.floor";
    }
    if (!isnan(of_s[1]))
        e->row_launch_source = arena_printf(r->arena, "%s of %s", key, id);
    roof_hw_free(hw);
    return ALLOCATED(isnan(of_s[1]) || e->row_launch_source, r->err);
}

roof_status overhead_fit(reconciler *r)
{
    roof_reconciliation *out = r->out;
    const roof_measured *m = r->measured;
    out->tool = m->n_sources ? m->sources[0].tool : NULL; /* of all documents */
    for (uint32_t i = 1; out->tool && i < m->n_sources; i++)
        if (!m->sources[i].tool || !tools_alike(m->sources[i].tool, out->tool))
            out->tool = NULL;
    out->calibration_of = r->options && r->options->calibration ? r->options->calibration->hardware_id : NULL;
    out->one_hardware = true;
    const char *first = NULL, *device = NULL;
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        const char *id = out->experiments[i].hardware_id, *own = out->experiments[i].device;
        out->one_hardware = out->one_hardware && !(first && id && strcmp(first, id) != 0) &&
                            !(!id && device && own && strcmp(device, own) != 0);
        first = id ? id : first;
        device = own ? own : device;
    }
    for (int i = 0; i < ROOF_FITS; i++)
        TRY(fit_one(r, i));
    /* a fixed cost of every layer is also in the layer that leaves it the least margin */
    out->ceiling.seconds = NAN;
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        roof_margin margin = experiment_least_margin(&out->experiments[i]);
        margin.experiment = i;
        if (margin.seconds >= 0) /* where a layer is faster than its bound, something else is wrong */
            out->ceiling = margin_tighter(out->ceiling, margin);
    }
    /* the overhead per boundary as people quote it: with two digits */
    const roof_line *line = &out->fits[ROOF_FIT_OVERHEAD].fit.lines[ROOF_LINE_FREE];
    double slope = line->known && line->slope.value > 0 ? line->slope.value : NAN;
    double grid = pow(10, floor(log10(slope)) - 1);
    out->rule_cost_s = nearbyint(slope / grid) * grid;
    out->by_epochs = out->by_phases = out->n_experiments > 0;
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        set_boundary_cost(r, &out->experiments[i]);
        TRY(set_launch_cost(r, &out->experiments[i]));
        out->by_epochs = out->by_epochs && out->experiments[i].epochs;
        out->by_phases = out->by_phases && experiment_has_phases(&out->experiments[i]);
    }
    return ROOF_OK;
}

/* --- the cost comes off each match, but nothing becomes faster than what the hardware can do ------------ */

static bool is_below(double seconds, double bound)
{
    return seconds < bound * (1 - ROUNDING_RATIO);
}

static roof_verdict verdict_of(const roof_reconciled *e, const roof_match *u)
{
    static const double at_bound_ratio = 0.85; /* a corrected time this near to the bound is at the bound */
    double corrected = isnan(u->corrected_s) ? u->measured_s : u->corrected_s;
    if (!u->n_layers && e->prediction)
        return match_is_hosts(e, u) ? ROOF_VERDICT_NO_IDEAL : ROOF_VERDICT_NO_LAYER;
    if (isnan(u->ideal_s))
        return ROOF_VERDICT_NO_IDEAL;
    if (isnan(u->measured_s))
        return ROOF_VERDICT_NOT_MEASURED;
    /* by its typical time, or by the fastest sample of its only row */
    if (is_below(u->measured_s, match_bound_s(u)) ||
        (u->n_rows == 1 &&
         is_below(match_row(e, u, 0)->time.min_s, match_per_execution(u, match_bound_s(u)))))
        return experiment_has_bound(e) ? ROOF_VERDICT_IMPOSSIBLE : ROOF_VERDICT_BELOW_ESTIMATE;
    if (u->overhead_s > 0.5 * u->measured_s)
        return ROOF_VERDICT_OVERHEAD;
    if (u->host_s > 0.5 * u->measured_s)
        return ROOF_VERDICT_HOST;
    return u->ideal_s >= at_bound_ratio * (isnan(u->host_s) ? corrected : corrected - u->host_s)
               ? ROOF_VERDICT_AT_BOUND
               : ROOF_VERDICT_GAP;
}

void overhead_correct(roof_reconciled *e)
{
    FOR_EACH(roof_match, u, e->matches, e->n_matches) {
        double least_s =
            (isnan(match_bound_s(u)) ? 0 : match_bound_s(u)) + (isnan(u->host_s) ? 0 : u->host_s);
        double margin = u->measured_s - least_s,
               cost = u->boundaries ? e->boundary_cost_s * u->boundaries : 0;
        u->overhead_s = isnan(u->measured_s)           ? NAN
                        : margin <= 0                  ? 0
                        : cost < margin || isnan(cost) ? cost
                                                       : margin;
        bool clamped = u->overhead_s == margin && !isnan(u->ideal_s);
        u->corrected_s = clamped ? least_s : u->measured_s - u->overhead_s;
        u->gap_s = (isnan(u->overhead_s) ? u->measured_s : u->corrected_s) - u->ideal_s;
        if (!isnan(u->host_s))
            u->gap_s -= u->host_s;
        u->verdict = verdict_of(e, u);
    }
}
