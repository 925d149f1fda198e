/* The profile that Arm NN's ExecuteNetwork writes with --event-based-profiling, newer and older:
 *
 *   {"ArmNN":{"inference_measurements_#1":{"Wall clock time_#1":{"raw":[1200.5,1190.1],"unit":"us"},
 *     "Execute_#2":{..., "NeonConvolution2dWorkload_Execute_#20":{"type":"Event",
 *       "Wall clock time_#20":{"raw":[800.1,790.2],"unit":"us"}, "NeonKernelTimer/...":{...}}}}}}
 *   {"ArmNN":{"inference_measurements":{"raw":[83934.1],"unit":"us","layer_measurements":{
 *     "raw":[...],"unit":"us",
 *     "NeonConvolution2dWorkload_Execute":{"raw":[6422.2],"unit":"us","NeonKernelTimer/0":{...}},...}}}}
 *
 * A row is what stands directly in "Execute_#N" or "layer_measurements"; kernels in it are parts of its
 * time. A number of raw is of one inference. "Neon" runs on the CPU, "Cl" on the GPU, "Ref" on the CPU.
 */
#include "measure/import/timings.h"

enum { KEY_BYTES = 200, MOST_RAW = 1 << 16 };

/* An object that is open. */
typedef struct open_object {
    char key[KEY_BYTES];
    bool is_list; /* an array */
} open_object;

typedef struct reading {
    import_state *in;
    row_timings layers, whole;
    open_object open[JSON_DEEPEST + 1];
    uint32_t depth;
    double raw[MOST_RAW]; /* of the object that is open; its unit may stand behind it */
    uint32_t n_raw, raw_depth;
    double unit;
    uint64_t n_rows;
    bool has_cpu, has_gpu;
} reading;

/* The numbers of the object that is open: of a row, of all, or of a part that nobody asks for. */
static roof_status take_raw(reading *r, roof_error *err)
{
    const uint32_t n_raw = r->raw_depth == r->depth ? r->n_raw : 0;
    const open_object *at = &r->open[r->depth];
    const bool is_clock = span_begins(span_of(at->key), "Wall clock time") && !strchr(at->key, '(');
    const open_object *event = is_clock ? at - 1 : at;
    row_timings *to = NULL;
    uint32_t row = 0;
    r->n_raw -= n_raw;
    if (event > r->open && (span_begins(span_of(event[-1].key), "Execute_#") ||
                            strcmp(event[-1].key, "layer_measurements") == 0))
        to = &r->layers;
    else if (span_begins(span_of(event->key), "inference_measurements"))
        to = &r->whole;
    if (!n_raw || !to || (!is_clock && span_begins(span_of(at->key), "Wall clock")) ||
        strchr(event->key, '/'))
        return ROOF_OK;
    text_span name = span_of(event->key);
    const char *number = strstr(event->key, "_#");
    name.length = number ? (size_t)(number - event->key) : name.length;
    const bool is_row = to == &r->layers;
    TRY(import_check_name(name, err));
    TRY(timings_row_of(r->in, to, name, is_row ? ++r->n_rows : 0, &row, err));
    for (uint32_t i = 0; i < n_raw; i++)
        TRY(timings_add(to, row, r->raw[i] * r->unit, err));
    r->has_gpu = r->has_gpu || (is_row && span_begins(span_of(event->key), "Cl"));
    r->has_cpu = r->has_cpu || (is_row && !span_begins(span_of(event->key), "Cl"));
    return ROOF_OK;
}

static roof_status read_json(reading *r, jsonpull *puller, roof_error *err)
{
    json_event e = {.kind = JSON_NULL};
    do {
        TRY(jsonpull_next(puller, &e, err));
        open_object *at = &r->open[r->depth];
        if (e.kind == JSON_CLOSE) {
            if (!at->is_list)
                TRY(take_raw(r, err));
            r->depth -= r->depth > 0;
        } else if (e.kind == JSON_OBJECT || e.kind == JSON_ARRAY) {
            /* a row of older versions goes on with its parts behind its own numbers */
            if (e.kind == JSON_OBJECT)
                TRY(take_raw(r, err));
            at = &r->open[++r->depth];
            at->is_list = e.kind == JSON_ARRAY;
            strncpy(at->key, e.key ? e.key : "", KEY_BYTES - 1);
            at->key[KEY_BYTES - 1] = '\0';
        } else if (e.kind == JSON_NUMBER && at->is_list && strcmp(at->key, "raw") == 0 &&
                   r->n_raw < MOST_RAW) {
            r->unit = r->n_raw ? r->unit : 1e-6;
            r->raw_depth = r->depth - 1;
            r->raw[r->n_raw++] = e.number;
        } else if (e.kind == JSON_STRING && e.key && strcmp(e.key, "unit") == 0) {
            r->unit = strcmp(e.text, "ms") == 0 ? 1e-3 : strcmp(e.text, "ns") == 0 ? 1e-9 : 1e-6;
        }
    } while (e.kind != JSON_DONE);
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run *run = NULL;
    if (!r->layers.n_rows)
        return error_data(err, "no layer, want events in \"Execute_#N\" or \"layer_measurements\"");
    r->in->device = r->has_gpu ? (r->has_cpu ? NULL : "GPU") : "CPU";
    TRY(timings_add_run(r->in, &r->layers, &run, err));
    for (uint32_t i = 0; i < run->n_layers; i++)
        run->layers[i].index = i + 1;
    if (r->whole.n_rows)
        TRY(timings_times(&r->whole, 0, &run->total, err));
    import_sum_up(r->in, run);
    return ROOF_OK;
}

const importer_def importer_armnn = {
    .id = "armnn",
    .tool = "Arm NN",
    .next = "see which layers fall back to CpuRef or copy between backends (CopyMemGeneric), and time "
            "both backends",
    .marks = {SURE("\"ArmNN\"", "inference_measurements")},
    ROWS_ONLY,
    .unverified = true,
    .reading_bytes = sizeof(reading),
    .json = read_json,
    .finish = finish};
