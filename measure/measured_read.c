/* roofline.measured/1 into memory, value by value: each object has a table of its members, and what the table cannot
 * say (repeated indices, statistics that contradict each other) is checked where the object ends. */
#include "core/error.h"
#include "core/input.h"
#include "core/jsonbind.h"
#include "measure/measured_counts.h"
#include "measure/measured_read.h"
#include "measure/phases.h"
#include "measure/profile.h"
#include "measure/unread.h"
#include "model/prediction_read.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(table) ((sizeof(table)) / (sizeof *(table)))
#define FIELD(struct, key, k)                                                                                \
    {                                                                                                        \
#key, BIND_##k, offsetof(struct, key), 0, 0                                                          \
    }
#define CALL(key, offset, read)                                                                              \
    {                                                                                                        \
        (key), BIND_CALL, (offset), (read), 0                                                                \
    }

typedef struct sample_list {
    double *items;
    size_t n;
} sample_list;

/* Words that many rows repeat, such as "conv": the oldest is replaced. */
typedef struct shared_words {
    const char *words[16];
    unsigned next;
} shared_words;

/* The state of one reading, as json_binder.user. */
typedef struct reading {
    roof_measured *out;
    roof_experiment *experiment;
    roof_run *run;
    roof_measured_layer *layer;
    sample_list samples; /* of the duration being read; reused */
    const char *schema, *hardware_id;
    const char *name; /* of the file, for messages */
    shared_words shared;
} reading;

static reading *of(json_binder *b)
{
    return b->user;
}

/* --- durations ---------------------------------------------------------------------------------------- */

static roof_status read_sample(json_binder *b, const json_event *event, void *target)
{
    sample_list *list = target;
    if (!array_grow((void **)&list->items, list->n, sizeof *list->items))
        return error_memory(b->err);
    return bind_seconds(b, event, &list->items[list->n++]);
}

static roof_status read_samples(json_binder *b, const json_event *event, void *target)
{
    sample_list *list = &of(b)->samples;
    (void)target;
    list->n = 0;
    TRY(bind_array(b, event, read_sample, list));
    return list->n ? ROOF_OK : bind_fail(b, "is empty, want at least one sample");
}

/* Samples rule; a mean beside them must be theirs. */
static roof_status finish_times(json_binder *b, bool has_samples, roof_times *t)
{
    char text[160];
    double stated = t->mean_s, printed_cov = t->cov_ratio;
    sample_list *list = &of(b)->samples;
    if (has_samples)
        TRY(times_from_samples(of(b)->out, list->items, list->n, t, b->err));
    t->cov_ratio = printed_cov;
    if (has_samples && fabs(stated - t->mean_s) > 0.01 * t->mean_s)
        return bind_fail(b, "mean_s is %g, but that of samples_s is %g", stated, t->mean_s);
    if (t->count == 0)
        return bind_fail(b, "count is 0, want the number of repetitions");
    if (times_contradiction(t, text, sizeof text))
        return bind_fail(b, "%s", text);
    return ROOF_OK;
}

/* The members of a duration, for whatever has one at place. */
#define TIMES(place)                                                                                         \
    CALL("samples_s", 0, read_samples),                                                                      \
        {"mean_s", BIND_SECONDS, (place) + offsetof(roof_times, mean_s), 0, 0},                              \
        {"std_s", BIND_SECONDS, (place) + offsetof(roof_times, std_s), 0, 0},                                \
        {"min_s", BIND_SECONDS, (place) + offsetof(roof_times, min_s), 0, 0},                                \
        {"max_s", BIND_SECONDS, (place) + offsetof(roof_times, max_s), 0, 0},                                \
        {"median_s", BIND_SECONDS, (place) + offsetof(roof_times, median_s), 0, 0},                          \
        {"p95_s", BIND_SECONDS, (place) + offsetof(roof_times, p95_s), 0, 0},                                \
        {"p99_s", BIND_SECONDS, (place) + offsetof(roof_times, p99_s), 0, 0},                                \
        {"cov_ratio", BIND_POSITIVE, (place) + offsetof(roof_times, cov_ratio), 0, 0},                       \
    {                                                                                                        \
        "count", BIND_COUNT, (place) + offsetof(roof_times, count), 0, 0                                     \
    }

enum { SAMPLES_SEEN = 1 }; /* the first row of TIMES, where TIMES comes first */

static const bind_member total_members[] = {TIMES(0)};

static roof_status read_total(json_binder *b, const json_event *event, void *target)
{
    uint64_t seen;
    TRY(bind_object(b, event, total_members, N(total_members), target, &seen));
    if (!seen)
        return bind_fail(b, "is empty, want samples_s or mean_s");
    return finish_times(b, seen & SAMPLES_SEEN, target);
}

/* --- layers ------------------------------------------------------------------------------------------- */

static roof_status read_shared_word(json_binder *b, const json_event *event, void *target)
{
    shared_words *s = &of(b)->shared;
    enum { N_WORDS = sizeof s->words / sizeof *s->words };
    if (event->kind != JSON_STRING)
        return bind_fail(b, "found %s, want a word", json_kind_text(event->kind));
    for (unsigned i = 0; i < N_WORDS; i++)
        if (s->words[i] && strcmp(s->words[i], event->text) == 0) {
            memcpy(target, &s->words[i], sizeof s->words[i]);
            return ROOF_OK;
        }
    const char *copy = arena_strdup(b->arena, event->text);
    if (!copy)
        return error_memory(b->err);
    s->words[s->next++ % N_WORDS] = copy;
    memcpy(target, &copy, sizeof copy);
    return ROOF_OK;
}

/* What few layers have is read into one record, and kept only when something was in it. */
typedef struct layer_record {
    roof_times time;
    const char *name, *type;
    uint32_t index;
    roof_time_basis basis;
    roof_layer_counters more;
} layer_record;

static const char *const time_bases[] = {"measured", "estimated", "share", NULL};
static const char *const bytes_origins[] = {"", "counter", "static", NULL};

#define MORE(key, k)                                                                                         \
    {                                                                                                        \
#key, BIND_##k, offsetof(layer_record, more.key), 0, 0                                               \
    }

static const bind_member layer_members[] = {
    TIMES(offsetof(layer_record, time)),
    FIELD(layer_record, index, SMALL),
    FIELD(layer_record, name, TEXT),
    CALL("type", offsetof(layer_record, type), read_shared_word),
    {"basis", BIND_WORD, offsetof(layer_record, basis), 0, time_bases},
    CALL("cycles", offsetof(layer_record, more), counters_read_cycles),
    CALL("phase_cycles", offsetof(layer_record, more), counters_read_phases),
    CALL("events", offsetof(layer_record, more), counters_read_events),
    MORE(read_bytes, COUNT),
    MORE(write_bytes, COUNT),
    MORE(total_bytes, COUNT),
    {"bytes_basis", BIND_WORD, offsetof(layer_record, more.bytes_origin), 0, bytes_origins},
    MORE(share_ratio, POSITIVE),
    MORE(ops_per_s, POSITIVE),
    MORE(workload_ops, COUNT),
    CALL("device", offsetof(layer_record, more.device), read_shared_word),
    MORE(energy_j, POSITIVE),
};

/* Rows of layer_members from here on are counters, if they are there at all: ten of TIMES and seven more stand before
 * them. An object of counters may be there and be empty. */
enum { FIRST_COUNTER = 17 };

static bool has_counters(const layer_record *l, uint64_t seen)
{
    return seen >> FIRST_COUNTER || l->more.n_cycles || l->more.n_phases || l->more.n_events;
}

static roof_status check_layer(json_binder *b, const layer_record *l)
{
    if (!l->name && l->index == ROOF_NONE)
        return bind_fail(b, "has neither name nor index, want one of them");
    if (l->index == 0)
        return bind_fail(b, "index is 0, want it counted from 1");
    if (l->more.share_ratio > 1 + 1e-6)
        return bind_fail(b, "share_ratio is %g, want at most 1 (not percent)", l->more.share_ratio);
    return ROOF_OK;
}

static roof_status keep_counters(json_binder *b, const layer_record *record)
{
    roof_layer_counters *kept = layer_counters_of(of(b)->out, of(b)->layer);
    if (!kept)
        return error_memory(b->err);
    *kept = record->more;
    return ROOF_OK;
}

static roof_status read_layer(json_binder *b, const json_event *event, void *target)
{
    layer_record record = {.time = times_unknown(), .index = ROOF_NONE, .more = layer_counters_unknown()};
    uint64_t seen;
    (void)target;
    if (of(b)->out->storage->n_layers++ >= MEASURED_MAX_LAYERS)
        return error_set(b->err, ROOF_E_LIMIT, "more than 2^24 rows");
    roof_measured_layer *layer = of(b)->layer = run_add_layer(of(b)->run);
    if (!layer)
        return error_memory(b->err);
    TRY(bind_object(b, event, layer_members, N(layer_members), &record, &seen));
    TRY(finish_times(b, seen & SAMPLES_SEEN, &record.time));
    TRY(check_layer(b, &record));
    layer->name = record.name;
    layer->type = record.type;
    layer->time = record.time;
    layer->index = record.index;
    layer->basis = record.basis;
    return has_counters(&record, seen) ? keep_counters(b, &record) : ROOF_OK;
}

static int ascending(const void *a_, const void *b_)
{
    uint32_t a = *(const uint32_t *)a_, b = *(const uint32_t *)b_;
    return (a > b) - (a < b);
}

/* An index that two rows have, or ROOF_NONE. Rows in order, as nearly all are, need no sorting. */
static roof_status repeated_index(const roof_run *run, uint32_t *out, roof_error *err)
{
    uint32_t last = 0, n = 0;
    bool sorted = true;
    *out = ROOF_NONE;
    for (uint32_t i = 0; i < run->n_layers; i++) {
        if (run->layers[i].index == ROOF_NONE)
            continue;
        sorted = sorted && run->layers[i].index > last;
        last = run->layers[i].index;
        n++;
    }
    uint32_t *indices = sorted ? NULL : malloc(n * sizeof *indices);
    if (sorted)
        return ROOF_OK;
    if (!indices)
        return error_memory(err);
    n = 0;
    for (uint32_t i = 0; i < run->n_layers; i++)
        if (run->layers[i].index != ROOF_NONE)
            indices[n++] = run->layers[i].index;
    qsort(indices, n, sizeof *indices, ascending);
    for (uint32_t i = 1; i < n && *out == ROOF_NONE; i++)
        if (indices[i] == indices[i - 1])
            *out = indices[i];
    free(indices);
    return ROOF_OK;
}

static roof_status read_layers(json_binder *b, const json_event *event, void *target)
{
    uint32_t repeated;
    (void)target;
    TRY(bind_array(b, event, read_layer, NULL));
    TRY(repeated_index(of(b)->run, &repeated, b->err));
    if (repeated != ROOF_NONE)
        return bind_fail(b, "two rows have index %u; an index is the place in the order of execution",
                         repeated);
    return ROOF_OK;
}

/* --- runs --------------------------------------------------------------------------------------------- */

static roof_status read_clock(json_binder *b, const json_event *event, void *unused)
{
    roof_run *run = of(b)->run;
    (void)unused;
    if (event->number < 1)
        return bind_fail(b, "found %.17g Hz, want 1 or more", event->number);
    TRY(named_check_new(b, event->key, run->clocks, run->n_clocks, sizeof *run->clocks));
    const char *domain = arena_strdup(b->arena, event->key);
    roof_clock *clock = domain ? run_add_clock(run) : NULL;
    if (!clock)
        return error_memory(b->err);
    *clock = (roof_clock){domain, event->number};
    return ROOF_OK;
}

static roof_status read_clocks(json_binder *b, const json_event *event, void *target)
{
    (void)target;
    return named_each(b, event, read_clock, NULL);
}

static const char *const modes[] = {"bypass", "per_layer", NULL};

static const bind_member run_members[] = {
    {"mode", BIND_WORD, offsetof(roof_run, mode), 0, modes},
    FIELD(roof_run, boundaries, SMALL),
    FIELD(roof_run, launches, SMALL),
    FIELD(roof_run, warmup, COUNT),
    FIELD(roof_run, iterations, COUNT),
    CALL("clocks_hz", 0, read_clocks),
    CALL("total", offsetof(roof_run, total), read_total),
    FIELD(roof_run, sum_of_layers_s, SECONDS),
    CALL("phases", 0, phases_read),
    CALL("phase_kinds", 0, phases_read_kinds),
    CALL("phase_parents", 0, phases_read_parents),
    CALL("phase_cycles", 0, run_read_phases),
    CALL("events", 0, run_read_events),
    FIELD(roof_run, read_bytes, COUNT),
    FIELD(roof_run, write_bytes, COUNT),
    FIELD(roof_run, total_bytes, COUNT),
    CALL("layers", 0, read_layers),
    FIELD(roof_run, energy_j, POSITIVE),
    FIELD(roof_run, power_w, POSITIVE),
};

static roof_status read_run(json_binder *b, const json_event *event, void *target)
{
    enum { MODE_SEEN = 1 };
    uint64_t seen;
    (void)target;
    roof_run *run = of(b)->run = experiment_add_run(of(b)->experiment, ROOF_RUN_BYPASS);
    if (!run)
        return error_memory(b->err);
    TRY(bind_object(b, event, run_members, N(run_members), run, &seen));
    if (!(seen & MODE_SEEN))
        return bind_fail(b, "has no mode, want \"bypass\" or \"per_layer\"");
    return phases_finish(b, run);
}

static roof_status read_runs(json_binder *b, const json_event *event, void *target)
{
    (void)target;
    TRY(bind_array(b, event, read_run, NULL));
    return of(b)->experiment->n_runs ? ROOF_OK : bind_fail(b, "is empty, want at least one run");
}

/* --- experiments -------------------------------------------------------------------------------------- */

static const bind_member model_members[] = {
    {"path", BIND_TEXT, offsetof(roof_experiment, model_path), 0, 0},
    {"name", BIND_TEXT, offsetof(roof_experiment, model_name), 0, 0},
    {"graph_hash", BIND_TEXT, offsetof(roof_experiment, graph_hash), 0, 0},
};

static roof_status read_model(json_binder *b, const json_event *event, void *target)
{
    return bind_object(b, event, model_members, N(model_members), target, NULL);
}

static const bind_member hardware_members[] = {{"id", BIND_TEXT, 0, 0, 0}};

static roof_status read_hardware(json_binder *b, const json_event *event, void *target)
{
    return bind_object(b, event, hardware_members, N(hardware_members), target, NULL);
}

/* A prediction says more than is read of it, and a newer version says more still. */
static roof_status read_embedded(json_binder *b, const json_event *event, void *target)
{
    json_binder quiet = *b;
    (void)target;
    quiet.unknown = NULL;
    return prediction_bind(&quiet, event, &of(b)->experiment->prediction);
}

static const bind_member experiment_members[] = {
    CALL("model", 0, read_model),
    CALL("runs", 0, read_runs),
    CALL("hardware", offsetof(roof_experiment, hardware_id), read_hardware),
    CALL("prediction", 0, read_embedded),
};

static roof_status read_experiment(json_binder *b, const json_event *event, void *target)
{
    enum { RUNS_SEEN = 2 };
    char pointer[64];
    uint64_t seen;
    (void)target;
    roof_experiment *e = of(b)->experiment = measured_add_experiment(of(b)->out);
    if (!e)
        return error_memory(b->err);
    jsonpull_pointer(b->puller, pointer, sizeof pointer);
    e->place = arena_printf(b->arena, "%s: %s", of(b)->name, pointer);
    TRY(bind_object(b, event, experiment_members, N(experiment_members), e, &seen));
    if (!(seen & RUNS_SEEN))
        return bind_fail(b, "has no runs, want what was measured");
    return e->place ? ROOF_OK : error_memory(b->err);
}

static roof_status read_experiments(json_binder *b, const json_event *event, void *target)
{
    (void)target;
    TRY(bind_array(b, event, read_experiment, NULL));
    return of(b)->out->n_experiments ? ROOF_OK : bind_fail(b, "is empty, want at least one experiment");
}

/* --- source ------------------------------------------------------------------------------------------- */

enum { MOST_FILES = 4096 };

static roof_status read_file_name(json_binder *b, const json_event *event, void *target)
{
    roof_measured_source *s = target;
    if (event->kind != JSON_STRING)
        return bind_fail(b, "found %s, want a file's name", json_kind_text(event->kind));
    if (s->n_files >= MOST_FILES)
        return bind_fail(b, "is one too many, want at most %d files", MOST_FILES);
    const char **more = arena_grow(b->arena, s->files, s->n_files, sizeof *more);
    const char *name = arena_strdup(b->arena, event->text);
    if (!more || !name)
        return error_memory(b->err);
    more[s->n_files++] = name;
    s->files = more;
    return ROOF_OK;
}

static roof_status read_files(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, read_file_name, target);
}

static const bind_member source_members[] = {
    FIELD(roof_measured_source, tool, TEXT),
    FIELD(roof_measured_source, notes, TEXT),
    CALL("files", 0, read_files),
};

static roof_status read_source(json_binder *b, const json_event *event, void *target)
{
    (void)target;
    roof_measured_source *source = measured_add_source(of(b)->out);
    if (!source)
        return error_memory(b->err);
    return bind_object(b, event, source_members, N(source_members), source, NULL);
}

static roof_status read_sources(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, read_source, target);
}

/* --- the document ------------------------------------------------------------------------------------- */

static roof_status check_schema(json_binder *b, const char *schema)
{
    static const char family[] = "roofline.";
    char shown[80];
    quote_text(shown, sizeof shown, schema, strlen(schema));
    if (strcmp(schema, ROOF_MEASURED_SCHEMA) == 0)
        return ROOF_OK;
    if (strncmp(schema, "roofline.measured/", strlen("roofline.measured/")) == 0)
        return bind_fail(
            b, "is \"%s\", want \"" ROOF_MEASURED_SCHEMA "\"; another version of roofline wrote it", shown);
    if (strncmp(schema, family, strlen(family)) == 0)
        return bind_fail(b, "is \"%s\", another kind of document; want \"" ROOF_MEASURED_SCHEMA "\"", shown);
    return bind_fail(b, "is \"%s\", want \"" ROOF_MEASURED_SCHEMA "\"", shown);
}

static roof_status read_schema(json_binder *b, const json_event *event, void *target)
{
    (void)target;
    if (event->kind != JSON_STRING)
        return bind_fail(b, "found %s, want \"" ROOF_MEASURED_SCHEMA "\"", json_kind_text(event->kind));
    of(b)->schema = ROOF_MEASURED_SCHEMA;
    return check_schema(b, event->text);
}

static const bind_member document_members[] = {
    CALL("schema", 0, read_schema),           CALL("source", 0, read_source),
    CALL("sources", 0, read_sources),         CALL("hardware", offsetof(reading, hardware_id), read_hardware),
    CALL("experiments", 0, read_experiments),
};

/* --- what nobody reads -------------------------------------------------------------------------------- */

static roof_status note_unread(json_binder *b, const bind_member *members, size_t n, const char *key)
{
#define KIND(table, name)                                                                                    \
    {                                                                                                        \
        (table), N(table), (name)                                                                            \
    }
    static const object_kind kinds[] = {
        KIND(layer_members, "a row of layers"), KIND(run_members, "a run"),
        KIND(total_members, "total"),           KIND(experiment_members, "an experiment"),
        KIND(model_members, "model"),           KIND(hardware_members, "hardware"),
        KIND(source_members, "source"),         KIND(document_members, "the document")};
    (void)n;
    for (size_t k = 0; k < N(kinds); k++)
        if (kinds[k].members == members)
            return unread_note(b, &(object_kinds){kinds, N(kinds), &kinds[k], of(b)->name}, key, of(b)->out);
    return ROOF_OK;
}

static roof_status read_document(json_binder *b)
{
    json_event event;
    roof_status status = jsonpull_next(b->puller, &event, b->err);
    if (status == ROOF_E_DATA &&
        b->err->line == 1) /* not even a beginning of one; an empty file has no line */
        return error_set(b->err, ROOF_E_DATA,
                         "is no JSON document, want \"" ROOF_MEASURED_SCHEMA
                         "\"; `roofline import` makes one of what other tools write");
    TRY(status);
    TRY(bind_object(b, &event, document_members, N(document_members), of(b), NULL));
    if (!of(b)->schema)
        return bind_fail(b, "has no \"schema\", want \"" ROOF_MEASURED_SCHEMA "\"");
    if (!of(b)->out->n_experiments)
        return bind_fail(b, "has no \"experiments\"");
    return jsonpull_next(b->puller, &event, b->err); /* nothing may follow */
}

/* Where a model lies, as seen from here: its path is relative to the folder of the document. */
static const char *resolve(roof_arena *arena, const char *document, const char *path)
{
    const char *slash = strrchr(document, '/');
    if (path[0] == '/' || !slash || strcmp(document, "-") == 0)
        return path;
    return arena_printf(arena, "%.*s/%s", (int)(slash - document), document, path);
}

static roof_status resolve_all(roof_measured *m, const char *document, const char *hardware_id,
                               roof_error *err)
{
    for (uint32_t i = 0; i < m->n_experiments; i++) {
        roof_experiment *e = &m->experiments[i];
        if (!e->hardware_id)
            e->hardware_id = hardware_id;
        if (e->model_path)
            e->resolved_path = resolve(m->storage->arena, document, e->model_path);
        if (e->model_path && !e->resolved_path)
            return error_memory(err);
    }
    return ROOF_OK;
}

roof_status measured_read_from(json_source source, void *context, const char *name, roof_measured **out,
                               roof_error *err)
{
    char pointer[400];
    roof_error local;
    jsonpull *puller = jsonpull_new(source, context);
    reading r = {.out = measured_new(), .name = name};
    json_binder b = {.puller = puller,
                     .arena = r.out ? r.out->storage->arena : NULL,
                     .user = &r,
                     .err = &local,
                     .unknown = note_unread};
    roof_status status = puller && r.out ? read_document(&b) : error_memory(&local);
    if (status != ROOF_OK && !local.where[0] &&
        puller) { /* a syntax error knows its line; say the place as well */
        jsonpull_pointer(puller, pointer, sizeof pointer);
        if (pointer[0])
            error_prefix(&local, "%s", pointer);
    }
    if (status == ROOF_OK)
        status = resolve_all(r.out, name, r.hardware_id, &local);
    if (status == ROOF_OK)
        status = arena_status(r.out->storage->arena, &local);
    jsonpull_free(puller);
    free(r.samples.items);
    if (status == ROOF_OK) {
        *out = r.out;
    } else {
        roof_measured_free(r.out);
        error_prefix(&local, "%s", name);
        if (err)
            *err = local;
    }
    return status;
}

roof_status roof_measured_read(const char *path, roof_measured **out, roof_error *err)
{
    input_file input;
    *out = NULL;
    TRY(input_open(path, 0, &input, err));
    roof_status status = measured_read_from(input_read, &input, input.name, out, err);
    input_close(&input);
    return status;
}
