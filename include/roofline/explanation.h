/* roofline/explanation.h - one measured number beside what was expected or published: is it as it should be,
 * and if not, which causes fit it, how likely each is, and what to measure next.
 *
 * Units: _s seconds of one inference (of a language model one token of decode, or one prompt), _ratio none.
 *   Unknown doubles are NaN.
 * Ownership: a roof_explanation owns everything in it; free it with roof_explanation_free.
 * roof_explain_request
 *   is borrowed for the call.
 *
 * Every cause is a row of signatures.def: it adds an amount a of what it grows with,
 *
 *   time = reference + a u      u: the reference itself (a factor 1 + a), a call, bytes over a link
 *
 * reference: the published time, else the expected one, with its interval. For each cause the distribution of
 * ln a is known: near the amounts that the board's entry states (a ratio of two of its clocks, the bytes of a
 * slower link), else as wide as the cases are that its prior was counted from.
 *   L(cause)  = E over a of the product over all numbers of N(ln measured; ln(reference + a u), s)
 *   P(cause)  = prior L / sum over all causes and "none of these" of prior L
 * So a factor of two is a clock on a board that has such clocks and a cable on another one; and two numbers
 * of two networks tell a factor, which is the same for both, from a constant, which is not. No cause is
 * certain from one number alone: a cause is "likely" above ROOF_EXPLAIN_LIKELY and "possible" else.
 * Source: docs/explain.md. Example: tests/unit/test_explanation.c.
 */
#ifndef ROOFLINE_EXPLANATION_H
#define ROOFLINE_EXPLANATION_H

#include "roofline/answer.h"
#include "roofline/measured.h"

ROOF_BEGIN_C

#define ROOF_EXPLANATION_SCHEMA "roofline.explanation/1"
#define ROOF_EXPLAIN_LIKELY     0.70
#define ROOF_EXPLAIN_POSSIBLE   0.10
enum { ROOF_EXPLAIN_MOST = 16 }; /* numbers of one question */

typedef enum roof_signature {
#define SIGNATURE(name, ...) ROOF_SIGNATURE_##name,
#include "roofline/signatures.def"
#undef SIGNATURE
    ROOF_SIGNATURES
} roof_signature;

/* Traits of a question, bits of a set: of the board, the network, the number, and how it was measured. */
typedef enum roof_explain_trait {
#define TRAIT(name, times, words) ROOF_TRAIT_##name,
#include "roofline/traits.def"
#undef TRAIT
    ROOF_TRAITS
} roof_explain_trait;
#define ROOF_TRAIT(name) (1ULL << ROOF_TRAIT_##name)
/* "it has several cores", of one of them. */
ROOF_API const char *roof_explain_trait_words(uint32_t trait);

/* A number as people write it: "29fps", "33.9 ms", "10.4 tokens/s", "29.5 FPS (33.9 ms)". */
typedef struct roof_pace {
    double seconds;   /* of one; NaN: none was given */
    double latency_s; /* where a rate and a time were given; NaN: one of them was */
    bool is_rate, is_of_tokens;
} roof_pace;

/* text: NULL is a pace that is unknown. Errors: E_USAGE, with what was found and what is wanted.
 * Example (tests/unit/test_pace.c): "29.5 FPS (33.9 ms)" is 1 / 29.5 s, a rate, with a latency. */
ROOF_API roof_status roof_pace_parse(const char *text, roof_pace *out, roof_error *err);

/* A number, and what it is of. */
typedef struct roof_explain_number {
    const roof_graph *graph; /* NULL: no model is known */
    roof_pace measured, published;
    const roof_predict_options *predict; /* batch, clock, cores, data type as they were; NULL: defaults */
    uint32_t threads;                    /* calls at a time; 0: not stated */
    uint32_t input_w, input_h;           /* of the input that was measured; 0: the file's */
    const roof_run *run; /* of the profile that it is of, whose phases state host and copies; NULL */
} roof_explain_number;

typedef struct roof_explain_request {
    const roof_explain_number *numbers;
    uint32_t n_numbers;
    const roof_hw *hw;    /* NULL: unknown, and then nothing is expected */
    const char *hardware; /* as it was requested, where no entry has it; NULL */
    uint64_t traits;      /* of roof_explain_trait, as who asks says */
} roof_explain_request;

typedef enum roof_explain_verdict {
    ROOF_EXPLAINED_NOT_KNOWN, /* there is neither an expectation nor a published number */
    ROOF_EXPLAINED_AS_EXPECTED,
    ROOF_EXPLAINED_AS_PUBLISHED,
    ROOF_EXPLAINED_SLOWER,
    ROOF_EXPLAINED_FASTER,
    ROOF_EXPLAINED_IMPOSSIBLE, /* below the bound: another clock, another network, a batch */
    ROOF_EXPLAIN_VERDICTS
} roof_explain_verdict;

/* A number beside what it is held against. Times of one image, or token. */
typedef struct roof_explained_number {
    const char *model; /* NULL: unknown */
    double measured_s, published_s, bound_s;
    double others_s;      /* of an image, as somebody published of this network there; NaN: none is known */
    const char *others;   /* "resnet_v1_50 on Hailo-8 by Dataflow Compiler 3.33, int8 (source)"; NULL */
    roof_answer expected; /* ABOUT where it is carried over from another mode of the board */
    const char *from, *data_type; /* that it rests on; that is computed in; NULL */
    roof_answer_ratio ratio;      /* measured over the published time, else the expected; NaN: none */
    double reference_s, spread;   /* the time to compare with, and the deviation of its logarithm */
    double input_output_bytes, loaded_bytes; /* of roof_signature; NaN: unknown */
    uint32_t cpu_rows, rows;                 /* that the rules leave to the CPU, in no expected time */
    /* A call takes so long on average, with so many images at a time: of a rate with a latency, or with
     * threads and batch by Little's law. NaN: unknown */
    double latency_s, in_flight;
    roof_explain_verdict verdict;
    const char *is; /* the same as a word: "as_expected" */
} roof_explained_number;

/* A cause. */
typedef struct roof_explained_cause {
    roof_signature signature;
    /* "clock"; "clock or power mode"; what to do; "likely", "possible" or "unlikely" */
    const char *kind, *title, *measure, *likely;
    double probability, minutes;       /* minutes: that the measurement takes */
    double amount, size_s, size_ratio; /* as it fits best; of the first number, the time more, and times */
    const char *amount_name; /* the amount that the board's entry states: "600 MHz of 1 GHz"; NULL: none */
    double stated_ratio;     /* the factor that it makes; NaN */
    double usual_low_ratio, usual_high_ratio; /* two of three cases of the first number lie between them */
    uint64_t pro, contra;                     /* traits that speak for it and against it */
} roof_explained_cause;

typedef struct roof_explanation {
    const char *hardware, *hardware_id, *not_in_database; /* NULL: unknown; NULL: it is */
    roof_explained_number *numbers;
    uint32_t n_numbers;
    uint64_t traits;
    roof_explained_cause causes[ROOF_SIGNATURES]; /* the likeliest first; those that cannot be are left out */
    uint32_t n_causes;
    double other_probability; /* of none of these, and of nothing at all where it is as expected */
    const char *next; /* the cheaper of the measurements that separate the first two; NULL: there is none */
    struct roof_arena *arena; /* private */
} roof_explanation;

/* Errors: E_USAGE (no number, or too many; nothing to hold one against), those of roof_predict. */
ROOF_API roof_status roof_explain(const roof_explain_request *about, roof_explanation **out, roof_error *err);
ROOF_API void roof_explanation_free(roof_explanation *explanation);

ROOF_END_C
#endif
