/* What trtexec --exportProfile writes: how many runs, then a row for each layer.
 *
 *   [ { "count" : 30 }, { "name" : "Conv_0 + Relu_1", "timeMs" : 3.3, "averageMs" : 0.11, "medianMs" : 0.11, "percentage" : 11 }, ...
 * timeMs is the sum over all runs, averageMs the mean of one. Layers of 0 ms are reformats that move nothing. Names joined
 * by " + " are layers that were fused, by " || " layers that run together.
 */
#include "core/error.h"
#include "measure/tool_table.h"

#include <math.h>

static const row_field fields[] = {
    {ROW_NAME, {"name"}, 0, NULL, ROW_NEEDED}, {ROW_SUM, {"timeMs"}, 1e-3, NULL, 0},
    {ROW_TIME, {"averageMs"}, 1e-3, NULL, 0},  {ROW_MEDIAN, {"medianMs"}, 1e-3, NULL, 0},
    {ROW_COUNT, {"count"}, 0, NULL, 0},        {ROW_SHARE, {"percentage"}, 0.01, NULL, 0},
};

typedef struct reading {
    table_reading table;
    double runs;
} reading;

static roof_status take_row(void *reading_, table_row *row, roof_error *err)
{
    reading *r = reading_;
    if (!row->name) {
        r->runs = row->values[ROW_COUNT];
        return ROOF_OK;
    }
    if (!(r->runs >= 1))
        return error_set(err, ROOF_E_DATA, "a layer before the number of runs, want {\"count\": N} first");
    row->values[ROW_COUNT] = r->runs;
    return ROOF_OK;
}

static const tool_table table = {TABLE_OF(fields), .is_in_order = true, .each_row_is_known = true,
                                 .row = take_row};

const importer_def importer_tensorrt_profile = {
    .id = "tensorrt_profile",
    .marks = {{SNIFF_SURE, {"\"timeMs\"", "\"averageMs\"", "\"count\""}}},
    .device = "GPU",
    .mode_why = "a profile of layers has a time for each",
    .mode = ROOF_RUN_PER_LAYER,
    TABLE_JSON(table, reading)};
