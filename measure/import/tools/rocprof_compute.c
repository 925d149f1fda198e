/* The tables of rocprofiler-compute (Omniperf): a row for each dispatch of a kernel, with its counters.
 *
 *   Dispatch_ID,Kernel_Name,...,Start_Timestamp,End_Timestamp[,...]   pmc_perf.csv, SQ_LEVEL_WAVES.csv
 * Stamps are in ns, and in all files those of one pass; counters are of other passes, in which the kernels
 * took another time, and on some devices sums over several dies. So no counter over a time is a rate or a
 * clock, and none is kept.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"Kernel_Name"}, 0, NULL, ROW_NEEDED},
    {ROW_MARK, {"Dispatch_ID"}, 0, NULL, ROW_NEEDED},
    {ROW_START, {"Start_Timestamp"}, 1e-9, NULL, ROW_NEEDED},
    {ROW_END, {"End_Timestamp"}, 1e-9, NULL, ROW_NEEDED},
};

const importer_def importer_rocprof_compute = {
    .id = "rocprof_compute",
    .names_kernels = true,
    .tool = "rocprof-compute",
    .next = "`rocprof-compute analyze -p FOLDER` shows how near each kernel comes to the peaks of the GPU",
    .marks = {{SNIFF_SURE, {"Dispatch_ID", "GPU_ID", "Start_Timestamp"}},
              {SNIFF_LIKELY,
               {"Dispatch_ID", "GPU_ID", "Workgroup_Size"}}}, /* a heading may exceed what is sniffed */
    .device = "GPU",
    ROWS_ONLY,
    TABLE_LINES(table_reading, TABLE_OF(fields), .separator = ',', .is_trace = true,
                .note = "counters are left out: they are of other passes than the times, so that neither a "
                        "clock nor a rate can be made of them")};
