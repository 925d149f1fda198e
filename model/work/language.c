/* What a language model reads, holds and computes: exact counts, of a step or of a prompt.
 * Source: docs/hardware/aie.md, "Language models"; the classes of huggingface/transformers say which matrices
 * a family has.
 */
#include "roofline/language.h"
#include "core/error.h"
#include "core/quantity.h"
#include "model/graph/format.h"

#include <stdio.h>
#include <string.h>

const char *roof_mixer_text(roof_mixer mixer)
{
    static const char *const words[ROOF_MIXERS] = {
        [ROOF_MIXER_FULL] = "full",
        [ROOF_MIXER_SLIDING] = "sliding",
        [ROOF_MIXER_LINEAR] = "linear",
        [ROOF_MIXER_CONV] = "conv",
    };
    return words[mixer];
}

const char *roof_language_part_text(roof_language_part part)
{
    static const char *const words[ROOF_LANGUAGE_PARTS] = {
        [ROOF_PART_WEIGHTS] = "weights",
        [ROOF_PART_CACHE] = "cache",
        [ROOF_PART_LAUNCHES] = "launches",
        [ROOF_PART_ARRAY] = "array",
    };
    return words[part];
}

/* ---- forms --------------------------------------------------------------------------------------------- */

/* Blocks of ggml: 32 weights share a scale of 16 bits, of q4_1 a minimum as well; k-quants have 256 in a
 * block, with scales of their own (144, 176 and 210 bytes). Stacks of the NPU store q4_0 as they do q4_1.
 * Source: llama.cpp, the blocks of ggml; docs/hardware/aie.md. */
static const roof_weight_format formats[] = {
    {"bf16", 16, 0, 0, 0},    {"f16", 16, 0, 0, 0},     {"f32", 32, 0, 0, 0},     {"int8", 8, 0, 0, 0},
    {"int4", 4, 0, 0, 0},     {"q4_0", 4, 32, 16, 32},  {"q4_1", 4, 32, 32, 0},   {"q8_0", 8, 32, 16, 0},
    {"q4_k", 4, 256, 128, 0}, {"q5_k", 5, 256, 128, 0}, {"q6_k", 6, 256, 144, 0},
};

enum { MOST_GROUP = 1 << 22, SCALE_AND_ZERO_BITS = 20 };

roof_status roof_weight_format_parse(const char *text, roof_weight_format *out, roof_error *err)
{
    const size_t length = strcspn(text, ":");
    double group = 0;
    if (strncmp(text, "fp", 2) == 0 && length == 4) { /* another name of f16 and f32 */
        char name[] = {'f', text[2], text[3], '\0'};
        return roof_weight_format_parse(name, out, err);
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strlen(formats[i].name) != length || strncmp(formats[i].name, text, length) != 0)
            continue;
        *out = formats[i];
        if (!text[length])
            return ROOF_OK;
        const char *digits = text + length + 1;
        const size_t n = strlen(digits);
        if (strcmp(out->name, "int4") != 0 || !n || number_parse(digits, n, &group) != n ||
            !(group >= 1 && group <= MOST_GROUP) || group > (double)(uint32_t)group)
            return error_set(
                err, ROOF_E_USAGE,
                "'%.60s': want how many weights share a scale, behind int4 alone, as in int4:128", text);
        out->group = (uint32_t)group;
        out->group_bits = SCALE_AND_ZERO_BITS;
        return ROOF_OK;
    }
    return error_set(
        err, ROOF_E_USAGE,
        "'%.60s' is no form of weights that is known; want bf16, f16, f32, int8, int4, int4:GROUP, "
        "q4_0, q4_1, q8_0, q4_k, q5_k or q6_k",
        text);
}

uint64_t roof_weight_format_bytes(const roof_weight_format *f, uint64_t n, bool as_stored)
{
    const uint32_t shared = as_stored && f->stored_group_bits ? f->stored_group_bits : f->group_bits;
    const unsigned __int128 bits =
        f->group ? (unsigned __int128)n * ((uint64_t)f->bits * f->group + shared) / f->group
                 : (unsigned __int128)n * f->bits;
    return bits / 8 > INT64_MAX ? ROOF_UNKNOWN : (uint64_t)(bits / 8);
}

/* ---- counts -------------------------------------------------------------------------------------------- */

/* Wide enough for every product of the reader's limits: 2^22 wide, 2^12 layers, 2^12 experts, 2^24 tokens. */
typedef unsigned __int128 wide;

/* Of one layer. */
typedef struct layer_weights {
    wide mixer, network, active; /* network: all experts; active: those of one token */
} layer_weights;

static layer_weights weights_of(const roof_language_model *m, const roof_layer_kind *k)
{
    const wide d = m->hidden, q = (wide)m->heads * k->head_dim, kv = (wide)m->kv_heads * k->head_dim;
    const wide keys = (wide)m->linear_key_heads * m->linear_key_dim,
               values = (wide)m->linear_value_heads * m->linear_value_dim;
    layer_weights w = {.network = 3 * d * k->inner, .active = 3 * d * k->inner};
    switch (k->mixer) {
    case ROOF_MIXER_FULL:
    case ROOF_MIXER_SLIDING:
        w.mixer = d * q * (m->has_output_gate ? 2 : 1) + q * d + (k->shares_cache ? 0 : 2 * d * kv);
        break;
    case ROOF_MIXER_LINEAR: /* queries, keys, values; gate; result; the two gates of each head */
        w.mixer = d * (2 * keys + values) + d * values + values * d + 2 * d * m->linear_value_heads;
        break;
    default: /* in three times as wide, and out */
        w.mixer = 4 * d * d;
    }
    if (m->experts) {
        const wide one = 3 * d * k->inner, common = 3 * d * m->shared_inner + d * m->experts;
        w.network = m->experts * one + common;
        w.active = m->active_experts * one + common;
    }
    return w;
}

static wide window_of(const roof_layer_kind *k, wide n)
{
    return k->window && k->window < n ? k->window : n;
}

/* A query of each token with the keys before it and its own, and what that gives with the values. */
static wide causal_macs(const roof_language_model *m, const roof_layer_kind *k, const roof_language_point *p)
{
    const wide q = (wide)m->heads * k->head_dim, n = p->tokens, w = window_of(k, n);
    if (p->phase == ROOF_TEXT_DECODE)
        return 2 * q * w;
    return q * (w * (w + 1) + 2 * (n - w) * w);
}

static bool has_attention(const roof_layer_kind *k)
{
    return k->mixer == ROOF_MIXER_FULL || k->mixer == ROOF_MIXER_SLIDING;
}

/* Of one sequence. */
static wide state_bytes_of(const roof_language_model *m, const roof_layer_kind *k)
{
    const wide keys = (wide)m->linear_key_heads * m->linear_key_dim,
               values = (wide)m->linear_value_heads * m->linear_value_dim;
    if (k->mixer == ROOF_MIXER_LINEAR) /* a matrix of 4 bytes for each head, and what the convolution sees */
        return (wide)m->linear_value_heads * m->linear_key_dim * m->linear_value_dim * 4 +
               (2 * keys + values) * (m->linear_kernel ? m->linear_kernel - 1 : 0) * 2;
    if (k->mixer == ROOF_MIXER_CONV)
        return (wide)m->hidden * (m->conv_kernel ? m->conv_kernel - 1 : 0) * 2;
    return 0;
}

static const wide most_count = (wide)1 << 53;

static uint64_t narrow(wide count, bool *is_too_large)
{
    *is_too_large = *is_too_large || count > most_count;
    return (uint64_t)count;
}

roof_status roof_language_count(const roof_language_model *m, const roof_language_point *p,
                                roof_language_counts *out, roof_error *err)
{
    const wide d = m->hidden, table = d * m->vocab, inputs = m->per_layer_inputs, layers = m->layers;
    /* gate and projection of each layer, and the common projection: of 2 bytes, whatever the form */
    const wide per_layer = 3 * d * inputs * layers;
    wide all = 0, active = 0, experts = 0, cache = 0, held = 0, added = 0, state = 0, attention = 0;
    bool is_too_large = false;
    for (uint32_t i = 0; i < m->n_kinds; i++) {
        const roof_layer_kind *k = &m->kinds[i];
        const layer_weights w = weights_of(m, k);
        const wide keys = 2 * (wide)m->kv_heads * k->head_dim; /* elements that a token leaves */
        all += k->count * (w.mixer + w.network);
        active += k->count * (w.mixer + w.active);
        experts += m->experts ? k->count * (w.network - d * m->experts - 3 * d * m->shared_inner) : 0;
        state += k->count * state_bytes_of(m, k);
        if (!has_attention(k))
            continue;
        cache += k->count * keys * window_of(k, p->tokens);
        attention += k->count * causal_macs(m, k, p);
        if (!k->shares_cache)
            held += k->count * keys * window_of(k, p->tokens);
        if (!k->shares_cache && k->mixer == ROOF_MIXER_FULL)
            added += k->count * keys;
    }
    const wide parameters = all + table * (m->is_tied ? 1 : 2) + per_layer + m->vocab * inputs * layers;
    if (all > most_count || cache > most_count || held > most_count)
        is_too_large = true;
    const uint64_t step = is_too_large ? 0 : (uint64_t)(active + table),
                   resident = is_too_large ? 0 : (uint64_t)(all + table);
    const wide beside = 2 * per_layer, embeddings = 2 * table;
    *out = (roof_language_counts){
        .parameters = narrow(parameters, &is_too_large),
        .active_parameters = narrow(active + table + per_layer, &is_too_large),
        .weight_bytes = narrow(roof_weight_format_bytes(&p->weights, step, false) + beside, &is_too_large),
        .streamed_bytes = narrow(roof_weight_format_bytes(&p->weights, step, true) + beside, &is_too_large),
        .kv_bytes = narrow((wide)p->batch * roof_weight_format_bytes(&p->cache, (uint64_t)cache, false),
                           &is_too_large),
        .kv_bytes_per_token = roof_weight_format_bytes(&p->cache, narrow(added, &is_too_large), false),
        .cache_bytes = narrow((wide)p->batch * roof_weight_format_bytes(&p->cache, (uint64_t)held, false),
                              &is_too_large),
        .state_bytes = narrow(p->batch * state, &is_too_large),
        .resident_weight_bytes = narrow(
            roof_weight_format_bytes(&p->weights, resident, true) + embeddings + beside, &is_too_large),
        .weight_macs = narrow(active + per_layer, &is_too_large),
        .attention_macs = narrow(attention, &is_too_large),
        .expert_weights = narrow(experts, &is_too_large),
    };
    return is_too_large ? error_set(err, ROOF_E_LIMIT, "the counts of the language model are beyond 2^53")
                        : ROOF_OK;
}

const roof_language_model *roof_language_of(const roof_graph *graph)
{
    return graph->storage->language;
}
