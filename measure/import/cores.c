#include "measure/import/cores.h"
#include "core/namemap.h"
#include "core/quantity.h"
#include "measure/profile/profile.h"
#include "measure/profile/run_facts.h"

#include <math.h>
#include <string.h>

bool cores_run_alike(const roof_run *a, const roof_run *b)
{
    bool alike = a->n_layers > 0 && a->n_layers == b->n_layers;
    for (uint32_t i = 0; alike && i < a->n_layers; i++)
        alike = strcmp(a->layers[i].name, b->layers[i].name) == 0;
    return alike;
}

static double cycles_of(const roof_layer_counters *c)
{
    return c && c->n_cycles == 1 ? known_count(c->cycles->cycles) : NAN;
}

static roof_event *same_event(const roof_layer_counters *c, const roof_event *wanted)
{
    for (uint32_t i = 0; i < c->n_events; i++) {
        roof_event *e = &c->events[i];
        if (e->scope == wanted->scope && e->quantity == wanted->quantity &&
            e->direction == wanted->direction && e->index == wanted->index && e->name && wanted->name &&
            strcmp(e->name, wanted->name) == 0)
            return e;
    }
    return NULL;
}

/* The share of both cores' cycles in which a unit was busy, of the cycles of the slower one. */
static bool mix_events(roof_arena *arena, roof_layer_counters *slow, const roof_layer_counters *fast)
{
    double of = cycles_of(slow), all = of + cycles_of(fast);
    roof_event *events = NEW_ARRAY(arena, roof_event, slow->n_events);
    if (!events)
        return false;
    for (uint32_t i = 0; i < slow->n_events; i++) {
        const roof_event *other = same_event(fast, &slow->events[i]);
        events[i] = slow->events[i];
        if (events[i].quantity == ROOF_COUNTER_ACTIVE_CYCLES && other && all > 0)
            events[i].count = (uint64_t)llround(((double)events[i].count + (double)other->count) * of / all);
    }
    slow->events = events;
    return true;
}

static bool mix_rows(roof_arena *arena, roof_measured_layer *into, const roof_measured_layer *from)
{
    const roof_measured_layer other = from->time.mean_s > into->time.mean_s ? *into : *from;
    if (from->time.mean_s > into->time.mean_s)
        *into = *from;
    if (!into->counters || !other.counters)
        return true;
    roof_layer_counters *c = NEW(arena, roof_layer_counters);
    if (!c)
        return false;
    *c = *into->counters;
    into->counters = c;
    return mix_events(arena, c, other.counters);
}

static void sum_up(roof_run *run, const roof_run *a, const roof_run *b)
{
    run->sum_of_layers_s = a->sum_of_layers_s + b->sum_of_layers_s; /* NaN where one is not known */
    if (!isnan(run->sum_of_layers_s)) {
        run->sum_of_layers_s = 0;
        for (uint32_t i = 0; i < run->n_layers; i++)
            run->sum_of_layers_s += row_inference_s(run, &run->layers[i]);
    }
    if (run->boundaries != ROOF_NONE)
        run->boundaries = run->launches = run->n_layers;
}

roof_run *cores_together(roof_arena *arena, const roof_run *a, const roof_run *b)
{
    roof_run *run = NEW(arena, roof_run);
    roof_measured_layer *layers = NEW_ARRAY(arena, roof_measured_layer, (size_t)a->n_layers + b->n_layers);
    namemap *names = namemap_new(arena, a->n_layers);
    if (!run || !layers || !names)
        return NULL;
    *run = *a;
    run->layers = layers;
    run->n_layers = a->n_layers;
    memcpy(layers, a->layers, a->n_layers * sizeof *layers);
    for (uint32_t i = 0; i < a->n_layers; i++)
        namemap_add(names, layers[i].name, strlen(layers[i].name), i);
    for (uint32_t i = 0; i < b->n_layers; i++) {
        const roof_measured_layer *from = &b->layers[i];
        uint32_t at = namemap_find(names, from->name, strlen(from->name));
        if (at == ROOF_NONE)
            layers[run->n_layers++] = *from;
        else if (!mix_rows(arena, &layers[at], from))
            return NULL;
    }
    sum_up(run, a, b);
    return run;
}
