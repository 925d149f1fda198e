/* ## Limits of the model
 *
 * These causes are of the model and the hardware. A reconciliation takes them from its prediction, with the
 * gain as a share of the measured time. The gain is that of twice the speed: by replaying the code where that
 * is possible (**sure:** replay), else by the expected times of the layers, each shortened as its ideal is
 * (**sure:** guess), else by their ideal times (**sure:** bound), also where the compiler cuts layers in
 * other ways than the prediction. A gain that is more than the measured time is left out.
 *
 * ### compute
 * Condition: an engine that computes is the bound of layers, and twice its speed gains 5 % or more.
 * Advice: reduce its work: fewer operations of its kind, shapes that fill it, or a configuration with
 *   more of it.
 *
 * ### memory
 * Condition: a memory or a port is the bound of layers, and twice its speed gains 5 % or more.
 * Advice: move fewer bytes: fused layers, smaller types, tensors that stay on the chip. Or use a faster
 *   memory. */
#include "model/predict/causes/predicted_cause.h"
#include "model/predict/calibrated.h"

static bool is_bound_by(const roof_layer_prediction *layer, uint32_t engine)
{
    return layer->deployed.bound == engine;
}

/* Layers whose bottleneck is an engine: its cycles, theirs at twice its speed, and those of the engine next
 * to it. */
typedef struct binding {
    double cycles, halved_cycles, next_cycles;
    double expected_gain_s; /* of what is expected of the layers, if each shrinks as its ideal does */
    uint32_t next;          /* ROOF_NONE: nothing else takes time in them */
} binding;

static binding binding_of(const roof_prediction *p, uint32_t engine)
{
    binding b = {.next = ROOF_NONE};
    double others[ROOF_MAX_ENGINES] = {0}, longest = 0;
    FOR_EACH(const roof_layer_prediction, l, p->layers, p->n_layers) {
        double own = roof_layer_ideal_cycles(l), most = 0;
        if (!is_bound_by(l, engine) || isnan(own))
            continue;
        for (uint32_t e = 0; e < p->n_engines; e++) {
            uint64_t cycles = l->deployed.cycles ? l->deployed.cycles[e] : ROOF_UNKNOWN;
            if (e == engine || cycles == ROOF_UNKNOWN)
                continue;
            double all = (double)cycles * l->repeat;
            others[e] += all;
            most = fmax(most, all);
        }
        double halved = fmin(own, fmax(most, own / 2));
        b.cycles += own;
        b.halved_cycles += halved;
        b.next_cycles += fmin(own, most);
        if (own > 0 && l->predicted_s > 0)
            b.expected_gain_s += l->repeat * l->predicted_s * (1 - halved / own);
    }
    for (uint32_t e = 0; e < p->n_engines; e++)
        if (others[e] > longest) {
            longest = others[e];
            b.next = e;
        }
    return b;
}

static roof_status find(roof_prediction *p, roof_error *err)
{
    bound_share shares[ROOF_MAX_ENGINES];
    /* where no rate of what computes is known, what it takes of the expected time is unknown, too */
    const bool is_known = isfinite(p->hardware.peak_ops_per_s) || isnan(p->total.predicted_s);
    uint32_t n = is_known ? cause_bound_shares(p, shares) : 0;
    /* where the compiler cuts rows otherwise, engines at peak do not make up what is expected of them */
    const bool is_bound = roof_answer_is_bound(roof_rows_kind(p));
    bool is_guess = !is_bound;
    FOR_EACH(const roof_finding, found, p->findings, p->n_findings)
        is_guess = is_guess && found->remark.form != ROOF_FORM_LOWERED_APPROXIMATELY;
    for (uint32_t i = 0; i < n && i < CAUSE_ENGINES; i++) {
        const bound_share *share = &shares[i];
        const char *name = p->engines[share->engine];
        const binding b = binding_of(p, share->engine);
        double of_s = p->total.deployed.ideal_s;
        roof_cause cause = {.kind = engine_moves_data(name) ? ROOF_CAUSE_MEMORY : ROOF_CAUSE_COMPUTE,
                            .subject = name,
                            .gain_s = cause_replayed_s(p, name, &of_s),
                            .sure = ROOF_SURE_REPLAY};
        if (isnan(cause.gain_s)) {
            cause.gain_s = is_guess
                               ? b.expected_gain_s
                               : (b.cycles - b.halved_cycles) * of_s / (double)p->total.deployed.ideal_cycles;
            cause.sure = is_guess ? ROOF_SURE_GUESS : ROOF_SURE_BOUND;
            if (!is_bound)
                of_s = number_as_derived(p->total.predicted_s);
        }
        cause.why = REMARK(CAUSE_BINDS_ALONE, AS_COUNT(share->layers), AS_COUNT(p->total.layers),
                           AS_RATIO(share->ratio));
        if (b.next != ROOF_NONE && b.next_cycles > 0)
            cause.why =
                REMARK(CAUSE_BINDS, AS_COUNT(share->layers), AS_COUNT(p->total.layers),
                       AS_RATIO(share->ratio), AS("", b.cycles / b.next_cycles), AS_TEXT(p->engines[b.next]));
        TRY(cause_set_layers(p, &cause, is_bound_by, share->engine, err));
        TRY(cause_add_predicted(p, cause, of_s, err));
    }
    return ROOF_OK;
}

const predicted_cause cause_engines = {find};
