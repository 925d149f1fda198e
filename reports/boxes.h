/* reports/boxes.h - rectangles of a picture, upright or turned, and whether they lie on one another.
 *
 * Units: _px pixels of the canvas, y downwards; degrees against the clock. Ownership: plain values.
 */
#ifndef ROOF_REPORTS_BOXES_H
#define ROOF_REPORTS_BOXES_H

#include <stdbool.h>

/* A part of the canvas: where data is drawn, which gnuplot's margins enclose, or where a legend stands. */
typedef struct plot_area {
    double left_px, right_px, top_px, bottom_px;
} plot_area;

/* A rectangle, possibly turned: its middle, half its sides, and by how much it is turned. */
typedef struct px_box {
    double x_px, y_px, half_width_px, half_height_px, degrees;
} px_box;

typedef struct px_point {
    double x, y;
} px_point;

/* A step of one pixel in a direction. The screen's y points down, angles are counted as if it pointed up. */
px_point px_along(double degrees);

/* Also when less than a pixel is between them. */
bool boxes_overlap(const px_box *a, const px_box *b);
bool box_lies_within(const px_box *box, const plot_area *area);

#endif
