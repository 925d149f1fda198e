/* The table of layers that Rockchip's RKNN prints: eval_perf of the toolkit, RKNN_QUERY_PERF_DETAIL,
 * rknn_benchmark.
 *
 *   NPU Current Frequency List:
 *       - 1000000000                                          Hz; of the CPU kHz
 *   ID OpType ... Target ... OutputShape Cycles(DDR/NPU/Total) Time(us) MacUsage(%) ... RW(KB) FullName
 *   2  Conv   ... NPU    ... (1,3,8,8)   12/40/40              95       0.50/0/0    ... 60     Conv:/a
 *   Total Operator Elapsed Per Frame Time(us): 95
 *   Total Memory Read/Write Per Frame Size(KB): 60
 *
 * Newer ones have DDRCycles, NPUCycles and MaxCycles, or DDR Cycles, NPU Cycles and Total Cycles. Cells
 * stand below their headings, may be empty, hold blanks and be wider than their column. Times are measured,
 * operator by operator. Cycles are what the compiler predicts, the total the larger of both. RW counts what
 * is read, inputs and weights, in KiB, by their shapes. The last table counts.
 *
 * RKNN-Toolkit 1 has other headings, and goes on with a name that is too wide in the next line:
 *   Layer ID    Name                       Operator       Uid       Time(us)
 *   2           net/conv_0_depthwi         CONVOLUTION    1         920
 *               se/Relu6_2
 *   Total Time(us): 920
 */
#include "measure/import/tool_table.h"

enum { FIELD_TIME, FIELD_TARGET };
static const row_field fields[] = {
    [FIELD_TIME] = {ROW_TIME, {"Time(~)"}, 0, NULL, ROW_SPARSE},
    [FIELD_TARGET] = {ROW_DEVICE, {"Target"}, 0, NULL, ROW_SPARSE},
    {ROW_INDEX, {"ID", "Layer ID"}, 0, NULL, ROW_NEEDED},
    {ROW_TYPE, {"OpType", "Operator"}, 0, NULL, ROW_SPARSE},
    {ROW_WORD, {"Cycles(DDR/NPU/Total)"}, 0, NULL, 0},
    {ROW_CYCLES, {"MaxCycles", "Total Cycles"}, 0, NULL, ROW_SPARSE},
    {ROW_MARK, {"DDR Cycles"}, 0, NULL, 0},
    {ROW_MARK, {"NPU Cycles"}, 0, NULL, 0},
    {ROW_READ, {"RW(KB)"}, 1024, NULL, ROW_SPARSE},
    {ROW_NAME, {"FullName", "Name"}, 0, NULL, ROW_NEEDED | ROW_SPARSE},
};

static const struct clock_list {
    const char *heading, *domain;
    double scale;
} lists[] = {{"CPU Current", "cpu", 1e3}, {"NPU Current", "npu", 1}, {"DDR Current", "ddr", 1}};

typedef struct reading {
    table_reading table;
    uint32_t now;                  /* the table that rows are of */
    const struct clock_list *list; /* that is open */
    struct {
        char domain[8];
        double hz;
    } clocks[8];
    uint32_t n_clocks, n_of_list;
    double time_s, read_bytes, ddr_cycles, npu_cycles, stated_s, stated_bytes;
} reading;

static void take_line(reading *r, const import_line *line)
{
    text_span text = span_trim((text_span){line->text, line->length});
    double n;
    if (span_scan(&text, "- #", &n)) {
        /* "cpu", "cpu1", "cpu2": a cluster of cores each. */
        char number[12] = "";
        if (!r->list || r->n_clocks == N_OF(r->clocks))
            return;
        if (r->n_of_list++)
            snprintf(number, sizeof number, "%u", r->n_of_list - 1);
        snprintf(r->clocks[r->n_clocks].domain, sizeof r->clocks->domain, "%s%.4s", r->list->domain, number);
        r->clocks[r->n_clocks++].hz = n * r->list->scale;
        return;
    }
    r->list = NULL;
    for (size_t i = 0; i < N_OF(lists); i++)
        if (span_begins(text, lists[i].heading) && span_has(text, "Frequency List"))
            r->list = &lists[i];
    r->n_of_list = 0;
}

static const line_field totals[] = {
    {"Total Operator Elapsed Per Frame Time(us): ~", .unit = 1e-6, .target = offsetof(reading, stated_s)},
    {"Total Operator Elapsed Time(us): ~", .unit = 1e-6, .target = offsetof(reading, stated_s)},
    {"Total Time(us): ~", .unit = 1e-6, .target = offsetof(reading, stated_s)},
    {"Total Memory Read/Write Per Frame Size(KB): ~", .unit = 1024, .target = offsetof(reading, stated_bytes)},
};

static roof_status take_row(reading *r, table_row *row, roof_error *err)
{
    double *v = row->values, cycles[3];
    text_span word = span_of(row->word ? row->word : "");
    if (row->table != r->now) {
        r->now = row->table;
        r->table.in->n_rows = 0;
        r->time_s = r->read_bytes = r->ddr_cycles = r->npu_cycles = 0;
        r->stated_s = r->stated_bytes = NAN;
    }
    const row_layout *l = &r->table.layout;
    const bool is_newer = l->cells[FIELD_TARGET] < l->n;
    if (!row->name || (is_newer && l->cells[FIELD_TIME] < l->n && isnan(v[ROW_TIME])))
        return error_data(err, "no time in this row: are columns moved?");
    const char *colon = is_newer ? strchr(row->name, ':') : NULL;
    if (colon && colon[1])
        row->name = colon + 1;
    if (span_scan(&word, "#/#/#", cycles)) {
        r->ddr_cycles += cycles[0];
        r->npu_cycles += cycles[1];
        v[ROW_CYCLES] = cycles[2];
    }
    v[ROW_CYCLES] = v[ROW_CYCLES] > 0 ? v[ROW_CYCLES] : NAN; /* nothing is predicted */
    v[ROW_READ] = v[ROW_READ] > 0 ? v[ROW_READ] : NAN;       /* less than half of a KiB */
    r->time_s += isnan(v[ROW_TIME]) ? 0 : v[ROW_TIME];
    r->read_bytes += isnan(v[ROW_READ]) ? 0 : v[ROW_READ];
    return ROOF_OK;
}

static roof_status finish_run(reading *r, roof_run *run, roof_error *err)
{
    import_state *in = r->table.in;
    if (r->table.n_tables > 1)
        import_note(in, "of %u tables the last one with rows is taken", r->table.n_tables);
    if (r->npu_cycles > 0)
        import_note(in,
                    "cycles are predicted, the larger of %s of the DDR and %s of the NPU in each row, and no "
                    "clock turns them into a time",
                    NUMBER(r->ddr_cycles), NUMBER(r->npu_cycles));
    import_check_sum(in, r->time_s * 1e6, r->stated_s * 1e6, 0.5 * in->n_rows, "us", "the log");
    import_check_sum(in, r->read_bytes / 1024, r->stated_bytes / 1024, 0.5 * (in->n_rows + 1), "KiB",
                     "the log");
    for (uint32_t i = 0; i < r->n_clocks; i++)
        if (r->clocks[i].hz > 0)
            TRY(run_add_clock(in->out, run, r->clocks[i].domain, r->clocks[i].hz, err));
    return ROOF_OK;
}

const importer_def importer_rknn = {
    .id = "rknn",
    .fuse = "rknn.config(optimization_level=3)",
    .tool = "RKNN",
    .next = "run rknn.eval_perf with fixed clocks, and see which operators run on the CPU or only move "
            "data (Concat, Split, Transpose)",
    .marks = {SURE("Network Layer Information Table"), SURE("OpType", "MacUsage(%)", "FullName"),
              SURE("Layer ID", "Time(us)", "Total Time(us)"), SURE("Layer ID", "Uid", "Time(us)")},
    ROWS_ONLY,
    TABLE_LINES(reading, TABLE_OF(fields), .separator = ' ', .end = "Total ", .is_in_order = true,
                .is_named_by_type = true, .bytes = ROOF_BYTES_STATIC, .cycles = "predicted",
                .see_line = take_line, LINES_OF(totals), .row = take_row, .finish = finish_run,
                .note =
                    "times are of operators one by one, whose sum may exceed the time of an inference; "
                    "RW(KB) is taken for what is read, inputs and weights, in KiB, without what is written")};
