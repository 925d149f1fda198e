/* roofline/language.h - a language model of the decoder kind: what a token costs, at any length of its
 * context.
 *
 * Units: tokens; _bytes bytes; _s seconds; macs multiply-accumulates. Unknown doubles are NaN, unknown counts
 *   ROOF_UNKNOWN.
 * Ownership: a roof_language_model is the graph's; a roof_curve owns everything in it (roof_curve_free).
 * Terms: a step makes one token more of each sequence (decode); a prompt is read at once (prefill). n is the
 * context of a step, or the length of a prompt. TPOT is the time of a step, TTFT that of a prompt. The cache
 * (KV) holds the keys and values of all tokens before. B is the batch: sequences that are worked on together.
 *
 * What a step reads, exactly:
 * weights  every weight of a layer once, whatever B: mixers, networks, and the head; of experts those of one
 *            token, since all sequences may choose the same ones
 *   cache    B * sum over layers with attention of 2 * kv_heads * head_dim * bytes * min(n, window)
 * The bound of a step: what it reads over the slowest of channels and memory, or its MACs over the array's
 * peak.
 *
 * What to expect, by constants of a stack (expect.STACK.* of the hardware's entry):
 *   TPOT(n) = weights / bandwidth + sum over layers of t(kind) + n * full layers * s(class)
 * TTFT(n) = ceil(n / chunk) * layers * per_chunk + n * active weights / product_rate + M(n) / attention_rate
 * M(n): MACs of causal attention. A class is a shape of attention (kind of kernel, head_dim, kv_heads): its s
 * does not carry over to others, so a model outside of the measured classes gets no expectation, and a
 * reason. Source: docs/hardware/aie.md, "Language models", with errors on models that nothing was fitted to.
 */
#ifndef ROOFLINE_LANGUAGE_H
#define ROOFLINE_LANGUAGE_H

#include "roofline/graph.h"
#include "roofline/hw.h"

ROOF_BEGIN_C

/* What mixes tokens in a layer. */
typedef enum roof_mixer {
    ROOF_MIXER_FULL,    /* attention to all tokens before */
    ROOF_MIXER_SLIDING, /* attention to a window of them */
    ROOF_MIXER_LINEAR,  /* a gated delta net: a state of fixed size */
    ROOF_MIXER_CONV,    /* a short convolution */
    ROOF_MIXERS
} roof_mixer;

/* "full", "sliding", "linear", "conv". */
ROOF_API const char *roof_mixer_text(roof_mixer mixer);

/* Layers that are alike; how many of them. */
typedef struct roof_layer_kind {
    roof_mixer mixer;
    uint32_t count;
    uint32_t head_dim;
    uint32_t window;   /* tokens that a sliding layer looks back at; 0: all */
    uint32_t inner;    /* of its gated network, or of one expert */
    bool shares_cache; /* reads the cache of a layer before, and projects no keys and values of its own */
} roof_layer_kind;

enum { ROOF_MOST_LAYER_KINDS = 8 };

/* What config.json says of it. Elements. */
typedef struct roof_language_model {
    const char *name;      /* as the file says, else that of the file, else its architecture */
    const char *attention; /* the kind of attention kernel that it needs: the first part of a class */
    uint32_t hidden, heads, kv_heads, vocab, layers;
    uint32_t positions; /* the longest context that it was made for; 0: not said */
    uint32_t experts, active_experts, shared_inner; /* experts 0: there are none */
    uint32_t linear_key_heads, linear_value_heads, linear_key_dim, linear_value_dim, linear_kernel;
    uint32_t conv_kernel;
    uint32_t per_layer_inputs; /* width of the embedding that each layer has of its own; 0: none */
    bool is_tied;              /* the head is the table of embeddings: stored twice, counted once */
    bool has_output_gate;      /* attention projects a gate as wide as its queries */
    roof_layer_kind kinds[ROOF_MOST_LAYER_KINDS]; /* in the order of their first layer */
    uint32_t n_kinds;
} roof_language_model;

/* How weights, or keys and values, are stored: bits of an element, and of what a group of them shares. */
typedef struct roof_weight_format {
    const char *name; /* "q4_1"; of "int4:128" it is "int4", and group 128 */
    uint32_t bits;
    uint32_t group, group_bits; /* group 0: nothing is shared */
    /* Where a stack stores it in another form: bytes that move and are held. 0: as they are. */
    uint32_t stored_group_bits;
} roof_weight_format;

/* Reads "bf16", "f16", "f32", "int8", "int4", "int4:128" (a scale of 16 bits and a zero of 4 for so many),
 * "q4_0", "q4_1", "q8_0", "q4_k", "q5_k", "q6_k". Errors: E_USAGE, with those that are known.
 * Example (tests/unit/test_language.c): of q4_1, 32 weights take 20 bytes. */
ROOF_API roof_status roof_weight_format_parse(const char *text, roof_weight_format *out, roof_error *err);

/* What n elements take, rounded down; as_stored: in the form that a stack stores. ROOF_UNKNOWN: more than
 * 2^63. */
ROOF_API uint64_t roof_weight_format_bytes(const roof_weight_format *format, uint64_t n, bool as_stored);

/* A step or a prompt. */
typedef struct roof_language_point {
    roof_text_phase phase; /* never UNSTATED */
    uint32_t tokens;       /* n */
    uint32_t batch;        /* B; at least 1 */
    roof_weight_format weights, cache;
} roof_language_point;

/* Exact counts. Norms, biases and taps of convolutions (below 0.01 %) are in none. */
typedef struct roof_language_counts {
    uint64_t parameters,
        active_parameters;          /* active: that one token goes through, the table of embeddings once */
    uint64_t weight_bytes;          /* read by one step, whatever the batch */
    uint64_t streamed_bytes;        /* the same in the form that stacks store */
    uint64_t kv_bytes;              /* read by one step, of all sequences */
    uint64_t kv_bytes_per_token;    /* what one token more adds to the cache of a sequence */
    uint64_t cache_bytes;           /* held for n tokens, of all sequences */
    uint64_t state_bytes;           /* of linear attention and short convolutions, all sequences */
    uint64_t resident_weight_bytes; /* held: experts all, the head and, of 2 bytes each, the embeddings */
    uint64_t weight_macs;           /* of a token, without the head */
    uint64_t attention_macs;        /* of the phase, of one sequence, causal */
    uint64_t expert_weights;        /* of all experts of all layers */
} roof_language_counts;

/* Errors: E_LIMIT when a count is more than 2^53. Example: tests/unit/test_language.c. */
ROOF_API roof_status roof_language_count(const roof_language_model *model, const roof_language_point *point,
                                         roof_language_counts *out, roof_error *err);

/* What a graph is of; NULL: no language model. */
ROOF_API const roof_language_model *roof_language_of(const roof_graph *graph);

/* ---- times and memory of a point ---- */

typedef enum roof_language_part {
    ROOF_PART_WEIGHTS,  /* reading them */
    ROOF_PART_CACHE,    /* attention over the tokens before */
    ROOF_PART_LAUNCHES, /* what a layer takes beside its bytes; of a prompt each layer and chunk */
    ROOF_PART_ARRAY,    /* products of a prompt */
    ROOF_LANGUAGE_PARTS
} roof_language_part;

/* "weights", "cache", "launches", "array". */
ROOF_API const char *roof_language_part_text(roof_language_part part);

typedef enum roof_memory_answer {
    ROOF_MEMORY_UNKNOWN,
    ROOF_MEMORY_FITS,
    ROOF_MEMORY_FITS_NOT
} roof_memory_answer;

typedef struct roof_language_memory {
    uint64_t need_bytes;      /* weights, cache and states, as stored */
    uint64_t available_bytes; /* of the machine, as asked for; 0: not asked for */
    double limit_bytes;       /* up to which it is known to fit; NaN: not known */
    double fails_bytes;       /* from which it is known not to; NaN likewise */
    uint32_t
        /* the longest context that is known to fit, of those the model was made for; 0: none */
        largest_tokens;
    roof_memory_answer fits;
} roof_language_memory;

/* What constants of a stack make of a point. */
typedef struct roof_language_expectation {
    const char *stack;                   /* whose; NULL: none was asked for, and none is the form's own */
    const char *attention;               /* the class, "gqa_h128_kv8" */
    double seconds;                      /* NaN: not known */
    double ci95_s[2];                    /* NaN likewise */
    double parts_s[ROOF_LANGUAGE_PARTS]; /* sum to seconds */
    double points, models;               /* that the constants were fitted to */
    double error;                        /* the median, of models that were left out */
    const char *not_known;               /* why there are no seconds, in a sentence; NULL where there are */
} roof_language_expectation;

/* ---- a curve ---- */

/* Speculation: a draft model proposes `ahead` tokens, of which the model accepts each with probability
 * `accept`, in one step. E = (1 - accept^(ahead + 1)) / (1 - accept) tokens a round;
 * gain = E t / (t_verify + ahead t_draft), t_verify that of a step with ahead + 1 tokens.
 * Source: arXiv 2211.17192, equation 1 and theorem 3.8; an identity of times, not a prediction of t_verify.
 * */
typedef struct roof_draft {
    double accept;          /* more than 0, at most 1 */
    uint32_t ahead, tokens; /* tokens: of the context that it is computed at */
    double step_s, draft_s; /* expected of one step each; the bounds where nothing is expected */
    double verify_s;        /* of ahead + 1 tokens at once: at least a step; is_bound tells */
    bool is_bound; /* verify_s is that of one token: the least that it can be, and the gain the most */
    double tokens_per_round, gain_ratio;
    double break_even_accept; /* the acceptance from which it gains; NaN: it never does */
    const char *draft;        /* the name of the model */
} roof_draft;

/* A question and its answer: the prompt is read, and tokens are made one after the other. */
typedef struct roof_session {
    uint32_t prompt_tokens, answer_tokens;
    double first_s, last_s;             /* until the first and until the last token, expected; NaN */
    double first_ideal_s, last_ideal_s; /* at least */
    double tokens_per_s;                /* mean of the answer: answer_tokens - 1 over last_s - first_s */
    double energy_j;                    /* last_s times the power that was given; NaN */
} roof_session;

typedef struct roof_curve_point {
    roof_text_phase phase;
    uint32_t tokens; /* context of a step, length of a prompt */
    roof_language_counts counts;
    double ideal_s;
    double ideal_parts_s[ROOF_LANGUAGE_PARTS]; /* of ideal_s; launches have none */
    roof_language_expectation expected;
    roof_language_part binds; /* the largest part of what is expected; of the bound where nothing is */
    roof_language_memory memory;
} roof_curve_point;

/* A time that somebody measured, laid beside. */
typedef struct roof_curve_measured {
    roof_text_phase phase;
    uint32_t tokens;
    double seconds;
} roof_curve_measured;

typedef struct roof_curve_options {
    const uint32_t *contexts, *prompts; /* ascending; of steps and of prompts. Borrowed during the call */
    uint32_t n_contexts, n_prompts;
    uint32_t batch;                         /* 0: 1 */
    const char *stack;                      /* NULL: that of the weights' form */
    double bandwidth_bytes_per_s, clock_hz; /* 0: the hardware's */
    uint64_t memory_bytes;                  /* of the machine; 0: not said */
    /* One's own measurements of steps: one fixes the constant part, and the class carries the curve; two or
     * more also say what a token of context costs, of any class. */
    const roof_curve_measured *anchors;
    uint32_t n_anchors;
    uint32_t session_prompt, session_answer; /* 0: no session */
    double power_w;                          /* of the machine while it works; 0: not known */
    const roof_graph *draft;                 /* NULL: none */
    double accept;
    uint32_t ahead;
    double verify_s; /* of a step that judges ahead + 1 tokens, as measured; 0: not known */
    const roof_curve_measured *measured; /* copied */
    uint32_t n_measured;
} roof_curve_options;

#define ROOF_CURVE_SCHEMA "roofline.curve/1"

typedef struct roof_curve {
    const char *model, *path; /* of the model's file */
    const char *hardware, *hardware_name;
    const char *weights, *cache; /* forms */
    const char *stack;           /* by whose constants; NULL: nothing is expected */
    uint32_t batch, positions;
    double bandwidth_bytes_per_s;
    roof_curve_point *points; /* steps first, each phase in ascending order */
    uint32_t n_points, n_decode;
    roof_curve_measured *measured;
    uint32_t n_measured;
    uint32_t n_anchors, anchor_tokens; /* the first of them; 0: none */
    double anchor_s;
    bool has_session, has_draft;
    roof_session session;
    roof_draft draft;
    struct roof_arena *arena; /* private */
} roof_curve;

/* The times of a model over its context. ideal_s of a point is that of roof_predict for the same workload.
 *
 * graph: of a language model, read with the forms of weights and cache that the curve is of.
 * out: the caller frees it with roof_curve_free.
 * Errors: E_USAGE for a graph of another kind, and for options that contradict each other; E_LIMIT.
 * Example: tests/unit/test_curve.c.
 */
ROOF_API roof_status roof_curve_predict(const roof_graph *graph, const roof_hw *hw,
                                        const roof_curve_options *options, roof_curve **out, roof_error *err);
ROOF_API void roof_curve_free(roof_curve *curve);

/* Reads what roof_render wrote as JSON (docs/schema/curve-1.schema.json); other members are skipped.
 *
 * path: a file, or "-" for standard input.
 * out: the caller frees it with roof_curve_free.
 * Errors: E_DATA with a JSON pointer as place, E_LIMIT, E_NO_INPUT, E_IO.
 * Example (tests/unit/test_curve_codec.c): what was written comes back, and is written the same. */
ROOF_API roof_status roof_curve_read(const char *path, roof_curve **out, roof_error *err);

ROOF_END_C
#endif
