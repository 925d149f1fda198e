/* JSON from untrusted files: the tree, which reads in large pieces, must be what the puller says in small ones. */
#include "core/jsonpull.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/json_tree.h"
#include "tests/support/memory_io.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void compare_scalar(const json_node *node, const json_event *e)
{
    switch (e->kind) {
    case JSON_STRING:
        CHECK(json_is(node, JSON_STRING) && strcmp(json_text(node), e->text) == 0);
        CHECK(strlen(e->text) == e->text_length);
        break;
    case JSON_NUMBER:
        CHECK(json_is(node, JSON_NUMBER) && json_value(node) == e->number);
        break;
    case JSON_NULL:
        CHECK(json_is(node, JSON_NULL));
        break;
    default:
        CHECK((json_is(node, JSON_TRUE) || json_is(node, JSON_FALSE)) &&
              json_is(node, JSON_TRUE) == (e->kind == JSON_TRUE));
    }
}

/* Walks the tree as the puller goes. */
static void compare(const json_node *root, jsonpull *puller)
{
    const json_node *next[JSON_DEEPEST + 1] = {root};
    json_event e;
    unsigned depth = 0;
    for (;;) {
        CHECK(jsonpull_next(puller, &e, NULL) == ROOF_OK);
        if (e.kind == JSON_DONE)
            break;
        if (e.kind == JSON_CLOSE) {
            CHECK(depth > 0 && !next[depth]);
            depth--;
            continue;
        }
        const json_node *node = next[depth];
        CHECK(node && (!e.key || strcmp(json_key(node), e.key) == 0));
        next[depth] = depth ? json_next(node) : NULL;
        if (e.kind == JSON_OBJECT || e.kind == JSON_ARRAY) {
            CHECK(e.kind == JSON_OBJECT ? json_is(node, JSON_OBJECT) : json_is(node, JSON_ARRAY));
            next[++depth] = json_first(node);
        } else {
            compare_scalar(node, &e);
        }
    }
    CHECK(depth == 0);
}

/* Only the tree knows all keys of an object, and asks for no more behind its end. */
static bool is_repeated_key(const roof_error *err)
{
    return strstr(err->what, "is there twice") != NULL;
}

static void both_refuse(jsonpull *puller, const roof_error *tree_err)
{
    json_event e = {.kind = JSON_NULL};
    roof_error err = {0};
    char pointer[200];
    roof_status status = ROOF_OK;
    while (status == ROOF_OK && e.kind != JSON_DONE) {
        status = jsonpull_next(puller, &e, &err);
        CHECK(strlen(jsonpull_pointer(puller, pointer, sizeof pointer)) < sizeof pointer);
    }
    CHECK(is_repeated_key(tree_err) || (status != ROOF_OK && *err.what));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    memory_source input = {(const char *)data, size, 0};
    jsonpull *puller = jsonpull_new(memory_read_growing, &input);
    json_node *root = NULL;
    roof_error err = {0};
    if (puller && json_parse((const char *)data, size, &root, &err) == ROOF_OK)
        compare(root, puller);
    else if (puller)
        both_refuse(puller, &err);
    json_free(root);
    jsonpull_free(puller);
    return 0;
}
