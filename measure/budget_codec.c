#include "measure/budget_codec.h"
#include "core/error.h"
#include "core/input.h"

#include <math.h>
#include <string.h>

/* A slip in the name of a limit would be a limit that nobody checks. */
static roof_status refuse(codec *c, const char *key, const char *of)
{
    char shown[80];
    quote_text(shown, sizeof shown, key, strlen(key));
    return codec_fail(c, "'%s' is no member of %s", shown, of);
}

static roof_status refuse_unknown(codec *c, const codec_object *object, const char *key)
{
    return refuse(c, key, object->name);
}

static roof_status end_total(codec *c, void *target, uint64_t seen)
{
    const char *name = ((const roof_limit *)target)->name, *known;
    (void)seen;
    for (size_t i = 0; (known = roof_budget_term(i)); i++)
        if (strcmp(known, name) == 0)
            return ROOF_OK;
    return refuse(c, name, "\"total\"");
}

static const codec_member total_members[] = {{CODEC(roof_limit, value, POSITIVE, ALWAYS)}};
static const codec_object total_object = {CODEC_ROWS(total_members), .is_bare = true, .end = end_total};

static const codec_member type_members[] = {
    {CODEC_AS("efficiency_ratio", roof_limit, value, POSITIVE, ALWAYS), .missing = "has no efficiency_ratio"},
};
static const codec_object type_object = {CODEC_ROWS(type_members), .name = "a kind of layer",
                                         .one_line = true};

static const codec_member baseline_members[] = {
    {CODEC_AS("file", roof_budget, baseline.file, TEXT, OMIT), .missing = "has no file"},
    {CODEC_AS("factor", roof_budget, baseline.factor, POSITIVE, OMIT)},
    {CODEC_AS("layer_factor", roof_budget, baseline.layer_factor, POSITIVE, OMIT)},
};
static const codec_object baseline_object = {CODEC_ROWS(baseline_members), .name = "\"baseline\""};

/* Of one and the same thing no time is 0, and no factor makes a faster one a regression. */
static roof_status check_factor(codec *c, const char *key, double factor)
{
    return factor < 1 ? codec_fail(c, "%s of the baseline is %g, want 1 or more", key, factor) : ROOF_OK;
}

static bool is_limit(const roof_budget *b, const char *name)
{
    return !isnan(roof_budget_limit(b->totals, b->n_totals, name)) ||
           !isnan(roof_budget_limit(b->types, b->n_types, name)) ||
           (b->baseline.file && strcmp(name, "baseline") == 0);
}

static roof_status end_document(codec *c, void *target, uint64_t seen)
{
    const roof_budget *b = target;
    (void)seen;
    if (!b->n_totals && !b->n_types && !b->baseline.file)
        return codec_fail(c, "sets no limit; want one in \"total\", \"types\" or \"baseline\"");
    TRY(check_factor(c, "factor", b->baseline.factor));
    TRY(check_factor(c, "layer_factor", b->baseline.layer_factor));
    for (size_t i = 0; i < ROOF_MOST_OPTIONAL && b->optional[i]; i++)
        if (!is_limit(b, b->optional[i]))
            return codec_fail(c, "\"optional\" names '%.60s', which is no limit of this budget",
                              b->optional[i]);
    return ROOF_OK;
}

static const codec_member document_members[] = {
    {CODEC_IS(ROOF_BUDGET_SCHEMA)},
    {CODEC_ITEMS("total", roof_budget, totals, n_totals, &total_object, 32, KEYS_OMIT)},
    {CODEC_ITEMS("types", roof_budget, types, n_types, &type_object, 256, KEYS_OMIT)},
    {CODEC_IN("baseline", 0, &baseline_object), CODEC_IF(roof_budget, baseline.file)},
    {CODEC_TEXTS("optional", roof_budget, optional, OMIT)},
};
const codec_object budget_object = {CODEC_ROWS(document_members), .name = "a budget", .end = end_document};

static roof_status resolve_baseline(roof_budget *b, roof_error *err)
{
    const char *slash = strrchr(b->name, '/'), *file = b->baseline.file;
    b->baseline.path = file;
    b->baseline.factor = isnan(b->baseline.factor) ? 1 : b->baseline.factor;
    if (b->name && file && file[0] != '/' && slash)
        b->baseline.path = arena_printf(b->arena, "%.*s/%s", (int)(slash - b->name), b->name, file);
    return arena_status(b->arena, err);
}

roof_status budget_read_from(json_source source, void *context, const char *name, roof_budget **out,
                             roof_error *err)
{
    roof_arena *arena = arena_new(0);
    roof_budget *b = arena ? NEW(arena, roof_budget) : NULL;
    codec c = {.arena = arena, .err = err, .unknown = refuse_unknown};
    roof_status status = b ? ROOF_OK : error_memory(err);
    if (b) {
        codec_forget(&budget_object, b);
        b->arena = arena;
        b->name = arena_strdup(arena, name);
        status = codec_read_from(&c, source, context, name, &budget_object, b);
    }
    if (status == ROOF_OK)
        status = resolve_baseline(b, err);
    *out = status == ROOF_OK ? b : NULL;
    if (status != ROOF_OK)
        arena_free(arena);
    return status;
}

roof_status roof_budget_read(const char *path, roof_budget **out, roof_error *err)
{
    input_file input;
    *out = NULL;
    TRY(input_open(path, 0, &input, err));
    roof_status status = budget_read_from(input_read, &input, input.name, out, err);
    input_close(&input);
    return status;
}

void roof_budget_free(roof_budget *budget)
{
    if (budget)
        arena_free(budget->arena);
}
