/* roofline.measured/1 in and out of memory, value by value: each object has a table of its members, and what
 * the table cannot say (repeated indices, statistics that contradict each other) is checked where the object
 * ends. Unknown members are left out, so that a reader sees no null. */
#include "hwdb/hwdb.h"
#include "measure/profile/phases.h"
#include "measure/profile/profile.h"
#include "model/documents/documents.h"

/* The state of one reading or writing, as codec.user. */
typedef struct coding {
    roof_measured *out;
    double *list_s;          /* of seconds, the last one that was read; reused */
    size_t n_list, n_means;  /* n_means: of the threads of the run being read */
    const char *hardware_id; /* of all experiments that say nothing else */
    const char *name;        /* of the file, for messages */
} coding;

static coding *of(codec *c)
{
    return c->user;
}

/* --- durations ---------------------------------------------------------------------------------------- */

static roof_status read_sample(codec *c, const json_event *event, void *may_be_null)
{
    coding *state = of(c);
    TRY(ALLOCATED(array_grow((void **)&state->list_s, state->n_list, sizeof *state->list_s), c->err));
    state->list_s[state->n_list++] = NAN;
    return event->kind == JSON_NULL && *(const bool *)may_be_null
               ? ROOF_OK
               : codec_read_seconds(c, event, &state->list_s[state->n_list - 1]);
}

static roof_status read_list(codec *c, const json_event *event, bool may_be_null)
{
    of(c)->n_list = 0;
    return codec_read_array(c, event, read_sample, &may_be_null);
}

static roof_status read_samples(codec *c, const json_event *event, void *target)
{
    (void)target;
    TRY(read_list(c, event, false));
    return of(c)->n_list ? ROOF_OK : codec_fail(c, "is empty, want at least one sample");
}

static void write_seconds(codec *c, const char *key, const double *list, uint64_t n)
{
    if (!list)
        return;
    jsonout_array(c->out, key, true);
    for (uint64_t i = 0; i < n; i++)
        jsonout_number(c->out, NULL, list[i]);
    jsonout_end(c->out);
}

/* Defines what writes a list of seconds: list, of n, in a struct of the type. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type, and members */
#define WRITES_SECONDS(name, type, list, n)                                                                  \
    static void name(codec *c, const char *key, const void *target)                                          \
    {                                                                                                        \
        write_seconds(c, key, ((const type *)target)->list, ((const type *)target)->n);                      \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
WRITES_SECONDS(write_samples, roof_times, samples_s, count)
WRITES_SECONDS(write_thread_means, roof_run, thread_means_s, threads)
WRITES_SECONDS(write_blocks, roof_run, blocks_s, n_blocks)

/* Samples rule; a mean beside them must be theirs, and no percentile is outside of them. */
static roof_status finish_times(codec *c, bool has_samples, roof_times *t)
{
    char text[160];
    roof_times stated = *t;
    if (has_samples)
        TRY(times_from_samples(of(c)->out, of(c)->list_s, of(c)->n_list, t, c->err));
    t->cov_ratio = stated.cov_ratio;
    if (has_samples && fabs(stated.mean_s - t->mean_s) > 0.01 * t->mean_s)
        return codec_fail(c, "mean_s is %g, but that of samples_s is %g", stated.mean_s, t->mean_s);
    if (t->count == 0)
        return codec_fail(c, "count is 0, want the number of repetitions");
    stated.mean_s = t->mean_s;
    stated.min_s = t->min_s;
    stated.max_s = t->max_s;
    if (times_contradiction(&stated, text, sizeof text))
        return codec_fail(c, "%s%s", text, has_samples ? " by samples_s" : "");
    return ROOF_OK;
}

CODEC_WHEN(has_no_samples, roof_times, !it->samples_s)

/* The members of whatever begins with its duration. */
#define STATISTIC(member, kind) CODEC(roof_times, member, kind, OMIT), .when = has_no_samples
#define TIMES                                                                                                \
    {CODEC_BY("samples_s", 0, read_samples, write_samples)}, {STATISTIC(mean_s, SECONDS)},                   \
        {STATISTIC(std_s, SECONDS)}, {STATISTIC(min_s, SECONDS)}, {STATISTIC(max_s, SECONDS)},               \
        {STATISTIC(median_s, SECONDS)}, {STATISTIC(p95_s, SECONDS)}, {STATISTIC(p99_s, SECONDS)},            \
        {STATISTIC(count, COUNT)},                                                                           \
    {                                                                                                        \
        CODEC(roof_times, cov_ratio, POSITIVE, OMIT)                                                         \
    }

enum { SAMPLES_OF_TOTAL = 1 << 0, SAMPLES_OF_LAYER = 1 << 3 }; /* where they stand in the tables */

static roof_status end_total(codec *c, void *target)
{
    if (!c->seen)
        return codec_fail(c, "is empty, want samples_s or mean_s");
    return finish_times(c, c->seen & SAMPLES_OF_TOTAL, target);
}

static const codec_member total_members[] = {TIMES};
static const codec_object total_object = {CODEC_ROWS(total_members), .name = "total", .one_line = true,
                                          .end = end_total};

/* Nothing is known of a duration that is all unknown. */
static bool has_total(const codec *c, const void *target)
{
    const roof_times *t = &((const roof_run *)target)->total;
    const double values[] = {t->mean_s,   t->std_s, t->min_s, t->max_s,
                             t->median_s, t->p95_s, t->p99_s, t->cov_ratio};
    bool any = t->samples_s || t->count != ROOF_UNKNOWN;
    (void)c;
    for (size_t i = 0; i < CODEC_N(values); i++)
        any = any || !isnan(values[i]);
    return any;
}

/* --- what has names of somebody else ------------------------------------------------------------------ */

static const codec_member cycles_members[] = {{CODEC(roof_domain_cycles, cycles, COUNT, ALWAYS)}};
static const codec_object cycles_object = {CODEC_ROWS(cycles_members), .is_bare = true};

static const codec_member phase_members[] = {
    {CODEC_ITEMS("cycles", roof_phase_cycles, cycles, n_cycles, &cycles_object, MOST_DOMAINS, KEYS)}};
static const codec_object phase_object = {CODEC_ROWS(phase_members), .is_bare = true};

/* Counters have names in documents only, which stand in for them until all of a list were read. */
static const codec_member event_members[] = {{CODEC(roof_event, count, COUNT, ALWAYS)}};
static const codec_object event_object = {CODEC_ROWS(event_members), .is_bare = true};

static roof_status parse_events(codec *c, roof_event *events, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t count = events[i].count;
        TRY(counter_parse(events[i].name, c->arena, &events[i], c->err));
        events[i].count = count;
    }
    return ROOF_OK;
}

typedef struct event_list {
    const roof_event *items;
    uint32_t n;
} event_list;

static bool never(const codec *c, const void *target)
{
    (void)c;
    (void)target;
    return false;
}

static void write_events(codec *c, const char *key, const void *target)
{
    const event_list *list = target;
    char name[COUNTER_NAME_SIZE];
    if (!list->n)
        return;
    jsonout_object(c->out, key, true);
    for (uint32_t i = 0; i < list->n; i++)
        jsonout_count(c->out, counter_name(&list->items[i], name), list->items[i].count);
    jsonout_end(c->out);
}

/* The events of a type, which are a list as above: how they are read, and how they are written. */
#define EVENTS(type, at)                                                                                     \
    {CODEC_ITEMS("events", type, at events, at n_events, &event_object, MOST_EVENTS, KEYS), .when = never},  \
    {                                                                                                        \
        CODEC_BY("events", offsetof(type, at events), NULL, write_events)                                    \
    }
_Static_assert(offsetof(roof_run, n_events) - offsetof(roof_run, events) == offsetof(event_list, n) &&
                   offsetof(roof_layer_counters, n_events) - offsetof(roof_layer_counters, events) ==
                       offsetof(event_list, n),
               "events and their number lie as in an event_list");

static const codec_member clock_members[] = {{CODEC(roof_clock, hz, POSITIVE, ALWAYS)}};

static roof_status end_clock(codec *c, void *target)
{
    const roof_clock *clock = target;
    return clock->hz < 1 ? codec_fail(c, "found %.17g Hz, want 1 or more", clock->hz) : ROOF_OK;
}

static const codec_object clock_object = {CODEC_ROWS(clock_members), .is_bare = true, .end = end_clock};

/* --- layers ------------------------------------------------------------------------------------------- */

/* A layer with what few layers have, which is kept apart, and only when something was in it. */
typedef struct layer_record {
    roof_measured_layer layer; /* its time is first, as TIMES wants it */
    roof_layer_counters more;
    uint32_t other_executions; /* by another name of that member; 0: none */
    bool has_more;
} layer_record;
static const char *const time_bases[] = {"measured", "estimated", "share", NULL};
static const char *const bytes_origins[] = {"", "counter", "static", NULL};
static const char *const cycles_kinds[] = {"elapsed", "summed", "predicted", NULL};

#define LAYER(member, kind) CODEC_AS(#member, layer_record, layer.member, kind, OMIT)
#define MORE(member, kind)  CODEC_AS(#member, layer_record, more.member, kind, OMIT)

static roof_status read_executions(codec *c, const json_event *event, void *target);

static const codec_member layer_members[] = {
    {LAYER(index, SMALL)},
    {LAYER(name, TEXT)},
    {LAYER(type, SHARED)},
    TIMES,
    {LAYER(executions, SMALL)},
    {CODEC_ITEMS("cycles", layer_record, more.cycles, more.n_cycles, &cycles_object, 64, KEYS_OMIT)},
    {CODEC_WORDS("cycles_kind", layer_record, more.cycles_kind, cycles_kinds, OMIT_ZERO)},
    {CODEC_ITEMS("phase_cycles", layer_record, more.phases, more.n_phases, &phase_object, MOST_PHASES,
                 KEYS_OMIT)},
    EVENTS(layer_record, more.),
    {MORE(read_bytes, COUNT)},
    {MORE(write_bytes, COUNT)},
    {MORE(total_bytes, COUNT)},
    {CODEC_WORDS("bytes_basis", layer_record, more.bytes_origin, bytes_origins, OMIT)},
    {MORE(share_ratio, POSITIVE)},
    {MORE(ops_per_s, POSITIVE)},
    {MORE(write_s, SECONDS)},
    {MORE(run_s, SECONDS)},
    {MORE(read_s, SECONDS)},
    {MORE(workload_ops, COUNT)},
    {MORE(device, SHARED)},
    {MORE(energy_j, POSITIVE)},
    {CODEC_WORDS("basis", layer_record, layer.basis, time_bases, OMIT_ZERO)},
    {CODEC_BY("repeat", 0, read_executions, NULL)}, /* its name in predictions */
    {CODEC_BY("calls", 0, read_executions, NULL)},  /* and in tables */
};

static roof_status end_layer(codec *c, void *target)
{
    layer_record *l = target;
    TRY(finish_times(c, c->seen & SAMPLES_OF_LAYER, &l->layer.time));
    TRY(parse_events(c, l->more.events, l->more.n_events));
    if (!l->layer.name && l->layer.index == ROOF_NONE)
        return codec_fail(c, "has neither name nor index, want one of them");
    if (l->other_executions && l->layer.executions != ROOF_NONE && l->layer.executions != l->other_executions)
        return codec_fail(c, "executions is %u, but by another name %u: they are one member",
                          l->layer.executions, l->other_executions);
    if (l->other_executions)
        l->layer.executions = l->other_executions;
    if (l->layer.executions == 0)
        return codec_fail(c, "executions is 0, want how often one inference executes the row");
    if (l->layer.executions == ROOF_NONE)
        l->layer.executions = 1;
    if (l->layer.executions > 1 && l->more.n_phases)
        return codec_fail(
            c, "executions is %u, but phase_cycles are those of an epoch, which an inference executes once",
            l->layer.executions);
    if (l->layer.index == 0)
        return codec_fail(c, "index is 0, want it counted from 1");
    if (l->more.share_ratio > 1 + 1e-6)
        return codec_fail(c, "share_ratio is %g, want at most 1 (not percent)", l->more.share_ratio);
    /* An object of counters may be there and be empty. */
    l->has_more = l->more.n_cycles || l->more.n_phases || l->more.n_events;
    for (size_t i = 0; i < CODEC_N(layer_members) && !l->has_more; i++)
        l->has_more = c->seen >> i & 1 && layer_members[i].offset >= offsetof(layer_record, more) &&
                      layer_members[i].kind != CODEC_LIST && layer_members[i].kind != CODEC_CALL;
    return ROOF_OK;
}

static const codec_object layer_object = {CODEC_ROWS(layer_members), .name = "a row of layers",
                                          .one_line = true, .end = end_layer};

static roof_status read_layer(codec *c, const json_event *event, void *target)
{
    layer_record record = {.more = {0}};
    codec_forget(&layer_object, &record);
    if (of(c)->out->storage->n_layers++ >= MEASURED_MAX_LAYERS)
        return error_set(c->err, ROOF_E_LIMIT, "more than 2^24 rows");
    roof_measured_layer *layer = run_add_layer(of(c)->out, target);
    TRY(ALLOCATED(layer, c->err));
    TRY(codec_read_object(c, event, &layer_object, &record));
    *layer = record.layer;
    if (!record.has_more)
        return ROOF_OK;
    TRY(ARENA_GET(c->arena, layer->counters, 1, c->err));
    *layer->counters = record.more;
    return ROOF_OK;
}

static void write_layers(codec *c, const char *key, const void *target)
{
    const roof_run *run = target;
    if (!run->n_layers)
        return;
    jsonout_array(c->out, key, false);
    FOR_EACH(const roof_measured_layer, l, run->layers, run->n_layers) {
        layer_record record = {.layer = *l, .more = l->counters ? *l->counters : layer_counters_unknown()};
        if (record.layer.executions <= 1) /* goes without saying */
            record.layer.executions = ROOF_NONE;
        codec_write_object(c, NULL, &layer_object, &record);
    }
    jsonout_end(c->out);
}

static roof_status read_layers(codec *c, const json_event *event, void *target)
{
    const roof_run *run = target;
    uint32_t n = 0, twice = 1;
    TRY(codec_read_array(c, event, read_layer, target));
    uint32_t *indices = malloc((run->n_layers + (size_t)1) * sizeof *indices);
    TRY(ALLOCATED(indices, c->err));
    for (uint32_t i = 0; i < run->n_layers; i++)
        if (run->layers[i].index != ROOF_NONE)
            indices[n++] = run->layers[i].index;
    ORDER_VALUES(indices, n);
    while (twice < n && indices[twice] != indices[twice - 1])
        twice++;
    uint32_t index = twice < n ? indices[twice] : ROOF_NONE;
    free(indices);
    return index == ROOF_NONE
               ? ROOF_OK
               : codec_fail(c, "two rows have index %u; an index is the place in the order of execution",
                            index);
}

/* --- load ---------------------------------------------------------------------------------------------- */

enum { MOST_BLOCKS = 1 << 16 };

/* A thread that did no inference has no mean. */
static roof_status read_thread_means(codec *c, const json_event *event, void *target)
{
    roof_run *run = target;
    TRY(read_list(c, event, true));
    of(c)->n_means = of(c)->n_list;
    run->thread_means_s = arena_copy(c->arena, of(c)->list_s, of(c)->n_list, sizeof(double));
    return ALLOCATED(run->thread_means_s, c->err);
}

static roof_status read_blocks(codec *c, const json_event *event, void *target)
{
    roof_run *run = target;
    TRY(read_list(c, event, true));
    const size_t n = of(c)->n_list;
    if (n > MOST_BLOCKS)
        return codec_fail(c, "blocks_s has %zu values, want at most %d", n, MOST_BLOCKS);
    run->n_blocks = (uint32_t)n;
    run->blocks_s = n ? arena_copy(c->arena, of(c)->list_s, n, sizeof(double)) : NULL;
    return ALLOCATED(run->blocks_s || !n, c->err);
}

/* A load run must have a number of threads, and no other run may have one: the latency of one inference
 * beside it would be taken for that of an idle device. */
static roof_status check_load(codec *c, const roof_run *run)
{
    const size_t n_means = of(c)->n_means;
    const bool is_stated = run->threads != ROOF_NONE || !isnan(run->frames_per_s) || run->thread_means_s;
    if (run->mode != ROOF_RUN_LOAD)
        return is_stated ? codec_fail(c,
                                      "has threads, frames_per_s or thread_means_s, which only a run of mode "
                                      "\"load\" has; it is of mode \"%s\"",
                                      roof_run_mode_text(run->mode))
                         : ROOF_OK;
    if (run->threads == ROOF_NONE)
        return codec_fail(c, "has no threads, want how many there were in this run of mode \"load\"");
    if (run->threads == 0)
        return codec_fail(c, "threads is 0, want how many there were, from 1");
    if (run->thread_means_s && n_means != run->threads)
        return codec_fail(c, "thread_means_s has %zu values, want one for each of its %u threads", n_means,
                          run->threads);
    return run->n_layers
               ? codec_fail(c, "has layers, which only a run of mode \"per_layer\" or \"bypass\" has; "
                               "it is of mode \"load\"")
               : ROOF_OK;
}

/* --- runs --------------------------------------------------------------------------------------------- */

static roof_status end_run(codec *c, void *target)
{
    const roof_run *run = target;
    TRY(check_load(c, run));
    TRY(parse_events(c, run->events, run->n_events));
    return phases_finish(c, target);
}

static const char *const modes[] = {"bypass", "per_layer", "load", NULL};

#define RUN(member, kind) CODEC(roof_run, member, kind, OMIT)

#define CONDITION(member, kind) CODEC(roof_condition, member, kind, OMIT)
static const codec_member condition_members[] = {{CONDITION(at_s, SECONDS)},
                                                 {CONDITION(clock_hz, POSITIVE)},
                                                 {CONDITION(temperature_c, NUMBER)},
                                                 {CONDITION(load_ratio, POSITIVE)},
                                                 {CONDITION(governor, SHARED)}};
static const codec_object condition_object = {CODEC_ROWS(condition_members), .name = "a condition",
                                              .one_line = true};
enum { MOST_CONDITIONS = 10000 };

#define TREND(member, kind) CODEC(roof_trend, member, kind, OMIT)
static const codec_member trend_members[] = {
    {TREND(steps, COUNT), .missing = "has no steps, want how many there are"},
    {TREND(first_s, SECONDS)},
    {TREND(middle_s, SECONDS)},
    {TREND(last_s, SECONDS)},
    {TREND(min_s, SECONDS)},
    {TREND(max_s, SECONDS)},
    {TREND(mean_s, SECONDS)},
    {TREND(resolution_s, SECONDS)}};
static const codec_object trend_object = {CODEC_ROWS(trend_members), .name = "trend", .one_line = true};

CODEC_WHEN(has_trend, roof_run, it->trend.steps != ROOF_UNKNOWN)

#define STANDOUT(member, kind) CODEC(roof_standout, member, kind, ALWAYS)
static const codec_member standout_members[] = {
    {STANDOUT(name, NAME), .missing = "has no name, want that of the part that took longest"},
    {STANDOUT(time_s, SECONDS), .missing = "has no time_s"},
    {STANDOUT(others_s, SECONDS), .missing = "has no others_s, want what the others took"},
    {STANDOUT(others, COUNT), .missing = "has no others, want how many there are"}};
static const codec_object standout_object = {CODEC_ROWS(standout_members), .name = "stands_out",
                                             .one_line = true};

static const char *const doubt_kinds[] = {"emulation", "half_clock", "half_width", "underflow",
                                          "no_unit",   "logged",     NULL};
static const codec_member doubt_members[] = {
    {CODEC_WORDS("kind", roof_doubt, kind, doubt_kinds, ALWAYS),
     .missing = "has no kind, want \"emulation\", \"half_clock\", \"half_width\", \"underflow\", \"no_unit\" "
                "or \"logged\""},
    {CODEC(roof_doubt, text, NAME, ALWAYS), .missing = "has no text, want the figures that raise the doubt"}};
static const codec_object doubt_object = {CODEC_ROWS(doubt_members), .name = "a doubt", .one_line = true};

static const codec_member rule_members[] = {
    {CODEC(roof_tool_rule, row, NAME, ALWAYS),
     .missing = "has no row, want the name of the one that it is of"},
    {CODEC(roof_tool_rule, rule, NAME, ALWAYS), .missing = "has no rule, want its name"},
    {CODEC(roof_tool_rule, text, NAME, ALWAYS), .missing = "has no text"},
    {CODEC(roof_tool_rule, gain_ratio, POSITIVE, OMIT)}};
static const codec_object rule_object = {CODEC_ROWS(rule_members), .name = "a rule of the tool",
                                         .one_line = true};

static const codec_member run_members[] = {
    {CODEC_WORDS("mode", roof_run, mode, modes, ALWAYS),
     .missing = "has no mode, want \"bypass\", \"per_layer\" or \"load\""},
    {RUN(core, TEXT)},
    {RUN(boundaries, SMALL)},
    {RUN(launches, SMALL)},
    {RUN(boundary_cost_s, SECONDS)},
    {RUN(batch, SMALL)},
    {RUN(threads, SMALL)},
    {RUN(cores, SMALL)},
    {RUN(frames_per_s, POSITIVE)},
    {CODEC_BY("thread_means_s", 0, read_thread_means, write_thread_means)},
    {RUN(warmup, COUNT)},
    {RUN(iterations, COUNT)},
    {CODEC_AS("whole_recording", roof_run, is_recording, BOOL, PLAIN), CODEC_IF(roof_run, is_recording)},
    {CODEC_ITEMS("clocks_hz", roof_run, clocks, n_clocks, &clock_object, 64, KEYS_OMIT)},
    {CODEC_IN("total", offsetof(roof_run, total), &total_object), .when = has_total},
    {RUN(sum_of_layers_s, SECONDS)},
    {RUN(span_s, SECONDS)},
    {RUN(busy_s, SECONDS)},
    {RUN(setup_s, SECONDS)},
    {CODEC_IN("trend", offsetof(roof_run, trend), &trend_object), .when = has_trend},
    {CODEC_IN("stands_out", offsetof(roof_run, stands_out), &standout_object), .how = CODEC_OMIT,
     CODEC_IF(roof_run, stands_out.name)},
    {CODEC_BY("blocks_s", 0, read_blocks, write_blocks)},
    {CODEC_BY("phases", 0, phases_read, phases_write)},
    {CODEC_BY("phase_kinds", 0, phases_read, phases_write)},
    {CODEC_BY("phase_parents", 0, phases_read, phases_write)},
    {CODEC_ITEMS("phase_cycles", roof_run, phase_cycles, n_phase_cycles, &phase_object, MOST_PHASES,
                 KEYS_OMIT)},
    EVENTS(roof_run, ),
    {RUN(read_bytes, COUNT)},
    {RUN(write_bytes, COUNT)},
    {RUN(total_bytes, COUNT)},
    {RUN(memory_bytes, COUNT)},
    {CODEC_BY("layers", 0, read_layers, write_layers)},
    {RUN(energy_j, POSITIVE)},
    {RUN(power_w, POSITIVE)},
    {RUN(idle_power_w, POSITIVE)},
    {RUN(power_scope, TEXT)},
    {CODEC_ITEMS("conditions", roof_run, conditions, n_conditions, &condition_object, MOST_CONDITIONS, OMIT)},
    {CODEC_ITEMS("doubts", roof_run, doubts, n_doubts, &doubt_object, MOST_DOUBTS, OMIT)},
    {CODEC_ITEMS("tool_rules", roof_run, tool_rules, n_tool_rules, &rule_object, MOST_TOOL_RULES, OMIT)},
};
static const codec_object run_object = {CODEC_ROWS(run_members), .name = "a run", .end = end_run};

roof_run *experiment_add_run(roof_measured *m, roof_experiment *experiment, roof_run_mode mode)
{
    roof_run *run = array_add(m->storage->arena, &experiment->runs, &experiment->n_runs, sizeof *run);
    if (run) {
        codec_forget(&run_object, run);
        run->mode = mode;
    }
    return run;
}

/* --- experiments -------------------------------------------------------------------------------------- */

static const codec_member model_members[] = {
    {CODEC_AS("path", roof_experiment, model_path, TEXT, OMIT)},
    {CODEC_AS("name", roof_experiment, model_name, TEXT, OMIT)},
    {CODEC(roof_experiment, graph_hash, TEXT, OMIT)},
    {CODEC_AS("family", roof_experiment, model_family, TEXT, OMIT)},
    {CODEC_WORDS("phase", roof_experiment, phase, language_phases, OMIT_ZERO)},
    {CODEC(roof_experiment, prompt_tokens, SMALL, OMIT_ZERO)},
    {CODEC(roof_experiment, context_tokens, SMALL, OMIT_ZERO)},
    {CODEC(roof_experiment, weight_type, SHARED, OMIT)},
    {CODEC(roof_experiment, cache_type, SHARED, OMIT)},
};
static const codec_object model_object = {CODEC_ROWS(model_members), .name = "model", .one_line = true};

static const codec_member device_members[] = {
    {CODEC_AS("name", roof_experiment, device, TEXT, OMIT)},
    {CODEC_AS("data_type", roof_experiment, device_data_type, TEXT, OMIT)},
    {CODEC_AS("runs_code", roof_experiment, device_runs_code, BOOL, OMIT_ZERO)},
    {CODEC(roof_experiment, memory_bytes, COUNT, OMIT_ZERO)},
};
static const codec_object device_object = {CODEC_ROWS(device_members), .name = "device", .one_line = true};

CODEC_WHEN(has_device, roof_experiment, it->device || it->memory_bytes)

static const codec_member hardware_members[] = {{.key = "id", .kind = CODEC_TEXT}};
static const codec_object hardware_object = {CODEC_ROWS(hardware_members), .name = "hardware",
                                             .one_line = true};

static roof_status note_unread(codec *c, const codec_object *object, const char *key);

/* {"base":"kv260","clock":"250MHz"} is the line "base=kv260,clock=250MHz", so that both have one reader
 * (hwdb/spec.c), and documents that mean the same hardware the same text. */
typedef struct hardware_reading {
    const char *id, *base;
    const char *items; /* ",clock=250MHz" */
} hardware_reading;

static roof_status read_hardware_member(codec *c, const json_event *event, void *reading_)
{
    hardware_reading *h = reading_;
    const bool is_id = strcmp(event->key, "id") == 0, is_base = strcmp(event->key, "base") == 0;
    roof_error why;
    if (event->kind == JSON_NULL)
        return ROOF_OK;
    if (!is_id && !hwdb_item_is_known(event->key)) {
        TRY(note_unread(c, &hardware_object, event->key));
        return jsonpull_skip(c->puller, c->err);
    }
    if (event->kind != JSON_STRING && (is_id || event->kind != JSON_NUMBER))
        return codec_fail(c, "found %s, want a string%s", json_kind_text(event->kind),
                          is_id ? "" : " as --hw takes it, such as \"250MHz\"");
    const char **name = is_id ? &h->id : &h->base, *again = arena_printf(c->arena, ",%s=", event->key);
    const char *text = event->kind == JSON_NUMBER ? arena_printf(c->arena, "%.17g", event->number)
                                                  : arena_strdup(c->arena, event->text);
    TRY(ALLOCATED(text && again, c->err));
    if ((is_id || is_base) ? *name != NULL : strstr(h->items, again) != NULL)
        return codec_fail(c, "is there twice");
    if (!is_id && hwdb_item_check(event->key, text, &why) != ROOF_OK)
        return codec_fail(c, "%s", why.what);
    if (is_id || is_base)
        *name = text;
    else
        h->items = arena_printf(c->arena, "%s%s%s", h->items, again, text);
    return ALLOCATED(h->items, c->err);
}

static roof_status read_hardware_id(codec *c, const json_event *event, void *id_)
{
    hardware_reading h = {.items = ""};
    const char **id = id_;
    if (event->kind == JSON_NULL)
        return ROOF_OK;
    TRY(codec_read_members(c, event, read_hardware_member, &h));
    if (h.id && h.base)
        return codec_fail(c, "names two entries, by 'id' and by 'base'; leave one of them out");
    const char *base = h.id ? h.id : h.base;
    const char *before = base && *h.items && !strchr(base, '=') ? "base=" : "";
    if (base || *h.items)
        *id = arena_printf(c->arena, "%s%s%s", before, text_or_empty(base), h.items + !base);
    return ALLOCATED(*id || (!base && !*h.items), c->err);
}

static void write_hardware_id(codec *c, const char *key, const void *id)
{
    codec_write_object(c, key, &hardware_object, id);
}

/* Where it is not that of all experiments. */
CODEC_WHEN(has_own_hardware, roof_experiment, it->hardware_id && !((const coding *)c->user)->hardware_id)

/* A prediction says more than is read of it, and a newer version says more still. */
static roof_status read_embedded(codec *c, const json_event *event, void *target)
{
    return prediction_codec_read(c, event, target);
}

static const codec_member experiment_members[] = {
    {CODEC_IN("model", 0, &model_object)},
    {CODEC_BY("hardware", offsetof(roof_experiment, hardware_id), read_hardware_id, write_hardware_id),
     .when = has_own_hardware},
    {CODEC_IN("device", 0, &device_object), .when = has_device},
    {CODEC(roof_experiment, stack, SHARED, OMIT)},
    {CODEC(roof_experiment, stack_version, SHARED, OMIT)},
    {CODEC_ITEMS("runs", roof_experiment, runs, n_runs, &run_object, UINT32_MAX, ALWAYS),
     .none = "is empty, want at least one run", .missing = "has no runs, want what was measured"},
    {CODEC_BY("prediction", offsetof(roof_experiment, prediction), read_embedded, NULL)},
};

static roof_status begin_experiment(codec *c, void *target)
{
    char pointer[64];
    jsonpull_pointer(c->puller, pointer, sizeof pointer);
    const char *place = arena_printf(c->arena, "%s: %s", of(c)->name, pointer);
    ((roof_experiment *)target)->place = place;
    return ALLOCATED(place, c->err);
}

static const codec_object experiment_object = {CODEC_ROWS(experiment_members), .name = "an experiment",
                                               .begin = begin_experiment};

/* --- source ------------------------------------------------------------------------------------------- */

static const codec_member source_members[] = {
    {CODEC(roof_measured_source, tool, TEXT, OMIT)},
    {CODEC_ITEMS("files", roof_measured_source, files, n_files, NULL, 4096, LINE)},
    {CODEC(roof_measured_source, notes, TEXT, OMIT)},
};
static const codec_object source_object = {CODEC_ROWS(source_members), .name = "source"};

static void *add_source(void *measured)
{
    return measured_add_source(measured);
}

/* One source is an object, as the document was designed; merged documents have several. */
static roof_status read_source(codec *c, const json_event *event, void *target)
{
    roof_measured_source *source = measured_add_source(target);
    return source ? codec_read_object(c, event, &source_object, source) : error_memory(c->err);
}

static void write_source(codec *c, const char *key, const void *target)
{
    const roof_measured *m = target;
    if (m->n_sources == 1)
        codec_write_object(c, key, &source_object, &m->sources[0]);
}

CODEC_WHEN(has_sources, roof_measured, it->n_sources > 1)

/* --- the document ------------------------------------------------------------------------------------- */

static roof_status read_hardware(codec *c, const json_event *event, void *target)
{
    (void)target;
    return read_hardware_id(c, event, &of(c)->hardware_id);
}

static void write_hardware(codec *c, const char *key, const void *target)
{
    (void)target;
    if (of(c)->hardware_id)
        codec_write_object(c, key, &hardware_object, &of(c)->hardware_id);
}

static const codec_member document_members[] = {
    {CODEC_IS(ROOF_MEASURED_SCHEMA)},
    {CODEC_BY("source", 0, read_source, write_source)},
    {CODEC_ITEMS("sources", roof_measured, sources, n_sources, &source_object, UINT32_MAX, ALWAYS),
     .add = add_source, .when = has_sources},
    {CODEC_BY("hardware", 0, read_hardware, write_hardware)},
    {CODEC_ITEMS("experiments", roof_measured, experiments, n_experiments, &experiment_object, UINT32_MAX,
                 ALWAYS),
     .none = "is empty, want at least one experiment", .missing = "has no \"experiments\""},
};
const codec_object measured_object = {CODEC_ROWS(document_members), .name = "the document"};

/* --- members that nobody reads, with what was probably meant ------------------------------------------- */

static const codec_object *const object_kinds[] = {&layer_object,    &run_object,        &total_object,
                                                   &trend_object,    &experiment_object, &model_object,
                                                   &hardware_object, &source_object,     &measured_object};

/* "clock" is meant by "clock_hz" and "frequency_hz", which --hw takes with a unit. */
static const char *say_hardware_key(codec *c, const char *key)
{
    char *word = arena_strdup(c->arena, key), *end;
    while (word && !hwdb_item_is_known(word) && (end = strrchr(word, '_')))
        *end = '\0';
    const char *nearest = !word || hwdb_item_is_known(word) ? word : hwdb_key_nearest(key);
    return arena_printf(c->arena, "is no member of hardware%s%s%s", nearest ? ", but " : "",
                        text_or_empty(nearest), nearest ? " is, with the units of --hw" : "");
}

/* The only other kind of object that has the name, or the member of this one that is nearest in spelling. */
static const char *say_unread(codec *c, const codec_object *object, const char *key)
{
    const char *owner = NULL, *nearest = NULL;
    unsigned n_owners = 0, best = 3; /* further away it is another word */
    for (size_t k = 0; k < CODEC_N(object_kinds); k++)
        if (NAMED(object_kinds[k]->members, object_kinds[k]->n, key, key)) {
            owner = object_kinds[k]->name;
            n_owners++;
        }
    for (size_t i = 0; i < object->n; i++) {
        unsigned distance = text_edit_distance(key, object->members[i].key, best);
        nearest = distance < best ? object->members[i].key : nearest;
        best = distance < best ? distance : best;
    }
    if (n_owners == 1)
        return arena_printf(c->arena, "is no member of %s, but one of %s", object->name, owner);
    if (!nearest)
        return arena_printf(c->arena, "is no member of %s", object->name);
    const char *unit = strrchr(nearest, '_');
    return arena_printf(c->arena, "is no member of %s; did you mean %s%s?", object->name, nearest,
                        unit && strcmp(unit, "_s") == 0 ? ", in seconds" : "");
}

/* Noted once for each name and kind of object. */
static roof_status note_unread(codec *c, const codec_object *object, const char *key)
{
    enum { MOST_UNREAD = 64 };
    roof_measured *out = of(c)->out;
    bool is_of_hardware = object == &hardware_object;
    char pointer[400];
    for (uint32_t i = 0; i < out->n_unread; i++)
        if (out->unread[i].object == object->name && strcmp(out->unread[i].key, key) == 0) {
            out->unread[i].times++;
            return ROOF_OK;
        }
    if (out->n_unread == MOST_UNREAD) {
        out->unread[MOST_UNREAD - 1].times++;
        out->unread[MOST_UNREAD - 1].is_of_hardware |= is_of_hardware;
        return ROOF_OK;
    }
    jsonpull_pointer(c->puller, pointer, sizeof pointer);
    roof_unread *new = array_add(c->arena, &out->unread, &out->n_unread, sizeof *new);
    TRY(ALLOCATED(new, c->err));
    *new = (roof_unread){.where = arena_printf(c->arena, "%s: %s (line %llu)", of(c)->name, pointer,
                                               (unsigned long long)jsonpull_line(c->puller)),
                         .key = arena_strdup(c->arena, key),
                         .object = object->name,
                         .what = out->n_unread == MOST_UNREAD
                                     ? "and others are unknown here" /* all that follow */
                                 : is_of_hardware ? say_hardware_key(c, key)
                                                  : say_unread(c, object, key),
                         .times = 1,
                         .is_of_hardware = is_of_hardware};
    return arena_status(c->arena, c->err);
}

/* How often a row is executed has other names elsewhere: without it every time would be that of one call. */
static roof_status read_executions(codec *c, const json_event *event, void *target)
{
    layer_record *l = target;
    const uint32_t before = of(c)->out->n_unread;
    if (event->kind == JSON_NULL)
        return ROOF_OK;
    if (event->kind != JSON_NUMBER || !(event->number >= 1 && event->number < ROOF_NONE) ||
        fmod(event->number, 1) > 0)
        return codec_fail(c, "is no whole number from 1 on, want how often one inference executes the row");
    l->other_executions = (uint32_t)event->number;
    TRY(note_unread(c, &layer_object, event->key));
    if (of(c)->out->n_unread > before) {
        roof_unread *new = &of(c)->out->unread[before];
        new->what = "is read as executions, its name in a row of layers";
        new->is_read = true;
    }
    return ROOF_OK;
}

/* Where models lie, as seen from here: their paths are relative to the folder of the document. */
static roof_status resolve_paths(roof_measured *m, const char *document, const char *hardware_id,
                                 roof_error *err)
{
    FOR_EACH(roof_experiment, e, m->experiments, m->n_experiments) {
        if (!e->hardware_id)
            e->hardware_id = hardware_id;
        e->resolved_path = arena_path_beside(m->storage->arena, document, e->model_path);
    }
    return arena_status(m->storage->arena, err);
}

roof_status measured_codec_read(json_source source, void *context, const char *name, roof_measured **out,
                                roof_error *err)
{
    roof_measured *m = measured_new();
    TRY(ALLOCATED(m, err));
    coding state = {.out = m, .name = name};
    codec c = {.arena = m->storage->arena, .user = &state, .err = err, .unknown = note_unread};
    c.otherwise = "is no JSON document, want \"" ROOF_MEASURED_SCHEMA
                  "\"; `roofline import` makes one of what other tools write";
    roof_status status = codec_read_from(&c, source, context, name, &measured_object, m);
    THEN(status, resolve_paths(m, name, state.hardware_id, err));
    free(state.list_s);
    return GIVE(status, out, m, roof_measured_free);
}

DOCUMENT_READS(roof_measured_read, roof_measured, measured_codec_read)

roof_status roof_measured_write(const roof_measured *m, roof_sink sink, roof_error *err)
{
    textbuf text;
    coding shared = {.hardware_id = m->n_experiments ? m->experiments[0].hardware_id : NULL};
    for (uint32_t i = 1; i < m->n_experiments && shared.hardware_id; i++)
        if (!m->experiments[i].hardware_id || strcmp(m->experiments[i].hardware_id, shared.hardware_id) != 0)
            shared.hardware_id = NULL;
    text_init_draining(&text, sink.write, sink.context, err);
    codec_write_document(&measured_object, m, &shared, NULL, &text);
    return text_finish(&text);
}
