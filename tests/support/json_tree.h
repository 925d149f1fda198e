/* JSON as a tree, of what the program wrote. Nodes belong to the document. */
#ifndef ROOF_TESTS_JSON_TREE_H
#define ROOF_TESTS_JSON_TREE_H

#include <stdbool.h>
#include "core/jsonpull.h"

typedef struct json_node json_node;

/* Errors: those of core/jsonpull.h, and E_DATA for a key that is there twice. */
roof_status json_parse(const char *text, size_t size, json_node **out, roof_error *err);
roof_status json_read(const char *path, json_node **out, roof_error *err);
void json_free(json_node *root);

const json_node *json_get(const json_node *node,
                          const char *key);          /* NULL when absent, or node is no object */
bool json_is(const json_node *node, json_kind kind); /* false for NULL */
const char *json_text(const json_node *node);        /* a string's value, else NULL */
double json_value(const json_node *node);            /* a number's value, else NaN */
const char *json_key(const json_node *node);         /* the name of an object's member, else NULL */
const json_node *json_first(const json_node *node);  /* children of objects and arrays */
const json_node *json_next(const json_node *node);
size_t json_size(const json_node *node);

#endif
