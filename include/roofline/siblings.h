/* roofline/siblings.h - two files of one network, layer by layer, and why they differ.
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
 * Ownership: a roof_siblings owns its predictions and everything in it; free it with roof_siblings_free.
 */
#ifndef ROOFLINE_SIBLINGS_H
#define ROOFLINE_SIBLINGS_H

#include "roofline/prediction.h"

ROOF_BEGIN_C

#define ROOF_SIBLINGS_SCHEMA "roofline.siblings/1"

/* Why layers differ: one bit each of roof_sibling.reasons. */
typedef enum roof_sibling_reason {
#define SIBLING(name, word, words) ROOF_SIBLING_##name,
#include "roofline/siblings.def"
#undef SIBLING
    ROOF_SIBLING_REASONS
} roof_sibling_reason;
#define ROOF_SIBLING(reason) (1U << ROOF_SIBLING_##reason)
ROOF_API const char *roof_sibling_reason_word(roof_sibling_reason reason);  /* "halo_rows" */
ROOF_API const char *roof_sibling_reason_words(roof_sibling_reason reason); /* for people */

/* How rows of both sides found each other, surest first. */
typedef enum roof_sibling_pairing {
    ROOF_SIBLINGS_NOT,  /* on one side alone */
    ROOF_SIBLINGS_NAME, /* an operator has one name in both, but for what compilers add */
    /* by order, kind, shape of what is made, and multiply-accumulates; of an edit by how alike layers are */
    ROOF_SIBLINGS_SHAPE
} roof_sibling_pairing;

/* The rows of one side: none, one, or several. */
typedef struct roof_sibling_side {
    uint32_t *rows;
    uint32_t n;
    uint64_t macs;
    roof_traffic traffic;
    uint64_t ideal_cycles;
    double ideal_s;
    double time_s; /* of an edit: expected, or bound (kind), of all executions; NaN: unknown */
} roof_sibling_side;

typedef struct roof_sibling {
    roof_sibling_pairing pairing;
    roof_sibling_side before, after;
    uint32_t reasons;    /* bits of roof_sibling_reason; 0: both are the same */
    double difference_s; /* of an edit: time of after - before; of a side without rows 0 */
    uint32_t rule;       /* of lowering, that joins the rows of one side: 2 for R2; 0: none */
} roof_sibling;

/* Effect of the layers with one kind of change. */
typedef struct roof_sibling_change {
    uint32_t n, n_unknown; /* layers; of these, those whose time is unknown */
    double difference_s;   /* of the others */
} roof_sibling_change;

typedef struct roof_siblings {
    const char *before, *after;                            /* names of the files */
    roof_prediction *before_prediction, *after_prediction; /* on the same hardware */
    bool is_edit;                                          /* both are compiled, or neither is */
    roof_answer_kind kind; /* of times: expected, or at least, since of one side nothing is expected */
    bool is_estimate;      /* the latter, of an estimate, which is no bound */
    uint32_t host_rows[2]; /* of the CPU, in none of the times: before, after */
    roof_sibling *items;
    uint32_t n;
    bool is_lowered;      /* by rules; false: there are none for this hardware, and each operator is a row */
    uint32_t n_layers[2]; /* of the accelerator that compute: before, after */
    /* Numbers of items: equal in macs and layers, or after an edit in all; on both sides; without a known
     * reason. */
    uint32_t n_same, n_paired, n_unexplained;
    roof_sibling_side total[2];             /* before, after; no rows */
    uint32_t reasons[ROOF_SIBLING_REASONS]; /* how many items have each */
    /* After an edit, each item under one of its reasons; rest_s: the part of no layer, such as a call of
     * its own. */
    roof_sibling_change changes[ROOF_SIBLING_REASONS];
    double rest_s;
    /* After an edit: time before / time after, with its interval: 13 of 15 and 7 of 7 measured pairs of
     * networks were within 10 % of it. NaN: no interval is known. ratio_why says why, or why one is wider. */
    double ratio, ratio_low, ratio_high;
    const char *ratio_why;    /* NULL */
    bool is_distinguishable;  /* one takes at least 10 % less: smaller savings did not show in measurements */
    struct roof_arena *arena; /* private */
} roof_siblings;

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
 *   after an edit, measure/compare/sibling_edits.h.
 * Errors: those of roof_predict; E_USAGE where only the first is compiled; E_LIMIT (networks of thousands of
 *   layers that have little in common); E_NO_MEMORY.
 * Example: tests/unit/test_siblings.c. */
typedef struct roof_siblings_asked {
    const roof_graph *before_graph, *after_graph;
    const char *before, *after;
    const roof_hw *hw;
} roof_siblings_asked;
ROOF_API roof_status roof_siblings_compare(const roof_siblings_asked *asked, roof_siblings **out,
                                           roof_error *err);
ROOF_API void roof_siblings_free(roof_siblings *siblings);

ROOF_END_C
#endif
