#include "measure/compare/budget_codec.h"
#include "core/json/codec.h"
#include "core/json/jsontree.h"

enum { MOST_TYPES = 256, MOST_TERMS = ROOF_MOST_TERMS };

/* A number in the base unit of its name, or a text with a unit: 0.03 or "30 ms" of mean_s. unit NULL: a
 * text is none. */
static double read_amount(jsontree *t, const cJSON *node, const char *unit)
{
    const char *text = cJSON_IsString(node) && unit ? jsontree_text(t, node) : NULL;
    double value = NAN;
    roof_error why;
    if (!text)
        return jsontree_number(t, node, 0, HUGE_VAL);
    if (quantity_parse(text, unit, &value, &why) != ROOF_OK)
        jsontree_fail(t, node, "%s", why.what);
    else if (!(value >= 0))
        jsontree_fail(t, node, "is '%.40s', want 0 or more", text);
    return value;
}

static double read_positive(jsontree *t, const cJSON *node)
{
    static const char *const units[][2] = {{"_s", "s"}, {"_bytes", "B"}, {"_j", "J"}, {"_w", "W"}};
    const size_t length = node && node->string ? strlen(node->string) : 0;
    for (size_t i = 0; i < N_OF(units); i++) {
        const size_t n = strlen(units[i][0]);
        if (length > n && strcmp(node->string + length - n, units[i][0]) == 0)
            return read_amount(t, node, units[i][1]);
    }
    return read_amount(t, node, NULL);
}

static double read_bytes(jsontree *t, const cJSON *node)
{
    return read_amount(t, node, "B");
}

static double read_type(jsontree *t, const cJSON *type)
{
    static const char *const keys[] = {"efficiency_ratio", NULL};
    const cJSON *object = jsontree_members(t, type, keys, "a layer type");
    const cJSON *node = jsontree_need(t, object, "efficiency_ratio");
    const double ratio = read_positive(t, node);
    if (ratio > 1)
        jsontree_fail(t, node, "efficiency_ratio is %g, want at most 1: %g %% is %g", ratio, ratio,
                      ratio / 100);
    return ratio;
}

/* Limits by their names; null is none. */
static roof_limit *read_limits(jsontree *t, const cJSON *object,
                               double (*read)(jsontree *t, const cJSON *node), uint32_t *n)
{
    roof_limit *limits = NEW_ARRAY(t->arena, roof_limit, (size_t)cJSON_GetArraySize(object));
    if (!limits)
        t->status = error_memory(t->err);
    for (const cJSON *limit = object ? object->child : NULL; limit && t->status == ROOF_OK;
         limit = limit->next) {
        const char *problem = codec_key_problem(limit->string);
        const double value = read(t, limit);
        if (problem)
            jsontree_fail(t, limit, "%s", problem);
        else if (*n == MOST_TYPES)
            jsontree_refuse(t, limit, ROOF_E_LIMIT, "is one too many, want at most %d", MOST_TYPES);
        else if (!isnan(value))
            limits[(*n)++] = (roof_limit){jsontree_copy(t, limit->string, strlen(limit->string)), value};
    }
    return limits;
}

/* Below 1 it is an improvement that has to be reached. */
static double read_factor(jsontree *t, const cJSON *baseline, const char *key)
{
    const cJSON *node = jsontree_get(baseline, key);
    const double factor = read_positive(t, node);
    if (factor <= 0)
        jsontree_fail(t, node, "%s of the baseline is %g, want more than 0", key, factor);
    return factor;
}

static bool is_limit(const roof_budget *b, const char *name)
{
    for (uint32_t i = 0; i < b->n_models; i++)
        if (!isnan(roof_budget_limit(b->models[i].totals, b->models[i].n_totals, name)))
            return true;
    return !isnan(roof_budget_limit(b->totals, b->n_totals, name)) ||
           !isnan(roof_budget_limit(b->types, b->n_types, name)) ||
           !isnan(roof_budget_limit(b->steps, b->n_steps, name)) ||
           !isnan(roof_budget_limit(b->memory, b->n_memory, name)) ||
           (!isnan(b->advice_max_gain_percent) && strcmp(name, "advice") == 0) ||
           (b->baseline.file && strcmp(name, "baseline") == 0);
}

static void read_optional(jsontree *t, const cJSON *list, roof_budget *b)
{
    size_t n = 0;
    for (const cJSON *item = list ? list->child : NULL; item && t->status == ROOF_OK; item = item->next) {
        const char *name = jsontree_text(t, item);
        if (n == ROOF_MOST_OPTIONAL)
            jsontree_refuse(t, item, ROOF_E_LIMIT, "is one too many, want at most %d", ROOF_MOST_OPTIONAL);
        else if (!name)
            jsontree_fail(t, item, "found null, want a string");
        else if (!is_limit(b, name))
            jsontree_fail(t, item, "\"optional\" names '%.60s', which is no limit of this budget", name);
        else
            b->optional[n++] = name;
    }
}

static void read_models(jsontree *t, const cJSON *models, const char *const *terms, roof_budget *b)
{
    const cJSON *model;
    cJSON_ArrayForEach(model, models)
    {
        roof_model_budget *m = &b->models[b->n_models];
        const cJSON *limits = jsontree_members(t, model, terms, "a model");
        const char *problem = codec_key_problem(model->string);
        if (problem)
            jsontree_fail(t, model, "%s", problem);
        if (b->n_models == ROOF_MOST_MODELS)
            jsontree_refuse(t, model, ROOF_E_LIMIT, "is one too many, want at most %d", ROOF_MOST_MODELS);
        if (t->status != ROOF_OK)
            return;
        m->name = jsontree_copy(t, model->string, strlen(model->string));
        m->totals = read_limits(t, limits, read_positive, &m->n_totals);
        if (t->status == ROOF_OK && !m->n_totals)
            jsontree_fail(t, model, "sets no limit of its own");
        b->n_models++;
    }
}

static void read_budget(jsontree *t, roof_budget *b)
{
    static const char *const keys[] = {"schema", "total",  "models",   "steps",    "types",
                                       "memory", "advice", "baseline", "optional", NULL};
    static const char *const advice_keys[] = {"max_gain_percent", NULL};
    static const char *const baseline_keys[] = {"file", "factor", "layer_factor", "not_known", NULL};
    const char *terms[MOST_TERMS + 1] = {0};
    for (size_t i = 0; i < MOST_TERMS && roof_budget_term(i); i++)
        terms[i] = roof_budget_term(i);
    const cJSON *o = jsontree_members(t, t->root, keys, "a budget");
    const cJSON *baseline = jsontree_members(t, jsontree_get(o, "baseline"), baseline_keys, "\"baseline\"");
    jsontree_schema(t, o, ROOF_BUDGET_SCHEMA);
    const cJSON *totals = jsontree_members(t, jsontree_get(o, "total"), terms, "\"total\"");
    b->totals = read_limits(t, totals, read_positive, &b->n_totals);
    const cJSON *steps = jsontree_object(t, jsontree_get(o, "steps"));
    const cJSON *step;
    cJSON_ArrayForEach(step, steps)
    {
        size_t length = strlen(step->string);
        if (length < 3 || strcmp(step->string + length - 2, "_s") != 0)
            jsontree_fail(t, step, "is no step, want a name that ends with _s, such as host_s");
    }
    b->steps = read_limits(t, steps, read_positive, &b->n_steps);
    read_models(t, jsontree_object(t, jsontree_get(o, "models")), terms, b);
    b->types = read_limits(t, jsontree_object(t, jsontree_get(o, "types")), read_type, &b->n_types);
    b->memory = read_limits(t, jsontree_object(t, jsontree_get(o, "memory")), read_bytes, &b->n_memory);
    const cJSON *advice = jsontree_members(t, jsontree_get(o, "advice"), advice_keys, "\"advice\"");
    b->advice_max_gain_percent = jsontree_number(t, jsontree_need(t, advice, "max_gain_percent"), 0, 100);
    b->baseline.file = jsontree_text(t, jsontree_need(t, baseline, "file"));
    b->baseline.factor = read_factor(t, baseline, "factor");
    b->baseline.layer_factor = read_factor(t, baseline, "layer_factor");
    const cJSON *not_known = jsontree_get(baseline, "not_known");
    const char *text = jsontree_text(t, not_known);
    if (text && strcmp(text, "fail") != 0 && strcmp(text, "pass") != 0)
        jsontree_fail(t, not_known, "\"not_known\" is '%.40s', want \"fail\" or \"pass\"", text);
    b->baseline.passes_unknown = text && strcmp(text, "pass") == 0;
    if (o && !b->n_totals && !b->n_types && !b->n_steps && !b->n_models && !b->n_memory && !baseline &&
        isnan(b->advice_max_gain_percent))
        jsontree_fail(t, o,
                      "sets no limit; want one in \"total\", \"models\", \"steps\", \"types\", \"memory\", "
                      "\"advice\" or \"baseline\"");
    read_optional(t, jsontree_array(t, jsontree_get(o, "optional")), b);
}

/* Frees the tree. */
static roof_status budget_of(cJSON *root, const char *name, roof_budget **out, roof_error *err)
{
    roof_arena *arena;
    roof_budget *b = NEW_ROOT(&arena, roof_budget, err);
    jsontree t = {root, name, arena, err, b ? ROOF_OK : ROOF_E_NO_MEMORY};
    if (b) {
        b->arena = arena;
        b->name = arena_strdup(arena, name);
        read_budget(&t, b);
    }
    if (t.status == ROOF_OK && (t.status = arena_status(arena, err)) == ROOF_OK) {
        b->baseline.path = arena_path_beside(arena, b->name, b->baseline.file);
        b->baseline.factor = isnan(b->baseline.factor) ? 1 : b->baseline.factor;
        t.status = arena_status(arena, err);
    }
    cJSON_Delete(root);
    return GIVE(t.status, out, b, roof_budget_free);
}

roof_status budget_codec_parse(const char *text, size_t size, const char *name, roof_budget **out,
                               roof_error *err)
{
    cJSON *root;
    *out = NULL;
    TRY(jsontree_parse(text, size, name, &root, err));
    return budget_of(root, name, out, err);
}

roof_status roof_budget_read(const char *path, roof_budget **out, roof_error *err)
{
    cJSON *root;
    *out = NULL;
    TRY(jsontree_read(path, 0, &root, err));
    return budget_of(root, strcmp(path, "-") == 0 ? "standard input" : path, out, err);
}

roof_status roof_budget_of_totals(const roof_limit *totals, uint32_t n, roof_budget **out, roof_error *err)
{
    roof_arena *arena;
    roof_budget *b = NEW_ROOT(&arena, roof_budget, err);
    *out = NULL;
    if (!b)
        return ROOF_E_NO_MEMORY;
    *b = (roof_budget){.name = "the limits of the command line",
                       .totals = NEW_ARRAY(arena, roof_limit, n),
                       .advice_max_gain_percent = NAN,
                       .baseline = {.factor = 1, .layer_factor = NAN},
                       .arena = arena};
    for (uint32_t i = 0; i < n && b->totals; i++)
        b->totals[b->n_totals++] = (roof_limit){arena_strdup(arena, totals[i].name), totals[i].value};
    const roof_status status = arena_status(arena, err);
    return GIVE(status, out, b, roof_budget_free);
}

ARENA_FREES(roof_budget_free, roof_budget, budget)
