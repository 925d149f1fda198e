/* tests/support/weights_writer.h - writes headers of weights: GGUF as llama.cpp's converter does,
 * safetensors as Hugging Face's library does, of small models of the decoder kind; and each fault that a
 * reader has to see.
 */
#ifndef ROOF_TESTS_SUPPORT_WEIGHTS_WRITER_H
#define ROOF_TESTS_SUPPORT_WEIGHTS_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include "core/text.h"

/* Numbers of ggml's types. */
enum { WW_F32 = 0, WW_F16 = 1, WW_Q4_0 = 2, WW_Q8_0 = 8, WW_Q4_K = 12, WW_Q6_K = 14, WW_BF16 = 30 };

typedef struct ww_model {
    const char *name, *architecture;
    uint32_t layers, hidden, heads, kv_heads, head_dim, inner, vocab;
    uint32_t experts, used, expert_inner; /* 0: there are none */
    uint32_t latent, rotated;             /* of latent attention; 0: it is none */
    uint32_t window;                      /* 0: not said */
    uint32_t further;                     /* layers more, which predict further tokens */
    uint32_t state;            /* of every second layer, which is a linear mixer then; 0: none is */
    bool is_tied, is_fused;    /* fused: queries, keys and values are one matrix */
    uint32_t type, other_type; /* of matrices; of values and of what closes a network in every second layer */
} ww_model;

/* Models that tests share; the last one has no name. */
extern const ww_model ww_models[];

typedef struct ww_gguf {
    uint32_t version; /* 0: 3 */
    bool is_big;
    uint32_t alignment;         /* 0: not said */
    uint64_t n_tensors, n_keys; /* that the header states; 0: as many as there are */
    uint32_t at;                /* the tensor that is told about below, from 1; 0: none */
    uint32_t type, n_dims;      /* its type and number of dimensions, plus 1; 0: its own */
    int64_t offset, row;        /* added to its offset, to the length of its rows */
    bool is_key_twice, is_tensor_twice;
    uint64_t key_bytes;                   /* the length of one more key; 0: there is none */
    uint32_t nested;                      /* arrays in one another, in one more key */
    uint32_t n_kv_heads;                  /* of an array of them by layer; 0: a number */
    uint32_t split_no, split_count;       /* count 0: one file */
    bool has_data;                        /* zeroes, as many as there are weights */
    bool has_no_layers, has_layers_alone; /* their tensors lie in the other file */
} ww_gguf;

void ww_write_gguf(const ww_model *model, const ww_gguf *how, textbuf *out);

/* Its config.json. */
void ww_write_config(const ww_model *model, textbuf *out);

typedef struct ww_safetensors {
    const char *dtype;  /* of matrices; NULL: "BF16" */
    uint32_t at;        /* the tensor that is told about below, from 1; 0: none */
    int64_t from, to;   /* added to its offsets */
    const char *of;     /* its dtype */
    uint64_t length;    /* that the header states; 0: its own */
    const char *behind; /* more members; NULL */
} ww_safetensors;

void ww_write_safetensors(const ww_model *model, const ww_safetensors *how, textbuf *out);

#endif
