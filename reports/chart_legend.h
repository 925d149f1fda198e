/* reports/chart_legend.h - numbers at points, and the legend that says what they are; shared by charts that show layers.
 *
 * Units: _px pixels of the canvas. Ownership: a legend borrows its figure; texts are copied.
 */
#ifndef ROOF_REPORTS_CHART_LEGEND_H
#define ROOF_REPORTS_CHART_LEGEND_H

#include "reports/chart_rows.h"

enum { LEGEND_LINE_PX = 18, LEGEND_MOST_NUMBERS = 24 };

/* Lines from top to bottom of an area; y_px is the middle of the next one. */
typedef struct chart_legend {
    chart_figure *figure;
    plot_area area;
    double y_px, column_px;
} chart_legend;

chart_legend legend_in(chart_figure *f, const plot_area *area);

/* How many numbered rows fit beside other_lines: 1 to LEGEND_MOST_NUMBERS. */
uint32_t legend_room(const plot_area *area, double other_lines);

/* "layer                      share": what stands in the columns at the right, n of them, each column_px wide. */
void legend_head(chart_legend *l, const char *left, const char *const *titles, size_t n);

/* A disc in the colour of what binds, the number, the name, and a value in each column. */
void legend_row(chart_legend *l, const chart_rows *rows, const chart_row *row, const char *const *values,
                size_t n);

/* A line in secondary letters, shortened to fit. */
void legend_remark(chart_legend *l, const char *text);

/* "bound by (o) MAC array (o) memory": takes a second line where needed. used: classes that some layer has. */
void legend_bounds(chart_legend *l, const bool used[BOUND_CLASSES]);

/* A small ring and what it means. */
void legend_ring(chart_legend *l, uint32_t colour, const char *words);

/* A cross of two rules, likewise. */
void legend_cross(chart_legend *l, uint32_t colour, const char *words);

/* A text at a place, without asking whether it is free. */
void figure_put(chart_figure *f, double x_px, double y_px, label_anchor anchor, letter_kind letter,
                uint32_t colour, const char *text);

/* The number of a row as text, "--" for 0. */
enum { NUMBER_TEXT_SIZE = 16 };
const char *chart_number(uint32_t number, char text[NUMBER_TEXT_SIZE]);

/* A number beside its point, with a line to it where it had to go far. False when there is no place near. */
bool figure_number_point(chart_figure *f, uint32_t number, double x_px, double y_px, double radius_px,
                         const plot_area *area);

/* The same with any text. */
bool figure_name_point(chart_figure *f, const char *text, double x_px, double y_px, double radius_px,
                       const plot_area *area);

#endif
