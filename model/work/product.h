/* model/work/product.h - a matrix product as a graph and as work: what control code computes when somebody
 * says it.
 *
 * Units: bytes; m, k, n elements.
 */
#pragma once

#include "core/core.h"
#include "roofline/work.h"

/* Bits of an element of a data type, and its own name: "int8" for "i8". 0, NULL: unknown. */
uint32_t data_type_bits(const char *name);
const char *data_type_name(const char *name, size_t length);
/* The own names of all; NULL behind the last of at most 16. */
enum { MOST_DATA_TYPES = 16 };
const char *data_type_at(size_t i);

/* An operator without inputs. dims: 1 to 3, ended by 0 when fewer; their product's bits fit 64 bits. */
void product_make_op_by(roof_op *op, const char *name, const char *type, roof_rule rule,
                        const uint32_t dims[3], uint32_t bits);

/* The product that an operator's name states, "sc_insts_256x256x256_64x64x32" of mlir-aie's examples or
 * "gemm_4x2_a16w8acc16_1024_2560_640" of DynamicDispatch; false: it states none. Names of convolutions never
 * do. */
bool product_of_name(const char *stem, roof_product *out);

/* The network's only operator, in a layer of that name: graph gets ops, edges, subgraphs and layers. product:
 * NULL, or one of unknown types, makes a layer without operators. target: what it is compiled for; NULL:
 * uncompiled. Errors: E_NO_MEMORY. */
roof_status product_build(roof_graph *graph, const roof_product *product, const char *layer,
                          const char *target, roof_error *err);

/* Errors: E_LIMIT. */
roof_status product_macs(const roof_product *product, uint64_t *out, roof_error *err);

/* Demand of a product; and its traffic, where no code states it: each tensor once. */
void product_traffic(const roof_graph *graph, const roof_product *product, roof_work *work);
roof_status product_demand(const roof_graph *graph, const roof_product *product, roof_demand *out,
                           roof_arena *arena, roof_error *err);
