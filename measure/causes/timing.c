/* ## Doubts
 * ### timing
 * Condition: a per-layer run alone, and nothing says what timing a boundary costs: no run of the whole
 *   network, calibration, document, entry or option. At each boundary it is at most the least margin that a
 *   row leaves above its ideal; together that is a tenth of the run or more, and
 *   a quarter or more of the gaps of all layers: less of them leaves other causes as they are.
 * Gain: that most. It comes before all else, since it may be what the layers lose.
 * Advice: measure the whole network too, or give the profiling overhead of a boundary by
 * `--boundary-cost`. */
#include "measure/causes/cause_rule.h"

void cause_timing(cause_search *in)
{
    static const double least_of_gaps = 0.25;
    const double most_s = experiment_timing_most_s(in->e);
    if (most_s >= least_of_gaps * in->gap_s)
        cause_add(in, cause_of(in, ROOF_CAUSE_TIMING, most_s, ROOF_SURE_BOUND),
                  REMARK(CAUSE_TIMING, AS_SECONDS(most_s / in->e->boundaries), AS_COUNT(in->e->boundaries),
                         AS_SECONDS(most_s), AS_SECONDS(roof_layered_seconds(in->e))));
}
