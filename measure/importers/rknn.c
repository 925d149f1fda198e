/* The table of layers that Rockchip's RKNN prints: eval_perf of the toolkit, RKNN_QUERY_PERF_DETAIL, rknn_benchmark.
 *
 *   NPU Current Frequency List:
 *       - 1000000000                                          Hz; of the CPU kHz
 *   ID OpType DataType Target InputShape OutputShape Cycles(DDR/NPU/Total) Time(us) MacUsage(%) WorkLoad(0/1/2) RW(KB) FullName
 *   2  Conv   INT8     NPU    (1,3,8,8)  (1,3,8,8)   12/40/40              95       0.50/0/0    100.0%/0.0%/0.0% 60   Conv:/a
 *   Total Operator Elapsed Per Frame Time(us): 95
 *   Total Memory Read/Write Per Frame Size(KB): 60
 *
 * Newer ones have DDRCycles, NPUCycles and MaxCycles. Cells are between blanks, and may be empty. Times are measured,
 * operator by operator. Cycles are what the compiler predicts, the total the larger of both. RW counts what is read, inputs
 * and weights, in KiB, by their shapes. Logs have colours and "D RKNN: [10:11:12.345] " before lines, and the last table
 * counts.
 */
#include "core/error.h"
#include "measure/tool_table.h"

#include <math.h>
#include <string.h>

enum { FIELD_TIME };
static const row_field fields[] = {
    [FIELD_TIME] = {ROW_TIME, {"Time(~)"}, 0, NULL, ROW_SPARSE},
    {ROW_INDEX, {"ID"}, 0, NULL, ROW_NEEDED},
    {ROW_TYPE, {"OpType"}, 0, NULL, ROW_NEEDED},
    {ROW_DEVICE, {"Target"}, 0, NULL, ROW_NEEDED},
    {ROW_WORD, {"Cycles(DDR/NPU/Total)"}, 0, NULL, 0},
    {ROW_CYCLES, {"MaxCycles"}, 0, NULL, ROW_SPARSE},
    {ROW_READ, {"RW(KB)"}, 1024, NULL, ROW_SPARSE},
    {ROW_NAME, {"FullName"}, 0, NULL, ROW_NEEDED | ROW_SPARSE},
};

typedef struct reading {
    table_reading table;
    uint32_t now;     /* the table that rows are of */
    const char *unit; /* whose clocks are listed */
    struct {
        char domain[8];
        double hz;
    } clocks[8];
    uint32_t n_clocks, n_of_unit;
    double time_s, read_bytes, ddr_cycles, npu_cycles, stated_s, stated_bytes;
} reading;

static void begin_table(reading *r, uint32_t table)
{
    r->now = table;
    r->table.in->n_rows = 0;
    r->time_s = r->read_bytes = r->ddr_cycles = r->npu_cycles = 0;
    r->stated_s = r->stated_bytes = NAN;
}

static void take_clock(reading *r, double value)
{
    if (!r->unit || r->n_clocks == sizeof r->clocks / sizeof *r->clocks)
        return;
    char *domain = r->clocks[r->n_clocks].domain;
    bool is_cpu = strcmp(r->unit, "cpu") == 0;
    memcpy(domain, r->unit, 4);
    if (r->n_of_unit) /* a cluster of cores each */
        domain[3] = (char)('0' + r->n_of_unit);
    r->n_of_unit++;
    r->clocks[r->n_clocks++].hz = is_cpu ? value * 1e3 : value;
}

static roof_status take_line(void *reading_, const roof_line *line, roof_error *err)
{
    static const char *const lists[][2] = {
        {"CPU Current", "cpu"}, {"NPU Current", "npu"}, {"DDR Current", "ddr"}};
    reading *r = reading_;
    text_span text = span_trim((text_span){line->text, line->length});
    double n;
    (void)err;
    if (span_scan(&text, "- #", &n)) {
        take_clock(r, n);
        return ROOF_OK;
    }
    r->unit = NULL;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (span_begins(text, lists[i][0]) && span_has(text, "Frequency List"))
            r->unit = lists[i][1];
    r->n_of_unit = 0;
    if (span_scan(&text, "Total Operator Elapsed Per Frame Time(us): ~", &n))
        r->stated_s = n / 1e6;
    else if (span_scan(&text, "Total Memory Read/Write Per Frame Size(KB): ~", &n))
        r->stated_bytes = n * 1024;
    return ROOF_OK;
}

static roof_status take_row(void *reading_, table_row *row, roof_error *err)
{
    reading *r = reading_;
    double *v = row->values, cycles[3];
    text_span word = span_of(row->word ? row->word : "");
    if (row->table != r->now)
        begin_table(r, row->table);
    row->name = row->name ? row->name : row->type;
    if (!row->name || (r->table.layout.cells[FIELD_TIME] < r->table.layout.n && isnan(v[ROW_TIME])))
        return error_set(err, ROOF_E_DATA, "no time in this row: are columns moved?");
    const char *colon = strchr(row->name, ':');
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

static void check_sums(const reading *r)
{
    import_state *in = r->table.in;
    if (fabs(r->stated_s - r->time_s) > 0.5e-6 * in->n_rows)
        import_note(in, "the rows take %s us together, and the log states %s us", NUMBER(r->time_s * 1e6),
                    NUMBER(r->stated_s * 1e6));
    if (fabs(r->stated_bytes - r->read_bytes) > 512.0 * (in->n_rows + 1))
        import_note(in, "the rows read %s KiB together, and the log states %s KiB",
                    NUMBER(r->read_bytes / 1024), NUMBER(r->stated_bytes / 1024));
}

static roof_status finish_run(void *reading_, roof_run *run, roof_error *err)
{
    reading *r = reading_;
    import_state *in = r->table.in;
    if (r->table.n_tables > 1)
        import_note(in, "of %u tables the last one with rows is taken", r->table.n_tables);
    import_note(in, "times are of operators one by one, whose sum may exceed the time of an inference");
    if (r->npu_cycles > 0)
        import_note(in,
                    "cycles are predicted, the larger of %s of the DDR and %s of the NPU in each row, and no "
                    "clock turns "
                    "them into a time",
                    NUMBER(r->ddr_cycles), NUMBER(r->npu_cycles));
    import_note(in, "RW(KB) is taken for what is read, inputs and weights, in KiB, without what is written");
    check_sums(r);
    for (uint32_t i = 0; i < r->n_clocks; i++)
        if (r->clocks[i].hz > 0)
            TRY(run_add_clock(in->out, run, r->clocks[i].domain, r->clocks[i].hz, err));
    return ROOF_OK;
}

/* Takes colours and what a logger writes off a line, in place. */
static roof_status read_line(void *reading_, const roof_line *line, roof_error *err)
{
    roof_line plain = *line;
    size_t n = 0;
    for (size_t i = 0; i < line->length; i++) {
        size_t end = i + 2;
        while (line->text[i] == '\033' && end < line->length && strchr("0123456789;", line->text[end]))
            end++;
        if (line->text[i] == '\033' && end < line->length && line->text[end] == 'm')
            i = end;
        else
            plain.text[n++] = line->text[i];
    }
    text_span text = {plain.text, plain.length = n};
    plain.text[n] = '\0';
    if (n > 2 && span_cut(&text, "* RKNN: [*]", NULL, NULL) && text.length && *text.text == ' ') {
        plain.text += n - text.length + 1;
        plain.length = text.length - 1;
    }
    return table_line(reading_, &plain, err);
}

static const tool_table table = {
    TABLE_OF(fields),      .separator = ' ',  .is_in_order = true, .bytes = ROOF_BYTES_STATIC,
    .cycles = "predicted", .line = take_line, .row = take_row,     .finish = finish_run};

const importer_def importer_rknn = {.id = "rknn",
                                    .marks = {{SNIFF_SURE, {"Network Layer Information Table"}},
                                              {SNIFF_SURE, {"OpType", "MacUsage(%)", "FullName"}}},
                                    ROWS_ONLY,
                                    .table = &table,
                                    .reading_bytes = sizeof(reading),
                                    .begin = table_begin,
                                    .line = read_line,
                                    .finish = table_finish,
                                    .end = table_stop};
