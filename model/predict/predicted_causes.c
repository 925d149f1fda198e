/* What costs time in a prediction, ranked. A pure function of what the prediction says, so that a saved one has the same causes. The
 * rules, one function each, stand in docs/causes.md with their conditions. */
#include "model/predict/predicted_causes.h"
#include "core/arena.h"
#include "core/error.h"
#include "core/quantity.h"
#include "core/say.h"
#include "model/predict/calibrated.h"
#include "model/predict/cause_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- engines ------------------------------------------------------------------------------------------- */

static int largest_share_first(const void *a, const void *b)
{
    const bound_share *x = a, *y = b;
    return x->ratio != y->ratio ? (x->ratio < y->ratio ? 1 : -1)
                                : (x->engine > y->engine) - (x->engine < y->engine);
}

uint32_t bound_shares(const roof_prediction *p, bound_share shares[])
{
    const uint64_t whole = p->total.deployed.ideal_cycles;
    bound_share of[ROOF_MAX_ENGINES] = {0};
    uint32_t n = 0;
    if (!whole || whole == ROOF_UNKNOWN)
        return 0;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *l = &p->layers[i];
        if (l->deployed.bound >= p->n_engines)
            continue; /* ROOF_NONE: no engine binds it */
        of[l->deployed.bound].ratio += roof_layer_ideal_cycles(l) / (double)whole;
        of[l->deployed.bound].layers +=
            !l->is_remainder; /* instructions that no layer owns take time as well */
    }
    for (uint32_t e = 0; e < p->n_engines; e++) {
        of[e].engine = e;
        if (of[e].ratio > 0)
            shares[n++] = of[e];
    }
    qsort(shares, n, sizeof *shares, largest_share_first);
    return n;
}

/* --- causes -------------------------------------------------------------------------------------------- */

/* Gains that are no part of the time worth a word are left out. of_s: that time. */
static roof_status add_cause(roof_prediction *p, roof_cause cause, double of_s, roof_error *err)
{
    cause.gain_ci95_s[0] = cause.gain_ci95_s[1] = NAN;
    cause.share_ratio = cause.gain_s / of_s;
    if (!isnan(cause.gain_s) && !(cause.share_ratio >= CAUSE_LEAST_SHARE && cause.share_ratio <= 1))
        return ROOF_OK;
    roof_cause *all = arena_grow(p->arena, p->causes, p->n_causes, sizeof *all);
    if (!all)
        return error_memory(err);
    all[p->n_causes++] = cause;
    p->causes = all;
    return ROOF_OK;
}

static int longest_first(const void *a, const void *b, void *of)
{
    const roof_prediction *p = of;
    const roof_layer_prediction *x = &p->layers[*(const uint32_t *)a], *y = &p->layers[*(const uint32_t *)b];
    double s = roof_layer_share_ratio(p, x), t = roof_layer_share_ratio(p, y);
    return s != t && !isnan(s) && !isnan(t) ? (s < t ? 1 : -1) : (x > y) - (x < y);
}

/* Which layers a cause is of: as `is_of` says. */
static roof_status set_layers(roof_prediction *p, roof_cause *cause,
                              bool (*is_of)(const roof_layer_prediction *layer, uint32_t engine),
                              uint32_t engine, roof_error *err)
{
    uint32_t *layers;
    TRY(ARENA_GET(p->arena, layers, p->n_layers, err));
    for (uint32_t i = 0; i < p->n_layers; i++)
        if (!p->layers[i].is_remainder && is_of(&p->layers[i], engine))
            layers[cause->n_units++] = i;
    cause->units = layers;
    if (cause->n_units)
        qsort_r(layers, cause->n_units, sizeof *layers, longest_first, p);
    return ROOF_OK;
}

static bool is_bound_by(const roof_layer_prediction *layer, uint32_t engine)
{
    return layer->deployed.bound == engine;
}

/* --- an engine at twice its speed ------------------------------------------------------------------------ */

/* Of the layers that an engine binds: what it takes, what they would take at twice its speed, and what the engine next to it takes. */
typedef struct binding {
    double cycles, halved_cycles, next_cycles;
    double expected_gain_s; /* of what is expected of the layers, if each shrinks as its ideal does */
    uint32_t next;          /* ROOF_NONE: nothing else takes time in them */
} binding;

static binding binding_of(const roof_prediction *p, uint32_t engine)
{
    binding b = {.next = ROOF_NONE};
    double others[ROOF_MAX_ENGINES] = {0};
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *l = &p->layers[i];
        double own = roof_layer_ideal_cycles(l), most = 0;
        if (l->deployed.bound != engine || isnan(own))
            continue;
        for (uint32_t e = 0; e < p->n_engines; e++) {
            uint64_t cycles = l->deployed.cycles ? l->deployed.cycles[e] : ROOF_UNKNOWN;
            if (e == engine || cycles == ROOF_UNKNOWN)
                continue;
            double all = (double)cycles * l->repeat;
            others[e] += all;
            most = fmax(most, all);
        }
        b.cycles += own;
        double halved = fmin(own, fmax(most, own / 2));
        b.halved_cycles += halved;
        if (own > 0 && l->predicted_s > 0)
            b.expected_gain_s += l->repeat * l->predicted_s * (1 - halved / own);
        b.next_cycles += fmin(own, most);
    }
    double most = 0;
    for (uint32_t e = 0; e < p->n_engines; e++)
        if (others[e] > most) {
            most = others[e];
            b.next = e;
        }
    return b;
}

/* What a replay of the code says of twice a speed, with the digits that documents have, and of which time it is a part: of the
 * expected one where that comes of a replay, else of the scheduled one. NaN: there is none. */
static double replayed_gain_s(const roof_prediction *p, const char *engine, double *of_s)
{
    size_t length = strlen(engine);
    for (uint32_t i = 0; i < p->schedule.n_what_ifs; i++) {
        const roof_what_if *w = &p->schedule.what_ifs[i];
        if (strncmp(w->label, engine, length) != 0 || strcmp(w->label + length, " x2") != 0)
            continue;
        bool is_expected = !isnan(w->expected_s);
        *of_s = is_expected ? number_as_derived(p->total.predicted_s) : roof_best_s(p);
        return *of_s - number_as_derived(is_expected ? w->expected_s : w->best_s);
    }
    return NAN;
}

static roof_status find_engine(roof_prediction *p, const bound_share *share, roof_error *err)
{
    const char *name = p->engines[share->engine];
    const binding b = binding_of(p, share->engine);
    double of_s = p->total.deployed.ideal_s, gain_s = replayed_gain_s(p, name, &of_s);
    bool is_memory = engine_moves_data(name);
    roof_cause cause = {.kind = is_memory ? ROOF_CAUSE_MEMORY : ROOF_CAUSE_COMPUTE,
                        .subject = name,
                        .sure = ROOF_SURE_REPLAY};
    if (isnan(gain_s) && roof_is_expected(p)) {
        gain_s = b.expected_gain_s;
        of_s = number_as_derived(p->total.predicted_s);
        cause.sure = ROOF_SURE_GUESS;
    } else if (isnan(gain_s)) {
        gain_s = (b.cycles - b.halved_cycles) * of_s / (double)p->total.deployed.ideal_cycles;
        cause.sure = ROOF_SURE_BOUND;
    }
    cause.gain_s = gain_s;
    if (b.next != ROOF_NONE && b.next_cycles > 0)
        cause.why =
            REMARK(CAUSE_BINDS, AS_COUNT(share->layers), AS_COUNT(p->total.layers), AS_RATIO(share->ratio),
                   AS("", b.cycles / b.next_cycles), AS_TEXT(p->engines[b.next]));
    else
        cause.why = REMARK(CAUSE_BINDS_ALONE, AS_COUNT(share->layers), AS_COUNT(p->total.layers),
                           AS_RATIO(share->ratio));
    TRY(set_layers(p, &cause, is_bound_by, share->engine, err));
    return add_cause(p, cause, of_s, err);
}

/* A front end that waits for instructions costs time only as expected: at best it takes none. */
static roof_status find_instructions(roof_prediction *p, roof_error *err)
{
    double of_s = NAN, gain_s = replayed_gain_s(p, "fetch", &of_s);
    uint64_t bytes = p->total.deployed.traffic.instruction_bytes;
    roof_cause cause = {.kind = ROOF_CAUSE_INSTRUCTIONS, .gain_s = gain_s, .sure = ROOF_SURE_REPLAY};
    cause.why = bytes == ROOF_UNKNOWN ? REMARK(CAUSE_INSTRUCTIONS_ANY)
                                      : REMARK(CAUSE_INSTRUCTIONS, AS("B", (double)bytes));
    return isnan(gain_s) ? ROOF_OK : add_cause(p, cause, of_s, err);
}

/* --- around the layers ------------------------------------------------------------------------------------ */

/* Whose multiplications the accelerator could do. */
static bool is_left_to_host(const roof_layer_prediction *layer, uint32_t engine)
{
    (void)engine;
    return layer->executor == ROOF_BY_HOST && layer->macs != ROOF_UNKNOWN && layer->macs > 0;
}

/* What the host takes is not known: it comes first, where it has a part of the work. */
static roof_status find_fallback(roof_prediction *p, roof_error *err)
{
    double macs = 0, all = 0;
    roof_cause cause = {.kind = ROOF_CAUSE_FALLBACK, .gain_s = NAN, .sure = ROOF_SURE_GUESS};
    TRY(set_layers(p, &cause, is_left_to_host, ROOF_NONE, err));
    for (uint32_t i = 0; i < p->n_layers; i++)
        all += p->layers[i].macs == ROOF_UNKNOWN ? 0 : (double)p->layers[i].macs * p->layers[i].repeat;
    for (uint32_t i = 0; i < cause.n_units; i++)
        macs += (double)p->layers[cause.units[i]].macs * p->layers[cause.units[i]].repeat;
    cause.why = REMARK(CAUSE_LEFT_TO_HOST, AS_COUNT(cause.n_units), AS_RATIO(macs / all));
    return macs >= CAUSE_LEAST_SHARE * all && cause.n_units ? add_cause(p, cause, NAN, err) : ROOF_OK;
}

static roof_status find_empty_lanes(roof_prediction *p, roof_error *err)
{
    uint32_t lanes = p->hardware.batch_lanes, images = p->options.batch;
    double of_s = !isnan(p->total.predicted_s)  ? number_as_derived(p->total.predicted_s)
                  : p->schedule.scheduled_s > 0 ? p->schedule.scheduled_s
                                                : p->total.deployed.ideal_s;
    roof_cause cause = {
        .kind = ROOF_CAUSE_LANES, .gain_s = empty_lanes_ratio(images, lanes) * of_s, .sure = ROOF_SURE_BOUND};
    cause.why = REMARK(CAUSE_LANES, AS_COUNT(images), AS_COUNT(lanes));
    return cause.gain_s > 0 ? add_cause(p, cause, of_s, err) : ROOF_OK;
}

roof_status predict_causes(roof_prediction *p, roof_error *err)
{
    bound_share shares[ROOF_MAX_ENGINES];
    uint32_t n = bound_shares(p, shares);
    p->causes = NULL;
    p->n_causes = 0;
    for (uint32_t i = 0; i < n && i < CAUSE_ENGINES; i++)
        TRY(find_engine(p, &shares[i], err));
    TRY(find_instructions(p, err));
    TRY(find_empty_lanes(p, err));
    TRY(find_fallback(p, err));
    causes_rank((roof_cause *)(uintptr_t)p->causes, p->n_causes);
    return ROOF_OK;
}

const char *layer_full_name(const void *prediction, uint32_t layer)
{
    return ((const roof_prediction *)prediction)->layers[layer].name;
}
