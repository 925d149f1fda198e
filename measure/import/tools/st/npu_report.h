/* measure/import/tools/st/npu_report.h - the parts of what npu_profiler.py prints: a block for each epoch,
 * and the final part for the whole network. Lines are keys and values; those of both parts are rows of one
 * table. Facts from several lines are checked where the part ends, which makes a layer or a run.
 *
 * Ownership: a part borrows the document, and a layer of it that stays where it is until the part ends.
 */
#ifndef ROOF_MEASURE_IMPORT_TOOLS_ST_NPU_REPORT_H
#define ROOF_MEASURE_IMPORT_TOOLS_ST_NPU_REPORT_H

#include "measure/import/importer.h"
#include "measure/import/tools/st/npu_counts.h"

/* Raw counters that the instrumented runtime of the Neural-ART sends for every epoch of every inference
 * ("s:node:mcu_cycles:395:817199:368"), gathered by network and epoch. The runtime has 16 counters, so that
 * the profiler runs a network several times with other counters each time: what these passes counted of an
 * epoch is put together, and what several of them counted is averaged. A network is told by its epochs: a
 * line of other epochs begins another one. */
typedef struct npu_trace npu_trace;

/* In the scratch of the import. NULL without memory. */
npu_trace *npu_trace_new(import_state *in);

/* True if a message is one of these lines. */
bool npu_trace_is_line(text_span message);

/* One of them. mcu_hz: the clock of the MCU, NaN when it is not yet known. Errors: E_DATA (a line that is not
 * as it should be, cycles without a clock), E_LIMIT (more than 2^14 epochs), E_NO_MEMORY. */
roof_status npu_trace_line(npu_trace *trace, text_span message, double mcu_hz, roof_error *err);

/* The lines that follow are of another network, or none follow. Errors: as above. */
roof_status npu_trace_cut(npu_trace *trace, roof_error *err);

/* Takes what the trace has of an epoch before the last cut: when its means, rounded up, are the
 * cycles of the phases in counts, its samples become the layer's, and what is known better than from the
 * profiler's text replaces the counts: cycles of the NPU in all phases, and stream engines by direction; and
 * what the text does not have of the cache and of bursts. Errors: E_NO_MEMORY, E_DATA. */
roof_status npu_trace_match(npu_trace *trace, const npu_epoch_id *id, npu_counts *counts,
                            roof_measured_layer *layer, roof_error *err);

/* A run for every network, in an experiment of its own, with the clocks. Errors: E_NO_MEMORY, E_DATA. */
typedef roof_status (*npu_add_run)(struct reading *r, roof_run **out, roof_error *err);
roof_status npu_trace_write(npu_trace *trace, npu_add_run add, struct reading *r, roof_error *err);

/* Remarks: what was left out, and whether samples were dropped. unmatched: also of epochs that no block took.
 */
void npu_trace_remark(const npu_trace *trace, bool unmatched);

uint32_t npu_trace_networks(const npu_trace *trace);

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
