/* Where the time of an inference goes: parts and unexplained time add up to the measured time, to the last
 * printed digit. */
#include "measure/profile/phases.h"
#include "measure/reconcile/steps.h"

static roof_part *add_part(roof_attribution *a, roof_part_id id, double seconds)
{
    static const char *const words[] = {
#define PART(name, word, meaning) [ROOF_PART_##name] = (word),
#include "roofline/parts.def"
#undef PART
    };
    if (isnan(seconds) || seconds == 0 || a->n_parts == ROOF_MAX_PARTS)
        return NULL;
    roof_part *part = &a->parts[a->n_parts++];
    *part = (roof_part){id, words[id], seconds, quotient_of(seconds, a->total_s), NULL};
    return part;
}

/* Parts above twice the whole, or below minus the whole, explain nothing: times contradict each other, as a
 * finding says. */
static void close_sum(roof_attribution *a)
{
    double sum = 0;
    for (uint32_t i = 0; i < a->n_parts; i++)
        sum += a->parts[i].seconds;
    if (!(a->total_s > 0 && sum > -a->total_s && sum < 2 * a->total_s)) {
        sum = 0;
        a->n_parts = 0;
    }
    a->attributed_s = sum;
    number_split(&a->total_s, &a->attributed_s, &a->unattributed_s);
}

/* Sums over matches, by what they are. */
typedef struct sums {
    double ideal, overhead, gap, host, stray, phases;
} sums;

static sums sum_matches(const roof_reconciled *e)
{
    sums s = {0};
    FOR_EACH(const roof_match, u, e->matches, e->n_matches) {
        if (isnan(u->measured_s) || roof_match_is_repeated(u))
            continue;
        double overhead = isnan(u->overhead_s) ? 0 : u->overhead_s, phases = isnan(u->host_s) ? 0 : u->host_s;
        s.overhead += overhead;
        s.phases += phases;
        if (u->verdict == ROOF_VERDICT_NO_LAYER)
            s.stray += u->measured_s - overhead - phases;
        else if (u->verdict == ROOF_VERDICT_NO_IDEAL)
            s.host += u->measured_s - overhead - phases;
        else {
            s.ideal += u->ideal_s;
            s.gap += u->gap_s;
        }
    }
    return s;
}

/* An estimate is no limit. */
static roof_part_id limit_part(const roof_reconciled *e)
{
    return e->prediction && !e->prediction->estimate_of ? ROOF_PART_LIMIT : ROOF_PART_IDEAL;
}

static void add_matches(roof_attribution *a, const roof_reconciled *e, const sums *s, bool deployed)
{
    add_part(a, deployed && !isnan(s->ideal) ? limit_part(e) : ROOF_PART_IDEAL, s->ideal);
    if (!deployed)
        add_part(a, ROOF_PART_OVERHEAD, s->overhead);
    add_part(a, ROOF_PART_PRE_AND_POST, s->phases);
    add_part(a, isnan(e->boundary_cost_s) ? ROOF_PART_TIMED_GAP : ROOF_PART_GAP, s->gap);
    add_part(a, e->prediction ? ROOF_PART_HOST_LAYERS : ROOF_PART_LAYERS, s->host);
    add_part(a, ROOF_PART_STRAY_ROWS, s->stray);
    if (!deployed && !e->prediction && e->boundaries == ROOF_NONE && e->total.listed_s > 0)
        add_part(a, ROOF_PART_NOT_LISTED, fmax(0, e->total.sum_of_layers_s - e->total.listed_s));
}

static void attribute_layers(reconciler *r, roof_reconciled *e)
{
    roof_attribution *a = &e->layer_by_layer;
    bool whole = !isnan(e->total.per_layer_s) && !(e->total.per_layer_s < e->total.sum_of_layers_s);
    a->total_s = whole ? e->total.per_layer_s : e->total.sum_of_layers_s;
    if (!e->per_layer || isnan(a->total_s) || (e->layer_run != e->per_layer && !whole))
        return;
    sums s = sum_matches(e);
    a->of = e->is_recording ? "the whole recording"
            : whole         ? "one inference of the per-layer run"
                            : "the sum of all layers";
    add_matches(a, e, &s, false);
    if (!e->layer_run && e->epochs) { /* a log of totals alone still says what the NPU took */
        double core_s = known_count(e->epochs->total.mcu_cycles[ROOF_PHASE_CORE]) / e->epochs->mcu_hz;
        add_part(a, ROOF_PART_CORE, core_s);
        add_part(a, ROOF_PART_PRE_AND_POST, e->epochs->total.total_s - core_s);
    }
    if (whole) {
        /* The fit knows the CPU's constant. Time in no phase of a run with phases is nobody's. */
        const roof_fit *fit = &r->out->fits[ROOF_FIT_HOST].fit;
        const roof_line *line = &fit->lines[fit->chosen];
        double outside_s = e->total.per_layer_s - e->total.sum_of_layers_s;
        if (line->known && e->boundaries != ROOF_NONE)
            outside_s = line->intercept.value + line->slope.value * e->boundaries;
        else if (e->per_layer->n_phases)
            outside_s = fmin(outside_s, fmax(0, phases_sum(e->per_layer).all_s - e->total.sum_of_layers_s));
        add_part(a, ROOF_PART_OUTSIDE_LAYERS, outside_s);
    }
    close_sum(a);
}

/* Corrected layers and CPU time should add up to the latency of the whole-network run; the rest is overlap,
 * or an error of the fit. */
static void attribute_bypass(roof_reconciled *e)
{
    roof_attribution *a = &e->deployed;
    a->total_s = e->total.bypass_s;
    if (isnan(a->total_s))
        return;
    a->of = "one inference of the whole network";
    bool layers_known = e->layer_run && e->layer_run == e->per_layer && !isnan(e->boundary_cost_s);
    double limit_s = experiment_deployed_limit_s(e);
    if (layers_known) {
        sums s = sum_matches(e);
        if (!isnan(limit_s)) {
            /* Fused layers need less than the same ones alone, and overlap; the rest of them is gap. */
            s.gap += s.ideal - limit_s;
            s.ideal = limit_s;
        }
        add_matches(a, e, &s, true);
        add_part(a, ROOF_PART_HOST, e->total.host_s);
    } else { /* without layers the phases tell the accelerator from the rest, as they do in `wall` */
        phase_sums phases = phases_sum(e->bypass);
        double accelerator = phases.exceed_total ? NAN : phases.of_s[ROOF_PHASE_ACCELERATOR];
        add_part(a, limit_part(e), limit_s);
        add_part(a, isnan(limit_s) ? ROOF_PART_ACCELERATOR : ROOF_PART_PHASES_GAP,
                 accelerator - (isnan(limit_s) ? 0 : limit_s));
        bool by_phases = !isnan(accelerator);
        add_part(a, by_phases ? ROOF_PART_HOST_PHASES : ROOF_PART_HOST,
                 by_phases ? phases.of_s[ROOF_PHASE_HOST] : e->total.host_s);
        add_part(a, ROOF_PART_COPIES, by_phases ? phases.of_s[ROOF_PHASE_TRANSFER] : NAN);
        add_part(a, ROOF_PART_UNKNOWN_PHASES, by_phases ? phases.of_s[ROOF_PHASE_UNDECLARED] : NAN);
    }
    close_sum(a);
}

/* Each phase without its own parts. Phases above the inference explain nothing: a finding says so. */
static void attribute_wall(reconciler *r, roof_reconciled *e)
{
    roof_attribution *a = &e->wall;
    const roof_run *run = phased_run(e);
    a->total_s = run ? phases_of_s(run) : NAN;
    if (!run || isnan(a->total_s) || phases_sum(run).exceed_total)
        return;
    a->of = isnan(times_typical(&run->total)) ? "what was recorded, by phases"
            : run == e->bypass                ? "one inference of the whole network, by phases"
                                              : "one inference of the per-layer run, by phases";
    double others = 0;
    FOR_EACH(const roof_phase, phase, run->phases, run->n_phases) {
        double own = fmax(0, phase_own_seconds(run, phase));
        if (a->n_parts + 1 == ROOF_MAX_PARTS) {
            others += own;
            continue;
        }
        roof_part *part = add_part(a, phase_part(phase), own);
        if (!part)
            continue;
        part->kind = roof_phase_kind_text(phase->kind);
        part->name = own < phase->seconds ? arena_printf(r->arena, "%s, the rest", phase->name) : phase->name;
    }
    add_part(a, ROOF_PART_OTHER_PHASES, others);
    close_sum(a);
}

/* --- by layer type --------------------------------------------------------------------------------- */

uint32_t attribute_type(const roof_reconciled *e, const char *type)
{
    return NAMED_AT(e->types, e->n_types, type, type);
}

static void share_by_type(reconciler *r, roof_reconciled *e)
{
    /* Further types go together: a tool may call every row a kind of its own. */
    enum { MOST_TYPES = 256 };
    e->types = NEW_ARRAY(r->arena, roof_type_share, MOST_TYPES + 1);
    if (!e->types)
        return;                                     /* the arena remembers */
    const bool by_share = isnan(e->total.listed_s); /* nothing has a time: shares are the measure */
    FOR_EACH(const roof_match, u, e->matches, e->n_matches) {
        const double amount = by_share ? match_stated_share(e, u) : u->measured_s;
        if (isnan(amount) || roof_match_is_repeated(u))
            continue;
        const char *type = match_type(u);
        uint32_t at = attribute_type(e, type);
        if (at >= MOST_TYPES) {
            type = "(others)";
            at = attribute_type(e, type);
        }
        roof_type_share *t = &e->types[at];
        if (at == e->n_types)
            e->types[e->n_types++] = (roof_type_share){.type = type, .ideal_s = NAN};
        t->layers += u->is_unlisted ? u->n_layers : 1;
        t->measured_s += u->measured_s;
        t->time_share_ratio += amount;                     /* of times it becomes one below */
        t->ideal_s = add_if_known(t->ideal_s, u->ideal_s); /* not known until one of them is */
    }
    order_sort(e->types, e->n_types, sizeof *e->types,
               ORDER_BY(FALLING(roof_type_share, time_share_ratio), RISING(roof_type_share, type)));
    for (uint32_t i = 0; i < e->n_types && !by_share; i++)
        e->types[i].time_share_ratio = quotient_of(e->types[i].measured_s, experiment_shared_s(e));
}

void attribute_times(reconciler *r, roof_reconciled *e)
{
    attribute_layers(r, e);
    attribute_bypass(e);
    attribute_wall(r, e);
    share_by_type(r, e);
}
