/* ## Costs of the whole device
 * ### throttling
 * Condition: the samples of a run become slower, as a trend or as a step ([what samples
 *   say](formats.md#what-samples-say)), and the mean is at least 5 % above the first level.
 * Gain: the mean minus the first level. Sure: measured.
 * What to do: watch clock and temperature. Cool the device, or measure what it sustains. */
#include "measure/causes/cause_rule.h"
#include "roofline/statistics.h"

static void find(cause_search *in)
{
    const roof_run *bypass = in->e->bypass,
                   *run = bypass && bypass->total.samples_s ? bypass : in->e->per_layer;
    roof_series series;
    if (!run || !run->total.samples_s)
        return;
    roof_status status = roof_series_of(run->total.samples_s, run->total.count, &series, in->r->err);
    in->r->lacks_memory |= status == ROOF_E_NO_MEMORY;
    if (status != ROOF_OK || !series.order_is_known || !(series.second > series.first) ||
        (series.kind != ROOF_SERIES_TREND && series.kind != ROOF_SERIES_STEP))
        return;
    roof_cause cause =
        cause_of(in, ROOF_CAUSE_THROTTLING, run->total.mean_s - series.first, ROOF_SURE_MEASURED);
    cause.share_ratio = cause.gain_s / run->total.mean_s;
    if (cause.gain_s >= CAUSE_LEAST_SHARE * run->total.mean_s)
        cause_add(in, cause, REMARK(CAUSE_THROTTLING, AS_SECONDS(series.first), AS_SECONDS(series.second)));
}

const cause_rule cause_throttling = {0, find};
