#include "measure/import/timings.h"

void timings_drop_samples(row_timings *t)
{
    for (uint32_t i = 0; i < t->n_rows; i++) {
        free(t->rows[i].samples);
        t->rows[i].samples = NULL;
    }
    t->dropped = true;
}

static timings_row row_of_name(const char *name, const char *type, size_t length)
{
    return (timings_row){.name = name,
                         .type = type,
                         .name_length = (uint32_t)length,
                         .min = INFINITY,
                         .max = -INFINITY,
                         .workload_ops = ROOF_UNKNOWN};
}

void timings_forget(row_timings *t)
{
    timings_drop_samples(t);
    t->dropped = false;
    t->n_samples = 0;
    for (uint32_t i = 0; i < t->n_rows; i++)
        t->rows[i] = row_of_name(t->rows[i].name, t->rows[i].type, t->rows[i].name_length);
}

void timings_free(import_state *in)
{
    for (; in->timings; in->timings = in->timings->next)
        timings_drop_samples(in->timings);
}

/* --- rows --------------------------------------------------------------------------------------------- */

static size_t key_length(size_t name_length)
{
    return name_length + 1 + sizeof(uint64_t);
}

static roof_status add_row(row_timings *t, const char *key, size_t name_length, uint32_t *row,
                           roof_error *err)
{
    enum { FIRST_ROOM = 64 };
    const size_t length = key_length(name_length);
    if (t->n_rows == TIMINGS_MAX_ROWS)
        return error_set(
            err, ROOF_E_LIMIT,
            "'%s' would be one of more than %d different rows: is the column of names the right one?",
            quote_text((char[SHOWN_SIZE]){""}, SHOWN_SIZE, key, name_length), TIMINGS_MAX_ROWS);
    const char *kept = measured_text(t->in->out, key, length);
    TRY(ALLOCATED(kept, err));
    *row = t->n_rows;
    TRY(ARENA_ADD(t->in->scratch, t->rows, t->n_rows, err, row_of_name(kept, NULL, name_length)));
    if (*row < t->n_mapped)
        return ALLOCATED(namemap_add(t->map, kept, length, *row), err);
    t->n_mapped = t->n_mapped ? 2 * t->n_mapped : FIRST_ROOM; /* a map has a fixed room */
    t->map = namemap_new(t->in->scratch, t->n_mapped);
    for (uint32_t i = 0; t->map && i < t->n_rows; i++)
        namemap_add(t->map, t->rows[i].name, key_length(t->rows[i].name_length), i);
    return ALLOCATED(t->map, err);
}

roof_status timings_row_of(import_state *in, row_timings *t, text_span name, uint64_t tag, uint32_t *row,
                           roof_error *err)
{
    char small[512];
    size_t length = key_length(name.length);
    char *key = length <= sizeof small ? small : malloc(length);
    TRY(ALLOCATED(key, err));
    if (!t->in) {
        t->in = in;
        t->next = in->timings;
        in->timings = t;
    }
    if (name.length)
        memcpy(key, name.text, name.length);
    key[name.length] = '\0';
    memcpy(key + name.length + 1, &tag, sizeof tag);
    roof_status status = ROOF_OK;
    *row = t->map ? namemap_find(t->map, key, length) : ROOF_NONE;
    if (*row == ROOF_NONE)
        status = add_row(t, key, name.length, row, err);
    if (key != small)
        free(key);
    return status;
}

/* --- samples ------------------------------------------------------------------------------------------ */

roof_status timings_add(row_timings *t, uint32_t row, double seconds, roof_error *err)
{
    timings_row *r = &t->rows[row];
    if (!(seconds >= 0 && isfinite(seconds)))
        return error_data(err, "a duration of %g s, want 0 or more", seconds);
    /* Samples, rows, and what sorting this row takes: a copy of its samples, and as much for the sort. */
    if (!t->dropped &&
        t->n_samples + (uint64_t)TIMINGS_ROW_SAMPLES * t->n_rows + 2 * r->count >= TIMINGS_MAX_SAMPLES)
        timings_drop_samples(t);
    if (!t->dropped) {
        TRY(ALLOCATED(array_grow((void **)&r->samples, (size_t)r->count, sizeof *r->samples), err));
        r->samples[r->count] = seconds;
    }
    t->n_samples++;
    r->count++;
    double distance = seconds - r->mean;
    r->mean += distance / (double)r->count;
    r->squares += distance * (seconds - r->mean);
    r->min = seconds < r->min ? seconds : r->min;
    r->max = seconds > r->max ? seconds : r->max;
    return ROOF_OK;
}

roof_status timings_times(row_timings *t, uint32_t at, roof_times *out, roof_error *err)
{
    timings_row *row = &t->rows[at];
    if (t->dropped && !t->is_told)
        import_note(t->in,
                    "%llu samples of %u rows are more than are kept: mean, deviation, minimum, maximum and "
                    "count are of all of them, but there is no median and no percentile",
                    (unsigned long long)t->n_samples, t->n_rows);
    t->is_told = t->is_told || t->dropped;
    if (!row->samples) {
        *out = times_unknown();
        out->count = row->count;
        if (row->count) {
            out->mean_s = row->mean;
            out->min_s = row->min;
            out->max_s = row->max;
        }
        if (row->count > 1)
            out->std_s = sqrt(row->squares / (double)(row->count - 1));
        return ROOF_OK;
    }
    double *kept;
    TRY(ARENA_GET(t->in->out->storage->arena, kept, row->count, err));
    memcpy(kept, row->samples, (size_t)(row->count * sizeof *kept));
    free(row->samples); /* before they are sorted, which takes two more copies */
    row->samples = NULL;
    return times_from_kept(kept, (size_t)row->count, out, err);
}

roof_status timings_layer(row_timings *t, uint32_t row, roof_run *run, roof_measured_layer **out,
                          roof_error *err)
{
    *out = run_add_layer(t->in->out, run);
    TRY(ALLOCATED(*out, err));
    (*out)->name = t->rows[row].name;
    (*out)->type = t->rows[row].type;
    if (t->in->device) {
        TRY(ALLOCATED(layer_counters_of(t->in->out, *out), err));
        (*out)->counters->device = t->in->device;
    }
    return timings_times(t, row, &(*out)->time, err);
}

roof_status timings_row_of_event(import_state *in, row_timings *t, const trace_event *e, uint64_t tag,
                                 uint32_t *row, roof_error *err)
{
    text_span name;
    TRY(event_text(e, e->name, &name, err));
    TRY(import_check_name(name, err));
    return timings_row_of(in, t, name, tag, row, err);
}

roof_status timings_add_run(import_state *in, row_timings *t, roof_run **run, roof_error *err)
{
    roof_measured_layer *layer = NULL;
    TRY(import_add_run(in, NULL, ROOF_RUN_PER_LAYER, run, err));
    for (uint32_t i = 0; i < t->n_rows; i++)
        if (t->rows[i].count)
            TRY(timings_layer(t, i, *run, &layer, err));
    return ROOF_OK;
}

/* --- events inside of one another ---------------------------------------------------------------------- */

enum { DEEPEST = 512, MOST_GROUPS = 1 << 20 };

typedef struct group {
    int64_t start_ps, end_ps;
} group;

typedef struct frame {
    nested_event event;
    int64_t end_ps, inside_ps;
} frame;

typedef struct stack {
    frame *frames;
    uint32_t n, room;
    int64_t last_ps; /* when the last one began */
} stack;

struct nesting {
    import_state *in;
    nested_call each;
    void *target;
    nested_event *window;
    uint32_t n_window, room, n_stacks, n_groups;
    bool is_unsorted;
    stack *stacks; /* of threads */
    group *groups; /* in the order of their starts */
    uint64_t n_events, n_late, n_overlapping, n_groups_overlapping;
};

nesting *nesting_new(import_state *in, nested_call each, void *target)
{
    nesting *n = NEW(in->scratch, nesting);
    if (n)
        *n = (nesting){.in = in, .each = each, .target = target};
    return n;
}

/* --- order ---------------------------------------------------------------------------------------------- */

/* By when they began, the longest first; of equal ones the first in the file is around the others. */
static int compare(const void *a_, const void *b_)
{
    const nested_event *a = a_, *b = b_;
    if (a->start_ps != b->start_ps)
        return a->start_ps < b->start_ps ? -1 : 1;
    if (a->dur_ps != b->dur_ps)
        return a->dur_ps > b->dur_ps ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* --- stacks --------------------------------------------------------------------------------------------- */

static roof_status pop(nesting *n, stack *s, roof_error *err)
{
    frame *top = &s->frames[--s->n], *outer = s->frames;
    top->event.self_ps = top->event.dur_ps - top->inside_ps;
    for (size_t i = 0; i < N_OF(top->event.own); i++) {
        top->event.all[i] += top->event.own[i];
        if (s->n)
            top[-1].event.all[i] += top->event.all[i];
    }
    while (outer < top && outer->event.begins_group)
        outer++;
    top->event.outer = outer->event.place;
    return n->each(n->target, &top->event, err);
}

/* An event's time is inside of the one that it began in; what lasts longer is inside of those around. */
static void count_inside(nesting *n, stack *s, const nested_event *e)
{
    int64_t from_ps = e->start_ps, end_ps = e->start_ps + e->dur_ps;
    n->n_overlapping += s->n && end_ps > s->frames[s->n - 1].end_ps;
    for (uint32_t i = s->n; i-- && from_ps < end_ps;) {
        frame *f = &s->frames[i];
        int64_t to_ps = f->end_ps < end_ps ? f->end_ps : end_ps;
        if (to_ps > from_ps) {
            f->inside_ps += to_ps - from_ps;
            from_ps = to_ps;
        }
    }
}

/* Threads may be written one by one, so that an event can lie in any group, but groups come in order. */
static roof_status give_group(nesting *n, nested_event *e, roof_error *err)
{
    bool follows = !n->n_groups || e->start_ps >= n->groups[n->n_groups - 1].start_ps;
    uint32_t at = 0, end = n->n_groups; /* at: behind the last group that began by then */
    while (at < end) {
        uint32_t middle = at + (end - at) / 2;
        if (n->groups[middle].start_ps <= e->start_ps)
            at = middle + 1;
        else
            end = middle;
    }
    e->group = at && e->start_ps < n->groups[at - 1].end_ps ? at : 0;
    if (!e->begins_group)
        return ROOF_OK;
    n->n_groups_overlapping += e->group || !follows;
    if (!follows)
        return ROOF_OK;
    TRY(HAS_ROOM(n->n_groups, MOST_GROUPS, err, "inferences or steps"));
    TRY(ARENA_ADD(n->in->scratch, n->groups, n->n_groups, err,
                  (group){e->start_ps, e->start_ps + e->dur_ps}));
    e->group = n->n_groups;
    return ROOF_OK;
}

/* Events come in order here, but for what was too late for the window. */
static roof_status push(nesting *n, nested_event *e, roof_error *err)
{
    while (n->n_stacks <= e->thread)
        TRY(ARENA_ADD(n->in->scratch, n->stacks, n->n_stacks, err, (stack){.last_ps = INT64_MIN}));
    stack *s = &n->stacks[e->thread];
    if (e->start_ps < s->last_ps) {
        n->n_late++;
        return ROOF_OK;
    }
    s->last_ps = e->start_ps;
    while (s->n && s->frames[s->n - 1].end_ps <= e->start_ps)
        TRY(pop(n, s, err));
    if (e->is_mark) {
        for (size_t i = 0; s->n && i < N_OF(e->own); i++)
            s->frames[s->n - 1].event.own[i] += e->own[i];
        return ROOF_OK;
    }
    TRY(HAS_ROOM(s->n, DEEPEST, err, "events inside of one another"));
    count_inside(n, s, e);
    TRY(give_group(n, e, err));
    const frame new = {.event = *e, .end_ps = e->start_ps + e->dur_ps};
    if (s->n == s->room)
        TRY(ARENA_ADD(n->in->scratch, s->frames, s->room, err, new));
    s->frames[s->n++] = new;
    return ROOF_OK;
}

/* Hands on the first ones of the window. */
static roof_status hand_on(nesting *n, uint32_t some, roof_error *err)
{
    if (n->is_unsorted) /* then there are some */
        qsort(n->window, n->n_window, sizeof *n->window, compare);
    n->is_unsorted = false;
    for (uint32_t i = 0; i < some; i++)
        TRY(push(n, &n->window[i], err));
    n->n_window -= some;
    if (n->n_window)
        memmove(n->window, n->window + some, n->n_window * sizeof *n->window);
    return ROOF_OK;
}

roof_status nesting_add(nesting *n, const trace_event *e, nested_event as, roof_error *err)
{
    nested_event new = as;
    new.place = n->n_events++;
    TRY(event_times(e, &new.start_ps, &new.dur_ps, err));
    TRY(event_thread(e, &new.thread, err));
    if (n->n_window == NESTING_WINDOW)
        TRY(hand_on(n, NESTING_WINDOW / 2, err));
    if (n->n_window == n->room)
        TRY(ARENA_ADD(n->in->scratch, n->window, n->room, err, new));
    n->is_unsorted = n->is_unsorted || (n->n_window && compare(&n->window[n->n_window - 1], &new) > 0);
    n->window[n->n_window++] = new;
    return ROOF_OK;
}

roof_status nesting_finish(nesting *n, uint32_t *n_groups, roof_error *err)
{
    TRY(hand_on(n, n->n_window, err));
    for (uint32_t i = 0; i < n->n_stacks; i++)
        while (n->stacks[i].n)
            TRY(pop(n, &n->stacks[i], err));
    import_note_count(n->in, n->n_late,
                      "events stand so far behind later ones that it is unknown what is inside of them, and "
                      "they are in no row");
    import_note_count(n->in, n->n_overlapping,
                      "events end after the one that they began in, and the time that two share is counted "
                      "to the later one");
    import_note_count(n->in, n->n_groups_overlapping,
                      "inferences or steps began before the one before them had ended, so it is not certain "
                      "which one an event belongs to");
    if (n_groups)
        *n_groups = n->n_groups;
    return ROOF_OK;
}
