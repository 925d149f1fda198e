/* What ONNX Runtime writes with profiling on: Chrome's format, an array, one event a line.
 *
 *   [{"cat":"Session","pid":1,"tid":2,"dur":151,"ts":98659,"ph":"X","name":"model_run","args":{}},
 *    {"cat":"Node","pid":1,"tid":2,"dur":88,"ts":98660,"ph":"X","name":"conv1_kernel_time","args":{"op_name":"Conv",
 *     "provider":"CPUExecutionProvider","activation_size":"3136","parameter_size":"100","output_size":"25088",...}},...]
 *
 * An inference is a model_run, the first one a warm-up, which is left out where there are others. A row is a node, without the
 * nodes inside of it, which If, Loop and Scan have. Sizes are of its tensors, in bytes, computed and not counted. What a node
 * takes on a GPU is the time that the host needs to enqueue it.
 */
#include "core/error.h"
#include "measure/nesting.h"
#include "measure/tally.h"

#include <string.h>

/* What lies in no model_run, in the first one, and in the others. Of these the last that there is becomes rows. */
typedef enum part { OUTSIDE, FIRST, OTHERS } part;

typedef struct node {
    const char *provider;
    uint64_t read_bytes, write_bytes;
} node;

typedef struct reading {
    import_state *in;
    row_tally *tally, *runs; /* of nodes, and in one row of each model_run */
    nesting *nesting;
    part part;
    double first_s;
    node *nodes; /* of the rows */
    uint32_t n_nodes;
    uint64_t n_outside, n_kernels; /* n_kernels: events of a GPU's kernels */
} reading;

/* --- reading -------------------------------------------------------------------------------------------- */

/* Events come in the order in which they began, so that a later part takes the place of an earlier one. */
static roof_status take(void *reading_, const nested_event *e, roof_error *err)
{
    reading *r = reading_;
    part of = e->group > 1 ? OTHERS : e->group ? FIRST : OUTSIDE;
    r->n_outside += of == OUTSIDE;
    if (e->begins_group && of == FIRST)
        r->first_s = event_seconds(e->dur_ps);
    if (of < r->part)
        return ROOF_OK;
    if (of > r->part) {
        tally_forget(r->tally);
        tally_forget(r->runs);
    }
    r->part = of;
    return e->begins_group ? tally_add(r->runs, 0, event_seconds(e->dur_ps), err)
                           : tally_add(r->tally, e->row, event_seconds(e->self_ps), err);
}

static roof_status begin(void *reading_, roof_error *err)
{
    reading *r = reading_;
    uint32_t row;
    r->nesting = nesting_new(r->in, take, r);
    r->runs = tally_new(r->in);
    if (!r->nesting || !r->runs)
        return error_memory(err);
    TRY(tally_row_of(r->runs, span_of("model_run"), 0, &row, err));
    return tally_begin(r, err);
}

/* Sizes are texts; one that is not there, as of old versions, is not known. */
static roof_status read_size(const trace_event *e, const char *name, uint64_t *out, roof_error *err)
{
    text_span text = event_arg(e, name);
    *out = ROOF_UNKNOWN;
    return text.length ? span_count(text, name, out, err) : ROOF_OK;
}

/* ending: what is left out behind it, as of "CUDAExecutionProvider". */
static roof_status keep_word(reading *r, const trace_event *e, const char *name, const char *ending,
                             const char **out, roof_error *err)
{
    text_span text;
    TRY(event_text(e, event_arg(e, name), &text, err));
    span_drop(&text, ending);
    return text.length ? import_keep_name(r->in, text, out, err) : ROOF_OK;
}

static roof_status add_node(reading *r, const trace_event *e, roof_error *err)
{
    node new = {.provider = NULL};
    uint64_t inputs_bytes, weights_bytes;
    TRY(keep_word(r, e, "op_name", "", &r->tally->rows[r->n_nodes].type, err));
    TRY(keep_word(r, e, "provider", "ExecutionProvider", &new.provider, err));
    TRY(read_size(e, "activation_size", &inputs_bytes, err));
    TRY(read_size(e, "parameter_size", &weights_bytes, err));
    TRY(read_size(e, "output_size", &new.write_bytes, err));
    bool known = inputs_bytes != ROOF_UNKNOWN && weights_bytes != ROOF_UNKNOWN;
    new.read_bytes = known ? inputs_bytes + weights_bytes : ROOF_UNKNOWN; /* both are below 2^53 */
    TRY(ARENA_MORE(r->in->scratch, r->nodes, r->n_nodes, err));
    r->nodes[r->n_nodes++] = new;
    return ROOF_OK;
}

static roof_status read_node(reading *r, const trace_event *e, roof_error *err)
{
    text_span name;
    uint32_t row = 0;
    TRY(event_text(e, e->name, &name, err));
    if (!span_drop(&name, "_kernel_time"))
        return ROOF_OK; /* a fence before or behind it */
    TRY(import_check_name(name, err));
    TRY(tally_row_of(r->tally, name, 0, &row, err));
    if (row == r->n_nodes)
        TRY(add_node(r, e, err));
    return nesting_add(r->nesting, e, row, false, err);
}

static roof_status read(void *reading_, const trace_event *e, roof_error *err)
{
    reading *r = reading_;
    if (!event_is_span(e))
        return ROOF_OK;
    if (span_is(e->cat, "Session") && span_is(e->name, "model_run"))
        return nesting_add(r->nesting, e, ROOF_NONE, true, err);
    r->n_kernels += span_is(e->cat, "Kernel");
    return span_is(e->cat, "Node") ? read_node(r, e, err) : ROOF_OK;
}

/* --- the run -------------------------------------------------------------------------------------------- */

static roof_status add_layer(reading *r, uint32_t row, roof_run *run, roof_error *err)
{
    roof_measured_layer *layer = NULL;
    const node *n = &r->nodes[row];
    TRY(tally_layer(r->tally, row, run, &layer, err));
    roof_layer_counters *c = layer_counters_of(r->in->out, layer);
    if (!c)
        return error_memory(err);
    c->device = n->provider;
    c->read_bytes = n->read_bytes;
    c->write_bytes = n->write_bytes;
    if (c->read_bytes != ROOF_UNKNOWN || c->write_bytes != ROOF_UNKNOWN)
        c->bytes_origin = ROOF_BYTES_STATIC;
    return ROOF_OK;
}

/* Providers that give a node to a GPU and go on. */
static bool runs_behind(const char *provider)
{
    static const char *const gpus[] = {"CUDA",          "ROCM", "MIGraphX", "Tensorrt",
                                       "NvTensorRTRTX", "Dml",  "WebGpu"};
    for (size_t i = 0; provider && i < sizeof gpus / sizeof *gpus; i++)
        if (strcmp(provider, gpus[i]) == 0)
            return true;
    return false;
}

static void note_devices(reading *r)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < r->n_nodes; i++)
        n += runs_behind(r->nodes[i].provider);
    import_note_count(
        r->in, n, "rows run on a GPU: their time is that of the host, which launches them and need not wait");
    import_note_count(r->in, r->n_kernels, "events of a GPU's kernels are left out");
}

static void note_part(reading *r, uint64_t iterations)
{
    if (r->part == OTHERS)
        import_note(
            r->in,
            "the first model_run took %s ms, is a warm-up and left out, and rows are of the other %llu",
            NUMBER(r->first_s * 1e3), (unsigned long long)iterations);
    else if (r->part == FIRST)
        import_note(r->in, "only one model_run, which warms up: run the model more often");
    else
        import_note(r->in, "no model_run, so it is not known how often one inference runs each row");
    if (r->part != OUTSIDE)
        import_note_count(r->in, r->n_outside, "nodes ran outside of every model_run, and are in no row");
}

static roof_status finish(void *reading_, roof_error *err)
{
    reading *r = reading_;
    roof_run *run = NULL;
    if (!r->n_nodes)
        return error_set(err, ROOF_E_DATA,
                         "no node, want events with cat \"Node\" and names that end in _kernel_time");
    TRY(nesting_finish(r->nesting, NULL, err));
    TRY(import_add_run(r->in, NULL, ROOF_RUN_PER_LAYER, &run, err));
    for (uint32_t i = 0; i < r->n_nodes; i++)
        if (r->tally->rows[i].count)
            TRY(add_layer(r, i, run, err));
    uint64_t iterations = r->runs->rows[0].count;
    note_part(r, iterations);
    note_devices(r);
    tally_remark(r->tally);
    if (r->part == OUTSIDE)
        return ROOF_OK;
    import_sum_iterations(r->in, run, iterations);
    run->warmup = r->part == OTHERS;
    return tally_times(r->runs, 0, &run->total, err);
}

const importer_def importer_onnxruntime = {
    .id = "onnxruntime",
    .marks = {{SNIFF_SURE, {"_kernel_time\"", "\"provider\"", "\"op_name\""}},
              {SNIFF_LIKELY, {"\"Session\"", "\"session_initialization\"", "\"ph\""}},
              {SNIFF_LIKELY, {"\"Session\"", "\"model_loading_", "\"ph\""}}},
    ROWS_ONLY,
    .reading_bytes = sizeof(reading),
    .begin = begin,
    .trace = {.event = read},
    .finish = finish};
