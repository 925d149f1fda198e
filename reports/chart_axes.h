/* reports/chart_axes.h - axes, and numbers at them that cannot lie on one another: gnuplot's own do when a canvas is narrow
 * or a range is unlucky. Straight lines of a plot: labels keep off them, and stand along them.
 *
 * Units: _px pixels of the canvas; values as at the axis. Ownership: plain values; figures are borrowed.
 */
#ifndef ROOF_REPORTS_CHART_AXES_H
#define ROOF_REPORTS_CHART_AXES_H

#include "reports/figure.h"

/* From data to pixels, linear or logarithmic to base 10. */
typedef struct chart_axis {
    double min, max;
    bool is_log;
    double from_px, to_px; /* where min and max lie */
} chart_axis;

double axis_px(const chart_axis *axis, double value);

/* A step of 1, 2 or 5 times a power of ten that cuts a range into at most n parts. */
double nice_step(double range, unsigned n);

typedef struct axis_extent {
    double low, high; /* low > high: nothing was taken in */
} axis_extent;

#define EXTENT_EMPTY ((axis_extent){INFINITY, -INFINITY})

/* What is not finite is left out. */
void extent_take(axis_extent *e, double value);

/* Linear, from 0 or the lowest value to the highest, with some room; wide enough to be divided. */
chart_axis axis_linear(axis_extent e, double room_ratio, double from_px, double to_px);

typedef enum axis_side { AXIS_BELOW, AXIS_LEFT } axis_side;

/* Numbers at an axis, as far as they fit, and block `name` with the values they stand at, for grid lines. A logarithmic
 * axis has its powers of ten, and 2 and 5 times those where there is room. */
void axis_number(chart_figure *f, const char *name, const chart_axis *axis, axis_side side,
                 const plot_area *area);

/* What has to stay free right of a plot whose last number stands below its end: half of "10000", in the widest of the fonts
 * that a reader may have. */
enum { AXIS_END_PX = 24 };

/* What an axis shows: below the numbers, or turned beside them, numbers_px wide. */
void axis_title_below(chart_figure *f, const plot_area *area, const char *text);
void axis_title_left(chart_figure *f, const plot_area *area, double numbers_px, const char *text);

/* PREFIX_min and PREFIX_max, for the script. */
void axis_set(chart_figure *f, const char *prefix, const chart_axis *axis);

/* --- lines ----------------------------------------------------------------------------------------------- */

typedef struct line_in_px {
    double from_x_px, from_y_px, to_x_px, to_y_px;
} line_in_px;

/* Keeps labels off a line as long as there is another place. */
void figure_avoid_line(chart_figure *f, const line_in_px *line, double half_width_px);

/* Where along a line a label is tried: at first + span * i / (steps - 1) of its length, 3 pixels off it. */
typedef struct along_line {
    double first, span;
    int steps;
    bool above_only; /* else below it too */
} along_line;

/* A label turned with a line, at the first place along it that is free, within area and off the marks; else on a mark.
 * Without any it is left out. A bold one is of ink. */
void figure_label_along(chart_figure *f, const char *text, letter_kind letter, const line_in_px *line,
                        const along_line *along, const plot_area *area);

#endif
