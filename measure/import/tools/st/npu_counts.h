/* measure/import/tools/st/npu_counts.h - an epoch of a Neural-ART and what may be counted of it, by whatever
 * means it was counted.
 *
 * Units: cycles of the clock that a place names, bytes.
 */
#ifndef ROOF_MEASURE_IMPORT_TOOLS_ST_NPU_COUNTS_H
#define ROOF_MEASURE_IMPORT_TOOLS_ST_NPU_COUNTS_H

#include "core/span.h"
#include "measure/profile/profile.h"

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

typedef struct npu_counts {
    uint64_t of[NPU_COUNTS]; /* ROOF_UNKNOWN: not counted */
    bool by_engine;          /* streams stand in the document by engine, and not by direction */
} npu_counts;

npu_counts npu_counts_unknown(void);

/* Bytes of bursts of 1, 2, 4 and 8 beats of 8 bytes, which a bus interface has. */
uint64_t npu_burst_bytes(const uint64_t bursts[4]);

/* The counter of a place behind the cycles of phases. */
roof_event npu_event_at(unsigned place, uint64_t count);

/* All that was counted, and what follows from it: the bytes of each bus interface, and of both. Errors:
 * E_DATA for what is there twice, those of counted_set_event. */
roof_status npu_set_counts(roof_measured *m, roof_measured_layer *layer, const npu_counts *counts,
                           roof_error *err);

/* How many epochs the runtime put behind one of the compiler; nothing where it is none. Errors: as above. */
roof_status npu_add_extra(roof_measured *m, roof_measured_layer *layer, uint64_t n, roof_error *err);

/* A counter that must not be there yet. Errors: as above. */
roof_status npu_add_event(roof_measured *m, roof_measured_layer *layer, roof_event event, roof_error *err);

/* Sums of the rows' phases become those of the run, where every row has them. */
roof_status npu_sum_phases(roof_measured *m, roof_run *run, roof_error *err);

#endif
