/* Nothing of roofline is linked: people copy this file with speak.c. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "speak_load.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An inference as it was, kept until the turn is over: a line that is written while others are timed takes
 * their time. */
typedef struct load_sample {
    double total_s, phases_s[SPEAK_LOAD_PHASES];
    uint32_t thread;
} load_sample;

typedef struct worker {
    speak_load *load;
    uint32_t thread;
    pthread_t id;
    double last_s; /* when its inference before ended */
    bool has_begun;
    char why[SPEAK_LOAD_WHY_SIZE]; /* it failed; "": it did not */
} worker;

struct speak_load {
    speak_work work;
    worker *workers;
    uint32_t n_started;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Under the lock: */
    uint32_t n_ready; /* threads that have begun, or failed to */
    uint32_t n_busy;  /* that are in this turn */
    uint64_t turn;    /* its number; each thread takes part in each turn once */
    bool is_over;
    /* State of the turn: */
    load_sample *samples;
    uint32_t n_samples;
    atomic_uint next; /* inference; at most n_samples and one for each thread */
    atomic_uint n_done;
    atomic_bool is_failed;
};

/* --- a thread ------------------------------------------------------------------------------------------- */

/* NULL sample: it does not count. Its time goes from the end of the one before: where more threads run than
 * processors, one may wait for a processor between two inferences as well as in one. */
static bool infer(worker *w, load_sample *sample)
{
    speak_load *l = w->load;
    load_sample nobodys = {0};
    load_sample *to = sample ? sample : &nobodys;
    const bool good = l->work.run(l->work.context, w->thread, to->phases_s, w->why);
    const double end_s = speak_now_s();
    to->total_s = end_s - w->last_s;
    w->last_s = end_s;
    to->thread = w->thread;
    if (!good && !*w->why)
        snprintf(w->why, sizeof w->why, "an inference failed");
    if (!good)
        atomic_store(&l->is_failed, true); /* the others end with what they have in hand */
    return good;
}

/* Samples that count are taken under the load of all threads: a thread begins a turn with an inference that
 * does not count, since the device is idle before, and goes on with such ones until the last that counts is
 * done. */
static void take_inferences(worker *w)
{
    speak_load *l = w->load;
    bool good = infer(w, NULL);
    for (unsigned i;
         good && !atomic_load(&l->is_failed) && (i = atomic_fetch_add(&l->next, 1)) < l->n_samples;) {
        good = infer(w, &l->samples[i]);
        atomic_fetch_add(&l->n_done, 1);
    }
    while (good && !atomic_load(&l->is_failed) && atomic_load(&l->n_done) < l->n_samples)
        good = infer(w, NULL);
}

/* Waits for the turn of this number. False: there is none any more. */
static bool await_turn(speak_load *l, uint64_t number)
{
    pthread_mutex_lock(&l->lock);
    while (l->turn < number && !l->is_over)
        pthread_cond_wait(&l->changed, &l->lock);
    const bool is_there = l->turn >= number;
    pthread_mutex_unlock(&l->lock);
    return is_there;
}

static void count(speak_load *l, uint32_t *what, bool up)
{
    pthread_mutex_lock(&l->lock);
    *what = up ? *what + 1 : *what - 1;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

static void *live(void *worker_)
{
    worker *w = worker_;
    speak_load *l = w->load;
    const speak_work *work = &l->work;
    w->has_begun = true;
    if (work->begin && !work->begin(work->context, w->thread, w->why) && !*w->why)
        snprintf(w->why, sizeof w->why, "thread %u cannot begin", w->thread);
    count(l, &l->n_ready, true);
    for (uint64_t number = 1; await_turn(l, number); number++) {
        take_inferences(w);
        count(l, &l->n_busy, false);
    }
    if (w->has_begun && l->work.end)
        l->work.end(l->work.context, w->thread);
    return NULL;
}

/* --- all of them ---------------------------------------------------------------------------------------- */

/* Waits until a number that threads count is this one. */
static void await(speak_load *l, const uint32_t *what, uint32_t wanted)
{
    pthread_mutex_lock(&l->lock);
    while (*what != wanted)
        pthread_cond_wait(&l->changed, &l->lock);
    pthread_mutex_unlock(&l->lock);
}

/* True where one failed, whose words why has then. */
static bool has_failed(const speak_load *l, char *why)
{
    for (uint32_t i = 0; i < l->n_started; i++)
        if (*l->workers[i].why) {
            memcpy(why, l->workers[i].why, SPEAK_LOAD_WHY_SIZE);
            return true;
        }
    return false;
}

/* The next one begins when the one before it has. */
static bool start_next(speak_load *l, char *why)
{
    worker *w = &l->workers[l->n_started];
    *w = (worker){.load = l, .thread = l->n_started};
    if (pthread_create(&w->id, NULL, live, w) != 0) {
        snprintf(why, SPEAK_LOAD_WHY_SIZE, "the system starts no more than %u threads", l->n_started);
        return false;
    }
    await(l, &l->n_ready, ++l->n_started);
    return !has_failed(l, why);
}

speak_load *speak_load_begin(const speak_work *work, char why[SPEAK_LOAD_WHY_SIZE])
{
    speak_load *l = calloc(1, sizeof *l);
    worker *workers = calloc(work->n_threads, sizeof *workers);
    snprintf(why, SPEAK_LOAD_WHY_SIZE, "memory ran out");
    if (!l || !workers) {
        free(workers);
        free(l);
        return NULL;
    }
    l->work = *work;
    l->workers = workers;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->changed, NULL);
    while (l->n_started < work->n_threads)
        if (!start_next(l, why)) {
            speak_load_end(l);
            return NULL;
        }
    *why = '\0';
    return l;
}

bool speak_load_turn(speak_load *l, speaker *s, uint32_t iterations, char why[SPEAK_LOAD_WHY_SIZE])
{
    free(l->samples);
    l->samples = calloc(iterations, sizeof *l->samples);
    l->n_samples = l->samples ? iterations : 0;
    if (!l->samples) {
        snprintf(why, SPEAK_LOAD_WHY_SIZE, "there is no memory for %u samples", iterations);
        return false;
    }
    pthread_mutex_lock(&l->lock);
    atomic_store(&l->next, 0);
    atomic_store(&l->n_done, 0);
    l->n_busy = l->n_started;
    l->turn++;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    await(l, &l->n_busy, 0);
    if (has_failed(l, why))
        return false;
    for (uint32_t i = 0; i < iterations; i++)
        speak_sample_of_thread(s, l->samples[i].thread,
                               &(speak_sample){.total_s = l->samples[i].total_s,
                                               .phases = l->work.phases,
                                               .phases_s = l->samples[i].phases_s,
                                               .n_phases = l->work.n_phases});
    return true;
}

bool speak_load_turns(speak_load *l, speaker *s, char why[SPEAK_LOAD_WHY_SIZE])
{
    uint32_t iterations;
    while (speak_next_turn(s, &iterations)) {
        if (!speak_load_turn(l, s, iterations, why))
            return false;
        speak_round(s, iterations);
    }
    return true;
}

void speak_load_end(speak_load *l)
{
    if (!l)
        return;
    pthread_mutex_lock(&l->lock);
    l->is_over = true;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    for (uint32_t i = 0; i < l->n_started; i++)
        pthread_join(l->workers[i].id, NULL);
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
    free(l->samples);
    free(l->workers);
    free(l);
}
