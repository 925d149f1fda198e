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
    LM_Q_PROJ,
    LM_K_PROJ,
    LM_V_PROJ,
    LM_Q_NORM,
    LM_K_NORM,
    LM_Q_ROPE,
    LM_K_ROPE,
    LM_ATTENTION,
    LM_O_PROJ,
    LM_ADD_ATTENTION,
    LM_OUTPUT_NORM,
    LM_GATE,
    LM_UP,
    LM_SILU_MUL,
    LM_DOWN,
    LM_ADD_NETWORK,
    LM_HEAD,
    LM_LAUNCHES
};

typedef enum lm_kind { LM_NORM, LM_PRODUCT, LM_ROPE, LM_ATTEND, LM_ADD, LM_MULTIPLY, LM_KINDS } lm_kind;

typedef struct lm_launch {
    const char *name;
    lm_kind kind;
    lm_width width; /* of a token in what it makes */
    uint8_t inputs[3];
} lm_launch;

enum { LM_ROWS = 4 };

typedef struct lm_row {
    const char *names[2]; /* by phase */
    uint32_t first, last; /* launches */
} lm_row;

extern const lm_row lm_rows[LM_ROWS];

/* LM_KINDS: the operator is no launch. */
lm_kind lm_kind_of(const roof_op *op);

#endif
