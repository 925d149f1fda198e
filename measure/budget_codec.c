#include "measure/budget_codec.h"
#include "core/codec.h"
#include "core/error.h"
#include "core/jsontree.h"

#include <math.h>
#include <string.h>

enum { MOST_TYPES = 256, MOST_TERMS = 31 };

/* A slip in the name of a limit would be a limit that nobody checks. keys: all that there may be, ends with NULL. */
static void want_known(jsontree *t, const cJSON *member, const char *const *keys, const char *of)
{
    char shown[80];
    while (*keys && strcmp(*keys, member->string) != 0)
        keys++;
    if (!*keys)
        jsontree_fail(t, member, "'%s' is no member of %s",
                      quote_text(shown, sizeof shown, member->string, strlen(member->string)), of);
}

static const cJSON *object_of(jsontree *t, const cJSON *node, const char *const *keys, const char *of)
{
    const cJSON *member, *object = jsontree_object(t, node);
    cJSON_ArrayForEach(member, object) want_known(t, member, keys, of);
    return object;
}

static double read_positive(jsontree *t, const cJSON *node)
{
    return jsontree_number(t, node, 0, HUGE_VAL);
}

static double read_type(jsontree *t, const cJSON *type)
{
    static const char *const keys[] = {"efficiency_ratio", NULL};
    const cJSON *object = object_of(t, type, keys, "a kind of layer");
    return read_positive(t, jsontree_need(t, object, "efficiency_ratio"));
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

/* Of one and the same thing no time is 0, and no factor makes a faster one a regression. */
static double read_factor(jsontree *t, const cJSON *baseline, const char *key)
{
    const cJSON *node = jsontree_get(baseline, key);
    const double factor = read_positive(t, node);
    if (factor < 1)
        jsontree_fail(t, node, "%s of the baseline is %g, want 1 or more", key, factor);
    return factor;
}

static bool is_limit(const roof_budget *b, const char *name)
{
    return !isnan(roof_budget_limit(b->totals, b->n_totals, name)) ||
           !isnan(roof_budget_limit(b->types, b->n_types, name)) ||
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

static void read_budget(jsontree *t, roof_budget *b)
{
    static const char *const keys[] = {"schema", "total", "types", "baseline", "optional", NULL};
    static const char *const baseline_keys[] = {"file", "factor", "layer_factor", NULL};
    const char *terms[MOST_TERMS + 1] = {0};
    for (size_t i = 0; i < MOST_TERMS && roof_budget_term(i); i++)
        terms[i] = roof_budget_term(i);
    const cJSON *o = object_of(t, t->root, keys, "a budget");
    const cJSON *baseline = object_of(t, jsontree_get(o, "baseline"), baseline_keys, "\"baseline\"");
    jsontree_schema(t, o, ROOF_BUDGET_SCHEMA);
    const cJSON *totals = object_of(t, jsontree_get(o, "total"), terms, "\"total\"");
    b->totals = read_limits(t, totals, read_positive, &b->n_totals);
    b->types = read_limits(t, jsontree_object(t, jsontree_get(o, "types")), read_type, &b->n_types);
    b->baseline.file = jsontree_text(t, jsontree_need(t, baseline, "file"));
    b->baseline.factor = read_factor(t, baseline, "factor");
    b->baseline.layer_factor = read_factor(t, baseline, "layer_factor");
    if (o && !b->n_totals && !b->n_types && !baseline)
        jsontree_fail(t, o, "sets no limit; want one in \"total\", \"types\" or \"baseline\"");
    read_optional(t, jsontree_array(t, jsontree_get(o, "optional")), b);
}

static roof_status resolve_baseline(roof_budget *b, roof_error *err)
{
    const char *slash = strrchr(b->name, '/'), *file = b->baseline.file;
    b->baseline.path = file;
    b->baseline.factor = isnan(b->baseline.factor) ? 1 : b->baseline.factor;
    if (b->name && file && file[0] != '/' && slash)
        b->baseline.path = arena_printf(b->arena, "%.*s/%s", (int)(slash - b->name), b->name, file);
    return arena_status(b->arena, err);
}

/* Frees the tree. */
static roof_status budget_of(cJSON *root, const char *name, roof_budget **out, roof_error *err)
{
    roof_arena *arena = arena_new(0);
    roof_budget *b = arena ? NEW(arena, roof_budget) : NULL;
    jsontree t = {root, name, arena, err, b ? ROOF_OK : error_memory(err)};
    if (b) {
        b->arena = arena;
        b->name = arena_strdup(arena, name);
        read_budget(&t, b);
    }
    if (t.status == ROOF_OK && (t.status = arena_status(arena, err)) == ROOF_OK)
        t.status = resolve_baseline(b, err);
    *out = t.status == ROOF_OK ? b : NULL;
    if (t.status != ROOF_OK)
        arena_free(arena);
    cJSON_Delete(root);
    return t.status;
}

roof_status budget_parse(const char *text, size_t size, const char *name, roof_budget **out, roof_error *err)
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

void roof_budget_free(roof_budget *budget)
{
    if (budget)
        arena_free(budget->arena);
}
