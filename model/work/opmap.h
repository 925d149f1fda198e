/* model/work/opmap.h - from the name of an operator to the rule that counts its work. */
#pragma once

#include "roofline/graph.h"

/* ROOF_RULE_UNKNOWN when ops.def does not have it. */
roof_rule rule_of(const char *type);

/* True where the rule of an op is known, and its shapes are not, so that nothing is counted. */
bool rule_lacks_shape(const roof_op *op);

/* True for ops that do arithmetic, as opposed to naming, moving or converting data. */
bool rule_computes(roof_rule rule);

/* True for ops that the compilers of Vitis AI put on a DPU; the others run on the CPU. */
bool rule_on_accelerator(roof_rule rule);

/* True for the rules whose multiply-accumulates are counted. */
bool rule_has_macs(roof_rule rule);
