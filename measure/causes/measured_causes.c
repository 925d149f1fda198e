/* What costs time in an experiment, ranked. The rules, one function each, stand in docs/causes.md with their conditions. */
#include "measure/causes/fusion.h"
#include "measure/profile/phases.h"
#include "measure/profile/profile.h"
#include "measure/reconcile/steps.h"
#include "measure/units/unit_facts.h"
#include "model/predict/calibrated.h"
#include "model/predict/cause_facts.h"
#include "model/laws/engine.h"
#include "roofline/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A layer, a kind or a stage is slower than its like by so much, and by so many deviations of them. A deviation is at least
 * DEVIATION_FLOOR in ln(ratio): a few layers may be alike by chance. */
#define SLOW_LAYER_RATIO 1.5
#define SLOW_GROUP_RATIO 1.3
#define SLOW_DEVIATIONS  4
#define SURELY_SLOW      1.0 /* in ln(ratio): 2.7 times its like, however these spread */
#define DEVIATION_FLOOR  0.15
#define ONE_DEVIATION    0.8413 /* so much of a normal distribution is below its mean and one deviation */

/* Layers that take less than this part of the mean layer are no example for others: starting them takes most of their time. */
#define SMALL_LAYER 0.25

/* The best layers of an accelerator come nearer to their bound than BEST_RATIO, whatever the network, and usually to USUAL_RATIO: the
 * best tenth of examples/zcu104-resnet50 takes 1.00 times its bound. Those that are told apart from slow ones come nearer than
 * OTHER_RATIO. What one factor slows still meets one
 * wall: two fifths are within ONE_FACTOR of the best, or within OTHER_RATIO where others show that it is not all. */
#define BEST_RATIO  1.6
#define USUAL_RATIO 1.03
#define OTHER_RATIO 1.35
#define ONE_FACTOR  1.15

/* Clocks are stated in whole MHz, and boards differ by some of them. */
#define OTHER_CLOCK 0.02

#define PROFILER_SHARE 0.5
#define HOST_SHARE     0.1

/* Layers that are an example for others; and those of one factor, which a few layers may have by chance. */
enum { LEAST_PEERS = 3, LEAST_OF_FACTOR = 5 };

/* A tool may call every row a kind of its own, every layer may have another output size, and times may contradict one another: no more
 * of them are looked at. */
enum { MOST = 256 };

/* A layer of the accelerator, once what timing it and the host take is off. */
typedef struct point {
    const roof_unit *unit;
    const char *type;  /* one of the study's; NULL: there are more of them */
    const char *stage; /* the same: the size of its output, "56x56"; "": it has none */
    double usual_s;    /* as its kind in other stages; NaN: too few of them, or not compared yet */
    double seconds, bound_s;
    double gap_s; /* above the ideal, as tables have it */
    const char *
        memory; /* that binds it, by the name of its efficiency: "memory", "octoFlash"; NULL: another engine */
    bool is_clocked; /* a faster clock would make it faster */
    bool is_small;   /* no example for others */
    bool is_told;
} point;

/* Each of them once, so that pointers tell them apart. */
typedef struct names {
    const char *of[MOST];
    uint32_t n;
} names;

typedef struct study {
    reconciler *r;
    roof_reconciled *e;
    point *points;
    double *room, *spreads; /* for as many ratios */
    uint32_t n;
    names types, stages;
    double of_s, gap_s; /* the time that gains are parts of; the gaps of all points */
    double spread;      /* of points about the median of their kind, in ln(ratio) */
} study;

/* --- facts -------------------------------------------------------------------------------------------- */

static bool is_point(const roof_reconciled *e, const roof_unit *u)
{
    return u->n_layers && !roof_unit_is_repeated(u) && u->measured_s > 0 && unit_bound_s(u) > 0 &&
           layer_is_accelerated(unit_layer(e, u, 0));
}

/* What the few slow executions of a row add to its mean says nothing of the layer: 0 to 1. */
static double usual_part(const roof_reconciled *e, const roof_unit *u)
{
    const roof_times *t = u->n_rows == 1 ? &unit_row(e, u, 0)->time : NULL;
    return t && t->median_s < t->mean_s ? t->median_s / t->mean_s : 1;
}

/* Pools have clocks of their own, and so has external memory; a DPU's ports have its own. */
static point point_of(const roof_reconciled *e, const roof_unit *u)
{
    const roof_prediction *p = e->prediction;
    const engine_info *engine = u->bound == ROOF_NONE ? NULL : engine_named(p->engines[u->bound]);
    bool is_memory = engine && engine->kind == ENGINE_KIND_DATA;
    double seconds = isnan(u->corrected_s) ? u->measured_s : u->corrected_s;
    return (point){.unit = u,
                   .seconds = (seconds - (isnan(u->host_s) ? 0 : u->host_s)) * usual_part(e, u),
                   .bound_s = unit_bound_s(u),
                   .usual_s = NAN,
                   .gap_s = fmax(0, u->gap_s),
                   .memory = is_memory ? engine->efficiency : NULL,
                   .is_clocked = !is_memory || !p->hardware.n_pools};
}

static const char *name_in(names *all, const char *name)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (strcmp(all->of[i], name) == 0)
            return all->of[i];
    if (all->n == MOST)
        return NULL;
    return all->of[all->n++] = name;
}

/* "28x28" of "56x56x64 -> 28x28x128 k3x3 s2x2". */
static const char *output_size(roof_arena *arena, const char *shape)
{
    static const char digits[] = "0123456789";
    const char *arrow = strstr(shape, "-> "), *out = arrow ? arrow + 3 : shape;
    size_t height = strspn(out, digits), width = out[height] == 'x' ? strspn(out + height + 1, digits) : 0;
    return height && width ? arena_strndup(arena, out, height + 1 + width) : "";
}

static void find_points(study *s)
{
    double sum_s = 0;
    for (uint32_t i = 0; i < s->e->n_units; i++) {
        const roof_unit *u = &s->e->units[i];
        if (!is_point(s->e, u))
            continue;
        const char *size = output_size(s->r->arena, unit_layer(s->e, u, 0)->shape);
        point *p = &s->points[s->n++];
        *p = point_of(s->e, u);
        p->type = name_in(&s->types, unit_type(u));
        p->stage = size ? name_in(&s->stages, size) : NULL;
        sum_s += p->seconds;
        s->gap_s += p->gap_s;
    }
    for (uint32_t i = 0; i < s->n; i++)
        s->points[i].is_small =
            s->points[i].unit->is_unlisted || s->points[i].seconds < SMALL_LAYER * sum_s / s->n;
}

static double ratio_of(const point *p)
{
    return p->seconds / p->bound_s;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The q-th part of n values from below, between two of them in proportion; room is sorted. */
static double quantile(double *room, uint32_t n, double q)
{
    if (!n)
        return NAN;
    double at = q * (n - 1);
    uint32_t below = (uint32_t)at;
    qsort(room, n, sizeof *room, ascending);
    return below + 1 < n ? room[below] + (at - below) * (room[below + 1] - room[below]) : room[below];
}

/* --- causes ------------------------------------------------------------------------------------------- */

/* A part of a time that is nothing beside it is none: then the times are not of one run. */
static void add_cause(study *s, roof_cause cause)
{
    if (!isnan(cause.gain_s) && !isfinite(cause.share_ratio))
        return;
    roof_cause *all =
        arena_grow(s->r->arena, (roof_cause *)(uintptr_t)s->e->causes, s->e->n_causes, sizeof *all);
    if (!all)
        return; /* the arena remembers */
    all[s->e->n_causes] = cause;
    s->e->causes = all;
    s->e->n_causes++;
}

/* Gains are read as parts of the inference; what has no interval keeps NaN. */
static roof_cause cost(const study *s, roof_cause_kind kind, double gain_s, roof_certainty sure)
{
    return (roof_cause){.kind = kind,
                        .gain_s = gain_s,
                        .gain_ci95_s = {NAN, NAN},
                        .share_ratio = gain_s / s->of_s,
                        .sure = sure};
}

/* More time above the bound first. */
static int most_first(const void *a, const void *b, void *of)
{
    const roof_unit *x = &((const roof_unit *)of)[*(const uint32_t *)a],
                    *y = &((const roof_unit *)of)[*(const uint32_t *)b];
    double g = x->measured_s - unit_bound_s(x), h = y->measured_s - unit_bound_s(y);
    return g != h ? (g < h ? 1 : -1) : (x > y) - (x < y);
}

/* What points have in common; NULL: nothing. */
typedef struct common {
    const char *type, *stage, *memory;
    bool clocked_only, compared_only;
} common;

static bool has_common(const point *p, const common *c)
{
    return (!c->type || p->type == c->type) && (!c->stage || p->stage == c->stage) &&
           (!c->memory || (p->memory && strcmp(p->memory, c->memory) == 0)) &&
           (!c->clocked_only || p->is_clocked) && (!c->compared_only || !isnan(p->usual_s));
}

static void set_units(study *s, roof_cause *cause, const common *of)
{
    uint32_t *units = NEW_ARRAY(s->r->arena, uint32_t, s->n);
    for (uint32_t i = 0; units && i < s->n; i++)
        if (has_common(&s->points[i], of))
            units[cause->n_units++] = (uint32_t)(s->points[i].unit - s->e->units);
    cause->units = units;
    if (units)
        qsort_r(units, cause->n_units, sizeof *units, most_first, s->e->units);
}

/* Nothing else holds before it is cleared. */
static void find_doubts(study *s)
{
    const roof_remark *why = s->e->not_compared, *other = s->e->other_hardware;
    if (other) {
        roof_cause cause = cost(s, ROOF_CAUSE_WRONG_HARDWARE, NAN, ROOF_SURE_MEASURED);
        cause.why = *other;
        add_cause(s, cause);
    }
    if (!why || s->e->has_doubtful_rows)
        return; /* what the whole inference takes is right */
    bool is_unit = why->form == ROOF_FORM_UNIT_OF_IDEAL || why->form == ROOF_FORM_UNIT_OF_PAIR;
    roof_cause cause =
        cost(s, is_unit ? ROOF_CAUSE_WRONG_UNIT : ROOF_CAUSE_WRONG_MODEL, NAN, ROOF_SURE_GUESS);
    cause.why = *why;
    add_cause(s, cause);
}

/* --- one factor for all -------------------------------------------------------------------------------- */

typedef struct best {
    uint32_t n;
    double ratio, most; /* that the best tenth of them reaches, and two fifths */
    double sum_s;
} best;

/* Of points that have something in common, or, where is_other, of all others. */
static best best_of(study *s, const common *of, bool is_other)
{
    best b = {0, NAN, NAN, 0};
    for (uint32_t i = 0; i < s->n; i++) {
        const point *p = &s->points[i];
        if (has_common(p, of) == is_other)
            continue;
        b.sum_s += p->seconds;
        if (!p->is_small)
            s->room[b.n++] = ratio_of(p);
    }
    b.ratio = quantile(s->room, b.n, 0.1);
    b.most = quantile(s->room, b.n, 0.4);
    return b;
}

/* What one factor explains is no matter of single layers. */
static void explain(study *s, double factor, const common *of)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (has_common(&s->points[i], of))
            s->points[i].bound_s = fmin(s->points[i].seconds, factor * s->points[i].bound_s);
}

static bool is_one_factor(const best *b, double within)
{
    return b->n >= LEAST_OF_FACTOR && b->ratio >= BEST_RATIO && b->most < within * b->ratio;
}

static double stated_clock_hz(const roof_reconciled *e)
{
    const roof_run *run = e->per_layer ? e->per_layer : e->bypass;
    return run ? run_clock_hz(run, "npu") : NAN;
}

static void add_slow_clock(study *s, double gain_s, double factor, roof_certainty sure,
                           const roof_remark *why)
{
    const common clocked = {.clocked_only = true};
    roof_cause cause = cost(s, ROOF_CAUSE_WRONG_CLOCK, gain_s, sure);
    explain(s, factor, &clocked);
    if (!(cause.share_ratio >= CAUSE_LEAST_SHARE))
        return;
    cause.why = *why;
    set_units(s, &cause, &clocked);
    add_cause(s, cause);
}

/* No gain is known, since the bound is another one. */
static void find_fast_clock(study *s)
{
    double fastest = 1;
    uint32_t below = 0, computing = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const roof_unit *u = s->points[i].unit;
        double times = unit_bound_s(u) / u->measured_s;
        if (u->verdict != ROOF_VERDICT_IMPOSSIBLE || !isfinite(times))
            continue;
        fastest = fmax(fastest, times);
        below++;
        computing += !s->points[i].memory;
    }
    if (computing < LEAST_PEERS || below < s->n / 4)
        return;
    roof_cause cause = cost(s, ROOF_CAUSE_WRONG_CLOCK, NAN, ROOF_SURE_GUESS);
    cause.why = REMARK(CAUSE_TOO_FAST, AS_COUNT(below), AS_COUNT(s->n), AS("", fastest));
    set_units(s, &cause, &(common){.type = NULL});
    add_cause(s, cause);
}

/* The clock that the profile states, where it does; else layers of which even the best are far from their bounds, all alike. */
static void find_clock(study *s)
{
    const common clocked = {.clocked_only = true};
    const best all = best_of(s, &clocked, false);
    double bound_hz = s->e->prediction->hardware.clock_hz, stated_hz = stated_clock_hz(s->e);
    double slower = bound_hz / stated_hz, guessed = all.ratio / USUAL_RATIO;
    uint32_t computing = 0;
    for (uint32_t i = 0; i < s->n; i++)
        computing += !s->points[i].memory;
    find_fast_clock(s);
    if (slower > 1 + OTHER_CLOCK)
        add_slow_clock(s, all.sum_s * (1 - 1 / slower), slower, ROOF_SURE_MEASURED,
                       &REMARK(CAUSE_CLOCKS, AS("Hz", stated_hz), AS("Hz", bound_hz)));
    else if (isnan(slower) && has_bound(s->e) && computing >= LEAST_PEERS && is_one_factor(&all, ONE_FACTOR))
        add_slow_clock(s, all.sum_s * (1 - 1 / guessed), guessed, ROOF_SURE_GUESS,
                       &REMARK(CAUSE_ALL, AS_COUNT(all.n), AS("", all.ratio)));
}

/* Rows that a cache binds are short: what they take is starting them. */
static bool is_cache(const char *memory)
{
    return strcmp(memory, "l1") == 0 || strcmp(memory, "l2") == 0 || strcmp(memory, "l3") == 0;
}

/* Layers of one kind, of which those that something else binds are as slow: then it is the kind, and not the memory. */
static bool is_of_kind(study *s, const common *bound, const best *slow)
{
    const char *type = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const point *p = &s->points[i];
        if (!has_common(p, bound) || p->is_small)
            continue;
        if (type && type != p->type)
            return false;
        type = p->type;
    }
    for (uint32_t i = 0; i < s->n; i++)
        if (!has_common(&s->points[i], bound) && !s->points[i].is_small && s->points[i].type == type)
            s->room[n++] = ratio_of(&s->points[i]);
    return quantile(s->room, n, 0.5) * OTHER_RATIO > slow->ratio;
}

static void find_bandwidth(study *s, const char *memory)
{
    const common bound = {.memory = memory};
    const best slow = best_of(s, &bound, false), others = best_of(s, &bound, true);
    double factor = slow.ratio / others.ratio;
    bool others_are_fast = has_bound(s->e) ? others.ratio < OTHER_RATIO : factor >= BEST_RATIO;
    if (is_cache(memory) || others.n < LEAST_PEERS || !others_are_fast ||
        !is_one_factor(&slow, OTHER_RATIO) || is_of_kind(s, &bound, &slow))
        return;
    roof_cause cause = cost(s, ROOF_CAUSE_HALF_BANDWIDTH, slow.sum_s * (1 - 1 / factor), ROOF_SURE_GUESS);
    cause.why =
        REMARK(CAUSE_FACTOR, AS_COUNT(slow.n), AS_TEXT(memory), AS("", slow.ratio), AS("", others.ratio));
    cause.subject = memory;
    set_units(s, &cause, &bound);
    explain(s, factor, &bound);
    if (cause.share_ratio >= CAUSE_LEAST_SHARE)
        add_cause(s, cause);
}

/* There are few memories, whatever the number of layers. */
static void find_bandwidths(study *s)
{
    const char *done[ROOF_MAX_ENGINES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const char *memory = s->points[i].memory;
        bool is_done = !memory || n == ROOF_MAX_ENGINES;
        for (uint32_t k = 0; k < n && !is_done; k++)
            is_done = strcmp(done[k], memory) == 0;
        if (is_done)
            continue;
        done[n++] = memory;
        find_bandwidth(s, memory);
    }
}

/* --- around the layers --------------------------------------------------------------------------------- */

static double part_of(const roof_attribution *a, roof_part_id id)
{
    for (uint32_t i = 0; i < a->n_parts; i++)
        if (a->parts[i].id == id)
            return a->parts[i].seconds;
    return NAN;
}

static void find_profiler(study *s)
{
    const roof_attribution *a = &s->e->layer_by_layer;
    double overhead_s = part_of(a, ROOF_PART_OVERHEAD);
    if (!(overhead_s >= PROFILER_SHARE * a->total_s))
        return;
    roof_cause cause = cost(s, ROOF_CAUSE_PROFILER, overhead_s, ROOF_SURE_MEASURED);
    cause.share_ratio = overhead_s / a->total_s;
    cause.why =
        REMARK(CAUSE_PROFILER, AS_SECONDS(overhead_s), AS_SECONDS(a->total_s), AS_COUNT(s->e->boundaries));
    add_cause(s, cause);
}

/* As the plan has it, unless that is of other hardware, and as the profile has it of rows without a layer. */
static bool is_on_host(const roof_reconciled *e, const roof_unit *u)
{
    return u->n_layers ? has_bound(e) && !layer_uses_accelerator(unit_layer(e, u, 0)) : unit_is_hosts(e, u);
}

/* Time that is not the accelerator's, of what, and on what that rests. */
typedef struct outside {
    double host_s, copies_s, around_s, total_s,
        ci95_s[2]; /* around: what epochs have before and after the accelerator's work */
    roof_certainty sure;
} outside;

/* Phases tell copies from the rest of the host; epochs what is before and after the accelerator's work; a fit neither, and its
 * constant is one where its interval is above 0. */
static outside time_outside(const study *s)
{
    const roof_run *run = phased_run(s->e);
    const roof_fit *fit = &s->r->out->fits[ROOF_FIT_HOST].fit;
    const roof_estimate line = fit->lines[fit->chosen].intercept;
    outside o = {NAN, NAN, NAN, s->of_s, {NAN, NAN}, ROOF_SURE_MEASURED};
    if (run) {
        phase_sums phases = phases_sum(run);
        o.host_s = phases.exceed_total ? NAN : phases.of_s[ROOF_PHASE_HOST];
        o.copies_s = phases.exceed_total ? NAN : phases.of_s[ROOF_PHASE_TRANSFER];
        o.total_s = phases_of_s(run);
        return o;
    }
    for (uint32_t i = 0; i < s->e->n_units; i++) {
        const roof_unit *u = &s->e->units[i];
        if (!is_on_host(s->e, u) && !roof_unit_is_repeated(u))
            o.around_s = add_if_known(o.around_s, u->host_s);
    }
    if (isnan(o.around_s) && line.ci95_low > 0)
        o = (outside){s->e->total.host_s, NAN, NAN, s->e->total.bypass_s, {line.ci95_low, line.ci95_high},
                      ROOF_SURE_GUESS};
    return o;
}

static void find_host(study *s)
{
    const outside o = time_outside(s);
    const struct {
        double seconds;
        roof_cause_kind kind;
        roof_form form;
    } rows[] = {
        {o.host_s, ROOF_CAUSE_HOST, o.copies_s > 0 ? ROOF_FORM_CAUSE_HOST_ALONE : ROOF_FORM_CAUSE_HOST},
        {o.around_s, ROOF_CAUSE_LAUNCHES, ROOF_FORM_CAUSE_HOST},
        {o.copies_s, ROOF_CAUSE_TRANSFERS, ROOF_FORM_CAUSE_HOST}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!(rows[i].seconds > 0 && rows[i].seconds >= HOST_SHARE * o.total_s))
            continue;
        roof_cause cause = cost(s, rows[i].kind, rows[i].seconds, o.sure);
        cause.share_ratio = rows[i].seconds / o.total_s;
        cause.gain_ci95_s[0] = o.ci95_s[0];
        cause.gain_ci95_s[1] = o.ci95_s[1];
        cause.why = (roof_remark){rows[i].form, {AS_SECONDS(rows[i].seconds), AS_SECONDS(o.total_s)}};
        add_cause(s, cause);
    }
}

static void find_fallback(study *s)
{
    double sum_s = 0;
    bool has_accelerated = s->n;
    roof_cause cause = cost(s, ROOF_CAUSE_FALLBACK, 0, ROOF_SURE_MEASURED);
    uint32_t *units = NEW_ARRAY(s->r->arena, uint32_t, s->e->n_units);
    for (uint32_t i = 0; units && i < s->e->n_units; i++) {
        const roof_unit *u = &s->e->units[i];
        bool is_hosts = is_on_host(s->e, u);
        has_accelerated = has_accelerated || (!is_hosts && u->measured_s > 0);
        if (!is_hosts || !(u->measured_s > 0) || roof_unit_is_repeated(u))
            continue;
        units[cause.n_units++] = i;
        sum_s += u->measured_s;
    }
    if (!units || !has_accelerated || !(sum_s >= CAUSE_LEAST_SHARE * s->of_s))
        return;
    qsort_r(units, cause.n_units, sizeof *units, most_first, s->e->units);
    cause.units = units;
    cause.gain_s = sum_s;
    cause.share_ratio = sum_s / s->of_s;
    cause.why = REMARK(CAUSE_FALLBACK, AS_COUNT(cause.n_units), AS_SECONDS(sum_s), AS_SECONDS(s->of_s));
    add_cause(s, cause);
}

/* One of many equal parts that the tool timed beside its rows. It is told whatever it takes: its like show what it should. */
static void find_standout(study *s)
{
    const roof_run *run = s->e->per_layer ? s->e->per_layer : s->e->bypass;
    const roof_standout *one = run ? &run->stands_out : NULL;
    if (!one || !one->name || !(one->time_s > one->others_s))
        return;
    roof_cause cause = cost(s, ROOF_CAUSE_SLOW_LAYER, one->time_s - one->others_s, ROOF_SURE_PEERS);
    cause.subject = one->name;
    cause.why = REMARK(CAUSE_STANDOUT, AS_TEXT(one->name), AS_SECONDS(one->time_s), AS_COUNT(one->others),
                       AS_SECONDS(one->others_s));
    add_cause(s, cause);
}

/* Rows that could be a part of the layer before them. */
static void find_fusion(study *s)
{
    const roof_reconciled *e = s->e;
    const roof_run *run = e->layer_run;
    bool *is_part = run ? NEW_ARRAY(s->r->arena, bool, run->n_layers) : NULL;
    uint32_t *units = is_part ? NEW_ARRAY(s->r->arena, uint32_t, e->n_units) : NULL;
    uint32_t behind = units ? fusion_find(run, is_part) : 0;
    roof_cause cause = cost(s, ROOF_CAUSE_FUSION, 0, ROOF_SURE_BOUND);
    double sum_s = 0;
    for (uint32_t i = 0; behind && i < e->n_units; i++) {
        const roof_unit *u = &e->units[i];
        if (u->n_rows != 1 || !is_part[e->row_order[u->row]] || roof_unit_is_repeated(u))
            continue;
        units[cause.n_units++] = i;
        sum_s += u->measured_s;
    }
    if (!(sum_s >= CAUSE_LEAST_SHARE * s->of_s))
        return;
    cause.units = units;
    cause.gain_s = sum_s;
    cause.share_ratio = sum_s / s->of_s;
    cause.why = REMARK(CAUSE_FUSION, AS_SECONDS(sum_s), AS_SECONDS(s->of_s), AS_COUNT(behind));
    add_cause(s, cause);
}

static void find_empty_lanes(study *s)
{
    const roof_prediction *p = s->e->prediction;
    const roof_run *run = s->e->bypass ? s->e->bypass : s->e->per_layer;
    uint32_t lanes = p->hardware.batch_lanes,
             images = run && run->batch != ROOF_NONE ? run->batch : p->options.batch;
    double empty = empty_lanes_ratio(images, lanes);
    if (!(empty >= CAUSE_LEAST_SHARE) || !(s->of_s > 0))
        return;
    roof_cause cause = cost(s, ROOF_CAUSE_LANES, empty * s->of_s, ROOF_SURE_BOUND);
    cause.why = REMARK(CAUSE_LANES, AS_COUNT(images), AS_COUNT(lanes));
    add_cause(s, cause);
}

/* --- over time ----------------------------------------------------------------------------------------- */

static void find_throttling(study *s)
{
    const roof_run *bypass = s->e->bypass, *layered = s->e->per_layer;
    const roof_run *run = bypass && bypass->total.samples_s ? bypass : layered;
    roof_series series;
    if (!run || !run->total.samples_s)
        return;
    roof_status status = roof_series_of(run->total.samples_s, run->total.count, &series, s->r->err);
    s->r->lacks_memory |= status == ROOF_E_NO_MEMORY;
    bool gets_slower = status == ROOF_OK && series.order_is_known && series.second > series.first &&
                       (series.kind == ROOF_SERIES_TREND || series.kind == ROOF_SERIES_STEP);
    double gain_s = gets_slower ? run->total.mean_s - series.first : NAN;
    if (!(gain_s >= CAUSE_LEAST_SHARE * run->total.mean_s))
        return;
    roof_cause cause = cost(s, ROOF_CAUSE_THROTTLING, gain_s, ROOF_SURE_MEASURED);
    cause.share_ratio = gain_s / run->total.mean_s;
    cause.why = REMARK(CAUSE_THROTTLING, AS_SECONDS(series.first), AS_SECONDS(series.second));
    add_cause(s, cause);
}

/* --- layers beside their like --------------------------------------------------------------------------- */

/* Which points are an example for others. type: of these only, or, where is_other, of all others; NULL: all. without, not_stage: one,
 * and those of a stage, that are not; told ones never are. */
typedef struct choice {
    const char *type;
    bool is_other;
    const point *without;
    const char *not_stage;
} choice;

static bool is_chosen(const point *p, const choice *c)
{
    return p != c->without && !p->is_told && !p->is_small && (!c->not_stage || p->stage != c->not_stage) &&
           (!c->type || (p->type == c->type) != c->is_other);
}

/* Of the ratios of some points: their median; and the ratio of all of them together, but for those that are far above it. */
typedef struct peers {
    uint32_t n;
    double median, together;
} peers;

static peers peers_of(study *s, const choice *c)
{
    peers p = {0, NAN, NAN};
    double seconds = 0, bound_s = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (is_chosen(&s->points[i], c))
            s->room[p.n++] = ratio_of(&s->points[i]);
    p.median = quantile(s->room, p.n, 0.5);
    for (uint32_t i = 0; i < s->n; i++) {
        const point *q = &s->points[i];
        if (!is_chosen(q, c) || ratio_of(q) > p.median * exp(SLOW_DEVIATIONS * s->spread))
            continue;
        seconds += q->seconds;
        bound_s += q->bound_s;
    }
    p.together = seconds / bound_s;
    return p;
}

/* The least ln(ratio) that is no chance. */
static double slowness(double ratio, double error)
{
    return fmax(log(ratio), fmin(SURELY_SLOW, SLOW_DEVIATIONS * error));
}

/* What takes more time than its like would; error: of the logarithm of that. */
static roof_cause slower(const study *s, roof_cause_kind kind, double seconds, double like_s, double error)
{
    roof_cause cause = cost(s, kind, seconds - like_s, ROOF_SURE_PEERS);
    cause.gain_ci95_s[0] = fmax(0, seconds - like_s * exp(1.96 * error));
    cause.gain_ci95_s[1] = seconds - like_s * exp(-1.96 * error);
    return cause;
}

/* What a cause explains of a layer's time no other one does. */
static void take_off(point *p, double excess_s)
{
    p->seconds -= excess_s;
    p->gap_s = fmax(0, p->gap_s - excess_s);
}

/* What is left of a layer's time is as that of its like, and counts with them. */
static void find_slow_layer(study *s, point *p)
{
    peers like = peers_of(s, &(choice){.type = p->type, .without = p});
    if (like.n < LEAST_PEERS)
        like = peers_of(s, &(choice){.without = p});
    double like_s = like.median * p->bound_s, excess_s = p->seconds - like_s;
    if (like.n < LEAST_PEERS || !(log(p->seconds / like_s) > slowness(SLOW_LAYER_RATIO, s->spread)) ||
        !(excess_s >= CAUSE_LEAST_SHARE * s->of_s))
        return;
    uint32_t *unit = NEW(s->r->arena, uint32_t);
    roof_cause cause = slower(s, ROOF_CAUSE_SLOW_LAYER, p->seconds, like_s, s->spread);
    if (!unit)
        return; /* the arena remembers */
    *unit = (uint32_t)(p->unit - s->e->units);
    cause.units = unit;
    cause.n_units = 1;
    cause.subject = p->unit->name;
    cause.why = REMARK(CAUSE_LAYER, AS("", ratio_of(p)), AS_SECONDS(p->bound_s), AS_COUNT(like.n),
                       AS("", like.median));
    add_cause(s, cause);
    p->is_told = true;
    take_off(p, excess_s);
}

/* How far the upper part of all points, but for those of a stage, is above the median of their kind: no layer is far below. */
static double spread_of(study *s, const char *not_stage)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->types.n; i++) {
        const choice like = {.type = s->types.of[i], .not_stage = not_stage};
        double median = peers_of(s, &like).median;
        for (uint32_t k = 0; k < s->n; k++)
            if (is_chosen(&s->points[k], &like))
                s->spreads[n++] = log(ratio_of(&s->points[k]) / median);
    }
    return fmax(DEVIATION_FLOOR, quantile(s->spreads, n, ONE_DEVIATION));
}

/* Sums over all points that have something in common. */
typedef struct sums {
    double seconds, bound_s, gap_s;
} sums;

static sums sums_of(const study *s, const common *of)
{
    sums all = {0};
    for (uint32_t i = 0; i < s->n; i++) {
        const point *p = &s->points[i];
        if (!has_common(p, of))
            continue;
        all.seconds += p->seconds;
        all.bound_s += p->bound_s;
        all.gap_s += p->gap_s;
    }
    return all;
}

/* Layers of a stage beside their kinds in other stages. */
typedef struct staged {
    uint32_t n, others; /* compared layers, and those elsewhere */
    double times;       /* that three quarters of them are slower: one or two slow layers are no stage */
    double error;       /* of its logarithm */
    double seconds, usual_s;
} staged;

static staged compare_stage(study *s, const char *stage)
{
    staged out = {0};
    s->spread = spread_of(s, stage);
    for (uint32_t t = 0; t < s->types.n; t++) {
        const choice like = {.type = s->types.of[t], .not_stage = stage};
        const peers elsewhere = peers_of(s, &like);
        uint32_t before = out.n;
        for (uint32_t i = 0; i < s->n; i++) {
            point *p = &s->points[i];
            if (p->type != like.type || p->stage != stage)
                continue;
            p->usual_s = elsewhere.n >= LEAST_PEERS ? elsewhere.together * p->bound_s : NAN;
            if (isnan(p->usual_s))
                continue;
            out.seconds += p->seconds;
            out.usual_s += p->usual_s;
            if (!p->is_small)
                s->spreads[out.n++] = p->seconds / p->usual_s;
        }
        out.others += out.n > before ? elsewhere.n : 0;
    }
    double median = quantile(s->spreads, out.n, 0.5);
    double here = fmax(DEVIATION_FLOOR, log(quantile(s->spreads, out.n, ONE_DEVIATION) / median));
    out.times = quantile(s->spreads, out.n, 0.25);
    out.error = sqrt(here * here / out.n + s->spread * s->spread / out.others);
    return out;
}

/* A stage that is slower than the same kinds of layers elsewhere. What is left of their time counts with their kinds. */
static void find_stage(study *s, const char *stage)
{
    if (!*stage || !(sums_of(s, &(common){.stage = stage}).seconds >= CAUSE_LEAST_SHARE * s->of_s))
        return;
    const staged found = compare_stage(s, stage);
    if (found.n < LEAST_OF_FACTOR || !(log(found.times) > slowness(SLOW_GROUP_RATIO, found.error)) ||
        !(found.seconds - found.usual_s >= CAUSE_LEAST_SHARE * s->of_s))
        return;
    roof_cause cause = slower(s, ROOF_CAUSE_SLOW_STAGE, found.seconds, found.usual_s, found.error);
    cause.why = REMARK(CAUSE_STAGE, AS_SECONDS(found.seconds), AS_SECONDS(found.usual_s));
    cause.subject = stage;
    set_units(s, &cause, &(common){.stage = stage, .compared_only = true});
    add_cause(s, cause);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->points[i].stage == stage && s->points[i].seconds > s->points[i].usual_s)
            take_off(&s->points[i], s->points[i].seconds - s->points[i].usual_s);
}

static bool is_absent(const study *s, const char *type)
{
    uint32_t i = 0;
    while (i < s->n && s->points[i].type != type)
        i++;
    return i < s->n && s->points[i].unit->is_unlisted;
}

/* What the profile sums up without listing it is no cause: nothing says where it is lost. */
static void add_absent(study *s, const sums *all)
{
    roof_cause cause = cost(s, ROOF_CAUSE_UNPROFILED, all->gap_s, ROOF_SURE_BOUND);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->points[i].unit->is_unlisted)
            cause.why =
                REMARK(CAUSE_ABSENT, AS_COUNT(s->points[i].unit->n_layers), AS_RATIO(all->gap_s / s->gap_s));
    add_cause(s, cause);
}

/* A kind that is slower than the others, or else one that holds much of the time above bounds. */
static void find_kind(study *s, const char *type)
{
    const sums all = sums_of(s, &(common){.type = type});
    if (!(fmax(all.seconds, all.gap_s) >= CAUSE_LEAST_SHARE * s->of_s))
        return;
    const peers own = peers_of(s, &(choice){.type = type}),
                others = peers_of(s, &(choice){.type = type, .is_other = true});
    double error = s->spread * sqrt(1.0 / own.n + 1.0 / others.n), gap_share = all.gap_s / s->gap_s;
    double like_s = others.together * all.bound_s;
    bool is_slow = own.n >= 2 && others.n >= LEAST_PEERS &&
                   log(own.median / others.median) > slowness(SLOW_GROUP_RATIO, error) &&
                   all.seconds - like_s >= CAUSE_LEAST_SHARE * s->of_s;
    if (!is_slow && !(gap_share >= 0.1 && all.gap_s >= CAUSE_LEAST_SHARE * s->of_s))
        return;
    if (is_absent(s, type)) {
        add_absent(s, &all);
        return;
    }
    roof_cause cause = is_slow ? slower(s, ROOF_CAUSE_SLOW_KIND, all.seconds, like_s, error)
                               : cost(s, ROOF_CAUSE_GAP, all.gap_s, ROOF_SURE_BOUND);
    cause.why = is_slow ? REMARK(CAUSE_KIND, AS("", all.seconds / all.bound_s), AS("", others.together),
                                 AS_RATIO(gap_share), AS_SECONDS(all.gap_s), AS_SECONDS(s->gap_s))
                        : REMARK(CAUSE_GAP, AS_RATIO(gap_share), AS_SECONDS(s->gap_s));
    cause.subject = type;
    set_units(s, &cause, &(common){.type = type});
    add_cause(s, cause);
}

static void find_layers(study *s)
{
    for (uint32_t i = 0; i < s->stages.n; i++)
        find_stage(s, s->stages.of[i]);
    s->spread = spread_of(s, NULL);
    for (uint32_t i = 0, layers = 0; i < s->n && layers < MOST; i++)
        if (s->points[i].seconds >= CAUSE_LEAST_SHARE * s->of_s && !s->points[i].unit->is_unlisted) {
            find_slow_layer(s, &s->points[i]);
            layers++;
        }
    for (uint32_t i = 0; i < s->types.n; i++)
        find_kind(s, s->types.of[i]);
}

/* --- what no layer shows --------------------------------------------------------------------------------- */

static void find_unprofiled(study *s)
{
    const roof_reconciled *e = s->e;
    double host_s = isnan(e->total.host_s) ? 0 : e->total.host_s;
    double gap_s = e->total.bypass_s - e->total.best_s - host_s;
    if (e->per_layer || e->not_compared || !has_bound(e) || !(gap_s >= CAUSE_LEAST_SHARE * s->of_s))
        return;
    roof_cause cause = cost(s, ROOF_CAUSE_UNPROFILED, gap_s, ROOF_SURE_BOUND);
    cause.why = REMARK(CAUSE_UNPROFILED, AS_SECONDS(gap_s), AS_SECONDS(e->total.bypass_s));
    add_cause(s, cause);
}

/* --- limits of the model ------------------------------------------------------------------------------- */

/* The unit of each layer; ROOF_NONE: no row has it. */
static uint32_t *units_of_layers(study *s)
{
    const roof_reconciled *e = s->e;
    uint32_t *units = NEW_ARRAY(s->r->arena, uint32_t, e->prediction->n_layers);
    for (uint32_t i = 0; units && i < e->prediction->n_layers; i++)
        units[i] = ROOF_NONE;
    for (uint32_t i = e->n_units; units && i-- > 0;) /* backwards: the first of several rows has it */
        for (uint32_t k = 0; k < e->units[i].n_layers; k++)
            units[e->layer_order[e->units[i].layer + k]] = i;
    return units;
}

/* Each unit once, in the order of the layers. None, where one of them has no row of its own: a few would not say where. */
static void set_units_of_layers(study *s, roof_cause *cause, const uint32_t *unit_of)
{
    const roof_cause of = *cause;
    uint32_t *units = NEW_ARRAY(s->r->arena, uint32_t, of.n_units);
    bool *is_set = NEW_ARRAY(s->r->arena, bool, s->e->n_units);
    uint32_t n = 0;
    bool has_all = units && is_set;
    for (uint32_t i = 0; has_all && i < of.n_units; i++) {
        uint32_t unit = unit_of[of.units[i]];
        has_all = unit != ROOF_NONE && !s->e->units[unit].is_unlisted;
        if (!has_all || is_set[unit])
            continue;
        is_set[unit] = true;
        units[n++] = unit;
    }
    cause->units = units;
    cause->n_units = has_all ? n : 0;
}

/* What a prediction says of the model holds for its profile as well. A gain that is more than the measured time is none of it. */
static void find_limits(study *s)
{
    const roof_prediction *p = s->e->prediction;
    const uint32_t *unit_of = s->e->not_compared ? NULL : units_of_layers(s);
    for (uint32_t i = 0; unit_of && i < p->n_causes; i++) {
        roof_cause cause = p->causes[i];
        cause.share_ratio = cause.gain_s / s->of_s;
        if (!cause_is_limit(&cause) || !(cause.share_ratio >= CAUSE_LEAST_SHARE && cause.share_ratio <= 1))
            continue;
        set_units_of_layers(s, &cause, unit_of);
        add_cause(s, cause);
    }
}

/* --- all of them --------------------------------------------------------------------------------------- */

/* A time that is shorter than its bound, or than the whole's estimate, puts all gains in doubt that are counted from there. */
static bool bound_holds(const roof_reconciled *e)
{
    return !impossible_units(e) && !total_is_impossible(e) && !(e->total.efficiency_ratio > 1);
}

static void find_all(study *s)
{
    find_doubts(s);
    if (s->e->other_hardware)
        return;
    find_throttling(s);
    find_host(s);
    find_profiler(s);
    find_fallback(s);
    find_standout(s);
    find_fusion(s);
    if (s->e->prediction && s->n)
        find_clock(s);
    if (s->e->prediction && s->n && bound_holds(s->e)) {
        find_bandwidths(s);
        find_layers(s);
    }
    if (s->e->prediction && bound_holds(s->e)) {
        find_empty_lanes(s);
        find_unprofiled(s);
        find_limits(s);
    }
}

void find_causes(reconciler *r, uint32_t i)
{
    roof_reconciled *e = &r->out->experiments[i];
    double layered_s = roof_layered_seconds(e);
    study s = {.r = r, .e = e, .of_s = e->total.bypass_s > 0 ? e->total.bypass_s : layered_s};
    s.points = NEW_ARRAY(r->arena, point, e->n_units);
    s.room = NEW_ARRAY(r->arena, double, e->n_units);
    s.spreads = NEW_ARRAY(r->arena, double, e->n_units);
    if (!s.points || !s.room || !s.spreads)
        return; /* the arena remembers */
    if (e->prediction)
        find_points(&s);
    find_all(&s);
    find_profile_causes(r, i, s.of_s);
    causes_rank((roof_cause *)(uintptr_t)e->causes, e->n_causes);
}
