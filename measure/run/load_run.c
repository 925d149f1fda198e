#include "measure/run/load_run.h"
#include "core/error.h"

#include <math.h>

roof_status load_describe(roof_measured *m, const runner_samples *samples, uint32_t threads, uint32_t batch,
                          roof_run *run, roof_error *err)
{
    double *sums_s, *means_s, per_s = 0;
    uint32_t *counts;
    TRY(ARENA_GET(m->storage->arena, sums_s, threads, err));
    TRY(ARENA_GET(m->storage->arena, means_s, threads, err));
    TRY(ARENA_GET(m->storage->arena, counts, threads, err));
    for (uint32_t i = 0; i < samples->n; i++) {
        sums_s[samples->threads[i]] += samples->totals_s[i];
        counts[samples->threads[i]]++;
    }
    for (uint32_t t = 0; t < threads; t++) {
        means_s[t] = counts[t] ? sums_s[t] / counts[t] : NAN; /* others may have taken all of a short turn */
        per_s += counts[t] ? counts[t] / sums_s[t] : 0;
    }
    run->threads = threads;
    run->batch = batch;
    run->thread_means_s = means_s;
    run->frames_per_s = isfinite(per_s * batch) ? per_s * batch : NAN; /* a coarse clock may say 0 s */
    return ROOF_OK;
}
