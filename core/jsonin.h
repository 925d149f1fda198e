/* core/jsonin.h - JSON as a tree: read by core/jsonpull.h, kept in cJSON.
 *
 * A facade, because cJSON 1.7.15 looks keys up ignoring case and reads integers as doubles. Nodes are cJSON's; they
 * belong to the document. Every failing getter names its place as a JSON pointer (RFC 6901): "/values/clock/unit".
 */
#ifndef ROOF_CORE_JSONIN_H
#define ROOF_CORE_JSONIN_H

#include <stdbool.h>
#include <stddef.h>
#include "roofline/status.h"

typedef struct cJSON roof_json;

/* Parses size bytes, which need no NUL at the end. Numbers are read with '.' whatever the caller's locale is.
 * Errors: E_DATA with the line (syntax, trailing text, bytes that are not UTF-8, control characters, numbers
 * beyond a double) or with a pointer (a key that is there twice); E_LIMIT beyond 64 MiB or 64 levels. */
roof_status roof_json_parse(const char *text, size_t size, roof_json **out, roof_error *err);
/* Reads a whole file ("-" is standard input) and parses it; the path becomes the place. Errors besides:
 * E_NO_INPUT, E_IO. */
roof_status roof_json_read(const char *path, roof_json **out, roof_error *err);
void roof_json_free(roof_json *root);

/* Member of an object, exact case; NULL when absent, or node is no object. */
const roof_json *roof_json_get(const roof_json *node, const char *key);

/* Required members, with an error that names pointer/key. pointer is the place of node. */
roof_status roof_json_string(const roof_json *node, const char *pointer, const char *key, const char **out,
                             roof_error *err);
roof_status roof_json_number(const roof_json *node, const char *pointer, const char *key, double *out,
                             roof_error *err);
/* A whole number from 0 to 2^53. */
roof_status roof_json_count(const roof_json *node, const char *pointer, const char *key, uint64_t *out,
                            roof_error *err);
roof_status roof_json_array(const roof_json *node, const char *pointer, const char *key,
                            const roof_json **out, roof_error *err);
roof_status roof_json_object(const roof_json *node, const char *pointer, const char *key,
                             const roof_json **out, roof_error *err);

bool roof_json_is_string(const roof_json *node);
bool roof_json_is_number(const roof_json *node);
bool roof_json_is_object(const roof_json *node);
bool roof_json_is_array(const roof_json *node);
bool roof_json_is_bool(const roof_json *node);
bool roof_json_is_null(const roof_json *node);
bool roof_json_is_true(const roof_json *node);
const char *roof_json_text(const roof_json *node);       /* a string's value, else NULL */
double roof_json_value(const roof_json *node);           /* a number's value, else NaN */
const char *roof_json_key(const roof_json *node);        /* the name of an object's member, else NULL */
const roof_json *roof_json_first(const roof_json *node); /* children of objects and arrays */
const roof_json *roof_json_next(const roof_json *node);
size_t roof_json_size(const roof_json *node);

#endif
