/* `nsys stats -f csv` or `-f tsv` writes of kernels a row for each kernel, or each execution and copy.
 *
 *   Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),...,StdDev (ns),[...,]Name         cuda_gpu_kern_sum
 *   Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,Name                      before 2021.4
 *   Time (%),Total Time (ns),Instances,Avg (ns),...,Category,Operation                  cuda_gpu_sum
 *   Start (ns),Duration (ns),CorrId,GrdX,...,Strm,Name                                  cuda_gpu_trace
 * Other units stand in the headings where --timeunit requested them. A file may hold several reports, with
 * what nsys says between them; those without kernels are left out. A row of a trace without a grid is a copy
 * or a fill.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"Name", "Operation"}, 0, NULL, ROW_NEEDED},
    {ROW_TIME,
     {"Avg (~)", "Average (~)", "Average", "Duration (~)"},
     1e-9,
     "the time",
     ROW_NEEDED | ROW_SPARSE},
    {ROW_MARK, {"Instances", "CorrId"}, 0, NULL, ROW_NEEDED}, /* of kernels, not of functions of CUDA */
    {ROW_COUNT, {"Instances"}, 0, NULL, 0},
    {ROW_SUM, {"Total Time (~)"}, 1e-9, NULL, 0},
    {ROW_MEDIAN, {"Med (~)"}, 1e-9, NULL, ROW_SPARSE},
    {ROW_MIN, {"Min (~)", "Minimum (~)", "Minimum"}, 1e-9, NULL, ROW_SPARSE},
    {ROW_MAX, {"Max (~)", "Maximum (~)", "Maximum"}, 1e-9, NULL, ROW_SPARSE},
    {ROW_STD, {"StdDev (~)", "StdDev"}, 1e-9, NULL, ROW_SPARSE},
    {ROW_TYPE, {"GrdX"}, 0, NULL, 0},
    {ROW_WORD, {"Category"}, 0, NULL, 0},
};

static void take_row(struct reading *reading, table_row *row)
{
    (void)reading;
    bool is_kernel =
        row->word ? strcmp(row->word, "CUDA_KERNEL") == 0 : row->type || !isnan(row->values[ROW_COUNT]);
    bool is_of_host = row->word && strcmp(row->word, "CUDA_API") == 0;
    row->type = is_kernel ? "kernel" : is_of_host ? "function" : "copy";
    row->device = is_of_host ? "CPU" : NULL;
}

static void finish(struct reading *reading, roof_run *run)
{
    table_reading *r = (table_reading *)reading;
    (void)run;
    if (r->n_tables > 1)
        import_note(r->in, "the file has %u reports of kernels, each of which is a run of its own",
                    r->n_tables);
}

const importer_def importer_nsys_csv = {
    .id = "nsys_csv",
    .names_kernels = true,
    .program = "Nsight Systems",
    .keep = "import the database that nsys exports, which has every launch",
    .tool = "Nsight Systems",
    .next = "profile the largest kernel by `ncu --set full -k regex:NAME -c 5 APPLICATION`",
    .marks = {SURE("Total Time (", ",Instances,"), SURE("Total Time (", "\tInstances\t"),
              SURE("Start (", "Duration (", "\tCorrId\t"), SURE("Start (", "Duration (", ",CorrId,"),
              LIKELY("nsys/reports/", "Total Time (")},
    .device = "GPU",
    .outdone_by = "nsys_sqlite",
    ROWS_ONLY,
    TABLE_LINES(table_reading, TABLE_OF(fields), .separator = ANY_SEPARATOR, .is_trace = true,
                .see_row = take_row, .tell = finish,
                .note = "streams of a device work at the same time: the sum of the rows may exceed the "
                        "time that passed")};
