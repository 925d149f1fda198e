/* reports/chart_lines.h - straight lines of a plot: labels keep off them, and stand along them.
 *
 * Units: _px pixels of the canvas. Ownership: plain values; figures are borrowed.
 */
#ifndef ROOF_REPORTS_CHART_LINES_H
#define ROOF_REPORTS_CHART_LINES_H

#include "reports/figure.h"

typedef struct roof_line_px {
    double from_x_px, from_y_px, to_x_px, to_y_px;
} roof_line_px;

/* Keeps labels off a line as long as there is another place. */
void roof_figure_avoid_line(roof_figure *f, const roof_line_px *line, double half_width_px);

/* Where along a line a label is tried: at first + span * i / (steps - 1) of its length. */
typedef struct roof_along {
    double first, span;
    int steps;
    double off_px;   /* between the line and the label */
    bool above_only; /* else below it too */
} roof_along;

/* A label turned with a line, at the first place along it that is free, within area and off the marks; else on a mark.
 * Without any it is left out. label: its anchor, place and angle are not looked at. */
void roof_figure_label_along(roof_figure *f, const roof_label *label, const roof_line_px *line,
                             const roof_along *along, const roof_plot_area *area);

#endif
