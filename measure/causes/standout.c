/* ## Costs of single layers
 * ### slow_layer
 *
 * Where a tool times many equal parts beside its rows, such as the layers of a language model, the one that
 * takes a tenth more than the median of the others is told as well, whatever its share. Gain: what it takes
 * more. Sure: peers. */
#include "measure/causes/cause_rule.h"

void cause_standout(cause_search *in)
{
    const roof_run *run = in->e->per_layer ? in->e->per_layer : in->e->bypass;
    const roof_standout *one = run ? &run->stands_out : NULL;
    if (!one || !one->name || !(one->time_s > one->others_s))
        return;
    roof_cause cause = cause_of(in, ROOF_CAUSE_SLOW_LAYER, one->time_s - one->others_s, ROOF_SURE_PEERS);
    cause.subject = one->name;
    cause_add(in, cause,
              REMARK(CAUSE_STANDOUT, AS_TEXT(one->name), AS_SECONDS(one->time_s), AS_COUNT(one->others),
                     AS_SECONDS(one->others_s)));
}
