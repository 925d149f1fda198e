#include "tests/schema/json_schema.h"
#include "core/error.h"
#include "core/jsonpull.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

enum { PATTERN_SIZE = 256, PLACE_SIZE = 400, DEEPEST = 32 };

/* Where we are: the pointer grows and shrinks in place. */
typedef struct walk {
    const json_node *root; /* of the schema */
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

static const json_node *definition(const walk *w, const char *ref)
{
    static const char prefix[] = "#/$defs/";
    if (!ref || strncmp(ref, prefix, sizeof prefix - 1) != 0)
        return NULL;
    return json_get(json_get(w->root, "$defs"), ref + sizeof prefix - 1);
}

static roof_status check(walk *w, const json_node *schema);

static roof_status check_keyword(walk *w, const json_node *value)
{
    const char *keyword = json_key(value);
    content kind = content_of(keyword);
    if (kind == UNSUPPORTED)
        return fail(w, "this keyword is not supported", keyword);
    if (strcmp(keyword, "$ref") == 0 && !definition(w, json_text(value)))
        return fail(w, "$ref leads nowhere", json_text(value) ? json_text(value) : "not a string");
    if (kind == SCHEMA)
        return check(w, value);
    size_t i = 0;
    for (const json_node *child = json_first(value); kind == SCHEMAS && child; child = json_next(child)) {
        size_t back = enter(w, json_is(value, JSON_OBJECT) ? json_key(child) : NULL, i++);
        TRY(check(w, child));
        w->place[back] = '\0';
    }
    return ROOF_OK;
}

static roof_status check(walk *w, const json_node *schema)
{
    if ((json_is(schema, JSON_TRUE) || json_is(schema, JSON_FALSE)))
        return ROOF_OK;
    if (!json_is(schema, JSON_OBJECT))
        return fail(w, "a schema is an object or a boolean", "");
    for (const json_node *value = json_first(schema); value; value = json_next(value)) {
        size_t back = enter(w, json_key(value), 0);
        TRY(check_keyword(w, value));
        w->place[back] = '\0';
    }
    return ROOF_OK;
}

/* ---- a document ---- */

static bool is_of_type(const json_node *node, const char *type)
{
    double value = json_value(node);
    return (strcmp(type, "object") == 0 && json_is(node, JSON_OBJECT)) ||
           (strcmp(type, "array") == 0 && json_is(node, JSON_ARRAY)) ||
           (strcmp(type, "string") == 0 && json_is(node, JSON_STRING)) ||
           (strcmp(type, "number") == 0 && json_is(node, JSON_NUMBER)) ||
           (strcmp(type, "integer") == 0 && json_is(node, JSON_NUMBER) && value == floor(value)) ||
           (strcmp(type, "boolean") == 0 && (json_is(node, JSON_TRUE) || json_is(node, JSON_FALSE))) ||
           (strcmp(type, "null") == 0 && json_is(node, JSON_NULL));
}

static bool equal(const json_node *a, const json_node *b)
{
    if (json_is(a, JSON_STRING) && json_is(b, JSON_STRING))
        return strcmp(json_text(a), json_text(b)) == 0;
    if (json_is(a, JSON_NUMBER) && json_is(b, JSON_NUMBER))
        return json_value(a) == json_value(b);
    if ((json_is(a, JSON_TRUE) || json_is(a, JSON_FALSE)) &&
        (json_is(b, JSON_TRUE) || json_is(b, JSON_FALSE)))
        return json_is(a, JSON_TRUE) == json_is(b, JSON_TRUE);
    return json_is(a, JSON_NULL) && json_is(b, JSON_NULL);
}

static roof_status validate(walk *w, const json_node *schema, const json_node *node);

static roof_status on_ref(walk *w, const json_node *value, const json_node *schema, const json_node *node)
{
    (void)schema;
    return validate(w, definition(w, json_text(value)), node);
}

static roof_status on_type(walk *w, const json_node *value, const json_node *schema, const json_node *node)
{
    char wanted[100] = "";
    (void)schema;
    if (json_is(value, JSON_STRING))
        return is_of_type(node, json_text(value)) ? ROOF_OK : fail(w, "want type", json_text(value));
    for (const json_node *type = json_first(value); type; type = json_next(type)) {
        if (is_of_type(node, json_text(type)))
            return ROOF_OK;
        snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%s%s", wanted[0] ? " or " : "",
                 json_text(type));
    }
    return fail(w, "want type", wanted);
}

static roof_status on_required(walk *w, const json_node *value, const json_node *schema,
                               const json_node *node)
{
    (void)schema;
    for (const json_node *key = json_first(value); json_is(node, JSON_OBJECT) && key; key = json_next(key))
        if (!json_get(node, json_text(key)))
            return fail(w, "lacks", json_text(key));
    return ROOF_OK;
}

/* In a map, every name is described. */
static roof_status want_described(walk *w, const json_node *properties, const json_node *schema,
                                  const json_node *node)
{
    if (!w->described || !json_is(node, JSON_OBJECT) ||
        json_is(json_get(schema, "additionalProperties"), JSON_OBJECT))
        return ROOF_OK;
    for (const json_node *m = json_first(node); m; m = json_next(m))
        if (!json_get(properties, json_key(m)))
            return fail(w, "is not described by the schema", json_key(m));
    return ROOF_OK;
}

static roof_status on_properties(walk *w, const json_node *value, const json_node *schema,
                                 const json_node *node)
{
    for (const json_node *property = json_first(value); property; property = json_next(property)) {
        const json_node *member = json_get(node, json_key(property));
        if (!member)
            continue;
        size_t back = enter(w, json_key(property), 0);
        TRY(validate(w, property, member));
        w->place[back] = '\0';
    }
    return want_described(w, value, schema, node);
}

static roof_status on_additional(walk *w, const json_node *value, const json_node *schema,
                                 const json_node *node)
{
    const json_node *properties = json_get(schema, "properties");
    for (const json_node *m = json_is(node, JSON_OBJECT) ? json_first(node) : NULL; m; m = json_next(m)) {
        if (properties && json_get(properties, json_key(m)))
            continue;
        size_t back = enter(w, json_key(m), 0);
        TRY(validate(w, value, m));
        w->place[back] = '\0';
    }
    return ROOF_OK;
}

static roof_status on_items(walk *w, const json_node *value, const json_node *schema, const json_node *node)
{
    size_t i = 0;
    (void)schema;
    for (const json_node *m = json_is(node, JSON_ARRAY) ? json_first(node) : NULL; m; m = json_next(m)) {
        size_t back = enter(w, NULL, i++);
        TRY(validate(w, value, m));
        w->place[back] = '\0';
    }
    return ROOF_OK;
}

static roof_status on_enum(walk *w, const json_node *value, const json_node *schema, const json_node *node)
{
    (void)schema;
    for (const json_node *m = json_first(value); m; m = json_next(m))
        if (equal(m, node))
            return ROOF_OK;
    return fail(w, "is none of the values that are allowed",
                json_is(node, JSON_STRING) ? json_text(node) : "");
}

static roof_status on_const(walk *w, const json_node *value, const json_node *schema, const json_node *node)
{
    (void)schema;
    return equal(value, node) ? ROOF_OK : fail(w, "is not the constant", "");
}

/* Limits hold for the kind of value that they are about, and for no other. */
static roof_status on_limit(walk *w, const json_node *value, const json_node *schema, const json_node *node)
{
    double limit = json_value(value), size = (double)json_size(node);
    const char *keyword = json_key(value);
    (void)schema;
    if (strcmp(keyword, "exclusiveMinimum") == 0 && json_is(node, JSON_NUMBER) && json_value(node) <= limit)
        return fail(w, "is not more than the minimum", "");
    if (strcmp(keyword, "minimum") == 0 && json_is(node, JSON_NUMBER) && json_value(node) < limit)
        return fail(w, "is less than the minimum", "");
    if (strcmp(keyword, "maximum") == 0 && json_is(node, JSON_NUMBER) && json_value(node) > limit)
        return fail(w, "is more than the maximum", "");
    if (strcmp(keyword, "minLength") == 0 && json_is(node, JSON_STRING) &&
        (double)strlen(json_text(node)) < limit)
        return fail(w, "is too short", "");
    if (strcmp(keyword, "minItems") == 0 && json_is(node, JSON_ARRAY) && size < limit)
        return fail(w, "has too few items", "");
    if (strcmp(keyword, "maxItems") == 0 && json_is(node, JSON_ARRAY) && size > limit)
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

static roof_status on_pattern(walk *w, const json_node *value, const json_node *schema, const json_node *node)
{
    char pattern[PATTERN_SIZE];
    regex_t regex;
    (void)schema;
    if (!json_is(node, JSON_STRING))
        return ROOF_OK;
    translate(json_text(value), pattern);
    if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return fail(w, "this pattern is not supported", json_text(value));
    int differs = regexec(&regex, json_text(node), 0, NULL, 0);
    regfree(&regex);
    return differs ? fail(w, "does not match", json_text(value)) : ROOF_OK;
}

/* A name is looked at as the string that it is; keys are no nodes of their own, so only patterns can be checked. */
static roof_status on_names(walk *w, const json_node *value, const json_node *schema, const json_node *node)
{
    (void)schema;
    const json_node *ref = json_get(value, "$ref");
    const json_node *pattern = json_get(ref ? definition(w, json_text(ref)) : value, "pattern");
    char text[PATTERN_SIZE];
    regex_t regex;
    if (!pattern)
        return fail(w, "propertyNames is supported with a pattern only", "");
    translate(json_text(pattern), text);
    if (regcomp(&regex, text, REG_EXTENDED | REG_NOSUB) != 0)
        return fail(w, "this pattern is not supported", text);
    const json_node *bad = json_is(node, JSON_OBJECT) ? json_first(node) : NULL;
    while (bad && regexec(&regex, json_key(bad), 0, NULL, 0) == 0)
        bad = json_next(bad);
    regfree(&regex);
    return bad ? fail(w, "has a name that does not match the pattern", json_key(bad)) : ROOF_OK;
}

static roof_status on_choice(walk *w, const json_node *value, const json_node *schema, const json_node *node)
{
    size_t matches = 0, back = strlen(w->place);
    roof_error ignored, *kept = w->err;
    (void)schema;
    w->err = &ignored;
    for (const json_node *option = json_first(value); option; option = json_next(option)) {
        matches += validate(w, option, node) == ROOF_OK;
        w->place[back] = '\0';
    }
    w->err = kept;
    bool good = strcmp(json_key(value), "oneOf") == 0 ? matches == 1 : matches > 0;
    return good ? ROOF_OK
                : fail(w, "fits another number of alternatives than it should, by", json_key(value));
}

static const struct {
    const char *keyword;
    roof_status (*check)(walk *w, const json_node *value, const json_node *schema, const json_node *node);
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

static roof_status validate(walk *w, const json_node *schema, const json_node *node)
{
    roof_status status = ROOF_OK;
    if ((json_is(schema, JSON_TRUE) || json_is(schema, JSON_FALSE)))
        return json_is(schema, JSON_TRUE) ? ROOF_OK : fail(w, "nothing is allowed here", "");
    if (w->depth == DEEPEST)
        return fail(w, "schema and document are nested too deep", "");
    w->depth++;
    for (size_t i = 0; status == ROOF_OK && i < sizeof assertions / sizeof *assertions; i++) {
        const json_node *value = json_get(schema, assertions[i].keyword);
        if (value)
            status = assertions[i].check(w, value, schema, node);
    }
    w->depth--;
    return status;
}

roof_status json_schema_check(const json_node *schema, roof_error *err)
{
    walk w = {.root = schema, .err = err};
    return check(&w, schema);
}

roof_status json_schema_validate(const json_node *schema, const json_node *document, bool described,
                                 roof_error *err)
{
    walk w = {.root = schema, .described = described, .err = err};
    return validate(&w, schema, document);
}
