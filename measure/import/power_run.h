/* measure/import/power_run.h - what importers of power share. */
#ifndef ROOF_MEASURE_IMPORT_POWER_RUN_H
#define ROOF_MEASURE_IMPORT_POWER_RUN_H

#include "measure/import/importer.h"
#include "measure/import/power_trace.h"

/* The reading of an importer of one trace begins with this; and its begin. Errors: E_NO_MEMORY. */
typedef struct power_reading {
    import_state *in;
    roof_power_trace *trace;
} power_reading;
roof_status power_begin(struct reading *reading, roof_error *err);

/* Energy and power of a run cover what the user says, else this. */
void power_set_scope(import_state *in, roof_run *run, const char *scope);

/* A run that has nothing but the mean power of a trace, with remarks on what the trace is. scope: as above.
 * Errors: E_DATA for a trace without samples, E_NO_MEMORY. */
roof_status power_add_run(import_state *in, const roof_power_trace *trace, const char *scope,
                          roof_error *err);

/* Remark on times that are no moments for other files. */
void power_remark_local_times(import_state *in);

#endif
