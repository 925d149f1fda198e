/* reports/chart_lines.h - straight lines of a plot: labels keep off them, and stand along them.
 *
 * Units: _px pixels of the canvas. Ownership: plain values; figures are borrowed.
 */
#ifndef ROOF_REPORTS_CHART_LINES_H
#define ROOF_REPORTS_CHART_LINES_H

#include "reports/figure.h"

typedef struct line_in_px {
    double from_x_px, from_y_px, to_x_px, to_y_px;
} line_in_px;

/* Keeps labels off a line as long as there is another place. */
void figure_avoid_line(chart_figure *f, const line_in_px *line, double half_width_px);

/* Where along a line a label is tried: at first + span * i / (steps - 1) of its length. */
typedef struct along_line {
    double first, span;
    int steps;
    double off_px;   /* between the line and the label */
    bool above_only; /* else below it too */
} along_line;

/* A label turned with a line, at the first place along it that is free, within area and off the marks; else on a mark.
 * Without any it is left out. label: its anchor, place and angle are not looked at. */
void figure_label_along(chart_figure *f, const figure_text_label *label, const line_in_px *line,
                        const along_line *along, const plot_area *area);

#endif
