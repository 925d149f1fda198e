/* roofline/advise.h - the edits of a network that save most on some hardware: each is made in the graph, and
 * the edited graph is lowered and predicted again. Nothing is scaled by a share or a count of operations.
 *
 * Units: _s seconds; _bytes bytes; macs multiply-accumulates, ops operations (1 MAC = 2 ops); parameters
 *   elements of weights and biases; _ratio time before / time after. Unknown counts are ROOF_UNKNOWN, unknown
 *   doubles NaN; a text says why.
 * Ownership: a roof_advice owns everything in it and borrows nothing; free it with roof_advice_free.
 *
 * Times are of the accelerator, one inference on one core while busy_cores are busy: expected where the
 *   device description has constants for that, else the ideal. CPU operators are in none of them.
 * Formulas: gain = time before - time after; ratio = before / after; saving = gain / before. The interval of
 *   the ratio is ratio * (1 -+ ROOF_EDIT_SPREAD), which covered 13 of 15 and 7 of 7 pairs of networks of
 *   known graphs, measured on DPUs (docs/edits.md, "How far to trust it"). Below ROOF_EDIT_LEAST_OPS
 *   operations nothing is calibrated: ratios came out 18 to 22 % too high, and the interval's low end is
 *   lower by that factor. Where nothing is expected, or of hardware of which no pairs were measured, no
 *   interval is known.
 * Distinguishable: the time that an edit saves is at least ROOF_EDIT_LEAST_SAVING of it. Smaller savings
 *   did not show in measurements (1.08 predicted, 1.01 measured), so they are listed behind, and not ranked.
 *   Bytes are counted, so of these every saving is.
 * Combination: the best edit, then each next one on top of it where the whole then gains more: of those that
 *   are distinguishable, keep the outputs, or take work off the host. Edits of the whole (resolution, width,
 *   batch) are left out of it: they can be driven as far as one likes.
 *
 * Accuracy after an edit is not predicted: keeps_function says whether the outputs stay the same.
 */
#ifndef ROOFLINE_ADVISE_H
#define ROOFLINE_ADVISE_H

#include "roofline/prediction.h"

ROOF_BEGIN_C

#define ROOF_ADVICE_SCHEMA     "roofline.advice/1"
#define ROOF_EDIT_SPREAD       0.10
#define ROOF_EDIT_SMALL_SPREAD 0.22 /* by how much ratios of small networks are too high, at most */
#define ROOF_EDIT_LEAST_OPS    0.2e9
#define ROOF_EDIT_LEAST_SAVING 0.10

/* An edit of which the touched rows hold less of the time cannot be distinguishable, nor matter in sums. */
#define ROOF_ADVICE_LEAST_SHARE 0.02
enum { ROOF_ADVICE_MOST_TRIED = 48 };

typedef enum roof_advice_metric {
    ROOF_ADVICE_TIME,
    ROOF_ADVICE_MEMORY, /* the peak of activations, at least */
    ROOF_ADVICE_ENERGY, /* no entry of the hardware database has what it takes: E_UNSUPPORTED */
    ROOF_ADVICE_METRICS
} roof_advice_metric;
ROOF_API const char *roof_advice_metric_word(roof_advice_metric metric); /* "time"; NULL behind the last */

typedef enum roof_edit_kind {
#define EDIT(name, word) ROOF_EDIT_##name,
#include "roofline/edits.def"
#undef EDIT
    ROOF_EDIT_KINDS
} roof_edit_kind;
ROOF_API const char *roof_edit_kind_word(roof_edit_kind kind); /* "channels"; NULL behind the last */

/* One change. from and to: channels, rows and columns of a kernel, groups; rows of an input, with its columns
 * beside; to of what is left out: which of its maps its readers read then, from: 1 + the place of the
 * transposition that it undoes, which goes with it; 0 where there is no number. */
typedef struct roof_edit_step {
    roof_edit_kind kind;
    const char *op, *type; /* name and type as in the file; "": of the whole network */
    uint32_t node;         /* its place in the file, as of roof_op */
    uint32_t from, to, from_w, to_w;
    double factor;    /* of a width; else NaN */
    uint32_t pads[4]; /* of pads: top, left, bottom, right; else 0 */
} roof_edit_step;

/* Time, memory and work of a network. */
typedef struct roof_advice_cost {
    double time_s;
    uint64_t bytes;        /* of external memory, of an inference */
    uint64_t memory_bytes; /* the peak of activations, if nothing is tiled */
    uint64_t macs, ops_count, parameters;
    uint32_t rows, host_rows; /* host_rows: in no time */
    double host_about_s;      /* of these, within a factor of ROOF_HOST_FACTOR; NaN: unknown */
} roof_advice_cost;

/* An edit, and what becomes of the network. */
typedef struct roof_advised {
    const char *rule; /* "kernel"; several with " + " between: a combination */
    roof_edit_step *steps;
    uint32_t n_steps;
    uint32_t n_rows; /* of the network before, that are gone or other than they were */
    roof_advice_cost after;
    double gain_s, gain_low_s, gain_high_s, saving_ratio;
    double ratio, ratio_low, ratio_high;
    const char *interval_why;                /* why there is none, or why it is wider; NULL */
    int64_t bytes_saved, memory_saved_bytes; /* INT64_MIN: unknown */
    bool keeps_function;                     /* the same outputs of the same inputs, but for rounding */
    bool is_of_whole;                        /* an input, a width: in no combination */
    bool is_distinguishable, is_combined;
    const char *evidence; /* measured pairs of such an edit */
} roof_advised;

typedef struct roof_advice_refusal {
    const char *rule;
    roof_edit_step *steps;
    uint32_t n_steps;
    const char *why;
} roof_advice_refusal;

typedef struct roof_advice {
    const char *path, *model, *format, *hardware; /* hardware: its name */
    roof_advice_metric metric;
    roof_answer_kind kind;     /* of times: expected, or at least, which are the ideal */
    bool is_estimate;          /* the latter, of an estimate, which is no bound */
    uint32_t busy_cores;       /* that share the memory meanwhile; 0: the ideal knows of none */
    const char *why_no_memory; /* memory_bytes are unknown: why; NULL */
    roof_advice_cost base;
    uint32_t n_candidates; /* edits that rules found = tried + n_slight + n_over */
    uint32_t n_tried;      /* predicted */
    uint32_t n_slight;     /* not tried: their rows hold less than ROOF_ADVICE_LEAST_SHARE of the time */
    uint32_t n_over, most_tried; /* not tried: beyond so many, the most promising ones first */
    uint32_t n_without_gain;     /* tried, and nothing gained */
    uint32_t n_refused;          /* tried, and not possible: n_reasons of them say why */
    roof_advised *edits;         /* distinguishable ones first, by what they gain */
    uint32_t n_edits, n_distinguishable;
    roof_advised combination; /* of combined edits; n_steps 0: there is none */
    uint32_t *combined;       /* into edits, in the order in which they were taken */
    uint32_t n_combined;
    roof_advice_refusal *refusals;
    uint32_t n_refusals;
    struct roof_arena *arena; /* private */
} roof_advice;

typedef struct roof_advice_options {
    roof_advice_metric metric;
    uint32_t most_tried;                 /* 0: ROOF_ADVICE_MOST_TRIED */
    const char *const *rules;            /* only these; ends with NULL. NULL: all */
    const roof_predict_options *predict; /* clock, cores and the like; NULL: defaults */
} roof_advice_options;

/* The edits of graph that save most on hw.
 *
 * options: NULL for defaults; borrowed for the call, as graph and hw are. out: the caller frees it.
 * Errors: E_UNSUPPORTED (the graph was compiled, or its format says too little of operators: the message asks
 *   for the network that it was compiled from; energy), E_USAGE (no such rule), those of roof_predict.
 * Cost: one prediction, one for each edit that is tried, and at most as many for the combination.
 * Example (tests/unit/test_advise.c): a 1x1 convolution to 17 channels on an array of 16 lanes is two passes;
 *   with 16 channels it is one, and the ratio is what roof_predict says of the network with 16. */
ROOF_API roof_status roof_advice_find(const roof_graph *graph, const roof_hw *hw,
                                      const roof_advice_options *options, roof_advice **out, roof_error *err);
ROOF_API void roof_advice_free(roof_advice *advice);

/* A copy of an ONNX file with edits. */
typedef struct roof_edited {
    uint32_t n_made, n_not_made; /* changes of operators; those that the file does not allow */
    const char *why_not;         /* the first of these is not made; static. NULL */
} roof_edited;

/* Writes a copy of the file that the advice is of to path, whole or not at all, with all edits in it that
 * keep the network's function. All else is carried through byte for byte. It never overwrites the input.
 *
 * advice: advice->path is read.
 * Errors: E_USAGE (the file is no ONNX file, path is the file itself, no edit keeps the outputs), E_DATA
 *   (the file is damaged, or another one), E_UNSUPPORTED (the file allows none of them; the message says
 *   why), E_LIMIT (more than 2 GiB), E_NO_INPUT, E_IO, E_NO_MEMORY.
 * Example: tests/unit/test_onnx_edit.c. */
ROOF_API roof_status roof_advice_write_edited(const roof_advice *advice, const char *path, roof_edited *out,
                                              roof_error *err);

/* The i-th rule that finds edits, for listings: its name, and what it changes; NULL past the end. */
ROOF_API const char *roof_edit_rule_name(size_t i);
ROOF_API const char *roof_edit_rule_doc(size_t i);

ROOF_END_C
#endif
