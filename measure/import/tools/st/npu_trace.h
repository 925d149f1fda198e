/* measure/import/tools/st/npu_trace.h - raw counters that the instrumented runtime of the Neural-ART sends
 * for every epoch of every inference ("s:node:mcu_cycles:395:817199:368"), gathered by network and epoch.
 *
 * The runtime has 16 counters, so that the profiler runs a network several times with other counters each
 * time: what these passes counted of an epoch is put together, and what several of them counted is averaged.
 * A network is told by its epochs: a line of other epochs begins another one.
 */
#ifndef ROOF_MEASURE_IMPORT_TOOLS_ST_NPU_TRACE_H
#define ROOF_MEASURE_IMPORT_TOOLS_ST_NPU_TRACE_H

#include "measure/import/importer.h"
#include "measure/import/tools/st/npu_counts.h"

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

#endif
