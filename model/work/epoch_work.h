/* model/work/epoch_work.h - what an uncompiled graph asks of an accelerator that works in epochs,
 * row by row: lowering counts it, and constants of expected times are of it (model/predict/expect.c).
 *
 * Units: elements, which are bytes of 8-bit tensors. Formulas and where they come from:
 *   docs/hardware/neural_art.md, "An uncompiled network".
 * Ownership: as rows of a program.
 */
#pragma once

#include <stdbool.h>
#include "roofline/status.h"

/* The unit whose stream a layer is. */
typedef enum epoch_unit { EPOCH_NO_LAYER, EPOCH_CONV, EPOCH_DEPTHWISE, EPOCH_OTHER, EPOCH_UNITS } epoch_unit;

/* Work beside the stream of a layer: by the NPU a copy, by its host all else. */
typedef enum epoch_extra {
    EPOCH_COPY,     /* written by concatenations, splits and slices */
    EPOCH_NEAREST,  /* out of resampling to the nearest */
    EPOCH_BILINEAR, /* out of other resampling */
    EPOCH_SOFTMAX,
    EPOCH_POOL, /* into a pooling of whole maps that is too large for the NPU */
    EPOCH_ODD,  /* of concatenations of channels that are no multiple of 8, and of their shuffles */
    EPOCH_EXTRAS
} epoch_extra;

typedef struct epoch_work {
    epoch_unit unit;
    double stream; /* elements through the busiest port, one a cycle, all passes over the map together */
    uint64_t weights_bytes, out_channels, silu_elements;
    bool is_strided;
    uint64_t extras[EPOCH_EXTRAS];
    uint64_t in_elements, out_elements; /* maps that it holds at once, a pooling behind it taken with it */
    uint32_t in, out;                   /* operators that make these maps */
    bool pools_in_floats;               /* a pooling whose last windows leave the map: on the CPU */
    bool is_unmeasured;                 /* no network with such a layer was measured */
} epoch_work;
