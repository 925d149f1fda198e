/* ## Doubts
 * ### wrong_unit
 * Condition: the measured time is within a tenth of 1,000 or 1,000,000 times the ideal; or at least 900 times
 *   and a second more, which no host, copy or call adds; or at most a twentieth of it. Or one mode takes 300
 *   times the other.
 * Gain: unknown. Sure: guess.
 * Advice: write times in seconds, or name the unit with `--map`, as in `time=Mean:ms`.
 * ### wrong_model
 * Condition: fewer than half of the rows of the profile fit a layer of the model, and they hold at most half
 *   of the time. Or a whole-network run of whole subgraphs states a workload that differs from the model's by
 *   a third or more (twice is taken for another way of counting where a name fits), or, without a workload,
 *   subgraphs of other names, or more of them.
 * Gain: unknown. Sure: guess.
 * Advice: name the model that was measured with `--model`, or match rows to layers with `--map FILE`.
 * ### wrong_hardware
 * Condition: the document names hardware of another family, board or array than that of the prediction, as
 *   with another `--hw`. The tables show the comparison that was requested; no other cause is listed.
 * Gain: unknown. Sure: measured.
 * Advice: leave `--hw` out, or describe what was measured by `roofline hw probe -o FILE` and give FILE
 *   with `--hw`. */
#include "measure/causes/cause_rule.h"

/* Why times are not compared was found before rows were matched: a wrong unit, else another model. */
void cause_doubts(cause_search *in)
{
    const roof_remark *why = in->e->not_compared;
    if (in->e->other_hardware)
        cause_add(in, cause_of(in, ROOF_CAUSE_WRONG_HARDWARE, NAN, ROOF_SURE_MEASURED),
                  *in->e->other_hardware);
    if (!why || in->e->has_doubtful_rows)
        return;
    const bool is_unit = why->form == ROOF_FORM_UNIT_OF_IDEAL || why->form == ROOF_FORM_UNIT_OF_PAIR;
    cause_add(in,
              cause_of(in, is_unit ? ROOF_CAUSE_WRONG_UNIT : ROOF_CAUSE_WRONG_MODEL, NAN, ROOF_SURE_GUESS),
              *why);
}
