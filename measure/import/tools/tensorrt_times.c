/* trtexec --exportTimes writes an object for each inference, from end to end.
 *
 *   [ { "startEnqMs" : 0.1, ..., "h2dMs" : 0.02, "computeMs" : 0.8, "d2hMs" : 0.01, "latencyMs" : 0.83 }, ...
 * latencyMs is the sum of the copy to the device, the computation and the copy back. Older versions have inMs
 * and outMs.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_TIME, {"latencyMs"}, 1e-3, NULL, ROW_NEEDED},
    {ROW_MIN, {"h2dMs", "inMs"}, 1e-3, NULL, 0},
    {ROW_MEDIAN, {"computeMs"}, 1e-3, NULL, 0},
    {ROW_MAX, {"d2hMs", "outMs"}, 1e-3, NULL, 0},
};

enum { PHASES = 3 };
static const row_column columns[PHASES] = {ROW_MIN, ROW_MEDIAN, ROW_MAX};
static const roof_phase phases[PHASES] = {{"write", 0, NULL, ROOF_PHASE_TRANSFER},
                                          {"run", 0, NULL, ROOF_PHASE_ACCELERATOR},
                                          {"read", 0, NULL, ROOF_PHASE_TRANSFER}};

typedef struct reading {
    table_reading table;
    double sums_s[PHASES];
} reading;

static roof_status take_row(reading *r, table_row *row, roof_error *err)
{
    r->table.is_bypass = true;
    for (int p = 0; p < PHASES; p++) /* an inference that lacks one makes the mean unknown */
        r->sums_s[p] += row->values[columns[p]];
    return table_add_total(&r->table, row->values[ROW_TIME], err);
}

static roof_status finish(reading *r, roof_run *run, roof_error *err)
{
    run->iterations = run->total.count;
    for (int p = 0; p < PHASES; p++)
        r->sums_s[p] /= (double)run->iterations;
    return run_add_phases(r->table.in->out, run, phases, r->sums_s, PHASES, err);
}

const importer_def importer_tensorrt_times = {
    .id = "tensorrt_times",
    .keep = "run trtexec with --exportTimes, and import that as well",
    .tool = "TensorRT",
    .next = "run trtexec with --exportProfile=FILE --separateProfileRun, which times the layers",
    .marks = {SURE("\"startEnqMs\"", "\"latencyMs\""), LIKELY("\"computeMs\"", "\"latencyMs\"")},
    .device = "GPU",
    WHOLE_ONLY("the file has times of whole inferences"),
    .unverified = true,
    TABLE_JSON(reading, TABLE_OF(fields), .row = take_row, .finish = finish)};
