/* rocprof 1 to 3 writes of kernels and copies, each row an execution, or all calls of a function:
 *
 *   v3   "Kind","Agent_Id",...,"Kernel_Name",...,"Start_Timestamp","End_Timestamp",...   kernel_trace.csv
 *       "Kind","Direction","Source_Agent_Id",...,"Start_Timestamp","End_Timestamp"      memory_copy_trace.csv
 *   v1   Index,KernelName,gpu-id,...,DispatchNs,BeginNs,EndNs,CompleteNs                 results.csv
 *   v1-3 "Name","Calls","TotalDurationNs","AverageNs","Percentage"[,"MinNs","MaxNs","StdDev"]     stats
 *   v3 --output-format json
 *       {"rocprofiler-sdk-tool":[{"kernel_symbols":[{"kernel_id":3,"formatted_kernel_name":...}],
 *       "buffer_records":{"kernel_dispatch":[{"start_timestamp":..,"end_timestamp":..,
 *       "dispatch_info":{"kernel_id":3}}]}}]}
 * Start and end are stamps in ns; neither is a duration. Queues overlap, so the sum of the rows may exceed
 * the time that passed. Statistics of HIP and HSA functions have the columns of those of kernels: their names
 * tell that the CPU ran them.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"Kernel_Name", "KernelName", "Direction", "Name"}, 0, NULL, ROW_NEEDED},
    /* one of which only these tables have */
    {ROW_MARK, {"Kind", "Index", "TotalDurationNs"}, 0, NULL, ROW_NEEDED},
    {ROW_NAME, {"formatted_kernel_name"}, 0, NULL, 0},
    {ROW_OTHER, {"kernel_id"}, 0, NULL, 0},
    {ROW_TYPE, {"Direction"}, 0, NULL, 0},
    {ROW_START, {"Start_Timestamp", "BeginNs", "start_timestamp"}, 1e-9, NULL, 0},
    {ROW_END, {"End_Timestamp", "EndNs", "end_timestamp"}, 1e-9, NULL, 0},
    {ROW_COUNT, {"Calls"}, 0, NULL, 0},
    {ROW_TIME, {"AverageNs"}, 1e-9, NULL, 0},
    {ROW_MIN, {"MinNs"}, 1e-9, NULL, 0},
    {ROW_MAX, {"MaxNs"}, 1e-9, NULL, 0},
    {ROW_STD, {"StdDev"}, 1e-9, NULL, 0},
};

/* Kernels have small numbers. */
enum { MOST_KERNELS = 1 << 16 };

typedef struct dispatch {
    uint32_t kernel;
    double start_s, end_s;
} dispatch;

typedef struct reading {
    table_reading table;
    const char **names; /* of kernels, by their number; NULL: of a table */
    double kernel;      /* of the dispatch that ends next; NaN: none */
    dispatch *dispatches;
    uint32_t n_dispatches;
    uint64_t n_others;
} reading;

/* An object of JSON: a kernel with its name, what a dispatch ran, or a record with its stamps. */
static roof_status take_object(reading *r, table_row *row, roof_error *err)
{
    import_state *in = r->table.in;
    const double *v = row->values, kernel = v[ROW_OTHER];
    const char *name = row->name;
    row->name = NULL;
    if (!r->names && !(r->names = NEW_ARRAY(in->scratch, const char *, MOST_KERNELS)))
        return error_memory(err);
    if (kernel >= MOST_KERNELS)
        return error_set(err, ROOF_E_LIMIT, "kernel_id is %g, want less than %d", kernel, MOST_KERNELS);
    if (name && kernel >= 0)
        r->names[(uint32_t)kernel] = name;
    else if (kernel >= 0)
        r->kernel = kernel;
    if (name || isnan(v[ROW_START]) || isnan(v[ROW_END]))
        return ROOF_OK;
    r->n_others += isnan(r->kernel) ? 1 : 0;
    if (isnan(r->kernel))
        return ROOF_OK;
    TRY(ARENA_ADD(in->scratch, r->dispatches, r->n_dispatches, err,
                  (dispatch){(uint32_t)r->kernel, v[ROW_START], v[ROW_END]}));
    r->kernel = NAN;
    return ROOF_OK;
}

/* Behind the last object all names are known. */
static roof_status take_dispatches(reading *r, roof_error *err)
{
    FOR_EACH(const dispatch, d, r->dispatches, r->n_dispatches) {
        table_row row = row_unknown();
        char number[24];
        snprintf(number, sizeof number, "kernel %u", d->kernel);
        row.name = r->names[d->kernel];
        row.values[ROW_TIME] = d->end_s - d->start_s;
        if (!row.name)
            TRY(import_keep_name(r->table.in, span_of(number), &row.name, err));
        TRY(table_take_row(&r->table, &row, err));
        if (row.values[ROW_TIME] >= 0 && d->end_s < 9e9)
            TRY(import_saw_named(
                r->table.in,
                (span_of_time){(int64_t)llround(d->start_s * 1e9), (int64_t)llround(d->end_s * 1e9)}, 1e-9,
                span_of(row.name), err));
    }
    return ROOF_OK;
}

static roof_status take_row(reading *r, table_row *row, roof_error *err)
{
    if (!row->line && isnan(row->values[ROW_TIME]))
        return take_object(r, row, err);
    static const char *const host[] = {"hip", "__hip", "hsa_", "roctx", "HIP_", "HSA_", "MARKER_"};
    for (size_t i = 0; i < N_OF(host) && !isnan(row->values[ROW_COUNT]); i++)
        if (strncmp(row->name, host[i], strlen(host[i])) == 0)
            row->device = "CPU";
    row->type = row->type ? "copy" : NULL;
    return ROOF_OK;
}

static void finish(reading *reading_, roof_run *run)
{
    table_reading *r = &reading_->table;
    uint32_t n_host = 0;
    (void)run;
    for (uint32_t i = 0; i < r->in->n_rows; i++)
        n_host += r->in->rows[i].device != NULL;
    import_note_count(r->in, n_host,
                      "functions of HIP or HSA ran on the CPU, whose times hold what they wait for");
    import_note_count(r->in, reading_->n_others, "records of copies and of the host's calls are left out");
    if (r->n_firsts)
        import_note(
            r->in,
            "queues of a device work at the same time: the sum of the rows may exceed the time that passed");
}

const importer_def importer_rocprofv3 = {
    .id = "rocprofv3",
    .names_kernels = true,
    .keep = "import kernel_trace.csv, which has every launch",
    .tool = "rocprof",
    .next = "profile the largest kernel by `rocprof-compute profile`",
    .marks = {SURE("\"Kernel_Name\"", "\"Start_Timestamp\"", "!\"Counter_Name\""),
              SURE("KernelName", "BeginNs", "EndNs"), SURE("\"Name\"", "\"Calls\"", "\"TotalDurationNs\""),
              SURE("\"rocprofiler-sdk-tool\""),
              SURE("\"Direction\"", "\"Start_Timestamp\"", "\"MEMORY_COPY\"")},
    .device = "GPU",
    ROWS_ONLY,
    .empty = &(const reading){.kernel = NAN},
    TABLE_EITHER(reading, TABLE_OF(fields), .separator = ',', .is_trace = true, .row = take_row,
                 .rows = take_dispatches, .tell = finish)};
