/* model/work/op_program.h - rows of work from operators: of an uncompiled graph each operator that computes
 * is a row, of a compiled one each layer.
 *
 * Ownership: as in model/graph/program_build.h.
 */
#pragma once

#include "model/graph/program_build.h"
#include "model/work/cost.h"

/* Sets name, type, shape and ops of the row of a layer, as it is called for people: "conv+dw", "224x224x3 ->
 * 112x112x32 k3x3 s2x2". */
roof_status op_program_set_texts(program_builder *b, const roof_layer *layer, roof_row *row);

/* The op that says most about the shape of a layer: the first one with MACs, else the first that computes.
 * NULL: none does. */
const roof_op *op_program_main(const roof_graph *graph, const roof_layer *layer);

/* The rule of a word of such a type: "dw" and "Relu" in "dw+Relu". */
roof_rule op_program_rule_of(text_span word);

/* Adds what is known of an operator's work. Errors: E_LIMIT. */
roof_status op_program_add_work(roof_row *row, const op_work *work, roof_error *err);

/* Puts the operator of a row that computes most in front of its operators: that of the demand with most
 * multiply-accumulates, then operations. given: what an operator of the demands is of the graph that was
 * given; NULL: the same. */
void op_program_lead(const roof_row *row, const uint32_t *given, uint32_t *operators);

/* Sums the operators of a layer, one demand each; the row stands for them. A layer of which no operator has a
 * rule has unknown work, not none.
 * Errors: those of op_work_of, E_NO_MEMORY. */
roof_status op_program_set_operators(program_builder *b, const roof_layer *layer,
                                     const workload_convention *convention, roof_row *row);

/* Each operator that computes is a layer, in this order, and so are the first n_all operators of the graph,
 * whatever they do: 0 of a graph that is not compiled. All is of the first subgraph, which is made where
 * there is none. Errors: E_NO_MEMORY. */
roof_status op_program_set_layers(roof_graph *graph, const uint32_t *order, uint32_t n_all, roof_error *err);

/* The rows of an uncompiled graph: one for each layer, which is a single operator, with bytes by its tensors.
 * Where the file says who runs an operator (out->is_placed), its device's kind is the row's executor; else
 * what accelerators usually take. CPU operators have operations, but no traffic of the accelerator.
 * Errors: as above. */
roof_status op_program(program_builder *b, const workload_convention *convention);

/* The same of a model as it was trained or exported, for whatever hardware; said where nothing lowers it. */
roof_status op_program_of_model(program_builder *b);
