/* measure/import/trace.h - launches on an accelerator, one after another, as one run: rows, how they cycle,
 * what one inference takes.
 *
 * Units: seconds.
 *
 * When every thread repeats the same sequence of launches from the first to the last event, that sequence is
 * one inference: its length is the number of boundaries and launches, rows get their place in it as index, a
 * name that is there twice becomes two rows, and a whole-network run gets the sum over each sequence as its
 * total. When only the counts of all rows agree, the counts are one inference too, but there are no totals.
 * Else nothing is said. Where events are missing, an inference may begin anywhere: its length is known, but
 * neither places nor the total of each.
 */
#ifndef ROOF_MEASURE_IMPORT_TRACE_H
#define ROOF_MEASURE_IMPORT_TRACE_H

#include "measure/import/timings.h"

typedef struct trace_reader trace_reader;

/* In the scratch of the import. NULL without memory. */
trace_reader *trace_new(import_state *in);

/* The row of a name and of the operations of one launch, or ROOF_UNKNOWN. Errors: as timings_row_of. */
roof_status trace_row(trace_reader *trace, text_span name, uint64_t workload_ops, uint32_t *row,
                      roof_error *err);

/* A launch of a row by a thread. cycles: of the domain axilite, or NaN. Errors: E_DATA, E_NO_MEMORY. */
typedef struct kernel_launch {
    uint32_t row;
    uint64_t thread;
    double seconds, cycles;
} kernel_launch;
roof_status trace_add(trace_reader *trace, const kernel_launch *launch, roof_error *err);

/* Rows that were launched. */
uint32_t trace_rows(const trace_reader *trace);

/* Adds the run to the document. whole: no event is missing, so that the first one begins an inference. */
roof_status trace_finish(trace_reader *trace, roof_run_mode mode, bool whole, roof_error *err);

#endif
