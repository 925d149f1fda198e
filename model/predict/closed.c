#include "model/predict/closed.h"
#include "core/core.h"

WORD_OF(roof_load_bound_text, roof_load_bound, bound, NULL, [ROOF_LOAD_THREADS] = "threads",
        [ROOF_LOAD_CORES] = "cores", [ROOF_LOAD_MEMORY] = "memory", [ROOF_LOAD_HOST] = "host")

/* Cores whose time is known to be full, but for what rounding leaves. */
static const double nearly = 1 - 1e-9;

/* The first `more` of `used` cores have a thread more than the others. */
typedef struct sharing {
    uint32_t used, more, each;
} sharing;

/* Where the number of busy cores stands still. */
typedef struct settled {
    double busy, service_s, fps, memory_ratio;
} settled;

/* More busy cores make S longer, and a longer S keeps more cores busy: from the most that can be, n falls to
 * where it stands still. */
static settled settle(const closed_system *c, const sharing *s)
{
    static const double still = 1e-9;
    enum { MOST_STEPS = 200 };
    settled at = {.busy = s->used};
    for (int i = 0; i < MOST_STEPS; i++) {
        at.service_s = c->service_s(c->of, at.busy, &at.memory_ratio);
        const double round_s = at.service_s + c->host_s, most = 1 / at.service_s; /* of a core */
        at.fps = s->more * fmin((s->each + 1) / round_s, most) +
                 (s->used - s->more) * fmin(s->each / round_s, most);
        const double next = fmax(1, at.service_s * at.fps);
        if (fabs(next - at.busy) < still)
            break;
        at.busy = next;
    }
    return at;
}

void closed_point(const closed_system *c, uint32_t threads, roof_load_point *out)
{
    const uint32_t each = threads / c->cores, more = threads % c->cores;
    const sharing s = {each ? c->cores : more, more, each};
    uint32_t *threads_on_core = out->threads_on_core;
    const double error = threads == 1 ? c->one_thread_error_ratio : c->error_ratio;
    const settled at = settle(c, &s);
    *out = (roof_load_point){.threads = threads,
                             .threads_on_core = threads_on_core,
                             .n_cores = c->cores,
                             .busy_cores = at.busy,
                             .fps = at.fps};
    for (uint32_t i = 0; threads_on_core && i < c->cores; i++)
        threads_on_core[i] = s.each + (i < s.more);
    /* a core that has one thread more than another is full where the other is */
    const bool is_full = s.used == c->cores && s.each / (at.service_s + c->host_s) >= nearly / at.service_s;
    out->bound = !is_full ? ROOF_LOAD_THREADS : at.memory_ratio > 0.5 ? ROOF_LOAD_MEMORY : ROOF_LOAD_CORES;
    out->fps_low = out->fps * (1 - error);
    out->fps_high = out->fps * (1 + error);
    if (c->host_s > 0 && c->cpu_cores / c->host_s < out->fps) {
        out->bound = ROOF_LOAD_HOST;
        out->fps = c->cpu_cores / c->host_s;
        out->fps_low = c->least_cpu_cores / c->host_s;
        out->fps_high = c->most_cpu_cores / c->host_s;
    }
    out->latency_s = threads / out->fps;
}

void closed_knee(const closed_system *c, roof_load_point *out)
{
    enum { MANY = 64 };
    static const double enough = 0.95;
    out->threads_on_core = NULL;
    closed_point(c, MANY, out);
    const double most = out->fps;
    for (uint32_t threads = 1; threads <= MANY; threads++) {
        closed_point(c, threads, out);
        if (out->fps >= enough * most)
            break;
    }
}
