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
 * Ownership: *out is freed with roof_graph_free. It borrows texts and findings of the given graph, which must
 *   outlive it, and has no file: what reads the file itself (its SHA-256, its memory) fails.
 * Errors: E_UNSUPPORTED (the edit is not possible here, and why; a compiled graph), E_USAGE (an operator that
 *   is none), E_LIMIT (a shape overflows), E_NO_MEMORY.
 * Example (tests/unit/test_edit.c): a 1x1 convolution of 16x16x8 to 32 channels, edited to 24, with a
 *   depthwise 3x3 behind it: 16x16x24, weights 24x1x1x8, and 1x3x3x24.
 */
#ifndef ROOF_MODEL_EDIT_H
#define ROOF_MODEL_EDIT_H

#include "roofline/graph.h"

typedef enum edit_kind {
    EDIT_CHANNELS,   /* of what a convolution or product makes: value, for its whole group */
    EDIT_KERNEL,     /* of a convolution or pooling: value x value; pads keep the output as large as it was */
    EDIT_STRIDE,     /* of a convolution or pooling: value in both directions, pads stay */
    EDIT_GROUPS,     /* of a convolution: value; 1 is a plain one, as many as channels a depthwise one */
    EDIT_ACTIVATION, /* an activation, or the product of a map and its own sigmoid, becomes a ReLU6 */
    EDIT_DROP,       /* left out: its readers read its map number value, which has the same shape */
    EDIT_INPUT,      /* height value and width value_w of the network's one image; op is ROOF_NONE */
    /* Channels of all convolutions times factor, rounded up to a multiple of value; those that no later
     * product reads, which classes and boxes come from, stay; op is ROOF_NONE. */
    EDIT_WIDTH,
    EDIT_KINDS
} edit_kind;

typedef struct edit {
    edit_kind kind;
    uint32_t op, value, value_w;
    double factor;
} edit;

roof_status edit_graph(const roof_graph *graph, const edit *edits, uint32_t n, roof_graph **out,
                       roof_error *err);

#endif
