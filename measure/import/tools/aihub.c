/* The profile of a job on Qualcomm's AI Hub, job.download_profile() as JSON:
 *
 *   {"execution_summary": {"estimated_inference_time": 612, "all_inference_times": [612, 640], ...},       us
 *    "execution_detail": [{"name": "conv1", "type": "CONV_2D", "compute_unit": "NPU", "execution_time": 400,
 *      "execution_cycles": 800000}, ...]}
 *
 * On newer NPUs execution_time is 0 in all rows that have cycles: these have a share and no time.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"name"}, 0, NULL, ROW_NEEDED},
    {ROW_TYPE, {"type"}, 0, NULL, 0},
    {ROW_DEVICE, {"compute_unit"}, 0, NULL, 0},
    {ROW_TIME, {"execution_time"}, 1e-6, NULL, 0},
    {ROW_CYCLES, {"execution_cycles"}, 0, NULL, 0},
    {ROW_SUM, {"estimated_inference_time"}, 1e-6, NULL, 0},
    {ROW_OTHER, {"all_inference_times"}, 1e-6, NULL, ROW_EACH},
};

typedef struct reading {
    table_reading table;
    double estimated_s, cycles; /* estimated_s: 0: not there */
    uint32_t n_timed, n_counted;
} reading;

static roof_status take_row(reading *r, table_row *row, roof_error *err)
{
    double *v = row->values;
    if (row->name) {
        r->n_counted += v[ROW_CYCLES] > 0;
        r->n_timed += v[ROW_TIME] > 0;
        r->cycles += v[ROW_CYCLES] > 0 ? v[ROW_CYCLES] : 0;
        v[ROW_TIME] = v[ROW_CYCLES] > 0 && !(v[ROW_TIME] > 0) ? NAN : v[ROW_TIME];
        return ROOF_OK;
    }
    r->estimated_s = isnan(v[ROW_SUM]) ? r->estimated_s : v[ROW_SUM];
    return isnan(v[ROW_OTHER]) ? ROOF_OK : table_add_total(&r->table, v[ROW_OTHER], err);
}

static void finish_run(reading *r, roof_run *run)
{
    import_state *in = r->table.in;
    if (r->estimated_s > 0 && !r->table.totals.n_rows)
        run->total.mean_s = r->estimated_s;
    if (r->estimated_s > 0)
        import_note(in,
                    "the estimated inference time is %s us, which is the least of all times or near it, and "
                    "the total is the mean",
                    NUMBER(r->estimated_s * 1e6));
    if (r->n_counted && !r->n_timed)
        import_note(in, "no row has a time: shares are of the cycles, which may be summed over units that "
                        "work at the same time");
    else if (r->n_counted > r->n_timed)
        import_note(in, "some rows have cycles and no time, and are in no sum");
}

static void share_out(reading *r)
{
    for (uint32_t i = 0; !r->n_timed && i < r->table.in->n_rows; i++) {
        double *v = r->table.in->rows[i].values;
        v[ROW_SHARE] = v[ROW_CYCLES] > 0 ? v[ROW_CYCLES] / r->cycles : NAN;
    }
}

const importer_def importer_aihub = {.id = "aihub",
                                     .tool = "Qualcomm AI Hub",
                                     .marks = {SURE("\"execution_summary\"", "\"execution_detail\"")},
                                     ROWS_ONLY,
                                     .unverified = true,
                                     TABLE_JSON(reading, TABLE_OF(fields), .is_in_order = true,
                                                .cycles = "npu", .row = take_row, .see_rows = share_out,
                                                .tell = finish_run)};
