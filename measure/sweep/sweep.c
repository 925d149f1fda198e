/* Several threads compute points in chunks that follow one another; who called hands them over in order. */
#include "roofline/sweep.h"
#include "core/error.h"
#include "core/text.h"
#include "measure/sweep/sweep_point.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

/* CHUNK points are handed over at a time. A thread is at most AHEAD chunks before what is handed over, which
 * bounds the memory. */
enum { CHUNK = 16, AHEAD = 4 };

/* Points of one subject, from first up to before end, and what row wrote of them. */
typedef struct chunk {
    uint64_t first, end;
    textbuf text;
    bool is_done;
} chunk;

/* A subject that chunks in work are of; it is read by the first of them, and freed by the last. */
typedef struct held {
    uint64_t number; /* of the subject */
    sweep_subject subject;
    uint32_t n_users;
    enum { HELD_FREE, HELD_READING, HELD_READ } state;
} held;

typedef struct sweep {
    const roof_sweep_plan *swept;
    const roof_sweep_use *use;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a chunk is done or handed over, a subject is read, or all is to end */
    chunk *chunks;          /* a ring */
    held *held;             /* one more than there are threads: a thread holds one at a time */
    uint32_t n_chunks, n_held;
    uint64_t next, end;     /* the first point that nobody computes yet */
    uint64_t taken, handed; /* chunks */
    roof_status status;     /* not ROOF_OK: all is to end */
    roof_error err;
} sweep;

/* The first failure is the one that is told. Under the lock. */
static void fail(sweep *s, roof_status status, const roof_error *err)
{
    if (s->status == ROOF_OK && status != ROOF_OK) {
        s->status = status;
        s->err = *err;
    }
    pthread_cond_broadcast(&s->changed);
}

/* The next chunk, once there is room for it; NULL: there is none. Under the lock. */
static chunk *take_chunk(sweep *s)
{
    const uint64_t a_subject = sweep_points_a_subject(s->swept);
    while (s->status == ROOF_OK && s->next < s->end && s->taken - s->handed >= s->n_chunks)
        pthread_cond_wait(&s->changed, &s->lock);
    if (s->status != ROOF_OK || s->next >= s->end)
        return NULL;
    chunk *c = &s->chunks[s->taken++ % s->n_chunks];
    const uint64_t end_of_subject = (s->next / a_subject + 1) * a_subject;
    c->first = s->next;
    c->end = c->first + CHUNK < s->end ? c->first + CHUNK : s->end;
    c->end = c->end < end_of_subject ? c->end : end_of_subject;
    c->is_done = false;
    s->next = c->end;
    return c;
}

/* Under the lock, which is open while a subject is read. Threads hold one at a time, and one may wait for
 * chunks to come, so that one more than there are threads is enough. */
static held *hold(sweep *s, uint64_t number)
{
    uint32_t i = 0;
    while (i < s->n_held && (s->held[i].state == HELD_FREE || s->held[i].number != number))
        i++;
    if (i == s->n_held)
        for (i = 0; s->held[i].state != HELD_FREE;)
            i++;
    held *h = &s->held[i];
    h->n_users++;
    while (h->state == HELD_READING)
        pthread_cond_wait(&s->changed, &s->lock);
    if (h->state == HELD_READ)
        return h;
    h->state = HELD_READING;
    h->number = number;
    roof_error err;
    pthread_mutex_unlock(&s->lock);
    const roof_status status = sweep_subject_read(s->swept, number, &h->subject, &err);
    pthread_mutex_lock(&s->lock);
    h->state = HELD_READ;
    fail(s, status, &err);
    return h;
}

/* It stays while chunks of it are still to come. Under the lock. */
static void release(sweep *s, held *h)
{
    const uint64_t next = s->next < s->end ? s->next / sweep_points_a_subject(s->swept) : ROOF_UNKNOWN;
    h->n_users--;
    for (uint32_t i = 0; i < s->n_held; i++) {
        held *one = &s->held[i];
        if (one->state == HELD_READ && !one->n_users && one->number != next) {
            sweep_subject_free(&one->subject);
            one->state = HELD_FREE;
        }
    }
}

static roof_status add_text(void *text, const char *bytes, size_t length, roof_error *err)
{
    text_add(text, bytes, length);
    return text_status(text, err);
}

static roof_status compute(sweep *s, chunk *c, const sweep_subject *subject, roof_error *err)
{
    roof_status status = ROOF_OK;
    for (uint64_t i = c->first; i < c->end && status == ROOF_OK; i++)
        status = sweep_point_put(s->swept, subject, i, s->use, (roof_sink){add_text, &c->text}, err);
    return status;
}

static void *work(void *context)
{
    sweep *s = context;
    chunk *c;
    pthread_mutex_lock(&s->lock);
    while ((c = take_chunk(s))) {
        roof_error err;
        held *h = hold(s, c->first / sweep_points_a_subject(s->swept));
        roof_status status = s->status;
        if (status == ROOF_OK) {
            pthread_mutex_unlock(&s->lock);
            status = compute(s, c, &h->subject, &err);
            pthread_mutex_lock(&s->lock);
            fail(s, status, &err);
        }
        release(s, h);
        c->is_done = status == ROOF_OK;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* All that is done in front of what is not, also when a later point has failed. */
static void hand_over(sweep *s, uint64_t first)
{
    pthread_mutex_lock(&s->lock);
    while (first < s->end) {
        chunk *c = &s->chunks[s->handed % s->n_chunks];
        while (s->status == ROOF_OK && !(s->handed < s->taken && c->is_done))
            pthread_cond_wait(&s->changed, &s->lock);
        if (!(s->handed < s->taken && c->is_done))
            break;
        pthread_mutex_unlock(&s->lock);
        roof_error err;
        const roof_status status =
            s->use->rows(s->use->context, c->end, c->text.bytes ? c->text.bytes : "", c->text.length, &err);
        pthread_mutex_lock(&s->lock);
        fail(s, status, &err);
        if (status != ROOF_OK)
            break;
        first = c->end;
        c->text.length = 0; /* its room stays */
        s->handed++;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
}

static uint32_t processors(void)
{
    cpu_set_t set;
    const int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return n < 1 ? 1 : n > ROOF_MOST_SWEEP_JOBS ? ROOF_MOST_SWEEP_JOBS : (uint32_t)n;
}

/* Signals are the caller's thread's: a handler of the program cleans up what that one writes. Fewer threads
 * than were wanted are enough. */
static roof_status start(sweep *s, pthread_t *threads, uint32_t wanted, uint32_t *n, roof_error *err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (*n < wanted && pthread_create(&threads[*n], NULL, work, s) == 0)
        ++*n;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return *n ? ROOF_OK : error_memory(err);
}

roof_status roof_sweep_run(const roof_sweep_plan *plan, uint64_t first, uint64_t end, uint32_t jobs,
                           const roof_sweep_use *use, roof_error *err)
{
    const uint32_t most = jobs ? jobs : processors();
    sweep s = {
        .swept = plan, .use = use, .next = first, .end = end, .n_chunks = most * AHEAD, .n_held = most + 1};
    uint32_t n = 0;
    if (most > ROOF_MOST_SWEEP_JOBS || first > end || end > plan->n_points)
        return error_set(err, ROOF_E_USAGE, "want at most %d threads, and points of the plan, which has %llu",
                         ROOF_MOST_SWEEP_JOBS, (unsigned long long)plan->n_points);
    pthread_t *threads = calloc(most, sizeof *threads);
    s.chunks = calloc(s.n_chunks, sizeof *s.chunks);
    s.held = calloc(s.n_held, sizeof *s.held);
    pthread_mutex_init(&s.lock, NULL);
    pthread_cond_init(&s.changed, NULL);
    for (uint32_t i = 0; s.chunks && i < s.n_chunks; i++)
        text_init(&s.chunks[i].text, TEXT_MAX_BYTES);
    roof_status status = threads && s.chunks && s.held ? ROOF_OK : error_memory(err);
    if (status == ROOF_OK)
        status = start(&s, threads, most, &n, err);
    if (status == ROOF_OK)
        hand_over(&s, first);
    for (uint32_t i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    for (uint32_t i = 0; s.held && i < s.n_held; i++)
        if (s.held[i].state == HELD_READ)
            sweep_subject_free(&s.held[i].subject);
    for (uint32_t i = 0; s.chunks && i < s.n_chunks; i++)
        text_free(&s.chunks[i].text);
    pthread_cond_destroy(&s.changed);
    pthread_mutex_destroy(&s.lock);
    free(s.held);
    free(s.chunks);
    free(threads);
    if (s.status != ROOF_OK)
        *err = s.err;
    return status == ROOF_OK ? s.status : status;
}
