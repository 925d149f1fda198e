#include "core/jsonin.h"
#include "core/error.h"
#include "core/input.h"
#include "core/quantity.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cJSON 1.7.15 as a parser accepts trailing garbage and \u followed by anything, and reads numbers with the decimal
 * point of the caller's locale. So it only keeps the tree here; core/jsonpull.c reads. */
enum { LARGEST_DOCUMENT_BYTES = 64 << 20, FEW_KEYS = 16 };

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A key that node has twice, or NULL. keys: room for all of them. */
static const char *repeated_key(const cJSON *node, const char **keys)
{
    size_t n = 0;
    for (const cJSON *child = node->child; child; child = child->next)
        keys[n++] = child->string;
    qsort(keys, n, sizeof *keys, compare_keys);
    for (size_t i = 1; i < n; i++)
        if (strcmp(keys[i - 1], keys[i]) == 0)
            return keys[i];
    return NULL;
}

static roof_status check_keys_here(const cJSON *node, roof_error *err)
{
    const char *few[FEW_KEYS], **keys = few, *key;
    const size_t n = json_size(node);
    if (n > FEW_KEYS && !(keys = malloc(n * sizeof *keys)))
        return error_memory(err);
    key = repeated_key(node, keys);
    if (keys != few)
        free(keys);
    if (!key)
        return ROOF_OK;
    char shown[100];
    return error_set(err, ROOF_E_DATA, "the key '%s' is there twice",
                     quote_text(shown, sizeof shown, key, strlen(key)));
}

static void prefix_pointer(roof_error *err, const cJSON *node, size_t index)
{
    char step[256];
    if (node->string)
        json_pointer_step(step, sizeof step, node->string);
    else
        snprintf(step, sizeof step, "%zu", index);
    /* "/a" before "/b: ..." must become "/a/b: ...", where prefixing would write "/a: /b: ...". */
    if (err && err->where[0] == '/') {
        char rest[sizeof err->where];
        memcpy(rest, err->where, sizeof rest);
        snprintf(err->where, sizeof err->where, "/%.250s%.250s", step, rest);
    } else {
        error_prefix(err, "/%s", step);
    }
}

static roof_status check_keys(const cJSON *node, roof_error *err)
{
    size_t index = 0;
    if (cJSON_IsObject(node))
        TRY(check_keys_here(node, err));
    for (const cJSON *child = node->child; child; child = child->next, index++) {
        roof_status status = check_keys(child, err);
        if (status != ROOF_OK) {
            prefix_pointer(err, child, index);
            return status;
        }
    }
    return ROOF_OK;
}

static cJSON *node_of(const json_event *e)
{
    switch (e->kind) {
    case JSON_OBJECT:
        return cJSON_CreateObject();
    case JSON_ARRAY:
        return cJSON_CreateArray();
    case JSON_STRING:
        return cJSON_CreateString(e->text);
    case JSON_NUMBER:
        return cJSON_CreateNumber(e->number);
    case JSON_NULL:
        return cJSON_CreateNull();
    default:
        return cJSON_CreateBool(e->kind == JSON_TRUE);
    }
}

/* Puts node where it belongs; frees it when there is no memory. */
static roof_status add_node(cJSON *parent, const char *key, cJSON *node, roof_error *err)
{
    if (node && (key ? cJSON_AddItemToObject(parent, key, node) : cJSON_AddItemToArray(parent, node)))
        return ROOF_OK;
    cJSON_Delete(node);
    return error_memory(err);
}

/* Adds the document to holder, an array, so that whatever was built has an owner when the rest fails. */
static roof_status build_tree(jsonpull *puller, cJSON *holder, roof_error *err)
{
    cJSON *open[JSON_DEEPEST + 1] = {holder};
    unsigned depth = 0;
    for (;;) {
        json_event e;
        TRY(jsonpull_next(puller, &e, err));
        if (e.kind == JSON_DONE)
            return ROOF_OK;
        if (e.kind == JSON_CLOSE) {
            depth--;
            continue;
        }
        cJSON *node = node_of(&e);
        TRY(add_node(open[depth], e.key, node, err));
        if (e.kind == JSON_OBJECT || e.kind == JSON_ARRAY)
            open[++depth] = node;
    }
}

/* Frees the puller, which is NULL when there was no memory for it. */
static roof_status build_from(jsonpull *puller, json_node **out, roof_error *err)
{
    cJSON *holder = cJSON_CreateArray();
    roof_status status = holder && puller ? build_tree(puller, holder, err) : error_memory(err);
    if (status == ROOF_OK)
        status = check_keys(holder->child, err);
    if (status == ROOF_OK)
        *out = cJSON_DetachItemFromArray(holder, 0);
    jsonpull_free(puller);
    cJSON_Delete(holder);
    return status;
}

roof_status json_parse(const char *text, size_t size, json_node **out, roof_error *err)
{
    *out = NULL;
    if (size > LARGEST_DOCUMENT_BYTES)
        return error_set(err, ROOF_E_LIMIT, "is larger than 64 MiB, the most that is read as a tree");
    return build_from(jsonpull_of_memory(text, size), out, err);
}

roof_status json_read(const char *path, json_node **out, roof_error *err)
{
    input_file input;
    *out = NULL;
    TRY(input_open(path, LARGEST_DOCUMENT_BYTES, &input, err));
    roof_status status = build_from(jsonpull_new(input_read, &input), out, err);
    if (status != ROOF_OK)
        error_prefix(err, "%s", input.name);
    input_close(&input);
    return status;
}

void json_free(json_node *root)
{
    cJSON_Delete(root);
}

const json_node *json_get(const json_node *node, const char *key)
{
    if (!cJSON_IsObject(node))
        return NULL;
    for (const cJSON *child = node->child; child; child = child->next)
        if (strcmp(child->string, key) == 0)
            return child;
    return NULL;
}

/* Of what is not there JSON_DONE. cJSON's types are one bit each. */
static json_kind kind_of(const json_node *node)
{
    static const json_kind kinds[] = {JSON_FALSE,  JSON_TRUE,  JSON_NULL,  JSON_NUMBER,
                                      JSON_STRING, JSON_ARRAY, JSON_OBJECT};
    _Static_assert(cJSON_False == 1 && cJSON_Object == 1 << 6, "the bits of types");
    return node ? kinds[__builtin_ctz((unsigned)node->type & 0x7f)] : JSON_DONE;
}

bool json_is(const json_node *node, json_kind kind)
{
    return kind_of(node) == kind;
}

static roof_status member(const json_node *node, const char *pointer, const char *key, json_kind wanted,
                          const json_node **out, roof_error *err)
{
    char step[200];
    *out = json_get(node, key);
    if (json_is(*out, wanted))
        return ROOF_OK;
    roof_status status = error_set(err, ROOF_E_DATA, "is %s, want %s",
                                   *out ? json_kind_text(kind_of(*out)) : "missing", json_kind_text(wanted));
    error_prefix(err, "%s/%s", pointer, json_pointer_step(step, sizeof step, key));
    return status;
}

roof_status json_string(const json_node *node, const char *pointer, const char *key, const char **out,
                        roof_error *err)
{
    const json_node *child;
    TRY(member(node, pointer, key, JSON_STRING, &child, err));
    *out = child->valuestring;
    return ROOF_OK;
}

roof_status json_number(const json_node *node, const char *pointer, const char *key, double *out,
                        roof_error *err)
{
    const json_node *child;
    TRY(member(node, pointer, key, JSON_NUMBER, &child, err));
    *out = child->valuedouble;
    return ROOF_OK;
}

const char *json_text(const json_node *node)
{
    return cJSON_IsString(node) ? node->valuestring : NULL;
}

double json_value(const json_node *node)
{
    return cJSON_IsNumber(node) ? node->valuedouble : NAN;
}

const char *json_key(const json_node *node)
{
    return node ? node->string : NULL;
}

const json_node *json_first(const json_node *node)
{
    return node ? node->child : NULL;
}

const json_node *json_next(const json_node *node)
{
    return node ? node->next : NULL;
}

size_t json_size(const json_node *node)
{
    size_t n = 0;
    for (const json_node *child = json_first(node); child; child = child->next)
        n++;
    return n;
}
