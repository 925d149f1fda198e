/* Plans of sweeps from untrusted files: what can be read has points, each of which is of its lists, and each
 * index is another one; what cannot is explained. */
#include "model/explore/sweep/sweep_point.h"
#include "tests/fuzz/fuzz_target.h"

#include <string.h>

static void check_lists(const roof_sweep_plan *p)
{
    for (uint32_t i = 0; i < p->n_models; i++)
        CHECK(p->models[i].file.path && *p->models[i].file.path && p->models[i].file.found);
    for (uint32_t i = 0; i < p->n_devices; i++)
        CHECK(p->devices[i] && *p->devices[i]);
    for (uint32_t i = 0; i < p->n_clocks; i++)
        CHECK(p->clocks_hz[i] > 0);
    for (uint32_t i = 0; i < p->n_bandwidths; i++)
        CHECK(p->bandwidths_bytes_per_s[i] > 0);
    for (uint32_t i = 0; i < p->n_batches; i++)
        CHECK(p->batches[i] > 0);
    for (uint32_t i = 0; i < p->n_threads; i++)
        CHECK(p->threads[i] > 0 && p->threads[i] <= ROOF_MOST_THREADS);
    for (uint32_t i = 0; i < p->n_measured; i++)
        CHECK(p->measured[i].path && p->measured[i].found);
    for (uint32_t i = 0; i < p->n_calibrations; i++)
        CHECK(p->calibrations[i].path && p->calibrations[i].found);
}

static void check_points(const roof_sweep_plan *p)
{
    CHECK(p->n_points > 0 && p->n_points <= ROOF_MOST_SWEEP_POINTS);
    CHECK(!p->n_measured == (p->n_models && p->n_devices));
    const uint64_t at[] = {0, p->n_points / 3, p->n_points - 1};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const roof_sweep_point point = roof_sweep_point_at(p, at[i]);
        CHECK(point.index == at[i] && !point.pair && !point.profile && !point.why);
        if (p->n_measured)
            CHECK(point.measured >= p->measured && point.measured < p->measured + p->n_measured);
        else
            CHECK(point.model >= p->models && point.model < p->models + p->n_models && point.device);
        CHECK(!p->n_threads == !point.threads && !p->n_batches == !point.batch);
    }
    const roof_sweep_point last = roof_sweep_point_at(p, p->n_points - 1);
    if (!p->n_measured)
        CHECK(last.model == &p->models[p->n_models - 1] && last.device == p->devices[p->n_devices - 1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    roof_sweep_plan *plan = NULL;
    roof_error err = {0};
    if (sweep_plan_parse((const char *)data, size, "folder/fuzz.json", &plan, &err) == ROOF_OK) {
        check_lists(plan);
        check_points(plan);
    } else {
        CHECK(!plan && *err.what && strncmp(err.where, "folder/fuzz.json", strlen("folder/fuzz.json")) == 0);
    }
    roof_sweep_plan_free(plan);
    return 0;
}
