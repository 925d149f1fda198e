/* reports/charts/chart_discs.h - layers as discs on two axes, numbers at them, and the legend that says what
 * they are: what the charts of single layers share.
 *
 * Units: _px pixels of the canvas; x and y as at the axes. Ownership: all is of the figure's arena; texts are
 *   copied.
 */
#pragma once

#include "reports/charts/chart.h"

enum { LEGEND_LINE_PX = 18, LEGEND_MOST_NUMBERS = 24, MOST_DISCS = 1000 };

typedef struct chart_disc {
    const chart_row *row;
    double x, y;      /* its middle */
    double to_y;      /* where the arrow from it leads; NaN: nowhere */
    double radius_px; /* its area is the layer's share of the time */
} chart_disc;

typedef struct chart_discs {
    chart_plane plane;
    plot_area legend;
    double y_px, column_px; /* of the legend: the middle of its next line, the width of its columns */
    chart_rows rows;
    double full_radius_px; /* of a layer that takes all of the time */
    chart_disc *drawn;     /* the longest first */
    uint32_t n_drawn;
    const chart_disc **ranked; /* the same, in the order in which they are numbered */
    uint32_t n_numbers;        /* of ranked that have a number and a line in the legend */
    uint32_t n_left_out;       /* without a place on the axes */
    uint32_t n_small;          /* too many to draw */
    double left_out_share;
    const chart_row *sum; /* of the layers that the profile only sums up; NULL: it lists all */
    bool has_estimated;
} chart_discs;

/* Reads the rows and makes room. */
void discs_begin(chart_discs *d, const chart_source *source, chart_figure *f, double full_radius_px,
                 double column_px);
/* SUM: of all layers that the profile only sums up. LEFT_OUT: it has no place on the axes. SMALL: too many
 * are drawn already. */
typedef enum disc_kind { DISC_SUM, DISC_LEFT_OUT, DISC_SMALL, DISC_DRAWN } disc_kind;

/* Takes a disc of a row; there is room for MOST_DISCS that are drawn. */
void discs_take(chart_discs *d, const chart_row *row, disc_kind kind, double x, double y, double to_y);

/* Block "points": number, to_y, x, y, share, radius, colour, bound, name, whether it is estimated, symbol of
 * each disc. by_verdict: the verdict of a layer in place of its bound. Labels keep off the larger ones. */
void discs_put_points(chart_discs *d, const char *columns, bool by_verdict);

/* A block with arrows of the first n discs, `most` at most; labels keep pad_px off. Returns how many. */
uint32_t discs_put_arrows(chart_discs *d, const char *block, const char *columns, uint32_t n, uint32_t most,
                          double pad_px);

/* Numbers beside the discs that have one. Discs within near_px share a text: numbers with `between` between
 * them, at most `most` of them and then " +5". */
void discs_number(chart_discs *d, double near_px, const char *between, uint32_t most);

/* --- legend ------------------------------------------------------------------------------------------- */

/* Lines from top to bottom of its area. Gives numbers to as many discs as have room beside other_lines, and
 * no more than `most`. */
void chart_legend_begin(chart_discs *d, double other_lines, uint32_t most);

/* "layer                      share": what stands in the columns at the right, n of them. */
void chart_legend_head(chart_discs *d, const char *left, const char *const *titles, size_t n);

/* A disc in the colour of the bottleneck, the number, the name, and a value in each column. */
void chart_legend_row(chart_discs *d, const chart_row *row, const char *const *values, size_t n);

/* A line in secondary letters, shortened to fit. */
void chart_legend_remark(chart_discs *d, const char *format, ...) ROOF_PRINTF(2, 3);

/* Goes to where the last lines of the area begin, and says what limits the layers there: "bound by (o) MAC
 * array (o) memory". It takes a second line where needed; what no layer has is left out. */
void chart_legend_begin_key(chart_discs *d, double lines);

/* A small ring and what it means, or a cross of RULES. */
void chart_legend_mark(chart_discs *d, ornament_kind mark, uint32_t colour, const char *words);
