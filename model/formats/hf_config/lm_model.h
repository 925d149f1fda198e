/* model/formats/hf_config/lm_model.h - a language model of the decoder kind as its config.json describes it,
 * and the work that was asked for.
 *
 * Units: elements, tokens, bits. Ownership: all is the graph's arena.
 */
#ifndef ROOF_MODEL_LM_MODEL_H
#define ROOF_MODEL_LM_MODEL_H

#include "core/arena.h"
#include "model/graph/format.h"

struct program_builder;

/* Widths of the tensors of a block. */
typedef enum lm_width { LM_HIDDEN, LM_Q, LM_KV, LM_INNER, LM_VOCAB, LM_HEAD_DIM, LM_WIDTHS } lm_width;

enum { LM_MOST_TOKENS = 1 << 24 };

typedef struct lm_model {
    const char *name; /* as the file says, else that of the file, else its architecture */
    uint32_t width[LM_WIDTHS], layers, kv_heads;
    uint32_t positions, window; /* the longest context; tokens that attention looks back at; 0: no limit */
    bool is_tied;               /* lm_head is the table of embeddings */
    bool has_qkv_bias, has_o_bias, has_mlp_bias, has_qk_norm;
    /* Of the matrices. Where a group of weights shares a scale: how many do, and the bits that a group takes
     * beside them. */
    const char *weight_type, *asked_type; /* asked_type: NULL where the file alone decides */
    uint32_t group, group_bits;
    const char *head_type; /* of lm_head, which quantised files mostly leave as it was */
    roof_text_phase phase;
    uint32_t tokens;  /* that are worked on at a time: the prompt, or one */
    uint32_t prompt;  /* tokens of it, also where none of them is worked on */
    uint32_t context; /* tokens that attention sees at most: the prompt, or what one more is made after */
    bool is_assumed;  /* the phase or the number of tokens was not asked for */
} lm_model;

/* Operators, subgraphs and layers: one block, which is executed as often as there are, and lm_head.
 * Errors: E_LIMIT, E_NO_MEMORY. */
roof_status lm_build(roof_graph *graph, const lm_model *model, roof_error *err);

/* Rows, facts and findings. */
roof_status lm_program(struct program_builder *b);

/* The i-th workload to compare with; false: there is none. */
bool lm_alternative(const roof_graph *graph, uint32_t i, roof_arena *arena, format_alternative *out);

/* The same workload with weights of another type. */
bool lm_at_type(const roof_graph *graph, const char *type, roof_workload *out, roof_product *product);

#endif
