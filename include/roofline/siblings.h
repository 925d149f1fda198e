/* roofline/siblings.h - one network before and after compiling: what the rules of lowering make of the graph,
 * beside the layers, bytes and cycles of the file that its compiler wrote, and why they differ.
 *
 * Units: _bytes bytes of external memory, _cycles cycles of the accelerator's clock, _s seconds, macs
 *   multiply-accumulates, of a run. ROOF_UNKNOWN and NaN are not known.
 * Shapes: siblings are in the order of the compiled file; behind them stand those of the graph alone. Rows
 *   are indices into the layers of the side's prediction; each is in one sibling.
 * Ownership: a roof_siblings owns its predictions and everything in it; free it with roof_siblings_free.
 */
#ifndef ROOFLINE_SIBLINGS_H
#define ROOFLINE_SIBLINGS_H

#include "roofline/prediction.h"

ROOF_BEGIN_C

#define ROOF_SIBLINGS_SCHEMA "roofline.siblings/1"

/* Why a compiled layer is not what the rules say: one bit each of roof_sibling.reasons. */
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
    ROOF_SIBLINGS_SHAPE /* by order, kind, shape of what is made, and multiply-accumulates */
} roof_sibling_pairing;

/* The rows of one side: none, one, or several. */
typedef struct roof_sibling_side {
    uint32_t *rows;
    uint32_t n;
    uint64_t macs;
    roof_traffic traffic;
    uint64_t ideal_cycles;
    double ideal_s;
} roof_sibling_side;

typedef struct roof_sibling {
    roof_sibling_pairing pairing;
    roof_sibling_side before, after;
    uint32_t reasons; /* bits of roof_sibling_reason; 0: both are the same */
    uint32_t rule;    /* of lowering, that joins the rows of one side: 2 for R2; 0: none */
} roof_sibling;

typedef struct roof_siblings {
    const char *before, *after;        /* names of the files */
    roof_prediction *graph, *compiled; /* of both, on the same hardware */
    roof_sibling *items;
    uint32_t n;
    bool is_lowered;      /* by rules; false: there are none for this hardware, and each operator is a row */
    uint32_t n_layers[2]; /* of the accelerator that compute: before, after */
    uint32_t n_same, n_paired, n_unexplained; /* of items: equal in macs and layers; on both sides */
    roof_sibling_side total[2];               /* before, after; no rows */
    uint32_t reasons[ROOF_SIBLING_REASONS];   /* how many items have each */
    struct roof_arena *arena;                 /* private */
} roof_siblings;

/* Lays a compiled file beside the graph that nobody compiled.
 *
 * graph: of any format that can be read; where no rules lower it for hw each of its operators is a row.
 * hw: what both are predicted on.
 * before, after: names for people; copied.
 * Rules: rows belong together that have an operator of one name, without what compilers add to it
 *   (subgraph_, _fix, what is in parentheses); then, in order, rows of one kind, shape and number of
 *   multiply-accumulates; then a row of the graph alone with the one that reads what it makes. Bytes: input
 *   that is less than the smallest map that a row reads is rows of it, more is a map.
 * Errors: those of roof_predict; E_USAGE where the first is compiled or the second is not; E_NO_MEMORY.
 * Example: tests/unit/test_siblings.c. */
typedef struct roof_siblings_asked {
    const roof_graph *graph, *compiled;
    const char *before, *after;
    const roof_hw *hw;
} roof_siblings_asked;
ROOF_API roof_status roof_siblings_compare(const roof_siblings_asked *asked, roof_siblings **out,
                                           roof_error *err);
ROOF_API void roof_siblings_free(roof_siblings *siblings);

ROOF_END_C
#endif
