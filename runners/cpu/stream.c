#include "runners/cpu/kernels.h"
#include "core/error.h"
#include "runners/speak.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 3, ALIGNED = 4096 };

/* A line of a cache, as wide as the compiler can make of it with the instructions that a function may use. */
typedef float line __attribute__((vector_size(64)));

/* How often over how many lines of each array. */
typedef struct span_of_lines {
    line *a, *b, *c;
    size_t n, times;
} span_of_lines;

/* Sums of what is read are kept, so that no compiler leaves it out. Eight sums, since an addition takes
 * several cycles. */
static volatile float sink;

/* NOLINTBEGIN(bugprone-macro-parentheses): an attribute stands alone */
#define BODIES(suffix, attribute)                                                                            \
    attribute static void read_##suffix(const span_of_lines *s)                                              \
    {                                                                                                        \
        line sums[8] = {{0}};                                                                                \
        for (size_t t = 0; t < s->times; t++)                                                                \
            for (size_t i = 0; i + 8 <= s->n; i += 8)                                                        \
                for (size_t k = 0; k < 8; k++)                                                               \
                    sums[k] += s->a[i + k];                                                                  \
        for (size_t k = 1; k < 8; k++)                                                                       \
            sums[0] += sums[k];                                                                              \
        sink = sums[0][0];                                                                                   \
    }                                                                                                        \
    attribute static void write_##suffix(const span_of_lines *s)                                             \
    {                                                                                                        \
        const line value = {1, 2, 3, 4};                                                                     \
        for (size_t t = 0; t < s->times; t++) {                                                              \
            for (size_t i = 0; i < s->n; i++)                                                                \
                s->a[i] = value;                                                                             \
            __asm__ volatile("" : : "r"(s->a) : "memory");                                                   \
        }                                                                                                    \
    }                                                                                                        \
    attribute static void copy_##suffix(const span_of_lines *s)                                              \
    {                                                                                                        \
        for (size_t t = 0; t < s->times; t++) {                                                              \
            for (size_t i = 0; i < s->n; i++)                                                                \
                s->a[i] = s->b[i];                                                                           \
            __asm__ volatile("" : : "r"(s->a) : "memory");                                                   \
        }                                                                                                    \
    }                                                                                                        \
    attribute static void triad_##suffix(const span_of_lines *s)                                             \
    {                                                                                                        \
        for (size_t t = 0; t < s->times; t++) {                                                              \
            for (size_t i = 0; i < s->n; i++)                                                                \
                s->a[i] = s->b[i] + 3.0f * s->c[i];                                                          \
            __asm__ volatile("" : : "r"(s->a) : "memory");                                                   \
        }                                                                                                    \
    }                                                                                                        \
    static void (*const loops_##suffix[STREAM_LOOPS])(const span_of_lines *) = {                             \
        read_##suffix, write_##suffix, copy_##suffix, triad_##suffix};

/* NOLINTEND(bugprone-macro-parentheses) */
BODIES(plain, )
#ifdef __x86_64__
BODIES(avx2, __attribute__((target("avx2,fma"))))
BODIES(avx512, __attribute__((target("avx512f"))))
#endif

typedef void (*loop_function)(const span_of_lines *);

static loop_function choose_loop(stream_loop loop)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return loops_avx512[loop];
    if (__builtin_cpu_supports("avx2"))
        return loops_avx2[loop];
#endif
    return loops_plain[loop];
}

static const unsigned arrays_of[STREAM_LOOPS] = {1, 1, 2, 3};

typedef struct worker {
    pthread_t thread;
    struct stream *stream;
    line *arrays[ARRAYS];
    double begin_s, end_s;
} worker;

struct stream {
    uint32_t n_threads, n_started;
    worker *workers;
    pthread_barrier_t barrier; /* of the workers and who asks them */
    loop_function loop;        /* NULL: end */
    size_t lines, times;
};

static void *work(void *worker_)
{
    worker *w = worker_;
    stream *s = w->stream;
    for (;;) {
        pthread_barrier_wait(&s->barrier);
        if (!s->loop)
            return NULL;
        const span_of_lines span = {w->arrays[0], w->arrays[1], w->arrays[2], s->lines, s->times};
        w->begin_s = speak_now_s();
        s->loop(&span);
        w->end_s = speak_now_s();
        pthread_barrier_wait(&s->barrier);
    }
}

static roof_status start(stream *s, size_t each_bytes, roof_error *err)
{
    for (uint32_t i = 0; i < s->n_threads; i++) {
        worker *w = &s->workers[i];
        w->stream = s;
        for (unsigned k = 0; k < ARRAYS; k++) {
            w->arrays[k] = aligned_alloc(ALIGNED, each_bytes);
            TRY(ALLOCATED(w->arrays[k], err));
            memset(w->arrays[k], 1, each_bytes);
        }
        int code = pthread_create(&w->thread, NULL, work, w);
        if (code)
            return error_set(err, ROOF_E_DEVICE, "no thread can be started: %s", strerror(code));
        s->n_started++;
    }
    return ROOF_OK;
}

roof_status stream_open(uint32_t n_threads, size_t each_bytes, stream **out, roof_error *err)
{
    stream *s = calloc(1, sizeof *s);
    worker *workers = calloc(n_threads, sizeof *workers);
    *out = s;
    if (!s || !workers) {
        free(workers);
        return error_memory(err);
    }
    s->workers = workers;
    s->n_threads = n_threads;
    each_bytes = (each_bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    if (pthread_barrier_init(&s->barrier, NULL, n_threads + 1) != 0)
        return error_memory(err);
    return start(s, each_bytes, err);
}

double stream_run(stream *s, stream_loop loop, size_t each_bytes, uint64_t move_bytes, uint64_t *bytes)
{
    double begin_s = 0, end_s = 0;
    uint64_t once = (uint64_t)each_bytes / sizeof(line) * sizeof(line) * arrays_of[loop];
    s->lines = each_bytes / sizeof(line) / 8 * 8;
    s->times = (size_t)(move_bytes / once + 1);
    s->loop = choose_loop(loop);
    pthread_barrier_wait(&s->barrier);
    pthread_barrier_wait(&s->barrier);
    for (uint32_t i = 0; i < s->n_threads; i++) {
        begin_s = i == 0 || s->workers[i].begin_s < begin_s ? s->workers[i].begin_s : begin_s;
        end_s = i == 0 || s->workers[i].end_s > end_s ? s->workers[i].end_s : end_s;
    }
    *bytes = (uint64_t)s->lines * sizeof(line) * arrays_of[loop] * s->times * s->n_threads;
    return end_s - begin_s;
}

void stream_close(stream *s)
{
    if (!s || s->n_started != s->n_threads) /* the others wait for ever, and end with the process */
        return;
    s->loop = NULL;
    pthread_barrier_wait(&s->barrier);
    for (uint32_t i = 0; i < s->n_threads; i++) {
        pthread_join(s->workers[i].thread, NULL);
        for (unsigned k = 0; k < ARRAYS; k++)
            free(s->workers[i].arrays[k]);
    }
    pthread_barrier_destroy(&s->barrier);
    free(s->workers);
    free(s);
}
