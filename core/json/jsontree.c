#include "core/json/jsontree.h"
#include "core/json/codec.h"
#include "core/files/input.h"
#include "core/json/jsonpull.h"

#include <limits.h>

enum { POINTER_SIZE = 400 };
#define LARGEST_EXACT 9007199254740992.0 /* 2^53: larger doubles are no longer all whole numbers */

/* --- a tree ------------------------------------------------------------------------------------------- */

/* NULL without memory. */
static cJSON *add_node(cJSON *parent, const json_event *event)
{
    cJSON *node = event->kind == JSON_OBJECT   ? cJSON_CreateObject()
                  : event->kind == JSON_ARRAY  ? cJSON_CreateArray()
                  : event->kind == JSON_STRING ? cJSON_CreateString(event->text)
                  : event->kind == JSON_NUMBER ? cJSON_CreateNumber(event->number)
                  : event->kind == JSON_NULL   ? cJSON_CreateNull()
                                               : cJSON_CreateBool(event->kind == JSON_TRUE);
    if (node &&
        (event->key ? cJSON_AddItemToObject(parent, event->key, node) : cJSON_AddItemToArray(parent, node)))
        return node;
    cJSON_Delete(node);
    return NULL;
}

static roof_status check_keys(const cJSON *object, roof_error *err)
{
    const cJSON *member, *twice = NULL,
                         **members = calloc((size_t)cJSON_GetArraySize(object) + 1, sizeof *members);
    size_t n = 0;
    TRY(ALLOCATED(members, err));
    cJSON_ArrayForEach(member, object) members[n++] = member;
    order_pointers(members, n, ORDER_BY(RISING(cJSON, string), RISING(cJSON, valueint)));
    for (size_t i = 1; i < n && !twice; i++)
        twice = strcmp(members[i - 1]->string, members[i]->string) == 0 ? members[i] : NULL;
    free(members);
    return twice ? error_line(err, ROOF_E_DATA, (uint64_t)twice->valueint, "the key '%s' is there twice",
                              SHOWN_TEXT(twice->string))
                 : ROOF_OK;
}

/* holder: an array, whose only child the document becomes. */
static roof_status build(jsonpull *puller, cJSON *holder, roof_error *err)
{
    cJSON *open[JSON_DEEPEST + 1] = {holder};
    unsigned depth = 0;
    uint32_t n = 0;
    for (;;) {
        json_event event;
        TRY(jsonpull_next(puller, &event, err));
        if (event.kind == JSON_DONE)
            return ROOF_OK;
        if (event.kind == JSON_CLOSE) {
            if (cJSON_IsObject(open[depth]))
                TRY(check_keys(open[depth], err));
            depth--;
            continue;
        }
        const uint64_t line = jsonpull_line(puller);
        if (n++ == JSONTREE_MOST_VALUES || line > INT_MAX)
            return error_line(err, ROOF_E_LIMIT, line, "has more than %d values", JSONTREE_MOST_VALUES);
        cJSON *node = add_node(open[depth], &event);
        TRY(ALLOCATED(node, err));
        node->valueint = (int)line;
        if (event.kind == JSON_OBJECT || event.kind == JSON_ARRAY)
            open[++depth] = node;
    }
}

/* Frees the puller; NULL: there is no memory for one. */
static roof_status build_from(jsonpull *puller, const char *name, cJSON **out, roof_error *err)
{
    char pointer[POINTER_SIZE];
    cJSON *holder = puller ? cJSON_CreateArray() : NULL;
    roof_status status = holder ? build(puller, holder, err) : error_memory(err);
    *out = status == ROOF_OK ? cJSON_DetachItemFromArray(holder, 0) : NULL;
    if (holder && status != ROOF_OK && *jsonpull_pointer(puller, pointer, sizeof pointer))
        error_prefix(err, "%s", pointer);
    cJSON_Delete(holder);
    jsonpull_free(puller);
    return name ? error_placed(status, err, "%s", name) : status;
}

roof_status jsontree_parse(const char *text, size_t size, const char *name, cJSON **out, roof_error *err)
{
    return build_from(jsonpull_of_memory(text, size), name, out, err);
}

roof_status jsontree_read(const char *path, uint64_t most_bytes, cJSON **out, roof_error *err)
{
    input_file input;
    *out = NULL;
    TRY(input_open(path, most_bytes, &input, err));
    roof_status status = build_from(jsonpull_new(input_read, &input), input.name, out, err);
    input_close(&input);
    return status;
}

const cJSON *jsontree_get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* --- places ------------------------------------------------------------------------------------------- */

/* Fills path with the nodes from at down to node. Their number; 0: it is not there. */
static unsigned find_path(const cJSON *at, const cJSON *node, const cJSON *path[], unsigned depth)
{
    unsigned found = at == node ? depth + 1 : 0;
    path[depth] = at;
    for (const cJSON *child = at->child; child && !found && depth < JSON_DEEPEST; child = child->next)
        found = find_path(child, node, path, depth + 1);
    return found;
}

const char *jsontree_pointer(const cJSON *root, const cJSON *node, char *buffer, size_t size)
{
    const cJSON *path[JSON_DEEPEST + 1];
    const unsigned n = find_path(root, node, path, 0);
    size_t used = 0;
    buffer[0] = '\0';
    for (unsigned i = 1; i < n && used < size; i++) {
        char step[256];
        size_t index = 0;
        for (const cJSON *before = path[i - 1]->child; before != path[i]; before = before->next)
            index++;
        if (path[i]->string)
            json_pointer_step(step, sizeof step, path[i]->string);
        else
            snprintf(step, sizeof step, "%zu", index);
        used += (size_t)snprintf(buffer + used, size - used, "/%s", step);
    }
    return buffer;
}

const char *jsontree_kind_text(const cJSON *node)
{
    return cJSON_IsObject(node)   ? "an object"
           : cJSON_IsArray(node)  ? "an array"
           : cJSON_IsString(node) ? "a string"
           : cJSON_IsNumber(node) ? "a number"
           : cJSON_IsTrue(node)   ? "true"
           : cJSON_IsFalse(node)  ? "false"
                                  : "null";
}

/* --- into a struct ------------------------------------------------------------------------------------ */

void jsontree_refuse(jsontree *t, const cJSON *node, roof_status status, const char *format, ...)
{
    char pointer[POINTER_SIZE], what[ROOF_ERROR_WHAT_SIZE];
    va_list args;
    if (t->status != ROOF_OK)
        return;
    va_start(args, format);
    print_list(what, sizeof what, format, args);
    va_end(args);
    t->status = error_line(t->err, status, (uint64_t)node->valueint, "%s", what);
    if (*jsontree_pointer(t->root, node, pointer, sizeof pointer))
        error_prefix(t->err, "%s", pointer);
    if (t->name)
        error_prefix(t->err, "%s", t->name);
}

/* True where there is no value. */
static bool is_unknown(const cJSON *node)
{
    return !node || cJSON_IsNull(node);
}

/* The node where it is of the kind that is wanted; NULL: it is unknown, or of another kind, which is told.
 * A document that is null is not one that says nothing. */
static const cJSON *want_kind(jsontree *t, const cJSON *node, bool is_kind, const char *wanted)
{
    char shown[64];
    if (is_kind)
        return node;
    if (cJSON_IsString(node))
        jsontree_fail(t, node, "found the string \"%s\", want %s",
                      quote_text(shown, sizeof shown, node->valuestring, strlen(node->valuestring)), wanted);
    else if (node && (!cJSON_IsNull(node) || node == t->root))
        jsontree_fail(t, node, "found %s, want %s", jsontree_kind_text(node), wanted);
    return NULL;
}

const cJSON *jsontree_need(jsontree *t, const cJSON *object, const char *key)
{
    const cJSON *member = jsontree_get(object, key);
    if (object && is_unknown(member))
        jsontree_fail(t, object, "has no %s", key);
    return member;
}

const cJSON *jsontree_members(jsontree *t, const cJSON *node, const char *const *keys, const char *of)
{
    const cJSON *member, *object = jsontree_object(t, node);
    size_t n = 0;
    while (keys[n])
        n++;
    cJSON_ArrayForEach(member, object)
    {
        if (WORD_AT(keys, n, member->string) < n)
            continue;
        const char *nearest = keys[named_nearest_at(keys, n, sizeof *keys, 0, member->string)];
        jsontree_fail(t, member, "'%s' is no member of %s%s%s%s", SHOWN_TEXT(member->string), of,
                      nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    }
    return object;
}

void jsontree_schema(jsontree *t, const cJSON *object, const char *schema)
{
    char problem[240];
    const cJSON *node = jsontree_get(object, "schema");
    if (object && is_unknown(node))
        jsontree_fail(t, object, "has no \"schema\", want \"%s\"", schema);
    node = want_kind(t, node, cJSON_IsString(node), schema);
    if (node && codec_schema_problem(node->valuestring, schema, problem, sizeof problem))
        jsontree_fail(t, node, "%s", problem);
}

const cJSON *jsontree_object(jsontree *t, const cJSON *node)
{
    return want_kind(t, node, cJSON_IsObject(node), "an object");
}

const cJSON *jsontree_array(jsontree *t, const cJSON *node)
{
    return want_kind(t, node, cJSON_IsArray(node), "an array");
}

bool jsontree_flag(jsontree *t, const cJSON *node)
{
    return cJSON_IsTrue(want_kind(t, node, cJSON_IsBool(node), "true or false"));
}

const char *jsontree_copy(jsontree *t, const char *text, size_t length)
{
    const char *copy = arena_strndup(t->arena, text, length);
    if (!copy && t->status == ROOF_OK)
        t->status = error_memory(t->err);
    return copy;
}

const char *jsontree_text(jsontree *t, const cJSON *node)
{
    node = want_kind(t, node, cJSON_IsString(node), "a string");
    return node ? jsontree_copy(t, node->valuestring, strlen(node->valuestring)) : NULL;
}

const char *jsontree_name(jsontree *t, const cJSON *node)
{
    const char *text = jsontree_text(t, node);
    if (text && utf8_first_bad(text, strlen(text)) < strlen(text))
        jsontree_fail(t, node, "holds a control character");
    return text;
}

double jsontree_number(jsontree *t, const cJSON *node, double least, double most)
{
    const double value = cJSON_GetNumberValue(want_kind(t, node, cJSON_IsNumber(node), "a number"));
    if (value < least)
        jsontree_fail(t, node, "found %.17g, want %g or more", value, least);
    if (value > most)
        jsontree_fail(t, node, "found %.17g, want at most %g", value, most);
    return value >= least && value <= most ? value : (double)NAN;
}

/* NaN: unknown. */
static double read_whole(jsontree *t, const cJSON *node, double most)
{
    const double value = cJSON_GetNumberValue(want_kind(t, node, cJSON_IsNumber(node), "a whole number"));
    if (isnan(value) || (value >= 0 && value <= most && value == floor(value)))
        return value;
    jsontree_fail(t, node, "found %.17g, want a whole number from 0 to %.0f", value, most);
    return NAN;
}

uint64_t jsontree_count(jsontree *t, const cJSON *node)
{
    const double value = read_whole(t, node, LARGEST_EXACT);
    return isnan(value) ? ROOF_UNKNOWN : (uint64_t)value;
}

uint32_t jsontree_small(jsontree *t, const cJSON *node)
{
    const double value = read_whole(t, node, UINT32_MAX - 1.0);
    return isnan(value) ? ROOF_NONE : (uint32_t)value;
}
