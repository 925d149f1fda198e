/* roofline/model_diff.h - two files of one network, layer by layer, and why they differ.
 *
 * Before and after compiling: what the rules of lowering make of the graph, beside the layers, bytes and
 *   cycles of the file that its compiler wrote.
 * Before and after an edit: two uncompiled networks, or two compiled ones; what was changed, and what each
 *   kind of change brought. The time of a network is predicted anew: no part of it follows from a ratio of
 *   operations.
 *   Formula: difference = sum over changes of difference_s + rest_s, where each layer counts for one change.
 *
 * Units: _bytes bytes of external memory, _cycles cycles of the accelerator's clock, _s seconds, macs
 *   multiply-accumulates, of a run. ROOF_UNKNOWN and NaN are unknown.
 * Shapes: items are in the order of the compiled file; behind them stand those of the graph alone. Rows
 *   are indices into the layers of the side's prediction; each is in one item.
 * Ownership: a roof_model_diff owns its predictions and everything in it; free it with roof_model_diff_free.
 */
#ifndef ROOFLINE_MODEL_DIFF_H
#define ROOFLINE_MODEL_DIFF_H

#include "roofline/prediction.h"

ROOF_BEGIN_C

#define ROOF_MODEL_DIFF_SCHEMA "roofline.siblings/1"

/* Why layers differ: one bit each of roof_diff_row.reasons. */
typedef enum roof_diff_reason {
#define DIFFERENCE(name, word, words) ROOF_DIFF_##name,
#include "roofline/model_diff.def"
#undef DIFFERENCE
    ROOF_DIFF_REASONS
} roof_diff_reason;
#define ROOF_DIFF(reason) (1U << ROOF_DIFF_##reason)
ROOF_API const char *roof_diff_reason_word(roof_diff_reason reason);  /* "halo_rows" */
ROOF_API const char *roof_diff_reason_words(roof_diff_reason reason); /* for people */

/* How rows of both sides found each other, surest first. */
typedef enum roof_diff_pairing {
    ROOF_DIFF_UNPAIRED, /* on one side alone */
    ROOF_DIFF_BY_NAME,  /* an operator has one name in both, but for what compilers add */
    /* by order, kind, shape of what is made, and multiply-accumulates; of an edit by how alike layers are */
    ROOF_DIFF_BY_SHAPE
} roof_diff_pairing;

/* The rows of one side: none, one, or several. */
typedef struct roof_diff_side {
    uint32_t *rows;
    uint32_t n;
    uint64_t macs;
    roof_traffic traffic;
    uint64_t ideal_cycles;
    double ideal_s;
    double time_s; /* of an edit: expected, or bound (kind), of all executions; NaN: unknown */
} roof_diff_side;

typedef struct roof_diff_row {
    roof_diff_pairing pairing;
    roof_diff_side before, after;
    uint32_t reasons;    /* bits of roof_diff_reason; 0: both are the same */
    double difference_s; /* of an edit: time of after - before; of a side without rows 0 */
    uint32_t rule;       /* of lowering, that joins the rows of one side: 2 for R2; 0: none */
} roof_diff_row;

/* Effect of the layers with one kind of change. */
typedef struct roof_diff_change {
    uint32_t n, n_unknown; /* layers; of these, those whose time is unknown */
    double difference_s;   /* of the others */
} roof_diff_change;

typedef struct roof_model_diff {
    const char *before, *after;                            /* names of the files */
    roof_prediction *before_prediction, *after_prediction; /* on the same hardware */
    bool is_edit;                                          /* both are compiled, or neither is */
    roof_answer_kind kind; /* of times: expected, or at least, since of one side nothing is expected */
    bool is_estimate;      /* the latter, of an estimate, which is no bound */
    uint32_t host_rows[2]; /* of the CPU, in none of the times: before, after */
    roof_diff_row *items;
    uint32_t n;
    bool is_lowered;      /* by rules; false: there are none for this hardware, and each operator is a row */
    uint32_t n_layers[2]; /* of the accelerator that compute: before, after */
    /* Numbers of items: equal in macs and layers, or after an edit in all; on both sides; without a known
     * reason. */
    uint32_t n_same, n_paired, n_unexplained;
    roof_diff_side total[2];             /* before, after; no rows */
    uint32_t reasons[ROOF_DIFF_REASONS]; /* how many items have each */
    /* After an edit, each item under one of its reasons; rest_s: the part of no layer, such as a call of
     * its own. */
    roof_diff_change changes[ROOF_DIFF_REASONS];
    double rest_s;
    /* After an edit: time before / time after, with its interval: 13 of 15 and 7 of 7 measured pairs of
     * networks were within 10 % of it. NaN: no interval is known. ratio_why says why, or why one is wider. */
    double ratio, ratio_low, ratio_high;
    const char *ratio_why;    /* NULL */
    bool is_distinguishable;  /* one takes at least 10 % less: smaller savings did not show in measurements */
    struct roof_arena *arena; /* private */
} roof_model_diff;

/* Lays two files of a network beside each other.
 *
 * before_graph: of any format that can be read; where no rules lower it for hw each operator is a row.
 * after_graph: compiled, or edited. hw: what both are predicted on.
 * before, after: names for people; copied.
 * Rules: before and after compiling, rows belong together that have an operator of one name, without what
 *   compilers add to it (subgraph_, _fix, what is in parentheses); then, in order, rows of one kind, shape
 *   and number of multiply-accumulates; where code names no operators, as Vela's, those of one shape and
 *   number of multiply-accumulates, and what lies between the same neighbours; then a row of the graph alone
 *   with the one that reads what it makes.
 *   Bytes: input that is less than the smallest map that a row reads is rows of it, more is a map. Before and
 *   after an edit, measure/compare/model_diff.c.
 * Errors: those of roof_predict; E_USAGE where only the first is compiled; E_LIMIT (networks of thousands of
 *   layers that have little in common); E_NO_MEMORY.
 * Example: tests/unit/test_model_diff.c. */
typedef struct roof_model_diff_request {
    const roof_graph *before_graph, *after_graph;
    const char *before, *after;
    const roof_hw *hw;
} roof_model_diff_request;
ROOF_API roof_status roof_model_diff_find(const roof_model_diff_request *requested, roof_model_diff **out,
                                          roof_error *err);
ROOF_API void roof_model_diff_free(roof_model_diff *diff);

ROOF_END_C
#endif
