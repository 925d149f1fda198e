#include "measure/history/metrics.h"
#include "core/named.h"
#include "measure/profile/run_facts.h"
#include "core/error.h"

#include <math.h>
#include <stddef.h>

/* As stated, or of all rows. */
static double sum_of_layers_s(const roof_run *run)
{
    double sum = 0;
    if (!isnan(run->sum_of_layers_s) || run->is_recording)
        return run->sum_of_layers_s;
    for (uint32_t i = 0; i < run->n_layers; i++)
        sum += row_inference_s(run, &run->layers[i]);
    return run->n_layers ? sum : (double)NAN;
}

/* A member of a run, or what a function says of it. */
#define MEMBER(member) NULL, offsetof(roof_run, member)
static const struct {
    roof_history_metric is;
    double (*of)(const roof_run *run);
    size_t at;
    bool is_of_rows;
} metrics[] = {
    {{"median_s", "median of an inference", "s", false}, MEMBER(total.median_s), true},
    {{"mean_s", "mean of an inference", "s", false}, MEMBER(total.mean_s), true},
    {{"p95_s", "P95 of an inference", "s", false}, MEMBER(total.p95_s), false},
    {{"p99_s", "P99 of an inference", "s", false}, MEMBER(total.p99_s), false},
    {{"sum_of_layers_s", "sum of the layers", "s", false}, sum_of_layers_s, 0, false},
    {{"frames_per_s", "inferences/s", "frames/s", true}, MEMBER(frames_per_s), false},
    {{"energy_j", "energy of an inference", "J", false}, MEMBER(energy_j), false},
    {{"power_w", "power", "W", false}, MEMBER(power_w), false},
    {{"total_bytes", "bytes in external memory of an inference", "B", false}, run_traffic, 0, false},
};
enum { N_METRICS = sizeof metrics / sizeof *metrics };

const roof_history_metric *roof_history_metric_at(size_t i)
{
    return i < N_METRICS ? &metrics[i].is : NULL;
}

double metric_of_run(size_t i, const roof_run *run)
{
    const void *member = (const char *)run + metrics[i].at;
    return metrics[i].of ? metrics[i].of(run) : *(const double *)member;
}

const roof_history_metric *metric_named(const char *name)
{
    const uint32_t i = NAMED_AT(metrics, N_METRICS, is.name, name);
    return i < N_METRICS ? &metrics[i].is : NULL;
}

bool metric_is_of_rows(const roof_history_metric *metric)
{
    for (size_t i = 0; i < N_METRICS; i++)
        if (&metrics[i].is == metric)
            return metrics[i].is_of_rows;
    return false;
}

roof_status series_read_key(store_query *q, int first, roof_history_key *out)
{
    TRY(store_text(q, first, &out->model));
    TRY(store_text(q, first + 1, &out->model_hash));
    TRY(store_text(q, first + 2, &out->device));
    TRY(store_text(q, first + 3, &out->stack));
    TRY(store_text(q, first + 4, &out->mode));
    return store_text(q, first + 5, &out->workload);
}
