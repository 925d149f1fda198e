/* reports/charts/chart_axes.h - axes, and numbers at them that cannot lie on one another: gnuplot's own do
 * when a canvas is narrow or a range is unlucky. Planes that they span: labels keep off what is drawn there,
 * and stand beside it.
 *
 * Units: _px pixels of the canvas; values as at the axis. Ownership: plain values; figures are borrowed.
 */
#pragma once

#include "reports/charts/figure.h"

/* Things that are counted have no number between two. Doublings are of a logarithmic axis, "512", "1k", "2k":
 * every one, every second or fewer, as they fit. */
typedef enum axis_numbers { AXIS_VALUES, AXIS_COUNTS, AXIS_DOUBLINGS } axis_numbers;

/* From data to pixels, linear or logarithmic to base 10. */
typedef struct chart_axis {
    double min, max;
    bool is_log;
    double from_px, to_px; /* where min and max lie */
    axis_numbers numbers;
} chart_axis;

double chart_axis_px(const chart_axis *axis, double value);

/* A step of 1, 2 or 5 times a power of ten that cuts a range into at most n parts. */
double chart_axis_nice_step(double range, unsigned n);

typedef struct axis_extent {
    double low, high; /* low > high: nothing was taken in */
} axis_extent;

#define EXTENT_EMPTY ((axis_extent){INFINITY, -INFINITY})

/* Values that are not finite are left out. */
void chart_extent_take(axis_extent *e, double value);

/* Linear, from 0 or the lowest value to the highest, with some room to divide it. It has no place yet. */
chart_axis chart_axis_linear(axis_extent e, double room_ratio);

typedef enum axis_side { AXIS_BELOW, AXIS_LEFT } axis_side;

/* Numbers at an axis, as far as they fit, and block `name` with the values they stand at, for grid lines. A
 * logarithmic axis has its powers of ten, and 2 and 5 times those where there is room. */
void chart_axis_number(chart_figure *f, const char *name, const chart_axis *axis, axis_side side,
                       const plot_area *area);

/* The room to keep free right of a plot whose last number stands below its end: half of "10000", in the
 * widest of the fonts that a reader may have. */
enum { AXIS_END_PX = 24 };

/* The title of an axis: below the numbers, in their middle if it has room there; or turned beside them,
 * numbers_px wide, further off where they are wider, and left out where the canvas has no room for that. */
void chart_axis_title_below(chart_figure *f, const plot_area *area, const char *text);
void chart_axis_title_left(chart_figure *f, const plot_area *area, double numbers_px, const char *text);

/* PREFIX_min and PREFIX_max, for the script. */
void chart_axis_set(chart_figure *f, const char *prefix, const chart_axis *axis);

/* --- planes ------------------------------------------------------------------------------------------- */

/* Area of the canvas within title and subtitle, the key below them and provenance at the bottom. */
plot_area chart_page(chart_figure *f, const char *title, const char *subtitle, const chart_key *keys,
                     size_t n_keys, const char *provenance);
/* The i-th of n places of equal size, `across` of them side by side. */
plot_area chart_page_place(const plot_area *page, uint32_t i, uint32_t n, uint32_t across);

/* Where data is drawn: two axes along the sides of an area. */
typedef struct chart_plane {
    chart_figure *f;
    plot_area area;
    chart_axis x, y;
    const char *prefix, *suffix; /* of its blocks and variables, beside others in a figure; NULL: none */
} chart_plane;

/* Gives the axes their places, x from left to right and y upwards. */
void chart_plane_set_axes(chart_plane *p, chart_axis x, chart_axis y);

/* A block "PREFIX-what" or "whatSUFFIX", a variable PREFIX_what or whatSUFFIX. */
void chart_plane_block(const chart_plane *p, const char *what, const char *columns);
void chart_plane_set(const chart_plane *p, const char *what, double value);

/* The area, "plot" without a prefix, with both axes, their numbers and titles: NULL, none. Numbers on the
 * left are numbers_px wide, those of x stand below foot (NULL: the plane itself). */
void chart_plane_put_axes(const chart_plane *p, const plot_area *foot, double numbers_px, const char *left,
                          const char *below);

/* All of that in a place that also has room for numbers, titles, and top_px above the plane. */
void chart_plane_open(chart_plane *p, const plot_area *place, double top_px, chart_axis x, chart_axis y,
                      const char *left, const char *below);

px_point chart_plane_at(const chart_plane *p, double x, double y);

/* Keeps labels off a point, and off what is drawn from one value to another above a place of x. */
void chart_plane_avoid_point(const chart_plane *p, double x, double y, double half_px);
void chart_plane_avoid_upright(const chart_plane *p, double x, double from_y, double to_y, double pad_px);

/* A text beside a point: tries places around it, near ones first, and writes it at the first that is free and
 * within the area, with a line to the point where that is far. radius_px: of the mark there, which it keeps
 * off; off_marks: it is left out rather than written on what is drawn. False when there is no place near. */
bool chart_plane_name_point(const chart_plane *p, const char *text, double x, double y, double radius_px,
                            bool off_marks);

typedef struct plane_line {
    double from_x, from_y, to_x, to_y;
} plane_line;

/* Writes its ends as rows of the block that was begun; labels keep off it while there is other room. */
void chart_plane_put_line(const chart_plane *p, plane_line line, double half_width_px);
void chart_plane_avoid_line(const chart_plane *p, plane_line line, double half_width_px);

/* Values of several lines at a place of x; NaN: there is none. */
enum { PLANE_LINES = 4 };
typedef struct plane_row {
    double x, y[PLANE_LINES];
} plane_row;

void chart_plane_take_rows(axis_extent *x, axis_extent *y, const plane_row *rows, uint32_t n);
void chart_plane_scale_rows(plane_row *rows, uint32_t n, double factor); /* their values */

/* Writes rows of the first n_lines lines. Straight lines are bent where x alone is logarithmic: pieces
 * between two rows follow that. Labels keep off the lines from first_avoided on up to end_avoided. */
void chart_plane_put_rows(const chart_plane *p, const plane_row *rows, uint32_t n, unsigned n_lines,
                          unsigned first_avoided, unsigned end_avoided);

/* A line from side to side, with a name. */
typedef struct plane_level {
    const char *words;
    double value; /* NaN: unknown */
    uint32_t colour;
    int digits;      /* behind its point */
    const char *far; /* words where the axis does not hold it; NULL: the same */
} plane_level;

/* Those that are not far above the highest value of an axis, which they would press to the ground. */
void chart_levels_take(axis_extent *e, const plane_level *levels, size_t n, double most_above);
/* Block "levels" with those that the axis holds, and names at them: above, from the left on; or from the
 * right on, above or below. */
void chart_plane_put_levels(const chart_plane *p, const plane_level *levels, size_t n, const char *unit,
                            bool from_right);
/* "; above: size 32.0 KiB", of those that the axis does not hold; "": none. */
const char *chart_levels_above(chart_figure *f, const chart_axis *y, const plane_level *levels, size_t n,
                               const char *unit);

/* Where along a line a label is tried: at first + span * i / (steps - 1) of its length, 3 pixels off it. */
typedef struct along_line {
    double first, span;
    int steps;
    bool above_only; /* else below it too */
    bool may_be_far; /* further off, where there is no room off the marks */
    bool off_marks;  /* never on them */
} along_line;

/* A label turned with a line, at the first place along it that is free, within the area and off the marks;
 * else on a mark. False: without any it is left out. A bold one is of ink. */
bool chart_plane_label_line(const chart_plane *p, const char *text, letter_kind letter, plane_line line,
                            const along_line *along);
