/* ## Limits of the model
 * ### instructions
 * Condition: fetching instructions twice as fast gains 5 % or more of the expected time. Only for code that
 *   can be replayed.
 * Advice: compile for fewer and larger instructions: larger tiles, fused layers, channel counts that are
 *   multiples of the array's. */
#include "model/predict/causes/predicted_cause.h"

/* A front end that waits for instructions costs time only as expected: in the bound it takes none. */
static roof_status find(roof_prediction *p, roof_error *err)
{
    double of_s = NAN, gain_s = cause_replayed_s(p, "fetch", &of_s);
    uint64_t bytes = p->total.deployed.traffic.instruction_bytes;
    roof_cause cause = {.kind = ROOF_CAUSE_INSTRUCTIONS, .gain_s = gain_s, .sure = ROOF_SURE_REPLAY};
    cause.why = bytes == ROOF_UNKNOWN ? REMARK(CAUSE_INSTRUCTIONS_ANY)
                                      : REMARK(CAUSE_INSTRUCTIONS, AS("B", (double)bytes));
    return isnan(gain_s) ? ROOF_OK : cause_add_predicted(p, cause, of_s, err);
}

const predicted_cause cause_instructions = {find};
