/* model/formats/stored/stored_model.h - a language model of the tensors that a file of weights lists, exact
 * to the byte, and of the few numbers beside them that follow from no shape.
 *
 * Units: bytes, elements. Dimensions begin with the length of a row. Ownership: all is the graph's arena,
 * but for names of tensors and the list, which may be of its scratch.
 */
#pragma once

#include "model/formats/hf_config/lm_model.h"

enum { STORED_MOST_DIMS = 4, STORED_MOST_LAYERS = 1 << 12 };

typedef struct stored_tensor {
    text_span name;
    uint64_t dims[STORED_MOST_DIMS];
    uint32_t n_dims;
    const roof_weight_format *form; /* static */
    uint64_t elements, bytes;
    bool is_packed; /* an element holds several weights */
} stored_tensor;

typedef struct stored_list {
    stored_tensor *tensors;
    uint32_t n;
} stored_list;

/* ROOF_NONE for facts that the file does not state; the largest one where layers differ. */
typedef struct stored_facts {
#define FACT(member, gguf, config) uint32_t member;
#include "model/formats/stored/facts.def"
#undef FACT
    const char *architecture; /* NULL: not said */
    bool counts_further;      /* layers include those that predict further tokens */
    /* By layer, over and over again where there are fewer: whether it looks back at the window alone. NULL:
     * by the period. */
    const bool *is_sliding;
    uint32_t n_sliding;
    bool has_keys; /* false: nothing but tensors is known */
} stored_facts;

/* Nothing is known. */
stored_facts stored_nothing(void);

/* The model and its graph, as requested. Errors: E_DATA, E_LIMIT, E_UNSUPPORTED: no language model of the
 * decoder kind; E_USAGE: another weight type is requested than the file has. */
roof_status stored_build(roof_graph *graph, const stored_list *list, const stored_facts *facts,
                         roof_error *err);

/* ---- names --------------------------------------------------------------------------------------------- */

typedef enum stored_use {
    STORED_READ,  /* once a step */
    STORED_TABLE, /* of embeddings, which is the head as well where there is no other */
    STORED_HEAD,
    STORED_GATHERED, /* a row of it for a token */
    STORED_FURTHER,  /* predicts further tokens */
    STORED_SENSES,   /* sees or hears */
    STORED_ENCODER,
    STORED_USES
} stored_use;

/* Role of a tensor, whose shape gives sizes of its layer. */
typedef enum stored_role {
    STORED_OTHER,
    STORED_K, /* matrices, up to STORED_UP */
    STORED_V,
    STORED_Q,
    STORED_QKV,
    STORED_LATENT, /* latent attention: what its cache holds */
    STORED_O,
    STORED_UP,
    STORED_LATENT_NORM, /* as wide as that without the rotated part */
    STORED_Q_NORM,
    STORED_SINKS,
    STORED_STATE,    /* of a linear mixer */
    STORED_STATE_IN, /* of a state space, what it is given; delta nets have other names for it */
    STORED_TAPS,     /* of a short convolution */
    STORED_ASIDE,    /* scales and the like, beside a packed matrix */
    STORED_ROLES
} stored_role;

typedef struct stored_name {
    stored_use use;
    stored_role role;
    uint32_t block;     /* ROOF_NONE: it is of no layer */
    text_span rest;     /* behind the number of the layer, or all */
    text_span expert;   /* the digits of an expert's number in it; empty: it has none */
    bool is_after;      /* works on what the mixer made */
    bool is_of_experts; /* of which a token uses some */
} stored_name;

/* What a tensor is, by its name as llama.cpp writes it ("blk.3.attn_k.weight"), and as Hugging Face's library
 * does ("model.layers.3.self_attn.k_proj.weight"). */
stored_name stored_name_of(text_span name);

/* ---- for the graph of it ------------------------------------------------------------------------------- */

/* Tensors of one name; of experts that are tensors each, all of them. */
typedef struct stored_matrix {
    const char *name;
    uint32_t block; /* ROOF_NONE: it is of no layer */
    bool is_after;  /* works on what the mixer made */
    bool is_plain;  /* a matrix that a token is multiplied with; else only its bytes count */
    stored_role role;
    const roof_weight_format *form;
    uint64_t columns, rows; /* of one expert */
    uint64_t experts;       /* 0: it is of none */
    uint64_t elements, bytes;
    uint64_t read_elements, read_bytes; /* by one step; ROOF_UNKNOWN */
    bool is_packed, is_head, is_unread;
} stored_matrix;

typedef struct stored_model {
    stored_matrix *matrices; /* block by block, in the file's order; those of no layer last */
    uint32_t n_matrices;
    uint32_t first[ROOF_MOST_LAYER_KINDS], n[ROOF_MOST_LAYER_KINDS]; /* of one layer of each kind */
    uint32_t block[ROOF_MOST_LAYER_KINDS];                           /* its number */
    uint32_t first_alone;
    uint64_t q_width[ROOF_MOST_LAYER_KINDS]; /* of what attention makes of a token */
} stored_model;

/* lm_model.build of such a model. */
roof_status stored_graph_build(roof_graph *graph, const lm_model *model, roof_error *err);
