/* The trace of PyTorch's profiler, torch.profiler (Kineto): Chrome's format, often compressed.
 *
 *   {"schemaVersion":1,"deviceProperties":[{"id":0,"name":"..."}],"traceEvents":[
 *   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1695835535000000.1,"dur":20,...
 *   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":...,"dur":4.928,"args":{"correlation":5,...
 *
 * Rows are what a device ran, by name: kernels; else events of a Meta accelerator; else ranges in which CUPTI
 * counted; else, without a device, operators of the CPU without those inside of them. Iterations are the
 * steps that a schedule marks, ProfilerStep#N of cat user_annotation: of gpu_user_annotation they are there a
 * second time. A kernel belongs to the step in which it was launched, since devices run behind the CPU. A
 * step without a launch, or of a CPU without an operator, is where a schedule ended, and is none.
 *
 * Copies ("Memcpy HtoD (Pageable -> Device)") and fills ("Memset (Device)") are no rows but phases, beside
 * the kernels; what is left of a step is the CPU's. Without steps both are of the whole trace.
 *
 * With profile_memory=True instants called [memory] have what is allocated after each call of an allocator;
 * the largest of the rows' device is what the model needs:
 *
 *   {"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":1,"tid":1,"ts":...,"args":{
 *   "Device Type":1,"Device Id":0,"Bytes":512,"Total Allocated":1024,"Total Reserved":2097152}}
 *
 * "Bytes" are negative where memory is freed. What an operator allocates and does not free is its row's,
 * where operators are rows. Else it is that of the first kernel which the outermost operator around launches:
 * an operator and what it launches have one "External id".
 *
 * Streams work at the same time. Where kernels overlap, the time of a step is its span, and its phases are
 * the time in which any kernel computes, that in which the device only communicates, and the rest.
 * Communication is what NCCL and RCCL run, and copies: how much of it is hidden under kernels is told.
 */
#include "measure/import/timings.h"

typedef enum event_kind { KERNEL, ACCELERATOR, RANGE, OPERATOR, COPY, N_KINDS } event_kind;

/* The first kind that there is any event of becomes rows. */
static const struct {
    const char *cats[4], *device, *note;
} kinds[N_KINDS] = {
    [KERNEL] = {{"kernel", "Kernel"}, "GPU", "rows are kernels by name"},
    [ACCELERATOR] = {{"mtia_ccp_events"}, "MTIA", "rows are events of the accelerator by name"},
    [RANGE] = {{"cuda_profiler_range"},
               "GPU",
               "rows are ranges of CUPTI's profiler, which runs kernels again for every group of counters: "
               "they take longer than the kernels alone"},
    [OPERATOR] = {{"cpu_op", "Operator"},
                  "CPU",
                  "no event of a device: rows are operators of the CPU, each without those inside of it"},
    [COPY] = {{"gpu_memcpy", "gpu_memset", "Memcpy", "Memset"}, NULL, NULL},
};

/* The word in a copy's name tells its way; anything else is within the device. */
typedef enum copy_kind { TO_DEVICE, FROM_DEVICE, ON_DEVICE, COPY_KINDS } copy_kind;

static const struct {
    const char *word, *phase;
    roof_phase_kind kind;
} copies[COPY_KINDS] = {[TO_DEVICE] = {"HtoD", "copies_to_device", ROOF_PHASE_TRANSFER},
                        [FROM_DEVICE] = {"DtoH", "copies_from_device", ROOF_PHASE_TRANSFER},
                        [ON_DEVICE] = {NULL, "copies_on_device", ROOF_PHASE_ACCELERATOR}};

/* An operator by its External id, with the place of the outermost around it; or by its place, with what stays
 * allocated of the device behind it. */
typedef struct owner {
    uint64_t id, outer;
    double bytes;
} owner;

typedef struct launched {
    uint64_t id;
    uint32_t row;
} launched;

/* More are of no row. */
enum { MOST_OWNERS = 1 << 20 };

typedef struct allocations {
    bool are_any;
    double *of_rows;           /* of the CPU, by operators without those inside */
    owner *owners, *outermost; /* outermost: by their own places, those that keep any bytes */
    launched *launches;
    uint32_t n_rows, n_owners, n_outermost, n_launches;
} allocations;

/* Events of the CPU of one kind, launches or operators, and the steps that they are in. */
typedef struct host_events {
    import_state *in;
    nesting *nesting;
    row_timings *timings; /* of operators; NULL: of what is no row */
    allocations *kept;    /* by operators; NULL: of what is none */
    bool *any;            /* in a step, by its number from 1; 0: outside of all */
    uint32_t n_any;
    uint64_t n_given; /* events that the nesting has not given back: late ones stay there */
} host_events;

typedef struct reading {
    import_state *in;
    row_timings timings[N_KINDS];
    host_events operators, launches;
    uint64_t n_copies, n_steps;
    uint64_t most_bytes[2]; /* allocated at once: of the host, of a device; 0: not told */
    double copies_s[COPY_KINDS], all_copies_s, kernels_s, steps_s;
    allocations kept;
} reading;

static roof_status keep_allocated(host_events *h, const nested_event *e, roof_error *err)
{
    allocations *a = h->kept;
    while (a->n_rows <= e->row)
        TRY(ARENA_ADD(h->in->scratch, a->of_rows, a->n_rows, err, 0));
    a->of_rows[e->row] += e->own[0];
    if (a->n_owners == MOST_OWNERS)
        return ROOF_OK;
    TRY(ARENA_ADD(h->in->scratch, a->owners, a->n_owners, err, (owner){e->id, e->outer, 0}));
    if (e->outer != e->place || !(e->all[1] > 0))
        return ROOF_OK;
    return ARENA_ADD(h->in->scratch, a->outermost, a->n_outermost, err,
                     (owner){e->place, e->place, e->all[1]});
}

static roof_status take(void *host_, const nested_event *e, roof_error *err)
{
    host_events *h = host_;
    h->n_given--;
    if (e->begins_group)
        return ROOF_OK;
    while (h->n_any <= e->group)
        TRY(ARENA_ADD(h->in->scratch, h->any, h->n_any, err, false));
    h->any[e->group] = true;
    if (h->kept)
        TRY(keep_allocated(h, e, err));
    return h->timings ? timings_add(h->timings, e->row, event_seconds(e->self_ps), err) : ROOF_OK;
}

static roof_status begin(reading *r, roof_error *err)
{
    r->operators = (host_events){.in = r->in, .timings = &r->timings[OPERATOR], .kept = &r->kept};
    r->launches = (host_events){.in = r->in};
    r->operators.nesting = nesting_new(r->in, take, &r->operators);
    r->launches.nesting = nesting_new(r->in, take, &r->launches);
    return ALLOCATED(r->operators.nesting && r->launches.nesting, err);
}

static roof_status give(host_events *h, const trace_event *e, nested_event as, roof_error *err)
{
    h->n_given++;
    return nesting_add(h->nesting, e, as, err);
}

static uint64_t external_id(const trace_event *e)
{
    uint64_t id;
    return span_count(event_arg(e, "External id"), "", &id, NULL) == ROOF_OK ? id : ROOF_UNKNOWN;
}

/* A call of an allocator: what is allocated then, and what it changed of the memory that rows have. An
 * allocator that does not say so is no reason to refuse a trace. */
static roof_status read_memory(reading *r, const trace_event *e, roof_error *err)
{
    const int which = !span_is(event_arg(e, "Device Type"), "0");
    const text_span change = event_arg(e, "Bytes");
    uint64_t bytes, *most = &r->most_bytes[which];
    nested_event mark = {.is_mark = true};
    trace_event now = *e;
    if (span_count(event_arg(e, "Total Allocated"), "", &bytes, NULL) == ROOF_OK)
        *most = bytes > *most ? bytes : *most;
    if (!change.length || number_parse(change.text, change.length, &mark.own[which]) != change.length)
        return ROOF_OK;
    now.lasts_ps = 0;
    r->kept.are_any = true;
    return nesting_add(r->operators.nesting, &now, mark, err);
}

/* The CPU's events are marks of steps, and calls that launch. */
static roof_status read_host(reading *r, const trace_event *e, roof_error *err)
{
    bool is_runtime = span_is(e->cat, "cuda_runtime") || span_is(e->cat, "cuda_driver");
    if (is_runtime && span_has(e->name, "aunch"))
        return give(&r->launches, e, (nested_event){.row = ROOF_NONE}, err);
    if (!span_is(e->cat, "user_annotation") || !span_begins(e->name, "ProfilerStep#"))
        return ROOF_OK;
    int64_t start_ps, dur_ps;
    TRY(event_times(e, &start_ps, &dur_ps, err));
    r->steps_s += event_seconds(dur_ps);
    r->n_steps++;
    TRY(give(&r->launches, e, (nested_event){.row = ROOF_NONE, .begins_group = true}, err));
    return give(&r->operators, e, (nested_event){.row = ROOF_NONE, .begins_group = true}, err);
}

static roof_status read(reading *r, const trace_event *e, roof_error *err)
{
    if (span_is(e->phase, "i") && span_is(e->name, "[memory]"))
        return read_memory(r, e, err);
    if (!event_is_span(e))
        return ROOF_OK;
    event_kind kind = N_KINDS;
    for (event_kind k = KERNEL; k < N_KINDS; k++)
        for (size_t i = 0; i < N_OF(kinds->cats) && kinds[k].cats[i]; i++)
            kind = span_is(e->cat, kinds[k].cats[i]) ? k : kind;
    if (kind == N_KINDS)
        return read_host(r, e, err);
    uint32_t row;
    if (kind != OPERATOR) {
        allocations *a = &r->kept;
        int64_t start_ps, dur_ps;
        TRY(event_times(e, &start_ps, &dur_ps, err));
        TRY(import_saw_named(r->in, (span_of_time){start_ps, start_ps + dur_ps}, 1e-12,
                             kind == COPY ? (text_span){NULL, 0} : e->name, err));
        if (kind == COPY) {
            int which = TO_DEVICE;
            while (which < ON_DEVICE && !span_has(e->name, copies[which].word))
                which++;
            r->n_copies++;
            r->copies_s[which] += event_seconds(dur_ps);
            return ROOF_OK;
        }
        r->kernels_s += event_seconds(dur_ps);
        if (kind == KERNEL && !r->timings[KERNEL].n_rows)
            timings_drop_samples(&r->timings[OPERATOR]);
        TRY(timings_row_of_event(r->in, &r->timings[kind], e, 0, &row, err));
        if (kind == KERNEL && a->n_launches < MOST_OWNERS)
            TRY(ARENA_ADD(r->in->scratch, a->launches, a->n_launches, err, (launched){external_id(e), row}));
        return timings_add(&r->timings[kind], row, event_seconds(dur_ps), err);
    }
    if (r->timings[KERNEL].n_rows && !r->kept.are_any) /* there is a device */
        return ROOF_OK;
    TRY(timings_row_of_event(r->in, &r->timings[OPERATOR], e, 0, &row, err));
    return give(&r->operators, e, (nested_event){.row = row, .id = external_id(e)}, err);
}

/* deviceProperties: which device it was. */
static roof_status read_member(reading *r, text_span name, text_span value, roof_error *err)
{
    (void)err;
    if (!span_is(name, "deviceProperties") || !span_skip_past(&value, "{"))
        return ROOF_OK;
    text_span device = event_member((text_span){value.text - 1, value.length + 1}, "name");
    if (device.length)
        import_note(r->in, "the first device is %s", SHOWN(device));
    return ROOF_OK;
}

static uint64_t id_of(const void *of)
{
    return ((const owner *)of)->id;
}

static owner *find_owner(owner *list, uint32_t n, uint64_t id)
{
    const uint32_t at = lower_bound_search(list, n, sizeof *list, id, id_of);
    return id != ROOF_UNKNOWN && at < n && list[at].id == id ? &list[at] : NULL;
}

/* Gives what outermost operators keep to the rows of the first kernels that they launch. */
static roof_status find_kept(reading *r, double *of_rows, roof_error *err)
{
    allocations *a = &r->kept;
    double left_bytes = 0;
    TRY(nesting_finish(r->operators.nesting, NULL, err));
    order_sort(a->owners, a->n_owners, sizeof *a->owners, ORDER_BY(RISING(owner, id)));
    order_sort(a->outermost, a->n_outermost, sizeof *a->outermost, ORDER_BY(RISING(owner, id)));
    for (uint32_t i = 0; i < a->n_launches; i++) {
        const owner *own = find_owner(a->owners, a->n_owners, a->launches[i].id);
        owner *of = own ? find_owner(a->outermost, a->n_outermost, own->outer) : NULL;
        if (!of)
            continue;
        of_rows[a->launches[i].row] += of->bytes;
        of->bytes = 0;
    }
    for (uint32_t i = 0; i < a->n_outermost; i++)
        left_bytes += a->outermost[i].bytes;
    import_note(r->in, "a row's allocated bytes are what the operators around its kernels keep, by the first "
                       "kernel of each");
    if (left_bytes > 0)
        import_note(r->in, "%s MB are kept by operators that launch no kernel, and are in no row",
                    NUMBER(left_bytes / 1e6));
    return ROOF_OK;
}

/* Memory that a call of a row allocates and does not free. */
static roof_status set_allocated(reading *r, event_kind kind, roof_run *run, roof_error *err)
{
    allocations *a = &r->kept;
    const row_timings *t = &r->timings[kind];
    double *of_rows = a->of_rows;
    uint32_t n = a->n_rows;
    if (!a->are_any || (kind != OPERATOR && kind != KERNEL))
        return ROOF_OK;
    if (kind == KERNEL) {
        n = t->n_rows;
        TRY(ARENA_GET(r->in->scratch, of_rows, n, err));
        TRY(find_kept(r, of_rows, err));
    }
    for (uint32_t i = 0, at = 0; i < t->n_rows; i++) {
        roof_measured_layer *layer = &run->layers[at];
        const double bytes = i < n && t->rows[i].count ? of_rows[i] / (double)t->rows[i].count : 0;
        at += t->rows[i].count > 0;
        if (bytes >= 1)
            TRY(counted_set(counted_of_layer(r->in->out, layer), ROOF_COUNTER_PROGRAM, ROOF_COUNTER_BYTES,
                            NULL, bytes, err));
    }
    return ROOF_OK;
}

/* How many iterations the rows are of; 0 where that is unknown. */
static uint64_t count_iterations(const host_events *h, uint32_t n_steps)
{
    const char *what = h->timings ? "operators" : "launches";
    bool outside = h->n_given || (h->n_any && h->any[0]);
    uint64_t n = h->n_any ? 0 : n_steps;
    for (uint32_t i = 1; i < h->n_any; i++)
        n += h->any[i];
    if (!n_steps)
        import_note(
            h->in, "no step of a schedule is marked, so it is unknown how often one inference runs each row");
    else if (outside)
        import_note(h->in,
                    "some %s are outside of all steps or not in order, so it is unknown what one step takes",
                    what);
    else if (n < n_steps)
        import_note(h->in, "%u steps are marked, and in %llu of them there are %s", n_steps,
                    (unsigned long long)n, what);
    return outside ? 0 : n;
}

/* What a step takes, and its phases: where kernels overlap, its span, the time in which any of them computes,
 * that in which the device only communicates, and the rest; else kernels, copies and, where steps are known,
 * the CPU. Where nobody knows what an inference is, these are of all that was recorded; where they are more
 * than their step, it is not stated. */
static roof_status add_phases(reading *r, roof_run *run, uint64_t iterations, roof_error *err)
{
    static const double least_ratio = 1.005; /* less is rounding of stamps */
    const double n = iterations ? (double)iterations : 1;
    import_state *in = r->in;
    const double work_s = spans_busy(&in->work), all_s = spans_busy(&in->all),
                 device_s = spans_busy(&in->spans),
                 rows_s = r->kernels_s + r->copies_s[TO_DEVICE] + r->copies_s[FROM_DEVICE] +
                          r->copies_s[ON_DEVICE];
    const bool is_overlapped = rows_s > least_ratio * all_s,
               is_of_steps = iterations && iterations == r->n_steps;
    double steps_s = is_of_steps && (is_overlapped || r->steps_s >= rows_s) ? r->steps_s : NAN;
    import_tell_hidden(in, iterations, is_overlapped);
    if (is_overlapped ? !is_of_steps : !r->n_copies)
        return ROOF_OK;
    if (is_overlapped) {
        /* Devices run behind the CPU: a step may end after its mark. */
        steps_s = fmax(steps_s, event_seconds(in->all.whole.to - in->all.whole.from));
        import_note(
            in, "rows overlap: a step takes %s ms from its beginning to its end, and its rows %s ms in sum",
            NUMBER(steps_s / n * 1e3), NUMBER(r->kernels_s / n * 1e3));
    }
    if (!isnan(steps_s)) {
        run->total.mean_s = steps_s / n;
        run->total.count = iterations;
    }
    enum { MOST = COPY_KINDS + 2 };
    const roof_phase overlapped[MOST] = {
        {"kernels", work_s / n, NULL, ROOF_PHASE_ACCELERATOR},
        {"communication_alone", (device_s - work_s) / n, NULL, ROOF_PHASE_ACCELERATOR},
        {"copies_alone", (all_s - device_s) / n, NULL, ROOF_PHASE_TRANSFER},
        {"host", (steps_s - all_s) / n, NULL, ROOF_PHASE_HOST}};
    roof_phase apart[MOST] = {{"kernels", r->kernels_s / n, NULL, ROOF_PHASE_ACCELERATOR}};
    for (int i = 0; i < COPY_KINDS; i++)
        apart[1 + i] = (roof_phase){copies[i].phase, r->copies_s[i] / n, NULL, copies[i].kind};
    apart[MOST - 1] = (roof_phase){"host", (steps_s - rows_s) / n, NULL, ROOF_PHASE_HOST};
    const roof_phase *phases = is_overlapped ? overlapped : apart;
    for (int i = 0; i < MOST; i++)
        if (phases[i].seconds > 0)
            TRY(run_add_phase(in->out, run, phases[i], err));
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    int kind = KERNEL;
    uint32_t n_steps = 0;
    roof_run *run = NULL;
    while (kind < COPY && !r->timings[kind].n_rows)
        kind++;
    if (kind == COPY)
        return error_data(
            err, "no event that PyTorch's profiler times, want some with cat \"kernel\" or \"cpu_op\"");
    host_events *host = kind == OPERATOR ? &r->operators : &r->launches;
    TRY(nesting_finish(host->nesting, &n_steps, err));
    for (int other = 0; other < N_KINDS; other++)
        if (other != kind)
            timings_drop_samples(&r->timings[other]);
    r->in->device = kinds[kind].device;
    TRY(timings_add_run(r->in, &r->timings[kind], &run, err));
    import_note(r->in, "%s", kinds[kind].note);
    TRY(set_allocated(r, (event_kind)kind, run, err));
    if (r->most_bytes[kind != OPERATOR])
        run->memory_bytes = r->most_bytes[kind != OPERATOR];
    const span_of_time whole = r->in->spans.whole;
    const double span_s = event_seconds(whole.to) - event_seconds(whole.from);
    if (kind < OPERATOR)
        import_note(r->in, "they take %s ms in sum, and %s ms from the first to the last%s",
                    NUMBER(r->kernels_s * 1e3), NUMBER(span_s * 1e3),
                    r->kernels_s > span_s ? ": some ran at the same time" : "");
    for (int i = 0; i < COPY_KINDS; i++)
        r->all_copies_s += r->copies_s[i];
    if (r->n_copies)
        import_note(r->in,
                    "%llu copies and fills of the device's memory take %s ms: they are phases, and in no row",
                    (unsigned long long)r->n_copies, NUMBER(r->all_copies_s * 1e3));
    uint64_t iterations = count_iterations(host, n_steps);
    import_sum_iterations(r->in, run, iterations);
    return kind == KERNEL ? add_phases(r, run, iterations, err) : ROOF_OK;
}

const importer_def importer_kineto = {
    .id = "kineto",
    .fuse = "torch.compile(model)",
    .names_kernels = true,
    .tool = "PyTorch",
    .next = "join short launches by torch.compile; torch.profiler.schedule marks steps, which say what "
            "one inference is",
    .marks = {SURE("\"schemaVersion\"", "\"deviceProperties\""),
              SURE("\"schemaVersion\"", "\"distributedInfo\""), SURE("\"schemaVersion\"", "\"traceName\""),
              LIKELY("\"ph\"", "\"cat\"", "\"cpu_op\""), LIKELY("\"ph\"", "\"cat\"", "\"user_annotation\""),
              LIKELY("\"ph\"", "\"cat\"", "\"cuda_runtime\""), LIKELY("\"ph\"", "\"cat\"", "\"kernel\"")},
    ROWS_ONLY,
    .reading_bytes = sizeof(reading),
    .begin = begin,
    .trace = {.event = read, .member = read_member},
    .finish = finish};
