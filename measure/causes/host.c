/* ## Costs around the layers
 * ### host
 * Condition: the CPU takes at least 10 % of an inference: by phases where the profile has them, copies
 *   apart; else the constant of the host fit, if its 95 % interval is above 0.
 * Gain: that time. Sure: measured; guess with an interval where it is of the fit.
 * Advice: overlap the host with the accelerator by threads. Quantise and copy inputs once. */
#include "measure/causes/cause_rule.h"
#include "measure/profile/phases.h"

#include <math.h>

static void find(cause_search *in)
{
    const roof_run *run = phased_run(in->e);
    const roof_fit *fit = &in->r->out->fits[ROOF_FIT_HOST].fit;
    const roof_estimate line = fit->lines[fit->chosen].intercept;
    if (run) {
        const phase_sums phases = phases_sum(run);
        if (!phases.exceed_total)
            cause_add_around(
                in, cause_of(in, ROOF_CAUSE_HOST, phases.of_s[ROOF_PHASE_HOST], ROOF_SURE_MEASURED),
                phases_of_s(run),
                phases.of_s[ROOF_PHASE_TRANSFER] > 0 ? ROOF_FORM_CAUSE_HOST_ALONE : ROOF_FORM_CAUSE_HOST);
    } else if (isnan(cause_around_s(in)) && line.ci95_low > 0) {
        roof_cause cause = cause_of(in, ROOF_CAUSE_HOST, in->e->total.host_s, ROOF_SURE_GUESS);
        cause.gain_ci95_s[0] = line.ci95_low;
        cause.gain_ci95_s[1] = line.ci95_high;
        cause_add_around(in, cause, in->e->total.bypass_s, ROOF_FORM_CAUSE_HOST);
    }
}

const cause_rule cause_host = {0, find};
