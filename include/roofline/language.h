/* roofline/language.h - a language model of the decoder kind: what a token costs, at any length of its
 * context.
 *
 * Units: tokens; _bytes bytes; _s seconds; macs multiply-accumulates. Unknown doubles are NaN, unknown counts
 *   ROOF_UNKNOWN.
 * Ownership: a roof_language_model is the graph's; a roof_curve owns everything in it (roof_curve_free).
 * Terms: a step makes the next token of each sequence (decode); a prompt is read at once (prefill). n is the
 * context of a step, or the length of a prompt. TPOT is the time of a step, TTFT that of a prompt. The cache
 * (KV) holds the keys and values of all tokens before. B is the batch: sequences that are worked on together.
 *
 * Bytes that a step reads, exactly:
 * weights  every weight of a layer once, whatever B: mixers, networks, and the head; of experts those of one
 *            token, since all sequences may choose the same ones
 *   cache    B * sum over layers with attention of 2 * kv_heads * head_dim * bytes * min(n, window); of
 *            latent attention (key_rank + rope) * bytes * n; of an encoder 2 * hidden * bytes * its tokens
 * The bound of a step: what it reads over the slowest of channels and memory, or its MACs over the array's
 * peak.
 *
 * Expected times, by the built-in calibration of a stack (expect.STACK.* of the device description):
 *   TPOT(n) = weights / bandwidth + sum over layers of t(kind) + n * full layers * s(class)
 * TTFT(n) = ceil(n / chunk) * layers * per_chunk + n * active weights / product_rate + M(n) / attention_rate
 * M(n): MACs of causal attention. A class is a shape of attention (kind of kernel, head_dim, kv_heads): its s
 * does not carry over to others, so a model outside of the measured classes gets no expectation, and a
 * reason. Source: docs/hardware/aie.md, "Language models", with errors on models that nothing was fitted to.
 *
 * For GPUs and processors constants are shares of the device's own rates (expect.STACK.decode.*), which carry
 * over to other devices of a stack and a class of memory; N layers, M with experts, R with a linear mixer:
 *   TPOT(n) = weights / (bandwidth eff) + cache(n) / (bandwidth kv) + N layer + M experts + R linear
 *   TTFT(n) = 2 A n / (peak.f16 eff) + 2 M(n) / (peak.f16 att) + chunks (weights / bandwidth eff + N layer)
 * times the device's own factor, where three models or more determine it. The interval is factor95: of
 * devices that nothing was fitted to 95 of 100 times are within it. Source: docs/hardware/cpu.md, "Language
 * models".
 * Example (tests/unit/test_language_times.c): 4 616 331 264 bytes of weights and 8 388 608 of cache in 32
 * layers take 6.892001 ms at 1008 GB/s with eff 0.837, kv 0.532 and 43.9 us a layer.
 */
#ifndef ROOFLINE_LANGUAGE_H
#define ROOFLINE_LANGUAGE_H

#include "roofline/answer.h"
#include "roofline/graph.h"
#include "roofline/hw.h"

ROOF_BEGIN_C

/* Token mixer of a layer. */
typedef enum roof_mixer {
    ROOF_MIXER_FULL,    /* attention to all tokens before */
    ROOF_MIXER_SLIDING, /* attention to a window of them */
    ROOF_MIXER_LINEAR,  /* a gated delta net: a state of fixed size */
    ROOF_MIXER_CONV,    /* a short convolution */
    ROOF_MIXER_MAMBA,   /* a state space: a state of fixed size */
    ROOF_MIXERS
} roof_mixer;

/* "full", "sliding", "linear", "conv", "mamba". */
ROOF_API const char *roof_mixer_text(roof_mixer mixer);

/* Layers that are alike; how many of them. */
typedef struct roof_layer_kind {
    roof_mixer mixer;
    uint32_t count;
    uint32_t head_dim;
    uint32_t window;   /* tokens that a sliding layer looks back at; 0: all */
    uint32_t inner;    /* of its network, or of one expert; 0: it has no network */
    bool shares_cache; /* reads the cache of a layer before, and projects no keys and values of its own */
    bool is_dense;     /* its network is one, though other layers have experts */
    bool has_mamba;    /* a state space works beside its attention */
    /* In a file whose matrices are of several forms (roofline/weight_forms.def): attn_v, or ffn_down, has the
     * form of more bits. */
    bool has_more_value, has_more_down;
    uint32_t kept; /* bits of roof_matrix_role: matrices that a quantised file left as they were, in bf16 */
    /* From shapes of tensors, whose heads may differ by layer and be stated nowhere; 0: from heads. cached:
     * elements that a token leaves in the cache. query_width: half of the multiply-accumulates of a query
     * with one token before it. */
    uint32_t cached, query_width;
    bool has_unknown_state; /* no key states how large its state is */
} roof_layer_kind;

/* Tensors of one layer are not always of the same forms as those of the next. */
enum { ROOF_MOST_LAYER_KINDS = 128 };

/* Keys and values of all heads come out of one narrow vector, which alone is cached (MLA). 0: they do not.
 * A step multiplies the query into the narrow vector ("absorbed": 2 key_rank + rope MACs a head and cached
 * token), a prompt makes keys and values of it ("expanded": nope + rope + value). Source: arXiv 2405.04434.
 */
typedef struct roof_latent {
    uint32_t key_rank, query_rank; /* query_rank 0: queries are projected at once */
    uint32_t nope, rope, value;    /* of a head: of its query without and with positions; of its value */
} roof_latent;

/* A state space (Mamba). version 0: there is none; 1: d -> 2 inner, inner -> rank + 2 state, rank -> inner,
 * inner -> d; 2: d -> 2 inner + 2 groups state + heads, inner -> d. Source: arXiv 2312.00752, 2405.21060. */
typedef struct roof_mamba {
    uint32_t version, inner, heads, state, groups, kernel, rank;
} roof_mamba;

/* An encoder before the decoder (Whisper): read once an input, and its keys and values are cached. */
typedef struct roof_encoder {
    uint32_t layers, inner, tokens; /* layers 0: there is none; tokens: that a step attends to */
    uint32_t bins;                  /* of the spectrum, into two convolutions 3 wide */
} roof_encoder;

/* Tensors as the header of a weight file states them, exact to the byte: GGUF and safetensors, whose weights
 * are never read. A step reads each tensor once, whatever the batch, but
 *   of experts  bytes * active_experts / experts, since one expert is a slice of its tensor
 *   the table of embeddings only where it is the head as well: else a row of it is read, which is not counted
 *   nothing of layers that predict further tokens, nor of what sees or hears (left out here altogether).
 * Source: the GGUF page of ggml-org/ggml; huggingface/safetensors README.md.
 * Example (tests/unit/test_gguf.c): three layers of width 256 and a head of 500 rows in Q8_0 are 2,994,816
 * bytes, of which a step reads all but the 136,000 of the table of embeddings. */
typedef struct roof_stored_weights {
    uint64_t tensor_bytes;      /* of all that the decoder has */
    uint64_t read_bytes;        /* by one step; ROOF_UNKNOWN: how many experts is not said */
    uint64_t parameters;        /* ROOF_UNKNOWN: elements hold several weights, how many is not stated */
    uint64_t active_parameters; /* that one token goes through; ROOF_UNKNOWN likewise */
    uint64_t weight_macs;       /* of a token, without the head; ROOF_UNKNOWN likewise */
    uint64_t expert_weights;    /* of all experts of all layers */
} roof_stored_weights;

/* A language model as config.json, or the header of its weights, states it. Sizes are in elements. */
typedef struct roof_language_model {
    const char *name;      /* as the file says, else that of the file, else its architecture */
    const char *attention; /* the attention kernel that it needs: the first part of a class */
    uint32_t hidden, heads, kv_heads, vocab, layers;
    uint32_t positions; /* the longest context that it was made for; 0: not stated */
    uint32_t experts, active_experts, shared_inner; /* experts 0: there are none */
    uint32_t linear_key_heads, linear_value_heads, linear_key_dim, linear_value_dim, linear_kernel;
    uint32_t conv_kernel;
    uint32_t per_layer_inputs; /* width of the embedding that each layer has of its own; 0: none */
    uint32_t per_layer_vocab;  /* rows of its table; 0: as many as the vocabulary has */
    uint32_t laurel_rank,
        altup_inputs; /* Gemma 3n's low-rank branch, and the copies of what a layer passes on */
    roof_latent latent;
    roof_mamba mamba;
    roof_encoder encoder;
    bool has_plain_network; /* of two matrices, without a gate */
    bool has_fused_keys;    /* queries, keys and values are one tensor in files of llama.cpp */
    bool has_unused_keys;   /* layers that share a cache have projections of their own all the same */
    uint64_t vectors;       /* elements of norms and biases, which no count has; ROOF_UNKNOWN */
    uint32_t rope_factors;  /* elements that llama.cpp stores of Llama 3's positions */
    const char *quantised;  /* the form that `kept` and kept_ends are of; NULL: the file is not quantised */
    uint32_t kept_ends;     /* bits of roof_matrix_role: of the head and the embeddings */
    bool is_tied;           /* the head is the table of embeddings: stored twice, counted once */
    bool has_output_gate;   /* attention projects a gate as wide as its queries */
    roof_layer_kind kinds[ROOF_MOST_LAYER_KINDS]; /* in the order of their first layer */
    uint32_t n_kinds;
    const roof_stored_weights *stored; /* counted tensor by tensor; NULL: by the formulas of the families */
} roof_language_model;

/* Role of a matrix: files of several forms choose the form by it. */
typedef enum roof_matrix_role {
    ROOF_MATRIX_QUERY,
    ROOF_MATRIX_KEY,
    ROOF_MATRIX_VALUE,
    ROOF_MATRIX_RESULT,
    ROOF_MATRIX_MIXER, /* of linear attention, convolutions and state spaces */
    ROOF_MATRIX_ROUTER,
    ROOF_MATRIX_UP, /* and gate */
    ROOF_MATRIX_DOWN,
    ROOF_MATRIX_EXPERT_UP,
    ROOF_MATRIX_EXPERT_DOWN,
    ROOF_MATRIX_SHARED_UP,
    ROOF_MATRIX_SHARED_DOWN,
    ROOF_MATRIX_EXTRA, /* per-layer embeddings and low-rank branches: of 2 bytes, whatever the form */
    ROOF_MATRIX_HEAD,
    ROOF_MATRIX_EMBEDDING,
    ROOF_MATRIX_ROLES
} roof_matrix_role;

/* How weights, or keys and values, are stored: bits of an element, and of what a group of them shares. */
typedef struct roof_weight_format {
    const char *name; /* "q4_1"; of "int4:128" it is "int4", and group 128 */
    uint32_t bits;
    uint32_t group, group_bits; /* group 0: nothing is shared */
    /* Where a stack stores it in another form: bytes that move and are held. 0: as they are. */
    uint32_t stored_group_bits;
} roof_weight_format;

/* A group of as many weights as a row has. */
#define ROOF_GROUP_ROW UINT32_MAX

/* Reads a name of roofline/weight_forms.def, in letters of either case, and "int4:128" (a scale of 16 bits
 * and a zero of as many bits as a weight for so many; of int2 to int8). "q4_k" is 4.5 bits for all weights;
 * "q4_k_m" is a file of llama.cpp, whose tensors are of several forms.
 * Errors: E_USAGE, with those that are known.
 * Example (tests/unit/test_language.c): of q4_1, 32 weights take 20 bytes. */
ROOF_API roof_status roof_weight_format_parse(const char *text, roof_weight_format *out, roof_error *err);

/* The i-th name that it reads; NULL behind the last. */
ROOF_API const char *roof_weight_format_name(size_t i);

/* Bytes of n elements, rounded down; for a file of several forms, in the form of most of them. as_stored: in
 * the form that a stack stores. ROOF_UNKNOWN: more than 2^63. */
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
        active_parameters;       /* active: that one token goes through, the table of embeddings once */
    uint64_t weight_bytes;       /* read by one step, whatever the batch */
    uint64_t streamed_bytes;     /* the same in the form that stacks store */
    uint64_t kv_bytes;           /* read by one step, of all sequences */
    uint64_t kv_bytes_per_token; /* added to the cache of a sequence by each token */
    uint64_t cache_bytes;        /* held for n tokens, of all sequences */
    uint64_t state_bytes;        /* of mixers without a cache, all sequences */
    /* Held: experts all, the head and, of 2 bytes each, the embeddings. For a quantised file, and a file type
     * that stacks store as it is: file_bytes. */
    uint64_t resident_weight_bytes;
    /* Bytes of all tensors of such a file, norms and biases too where they are known; ROOF_UNKNOWN for other
     * forms. From a header: all that the decoder has.
     * Example (tests/unit/test_language.c): of Llama 3.1 8B in q4_k_m 4,912,898,304. */
    uint64_t file_bytes;
    uint64_t weight_macs;    /* of a token, without the head */
    uint64_t attention_macs; /* of the phase, of one sequence, causal */
    uint64_t state_macs;     /* of the phase, of one sequence: of mixers without a cache */
    uint64_t expert_weights; /* of all experts of all layers */
} roof_language_counts;

/* Errors: E_LIMIT when a count is more than 2^53. Example: tests/unit/test_language.c. */
ROOF_API roof_status roof_language_count(const roof_language_model *model, const roof_language_point *point,
                                         roof_language_counts *out, roof_error *err);

/* The language model of a graph; NULL: it is none. */
ROOF_API const roof_language_model *roof_language_of(const roof_graph *graph);

/* ---- times and memory of a point ---- */

typedef enum roof_language_part {
    ROOF_PART_WEIGHTS,  /* reading them */
    ROOF_PART_CACHE,    /* attention over the tokens before */
    ROOF_PART_LAUNCHES, /* time of a layer beside its bytes; of a prompt each layer and chunk */
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
    uint64_t need_bytes;      /* weights, cache, states and overhead, as stored */
    uint64_t overhead_bytes;  /* of the stack, whatever the model: memory.overhead; 0: unknown */
    uint64_t available_bytes; /* as requested, else that of a device with memory of its own; 0: neither */
    double limit_bytes;       /* up to which it is known to fit; NaN: unknown */
    double fails_bytes;       /* from which it is known not to; NaN likewise */
    uint32_t
        /* the longest context that is known to fit, of those the model was made for; 0: none */
        largest_tokens;
    roof_memory_answer fits;
} roof_language_memory;

/* Expected time of a point, by the built-in calibration of a stack. */
typedef struct roof_language_expectation {
    const char *stack;                   /* whose; NULL: none was requested, and none is the form's own */
    const char *attention;               /* the class, "gqa_h128_kv8" */
    double seconds;                      /* NaN: unknown */
    double ci95_s[2];                    /* NaN likewise */
    double parts_s[ROOF_LANGUAGE_PARTS]; /* sum to seconds */
    double points, models;               /* that the constants were fitted to */
    double error;                        /* the median, of models or devices that were left out */
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
    double verify_s;        /* of ahead + 1 tokens at once */
    /* of verify_s: as it was given, or at least, that of one token, with which the gain is the most */
    roof_answer_kind verify_kind;
    double tokens_per_round, gain_ratio;
    double break_even_accept; /* the acceptance from which it gains; NaN: it never does */
    const char *draft;        /* the name of the model */
} roof_draft;

/* A question and its answer: the prompt is read, and tokens are made one after the other. */
typedef struct roof_session {
    uint32_t prompt_tokens, answer_tokens;
    double first_s, last_s;             /* until the first and until the last token, expected; NaN */
    double first_ideal_s, last_ideal_s; /* at least */
    /* 95 %: ends of prompt and steps are added, since they err together; NaN as these. */
    double first_ci95_s[2], last_ci95_s[2];
    double tokens_per_s; /* mean of the answer: answer_tokens - 1 over last_s - first_s */
    double tokens_per_s_ci95[2];
    double energy_j, energy_ci95_j[2]; /* last_s and its ends times the power that was given; NaN */
    /* Bound of a server that works on as many such requests as the memory holds, each at another stage:
     * answer tokens a second at most. 0 and NaN: the machine's memory is unknown, or holds none.
     * answer / max(array, memory): array (MACs of prompt and answer over its peak), memory (the steps' bytes
     * over its bandwidth, their weights shared by all).
     * TensorRT-LLM reached 0.34 to 0.67 of it in 30 runs of H100 and H200 (its own documentation of
     * performance, 1.0; tests/reference/test_language_devices.c). */
    uint32_t most_sequences;
    double most_tokens_per_s;
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
    const char *stack;                      /* NULL: the device's own, or that of the weights' form; */
    double bandwidth_bytes_per_s, clock_hz; /* 0: of the hardware */
    uint64_t memory_bytes;                  /* of the machine; 0: not stated */
    /* One's own measurements of steps: one fixes the constant part, and the class carries the curve; two or
     * more also say what a token of context costs, of any class. */
    const roof_curve_measured *anchors;
    uint32_t n_anchors;
    uint32_t session_prompt, session_answer; /* 0: no session */
    double power_w;                          /* of the machine while it works; 0: unknown */
    const roof_graph *draft;                 /* NULL: none */
    double accept;
    uint32_t ahead;
    double verify_s;                     /* of a step that judges ahead + 1 tokens, as measured; 0: unknown */
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
 * graph: of a language model, read with the weight types and cache that the curve is of.
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
