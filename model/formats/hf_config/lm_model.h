/* model/formats/hf_config/lm_model.h - a language model of the decoder kind as its config.json describes it,
 * and the work that was requested.
 *
 * Units: elements, tokens, bits. Ownership: all is the graph's arena.
 */
#pragma once

#include "model/graph/format.h"
#include "roofline/work.h"

struct program_builder;

enum { LM_MOST_TOKENS = 1 << 24 };

typedef struct lm_model {
    roof_language_model shape;
    const char *requested_type; /* of the weights; NULL where the file alone decides */
    bool has_qkv_bias, has_o_bias, has_mlp_bias, has_qk_norm;
    const char *types;          /* of the operands of products: "bf16xq4_1" */
    const char *assumed_type;   /* of an architecture that is read by the usual keys alone; NULL */
    const char *kept;           /* left unquantised in the file: "routers, the head"; NULL: nothing */
    const char *unseen;         /* the key of a part that is not counted; NULL */
    uint32_t prediction_layers; /* in files, not read by a step */
    roof_language_point point;  /* the requested one; the weight types and cache */
    uint32_t prompt;            /* tokens of it, also where none of them is worked on */
    bool is_assumed;            /* the phase or the number of tokens was not requested */
    /* Operators, subgraphs and layers of the graph. Errors: E_LIMIT, E_NO_MEMORY. */
    roof_status (*build)(roof_graph *graph, const struct lm_model *model, roof_error *err);
    /* For a file of weights, else NULL and 0: its tensors (model/formats/stored/stored_model.h), the bytes of
     * each form, and why nothing can be predicted. */
    const struct stored_model *tensors;
    const roof_fact *forms;
    uint32_t n_forms;
    const char *not_known;
} lm_model;

/* The phase and its tokens, as requested. Errors: E_USAGE. */
roof_status lm_set_tokens(lm_model *model, const roof_workload *workload, roof_error *err);

/* The model is the graph's, which is built. Errors: those of build. */
roof_status lm_begin(roof_graph *graph, const lm_model *model, roof_error *err);

/* The same model at another point (graph_format.at_point), and what the graph has one block of. */
roof_status lm_at_point(roof_graph *graph, const roof_language_point *point, roof_error *err);
void lm_hash(const roof_graph *graph, graph_hash_value hash, void *hasher);

/* It is uncompiled (graph_format.hardware). */

/* One block of each kind of layers, which is executed as often as there are, and lm_head. Errors: E_LIMIT,
 * E_NO_MEMORY. */
roof_status lm_build(roof_graph *graph, const lm_model *model, roof_error *err);

/* Rows, facts and findings. */
roof_status lm_program(struct program_builder *b);

/* The i-th workload to compare with; false: there is none. */
bool lm_alternative(const roof_graph *graph, uint32_t i, roof_arena *arena, format_alternative *out);

/* The same workload with weights of another type. */
bool lm_at_type(const roof_graph *graph, const char *type, roof_workload *out, roof_product *product);

/* Members that all formats of a language model share (graph_format). */
#define LM_FORMAT                                                                                            \
    .takes_text = true, .program = lm_program, .hash = lm_hash, .alternative = lm_alternative,               \
    .at_type = lm_at_type, .at_point = lm_at_point
