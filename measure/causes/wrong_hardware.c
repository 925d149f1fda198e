/* ## Doubts
 * ### wrong_hardware
 * Condition: the document names hardware of another family, board or array than that of the prediction, as
 *   with another `--hw`. The tables show the comparison that was requested; no other cause is listed.
 * Gain: unknown. Sure: measured.
 * Advice: leave `--hw` out, or describe what was measured by `roofline hw probe -o FILE` and give FILE
 *   with `--hw`. */
#include "measure/causes/cause_rule.h"

#include <math.h>

static void find(cause_search *in)
{
    if (in->e->other_hardware)
        cause_add(in, cause_of(in, ROOF_CAUSE_WRONG_HARDWARE, NAN, ROOF_SURE_MEASURED),
                  *in->e->other_hardware);
}

const cause_rule cause_wrong_hardware = {CAUSE_OF_ANY_HARDWARE, find};
