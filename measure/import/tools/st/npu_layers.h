/* measure/import/tools/st/npu_layers.h - what a whole part of npu_profiler.py's text says becomes a layer or a run. */
#ifndef ROOF_MEASURE_IMPORT_TOOLS_ST_NPU_LAYERS_H
#define ROOF_MEASURE_IMPORT_TOOLS_ST_NPU_LAYERS_H

#include "measure/import/tools/st/npu_report.h"
#include "measure/import/tools/st/npu_trace.h"

/* What a whole block says: time, phases, events. mcu_hz: the clock of the MCU. Errors: E_DATA with the line of the
 * heading (no cycles, a duration that they do not take), E_NO_MEMORY. */
roof_status npu_block_end(npu_part *block, double mcu_hz, npu_trace *trace, roof_error *err);

/* MCU cycles of all phases of a block that has ended, with those of extra epochs. */
double npu_block_cycles(const npu_part *block);

/* Total, phases and events of a run. The phases of its rows, where they are all there, are set already.
 * Errors: E_DATA with the line (cycles that do not take the duration), E_NO_MEMORY. */
roof_status npu_final_set(const npu_part *final, double mcu_hz, roof_run *run, roof_error *err);

#endif
