/* A plan: its text, the devices that it names, and a hash of what its points depend on. */
#include "core/files/mapfile.h"
#include "core/json/jsontree.h"
#include "hwdb/hwdb.h"
#include "model/explore/sweep/sweep_point.h"
#include "roofline/throughput.h"
#include "roofline/version.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* --- its text ------------------------------------------------------------------------------------------- */

enum { MOST_BATCH = 1000000000 };

static const char *need_text(jsontree *t, const cJSON *node)
{
    const char *text = jsontree_name(t, node);
    if (t->status == ROOF_OK && (!text || !*text))
        jsontree_fail(t, node, "found %s, want a text", text ? "an empty text" : "null");
    return text;
}

static roof_sweep_file file_of(jsontree *t, const cJSON *node)
{
    const char *path = need_text(t, node);
    return (roof_sweep_file){path, arena_path_beside(t->arena, t->name, path)};
}

/* From 1 to most; 0: it is not there. */
static uint32_t number_of(jsontree *t, const cJSON *node, uint32_t most, const char *what)
{
    const uint32_t number = jsontree_small(t, node);
    if (node && number == ROOF_NONE && t->status == ROOF_OK)
        jsontree_fail(t, node, "found null, want %s from 1 to %u", what, most);
    if (number != ROOF_NONE && (number < 1 || number > most))
        jsontree_fail(t, node, "is %u, want %s from 1 to %u", number, what, most);
    return number == ROOF_NONE ? 0 : number;
}

/* A list of a plan: where it goes, and how an entry is read. A plan has those of predictions, or of
 * profiles. */
typedef struct plan_list {
    const char *key;
    size_t items, n, size; /* offsets of the list and its length; bytes of an entry */
    void (*read)(jsontree *t, const cJSON *node, const struct plan_list *list, void *entry);
    bool is_of_profiles, is_needed;
    const char *unit; /* of quantities */
    uint32_t most;    /* of numbers */
} plan_list;

static void file_entry(jsontree *t, const cJSON *node, const plan_list *list, void *entry)
{
    (void)list;
    *(roof_sweep_file *)entry = file_of(t, node);
}

static void text_entry(jsontree *t, const cJSON *node, const plan_list *list, void *entry)
{
    (void)list;
    *(const char **)entry = need_text(t, node);
}

static void number_entry(jsontree *t, const cJSON *node, const plan_list *list, void *entry)
{
    *(uint32_t *)entry = number_of(t, node, list->most, "a number");
}

/* "250MHz": a number without a unit would be taken for another one. */
static void quantity_entry(jsontree *t, const cJSON *node, const plan_list *list, void *entry)
{
    const char *text = need_text(t, node);
    double value = NAN;
    roof_error why;
    if (text && t->status == ROOF_OK && quantity_parse(text, list->unit, &value, &why) != ROOF_OK)
        jsontree_fail(t, node, "%s", why.what);
    else if (text && t->status == ROOF_OK && !(value > 0))
        jsontree_fail(t, node, "'%.40s' is 0, want more", text);
    *(double *)entry = value;
}

/* "model.xmodel", or an object with what the file leaves open. */
static void model_entry(jsontree *t, const cJSON *node, const plan_list *list, void *entry)
{
    static const char *const keys[] = {"path",   "phase", "prompt_tokens", "context_tokens", "data_type",
                                       "shapes", NULL};
    roof_sweep_model *model = entry;
    (void)list;
    if (!cJSON_IsObject(node)) {
        model->file = file_of(t, node);
        return;
    }
    const cJSON *o = jsontree_members(t, node, keys, "a model");
    roof_workload *w = &model->workload;
    model->file = file_of(t, jsontree_need(t, o, "path"));
    const char *phase = jsontree_text(t, jsontree_get(o, "phase"));
    if (phase && strcmp(phase, "prefill") != 0 && strcmp(phase, "decode") != 0)
        jsontree_fail(t, jsontree_get(o, "phase"), "\"phase\" is '%.40s', want \"prefill\" or \"decode\"",
                      phase);
    w->phase = !phase                         ? ROOF_TEXT_UNSTATED
               : strcmp(phase, "decode") == 0 ? ROOF_TEXT_DECODE
                                              : ROOF_TEXT_PREFILL;
    w->prompt_tokens = number_of(t, jsontree_get(o, "prompt_tokens"), MOST_BATCH, "a number of tokens");
    w->context_tokens = number_of(t, jsontree_get(o, "context_tokens"), MOST_BATCH, "a number of tokens");
    w->weight_type = jsontree_name(t, jsontree_get(o, "data_type"));
    w->shapes = jsontree_name(t, jsontree_get(o, "shapes"));
    w->asks_text = w->phase || w->prompt_tokens || w->context_tokens;
}

#define LIST(key_, member, count, read_, ...)                                                                \
    {                                                                                                        \
        .key = (key_), .items = offsetof(roof_sweep_plan, member), .n = offsetof(roof_sweep_plan, count),    \
        .size = sizeof *((roof_sweep_plan *)0)->member, .read = (read_), __VA_ARGS__                         \
    }
static const plan_list lists[] = {
    LIST("models", models, n_models, model_entry, .is_needed = true),
    LIST("devices", devices, n_devices, text_entry, .is_needed = true),
    LIST("clocks", clocks_hz, n_clocks, quantity_entry, .unit = "Hz"),
    LIST("bandwidths", bandwidths_bytes_per_s, n_bandwidths, quantity_entry, .unit = "B/s"),
    LIST("batch", batches, n_batches, number_entry, .most = MOST_BATCH),
    LIST("threads", threads, n_threads, number_entry, .most = ROOF_MOST_THREADS),
    LIST("measured", measured, n_measured, file_entry, .is_of_profiles = true, .is_needed = true),
    LIST("calibrations", calibrations, n_calibrations, file_entry, .is_of_profiles = true),
};
#undef LIST
enum { N_LISTS = N_OF(lists) };

/* A list that is there has something in it: else there would be no point. */
static void fill_list(jsontree *t, const cJSON *plan, const plan_list *list, roof_sweep_plan *p)
{
    const cJSON *array = jsontree_array(t, list->is_needed ? jsontree_need(t, plan, list->key)
                                                           : jsontree_get(plan, list->key));
    uint32_t *n = (uint32_t *)((char *)p + list->n);
    const int length = cJSON_GetArraySize(array);
    if (array && length == 0)
        jsontree_fail(t, array, "\"%s\" is empty, so that there is no point; leave it out, or fill it",
                      list->key);
    if (length > ROOF_MOST_SWEPT)
        jsontree_refuse(t, array, ROOF_E_LIMIT, "\"%s\" has %d entries, want at most %d", list->key, length,
                        ROOF_MOST_SWEPT);
    *n = array && t->status == ROOF_OK ? (uint32_t)length : 0;
    char *entries = *n ? arena_alloc(t->arena, *n, list->size) : NULL;
    if (*n && !entries)
        t->status = error_memory(t->err);
    memcpy((char *)p + list->items, &entries, sizeof entries);
    const cJSON *node = entries ? array->child : NULL;
    for (char *entry = entries; node && t->status == ROOF_OK; node = node->next, entry += list->size)
        list->read(t, node, list, entry);
}

static uint32_t one_at_least(uint32_t n)
{
    return n ? n : 1;
}

static void read_plan(jsontree *t, roof_sweep_plan *p)
{
    static const char *const of_both[] = {"schema",     "models",       "devices", "clocks",
                                          "bandwidths", "batch",        "threads", "host",
                                          "measured",   "calibrations", NULL};
    const cJSON *o = jsontree_members(t, t->root, of_both, "a plan"), *host = jsontree_get(o, "host");
    jsontree_schema(t, o, ROOF_SWEEP_SCHEMA);
    const bool is_of_profiles = jsontree_get(o, "measured") || jsontree_get(o, "calibrations");
    for (size_t i = 0; is_of_profiles && i <= N_LISTS; i++) {
        const char *key = i < N_LISTS ? lists[i].key : "host";
        if ((i == N_LISTS || !lists[i].is_of_profiles) && jsontree_get(o, key))
            jsontree_fail(t, jsontree_get(o, key),
                          "\"%s\" stands beside measured documents; make a plan of each", key);
    }
    for (size_t i = 0; i < N_LISTS; i++)
        if (lists[i].is_of_profiles == is_of_profiles)
            fill_list(t, o, &lists[i], p);
    p->host = is_of_profiles ? NULL : jsontree_name(t, host);
    if (p->host && !p->n_threads)
        jsontree_fail(t, host, "\"host\" is of a load; add \"threads\", such as [1, 2, 4]");
    if (t->status == ROOF_OK) {
        const checked n = p->n_measured
                              ? CHECKED_PRODUCT(p->n_measured, one_at_least(p->n_calibrations))
                              : CHECKED_PRODUCT(p->n_models, p->n_devices, one_at_least(p->n_clocks),
                                                one_at_least(p->n_bandwidths), one_at_least(p->n_batches),
                                                one_at_least(p->n_threads));
        if (n.overflow || n.value > ROOF_MOST_SWEEP_POINTS)
            jsontree_refuse(t, t->root, ROOF_E_LIMIT, "is a plan of more than %d points; make several of it",
                            ROOF_MOST_SWEEP_POINTS);
        p->n_points = n.value;
    }
}

roof_status sweep_plan_parse(const char *text, size_t size, const char *name, roof_sweep_plan **out,
                             roof_error *err)
{
    cJSON *root;
    *out = NULL;
    TRY(jsontree_parse(text, size, name, &root, err));
    roof_arena *arena;
    roof_sweep_plan *p = NEW_ROOT(&arena, roof_sweep_plan, err);
    jsontree t = {root, name, arena, err, p ? ROOF_OK : ROOF_E_NO_MEMORY};
    if (p) {
        p->arena = arena;
        p->name = t.name = arena_strdup(arena, name);
        if (p->name)
            read_plan(&t, p);
        t.status = arena_settle(arena, t.status, err);
        *out = t.status == ROOF_OK ? p : NULL;
    }
    cJSON_Delete(root);
    return t.status;
}

/* --- its identity --------------------------------------------------------------------------------------- */

static void hash_text(XXH3_state_t *hash, const char *text)
{
    XXH3_64bits_update(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

static void hash_number(XXH3_state_t *hash, double number)
{
    XXH3_64bits_update(hash, &number, sizeof number);
}

static roof_status hash_file(XXH3_state_t *hash, const char *path, roof_error *err)
{
    mapfile file;
    TRY(mapfile_open(path, &file, err));
    XXH3_64bits_update(hash, &file.size_bytes, sizeof file.size_bytes);
    XXH3_64bits_update(hash, file.bytes, file.size_bytes);
    mapfile_close(&file);
    return ROOF_OK;
}

/* Weights are not read: a model's structure and the size of its file tell it from another one. A file that is
 * no readable model counts by its error. */
static roof_status hash_model(XXH3_state_t *hash, const roof_sweep_model *model, roof_error *err)
{
    roof_graph *graph = NULL;
    const roof_status status = roof_graph_read_as(model->file.found, &model->workload, &graph, err);
    if (status == ROOF_E_NO_INPUT || status == ROOF_E_IO || status == ROOF_E_NO_MEMORY)
        return status;
    hash_text(hash, status == ROOF_OK ? graph->graph_hash : err->what);
    hash_number(hash, status == ROOF_OK ? (double)graph->file_bytes : -1);
    roof_graph_free(graph);
    return ROOF_OK;
}

static roof_status hash_plan(const char *text, size_t size, roof_sweep_plan *p, roof_error *err)
{
    XXH3_state_t *hash = XXH3_createState();
    roof_status status = ALLOCATED(hash, err);
    TRY(status);
    XXH3_64bits_reset(hash);
    hash_text(hash, roof_version());
    XXH3_64bits_update(hash, text, size);
    for (uint32_t i = 0; status == ROOF_OK && i < p->n_models; i++)
        status = hash_model(hash, &p->models[i], err);
    for (uint32_t i = 0; status == ROOF_OK && i < p->n_devices; i++) {
        const roof_quantity *q;
        hash_text(hash, roof_hw_id(p->hw[i]));
        hash_text(hash, roof_hw_family(p->hw[i]));
        for (size_t k = 0; (q = roof_hw_at(p->hw[i], k)); k++) {
            hash_text(hash, q->key);
            hash_text(hash, q->unit);
            hash_number(hash, q->value);
        }
    }
    for (uint32_t i = 0; status == ROOF_OK && i < p->n_measured; i++)
        status = hash_file(hash, p->measured[i].found, err);
    for (uint32_t i = 0; status == ROOF_OK && i < p->n_calibrations; i++)
        status = hash_file(hash, p->calibrations[i].found, err);
    snprintf(p->identity, sizeof p->identity, "%016llx", (unsigned long long)XXH3_64bits_digest(hash));
    XXH3_freeState(hash);
    return status;
}

/* --- all of it ------------------------------------------------------------------------------------------ */

static roof_status load_devices(roof_sweep_plan *p, roof_error *err)
{
    TRY(ARENA_GET(p->arena, p->hw, p->n_devices, err));
    for (uint32_t i = 0; i < p->n_devices; i++) {
        const char *spec = p->devices[i];
        if (!strchr(spec, '=') && (strchr(spec, '/') || hwdb_is_file_name(span_of(spec))))
            spec = arena_path_beside(p->arena, p->name, spec);
        TRY(arena_status(p->arena, err));
        TRY(error_placed(roof_hw_load(spec, &p->hw[i], err), err, "%s: /devices/%u", p->name, i));
    }
    return ROOF_OK;
}

roof_status roof_sweep_plan_read(const char *path, roof_sweep_plan **out, roof_error *err)
{
    mapfile file;
    roof_sweep_plan *p = NULL;
    *out = NULL;
    TRY(mapfile_open(path, &file, err));
    roof_status status = sweep_plan_parse((const char *)file.bytes, (size_t)file.size_bytes, path, &p, err);
    THEN(status, load_devices(p, err));
    THEN(status, hash_plan((const char *)file.bytes, (size_t)file.size_bytes, p, err));
    mapfile_close(&file);
    return GIVE(status, out, p, roof_sweep_plan_free);
}

void roof_sweep_plan_free(roof_sweep_plan *plan)
{
    if (!plan)
        return;
    for (uint32_t i = 0; plan->hw && i < plan->n_devices; i++)
        roof_hw_free(plan->hw[i]);
    arena_free(plan->arena);
}
