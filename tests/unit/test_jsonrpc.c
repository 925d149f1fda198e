/* Messages of JSON-RPC: what each line asks, or the whole reply to it. */
#include "core/json/jsonrpc.h"
#include "tests/support/skips.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define PING         "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\""
#define NO(id, code) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"error\":{\"code\":" code ",\"message\":"

static const struct {
    const char *line, *method; /* NULL: nothing to do */
    bool is_answered;
    const char *reply; /* what it begins with; "": none */
} rows[] = {
    {PING "}", "ping", true, ""},
    {PING ",\"params\":{}}", "ping", true, ""},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"note\"}", "note", false, ""},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"note\",\"params\":[1]}", "note", false, ""},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", NULL, false, ""},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}", NULL, false, ""},
    {"{", NULL, false, NO("null", "-32700")},
    {"", NULL, false, NO("null", "-32700")},
    {"[" PING "}]", NULL, false, NO("null", "-32600")},
    {"1", NULL, false, NO("null", "-32600")},
    {"{\"id\":\"a\",\"method\":\"ping\"}", NULL, false, NO("\"a\"", "-32600")},
    {"{\"jsonrpc\":2.0,\"id\":7,\"method\":\"ping\"}", NULL, false, NO("7", "-32600")},
    {"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}", NULL, false, NO("null", "-32600")},
    {"{\"jsonrpc\":\"2.0\",\"id\":0.5,\"method\":\"ping\"}", NULL, false, NO("null", "-32600")},
    {"{\"jsonrpc\":\"2.0\",\"id\":-3}", NULL, false, NO("-3", "-32600")},
    {PING ",\"params\":[1]}", NULL, false, NO("1", "-32602")},
    {PING ",\"params\":\"x\"}", NULL, false, NO("1", "-32602")},
};

static void a_line_asks_or_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jsonrpc_message message;
        textbuf reply;
        text_init(&reply, TEXT_MAX_BYTES);
        jsonrpc_read(rows[i].line, strlen(rows[i].line), &message, &reply);
        const char *got = reply.bytes ? reply.bytes : "";
        if (!text_same(message.method, rows[i].method) || (message.id != NULL) != rows[i].is_answered ||
            strncmp(got, rows[i].reply, strlen(rows[i].reply)) != 0 || !*got != !*rows[i].reply)
            fail_msg("%s: %s, reply %s", rows[i].line, message.method ? message.method : "nothing", got);
        cJSON_Delete(message.tree);
        text_free(&reply);
    }
}

/* As it was sent, whatever is in it. */
static void an_id_is_echoed(void **state)
{
    static const char *const ids[] = {"0",    "-9007199254740992", "9007199254740992",
                                      "\"\"", "\"a\\u000ab\\\"\"", "\"\xc3\xa9\""};
    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char line[200], want[200];
        jsonrpc_message message;
        jsonout json;
        textbuf reply;
        snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}", ids[i]);
        snprintf(want, sizeof want, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n", ids[i]);
        text_init(&reply, TEXT_MAX_BYTES);
        jsonrpc_read(line, strlen(line), &message, &reply);
        assert_non_null(message.id);
        jsonrpc_begin(&json, &reply, message.id);
        jsonrpc_end(&json);
        assert_string_equal(reply.bytes, want);
        cJSON_Delete(message.tree);
        text_free(&reply);
    }
}

/* One byte more than is echoed. */
static void an_id_has_a_length(void **state)
{
    (void)state;
    for (size_t length = JSONRPC_LONGEST_ID; length <= JSONRPC_LONGEST_ID + 1; length++) {
        char line[400], id[JSONRPC_LONGEST_ID + 2] = "";
        jsonrpc_message message;
        textbuf reply;
        memset(id, 'i', length);
        snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"ping\"}", id);
        text_init(&reply, TEXT_MAX_BYTES);
        jsonrpc_read(line, strlen(line), &message, &reply);
        assert_int_equal(message.method != NULL, length == JSONRPC_LONGEST_ID);
        cJSON_Delete(message.tree);
        text_free(&reply);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_line_asks_or_is_refused),
                                       cmocka_unit_test(an_id_is_echoed),
                                       cmocka_unit_test(an_id_has_a_length)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
