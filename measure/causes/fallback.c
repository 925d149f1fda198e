/* ## Costs around the layers
 * ### fallback
 * Condition in a profile: layers that run on the CPU take at least 5 % of the time, and the accelerator runs
 *   others. Where the model was compiled for other hardware, its plan does not count. Gain: their time. It is
 *   an upper limit, since the accelerator needs time for them as well. Sure: measured. */
#include "measure/causes/cause_rule.h"

static void find(cause_search *in)
{
    double sum_s = 0;
    bool has_accelerated = in->n;
    roof_cause cause = cause_of(in, ROOF_CAUSE_FALLBACK, 0, ROOF_SURE_MEASURED);
    uint32_t *units = NEW_ARRAY(in->r->arena, uint32_t, in->e->n_matches);
    for (uint32_t i = 0; units && i < in->e->n_matches; i++) {
        const roof_match *u = &in->e->matches[i];
        bool is_hosts = cause_match_is_on_host(in->e, u);
        has_accelerated = has_accelerated || (!is_hosts && u->measured_s > 0);
        if (!is_hosts || !(u->measured_s > 0) || roof_match_is_repeated(u))
            continue;
        units[cause.n_units++] = i;
        sum_s += u->measured_s;
    }
    if (!units || !has_accelerated || !(sum_s >= CAUSE_LEAST_SHARE * in->of_s))
        return;
    cause_sort_units(in, units, cause.n_units);
    cause.units = units;
    cause.gain_s = sum_s;
    cause.share_ratio = sum_s / in->of_s;
    cause_add(in, cause,
              REMARK(CAUSE_FALLBACK, AS_COUNT(cause.n_units), AS_SECONDS(sum_s), AS_SECONDS(in->of_s)));
}

const cause_rule cause_fallback = {0, find};
