/* `lanes` with the images of the run: model/predict/causes/lanes.c has the condition. */
#include "measure/causes/cause_rule.h"

void cause_empty_lanes(cause_search *in)
{
    const roof_prediction *p = in->e->prediction;
    const roof_run *run = in->e->bypass ? in->e->bypass : in->e->per_layer;
    uint32_t lanes = p->hardware.batch_lanes;
    uint32_t images = run && run->batch != ROOF_NONE ? run->batch : p->options.batch;
    double empty = cause_empty_lanes_ratio(images, lanes);
    if (empty >= CAUSE_LEAST_SHARE && in->of_s > 0)
        cause_add(in, cause_of(in, ROOF_CAUSE_LANES, empty * in->of_s, ROOF_SURE_BOUND),
                  REMARK(CAUSE_LANES, AS_COUNT(images), AS_COUNT(lanes)));
}
