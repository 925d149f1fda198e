/* The table that torch.profiler prints, prof.key_averages().table():
 *
 *   ---------  ------------  ------------  ...  ------------  ------------
 *        Name    Self CPU %      Self CPU  ...     Self CUDA    # of Calls
 *   ---------  ------------  ------------  ...  ------------  ------------
 *   aten::mm         2.10%       3.910ms   ...      49.000ms            10
 *   ---------  ------------  ------------  ...  ------------  ------------
 *   Self CUDA time total: 49.000ms
 *
 * Self times are sums of all calls, with a unit in each cell. In a table with a device they are the device's.
 * An operator has the time of the kernels that it launched, which newer versions list once more in rows of
 * their own: those have no time of the CPU. "ProfilerStep*" is called once a step.
 *
 * With profile_memory=True, "Self CUDA Mem" and "Self CPU Mem" are what all calls allocated less what they
 * freed, such as "94.79 Mb" (of 1024 x 1024 bytes) and "-4 b": negative where they freed more.
 */
#include "measure/import/tool_table.h"

enum { FIELD_DEVICE, FIELD_MEMORY };
static const row_field fields[] = {
    [FIELD_DEVICE] = {ROW_SUM, {"Self CUDA", "Self XPU", "Self NPU", "Self MTIA"}, 1, "the self time", 0},
    [FIELD_MEMORY] =
        {ROW_WORD, {"Self CUDA Mem", "Self XPU Mem", "Self NPU Mem", "Self MTIA Mem"}, 0, "the memory", 0},
    {ROW_DEVICE, {"Self CPU Mem"}, 0, "the memory of the CPU", 0},
    {ROW_NAME, {"Name"}, 0, NULL, ROW_NEEDED},
    {ROW_OTHER, {"Self CPU", "Self CPU total"}, 1, "the self time of the CPU", ROW_NEEDED},
    {ROW_COUNT, {"# of Calls", "Number of Calls"}, 0, NULL, ROW_NEEDED},
};

typedef struct reading {
    table_reading table;
    bool has_device;
    uint64_t n_steps, n_launched, n_idle;
    double stated_s, sum_s;
} reading;

static void take_line(reading *r, const import_line *line)
{
    static const char *const totals[] = {
        "Self CPU time total: ", "Self CUDA time total: ", "Self XPU time total: ", "Self NPU time total: "};
    const text_span text = span_trim((text_span){line->text, line->length});
    for (size_t i = 0; i < N_OF(totals); i++) {
        text_span rest = text;
        double n, unit_s;
        if ((i > 0) != r->has_device || !span_skip(&rest, totals[i]) || !span_scan(&rest, "~", &n))
            continue;
        r->stated_s = span_unit(rest, false, &unit_s) == UNIT_TIME ? n * unit_s : NAN;
    }
}

/* Bytes of "94.79 Mb"; NaN for what is none, or was freed. */
static double kept_bytes(const char *cell)
{
    static const struct {
        const char *unit;
        double bytes;
    } units[] = {{"b", 1},       {"B", 1},       {"Kb", 1024},   {"KB", 1024},
                 {"Mb", 0x1p20}, {"MB", 0x1p20}, {"Gb", 0x1p30}, {"GB", 0x1p30}};
    text_span rest = span_of(cell ? cell : "");
    double n = NAN;
    if (!span_scan(&rest, "~", &n) || !(n >= 0))
        return NAN;
    const uint32_t u = NAMED_SPAN_AT(units, N_OF(units), unit, span_trim(rest));
    return u < N_OF(units) ? n * units[u].bytes : (double)NAN;
}

static void take_row(reading *r, table_row *row)
{
    double *v = row->values;
    r->has_device = r->table.layout.cells[FIELD_DEVICE] < r->table.layout.n;
    if (strncmp(row->name, "ProfilerStep", 12) == 0) {
        r->n_steps = (uint64_t)v[ROW_COUNT];
        row->name = NULL;
        return;
    }
    v[ROW_MEMORY] = kept_bytes(r->has_device ? row->word : row->device);
    row->device = row->word = NULL;
    v[ROW_SUM] = r->has_device ? v[ROW_SUM] : v[ROW_OTHER];
    v[ROW_COUNT] = v[ROW_COUNT] > 0 ? v[ROW_COUNT] : NAN;
    v[ROW_MEMORY] /= v[ROW_COUNT];
}

/* Rows without a time of their own, and kernels whose time is in the row of their operator, are left out. */
static void choose_rows(reading *r)
{
    import_state *in = r->table.in;
    double operators_s = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->n_rows; i++)
        operators_s += in->rows[i].values[ROW_OTHER] > 0 ? in->rows[i].values[ROW_SUM] : 0;
    for (uint32_t i = 0; i < in->n_rows; i++) {
        const double *v = in->rows[i].values;
        const bool is_launched = r->has_device && operators_s > 0 && !(v[ROW_OTHER] > 0);
        r->n_launched += is_launched && v[ROW_SUM] > 0;
        r->n_idle += !(v[ROW_SUM] > 0);
        if (is_launched || !(v[ROW_SUM] > 0))
            continue;
        r->sum_s += v[ROW_SUM];
        in->rows[n++] = in->rows[i];
    }
    in->n_rows = n;
    in->device = r->has_device ? "GPU" : "CPU";
}

static void finish(reading *r, roof_run *run)
{
    import_state *in = r->table.in;
    import_note(in, "times are self times of the %s, of all calls of an operator",
                r->has_device ? "device" : "CPU, since there is none of a device");
    import_note_count(in, r->n_launched, "kernels whose time is in the rows of their operators are left out");
    import_note_count(in, r->n_idle, "rows without a time of their own there are left out");
    import_check_sum(in, r->sum_s * 1e3, r->stated_s * 1e3, 0.01 * r->stated_s * 1e3, "ms", "the table");
    if (r->n_steps)
        import_sum_iterations(in, run, r->n_steps);
}

const importer_def importer_key_averages = {
    .id = "key_averages",
    .fuse = "torch.compile(model)",
    .tool = "PyTorch",
    .next = "export the trace, prof.export_chrome_trace(\"trace.json\"), which has every kernel and its step",
    .marks = {SURE("Self CPU %", "# of Calls"), SURE("Self CPU total %", "Number of Calls")},
    ROWS_ONLY,
    .empty = &(const reading){.stated_s = NAN},
    TABLE_LINES(reading, TABLE_OF(fields), .separator = ' ', .see_line = take_line, .see_row = take_row,
                .see_rows = choose_rows, .tell = finish)};
