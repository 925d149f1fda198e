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
static roof_status check_key(roof_bind *b, const char *name)
{
    const char *problem = roof_key_problem(name);
    if (strlen(name) > ROOF_LONGEST_KEY)
        return roof_bind_fail(b, "has a name of %zu bytes, want at most %d", strlen(name), ROOF_LONGEST_KEY);
    return problem ? roof_bind_fail(b, "%s", problem) : ROOF_OK;
}

static roof_status check_once(roof_bind *b, const char *name, const void *items, size_t n, size_t item_size)
{
    for (size_t i = 0; i < n; i++) {
        const char *other;
        memcpy(&other, (const char *)items + i * item_size, sizeof other);
        if (strcmp(other, name) == 0)
            return roof_bind_fail(b, "is there twice");
    }
    return ROOF_OK;
}

roof_status roof_named_check_new(roof_bind *b, const char *name, const void *items, size_t n,
                                 size_t item_size)
{
    ROOF_TRY(check_once(b, name, items, n, item_size));
    return n < MOST_NAMED ? ROOF_OK : roof_bind_fail(b, "is one too many, want at most %d", MOST_NAMED);
}

typedef struct named_call {
    roof_bind_call each;
    void *target;
} named_call;

static roof_status read_named(roof_bind *b, const roof_json_event *event, void *target)
{
    const named_call *call = target;
    if (event->kind == ROOF_JSON_NULL)
        return ROOF_OK;
    if (event->kind != ROOF_JSON_NUMBER)
        return roof_bind_fail(b, "found %s, want a number", roof_json_kind_text(event->kind));
    if (event->number < 0)
        return roof_bind_fail(b, "found %.17g, want 0 or more", event->number);
    ROOF_TRY(check_key(b, event->key));
    return call->each(b, event, call->target);
}

roof_status roof_named_each(roof_bind *b, const roof_json_event *event, roof_bind_call each, void *target)
{
    named_call call = {each, target};
    return roof_bind_members(b, event, read_named, &call);
}

static roof_status check_whole(roof_bind *b, const roof_json_event *event, const char *of)
{
    if (event->number != floor(event->number) || event->number > 9007199254740992.0)
        return roof_bind_fail(b, "found %.17g%s, want a whole number up to 2^53", event->number, of);
    return ROOF_OK;
}

/* --- cycles ------------------------------------------------------------------------------------------- */

typedef struct cycle_list {
    roof_domain_cycles *items;
    uint32_t n, most;
} cycle_list;

static roof_status read_domain(roof_bind *b, const roof_json_event *event, void *target)
{
    cycle_list *list = target;
    ROOF_TRY(check_whole(b, event, " cycles"));
    ROOF_TRY(roof_named_check_new(b, event->key, list->items, list->n, sizeof *list->items));
    if (list->n >= list->most)
        return roof_fail(b->err, ROOF_E_LIMIT, "more than %u domains", list->most);
    roof_domain_cycles *more = roof_arena_grow(b->arena, list->items, list->n, sizeof *more);
    const char *domain = roof_arena_strdup(b->arena, event->key);
    if (!more || !domain)
        return roof_fail_memory(b->err);
    more[list->n++] = (roof_domain_cycles){domain, (uint64_t)event->number};
    list->items = more;
    return ROOF_OK;
}

roof_status roof_counters_read_cycles(roof_bind *b, const roof_json_event *event, void *target)
{
    roof_layer_counters *c = target;
    cycle_list list = {.most = UINT32_MAX};
    ROOF_TRY(roof_named_each(b, event, read_domain, &list));
    c->cycles = list.items;
    c->n_cycles = list.n;
    return ROOF_OK;
}

/* --- phases ------------------------------------------------------------------------------------------- */

typedef struct phase_list {
    roof_phase_cycles *items;
    uint32_t n;
} phase_list;

static roof_status read_phase(roof_bind *b, const roof_json_event *event, void *target)
{
    phase_list *list = target;
    cycle_list cycles = {.most = ROOF_MOST_DOMAINS};
    if (event->kind == ROOF_JSON_NULL)
        return ROOF_OK;
    ROOF_TRY(check_key(b, event->key));
    ROOF_TRY(check_once(b, event->key, list->items, list->n, sizeof *list->items));
    if (list->n >= ROOF_MOST_PHASES)
        return roof_fail(b->err, ROOF_E_LIMIT, "more than %d phases", ROOF_MOST_PHASES);
    roof_phase_cycles *more = roof_arena_grow(b->arena, list->items, list->n, sizeof *more);
    const char *name = roof_arena_strdup(b->arena, event->key);
    if (!more || !name)
        return roof_fail_memory(b->err);
    ROOF_TRY(roof_named_each(b, event, read_domain, &cycles));
    more[list->n++] = (roof_phase_cycles){name, cycles.items, cycles.n};
    list->items = more;
    return ROOF_OK;
}

static roof_status read_phases(roof_bind *b, const roof_json_event *event, roof_phase_cycles **out,
                               uint32_t *n_out)
{
    phase_list list = {0};
    ROOF_TRY(roof_bind_members(b, event, read_phase, &list));
    *out = list.items;
    *n_out = list.n;
    return ROOF_OK;
}

roof_status roof_counters_read_phases(roof_bind *b, const roof_json_event *event, void *target)
{
    roof_layer_counters *c = target;
    return read_phases(b, event, &c->phases, &c->n_phases);
}

roof_status roof_run_read_phases(roof_bind *b, const roof_json_event *event, void *target)
{
    roof_run *run = target;
    return read_phases(b, event, &run->phase_cycles, &run->n_phase_cycles);
}

/* --- events ------------------------------------------------------------------------------------------- */

typedef struct event_list {
    roof_event *items;
    uint32_t n;
} event_list;

static roof_status read_event(roof_bind *b, const roof_json_event *event, void *target)
{
    event_list *list = target;
    ROOF_TRY(check_whole(b, event, ""));
    if (list->n >= ROOF_MOST_EVENTS)
        return roof_fail(b->err, ROOF_E_LIMIT, "more than %d events", ROOF_MOST_EVENTS);
    roof_event *more = roof_arena_grow(b->arena, list->items, list->n, sizeof *more);
    const char *name = roof_arena_strdup(b->arena, event->key);
    if (!more || !name)
        return roof_fail_memory(b->err);
    more[list->n++] = (roof_event){name, (uint64_t)event->number};
    list->items = more;
    return ROOF_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static roof_status check_names(roof_bind *b, const event_list *list)
{
    const char *twice = NULL;
    const char **names = malloc((list->n + 1) * sizeof *names);
    if (!names)
        return roof_fail_memory(b->err);
    for (uint32_t i = 0; i < list->n; i++)
        names[i] = list->items[i].name;
    qsort(names, list->n, sizeof *names, by_name);
    for (uint32_t i = 1; i < list->n && !twice; i++)
        if (strcmp(names[i], names[i - 1]) == 0)
            twice = names[i];
    free(names);
    return twice ? roof_bind_fail(b, "'%s' is there twice", twice) : ROOF_OK;
}

static roof_status read_events(roof_bind *b, const roof_json_event *event, roof_event **out, uint32_t *n_out)
{
    event_list list = {0};
    ROOF_TRY(roof_named_each(b, event, read_event, &list));
    *out = list.items;
    *n_out = list.n;
    return check_names(b, &list);
}

roof_status roof_counters_read_events(roof_bind *b, const roof_json_event *event, void *target)
{
    roof_layer_counters *c = target;
    return read_events(b, event, &c->events, &c->n_events);
}

roof_status roof_run_read_events(roof_bind *b, const roof_json_event *event, void *target)
{
    roof_run *run = target;
    return read_events(b, event, &run->events, &run->n_events);
}
