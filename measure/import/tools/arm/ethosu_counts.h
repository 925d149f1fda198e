/* measure/import/tools/arm/ethosu_counts.h - what the performance monitor (PMU) of an Ethos-U counts, under
 * one name whoever printed it, and the clock of it.
 *
 * Units: cycles of the NPU's clock, beats of a bus; Hz.
 * Ownership: counts lie in the scratch of the import.
 *
 * "NPU TOTAL", "npu_total_cycles" become unit.npu.total_cycles; ACTIVE and IDLE likewise. "NPU
 * AXI0_RD_DATA_BEAT_RECEIVED", "ETHOSU_PMU_SRAM_WR_DATA_BEAT_WRITTEN" become bus.axi0.read_beats and
 * bus.sram.write_beats; "ETHOSU_PMU_MAC_ACTIVE" unit.mac.active_cycles; all others npu.NAME. Beats are not
 * bytes: the width of a port depends on the NPU, which no log names.
 * Source: the events of the PMU in Arm's ethos-u-core-driver.
 */
#pragma once

#include "measure/import/importer.h"

typedef struct ethosu_count {
    roof_event event;
    uint64_t sum, inferences; /* that the sum is over */
    uint64_t least, most;     /* of one inference; ROOF_UNKNOWN where only the sum of several is known */
} ethosu_count;

typedef struct ethosu_counts {
    ethosu_count *list;
    uint32_t n;
} ethosu_counts;

/* One more reading of a counter; name: as the tool prints it. sample: its event is not read. Errors: E_DATA
 * (a name with control characters), E_LIMIT (more than 64 counters, sums of 2^64), E_NO_MEMORY. */
roof_status ethosu_count_add(import_state *in, ethosu_counts *counts, text_span name,
                             const ethosu_count *sample, roof_error *err);

/* The counter of the NPU with this quantity; NULL: it was not counted. Its mean over one inference; NaN. */
const ethosu_count *ethosu_npu_count(const ethosu_counts *counts, roof_counter_quantity quantity);
double ethosu_mean(const ethosu_count *count);

/* All of them as events of a run, and where the clock is known the clock, the time of an inference, and the
 * part of it in which the NPU was active. Errors: those of counted_set_event. */
roof_status ethosu_counts_set(import_state *in, const ethosu_counts *counts, roof_run *run, roof_error *err);

/* Once behind all runs: what to do where the clock is unknown. */
void ethosu_remark_clock(import_state *in);

/* Begins an importer_def: the import's told_hz is what --map tells, "clock=400MHz", or the summary that Vela
 * wrote, whose core_clock is what it compiled for. Errors: E_DATA, E_USAGE, those of opening the file. */
roof_status ethosu_begin(struct reading *reading, roof_error *err);
