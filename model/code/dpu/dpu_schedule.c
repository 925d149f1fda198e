#include "model/code/dpu/dpu_schedule.h"
#include "core/core.h"

static const char *const queue_names[DPU_QUEUES] = {"LOAD", "SAVE", "CONV", "MISC"};

/* A time in whole cycles, and the instruction that it is the end or the start of; at 0 none is. A double
 * holds every cycle below most_cycles, and is compared with the time of a fetch, which has fractions,
 * without being converted. */
typedef struct moment {
    double time;
    uint32_t instruction;
} moment;

static inline void at_least(moment *ready, moment other)
{
    if (other.time > ready->time)
        *ready = other;
}

/* Above it a double does not hold every cycle: a stream that takes so long is refused. */
static const double most_cycles = 0x1p53;

/* As ceil, which the oldest processors have no instruction for; at most most_cycles. Without branches, which
 * nothing would predict. */
static inline double whole_above(double value)
{
    value = value < most_cycles ? value : most_cycles;
    const double whole = (double)(int64_t)value;
    return whole + (whole < value ? 1 : 0);
}

/* ---- one run ---- */

/* The last transfer of a kind: most are as long as the one before. */
typedef struct transfer_time {
    uint64_t amount;
    double cycles;
    uint32_t pieces;
} transfer_time;

static const uint32_t NO_ROW = ROOF_NONE - 1; /* no task has this row, nor does one without a row */

typedef struct runner {
    double fetch_cycles_per_word;
    double *row_cycles; /* of the run; NULL: not requested */
    uint32_t queue_depth;
    double fetched;          /* when the last instruction was */
    double end;              /* of all tasks so far, where rows are requested */
    uint32_t fetched_since;  /* the start of this instruction, which left room; ROOF_NONE: the beginning */
    uint32_t free_row;       /* of the stream; NO_ROW */
    double ends[DPU_QUEUES]; /* of the last task of a queue */
    double started[DPU_QUEUES][REPLAY_DEEPEST_QUEUE]; /* by their places in the queue, in a ring */
    uint32_t started_by[DPU_QUEUES][REPLAY_DEEPEST_QUEUE];
    moment latest;                          /* the instruction that ends last, the first of them */
    moment save_start, ports[REPLAY_PORTS]; /* the last start of a save, and the last end at a port */
    moment saved,
        self; /* when all saves were complete, and when the last that gave its self token back was */
    double speed[ROOF_TASK_KINDS];
    transfer_time transfers[ROOF_TASK_KINDS];
    replay_run *run;
} runner;

/* Tokens of other queues that an instruction takes; those of all runs lie side by side. */
typedef struct taken {
    unsigned n;
    const moment *tokens[DPU_QUEUES];
    uint8_t from[DPU_QUEUES];
} taken;

/* Instructions of one task, taken at once: only one alone takes and leaves tokens of other queues. */
typedef struct stretch {
    const roof_task *task;
    uint32_t first, behind; /* of the stream's instructions */
    uint32_t place, before; /* of the first in its queue, counted from 0; the instruction before it there */
    const taken *taken;
} stretch;

static double transfer_cycles(const runner *r, const roof_task *t)
{
    const replay_timing *timing = &r->run->timing;
    double rate = t->kind == ROOF_TASK_LOAD ? timing->load_bytes_per_cycle : timing->save_bytes_per_cycle;
    uint32_t accesses = timing->pieces_are_accesses ? t->pieces : 1;
    uint64_t access_bytes = t->amount / accesses;
    return fmin(most_cycles, accesses * whole_above((double)access_bytes / (rate * r->speed[t->kind])));
}

/* Whole cycles; where they are more than most_cycles, what ends with them is refused. */
static inline __attribute__((always_inline)) double duration_of(runner *r, const roof_task *t)
{
    if (t->kind == ROOF_TASK_LOAD || t->kind == ROOF_TASK_SAVE) {
        transfer_time *known = &r->transfers[t->kind];
        if (known->amount != t->amount || known->pieces != t->pieces)
            *known = (transfer_time){t->amount, transfer_cycles(r, t), t->pieces};
        return known->cycles;
    }
    const double speed = r->speed[t->kind], cycles = (double)t->amount;
    return t->kind == ROOF_TASK_SETUP ? 0 : speed == 1 ? cycles : whole_above(cycles / speed);
}

/* When the queue lets a save start. The END is a task of SAVE that waits for all of them. */
static moment save_ready(const runner *r, const roof_task *t)
{
    if (t->kind != ROOF_TASK_SAVE)
        return r->saved;
    moment ready = r->save_start;
    at_least(&ready, r->ports[t->port]);
    if (t->waits_for & 1u << DPU_QUEUE_SAVE)
        at_least(&ready, r->self);
    return ready;
}

/* A save is complete when all before it are. */
static void save(runner *r, const roof_task *t, moment start, moment end)
{
    r->save_start = start;
    at_least(&r->saved, end);
    if (t->lets_go & 1u << DPU_QUEUE_SAVE)
        r->self = r->saved;
    if (t->kind == ROOF_TASK_SAVE)
        r->ports[t->port] = end;
}

/* How a run takes the instructions of a stretch. */
typedef struct pace {
    double duration, fetch_cycles; /* of each */
    moment token;                  /* the last of those that the first waits for */
    uint8_t token_from;
} pace;

/* own: of this run's tokens. */
static inline __attribute__((always_inline)) pace pace_of(runner *r, const stretch *s, uint32_t own)
{
    const taken *tokens = s->taken;
    pace p = {.token_from = s->task->queue};
    if (s->task->row != r->free_row) {
        p.duration = duration_of(r, s->task);
        p.fetch_cycles = r->fetch_cycles_per_word * s->task->words;
    }
    for (unsigned k = 0; k < tokens->n; k++)
        if (tokens->tokens[k][own].time > p.token.time) {
            p.token = tokens->tokens[k][own];
            p.token_from = tokens->from[k];
        }
    return p;
}

/* Instructions are fetched in program order, and no further than the queues have room: when the one at a
 * place of its queue is. */
static inline __attribute__((always_inline)) double fetched_at(runner *r, const stretch *s, const pace *p,
                                                               uint32_t place, double fetched)
{
    const uint32_t depth = r->queue_depth, room = (place - depth) % REPLAY_DEEPEST_QUEUE;
    fetched += p->fetch_cycles;
    if (depth && r->started[s->task->queue][room] > fetched) {
        fetched = r->started[s->task->queue][room];
        r->fetched_since = r->started_by[s->task->queue][room];
    }
    return fetched;
}

/* As run_stretch where only the cycles are requested, five times as often, and without saves. */
static moment count_stretch(runner *r, const stretch *s, uint32_t own)
{
    const pace p = pace_of(r, s, own);
    const uint32_t n = s->behind - s->first, depth = r->queue_depth;
    double *const started = r->started[s->task->queue];
    double end = r->ends[s->task->queue] > p.token.time ? r->ends[s->task->queue] : p.token.time,
           fetched = r->fetched;
    if (r->fetch_cycles_per_word > 0) {
        for (uint32_t place = s->place; place < s->place + n; place++) {
            /* as fetched_at, but for what set it */
            const double room = depth ? started[(place - depth) % REPLAY_DEEPEST_QUEUE] : 0;
            fetched += p.fetch_cycles;
            fetched = fetched < room ? room : fetched;
            if (end < fetched)
                end = whole_above(fetched);
            started[place % REPLAY_DEEPEST_QUEUE] = end;
            end += p.duration;
        }
    } else {
        end += n * p.duration;
    }
    r->fetched = fetched;
    r->ends[s->task->queue] = end;
    return (moment){end, s->behind - 1};
}

/* events: room for those of the stretch; NULL: not requested. saves: of that queue. Both are constants at
 * each call. Returns when the last of the instructions ends; a save is complete when all before it are. */
static inline __attribute__((always_inline)) moment run_stretch(runner *r, const stretch *s, uint32_t own,
                                                                replay_event *events, bool saves)
{
    const pace p = pace_of(r, s, own);
    const bool fetches = r->fetch_cycles_per_word > 0;
    moment end = {r->ends[s->task->queue], s->before};
    double fetched = r->fetched;
    for (uint32_t i = s->first; i < s->behind; i++) {
        const moment ready = saves ? save_ready(r, s->task) : end;
        const bool waits = p.token.time > ready.time; /* the first one at most */
        moment start = waits ? p.token : ready;
        double unfetched = 0;
        if (fetches) {
            const uint32_t place = s->place + (i - s->first);
            fetched = fetched_at(r, s, &p, place, fetched);
            if (start.time < fetched) {
                unfetched = whole_above(fetched) - start.time;
                start = (moment){start.time + unfetched, r->fetched_since};
            }
            r->started[s->task->queue][place % REPLAY_DEEPEST_QUEUE] = start.time;
            r->started_by[s->task->queue][place % REPLAY_DEEPEST_QUEUE] = i;
        }
        end = (moment){start.time + p.duration, i};
        if (end.time >= most_cycles)
            return end;
        if (saves)
            save(r, s->task, (moment){start.time, i}, end);
        if (events) {
            const uint64_t waited = waits ? (uint64_t)(int64_t)(p.token.time - ready.time) : 0;
            if (waits)
                r->run->queues[s->task->queue].waits[p.token_from] += waited;
            at_least(&r->latest, end);
            *events++ = (replay_event){.start = (uint64_t)(int64_t)start.time,
                                       .end = (uint64_t)(int64_t)end.time,
                                       .waited = waited,
                                       .unfetched = (uint64_t)(int64_t)unfetched,
                                       .before = start.time > 0 ? start.instruction : ROOF_NONE,
                                       .waited_for = waits ? p.token_from : s->task->queue};
        }
    }
    if (events)
        r->run->queues[s->task->queue].busy += (uint64_t)(int64_t)p.duration * (s->behind - s->first);
    r->fetched = fetched;
    r->ends[s->task->queue] = end.time;
    return saves ? r->saved : end;
}

static void end_run(const runner *r, const roof_stream *stream)
{
    replay_run *run = r->run;
    double last = r->saved.time;
    for (unsigned q = 0; q < DPU_QUEUES; q++)
        last = fmax(last, r->ends[q]);
    run->cycles = (uint64_t)last;
    if (!run->events)
        return;
    run->last = stream->n_tasks ? r->latest.instruction : ROOF_NONE;
    for (unsigned q = 0; q < DPU_QUEUES; q++)
        if (q != DPU_QUEUE_SAVE)
            run->queues[q].tail = run->cycles - (uint64_t)r->ends[q];
}

/* ---- all runs ---- */

/* Tokens that queue x left for queue y, oldest first, in a ring. */
typedef struct counter {
    moment *tokens; /* room for replay.most_tokens of every run */
    uint32_t first, n;
} counter;

typedef struct replay {
    const roof_stream *stream;
    runner *runners;
    uint32_t n_runs;
    counter counters[DPU_QUEUES][DPU_QUEUES]; /* of x for y; none for x == y */
    uint32_t most_tokens;
    uint32_t self_tokens[DPU_QUEUES];
    uint32_t n_instructions[DPU_QUEUES], last[DPU_QUEUES]; /* of a queue, so far */
    uint32_t task, instruction;                            /* the next ones */
    moment *done;                                          /* of each run, when the last stretch ended */
    roof_error *err;
} replay;

/* instruction: at which it cannot go on. */
static roof_status fail(const replay *r, uint32_t instruction, const char *what, unsigned from, unsigned to)
{
    uint64_t offset = r->stream->file_offset;
    for (uint32_t i = 0, n; instruction; i++, instruction -= n) {
        n = 1 + (uint32_t)r->stream->tasks[i].alike;
        n = n < instruction ? n : instruction;
        offset += 4 * (uint64_t)r->stream->tasks[i].words * n;
    }
    return error_at(r->err, ROOF_E_DATA, offset,
                    "the instruction stream cannot run to its end: %s (%s for %s)", what, queue_names[from],
                    queue_names[to]);
}

static roof_status leave_tokens(replay *r, const roof_task *t, uint32_t instruction)
{
    for (unsigned left = t->lets_go & ~(1u << t->queue); left; left &= left - 1) {
        const unsigned to = (unsigned)__builtin_ctz(left);
        counter *c = &r->counters[t->queue][to];
        if (c->n == DPU_MOST_TOKENS)
            return fail(r, instruction, "a counter of tokens overflows", t->queue, to);
        uint32_t place = c->first + c->n++;
        place = place < r->most_tokens ? place : place - r->most_tokens;
        for (uint32_t i = 0; i < r->n_runs; i++)
            c->tokens[(size_t)place * r->n_runs + i] = r->done[i];
    }
    return ROOF_OK;
}

static roof_status take_tokens(replay *r, const roof_task *t, uint32_t instruction, taken *out)
{
    for (unsigned left = t->waits_for & ~(1u << t->queue); left; left &= left - 1) {
        const unsigned from = (unsigned)__builtin_ctz(left);
        counter *c = &r->counters[from][t->queue];
        if (!c->n)
            return fail(r, instruction, "an instruction waits for a token that nothing before it leaves",
                        from, t->queue);
        out->tokens[out->n] = c->tokens + (size_t)c->first * r->n_runs;
        out->from[out->n++] = (uint8_t)from;
        /* one that is empty begins again, which touches less memory */
        c->first = --c->n && c->first + 1 < r->most_tokens ? c->first + 1 : 0;
    }
    return ROOF_OK;
}

/* Later families than the DPUCZDX8G let several instructions of CONV go before they wait for one. */
static inline __attribute__((always_inline)) roof_status move_self_token(replay *r, const roof_task *t,
                                                                         uint32_t instruction)
{
    const uint32_t takes = t->waits_for >> t->queue & 1, gives = t->lets_go >> t->queue & 1,
                   there = r->self_tokens[t->queue];
    if (takes && !there)
        return fail(r, instruction, "an instruction waits for a self token, which nothing gave back",
                    t->queue, t->queue);
    r->self_tokens[t->queue] = there - takes + gives;
    return ROOF_OK;
}

static inline void add_to_row(runner *r, const roof_task *t, double end)
{
    if (!r->row_cycles || !(end > r->end))
        return;
    if (t->row != ROOF_NONE)
        r->row_cycles[t->row] += end - r->end;
    r->end = end;
}

/* The next n instructions of a task. events: NULL, a constant at each call, where no run requests them. */
static inline __attribute__((always_inline)) roof_status take_stretch(replay *r, const roof_task *t,
                                                                      uint32_t n, replay_event *events)
{
    const unsigned queue = t->queue, others = ~(1u << queue);
    taken tokens;
    const stretch s = {.task = t,
                       .first = r->instruction,
                       .behind = r->instruction + n,
                       .place = r->n_instructions[queue],
                       .before = r->last[queue],
                       .taken = &tokens};
    tokens.n = 0;
    TRY(move_self_token(r, t, s.first));
    if (t->waits_for & others)
        TRY(take_tokens(r, t, s.first, &tokens));
    r->instruction = s.behind;
    r->n_instructions[queue] += n;
    r->last[queue] = s.behind - 1;
    const bool saves = queue == DPU_QUEUE_SAVE;
    runner *one = r->runners;
    for (uint32_t i = 0, n_runs = events ? 1 : r->n_runs; i < n_runs; i++, one++) {
        const moment end = events && saves ? run_stretch(one, &s, i, events, true)
                           : events        ? run_stretch(one, &s, i, events, false)
                           : saves         ? run_stretch(one, &s, i, NULL, true)
                                           : count_stretch(one, &s, i);
        r->done[i] = end;
        if (end.time >= most_cycles)
            return fail(r, end.instruction, "it takes more cycles than can be counted", queue, queue);
        add_to_row(one, t, end.time);
    }
    return t->lets_go & others ? leave_tokens(r, t, s.first) : ROOF_OK;
}

/* Goes on for most instructions, and to the end of the last one's task. */
static inline __attribute__((always_inline)) roof_status take_tasks(replay *r, uint32_t most,
                                                                    replay_event *events)
{
    const roof_task *const tasks = r->stream->tasks;
    const uint32_t first = r->instruction, end = r->stream->n_tasks;
    uint32_t task = r->task;
    for (; task < end && r->instruction - first < most; task++) {
        const roof_task *t = &tasks[task];
        uint32_t left = t->alike + 1u, n = left;
        if (t->alike &&
            (t->waits_for ^ t->lets_go) >> t->queue & 1) /* it keeps its self token, or gives two */
            n = 1;
        for (; left > 0; left -= n)
            TRY(take_stretch(r, t, n, events ? events + (r->instruction - first) : NULL));
    }
    r->task = task;
    return ROOF_OK;
}

/* The same with the events of a block. */
static __attribute__((nonnull)) roof_status run_block(replay *r, uint32_t most, replay_event *events,
                                                      replay_block *block)
{
    const uint32_t first = r->instruction, first_task = r->task;
    TRY(take_tasks(r, most, events));
    *block = (replay_block){events, first, r->instruction, first_task, r->task};
    return ROOF_OK;
}

static roof_status check_end(const replay *r)
{
    for (unsigned x = 0; x < DPU_QUEUES; x++) {
        if (r->self_tokens[x] != 1)
            return fail(r, r->instruction, "the self tokens at the end are not one", x, x);
        for (unsigned y = 0; y < DPU_QUEUES; y++)
            if (x != y && r->counters[x][y].n)
                return fail(r, r->instruction, "tokens are left at the end", x, y);
    }
    return ROOF_OK;
}

/* A way back along the critical path, from the last block to the first. */
typedef struct path_end {
    replay_step step;     /* the last one */
    uint32_t instruction; /* the next one; ROOF_NONE: the path ends */
    uint32_t task_first;  /* the first instruction of step.task */
    bool fetches;         /* the last one waited for a fetch, which went on since the next one starts */
} path_end;

/* Hands over the events of a block, behind which all are handed over, and the path through it. */
static void take_block(const replay *r, const replay_block *block, path_end *path)
{
    replay_run *const run = r->runners->run;
    const roof_task *const tasks = r->stream->tasks;
    replay_step step = path->step;
    uint32_t at = path->instruction, task_first = path->task_first;
    bool fetches = path->fetches;
    if (run->take)
        run->take(run->context, run, block);
    while (at == ROOF_NONE ? fetches : at >= block->first) {
        static const replay_event beginning = {.before = ROOF_NONE};
        const replay_event *event = at == ROOF_NONE ? &beginning : &block->events[at - block->first];
        const uint64_t cycles = step.start - event->start;
        step.cycles = cycles;
        step.fetch_cycles = 0;
        if (fetches) {
            step.cycles = 0;
            step.fetch_cycles = cycles;
            step.behind_task = step.task;
            step.behind_place = step.instruction - task_first;
            run->fetch_critical += cycles;
        }
        step.instruction = at;
        step.start = event->start;
        while (task_first > at)
            task_first -= 1 + tasks[--step.task].alike;
        run->queues[tasks[step.task].queue].critical += step.cycles;
        at = event->before;
        fetches = event->unfetched;
        if (run->step)
            run->step(run->context, run, &step);
    }
    *path = (path_end){step, at, task_first, fetches};
}

/* Where a block of events begins, so that it can be run again. */
typedef struct checkpoint {
    replay replay;
    runner runner;
} checkpoint;

/* All of a stream, with its events. There is room for those of one block: of several, each keeps a
 * checkpoint, from which it runs again, the last one first, as the path goes. */
static roof_status run_with_events(replay *r, moment *tokens, size_t n_tokens)
{
    runner *const one = r->runners;
    replay_run *const run = one->run;
    replay_block block;
    path_end path;
    const uint32_t most = r->stream->n_instructions / REPLAY_BLOCK + 1;
    checkpoint *points = most > 1 ? malloc(most * sizeof *points) : NULL;
    moment *kept = most > 1 ? malloc(most * n_tokens * sizeof *kept) : NULL;
    roof_status status = most > 1 && !(points && kept) ? error_memory(r->err) : ROOF_OK;
    uint32_t n = 0;
    for (bool more = true; status == ROOF_OK && more; more = r->task < r->stream->n_tasks) {
        if (points) {
            points[n] = (checkpoint){*r, *one};
            memcpy(kept + n++ * n_tokens, tokens, n_tokens * sizeof *kept);
        }
        status = run_block(r, REPLAY_BLOCK, run->events, &block);
    }
    THEN(status, check_end(r));
    if (status == ROOF_OK) {
        end_run(one, r->stream);
        path = (path_end){.step = {.start = run->cycles, .task = r->stream->n_tasks},
                          .instruction = run->last,
                          .task_first = r->stream->n_instructions};
        take_block(r, &block, &path);
    }
    const replay_run all = *run;
    for (n = n ? n - 1 : 0; status == ROOF_OK && n-- > 0;) {
        *r = points[n].replay;
        *one = points[n].runner;
        one->row_cycles = NULL; /* has them */
        memcpy(tokens, kept + n * n_tokens, n_tokens * sizeof *kept);
        status = run_block(r, REPLAY_BLOCK, run->events, &block);
        if (status == ROOF_OK)
            take_block(r, &block, &path);
    }
    for (unsigned q = 0; q < DPU_QUEUES; q++) {
        run->queues[q].busy = all.queues[q].busy;
        memcpy(run->queues[q].waits, all.queues[q].waits, sizeof all.queues[q].waits);
    }
    free(points);
    free(kept);
    return status;
}

static roof_status begin(runner *r, const roof_stream *stream, replay_run *run, roof_error *err)
{
    const replay_timing *timing = &run->timing;
    if (timing->queue_depth > REPLAY_DEEPEST_QUEUE)
        return error_data(err, "queues hold %u instructions: want at most %d", timing->queue_depth,
                          REPLAY_DEEPEST_QUEUE);
    *run = (replay_run){.timing = *timing,
                        .events = run->events,
                        .take = run->take,
                        .step = run->step,
                        .context = run->context,
                        .row_cycles = run->row_cycles};
    *r = (runner){.run = run,
                  .fetch_cycles_per_word = timing->fetch_cycles_per_word,
                  .queue_depth = timing->queue_depth,
                  .row_cycles = run->row_cycles,
                  .fetched_since = ROOF_NONE,
                  .free_row = NO_ROW};
    if (timing->free_row > stream->first_row)
        r->free_row = timing->free_row - stream->first_row - 1;
    for (unsigned kind = 0; kind < ROOF_TASK_KINDS; kind++)
        r->speed[kind] = timing->speed[kind] > 0 ? timing->speed[kind] : 1;
    return ROOF_OK;
}

roof_status dpu_replay(const roof_stream *stream, replay_run *runs, uint32_t n_runs, roof_error *err)
{
    enum { COUNTERS = DPU_QUEUES * DPU_QUEUES };
    replay r = {.stream = stream, .n_runs = n_runs, .err = err};
    /* Each task leaves one token in a counter at most: the short code of a layer, of which there are many,
     * needs little room. */
    r.most_tokens = stream->n_tasks < DPU_MOST_TOKENS ? stream->n_tasks : DPU_MOST_TOKENS;
    const size_t room = (size_t)r.most_tokens * n_runs;
    r.runners = malloc((n_runs + 1) * sizeof *r.runners);
    moment *moments = malloc((room * COUNTERS + n_runs + 1) * sizeof *moments);
    roof_status status = ALLOCATED(r.runners && moments, err);
    for (uint32_t i = 0; status == ROOF_OK && i < n_runs; i++)
        status = begin(&r.runners[i], stream, &runs[i], err);
    r.done = moments ? moments + room * COUNTERS : NULL;
    for (unsigned x = 0; status == ROOF_OK && x < DPU_QUEUES; x++) {
        r.self_tokens[x] = 1;
        for (unsigned y = 0; y < DPU_QUEUES; y++)
            r.counters[x][y].tokens = moments + room * (x * DPU_QUEUES + y);
    }
    if (status == ROOF_OK && n_runs && runs->events) {
        status = run_with_events(&r, moments, room * COUNTERS);
    } else if (status == ROOF_OK) {
        status = take_tasks(&r, UINT32_MAX, NULL);
        THEN(status, check_end(&r));
        for (uint32_t i = 0; status == ROOF_OK && i < n_runs; i++)
            end_run(&r.runners[i], stream);
    }
    free(moments);
    free(r.runners);
    return status;
}

const code_replayer dpu_replayer = {
    .queues = {"load", "save", "conv", "misc"}, .ports = {1, 2, 1, 1}, .run = dpu_replay};
