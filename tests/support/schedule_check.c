#include "schedule_check.h"
#include "tests/support/replay_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const replay_timing schedule_ideal = {.load_bytes_per_cycle = 32, .save_bytes_per_cycle = 16};
const replay_timing schedule_deployed = {.load_bytes_per_cycle = 28,
                                         .save_bytes_per_cycle = 10,
                                         .pieces_are_accesses = true,
                                         .fetch_cycles_per_word = 8,
                                         .queue_depth = 2};

enum { DAMAGES = 8 };

typedef struct check {
    const roof_stream *stream;
    roof_arena *arena;
    replay_run ideal, deployed;
    char *text;
    size_t size;
} check;

#define FAULT(c, ...) (snprintf((c)->text, (c)->size, __VA_ARGS__), false)

static void *room(roof_arena *arena, size_t n, size_t size)
{
    void *got = arena_alloc(arena, n ? n : 1, size);
    if (!got)
        abort();
    return got;
}

static bool replay(check *c, const replay_timing *timing, replay_run *out)
{
    roof_error err = {0};
    if (replay_stream(c->stream, timing, c->arena, out, &err) == ROOF_OK)
        return true;
    return FAULT(c, "%s at 0x%" PRIx64, err.what, err.byte_offset);
}

/* ---- sums ---- */

/* Where instructions are fetched, a queue may stand still for want of one, which is no wait. */
static bool closes(check *c, const replay_run *r, bool is_fetched)
{
    uint64_t critical = r->fetch_critical;
    for (unsigned q = 0; q < DPU_QUEUES; q++) {
        const replay_queue_times *t = &r->queues[q];
        uint64_t sum = t->busy + t->tail;
        for (unsigned y = 0; y < DPU_QUEUES; y++)
            sum += t->waits[y];
        critical += t->critical;
        if (q != DPU_QUEUE_SAVE && (is_fetched ? sum > r->cycles : sum != r->cycles))
            return FAULT(c, "queue %u is busy, waits and is done for %" PRIu64 " of %" PRIu64 " cycles", q,
                         sum, r->cycles);
        if (t->busy > r->cycles * (q == DPU_QUEUE_SAVE ? REPLAY_PORTS : 1))
            return FAULT(c, "queue %u is busy for %" PRIu64 " of %" PRIu64 " cycles", q, t->busy, r->cycles);
    }
    if (critical != r->cycles || (!is_fetched && r->fetch_critical))
        return FAULT(c, "the critical path has %" PRIu64 " of %" PRIu64 " cycles", critical, r->cycles);
    return true;
}

/* ---- starts, from tokens counted one by one ---- */

static uint64_t round_up(uint64_t bytes, uint64_t rate)
{
    return (bytes + rate - 1) / rate;
}

static uint64_t ideal_duration(const roof_task *t)
{
    return t->kind == ROOF_TASK_SETUP  ? 0
           : t->kind == ROOF_TASK_LOAD ? round_up(t->amount, 32)
           : t->kind == ROOF_TASK_SAVE ? round_up(t->amount, 16)
                                       : t->amount;
}

/* When each of the tokens of one queue for another one was left, all of the stream. */
typedef struct ledger {
    uint64_t *times[DPU_QUEUES][DPU_QUEUES];
    uint32_t left[DPU_QUEUES][DPU_QUEUES], taken[DPU_QUEUES][DPU_QUEUES];
    uint64_t done[DPU_QUEUES], save_start, saves, own, ports[REPLAY_PORTS];
} ledger;

static void later(uint64_t *time, uint64_t other)
{
    *time = other > *time ? other : *time;
}

static uint64_t earliest(ledger *l, const roof_task *t)
{
    uint64_t time = t->queue != DPU_QUEUE_SAVE ? l->done[t->queue] : 0;
    if (t->queue == DPU_QUEUE_SAVE) {
        later(&time, t->kind == ROOF_TASK_SAVE ? l->save_start : l->saves);
        later(&time, t->kind == ROOF_TASK_SAVE ? l->ports[t->port] : 0);
        later(&time, t->waits_for & 1u << DPU_QUEUE_SAVE ? l->own : 0);
    }
    for (unsigned y = 0; y < DPU_QUEUES; y++)
        if (y != t->queue && t->waits_for & 1u << y)
            later(&time, l->times[y][t->queue][l->taken[y][t->queue]++]);
    return time;
}

static void complete(ledger *l, const roof_task *t, const replay_event *event)
{
    uint64_t end = event->end;
    if (t->queue == DPU_QUEUE_SAVE) {
        l->save_start = event->start;
        if (t->kind == ROOF_TASK_SAVE)
            l->ports[t->port] = end;
        later(&l->saves, end);
        end = l->saves;
        if (t->lets_go & 1u << DPU_QUEUE_SAVE)
            l->own = end;
    }
    l->done[t->queue] = end;
    for (unsigned y = 0; y < DPU_QUEUES; y++)
        if (y != t->queue && t->lets_go & 1u << y)
            l->times[t->queue][y][l->left[t->queue][y]++] = end;
}

static bool starts_follow(check *c, const replay_run *r, bool is_fetched)
{
    ledger l = {0};
    for (unsigned x = 0; x < DPU_QUEUES; x++)
        for (unsigned y = 0; y < DPU_QUEUES; y++)
            l.times[x][y] = room(c->arena, c->stream->n_tasks, sizeof(uint64_t));
    for (uint32_t i = 0; i < c->stream->n_tasks; i++) {
        const roof_task *t = &c->stream->tasks[i];
        const replay_event *event = &r->events[i];
        uint64_t from = earliest(&l, t), takes = event->end - event->start;
        if (event->start < from || (!is_fetched && event->start > from))
            return FAULT(c, "task %u starts at %" PRIu64 ", what it waits for is there at %" PRIu64, i,
                         event->start, from);
        if (!is_fetched && takes != ideal_duration(t))
            return FAULT(c, "task %u takes %" PRIu64 " cycles, want %" PRIu64, i, takes, ideal_duration(t));
        if (event->end > r->cycles)
            return FAULT(c, "task %u ends behind the whole", i);
        complete(&l, t, event);
    }
    return true;
}

/* ---- bounds ---- */

static bool is_bounded(check *c)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < c->stream->n_tasks; i++)
        all += c->ideal.events[i].end - c->ideal.events[i].start;
    if (c->ideal.cycles > all)
        return FAULT(c, "%" PRIu64 " cycles, one after the other %" PRIu64, c->ideal.cycles, all);
    if (c->deployed.cycles < c->ideal.cycles)
        return FAULT(c, "%" PRIu64 " cycles deployed, at best %" PRIu64, c->deployed.cycles, c->ideal.cycles);
    return true;
}

/* Queues are in order, and tokens are taken as they were left: nothing overtakes, so what is faster is not
 * slower. */
static bool is_monotone(check *c, const replay_timing *timing, uint64_t cycles)
{
    for (unsigned kind = 0; kind <= ROOF_TASK_KINDS; kind++) {
        replay_timing faster = *timing;
        replay_run r;
        if (kind < ROOF_TASK_KINDS)
            faster.speed[kind] = 2;
        else
            faster.fetch_cycles_per_word /= 2;
        if (!replay(c, &faster, &r))
            return false;
        if (r.cycles > cycles)
            return FAULT(c, "twice as fast, %u makes %" PRIu64 " cycles of %" PRIu64, kind, r.cycles, cycles);
    }
    return true;
}

/* ---- damage ---- */

static bool is_refused(check *c, const roof_stream *damaged, uint32_t task, unsigned bit)
{
    replay_run r;
    roof_error err = {0};
    uint64_t end = damaged->file_offset;
    for (uint32_t i = 0; i < damaged->n_tasks; i++)
        end += 4 * (uint64_t)damaged->tasks[i].words;
    if (replay_stream(damaged, &schedule_ideal, c->arena, &r, &err) != ROOF_E_DATA)
        return FAULT(c, "bit %u of task %u is turned over, and it is not refused", bit, task);
    if (err.byte_offset < damaged->file_offset || err.byte_offset > end)
        return FAULT(c, "refused at 0x%" PRIx64 ", where no instruction is", err.byte_offset);
    return true;
}

/* Then one counter gets what it does not give, or the other way round. */
static bool is_refused_when_damaged(check *c)
{
    uint32_t n = c->stream->n_tasks;
    roof_task *tasks = room(c->arena, n, sizeof *tasks);
    roof_stream damaged = *c->stream;
    damaged.tasks = tasks;
    memcpy(tasks, c->stream->tasks, n * sizeof *tasks);
    for (unsigned i = 0; n && i < DAMAGES; i++) {
        uint32_t at = (uint32_t)((2 * (uint64_t)i + 1) * n / (2 * DAMAGES));
        unsigned bit = (i * 3 + n) % (2 * DPU_QUEUES);
        uint8_t *mask = bit < DPU_QUEUES ? &tasks[at].waits_for : &tasks[at].lets_go;
        *mask ^= (uint8_t)(1u << bit % DPU_QUEUES);
        if (!is_refused(c, &damaged, at, bit))
            return false;
        *mask ^= (uint8_t)(1u << bit % DPU_QUEUES);
    }
    return true;
}

/* With a task for each instruction; that as it is takes as long. */
const char *schedule_fault(const roof_stream *packed, char *text, size_t size)
{
    roof_stream stream = *packed;
    check c = {.stream = &stream, .arena = arena_new(0), .text = text, .size = size};
    if (!c.arena)
        abort();
    roof_task *tasks = room(c.arena, packed->n_instructions, sizeof *tasks);
    replay_expand(packed, tasks);
    stream.tasks = tasks;
    stream.n_tasks = packed->n_instructions;
    bool good = replay(&c, &schedule_ideal, &c.ideal) && replay(&c, &schedule_deployed, &c.deployed) &&
                closes(&c, &c.ideal, false) && closes(&c, &c.deployed, true) &&
                starts_follow(&c, &c.ideal, false) && starts_follow(&c, &c.deployed, true) &&
                is_bounded(&c) && is_monotone(&c, &schedule_ideal, c.ideal.cycles) &&
                is_monotone(&c, &schedule_deployed, c.deployed.cycles) && is_refused_when_damaged(&c);
    replay_run whole;
    roof_error err = {0};
    if (good && (replay_stream(packed, &schedule_deployed, c.arena, &whole, &err) != ROOF_OK ||
                 whole.cycles != c.deployed.cycles || whole.fetch_critical != c.deployed.fetch_critical))
        good = FAULT(&c, "with those that are alike as one it takes %" PRIu64 " cycles, want %" PRIu64,
                     whole.cycles, c.deployed.cycles);
    arena_free(c.arena);
    return good ? NULL : text;
}
