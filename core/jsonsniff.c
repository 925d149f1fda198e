#include "core/jsonsniff.h"
#include "core/error.h"
#include "core/input.h"
#include "core/jsonpull.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool roof_begins_as_json(const char *path)
{
    static const char mark[] = "\xef\xbb\xbf";
    char head[256];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* O_NONBLOCK: a FIFO must not hang us */
    ssize_t n = fd >= 0 ? read(fd, head, sizeof head) : 0, i = 0;
    if (fd >= 0)
        close(fd);
    if (n >= 3 && memcmp(head, mark, 3) == 0)
        i = 3;
    while (i < n && memchr(" \t\r\n", head[i], 4))
        i++;
    return i < n && head[i] == '{';
}

/* Goes through the members of the object that was opened, up to the one that is wanted. */
static roof_status find_schema(roof_jsonpull *puller, char *schema, size_t size, roof_error *err)
{
    roof_json_event event;
    ROOF_TRY(roof_jsonpull_next(puller, &event, err));
    if (event.kind != ROOF_JSON_OBJECT)
        return ROOF_OK;
    for (;;) {
        ROOF_TRY(roof_jsonpull_next(puller, &event, err));
        if (event.kind == ROOF_JSON_CLOSE || event.kind == ROOF_JSON_DONE)
            return ROOF_OK;
        if (event.key && strcmp(event.key, "schema") == 0) {
            if (event.kind == ROOF_JSON_STRING)
                snprintf(schema, size, "%s", event.text);
            return ROOF_OK;
        }
        ROOF_TRY(roof_jsonpull_skip(puller, err));
    }
}

roof_status roof_json_schema(const char *path, char *schema, size_t size, roof_error *err)
{
    roof_input input;
    schema[0] = '\0';
    ROOF_TRY(roof_input_open(path, 0, &input, err));
    roof_jsonpull *puller = roof_jsonpull_new(roof_input_read, &input);
    roof_status status = puller ? find_schema(puller, schema, size, err) : roof_fail_memory(err);
    if (status != ROOF_OK)
        roof_error_prefix(err, "%s", input.name);
    roof_jsonpull_free(puller);
    roof_input_close(&input);
    return status;
}
