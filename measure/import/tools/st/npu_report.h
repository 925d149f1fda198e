/* measure/import/tools/st/npu_report.h - the parts of what npu_profiler.py prints: a block for each epoch,
 * and the final part for the whole network. Lines are keys and values; those of both parts are rows of one
 * table. Facts from several lines are checked where the part ends, which makes a layer or a run.
 *
 * Ownership: a part borrows the document, and a layer of it that stays where it is until the part ends.
 */
#pragma once

#include "measure/import/importer.h"

/* An epoch: its place, the epochs of the compiler that it holds, "HW", and how many extra ones. */
typedef struct npu_epoch_id {
    uint64_t c_idx, first, last, extra;
    char type[16];
} npu_epoch_id;

/* False for what no epoch can be: a last one before the first, a type that is no word. range: first, last. */
bool npu_epoch_make(double c_idx, const double range[2], text_span type, npu_epoch_id *out);

/* Its name: "epoch_186" as in c_info.json, or "EpochBlock_1 -> 22" for those of several, which
 * c_info.json does not have as one and reports of ST call so. */
enum { NPU_NAME_SIZE = 64 };
const char *npu_epoch_name(const npu_epoch_id *id, char buffer[NPU_NAME_SIZE]);

/* All that may be counted, one behind the other. The runtime counts what is before NPU_RUNTIME. */
enum {
    NPU_ENGINES = 16,
    NPU_MCU = 0,                   /* cycles of the MCU in each phase */
    NPU_NPU = NPU_MCU + 3,         /* of the NPU, likewise */
    NPU_CACHE = NPU_NPU + 3,       /* reads, then writes: four counts of each */
    NPU_BURSTS = NPU_CACHE + 8,    /* of 1, 2, 4 and 8 beats: read and written at each bus interface */
    NPU_STREAMS = NPU_BURSTS + 16, /* active cycles of engines for input, for output */
    NPU_RUNTIME = NPU_STREAMS + 2 * NPU_ENGINES, /* ... and of engines whose direction is not stated */
    NPU_PLAN = NPU_RUNTIME + NPU_ENGINES, /* operations, compute cycles, cycles with the memory's limits */
    NPU_COUNTS = NPU_PLAN + 3
};

/* All that was counted, ROOF_UNKNOWN where it was not, and what follows from it: the bytes of each bus
 * interface, and of both. by_engine: streams stand in the document by engine, and not by direction. Errors:
 * E_DATA for what is there twice, those of counted_set_event. */
roof_status npu_set_counts(roof_measured *m, roof_measured_layer *layer, const uint64_t counts[NPU_COUNTS],
                           bool by_engine, roof_error *err);

/* How many epochs the runtime put behind one of the compiler; nothing where it is none. Errors: as above. */
roof_status npu_add_extra(roof_measured *m, roof_measured_layer *layer, uint64_t n, roof_error *err);

typedef enum npu_part_kind { NPU_OUTSIDE = 0, NPU_BLOCK = 1, NPU_FINAL = 2 } npu_part_kind;

/* Further places of what a part states, behind those of counts. */
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
    uint64_t of[NPU_STATED];              /* counts first; ROOF_UNKNOWN where it is not stated */
    double mhz[2];                        /* of the MCU and the NPU, as a block says; NaN where it does not */
    uint32_t engines;                     /* of streams so far, a bit each */
    uint64_t pool_bytes[2];               /* read and written, of the pools so far */
    roof_event pools[2 * NPU_MOST_POOLS]; /* of the final part, which has no run yet */
    uint32_t n_pools;
    bool without_compiler, headed, ended; /* headed, ended: of the final part */
    uint64_t n_skipped, first_skipped_line;
} npu_part;

/* The heading of a block: "EpochBlock_186 (c_idx=192, num=186:186, c_type=HW, extra=0)". */
roof_status npu_block_read_id(text_span message, npu_epoch_id *out, roof_error *err);
bool npu_final_begins(text_span message);

/* An empty part. layer: of a block, else NULL. */
void npu_part_begin(npu_part *part, npu_part_kind kind, roof_measured *m, roof_measured_layer *layer);

/* A line of the part. Errors: E_DATA (a line that is known but not as it should be, bytes that are not those
 * of the bursts, what is there twice, a total that is not that of the pools), E_LIMIT (more than 64 pools),
 * E_NO_MEMORY. */
roof_status npu_part_line(npu_part *part, text_span message, uint64_t line, roof_error *err);

/* Takes what a whole block says, its time and extra epochs, but for its counts. mcu_hz: the clock of the MCU.
 * Errors: E_DATA with the line of the heading (no cycles, a duration that they do not take), E_NO_MEMORY. */
roof_status npu_block_end(npu_part *block, double mcu_hz, roof_error *err);

/* MCU cycles of all phases of a block that has ended, with those of extra epochs. */
double npu_block_cycles(const npu_part *block);

/* Total, phases and events of a run. The phases of its rows, where they are all there, are set already.
 * Errors: E_DATA with the line (cycles that do not take the duration), E_NO_MEMORY. */
roof_status npu_final_end(const npu_part *final, double mcu_hz, roof_run *run, roof_error *err);
