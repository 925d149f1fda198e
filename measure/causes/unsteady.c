/* ## Costs of the whole device
 * ### throttling
 * Condition: the samples of a run become slower, as a trend or as a step ([what samples
 *   say](formats/reconciliation.md#what-samples-say)), and the mean is at least 5 % above the first level.
 * Gain: the mean minus the first level. Sure: measured.
 * Advice: watch clock and temperature. Cool the device, or measure what it sustains.
 * ### two_speeds
 * Condition: the samples of a run are of two speeds, which take turns, and the mean is at least 5 % above the
 *   fast one.
 * Gain: the mean minus the median of the fast ones. Sure: measured.
 * Advice: look for two clocks, two kinds of cores, or a cache that only some inferences find full. Pin
 *   the process to one core and fix the clock.
 * ### pauses
 * Condition: three samples or more, at most a tenth, are slower by one amount, and all others are far below;
 *   they make the mean at least 5 % longer.
 * Gain: the mean minus that of the others. Sure: measured. Which of the two it is, pauses or a task at
 *   intervals, the order alone does not show.
 * Advice: keep the time of day of each inference. Behind pauses clocks have fallen: fix the clock, or
 *   keep the device busy. At equal distances look for a task that runs at intervals.
 * ### interruptions
 * Condition: as for pauses, but each of them is slower by another amount.
 * Gain: the mean minus that of the others. Sure: measured.
 * Advice: give the process a core of its own and a higher priority, and stop what else runs. Read the
 *   median where the worst case does not count. */
#include "measure/causes/cause_rule.h"
#include "roofline/statistics.h"

void cause_unsteady(cause_search *in)
{
    static const roof_cause_kind kinds[ROOF_SERIES_KINDS] = {[ROOF_SERIES_TREND] = ROOF_CAUSE_THROTTLING,
                                                             [ROOF_SERIES_STEP] = ROOF_CAUSE_THROTTLING,
                                                             [ROOF_SERIES_MODES] = ROOF_CAUSE_TWO_SPEEDS,
                                                             [ROOF_SERIES_PAUSES] = ROOF_CAUSE_PAUSES,
                                                             [ROOF_SERIES_INTERRUPTED] =
                                                                 ROOF_CAUSE_INTERRUPTIONS};
    const roof_run *bypass = in->e->bypass,
                   *run = bypass && bypass->total.samples_s ? bypass : in->e->per_layer;
    roof_series series;
    if (!run || !run->total.samples_s ||
        !reconciler_did(in->r,
                        roof_series_of(run->total.samples_s, (size_t)run->total.count, &series, in->r->err)))
        return;
    const bool is_change = series.kind == ROOF_SERIES_TREND || series.kind == ROOF_SERIES_STEP;
    if (series.kind == ROOF_SERIES_STEADY ||
        (is_change && (!series.order_is_known || !(series.second > series.first))))
        return;
    roof_cause cause = cause_of(in, kinds[series.kind], run->total.mean_s - series.first, ROOF_SURE_MEASURED);
    roof_remark why = REMARK(CAUSE_RARE, AS_COUNT(series.at), AS_COUNT(run->total.count),
                             AS_SECONDS(series.second), AS_SECONDS(series.first));
    if (is_change)
        why = REMARK(CAUSE_THROTTLING, AS_SECONDS(series.first), AS_SECONDS(series.second));
    cause.share_ratio = cause.gain_s / run->total.mean_s;
    if (cause.gain_s >= CAUSE_LEAST_SHARE * run->total.mean_s)
        cause_add(in, cause, why);
}
