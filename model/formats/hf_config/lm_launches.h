/* model/formats/hf_config/lm_launches.h - what a block of a language model is made of: launches, and the rows
 * that they are grouped into.
 *
 * Source: Xilinx/mlir-air programming_examples/llms/llama32_1b, docs/profile.md and the builders of its ELF
 *   files.
 */
#pragma once

#include "model/formats/hf_config/lm_model.h"

enum { LM_ACTIVATION_BITS = 16 }; /* bf16 */

enum {
    LM_X, /* the input of a block, or of lm_head */
#define LAUNCH(name, ...) LM_##name,
#include "model/formats/hf_config/lm_launches.def"
#undef LAUNCH
    LM_LAUNCHES
};

typedef enum lm_kind {
    LM_NORM,
    LM_PRODUCT,
    LM_ROPE,
    LM_ATTEND,
    LM_DELTA_NET,
    LM_SHORT_CONV,
    LM_SCAN,
    LM_ADD,
    LM_MULTIPLY,
    LM_KINDS
} lm_kind;

/* Widths of a token's tensors in a block. */
typedef enum lm_width {
#define WIDTH(name, elements) LM_##name,
#include "model/formats/hf_config/lm_widths.def"
#undef WIDTH
} lm_width;

/* Names of a launch, and of its inputs beside activations. */
enum { LM_OWN_NAME, LM_WEIGHT, LM_SCALES, LM_BIAS, LM_ANGLES, LM_NAMES };

typedef struct lm_launch {
    const char *names[LM_NAMES];
    lm_kind kind;
    lm_width width; /* of a token in what it makes */
    uint8_t inputs[3];
    roof_matrix_role role; /* of the matrix of a product, but for those of networks */
} lm_launch;

enum { LM_BLOCK_ROWS = LANGUAGE_BLOCK_ROWS };

typedef struct lm_row {
    const char *names[2]; /* by phase */
    uint32_t first, last; /* launches */
} lm_row;

extern const lm_row lm_rows[LM_BLOCK_ROWS + 1];

/* The kind of layers that a row of the graph is of; NULL: lm_head's. lm_row_part: its place in lm_rows. */
const roof_layer_kind *lm_row_layers(const lm_model *model, uint32_t row);
uint32_t lm_row_part(const lm_model *model, uint32_t row);

uint32_t lm_width_of(const lm_model *model, const roof_layer_kind *k, lm_width width);

/* The types of operators: of launches, of constants, of what is given. */
enum { LM_A_CONSTANT = LM_KINDS, LM_GIVEN, LM_OP_TYPES };
extern const char *const lm_op_types[LM_OP_TYPES];

/* A graph of one block of each kind of layers, and the head, while it is made; what makes it begins with
 * this. */
typedef struct lm_maker {
    roof_graph *graph;
    const lm_model *model;
    uint32_t layer; /* the row that is made */
    roof_rule rules[LM_OP_TYPES];
} lm_maker;

/* type: an lm_kind, LM_A_CONSTANT or LM_GIVEN. */
uint32_t lm_add_op(lm_maker *maker, const char *name, uint32_t type, const uint32_t dims[3], uint32_t bits);

/* Room for so many operators, and as many edges; then each row, whose name and operators put_row adds.
 * Errors: E_NO_MEMORY. */
roof_status lm_make_graph(lm_maker *maker, uint32_t n_ops, void (*put_row)(lm_maker *maker, uint32_t row),
                          roof_error *err);

/* Multiply-accumulates of a product whose width does not follow from its input in the graph; 0 for all
 * others. */
uint64_t lm_own_macs(const lm_model *model, const roof_op *op);

/* True if it attends to an encoder's output. */
bool lm_is_cross(const roof_op *op);

/* LM_KINDS: the operator is no launch. */
lm_kind lm_kind_of(const roof_op *op);
