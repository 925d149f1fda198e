/* roofline/draw.h - a prediction as a picture: the roofline chart.
 *
 * Units: operational intensity in ops per byte of external memory, performance in ops/s; 1 MAC = 2 ops.
 * Shapes: a file FOLDER/NAME.svg, .png or .pdf, with NAME.gp and NAME.dat beside it, from which gnuplot draws it again.
 * Ownership: everything is borrowed for the call.
 */
#ifndef ROOFLINE_DRAW_H
#define ROOFLINE_DRAW_H

#include "roofline/prediction.h"

ROOF_BEGIN_C

/* Draws the roofline of a prediction: the governing roof, the ceilings of the other engines, a disc for each layer (area:
 * share of the time; colour: what binds), numbers for the largest, and a legend.
 *
 * path: ends in .svg, .png or .pdf. What is there under the three names is replaced.
 * Errors: E_USAGE for another ending; E_DATA when no layer has both operations and bytes; E_DEVICE when gnuplot is
 *   not there or too old (.gp and .dat are written, the message says how to draw them); E_IO, E_NO_MEMORY.
 * Example (tests/unit/test_gnuplot.c): roof_draw_prediction(p, "net.svg", &err) leaves net.svg, net.gp and net.dat.
 */
ROOF_API roof_status roof_draw_prediction(const roof_prediction *prediction, const char *path,
                                          roof_error *err);

/* Whether a path has an ending that roof_draw_prediction draws to. */
ROOF_API bool roof_draw_is_picture(const char *path);

ROOF_END_C
#endif
