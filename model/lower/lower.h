/* model/lower/lower.h - the rows that a target's compiler would make of an uncompiled graph.
 *
 * Units: bytes; rows and operators are indices, ROOF_NONE means none.
 * Ownership: the lowered graph and all below are the arenas' of the program builder.
 *
 * Lowering goes in four steps. A copy of the graph is made, which rules may change. The rules of the target
 * say of each operator, in an order in which they can run, what becomes of it (lower_fate). Rows are put into
 * the order in which they run. Then each row gets its operators and bytes.
 */
#pragma once

#include "model/graph/program_build.h"
#include "model/work/cost.h"
#include "roofline/hw.h"

_Static_assert(ROOF_RULE_COUNT <= 32, "a set of rules is a mask of as many bits");

/* True if there is something to lower: an uncompiled graph, and rules for this hardware. */
bool lower_applies(const roof_graph *graph, const roof_hw *hw);

/* The program of a graph as the hardware runs it, lowered where there is something to lower: program_build
 * with lower_program. without_rules: as program_lowering has them. Errors: those of both. */
roof_status lower_build(const roof_graph *graph, const roof_hw *hw, uint32_t without_rules, roof_arena *texts,
                        roof_arena *rows, roof_program *out, roof_error *err);

/* The rows of a program, for program_lowering: those of b->out, whose graph becomes the lowered one.
 * Errors: E_LIMIT (counts that overflow, concatenations without end), E_NO_MEMORY. */
roof_status lower_program(program_builder *b, const workload_convention *convention);
