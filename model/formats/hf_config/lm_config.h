/* model/formats/hf_config/lm_config.h - what a config.json says, before it is a model: keys under all their
 * names, the family, and how its weights are quantised.
 *
 * Units: elements. Ownership: all is the graph's arena. Counts that the file does not say are 0.
 */
#pragma once

#include "core/json/jsontree.h"
#include "roofline/language.h"

enum { LM_MOST_WIDTH = 1 << 22, LM_MOST_LAYERS = 1 << 12, LM_MOST_PATTERNS = 1 << 12 };

/* How a family states what mixes tokens in each of its layers. */
typedef enum lm_rule {
    LM_BY_TYPES, /* layer_types, else a pattern, else all alike */
    LM_CHUNKED,  /* Llama 4: attention within chunks, but for each fourth layer */
    LM_MAMBA,    /* state spaces alone */
    LM_BESIDE,   /* a state space beside each attention */
    LM_LETTERS,  /* hybrid_override_pattern: M, *, E and -, of which two make a layer */
    LM_PERIOD    /* attention in each layer whose number modulo attn_layer_period is attn_layer_offset */
} lm_rule;

typedef struct lm_family {
    const char *names;     /* of model types, which spaces separate */
    const char *attention; /* kind of kernel, of which a class is named */
    roof_mixer other;      /* mixer of layers that are not full, by a pattern or a type */
    lm_rule rule;
    uint32_t norms;   /* of a layer; 0: its vectors are not counted */
    uint32_t pattern; /* each how many-th layer is full, where the file does not say */
    uint32_t mamba;   /* version of its state spaces */
    bool has_qkv_bias, reads_bias, has_qk_norm, has_window, is_plain, is_tied, has_gate, has_fused_keys,
        has_shared_expert, has_unused_keys;
    bool is_assumed; /* no family: what the usual keys mean */
} lm_family;

/* A number for each layer, or the same for all. */
typedef struct lm_list {
    const uint32_t *values; /* NULL: the file has no list */
    uint32_t n;
} lm_list;

typedef struct lm_quantised {
    const char *method; /* NULL: the file is not quantised */
    roof_weight_format form;
    const char **left_out; /* patterns of modules that are not */
    uint32_t n_left_out;
    bool has_head, has_embeddings, has_routers, has_experts_alone;
    const char *refused; /* why its form is unknown; NULL: it is known */
} lm_quantised;

typedef struct lm_config {
    const lm_family *family;
    const char *model_type, *name; /* name NULL: not said */
    const char *unseen;            /* a part beside the decoder: "vision_config"; NULL */
    roof_language_model shape;     /* without its kinds of layers */
    uint32_t inner, mlp_inner, expert_inner, head_dim, global_head_dim, window, full_interval, window_pattern,
        shared_caches;
    uint32_t block_inner, block_multiple, full_layers, chunk;
    /* experts: layer i has them where i >= first_experts, i <= last_experts, i mod every = at */
    uint32_t first_experts, last_experts, experts_every, experts_at, sparse_step, interleaved,
        experts_interval;
    uint32_t attention_every, attention_at, shared_experts, expand, mamba_head_dim, prediction_layers;
    const char **layer_types; /* NULL: not said */
    uint32_t n_layer_types;
    lm_list inners, dense, attention_at_layers, positions_at, has_experts;
    const char *letters; /* of hybrid_override_pattern, or of a pattern of windows */
    bool attention_bias, mlp_bias, uses_window, has_double_networks, adjusts_inner, has_no_window;
    lm_quantised quantised;
} lm_config;

/* The first member that is there, and not null, of keys that spaces separate; NULL: none is. */
const cJSON *lm_first_of(const cJSON *object, const char *keys);

/* Reads the keys of a decoder: o the document, decoder the object with its shapes, which may be the same. */
roof_status lm_read_config(jsontree *t, const cJSON *o, const cJSON *decoder, lm_config *f);

/* NULL: none has the name. */
const lm_family *lm_family_named(const char *name);

/* A decoder of the usual keys, or an error that names the key which states another kind. */
roof_status lm_assume_family(const cJSON *decoder, const char *model_type, const lm_family **out,
                             roof_error *err);

/* The names of the i-th family, which spaces separate; NULL behind the last. */
const char *lm_family_names(uint32_t i);

/* Checks, and lists the kinds of layers. */
roof_status lm_list_layers(lm_config *f, const roof_weight_format *weights, roof_error *err);

/* Reads quantization_config, compression_config or MLX's quantization. */
void lm_read_quantised(jsontree *t, const cJSON *o, lm_quantised *q);

/* Bits of roof_matrix_role that are left as they were: of a layer, of experts or dense. layer
 * LM_MOST_LAYERS: of what belongs to none. */
roof_status lm_kept(const lm_quantised *q, uint32_t layer, uint32_t *out, roof_error *err);
