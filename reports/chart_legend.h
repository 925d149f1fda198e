/* reports/chart_legend.h - numbers at points, and the legend that says what they are; shared by charts that show layers.
 *
 * Units: _px pixels of the canvas. Ownership: a legend borrows its figure; texts are copied.
 */
#ifndef ROOF_REPORTS_CHART_LEGEND_H
#define ROOF_REPORTS_CHART_LEGEND_H

#include "reports/chart_rows.h"

enum { ROOF_LEGEND_LINE_PX = 18, ROOF_LEGEND_MOST_NUMBERS = 24 };

/* Lines from top to bottom of an area; y_px is the middle of the next one. */
typedef struct roof_legend {
    roof_figure *figure;
    roof_plot_area area;
    double y_px, column_px;
} roof_legend;

roof_legend roof_legend_in(roof_figure *f, const roof_plot_area *area);

/* How many numbered rows fit beside other_lines: 1 to ROOF_LEGEND_MOST_NUMBERS. */
uint32_t roof_legend_room(const roof_plot_area *area, double other_lines);

/* "layer                      share": what stands in the columns at the right, n of them, each column_px wide. */
void roof_legend_head(roof_legend *l, const char *left, const char *const *titles, size_t n);

/* A disc in the colour of what binds, the number, the name, and a value in each column. */
void roof_legend_row(roof_legend *l, const roof_chart_rows *rows, const roof_chart_row *row,
                     const char *const *values, size_t n);

/* A line in secondary letters, shortened to fit. */
void roof_legend_remark(roof_legend *l, const char *text);

/* "bound by (o) MAC array (o) memory": takes a second line where needed. used: classes that some layer has. */
void roof_legend_bounds(roof_legend *l, const bool used[ROOF_BOUND_CLASSES]);

/* A small ring and what it means. */
void roof_legend_ring(roof_legend *l, uint32_t colour, const char *words);

/* A cross of two rules, likewise. */
void roof_legend_cross(roof_legend *l, uint32_t colour, const char *words);

/* A text at a place, without asking whether it is free. */
void roof_figure_put(roof_figure *f, double x_px, double y_px, roof_anchor anchor, roof_letter letter,
                     uint32_t colour, const char *text);

/* The number of a row as text, "--" for 0. */
enum { ROOF_NUMBER_SIZE = 16 };
const char *roof_chart_number(uint32_t number, char text[ROOF_NUMBER_SIZE]);

/* A number beside its point, with a line to it where it had to go far. False when there is no place near. */
bool roof_figure_number_point(roof_figure *f, uint32_t number, double x_px, double y_px, double radius_px,
                              const roof_plot_area *area);

/* The same with any text. */
bool roof_figure_name_point(roof_figure *f, const char *text, double x_px, double y_px, double radius_px,
                            const roof_plot_area *area);

#endif
