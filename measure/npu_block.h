/* measure/npu_block.h - one epoch as npu_profiler.py prints it: what the compiler planned, what the target counted. The
 * lines of a block become what its layer has; what follows from several of them is checked where it ends.
 */
#ifndef ROOF_MEASURE_NPU_BLOCK_H
#define ROOF_MEASURE_NPU_BLOCK_H

#include "measure/npu_trace.h"

/* Numbers of a block; NaN where there is none. */
enum {
    NPU_DURATION, /* ms, percent, ms of all epochs */
    NPU_CYCLES = NPU_DURATION + 3,
    NPU_EXTRA_CYCLES = NPU_CYCLES + 3,
    NPU_CORE = NPU_EXTRA_CYCLES + 3,
    NPU_BUSIF,                       /* of each: bytes read, bytes written, bursts of reads and writes */
    NPU_BUSIFS = NPU_BUSIF + 2 * 10, /* of both: bytes read, bytes written */
    NPU_CACHE = NPU_BUSIFS + 2,
    NPU_OPS = NPU_CACHE + 8,
    NPU_COMPUTE, /* and the cycles with the memory's limits */
    NPU_NUMBERS = NPU_COMPUTE + 2
};

enum { NPU_ENGINES = 16 };

typedef struct npu_block {
    roof_measured *m;
    npu_epoch_id id;
    uint64_t line; /* of its heading */
    double numbers[NPU_NUMBERS];
    double mcu_mhz, npu_mhz;           /* as the block says; NaN where it does not */
    double active_cycles[NPU_ENGINES]; /* NaN: not stated */
    bool is_output[NPU_ENGINES];
    uint64_t pool_read_bytes, pool_write_bytes; /* of the pools so far, as the target's part repeats them */
    bool without_compiler;
    uint64_t n_skipped, first_skipped_line;
} npu_block;

/* The heading of a block: "EpochBlock_186 (c_idx=192, num=186:186, c_type=HW, extra=0)". */
bool npu_block_begins(text_span message);
roof_status npu_block_read_id(text_span message, npu_epoch_id *out, roof_error *err);

void npu_block_begin(npu_block *block, roof_measured *m, const npu_epoch_id *id, uint64_t line);

/* A line of the block. layer: the one that it becomes. Errors: E_DATA (a line that is known but not as it should be,
 * bytes that are not those of the bursts, what is there twice), E_NO_MEMORY. */
roof_status npu_block_line(npu_block *block, text_span message, uint64_t line, roof_measured_layer *layer,
                           roof_error *err);

/* What the whole block says: time, phases, events. mcu_hz: the clock of the MCU. Errors: E_DATA with the line of the
 * heading (no cycles, a duration that they do not take), E_NO_MEMORY. */
roof_status npu_block_end(npu_block *block, double mcu_hz, npu_trace *trace, roof_measured_layer *layer,
                          roof_error *err);

/* MCU cycles of a phase, with those of extra epochs. */
uint64_t npu_block_cycles(const npu_block *block, unsigned phase);

#endif
