/* reports/chart_axes.h - ranges of axes, and numbers at them that cannot lie on one another: gnuplot's own do when a
 * canvas is narrow or a range is unlucky.
 *
 * Units: _px pixels of the canvas; values as at the axis. Ownership: plain values; figures are borrowed.
 */
#ifndef ROOF_REPORTS_CHART_AXES_H
#define ROOF_REPORTS_CHART_AXES_H

#include "reports/figure.h"

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

/* A row "x y" of the block that was begun last. */
void figure_xy(chart_figure *f, double x, double y);

/* Of a disc whose area is a share of that of radius full_px; at least least_px, so that it can be seen. */
double disc_radius_px(double share_ratio, double full_px, double least_px);

#endif
