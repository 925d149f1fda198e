/* model/formats/hf_config/lm_launches.h - what a block of a language model is made of: launches, and the rows
 * that they are grouped into.
 *
 * Source: Xilinx/mlir-air programming_examples/llms/llama32_1b, docs/profile.md and the builders of its ELF
 *   files.
 */
#ifndef ROOF_MODEL_LM_LAUNCHES_H
#define ROOF_MODEL_LM_LAUNCHES_H

#include "model/formats/hf_config/lm_model.h"

enum { LM_ACTIVATION_BITS = 16 }; /* bf16 */

enum {
    LM_X, /* what goes into a block, or into lm_head */
    LM_INPUT_NORM,
    LM_Q_PROJ, /* of linear attention and short convolutions all that the mixer is given */
    LM_K_PROJ,
    LM_V_PROJ,
    LM_Q_NORM,
    LM_K_NORM,
    LM_Q_ROPE,
    LM_K_ROPE,
    LM_MIXER,
    LM_O_PROJ,
    LM_ADD_MIXER,
    LM_OUTPUT_NORM,
    LM_ROUTER,
    LM_GATE,
    LM_UP,
    LM_SILU_MUL,
    LM_DOWN,
    LM_ADD_NETWORK,
    LM_LAYER_INPUT,
    LM_LAYER_GATE,
    LM_LAYER_PROJ,
    LM_HEAD,
    LM_LAUNCHES
};

typedef enum lm_kind {
    LM_NORM,
    LM_PRODUCT,
    LM_ROPE,
    LM_ATTEND,
    LM_DELTA_NET,
    LM_SHORT_CONV,
    LM_ADD,
    LM_MULTIPLY,
    LM_KINDS
} lm_kind;

/* Widths of a token's tensors in a block. */
typedef enum lm_width {
    LM_HIDDEN,
    LM_MIXED, /* what the projections give to the mixer; of attention with a gate, queries and gate */
    LM_Q,     /* what the mixer makes */
    LM_KV,
    LM_EXPERTS,
    LM_INNER, /* of all experts that a token goes through */
    LM_INPUT, /* of the embedding that each layer has of its own */
    LM_VOCAB,
    LM_WIDTHS
} lm_width;

/* What a launch is called, and what it reads beside activations. */
enum { LM_OWN_NAME, LM_WEIGHT, LM_SCALES, LM_BIAS, LM_ANGLES, LM_NAMES };

typedef struct lm_launch {
    const char *names[LM_NAMES];
    lm_kind kind;
    lm_width width; /* of a token in what it makes */
    uint8_t inputs[3];
} lm_launch;

enum { LM_BLOCK_ROWS = LANGUAGE_BLOCK_ROWS };

typedef struct lm_row {
    const char *names[2]; /* by phase */
    uint32_t first, last; /* launches */
} lm_row;

extern const lm_row lm_rows[LM_BLOCK_ROWS + 1];

/* The kind of layers that a row of the graph is of; NULL: lm_head's. Which of lm_rows it is. */
const roof_layer_kind *lm_row_layers(const lm_model *model, uint32_t row);
uint32_t lm_row_part(const lm_model *model, uint32_t row);

uint32_t lm_width_of(const lm_model *model, const roof_layer_kind *k, lm_width width);

/* LM_KINDS: the operator is no launch. */
lm_kind lm_kind_of(const roof_op *op);

#endif
