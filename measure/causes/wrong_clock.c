/* ## Costs of the whole device
 * ### wrong_clock
 * Condition 1: the profile states a clock of the accelerator that is more than 2 % below that of the device
 *   description. Gain: of layers that this clock drives, the time that it loses. Pools of a Neural-ART have
 * clocks of their own. Sure: measured. Condition 2: at least a quarter of the layers are faster than the
 *   bound, 3 of them bound by an engine that computes. Gain: unknown, since the bound is that of another
 * clock. Sure: guess. Condition 3: no clock is stated, the bound is no estimate, and all layers meet one
 *   wall: the lowest tenth of the ratios is 1.6 or more, and two fifths of them are within 1.15 of that. At
 *   least 5 layers, 3 of them bound by an engine that computes. Gain: the time that is lost if the best tenth
 *   comes to 1.03 times the bound otherwise. Sure: guess. Not of a per-layer run whose profiling overhead is
 *   unknown, which may be the same wall.
 * - The ratio of conditions 1 and 3 is subtracted from the layers before single ones are judged.
 * Advice: read the clock on the board. Give it with `--hw ID,clock=...` if it is meant to be that. */
#include "measure/causes/layer_groups.h"
#include "measure/profile/profile.h"

static const layer_group clocked = {.clocked_only = true};

static void add_slow_clock(cause_search *in, double sum_s, double factor, roof_certainty sure,
                           roof_remark why)
{
    const roof_cause cause = cause_of(in, ROOF_CAUSE_WRONG_CLOCK, sum_s * (1 - 1 / factor), sure);
    cause_group_explain(in, factor, &clocked);
    if (cause.share_ratio >= CAUSE_LEAST_SHARE)
        cause_add_group(in, cause, &clocked, why);
}

static void add_fast_clock(cause_search *in)
{
    double fastest = 1;
    uint32_t below = 0, computing = 0;
    for (uint32_t i = 0; i < in->n; i++) {
        const roof_match *u = in->layers[i].match;
        double times = match_bound_s(u) / u->measured_s;
        if (u->verdict != ROOF_VERDICT_IMPOSSIBLE || !isfinite(times))
            continue;
        fastest = fmax(fastest, times);
        below++;
        computing += !in->layers[i].memory;
    }
    if (computing >= LEAST_PEERS && below >= in->n / 4)
        cause_add_group(in, cause_of(in, ROOF_CAUSE_WRONG_CLOCK, NAN, ROOF_SURE_GUESS),
                        &(layer_group){.type = NULL},
                        REMARK(CAUSE_TOO_FAST, AS_COUNT(below), AS_COUNT(in->n), AS("", fastest)));
}

void cause_wrong_clock(cause_search *in)
{
    /* Clocks are stated in whole MHz, and boards differ by some of them. */
    static const double other_clock = 0.02;
    /* The best layers usually come so near to their bound: the best tenth of examples/zcu104-resnet50 takes
     * 1.00 times its bound. */
    static const double usual_ratio = 1.03, one_factor = 1.15;
    const group_best all = cause_group_best(in, &clocked, false);
    const roof_run *run = in->e->per_layer ? in->e->per_layer : in->e->bypass;
    double bound_hz = in->e->prediction->hardware.clock_hz, stated_hz = run ? run_clock_hz(run, "npu") : NAN;
    double slower = bound_hz / stated_hz;
    uint32_t computing = 0;
    for (uint32_t i = 0; i < in->n; i++)
        computing += !in->layers[i].memory;
    add_fast_clock(in);
    if (slower > 1 + other_clock)
        add_slow_clock(in, all.sum_s, slower, ROOF_SURE_MEASURED,
                       REMARK(CAUSE_CLOCKS, AS("Hz", stated_hz), AS("Hz", bound_hz)));
    else if (isnan(slower) && isnan(experiment_timing_most_s(in->e)) && experiment_has_bound(in->e) &&
             computing >= LEAST_PEERS && cause_group_has_factor(&all, one_factor))
        add_slow_clock(in, all.sum_s, all.ratio / usual_ratio, ROOF_SURE_GUESS,
                       REMARK(CAUSE_ALL, AS_COUNT(all.n), AS("", all.ratio)));
}
