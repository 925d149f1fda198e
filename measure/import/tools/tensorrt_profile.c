/* trtexec --exportProfile writes how many runs, then a row for each layer; --dumpProfile prints the same,
 * and older versions the layer first.
 *
 *   [ { "count" : 30 }, { "name" : "Conv_0 + Relu_1", "timeMs" : 3.3, "averageMs" : 0.11,...
 *   === Profile (30 iterations ) ===
 *      Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer
 *          3.30       0.1100       0.1090      50.0   Conv_0 + Relu_1
 *   Layer                  Time (ms)   Avg. Time (ms)   Median Time (ms)   Time %
 * The profiled runs are others than those that are timed as a whole, and fewer or more. timeMs is the sum
 * over all runs, averageMs the mean of one. Layers of 0 ms are reformats that move nothing. Names joined by
 * " + " are layers that were fused, by " || " layers that run together. The type of a layer is in the file of
 * --exportLayerInfo, named by --map, in the objects of "Layers" with the same "Name".
 */
#include "core/files/input.h"
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"name", "Layer"}, 0, NULL, ROW_NEEDED},
    {ROW_SUM, {"timeMs", "Time(~)"}, 1e-3, NULL, 0},
    {ROW_TIME, {"averageMs", "Avg.(~)", "Avg. Time (~)"}, 1e-3, NULL, ROW_NEEDED},
    {ROW_MEDIAN, {"medianMs", "Median(~)", "Median Time (~)"}, 1e-3, NULL, 0},
    {ROW_COUNT, {"count"}, 0, NULL, 0},
    {ROW_SHARE, {"percentage", "Time(%)", "Time %"}, 0.01, NULL, 0},
};
static const row_field info_fields[] = {{ROW_NAME, {"Name"}, 0, NULL, ROW_NEEDED},
                                        {ROW_TYPE, {"LayerType"}, 0, NULL, 0}};

typedef struct reading {
    table_reading table;
    double runs;
    double whole_ms;   /* of an inference on the GPU, the mean; 0: not stated */
    row_timings names; /* of layers of the information, before others */
    uint32_t n_typed;
} reading;

/* Tensors have names, and no type of a layer. */
static roof_status take_info(void *reading_, const jsonpull *at, const table_row *row, roof_error *err)
{
    reading *r = reading_;
    uint32_t i;
    (void)at;
    if (!row->name || !row->type)
        return ROOF_OK;
    TRY(timings_row_of(r->table.in, &r->names, span_of(row->name), 0, &i, err));
    if (!r->names.rows[i].type)
        r->names.rows[i].type = row->type;
    return ROOF_OK;
}

static roof_status begin(reading *r, roof_error *err)
{
    import_state *in = r->table.in;
    const char *path = in->options->map;
    input_file input;
    if (!path)
        return ROOF_OK;
    TRY(input_open(path, 0, &input, err));
    jsonpull *puller = jsonpull_new(input_read, &input);
    roof_status status = puller ? row_read_json(in, puller, info_fields, N_OF(info_fields), take_info, r, err)
                                : error_memory(err);
    jsonpull_free(puller);
    input_close(&input);
    TRY(error_placed(status, err, "%s", path));
    return r->names.n_rows ? ROOF_OK
                           : error_data(err,
                                        "no types of layers in '%s', want what trtexec --exportLayerInfo "
                                        "writes with --profilingVerbosity=detailed",
                                        SHOWN_TEXT(path));
}

static roof_status take_row(reading *r, table_row *row, roof_error *err)
{
    uint32_t at = 0;
    if (!row->name) {
        r->runs = row->values[ROW_COUNT];
        return ROOF_OK;
    }
    const bool is_printed = row->line != 0;
    if (!is_printed && !(r->runs >= 1))
        return error_data(err, "a layer before the number of runs, want {\"count\": N} first");
    row->values[ROW_COUNT] = r->runs >= 1 ? r->runs : NAN;
    if (r->names.n_rows) {
        TRY(timings_row_of(r->table.in, &r->names, span_of(row->name), 0, &at, err));
        row->type = r->names.rows[at].type;
        r->n_typed += row->type != NULL;
    }
    return ROOF_OK;
}

static void take_line(reading *r, const import_line *line)
{
    text_span text = span_trim((text_span){line->text, line->length});
    span_scan(&text, "=== Profile (# iterations", &r->runs);
    if (span_begins(text, "GPU Compute Time:") && span_skip_past(&text, "mean = "))
        span_scan(&text, "~ ms", &r->whole_ms);
}

static void finish(reading *r, roof_run *run)
{
    if (r->names.n_rows && r->n_typed < run->n_layers)
        import_note(r->table.in, "the information on layers has no row for %u of %u",
                    run->n_layers - r->n_typed, run->n_layers);
    if (r->whole_ms > 0)
        import_note(r->table.in,
                    "the log states %s ms of GPU compute time an inference, the mean of runs that may be "
                    "others than the profiled ones",
                    NUMBER(r->whole_ms));
}

const importer_def importer_tensorrt_profile = {
    .id = "tensorrt_profile",
    .fuse = "trtexec --builderOptimizationLevel=5",
    .keep = "run trtexec with --exportTimes, and import that as well",
    .tool = "TensorRT",
    .next = "trtexec --exportLayerInfo=FILE --profilingVerbosity=detailed has types and formats, for "
            "--map; --exportTimes=FILE has the spread",
    .marks = {SURE("\"timeMs\"", "\"averageMs\"", "\"count\""), SURE("Time(ms)", "Avg.(ms)", "Layer"),
              SURE("Time (ms)", "Avg. Time (ms)", "Layer"), LIKELY("=== Profile (", " iterations")},
    .device = "GPU",
    ROWS_ONLY,
    .takes_map = true,
    TABLE_EITHER(reading, TABLE_OF(fields), .separator = ' ', .see_line = take_line, .is_in_order = true,
                 .each_row_is_known = true, .begin = begin, .row = take_row, .tell = finish)};
