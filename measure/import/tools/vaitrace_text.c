/* The tables that vaitrace prints (--txt_summary), alone or in the log of a run.
 *
 *   1.4          DPU | Batch | SubGraph | Workload | Run Time (ms) | Perf(GOP/s) | Mem (MB) | MB/s
 *   2.0, 2.5     DPU Id | Bat | DPU SubGraph | WL | RT | Perf | LdWB | LdFM | StFM | AvgBw
 *   3.x arm64    DPU Id | Bat | DPU SubGraph | WL | SW_RT | HW_RT | Effic | LdWB | LdFM | StFM | AvgBw
 *   3.x x86      DPU Id | Bat | DPU SubGraph | WL | SW_RT | LdWB | LdFM | StFM | AvgBw
 * The order differs between versions, so that columns are found by their headings. Times are in ms, workloads
 * in GOP, sizes in MB, which are 2^20 bytes where the time is headed RT and 10^6 elsewhere. Sizes are
 * computed from the model. "~0" is between 0 and 0.001, so unknown. HW_RT, by a counter of the DPU, is a
 * remark: other profiles have no such time to compare it with. Names have lost their "subgraph_" and all but
 * their last 60 characters, and stay as printed.
 *
 * A table says nothing of how often a row ran. Rows of different cores therefore cannot be joined: each core
 * of each table is a run of its own. Text around tables is skipped.
 */
#include "measure/import/row.h"

static const row_field fields[] = {
    {ROW_GROUP, {"DPU Id", "DPU"}, 0, NULL, ROW_NEEDED},
    {ROW_BATCH, {"Bat", "Batch"}, 0, "the batch", 0},
    {ROW_NAME, {"DPU SubGraph", "SubGraph"}, 0, NULL, ROW_NEEDED},
    {ROW_WORKLOAD, {"WL", "Workload", "Workload (GOP)"}, 1e9, "the workload", 0},
    {ROW_TIME, {"RT", "SW_RT", "Run Time (ms)"}, 1e-3, "the run time", ROW_NEEDED},
    {ROW_HARDWARE_TIME, {"HW_RT"}, 0, "HW_RT", 0},
    {ROW_OPS, {"Perf", "Perf (GOP/s)"}, 1e9, "the performance", 0},
    {ROW_WEIGHTS, {"LdWB"}, 0, "LdWB", 0},
    {ROW_READ, {"LdFM"}, 0, "LdFM", 0},
    {ROW_WRITE, {"StFM"}, 0, "StFM", 0},
    {ROW_BYTES, {"Mem (MB)"}, 0, "Mem (MB)", 0},
};
enum { N_FIELDS = N_OF(fields) };

typedef enum state { OUTSIDE, DPU_TABLE, CPU_TABLE } state;

typedef struct reading {
    import_state *in;
    state state;
    row_layout layout; /* of the table being read */
    double megabyte;
    uint32_t n_tables;
    bool unclosed, batches;
    char report[128]; /* where the log says that the report went */
} reading;

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span cells[ROW_MAX_CELLS];
    if (line->length && strspn(line->text, "-+= ") == line->length) {
        if (line->text[0] == '=') /* above the headings, and behind the last row */
            r->state = OUTSIDE;
        return ROOF_OK;
    }
    if (!strchr(line->text, '|')) {
        r->unclosed = r->unclosed || r->state == DPU_TABLE;
        r->state = OUTSIDE;
        static const char words[] = "Saving report to: ";
        const char *at = strstr(line->text, words);
        if (at)
            quote_text(r->report, sizeof r->report, at + strlen(words), strlen(at + strlen(words)));
        return ROOF_OK;
    }
    size_t n = span_split((text_span){line->text, line->length}, '|', cells, ROW_MAX_CELLS);
    if (r->state == DPU_TABLE) {
        table_row row = row_unknown();
        double *v = row.values;
        row.table = r->n_tables;
        TRY(row_read(r->in, &r->layout, cells, n, &row, err));
        r->batches = r->batches || v[ROW_BATCH] > 1;
        v[ROW_WORKLOAD] = v[ROW_BATCH] > 1 ? NAN : v[ROW_WORKLOAD];
        v[ROW_READ] = (v[ROW_WEIGHTS] + v[ROW_READ]) * r->megabyte;
        v[ROW_WRITE] *= r->megabyte;
        v[ROW_BYTES] *= r->megabyte;
        return row_keep(r->in, &row, err);
    }
    if (r->state == CPU_TABLE) {
        if (n < 4 || n > ROW_MAX_CELLS)
            return error_data(err, "a row of %zu cells, want 4: is the table whole?", n);
        return row_remark_function(r->in, cells[0], cells[n - 2], cells[n - 1], err);
    }
    /* A line with '|' may begin a table. */
    if (n >= 2 && span_is(cells[0], "Function") && span_is(cells[1], "Device")) {
        r->state = CPU_TABLE;
        return ROOF_OK;
    }
    if (n > ROW_MAX_CELLS || !row_find_headings(fields, N_FIELDS, cells, n, &r->layout))
        return ROOF_OK;
    r->megabyte = 1e6;
    for (size_t i = 0; i < n; i++)
        if (span_is(cells[i], "RT"))
            r->megabyte = 1024.0 * 1024.0;
    r->state = DPU_TABLE;
    r->n_tables++;
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    row_groups cores;
    roof_run_mode mode;
    if (!r->in->n_rows)
        return error_data(err,
                          "no table with the columns DPU SubGraph and RT or SW_RT%s%s%s; the log of vaitrace "
                          "has one only with --txt_summary, else import vart_trace.csv",
                          r->report[0] ? ": the log says that the report is in '" : "", r->report,
                          r->report[0] ? "'" : "");
    TRY(row_find_groups(r->in, "cores and tables", &cores, err));
    TRY(import_mode(r->in, cores.most, &mode, err));
    for (uint32_t i = 0; i < cores.n; i++)
        TRY(row_add_run(r->in, cores.firsts[i], mode, err));
    row_remark_hardware_times(r->in, "");
    if (cores.n > 1)
        import_note(r->in, "%u runs, one of each core in each table", cores.n);
    if (r->unclosed)
        import_note(r->in, "a table ends without its last line: rows may be missing");
    if (r->in->small)
        import_note(r->in, "~0 stands for less than 0.001 and is unknown, nor is a sum with it");
    if (r->batches)
        import_note(r->in, "a run works on several images, so workloads are left out");
    import_note(r->in, "the tool removed \"subgraph_\" from names and keeps their last 60 characters");
    return ROOF_OK;
}

const importer_def importer_vaitrace_text = {
    .id = "vaitrace_text",
    .program = "vaitrace",
    .keep = "import vart_trace.csv of vaitrace, which has every inference",
    .marks = {SURE("DPU SubGraph", "DPU Id"), SURE("|", "SubGraph ", "Run Time"),
              LIKELY("INFO:root:VART will run xmodel")},
    .device = "DPU",
    .reading_bytes = sizeof(reading),
    .line = read_line,
    .finish = finish};
