/* model/formats/stored/stored_names.h - what a tensor is, by its name: as llama.cpp writes it
 * ("blk.3.attn_k.weight") and as Hugging Face's library does ("model.layers.3.self_attn.k_proj.weight").
 *
 * Ownership: spans point into the name.
 */
#ifndef ROOF_MODEL_STORED_NAMES_H
#define ROOF_MODEL_STORED_NAMES_H

#include "core/span.h"

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

stored_name stored_name_of(text_span name);

#endif
