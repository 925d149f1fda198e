/* runners/cpu/cpu_steps.h - computations of a processor for a row of a program, independent of their
 * implementation.
 *
 * Shapes: all tensors are read as NHWC, with the requested batch. Buffers are by operator: what an operator
 * makes lies in the buffer of its number; one that only names memory (a reshape) shares that of its input.
 * Ownership: everything is the arena's.
 */
#pragma once

#include "core/arena.h"
#include "model/work/cost.h"
#include "roofline/work.h"

enum { STEP_MOST_INPUTS = 64 };

typedef enum step_kind {
    STEP_CONVOLUTION,
    STEP_TRANSPOSED,
    STEP_PRODUCT, /* of matrices */
    STEP_POOL,
    STEP_BINARY,
    STEP_UNARY,
    STEP_SCALE, /* a factor for each channel */
    STEP_SOFTMAX,
    STEP_REDUCE,
    STEP_RESIZE,
    STEP_CONCAT,
    STEP_COPY,
    STEP_KINDS
} step_kind;

/* A shape whose batch may exceed what a file holds. */
typedef struct step_shape {
    int64_t n, h, w, c;
} step_shape;

typedef struct step_product {
    int64_t batch, rows, inner, columns;
    bool shared; /* one right matrix for all of the batch */
} step_product;

typedef struct step {
    step_kind kind;
    const char *type;                                 /* of the operator */
    uint32_t out, inputs[STEP_MOST_INPUTS], n_inputs; /* buffers */
    step_shape in, to;                                /* of the first input, and of what it makes */
    step_shape second;                                /* of the second one, of STEP_BINARY */
    roof_window window;
    int64_t groups, pad_bottom, pad_right; /* what is needed to get the shape that the file states */
    bool has_bias, average;
    step_product product;
    uint64_t macs; /* of one image, from the shapes that are executed */
    struct step *next;
} step;

/* A row: its steps in order, or why they cannot be executed. */
typedef struct step_row {
    const char *name, *type, *skipped;
    step *first;
    uint64_t macs;
} step_row;

typedef struct steps {
    step_row *rows;
    uint32_t n_rows;
    uint32_t *buffers;  /* of each operator of the graph: whose it shares; its own where nothing is shared */
    uint64_t *elements; /* of each operator, with its batch */
    uint32_t n_buffers;
    uint64_t macs;
} steps;

/* Errors: E_UNSUPPORTED (the file has no shapes), E_LIMIT, E_NO_MEMORY. */
roof_status steps_of(const roof_graph *graph, const roof_program *program, uint32_t batch, roof_arena *arena,
                     steps *out, roof_error *err);
