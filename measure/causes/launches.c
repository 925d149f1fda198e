/* ## Costs around the layers
 * ### launches
 * Condition: for profiles with phases of each layer (Neural-ART): what is before and after the accelerator's
 *   work takes at least 10 % of an inference.
 * Gain: that time. It is an upper limit, since a start that remains takes some of it. Sure: measured.
 * Advice: start the accelerator less often: fuse layers, let the compiler run several in one start (for a
 *   Neural-ART `--enable-epoch-controller`), keep in hardware what runs in software. Threads do not help:
 *   such a device has none, and the time is before and after each start. */
#include "measure/causes/cause_rule.h"
#include "measure/profile/phases.h"

static void find(cause_search *in)
{
    if (!phased_run(in->e))
        cause_add_around(in, cause_of(in, ROOF_CAUSE_LAUNCHES, cause_around_s(in), ROOF_SURE_MEASURED),
                         in->of_s, ROOF_FORM_CAUSE_HOST);
}

const cause_rule cause_launches = {0, find};
