/* trace.json.gz that TensorFlow's and JAX's profiler put beside the .xplane.pb: Chrome's format.
 *
 *   {"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[
 *     {"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:0 (pid 1)"}},
 *     {"ph":"M","pid":1,"tid":14,"name":"thread_name","args":{"name":"Stream #14(Kernel)"}},
 *     {"ph":"X","pid":1,"tid":14,"ts":100.5,"dur":4.928,"name":"volta_sgemm","args":{...}},...]}
 *
 * Rows are what ran on devices, by name: of a GPU what its streams ran, of a TPU its "XLA Ops", without those
 * inside of them. Other lines ("Steps", "XLA Modules", "TensorFlow Ops", of a GPU "XLA Ops") are derived from
 * these and have their time again (derived_timeline.h of TensorFlow). The file has the first million events
 * (xplane_to_trace_events.cc).
 */
#include "measure/import/timings.h"

enum { MOST_DEVICES = 64, FILE_EVENTS = 1000000 };

typedef struct device {
    const char *pid;
    bool is_tpu;
} device;

typedef struct reading {
    import_state *in;
    row_timings timings;
    nesting *nesting;
    device devices[MOST_DEVICES];
    bool *wanted; /* of threads */
    uint32_t n_devices, n_wanted;
    uint64_t n_spans, n_others;
} reading;

static roof_status take(void *reading_, const nested_event *e, roof_error *err)
{
    reading *r = reading_;
    return timings_add(&r->timings, e->row, event_seconds(e->self_ps), err);
}

static roof_status begin(reading *r, roof_error *err)
{
    return ALLOCATED(r->nesting = nesting_new(r->in, take, r), err);
}

static roof_status read(reading *r, const trace_event *e, roof_error *err)
{
    uint32_t thread, row;
    if (span_is(e->phase, "M")) {
        text_span name;
        TRY(event_text(e, event_arg(e, "name"), &name, err));
        if (span_is(e->name, "process_name")) {
            if (!span_has(name, "/device:") || span_has(name, "/device:CPU") ||
                NAMED_SPAN(r->devices, r->n_devices, pid, e->pid))
                return ROOF_OK;
            TRY(HAS_ROOM(r->n_devices, MOST_DEVICES, err, "devices"));
            const char *pid = arena_strndup(r->in->scratch, e->pid.text, e->pid.length);
            r->devices[r->n_devices++] = (device){pid, span_has(name, "/device:TPU")};
            if (r->n_devices == 1)
                import_note(r->in, "the first device is %s", SHOWN(name));
            return ALLOCATED(pid, err);
        }
        if (!span_is(e->name, "thread_name"))
            return ROOF_OK;
        const device *of = NAMED_SPAN(r->devices, r->n_devices, pid, e->pid);
        if (!of || !(of->is_tpu ? span_is(name, "XLA Ops") : span_begins(name, "Stream #")))
            return ROOF_OK;
        TRY(event_thread(e, &thread, err));
        while (r->n_wanted <= thread)
            TRY(ARENA_ADD(r->in->scratch, r->wanted, r->n_wanted, err, false));
        r->wanted[thread] = true;
        return ROOF_OK;
    }
    if (!event_is_span(e))
        return ROOF_OK;
    r->n_spans++;
    TRY(event_thread(e, &thread, err));
    if (thread >= r->n_wanted || !r->wanted[thread]) {
        r->n_others++;
        return ROOF_OK;
    }
    int64_t start_ps, dur_ps;
    TRY(event_times(e, &start_ps, &dur_ps, err));
    TRY(import_saw_named(r->in, (span_of_time){start_ps, start_ps + dur_ps}, 1e-12, e->name, err));
    TRY(timings_row_of_event(r->in, &r->timings, e, 0, &row, err));
    return nesting_add(r->nesting, e, (nested_event){.row = row}, err);
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run *run = NULL;
    TRY(nesting_finish(r->nesting, NULL, err));
    if (!r->timings.n_rows)
        return error_data(
            err, "no event of a device, want a process named /device:GPU or /device:TPU before its events, "
                 "with threads named Stream # or XLA Ops; what the host did is no profile of layers");
    r->in->device = r->devices[0].is_tpu ? "TPU" : "GPU";
    TRY(timings_add_run(r->in, &r->timings, &run, err));
    import_sum_iterations(r->in, run, 0);
    import_note(r->in,
                "rows are what devices ran by name, and it is unknown how often one inference runs each");
    import_note_count(r->in, r->n_others,
                      "events of the host, and of lines that have the same time again, are left out");
    if (r->n_spans >= FILE_EVENTS)
        import_note(r->in,
                    "the profiler writes a million events at most, so the end of the profile is missing");
    return ROOF_OK;
}

const importer_def importer_tensorflow = {
    .id = "tensorflow",
    .tool = "TensorFlow",
    .names_kernels = true,
    .next = "profile the largest kernel with the tool of the GPU",
    .marks = {SURE("\"process_name\"", "\"/device:", "\"highres-ticks\""),
              LIKELY("\"process_name\"", "\"/device:", "\"thread_name\""),
              LIKELY("\"process_name\"", "\"/host:CPU", "\"thread_name\"")},
    ROWS_ONLY,
    .unverified = true,
    .reading_bytes = sizeof(reading),
    .begin = begin,
    .trace = {.event = read},
    .finish = finish};
