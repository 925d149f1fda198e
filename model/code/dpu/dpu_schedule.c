#include "model/code/dpu/dpu_schedule.h"
#include "core/error.h"

#include <string.h>

static const char *const queue_names[DPU_QUEUES] = {"LOAD", "SAVE", "CONV", "MISC"};

roof_task dpu_task_of(const dpu_instruction *in, uint32_t row)
{
    static const uint8_t kinds[] = {
        [DPU_LOAD] = ROOF_TASK_LOAD, [DPU_SAVE] = ROOF_TASK_SAVE,    [DPU_CONV] = ROOF_TASK_CONV,
        [DPU_ALU] = ROOF_TASK_ALU,   [DPU_ELEW] = ROOF_TASK_ELTWISE, [DPU_INIT] = ROOF_TASK_SETUP,
        [DPU_OTHER] = ROOF_TASK_ALU, [DPU_END] = ROOF_TASK_SETUP,
    };
    bool moves = in->opcode == DPU_LOAD || in->opcode == DPU_SAVE;
    return (roof_task){.amount = moves ? in->transfer_bytes : in->cycles,
                       .row = row,
                       .pieces = in->is_apart ? (uint32_t)(in->transfer_bytes / in->row_bytes) : 1,
                       .kind = kinds[in->opcode],
                       .queue = in->queue,
                       .port = in->port,
                       .waits_for = in->waits_for,
                       .lets_go = in->lets_go,
                       .words = (uint8_t)(in->length_bytes / 4)};
}

/* ---- tokens ---- */

/* Tokens that queue x left for queue y, oldest first. Of each the task at whose end it came; ROOF_NONE: the beginning. */
typedef struct counter {
    uint32_t *tasks; /* room for replay.most_tokens, in a ring */
    uint32_t first, n;
} counter;

typedef struct transfer_time {
    uint64_t amount, cycles;
    uint32_t pieces;
} transfer_time;

typedef struct replay {
    const roof_stream *stream;
    const dpu_timing *timing;
    dpu_replay *out;
    counter counters[DPU_QUEUES][DPU_QUEUES]; /* of x for y; none for x == y */
    uint32_t most_tokens;
    uint32_t self_tokens[DPU_QUEUES];
    uint32_t last[DPU_QUEUES];                       /* task of that queue; ROOF_NONE */
    uint32_t started[DPU_QUEUES][DPU_DEEPEST_QUEUE]; /* its last ones, in a ring; ROOF_NONE: fewer were */
    uint32_t oldest[DPU_QUEUES];                     /* where in that ring */
    transfer_time
        transfers[ROOF_TASK_KINDS]; /* the last one of each kind: most are as long as the one before */
    /* of SAVE */
    uint32_t last_of_port[DPU_PORTS], saved_by, self_by;
    uint64_t saved, self_time;
    double fetched;         /* when the last instruction was */
    uint32_t fetched_since; /* the start of this task, which left room; ROOF_NONE: the beginning */
    uint64_t offset;
    roof_error *err;
} replay;

static roof_status fail(const replay *r, const char *what, unsigned from, unsigned to)
{
    return error_at(r->err, ROOF_E_DATA, r->offset,
                    "the instruction stream cannot run to its end: %s (%s for %s)", what, queue_names[from],
                    queue_names[to]);
}

static uint32_t ring_place(const replay *r, uint32_t at)
{
    return at < r->most_tokens ? at : at - r->most_tokens;
}

static roof_status take_token(replay *r, unsigned from, unsigned queue, uint32_t *task)
{
    counter *c = &r->counters[from][queue];
    if (!c->n)
        return fail(r, "an instruction waits for a token that nothing before it leaves", from, queue);
    *task = c->tasks[c->first];
    c->first = ring_place(r, c->first + 1);
    c->n--;
    return ROOF_OK;
}

static roof_status leave_token(replay *r, unsigned queue, unsigned to, uint32_t task)
{
    counter *c = &r->counters[queue][to];
    if (c->n == DPU_MOST_TOKENS)
        return fail(r, "a counter of tokens overflows", queue, to);
    c->tasks[ring_place(r, c->first + c->n++)] = task;
    return ROOF_OK;
}

/* Later families than the DPUCZDX8G let several instructions of CONV go before they wait for one. */
static roof_status move_self_token(replay *r, const roof_task *t)
{
    unsigned own = 1u << t->queue;
    uint32_t *n = &r->self_tokens[t->queue];
    if ((t->waits_for & own) && !*n)
        return fail(r, "an instruction waits for a self token, which nothing gave back", t->queue, t->queue);
    *n -= (t->waits_for & own) != 0;
    *n += (t->lets_go & own) != 0;
    return ROOF_OK;
}

static roof_status check_end(const replay *r)
{
    for (unsigned x = 0; x < DPU_QUEUES; x++) {
        if (r->self_tokens[x] != 1)
            return fail(r, "the self tokens at the end are not one", x, x);
        for (unsigned y = 0; y < DPU_QUEUES; y++)
            if (x != y && r->counters[x][y].n)
                return fail(r, "tokens are left at the end", x, y);
    }
    return ROOF_OK;
}

/* ---- times ---- */

/* Above it a double does not hold every cycle: a stream that takes so long is refused. */
static const uint64_t most_cycles = UINT64_C(1) << 53;

/* As ceil, which the oldest processors have no instruction for; at most most_cycles. */
static uint64_t whole_above(double value)
{
    if (!(value < (double)most_cycles))
        return most_cycles;
    uint64_t whole = (uint64_t)value;
    return whole + ((double)whole < value);
}

static uint64_t transfer_cycles(const dpu_timing *timing, const roof_task *t, double speed)
{
    double rate = t->kind == ROOF_TASK_LOAD ? timing->load_bytes_per_cycle : timing->save_bytes_per_cycle;
    uint32_t accesses = timing->pieces_are_accesses ? t->pieces : 1;
    uint64_t access_bytes = t->amount / accesses;
    uint64_t cycles = whole_above((double)access_bytes / (rate * speed));
    return cycles > most_cycles / accesses ? most_cycles : accesses * cycles;
}

static uint64_t duration_of(replay *r, const roof_task *t)
{
    const dpu_timing *timing = r->timing;
    double speed = timing->speed[t->kind] > 0 ? timing->speed[t->kind] : 1;
    transfer_time *known = &r->transfers[t->kind];
    if (t->kind == ROOF_TASK_SETUP || (timing->free_row && t->row == timing->free_row - 1))
        return 0;
    if (t->kind != ROOF_TASK_LOAD && t->kind != ROOF_TASK_SAVE)
        return speed == 1 ? t->amount : whole_above((double)t->amount / speed);
    if (known->amount != t->amount || known->pieces != t->pieces)
        *known = (transfer_time){t->amount, transfer_cycles(timing, t, speed), t->pieces};
    return known->cycles;
}

/* What a task's start follows from: a time, and the task that set it. */
typedef struct ready_at {
    uint64_t time;
    uint32_t task;
    bool is_its_start;
} ready_at;

static void at_least(ready_at *ready, uint64_t time, uint32_t task, bool is_its_start)
{
    if (time > ready->time)
        *ready = (ready_at){time, task, is_its_start};
}

static uint64_t end_of(const replay *r, uint32_t task)
{
    return task == ROOF_NONE ? 0 : r->out->events[task].end;
}

/* The END is a task of SAVE that waits for all of them. */
static ready_at queue_ready(const replay *r, const roof_task *t)
{
    uint32_t last = r->last[t->queue];
    ready_at ready = {0, ROOF_NONE, false};
    if (t->queue != DPU_QUEUE_SAVE) {
        at_least(&ready, end_of(r, last), last, false);
    } else if (t->kind != ROOF_TASK_SAVE) {
        at_least(&ready, r->saved, r->saved_by, false);
    } else {
        uint32_t neighbour = r->last_of_port[t->port];
        if (last != ROOF_NONE)
            at_least(&ready, r->out->events[last].start, last, true);
        at_least(&ready, end_of(r, neighbour), neighbour, false);
        if (t->waits_for & 1u << DPU_QUEUE_SAVE)
            at_least(&ready, r->self_time, r->self_by, false);
    }
    return ready;
}

static roof_status take_tokens(replay *r, const roof_task *t, dpu_event *event)
{
    unsigned others = t->waits_for & ~(1u << t->queue);
    for (unsigned y = 0; y < DPU_QUEUES && others >> y; y++) {
        uint32_t task = ROOF_NONE;
        if (!(others & 1u << y))
            continue;
        TRY(take_token(r, y, t->queue, &task));
        if (end_of(r, task) > event->start)
            *event = (dpu_event){.start = end_of(r, task), .before = task, .waited_for = (uint8_t)y};
    }
    return ROOF_OK;
}

/* Instructions are fetched in program order, and no further than the queues have room. */
static void wait_for_fetch(replay *r, const roof_task *t, dpu_event *event)
{
    const dpu_timing *timing = r->timing;
    uint32_t room = timing->queue_depth ? r->started[t->queue][r->oldest[t->queue]] : ROOF_NONE;
    bool is_free = timing->free_row && t->row == timing->free_row - 1;
    r->fetched += is_free ? 0 : timing->fetch_cycles_per_word * t->words;
    if (room != ROOF_NONE && (double)r->out->events[room].start > r->fetched) {
        r->fetched = (double)r->out->events[room].start;
        r->fetched_since = room;
    }
    if ((double)event->start < r->fetched)
        *event = (dpu_event){.start = whole_above(r->fetched),
                             .before = r->fetched_since,
                             .waited = event->waited,
                             .unfetched = whole_above(r->fetched) - event->start,
                             .waited_for = event->waited_for,
                             .is_from_its_start = true};
}

static roof_status leave_tokens(replay *r, const roof_task *t, uint32_t mine)
{
    unsigned others = t->lets_go & ~(1u << t->queue);
    for (unsigned y = 0; y < DPU_QUEUES && others >> y; y++)
        if (others & 1u << y)
            TRY(leave_token(r, t->queue, y, mine));
    return ROOF_OK;
}

/* The task at whose end it is complete: a save when all before it are. */
static uint32_t completion(replay *r, const roof_task *t, uint32_t task)
{
    uint64_t end = r->out->events[task].end;
    if (t->queue != DPU_QUEUE_SAVE)
        return task;
    if (end > r->saved) {
        r->saved = end;
        r->saved_by = task;
    }
    if (t->lets_go & 1u << DPU_QUEUE_SAVE) {
        r->self_time = r->saved;
        r->self_by = r->saved_by;
    }
    if (t->kind == ROOF_TASK_SAVE)
        r->last_of_port[t->port] = task;
    return r->saved_by;
}

static roof_status run_task(replay *r, uint32_t task)
{
    const roof_task *t = &r->stream->tasks[task];
    dpu_queue_times *queue = &r->out->queues[t->queue];
    ready_at ready = queue_ready(r, t);
    dpu_event event = {.start = ready.time,
                       .before = ready.task,
                       .waited_for = t->queue,
                       .is_from_its_start = ready.is_its_start};
    TRY(move_self_token(r, t));
    TRY(take_tokens(r, t, &event));
    event.waited = event.start - ready.time;
    queue->waits[event.waited_for] += event.waited;
    if (r->timing->fetch_cycles_per_word > 0)
        wait_for_fetch(r, t, &event);
    if (r->timing->queue_depth) {
        uint32_t *oldest = &r->oldest[t->queue];
        r->started[t->queue][*oldest] = task;
        *oldest = *oldest + 1 < r->timing->queue_depth ? *oldest + 1 : 0;
    }
    uint64_t duration = duration_of(r, t);
    if (event.start >= most_cycles || duration >= most_cycles - event.start)
        return fail(r, "it takes more cycles than can be counted", t->queue, t->queue);
    event.end = event.start + duration;
    r->out->events[task] = event;
    queue->busy += event.end - event.start;
    if (r->out->last == ROOF_NONE || event.end > r->out->cycles) {
        r->out->last = task;
        r->out->cycles = event.end;
    }
    uint32_t mine = completion(r, t, task);
    r->last[t->queue] = task;
    TRY(leave_tokens(r, t, mine));
    r->offset += 4 * (uint64_t)t->words;
    return ROOF_OK;
}

static void follow_critical_path(replay *r)
{
    dpu_replay *out = r->out;
    uint64_t until = out->cycles;
    for (uint32_t task = out->last; task != ROOF_NONE;) {
        const dpu_event *event = &out->events[task];
        out->queues[r->stream->tasks[task].queue].critical += until - event->start;
        until = event->start;
        task = event->before;
        if (event->unfetched) {
            uint64_t since = task == ROOF_NONE ? 0 : out->events[task].start;
            out->fetch_critical += until - since;
            until = since;
        }
    }
}

static void set_tails(replay *r)
{
    for (unsigned q = 0; q < DPU_QUEUES; q++)
        if (q != DPU_QUEUE_SAVE)
            r->out->queues[q].tail = r->out->cycles - end_of(r, r->last[q]);
}

/* Each task leaves one token in a counter at most: the short code of a layer, of which there are many, needs little room. */
static roof_status make_counters(replay *r, roof_arena *scratch, roof_error *err)
{
    r->most_tokens = r->stream->n_tasks < DPU_MOST_TOKENS ? r->stream->n_tasks : DPU_MOST_TOKENS;
    for (unsigned x = 0; x < DPU_QUEUES; x++) {
        for (unsigned y = 0; y < DPU_QUEUES; y++)
            if (x != y)
                TRY(ARENA_GET(scratch, r->counters[x][y].tasks, r->most_tokens, err));
        memset(r->started[x], 0xff, sizeof r->started[x]); /* ROOF_NONE */
        r->last[x] = ROOF_NONE;
        r->self_tokens[x] = 1;
    }
    for (unsigned p = 0; p < DPU_PORTS; p++)
        r->last_of_port[p] = ROOF_NONE;
    return ROOF_OK;
}

roof_status dpu_replay_into(dpu_event *room, const roof_stream *stream, const dpu_timing *timing,
                            dpu_replay *out, roof_error *err)
{
    *out = (dpu_replay){.events = room, .last = ROOF_NONE};
    replay r = {.stream = stream,
                .timing = timing,
                .out = out,
                .saved_by = ROOF_NONE,
                .self_by = ROOF_NONE,
                .fetched_since = ROOF_NONE,
                .offset = stream->file_offset,
                .err = err};
    if (timing->queue_depth > DPU_DEEPEST_QUEUE)
        return error_set(err, ROOF_E_DATA, "queues hold %u instructions: want at most %d",
                         timing->queue_depth, DPU_DEEPEST_QUEUE);
    roof_arena *scratch = arena_new(0);
    roof_status status = scratch ? make_counters(&r, scratch, err) : error_memory(err);
    for (uint32_t i = 0; status == ROOF_OK && i < stream->n_tasks; i++)
        status = run_task(&r, i);
    if (status == ROOF_OK)
        status = check_end(&r);
    arena_free(scratch);
    TRY(status);
    follow_critical_path(&r);
    set_tails(&r);
    return ROOF_OK;
}

roof_status dpu_replay_stream(const roof_stream *stream, const dpu_timing *timing, roof_arena *arena,
                              dpu_replay *out, roof_error *err)
{
    dpu_event *room;
    TRY(ARENA_GET(arena, room, stream->n_tasks, err));
    return dpu_replay_into(room, stream, timing, out, err);
}
