/* Finds what a reader must know of models, one by one and together, before using the figures. */
#include "measure/profile/phases.h"
#include "measure/profile/profile.h"
#include "measure/reconcile/steps.h"
#include "roofline/statistics.h"

/* From this share on what is not the accelerator is worth a word. */
#define HOST_BOUND_RATIO 0.2

/* --- what nothing is made of -------------------------------------------------------------------------- */

/* True if neither the prediction nor the database has the id, and the experiment before had another one. A
 * path or a description says what it is by itself. */
static bool is_unknown_hardware(reconciler *r, const roof_reconciled *e)
{
    const char *id = e->hardware_id, *before = e > r->out->experiments ? e[-1].hardware_id : NULL;
    const char *known = e->prediction ? e->prediction->hardware.id : NULL;
    roof_hw *hw = NULL;
    if (!id || strpbrk(id, "/=") || (known && strcmp(known, id) == 0) || (before && strcmp(before, id) == 0))
        return false;
    roof_status status = roof_hw_load(id, &hw, NULL);
    roof_hw_free(hw);
    r->lacks_memory |= status == ROOF_E_NO_MEMORY;
    return status == ROOF_E_NO_INPUT;
}

/* --- one model ---------------------------------------------------------------------------------------- */

typedef struct note {
    bool applies;
    roof_remark remark;
} note;

static void add_notes(reconciler *r, const roof_reconciled *e, const note *notes, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (notes[k].applies)
            reconcile_find(r, e, NULL, notes[k].remark);
}

/* True if the other mode could be measured: many tools have one only. */
static bool has_other_mode(const roof_reconciled *e)
{
    return !e->profile || e->profile->has_two_modes;
}

/* Inputs that are missing or unused. A bound at another clock says nothing; profilers tell whole MHz. */
static void note_document(reconciler *r, const roof_reconciled *e)
{
    const roof_prediction *p = e->prediction;
    const roof_run *run = e->per_layer, *any = run ? run : e->bypass;
    const roof_times bypass = e->bypass ? e->bypass->total : times_unknown(),
                     layered = run ? run->total : times_unknown();
    uint32_t want = p ? p->total.boundaries : 0;
    /* points of a curve have one model */
    const roof_timed_curve *curve = e->curve == ROOF_NONE ? NULL : &r->out->curves[e->curve];
    bool is_first = !curve || e == &r->out->experiments[r->out->curve_points[curve->first_point].experiment];
    bool one_mode = !experiment_is_point(e) && (!e->bypass || !run) && !experiment_has_phases(e) &&
                    e == &r->out->experiments[e->first] && has_other_mode(e);
    bool stated = any && (any->boundaries != ROOF_NONE || any->launches != ROOF_NONE) &&
                  (run || (p && p->is_started_by_rows)); /* whole, others are started once */
    /* layers that rules make of an uncompiled graph are an assumption, and no sign of another model */
    bool differ = stated && want && p->model.compiled && e->boundaries != want;
    double ran_hz = any ? run_clock_hz(any, "npu") : NAN, bound_hz = p ? p->hardware.clock_hz : NAN;
    /* domains whose cycles are no time, the first of each kind: elapsed ones for lack of a clock */
    const char *aside[] = {
        [ROOF_CYCLES_ELAPSED] = NULL, [ROOF_CYCLES_SUMMED] = NULL, [ROOF_CYCLES_PREDICTED] = NULL};
    uint32_t n_static = 0;
    for (uint32_t k = 0; e->layer_run && k < e->layer_run->n_layers; k++) {
        const roof_measured_layer *row = &e->layer_run->layers[k];
        const roof_layer_counters *c = row->counters;
        n_static += row_bytes_are_static(row) && !isnan(row_bytes(row));
        if (c && c->n_cycles && !aside[c->cycles_kind] &&
            (c->cycles_kind != ROOF_CYCLES_ELAPSED || isnan(row_time_s(e->layer_run, row))))
            aside[c->cycles_kind] = c->cycles->domain;
    }
    const note notes[] = {
        {!p && is_first && !e->not_compared && !e->device, REMARK(NO_PREDICTION, NO_OPERANDS)},
        {!p && is_first && !e->not_compared && e->device, REMARK(NO_DESCRIPTION, AS_TEXT(e->device))},
        {one_mode && e->bypass, REMARK(NO_PER_LAYER, NO_OPERANDS)},
        {one_mode && !e->bypass, REMARK(NO_BYPASS, NO_OPERANDS)},
        {differ && p->is_started_by_rows, REMARK(OTHER_EPOCHS, AS_COUNT(e->boundaries), AS_COUNT(want))},
        {differ && !p->is_started_by_rows, REMARK(OTHER_BOUNDARIES, AS_COUNT(e->boundaries), AS_COUNT(want))},
        {fabs(ran_hz - bound_hz) >= 1e6, REMARK(OTHER_CLOCK, AS("Hz", ran_hz), AS("Hz", bound_hz))},
        {times_covs_differ(bypass.cov_ratio, bypass.std_s / bypass.mean_s),
         REMARK(BYPASS_COV, AS_RATIO(bypass.cov_ratio), AS_RATIO(bypass.std_s / bypass.mean_s))},
        {times_covs_differ(layered.cov_ratio, layered.std_s / layered.mean_s),
         REMARK(PER_LAYER_COV, AS_RATIO(layered.cov_ratio), AS_RATIO(layered.std_s / layered.mean_s))},
        {aside[ROOF_CYCLES_ELAPSED], REMARK(CYCLES, AS_TEXT(aside[ROOF_CYCLES_ELAPSED]))},
        {aside[ROOF_CYCLES_SUMMED], REMARK(CYCLES_SUMMED, AS_TEXT(aside[ROOF_CYCLES_SUMMED]))},
        {aside[ROOF_CYCLES_PREDICTED], REMARK(CYCLES_PREDICTED, AS_TEXT(aside[ROOF_CYCLES_PREDICTED]))},
        {n_static, REMARK(STATIC_BYTES, AS_COUNT(n_static))},
        {is_unknown_hardware(r, e), REMARK(HARDWARE, AS_TEXT(e->hardware_id))}};
    add_notes(r, e, notes, N_OF(notes));
}

/* Below a bound there is no time, nor where a line through other models promises one. */
static void note_bounds(reconciler *r, const roof_reconciled *e)
{
    double fastest = e->bypass ? e->bypass->total.min_s : NAN, corrected_s = e->total.corrected_s;
    fastest = isnan(fastest) ? e->total.bypass_s : fastest;
    double floor_s = experiment_has_bound(e) ? e->total.best_s : NAN, ratio = fastest / floor_s;
    double host_share = quotient_of(e->total.host_s, e->total.bypass_s);
    /* what copies take by its phases, where the CPU does not take more */
    const phase_sums phases = e->bypass && e->bypass->n_phases ? phases_sum(e->bypass) : (phase_sums){0};
    bool experiment_has_phases = e->bypass && e->bypass->n_phases && !isnan(phases_outside(e->bypass));
    double transfer_s = phases.of_s[ROOF_PHASE_TRANSFER];
    if (e->has_doubtful_times || !experiment_has_phases || transfer_s < phases.of_s[ROOF_PHASE_HOST])
        transfer_s = NAN;
    double transfer_share = quotient_of(transfer_s, e->total.bypass_s);
    bool below = ratio < 1 - 0.002 && !experiment_is_point(e), some_clock = ratio > 1e-6,
         moves = transfer_share > HOST_BOUND_RATIO;
    const note notes[] = {
        {below && some_clock,
         REMARK(BELOW_FLOOR_BY, AS_SECONDS(fastest), AS_SECONDS(floor_s), AS_RATIO(1 / ratio))},
        {below && !some_clock, REMARK(BELOW_FLOOR, AS_SECONDS(fastest), AS_SECONDS(floor_s))},
        {corrected_s < 0, REMARK(CORRECTED_NEGATIVE, AS_SECONDS(corrected_s))},
        {corrected_s >= 0 && corrected_s < floor_s,
         REMARK(CORRECTED_FLOOR, AS_SECONDS(corrected_s), AS_SECONDS(floor_s))},
        {moves, REMARK(TRANSFER_BOUND, AS_RATIO(transfer_share), AS_SECONDS(transfer_s),
                       AS_SECONDS(e->total.bypass_s))},
        {host_share > HOST_BOUND_RATIO && !moves,
         REMARK(HOST_BOUND, AS_RATIO(host_share), AS_SECONDS(e->total.host_s),
                AS_SECONDS(e->total.bypass_s))}};
    add_notes(r, e, notes, N_OF(notes));
}

static void note_phases(reconciler *r, const roof_reconciled *e)
{
    const roof_run *run = phased_run(e);
    if (!run)
        return;
    const phase_sums sums = phases_sum(run);
    double whole_s = times_typical(&run->total), unknown_s = sums.of_s[ROOF_PHASE_UNDECLARED];
    char text[240] = ""; /* "ipu_s, post_s": those behind its end are not stated */
    size_t used = 0;
    for (uint32_t k = 0; k < run->n_phases && used < sizeof text; k++)
        if (!run->phases[k].kind)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s_s", used ? ", " : "",
                                     run->phases[k].name);
    const char *names = arena_strdup(r->arena, text); /* the arena remembers that memory ran out */
    const note notes[] = {
        {sums.exceed_total, REMARK(PHASES_EXCEED, AS_SECONDS(sums.all_s), AS_SECONDS(whole_s))},
        {!isnan(unknown_s) && sums.exceed_total, REMARK(PHASES_KIND, AS_TEXT(names))},
        {!isnan(unknown_s) && !sums.exceed_total,
         REMARK(PHASE_KIND, AS_SECONDS(unknown_s), AS_SECONDS(whole_s), AS_TEXT(names))}};
    add_notes(r, e, notes, N_OF(notes));
}

/* The half of the last digit that a time was printed with, in decimals of a second up to the ninth. */
static double half_digit_s(double seconds)
{
    double digit_s = 0.1;
    while (digit_s > 2e-9 && fabs(remainder(seconds, digit_s)) > 1e-6 * digit_s)
        digit_s /= 10;
    return digit_s / 2;
}

/* Phases of the whole that the rows tell as well: copies there, work, copies back. */
static void note_phases_of_rows(reconciler *r, const roof_reconciled *e)
{
    static const struct {
        const char *name;
        size_t at;
    } parts[] = {{"write", offsetof(roof_layer_counters, write_s)},
                 {"run", offsetof(roof_layer_counters, run_s)},
                 {"read", offsetof(roof_layer_counters, read_s)}};
    static const double differs_ratio = 0.01;
    const roof_run *run = phased_run(e), *rows = e->layer_run;
    for (size_t k = 0; run && rows && k < N_OF(parts); k++) {
        const roof_phase *phase = NAMED(run->phases, run->n_phases, name, parts[k].name);
        double sum_s = NAN, rounding_s = phase ? half_digit_s(phase->seconds) : 0;
        for (uint32_t i = 0; i < rows->n_layers && phase; i++) {
            const roof_measured_layer *l = &rows->layers[i];
            const double one_s =
                l->counters ? *(const double *)((const char *)l->counters + parts[k].at) : (double)NAN;
            sum_s = add_if_known(sum_s, one_s * row_executions(l));
            rounding_s += isnan(one_s) ? 0 : half_digit_s(one_s) * row_executions(l);
        }
        if (phase && fabs(sum_s - phase->seconds) > rounding_s + differs_ratio * phase->seconds)
            reconcile_find(
                r, e, NULL,
                (roof_remark){run == rows ? ROOF_FORM_PHASE_DIFFERS : ROOF_FORM_PHASE_OF_RUNS,
                              {AS_TEXT(phase->name), AS_SECONDS(phase->seconds), AS_SECONDS(sum_s)}});
    }
}

static void note_sums(reconciler *r, const roof_reconciled *e)
{
    const roof_run *run = e->layer_run;
    bool complete = run && e->boundaries != ROOF_NONE && run_executions(run) >= e->boundaries;
    double stated = run ? run->sum_of_layers_s : NAN, rows = e->total.listed_s,
           sum = e->total.sum_of_layers_s, whole = e->total.per_layer_s;
    /* half a digit of a time that is printed in ms with three decimals, as its mean and extremes show */
    static const double digit_s = 1e-6;
    const roof_times t = e->per_layer ? e->per_layer->total : times_unknown();
    const double printed[] = {t.mean_s, t.min_s, t.max_s};
    bool is_rounded = !t.samples_s;
    for (size_t k = 0; k < N_OF(printed) && is_rounded; k++)
        is_rounded = isnan(printed[k]) || fabs(remainder(printed[k], digit_s)) < 1e-3 * digit_s;
    const double busy_s =
        experiment_overlapped_busy_s(e); /* rows that ran at the same time are more than their time */
    const bool is_overlapped = busy_s > 0 && whole > 0.99 * busy_s;
    const note notes[] = {
        {rows > 1.01 * stated || (complete && rows < 0.99 * stated),
         REMARK(SUM_DIFFERS, AS_SECONDS(rows), AS_SECONDS(sum))},
        {!is_overlapped && whole < 0.999 * sum && sum - whole > (is_rounded ? 0.51 * digit_s : 0),
         REMARK(BELOW_SUM, AS_SECONDS(whole), AS_SECONDS(sum))},
        {e->total.inflation_ratio < -0.01 && !phases_explain_sum(e),
         REMARK(FASTER_LAYER_RUN, AS_RATIO(-e->total.inflation_ratio))}};
    add_notes(r, e, notes, N_OF(notes));
}

/* --- what makes it no measurement ----------------------------------------------------------------------- */

static void note_doubts(reconciler *r, const roof_reconciled *e)
{
    static const roof_form forms[ROOF_DOUBT_KINDS] = {
        [ROOF_DOUBT_EMULATION] = ROOF_FORM_EMULATED,    [ROOF_DOUBT_HALF_CLOCK] = ROOF_FORM_HALF_CLOCK,
        [ROOF_DOUBT_HALF_WIDTH] = ROOF_FORM_HALF_WIDTH, [ROOF_DOUBT_UNDERFLOW] = ROOF_FORM_UNDERFLOW,
        [ROOF_DOUBT_NO_UNIT] = ROOF_FORM_NO_UNIT,       [ROOF_DOUBT_LOGGED] = ROOF_FORM_LOGGED};
    const roof_run *const runs[] = {e->bypass, e->per_layer};
    for (size_t k = 0; k < N_OF(runs); k++)
        for (uint32_t d = 0; runs[k] && d < runs[k]->n_doubts; d++) {
            const roof_doubt *doubt = &runs[k]->doubts[d];
            bool is_repeated = false;
            for (uint32_t j = 0; k && runs[0] && j < runs[0]->n_doubts; j++)
                is_repeated = is_repeated || (runs[0]->doubts[j].kind == doubt->kind &&
                                              strcmp(runs[0]->doubts[j].text, doubt->text) == 0);
            if (!is_repeated)
                reconcile_find(r, e, NULL, (roof_remark){forms[doubt->kind], {AS_TEXT(doubt->text)}});
        }
}

/* The largest gain first, rules without one behind the others. */
static void note_tool_rules(reconciler *r, const roof_reconciled *e)
{
    const roof_run *run = e->layer_run;
    const uint32_t n = run ? run->n_tool_rules : 0;
    roof_tool_rule *rules = NEW_ARRAY(r->arena, roof_tool_rule, (size_t)n + 1);
    for (uint32_t i = 0; i < n && rules; i++) {
        rules[i] = run->tool_rules[i];
        rules[i].gain_ratio = isnan(rules[i].gain_ratio) ? -1 : rules[i].gain_ratio;
    }
    if (!rules)
        return; /* the arena remembers */
    order_sort(rules, n, sizeof *rules,
               ORDER_BY(FALLING(roof_tool_rule, gain_ratio), RISING(roof_tool_rule, rule)));
    for (uint32_t i = 0; i < n; i++) {
        const char *row = profile_alone_kernel(rules[i].row, r->arena);
        reconcile_find(r, e, NULL,
                       rules[i].gain_ratio >= 0
                           ? REMARK(TOOL_RULE_GAIN, AS_TEXT(row), AS_TEXT(rules[i].rule),
                                    AS_RATIO(rules[i].gain_ratio), AS_TEXT(rules[i].text))
                           : REMARK(TOOL_RULE, AS_TEXT(row), AS_TEXT(rules[i].rule), AS_TEXT(rules[i].text)));
    }
}

/* --- the machine --------------------------------------------------------------------------------------- */

/* A model that runs on all processors is a load of 1 itself. */
static void note_conditions(reconciler *r, const roof_reconciled *e)
{
    static const double moved_ratio = 1.05, warmer_c = 10, busy_ratio = 1.5;
    const roof_run *const runs[] = {e->bypass, e->per_layer};
    /* unknown is NaN, which fmin and fmax pass by */
    double slowest_hz = NAN, fastest_hz = NAN, coolest_c = NAN, warmest_c = NAN, load_ratio = NAN;
    const char *governor = NULL, *other = NULL;
    for (size_t k = 0; k < N_OF(runs); k++)
        for (uint32_t j = 0; runs[k] && j < runs[k]->n_conditions; j++) {
            const roof_condition *now = &runs[k]->conditions[j];
            slowest_hz = fmin(slowest_hz, now->clock_hz);
            fastest_hz = fmax(fastest_hz, now->clock_hz);
            coolest_c = fmin(coolest_c, now->temperature_c);
            warmest_c = fmax(warmest_c, now->temperature_c);
            load_ratio = fmax(load_ratio, now->load_ratio);
            if (now->governor && governor && strcmp(now->governor, governor) != 0)
                other = now->governor;
            governor = governor ? governor : now->governor;
        }
    const note notes[] = {
        {fastest_hz > slowest_hz * moved_ratio,
         REMARK(CLOCK_MOVED, AS("Hz", slowest_hz), AS("Hz", fastest_hz))},
        {warmest_c > coolest_c + warmer_c, REMARK(WARMED_UP, AS("", coolest_c), AS("", warmest_c))},
        {load_ratio > busy_ratio, REMARK(BUSY, AS_RATIO(load_ratio))},
        {other, REMARK(GOVERNOR_MOVED, AS_TEXT(governor), AS_TEXT(other))}};
    add_notes(r, e, notes, N_OF(notes));
}

/* A timed layer may vary because of the profiler. Variation that the whole-network run shows as well is the
 * device's. */
static void note_modes_scatter(reconciler *r, const roof_reconciled *e)
{
    static const double steady_ratio = 0.05;
    const roof_times *t = e->bypass ? &e->bypass->total : NULL;
    const roof_match *u = NULL; /* that varies most in time, of those with a high CoV */
    for (uint32_t k = 0; t && !e->has_doubtful_times && k < e->n_matches; k++) {
        const roof_match *one = &e->matches[k];
        if (one->cov_ratio > ROOF_HIGH_COV_RATIO &&
            (!u || one->cov_ratio * one->measured_s > u->cov_ratio * u->measured_s))
            u = one;
    }
    double std_s = u ? u->cov_ratio * u->measured_s : NAN;
    double whole_s = t ? t->std_s : NAN, whole = quotient_of(whole_s, t ? times_typical(t) : NAN);
    const note notes[] = {
        {u && whole < steady_ratio,
         REMARK(COV_OF_TIMING, AS_TEXT(u ? u->name : ""), AS_RATIO(u ? u->cov_ratio : NAN), AS_RATIO(whole))},
        {u && whole >= steady_ratio && whole_s >= std_s,
         REMARK(COV_PERSISTS, AS_TEXT(u ? u->name : ""), AS_RATIO(u ? u->cov_ratio : NAN),
                AS_SECONDS(whole_s), AS_RATIO(whole), AS_SECONDS(std_s))}};
    add_notes(r, e, notes, N_OF(notes));
}

void experiment_findings(reconciler *r, const roof_reconciled *e)
{
    note_document(r, e);
    note_doubts(r, e);
    note_bounds(r, e);
    note_phases(r, e);
    note_phases_of_rows(r, e);
    note_tool_rules(r, e);
    note_sums(r, e);
    note_modes_scatter(r, e);
    note_conditions(r, e);
}

/* --- all of them -------------------------------------------------------------------------------------- */

void experiment_findings_of_all(reconciler *r)
{
    const roof_reconciliation *out = r->out;
    const roof_fit *overhead = &out->fits[ROOF_FIT_OVERHEAD].fit;
    const roof_line *line = &overhead->lines[ROOF_LINE_FREE];
    bool any_has_other_mode = false;
    for (uint32_t i = 0; i < out->n_experiments; i++)
        any_has_other_mode = any_has_other_mode || has_other_mode(&out->experiments[i]);
    if (!out->one_hardware)
        TELL(r, NULL, NULL, MIXED_HARDWARE, NO_OPERANDS);
    else if (!overhead->lines[overhead->chosen].known && !out->by_phases && any_has_other_mode &&
             !reconciliation_is_of_curves(out))
        TELL(r, NULL, NULL, NO_FIT, AS_COUNT(overhead->distinct_x));
    if (line->known && line->slope.ci95_low < 0)
        TELL(r, NULL, NULL, WIDE_INTERVAL, AS_COUNT(line->dof));
    FOR_EACH(const roof_unread, u, r->measured->unread, r->measured->n_unread) {
        reconcile_find(r, NULL, NULL,
                       u->is_read          ? REMARK(OTHER_NAME, AS_TEXT(u->where), AS_TEXT(u->what))
                       : u->is_of_hardware ? REMARK(HARDWARE_MEMBER, AS_TEXT(u->where), AS_TEXT(u->what))
                       : u->times > 1
                           ? REMARK(MEMBERS, AS_TEXT(u->where), AS_TEXT(u->what), AS_COUNT(u->times))
                           : REMARK(MEMBER, AS_TEXT(u->where), AS_TEXT(u->what)));
        if (u->is_of_hardware && !r->out->unused_hardware)
            r->out->unused_hardware = u;
    }
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        double cost = out->experiments[i].boundary_cost_s;
        if (!(cost > out->ceiling.seconds))
            continue;
        const roof_reconciled *tight = &out->experiments[out->ceiling.experiment];
        roof_remark remark =
            REMARK(ABOVE_CEILING, AS_SECONDS(cost), AS_TEXT(tight->matches[out->ceiling.unit].name),
                   AS_TEXT(tight->model), AS_SECONDS(out->ceiling.seconds));
        if (out->ceiling.is_mean)
            remark.form = ROOF_FORM_ABOVE_CEILING_MEAN;
        reconcile_find(r, NULL, NULL, remark);
        return;
    }
}
