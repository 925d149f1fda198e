/* The trace that ONNX Runtime writes with profiling on: Chrome's format, an array, one event a line.
 *
 *   [{"cat":"Session","pid":1,"tid":2,"dur":151,"ts":98659,"ph":"X","name":"model_run","args":{}},
 *   {"cat":"Node","pid":1,"tid":2,"dur":88,"ts":98660,"ph":"X","name":"conv1_kernel_time",...
 *   "provider":"CPUExecutionProvider","activation_size":"3136","parameter_size":"100",...
 *
 * An inference is a model_run, the first one a warm-up, which is left out where there are others. A row is a
 * node, without the nodes inside of it, which If, Loop and Scan have. Sizes are of its tensors, in bytes,
 * computed and not counted. The time of a node on a GPU is the time that the CPU needs to enqueue it: where
 * there are events of kernels, these are the times. They name their node as parent_name, and a kernel without
 * one is a row by itself.
 */
#include "measure/import/tool_table.h"

/* Events lie in no model_run, in the first one, or in the others. The last that there is becomes rows. */
typedef enum part { OUTSIDE, FIRST, OTHERS } part;

/* A kernel on a GPU, which may run behind the CPU. */
typedef struct kernel_event {
    int64_t start_ps, dur_ps;
    uint32_t row;
} kernel_event;

typedef struct reading {
    table_reading table;
    nesting *nesting;
    part part;
    double first_s;
    uint64_t n_outside;
    row_timings with_kernels; /* the rows of the table's timings, those of a GPU with the times of kernels */
    kernel_event *kernels;
    uint32_t n_kernels;
    int64_t *runs_ps; /* when each model_run began */
    uint32_t n_runs;
} reading;

/* Providers that give a node to a GPU and go on. */
static const char *const gpus[] = {"CUDA", "ROCM", "MIGraphX", "Tensorrt", "NvTensorRTRTX", "Dml", "WebGpu"};

static bool is_of_gpu(const table_row *first)
{
    return first->device && SPAN_IS_ONE_OF(gpus, span_of(first->device));
}

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
    if (of > r->part) {
        timings_forget(t->timings);
        timings_forget(&r->with_kernels);
        timings_forget(&t->totals);
    }
    r->part = of;
    if (e->begins_group)
        return table_add_total(t, event_seconds(e->dur_ps), err);
    if (!is_of_gpu(&t->firsts[e->row]))
        TRY(timings_add(&r->with_kernels, e->row, event_seconds(e->self_ps), err));
    return timings_add(t->timings, e->row, event_seconds(e->self_ps), err);
}

static roof_status begin(reading *r, roof_error *err)
{
    return ALLOCATED(r->nesting = nesting_new(r->table.in, take, r), err);
}

/* Sizes are texts; one that is not there, as of old versions, is unknown. */
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

/* The row of a name, which is the same one in both timings. */
static roof_status row_of(reading *r, const trace_event *e, text_span name, const char *device, uint32_t *row,
                          roof_error *err)
{
    TRY(timings_row_of(r->table.in, r->table.timings, name, 0, row, err));
    if (*row < r->table.n_firsts)
        return ROOF_OK;
    table_row first = row_unknown();
    double *v = first.values, weights_bytes = NAN;
    first.exact = true;
    first.device = device;
    TRY(import_keep_name(r->table.in, name, &first.name, err));
    TRY(keep_word(r, e, "op_name", "", &first.type, err));
    if (!device) {
        TRY(keep_word(r, e, "provider", "ExecutionProvider", &first.device, err));
        TRY(read_size(e, "activation_size", &v[ROW_READ], err));
        TRY(read_size(e, "parameter_size", &weights_bytes, err));
        TRY(read_size(e, "output_size", &v[ROW_WRITE], err));
        v[ROW_READ] += weights_bytes;
    }
    TRY(table_row_of(&r->table, &first, 0, row, err));
    return timings_row_of(r->table.in, &r->with_kernels, name, 0, row, err);
}

static roof_status read(reading *r, const trace_event *e, roof_error *err)
{
    text_span name;
    if (!event_is_span(e))
        return ROOF_OK;
    if (span_is(e->cat, "Kernel")) {
        kernel_event kernel;
        const text_span parent = event_arg(e, "parent_name");
        TRY(event_text(e, parent.length ? parent : e->name, &name, err));
        span_drop(&name, "_kernel_time");
        TRY(import_check_name(name, err));
        TRY(event_times(e, &kernel.start_ps, &kernel.dur_ps, err));
        TRY(row_of(r, e, name, "GPU", &kernel.row, err));
        return ARENA_ADD(r->table.in->scratch, r->kernels, r->n_kernels, err, kernel);
    }
    const bool is_run = span_is(e->cat, "Session") && span_is(e->name, "model_run");
    if (is_run) {
        int64_t start_ps, dur_ps;
        TRY(event_times(e, &start_ps, &dur_ps, err));
        TRY(ARENA_ADD(r->table.in->scratch, r->runs_ps, r->n_runs, err, start_ps));
        return nesting_add(r->nesting, e, (nested_event){.row = ROOF_NONE, .begins_group = true}, err);
    }
    if (!span_is(e->cat, "Node"))
        return ROOF_OK;
    uint32_t row = 0;
    TRY(event_text(e, e->name, &name, err));
    if (!span_drop(&name, "_kernel_time"))
        return ROOF_OK; /* a fence before or behind it */
    TRY(row_of(r, e, name, NULL, &row, err));
    return nesting_add(r->nesting, e, (nested_event){.row = row}, err);
}

/* Kernels of a node in one inference are one time of it. The first inference is left out, as of nodes. */
static roof_status take_kernels(reading *r, roof_error *err)
{
    double *sums_s = NEW_ARRAY(r->table.in->scratch, double, (size_t)r->table.n_firsts + 1);
    uint32_t run = 0, from = 0;
    TRY(ALLOCATED(sums_s, err));
    order_sort(r->kernels, r->n_kernels, sizeof *r->kernels,
               ORDER_BY(RISING(kernel_event, start_ps), RISING(kernel_event, row)));
    ORDER_VALUES(r->runs_ps, r->n_runs);
    for (; from < r->n_kernels && !r->n_runs; from++)
        TRY(timings_add(&r->with_kernels, r->kernels[from].row, event_seconds(r->kernels[from].dur_ps), err));
    while (from < r->n_kernels) {
        uint32_t to = from;
        while (run + 1 < r->n_runs && r->runs_ps[run + 1] <= r->kernels[from].start_ps)
            run++;
        for (; to < r->n_kernels && (run + 1 >= r->n_runs || r->kernels[to].start_ps < r->runs_ps[run + 1]);
             to++)
            sums_s[r->kernels[to].row] += event_seconds(r->kernels[to].dur_ps);
        for (uint32_t i = from; i < to; i++) {
            double *sum_s = &sums_s[r->kernels[i].row];
            if (*sum_s > 0 && !(r->part == OTHERS && run == 0))
                TRY(timings_add(&r->with_kernels, r->kernels[i].row, *sum_s, err));
            *sum_s = 0;
        }
        from = to;
    }
    r->table.timings = &r->with_kernels;
    return ROOF_OK;
}

static roof_status end_nesting(reading *r, roof_error *err)
{
    if (!r->table.n_firsts)
        return error_data(err, "no node, want events with cat \"Node\" and names that end in _kernel_time");
    TRY(nesting_finish(r->nesting, NULL, err));
    if (r->n_kernels)
        TRY(take_kernels(r, err));
    r->table.iterations = r->part == OUTSIDE ? ROOF_UNKNOWN : r->table.totals.rows[0].count;
    return ROOF_OK;
}

static void finish(reading *r, roof_run *run)
{
    import_state *in = r->table.in;
    uint64_t n_behind = 0;
    if (r->part == OTHERS)
        import_note(
            in, "the first model_run took %s ms, is a warm-up and left out, and rows are of the other %llu",
            NUMBER(r->first_s * 1e3), (unsigned long long)r->table.iterations);
    else if (r->part == FIRST)
        import_note(in, "only one model_run, which warms up: run the model more often");
    else
        import_note(in, "no model_run, so it is unknown how often one inference runs each row");
    if (r->part != OUTSIDE) {
        import_note_count(in, r->n_outside, "nodes ran outside of every model_run, and are in no row");
        run->warmup = r->part == OTHERS;
    }
    for (uint32_t i = 0; i < r->table.n_firsts; i++)
        n_behind += is_of_gpu(&r->table.firsts[i]);
    if (r->n_kernels)
        import_note(in,
                    "times on the GPU are those of %u kernels; those of their nodes are of the host, which "
                    "launches them",
                    r->n_kernels);
    else
        import_note_count(
            in, n_behind,
            "rows run on a GPU: their time is that of the host, which launches them and need not wait");
}

const importer_def importer_onnxruntime = {
    .id = "onnxruntime",
    .fuse = "set graph_optimization_level of SessionOptions to ORT_ENABLE_ALL",
    .tool = "ONNX Runtime",
    .next = "set the threads of the session, run more inferences, and see which nodes another provider "
            "could take",
    .unverified = true,
    .marks = {SURE("_kernel_time\"", "\"provider\"", "\"op_name\""),
              LIKELY("\"Session\"", "\"session_initialization\"", "\"ph\""),
              LIKELY("\"Session\"", "\"model_loading_", "\"ph\"")},
    ROWS_ONLY,
    .trace = {.event = read},
    TABLE_WITH(reading, .is_trace = true, .begin = begin, .rows = end_nesting, .tell = finish)};
