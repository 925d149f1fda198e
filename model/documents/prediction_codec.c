/* roofline.prediction/1; docs/schema/prediction-1.schema.json. A saved prediction is the prediction: what the
 * tables write they read. One layer a line: it diffs well and stays small. A member that a document leaves
 * out or sets to null is unknown. */
#include "model/documents/documents.h"
#include "core/json/remark_codec.h"
#include "model/predict/cause_facts.h"
#include "model/predict/causes/predicted_cause.h"
#include "core/files/input.h"
#include "hwdb/entry.h"
#include "model/predict/predictor.h"
#include "roofline/predictions.h"
#include "model/graph/program_build.h"

enum { MOST_ROWS = 1 << 24, MOST_CONSTANTS = 1 << 12, MOST_BESIDE = 16, MOST_ALTERNATIVES = 64 };

/* The word for who executes a layer is the tool's own; all have this one for the host. */
static const char *const host_words[] = {"CPU", "host", NULL}; /* of compiled files, and of graphs */

/* The prediction that is read or written. */
static roof_prediction *of(const codec *c)
{
    return c->user;
}

/* --- engines ------------------------------------------------------------------------------------------ */

/* Names of engines become keys of documents that we write. */
static roof_status check_engine(codec *c, const char *name)
{
    if (!*name || strpbrk(name, "\"\\") || utf8_first_bad(name, strlen(name)) < strlen(name))
        return codec_fail(c, "is no name of an engine");
    return ROOF_OK;
}

static roof_status engine_index(codec *c, const char *name, uint32_t *index)
{
    roof_prediction *p = of(c);
    TRY(check_engine(c, name));
    for (*index = 0; *index < p->n_engines; ++*index)
        if (strcmp(p->engines[*index], name) == 0)
            return ROOF_OK;
    if (p->n_engines == ROOF_MAX_ENGINES)
        return codec_fail(c, "more than %d engines", ROOF_MAX_ENGINES);
    p->engines[p->n_engines] = arena_strdup(c->arena, name);
    return p->engines[p->n_engines++] ? ROOF_OK : error_memory(c->err);
}

/* A member that is an index of an engine is its name in the document. */
static roof_status read_engine(codec *c, const json_event *event, void *target)
{
    if (event->kind != JSON_STRING)
        return codec_fail(c, "found %s, want an engine", json_kind_text(event->kind));
    return engine_index(c, event->text, target);
}

static void write_engine(codec *c, const char *key, const void *target)
{
    uint32_t engine = *(const uint32_t *)target;
    jsonout_string(c->out, key, engine == ROOF_NONE ? NULL : of(c)->engines[engine]);
}

/* --- costs -------------------------------------------------------------------------------------------- */

/* The cycles of a cost, and beside them those of the compiler's own law, where it has one. */
typedef struct cycles_at {
    roof_cost *cost;
    uint64_t *vendor;
} cycles_at;

static roof_status read_engine_cycles(codec *c, const json_event *member, void *target)
{
    const cycles_at *at = target;
    uint64_t *cycles = strcmp(member->key, "vendor") == 0 ? at->vendor : &at->cost->ideal_cycles;
    uint32_t engine;
    if (member->kind == JSON_NULL && cycles == at->vendor)
        return ROOF_OK;
    if (cycles != at->vendor && strcmp(member->key, "ideal") != 0) {
        TRY(engine_index(c, member->key, &engine));
        cycles = &at->cost->cycles[engine];
    }
    if (member->kind == JSON_NULL)
        return ROOF_OK;
    if (member->kind != JSON_NUMBER || !(member->number >= 0 && member->number <= 1e18) ||
        member->number != floor(member->number))
        return codec_fail(c, "want a whole number of cycles");
    if (*cycles != ROOF_UNKNOWN)
        return codec_fail(c, "is there twice");
    *cycles = (uint64_t)member->number;
    return ROOF_OK;
}

static void write_cycles(codec *c, const char *key, const roof_cost *cost, const uint64_t *vendor)
{
    jsonout_object(c->out, key, true);
    for (uint32_t e = 0; e < of(c)->n_engines; e++)
        jsonout_count(c->out, of(c)->engines[e], cost->cycles[e]);
    jsonout_count(c->out, "ideal", cost->ideal_cycles);
    if (vendor)
        jsonout_count(c->out, "vendor", *vendor);
    jsonout_end(c->out);
}

static roof_status read_cost_cycles(codec *c, const json_event *event, void *target)
{
    uint64_t nobodys = ROOF_UNKNOWN;
    return codec_read_members(c, event, read_engine_cycles, &(cycles_at){target, &nobodys});
}

static void write_cost_cycles(codec *c, const char *key, const void *target)
{
    write_cycles(c, key, target, NULL);
}

static roof_status read_layer_cycles(codec *c, const json_event *event, void *target)
{
    roof_layer_prediction *l = target;
    return codec_read_members(c, event, read_engine_cycles, &(cycles_at){&l->deployed, &l->estimate.cycles});
}

static void write_layer_cycles(codec *c, const char *key, const void *target)
{
    const roof_layer_prediction *l = target;
    write_cycles(c, key, &l->deployed, of(c)->hardware.has_pools ? &l->estimate.cycles : NULL);
}

static roof_status read_total_cycles(codec *c, const json_event *event, void *target)
{
    roof_prediction *p = target;
    return codec_read_members(c, event, read_engine_cycles,
                              &(cycles_at){&p->total.deployed, &p->total.estimate.cycles});
}

static void write_total_cycles(codec *c, const char *key, const void *target)
{
    const roof_prediction *p = target;
    write_cycles(c, key, &p->total.deployed, p->hardware.has_pools ? &p->total.estimate.cycles : NULL);
}

static void write_total_bytes(codec *c, const char *key, const void *target)
{
    jsonout_count(c->out, key, roof_traffic_total(target));
}

static const codec_member bytes_members[] = {
    {CODEC_AS("weights", roof_traffic, weights_bytes, COUNT, ALWAYS)},
    {CODEC_AS("input", roof_traffic, input_bytes, COUNT, ALWAYS)},
    {CODEC_AS("output", roof_traffic, output_bytes, COUNT, ALWAYS)},
    {CODEC_AS("instructions", roof_traffic, instruction_bytes, COUNT, ALWAYS)},
    {CODEC_AS("unsplit_reads", roof_traffic, unsplit_bytes, COUNT, PLAIN_OR_NULL),
     CODEC_IF(roof_traffic, unsplit_bytes)},
    {CODEC_BY("total", 0, NULL, write_total_bytes)},
};
static const codec_object bytes_object = {CODEC_ROWS(bytes_members), .one_line = true};

static const char *const bytes_sources[] = {"mc_code", "file", "tensors", NULL};
static const char *const cycles_sources[] = {"mc_code", "file", "formula", NULL};

/* The members of a cost, whose own are at a place in a type. cycles is a row. */
#define COST(type, at, cycles)                                                                               \
    {CODEC_IN("bytes", offsetof(type, at traffic), &bytes_object)},                                          \
        {CODEC_WORDS("bytes_source", type, at bytes_basis, bytes_sources, ALWAYS)}, {cycles},                \
        {CODEC_WORDS("cycles_source", type, at cycles_basis, cycles_sources, ALWAYS)},                       \
        {CODEC_BY("bound", offsetof(type, at bound), read_engine, write_engine)},                            \
    {                                                                                                        \
        CODEC_AS("ideal_s", type, at ideal_s, SECONDS, DERIVED)                                              \
    }

#define COST_CYCLES CODEC_BY("cycles", 0, read_cost_cycles, write_cost_cycles)

static roof_status begin_cost(codec *c, void *target)
{
    return predictor_forget_cost(target, ROOF_MAX_ENGINES, c->arena, c->err);
}

static const codec_member alone_members[] = {COST(roof_cost, , COST_CYCLES)};
static const codec_object alone_object = {CODEC_ROWS(alone_members), .one_line = true, .begin = begin_cost};

static const codec_member total_alone_members[] = {
    {CODEC_IN("bytes", offsetof(roof_cost, traffic), &bytes_object)},
    {COST_CYCLES},
    {CODEC(roof_cost, ideal_s, SECONDS, DERIVED)}};
static const codec_object total_alone_object = {CODEC_ROWS(total_alone_members), .begin = begin_cost};

/* --- schedules ---------------------------------------------------------------------------------------- */

static const codec_member named_cycles_members[] = {{CODEC(roof_named_cycles, cycles, COUNT, PLAIN)}};
static const codec_object named_cycles_object = {CODEC_ROWS(named_cycles_members), .is_bare = true};

static const codec_member named_steps_members[] = {{CODEC(roof_named_steps, steps, TEXT, PLAIN)}};
static const codec_object named_steps_object = {CODEC_ROWS(named_steps_members), .is_bare = true};

static const codec_member schedule_engine_members[] = {
    {CODEC(roof_schedule_engine, name, SHARED, PLAIN), .missing = "has no name"},
    {CODEC(roof_schedule_engine, ports, SMALL, PLAIN)},
    {CODEC(roof_schedule_engine, busy_cycles, COUNT, PLAIN)},
    {CODEC(roof_schedule_engine, critical_cycles, COUNT, PLAIN)},
    {CODEC_ITEMS("waits_cycles", roof_schedule_engine, waits, n_waits, &named_cycles_object, ROOF_MAX_ENGINES,
                 KEYS)},
    {CODEC(roof_schedule_engine, tail_cycles, COUNT, OMIT)},
    {CODEC(roof_schedule_engine, busy_steps, TEXT, OMIT)},
    {CODEC(roof_schedule_engine, path_steps, TEXT, OMIT)},
    {CODEC_ITEMS("waits_steps", roof_schedule_engine, wait_steps, n_wait_steps, &named_steps_object,
                 ROOF_MAX_ENGINES, KEYS_OMIT)},
};

static const codec_member schedule_part_members[] = {
    {CODEC(roof_schedule_part, subgraph, TEXT, PLAIN), .missing = "has no subgraph"},
    {CODEC(roof_schedule_part, scheduled_cycles, COUNT, PLAIN)},
    {CODEC_ITEMS("engines", roof_schedule_part, engines, n_engines, CODEC_LINE_OF(schedule_engine_members),
                 ROOF_MAX_ENGINES, ALWAYS)},
};
static const codec_member what_if_members[] = {
    {CODEC(roof_what_if, label, TEXT, PLAIN), .missing = "has no label"},
    {CODEC(roof_what_if, best_s, SECONDS, DERIVED)},
    {CODEC(roof_what_if, expected_s, SECONDS, DERIVED)},
    {CODEC(roof_what_if, expected_ci95_s, SECONDS_PAIR, OMIT_DERIVED)},
    {CODEC(roof_what_if, is_asked, BOOL, PLAIN), CODEC_IF(roof_what_if, is_asked)},
    {CODEC(roof_what_if, of_causes, BOOL, OMIT_ZERO)},
};

#define SCHEDULE(member, kind, how) CODEC_AS(#member, roof_prediction, schedule.member, kind, how)

static const codec_member schedule_members[] = {
    {SCHEDULE(scheduled_cycles, COUNT, ALWAYS)},
    {SCHEDULE(scheduled_s, SECONDS, DERIVED)},
    {SCHEDULE(alone_s, SECONDS, OMIT_DERIVED)},
    {SCHEDULE(alone_expected_s, SECONDS, OMIT_DERIVED)},
    {CODEC_ITEMS("subgraphs", roof_prediction, schedule.parts, schedule.n_parts,
                 CODEC_TABLE(schedule_part_members), MOST_ROWS, ALWAYS)},
    {CODEC_ITEMS("what_ifs", roof_prediction, schedule.what_ifs, schedule.n_what_ifs,
                 CODEC_LINE_OF(what_if_members), MOST_ALTERNATIVES, OMIT)},
};

#define IN_SCHEDULE(member) CODEC(roof_layer_schedule, member, COUNT, OMIT)

static const codec_member layer_schedule_members[] = {
    {IN_SCHEDULE(start_cycles)},
    {IN_SCHEDULE(end_cycles)},
    {IN_SCHEDULE(critical_cycles)},
    {IN_SCHEDULE(path_start_cycles)},
    {IN_SCHEDULE(waits_cycles)},
    {IN_SCHEDULE(alone_cycles)},
    {CODEC(roof_layer_schedule, expected_path_s, SECONDS, OMIT_DERIVED)},
};

/* A document may have the time without its parts, and is written with what it has. */
CODEC_WHEN(has_schedule, roof_prediction,
           it->schedule.n_parts || it->schedule.n_what_ifs || !isnan(it->schedule.scheduled_s) ||
               !isnan(it->schedule.alone_s) || !isnan(it->schedule.alone_expected_s))

/* --- layers ------------------------------------------------------------------------------------------- */

static bool has_pools(const codec *c, const void *target)
{
    (void)target;
    return of(c)->hardware.has_pools;
}

static const codec_member transfer_members[] = {{CODEC(roof_transfer, read_bytes, COUNT, PLAIN_OR_NULL)},
                                                {CODEC(roof_transfer, write_bytes, COUNT, PLAIN_OR_NULL)}};
static const codec_object transfer_object = {CODEC_ROWS(transfer_members), .one_line = true};

/* Memories are engines, by their names. */
static roof_status read_transfer(codec *c, const json_event *member, void *target)
{
    roof_layer_prediction *l = target;
    roof_transfer read = {0};
    TRY(engine_index(c, member->key, &read.memory));
    for (uint32_t i = 0; i < l->n_transfers; i++)
        if (l->transfers[i].memory == read.memory)
            return codec_fail(c, "is there twice");
    TRY(codec_read_object(c, member, &transfer_object, &read));
    return ARENA_ADD(c->arena, l->transfers, l->n_transfers, c->err, read);
}

static void write_transfers(codec *c, const char *key, const void *target)
{
    jsonout_object(c->out, key, true);
    for (uint32_t e = 0; e < of(c)->n_engines; e++) {
        roof_transfer t = roof_layer_transfer(target, e);
        if (t.read_bytes || t.write_bytes)
            codec_write_object(c, of(c)->engines[e], &transfer_object, &t);
    }
    jsonout_end(c->out);
}

/* A layer that emits no code has no executor. */
static roof_status read_skipped(codec *c, const json_event *event, void *target)
{
    if (event->kind != JSON_TRUE && event->kind != JSON_FALSE)
        return codec_fail(c, "found %s, want true or false", json_kind_text(event->kind));
    if (event->kind == JSON_TRUE)
        ((roof_layer_prediction *)target)->executor = ROOF_BY_NOBODY;
    return ROOF_OK;
}

static void write_skipped(codec *c, const char *key, const void *target)
{
    jsonout_bool(c->out, key, ((const roof_layer_prediction *)target)->executor == ROOF_BY_NOBODY);
}

CODEC_WHEN(is_repeated, roof_layer_prediction, it->repeat != 1)
CODEC_WHEN(is_scheduled, roof_layer_prediction,
           it->schedule.waits_cycles != ROOF_UNKNOWN || it->schedule.alone_cycles != ROOF_UNKNOWN)

static const codec_member node_members[] = {{.key = "", .kind = CODEC_SMALL}};
static const codec_object node_object = {CODEC_ROWS(node_members), .is_bare = true};

#define LAYER(member, kind, how) CODEC(roof_layer_prediction, member, kind, how)
#define LAYER_ENGINE(key, member)                                                                            \
    CODEC_BY(key, offsetof(roof_layer_prediction, member), read_engine, write_engine)

static const codec_member layer_members[] = {
    {LAYER(index, SMALL, ALWAYS)},
    {LAYER(name, TEXT, ALWAYS), .missing = "has no name"},
    {LAYER(subgraph, SHARED, PLAIN)},
    {LAYER(type, SHARED, PLAIN)},
    {CODEC_ITEMS("ops", roof_layer_prediction, ops, n_ops, NULL, MOST_ROWS, ONE_LINE)},
    {CODEC_ITEMS("operators", roof_layer_prediction, operators, n_operators, NULL, MOST_ROWS, LINE)},
    {CODEC_ITEMS("nodes", roof_layer_prediction, nodes, n_nodes, &node_object, MOST_ROWS, LINE)},
    {LAYER(device, SHARED, PLAIN)},
    {LAYER(shape, TEXT, PLAIN)},
    {CODEC_BY("skip_code_gen", 0, read_skipped, write_skipped)},
    {LAYER(repeat, SMALL, PLAIN), .when = is_repeated},
    {LAYER(macs, COUNT, ALWAYS)},
    {LAYER(array_macs, COUNT, ALWAYS)},
    {LAYER(least_bytes, COUNT, OMIT)},
    {LAYER(ops_count, COUNT, ALWAYS)},
    {LAYER(workload_ops, COUNT, ALWAYS)},
    {LAYER(stored_workload_ops, COUNT, ALWAYS)},
    COST(roof_layer_prediction, deployed., CODEC_BY("cycles", 0, read_layer_cycles, write_layer_cycles)),
    {CODEC_AS("stored_vendor_cycles", roof_layer_prediction, estimate.stored_cycles, COUNT, ALWAYS),
     .when = has_pools},
    {LAYER_ENGINE("vendor_bound", estimate.bound), .when = has_pools},
    {CODEC_BY("pools", 0, read_transfer, write_transfers), .how = CODEC_EVERY, .when = has_pools},
    {CODEC_IN("schedule", offsetof(roof_layer_prediction, schedule), CODEC_LINE_OF(layer_schedule_members)),
     .when = is_scheduled},
    {LAYER(predicted_s, SECONDS, DERIVED)},
    {LAYER(about_s, SECONDS, OMIT_DERIVED)},
    {LAYER_ENGINE("roof", roof)},
    {LAYER(roof_ops_count, COUNT, ALWAYS)},
    {LAYER(intensity_ops_per_byte, POSITIVE, DERIVED)},
    {LAYER(attainable_ops_per_s, POSITIVE, DERIVED)},
    {LAYER(utilisation_ratio, POSITIVE, DERIVED)},
    {CODEC_IN("per_layer", offsetof(roof_layer_prediction, alone), &alone_object),
     CODEC_IF(roof_layer_prediction, has_alone)},
    {LAYER(shares_cache, BOOL, ALWAYS), CODEC_IF(roof_layer_prediction, shares_cache)},
};

static roof_status begin_layer(codec *c, void *target)
{
    roof_layer_prediction *l = target;
    l->index = of(c)->n_layers;
    l->estimate = (roof_compiler_estimate){ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_NONE};
    l->roof = ROOF_NONE;
    return begin_cost(c, &l->deployed);
}

roof_executor executor_of_device(const char *device)
{
    for (const char *const *word = host_words; *word; word++)
        if (strstr(device, *word))
            return strcmp(device, *word) == 0 ? ROOF_BY_HOST : ROOF_BY_BOTH;
    return ROOF_BY_ACCELERATOR;
}

/* A row for what no layer owns has nothing that a layer has; a layer that a file calls "(x)" has operators
 * or a shape. */
static roof_status end_layer(codec *c, void *target)
{
    roof_layer_prediction *l = target;
    bool is_typed = l->type[0] && strcmp(l->type, "-") != 0;
    if (l->n_operators != l->n_nodes)
        return codec_fail(c, "has %u names of operators, and %u places of them in the file", l->n_operators,
                          l->n_nodes);
    l->repeat = l->repeat ? l->repeat : 1; /* where it is not stated */
    l->is_remainder = l->name[0] == '(' && !is_typed && !l->n_ops && !l->shape[0] && !l->n_transfers;
    if (l->executor != ROOF_BY_NOBODY)
        l->executor = executor_of_device(l->device);
    return ROOF_OK;
}

static const codec_object layer_object = {CODEC_ROWS(layer_members), .one_line = true, .begin = begin_layer,
                                          .end = end_layer};

/* --- the model ---------------------------------------------------------------------------------------- */

static const char *const addresses[] = {"", "name", "index", NULL};

static bool has_operators(const codec *c, const void *target)
{
    const roof_prediction *p = of(c);
    (void)target;
    for (uint32_t i = 0; i < p->n_layers; i++)
        if (p->layers[i].n_operators)
            return true;
    return false;
}

#define MODEL(member, kind, how) CODEC_AS(#member, roof_prediction, model.member, kind, how)

static const codec_member model_members[] = {
    {MODEL(path, TEXT, PLAIN)},
    {MODEL(format, TEXT, PLAIN)},
    {MODEL(name, TEXT, PLAIN)},
    {MODEL(graph_hash, TEXT, ALWAYS)},
    {MODEL(sha256, TEXT, ALWAYS)},
    {MODEL(compiler, TEXT, ALWAYS)},
    {MODEL(target, TEXT, ALWAYS)},
    {MODEL(fingerprint, HEX, ALWAYS)},
    {MODEL(compiled, BOOL, ALWAYS)},
    {CODEC_WORDS("operators_by", roof_prediction, model.address, addresses, OMIT_ZERO),
     .when = has_operators},
    {CODEC_ITEMS("beside", roof_prediction, model.beside, model.n_beside, NULL, MOST_BESIDE, OMIT)},
};

/* --- the hardware ------------------------------------------------------------------------------------- */

static const codec_member ceiling_members[] = {
    {CODEC(roof_ceiling, engine, TEXT, PLAIN), .missing = "has no engine"},
    {CODEC(roof_ceiling, ops_per_s, POSITIVE, DERIVED)},
    {CODEC(roof_ceiling, bytes_per_s, POSITIVE, DERIVED)},
    {CODEC(roof_ceiling, reached_per_s, POSITIVE, OMIT_DERIVED)},
    {CODEC(roof_ceiling, meaning, TEXT, PLAIN)},
};
/* The name stands for itself: only rows make engines, in whose order all of them are. */
static roof_status end_ceiling(codec *c, void *target)
{
    return check_engine(c, ((const roof_ceiling *)target)->engine);
}

static const codec_object ceiling_object = {CODEC_ROWS(ceiling_members), .one_line = true,
                                            .end = end_ceiling};

static const codec_member constant_members[] = {
    {CODEC(roof_quantity, key, TEXT, PLAIN), .missing = "has no key"},
    {CODEC(roof_quantity, value, NUMBER, ALWAYS)},
    {CODEC(roof_quantity, unit, TEXT, PLAIN)},
    {CODEC_WORDS("kind", roof_quantity, kind, hwdb_kind_words, ALWAYS)},
    {CODEC(roof_quantity, source, TEXT, PLAIN)},
    {CODEC(roof_quantity, caveat, TEXT, OMIT)},
};

static roof_status end_constant(codec *c, void *target)
{
    roof_quantity *q = target;
    q->kind = q->kind < ROOF_KIND_COUNT ? q->kind : ROOF_KIND_ASSUMED;
    return q->key[0] ? ROOF_OK : codec_fail(c, "has no key");
}

static const codec_object constant_object = {CODEC_ROWS(constant_members), .one_line = true,
                                             .end = end_constant};

#define POOL(member, kind, how) CODEC(roof_pool_rates, member, kind, how)

static const codec_member pool_members[] = {
    {POOL(name, TEXT, PLAIN), .missing = "has no name"},
    {POOL(byte_width, SMALL, ALWAYS)},
    {POOL(freq_ratio, POSITIVE, ALWAYS)},
    {POOL(vendor_bytes_per_s, POSITIVE, DERIVED)},
    {POOL(bytes_per_s, POSITIVE, ALWAYS)},
    {POOL(from_file, BOOL, ALWAYS)},
    {POOL(cached, BOOL, ALWAYS)},
    {POOL(size_bytes, COUNT, ALWAYS)},
    {POOL(used_bytes, COUNT, ALWAYS)},
    {POOL(read_bytes, COUNT, PLAIN_OR_NULL)},
    {POOL(write_bytes, COUNT, PLAIN_OR_NULL)},
};

static roof_status end_pool(codec *c, void *target)
{
    return ((roof_pool_rates *)target)->name[0] ? ROOF_OK : codec_fail(c, "has no name");
}

static const codec_object pool_object = {CODEC_ROWS(pool_members), .one_line = true, .end = end_pool};

#define WITH_POOLS CODEC_IF(roof_prediction, hardware.has_pools)
#define HARDWARE_ITEMS(member, object, most)                                                                 \
    CODEC_ITEMS(#member, roof_prediction, hardware.member, hardware.n_##member, object, most, ALWAYS)
#define HARDWARE(member, kind, how) CODEC_AS(#member, roof_prediction, hardware.member, kind, how)

static const codec_member hardware_members[] = {
    {HARDWARE(id, TEXT, PLAIN)},
    {HARDWARE(name, TEXT, PLAIN)},
    {HARDWARE(board, TEXT, ZERO)},
    {HARDWARE(family, TEXT, PLAIN)},
    {HARDWARE(clock_hz, POSITIVE, ALWAYS)},
    {HARDWARE(bandwidth_bytes_per_s, POSITIVE, ALWAYS)},
    {HARDWARE(cores, SMALL, PLAIN)},
    {HARDWARE(batch_lanes, SMALL, PLAIN)},
    {HARDWARE(launch_floor_s, SECONDS, ALWAYS)},
    {HARDWARE(peak_ops_per_s, POSITIVE, DERIVED)},
    {HARDWARE(law, TEXT, PLAIN)},
    {CODEC_AS("dtype", roof_prediction, hardware.data_type, TEXT, OMIT)},
    {CODEC_WORDS("weakest_kind", roof_prediction, hardware.weakest_kind, hwdb_kind_words, PLAIN)},
    {HARDWARE(weakest_key, TEXT, ZERO)},
    {HARDWARE_ITEMS(ceilings, &ceiling_object, ROOF_MAX_ENGINES)},
    {HARDWARE_ITEMS(constants, &constant_object, MOST_CONSTANTS)},
    {HARDWARE_ITEMS(pools, &pool_object, ROOF_MAX_ENGINES), WITH_POOLS},
};

#define OPTION(member, kind, how) CODEC_AS(#member, roof_prediction, options.member, kind, how)

static const codec_member options_members[] = {{OPTION(batch, SMALL, ALWAYS)},
                                               {OPTION(clock_hz, POSITIVE, ZERO)},
                                               {OPTION(bandwidth_bytes_per_s, POSITIVE, ZERO)},
                                               {OPTION(cores, SMALL, ZERO)}};

/* --- totals ------------------------------------------------------------------------------------------- */

#define TOTAL(member, kind, how) CODEC_AS(#member, roof_prediction, total.member, kind, how)
#define TOTAL_ENGINE(key, member)                                                                            \
    CODEC_BY(key, offsetof(roof_prediction, total.member), read_engine, write_engine)

static const codec_member yield_members[] = {
    {CODEC(roof_yield, unit, TEXT, ALWAYS), .missing = "has no unit"},
    {CODEC(roof_yield, count, SMALL, PLAIN)},
    {CODEC(roof_yield, time, TEXT, ALWAYS)},
};

static const codec_member dense_members[] = {
    {CODEC(roof_dense_sums, macs, POSITIVE, DERIVED)},
    {CODEC(roof_dense_sums, macs_over_cin, POSITIVE, DERIVED)},
    {CODEC(roof_dense_sums, macs_over_cout, POSITIVE, DERIVED)},
    {CODEC(roof_dense_sums, macs_over_cin_cout, POSITIVE, DERIVED)},
};
static const codec_object dense_object = {CODEC_ROWS(dense_members), .one_line = true};

static const codec_member sums_members[] = {
    {CODEC_IN("conv_k", offsetof(roof_sums, k), &dense_object)},
    {CODEC_IN("conv_1x1", offsetof(roof_sums, one), &dense_object)},
    {CODEC(roof_sums, depthwise_macs, POSITIVE, DERIVED)},
    {CODEC(roof_sums, product_macs, POSITIVE, DERIVED)},
    {CODEC(roof_sums, map_elements, POSITIVE, DERIVED)},
    {CODEC(roof_sums, map_elements_without_macs, POSITIVE, DERIVED)},
    {CODEC(roof_sums, smooth_elements, POSITIVE, DERIVED)},
    {CODEC(roof_sums, weight_elements, POSITIVE, DERIVED)},
    {CODEC(roof_sums, rows, POSITIVE, DERIVED)},
};

CODEC_WHEN(has_sums, roof_prediction, !isnan(it->total.sums.rows))

static const codec_member total_members[] = {
    {TOTAL(layers, SMALL, PLAIN)},
    {TOTAL(boundaries, SMALL, PLAIN)},
    {TOTAL(macs, COUNT, ALWAYS)},
    {TOTAL(array_macs, COUNT, ALWAYS)},
    {TOTAL(ops_count, COUNT, ALWAYS)},
    {CODEC_IN("sums", offsetof(roof_prediction, total.sums), CODEC_LINE_OF(sums_members)), .when = has_sums},
    {TOTAL(workload_ops, COUNT, ALWAYS)},
    {TOTAL(stored_workload_ops, COUNT, ALWAYS)},
    {CODEC_IN("bytes", offsetof(roof_prediction, total.deployed.traffic), &bytes_object)},
    {CODEC_BY("cycles", 0, read_total_cycles, write_total_cycles)},
    {CODEC_AS("stored_vendor_cycles", roof_prediction, total.estimate.stored_cycles, COUNT, ALWAYS),
     WITH_POOLS},
    {TOTAL(host_layers, SMALL, PLAIN), WITH_POOLS},
    {CODEC_AS("ideal_cycles", roof_prediction, total.deployed.ideal_cycles, COUNT, SHOWN)},
    {CODEC_AS("ideal_s", roof_prediction, total.deployed.ideal_s, SECONDS, DERIVED)},
    {TOTAL_ENGINE("bound", deployed.bound)},
    {TOTAL(floor_cycles, COUNT, ALWAYS)},
    {TOTAL(floor_s, SECONDS, DERIVED)},
    {TOTAL_ENGINE("floor_bound", floor_bound)},
    {CODEC(roof_prediction, estimate_of, TEXT, ALWAYS)},
    {TOTAL(predicted_s, SECONDS, DERIVED)},
    {TOTAL(predicted_ci95_s, SECONDS_PAIR, OMIT_DERIVED)}, /* some constants of a compiler have none */
    {TOTAL(busy_cores, SMALL, OMIT_ZERO)},
    {TOTAL(predicted_inferences_per_s, POSITIVE, OMIT_DERIVED)},
    {CODEC_AS("predicted_from", roof_prediction, calibration, TEXT, ALWAYS),
     CODEC_IF(roof_prediction, calibration)},
    {TOTAL(intensity_ops_per_byte, POSITIVE, DERIVED)},
    {TOTAL(inferences_per_s, POSITIVE, DERIVED)},
    {TOTAL(most_inferences_per_s, POSITIVE, OMIT_DERIVED)},
    {CODEC_IN("yield", offsetof(roof_prediction, total.yield), CODEC_LINE_OF(yield_members)),
     .how = CODEC_OMIT, CODEC_IF(roof_prediction, total.yield.unit)},
    {TOTAL(unattributed_bytes_ratio, POSITIVE, DERIVED)},
    {TOTAL(unattributed_cycles_ratio, POSITIVE, DERIVED)},
    {CODEC_IN("per_layer", offsetof(roof_prediction, total.alone), &total_alone_object),
     CODEC_IF(roof_prediction, total.has_alone)},
};

/* --- findings ----------------------------------------------------------------------------------------- */

static void write_text(codec *c, const char *key, const void *target)
{
    const roof_finding *f = target;
    char text[ROOF_SENTENCE_SIZE];
    if (!f->text)
        jsonout_string(c->out, key, ((const prediction_words *)c->words)->remark(&f->remark, text));
}

/* A kind of a later version keeps its text. */
static const codec_member finding_members[] = {
    {CODEC_WORDS("kind", roof_finding, kind, finding_kinds, OPEN)},
    {CODEC_AS("layer", roof_finding, place, TEXT, ALWAYS)},
    {CODEC(roof_finding, text, TEXT, PLAIN), CODEC_IF(roof_finding, text)},
    {CODEC_BY("text", 0, NULL, write_text)},
    CODEC_REMARK(roof_finding, remark),
    {CODEC_WORDS("severity", roof_finding, kind, finding_severities, SHOWN)},
    {CODEC_WORDS("advice", roof_finding, kind, finding_advices, SHOWN)}};

static roof_status begin_finding(codec *c, void *target)
{
    (void)c;
    ((roof_finding *)target)->kind = ROOF_FINDING_FROM_NEWER;
    return ROOF_OK;
}

static const codec_object finding_object = {CODEC_ROWS(finding_members), .one_line = true,
                                            .begin = begin_finding};

/* --- of a model whose workload is chosen ---------------------------------------------------------------- */

static const codec_member fact_members[] = {
    {CODEC(roof_fact, name, TEXT, PLAIN), .missing = "has no name"},
    {CODEC(roof_fact, value, COUNT, ALWAYS)},
    {CODEC(roof_fact, unit, TEXT, PLAIN)},
};

static const codec_member alternative_members[] = {
    {CODEC(roof_alternative, label, TEXT, PLAIN), .missing = "has no label"},
    {CODEC(roof_alternative, ideal_s, SECONDS, DERIVED)},
    {CODEC(roof_alternative, yield_per_s, POSITIVE, DERIVED)},
    {CODEC(roof_alternative, bytes, COUNT, ALWAYS)},
    {CODEC(roof_alternative, best_s, SECONDS, OMIT_DERIVED)},
    {CODEC(roof_alternative, most_per_s, POSITIVE, OMIT_DERIVED)},
    {CODEC(roof_alternative, expected_s, SECONDS, OMIT_DERIVED)},
    {CODEC(roof_alternative, expected_ci95_s, SECONDS_PAIR, OMIT_DERIVED)},
    {CODEC(roof_alternative, is_asked, BOOL, PLAIN), CODEC_IF(roof_alternative, is_asked)},
};

static const codec_member published_members[] = {
    {CODEC(roof_published_time, network, TEXT, PLAIN), .missing = "has no network"},
    {CODEC(roof_published_time, hardware, TEXT, PLAIN)},
    {CODEC(roof_published_time, device, TEXT, PLAIN)},
    {CODEC(roof_published_time, stack, TEXT, PLAIN)},
    {CODEC(roof_published_time, software, TEXT, PLAIN)},
    {CODEC_AS("dtype", roof_published_time, data_type, TEXT, PLAIN)},
    {CODEC(roof_published_time, batch, SMALL, PLAIN)},
    {CODEC(roof_published_time, threads, SMALL, OMIT_ZERO)},
    {CODEC_AS("time_s", roof_published_time, seconds, SECONDS, DERIVED)},
    {CODEC(roof_published_time, is_same, BOOL, ALWAYS)},
    {CODEC(roof_published_time, unlikeness, SMALL, PLAIN)},
    {CODEC(roof_published_time, source, TEXT, PLAIN)},
};

/* --- the document ------------------------------------------------------------------------------------- */

/* They follow from the rest. */
static void write_causes(codec *c, const char *key, const void *target)
{
    const roof_prediction *p = target;
    (void)key;
    causes_put(c->out, p->causes, p->n_causes, &(cause_names){predicted_layer_name, p, NULL, NULL},
               ((const prediction_words *)c->words)->remark);
}

static void write_verdict(codec *c, const char *key, const void *target)
{
    const roof_prediction *p = target;
    char text[ROOF_SENTENCE_SIZE];
    if (p->verdict[0])
        return;
    jsonout_array(c->out, key, false);
    for (uint32_t i = 0; i < N_OF(p->verdict); i++)
        jsonout_string(c->out, NULL, ((const prediction_words *)c->words)->verdict(p, i, text));
    jsonout_end(c->out);
}

CODEC_WHEN(has_load, roof_prediction, it->throughput.n_points || it->throughput.not_known)

static const codec_member share_members[] = {
    {CODEC(roof_host_share, kind, TEXT, PLAIN), .missing = "has no kind"},
    {CODEC(roof_host_share, about_s, SECONDS, DERIVED)},
    {CODEC(roof_host_share, count, COUNT, PLAIN)},
    {CODEC(roof_host_share, unit, TEXT, PLAIN)},
    {CODEC(roof_host_share, timed, COUNT, PLAIN)},
    {CODEC(roof_host_share, small, COUNT, PLAIN)},
    {CODEC(roof_host_share, unknown, COUNT, PLAIN)},
};

#define HOST(member, kind, how) CODEC_AS(#member, roof_prediction, host.member, kind, how)

static const codec_member host_members[] = {
    {HOST(about_s, SECONDS, DERIVED)},
    {HOST(about_ci_s, SECONDS_PAIR, DERIVED)},
    {CODEC_ITEMS("kinds", roof_prediction, host.shares, host.n_shares, CODEC_LINE_OF(share_members),
                 MOST_ALTERNATIVES, ALWAYS)},
};

void prediction_codec_write_answer(codec *c, const char *key, const void *target)
{
    const roof_pair *pair = target;
    const roof_answer a = strcmp(key, "time") == 0 ? roof_pair_takes(pair) : roof_pair_makes(pair);
    jsonout_answer(c->out, key, &a);
}

static void write_figures(codec *c, const char *key, const void *target)
{
    const roof_pair pair = roof_pair_of(target);
    prediction_codec_write_answer(c, key, &pair);
}

static void write_conditions(codec *c, const char *key, const void *target)
{
    ((const prediction_words *)c->words)->conditions(target, key, c->out);
}

static const codec_member document_members[] = {
    {CODEC_IS(ROOF_PREDICTION_SCHEMA)},
    {CODEC(roof_prediction, placement, TEXT, OMIT)},
    {CODEC_TEXTS("verdict", roof_prediction, verdict, ALWAYS), CODEC_IF(roof_prediction, verdict)},
    {CODEC_BY("verdict", 0, NULL, write_verdict)},
    {CODEC_BY("time", 0, NULL, write_figures)},
    {CODEC_BY("rate", 0, NULL, write_figures)},
    {CODEC_BY("conditions", 0, NULL, write_conditions)},
    {CODEC_IN("model", 0, CODEC_TABLE(model_members))},
    {CODEC_IN("hardware", 0, CODEC_TABLE(hardware_members))},
    {CODEC_IN("options", 0, CODEC_LINE_OF(options_members))},
    {CODEC_ITEMS("layers", roof_prediction, layers, n_layers, &layer_object, MOST_ROWS, ALWAYS),
     .missing = "has no \"layers\""},
    {CODEC_IN("total", 0, CODEC_TABLE(total_members))},
    {CODEC_IN("schedule", 0, CODEC_TABLE(schedule_members)), .when = has_schedule},
    {CODEC_IN("host", 0, CODEC_TABLE(host_members)), .how = CODEC_OMIT,
     CODEC_IF(roof_prediction, host.n_shares)},
    {CODEC_IN("throughput", offsetof(roof_prediction, throughput), &throughput_object), .when = has_load},
    {CODEC_IN("llm", 0, &language_object), .how = CODEC_OMIT, CODEC_IF(roof_prediction, is_language)},
    {CODEC_ITEMS("facts", roof_prediction, facts, n_facts, CODEC_LINE_OF(fact_members), MOST_ALTERNATIVES,
                 OMIT)},
    {CODEC_ITEMS("published", roof_prediction, published, n_published, CODEC_LINE_OF(published_members),
                 MOST_ROWS, OMIT)},
    {CODEC_ITEMS("alternatives", roof_prediction, alternatives, n_alternatives,
                 CODEC_LINE_OF(alternative_members), MOST_ALTERNATIVES, OMIT)},
    {CODEC_BY("causes", 0, NULL, write_causes)},
    {CODEC_ITEMS("findings", roof_prediction, findings, n_findings, &finding_object, MOST_ROWS, ALWAYS)},
};

/* A time was written with 12 digits; the cycles that it was computed from are exact, and so it is again. */
static void restore_time(double *seconds, uint64_t cycles, double clock_hz)
{
    double exact = (double)cycles / clock_hz, shown = number_as_derived(exact);
    if (cycles != ROOF_UNKNOWN && shown <= *seconds && shown >= *seconds)
        *seconds = exact;
}

static void restore_cost(const roof_prediction *p, roof_cost *cost)
{
    restore_time(&cost->ideal_s, cost->ideal_cycles, p->hardware.clock_hz);
}

static roof_status end_document(codec *c, void *target)
{
    roof_prediction *p = target;
    roof_cost *sum = &p->total.deployed;
    uint32_t n_host = 0;
    sum->bytes_basis = sum->cycles_basis = ROOF_BASIS_CODE;
    if (!(p->hardware.clock_hz > 0)) /* no cycle would ever end */
        p->hardware.clock_hz = NAN;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        roof_cost *cost = &p->layers[i].deployed;
        predictor_add_basis(&sum->bytes_basis, cost->bytes_basis);
        predictor_add_basis(&sum->cycles_basis, cost->cycles_basis);
        restore_cost(p, cost);
        if (p->layers[i].has_alone)
            restore_cost(p, &p->layers[i].alone);
        n_host += p->layers[i].executor == ROOF_BY_HOST;
    }
    if (!p->hardware.has_pools) /* a document with pools states it */
        p->total.host_layers = n_host;
    for (uint32_t i = 0; i < p->hardware.n_pools; i++)
        TRY(engine_index(c, p->hardware.pools[i].name, &p->hardware.pools[i].engine));
    p->is_started_by_rows = p->hardware.has_pools; /* as all compilers do that tell of several memories */
    restore_cost(p, sum);
    restore_cost(p, &p->total.alone);
    restore_time(&p->total.floor_s, p->total.floor_cycles, p->hardware.clock_hz);
    restore_time(&p->schedule.scheduled_s, p->schedule.scheduled_cycles, p->hardware.clock_hz);
    return predicted_causes_find(p, c->err);
}

const codec_object prediction_object = {CODEC_ROWS(document_members), .end = end_document};

/* A prediction of which nothing is known, with an arena of its own, as what the codec reads from now on. */
static roof_status begin_document(codec *c)
{
    roof_prediction *p = c->user = NEW_ROOT(&c->arena, roof_prediction, c->err);
    if (!p)
        return ROOF_E_NO_MEMORY;
    p->arena = c->arena;
    codec_forget(&prediction_object, p);
    p->options.batch = 1;
    p->total.estimate = (roof_compiler_estimate){ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_NONE};
    p->total.floor_bound = ROOF_NONE;
    p->verdict[0] = p->verdict[1] = p->verdict[2] = p->verdict[3] = "";
    p->engines = NEW_ARRAY(c->arena, const char *, ROOF_MAX_ENGINES);
    TRY(begin_cost(c, &p->total.alone));
    TRY(begin_cost(c, &p->total.deployed));
    return p->engines ? ROOF_OK : error_memory(c->err);
}

roof_status prediction_codec_read(codec *outer, const json_event *event, roof_prediction **out)
{
    codec c = {.puller = outer->puller, .err = outer->err};
    *out = NULL;
    roof_status status = begin_document(&c);
    THEN(status, codec_read_object(&c, event, &prediction_object, c.user));
    THEN(status, arena_status(c.arena, c.err));
    return GIVE(status, out, c.user, roof_prediction_free);
}

static roof_status read_from(json_source source, void *context, const char *name, roof_prediction **out,
                             roof_error *err)
{
    codec c = {.err = err};
    roof_status status = begin_document(&c);
    THEN(status, codec_read_from(&c, source, context, name, &prediction_object, c.user));
    return GIVE(status, out, c.user, roof_prediction_free);
}

DOCUMENT_READS(roof_prediction_read, roof_prediction, read_from)

void prediction_codec_write(const roof_prediction *prediction, const prediction_words *words, textbuf *text)
{
    codec_write_document(&prediction_object, prediction, prediction, words, text);
}
