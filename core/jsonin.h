/* core/jsonin.h - JSON as a tree: read by core/jsonpull.h, kept in cJSON.
 *
 * A facade, because cJSON 1.7.15 looks keys up ignoring case and reads integers as doubles. Nodes are cJSON's; they
 * belong to the document. Every failing getter names its place as a JSON pointer (RFC 6901): "/values/clock/unit".
 */
#ifndef ROOF_CORE_JSONIN_H
#define ROOF_CORE_JSONIN_H

#include <stdbool.h>
#include "core/jsonpull.h"

typedef struct cJSON json_node;

/* Parses size bytes, which need no NUL at the end. Numbers are read with '.' whatever the caller's locale is.
 * Errors: E_DATA with the line (syntax, trailing text, bytes that are not UTF-8, control characters, numbers
 * beyond a double) or with a pointer (a key that is there twice); E_LIMIT beyond 64 MiB or 64 levels. */
roof_status json_parse(const char *text, size_t size, json_node **out, roof_error *err);
/* Reads a whole file ("-" is standard input) and parses it; the path becomes the place. Errors besides:
 * E_NO_INPUT, E_IO. */
roof_status json_read(const char *path, json_node **out, roof_error *err);
void json_free(json_node *root);

/* Member of an object, exact case; NULL when absent, or node is no object. */
const json_node *json_get(const json_node *node, const char *key);

/* Required members, with an error that names pointer/key. pointer is the place of node. */
roof_status json_string(const json_node *node, const char *pointer, const char *key, const char **out,
                        roof_error *err);
roof_status json_number(const json_node *node, const char *pointer, const char *key, double *out,
                        roof_error *err);

bool json_is(const json_node *node, json_kind kind); /* false for NULL */
const char *json_text(const json_node *node);        /* a string's value, else NULL */
double json_value(const json_node *node);            /* a number's value, else NaN */
const char *json_key(const json_node *node);         /* the name of an object's member, else NULL */
const json_node *json_first(const json_node *node);  /* children of objects and arrays */
const json_node *json_next(const json_node *node);
size_t json_size(const json_node *node);

#endif
