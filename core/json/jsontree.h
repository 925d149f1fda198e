/* core/json/jsontree.h - a small JSON document as a tree of cJSON's nodes: files that people write, and
 * messages of two programs.
 *
 * The puller reads the text (core/json/jsonpull.h), so the grammar is as strict as everywhere, and the nodes
 * are made while it goes. A key that an object has twice is refused. cJSON's own parser is not used: it keeps
 * its last error in a variable that all threads share, asks the locale for the decimal point, reads "\u20ic"
 * as an empty string, takes a key twice and text behind the end, and reports a lack of memory as an error of
 * the text.
 *
 * Units: a node's `valueint` is the line where its value begins, from 1; not what cJSON says of it, which
 *   ends at 2^31. `valuedouble` is the number: whole ones are exact up to 2^53, which jsontree_count holds
 *   to.
 * Limits: JSONTREE_MOST_VALUES, each of which takes 80 bytes and its texts. Documents that may be larger are
 * pulled, not put into a tree.
 * Ownership: the tree is its caller's, who ends it with cJSON_Delete. Texts are the tree's.
 * Lookups go through an object from its beginning: ask for a fixed number of keys, and go through all
 * children once.
 */
#pragma once

#include <cjson/cJSON.h>
#include "core/core.h"

enum { JSONTREE_MOST_VALUES = 1 << 20 };

/* A document in memory. name: of the document, the place of what is wrong; NULL: none.
 * Errors: those of core/json/jsonpull.h, with line and JSON pointer; E_DATA for a key that is there twice;
 *   E_LIMIT; E_NO_MEMORY. *out is NULL then. */
roof_status jsontree_parse(const char *text, size_t size, const char *name, cJSON **out, roof_error *err);

/* A file, as input_open takes it. Errors: those of jsontree_parse and of core/files/input.h. */
roof_status jsontree_read(const char *path, uint64_t most_bytes, cJSON **out, roof_error *err);

/* A member; NULL: the object does not have it, or is none. */
const cJSON *jsontree_get(const cJSON *object, const char *key);

/* Where a node is in the tree, as a JSON pointer: "/values/clock/unit"; "" for the root. Returns buffer. */
const char *jsontree_pointer(const cJSON *root, const cJSON *node, char *buffer, size_t size);

/* "an object", "a number", ... */
const char *jsontree_kind_text(const cJSON *node);

/* --- into a struct ------------------------------------------------------------------------------------ */

/* The first fault is kept, and ends up in err; all values read behind it are unknown. */
typedef struct jsontree {
    const cJSON *root;
    const char *name;  /* of the document, for messages; NULL: none */
    roof_arena *arena; /* of texts that are read */
    roof_error *err;
    roof_status status;
} jsontree;

/* A member that has to be there, and not null; NULL: it is not, which is wrong. */
const cJSON *jsontree_need(jsontree *t, const cJSON *object, const char *key);

/* An object all of whose members are among keys, which end with NULL: a slip in a name would be an unread
 * member. of: what it is, "a budget". */
const cJSON *jsontree_members(jsontree *t, const cJSON *node, const char *const *keys, const char *of);

/* Wants the document to call itself by the name of its schema. */
void jsontree_schema(jsontree *t, const cJSON *object, const char *schema);

/* Value of a node; unknown for null and for NULL. The functions differ in the type that they want. */
const cJSON *jsontree_object(jsontree *t, const cJSON *node); /* NULL */
const cJSON *jsontree_array(jsontree *t, const cJSON *node);  /* NULL */
const char *jsontree_text(jsontree *t, const cJSON *node);    /* any UTF-8; NULL */
const char *jsontree_name(jsontree *t, const cJSON *node);    /* without control characters; NULL */
bool jsontree_flag(jsontree *t, const cJSON *node);           /* false */
uint64_t jsontree_count(jsontree *t, const cJSON *node);      /* whole, from 0 to 2^53; ROOF_UNKNOWN */
uint32_t jsontree_small(jsontree *t, const cJSON *node);      /* whole, from 0 to 2^32 - 2; ROOF_NONE */
double jsontree_number(jsontree *t, const cJSON *node, double least, double most); /* NaN */

/* Bytes of a text or a key, such as a name that is a key; NULL without memory. */
const char *jsontree_copy(jsontree *t, const char *text, size_t length);

/* Something is wrong at a node. */
void jsontree_refuse(jsontree *t, const cJSON *node, roof_status status, const char *format, ...)
    ROOF_PRINTF(4, 5);
#define jsontree_fail(t, node, ...) jsontree_refuse((t), (node), ROOF_E_DATA, __VA_ARGS__)
