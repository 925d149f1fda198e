/* Messages of JSON-RPC from untrusted clients: there is something to do, or a reply, or neither for an answer
 * that nobody asked for; a reply is one line of JSON with the id that was sent, and is refused by nobody. */
#include "core/json/jsonrpc.h"
#include "core/json/jsontree.h"
#include "tests/fuzz/fuzz_target.h"

#include <string.h>

/* The reply is one line, and is a message itself: what nothing is to be done about. */
static void check_reply(const textbuf *reply, const cJSON *id)
{
    jsonrpc_message back;
    textbuf none;
    CHECK(!reply->failed && reply->length && strchr(reply->bytes, '\n') == reply->bytes + reply->length - 1);
    text_init(&none, TEXT_MAX_BYTES);
    jsonrpc_read(reply->bytes, reply->length - 1, &back, &none);
    const cJSON *echoed = jsontree_get(back.tree, "id");
    CHECK(back.tree && !back.method && (id ? none.length == 0 && cJSON_Compare(id, echoed, true) : true));
    cJSON_Delete(back.tree);
    text_free(&none);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    jsonrpc_message message;
    textbuf reply;
    jsonout json;
    text_init(&reply, TEXT_MAX_BYTES);
    jsonrpc_read((const char *)data, size, &message, &reply);
    CHECK(!message.method || reply.length == 0);
    CHECK(!message.params || cJSON_IsObject(message.params));
    if (reply.length)
        check_reply(&reply, NULL);
    if (message.method && message.id) {
        jsonrpc_begin(&json, &reply, message.id);
        jsonout_string(&json, "method", message.method);
        jsonrpc_end(&json);
        check_reply(&reply, message.id);
    }
    cJSON_Delete(message.tree);
    text_free(&reply);
    return 0;
}
