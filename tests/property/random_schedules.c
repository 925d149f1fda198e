/* What must hold for the schedule of any instruction stream: random walks through what the protocol of tokens
 * allows, as each family of DPUs spells it. ROOF_SEED sets where to start; a failure prints the seed of its
 * stream. */
#include "tests/property/random.h"
#include "tests/support/schedule_check.h"
#include "tests/unit/fixture.h"

enum { ROUNDS = 600, MOST_TASKS = 12000 };

static uint32_t between(uint32_t low, uint32_t high)
{
    return low + (uint32_t)((next_random() >> 33) % (high - low + 1));
}

/* ---- random streams ---- */

/* How a stream is made. */
typedef struct manner {
    const char *name;
    uint32_t steps, most_tokens; /* in one counter */
    uint32_t gives_in_8;         /* how often a token is left, of eight times */
    /* CONV and MISC carry self tokens only now and then, as in families after the DPUCZDX8G */
    bool has_loose_engines;
    uint32_t ports;
} manner;

static const manner manners[] = {
    {"a DPUCZDX8G", 300, 16, 2, false, 2},     {"a DPUCVDX8G", 300, 16, 2, true, 2},
    {"hardly any token", 100, 4, 1, true, 1},  {"tokens that pile up", 6000, DPU_MOST_TOKENS, 7, false, 4},
    {"a few instructions", 6, 2, 4, false, 2},
};

typedef struct walk {
    const manner *how;
    roof_task tasks[MOST_TASKS];
    uint32_t n, tokens[DPU_QUEUES][DPU_QUEUES];
    bool is_away[DPU_QUEUES]; /* the self token */
} walk;

static roof_task random_task(const walk *w, unsigned queue)
{
    static const uint8_t kinds[DPU_QUEUES][4] = {
        {ROOF_TASK_LOAD, ROOF_TASK_LOAD, ROOF_TASK_LOAD, ROOF_TASK_LOAD},
        {ROOF_TASK_SAVE, ROOF_TASK_SAVE, ROOF_TASK_SAVE, ROOF_TASK_SAVE},
        {ROOF_TASK_SETUP, ROOF_TASK_CONV, ROOF_TASK_CONV, ROOF_TASK_CONV},
        {ROOF_TASK_SETUP, ROOF_TASK_ALU, ROOF_TASK_ALU, ROOF_TASK_ELTWISE},
    };
    roof_task t = {.kind = kinds[queue][between(0, 3)],
                   .queue = (uint8_t)queue,
                   .row = between(0, 9),
                   .pieces = between(0, 2) ? 1 : between(1, 40),
                   .words = (uint8_t)between(1, 6)};
    t.port = (uint8_t)(queue == DPU_QUEUE_SAVE ? between(0, w->how->ports - 1) : 0);
    t.amount = queue == DPU_QUEUE_LOAD || queue == DPU_QUEUE_SAVE ? (uint64_t)t.pieces * between(1, 3000)
                                                                  : between(0, 2) * between(0, 4000);
    return t;
}

/* A save takes the self token, and the same or a later one gives it back. */
static void move_self_token(walk *w, roof_task *t, bool gives_back)
{
    unsigned q = t->queue, own = 1u << q;
    bool is_loose = q == DPU_QUEUE_SAVE || (w->how->has_loose_engines && q != DPU_QUEUE_LOAD);
    if (!w->is_away[q] && (!is_loose || between(0, 1))) {
        t->waits_for |= (uint8_t)own;
        w->is_away[q] = true;
    }
    if (w->is_away[q] && (!is_loose || gives_back || between(0, 1))) {
        t->lets_go |= (uint8_t)own;
        w->is_away[q] = false;
    }
}

static void add_task(walk *w, unsigned queue, bool only_takes)
{
    roof_task t = random_task(w, queue);
    for (unsigned y = 0; y < DPU_QUEUES; y++) {
        if (y == queue)
            continue;
        if (w->tokens[y][queue] && (only_takes || between(0, 3) == 0)) {
            w->tokens[y][queue]--;
            t.waits_for |= (uint8_t)(1u << y);
        }
        if (!only_takes && w->tokens[queue][y] < w->how->most_tokens && between(0, 7) < w->how->gives_in_8) {
            w->tokens[queue][y]++;
            t.lets_go |= (uint8_t)(1u << y);
        }
    }
    move_self_token(w, &t, only_takes);
    assert_true(w->n < MOST_TASKS);
    w->tasks[w->n++] = t;
}

static bool has_tokens(const walk *w, unsigned queue)
{
    bool has = w->is_away[queue];
    for (unsigned y = 0; y < DPU_QUEUES; y++)
        has = has || w->tokens[y][queue];
    return has;
}

/* What was left is taken at the end, and END is the last. */
static void make_stream(walk *w, uint64_t seed)
{
    random_state = seed * 0x9e3779b97f4a7c15 + 1;
    *w = (walk){.how = &manners[seed % COUNT(manners)]};
    for (uint32_t steps = between(0, w->how->steps); steps > 0; steps--)
        add_task(w, between(0, DPU_QUEUES - 1), false);
    for (unsigned q = 0; q < DPU_QUEUES; q++)
        while (has_tokens(w, q))
            add_task(w, q, true);
    w->tasks[w->n++] = (roof_task){.kind = ROOF_TASK_SETUP,
                                   .queue = DPU_QUEUE_SAVE,
                                   .waits_for = 1 << DPU_QUEUE_SAVE,
                                   .lets_go = 1 << DPU_QUEUE_SAVE,
                                   .row = ROOF_NONE,
                                   .pieces = 1,
                                   .words = 1};
}

static void every_legal_stream_has_a_schedule_that_closes(void **state)
{
    static walk w;
    uint64_t seed = first_seed(), tasks = 0;
    (void)state;
    for (uint64_t i = 0; i < ROUNDS; i++) {
        char text[200];
        make_stream(&w, seed + i);
        const roof_stream stream = {
            .tasks = w.tasks, .n_tasks = w.n, .n_instructions = w.n, .is_timed = true, .file_offset = 4096};
        if (schedule_fault(&stream, text, sizeof text))
            fail_msg("ROOF_SEED=%" PRIu64 ", %s: %s", seed + i, w.how->name, text);
        tasks += w.n;
    }
    print_message("%d streams, %" PRIu64 " instructions\n", ROUNDS, tasks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_legal_stream_has_a_schedule_that_closes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
