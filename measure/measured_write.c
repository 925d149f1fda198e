/* roofline.measured/1 out of memory. What is not known is left out, so that a reader sees no null. */
#include "core/jsonout.h"
#include "measure/phases.h"
#include "measure/profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_number(jsonout *j, const char *key, double value)
{
    if (!isnan(value))
        jsonout_number(j, key, value);
}

static void put_count(jsonout *j, const char *key, uint64_t value)
{
    if (value != ROOF_UNKNOWN)
        jsonout_count(j, key, value);
}

static void put_small(jsonout *j, const char *key, uint32_t value)
{
    if (value != ROOF_NONE)
        jsonout_count(j, key, value);
}

static void put_text(jsonout *j, const char *key, const char *value)
{
    if (value)
        jsonout_string(j, key, value);
}

static void put_samples(jsonout *j, const roof_times *t)
{
    jsonout_array(j, "samples_s", true);
    for (uint64_t i = 0; i < t->count; i++)
        jsonout_number(j, NULL, t->samples_s[i]);
    jsonout_end(j);
}

static void put_statistics(jsonout *j, const roof_times *t)
{
    put_number(j, "mean_s", t->mean_s);
    put_number(j, "std_s", t->std_s);
    put_number(j, "min_s", t->min_s);
    put_number(j, "max_s", t->max_s);
    put_number(j, "median_s", t->median_s);
    put_number(j, "p95_s", t->p95_s);
    put_number(j, "p99_s", t->p99_s);
    put_count(j, "count", t->count);
}

static void put_times(jsonout *j, const roof_times *t)
{
    if (t->samples_s)
        put_samples(j, t);
    else
        put_statistics(j, t);
    put_number(j, "cov_ratio", t->cov_ratio);
}

static void put_cycles(jsonout *j, const char *key, const roof_domain_cycles *cycles, uint32_t n)
{
    jsonout_object(j, key, true);
    for (uint32_t i = 0; i < n; i++)
        jsonout_count(j, cycles[i].domain, cycles[i].cycles);
    jsonout_end(j);
}

static void put_phase_cycles(jsonout *j, const roof_phase_cycles *phases, uint32_t n)
{
    if (!n)
        return;
    jsonout_object(j, "phase_cycles", true);
    for (uint32_t i = 0; i < n; i++)
        put_cycles(j, phases[i].name, phases[i].cycles, phases[i].n_cycles);
    jsonout_end(j);
}

static void put_events(jsonout *j, const roof_event *events, uint32_t n)
{
    if (!n)
        return;
    char name[COUNTER_NAME_SIZE];
    jsonout_object(j, "events", true);
    for (uint32_t i = 0; i < n; i++)
        jsonout_count(j, counter_name(&events[i], name), events[i].count);
    jsonout_end(j);
}

static void put_counters(jsonout *j, const roof_layer_counters *c)
{
    static const char *const origins[] = {[ROOF_BYTES_COUNTER] = "counter", [ROOF_BYTES_STATIC] = "static"};
    if (c->n_cycles)
        put_cycles(j, "cycles", c->cycles, c->n_cycles);
    put_phase_cycles(j, c->phases, c->n_phases);
    put_events(j, c->events, c->n_events);
    put_count(j, "read_bytes", c->read_bytes);
    put_count(j, "write_bytes", c->write_bytes);
    put_count(j, "total_bytes", c->total_bytes);
    if (c->bytes_origin != ROOF_BYTES_UNSTATED)
        jsonout_string(j, "bytes_basis", origins[c->bytes_origin]);
    put_number(j, "share_ratio", c->share_ratio);
    put_number(j, "ops_per_s", c->ops_per_s);
    put_count(j, "workload_ops", c->workload_ops);
    put_text(j, "device", c->device);
    put_number(j, "energy_j", c->energy_j);
}

static void put_layer(jsonout *j, const roof_measured_layer *l)
{
    static const char *const bases[] = {[ROOF_TIME_ESTIMATED] = "estimated", [ROOF_TIME_SHARE] = "share"};
    jsonout_object(j, NULL, true);
    put_small(j, "index", l->index);
    put_text(j, "name", l->name);
    put_text(j, "type", l->type);
    put_times(j, &l->time);
    if (l->counters)
        put_counters(j, l->counters);
    if (l->basis != ROOF_TIME_MEASURED)
        jsonout_string(j, "basis", bases[l->basis]);
    jsonout_end(j);
}

static bool is_unknown(const roof_times *t)
{
    const double values[] = {t->mean_s,   t->std_s, t->min_s, t->max_s,
                             t->median_s, t->p95_s, t->p99_s, t->cov_ratio};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (!isnan(values[i]))
            return false;
    return !t->samples_s && t->count == ROOF_UNKNOWN;
}

static void put_total(jsonout *j, const roof_times *t)
{
    if (is_unknown(t))
        return;
    jsonout_object(j, "total", true);
    put_times(j, t);
    jsonout_end(j);
}

typedef char phase_text[128];

static const char *phase_key(phase_text key, const char *name)
{
    snprintf(key, sizeof(phase_text), "%s_s", name);
    return key;
}

/* Where nothing else implies it. */
static const char *declared_kind(const roof_run *run, const roof_phase *phase, phase_text unused)
{
    (void)unused;
    return phase->kind == phase_implied_kind(run, phase) ? NULL : roof_phase_kind_text(phase->kind);
}

static const char *parent_key(const roof_run *run, const roof_phase *phase, phase_text key)
{
    (void)run;
    return phase->parent ? phase_key(key, phase->parent) : NULL;
}

typedef const char *(*phase_word)(const roof_run *run, const roof_phase *phase, phase_text buffer);

static void put_phase_words(jsonout *j, const roof_run *run, const char *member, phase_word word_of)
{
    phase_text key, word;
    bool any = false;
    for (uint32_t i = 0; i < run->n_phases; i++) {
        const char *text = word_of(run, &run->phases[i], word);
        if (!text)
            continue;
        if (!any)
            jsonout_object(j, member, true);
        any = true;
        jsonout_string(j, phase_key(key, run->phases[i].name), text);
    }
    if (any)
        jsonout_end(j);
}

static void put_phases(jsonout *j, const roof_run *run)
{
    phase_text key;
    if (!run->n_phases)
        return;
    jsonout_object(j, "phases", true);
    for (uint32_t i = 0; i < run->n_phases; i++)
        jsonout_number(j, phase_key(key, run->phases[i].name), run->phases[i].seconds);
    jsonout_end(j);
    put_phase_words(j, run, "phase_kinds", declared_kind);
    put_phase_words(j, run, "phase_parents", parent_key);
}

static void put_clocks(jsonout *j, const roof_run *run)
{
    if (!run->n_clocks)
        return;
    jsonout_object(j, "clocks_hz", true);
    for (uint32_t i = 0; i < run->n_clocks; i++)
        jsonout_number(j, run->clocks[i].domain, run->clocks[i].hz);
    jsonout_end(j);
}

static void put_run(jsonout *j, const roof_run *run)
{
    jsonout_object(j, NULL, false);
    jsonout_string(j, "mode", roof_run_mode_text(run->mode));
    put_small(j, "boundaries", run->boundaries);
    put_small(j, "launches", run->launches);
    put_count(j, "warmup", run->warmup);
    put_count(j, "iterations", run->iterations);
    put_clocks(j, run);
    put_total(j, &run->total);
    put_number(j, "sum_of_layers_s", run->sum_of_layers_s);
    put_phases(j, run);
    put_phase_cycles(j, run->phase_cycles, run->n_phase_cycles);
    put_events(j, run->events, run->n_events);
    put_count(j, "read_bytes", run->read_bytes);
    put_count(j, "write_bytes", run->write_bytes);
    put_count(j, "total_bytes", run->total_bytes);
    if (run->n_layers) {
        jsonout_array(j, "layers", false);
        for (uint32_t i = 0; i < run->n_layers; i++)
            put_layer(j, &run->layers[i]);
        jsonout_end(j);
    }
    put_number(j, "energy_j", run->energy_j);
    put_number(j, "power_w", run->power_w);
    jsonout_end(j);
}

static void put_experiment(jsonout *j, const roof_experiment *e, const char *common_hardware)
{
    jsonout_object(j, NULL, false);
    jsonout_object(j, "model", true);
    put_text(j, "path", e->model_path);
    put_text(j, "name", e->model_name);
    put_text(j, "graph_hash", e->graph_hash);
    jsonout_end(j);
    if (e->hardware_id && !common_hardware) {
        jsonout_object(j, "hardware", true);
        jsonout_string(j, "id", e->hardware_id);
        jsonout_end(j);
    }
    jsonout_array(j, "runs", false);
    for (uint32_t i = 0; i < e->n_runs; i++)
        put_run(j, &e->runs[i]);
    jsonout_end(j);
    jsonout_end(j);
}

static void put_source(jsonout *j, const char *key, const roof_measured_source *s)
{
    jsonout_object(j, key, false);
    put_text(j, "tool", s->tool);
    if (s->n_files) {
        jsonout_array(j, "files", true);
        for (uint32_t i = 0; i < s->n_files; i++)
            jsonout_string(j, NULL, s->files[i]);
        jsonout_end(j);
    }
    put_text(j, "notes", s->notes);
    jsonout_end(j);
}

/* One source is an object, as the document was designed; merged documents have several. */
static void put_sources(jsonout *j, const roof_measured *m)
{
    if (m->n_sources == 1)
        put_source(j, "source", &m->sources[0]);
    if (m->n_sources < 2)
        return;
    jsonout_array(j, "sources", false);
    for (uint32_t i = 0; i < m->n_sources; i++)
        put_source(j, NULL, &m->sources[i]);
    jsonout_end(j);
}

/* The hardware that all experiments have, or NULL. */
static const char *common_hardware(const roof_measured *m)
{
    const char *id = m->n_experiments ? m->experiments[0].hardware_id : NULL;
    for (uint32_t i = 1; i < m->n_experiments && id; i++)
        if (!m->experiments[i].hardware_id || strcmp(m->experiments[i].hardware_id, id) != 0)
            id = NULL;
    return id;
}

roof_status roof_measured_write(const roof_measured *m, roof_sink sink, roof_error *err)
{
    textbuf text;
    jsonout j;
    const char *hardware = common_hardware(m);
    text_init_draining(&text, sink.write, sink.context, err);
    jsonout_begin(&j, &text);
    jsonout_object(&j, NULL, false);
    jsonout_string(&j, "schema", ROOF_MEASURED_SCHEMA);
    put_sources(&j, m);
    if (hardware) {
        jsonout_object(&j, "hardware", true);
        jsonout_string(&j, "id", hardware);
        jsonout_end(&j);
    }
    jsonout_array(&j, "experiments", false);
    for (uint32_t i = 0; i < m->n_experiments; i++)
        put_experiment(&j, &m->experiments[i], hardware);
    jsonout_end(&j);
    jsonout_end(&j);
    return text_finish(&text);
}
