#include "tests/schema/json_schema.h"
#include "core/error.h"
#include "core/json/jsonpull.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

enum { PATTERN_SIZE = 256, PLACE_SIZE = 400, DEEPEST = 32 };

/* Where we are: the pointer grows and shrinks in place. */
typedef struct walk {
    const cJSON *root; /* of the schema */
    char place[PLACE_SIZE];
    unsigned depth;
    bool described; /* members that the schema does not describe are faults */
    roof_error *err;
} walk;

static roof_status fail(walk *w, const char *what, const char *detail)
{
    error_set(w->err, ROOF_E_DATA, "%s%s%s", what, detail[0] ? ": " : "", detail);
    error_prefix(w->err, "%s", w->place[0] ? w->place : "/");
    return ROOF_E_DATA;
}

/* Appends a step; returns the length before, to go back to. */
static size_t enter(walk *w, const char *key, size_t index)
{
    char step[100];
    size_t length = strlen(w->place);
    if (key)
        json_pointer_step(step, sizeof step, key);
    else
        snprintf(step, sizeof step, "%zu", index);
    snprintf(w->place + length, sizeof w->place - length, "/%s", step);
    return length;
}

/* ---- the schema itself ---- */

typedef enum content {
    NOTHING, /* says nothing that could be checked */
    VALUE,   /* a literal */
    SCHEMA,  /* a schema or a boolean */
    SCHEMAS, /* an object or array of them */
    UNSUPPORTED
} content;

static content content_of(const char *keyword)
{
    static const struct {
        const char *keyword;
        content content;
    } known[] = {
        {"$schema", NOTHING},
        {"$id", NOTHING},
        {"$comment", NOTHING},
        {"title", NOTHING},
        {"description", NOTHING},
        {"$ref", VALUE},
        {"type", VALUE},
        {"required", VALUE},
        {"enum", VALUE},
        {"const", VALUE},
        {"minimum", VALUE},
        {"maximum", VALUE},
        {"exclusiveMinimum", VALUE},
        {"minLength", VALUE},
        {"minItems", VALUE},
        {"maxItems", VALUE},
        {"pattern", VALUE},
        {"items", SCHEMA},
        {"additionalProperties", SCHEMA},
        {"propertyNames", SCHEMA},
        {"properties", SCHEMAS},
        {"$defs", SCHEMAS},
        {"oneOf", SCHEMAS},
        {"anyOf", SCHEMAS},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].keyword, keyword) == 0)
            return known[i].content;
    return UNSUPPORTED;
}

static const cJSON *definition(const walk *w, const char *ref)
{
    static const char prefix[] = "#/$defs/";
    if (!ref || strncmp(ref, prefix, sizeof prefix - 1) != 0)
        return NULL;
    return jsontree_get(jsontree_get(w->root, "$defs"), ref + sizeof prefix - 1);
}

static roof_status check(walk *w, const cJSON *schema);

static roof_status check_keyword(walk *w, const cJSON *value)
{
    const char *keyword = value->string;
    content kind = content_of(keyword);
    if (kind == UNSUPPORTED)
        return fail(w, "this keyword is not supported", keyword);
    if (strcmp(keyword, "$ref") == 0 && !definition(w, cJSON_GetStringValue(value)))
        return fail(w, "$ref leads nowhere",
                    cJSON_GetStringValue(value) ? cJSON_GetStringValue(value) : "not a string");
    if (kind == SCHEMA)
        return check(w, value);
    size_t i = 0;
    for (const cJSON *child = value->child; kind == SCHEMAS && child; child = child->next) {
        size_t back = enter(w, cJSON_IsObject(value) ? child->string : NULL, i++);
        TRY(check(w, child));
        w->place[back] = '\0';
    }
    return ROOF_OK;
}

static roof_status check(walk *w, const cJSON *schema)
{
    if (cJSON_IsBool(schema))
        return ROOF_OK;
    if (!cJSON_IsObject(schema))
        return fail(w, "a schema is an object or a boolean", "");
    for (const cJSON *value = schema->child; value; value = value->next) {
        size_t back = enter(w, value->string, 0);
        TRY(check_keyword(w, value));
        w->place[back] = '\0';
    }
    return ROOF_OK;
}

/* ---- a document ---- */

static bool is_of_type(const cJSON *node, const char *type)
{
    double value = cJSON_GetNumberValue(node);
    return (strcmp(type, "object") == 0 && cJSON_IsObject(node)) ||
           (strcmp(type, "array") == 0 && cJSON_IsArray(node)) ||
           (strcmp(type, "string") == 0 && cJSON_IsString(node)) ||
           (strcmp(type, "number") == 0 && cJSON_IsNumber(node)) ||
           (strcmp(type, "integer") == 0 && cJSON_IsNumber(node) && value == floor(value)) ||
           (strcmp(type, "boolean") == 0 && cJSON_IsBool(node)) ||
           (strcmp(type, "null") == 0 && cJSON_IsNull(node));
}

static bool equal(const cJSON *a, const cJSON *b)
{
    if (cJSON_IsString(a) && cJSON_IsString(b))
        return strcmp(cJSON_GetStringValue(a), cJSON_GetStringValue(b)) == 0;
    if (cJSON_IsNumber(a) && cJSON_IsNumber(b))
        return cJSON_GetNumberValue(a) == cJSON_GetNumberValue(b);
    if (cJSON_IsBool(a) && cJSON_IsBool(b))
        return cJSON_IsTrue(a) == cJSON_IsTrue(b);
    return cJSON_IsNull(a) && cJSON_IsNull(b);
}

static roof_status validate(walk *w, const cJSON *schema, const cJSON *node);

static roof_status on_ref(walk *w, const cJSON *value, const cJSON *schema, const cJSON *node)
{
    (void)schema;
    return validate(w, definition(w, cJSON_GetStringValue(value)), node);
}

static roof_status on_type(walk *w, const cJSON *value, const cJSON *schema, const cJSON *node)
{
    char wanted[100] = "";
    (void)schema;
    if (cJSON_IsString(value))
        return is_of_type(node, cJSON_GetStringValue(value))
                   ? ROOF_OK
                   : fail(w, "want type", cJSON_GetStringValue(value));
    for (const cJSON *type = value->child; type; type = type->next) {
        if (is_of_type(node, cJSON_GetStringValue(type)))
            return ROOF_OK;
        snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%s%s", wanted[0] ? " or " : "",
                 cJSON_GetStringValue(type));
    }
    return fail(w, "want type", wanted);
}

static roof_status on_required(walk *w, const cJSON *value, const cJSON *schema, const cJSON *node)
{
    (void)schema;
    for (const cJSON *key = value->child; cJSON_IsObject(node) && key; key = key->next)
        if (!jsontree_get(node, cJSON_GetStringValue(key)))
            return fail(w, "lacks", cJSON_GetStringValue(key));
    return ROOF_OK;
}

/* In a map, every name is described. */
static roof_status want_described(walk *w, const cJSON *properties, const cJSON *schema, const cJSON *node)
{
    if (!w->described || !cJSON_IsObject(node) ||
        cJSON_IsObject(jsontree_get(schema, "additionalProperties")))
        return ROOF_OK;
    for (const cJSON *m = node->child; m; m = m->next)
        if (!jsontree_get(properties, m->string))
            return fail(w, "is not described by the schema", m->string);
    return ROOF_OK;
}

static roof_status on_properties(walk *w, const cJSON *value, const cJSON *schema, const cJSON *node)
{
    for (const cJSON *property = value->child; property; property = property->next) {
        const cJSON *member = jsontree_get(node, property->string);
        if (!member)
            continue;
        size_t back = enter(w, property->string, 0);
        TRY(validate(w, property, member));
        w->place[back] = '\0';
    }
    return want_described(w, value, schema, node);
}

static roof_status on_additional(walk *w, const cJSON *value, const cJSON *schema, const cJSON *node)
{
    const cJSON *properties = jsontree_get(schema, "properties");
    for (const cJSON *m = cJSON_IsObject(node) ? node->child : NULL; m; m = m->next) {
        if (properties && jsontree_get(properties, m->string))
            continue;
        size_t back = enter(w, m->string, 0);
        TRY(validate(w, value, m));
        w->place[back] = '\0';
    }
    return ROOF_OK;
}

static roof_status on_items(walk *w, const cJSON *value, const cJSON *schema, const cJSON *node)
{
    size_t i = 0;
    (void)schema;
    for (const cJSON *m = cJSON_IsArray(node) ? node->child : NULL; m; m = m->next) {
        size_t back = enter(w, NULL, i++);
        TRY(validate(w, value, m));
        w->place[back] = '\0';
    }
    return ROOF_OK;
}

static roof_status on_enum(walk *w, const cJSON *value, const cJSON *schema, const cJSON *node)
{
    (void)schema;
    for (const cJSON *m = value->child; m; m = m->next)
        if (equal(m, node))
            return ROOF_OK;
    return fail(w, "is none of the values that are allowed",
                cJSON_IsString(node) ? cJSON_GetStringValue(node) : "");
}

static roof_status on_const(walk *w, const cJSON *value, const cJSON *schema, const cJSON *node)
{
    (void)schema;
    return equal(value, node) ? ROOF_OK : fail(w, "is not the constant", "");
}

/* Limits hold for the kind of value that they are about, and for no other. */
static roof_status on_limit(walk *w, const cJSON *value, const cJSON *schema, const cJSON *node)
{
    double limit = cJSON_GetNumberValue(value), size = (double)cJSON_GetArraySize(node);
    const char *keyword = value->string;
    (void)schema;
    if (strcmp(keyword, "exclusiveMinimum") == 0 && cJSON_IsNumber(node) &&
        cJSON_GetNumberValue(node) <= limit)
        return fail(w, "is not more than the minimum", "");
    if (strcmp(keyword, "minimum") == 0 && cJSON_IsNumber(node) && cJSON_GetNumberValue(node) < limit)
        return fail(w, "is less than the minimum", "");
    if (strcmp(keyword, "maximum") == 0 && cJSON_IsNumber(node) && cJSON_GetNumberValue(node) > limit)
        return fail(w, "is more than the maximum", "");
    if (strcmp(keyword, "minLength") == 0 && cJSON_IsString(node) &&
        (double)strlen(cJSON_GetStringValue(node)) < limit)
        return fail(w, "is too short", "");
    if (strcmp(keyword, "minItems") == 0 && cJSON_IsArray(node) && size < limit)
        return fail(w, "has too few items", "");
    if (strcmp(keyword, "maxItems") == 0 && cJSON_IsArray(node) && size > limit)
        return fail(w, "has too many items", "");
    return ROOF_OK;
}

/* Our own way of writing "control characters" is no range that POSIX would take. */
static void translate(const char *pattern, char out[PATTERN_SIZE])
{
    static const char control[] = "\\u0000-\\u001f\\u007f-\\u009f";
    const char *found = strstr(pattern, control);
    if (found)
        snprintf(out, PATTERN_SIZE, "%.*s[:cntrl:]%s", (int)(found - pattern), pattern,
                 found + sizeof control - 1);
    else
        snprintf(out, PATTERN_SIZE, "%s", pattern);
}

static roof_status on_pattern(walk *w, const cJSON *value, const cJSON *schema, const cJSON *node)
{
    char pattern[PATTERN_SIZE];
    regex_t regex;
    (void)schema;
    if (!cJSON_IsString(node))
        return ROOF_OK;
    translate(cJSON_GetStringValue(value), pattern);
    if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return fail(w, "this pattern is not supported", cJSON_GetStringValue(value));
    int differs = regexec(&regex, cJSON_GetStringValue(node), 0, NULL, 0);
    regfree(&regex);
    return differs ? fail(w, "does not match", cJSON_GetStringValue(value)) : ROOF_OK;
}

/* A name is looked at as the string that it is; keys are no nodes of their own, so only patterns can be
 * checked. */
static roof_status on_names(walk *w, const cJSON *value, const cJSON *schema, const cJSON *node)
{
    (void)schema;
    const cJSON *ref = jsontree_get(value, "$ref");
    const cJSON *pattern = jsontree_get(ref ? definition(w, cJSON_GetStringValue(ref)) : value, "pattern");
    char text[PATTERN_SIZE];
    regex_t regex;
    if (!pattern)
        return fail(w, "propertyNames is supported with a pattern only", "");
    translate(cJSON_GetStringValue(pattern), text);
    if (regcomp(&regex, text, REG_EXTENDED | REG_NOSUB) != 0)
        return fail(w, "this pattern is not supported", text);
    const cJSON *bad = cJSON_IsObject(node) ? node->child : NULL;
    while (bad && regexec(&regex, bad->string, 0, NULL, 0) == 0)
        bad = bad->next;
    regfree(&regex);
    return bad ? fail(w, "has a name that does not match the pattern", bad->string) : ROOF_OK;
}

static roof_status on_choice(walk *w, const cJSON *value, const cJSON *schema, const cJSON *node)
{
    size_t matches = 0, back = strlen(w->place);
    roof_error ignored, *kept = w->err;
    (void)schema;
    w->err = &ignored;
    for (const cJSON *option = value->child; option; option = option->next) {
        matches += validate(w, option, node) == ROOF_OK;
        w->place[back] = '\0';
    }
    w->err = kept;
    bool good = strcmp(value->string, "oneOf") == 0 ? matches == 1 : matches > 0;
    return good ? ROOF_OK : fail(w, "fits another number of alternatives than it should, by", value->string);
}

static const struct {
    const char *keyword;
    roof_status (*check)(walk *w, const cJSON *value, const cJSON *schema, const cJSON *node);
} assertions[] = {
    {"$ref", on_ref},
    {"type", on_type},
    {"required", on_required},
    {"additionalProperties", on_additional},
    {"properties", on_properties},
    {"propertyNames", on_names},
    {"items", on_items},
    {"enum", on_enum},
    {"const", on_const},
    {"minimum", on_limit},
    {"exclusiveMinimum", on_limit},
    {"maximum", on_limit},
    {"minLength", on_limit},
    {"minItems", on_limit},
    {"maxItems", on_limit},
    {"pattern", on_pattern},
    {"oneOf", on_choice},
    {"anyOf", on_choice},
};

static roof_status validate(walk *w, const cJSON *schema, const cJSON *node)
{
    roof_status status = ROOF_OK;
    if (cJSON_IsBool(schema))
        return cJSON_IsTrue(schema) ? ROOF_OK : fail(w, "nothing is allowed here", "");
    if (w->depth == DEEPEST)
        return fail(w, "schema and document are nested too deep", "");
    w->depth++;
    for (size_t i = 0; status == ROOF_OK && i < sizeof assertions / sizeof *assertions; i++) {
        const cJSON *value = jsontree_get(schema, assertions[i].keyword);
        if (value)
            status = assertions[i].check(w, value, schema, node);
    }
    w->depth--;
    return status;
}

roof_status json_schema_check(const cJSON *schema, roof_error *err)
{
    walk w = {.root = schema, .err = err};
    return check(&w, schema);
}

roof_status json_schema_validate(const cJSON *schema, const cJSON *document, bool described, roof_error *err)
{
    walk w = {.root = schema, .described = described, .err = err};
    return validate(&w, schema, document);
}
