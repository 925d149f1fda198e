/* model/formats/ai_engine/code_graph.h - what formats of control code share: the graph around a stream, and
 * its program. */
#pragma once

#include "model/graph/format.h"

/* The graph of the stream in graph->storage, or of the product that was requested alone. types: of the
 * product's A, B and C where the file states them and its name the product; NULL. Errors: E_NO_MEMORY. */
roof_status code_graph_build(roof_graph *graph, const char *const types[3], roof_error *err);

/* See model/graph/format.h. */
#define CODE_FORMAT                                                                                          \
    .takes_product = true, .program = code_graph_program, .hardware = code_graph_hardware,                   \
    .hash = code_graph_hash
roof_status code_graph_program(struct program_builder *b);
roof_status code_graph_hardware(const roof_graph *graph, roof_hw **out, roof_error *err);
void code_graph_hash(const roof_graph *graph, graph_hash_value hash, void *hasher);
