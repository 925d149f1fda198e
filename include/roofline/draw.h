/* roofline/draw.h - a prediction as a picture: the roofline chart; and several as one: times side by side.
 *
 * Units: operational intensity in ops per byte of external memory, performance in ops/s; 1 MAC = 2 ops.
 * Shapes: a file FOLDER/NAME.svg, .png or .pdf, with NAME.gp and NAME.dat beside it, from which gnuplot draws
 *   it again.
 * Ownership: everything is borrowed for the call.
 */
#ifndef ROOFLINE_DRAW_H
#define ROOFLINE_DRAW_H

#include "roofline/configurations.h"
#include "roofline/pareto.h"
#include "roofline/history.h"
#include "roofline/language.h"
#include "roofline/memory.h"
#include "roofline/predictions.h"
#include "roofline/model_diff.h"

ROOF_BEGIN_C

/* While gnuplot draws: how many pictures of how many are there, which one is waited for ("roofline-net.svg")
 * and for how long already. */
typedef struct roof_draw_progress {
    uint32_t drawn, of;
    const char *picture;
    double waited_s, most_s; /* at most_s gnuplot is ended, and the rest is written without the picture */
} roof_draw_progress;

/* Progress callback, called when another picture is waited for, and each second. */
typedef struct roof_draw_watch {
    void (*tell)(void *context, const roof_draw_progress *now); /* NULL: none */
    void *context;
} roof_draw_watch;

/* Draws the roofline of a prediction: the governing roof, the ceilings of the other engines, a disc for each
 * layer (area: share of the time; colour: the bottleneck), numbers for the largest, and a legend. Where the
 * prediction is of a load: images per second and latency over threads, with their ceilings.
 *
 * path: ends in .svg, .png or .pdf. Files of the three names are replaced.
 * watch: NULL for none.
 * Errors: E_USAGE for another ending; E_DATA when no layer has both operations and bytes; E_DEVICE when
 *   gnuplot is not there, too old, or at the picture for more than 20 s (.gp and .dat are written, the
 *   message says how to draw them); E_IO, E_NO_MEMORY.
 * Example (tests/unit/test_gnuplot.c): roof_draw_prediction(p, "net.svg", NULL, &err) leaves net.svg, its
 * script and its data.
 */
ROOF_API roof_status roof_draw_prediction(const roof_prediction *prediction, const char *path,
                                          const roof_draw_watch *watch, roof_error *err);

/* Draws networks on boards side by side, the fastest first: bounds and expected times. Files as above.
 *
 * Errors: as above; E_DATA when no pair has a time. */
ROOF_API roof_status roof_draw_predictions(const roof_predictions *predictions, const char *path,
                                           const roof_draw_watch *watch, roof_error *err);

/* Draws the configurations of a board: images per second over cost, those that are held, the Pareto front,
 * and the requested rate. Files as above.
 *
 * Errors: as above; E_DATA when no rate is known. */
ROOF_API roof_status roof_draw_configurations(const roof_configurations *configurations, const char *path,
                                              const roof_draw_watch *watch, roof_error *err);

/* Draws each Pareto front of a sweep: rates over costs, a panel for each front, with the line of the front.
 * Files as above.
 *
 * Errors: as above; E_DATA when no configuration has a result. */
ROOF_API roof_status roof_draw_pareto(const roof_pareto *pareto, const char *path,
                                      const roof_draw_watch *watch, roof_error *err);

/* Draws the curve of a language model as two pictures. FOLDER/NAME.svg: the time of a step over the length of
 * its context and that of a prompt over its own, what is expected with its interval, the bound, what was
 * measured. FOLDER/NAME-memory.svg: weights, states and cache over the same lengths, with the memory that
 * they are known to fit into and not to. Files of both as above.
 *
 * Errors: as above; E_DATA when no time is known.
 * Example (tests/unit/test_chart_curve.c): roof_draw_curve(c, "net.svg", NULL, &err) leaves both. */
ROOF_API roof_status roof_draw_curve(const roof_curve *curve, const char *path, const roof_draw_watch *watch,
                                     roof_error *err);

/* Draws a series of runs: each of them, the medians between two changes with their intervals, and where it
 * changed. Files as above.
 *
 * Errors: as above; E_USAGE where there are several series. */
ROOF_API roof_status roof_draw_trends(const roof_history_trends *trends, const char *path,
                                      const roof_draw_watch *watch, roof_error *err);

/* Draws the bytes that are live over the rows of a network, of the pools that are filled together with
 * the one that sets the peak: what is reserved, what there is, the peak's row by name. Files as above.
 *
 * Errors: as above; E_DATA when no lifetimes of buffers are known. */
ROOF_API roof_status roof_draw_memory(const roof_memory *memory, const char *path,
                                      const roof_draw_watch *watch, roof_error *err);

/* Draws the graph of a network: rows in frames of the blocks that they are in, as dark as their part of the
 * time that is lost, expected above the ideal, or of all of it where none is known to be lost; and the
 * tensors between them, with their bytes, those that go through external memory apart from those that stay
 * on chip. With more than 300 rows blocks stay closed. Files FOLDER/NAME.svg, .png or .pdf and NAME.dot, from
 * which Graphviz's dot draws it again.
 *
 * graph: that was predicted, with roof_predict_options.names_operators.
 * most_boxes: blocks are opened, the outer ones first, as long as there are no more boxes; 0: 300.
 * Errors: E_USAGE for another ending; E_DATA where the file has no edges, or the prediction names no
 *   operators; E_DEVICE when dot is not there, or at it for more than 20 s (.dot is written, the message says
 *   how to draw it); E_IO, E_NO_MEMORY.
 * Example (tests/unit/test_network_picture.c): roof_draw_graph(g, p, 0, "graph.svg", &err) leaves
 * graph.svg and graph.dot. */
ROOF_API roof_status roof_draw_graph(const roof_graph *graph, const roof_prediction *prediction,
                                     uint32_t most_boxes, const char *path, roof_error *err);

/* Draws two networks side by side, as roof_model_diff_find paired their rows: what belongs together is in
 * line, what differs has a thick frame, and where one of them has nothing a dashed one is left. Code that
 * names no operators has the edges of the first network. Files, most_boxes and errors as above; E_DATA also
 * where no layer is in both.
 *
 * before, after: the graphs that were compared. */
ROOF_API roof_status roof_draw_model_diff(const roof_model_diff *diff, const roof_graph *before,
                                          const roof_graph *after, uint32_t most_boxes, const char *path,
                                          roof_error *err);

/* True where a path requests the graph in place of the roofline: its name is "graph", or ends in "-graph",
 * before the ending. */
ROOF_API bool roof_draw_is_graph(const char *path);

/* True where a path has an ending that roof_draw_prediction draws to. */
ROOF_API bool roof_draw_is_picture(const char *path);

ROOF_END_C
#endif
