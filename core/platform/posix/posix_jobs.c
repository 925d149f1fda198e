/* Jobs on several threads; who called takes their results over in order. */
#include "core/platform/platform.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

/* A group that jobs in work are of; it is opened by the first of them, and closed by the last. */
typedef struct place {
    uint64_t group;
    uint32_t n_users;
    enum { PLACE_FREE, PLACE_OPENING, PLACE_OPEN } state;
} place;

typedef struct pool {
    const os_jobs *jobs;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a job is done or taken, a group is open, or all is to end */
    bool *is_done;          /* of each slot */
    place *places;          /* one more than there are threads: a thread holds one at a time */
    uint64_t begun, taken;  /* jobs */
    os_job next;            /* that was begun last: its groups */
    bool is_end;            /* there is no further job */
    roof_status status;     /* not ROOF_OK: all is to end */
    roof_error err;
} pool;

/* The first failure is the one that is told. Under the lock. */
static void fail_all(pool *p, roof_status status, const roof_error *err)
{
    if (p->status == ROOF_OK && status != ROOF_OK) {
        p->status = status;
        p->err = *err;
    }
    pthread_cond_broadcast(&p->changed);
}

/* The next job, once there is room for it; false: there is none. Under the lock. */
static bool begin_job(pool *p, os_job *job)
{
    const uint32_t n_slots = p->jobs->n_slots;
    while (p->status == ROOF_OK && !p->is_end && p->begun - p->taken >= n_slots)
        pthread_cond_wait(&p->changed, &p->lock);
    if (p->status != ROOF_OK || p->is_end)
        return false;
    *job = (os_job){.slot = (uint32_t)(p->begun % n_slots), .next_group = ROOF_UNKNOWN};
    p->is_end = !p->jobs->next(p->jobs->context, job);
    if (p->is_end)
        return false;
    p->is_done[job->slot] = false;
    p->next = *job;
    p->begun++;
    return true;
}

/* Under the lock, which is open while a group is opened. Threads hold one at a time, and one may wait for
 * jobs to come, so that one more than there are threads is enough. */
static uint32_t enter_group(pool *p, uint64_t group)
{
    const os_jobs *j = p->jobs;
    uint32_t i = 0;
    while (i <= j->n_threads && (p->places[i].state == PLACE_FREE || p->places[i].group != group))
        i++;
    if (i > j->n_threads)
        for (i = 0; p->places[i].state != PLACE_FREE;)
            i++;
    place *at = &p->places[i];
    at->n_users++;
    while (at->state == PLACE_OPENING)
        pthread_cond_wait(&p->changed, &p->lock);
    if (at->state == PLACE_OPEN)
        return i;
    at->state = PLACE_OPENING;
    at->group = group;
    roof_error err;
    pthread_mutex_unlock(&p->lock);
    const roof_status status = j->open(j->context, group, i, &err);
    pthread_mutex_lock(&p->lock);
    at->state = PLACE_OPEN;
    fail_all(p, status, &err);
    return i;
}

static void *work_on(void *pool_)
{
    pool *p = pool_;
    const os_jobs *j = p->jobs;
    os_job job;
    pthread_mutex_lock(&p->lock);
    while (begin_job(p, &job)) {
        roof_error err;
        const uint32_t at = enter_group(p, job.group);
        roof_status status = p->status;
        if (status == ROOF_OK) {
            pthread_mutex_unlock(&p->lock);
            status = j->work(j->context, job.slot, at, &err);
            pthread_mutex_lock(&p->lock);
            fail_all(p, status, &err);
        }
        p->places[at].n_users--;
        for (uint32_t i = 0; i <= j->n_threads; i++) { /* a group stays while jobs of it are still to come */
            place *one = &p->places[i];
            if (one->state == PLACE_OPEN && !one->n_users && one->group != p->next.next_group) {
                j->close(j->context, i);
                one->state = PLACE_FREE;
            }
        }
        p->is_done[job.slot] = status == ROOF_OK;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* All that is done in front of what is not, also when a later job has failed. */
static void take_over(pool *p)
{
    const os_jobs *j = p->jobs;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        const uint32_t slot = (uint32_t)(p->taken % j->n_slots);
        while (p->status == ROOF_OK && !(p->is_end && p->taken == p->begun) &&
               !(p->taken < p->begun && p->is_done[slot]))
            pthread_cond_wait(&p->changed, &p->lock);
        if (!(p->taken < p->begun && p->is_done[slot]))
            break;
        pthread_mutex_unlock(&p->lock);
        roof_error err;
        const roof_status status = j->take(j->context, slot, &err);
        pthread_mutex_lock(&p->lock);
        fail_all(p, status, &err);
        if (status != ROOF_OK)
            break;
        p->taken++;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
}

bool os_do_jobs(const os_jobs *jobs, roof_status *status, roof_error *err)
{
    pool p = {.jobs = jobs, .next.next_group = ROOF_UNKNOWN};
    pthread_t *threads = calloc(jobs->n_threads, sizeof *threads);
    p.is_done = calloc(jobs->n_slots, sizeof *p.is_done);
    p.places = calloc((size_t)jobs->n_threads + 1, sizeof *p.places);
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.changed, NULL);
    uint32_t n = 0;
    if (threads && p.is_done && p.places) {
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        while (n < jobs->n_threads && pthread_create(&threads[n], NULL, work_on, &p) == 0)
            n++;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (n)
        take_over(&p);
    for (uint32_t i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    for (uint32_t i = 0; n && i <= jobs->n_threads; i++)
        if (p.places[i].state == PLACE_OPEN)
            jobs->close(jobs->context, i);
    pthread_cond_destroy(&p.changed);
    pthread_mutex_destroy(&p.lock);
    free(p.places);
    free(p.is_done);
    free(threads);
    if (p.status != ROOF_OK)
        *err = p.err;
    *status = p.status;
    return n;
}
