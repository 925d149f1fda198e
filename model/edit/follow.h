/* model/edit/follow.h - the shape of what an operator makes, once what it reads has another one.
 *
 * Each rule is a relation of the shapes of inputs and output. It is first held against the shapes of the
 * given graph: an operator whose own shape it does not give is not followed, whatever it is called.
 *
 *   window          floor or, of a pooling, ceiling of (in + pads - reach) / stride + 1, as the given shape
 *                   tells; a pooling over its whole input still covers it; pads that differ at the two ends
 *                   and are those of SAME padding are computed again: ceil(in / stride)
 *   transposed      (in - 1) stride + reach - pads + what the given output has more
 *   element by element   dimensions of 1 are for all; constants of one value a channel have as many as there
 *                   are channels
 *   joining         the dimension in which the given parts add up
 *   reshape         dimensions in groups of the same product; of a group that becomes several dimensions the
 *                   first one takes what changes, where the channels stay
 *   resize          by the whole number of times that the given map grows or shrinks
 *   product         its inner dimension and its rows; weights [IN, OUT] or [OUT, IN]. Square ones leave open
 *                   which; the number of elements, which is what is counted, is the same either way
 */
#pragma once

#include "roofline/graph.h"

/* Two graphs with the same operators at the same places; edges and windows of to may be changed. */
typedef struct follower {
    const roof_graph *from;
    roof_graph *to;
    const unsigned char *is_constant; /* of operators: known before the network runs */
    unsigned char *is_set;            /* of constants: its shape followed already */
    const uint32_t *channels;         /* to be made by a convolution or product; 0: as many as before */
    const uint32_t *groups;           /* of a convolution; 0: as before */
    /* The operator that follow_shape is at, and the first map that it reads, before and now. */
    uint32_t op;
    const roof_op *given;
    roof_op *own;
    const roof_tensor *old_in, *in; /* NULL: it reads none */
} follower;

/* As TRY, of a step whose result is the reason why it is not possible, or NULL. */
#define BECAUSE(call)                                                                                        \
    do {                                                                                                     \
        const char *reason_ = (call);                                                                        \
        if (reason_)                                                                                         \
            return reason_;                                                                                  \
    } while (0)

/* The number-th input that is a map, not weights or constants: its edge; ROOF_NONE: there are not so many. */
uint32_t follow_map(const unsigned char *is_constant, const roof_graph *g, uint32_t op, uint32_t number);

/* True if op makes of the map what a function of one operator makes of it: its sigmoid. */
bool follow_is_gate(const unsigned char *is_constant, const roof_graph *g, uint32_t op, uint32_t map);

bool follow_same_dims(const roof_tensor *a, const roof_tensor *b);

/* Sets the dimensions of what op makes in to, and of its weights. The dimensions of its inputs are set
 * before.
 * Result: NULL, or why it does not follow; then nothing of op has changed. */
const char *follow_shape(follower *f, uint32_t op);

/* Elements and bytes of a tensor from its dimensions. Errors: E_LIMIT. */
roof_status follow_count(roof_tensor *t, roof_error *err);
