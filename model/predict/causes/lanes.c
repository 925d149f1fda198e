/* ## Costs around the layers
 * ### lanes
 * Condition: the core works on several images at once, and at least 5 % of its lanes are empty at this batch
 *   size.
 * Gain: the share of empty lanes, times the time. Sure: bound.
 * Advice: run as many images at once as the core has lanes. */
#include "model/predict/causes/predicted_cause.h"

static roof_status find(roof_prediction *p, roof_error *err)
{
    uint32_t lanes = p->hardware.batch_lanes, images = p->options.batch;
    double of_s = !isnan(p->total.predicted_s)  ? number_as_derived(p->total.predicted_s)
                  : p->schedule.scheduled_s > 0 ? p->schedule.scheduled_s
                                                : p->total.deployed.ideal_s;
    roof_cause cause = {.kind = ROOF_CAUSE_LANES,
                        .gain_s = cause_empty_lanes_ratio(images, lanes) * of_s,
                        .sure = ROOF_SURE_BOUND};
    cause.why = REMARK(CAUSE_LANES, AS_COUNT(images), AS_COUNT(lanes));
    return cause.gain_s > 0 ? cause_add_predicted(p, cause, of_s, err) : ROOF_OK;
}

const predicted_cause cause_lanes = {find};
