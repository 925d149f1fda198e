/* ## Costs around the layers
 * ### fallback
 * Condition in a prediction: layers on the CPU have at least 5 % of all MACs. Gain: unknown, since their
 *   time is unknown. Sure: guess.
 * Advice: see why the compiler left them to the host. Replace the operator by one that the accelerator
 *   has. */
#include "model/predict/causes/predicted_cause.h"

/* True if the accelerator could do its multiplications. */
static bool is_left_to_host(const roof_layer_prediction *layer, uint32_t engine)
{
    (void)engine;
    return layer->executor == ROOF_BY_HOST && layer->macs != ROOF_UNKNOWN && layer->macs > 0;
}

/* The time of the host is unknown: it comes first, where it has a part of the work. */
static roof_status find(roof_prediction *p, roof_error *err)
{
    double macs = 0, all = 0;
    roof_cause cause = {.kind = ROOF_CAUSE_FALLBACK, .gain_s = NAN, .sure = ROOF_SURE_GUESS};
    TRY(cause_set_layers(p, &cause, is_left_to_host, ROOF_NONE, err));
    FOR_EACH(const roof_layer_prediction, l, p->layers, p->n_layers)
        all += l->macs == ROOF_UNKNOWN ? 0 : (double)l->macs * l->repeat;
    for (uint32_t i = 0; i < cause.n_units; i++)
        macs += (double)p->layers[cause.units[i]].macs * p->layers[cause.units[i]].repeat;
    cause.why = REMARK(CAUSE_LEFT_TO_HOST, AS_COUNT(cause.n_units), AS_RATIO(macs / all));
    return macs >= CAUSE_LEAST_SHARE * all && cause.n_units ? cause_add_predicted(p, cause, NAN, err)
                                                            : ROOF_OK;
}

const predicted_cause cause_left_to_host = {find};
