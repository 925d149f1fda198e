#include "measure/import/cores.h"
#include "core/namemap.h"
#include "core/quantity.h"
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

/* Into is the slower of two rows, with its counters; of the cycles in which a unit was busy the share of both
 * cores counts, of the cycles of the slower one. */
static bool mix_rows(roof_arena *arena, roof_measured_layer *into, const roof_measured_layer *from)
{
    const roof_measured_layer other = from->time.mean_s > into->time.mean_s ? *into : *from;
    if (from->time.mean_s > into->time.mean_s)
        *into = *from;
    const roof_layer_counters *slow = into->counters, *fast = other.counters;
    if (!slow || !fast)
        return true;
    roof_layer_counters *c = NEW(arena, roof_layer_counters);
    roof_event *events = NEW_ARRAY(arena, roof_event, slow->n_events);
    if (!c || !events)
        return false;
    bool has_cycles = slow->n_cycles == 1 && fast->n_cycles == 1;
    double of = has_cycles ? known_count(slow->cycles->cycles) : NAN,
           all = has_cycles ? of + known_count(fast->cycles->cycles) : NAN;
    for (uint32_t i = 0; i < slow->n_events; i++) {
        const roof_event *same = same_event(fast, &slow->events[i]);
        events[i] = slow->events[i];
        if (events[i].quantity == ROOF_COUNTER_ACTIVE_CYCLES && same && all > 0)
            events[i].count = (uint64_t)llround(((double)events[i].count + (double)same->count) * of / all);
    }
    *c = *slow;
    c->events = events;
    into->counters = c;
    return true;
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
    run->sum_of_layers_s = a->sum_of_layers_s + b->sum_of_layers_s; /* NaN where one is unknown */
    if (!isnan(run->sum_of_layers_s)) {
        run->sum_of_layers_s = 0;
        for (uint32_t i = 0; i < run->n_layers; i++)
            run->sum_of_layers_s += row_inference_s(run, &run->layers[i]);
    }
    if (run->boundaries != ROOF_NONE)
        run->boundaries = run->launches = run->n_layers;
    return run;
}
