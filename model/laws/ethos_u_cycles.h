/* model/laws/ethos_u_cycles.h - cycles of layers of an Arm Ethos-U: what Vela estimates, and the least.
 *
 * Units: cycles of the accelerator's clock; bytes.
 * Source: docs/hardware/ethos_u.md, "laws", which says where each formula is from and how it agrees.
 */
#pragma once

#include "model/code/ethosu/ethosu.h"

/* Memories as Vela's reports name them. */
typedef enum ethosu_memory {
    ETHOSU_SRAM,
    ETHOSU_DRAM,
    ETHOSU_ON_CHIP_FLASH,
    ETHOSU_OFF_CHIP_FLASH,
    ETHOSU_MEMORIES
} ethosu_memory;

typedef struct ethosu_memory_rate {
    double bytes_per_cycle; /* both directions together */
    double burst_bytes;     /* bursts moved at this rate; shorter ones waste the rest */
    double read_latency, write_latency;
} ethosu_memory_rate;

/* The memories around the accelerator. */
typedef struct ethosu_system {
    ethosu_memory_rate memories[ETHOSU_MEMORIES];
    ethosu_memory memory_of[ETHOSU_REGIONS];
} ethosu_system;

/* The cycles that Vela prints for a layer, before rounding. */
typedef struct ethosu_estimate {
    double npu;                     /* array, output unit and DMAs that nothing hides */
    double access[ETHOSU_MEMORIES]; /* while each memory is busy */
} ethosu_estimate;

/* The estimates of all layers of a stream, in the order of its groups: by the rules of the core that wrote
 * it. Layers hand time on in which the DMA engine was idle, so that none stands alone. out: room for
 * stream->n_groups. Streams of a U55 or U65; others are ROOF_E_UNSUPPORTED. */
roof_status ethosu_vela_estimates(const ethosu_stream *stream, const ethosu_system *system,
                                  ethosu_estimate *out, roof_error *err);

/* Least cycles of the array and the output unit, whatever the memories do. Whole micro-blocks are worked
 * on, partial blocks of them are not filled up. Errors: E_LIMIT. */
typedef struct ethosu_least {
    uint64_t array, output;
} ethosu_least;
roof_status ethosu_least_cycles(const ethosu_group *group, ethosu_least *out, roof_error *err);

/* An uncompiled operator. */
typedef struct ethosu_shape {
    ethosu_product product;
    uint32_t macs;             /* of the array, a cycle */
    uint64_t positions, depth; /* of the OFM: height times width of all images, and channels */
    uint64_t window;           /* taps of the kernel; 0: the array has no part in it */
    uint64_t summed; /* channels of the IFM that an element sums over; 0: its own alone, as in a pooling */
    uint32_t stride; /* along the width; 0: unknown */
    bool is_wide;    /* the IFM has 16 bits */
    bool is_max;     /* a pooling that compares */
} ethosu_shape;

/* The least whatever Vela makes of it: at or below ethosu_least_cycles of the compiled layer. A convolution
 * of 3x3 over 10x10 positions, 16 channels to 17, on a U55-128, whose micro-block is 2 positions and 8
 * channels: 50 * ceil(17 / 8) * 9 * ceil(16 / 8) = 2,700 cycles of the array. Errors: E_LIMIT. */
roof_status ethosu_least_of_shape(const ethosu_shape *shape, ethosu_least *out, roof_error *err);
