/* core/json/jsonrpc.h - one message of JSON-RPC 2.0 at a time: what it asks, and how its answer begins.
 *
 * Messages are untrusted. Their grammar, depth and number of values are bounded by jsontree_parse, and an id
 * by what is echoed: a text of at most JSONRPC_LONGEST_ID bytes, or a whole number up to 2^53. Batches are
 * refused, as protocols that are built on it mostly do.
 * Ownership: the tree is its reader's, who ends it with cJSON_Delete, also after a message that is refused;
 *   method, params and id are the tree's. A text that could not be made is remembered there (core/text.h).
 */
#pragma once

#include <cjson/cJSON.h>
#include "core/json/jsonout.h"

enum { JSONRPC_LONGEST_ID = 256 };

typedef enum jsonrpc_code {
    JSONRPC_NO_JSON = -32700,
    JSONRPC_NO_MESSAGE = -32600,
    JSONRPC_NO_METHOD = -32601,
    JSONRPC_BAD_PARAMETERS = -32602,
    JSONRPC_FAILED = -32603
} jsonrpc_code;

typedef struct jsonrpc_message {
    cJSON *tree;
    const char *method;  /* NULL: there is nothing to do */
    const cJSON *params; /* an object; NULL: none */
    const cJSON *id;     /* NULL: a notification, which nothing answers */
} jsonrpc_message;

/* A line without its end. Where there is nothing to do, the reply is what has to be sent, or empty. */
void jsonrpc_read(const char *line, size_t size, jsonrpc_message *out, textbuf *reply);

/* The reply that nothing came of it, and why. id: NULL where it is unknown. */
void jsonrpc_refuse(textbuf *reply, const cJSON *id, jsonrpc_code code, const char *format, ...)
    ROOF_PRINTF(4, 5);

/* The beginning of a reply on one line, up to the object of its result, whose members follow. */
void jsonrpc_begin(jsonout *json, textbuf *reply, const cJSON *id);
void jsonrpc_end(jsonout *json);
