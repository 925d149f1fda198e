/* tests/support/history_runs.h - histories with invented runs, for tests, goldens and seeds. */
#ifndef ROOF_TESTS_HISTORY_RUNS_H
#define ROOF_TESTS_HISTORY_RUNS_H

#include "roofline/history.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* A document with a bypass run and a per-layer run of two rows. */
typedef struct history_document {
    uint64_t number;   /* tells its hash, its date and its commit */
    const char *model; /* "net" */
    double time_s;     /* of an inference */
    bool has_hash, has_samples;
    double conv2_more; /* of the time that conv2 has else: 0.2 is a fifth more, which the total has as well */
} history_document;

enum { HISTORY_SAMPLES = 20 };

static inline roof_times history_times(double typical_s)
{
    return (roof_times){.count = HISTORY_SAMPLES,
                        .mean_s = typical_s,
                        .std_s = typical_s / 50,
                        .min_s = typical_s,
                        .max_s = typical_s,
                        .median_s = typical_s,
                        .p95_s = 1.05 * typical_s,
                        .p99_s = 1.07 * typical_s,
                        .cov_ratio = NAN};
}

static inline roof_run history_run(roof_run_mode mode, double time_s)
{
    return (roof_run){.mode = mode,
                      .batch = ROOF_NONE,
                      .threads = ROOF_NONE,
                      .cores = ROOF_NONE,
                      .frames_per_s = NAN,
                      .total = history_times(time_s),
                      .sum_of_layers_s = NAN,
                      .span_s = NAN,
                      .busy_s = NAN,
                      .setup_s = NAN,
                      .read_bytes = ROOF_UNKNOWN,
                      .write_bytes = ROOF_UNKNOWN,
                      .total_bytes = ROOF_UNKNOWN,
                      .energy_j = NAN,
                      .power_w = NAN,
                      .idle_power_w = NAN};
}

static inline roof_status history_add_document(roof_history *h, const history_document *d,
                                               roof_history_added *added, roof_error *err)
{
    char sha256[65], commit[16];
    double samples_s[HISTORY_SAMPLES];
    const double conv2_s = 0.3 * d->time_s * (1 + d->conv2_more), time_s = 0.7 * d->time_s + conv2_s;
    for (int i = 0; i < HISTORY_SAMPLES; i++)
        samples_s[i] = time_s * (1 + 0.001 * (i - HISTORY_SAMPLES / 2.0));
    roof_measured_layer layers[] = {{.time = history_times(0.6 * d->time_s), .name = "conv1", .index = 1},
                                    {.time = history_times(conv2_s), .name = "conv2", .index = 2}};
    roof_run runs[] = {history_run(ROOF_RUN_BYPASS, time_s), history_run(ROOF_RUN_PER_LAYER, time_s)};
    runs[0].total.samples_s = d->has_samples ? samples_s : NULL;
    runs[1].layers = layers;
    runs[1].n_layers = sizeof layers / sizeof *layers;
    roof_experiment experiment = {.model_name = d->model ? d->model : "net",
                                  .graph_hash = d->has_hash ? "9f1c02ab55d3e871" : NULL,
                                  .hardware_id = "kv260",
                                  .runs = runs,
                                  .n_runs = sizeof runs / sizeof *runs};
    roof_measured_source source = {.tool = "vart"};
    const roof_measured m = {
        .sources = &source, .n_sources = 1, .experiments = &experiment, .n_experiments = 1};
    snprintf(sha256, sizeof sha256, "%064" PRIx64, d->number);
    snprintf(commit, sizeof commit, "c%04" PRIu64, d->number);
    const roof_history_document about = {sha256, "measured.json", commit, NULL,
                                         1767225600 + 86400 * (int64_t)d->number}; /* from 2026-01-01 on */
    return roof_history_add(h, &m, &about, added, err);
}

/* Makes the index of runs by series the one of series. */
#define HISTORY_ANOTHER_INDEX                                                                                \
    "PRAGMA writable_schema = 1; UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master "   \
    "WHERE name = 'sqlite_autoindex_series_1') WHERE name = 'runs_of_series'"

/* Noise of 1 % that is the same everywhere, from any state: a sum of four numbers of splitmix64 (S. Vigna),
 * each of which has a deviation of 1 / sqrt(12). */
static inline double history_noise(uint64_t *state)
{
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t z = *state += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        sum += (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0 - 0.5;
    }
    return 1 + 0.01 * sum * 1.7320508075688772;
}

/* n documents of a model from `number` on, around a time. */
static inline roof_status history_add_runs(roof_history *h, history_document first, uint64_t n,
                                           uint64_t *noise, roof_error *err)
{
    roof_history_added added;
    roof_status status = ROOF_OK;
    for (uint64_t i = 0; i < n && status == ROOF_OK; i++) {
        history_document d = first;
        d.number += i;
        d.time_s *= history_noise(noise);
        status = history_add_document(h, &d, &added, err);
    }
    return status;
}

#endif
