/* JSON from untrusted files: the tree, which reads in large pieces, must be what the puller says in small
 * ones, and what cJSON's own parser makes of it, by which runners read (runners/speak.c). */
#include "core/json/jsonpull.h"
#include "tests/fuzz/fuzz_target.h"
#include "core/json/jsontree.h"
#include "tests/support/memory_io.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void compare_scalar(const cJSON *node, const json_event *e)
{
    switch (e->kind) {
    case JSON_STRING:
        CHECK(cJSON_IsString(node) && strcmp(cJSON_GetStringValue(node), e->text) == 0);
        CHECK(strlen(e->text) == e->text_length);
        break;
    case JSON_NUMBER:
        CHECK(cJSON_IsNumber(node) && cJSON_GetNumberValue(node) == e->number);
        break;
    case JSON_NULL:
        CHECK(cJSON_IsNull(node));
        break;
    default:
        CHECK(cJSON_IsBool(node) && cJSON_IsTrue(node) == (e->kind == JSON_TRUE));
    }
}

/* Walks the tree as the puller goes. */
static void compare(const cJSON *root, jsonpull *puller)
{
    const cJSON *next[JSON_DEEPEST + 1] = {root};
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
        const cJSON *node = next[depth];
        CHECK(node && (!e.key || strcmp(node->string, e.key) == 0));
        next[depth] = depth ? node->next : NULL;
        if (e.kind == JSON_OBJECT || e.kind == JSON_ARRAY) {
            CHECK(e.kind == JSON_OBJECT ? cJSON_IsObject(node) : cJSON_IsArray(node));
            next[++depth] = node->child;
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

/* Some versions of cJSON cut a number behind 63 characters. */
static bool has_long_number(const char *text, size_t size)
{
    size_t run = 0;
    for (size_t i = 0; i < size && run < 64; i++)
        run = text[i] && strchr("0123456789.eE+-", text[i]) ? run + 1 : 0;
    return run == 64;
}

static void compare_parsers(const cJSON *root, const char *text, size_t size)
{
    static const char bom[] = "\xef\xbb\xbf"; /* cJSON takes it before two bytes or more, not before one */
    size_t begin = size >= strlen(bom) && memcmp(text, bom, strlen(bom)) == 0 ? strlen(bom) : 0;
    text += begin;
    size -= begin;
    if (has_long_number(text, size))
        return;
    cJSON *theirs = cJSON_ParseWithLength(text, size);
    CHECK(theirs && cJSON_Compare(root, theirs, true));
    cJSON_Delete(theirs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    memory_source input = {(const char *)data, size, 0};
    jsonpull *puller = jsonpull_new(memory_read_growing, &input);
    cJSON *root = NULL;
    roof_error err = {0};
    if (puller && jsontree_parse((const char *)data, size, NULL, &root, &err) == ROOF_OK)
        compare(root, puller), compare_parsers(root, (const char *)data, size);
    else if (puller)
        both_refuse(puller, &err);
    cJSON_Delete(root);
    jsonpull_free(puller);
    return 0;
}
