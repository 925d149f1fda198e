/* What was asked for by options, beside what the hardware has: a question about other hardware is answered, and told first. */
#include "model/predict/predictor.h"

/* Boards differ by some tenths of their clock and their memory's rate; more is another device. */
#define OTHER_DEVICE_RATIO 1.5

void predictor_doubt_asked(predictor *p)
{
    const roof_predict_options *o = &p->prediction->options;
    const char *id = p->prediction->hardware.id;
    const roof_quantity *clock = hw_view_get(&p->view, "clock"),
                        *rate = hw_view_get(&p->view, "ddr.bandwidth"),
                        *cores = hw_view_get(&p->view, "cores");
    if (clock && o->clock_hz > OTHER_DEVICE_RATIO * clock->value)
        FIND(&p->found, NULL, CLOCK_BEYOND, AS("Hz", o->clock_hz), AS_TEXT(id), AS("Hz", clock->value));
    if (rate && o->bandwidth_bytes_per_s > OTHER_DEVICE_RATIO * rate->value)
        FIND(&p->found, NULL, BANDWIDTH_BEYOND, AS("B/s", o->bandwidth_bytes_per_s), AS_TEXT(id),
             AS("B/s", rate->value));
    /* A configuration alone does not say how many of it a board has. */
    if (cores && !roof_hw_board_is_assumed(p->hw) && o->cores > cores->value)
        FIND(&p->found, NULL, CORES_BEYOND, AS_COUNT(o->cores), AS_TEXT(id), AS_COUNT(cores->value));
}
