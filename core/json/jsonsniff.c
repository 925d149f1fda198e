#include "core/json/jsonsniff.h"
#include "core/files/input.h"
#include "core/json/jsonpull.h"

bool json_begins(const char *path)
{
    static const char mark[] = "\xef\xbb\xbf";
    char head[256];
    int file = os_open(OS_HERE, path, OS_READ_NOW); /* a FIFO must not hang us */
    int64_t n = file >= 0 ? os_read(file, head, sizeof head) : 0, i = 0;
    os_close(&file);
    if (n >= 3 && memcmp(head, mark, 3) == 0)
        i = 3;
    while (i < n && memchr(" \t\r\n", head[i], 4))
        i++;
    return i < n && head[i] == '{';
}

text_span json_first_key(const void *bytes, uint64_t size, text_span *rest)
{
    text_span text = {bytes, size < 300 ? (size_t)size : 300};
    span_skip(&text, "\xef\xbb\xbf");
    span_skip_any(&text, " \t\r\n{");
    if (!span_skip(&text, "\"") || !span_has(text, "\""))
        return (text_span){"", 0};
    text_span key = span_take_until(&text, "\"");
    span_skip_any(&text, " \t\r\n:");
    if (rest)
        *rest = text;
    return key;
}

/* Goes through the members of the object that was opened, up to the one that is wanted. */
static roof_status find_schema(jsonpull *puller, char *schema, size_t size, roof_error *err)
{
    json_event event;
    TRY(jsonpull_next(puller, &event, err));
    if (event.kind != JSON_OBJECT)
        return ROOF_OK;
    for (;;) {
        TRY(jsonpull_next(puller, &event, err));
        if (event.kind == JSON_CLOSE || event.kind == JSON_DONE)
            return ROOF_OK;
        if (event.key && strcmp(event.key, "schema") == 0) {
            if (event.kind == JSON_STRING)
                snprintf(schema, size, "%s", event.text);
            return ROOF_OK;
        }
        TRY(jsonpull_skip(puller, err));
    }
}

roof_status json_schema(const char *path, char *schema, size_t size, roof_error *err)
{
    input_file input;
    schema[0] = '\0';
    TRY(input_open(path, 0, &input, err));
    jsonpull *puller = jsonpull_new(input_read, &input);
    roof_status status = error_placed(puller ? find_schema(puller, schema, size, err) : error_memory(err),
                                      err, "%s", input.name);
    jsonpull_free(puller);
    input_close(&input);
    return status;
}
