#include "reports/chart_axes.h"
#include "reports/palette.h"

#include <math.h>
#include <stdio.h>

enum { MOST_TICKS = 64, BESIDE_PX = 6 };

/* --- ranges ------------------------------------------------------------------------------------------- */

void roof_extent_take(roof_extent *e, double value)
{
    if (!isfinite(value))
        return;
    e->low = fmin(e->low, value);
    e->high = fmax(e->high, value);
}

roof_axis roof_axis_linear(roof_extent e, double room_ratio, double from_px, double to_px)
{
    double low = e.low > e.high ? 0 : fmin(0, e.low), high = e.low > e.high ? 1 : fmax(0, e.high);
    double room = (high - low) * room_ratio;
    if (!(room > 0))
        high = low + 1;
    return (roof_axis){.min = low < 0 ? low - room : 0,
                       .max = high > 0 ? high + room : room,
                       .from_px = from_px,
                       .to_px = to_px};
}

void roof_axis_set(roof_figure *f, const char *prefix, const roof_axis *axis)
{
    char name[40];
    snprintf(name, sizeof name, "%s_min", prefix);
    roof_figure_set(f, name, axis->min);
    snprintf(name, sizeof name, "%s_max", prefix);
    roof_figure_set(f, name, axis->max);
}

void roof_figure_xy(roof_figure *f, double x, double y)
{
    roof_figure_number(f, x);
    roof_figure_number(f, y);
    roof_figure_end_row(f);
}

double roof_disc_radius_px(double share_ratio, double full_px, double least_px)
{
    return fmax(least_px, full_px * sqrt(fmax(0, share_ratio)));
}

/* --- numbers at an axis ------------------------------------------------------------------------------- */

typedef struct tick_place {
    roof_figure *f;
    const roof_axis *axis;
    roof_axis_side side;
    const roof_plot_area *area;
} tick_place;

/* Of a linear axis: multiples of a step that leaves each number its room. */
static unsigned linear_ticks(const tick_place *p, double *out)
{
    double each_px = p->side == ROOF_AXIS_BELOW ? 64 : 26;
    double length = fabs(p->axis->to_px - p->axis->from_px), range = p->axis->max - p->axis->min;
    unsigned n = 0, most = length > each_px ? (unsigned)(length / each_px) : 1;
    double step = roof_nice_step(range, most), first = ceil(p->axis->min / step - 1e-9);
    for (; n < MOST_TICKS && (first + n) * step <= p->axis->max + 1e-9 * range; n++)
        out[n] = (first + n) * step;
    return n;
}

/* 1, 2 and 5 times the powers of ten, or the powers alone where that is too many: all of a kind or none, since numbers
 * that are left out here and there make a logarithmic axis hard to read. */
static unsigned logarithmic_ticks(const tick_place *p, double *out)
{
    static const double factors[] = {1, 2, 5};
    const double slack = 1e-9, each_px = p->side == ROOF_AXIS_BELOW ? 42 : 18;
    const roof_axis *axis = p->axis;
    double decades = log10(axis->max / axis->min), decade_px = fabs(axis->to_px - axis->from_px) / decades;
    size_t n_factors = decade_px * log10(2) >= each_px ? 3 : 1;
    unsigned n = 0;
    int stride = (int)fmax(1, ceil(each_px / decade_px));
    int from = (int)floor(log10(axis->min) + slack), to = (int)ceil(log10(axis->max));
    for (int power = from; power <= to; power += stride)
        for (size_t i = 0; i < n_factors && n < MOST_TICKS; i++) {
            double value = factors[i] * pow(10, power);
            if (value >= axis->min * (1 - slack) && value <= axis->max * (1 + slack))
                out[n++] = value;
        }
    return n;
}

/* False where another number, or the canvas, leaves no room; some of it is left between two numbers. */
static bool put_tick(const tick_place *p, double value)
{
    char text[40];
    double at = roof_axis_px(p->axis, value);
    snprintf(text, sizeof text, "%.10g", value == 0 ? 0 : value);
    roof_label l = {.x_px = at,
                    .y_px = p->area->bottom_px + 14,
                    .anchor = ROOF_ANCHOR_CENTRE,
                    .letter = ROOF_LETTER_SMALL,
                    .colour = ROOF_COLOUR_MUTED,
                    .text = text};
    if (p->side == ROOF_AXIS_LEFT) {
        l.x_px = p->area->left_px - BESIDE_PX;
        l.y_px = at;
        l.anchor = ROOF_ANCHOR_RIGHT;
    }
    roof_box box = roof_label_box(&l), wider = box;
    wider.half_width_px += p->side == ROOF_AXIS_BELOW ? BESIDE_PX : 0;
    if (!roof_figure_fits(p->f, &box, NULL) ||
        !roof_figure_fits(p->f, &wider, &(roof_plot_area){-99, 1e6, 0, 1e6}))
        return false;
    roof_figure_label(p->f, &l);
    return true;
}

void roof_axis_number(roof_figure *f, const char *name, const roof_axis *axis, roof_axis_side side,
                      const roof_plot_area *area)
{
    const tick_place place = {f, axis, side, area};
    double ticks[MOST_TICKS];
    unsigned n = axis->is_log ? logarithmic_ticks(&place, ticks) : linear_ticks(&place, ticks);
    roof_figure_block(f, name, "at");
    for (unsigned i = 0; i < n; i++) {
        if (!put_tick(&place, ticks[i]))
            continue;
        roof_figure_number(f, ticks[i]);
        roof_figure_end_row(f);
    }
}

/* --- titles ------------------------------------------------------------------------------------------- */

void roof_axis_title_below(roof_figure *f, const roof_plot_area *area, const char *text)
{
    double width = 2 * fmin((area->left_px + area->right_px) / 2,
                            f->canvas.width_px - (area->left_px + area->right_px) / 2) -
                   8;
    roof_figure_label(f, &(roof_label){.x_px = (area->left_px + area->right_px) / 2,
                                       .y_px = area->bottom_px + 36,
                                       .anchor = ROOF_ANCHOR_CENTRE,
                                       .letter = ROOF_LETTER_TEXT,
                                       .colour = ROOF_COLOUR_INK,
                                       .text = roof_figure_shorten(f, text, ROOF_LETTER_TEXT, width)});
}

void roof_axis_title_left(roof_figure *f, const roof_plot_area *area, double numbers_px, const char *text)
{
    double middle = (area->top_px + area->bottom_px) / 2, length = area->bottom_px - area->top_px;
    roof_figure_label(f, &(roof_label){.x_px = area->left_px - BESIDE_PX - numbers_px - 12,
                                       .y_px = middle,
                                       .degrees = 90,
                                       .anchor = ROOF_ANCHOR_CENTRE,
                                       .letter = ROOF_LETTER_TEXT,
                                       .colour = ROOF_COLOUR_INK,
                                       .text = roof_figure_shorten(f, text, ROOF_LETTER_TEXT, length)});
}
