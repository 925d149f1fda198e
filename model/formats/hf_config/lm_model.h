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

enum { LM_MOST_TOKENS = 1 << 24 };

typedef struct lm_model {
    roof_language_model shape;
    const char *asked_type; /* of the weights; NULL where the file alone decides */
    bool has_qkv_bias, has_o_bias, has_mlp_bias, has_qk_norm;
    const char *types;         /* of the operands of products: "bf16xq4_1" */
    uint32_t norms;            /* of a layer; 0: vectors of the family are not counted */
    roof_language_point point; /* that was asked for; the forms of weights and cache */
    roof_weight_format head;   /* of lm_head, which quantised files mostly leave as it was */
    uint32_t prompt;           /* tokens of it, also where none of them is worked on */
    bool is_assumed;           /* the phase or the number of tokens was not asked for */
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
