#include "tests/support/json_tree.h"
#include "core/arena.h"
#include "core/error.h"
#include "core/input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct json_node {
    roof_arena *arena; /* of the document */
    json_kind kind;
    const char *key, *text;
    double number;
    size_t size; /* children */
    json_node *child, *last, *next;
};

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static roof_status check_keys(const json_node *node, const jsonpull *puller, roof_error *err)
{
    char pointer[300];
    const char *twice = NULL;
    size_t n = 0;
    const char **keys = NEW_ARRAY(node->arena, const char *, node->size);
    if (!keys)
        return error_memory(err);
    for (const json_node *child = node->child; child; child = child->next)
        keys[n++] = child->key;
    qsort(keys, n, sizeof *keys, compare_keys);
    for (size_t i = 1; i < n && !twice; i++)
        twice = strcmp(keys[i - 1], keys[i]) == 0 ? keys[i] : NULL;
    if (!twice)
        return ROOF_OK;
    error_set(err, ROOF_E_DATA, "the key '%s' is there twice", twice);
    if (*jsonpull_pointer(puller, pointer, sizeof pointer))
        error_prefix(err, "%s", pointer);
    return ROOF_E_DATA;
}

static json_node *add_node(json_node *parent, const json_event *e)
{
    json_node *node = NEW(parent->arena, json_node);
    if (!node)
        return NULL;
    *node = (json_node){.arena = parent->arena,
                        .kind = e->kind,
                        .key = e->key ? arena_strdup(parent->arena, e->key) : NULL,
                        .text = e->text ? arena_strdup(parent->arena, e->text) : NULL,
                        .number = e->number};
    if (parent->last)
        parent->last->next = node;
    else
        parent->child = node;
    parent->last = node;
    parent->size++;
    return node;
}

/* holder: an array, whose only child the document becomes. */
static roof_status build_tree(jsonpull *puller, json_node *holder, roof_error *err)
{
    json_node *open[JSON_DEEPEST + 1] = {holder};
    unsigned depth = 0;
    for (;;) {
        json_event e;
        TRY(jsonpull_next(puller, &e, err));
        if (e.kind == JSON_DONE)
            return arena_status(holder->arena, err);
        if (e.kind == JSON_CLOSE) {
            if (open[depth]->kind == JSON_OBJECT)
                TRY(check_keys(open[depth], puller, err));
            depth--;
            continue;
        }
        json_node *node = add_node(open[depth], &e);
        if (!node)
            return error_memory(err);
        if (e.kind == JSON_OBJECT || e.kind == JSON_ARRAY)
            open[++depth] = node;
    }
}

/* Frees the puller. */
static roof_status build_from(jsonpull *puller, json_node **out, roof_error *err)
{
    json_node holder = {.arena = arena_new(0), .kind = JSON_ARRAY};
    roof_status status = holder.arena && puller ? build_tree(puller, &holder, err) : error_memory(err);
    *out = status == ROOF_OK ? holder.child : NULL;
    if (status != ROOF_OK)
        arena_free(holder.arena);
    jsonpull_free(puller);
    return status;
}

roof_status json_parse(const char *text, size_t size, json_node **out, roof_error *err)
{
    return build_from(jsonpull_of_memory(text, size), out, err);
}

roof_status json_read(const char *path, json_node **out, roof_error *err)
{
    input_file input;
    *out = NULL;
    TRY(input_open(path, 0, &input, err));
    roof_status status = build_from(jsonpull_new(input_read, &input), out, err);
    if (status != ROOF_OK)
        error_prefix(err, "%s", path);
    input_close(&input);
    return status;
}

void json_free(json_node *root)
{
    if (root)
        arena_free(root->arena);
}

const json_node *json_get(const json_node *node, const char *key)
{
    const json_node *child = json_is(node, JSON_OBJECT) ? node->child : NULL;
    while (child && strcmp(child->key, key) != 0)
        child = child->next;
    return child;
}

bool json_is(const json_node *node, json_kind kind)
{
    return node && node->kind == kind;
}

const char *json_text(const json_node *node)
{
    return node ? node->text : NULL;
}

double json_value(const json_node *node)
{
    return node ? node->number : NAN;
}

const char *json_key(const json_node *node)
{
    return node ? node->key : NULL;
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
    return node ? node->size : 0;
}
