/* ## Costs around the layers
 * ### transfers
 * Condition: phases of copies to and from the accelerator take at least 10 % of an inference.
 * Gain: that time. Sure: measured.
 * Advice: write constants such as weights once, and share buffers instead of copying. Send fewer bytes.
 *   Overlap copies with work. */
#include "measure/causes/cause_rule.h"
#include "measure/profile/phases.h"

static void find(cause_search *in)
{
    const roof_run *run = phased_run(in->e);
    if (!run)
        return;
    const phase_sums phases = phases_sum(run);
    if (!phases.exceed_total)
        cause_add_around(
            in, cause_of(in, ROOF_CAUSE_TRANSFERS, phases.of_s[ROOF_PHASE_TRANSFER], ROOF_SURE_MEASURED),
            phases_of_s(run), ROOF_FORM_CAUSE_HOST);
}

const cause_rule cause_transfers = {0, find};
