/* The trace that ONNX Runtime writes with profiling on: Chrome's format, an array, one event a line.
 *
 *   [{"cat":"Session","pid":1,"tid":2,"dur":151,"ts":98659,"ph":"X","name":"model_run","args":{}},
 *   {"cat":"Node","pid":1,"tid":2,"dur":88,"ts":98660,"ph":"X","name":"conv1_kernel_time",...
 *   "provider":"CPUExecutionProvider","activation_size":"3136","parameter_size":"100",...
 *
 * An inference is a model_run, the first one a warm-up, which is left out where there are others. A row is a
 * node, without the nodes inside of it, which If, Loop and Scan have. Sizes are of its tensors, in bytes,
 * computed and not counted. What a node takes on a GPU is the time that the host needs to enqueue it.
 */
#include "measure/import/nesting.h"
#include "measure/import/tool_table.h"

#include <math.h>
#include <string.h>

/* Events lie in no model_run, in the first one, or in the others. The last that there is becomes rows. */
typedef enum part { OUTSIDE, FIRST, OTHERS } part;

typedef struct reading {
    table_reading table;
    nesting *nesting;
    part part;
    double first_s;
    uint64_t n_outside, n_kernels; /* n_kernels: events of a GPU's kernels */
} reading;

/* Events come in the order in which they began, so that a later part takes the place of an earlier one. */
static roof_status take(void *reading_, const nested_event *e, roof_error *err)
{
    reading *r = reading_;
    table_reading *t = &r->table;
    part of = e->group > 1 ? OTHERS : e->group ? FIRST : OUTSIDE;
    r->n_outside += of == OUTSIDE;
    if (e->begins_group && of == FIRST)
        r->first_s = event_seconds(e->dur_ps);
    if (of < r->part)
        return ROOF_OK;
    if (of > r->part)
        timings_forget(t->timings);
    if (of > r->part && t->totals)
        timings_forget(t->totals);
    r->part = of;
    return e->begins_group ? table_add_total(t, event_seconds(e->dur_ps), err)
                           : timings_add(t->timings, e->row, event_seconds(e->self_ps), err);
}

static roof_status begin(reading *r, roof_error *err)
{
    r->nesting = nesting_new(r->table.in, take, r);
    return r->nesting ? ROOF_OK : error_memory(err);
}

/* Sizes are texts; one that is not there, as of old versions, is not known. */
static roof_status read_size(const trace_event *e, const char *name, double *out, roof_error *err)
{
    uint64_t bytes;
    text_span text = event_arg(e, name);
    if (!text.length)
        return ROOF_OK;
    TRY(span_count(text, name, &bytes, err));
    *out = (double)bytes;
    return ROOF_OK;
}

/* ending: what is left out behind it, as of "CUDAExecutionProvider". */
static roof_status keep_word(reading *r, const trace_event *e, const char *name, const char *ending,
                             const char **out, roof_error *err)
{
    text_span text;
    TRY(event_text(e, event_arg(e, name), &text, err));
    span_drop(&text, ending);
    return text.length ? import_keep_name(r->table.in, text, out, err) : ROOF_OK;
}

static roof_status read(reading *r, const trace_event *e, roof_error *err)
{
    if (!event_is_span(e))
        return ROOF_OK;
    if (span_is(e->cat, "Session") && span_is(e->name, "model_run"))
        return nesting_add(r->nesting, e, ROOF_NONE, true, err);
    r->n_kernels += span_is(e->cat, "Kernel");
    if (!span_is(e->cat, "Node"))
        return ROOF_OK;
    text_span name;
    uint32_t row = 0;
    TRY(event_text(e, e->name, &name, err));
    if (!span_drop(&name, "_kernel_time"))
        return ROOF_OK; /* a fence before or behind it */
    TRY(timings_row_of(r->table.timings, name, 0, &row, err));
    if (row == r->table.n_firsts) {
        table_row first = row_unknown();
        double *v = first.values, weights_bytes = NAN;
        first.exact = true;
        TRY(import_keep_name(r->table.in, name, &first.name, err));
        TRY(keep_word(r, e, "op_name", "", &first.type, err));
        TRY(keep_word(r, e, "provider", "ExecutionProvider", &first.device, err));
        TRY(read_size(e, "activation_size", &v[ROW_READ], err));
        TRY(read_size(e, "parameter_size", &weights_bytes, err));
        TRY(read_size(e, "output_size", &v[ROW_WRITE], err));
        v[ROW_READ] += weights_bytes;
        TRY(table_row_of(&r->table, &first, 0, &row, err));
    }
    return nesting_add(r->nesting, e, row, false, err);
}

/* Providers that give a node to a GPU and go on. */
static const char *const gpus[] = {"CUDA", "ROCM", "MIGraphX", "Tensorrt", "NvTensorRTRTX", "Dml", "WebGpu"};

static roof_status end_nesting(reading *r, roof_error *err)
{
    if (!r->table.n_firsts)
        return error_set(err, ROOF_E_DATA,
                         "no node, want events with cat \"Node\" and names that end in _kernel_time");
    TRY(nesting_finish(r->nesting, NULL, err));
    r->table.iterations = r->part == OUTSIDE ? ROOF_UNKNOWN : r->table.totals->rows[0].count;
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_run *run, roof_error *err)
{
    import_state *in = r->table.in;
    uint64_t n_behind = 0;
    (void)err;
    if (r->part == OTHERS)
        import_note(
            in, "the first model_run took %s ms, is a warm-up and left out, and rows are of the other %llu",
            NUMBER(r->first_s * 1e3), (unsigned long long)r->table.iterations);
    else if (r->part == FIRST)
        import_note(in, "only one model_run, which warms up: run the model more often");
    else
        import_note(in, "no model_run, so it is not known how often one inference runs each row");
    if (r->part != OUTSIDE) {
        import_note_count(in, r->n_outside, "nodes ran outside of every model_run, and are in no row");
        run->warmup = r->part == OTHERS;
    }
    for (uint32_t i = 0; i < r->table.n_firsts; i++)
        for (size_t g = 0; r->table.firsts[i].device && g < sizeof gpus / sizeof *gpus; g++)
            n_behind += strcmp(r->table.firsts[i].device, gpus[g]) == 0;
    import_note_count(
        in, n_behind,
        "rows run on a GPU: their time is that of the host, which launches them and need not wait");
    import_note_count(in, r->n_kernels, "events of a GPU's kernels are left out");
    return ROOF_OK;
}

const importer_def importer_onnxruntime = {
    .id = "onnxruntime",
    .tool = "ONNX Runtime",
    .next = "set the threads of the session, run more inferences, and see which nodes another provider could "
            "take",
    .unverified = true,
    .marks = {{SNIFF_SURE, {"_kernel_time\"", "\"provider\"", "\"op_name\""}},
              {SNIFF_LIKELY, {"\"Session\"", "\"session_initialization\"", "\"ph\""}},
              {SNIFF_LIKELY, {"\"Session\"", "\"model_loading_", "\"ph\""}}},
    ROWS_ONLY,
    .trace = {.event = read},
    TABLE_WITH(reading, .is_trace = true, .begin = begin, .rows = end_nesting, .finish = finish)};
