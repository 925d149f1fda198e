/* What Core ML estimates of each operation, as small programs print it; nothing in it is measured.
 *
 *   DebugName, OpType, SelectedBackend, backend_0, backend_1, ..., est_time_0, est_time_1, ..., invalid_0, ...      a table
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
 *   operation ios17.conv, device <MLNeuralEngineComputeDevice: 0x1>, cost 0.5%           of MLComputePlan: shares
 *
 * The time of a row is that of the backend that was selected. Apple states no unit; milliseconds are plausible.
 */
#include "core/error.h"
#include "measure/tool_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BACKENDS = 6, FIRST_BACKEND = 0, FIRST_TIME = BACKENDS };
static const row_field fields[] = {
    /* backends, then their times: read where the selected one is known */
    {ROW_GROUP, {"backend_0"}, 0, NULL, ROW_NEEDED},
    {ROW_GROUP, {"backend_1"}, 0, NULL, 0},
    {ROW_GROUP, {"backend_2"}, 0, NULL, 0},
    {ROW_GROUP, {"backend_3"}, 0, NULL, 0},
    {ROW_GROUP, {"backend_4"}, 0, NULL, 0},
    {ROW_GROUP, {"backend_5"}, 0, NULL, 0},
    {ROW_OTHER, {"est_time_0"}, 0, NULL, ROW_NEEDED | ROW_SPARSE},
    {ROW_OTHER, {"est_time_1"}, 0, NULL, ROW_SPARSE},
    {ROW_OTHER, {"est_time_2"}, 0, NULL, ROW_SPARSE},
    {ROW_OTHER, {"est_time_3"}, 0, NULL, ROW_SPARSE},
    {ROW_OTHER, {"est_time_4"}, 0, NULL, ROW_SPARSE},
    {ROW_OTHER, {"est_time_5"}, 0, NULL, ROW_SPARSE},
    {ROW_NAME, {"DebugName"}, 0, NULL, ROW_NEEDED},
    {ROW_TYPE, {"OpType"}, 0, NULL, ROW_NEEDED},
    {ROW_DEVICE, {"SelectedBackend"}, 0, NULL, ROW_NEEDED},
};

/* An estimate of a dictionary. */
typedef struct estimate {
    char backend[40];
    double time;
} estimate;

typedef struct reading {
    table_reading table;
    table_row entry; /* the open dictionary */
    estimate estimates[BACKENDS];
    uint32_t n_estimates, n_dictionaries;
    bool in_times;
} reading;

static const char *kind_of(const char *backend)
{
    static const char *const kinds[][2] = {{"ane", "NPU"},
                                           {"bnns", "CPU"},
                                           {"classic_cpu", "CPU"},
                                           {"mps_graph", "GPU"},
                                           {"MLNeuralEngineComputeDevice", "NPU"},
                                           {"MLCPUComputeDevice", "CPU"},
                                           {"MLGPUComputeDevice", "GPU"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i][0], backend) == 0)
            return kinds[i][1];
    return backend;
}

static roof_status take_row(void *reading_, table_row *row, roof_error *err)
{
    reading *r = reading_;
    const row_layout *layout = &r->table.layout;
    double time = NAN;
    for (size_t i = 0; i < BACKENDS && row->device && r->table.n_tables; i++) {
        size_t backend = layout->cells[FIRST_BACKEND + i], at = layout->cells[FIRST_TIME + i];
        if (backend < layout->n && at < layout->n && span_is(r->table.cells[backend], row->device) &&
            r->table.cells[at].length)
            TRY(span_number(r->table.cells[at], "the estimated time", &time, err));
    }
    row->values[ROW_TIME] = time / 1e3;
    row->group = NULL;
    row->device = row->device ? kind_of(row->device) : NULL;
    return ROOF_OK;
}

/* --- dictionaries ---------------------------------------------------------------------------------------- */

/* "\"ane\"" and "ane" are ane. */
static text_span bare(text_span value)
{
    while (value.length && strchr("\"\\; ", *value.text))
        value = span_from(value, 1);
    while (value.length && strchr("\"\\; ", value.text[value.length - 1]))
        value.length--;
    return value;
}

static roof_status take_estimate(reading *r, text_span key, text_span value, roof_error *err)
{
    key = bare(key);
    if (r->n_estimates == BACKENDS || key.length >= sizeof r->estimates->backend)
        return ROOF_OK;
    estimate *e = &r->estimates[r->n_estimates++];
    memcpy(e->backend, key.text, key.length);
    e->backend[key.length] = '\0';
    return span_number(bare(value), "the estimated time", &e->time, err);
}

static roof_status end_entry(reading *r, roof_error *err)
{
    table_row *row = &r->entry;
    for (uint32_t i = 0; row->device && i < r->n_estimates; i++)
        if (strcmp(r->estimates[i].backend, row->device) == 0)
            row->values[ROW_TIME] = r->estimates[i].time / 1e3;
    if (!row->name || isnan(row->values[ROW_INDEX]))
        return error_set(err, ROOF_E_DATA, "a dictionary ends without DebugName or OpIndex");
    row->device = row->device ? kind_of(row->device) : NULL;
    row->exact = true;
    r->n_dictionaries++;
    if (isnan(row->values[ROW_TIME]))
        r->table.n_timeless++;
    else
        TRY(row_keep(r->table.in, row, err));
    return ROOF_OK;
}

static roof_status take_member(reading *r, text_span key, text_span value, roof_error *err)
{
    import_state *in = r->table.in;
    if (r->in_times)
        return take_estimate(r, key, value, err);
    if (span_is(key, "DebugName"))
        return import_keep_name(in, bare(value), &r->entry.name, err);
    if (span_is(key, "OpType"))
        return import_keep_name(in, bare(value), &r->entry.type, err);
    if (span_is(key, "SelectedBackend") && bare(value).length)
        return import_keep_name(in, bare(value), &r->entry.device, err);
    if (span_is(key, "OpIndex"))
        return span_number(bare(value), "OpIndex", &r->entry.values[ROW_INDEX], err);
    return ROOF_OK;
}

static roof_status take_share(reading *r, const text_span words[3], double percent, roof_error *err)
{
    table_row row = row_unknown();
    TRY(import_keep_name(r->table.in, words[0], &row.name, err));
    TRY(import_keep_name(r->table.in, words[1], &row.device, err));
    row.type = row.name;
    row.device = kind_of(row.device);
    row.values[ROW_SHARE] = percent / 100;
    return row_keep(r->table.in, &row, err);
}

static roof_status take_line(void *reading_, const roof_line *line, roof_error *err)
{
    reading *r = reading_;
    text_span whole = {line->text, line->length}, text = span_trim(whole), key, words[3];
    double percent;
    if (span_skip_past(&whole, "operation ") && span_cut(&whole, "*, device <*:*>, cost ~%", &percent, words))
        return take_share(r, words, percent, err);
    if (span_has(text, "analytics.mil:") && text.text[text.length - 1] == '{') {
        r->entry = row_unknown();
        r->n_estimates = 0;
        r->in_times = false;
    } else if (line->text[0] == '}') {
        return end_entry(r, err);
    } else if (span_begins(text, "EstimatedRunTime = ")) {
        r->in_times = true;
    } else if (span_begins(text, "}")) {
        r->in_times = false;
    } else if (span_has(text, " = ")) {
        key = span_take_until(&text, " = ");
        return take_member(r, key, text, err);
    }
    return ROOF_OK;
}

static int by_index(const void *a_, const void *b_)
{
    const table_row *a = a_, *b = b_;
    return (a->values[ROW_INDEX] > b->values[ROW_INDEX]) - (a->values[ROW_INDEX] < b->values[ROW_INDEX]);
}

static roof_status sort_dictionaries(void *reading_, roof_error *err)
{
    reading *r = reading_;
    (void)err;
    if (r->n_dictionaries && r->table.in->n_rows)
        qsort(r->table.in->rows, r->table.in->n_rows, sizeof *r->table.in->rows, by_index);
    return ROOF_OK;
}

static const tool_table table = {TABLE_OF(fields),
                                 .separator = ',',
                                 .is_in_order = true,
                                 .basis = ROOF_TIME_ESTIMATED,
                                 .note = "times are estimates of Core ML for the backend that it selected, "
                                         "taken for milliseconds, and nothing is "
                                         "measured",
                                 .line = take_line,
                                 .row = take_row,
                                 .rows = sort_dictionaries};

const importer_def importer_coreml = {
    .id = "coreml",
    .marks = {{SNIFF_SURE, {"SelectedBackend", "est_time_0"}},
              {SNIFF_SURE, {"EstimatedRunTime", "SelectedBackend", "DebugName"}},
              {SNIFF_SURE, {"operation ", ", device <ML", ", cost "}}},
    ROWS_ONLY,
    TABLE_LINES(table, reading)};
