/* The reverse of reports/renderers/json.c. What a document leaves out or sets to null is unknown. */
#include "model/prediction_read.h"
#include "core/error.h"
#include "core/input.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define N(table) ((sizeof(table)) / (sizeof *(table)))

enum { MOST_ROWS = 1 << 24, MOST_CONSTANTS = 1 << 12, MOST_FINDINGS = 1 << 24 };

typedef struct reading {
    roof_prediction *out;
    const char *schema;
    uint64_t vendor_cycles; /* of the cycles that were read last */
    bool is_skipped;        /* the layer that was read last emits no code */
} reading;

static roof_prediction *of(json_binder *b)
{
    return ((reading *)b->user)->out;
}

/* --- costs -------------------------------------------------------------------------------------------- */

/* Names of engines become keys of documents that we write. */
static roof_status engine_index(json_binder *b, const char *name, uint32_t *index)
{
    roof_prediction *p = of(b);
    if (!*name || strpbrk(name, "\"\\") || text_first_bad(name, strlen(name)) < strlen(name))
        return bind_fail(b, "is no name of an engine");
    for (*index = 0; *index < p->n_engines; ++*index)
        if (strcmp(p->engines[*index], name) == 0)
            return ROOF_OK;
    if (p->n_engines == ROOF_MAX_ENGINES)
        return bind_fail(b, "more than %d engines", ROOF_MAX_ENGINES);
    p->engines[p->n_engines] = arena_strdup(b->arena, name);
    return p->engines[p->n_engines++] ? ROOF_OK : error_memory(b->err);
}

static roof_status read_engine_cycles(json_binder *b, const json_event *member, void *target)
{
    roof_cost *cost = target;
    bool vendor = strcmp(member->key, "vendor") == 0;
    uint64_t *cycles = vendor ? &((reading *)b->user)->vendor_cycles : &cost->ideal_cycles;
    uint32_t engine;
    if (member->kind == JSON_NULL)
        return ROOF_OK;
    if (member->kind != JSON_NUMBER || !(member->number >= 0 && member->number <= 1e18) ||
        member->number != floor(member->number))
        return bind_fail(b, "want a whole number of cycles");
    if (!vendor && strcmp(member->key, "ideal") != 0) {
        TRY(engine_index(b, member->key, &engine));
        cycles = &cost->cycles[engine];
    }
    if (*cycles != ROOF_UNKNOWN)
        return bind_fail(b, "is there twice");
    *cycles = (uint64_t)member->number;
    return ROOF_OK;
}

static roof_status read_cycles(json_binder *b, const json_event *event, void *target)
{
    return bind_members(b, event, read_engine_cycles, target);
}

static roof_status read_bound(json_binder *b, const json_event *event, void *target)
{
    roof_cost *cost = target;
    if (event->kind != JSON_STRING)
        return bind_fail(b, "found %s, want an engine", json_kind_text(event->kind));
    return engine_index(b, event->text, &cost->bound);
}

static roof_status read_bytes(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        {"weights", BIND_COUNT, offsetof(roof_cost, traffic.weights_bytes), 0, 0},
        {"input", BIND_COUNT, offsetof(roof_cost, traffic.input_bytes), 0, 0},
        {"output", BIND_COUNT, offsetof(roof_cost, traffic.output_bytes), 0, 0},
        {"instructions", BIND_COUNT, offsetof(roof_cost, traffic.instruction_bytes), 0, 0},
        {"unsplit_reads", BIND_COUNT, offsetof(roof_cost, traffic.unsplit_bytes), 0, 0},
    };
    return bind_object(b, event, members, N(members), target, NULL);
}

static const char *const bytes_sources[] = {"mc_code", "file", "tensors", NULL};
static const char *const cycles_sources[] = {"mc_code", "file", "formula", NULL};

#define COST(at)                                                                                             \
    {"bytes", BIND_CALL, (at), read_bytes, 0},                                                               \
        {"bytes_source", BIND_WORD, (at) + offsetof(roof_cost, bytes_basis), 0, bytes_sources},              \
        {"cycles", BIND_CALL, (at), read_cycles, 0},                                                         \
        {"cycles_source", BIND_WORD, (at) + offsetof(roof_cost, cycles_basis), 0, cycles_sources},           \
        {"bound", BIND_CALL, (at), read_bound, 0},                                                           \
    {                                                                                                        \
        "ideal_s", BIND_SECONDS, (at) + offsetof(roof_cost, ideal_s), 0, 0                                   \
    }

static roof_status unknown_cost(json_binder *b, roof_cost *cost)
{
    *cost = (roof_cost){.traffic = {ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, 0},
                        .bytes_basis = ROOF_BASIS_NONE,
                        .cycles_basis = ROOF_BASIS_NONE,
                        .cycles = NEW_ARRAY(b->arena, uint64_t, ROOF_MAX_ENGINES),
                        .ideal_cycles = ROOF_UNKNOWN,
                        .bound = ROOF_NONE,
                        .ideal_s = NAN};
    for (int i = 0; cost->cycles && i < ROOF_MAX_ENGINES; i++)
        cost->cycles[i] = ROOF_UNKNOWN;
    return cost->cycles ? ROOF_OK : error_memory(b->err);
}

static roof_status read_alone(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {COST(0)};
    TRY(unknown_cost(b, target));
    return bind_object(b, event, members, N(members), target, NULL);
}

/* --- layers ------------------------------------------------------------------------------------------- */

static roof_status read_engine_name(json_binder *b, const json_event *event, void *target)
{
    if (event->kind != JSON_STRING)
        return bind_fail(b, "found %s, want an engine", json_kind_text(event->kind));
    return engine_index(b, event->text, target);
}

/* The place of a pool among those of the hardware, which may stand behind the layers. */
static roof_status pool_index(json_binder *b, const char *name, uint32_t *index)
{
    roof_prediction *p = of(b);
    for (*index = 0; *index < p->hardware.n_pools; ++*index)
        if (strcmp(p->hardware.pools[*index].name, name) == 0)
            return ROOF_OK;
    if (p->hardware.n_pools == ROOF_MAX_ENGINES)
        return bind_fail(b, "more than %d pools", ROOF_MAX_ENGINES);
    roof_pool_rates *pools = arena_grow(b->arena, p->hardware.pools, p->hardware.n_pools, sizeof *pools);
    const char *copy = arena_strdup(b->arena, name);
    if (!pools || !copy)
        return error_memory(b->err);
    p->hardware.pools = pools;
    pools[p->hardware.n_pools++] = (roof_pool_rates){.name = copy,
                                                     .byte_width = ROOF_NONE,
                                                     .freq_ratio = NAN,
                                                     .vendor_bytes_per_s = NAN,
                                                     .bytes_per_s = NAN,
                                                     .size_bytes = ROOF_UNKNOWN,
                                                     .used_bytes = ROOF_UNKNOWN};
    return engine_index(b, name, &pools[*index].engine);
}

static roof_status read_transfer(json_binder *b, const json_event *member, void *target)
{
    static const bind_member members[] = {
        {"read_bytes", BIND_COUNT, offsetof(roof_transfer, read_bytes), 0, 0},
        {"write_bytes", BIND_COUNT, offsetof(roof_transfer, write_bytes), 0, 0}};
    roof_layer_prediction *layer = target;
    roof_transfer read = {.read_bytes = ROOF_UNKNOWN, .write_bytes = ROOF_UNKNOWN};
    TRY(pool_index(b, member->key, &read.memory));
    for (uint32_t i = 0; i < layer->n_transfers; i++)
        if (layer->transfers[i].memory == read.memory)
            return bind_fail(b, "is there twice");
    roof_transfer *all =
        arena_grow(b->arena, (void *)layer->transfers, layer->n_transfers, sizeof *layer->transfers);
    if (!all)
        return error_memory(b->err);
    TRY(bind_object(b, member, members, N(members), &read, NULL));
    layer->transfers = all;
    all[layer->n_transfers++] = read;
    return ROOF_OK;
}

static roof_status read_transfers(json_binder *b, const json_event *event, void *target)
{
    return bind_members(b, event, read_transfer, target);
}

/* Who executes a layer, by the word for it. */
static roof_executor executor_of(const char *device, bool is_skipped)
{
    static const char host[] = "CPU";
    return strcmp(device, host) == 0 ? ROOF_BY_HOST
           : strstr(device, host)    ? ROOF_BY_BOTH
           : is_skipped              ? ROOF_BY_NOBODY
                                     : ROOF_BY_ACCELERATOR;
}

static roof_status read_skipped(json_binder *b, const json_event *event, void *target)
{
    (void)target;
    if (event->kind != JSON_TRUE && event->kind != JSON_FALSE)
        return bind_fail(b, "found %s, want true or false", json_kind_text(event->kind));
    ((reading *)b->user)->is_skipped = event->kind == JSON_TRUE;
    return ROOF_OK;
}

#define LAYER(key, k)                                                                                        \
    {                                                                                                        \
#key, BIND_##k, offsetof(roof_layer_prediction, key), 0, 0                                           \
    }

static const bind_member layer_members[] = {
    LAYER(index, SMALL),
    LAYER(name, TEXT),
    LAYER(subgraph, TEXT),
    LAYER(type, TEXT),
    LAYER(device, TEXT),
    LAYER(shape, TEXT),
    {"skip_code_gen", BIND_CALL, 0, read_skipped, 0},
    LAYER(macs, COUNT),
    LAYER(array_macs, COUNT),
    LAYER(ops_count, COUNT),
    LAYER(workload_ops, COUNT),
    LAYER(stored_workload_ops, COUNT),
    COST(offsetof(roof_layer_prediction, deployed)),
    LAYER(predicted_s, SECONDS),
    {"roof", BIND_CALL, offsetof(roof_layer_prediction, roof), read_engine_name, 0},
    LAYER(roof_ops_count, COUNT),
    LAYER(intensity_ops_per_byte, POSITIVE),
    LAYER(attainable_ops_per_s, POSITIVE),
    LAYER(utilisation_ratio, POSITIVE),
    {"stored_vendor_cycles", BIND_COUNT, offsetof(roof_layer_prediction, estimate.stored_cycles), 0, 0},
    {"vendor_bound", BIND_CALL, offsetof(roof_layer_prediction, estimate.bound), read_engine_name, 0},
    {"pools", BIND_CALL, 0, read_transfers, 0},
    {"per_layer", BIND_CALL, offsetof(roof_layer_prediction, alone), read_alone, 0},
};

/* Where per_layer stands in the table. */
enum { ALONE_ROW = N(layer_members) - 1 };

static roof_status read_layer(json_binder *b, const json_event *event, void *target)
{
    reading *r = b->user;
    roof_prediction *p = r->out;
    uint64_t seen;
    (void)target;
    if (p->n_layers >= MOST_ROWS)
        return error_set(b->err, ROOF_E_LIMIT, "more than 2^24 rows");
    p->layers = arena_grow(b->arena, p->layers, p->n_layers, sizeof *p->layers);
    if (!p->layers)
        return error_memory(b->err);
    roof_layer_prediction *l = &p->layers[p->n_layers];
    *l = (roof_layer_prediction){.index = p->n_layers + 1,
                                 .macs = ROOF_UNKNOWN,
                                 .ops_count = ROOF_UNKNOWN,
                                 .workload_ops = ROOF_UNKNOWN,
                                 .stored_workload_ops = ROOF_UNKNOWN,
                                 .array_macs = ROOF_UNKNOWN,
                                 .estimate = {ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_NONE},
                                 .roof = ROOF_NONE,
                                 .roof_ops_count = ROOF_UNKNOWN,
                                 .predicted_s = NAN,
                                 .intensity_ops_per_byte = NAN,
                                 .attainable_ops_per_s = NAN,
                                 .utilisation_ratio = NAN,
                                 .subgraph = "",
                                 .type = "",
                                 .device = "",
                                 .shape = ""};
    TRY(unknown_cost(b, &l->deployed));
    r->vendor_cycles = ROOF_UNKNOWN;
    r->is_skipped = false;
    TRY(bind_object(b, event, layer_members, N(layer_members), l, &seen));
    l->estimate.cycles = r->vendor_cycles;
    l->executor = executor_of(l->device, r->is_skipped);
    if (!l->name)
        return bind_fail(b, "has no name");
    l->is_remainder = l->name[0] == '(';
    l->has_alone = seen >> ALONE_ROW & 1;
    p->n_layers++;
    return ROOF_OK;
}

static roof_status read_layers(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, read_layer, target);
}

/* --- the rest ----------------------------------------------------------------------------------------- */

#define MODEL(key, k)                                                                                        \
    {                                                                                                        \
#key, BIND_##k, offsetof(roof_prediction, model.key), 0, 0                                           \
    }

static roof_status read_model(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        MODEL(path, TEXT),   MODEL(format, TEXT),   MODEL(name, TEXT),   MODEL(graph_hash, TEXT),
        MODEL(sha256, TEXT), MODEL(compiler, TEXT), MODEL(target, TEXT), MODEL(compiled, BOOL)};
    return bind_object(b, event, members, N(members), target, NULL);
}

#define HARDWARE(key, k)                                                                                     \
    {                                                                                                        \
#key, BIND_##k, offsetof(roof_prediction, hardware.key), 0, 0                                        \
    }

static roof_status read_ceiling_engine(json_binder *b, const json_event *event, void *target)
{
    uint32_t index = 0;
    if (event->kind != JSON_STRING)
        return bind_fail(b, "found %s, want an engine", json_kind_text(event->kind));
    TRY(engine_index(b, event->text, &index));
    ((roof_ceiling *)target)->engine = of(b)->engines[index];
    return ROOF_OK;
}

static roof_status read_ceiling(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        {"engine", BIND_CALL, 0, read_ceiling_engine, 0},
        {"meaning", BIND_TEXT, offsetof(roof_ceiling, meaning), 0, 0},
        {"ops_per_s", BIND_POSITIVE, offsetof(roof_ceiling, ops_per_s), 0, 0},
        {"bytes_per_s", BIND_POSITIVE, offsetof(roof_ceiling, bytes_per_s), 0, 0}};
    roof_prediction *p = of(b);
    (void)target;
    if (p->hardware.n_ceilings == ROOF_MAX_ENGINES)
        return bind_fail(b, "more than %d ceilings", ROOF_MAX_ENGINES);
    roof_ceiling *ceilings =
        arena_grow(b->arena, p->hardware.ceilings, p->hardware.n_ceilings, sizeof *ceilings);
    if (!ceilings)
        return error_memory(b->err);
    roof_ceiling *c = &ceilings[p->hardware.n_ceilings];
    *c = (roof_ceiling){.meaning = "", .ops_per_s = NAN, .bytes_per_s = NAN};
    p->hardware.ceilings = ceilings;
    TRY(bind_object(b, event, members, N(members), c, NULL));
    if (!c->engine)
        return bind_fail(b, "has no engine");
    p->hardware.n_ceilings++;
    return ROOF_OK;
}

static roof_status read_ceilings(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, read_ceiling, target);
}

static roof_status read_kind(json_binder *b, const json_event *event, void *target)
{
    for (int kind = 0; event->kind == JSON_STRING && kind < ROOF_KIND_COUNT; kind++)
        if (strcmp(event->text, roof_value_kind_text((roof_value_kind)kind)) == 0) {
            *(roof_value_kind *)target = (roof_value_kind)kind;
            return ROOF_OK;
        }
    return bind_fail(b, "is no kind of value; want datasheet, vendor_file, measured, derived or assumed");
}

static roof_status read_constant(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {{"key", BIND_TEXT, offsetof(roof_quantity, key), 0, 0},
                                          {"value", BIND_NUMBER, offsetof(roof_quantity, value), 0, 0},
                                          {"unit", BIND_TEXT, offsetof(roof_quantity, unit), 0, 0},
                                          {"kind", BIND_CALL, offsetof(roof_quantity, kind), read_kind, 0},
                                          {"source", BIND_TEXT, offsetof(roof_quantity, source), 0, 0}};
    roof_prediction *p = of(b);
    (void)target;
    if (p->hardware.n_constants == MOST_CONSTANTS)
        return bind_fail(b, "more than %d constants", MOST_CONSTANTS);
    roof_quantity *constants =
        arena_grow(b->arena, p->hardware.constants, p->hardware.n_constants, sizeof *constants);
    if (!constants)
        return error_memory(b->err);
    roof_quantity *q = &constants[p->hardware.n_constants];
    *q = (roof_quantity){.key = "", .value = NAN, .unit = "", .kind = ROOF_KIND_ASSUMED, .source = ""};
    p->hardware.constants = constants;
    TRY(bind_object(b, event, members, N(members), q, NULL));
    if (!q->key[0])
        return bind_fail(b, "has no key");
    p->hardware.n_constants++;
    return ROOF_OK;
}

static roof_status read_constants(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, read_constant, target);
}

static roof_status read_pool(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        {"name", BIND_TEXT, offsetof(roof_pool_rates, name), 0, 0},
        {"byte_width", BIND_SMALL, offsetof(roof_pool_rates, byte_width), 0, 0},
        {"freq_ratio", BIND_POSITIVE, offsetof(roof_pool_rates, freq_ratio), 0, 0},
        {"vendor_bytes_per_s", BIND_POSITIVE, offsetof(roof_pool_rates, vendor_bytes_per_s), 0, 0},
        {"bytes_per_s", BIND_POSITIVE, offsetof(roof_pool_rates, bytes_per_s), 0, 0},
        {"from_file", BIND_BOOL, offsetof(roof_pool_rates, from_file), 0, 0},
        {"cached", BIND_BOOL, offsetof(roof_pool_rates, cached), 0, 0},
        {"size_bytes", BIND_COUNT, offsetof(roof_pool_rates, size_bytes), 0, 0},
        {"used_bytes", BIND_COUNT, offsetof(roof_pool_rates, used_bytes), 0, 0},
        {"read_bytes", BIND_COUNT, offsetof(roof_pool_rates, read_bytes), 0, 0},
        {"write_bytes", BIND_COUNT, offsetof(roof_pool_rates, write_bytes), 0, 0}};
    roof_prediction *p = of(b);
    (void)target;
    roof_pool_rates r = {.byte_width = ROOF_NONE,
                         .freq_ratio = NAN,
                         .vendor_bytes_per_s = NAN,
                         .bytes_per_s = NAN,
                         .size_bytes = ROOF_UNKNOWN,
                         .used_bytes = ROOF_UNKNOWN,
                         .read_bytes = ROOF_UNKNOWN,
                         .write_bytes = ROOF_UNKNOWN};
    uint32_t index;
    TRY(bind_object(b, event, members, N(members), &r, NULL));
    if (!r.name || !*r.name)
        return bind_fail(b, "has no name");
    TRY(pool_index(b, r.name, &index));
    r.engine = p->hardware.pools[index].engine;
    p->hardware.pools[index] = r;
    return ROOF_OK;
}

static roof_status read_pools(json_binder *b, const json_event *event, void *target)
{
    roof_prediction *p = of(b);
    if (!p->hardware.pools)
        p->hardware.pools = NEW(b->arena, roof_pool_rates); /* none of them is not the same as one memory */
    return p->hardware.pools ? bind_array(b, event, read_pool, target) : error_memory(b->err);
}

static roof_status read_hardware(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        HARDWARE(id, TEXT),
        HARDWARE(name, TEXT),
        HARDWARE(board, TEXT),
        HARDWARE(family, TEXT),
        HARDWARE(law, TEXT),
        HARDWARE(weakest_key, TEXT),
        HARDWARE(clock_hz, POSITIVE),
        HARDWARE(bandwidth_bytes_per_s, POSITIVE),
        HARDWARE(peak_ops_per_s, POSITIVE),
        HARDWARE(launch_floor_s, SECONDS),
        HARDWARE(cores, SMALL),
        HARDWARE(batch_lanes, SMALL),
        {"weakest_kind", BIND_CALL, offsetof(roof_prediction, hardware.weakest_kind), read_kind, 0},
        {"ceilings", BIND_CALL, 0, read_ceilings, 0},
        {"constants", BIND_CALL, 0, read_constants, 0},
        {"pools", BIND_CALL, 0, read_pools, 0}};
    return bind_object(b, event, members, N(members), target, NULL);
}

static roof_status read_options(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        {"batch", BIND_SMALL, offsetof(roof_prediction, options.batch), 0, 0}};
    return bind_object(b, event, members, N(members), target, NULL);
}

typedef struct interval {
    double seconds[2];
    unsigned n;
} interval;

static roof_status read_expected_ci95(json_binder *b, const json_event *event, void *target);

static roof_status read_total_alone(json_binder *b, const json_event *event, void *target)
{
    of(b)->total.has_alone = true;
    return read_alone(b, event, target);
}

#define TOTAL(key, k)                                                                                        \
    {                                                                                                        \
#key, BIND_##k, offsetof(roof_prediction, total.key), 0, 0                                           \
    }

static const bind_member total_members[] = {
    TOTAL(layers, SMALL),
    TOTAL(boundaries, SMALL),
    TOTAL(macs, COUNT),
    TOTAL(array_macs, COUNT),
    TOTAL(ops_count, COUNT),
    TOTAL(workload_ops, COUNT),
    TOTAL(stored_workload_ops, COUNT),
    COST(offsetof(roof_prediction, total.deployed)),
    TOTAL(floor_cycles, COUNT),
    TOTAL(floor_s, SECONDS),
    {"floor_bound", BIND_CALL, offsetof(roof_prediction, total.floor_bound), read_engine_name, 0},
    TOTAL(predicted_s, SECONDS),
    {"predicted_ci95_s", BIND_CALL, offsetof(roof_prediction, total.predicted_ci95_s), read_expected_ci95, 0},
    {"predicted_from", BIND_TEXT, offsetof(roof_prediction, calibration), 0, 0},
    {"estimate_of", BIND_TEXT, offsetof(roof_prediction, estimate_of), 0, 0},
    TOTAL(intensity_ops_per_byte, POSITIVE),
    TOTAL(inferences_per_s, POSITIVE),
    TOTAL(unattributed_bytes_ratio, POSITIVE),
    TOTAL(unattributed_cycles_ratio, POSITIVE),
    {"stored_vendor_cycles", BIND_COUNT, offsetof(roof_prediction, total.estimate.stored_cycles), 0, 0},
    TOTAL(host_layers, SMALL),
    {"per_layer", BIND_CALL, offsetof(roof_prediction, total.alone), read_total_alone, 0},
};

/* Two numbers, lower end first. */
static roof_status read_interval(json_binder *b, const json_event *event, void *target)
{
    interval *to = target;
    if (event->kind == JSON_NULL)
        return ROOF_OK;
    if (event->kind != JSON_NUMBER || !(event->number >= 0 && event->number <= BIND_MOST_SECONDS) ||
        to->n == 2)
        return bind_fail(b, "want two numbers of seconds");
    to->seconds[to->n++] = event->number;
    return ROOF_OK;
}

static roof_status read_expected_ci95(json_binder *b, const json_event *event, void *target)
{
    interval found = {.seconds = {NAN, NAN}};
    TRY(bind_array(b, event, read_interval, &found));
    memcpy(target, found.seconds, sizeof found.seconds);
    return ROOF_OK;
}

static roof_status read_total(json_binder *b, const json_event *event, void *target)
{
    reading *r = b->user;
    r->vendor_cycles = ROOF_UNKNOWN;
    TRY(bind_object(b, event, total_members, N(total_members), target, NULL));
    r->out->total.estimate.cycles = r->vendor_cycles;
    return ROOF_OK;
}

static roof_status read_schema(json_binder *b, const json_event *event, void *target)
{
    char shown[80];
    (void)target;
    if (event->kind == JSON_STRING && strcmp(event->text, ROOF_PREDICTION_SCHEMA) == 0) {
        ((reading *)b->user)->schema = ROOF_PREDICTION_SCHEMA;
        return ROOF_OK;
    }
    if (event->kind != JSON_STRING)
        return bind_fail(b, "found %s, want \"" ROOF_PREDICTION_SCHEMA "\"", json_kind_text(event->kind));
    quote_text(shown, sizeof shown, event->text, event->text_length);
    return bind_fail(b, "is \"%s\", want \"" ROOF_PREDICTION_SCHEMA "\"", shown);
}

static roof_status read_sentence(json_binder *b, const json_event *event, void *target)
{
    unsigned *n = target;
    if (event->kind != JSON_STRING || *n == 2)
        return bind_fail(b, "want two sentences");
    of(b)->verdict[*n] = arena_strdup(b->arena, event->text);
    return of(b)->verdict[(*n)++] ? ROOF_OK : error_memory(b->err);
}

static roof_status read_verdict(json_binder *b, const json_event *event, void *target)
{
    unsigned n = 0;
    (void)target;
    return bind_array(b, event, read_sentence, &n);
}

/* A kind of a later version keeps its text. */
static roof_status read_finding_kind(json_binder *b, const json_event *event, void *target)
{
    if (event->kind != JSON_STRING)
        return bind_fail(b, "found %s, want a word", json_kind_text(event->kind));
    for (int kind = 0; kind < ROOF_FINDING_COUNT; kind++)
        if (strcmp(event->text, roof_finding_kind_text((roof_finding_kind)kind)) == 0)
            *(roof_finding_kind *)target = (roof_finding_kind)kind;
    return ROOF_OK;
}

static roof_status read_finding(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        {"kind", BIND_CALL, offsetof(roof_finding, kind), read_finding_kind, 0},
        {"layer", BIND_TEXT, offsetof(roof_finding, layer), 0, 0},
        {"text", BIND_TEXT, offsetof(roof_finding, text), 0, 0}};
    roof_prediction *p = of(b);
    (void)target;
    if (p->n_findings == MOST_FINDINGS)
        return error_set(b->err, ROOF_E_LIMIT, "more than 2^24 findings");
    p->findings = arena_grow(b->arena, p->findings, p->n_findings, sizeof *p->findings);
    if (!p->findings)
        return error_memory(b->err);
    roof_finding *f = &p->findings[p->n_findings];
    *f = (roof_finding){.kind = ROOF_FINDING_FROM_NEWER, .text = ""};
    p->n_findings++;
    return bind_object(b, event, members, N(members), f, NULL);
}

static roof_status read_findings(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, read_finding, target);
}

static const bind_member document_members[] = {
    {"schema", BIND_CALL, 0, read_schema, 0},     {"model", BIND_CALL, 0, read_model, 0},
    {"hardware", BIND_CALL, 0, read_hardware, 0}, {"options", BIND_CALL, 0, read_options, 0},
    {"layers", BIND_CALL, 0, read_layers, 0},     {"total", BIND_CALL, 0, read_total, 0},
    {"verdict", BIND_CALL, 0, read_verdict, 0},   {"findings", BIND_CALL, 0, read_findings, 0},
};

static roof_status make(roof_arena *arena, json_binder *b)
{
    reading *r = b->user;
    roof_prediction *p = r->out = arena ? NEW(arena, roof_prediction) : NULL;
    if (!p)
        return error_memory(b->err);
    p->arena = arena;
    p->model.name = p->model.path = p->model.format = "";
    p->model.fingerprint = ROOF_UNKNOWN;
    p->hardware.id = p->hardware.name = p->hardware.board = p->hardware.family = p->hardware.law = "";
    p->hardware.weakest_key = "";
    p->hardware.clock_hz = p->hardware.bandwidth_bytes_per_s = p->hardware.peak_ops_per_s =
        p->hardware.launch_floor_s = NAN;
    p->options.batch = 1;
    p->total.macs = p->total.ops_count = p->total.workload_ops = p->total.stored_workload_ops =
        p->total.array_macs = p->total.floor_cycles = ROOF_UNKNOWN;
    p->total.estimate = (roof_compiler_estimate){ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_NONE};
    p->total.floor_bound = ROOF_NONE;
    p->total.predicted_ci95_s[0] = p->total.predicted_ci95_s[1] = NAN;
    p->total.floor_s = p->total.predicted_s = p->total.intensity_ops_per_byte = p->total.inferences_per_s =
        p->total.unattributed_bytes_ratio = p->total.unattributed_cycles_ratio = NAN;
    p->verdict[0] = p->verdict[1] = "";
    p->engines = NEW_ARRAY(arena, const char *, ROOF_MAX_ENGINES);
    if (!p->engines)
        return error_memory(b->err);
    TRY(unknown_cost(b, &p->total.alone));
    return unknown_cost(b, &p->total.deployed);
}

static roof_status read_document(json_binder *b, const json_event *event)
{
    enum { LAYERS_SEEN = 1 << 4 };
    uint64_t seen;
    TRY(bind_object(b, event, document_members, N(document_members), of(b), &seen));
    if (!((reading *)b->user)->schema)
        return bind_fail(b, "has no \"schema\", want \"" ROOF_PREDICTION_SCHEMA "\"");
    if (!(seen & LAYERS_SEEN))
        return bind_fail(b, "has no \"layers\"");
    of(b)->is_started_by_rows = of(b)->hardware.pools;
    return ROOF_OK;
}

roof_status prediction_bind(json_binder *outer, const json_event *event, roof_prediction **out)
{
    reading r = {0};
    roof_arena *arena = arena_new(0);
    json_binder b = {.puller = outer->puller, .arena = arena, .user = &r, .err = outer->err};
    roof_status status = make(arena, &b);
    if (status == ROOF_OK)
        status = read_document(&b, event);
    if (status == ROOF_OK)
        status = arena_status(arena, b.err);
    if (status == ROOF_OK)
        *out = r.out;
    else
        arena_free(arena);
    return status;
}

roof_status roof_prediction_read(const char *path, roof_prediction **out, roof_error *err)
{
    input_file input;
    json_event event;
    *out = NULL;
    TRY(input_open(path, 0, &input, err));
    jsonpull *puller = jsonpull_new(input_read, &input);
    json_binder b = {.puller = puller, .err = err};
    roof_status status = puller ? jsonpull_next(puller, &event, err) : error_memory(err);
    if (status == ROOF_OK)
        status = prediction_bind(&b, &event, out);
    if (status == ROOF_OK)
        status = jsonpull_next(puller, &event, err);
    if (status != ROOF_OK) {
        error_prefix(err, "%s", input.name);
        roof_prediction_free(*out);
        *out = NULL;
    }
    jsonpull_free(puller);
    input_close(&input);
    return status;
}
