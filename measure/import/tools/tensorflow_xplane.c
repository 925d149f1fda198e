/* HOST.xplane.pb of TensorFlow's and JAX's profiler: an XSpace of protobuf. Messages and their fields:
 *
 *   XSpace          planes = 1
 *   XPlane          name = 2, lines = 3, event_metadata = 4: a map of id and XEventMetadata
 *   XLine           name = 2, timestamp_ns = 3, events = 4
 *   XEvent          metadata_id = 1, offset_ps = 2 (from the line's timestamp), duration_ps = 3
 *   XEventMetadata  id = 1, name = 2, display_name = 4
 *
 * A plane is a device, /device:GPU:0 or /device:TPU:0, or the host. Rows are the first device's, by name: of
 * a GPU what its lines "Stream #..." ran, of a TPU the line "XLA Ops", where one operation may lie in
 * another.
 * The line "Steps" says how many inferences they are of; without it "XLA Modules" does, if they are of one.
 * Source: openxla/xla, xla/tsl/profiler/protobuf/xplane.proto.
 */
#include "core/protobuf.h"
#include "measure/import/timings.h"

enum { DEEPEST = 512 };

typedef struct named_event {
    uint64_t id;
    text_span name;
} named_event;

typedef struct timed_event {
    uint64_t at_ps, dur_ps, id;
} timed_event;

/* An event that holds later ones. */
typedef struct open_event {
    uint64_t end_ps, inside_ps, dur_ps;
    uint32_t row;
} open_event;

typedef struct plane {
    pb_cursor message;
    text_span name;
    named_event *names; /* by id */
    uint32_t n_names;
    bool is_tpu;
} plane;

typedef struct reading {
    import_state *in;
    row_timings timings;
    open_event open[DEEPEST];
    uint64_t first_ns; /* of the first line that was read */
    uint64_t n_lines, n_steps, n_modules;
    uint32_t n_devices;
    bool are_modules_alike;
} reading;

/* --- the bytes ------------------------------------------------------------------------------------------ */

static const unsigned char *behind_varint(const unsigned char *p)
{
    while (*p & 0x80)
        p++;
    return *p ? p + 1 : p;
}

/* The first plane, its id and its name. Zeros follow the text that is sniffed. */
static unsigned sniff(const char *text)
{
    enum { PLANE_TAG = 0x0a, ID_TAG = 0x08, NAME_TAG = 0x12 };
    static const char *const planes[] = {"/host:", "/device:", "Task Environment"};
    const unsigned char *p = (const unsigned char *)text;
    if (*p != PLANE_TAG)
        return 0;
    p = behind_varint(p + 1);
    if (*p == ID_TAG)
        p = behind_varint(p + 1);
    if (*p != NAME_TAG || !p[1])
        return 0;
    for (size_t i = 0; i < N_OF(planes); i++)
        if (strncmp((const char *)p + 2, planes[i], strlen(planes[i])) == 0)
            return SNIFF_SURE;
    return 0;
}

/* --- names ---------------------------------------------------------------------------------------------- */

static uint64_t id_of(const void *of)
{
    return ((const named_event *)of)->id;
}

static roof_status read_name(reading *r, plane *p, pb_cursor entry, roof_error *err)
{
    named_event new = {0};
    pb_field f, g;
    roof_status status;
    while (pb_each(&entry, &f, &status, err)) {
        if (f.number == 1 && f.wire == PB_VARINT)
            new.id = f.value;
        if (f.number != 2 || f.wire != PB_BYTES)
            continue;
        pb_cursor metadata = pb_enter(&entry, &f);
        while (pb_each(&metadata, &g, &status, err))
            if ((g.number == 2 && !new.name.length) || (g.number == 4 && g.data && g.value))
                new.name = pb_span(&g);
        TRY(status);
    }
    TRY(status);
    return ARENA_ADD(r->in->scratch, p->names, p->n_names, err, new);
}

/* "event 7" where no name is told. */
static roof_status row_of(reading *r, const plane *p, uint64_t id, uint32_t *row, roof_error *err)
{
    const uint32_t at = lower_bound_search(p->names, p->n_names, sizeof *p->names, id, id_of);
    text_span name = at < p->n_names && p->names[at].id == id ? p->names[at].name : (text_span){"", 0};
    char number[40];
    if (!name.length) {
        snprintf(number, sizeof number, "event %llu", (unsigned long long)id);
        name = span_of(number);
    }
    TRY(import_check_name(name, err));
    return timings_row_of(r->in, &r->timings, name, 0, row, err);
}

/* --- lines ---------------------------------------------------------------------------------------------- */

typedef struct line {
    text_span name;
    uint64_t at_ns;
    timed_event *events;
    uint32_t n;
} line;

static roof_status read_event(reading *r, pb_cursor message, line *l, roof_error *err)
{
    timed_event e = {0};
    pb_field f;
    roof_status status;
    while (pb_each(&message, &f, &status, err)) {
        uint64_t *const members[] = {NULL, &e.id, &e.at_ps, &e.dur_ps};
        if (f.number >= 1 && f.number <= 3 && f.wire == PB_VARINT)
            *members[f.number] = f.value;
    }
    TRY(status);
    if (e.at_ps > INT64_MAX / 2 || e.dur_ps > INT64_MAX / 2)
        return error_data(err, "an event of %llu ps at %llu ps, want times below 2^62",
                          (unsigned long long)e.dur_ps, (unsigned long long)e.at_ps);
    return e.dur_ps ? ARENA_ADD(r->in->scratch, l->events, l->n, err, e) : ROOF_OK;
}

static roof_status read_line(reading *r, pb_cursor message, line *l, roof_error *err)
{
    pb_field f;
    roof_status status;
    *l = (line){.name = {"", 0}};
    while (pb_each(&message, &f, &status, err)) {
        if (f.number == 2)
            l->name = pb_span(&f);
        if (f.number == 3 && f.wire == PB_VARINT)
            l->at_ns = f.value;
        if (f.number == 4 && f.wire == PB_BYTES)
            TRY(read_event(r, pb_enter(&message, &f), l, err));
    }
    return status;
}

/* When the device ran it, beside what other lines have. */
static roof_status see(reading *r, const line *l, const timed_event *e, roof_error *err)
{
    static const uint64_t longest_ns = 4000000000000000; /* 46 days */
    const bool is_after = l->at_ns >= r->first_ns;
    const uint64_t between_ns = is_after ? l->at_ns - r->first_ns : r->first_ns - l->at_ns;
    const int64_t begin_ps = (is_after ? 1 : -1) * (int64_t)(between_ns < longest_ns ? between_ns * 1000 : 0);
    if (between_ns >= longest_ns || e->at_ps > longest_ns * 1000 || e->dur_ps > longest_ns * 1000)
        return ROOF_OK;
    const int64_t from_ps = begin_ps / 2 + (int64_t)(e->at_ps / 2); /* in 2 ps: no sum overflows */
    return import_saw(r->in, (span_of_time){from_ps, from_ps + (int64_t)(e->dur_ps / 2)}, 2e-12, err);
}

/* Time of each event without those inside of it. */
static roof_status add_line(reading *r, const plane *p, const line *l, roof_error *err)
{
    open_event *open = r->open;
    uint32_t n = 0;
    if (!l->n)
        return ROOF_OK;
    order_sort(l->events, l->n, sizeof *l->events,
               ORDER_BY(RISING(timed_event, at_ps), FALLING(timed_event, dur_ps)));
    r->first_ns = r->n_lines++ ? r->first_ns : l->at_ns;
    for (uint32_t i = 0; i <= l->n; i++) {
        const timed_event *e = &l->events[i < l->n ? i : 0];
        while (n && (i == l->n || open[n - 1].end_ps <= e->at_ps)) {
            n--;
            const double self_s = (double)(open[n].dur_ps - open[n].inside_ps) * 1e-12;
            TRY(timings_add(&r->timings, open[n].row, self_s, err));
        }
        if (i == l->n)
            break;
        TRY(HAS_ROOM(n, DEEPEST, err, "events inside of one another"));
        const uint64_t end_ps = e->at_ps + e->dur_ps;
        if (n)
            open[n - 1].inside_ps += (end_ps < open[n - 1].end_ps ? end_ps : open[n - 1].end_ps) - e->at_ps;
        if (!n)
            TRY(see(r, l, e, err));
        open[n].end_ps = end_ps;
        open[n].inside_ps = 0;
        open[n].dur_ps = e->dur_ps;
        TRY(row_of(r, p, e->id, &open[n].row, err));
        n++;
    }
    return ROOF_OK;
}

static roof_status read_lines(reading *r, const plane *p, roof_error *err)
{
    pb_cursor message = p->message;
    pb_field f;
    roof_status status;
    while (pb_each(&message, &f, &status, err)) {
        line l;
        if (f.number != 3 || f.wire != PB_BYTES)
            continue;
        TRY(read_line(r, pb_enter(&message, &f), &l, err));
        if (p->is_tpu ? span_is(l.name, "XLA Ops") : span_begins(l.name, "Stream"))
            TRY(add_line(r, p, &l, err));
        else if (span_is(l.name, "Steps"))
            r->n_steps += l.n;
        else if (span_is(l.name, "XLA Modules"))
            r->n_modules += l.n;
        /* they are executed as often as the model where all are the same */
        for (uint32_t i = 1; i < l.n && span_is(l.name, "XLA Modules"); i++)
            r->are_modules_alike = r->are_modules_alike && l.events[i].id == l.events->id;
    }
    return status;
}

/* --- planes --------------------------------------------------------------------------------------------- */

static roof_status read_plane(reading *r, pb_cursor message, roof_error *err)
{
    plane p = {.message = message, .name = {"", 0}};
    pb_field f;
    roof_status status;
    while (pb_each(&message, &f, &status, err)) {
        if (f.number == 2)
            p.name = pb_span(&f);
        if (f.number == 2 && !span_begins(p.name, "/device:GPU:") && !span_begins(p.name, "/device:TPU:"))
            return ROOF_OK;
        if (f.number == 4 && f.wire == PB_BYTES)
            TRY(read_name(r, &p, pb_enter(&message, &f), err));
    }
    TRY(status);
    if (!p.name.length || r->n_devices++)
        return ROOF_OK;
    p.is_tpu = span_begins(p.name, "/device:TPU:");
    r->in->device = p.is_tpu ? "TPU" : "GPU";
    order_sort(p.names, p.n_names, sizeof *p.names, ORDER_BY(RISING(named_event, id)));
    return read_lines(r, &p, err);
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run *run = NULL;
    pb_cursor space = pb_from(r->in->whole, r->in->n_whole);
    pb_field f;
    roof_status status;
    while (pb_each(&space, &f, &status, err))
        if (f.number == 1 && f.wire == PB_BYTES)
            TRY(read_plane(r, pb_enter(&space, &f), err));
    TRY(status);
    if (!r->timings.n_rows)
        return error_data(err, "no event of a device, want a plane /device:GPU or /device:TPU with lines "
                               "named Stream # or XLA Ops; what the host did is no profile of layers");
    TRY(timings_add_run(r->in, &r->timings, &run, err));
    if (r->n_devices > 1)
        import_note(r->in, "rows are of the first of %u devices", r->n_devices);
    const uint64_t n_alike = r->are_modules_alike ? r->n_modules : 0;
    import_sum_iterations(r->in, run, r->n_steps ? r->n_steps : n_alike);
    return ROOF_OK;
}

const importer_def importer_tensorflow_xplane = {.id = "tensorflow_xplane",
                                                 .tool = "XProf",
                                                 .names_kernels = true,
                                                 .next =
                                                     "profile the largest kernel with the tool of the GPU",
                                                 .sniff = sniff,
                                                 ROWS_ONLY,
                                                 .unverified = true,
                                                 READING(reading, .are_modules_alike = true),
                                                 .whole_instead = "profile fewer steps",
                                                 .finish = finish};
