/* model/predict/alternative.h - other hardware or another data type to ask about: the network predicted once
 * more on a changed copy.
 *
 * Ownership: what alternative_begin fills is freed by alternative_end.
 */
#ifndef ROOF_MODEL_PREDICT_ALTERNATIVE_H
#define ROOF_MODEL_PREDICT_ALTERNATIVE_H

#include "core/arena.h"
#include "roofline/prediction.h"

/* what_if.c: whether it is an engine whose code is replayed, and its factor, "load=2". Errors: E_USAGE. */
#define WHAT_IF_ENGINES "load, save, conv, alu, eltwise, fetch or clock"
bool what_if_is_engine(const char *name, size_t length);
roof_status what_if_add_speedup(const char *item, roof_speedups *out, roof_error *err);

/* A case that is predicted in place of a network and its hardware. */
typedef struct alternative_case {
    roof_graph *read;        /* another graph of the same file; NULL: none was read */
    roof_product product;    /* of that graph */
    roof_graph copy;         /* of the graph, where its tensors are of another type */
    const roof_graph *graph; /* one of the two, or the network's own */
    roof_hw *hw;
    const char *label;  /* "octoFlash x2, int8" */
    bool is_of_tensors; /* the copy is what is predicted */
} alternative_case;

/* Fills the case; its label and copies live in arena.
 *
 * base: the prediction without the changes.
 * Errors: E_USAGE (a pool or an engine that the model does not have, with those that it has; a type that is
 *   none), E_UNSUPPORTED (no rate of the type is known of the hardware), E_NO_MEMORY. */
roof_status alternative_begin(const roof_graph *graph, const roof_hw *hw, const roof_prediction *base,
                              const roof_changes *changes, roof_arena *arena, alternative_case *out,
                              roof_error *err);
void alternative_end(alternative_case *one);

/* Checks that the other prediction is of that type: code and plans are of their own. Errors:
 * E_UNSUPPORTED. */
roof_status alternative_check(const alternative_case *one, const roof_prediction *other,
                              const roof_changes *changes, roof_error *err);

#endif
