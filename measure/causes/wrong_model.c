/* ## Doubts
 * ### wrong_model
 * Condition: fewer than half of the rows of the profile fit a layer of the model, and they hold at most half
 *   of the time. Or a whole-network run of whole subgraphs states a workload that differs from the model's by
 *   a third or more (twice is taken for another way of counting where a name fits), or, without a workload,
 *   subgraphs of other names, or more of them.
 * Gain: unknown. Sure: guess.
 * Advice: name the model that was measured with `--model`, or match rows to layers with `--map FILE`. */
#include "measure/causes/cause_rule.h"

#include <math.h>

/* Why times are not compared was found before rows were matched: a wrong unit, else another model. */
static void find(cause_search *in)
{
    const roof_remark *why = in->e->not_compared;
    if (why && !in->e->has_doubtful_rows && why->form != ROOF_FORM_UNIT_OF_IDEAL &&
        why->form != ROOF_FORM_UNIT_OF_PAIR)
        cause_add(in, cause_of(in, ROOF_CAUSE_WRONG_MODEL, NAN, ROOF_SURE_GUESS), *why);
}

const cause_rule cause_wrong_model = {CAUSE_OF_ANY_HARDWARE, find};
