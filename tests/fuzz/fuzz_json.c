/* JSON from untrusted files: the tree, which reads in large pieces, must be what the puller says in small ones. */
#include "core/jsonin.h"
#include "core/jsonpull.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/memory_io.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void compare_scalar(const roof_json *node, const roof_json_event *e)
{
    switch (e->kind) {
    case ROOF_JSON_STRING:
        CHECK(roof_json_is_string(node) && strcmp(roof_json_text(node), e->text) == 0);
        CHECK(strlen(e->text) == e->text_length);
        break;
    case ROOF_JSON_NUMBER:
        CHECK(roof_json_is_number(node) && roof_json_value(node) == e->number);
        break;
    case ROOF_JSON_NULL:
        CHECK(roof_json_is_null(node));
        break;
    default:
        CHECK(roof_json_is_bool(node) && roof_json_is_true(node) == (e->kind == ROOF_JSON_TRUE));
    }
}

/* Walks the tree as the puller goes. */
static void compare(const roof_json *root, roof_jsonpull *puller)
{
    const roof_json *next[ROOF_JSON_DEEPEST + 1] = {root};
    roof_json_event e;
    unsigned depth = 0;
    for (;;) {
        CHECK(roof_jsonpull_next(puller, &e, NULL) == ROOF_OK);
        if (e.kind == ROOF_JSON_DONE)
            break;
        if (e.kind == ROOF_JSON_CLOSE) {
            CHECK(depth > 0 && !next[depth]);
            depth--;
            continue;
        }
        const roof_json *node = next[depth];
        CHECK(node && (!e.key || strcmp(roof_json_key(node), e.key) == 0));
        next[depth] = depth ? roof_json_next(node) : NULL;
        if (e.kind == ROOF_JSON_OBJECT || e.kind == ROOF_JSON_ARRAY) {
            CHECK(e.kind == ROOF_JSON_OBJECT ? roof_json_is_object(node) : roof_json_is_array(node));
            next[++depth] = roof_json_first(node);
        } else {
            compare_scalar(node, &e);
        }
    }
    CHECK(depth == 0);
}

/* Only the tree knows all keys of an object. */
static bool is_repeated_key(const roof_error *err)
{
    return strstr(err->what, "is there twice") != NULL;
}

static void both_refuse(roof_jsonpull *puller, const roof_error *tree_err)
{
    roof_json_event e = {.kind = ROOF_JSON_NULL};
    roof_error err = {0};
    char pointer[200];
    roof_status status = ROOF_OK;
    while (status == ROOF_OK && e.kind != ROOF_JSON_DONE) {
        status = roof_jsonpull_next(puller, &e, &err);
        CHECK(strlen(roof_jsonpull_pointer(puller, pointer, sizeof pointer)) < sizeof pointer);
    }
    CHECK(is_repeated_key(tree_err) ? status == ROOF_OK : status != ROOF_OK && *err.what);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    memory_source input = {(const char *)data, size, 0};
    roof_jsonpull *puller = roof_jsonpull_new(memory_read_growing, &input);
    roof_json *root = NULL;
    roof_error err = {0};
    if (puller && roof_json_parse((const char *)data, size, &root, &err) == ROOF_OK)
        compare(root, puller);
    else if (puller)
        both_refuse(puller, &err);
    roof_json_free(root);
    roof_jsonpull_free(puller);
    return 0;
}
