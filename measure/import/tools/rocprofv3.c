/* rocprof 1 to 3 writes of kernels and copies, each row an execution, or all calls of a function:
 *
 *   v3   "Kind","Agent_Id",...,"Kernel_Name",...,"Start_Timestamp","End_Timestamp",...   kernel_trace.csv
 *       "Kind","Direction","Source_Agent_Id",...,"Start_Timestamp","End_Timestamp"      memory_copy_trace.csv
 *   v1   Index,KernelName,gpu-id,...,DispatchNs,BeginNs,EndNs,CompleteNs                 results.csv
 *   v1-3 "Name","Calls","TotalDurationNs","AverageNs","Percentage"[,"MinNs","MaxNs","StdDev"]     stats
 * Start and end are stamps in ns; neither is a duration. Queues overlap, so the sum of the rows may exceed
 * the time that passed. Statistics of HIP and HSA functions have the columns of those of kernels: their names
 * tell that the CPU ran them.
 */
#include "measure/import/tool_table.h"

#include <math.h>
#include <string.h>

static const row_field fields[] = {
    {ROW_NAME, {"Kernel_Name", "KernelName", "Direction", "Name"}, 0, NULL, ROW_NEEDED},
    /* one of which only these tables have */
    {ROW_MARK, {"Kind", "Index", "TotalDurationNs"}, 0, NULL, ROW_NEEDED},
    {ROW_TYPE, {"Direction"}, 0, NULL, 0},
    {ROW_START, {"Start_Timestamp", "BeginNs"}, 1e-9, NULL, 0},
    {ROW_END, {"End_Timestamp", "EndNs"}, 1e-9, NULL, 0},
    {ROW_COUNT, {"Calls"}, 0, NULL, 0},
    {ROW_TIME, {"AverageNs"}, 1e-9, NULL, 0},
    {ROW_MIN, {"MinNs"}, 1e-9, NULL, 0},
    {ROW_MAX, {"MaxNs"}, 1e-9, NULL, 0},
    {ROW_STD, {"StdDev"}, 1e-9, NULL, 0},
};

static roof_status take_row(struct reading *reading, table_row *row, roof_error *err)
{
    (void)reading;
    (void)err;
    static const char *const host[] = {"hip", "__hip", "hsa_", "roctx", "HIP_", "HSA_", "MARKER_"};
    for (size_t i = 0; i < sizeof host / sizeof *host && !isnan(row->values[ROW_COUNT]); i++)
        if (strncmp(row->name, host[i], strlen(host[i])) == 0)
            row->device = "CPU";
    row->type = row->type ? "copy" : NULL;
    return ROOF_OK;
}

static roof_status finish(struct reading *reading, roof_run *run, roof_error *err)
{
    table_reading *r = (table_reading *)reading;
    uint32_t n_host = 0;
    (void)run;
    (void)err;
    for (uint32_t i = 0; i < r->in->n_rows; i++)
        n_host += r->in->rows[i].device != NULL;
    import_note_count(r->in, n_host,
                      "functions of HIP or HSA ran on the CPU, whose times hold what they wait for");
    if (r->n_firsts)
        import_note(r->in, "queues of a device work at the same time: the sum of the rows may exceed the "
                           "time that passed");
    return ROOF_OK;
}

const importer_def importer_rocprofv3 = {
    .id = "rocprofv3",
    .names_kernels = true,
    .keep = "import kernel_trace.csv, which has every launch",
    .tool = "rocprof",
    .next = "profile the largest kernel by `rocprof-compute profile`",
    .marks = {{SNIFF_SURE, {"\"Kernel_Name\"", "\"Start_Timestamp\"", "!\"Counter_Name\""}},
              {SNIFF_SURE, {"KernelName", "BeginNs", "EndNs"}},
              {SNIFF_SURE, {"\"Name\"", "\"Calls\"", "\"TotalDurationNs\""}},
              {SNIFF_SURE, {"\"Direction\"", "\"Start_Timestamp\"", "\"MEMORY_COPY\""}}},
    .device = "GPU",
    ROWS_ONLY,
    TABLE_LINES(table_reading, TABLE_OF(fields), .separator = ',', .is_trace = true, .row = take_row,
                .finish = finish)};
