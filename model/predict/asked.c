/* What was asked for by options, beside what the hardware has: a question about other hardware is answered, and told first. */
#include "core/error.h"
#include "core/quantity.h"
#include "model/predict/predictor.h"

/* Boards differ by some tenths of their clock and their memory's rate; more is another device. */
#define OTHER_DEVICE_RATIO 1.5

static roof_status doubt_rate(predictor *p, const char *what, const char *key, double asked, const char *unit)
{
    const roof_quantity *q = hw_view_get(&p->view, key);
    char of_entry[40], of_user[40];
    if (!q || !(asked > OTHER_DEVICE_RATIO * q->value))
        return ROOF_OK;
    quantity_format(of_entry, sizeof of_entry, q->value, unit);
    quantity_format(of_user, sizeof of_user, asked, unit);
    const char *text = arena_printf(p->arena, "%s of %s is asked for, and %.60s has %s", what, of_user,
                                    p->prediction->hardware.id, of_entry);
    p->lead = arena_printf(p->arena, "%sWhat if: %s. ", p->lead ? p->lead : "", text ? text : "");
    TRY(arena_status(p->arena, p->err));
    return add_finding(p, ROOF_FINDING_BEYOND_HARDWARE, NULL, "%s", text);
}

/* A configuration alone does not say how many of it a board has. */
static roof_status doubt_cores(predictor *p)
{
    const roof_quantity *q = hw_view_get(&p->view, "cores");
    uint32_t asked = p->prediction->options.cores;
    if (!q || roof_hw_board_is_assumed(p->hw) || !(asked > q->value))
        return ROOF_OK;
    const char *text = arena_printf(p->arena, "%u cores are asked for, and %.60s has %.0f", asked,
                                    p->prediction->hardware.id, q->value);
    p->lead = arena_printf(p->arena, "%sWhat if: %s. ", p->lead ? p->lead : "", text ? text : "");
    TRY(arena_status(p->arena, p->err));
    return add_finding(p, ROOF_FINDING_BEYOND_HARDWARE, NULL, "%s", text);
}

roof_status predictor_doubt_asked(predictor *p)
{
    const roof_predict_options *o = &p->prediction->options;
    TRY(doubt_rate(p, "a clock", "clock", o->clock_hz, "Hz"));
    TRY(doubt_rate(p, "a bandwidth", "ddr.bandwidth", o->bandwidth_bytes_per_s, "B/s"));
    return doubt_cores(p);
}
