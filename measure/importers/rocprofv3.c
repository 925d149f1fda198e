/* What rocprof 1 to 3 writes of kernels and copies, each row an execution:
 *
 *   v3   "Kind","Agent_Id",...,"Kernel_Name",...,"Start_Timestamp","End_Timestamp",...   kernel_trace.csv
 *        "Kind","Direction","Source_Agent_Id",...,"Start_Timestamp","End_Timestamp"      memory_copy_trace.csv
 *   v1   Index,KernelName,gpu-id,...,DispatchNs,BeginNs,EndNs,CompleteNs                 results.csv
 * Start and end are stamps in ns; neither is a duration. Queues overlap, so the sum of the rows may exceed the time that
 * passed.
 */
#include "measure/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"Kernel_Name", "KernelName", "Direction"}, 0, NULL, ROW_NEEDED},
    {ROW_WORD, {"Kind", "Index"}, 0, NULL, ROW_NEEDED}, /* which rocprofiler-compute's tables do not have */
    {ROW_START, {"Start_Timestamp", "BeginNs"}, 1e-9, NULL, ROW_NEEDED},
    {ROW_END, {"End_Timestamp", "EndNs"}, 1e-9, NULL, ROW_NEEDED},
};

static roof_status finish(void *reading, roof_run *run, roof_error *err)
{
    table_reading *r = reading;
    (void)run;
    (void)err;
    import_note(
        r->in,
        "queues of a device work at the same time: the sum of the rows may exceed the time that passed");
    return ROOF_OK;
}

static const tool_table table = {TABLE_OF(fields), .separator = ',', .is_trace = true, .finish = finish};

const importer_def importer_rocprofv3 = {
    .id = "rocprofv3",
    .marks = {{SNIFF_SURE, {"\"Kernel_Name\"", "\"Start_Timestamp\"", "\"Dispatch_Id\""}},
              {SNIFF_SURE, {"KernelName", "BeginNs", "EndNs"}},
              {SNIFF_SURE, {"\"Direction\"", "\"Start_Timestamp\"", "\"MEMORY_COPY\""}}},
    .device = "GPU",
    .mode_why = "a trace of kernels has a time for each",
    .mode = ROOF_RUN_PER_LAYER,
    TABLE_LINES(table, table_reading)};
