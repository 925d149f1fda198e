/* model/edit/edit.h - a network with some of its operators changed, as it would be exported again.
 *
 * The edited graph is a copy. Shapes of all operators behind a change are inferred again (follow.h): height
 * and width by windows, channels by who makes them, weights by what is read and made. Where one of them does
 * not follow, the edit is refused with the operator and the reason: nothing is guessed. Numbers that a file
 * has for reshapes and resizes are taken to be exported again with it.
 *
 * Units: channels and kernels are counts of elements. op: an index into the operators of the given graph.
 * Shapes: NHWC, see roofline/graph.h.
 * Channels: operators whose outputs have the same channels by construction are one group: the two operands
 *   of an addition, what an activation or a depthwise convolution reads and makes. A change of one is a
 *   change of the group.
 * Order: operators are changed and left out in the order of the edits, channels after that.
 * Ownership: *out is freed with roof_graph_free. It borrows texts, findings and names in the file of the
 *   given graph, which must outlive it, and has no file of its own: its SHA-256 fails.
 * Errors: E_UNSUPPORTED (the edit is not possible here, and why; a compiled graph), E_USAGE (an operator that
 *   is none), E_LIMIT (a shape overflows), E_NO_MEMORY.
 * Example (tests/unit/test_edit.c): a 1x1 convolution of 16x16x8 to 32 channels, edited to 24, with a
 *   depthwise 3x3 behind it: 16x16x24, weights 24x1x1x8, and 1x3x3x24.
 */
#pragma once

#include "core/core.h"
#include "roofline/advise.h"

/* CHANNELS    of what a convolution or product makes: value, for its whole group
 * KERNEL      of a convolution or pooling: value x value; pads keep the output as large as it was
 * STRIDE      of a convolution or pooling: value in both directions, pads stay
 * GROUPS      of a convolution: value; 1 is a plain one, as many as channels a depthwise one
 * ACTIVATION  an activation, or the product of a map and its own sigmoid, becomes a ReLU6
 * DROP        left out: its readers read its map number value, which has the same shape; of a transposition
 *             that undoes the one that it reads (edit_undone), what that one reads
 * PADS        rows and columns of zeroes around a map, which convolutions alone read: they have them as pads
 * INPUT       height value and width value_w of the network's one image; op is ROOF_NONE
 * WIDTH       channels of all convolutions times factor, rounded up to a multiple of value; those that no
 *             later product reads, which classes and boxes come from, stay; op is ROOF_NONE
 * BATCH       value images at once: nothing of the graph changes, which is of one; op is ROOF_NONE */
typedef enum edit_kind {
#define EDIT(name, word) EDIT_##name,
#include "roofline/edits.def"
#undef EDIT
    EDIT_KINDS
} edit_kind;

typedef struct edit {
    edit_kind kind;
    uint32_t op, value, value_w;
    double factor;
} edit;

/* Edits of the network, not of an operator. */
static inline bool edit_is_of_whole(edit_kind kind)
{
    return kind == EDIT_INPUT || kind == EDIT_WIDTH || kind == EDIT_BATCH;
}

/* Checks that a graph can be edited at all. Errors: E_UNSUPPORTED. */
roof_status edit_check(const roof_graph *graph, roof_error *err);

/* What edits stand on, of each operator. */
typedef struct edit_facts {
    const uint32_t *order;            /* operators, each behind those that it reads */
    const unsigned char *is_constant; /* known before the network runs */
    /* Operators whose outputs have the same channels, as EDIT_CHANNELS changes them: of each operator that
     * makes channels which may be changed the first one of its set, else ROOF_NONE. Sets with the network's
     * input, and those that no later product reads, stay. */
    const uint32_t *sets;
} edit_facts;

/* The facts of a graph, in arena. Errors: E_NO_MEMORY. */
roof_status edit_facts_of(const roof_graph *graph, roof_arena *arena, edit_facts *out, roof_error *err);

/* Of such operators kernel and stride can be changed. */
bool edit_has_window(roof_rule rule);

/* The padding that EDIT_PADS hands on; NULL: the operator puts no zeroes around a map, or it is unknown. */
const roof_window *edit_zero_pads(const roof_graph *graph, uint32_t op);

/* The transposition that op reads and undoes; ROOF_NONE: it does not, or it is unknown. */
uint32_t edit_undone(const roof_graph *graph, uint32_t op);

/* The one image that the network reads; NULL, or why there is none. height: the index of that dimension, the
 * width's is behind it. */
const char *edit_image(const roof_graph *graph, uint32_t *op, uint32_t *height);

roof_status edit_graph(const roof_graph *graph, const edit *edits, uint32_t n, roof_graph **out,
                       roof_error *err);

/* How far the predicted ratio of two networks' times can be trusted.
 *
 * Formula: ratio = time before / time after; its interval is ratio * (1 -+ ROOF_EDIT_SPREAD), which covered
 *   13 of 15 and 7 of 7 pairs of networks of known graphs, measured on DPUs (docs/edits.md). Below
 *   ROOF_EDIT_LEAST_OPS operations ratios came out 18 to 22 % too high, so the low end is lower by that.
 * Units: times in seconds, operations of an inference (1 MAC = 2). NaN: unknown.
 * Example (tests/unit/test_edit.c): 11 ms before and 10 ms after are 1.1, from 0.99 to 1.21: a saving of 9 %
 *   is below what measurements tell from none. */
typedef struct edit_ratio {
    double ratio, low, high; /* low and high: NaN where no interval is known */
    const char *why;         /* why there is none, or why it is wider; NULL */
    bool is_distinguishable; /* one of both takes less by at least ROOF_EDIT_LEAST_SAVING */
} edit_ratio;

/* kind: of the times, expected or at least; is_estimate: the latter are estimates, which bound nothing.
 * least_ops: operations of the smaller network; ROOF_UNKNOWN is taken for many. */
edit_ratio edit_ratio_of(double before_s, double after_s, uint64_t least_ops, roof_answer_kind kind,
                         bool is_estimate, const roof_hw *hw);
