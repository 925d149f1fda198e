#include "model/explore/sweep/sweep_plan.h"
#include "core/arena.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/json/jsontree.h"
#include "core/quantity.h"
#include "roofline/throughput.h"

#include <math.h>
#include <string.h>

enum { MOST_BATCH = 1000000000 };

/* A list that is there has something in it: else there would be no point. */
static uint32_t length_of(jsontree *t, const cJSON *list, const char *key)
{
    const cJSON *array = jsontree_array(t, list);
    const int n = cJSON_GetArraySize(array);
    if (array && n == 0)
        jsontree_fail(t, array, "\"%s\" is empty, so that there is no point; leave it out, or fill it", key);
    if (n > ROOF_MOST_SWEPT)
        jsontree_refuse(t, array, ROOF_E_LIMIT, "\"%s\" has %d entries, want at most %d", key, n,
                        ROOF_MOST_SWEPT);
    return array && t->status == ROOF_OK ? (uint32_t)n : 0;
}

/* Room for the entries of a list; NULL: there are none, or something is wrong. */
static void *list_of(jsontree *t, const cJSON *list, const char *key, uint32_t *n, size_t size)
{
    *n = length_of(t, list, key);
    void *items = *n ? arena_alloc(t->arena, *n, size) : NULL;
    if (*n && !items)
        t->status = error_memory(t->err);
    return items;
}

static const char *need_text(jsontree *t, const cJSON *node)
{
    const char *text = jsontree_name(t, node);
    if (t->status == ROOF_OK && (!text || !*text))
        jsontree_fail(t, node, "found %s, want a text", text ? "an empty text" : "null");
    return text;
}

/* Beside the plan, unless it says where it is. */
static const char *beside(jsontree *t, const char *path)
{
    const char *slash = strrchr(t->name, '/');
    if (!path || path[0] == '/' || !slash)
        return path;
    return arena_printf(t->arena, "%.*s/%s", (int)(slash - t->name), t->name, path);
}

static roof_sweep_file file_of(jsontree *t, const cJSON *node)
{
    const char *path = need_text(t, node);
    return (roof_sweep_file){path, beside(t, path)};
}

static roof_text_phase phase_of(jsontree *t, const cJSON *node)
{
    const char *text = jsontree_text(t, node);
    if (text && strcmp(text, "prefill") != 0 && strcmp(text, "decode") != 0)
        jsontree_fail(t, node, "\"phase\" is '%.40s', want \"prefill\" or \"decode\"", text);
    return !text ? ROOF_TEXT_UNSTATED : strcmp(text, "decode") == 0 ? ROOF_TEXT_DECODE : ROOF_TEXT_PREFILL;
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

/* "model.xmodel", or an object with what the file leaves open. */
static void read_model(jsontree *t, const cJSON *node, roof_sweep_model *model)
{
    static const char *const keys[] = {"path",   "phase", "prompt_tokens", "context_tokens", "data_type",
                                       "shapes", NULL};
    if (!cJSON_IsObject(node)) {
        model->file = file_of(t, node);
        return;
    }
    const cJSON *o = jsontree_members(t, node, keys, "a model");
    roof_workload *w = &model->workload;
    model->file = file_of(t, jsontree_need(t, o, "path"));
    w->phase = phase_of(t, jsontree_get(o, "phase"));
    w->prompt_tokens = number_of(t, jsontree_get(o, "prompt_tokens"), MOST_BATCH, "a number of tokens");
    w->context_tokens = number_of(t, jsontree_get(o, "context_tokens"), MOST_BATCH, "a number of tokens");
    w->weight_type = jsontree_name(t, jsontree_get(o, "data_type"));
    w->shapes = jsontree_name(t, jsontree_get(o, "shapes"));
    w->asks_text = w->phase || w->prompt_tokens || w->context_tokens;
}

/* "250MHz": a number without a unit would be taken for another one. */
static double quantity_at(jsontree *t, const cJSON *node, const char *unit)
{
    const char *text = need_text(t, node);
    double value = NAN;
    roof_error why;
    if (!text || t->status != ROOF_OK)
        return NAN;
    if (quantity_parse(text, unit, &value, &why) != ROOF_OK)
        jsontree_fail(t, node, "%s", why.what);
    else if (!(value > 0))
        jsontree_fail(t, node, "'%.40s' is 0, want more", text);
    return value;
}

static double *read_quantities(jsontree *t, const cJSON *list, const char *key, const char *unit, uint32_t *n)
{
    double *values = list_of(t, list, key, n, sizeof *values);
    const cJSON *node = values ? list->child : NULL;
    for (uint32_t i = 0; node && t->status == ROOF_OK; node = node->next)
        values[i++] = quantity_at(t, node, unit);
    return values;
}

static uint32_t *read_numbers(jsontree *t, const cJSON *list, const char *key, uint32_t most, uint32_t *n)
{
    uint32_t *values = list_of(t, list, key, n, sizeof *values);
    const cJSON *node = values ? list->child : NULL;
    for (uint32_t i = 0; node && t->status == ROOF_OK; node = node->next) {
        values[i] = number_of(t, node, most, "a number");
        i++;
    }
    return values;
}

static roof_sweep_file *read_files(jsontree *t, const cJSON *list, const char *key, uint32_t *n)
{
    roof_sweep_file *files = list_of(t, list, key, n, sizeof *files);
    const cJSON *node = files ? list->child : NULL;
    for (uint32_t i = 0; node && t->status == ROOF_OK; node = node->next)
        files[i++] = file_of(t, node);
    return files;
}

static const char **read_texts(jsontree *t, const cJSON *list, const char *key, uint32_t *n)
{
    const char **texts = list_of(t, list, key, n, sizeof *texts);
    const cJSON *node = texts ? list->child : NULL;
    for (uint32_t i = 0; node && t->status == ROOF_OK; node = node->next)
        texts[i++] = need_text(t, node);
    return texts;
}

static roof_sweep_model *read_models(jsontree *t, const cJSON *list, uint32_t *n)
{
    roof_sweep_model *models = list_of(t, list, "models", n, sizeof *models);
    const cJSON *node = models ? list->child : NULL;
    for (uint32_t i = 0; node && t->status == ROOF_OK; node = node->next)
        read_model(t, node, &models[i++]);
    return models;
}

static uint32_t one_at_least(uint32_t n)
{
    return n ? n : 1;
}

static void count_points(jsontree *t, roof_sweep_plan *p)
{
    const checked n = p->n_measured ? CHECKED_PRODUCT(p->n_measured, one_at_least(p->n_calibrations))
                                    : CHECKED_PRODUCT(p->n_models, p->n_devices, one_at_least(p->n_clocks),
                                                      one_at_least(p->n_bandwidths),
                                                      one_at_least(p->n_batches), one_at_least(p->n_threads));
    if (n.overflow || n.value > ROOF_MOST_SWEEP_POINTS)
        jsontree_refuse(t, t->root, ROOF_E_LIMIT, "is a plan of more than %d points; make several of it",
                        ROOF_MOST_SWEEP_POINTS);
    p->n_points = n.value;
}

/* Lists of predictions, and of profiles: a plan has those of one kind. */
static void read_plan(jsontree *t, roof_sweep_plan *p)
{
    static const char *const of_both[] = {"schema",     "models",       "devices", "clocks",
                                          "bandwidths", "batch",        "threads", "host",
                                          "measured",   "calibrations", NULL};
    static const char *const of_predictions[] = {"models", "devices", "clocks", "bandwidths",
                                                 "batch",  "threads", "host",   NULL};
    const cJSON *o = jsontree_members(t, t->root, of_both, "a plan");
    jsontree_schema(t, o, ROOF_SWEEP_SCHEMA);
    const bool is_of_profiles = jsontree_get(o, "measured") || jsontree_get(o, "calibrations");
    for (size_t i = 0; is_of_profiles && of_predictions[i]; i++)
        if (jsontree_get(o, of_predictions[i]))
            jsontree_fail(t, jsontree_get(o, of_predictions[i]),
                          "\"%s\" stands beside measured documents; make a plan of each", of_predictions[i]);
    if (is_of_profiles) {
        p->measured = read_files(t, jsontree_need(t, o, "measured"), "measured", &p->n_measured);
        p->calibrations = read_files(t, jsontree_get(o, "calibrations"), "calibrations", &p->n_calibrations);
    } else {
        p->models = read_models(t, jsontree_need(t, o, "models"), &p->n_models);
        p->devices = read_texts(t, jsontree_need(t, o, "devices"), "devices", &p->n_devices);
        p->clocks_hz = read_quantities(t, jsontree_get(o, "clocks"), "clocks", "Hz", &p->n_clocks);
        p->bandwidths_bytes_per_s =
            read_quantities(t, jsontree_get(o, "bandwidths"), "bandwidths", "B/s", &p->n_bandwidths);
        p->batches = read_numbers(t, jsontree_get(o, "batch"), "batch", MOST_BATCH, &p->n_batches);
        p->threads = read_numbers(t, jsontree_get(o, "threads"), "threads", ROOF_MOST_THREADS, &p->n_threads);
        const cJSON *host = jsontree_get(o, "host");
        p->host = jsontree_name(t, host);
        if (p->host && !p->n_threads)
            jsontree_fail(t, host, "\"host\" is of a load; add \"threads\", such as [1, 2, 4]");
    }
    if (t->status == ROOF_OK)
        count_points(t, p);
}

roof_status sweep_plan_parse(const char *text, size_t size, const char *name, roof_sweep_plan **out,
                             roof_error *err)
{
    cJSON *root;
    *out = NULL;
    TRY(jsontree_parse(text, size, name, &root, err));
    roof_arena *arena = arena_new(0);
    roof_sweep_plan *p = arena ? NEW(arena, roof_sweep_plan) : NULL;
    jsontree t = {root, name, arena, err, p ? ROOF_OK : error_memory(err)};
    if (p) {
        p->arena = arena;
        p->name = t.name = arena_strdup(arena, name);
        if (p->name)
            read_plan(&t, p);
    }
    if (t.status == ROOF_OK)
        t.status = arena_status(arena, err);
    if (t.status == ROOF_OK)
        *out = p;
    else
        arena_free(arena);
    cJSON_Delete(root);
    return t.status;
}
