#include "reports/timeline/trace_layers.h"
#include "model/predict/schedule.h"

/* Behind the critical path a row for each queue, and then for each port of a queue that has several. */
enum { PATH = TRACEOUT_FIRST_ROW, FIRST_QUEUE, ROWS_END = FIRST_QUEUE + REPLAY_QUEUES * REPLAY_PORTS };

/* Engines of the critical path, and what is waited for: the queues, then the fetch of instructions. */
enum { FETCH = REPLAY_QUEUES, ENGINES };

/* In a longer stream, gaps and changes of the layer that are shorter than this part of the whole are not
 * distinguished, so that a viewer opens the trace of any stream. */
enum { MOST_EXACT = 50000, GRAINS = 20000, MOST_ARROWS = 1000 };

typedef struct counts {
    uint64_t instructions, busy[ENGINES], waits[ENGINES];
} counts;

/* An event for what an engine does for a layer. */
typedef struct stretch {
    uint64_t from, to;
    uint32_t layer; /* of its part; ROOF_NONE: nobody's */
    uint8_t engine;
} stretch;

/* Instructions that are one event. */
typedef struct group {
    stretch all; /* from its first one's start; empty: there is none yet */
    counts counts;
    uint32_t changes; /* of the layer or of the engine, inside */
} group;

typedef struct schedule {
    traceout *trace;
    const roof_prediction *p;
    const roof_stream *stream;
    replay_run replay;
    roof_task *tasks; /* of each instruction, and its event */
    replay_event *events;
    uint32_t rows[REPLAY_QUEUES]; /* the first of each queue */
    const char *row_names[ROWS_END];
    uint64_t grain;
    group groups[ROWS_END];   /* the last one of each row */
    counts pending[ROWS_END]; /* what takes no time belongs to the instruction behind it */
    bool *begins;             /* by instruction: an event of its engine begins with it */
    uint32_t *path, n_path;   /* instructions, the last one first */
    roof_arena *arena;
} schedule;

static double seconds_of(const schedule *s, uint64_t cycles)
{
    return (double)cycles / s->p->hardware.clock_hz;
}

static const char *engine_name(const schedule *s, unsigned engine)
{
    return engine == FETCH ? "fetch" : s->stream->replayer->queues[engine];
}

/* --- events ------------------------------------------------------------------------------------------- */

static const roof_layer_prediction *layer_of(const schedule *s, uint32_t layer)
{
    return layer == ROOF_NONE ? NULL : &s->p->layers[s->stream->first_row + layer];
}

static const char *layer_name(const schedule *s, uint32_t layer)
{
    const roof_layer_prediction *l = layer_of(s, layer);
    return l ? l->name : "(not attributed)";
}

/* By engine; what is not there is 0. */
static void put_cycles(const schedule *s, const char *key, const uint64_t cycles[ENGINES])
{
    jsonout *j = &s->trace->json;
    jsonout_object(j, key, true);
    for (unsigned e = 0; e < ENGINES; e++)
        if (cycles[e])
            jsonout_count(j, engine_name(s, e), cycles[e]);
    jsonout_end(j);
}

static void put_group(const schedule *s, uint32_t row, const group *g)
{
    traceout *t = s->trace;
    const roof_layer_prediction *l = layer_of(s, g->all.layer);
    double to_s = seconds_of(s, g->all.to);
    if (g->all.from == g->all.to)
        return;
    const char *name = prediction_name_without(t->prefix, layer_name(s, g->all.layer));
    if (row == PATH)
        name = say_printf(s->arena, "%s: %s", engine_name(s, g->all.engine), name);
    if (g->changes)
        name = say_printf(s->arena, "%s and %u more", name, g->changes);
    traceout_open(t, row, name, seconds_of(s, g->all.from), to_s, to_s);
    jsonout_count(&t->json, "index", l ? l->index : ROOF_UNKNOWN);
    traceout_whole_name(t, layer_name(s, g->all.layer));
    jsonout_count(&t->json, "instructions", g->counts.instructions);
    if (row == PATH) {
        put_cycles(s, "critical_cycles", g->counts.busy);
    } else {
        jsonout_count(&t->json, "busy_cycles", g->counts.busy[g->all.engine]);
        put_cycles(s, "waited_cycles", g->counts.waits);
    }
    traceout_close(t);
}

/* --- grouping ----------------------------------------------------------------------------------------- */

static void add_counts(counts *to, const counts *more)
{
    to->instructions += more->instructions;
    for (unsigned e = 0; e < ENGINES; e++) {
        to->busy[e] += more->busy[e];
        to->waits[e] += more->waits[e];
    }
}

static bool is_alike(const stretch *a, const stretch *b)
{
    return a->layer == b->layer && a->engine == b->engine;
}

/* Adds to a row; s->pending has what else to count of it. Returns whether an event begins with it. */
static bool add_stretch(schedule *s, uint32_t row, stretch more)
{
    group *g = &s->groups[row];
    if (more.to == more.from)
        return false;
    /* Each event is as long as a grain, or has a gap of one behind it: that bounds their number. */
    bool is_new = !(g->all.from < g->all.to && more.from - g->all.to <= s->grain &&
                    (is_alike(&g->all, &more) || g->all.to - g->all.from < s->grain));
    if (is_new) {
        put_group(s, row, g);
        *g = (group){.all = more};
    }
    g->changes += !is_alike(&g->all, &more);
    g->all.to = more.to;
    s->pending[row].busy[more.engine] += more.to - more.from;
    add_counts(&g->counts, &s->pending[row]);
    s->pending[row] = (counts){0};
    return is_new;
}

static void finish_row(schedule *s, uint32_t row)
{
    add_counts(&s->groups[row].counts, &s->pending[row]);
    put_group(s, row, &s->groups[row]);
}

/* An instruction of a queue with several ports that takes no time has none; it stands with the one before it.
 * last: the row of that one; 0: there is none. */
static uint32_t row_of(const schedule *s, uint32_t task, uint32_t last)
{
    const roof_task *t = &s->tasks[task];
    if (s->stream->replayer->ports[t->queue] == 1)
        return s->rows[t->queue];
    return t->kind != ROOF_TASK_SETUP ? s->rows[t->queue] + t->port : last ? last : s->rows[t->queue];
}

/* --- the critical path -------------------------------------------------------------------------------- */

/* To where a task of the path is on it: from there on the next one is, or its fetch. */
static uint64_t path_end(const schedule *s, uint32_t k)
{
    const replay_event *events = s->events;
    if (!k)
        return s->replay.cycles;
    return events[s->path[k - 1]].unfetched ? events[s->path[k]].start : events[s->path[k - 1]].start;
}

/* Since that time all instructions up to the task were fetched, each for its layer. */
static void put_fetch(schedule *s, uint32_t task, uint64_t since)
{
    const roof_task *tasks = s->tasks;
    const uint64_t end = s->events[task].start;
    const double per_word = s->replay.timing.fetch_cycles_per_word;
    uint32_t first = task;
    double cycles = per_word * tasks[task].words;
    while (first && cycles + 1 <= (double)(end - since))
        cycles += per_word * tasks[--first].words;
    cycles = 0;
    for (uint64_t at = since, to; first <= task; first++, at = to) {
        cycles += per_word * tasks[first].words;
        to = first == task ? end : since + (uint64_t)fmin(ceil(cycles), (double)(end - since));
        s->pending[PATH].instructions++;
        add_stretch(s, PATH, (stretch){at, to, tasks[first].row, FETCH});
    }
}

/* --- arrows ------------------------------------------------------------------------------------------- */

/* Where the critical path goes from one engine to another, between the same two layers. */
typedef struct arrow {
    uint64_t waited, longest;
    uint32_t from, to, waits; /* the tasks of the longest one */
} arrow;

typedef struct arrow_list {
    arrow *all;
    uint32_t n;
    uint32_t last[REPLAY_QUEUES][REPLAY_QUEUES]; /* one behind the last of two engines; 0: there is none */
} arrow_list;

static roof_status add_wait(const schedule *s, arrow_list *out, uint32_t from, uint32_t to, uint64_t waited,
                            roof_error *err)
{
    const roof_task *tasks = s->tasks;
    uint32_t *last = &out->last[tasks[from].queue][tasks[to].queue];
    arrow *a = *last ? &out->all[*last - 1] : NULL;
    if (!a || tasks[a->from].row != tasks[from].row || tasks[a->to].row != tasks[to].row) {
        TRY(ARENA_MORE(s->arena, out->all, out->n, err));
        a = &out->all[out->n];
        *a = (arrow){.from = from, .to = to};
        *last = ++out->n;
    }
    a->waits++;
    a->waited += waited;
    if (waited > a->longest) {
        a->longest = waited;
        a->from = from;
        a->to = to;
    }
    return ROOF_OK;
}

/* A wait inside an event is too short to be seen: an arrow ends where an event begins. The waiting
 * instruction may be one that takes no time, before the one that is seen. */
static roof_status find_arrows(const schedule *s, arrow_list *out, roof_error *err)
{
    uint64_t waited[REPLAY_QUEUES] = {0};
    uint32_t from = ROOF_NONE;
    for (uint32_t k = s->n_path; k-- > 0;) {
        uint32_t task = s->path[k], queue = s->tasks[task].queue;
        from = s->events[task].unfetched ? ROOF_NONE : from;
        waited[queue] += s->events[task].waited;
        if (path_end(s, k) == s->events[task].start)
            continue;
        if (from != ROOF_NONE && s->tasks[from].queue != queue && waited[queue] && s->begins[task])
            TRY(add_wait(s, out, from, task, waited[queue], err));
        memset(waited, 0, sizeof waited);
        from = task;
    }
    order_sort(out->all, out->n, sizeof *out->all, ORDER_BY(FALLING(arrow, waited), RISING(arrow, to)));
    return ROOF_OK;
}

static void put_arrows(const schedule *s, const arrow_list *arrows)
{
    traceout *t = s->trace;
    const roof_task *tasks = s->tasks;
    uint32_t left_out = arrows->n > MOST_ARROWS ? arrows->n - MOST_ARROWS : 0;
    FOR_EACH(const arrow, a, arrows->all, arrows->n - left_out) {
        /* It begins two nanoseconds before it ends, inside its event however a viewer rounds. */
        const double before_s = 2e-9, at_s = seconds_of(s, s->events[a->to].start);
        const double from_s = fmax(seconds_of(s, s->events[a->from].start), at_s - before_s);
        char name[40];
        snprintf(name, sizeof name, "%s waits for %s", engine_name(s, tasks[a->to].queue),
                 engine_name(s, tasks[a->from].queue));
        traceout_arrow(t, name, (traceout_point){row_of(s, a->from, 0), from_s},
                       (traceout_point){row_of(s, a->to, 0), at_s});
        jsonout_count(&t->json, "waits", a->waits);
        jsonout_count(&t->json, "waited_cycles", a->waited);
        traceout_close(t);
    }
    if (!left_out)
        return;
    traceout_open(t, PATH, "(shorter waits have no arrow)", t->total_s, NAN, NAN);
    jsonout_count(&t->json, "left_out", left_out);
    traceout_close(t);
}

/* --- processes ---------------------------------------------------------------------------------------- */

/* Queues with several ports stand behind the others. */
static void name_rows(schedule *s)
{
    const code_replayer *replayer = s->stream->replayer;
    uint32_t row = FIRST_QUEUE;
    for (int several = 0; several < 2; several++)
        for (unsigned q = 0; q < REPLAY_QUEUES; q++) {
            if ((replayer->ports[q] != 1) != several)
                continue;
            s->rows[q] = row;
            for (unsigned port = 0; port < (several ? REPLAY_PORTS : 1); port++)
                s->row_names[row++] = several ? say_printf(s->arena, "%s, port %u", replayer->queues[q], port)
                                              : replayer->queues[q];
        }
}

static void begin_process(const schedule *s, const char *key)
{
    bool is_used[ROWS_END] = {false};
    traceout *t = s->trace;
    const roof_prediction *p = s->p;
    const double passes = p->code->passes;
    const char *part = p->code->n_streams > 1 ? say_printf(s->arena, ", %s", s->stream->part) : "";
    const char *pass = passes > 1 ? say_printf(s->arena, ", one of %.0f passes", passes) : "";
    traceout_chain(t, key, p);
    t->total_s = seconds_of(s, s->replay.cycles);
    traceout_process(t, t->total_s, p->model.name, p->hardware.name,
                     say_printf(s->arena, "%s%s", part, pass));
    for (uint32_t i = 0; i < s->stream->n_instructions; i++)
        if (s->events[i].end > s->events[i].start)
            is_used[row_of(s, i, 0)] = true;
    traceout_row(t, PATH, "critical path");
    for (uint32_t row = FIRST_QUEUE; row < ROWS_END; row++)
        if (is_used[row])
            traceout_row(t, row, s->row_names[row]);
}

static roof_status put_stream(schedule *s, const char *key, roof_error *err)
{
    arrow_list arrows = {0};
    const uint32_t n = s->stream->n_instructions;
    TRY(ARENA_GET3(s->arena, s->begins, s->path, s->tasks, n, err));
    TRY(ARENA_GET(s->arena, s->events, n, err));
    TRY(ARENA_GET(s->arena, s->replay.events, replay_room(s->stream), err));
    s->replay.take = replay_keep;
    s->replay.context = s->events;
    replay_expand(s->stream, s->tasks);
    TRY(s->stream->replayer->run(s->stream, &s->replay, 1, err));
    if (!s->replay.cycles || !traceout_can_show(seconds_of(s, s->replay.cycles)))
        return ROOF_OK;
    name_rows(s);
    TRY(arena_status(s->arena, err));
    s->grain = s->stream->n_instructions > MOST_EXACT ? s->replay.cycles / GRAINS : 0;
    for (uint32_t i = s->replay.last; i != ROOF_NONE; i = s->events[i].before)
        s->path[s->n_path++] = i;
    begin_process(s, key);
    uint64_t at = 0;
    for (uint32_t k = s->n_path; k-- > 0;) {
        const roof_task *t = &s->tasks[s->path[k]];
        const replay_event *e = &s->events[s->path[k]];
        if (e->unfetched)
            put_fetch(s, s->path[k], at);
        s->pending[PATH].instructions++;
        at = path_end(s, k);
        add_stretch(s, PATH, (stretch){e->start, at, t->row, t->queue});
    }
    finish_row(s, PATH);
    uint32_t last[REPLAY_QUEUES] = {0};
    for (uint32_t i = 0; i < s->stream->n_instructions; i++) {
        const roof_task *t = &s->tasks[i];
        const replay_event *e = &s->events[i];
        uint32_t row = last[t->queue] = row_of(s, i, last[t->queue]);
        s->pending[row].instructions++;
        s->pending[row].waits[e->waited_for] += e->waited;
        s->pending[row].waits[FETCH] += e->unfetched;
        s->begins[i] = add_stretch(s, row, (stretch){e->start, e->end, t->row, t->queue});
    }
    for (uint32_t row = FIRST_QUEUE; row < ROWS_END; row++)
        finish_row(s, row);
    TRY(find_arrows(s, &arrows, err));
    put_arrows(s, &arrows);
    return arena_status(s->arena, err);
}

void traceout_put_schedule(traceout *trace, const roof_prediction *p)
{
    const schedule_code *code = p->code;
    const struct {
        const char *key;
        const replay_timing *timing;
    } ways[] = {{"schedule", code ? &code->ideal : NULL},
                {"schedule, as a board runs it", code ? code->expected : NULL}};
    for (size_t way = 0; way < N_OF(ways); way++)
        for (uint32_t i = 0; ways[way].timing && i < code->n_streams; i++) {
            roof_error err;
            schedule s = {.trace = trace,
                          .p = p,
                          .stream = &code->streams[i],
                          .replay.timing = *ways[way].timing,
                          .arena = arena_new(0)};
            if (!s.arena || put_stream(&s, ways[way].key, &err) != ROOF_OK)
                trace->json.out->failed = true;
            arena_free(s.arena);
        }
}
