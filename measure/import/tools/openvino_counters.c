/* Counters of OpenVINO's benchmark_app, -report_type [sort_]detailed_counters or average_counters:
 *
 *   layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms);
 *   conv1;EXECUTED;Convolution;jit_avx512_I8;1.234000;1.230000;
 *   Total;;;;1.555000;1.550000;
 *
 * or JSON: {"detailed_performance":[{"nodes":[{"name","status","node_type","exec_type","real_time",...},...],
 * "total_real_time"},...]}, or "avg_performance"; or, printed by -pc, where older versions have whole
 * microseconds behind "realTime:" and "cpu:":
 *   conv1   Status.EXECUTED layerType: Convolution   execType: jit_I8   realTime (ms): 1.234   cpuTime...
 *   Total time:     1.55 milliseconds
 * Times are in ms, all times of a thread that may be one of
 * several. A block is an infer request and a run, in which OPTIMIZED_OUT stands for layers that were fused
 * into others, without a time.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"layerName", "name"}, 0, NULL, ROW_NEEDED},
    {ROW_WORD, {"execStatus", "status"}, 0, NULL, ROW_NEEDED},
    {ROW_TYPE, {"layerType", "node_type"}, 0, NULL, 0},
    {ROW_TIME, {"realTime (~)", "real_time"}, 1e-3, NULL, ROW_NEEDED},
    {ROW_SUM, {"total_real_time"}, 1e-3, NULL, 0},
};

typedef struct reading {
    table_reading table;
    uint32_t block, n_fused, n_idle;
    double sum_s;
    uint32_t n_rows; /* of the block */
} reading;

static void take_row(reading *r, table_row *row)
{
    const double *v = row->values;
    bool is_total = row->name && strcmp(row->name, "Total") == 0 && !row->word;
    if (is_total || (!row->name && !isnan(v[ROW_SUM]))) {
        import_check_sum(r->table.in, r->sum_s * 1e3, (is_total ? v[ROW_TIME] : v[ROW_SUM]) * 1e3,
                         1e-3 * (r->n_rows + 1), "ms", "the report");
        r->sum_s = 0;
        r->n_rows = 0;
        r->block++;
        row->name = NULL;
    }
    if (!row->name || !row->word)
        return;
    row->table = r->block + 1;
    if (strcmp(row->word, "EXECUTED") == 0) {
        r->sum_s += v[ROW_TIME];
        r->n_rows++;
        return;
    }
    r->n_fused += strcmp(row->word, "OPTIMIZED_OUT") == 0;
    r->n_idle += strcmp(row->word, "OPTIMIZED_OUT") != 0;
    row->name = NULL;
}

/* A row of -pc, whose name ends before the status, and may hold blanks; or the total behind the rows. */
static roof_status take_line(reading *r, const import_line *line, roof_error *err)
{
    static const char *const all[] = {"EXECUTED", "NOT_RUN", "OPTIMIZED_OUT"};
    const text_span text = {line->text, line->length};
    text_span total = span_trim(text), time = span_word_behind(text, "realTime (ms): "), name = text;
    const bool is_ms = time.length > 0;
    table_row row = row_unknown();
    size_t s = 0;
    double n;
    if (span_scan(&total, "Total time: ~", &n) && r->n_rows) {
        row.name = "Total";
        row.values[ROW_TIME] = n * (span_begins(span_trim(total), "micro") ? 1e-6 : 1e-3);
        take_row(r, &row);
        return ROOF_OK;
    }
    if (!is_ms)
        time = span_word_behind(text, "realTime: ");
    while (s < N_OF(all) && !span_has(text, all[s]))
        s++;
    if (!time.length || s == N_OF(all))
        return ROOF_OK;
    name = span_trim(span_take_until(&name, all[s]));
    if (span_drop(&name, "Status."))
        name = span_trim(name);
    double clock[3];
    text_span at = time;
    if (span_scan(&at, "#:#:~", clock)) /* of a version in Python */
        row.values[ROW_TIME] = clock[0] * 3600 + clock[1] * 60 + clock[2];
    else
        TRY(span_number(time, "realTime", &n, err));
    if (isnan(row.values[ROW_TIME]))
        row.values[ROW_TIME] = n * (is_ms ? 1e-3 : 1e-6);
    row.word = all[s];
    TRY(import_keep_name(r->table.in, name, &row.name, err));
    TRY(import_keep_name(r->table.in, span_word_behind(text, "layerType: "), &row.type, err));
    return table_take_row(&r->table, &row, err);
}

static void finish(reading *r, roof_run *run)
{
    (void)run;
    import_note_count(r->table.in, r->n_fused,
                      "layers that were fused into others (OPTIMIZED_OUT) and have no time are left out");
    import_note_count(r->table.in, r->n_idle, "layers that were not executed are left out");
    if (r->block > 1)
        import_note(r->table.in, "each of the %u blocks is an infer request, and a run here", r->block);
}

const importer_def importer_openvino_counters = {
    .id = "openvino_counters",
    .tool = "OpenVINO",
    .next = "run benchmark_app with -hint latency and with -hint throughput, and see which layers have "
            "Reorder or Convert around them",
    .marks = {SURE("layerName;execStatus;"), SURE("\"detailed_performance\"", "\"node_type\""),
              SURE("\"avg_performance\"", "\"node_type\""), SURE("layerType: ", "execType: ", "realTime")},
    ROWS_ONLY,
    .unverified = true,
    TABLE_EITHER(reading, TABLE_OF(fields), .separator = ';', .line = take_line, .see_row = take_row,
                 .tell = finish)};
