/* roofline/throughput.h - images per second and latency of a deployment: T threads on N cores, the host
 * included.
 *
 * Units: _s seconds; fps images per second; _bytes bytes; cores and threads are counts, busy ones a real
 *   number. Unknown doubles are NaN, unknown counts ROOF_UNKNOWN.
 * Ownership: all of it is the prediction's.
 *
 * A closed system: T threads, each with a runner that is bound to a core when it is created (core = counter
 * mod N), and each in a loop of host work (H) and inference (S). A thread never waits for another's image.
 * One after the other uses a core, which does an inference to its end.
 *
 *   S(n)   time of an inference with n cores busy, since cores share the memory
 *   t_i    threads of core i = floor(T / N), and one more for the first T mod N
 *   x_i    = min(t_i / (S + H), 1 / S), images per second of core i
 *   n      = max(1, S sum x_i): busy cores. Begin with the cores that have a thread, until n stands still
 *   X      = min(sum x_i, C / H), images per second; C processors' worth of work that the host does at a time
 *   T / X  latency of an image, the mean over threads (Little's law)
 *
 * S(n) of a DPU whose layers are timed by the serial law (expect.STACK.serial.* of the device description):
 *   S(n)   = sum over layers of max(engines one after the other, bytes / (ports' width b(n) clock)) + o(n)
 *   b(n)   = min(memory, memory_all N / n)
 *   o(n)   = per_layer + (per_layer_all - per_layer) (n - 1) / (N - 1)       N = cores_all
 * Where the time of one core alone is known otherwise, such as by a replay of the code, it is S(1), and
 * S(n) = S(1) serial(n) / serial(1).
 * H of a kind of application (host.* of the entry):
 *   H      = factor (call + pixel * pixels of the input + output_byte * bytes that come back)
 * The saturation point (knee) is the fewest threads that give 95 % of the rate of 64.
 * Source: docs/hardware/dpuczdx8g.md, "Threads and cores", with errors on networks that nothing was fitted
 *   to. Left out: a camera, decoding, display; cores that are unequal.
 */
#ifndef ROOFLINE_THROUGHPUT_H
#define ROOFLINE_THROUGHPUT_H

#include "roofline/status.h"

ROOF_BEGIN_C

enum {
    ROOF_MOST_CORES = 1024,
    ROOF_MOST_THREADS = 256,     /* of a point, and of a load run */
    ROOF_MOST_THREAD_COUNTS = 64 /* points of a load, and load runs of a sweep */
};

/* Bottleneck of a point's images per second. */
typedef enum roof_load_bound {
    ROOF_LOAD_THREADS, /* cores wait for threads: more of them give more images */
    ROOF_LOAD_CORES,   /* all cores are busy */
    ROOF_LOAD_MEMORY,  /* so they are, and more than half of the time is that of layers that memory sets */
    ROOF_LOAD_HOST,    /* the host's processors are busy */
    ROOF_LOAD_BOUNDS
} roof_load_bound;

/* "threads", "cores", "memory", "host". */
ROOF_API const char *roof_load_bound_text(roof_load_bound bound);

/* The requested load. Borrowed during the call. */
typedef struct roof_load {
    const uint32_t *threads; /* how many threads, a point each */
    uint32_t n_threads;
    const char *host; /* a kind of the device description, "classify", or a time, "0.5ms"; NULL: "none" */
} roof_load;

/* The time of an inference on a core. */
typedef struct roof_service {
    uint32_t busy; /* cores */
    double seconds;
    double memory_ratio; /* of it, in layers that memory sets; NaN: unknown */
} roof_service;

typedef struct roof_load_point {
    uint32_t threads;
    uint32_t *threads_on_core; /* one for each of n_cores */
    uint32_t n_cores;
    double busy_cores, fps, fps_low, fps_high, latency_s;
    roof_load_bound bound;
} roof_load_point;

/* CPU time of an image in one kind of application. */
typedef struct roof_host_kind {
    const char *kind;
    double seconds;
} roof_host_kind;

typedef struct roof_throughput {
    uint32_t cores;
    double cpu_cores; /* C; NaN: unknown */
    struct {
        const char *kind; /* "none", a kind of the entry, or "time" */
        double seconds;
        uint64_t input_pixels, output_bytes;
    } host;
    roof_host_kind *host_kinds; /* all that the entry knows */
    uint32_t n_host_kinds;
    roof_service *service; /* for 1 to cores busy */
    uint32_t n_service;
    roof_load_point *points;
    uint32_t n_points;
    struct {
        uint32_t threads;
        double fps, latency_s;
    } knee;
    struct {
        double cores_fps, host_fps; /* host_fps: NaN without host work */
    } ceilings;
    const char *not_known; /* why there are no points: NULL where there are */
} roof_throughput;

ROOF_END_C
#endif
