#include "runners/cpu/kernels.h"
#include "core/error.h"
#include "runners/cpu/onednn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MATRIX = 1536, MOST_KERNELS = 32, LEVELS = 4, ADDITIONS = 4 << 20, LAUNCHES = 64 };
static const uint64_t moved_bytes = 64 << 20; /* by a loop over a cache, in each thread */
static const size_t most_memory_bytes = (size_t)256 << 20;

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

static double run_loop(probe *p, kernel *k, roof_error *err)
{
    uint64_t bytes = 0;
    (void)err;
    double seconds = stream_run(p->stream, k->loop, k->each_bytes, k->move_bytes, &bytes);
    k->bytes = bytes;
    return seconds;
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
    static const unsigned arrays[STREAM_LOOPS] = {1, 1, 2, 3};
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
            k->each_bytes = each / arrays[loop] / 512 * 512;
            k->move_bytes = is_memory ? 1 : moved_bytes;
            if (!k->each_bytes)
                k->skipped = "the machine states nothing of this cache";
        }
        largest = is_memory ? each : largest;
    }
    TRY(stream_open(p->n_threads, largest, &p->stream, err));
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
    stream_close(p->stream);
    for (uint32_t i = 0; i < p->n_kernels; i++)
        onednn_close(p->kernels[i].onednn);
    return status;
}
