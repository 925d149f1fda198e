/* The HTP Analysis Summary (QHAS) of Qualcomm's QNN, a JSON document of one inference:
 *
 *   {"header":{"artifact_type":"QHAS"},"data":{"htp_overall_summary":{"data":[{"time_us":1300,
 *     "graph_execute_us":1100,"timeline_cycles":1500000,"total_dram_read":24000000,"total_dram_write":4000,
 *   "htp_resources":{"data":[{"type":"HMX","utilization":80.5},...]}}]},...
 *   "qnn_op_type":"Conv2d","cycles":600000,"num_dominant_path_cycles_htp_0":150000,"dram_read":16000,...
 *
 * cycles are summed over threads that work at the same time; those on the dominant path are the ones that the
 * inference waits for. Their share of timeline_cycles in time_us is a row's time. Bytes of DRAM are counted.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"qnn_op"}, 0, NULL, ROW_NEEDED},
    {ROW_TYPE, {"qnn_op_type", "type"}, 0, NULL, 0},
    {ROW_WORD, {"model_id"}, 0, NULL, 0},
    {ROW_CYCLES, {"num_dominant_path_cycles_htp_0", "timeline_cycles"}, 0, NULL, 0},
    {ROW_READ, {"dram_read", "total_dram_read"}, 0, NULL, 0},
    {ROW_WRITE, {"dram_write", "total_dram_write"}, 0, NULL, 0},
    {ROW_OTHER, {"utilization"}, 0, NULL, 0},
    {ROW_TIME, {"time_us"}, 1e-6, NULL, 0},
    {ROW_HARDWARE_TIME, {"graph_execute_us"}, 1e-6, NULL, 0},
};

typedef struct reading {
    table_reading table;
    table_row whole;
    const char *model;
    double cycles;
} reading;

static void take_row(reading *r, table_row *row)
{
    const double *v = row->values;
    if (!row->name && v[ROW_TIME] > 0 && v[ROW_CYCLES] > 0)
        r->whole = *row;
    else if (!row->name && row->type && v[ROW_OTHER] >= 0)
        import_note(r->table.in, "%s was busy %s %% of its time", SHOWN_TEXT(row->type),
                    NUMBER(v[ROW_OTHER]));
    r->model = row->word ? row->word : r->model;
    r->cycles += row->name && v[ROW_CYCLES] > 0 ? v[ROW_CYCLES] : 0;
}

static roof_status finish_run(reading *r, roof_run *run, roof_error *err)
{
    import_state *in = r->table.in;
    const double *whole = r->whole.values;
    run->total.mean_s = whole[ROW_TIME];
    run->read_bytes = count_from(whole[ROW_READ]);
    run->write_bytes = count_from(whole[ROW_WRITE]);
    if (!isnan(whole[ROW_HARDWARE_TIME]))
        import_note(in,
                    "the document has two times of the inference, time_us %s and graph_execute_us %s, of "
                    "which the first is taken",
                    NUMBER(whole[ROW_TIME] * 1e6), NUMBER(whole[ROW_HARDWARE_TIME] * 1e6));
    import_note(in,
                "cycles are those on the dominant path, of which the rows have %s %%, and the rest is of "
                "operations that the document does not have, or of none",
                NUMBER(100 * r->cycles / whole[ROW_CYCLES]));
    TRY(import_name_model(in, r->model, err));
    return run_add_clock(in->out, run, in->importer->table->cycles, whole[ROW_CYCLES] / whole[ROW_TIME], err);
}

static roof_status share_out(reading *r, roof_error *err)
{
    const double *whole = r->whole.values;
    for (uint32_t i = 0; i < r->table.in->n_rows; i++) {
        double *v = r->table.in->rows[i].values;
        v[ROW_TIME] = v[ROW_CYCLES] / whole[ROW_CYCLES] * whole[ROW_TIME];
    }
    return whole[ROW_TIME] > 0 ? ROOF_OK
                               : error_data(err, "no htp_overall_summary with time_us and timeline_cycles");
}

const importer_def importer_qnn_qhas = {
    .id = "qnn_qhas",
    .tool = "QNN",
    .next = "profile again with the same power mode (burst), which sets the clock, and see which "
            "operations read most",
    .marks = {SURE("\"QHAS\"", "\"artifact_type\""), SURE("\"qnn_op_instances_nodes\"")},
    .device = "NPU",
    ROWS_ONLY,
    TABLE_JSON(reading, TABLE_OF(fields), .bytes = ROOF_BYTES_COUNTER, .cycles = "htp", .see_row = take_row,
               .rows = share_out,
               .note = "a summary is of one inference, which is mostly the first and slow one",
               .finish = finish_run)};
