/* The peaks of this machine: products of matrices, memories, launches.
 *
 * Every kernel is a row of a per-layer run: its name says what it measures, and its macs or bytes how much of
 * it.
 *   f32, bf16, int8             a product of two square matrices by oneDNN
 *   launch                      a primitive with nothing to do, submitted and waited for
 *   boundary                    what timing costs at a row: a wait with nothing to wait for, and a clock read
 *   clock                       additions that wait for each other, one cycle each; bytes is their number
 *   l1.read ... memory.triad    loops over memory, in half of a cache or far beyond
 */
#include "runners/cpu/onednn.h"
#include "core/error.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MATRIX = 1536, MOST_KERNELS = 32, LEVELS = 4, ADDITIONS = 4 << 20, LAUNCHES = 64 };
static const uint64_t moved_bytes = 64 << 20; /* by a loop over a cache, in each thread */
static const size_t most_memory_bytes = (size_t)256 << 20;

/* --- loops over memory with all threads at once --------------------------------------------------------- */

/* Bytes are counted as the loop asks for them: copy reads and writes as many, triad reads twice what it
 * writes. Extra reads of a cache, for lines that are written and were not there, are not counted. */
typedef enum stream_loop { STREAM_READ, STREAM_WRITE, STREAM_COPY, STREAM_TRIAD, STREAM_LOOPS } stream_loop;
static const unsigned arrays_of[STREAM_LOOPS] = {1, 1, 2, 3};

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
#define STORES(name, attribute, value)                                                                       \
    attribute static void name(const span_of_lines *s)                                                       \
    {                                                                                                        \
        for (size_t t = 0; t < s->times; t++) {                                                              \
            for (size_t i = 0; i < s->n; i++)                                                                \
                s->a[i] = value;                                                                             \
            __asm__ volatile("" : : "r"(s->a) : "memory");                                                   \
        }                                                                                                    \
    }
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
    STORES(write_##suffix, attribute, ((line){1, 2, 3, 4}))                                                  \
    STORES(copy_##suffix, attribute, s->b[i])                                                                \
    STORES(triad_##suffix, attribute, s->b[i] + 3.0f * s->c[i])                                              \
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

typedef struct worker {
    pthread_t thread;
    struct stream *stream;
    line *arrays[ARRAYS];
    double begin_s, end_s;
} worker;

typedef struct stream {
    uint32_t n_threads, n_started;
    worker *workers;
    pthread_barrier_t barrier; /* of the workers and who asks them */
    loop_function loop;        /* NULL: end */
    size_t lines, times;
} stream;

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
    FOR_EACH(worker, w, s->workers, s->n_threads) {
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

/* each_bytes: of every array of every thread. */
static roof_status open_stream(uint32_t n_threads, size_t each_bytes, stream **out, roof_error *err)
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

static void close_stream(stream *s)
{
    if (!s || s->n_started != s->n_threads) /* the others wait for ever, and end with the process */
        return;
    s->loop = NULL;
    pthread_barrier_wait(&s->barrier);
    FOR_EACH(const worker, w, s->workers, s->n_threads) {
        pthread_join(w->thread, NULL);
        for (unsigned k = 0; k < ARRAYS; k++)
            free(w->arrays[k]);
    }
    pthread_barrier_destroy(&s->barrier);
    free(s->workers);
    free(s);
}

/* --- what is probed ------------------------------------------------------------------------------------- */

typedef struct probe probe;

/* Runs and times a kernel. Returns seconds; err says why it failed. */
typedef struct kernel {
    const char *name, *skipped;
    double (*run)(probe *p, struct kernel *k, roof_error *err);
    uint64_t macs, bytes;
    onednn *onednn;
    steps steps;
    stream_loop loop;
    size_t each_bytes;
    uint64_t move_bytes;
} kernel;

struct probe {
    speaker *speaker;
    roof_arena *arena;
    uint32_t n_threads;
    stream *stream;
    kernel kernels[MOST_KERNELS];
    uint32_t n_kernels;
};

/* --- kernels -------------------------------------------------------------------------------------------- */

static double run_onednn(probe *p, kernel *k, roof_error *err)
{
    double begin_s = speak_now_s();
    (void)p;
    for (int i = 0; i < (k->macs == ROOF_UNKNOWN ? LAUNCHES : 1); i++)
        if (onednn_submit(k->onednn, 0, err) != ROOF_OK || onednn_wait(k->onednn, err) != ROOF_OK)
            return NAN;
    return speak_now_s() - begin_s;
}

/* Arrays are used up to so many bytes, as often as it takes to move at least move_bytes in each thread. */
static double run_loop(probe *p, kernel *k, roof_error *err)
{
    stream *s = p->stream;
    double begin_s = INFINITY, end_s = 0;
    uint64_t once = (uint64_t)k->each_bytes / sizeof(line) * sizeof(line) * arrays_of[k->loop];
    (void)err;
    s->lines = k->each_bytes / sizeof(line) / 8 * 8;
    s->times = (size_t)(k->move_bytes / once + 1);
    s->loop = choose_loop(k->loop);
    pthread_barrier_wait(&s->barrier);
    pthread_barrier_wait(&s->barrier);
    FOR_EACH(const worker, w, s->workers, s->n_threads) {
        begin_s = fmin(begin_s, w->begin_s);
        end_s = fmax(end_s, w->end_s);
    }
    k->bytes = (uint64_t)s->lines * sizeof(line) * arrays_of[k->loop] * s->times * s->n_threads;
    return end_s - begin_s;
}

static double run_additions(probe *p, kernel *k, roof_error *err)
{
    uint64_t sum = 0;
    double begin_s = speak_now_s();
    (void)p;
    (void)err;
    for (uint64_t i = 0; i < k->bytes / 16; i++)
        for (int j = 0; j < 16; j++) {
            sum++;
            __asm__ volatile("" : "+r"(sum)); /* one after the other */
        }
    return speak_now_s() - begin_s;
}

/* Timing costs this at every row of a per-layer run: a wait and a clock read. */
static double run_boundaries(probe *p, kernel *k, roof_error *err)
{
    double begin_s = speak_now_s(), now_s = begin_s;
    for (int i = 0; i < LAUNCHES; i++) {
        if (onednn_wait(p->kernels[0].onednn, err) != ROOF_OK)
            return NAN;
        now_s = speak_now_s();
    }
    (void)k;
    return now_s - begin_s;
}

static kernel *add_kernel(probe *p, const char *name)
{
    kernel *k = &p->kernels[p->n_kernels++];
    *k = (kernel){.name = name, .macs = ROOF_UNKNOWN, .bytes = ROOF_UNKNOWN};
    return k;
}

/* One step, from the buffer 0 to the buffer 1. */
static roof_status add_step(probe *p, const char *name, const char *data_type, const step *what,
                            roof_error *err)
{
    kernel *k = add_kernel(p, name);
    k->run = run_onednn;
    k->steps = (steps){.rows = NEW(p->arena, step_row),
                       .n_rows = 1,
                       .elements = NEW_ARRAY(p->arena, uint64_t, 2),
                       .n_buffers = 2,
                       .macs = what->macs};
    step *first = NEW(p->arena, step);
    TRY(ALLOCATED(k->steps.rows && k->steps.elements && first, err));
    *first = *what;
    first->out = 1;
    first->n_inputs = 1;
    first->type = "kernel";
    k->steps.rows[0] = (step_row){.name = name, .first = first, .macs = what->macs};
    k->steps.elements[0] = k->steps.elements[1] = what->macs ? (uint64_t)MATRIX * MATRIX : 1;
    TRY(onednn_open(data_type, SPEAK_SEED, p->arena, &k->onednn, err));
    TRY(onednn_make(k->onednn, &k->steps, err));
    k->skipped = k->steps.rows[0].skipped;
    k->macs = what->macs ? what->macs : ROOF_UNKNOWN;
    return ROOF_OK;
}

static roof_status add_compute(probe *p, roof_error *err)
{
    static const char *const types[] = {"f32", "bf16", "int8"};
    const uint64_t n = MATRIX;
    const step product = {.kind = STEP_PRODUCT,
                          .to = {1, 1, MATRIX, MATRIX},
                          .product = {1, MATRIX, MATRIX, MATRIX, true},
                          .macs = n * n * n},
               nothing = {.kind = STEP_COPY};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        TRY(add_step(p, types[i], types[i], &product, err));
    TRY(add_step(p, "launch", "f32", &nothing, err));
    add_kernel(p, "boundary")->run = run_boundaries;
    kernel *clock = add_kernel(p, "clock");
    clock->run = run_additions;
    clock->bytes = ADDITIONS;
    return ROOF_OK;
}

/* --- caches --------------------------------------------------------------------------------------------- */

static bool read_cache(unsigned index, const char *what, char *out, size_t size)
{
    char path[120];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/%s", index, what);
    FILE *file = fopen(path, "re");
    bool good = file && fgets(out, (int)size, file);
    if (file)
        (void)fclose(file);
    return good;
}

/* Bytes of the data cache of a level; 0: the machine reports none. *shared: by several processors. */
static size_t cache_bytes(unsigned level, bool *shared)
{
    char text[64];
    for (unsigned i = 0; i < 8; i++) {
        if (!read_cache(i, "level", text, sizeof text) || strtoul(text, NULL, 10) != level ||
            !read_cache(i, "type", text, sizeof text) || strncmp(text, "Instruction", 11) == 0 ||
            !read_cache(i, "shared_cpu_list", text, sizeof text))
            continue;
        *shared = strpbrk(text, ",-") != NULL;
        char *end = text;
        size_t size = read_cache(i, "size", text, sizeof text) ? strtoul(text, &end, 10) : 0;
        return *end == 'M' ? size << 20 : size << 10;
    }
    return 0;
}

static roof_status add_memories(probe *p, roof_error *err)
{
    static const char *const levels[LEVELS] = {"l1", "l2", "l3", "memory"};
    static const char *const loops[STREAM_LOOPS] = {"read", "write", "copy", "triad"};
    size_t largest = 0;
    for (unsigned level = 0; level < LEVELS; level++) {
        bool shared = false, is_memory = level == LEVELS - 1;
        size_t whole = cache_bytes(level + 1, &shared),
               most = 4 * largest > most_memory_bytes ? 4 * largest : most_memory_bytes;
        largest = whole > largest ? whole : largest;
        size_t each = is_memory ? most / p->n_threads : whole / 2 / (shared ? p->n_threads : 1);
        for (unsigned loop = 0; loop < STREAM_LOOPS; loop++) {
            kernel *k = add_kernel(p, arena_printf(p->arena, "%s.%s", levels[level], loops[loop]));
            k->run = run_loop;
            k->loop = (stream_loop)loop;
            k->each_bytes = each / arrays_of[loop] / 512 * 512;
            k->move_bytes = is_memory ? 1 : moved_bytes;
            if (!k->each_bytes)
                k->skipped = "the machine states nothing of this cache";
        }
        largest = is_memory ? each : largest;
    }
    TRY(open_stream(p->n_threads, largest, &p->stream, err));
    return arena_status(p->arena, err);
}

/* --- turns ---------------------------------------------------------------------------------------------- */

/* Once before it is said how many bytes each moves, and so that nothing is cold. */
static roof_status say_kernels(probe *p, roof_error *err)
{
    speak_layer rows[MOST_KERNELS];
    for (uint32_t i = 0; i < p->n_kernels; i++) {
        kernel *k = &p->kernels[i];
        if (!k->skipped && isnan(k->run(p, k, err)))
            return ROOF_E_DEVICE;
        rows[i] = (speak_layer){k->name, NULL, k->skipped, k->macs, k->bytes};
    }
    speak_layers(p->speaker, rows, p->n_kernels);
    return ROOF_OK;
}

static roof_status run_turns(probe *p, roof_error *err)
{
    double seconds[MOST_KERNELS];
    uint32_t iterations;
    while (speak_next_turn(p->speaker, &iterations)) {
        for (uint32_t n = 0; n < iterations; n++) {
            double begin_s = speak_now_s();
            for (uint32_t i = 0; i < p->n_kernels; i++) {
                kernel *k = &p->kernels[i];
                seconds[i] = k->skipped ? NAN : k->run(p, k, err);
                if (!k->skipped && isnan(seconds[i]))
                    return ROOF_E_DEVICE;
                seconds[i] /= k->macs == ROOF_UNKNOWN && k->bytes == ROOF_UNKNOWN ? LAUNCHES : 1;
            }
            speak_sample_of(p->speaker, &(speak_sample){.total_s = speak_now_s() - begin_s,
                                                        .layers_s = seconds,
                                                        .n_layers = p->n_kernels});
        }
        speak_round(p->speaker, iterations);
    }
    speak_done(p->speaker, ROOF_UNKNOWN);
    return ROOF_OK;
}

roof_status probe_run(speaker *s, uint32_t n_threads, roof_arena *arena, roof_error *err)
{
    probe *p = NEW(arena, probe);
    TRY(ALLOCATED(p, err));
    *p = (probe){.speaker = s, .arena = arena, .n_threads = n_threads};
    roof_status status = add_compute(p, err);
    THEN(status, add_memories(p, err));
    THEN(status, say_kernels(p, err));
    THEN(status, run_turns(p, err));
    close_stream(p->stream);
    for (uint32_t i = 0; i < p->n_kernels; i++)
        onednn_close(p->kernels[i].onednn);
    return status;
}
