/* model/formats/tflite/tflite_graph.h - the graph of the main subgraph of a TFLite file.
 *
 * Operators stand in this order: those of the file, so that their numbers are the file's; further outputs of
 * operators; what no operator makes. TFLite operators have no names: each has that of its first output.
 */
#ifndef ROOF_MODEL_TFLITE_GRAPH_H
#define ROOF_MODEL_TFLITE_GRAPH_H

#include "model/formats/tflite/tflite_model.h"

/* Errors: E_DATA with the operator or tensor, E_LIMIT, E_NO_MEMORY. */
roof_status tflite_build_graph(const tflite_model *model, roof_graph *graph, tflite_notes *notes,
                               roof_error *err);

#endif
