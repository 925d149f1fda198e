/* ## Costs around the layers
 * ### idle
 * Condition: there is no model, the profile says when its rows ran (`span_s` and `busy_s`), and for at least
 *   10 % of the time from the first to the last execution none of them did.
 * Gain: that time, of the whole recording; its share is of the same. Sure: bound, since what the host does
 *   meanwhile may be work that the model needs, which a profile of the device does not say.
 * Advice: launch more at once: larger batches, recorded graphs of kernels, fewer synchronisations and
 *   copies between them. */
#include "measure/causes/cause_rule.h"
#include "measure/profile/phases.h"

void cause_idle(cause_search *in)
{
    const roof_run *run = in->e->layer_run;
    if (!run || in->e->prediction || in->e->has_doubtful_times)
        return;
    double idle_s = run->span_s - run->busy_s;
    if (!(idle_s >= 0.1 * run->span_s) || !(run->busy_s > 0))
        return;
    if (run->n_phases && phases_sum(run).of_s[ROOF_PHASE_HOST] > 0)
        return; /* the same time, of which the phases say what is the CPU's and what are copies */
    roof_cause cause = cause_of(in, ROOF_CAUSE_IDLE, idle_s, ROOF_SURE_BOUND);
    cause.share_ratio = idle_s / run->span_s;
    cause_add(
        in, cause,
        REMARK(CAUSE_IDLE, AS_SECONDS(run->busy_s), AS_SECONDS(run->span_s), AS_RATIO(cause.share_ratio)));
}
