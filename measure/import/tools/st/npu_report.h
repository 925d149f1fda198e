/* measure/import/tools/st/npu_report.h - the parts of what npu_profiler.py prints: a block for each epoch,
 * and the final part for the whole network. Lines are keys and values; those of both parts are rows of one
 * table. Facts from several lines are checked where the part ends, which makes a layer or a run.
 *
 * Ownership: a part borrows the document, and a layer of it that stays where it is until the part ends.
 */
#ifndef ROOF_MEASURE_IMPORT_TOOLS_ST_NPU_REPORT_H
#define ROOF_MEASURE_IMPORT_TOOLS_ST_NPU_REPORT_H

#include "measure/import/fields.h"
#include "measure/import/tools/st/npu_trace.h"

typedef enum npu_part_kind { NPU_OUTSIDE = 0, NPU_BLOCK = 1, NPU_FINAL = 2 } npu_part_kind;

/* Further places of what a part states, behind those of npu_counts.h. */
enum {
    NPU_EXTRA_MCU = NPU_COUNTS,    /* cycles in three phases, of epochs that the runtime put in */
    NPU_BUSIF = NPU_EXTRA_MCU + 3, /* of each: bytes read, bytes written, bursts of reads and writes */
    NPU_BUSIF_NUMBERS = 10,
    NPU_BUSIFS = NPU_BUSIF + 2 * NPU_BUSIF_NUMBERS, /* of both: bytes read, bytes written */
    NPU_ALL_MCU = NPU_BUSIFS + 2, /* of the network: cycles in all phases, in the core phase */
    NPU_ALL_NPU = NPU_ALL_MCU + 2,
    NPU_STATED = NPU_ALL_NPU + 2
};

enum { NPU_MOST_POOLS = 64 };

typedef struct npu_part {
    npu_part_kind kind;
    roof_measured *m;
    roof_measured_layer *layer; /* of a block */
    npu_epoch_id id;            /* likewise */
    uint64_t line;              /* of its heading; of the cycles of the final part */
    double duration[3]; /* ms, percent, ms of all epochs; of all, in the core phase, percent; or NaN */
    double mcu_percent
        [3]; /* of the final part: of all MCU cycles before, while and after the NPU works; or NaN */
    uint64_t of[NPU_STATED];              /* as in npu_counts; ROOF_UNKNOWN where it is not stated */
    double mhz[2];                        /* of the MCU and the NPU, as a block says; NaN where it does not */
    uint32_t engines;                     /* of streams so far, a bit each */
    uint64_t pool_bytes[2];               /* read and written, of the pools so far */
    roof_event pools[2 * NPU_MOST_POOLS]; /* of the final part, which has no run yet */
    uint32_t n_pools;
    bool without_compiler, headed, ended; /* headed, ended: of the final part */
    uint64_t n_skipped, first_skipped_line;
} npu_part;

/* The heading of a block: "EpochBlock_186 (c_idx=192, num=186:186, c_type=HW, extra=0)". */
bool npu_block_begins(text_span message);
roof_status npu_block_read_id(text_span message, npu_epoch_id *out, roof_error *err);
bool npu_final_begins(text_span message);

/* An empty part. layer: of a block, else NULL. */
void npu_part_begin(npu_part *part, npu_part_kind kind, roof_measured *m, roof_measured_layer *layer);

/* A line of the part. Errors: E_DATA (a line that is known but not as it should be, bytes that are not those
 * of the bursts, what is there twice, a total that is not that of the pools), E_LIMIT (more than 64 pools),
 * E_NO_MEMORY. */
roof_status npu_part_line(npu_part *part, text_span message, uint64_t line, roof_error *err);

/* Takes what a whole block says: time, phases, events. mcu_hz: the clock of the MCU. Errors: E_DATA with the
 * line of the heading (no cycles, a duration that they do not take), E_NO_MEMORY. */
roof_status npu_block_end(npu_part *block, double mcu_hz, npu_trace *trace, roof_error *err);

/* MCU cycles of all phases of a block that has ended, with those of extra epochs. */
double npu_block_cycles(const npu_part *block);

/* Total, phases and events of a run. The phases of its rows, where they are all there, are set already.
 * Errors: E_DATA with the line (cycles that do not take the duration), E_NO_MEMORY. */
roof_status npu_final_end(const npu_part *final, double mcu_hz, roof_run *run, roof_error *err);

#endif
