/* The raw trace that VART itself writes, vaitrace_PID: one event a line, "key:value;" pairs.
 *
 *   #SECTION:INFO;
 *   classname:dpu-controller;cu_core_id:0;cu_fingerprint:72057735604159495;cu_full_name:DPUCZDX8G:...;...
 *   #SECTION:TRACE;
 *   batch:1;classname:dpu-runner;cpu_id:1;depth:2;pid:6958;subgraph:subgraph_conv;ts:0.000000070;...
 *   classname:dpu-controller;cpu_id:1;device_core_idx:0;event_state:1;pid:6958;ts:0.000007461;
 *   classname:dpu-controller;cpu_id:1;device_core_idx:0;event_state:0;pid:6958;ts:0.000307478;...
 *
 * A dpu-runner line says what a thread (pid) is about to launch; event_state 1 and 0 are start and end on a
 * core. Depth 1 is a whole DPU subgraph, 2 a layer of it: the first layer has the name of its subgraph, so
 * that depth is part of what a row is. A value may hold ':', a name also ';'. hwconuter (sic, from VART 3.0
 * on) counts cycles of the AXI-Lite clock: DPU cycles are hwconuter * f_dpu / f_axilite. workload is of one
 * image.
 *
 * Events come out of a ring buffer, so that the oldest may be missing. When a thread announces two different
 * launches before one starts, it is unknown which it is: such launches are counted and left out, as are
 * those without a start, an end or an announcement.
 */
#include "measure/import/timings.h"

enum { MAX_LANES = 2048, MAX_PAIRS = 32 };

/* A thread, and what it runs on a core; of ANY_CORE, what it has announced and not yet launched. */
#define ANY_CORE UINT64_MAX
typedef struct lane {
    uint64_t pid, core;
    bool busy;
    unsigned depth; /* 0: it is unknown what runs */
    uint32_t row, n_pending;
    bool mixed; /* what is pending is not always the same */
    double start_s;
} lane;

/* Launches and events that are left out. */
enum { UNANNOUNCED, MIXED, UNSTARTED, UNENDED, LOSSES };
static const char *const losses[LOSSES] = {
    "starts of which it is unknown what they run (older events may have left the ring buffer)",
    "launches that a thread announced while others were pending, so that it is unknown which is which",
    "ends without a start", "starts without an end"};

typedef struct reading {
    import_state *in;
    trace_reader depths[3]; /* of depth 1 and 2 */
    lane lanes[MAX_LANES];
    size_t n_lanes;
    uint64_t lost[LOSSES];
    uint64_t largest_batch, cores[64]; /* cores that ran something */
    size_t n_cores;
    bool counted_cycles;
} reading;

/* The keys that say something. */
typedef enum key { CLASS, SUBGRAPH, DEPTH, PID, BATCH, WORKLOAD, TIME, CORE, STATE, CYCLES, KEYS } key;
static const char *const keys[KEYS] = {"classname",   "subgraph", "depth", "pid",
                                       "batch",       "workload", "ts",    "device_core_idx",
                                       "event_state", "hwconuter"};

typedef struct pairs {
    text_span values[KEYS]; /* text NULL: not there */
} pairs;

/* A piece without ':' belongs to the value before it, which held a ';'. The value of a key that says nothing,
 * or is there again, is dropped. */
static roof_status split(const import_line *line, pairs *out, roof_error *err)
{
    text_span rest = {line->text, line->length}, dropped, *value = NULL;
    int n_pairs = 0;
    *out = (pairs){0};
    if (line->text[line->length - 1] != ';')
        return error_data(err, "the line does not end with ';': was the file cut here?");
    while (rest.length) {
        text_span piece = span_until(&rest, ";"), name = span_until(&piece, ":");
        span_skip(&rest, ";");
        if (span_skip(&piece, ":")) {
            TRY(HAS_ROOM(n_pairs++, MAX_PAIRS, err, "pairs"));
            value = &dropped;
            for (int k = 0; k < KEYS; k++)
                if (span_is(name, keys[k]) && !out->values[k].text)
                    value = &out->values[k];
            *value = piece;
        } else if (value) {
            *value = span_to(*value, name);
        } else {
            return error_data(err, "'%.60s', want \"key:value;\" pairs", line->text);
        }
    }
    return ROOF_OK;
}

static roof_status want(const pairs *p, key k, roof_error *err)
{
    return p->values[k].text ? ROOF_OK
                             : error_data(err, "no '%s' in this event: is the line whole?", keys[k]);
}

static roof_status want_id(const pairs *p, key k, uint64_t *out, roof_error *err)
{
    TRY(want(p, k, err));
    return span_id(p->values[k], keys[k], out, err);
}

static roof_status lane_of(reading *r, uint64_t pid, uint64_t core, lane **out, roof_error *err)
{
    size_t i = 0;
    while (i < r->n_lanes && (r->lanes[i].pid != pid || r->lanes[i].core != core))
        i++;
    TRY(HAS_ROOM(i, MAX_LANES, err, "threads and pairs of a thread and a core"));
    if (i == r->n_lanes)
        r->lanes[r->n_lanes++] = (lane){.pid = pid, .core = core};
    *out = &r->lanes[i];
    return ROOF_OK;
}

static roof_status announce(reading *r, const pairs *p, roof_error *err)
{
    uint64_t depth, pid, batch = 1, workload = ROOF_UNKNOWN;
    uint32_t row;
    lane *t = NULL;
    TRY(want(p, SUBGRAPH, err));
    TRY(import_check_name(p->values[SUBGRAPH], err));
    TRY(want_id(p, DEPTH, &depth, err));
    TRY(want_id(p, PID, &pid, err));
    if (p->values[BATCH].text)
        TRY(want_id(p, BATCH, &batch, err));
    r->largest_batch = batch > r->largest_batch ? batch : r->largest_batch;
    if (p->values[WORKLOAD].text) {
        TRY(want_id(p, WORKLOAD, &workload, err));
        if (!workload || !batch || __builtin_mul_overflow(workload, batch, &workload) ||
            workload > (uint64_t)1 << 53)
            workload = ROOF_UNKNOWN;
    }
    if (depth != 1 && depth != 2)
        return error_data(err, "depth is %llu, want 1 (a DPU subgraph) or 2 (a layer of it)",
                          (unsigned long long)depth);
    TRY(trace_row(r->in, &r->depths[depth], p->values[SUBGRAPH], workload, &row, err));
    TRY(lane_of(r, pid, ANY_CORE, &t, err));
    t->mixed = t->n_pending && (t->mixed || t->row != row || t->depth != depth);
    t->row = row;
    t->depth = (unsigned)depth;
    t->n_pending++;
    return ROOF_OK;
}

static roof_status end(reading *r, const pairs *p, lane *l, double end_s, roof_error *err)
{
    uint64_t counted = 0;
    if (!l->busy) {
        r->lost[UNSTARTED]++;
        return ROOF_OK;
    }
    l->busy = false;
    if (end_s < l->start_s)
        return error_data(err, "ends at %.9g s, before its start at %.9g s", end_s, l->start_s);
    if (!l->depth)
        return ROOF_OK; /* it was counted when it started */
    if (p->values[CYCLES].text)
        TRY(want_id(p, CYCLES, &counted, err));
    r->counted_cycles = r->counted_cycles || counted;
    size_t c = 0;
    while (c < r->n_cores && r->cores[c] != l->core)
        c++;
    if (c == r->n_cores && c < N_OF(r->cores))
        r->cores[r->n_cores++] = l->core;
    const kernel_launch launch = {l->row, l->pid, end_s - l->start_s, counted ? (double)counted : NAN};
    return trace_add(&r->depths[l->depth], &launch, err);
}

static roof_status start_or_end(reading *r, const pairs *p, roof_error *err)
{
    uint64_t state, pid, core;
    double at_s;
    lane *t = NULL, *l = NULL;
    TRY(want_id(p, STATE, &state, err));
    TRY(want_id(p, PID, &pid, err));
    TRY(want_id(p, CORE, &core, err));
    if (core == ANY_CORE)
        return error_data(err, "device_core_idx is no number that a core can have");
    TRY(want(p, TIME, err));
    TRY(span_number(p->values[TIME], keys[TIME], &at_s, err));
    if (state > 1)
        return error_data(err, "event_state is %llu, want 1 (start) or 0 (end)", (unsigned long long)state);
    TRY(lane_of(r, pid, ANY_CORE, &t, err));
    TRY(lane_of(r, pid, core, &l, err));
    if (!state)
        return end(r, p, l, at_s, err);
    r->lost[UNENDED] += l->busy;
    *l = (lane){.pid = pid, .core = core, .busy = true, .start_s = at_s};
    if (!t->n_pending) {
        r->lost[UNANNOUNCED]++;
    } else if (t->mixed) { /* which of them it is, nobody knows; nor of those that wait behind it */
        r->lost[MIXED] += t->n_pending;
        t->n_pending = 0;
    } else {
        l->depth = t->depth;
        l->row = t->row;
        t->n_pending--;
    }
    return ROOF_OK;
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    pairs p;
    if (!line->length || line->text[0] == '#')
        return ROOF_OK;
    TRY(split(line, &p, err));
    if (!p.values[CLASS].text)
        return error_data(err, "an event without classname: is the line whole?");
    if (span_is(p.values[CLASS], "dpu-runner"))
        return announce(r, &p, err);
    if (span_is(p.values[CLASS], "dpu-controller") && p.values[STATE].text)
        return start_or_end(r, &p, err);
    return ROOF_OK; /* what the INFO section tells of cores, and functions of the CPU */
}

static roof_status finish(reading *r, roof_error *err)
{
    static const roof_run_mode modes[] = {[1] = ROOF_RUN_BYPASS, [2] = ROOF_RUN_PER_LAYER};
    bool whole = true, any = false;
    for (size_t i = 0; i < r->n_lanes; i++)
        r->lost[UNENDED] += r->lanes[i].busy;
    for (int i = 0; i < LOSSES; i++)
        if (r->lost[i]) {
            import_note(r->in, "left out: %s: %llu", losses[i], (unsigned long long)r->lost[i]);
            whole = false;
        }
    if (r->n_cores > 1)
        import_note(r->in, "rows are of all %zu cores together", r->n_cores);
    if (r->largest_batch > 1)
        import_note(r->in, "a launch works on up to %llu images, and workloads are of all of them",
                    (unsigned long long)r->largest_batch);
    if (r->counted_cycles)
        import_note(r->in, "cycles of the domain axilite are means of the hardware counter: DPU cycles are "
                           "these times the DPU's clock over the AXI-Lite clock");
    if (r->in->options->mode)
        import_note(r->in, "--mode %.20s was not needed: the trace tells the mode", r->in->options->mode);
    for (unsigned depth = 1; depth <= 2; depth++) {
        if (!trace_rows(&r->depths[depth]))
            continue;
        TRY(trace_finish(&r->depths[depth], modes[depth], whole, err));
        any = true;
    }
    return any ? ROOF_OK
               : error_data(err, "no launch with its name, its start and its end: was VART stopped before it "
                                 "could write its trace?");
}

const importer_def importer_vart_raw = {.id = "vart_raw",
                                        .program = "vaitrace",
                                        .marks = {SURE("#SECTION:INFO;"), SURE("#SECTION:TRACE;"),
                                                  LIKELY("classname:dpu-controller;"),
                                                  LIKELY("classname:dpu-runner;")},
                                        .device = "DPU",
                                        .reading_bytes = sizeof(reading),
                                        .line = read_line,
                                        .finish = finish};
