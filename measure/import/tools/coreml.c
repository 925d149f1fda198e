/* Core ML's estimates of each operation, as small programs print it; nothing in it is measured.
 *
 *   DebugName, OpType, SelectedBackend, backend_0, ..., est_time_0, ..., invalid_0, ...      a table
 *   ios17.conv:9:12, ios17.conv, "ane", ane, bnns, ..., 0.004, 0.07, ..., , ...
 *
 *   ... analytics.mil:9:12, {                          dictionaries, in no order
 *       DebugName = "ios17.conv:9:12";
 *       EstimatedRunTime = {
 *           ane = "0.004";
 *       };
 *       OpIndex = 4;
 *       OpType = "ios17.conv";
 *       SelectedBackend = "\"ane\"";
 *   }
 *
 *   operation ios17.conv, device <MLNeuralEngineComputeDevice: 0x1>, cost 0.5%       of MLComputePlan: shares
 *
 * The time of a row is that of the backend that was selected. Apple states no unit: likely ms.
 */
#include "measure/import/tool_table.h"

/* The first of the columns of backends, of their times, and of why one could not run it. */
enum { BACKEND, TIME, INVALID, MOST_BACKENDS = 16 };
static const row_field fields[] = {
    {ROW_MARK, {"backend_0"}, 0, NULL, ROW_NEEDED}, {ROW_MARK, {"est_time_0"}, 0, NULL, ROW_NEEDED},
    {ROW_MARK, {"invalid_0"}, 0, NULL, ROW_NEEDED}, {ROW_NAME, {"DebugName"}, 0, NULL, ROW_NEEDED},
    {ROW_TYPE, {"OpType"}, 0, NULL, ROW_NEEDED},    {ROW_DEVICE, {"SelectedBackend"}, 0, NULL, ROW_NEEDED},
};

typedef struct estimate {
    const char *backend;
    double ms;
} estimate;

typedef struct reading {
    table_reading table;
    table_row entry;                   /* the open dictionary */
    bool is_open;                      /* there is one */
    estimate estimates[MOST_BACKENDS]; /* of it, or of the row of a table */
    uint32_t n_estimates, n_dictionaries;
    bool in_times;
} reading;

/* Backends, and what they run on. */
static const char *const kinds[][2] = {{"ane", "NPU"},
                                       {"bnns", "CPU"},
                                       {"classic_cpu", "CPU"},
                                       {"mps_graph", "GPU"},
                                       {"MLNeuralEngineComputeDevice", "NPU"},
                                       {"MLCPUComputeDevice", "CPU"},
                                       {"MLGPUComputeDevice", "GPU"}};

/* "\"ane\"" and "ane" are ane. */
static text_span bare(text_span value)
{
    return span_strip(value, "\"\\; ");
}

static roof_status take_estimate(reading *r, text_span backend, text_span time, roof_error *err)
{
    if (r->n_estimates == MOST_BACKENDS || !bare(backend).length || !bare(time).length)
        return ROOF_OK;
    estimate *e = &r->estimates[r->n_estimates++];
    TRY(import_keep_name(r->table.in, bare(backend), &e->backend, err));
    return span_number(bare(time), "the estimated time", &e->ms, err);
}

/* A row of a table, of a dictionary or of a plan, which has no estimates. */
static roof_status take_row(reading *r, table_row *row, roof_error *err)
{
    const size_t *at = r->table.layout.cells, n = at[TIME] - at[BACKEND];
    if (r->table.n_tables) {
        r->n_estimates = 0;
        if (at[TIME] < at[BACKEND] || at[INVALID] != at[TIME] + n)
            return error_data(err, "the columns of times are not as many as those of backends");
    }
    for (size_t i = 0; i < n; i++)
        TRY(take_estimate(r, r->table.cells[at[BACKEND] + i], r->table.cells[at[TIME] + i], err));
    for (uint32_t i = 0; row->device && i < r->n_estimates; i++)
        if (strcmp(r->estimates[i].backend, row->device) == 0)
            row->values[ROW_TIME] = r->estimates[i].ms / 1e3;
    for (size_t i = 0; row->device && i < N_OF(kinds); i++)
        if (strcmp(kinds[i][0], row->device) == 0)
            row->device = kinds[i][1];
    return ROOF_OK;
}

static roof_status take_line(reading *r, const import_line *line, roof_error *err)
{
    text_span whole = {line->text, line->length}, text = span_trim(whole), key, words[3];
    double percent;
    if (span_skip_past(&whole, "operation ") &&
        span_cut(&whole, "*, device <*:*>, cost ~%", &percent, words)) {
        table_row row = row_unknown();
        TRY(import_keep_name(r->table.in, words[0], &row.name, err));
        TRY(import_keep_name(r->table.in, words[1], &row.device, err));
        row.type = row.name;
        row.values[ROW_SHARE] = percent / 100;
        return table_take_row(&r->table, &row, err);
    }
    if (span_has(text, "analytics.mil:") && text.text[text.length - 1] == '{') {
        r->entry = row_unknown();
        r->is_open = true;
        r->n_estimates = 0;
        r->in_times = false;
    } else if (line->text[0] == '}') {
        if (!r->is_open || !r->entry.name || isnan(r->entry.values[ROW_INDEX]))
            return error_data(err, "a dictionary ends without DebugName or OpIndex");
        r->is_open = false;
        r->n_dictionaries++;
        return table_take_row(&r->table, &r->entry, err);
    } else if (span_begins(text, "EstimatedRunTime = ")) {
        r->in_times = true;
    } else if (span_begins(text, "}")) {
        r->in_times = false;
    } else if (span_has(text, " = ")) {
        key = span_take_until(&text, " = ");
        if (r->in_times)
            return take_estimate(r, key, text, err);
        const struct {
            const char *key, **to;
        } names[] = {
            {"DebugName", &r->entry.name}, {"OpType", &r->entry.type}, {"SelectedBackend", &r->entry.device}};
        for (size_t i = 0; i < N_OF(names); i++)
            if (span_is(key, names[i].key) && bare(text).length)
                return import_keep_name(r->table.in, bare(text), names[i].to, err);
        return span_is(key, "OpIndex") ? span_number(bare(text), "OpIndex", &r->entry.values[ROW_INDEX], err)
                                       : ROOF_OK;
    }
    return ROOF_OK;
}

static void sort_dictionaries(reading *r)
{
    if (r->n_dictionaries)
        order_sort(r->table.in->rows, r->table.in->n_rows, sizeof *r->table.in->rows,
                   ORDER_BY(RISING(table_row, values[ROW_INDEX])));
}

const importer_def importer_coreml = {
    .id = "coreml",
    .tool = "Core ML",
    .next = "measure it: the performance report of Xcode, or Instruments, times the model on the device",
    .marks = {SURE("SelectedBackend", "est_time_0"), SURE("EstimatedRunTime", "SelectedBackend", "DebugName"),
              SURE("operation ", ", device <ML", ", cost ")},
    ROWS_ONLY,
    TABLE_LINES(reading, TABLE_OF(fields), .separator = ',', .is_in_order = true,
                .basis = ROOF_TIME_ESTIMATED,
                .note = "times are estimates of Core ML for the backend that it selected, taken for "
                        "milliseconds, and nothing is measured",
                .line = take_line, .row = take_row, .see_rows = sort_dictionaries)};
