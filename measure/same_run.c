/* The hash is XXH3 of 128 bits: of a billion runs no two share one by chance. */
#include "measure/same_run.h"
#include "measure/counter.h"

#include <math.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static void take(XXH3_state_t *h, const void *bytes, size_t n)
{
    XXH3_128bits_update(h, bytes, n);
}

static void take_count(XXH3_state_t *h, uint64_t value)
{
    take(h, &value, sizeof value);
}

/* All that is not known is alike. */
static void take_double(XXH3_state_t *h, double value)
{
    double one = isnan(value) ? -1 : value + 0.0;
    take(h, &one, sizeof one);
}

static void take_text(XXH3_state_t *h, const char *text)
{
    take_count(h, text ? strlen(text) : UINT64_MAX);
    if (text)
        take(h, text, strlen(text));
}

/* All else follows from samples. */
static void take_times(XXH3_state_t *h, const roof_times *t)
{
    const double kept[] = {t->mean_s, t->std_s, t->min_s, t->max_s, t->median_s, t->p95_s, t->p99_s};
    take_count(h, t->count);
    if (t->samples_s)
        take(h, t->samples_s, (size_t)t->count * sizeof *t->samples_s);
    for (size_t i = 0; !t->samples_s && i < sizeof kept / sizeof *kept; i++)
        take_double(h, kept[i]);
}

static void take_cycles(XXH3_state_t *h, const roof_domain_cycles *cycles, uint32_t n)
{
    take_count(h, n);
    for (uint32_t i = 0; i < n; i++) {
        take_text(h, cycles[i].domain);
        take_count(h, cycles[i].cycles);
    }
}

static void take_phases(XXH3_state_t *h, const roof_phase_cycles *phases, uint32_t n)
{
    take_count(h, n);
    for (uint32_t i = 0; i < n; i++) {
        take_text(h, phases[i].name);
        take_cycles(h, phases[i].cycles, phases[i].n_cycles);
    }
}

static void take_events(XXH3_state_t *h, const roof_event *events, uint32_t n)
{
    char name[COUNTER_NAME_SIZE];
    take_count(h, n);
    for (uint32_t i = 0; i < n; i++) {
        take_text(h, counter_name(&events[i], name));
        take_count(h, events[i].count);
    }
}

static void take_layer(XXH3_state_t *h, const roof_measured_layer *l)
{
    const roof_layer_counters *c = l->counters;
    take_text(h, l->name);
    take_count(h, l->index);
    take_times(h, &l->time);
    take_count(h, c != NULL);
    if (!c)
        return;
    const uint64_t counts[] = {c->read_bytes, c->write_bytes, c->total_bytes, c->workload_ops};
    take(h, counts, sizeof counts);
    take_double(h, c->share_ratio);
    take_double(h, c->ops_per_s);
    take_double(h, c->energy_j);
    take_cycles(h, c->cycles, c->n_cycles);
    take_phases(h, c->phases, c->n_phases);
    take_events(h, c->events, c->n_events);
}

void run_content(const roof_run *run, unsigned char content[CONTENT_BYTES])
{
    XXH3_state_t h;
    XXH128_canonical_t bytes;
    const uint64_t counts[] = {run->mode,       run->boundaries, run->launches,    run->warmup,
                               run->iterations, run->read_bytes, run->write_bytes, run->total_bytes};
    XXH3_128bits_reset(&h);
    take(&h, counts, sizeof counts);
    take_double(&h, run->sum_of_layers_s);
    take_double(&h, run->energy_j);
    take_double(&h, run->power_w);
    take_times(&h, &run->total);
    take_count(&h, run->n_clocks);
    for (uint32_t i = 0; i < run->n_clocks; i++) {
        take_text(&h, run->clocks[i].domain);
        take_double(&h, run->clocks[i].hz);
    }
    take_count(&h, run->n_phases);
    for (uint32_t i = 0; i < run->n_phases; i++) {
        take_text(&h, run->phases[i].name);
        take_double(&h, run->phases[i].seconds);
    }
    take_phases(&h, run->phase_cycles, run->n_phase_cycles);
    take_events(&h, run->events, run->n_events);
    take_count(&h, run->n_layers);
    for (uint32_t i = 0; i < run->n_layers; i++)
        take_layer(&h, &run->layers[i]);
    XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(&h));
    memcpy(content, bytes.digest, CONTENT_BYTES);
}
