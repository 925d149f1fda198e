#include "core/json/jsonrpc.h"
#include "core/json/jsontree.h"

/* Up to behind the id, on one line. */
static void begin(jsonout *json, textbuf *reply, const cJSON *id)
{
    jsonout_begin(json, reply);
    jsonout_object(json, NULL, true);
    jsonout_string(json, "jsonrpc", "2.0");
    if (id && cJSON_IsNumber(id))
        jsonout_number(json, "id", id->valuedouble);
    else
        jsonout_string(json, "id", id ? id->valuestring : NULL);
}

void jsonrpc_begin(jsonout *json, textbuf *reply, const cJSON *id)
{
    begin(json, reply, id);
    jsonout_object(json, "result", true);
}

void jsonrpc_end(jsonout *json)
{
    while (json->depth)
        jsonout_end(json);
}

void jsonrpc_refuse(textbuf *reply, const cJSON *id, jsonrpc_code code, const char *format, ...)
{
    jsonout json;
    char text[ROOF_ERROR_WHERE_SIZE + ROOF_ERROR_WHAT_SIZE + 64];
    va_list args;
    va_start(args, format);
    print_list(text, sizeof text, format, args);
    va_end(args);
    begin(&json, reply, id);
    jsonout_object(&json, "error", true);
    jsonout_number(&json, "code", code);
    jsonout_string(&json, "message", text);
    jsonrpc_end(&json);
}

void jsonrpc_read(const char *line, size_t size, jsonrpc_message *out, textbuf *reply)
{
    roof_error err = {0};
    *out = (jsonrpc_message){0};
    const roof_status status = jsontree_parse(line, size, NULL, &out->tree, &err);
    const cJSON *id = jsontree_get(out->tree, "id"), *version = jsontree_get(out->tree, "jsonrpc"),
                *method = jsontree_get(out->tree, "method"), *params = jsontree_get(out->tree, "params");
    const bool is_id = cJSON_IsString(id) ? strlen(id->valuestring) <= JSONRPC_LONGEST_ID
                                          : cJSON_IsNumber(id) && fabs(id->valuedouble) <= 0x1p53 &&
                                                id->valuedouble == floor(id->valuedouble);
    const cJSON *answered = is_id ? id : NULL;
    if (status != ROOF_OK)
        jsonrpc_refuse(reply, NULL, status == ROOF_E_NO_MEMORY ? JSONRPC_FAILED : JSONRPC_NO_JSON, "%s%s%s",
                       err.where, *err.where ? ": " : "", err.what);
    else if (cJSON_IsArray(out->tree))
        jsonrpc_refuse(reply, NULL, JSONRPC_NO_MESSAGE, "a batch is not taken; send one message a line");
    else if (!cJSON_IsString(version) || strcmp(version->valuestring, "2.0") != 0)
        jsonrpc_refuse(reply, answered, JSONRPC_NO_MESSAGE,
                       "no message of JSON-RPC: want \"jsonrpc\":\"2.0\"");
    else if (id && !answered)
        jsonrpc_refuse(reply, NULL, JSONRPC_NO_MESSAGE,
                       "id: want a text of at most %d bytes, or a whole number up to 2^53",
                       JSONRPC_LONGEST_ID);
    else if (!method && (jsontree_get(out->tree, "result") || jsontree_get(out->tree, "error")))
        return; /* nothing was asked of the other side */
    else if (!method || !cJSON_IsString(method))
        jsonrpc_refuse(reply, answered, JSONRPC_NO_MESSAGE, "method: want a text");
    else if (params && !cJSON_IsObject(params) && id)
        jsonrpc_refuse(reply, answered, JSONRPC_BAD_PARAMETERS, "params: is %s, want an object",
                       jsontree_kind_text(params));
    else
        *out = (jsonrpc_message){out->tree, method->valuestring, cJSON_IsObject(params) ? params : NULL, id};
}
