/* measure/npu_block.h - one epoch as npu_profiler.py prints it: what the compiler planned, what the target counted. The
 * lines of a block become what its layer has; what follows from several of them is checked where it ends.
 */
#ifndef ROOF_MEASURE_NPU_BLOCK_H
#define ROOF_MEASURE_NPU_BLOCK_H

#include "measure/npu_trace.h"

/* Numbers of a block; NaN where there is none. */
enum {
    ROOF_NPU_DURATION, /* ms, percent, ms of all epochs */
    ROOF_NPU_CYCLES = ROOF_NPU_DURATION + 3,
    ROOF_NPU_EXTRA_CYCLES = ROOF_NPU_CYCLES + 3,
    ROOF_NPU_CORE = ROOF_NPU_EXTRA_CYCLES + 3,
    ROOF_NPU_BUSIF, /* of each: bytes read, bytes written, bursts of reads and writes */
    ROOF_NPU_BUSIFS = ROOF_NPU_BUSIF + 2 * 10, /* of both: bytes read, bytes written */
    ROOF_NPU_CACHE = ROOF_NPU_BUSIFS + 2,
    ROOF_NPU_OPS = ROOF_NPU_CACHE + 8,
    ROOF_NPU_COMPUTE, /* and the cycles with the memory's limits */
    ROOF_NPU_NUMBERS = ROOF_NPU_COMPUTE + 2
};

enum { ROOF_NPU_ENGINES = 16 };

typedef struct roof_npu_block {
    roof_measured *m;
    roof_npu_epoch_id id;
    uint64_t line; /* of its heading */
    double numbers[ROOF_NPU_NUMBERS];
    double mcu_mhz, npu_mhz;                /* as the block says; NaN where it does not */
    double active_cycles[ROOF_NPU_ENGINES]; /* NaN: not stated */
    bool is_output[ROOF_NPU_ENGINES];
    uint64_t pool_read_bytes, pool_write_bytes; /* of the pools so far, as the target's part repeats them */
    bool without_compiler;
    uint64_t n_skipped, first_skipped_line;
} roof_npu_block;

/* The heading of a block: "EpochBlock_186 (c_idx=192, num=186:186, c_type=HW, extra=0)". */
bool roof_npu_block_begins(roof_span message);
roof_status roof_npu_block_read_id(roof_span message, roof_npu_epoch_id *out, roof_error *err);

void roof_npu_block_begin(roof_npu_block *block, roof_measured *m, const roof_npu_epoch_id *id,
                          uint64_t line);

/* A line of the block. layer: the one that it becomes. Errors: E_DATA (a line that is known but not as it should be,
 * bytes that are not those of the bursts, what is there twice), E_NO_MEMORY. */
roof_status roof_npu_block_line(roof_npu_block *block, roof_span message, uint64_t line,
                                roof_measured_layer *layer, roof_error *err);

/* What the whole block says: time, phases, events. mcu_hz: the clock of the MCU. Errors: E_DATA with the line of the
 * heading (no cycles, a duration that they do not take), E_NO_MEMORY. */
roof_status roof_npu_block_end(roof_npu_block *block, double mcu_hz, roof_npu_trace *trace,
                               roof_measured_layer *layer, roof_error *err);

/* MCU cycles of a phase, with those of extra epochs. */
uint64_t roof_npu_block_cycles(const roof_npu_block *block, unsigned phase);

#endif
