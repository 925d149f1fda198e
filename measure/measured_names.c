/* Objects whose keys are names of somebody else. A name that is there twice is found where it stands, by comparing, in
 * those that hold a few; events are many, so they are sorted where their object ends. */
#include "measure/measured_names.h"
#include "core/error.h"
#include "measure/phases.h"
#include "measure/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 64 };

/* --- what all of them check --------------------------------------------------------------------------- */

/* Names become keys of documents that we write, and the writer has room for these. */
static roof_status check_key(codec *c, const char *name)
{
    const char *problem = key_problem(name);
    if (strlen(name) > LONGEST_KEY)
        return codec_fail(c, "has a name of %zu bytes, want at most %d", strlen(name), LONGEST_KEY);
    return problem ? codec_fail(c, "%s", problem) : ROOF_OK;
}

static roof_status check_once(codec *c, const char *name, const void *items, size_t n, size_t item_size)
{
    for (size_t i = 0; i < n; i++) {
        const char *other;
        memcpy(&other, (const char *)items + i * item_size, sizeof other);
        if (strcmp(other, name) == 0)
            return codec_fail(c, "is there twice");
    }
    return ROOF_OK;
}

/* Whether a name may stand behind n structs that begin with theirs. */
static roof_status check_new(codec *c, const char *name, const void *items, size_t n, size_t item_size)
{
    TRY(check_once(c, name, items, n, item_size));
    return n < MOST_NAMED ? ROOF_OK : codec_fail(c, "is one too many, want at most %d", MOST_NAMED);
}

typedef struct named_call {
    codec_reader each;
    void *target;
} named_call;

static roof_status read_named(codec *c, const json_event *event, void *target)
{
    const named_call *call = target;
    if (event->kind == JSON_NULL)
        return ROOF_OK;
    if (event->kind != JSON_NUMBER)
        return codec_fail(c, "found %s, want a number", json_kind_text(event->kind));
    if (event->number < 0)
        return codec_fail(c, "found %.17g, want 0 or more", event->number);
    TRY(check_key(c, event->key));
    return call->each(c, event, call->target);
}

/* Reads the members of an object: each is called for every one that is not null, and finds a number in its event. */
static roof_status each_named(codec *c, const json_event *event, codec_reader each, void *target)
{
    return codec_read_members(c, event, read_named, &(named_call){each, target});
}

static roof_status check_whole(codec *c, const json_event *event, const char *of)
{
    if (event->number != floor(event->number) || event->number > 9007199254740992.0)
        return codec_fail(c, "found %.17g%s, want a whole number up to 2^53", event->number, of);
    return ROOF_OK;
}

/* --- arrays of items that begin with their name ------------------------------------------------------- */

/* An array and the number of its items, which stand so in layers and runs. */
typedef struct list {
    void *items;
    uint32_t n;
} list;

#define IS_LIST(type, member)                                                                                \
    _Static_assert(offsetof(type, n_##member) == offsetof(type, member) + offsetof(list, n), #member)
IS_LIST(roof_layer_counters, cycles);
IS_LIST(roof_layer_counters, phases);
IS_LIST(roof_layer_counters, events);
IS_LIST(roof_phase_cycles, cycles);
IS_LIST(roof_run, phase_cycles);
IS_LIST(roof_run, events);

static list list_at(const void *target)
{
    list out;
    memcpy(&out.items, target, sizeof out.items);
    memcpy(&out.n, (const char *)target + offsetof(list, n), sizeof out.n);
    return out;
}

static void list_keep(void *target, const list *l)
{
    memcpy(target, &l->items, sizeof l->items);
    memcpy((char *)target + offsetof(list, n), &l->n, sizeof l->n);
}

/* A new last item, all zero but for its name; NULL without memory. */
static void *list_add(codec *c, list *l, const char *name, size_t item_size)
{
    char *items = arena_grow(c->arena, l->items, l->n, item_size), *copy = arena_strdup(c->arena, name);
    if (!items || !copy)
        return NULL;
    l->items = items;
    void *item = memset(items + l->n++ * item_size, 0, item_size);
    memcpy(item, &copy, sizeof copy);
    return item;
}

/* --- cycles of domains -------------------------------------------------------------------------------- */

static roof_status read_domain(codec *c, const json_event *event, void *target)
{
    list *l = target;
    TRY(check_whole(c, event, " cycles"));
    TRY(check_new(c, event->key, l->items, l->n, sizeof(roof_domain_cycles)));
    roof_domain_cycles *cycles = list_add(c, l, event->key, sizeof *cycles);
    if (!cycles)
        return error_memory(c->err);
    cycles->cycles = (uint64_t)event->number;
    return ROOF_OK;
}

roof_status names_read_cycles(codec *c, const json_event *event, void *target)
{
    list l = {0};
    TRY(each_named(c, event, read_domain, &l));
    list_keep(target, &l);
    return ROOF_OK;
}

static void write_domains(codec *c, const char *key, const list *l)
{
    const roof_domain_cycles *cycles = l->items;
    jsonout_object(c->out, key, true);
    for (uint32_t i = 0; i < l->n; i++)
        jsonout_count(c->out, cycles[i].domain, cycles[i].cycles);
    jsonout_end(c->out);
}

void names_write_cycles(codec *c, const char *key, const void *target)
{
    list l = list_at(target);
    if (l.n)
        write_domains(c, key, &l);
}

/* --- cycles of phases --------------------------------------------------------------------------------- */

static roof_status read_phase_domain(codec *c, const json_event *event, void *target)
{
    const list *l = target;
    if (l->n >= MOST_DOMAINS)
        return error_set(c->err, ROOF_E_LIMIT, "more than %d domains", MOST_DOMAINS);
    return read_domain(c, event, target);
}

static roof_status read_phase_cycles(codec *c, const json_event *event, void *target)
{
    list *l = target, cycles = {0};
    if (event->kind == JSON_NULL)
        return ROOF_OK;
    TRY(check_key(c, event->key));
    TRY(check_once(c, event->key, l->items, l->n, sizeof(roof_phase_cycles)));
    if (l->n >= MOST_PHASES)
        return error_set(c->err, ROOF_E_LIMIT, "more than %d phases", MOST_PHASES);
    roof_phase_cycles *phase = list_add(c, l, event->key, sizeof *phase);
    if (!phase)
        return error_memory(c->err);
    TRY(each_named(c, event, read_phase_domain, &cycles));
    list_keep(&phase->cycles, &cycles);
    return ROOF_OK;
}

roof_status names_read_phase_cycles(codec *c, const json_event *event, void *target)
{
    list l = {0};
    TRY(codec_read_members(c, event, read_phase_cycles, &l));
    list_keep(target, &l);
    return ROOF_OK;
}

void names_write_phase_cycles(codec *c, const char *key, const void *target)
{
    list l = list_at(target);
    const roof_phase_cycles *phases = l.items;
    if (!l.n)
        return;
    jsonout_object(c->out, key, true);
    for (uint32_t i = 0; i < l.n; i++)
        write_domains(c, phases[i].name, &(list){phases[i].cycles, phases[i].n_cycles});
    jsonout_end(c->out);
}

/* --- events ------------------------------------------------------------------------------------------- */

static roof_status read_event(codec *c, const json_event *event, void *target)
{
    list *l = target;
    TRY(check_whole(c, event, ""));
    if (l->n >= MOST_EVENTS)
        return error_set(c->err, ROOF_E_LIMIT, "more than %d events", MOST_EVENTS);
    roof_event *new = list_add(c, l, event->key, sizeof *new);
    if (!new)
        return error_memory(c->err);
    new->count = (uint64_t)event->number;
    return ROOF_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static roof_status check_names(codec *c, const roof_event *events, uint32_t n)
{
    const char *twice = NULL;
    const char **names = malloc((n + 1) * sizeof *names);
    if (!names)
        return error_memory(c->err);
    for (uint32_t i = 0; i < n; i++)
        names[i] = events[i].name;
    qsort(names, n, sizeof *names, by_name);
    for (uint32_t i = 1; i < n && !twice; i++)
        if (strcmp(names[i], names[i - 1]) == 0)
            twice = names[i];
    free(names);
    return twice ? codec_fail(c, "'%s' is there twice", twice) : ROOF_OK;
}

roof_status names_read_events(codec *c, const json_event *event, void *target)
{
    list l = {0};
    TRY(each_named(c, event, read_event, &l));
    list_keep(target, &l);
    return check_names(c, l.items, l.n);
}

void names_write_events(codec *c, const char *key, const void *target)
{
    list l = list_at(target);
    const roof_event *events = l.items;
    if (!l.n)
        return;
    jsonout_object(c->out, key, true);
    for (uint32_t i = 0; i < l.n; i++)
        jsonout_count(c->out, events[i].name, events[i].count);
    jsonout_end(c->out);
}

/* --- clocks ------------------------------------------------------------------------------------------- */

static roof_status read_clock(codec *c, const json_event *event, void *target)
{
    roof_run *run = target;
    if (event->number < 1)
        return codec_fail(c, "found %.17g Hz, want 1 or more", event->number);
    TRY(check_new(c, event->key, run->clocks, run->n_clocks, sizeof *run->clocks));
    const char *domain = arena_strdup(c->arena, event->key);
    roof_clock *clock = domain ? run_add_clock(run) : NULL;
    if (!clock)
        return error_memory(c->err);
    *clock = (roof_clock){domain, event->number};
    return ROOF_OK;
}

roof_status names_read_clocks(codec *c, const json_event *event, void *target)
{
    return each_named(c, event, read_clock, target);
}

void names_write_clocks(codec *c, const char *key, const void *target)
{
    const roof_run *run = target;
    if (!run->n_clocks)
        return;
    jsonout_object(c->out, key, true);
    for (uint32_t i = 0; i < run->n_clocks; i++)
        jsonout_number(c->out, run->clocks[i].domain, run->clocks[i].hz);
    jsonout_end(c->out);
}

/* --- phases ------------------------------------------------------------------------------------------- */

/* "run" of "run_s". */
static roof_status name_of(codec *c, const char *key, const char **out)
{
    size_t length = strlen(key);
    if (length < 3 || strcmp(key + length - 2, "_s") != 0)
        return codec_fail(c, "a phase is a name and its unit, as in \"run_s\"");
    const char *problem = key_problem(key);
    if (problem)
        return codec_fail(c, "%s", problem);
    *out = arena_strndup(c->arena, key, length - 2);
    return *out ? ROOF_OK : error_memory(c->err);
}

/* The phase of a key, made where no other member has named it yet. */
static roof_status phase_of(codec *c, const char *key, roof_run *run, roof_phase **out)
{
    const char *name = NULL;
    TRY(name_of(c, key, &name));
    *out = phase_find(run, name);
    if (*out)
        return ROOF_OK;
    TRY(check_new(c, name, run->phases, run->n_phases, sizeof *run->phases));
    *out = run_add_phase(run);
    if (!*out)
        return error_memory(c->err);
    **out = (roof_phase){.name = name, .seconds = NAN};
    return ROOF_OK;
}

/* Those that have a time stand first, in their order, whatever was named before them. */
static roof_status read_seconds(codec *c, const json_event *event, void *target)
{
    roof_run *run = target;
    roof_phase *phase;
    double seconds;
    uint32_t n = 0;
    TRY(codec_read_seconds(c, event, &seconds));
    TRY(phase_of(c, event->key, run, &phase));
    if (!isnan(phase->seconds))
        return codec_fail(c, "is there twice");
    while (!isnan(run->phases[n].seconds))
        n++;
    roof_phase moved = *phase;
    *phase = run->phases[n];
    run->phases[n] = moved;
    run->phases[n].seconds = seconds;
    return ROOF_OK;
}

static roof_status want_text(codec *c, const json_event *event, const char *what)
{
    if (event->kind != JSON_STRING)
        return codec_fail(c, "found %s, want %s", json_kind_text(event->kind), what);
    return ROOF_OK;
}

static roof_status read_kind(codec *c, const json_event *event, void *target)
{
    static const char want[] = "\"accelerator\", \"transfer\" or \"host\"";
    roof_phase *phase;
    if (event->kind == JSON_NULL)
        return ROOF_OK;
    TRY(want_text(c, event, want));
    TRY(phase_of(c, event->key, target, &phase));
    if (phase->kind)
        return codec_fail(c, "is there twice");
    for (int kind = ROOF_PHASE_ACCELERATOR; kind < ROOF_PHASE_KINDS; kind++)
        if (strcmp(roof_phase_kind_text((roof_phase_kind)kind), event->text) == 0)
            phase->kind = (roof_phase_kind)kind;
    return phase->kind ? ROOF_OK : codec_fail(c, "found another word, want %s", want);
}

static roof_status read_parent(codec *c, const json_event *event, void *target)
{
    roof_phase *phase;
    if (event->kind == JSON_NULL)
        return ROOF_OK;
    TRY(want_text(c, event, "the name of the phase that it is a part of"));
    TRY(phase_of(c, event->key, target, &phase));
    if (phase->parent)
        return codec_fail(c, "is there twice");
    return name_of(c, event->text, &phase->parent);
}

roof_status names_read_phases(codec *c, const json_event *event, void *target)
{
    return each_named(c, event, read_seconds, target);
}

roof_status names_read_kinds(codec *c, const json_event *event, void *target)
{
    return codec_read_members(c, event, read_kind, target);
}

roof_status names_read_parents(codec *c, const json_event *event, void *target)
{
    return codec_read_members(c, event, read_parent, target);
}

typedef char phase_text[LONGEST_KEY + 8];

static const char *phase_key(phase_text key, const char *name)
{
    snprintf(key, sizeof(phase_text), "%s_s", name);
    return key;
}

void names_write_phases(codec *c, const char *key, const void *target)
{
    const roof_run *run = target;
    phase_text name;
    if (!run->n_phases)
        return;
    jsonout_object(c->out, key, true);
    for (uint32_t i = 0; i < run->n_phases; i++)
        jsonout_number(c->out, phase_key(name, run->phases[i].name), run->phases[i].seconds);
    jsonout_end(c->out);
}

typedef const char *(*phase_word)(const roof_run *run, const roof_phase *phase, phase_text buffer);

/* An object of those phases that have a word. */
static void write_words(codec *c, const char *key, const roof_run *run, phase_word word_of)
{
    phase_text name, word;
    bool any = false;
    for (uint32_t i = 0; i < run->n_phases; i++) {
        const char *text = word_of(run, &run->phases[i], word);
        if (!text)
            continue;
        if (!any)
            jsonout_object(c->out, key, true);
        any = true;
        jsonout_string(c->out, phase_key(name, run->phases[i].name), text);
    }
    if (any)
        jsonout_end(c->out);
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

void names_write_kinds(codec *c, const char *key, const void *target)
{
    write_words(c, key, target, declared_kind);
}

void names_write_parents(codec *c, const char *key, const void *target)
{
    write_words(c, key, target, parent_key);
}
