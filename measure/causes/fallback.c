/* ## Costs around the layers
 * ### fallback
 * Condition in a profile: layers that run on the CPU take at least 5 % of the time, and the accelerator runs
 *   others. Where the model was compiled for other hardware, its plan does not count. Gain: their time. It is
 *   an upper limit, since the accelerator needs time for them as well. Sure: measured. */
#include "measure/causes/cause_rule.h"

void cause_fallback(cause_search *in)
{
    bool has_accelerated = in->n;
    FOR_EACH(const roof_match, u, in->e->matches, in->e->n_matches)
        has_accelerated = has_accelerated || (u->measured_s > 0 && !cause_match_is_on_host(in, u));
    roof_cause cause = cause_of_matches(in, ROOF_CAUSE_FALLBACK, ROOF_SURE_MEASURED, cause_match_is_on_host);
    if (!has_accelerated || !(cause.gain_s >= CAUSE_LEAST_SHARE * in->of_s))
        return;
    cause_sort_units(in, &cause);
    cause_add(
        in, cause,
        REMARK(CAUSE_FALLBACK, AS_COUNT(cause.n_units), AS_SECONDS(cause.gain_s), AS_SECONDS(in->of_s)));
}
