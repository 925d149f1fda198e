/* model/work/language_matrices.h - the matrices of a language model's layers, in one place: what counts add
 * up, and what rows multiply.
 *
 * Units: elements; _macs multiply-accumulates.
 */
#pragma once

#include "roofline/language.h"

typedef unsigned __int128 language_wide;

typedef struct language_matrix {
    roof_matrix_role role;
    uint64_t rows, columns; /* rows: of what it multiplies, a row of ggml's */
    uint32_t held, read;    /* how many of them there are, and how many a token goes through */
} language_matrix;

enum { LANGUAGE_MOST_MATRICES = 24 };

/* The matrices of one layer. Returns how many. */
uint32_t language_matrices(const roof_language_model *model, const roof_layer_kind *kind,
                           language_matrix out[LANGUAGE_MOST_MATRICES]);

/* The form of one matrix. kind NULL: of what belongs to no layer. row: elements. */
roof_weight_format language_form_of(const roof_language_model *model, const roof_layer_kind *kind,
                                    const roof_weight_format *weights, roof_matrix_role role, uint64_t row);

/* The form of ggml's blocks of so many weights: whole bits of each, and what is left of the block, which has
 * at least a scale. */
#define FORM_OF_BLOCK(name, weights, bytes, stored)                                                          \
    {                                                                                                        \
        name, (weights) > 1 ? ((bytes)*8 - 1) / (weights) : (bytes)*8, (weights) > 1 ? (weights) : 0,        \
            (weights) > 1 ? (bytes)*8 - ((bytes)*8 - 1) / (weights) * (weights) : 0, stored                  \
    }

/* True if it is a file of llama.cpp, whose tensors are of several forms. */
bool weight_format_is_file(const roof_weight_format *format);

/* True if layer i of n has the form of more bits. */
bool language_has_more(const roof_weight_format *weights, bool is_down, uint32_t i, uint32_t n);

/* Multiply-accumulates of the mixers of a layer in the phase, beside products with weights: attention, and
 * states. */
language_wide language_attention_macs(const roof_language_model *model, const roof_layer_kind *kind,
                                      const roof_language_point *point);
language_wide language_state_macs(const roof_language_model *model, const roof_layer_kind *kind,
                                  const roof_language_point *point);

bool language_has_attention(const roof_layer_kind *kind);
bool language_has_mamba(const roof_layer_kind *kind);

/* True where two kinds differ in their counts alone. */
bool language_kinds_alike(const roof_layer_kind *a, const roof_layer_kind *b);
