/* Objects whose keys are names of somebody else. A name that is there twice is found where it stands, by comparing, in
 * those that hold a few; events are many, so they are sorted where their object ends. */
#include "measure/measured_counts.h"
#include "core/error.h"
#include "measure/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 64 };

/* --- what all of them check --------------------------------------------------------------------------- */

/* Names become keys of documents that we write, and the writer has room for these. */
static roof_status check_key(json_binder *b, const char *name)
{
    const char *problem = key_problem(name);
    if (strlen(name) > LONGEST_KEY)
        return bind_fail(b, "has a name of %zu bytes, want at most %d", strlen(name), LONGEST_KEY);
    return problem ? bind_fail(b, "%s", problem) : ROOF_OK;
}

static roof_status check_once(json_binder *b, const char *name, const void *items, size_t n, size_t item_size)
{
    for (size_t i = 0; i < n; i++) {
        const char *other;
        memcpy(&other, (const char *)items + i * item_size, sizeof other);
        if (strcmp(other, name) == 0)
            return bind_fail(b, "is there twice");
    }
    return ROOF_OK;
}

roof_status named_check_new(json_binder *b, const char *name, const void *items, size_t n, size_t item_size)
{
    TRY(check_once(b, name, items, n, item_size));
    return n < MOST_NAMED ? ROOF_OK : bind_fail(b, "is one too many, want at most %d", MOST_NAMED);
}

typedef struct named_call {
    bind_call each;
    void *target;
} named_call;

static roof_status read_named(json_binder *b, const json_event *event, void *target)
{
    const named_call *call = target;
    if (event->kind == JSON_NULL)
        return ROOF_OK;
    if (event->kind != JSON_NUMBER)
        return bind_fail(b, "found %s, want a number", json_kind_text(event->kind));
    if (event->number < 0)
        return bind_fail(b, "found %.17g, want 0 or more", event->number);
    TRY(check_key(b, event->key));
    return call->each(b, event, call->target);
}

roof_status named_each(json_binder *b, const json_event *event, bind_call each, void *target)
{
    named_call call = {each, target};
    return bind_members(b, event, read_named, &call);
}

static roof_status check_whole(json_binder *b, const json_event *event, const char *of)
{
    if (event->number != floor(event->number) || event->number > 9007199254740992.0)
        return bind_fail(b, "found %.17g%s, want a whole number up to 2^53", event->number, of);
    return ROOF_OK;
}

/* --- cycles ------------------------------------------------------------------------------------------- */

typedef struct cycle_list {
    roof_domain_cycles *items;
    uint32_t n, most;
} cycle_list;

static roof_status read_domain(json_binder *b, const json_event *event, void *target)
{
    cycle_list *list = target;
    TRY(check_whole(b, event, " cycles"));
    TRY(named_check_new(b, event->key, list->items, list->n, sizeof *list->items));
    if (list->n >= list->most)
        return error_set(b->err, ROOF_E_LIMIT, "more than %u domains", list->most);
    roof_domain_cycles *more = arena_grow(b->arena, list->items, list->n, sizeof *more);
    const char *domain = arena_strdup(b->arena, event->key);
    if (!more || !domain)
        return error_memory(b->err);
    more[list->n++] = (roof_domain_cycles){domain, (uint64_t)event->number};
    list->items = more;
    return ROOF_OK;
}

roof_status counters_read_cycles(json_binder *b, const json_event *event, void *target)
{
    roof_layer_counters *c = target;
    cycle_list list = {.most = UINT32_MAX};
    TRY(named_each(b, event, read_domain, &list));
    c->cycles = list.items;
    c->n_cycles = list.n;
    return ROOF_OK;
}

/* --- phases ------------------------------------------------------------------------------------------- */

typedef struct phase_list {
    roof_phase_cycles *items;
    uint32_t n;
} phase_list;

static roof_status read_phase(json_binder *b, const json_event *event, void *target)
{
    phase_list *list = target;
    cycle_list cycles = {.most = MOST_DOMAINS};
    if (event->kind == JSON_NULL)
        return ROOF_OK;
    TRY(check_key(b, event->key));
    TRY(check_once(b, event->key, list->items, list->n, sizeof *list->items));
    if (list->n >= MOST_PHASES)
        return error_set(b->err, ROOF_E_LIMIT, "more than %d phases", MOST_PHASES);
    roof_phase_cycles *more = arena_grow(b->arena, list->items, list->n, sizeof *more);
    const char *name = arena_strdup(b->arena, event->key);
    if (!more || !name)
        return error_memory(b->err);
    TRY(named_each(b, event, read_domain, &cycles));
    more[list->n++] = (roof_phase_cycles){name, cycles.items, cycles.n};
    list->items = more;
    return ROOF_OK;
}

static roof_status read_phases(json_binder *b, const json_event *event, roof_phase_cycles **out,
                               uint32_t *n_out)
{
    phase_list list = {0};
    TRY(bind_members(b, event, read_phase, &list));
    *out = list.items;
    *n_out = list.n;
    return ROOF_OK;
}

roof_status counters_read_phases(json_binder *b, const json_event *event, void *target)
{
    roof_layer_counters *c = target;
    return read_phases(b, event, &c->phases, &c->n_phases);
}

roof_status run_read_phases(json_binder *b, const json_event *event, void *target)
{
    roof_run *run = target;
    return read_phases(b, event, &run->phase_cycles, &run->n_phase_cycles);
}

/* --- events ------------------------------------------------------------------------------------------- */

typedef struct event_list {
    roof_event *items;
    uint32_t n;
} event_list;

static roof_status read_event(json_binder *b, const json_event *event, void *target)
{
    event_list *list = target;
    TRY(check_whole(b, event, ""));
    if (list->n >= MOST_EVENTS)
        return error_set(b->err, ROOF_E_LIMIT, "more than %d events", MOST_EVENTS);
    roof_event *more = arena_grow(b->arena, list->items, list->n, sizeof *more);
    if (!more)
        return error_memory(b->err);
    list->items = more;
    TRY(counter_parse(event->key, b->arena, &more[list->n], b->err));
    more[list->n++].count = (uint64_t)event->number;
    return ROOF_OK;
}

static int by_counter(const void *a, const void *b)
{
    return counter_compare(*(const roof_event *const *)a, *(const roof_event *const *)b);
}

static roof_status check_names(json_binder *b, const event_list *list)
{
    char name[COUNTER_NAME_SIZE];
    const roof_event *twice = NULL;
    const roof_event **sorted = malloc((list->n + 1) * sizeof *sorted);
    if (!sorted)
        return error_memory(b->err);
    for (uint32_t i = 0; i < list->n; i++)
        sorted[i] = &list->items[i];
    qsort(sorted, list->n, sizeof *sorted, by_counter);
    for (uint32_t i = 1; i < list->n && !twice; i++)
        if (counter_compare(sorted[i], sorted[i - 1]) == 0)
            twice = sorted[i];
    free(sorted);
    return twice ? bind_fail(b, "'%s' is there twice", counter_name(twice, name)) : ROOF_OK;
}

static roof_status read_events(json_binder *b, const json_event *event, roof_event **out, uint32_t *n_out)
{
    event_list list = {0};
    TRY(named_each(b, event, read_event, &list));
    *out = list.items;
    *n_out = list.n;
    return check_names(b, &list);
}

roof_status counters_read_events(json_binder *b, const json_event *event, void *target)
{
    roof_layer_counters *c = target;
    return read_events(b, event, &c->events, &c->n_events);
}

roof_status run_read_events(json_binder *b, const json_event *event, void *target)
{
    roof_run *run = target;
    return read_events(b, event, &run->events, &run->n_events);
}
