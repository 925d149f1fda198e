/* ## Doubts
 * ### wrong_unit
 * Condition: the measured time is within a tenth of 1,000 or 1,000,000 times the ideal; or at least 900 times
 *   and a second more, which no host, copy or call adds; or at most a twentieth of it. Or one mode takes 300
 *   times the other.
 * Gain: unknown. Sure: guess.
 * Advice: write times in seconds, or name the unit with `--map`, as in `time=Mean:ms`. */
#include "measure/causes/cause_rule.h"

#include <math.h>

static void find(cause_search *in)
{
    const roof_remark *why = in->e->not_compared;
    if (why && !in->e->has_doubtful_rows &&
        (why->form == ROOF_FORM_UNIT_OF_IDEAL || why->form == ROOF_FORM_UNIT_OF_PAIR))
        cause_add(in, cause_of(in, ROOF_CAUSE_WRONG_UNIT, NAN, ROOF_SURE_GUESS), *why);
}

const cause_rule cause_wrong_unit = {CAUSE_OF_ANY_HARDWARE, find};
