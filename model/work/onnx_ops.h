/* model/work/onnx_ops.h - what ONNX says of operators, for every reader of a graph in its words: roles of
 * inputs, element types, and how its tensors become those of roofline/graph.h.
 *
 * Units: bits.
 * Source: onnx/onnx, docs/Operators.md and onnx/onnx.proto (TensorProto.DataType).
 */
#pragma once

#include "core/core.h"
#include "roofline/graph.h"

/* Types of what is read and made by no operator. */
#define ONNX_INITIALIZER "initializer"
#define ONNX_INPUT       "input"
/* Type of an operator that stands for an output of another one behind the first, and reads that one. */
#define ONNX_OUTPUT "output"

/* Bits of an element of a TensorProto.DataType; 0: a text, or unknown. */
uint32_t onnx_element_bits(uint64_t type);

/* A tensor whose shape is unknown: no element, and 8 bits each. */
void onnx_forget_shape(roof_tensor *tensor);

/* Role of input number slot, from 0 on, of an operator of this rule. */
roof_role onnx_role(roof_rule rule, uint32_t slot);

/* Makes operators as ONNX has them those of a graph. Set before: types, edges in order with their
 * onnx_role, and of each output shape, elements and bits.
 *
 * order: of all operators, each behind those that it reads.
 * Rules: a grouped convolution with a channel in each group is depthwise; an operator that computes with a
 *   shape that is unknown has no rule.
 * Roles: constants that are computed with are weights, other ones nothing that is moved.
 * Bits: what DequantizeLinear makes has the bits of what it reads, and what is only made for a QuantizeLinear
 *   has its bits: an accelerator computes with those. Bytes follow.
 * Shapes: N C H W becomes N H W C, and weights OC IC KH KW become OC KH KW IC, through all operators that
 *   keep the order of dimensions; those of convolution transposes and depthwise ones likewise. Inputs and
 *   outputs of matrix products stay.
 * scratch: of the caller, who may free it. Cost: linear.
 * Errors: E_LIMIT when elements or bits overflow, E_NO_MEMORY.
 */
roof_status onnx_finish(roof_graph *graph, const uint32_t *order, roof_arena *scratch, roof_error *err);
