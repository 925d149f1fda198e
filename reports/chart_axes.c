#include "reports/chart_axes.h"
#include "reports/palette.h"

#include <math.h>
#include <stdio.h>

enum { MOST_TICKS = 64, BESIDE_PX = 6 };

/* --- ranges ------------------------------------------------------------------------------------------- */

void extent_take(axis_extent *e, double value)
{
    if (!isfinite(value))
        return;
    e->low = fmin(e->low, value);
    e->high = fmax(e->high, value);
}

chart_axis axis_linear(axis_extent e, double room_ratio, double from_px, double to_px)
{
    double low = e.low > e.high ? 0 : fmin(0, e.low), high = e.low > e.high ? 1 : fmax(0, e.high);
    double room = (high - low) * room_ratio;
    if (!(room > 0))
        high = low + 1;
    return (chart_axis){.min = low < 0 ? low - room : 0,
                        .max = high > 0 ? high + room : room,
                        .from_px = from_px,
                        .to_px = to_px};
}

void axis_set(chart_figure *f, const char *prefix, const chart_axis *axis)
{
    char name[40];
    snprintf(name, sizeof name, "%s_min", prefix);
    figure_set(f, name, axis->min);
    snprintf(name, sizeof name, "%s_max", prefix);
    figure_set(f, name, axis->max);
}

void figure_xy(chart_figure *f, double x, double y)
{
    figure_number(f, x);
    figure_number(f, y);
    figure_end_row(f);
}

double disc_radius_px(double share_ratio, double full_px, double least_px)
{
    return fmax(least_px, full_px * sqrt(fmax(0, share_ratio)));
}

/* --- numbers at an axis ------------------------------------------------------------------------------- */

typedef struct tick_place {
    chart_figure *f;
    const chart_axis *axis;
    axis_side side;
    const plot_area *area;
} tick_place;

/* Of a linear axis: multiples of a step that leaves each number its room. */
static unsigned linear_ticks(const tick_place *p, double *out)
{
    double each_px = p->side == AXIS_BELOW ? 64 : 26;
    double length = fabs(p->axis->to_px - p->axis->from_px), range = p->axis->max - p->axis->min;
    unsigned n = 0, most = length > each_px ? (unsigned)(length / each_px) : 1;
    double step = nice_step(range, most), first = ceil(p->axis->min / step - 1e-9);
    for (; n < MOST_TICKS && (first + n) * step <= p->axis->max + 1e-9 * range; n++)
        out[n] = (first + n) * step;
    return n;
}

/* 1, 2 and 5 times the powers of ten, or the powers alone where that is too many: all of a kind or none, since numbers
 * that are left out here and there make a logarithmic axis hard to read. */
static unsigned logarithmic_ticks(const tick_place *p, double *out)
{
    static const double factors[] = {1, 2, 5};
    const double slack = 1e-9, each_px = p->side == AXIS_BELOW ? 42 : 18;
    const chart_axis *axis = p->axis;
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
    double at = axis_px(p->axis, value);
    snprintf(text, sizeof text, "%.10g", value == 0 ? 0 : value);
    figure_text_label l = {.x_px = at,
                           .y_px = p->area->bottom_px + 14,
                           .anchor = ANCHOR_CENTRE,
                           .letter = LETTER_SMALL,
                           .colour = COLOUR_MUTED,
                           .text = text};
    if (p->side == AXIS_LEFT) {
        l.x_px = p->area->left_px - BESIDE_PX;
        l.y_px = at;
        l.anchor = ANCHOR_RIGHT;
    }
    px_box box = label_box(&l), wider = box;
    wider.half_width_px += p->side == AXIS_BELOW ? BESIDE_PX : 0;
    if (!figure_fits(p->f, &box, NULL) || !figure_fits(p->f, &wider, &(plot_area){-99, 1e6, 0, 1e6}))
        return false;
    figure_label(p->f, &l);
    return true;
}

void axis_number(chart_figure *f, const char *name, const chart_axis *axis, axis_side side,
                 const plot_area *area)
{
    const tick_place place = {f, axis, side, area};
    double ticks[MOST_TICKS];
    unsigned n = axis->is_log ? logarithmic_ticks(&place, ticks) : linear_ticks(&place, ticks);
    figure_block(f, name, "at");
    for (unsigned i = 0; i < n; i++) {
        if (!put_tick(&place, ticks[i]))
            continue;
        figure_number(f, ticks[i]);
        figure_end_row(f);
    }
}

/* --- titles ------------------------------------------------------------------------------------------- */

void axis_title_below(chart_figure *f, const plot_area *area, const char *text)
{
    double width = 2 * fmin((area->left_px + area->right_px) / 2,
                            f->canvas.width_px - (area->left_px + area->right_px) / 2) -
                   8;
    figure_label(f, &(figure_text_label){.x_px = (area->left_px + area->right_px) / 2,
                                         .y_px = area->bottom_px + 36,
                                         .anchor = ANCHOR_CENTRE,
                                         .letter = LETTER_TEXT,
                                         .colour = COLOUR_INK,
                                         .text = figure_shorten(f, text, LETTER_TEXT, width)});
}

void axis_title_left(chart_figure *f, const plot_area *area, double numbers_px, const char *text)
{
    double middle = (area->top_px + area->bottom_px) / 2, length = area->bottom_px - area->top_px;
    figure_label(f, &(figure_text_label){.x_px = area->left_px - BESIDE_PX - numbers_px - 12,
                                         .y_px = middle,
                                         .degrees = 90,
                                         .anchor = ANCHOR_CENTRE,
                                         .letter = LETTER_TEXT,
                                         .colour = COLOUR_INK,
                                         .text = figure_shorten(f, text, LETTER_TEXT, length)});
}
