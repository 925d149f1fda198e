#include "measure/import/unpack.h"

/* The byte to insert before the next one: '[' at the beginning, or a comma; 0: none. */
static char before(const joined_json *j, char c)
{
    if (j->in_text || j->depth || strchr(" \t\r\n\xef\xbb\xbf", c)) /* and a byte order mark */
        return '\0';
    if (!j->has_begun)
        return '[';
    return c == '{' || c == '[' ? ',' : '\0';
}

static void pass(joined_json *j, char c)
{
    j->has_begun = j->has_begun || !strchr(" \t\r\n\xef\xbb\xbf", c);
    if (j->in_text) {
        j->in_text = j->is_escaped || c != '"';
        j->is_escaped = !j->is_escaped && c == '\\';
        return;
    }
    j->in_text = c == '"';
    if (c == '{' || c == '[')
        j->depth++;
    else if ((c == '}' || c == ']') && j->depth)
        j->depth--;
}

roof_status joined_json_read(void *joined, char *buffer, size_t size, size_t *got, roof_error *err)
{
    joined_json *j = joined;
    for (*got = 0; *got < size && !j->has_ended;) {
        if (j->at == j->length) {
            j->at = 0;
            TRY(j->read(j->context, j->block, sizeof j->block, &j->length, err));
            j->has_ended = !j->length;
            if (j->has_ended && j->has_begun)
                buffer[(*got)++] = ']';
            continue;
        }
        const char c = j->block[j->at], put = j->is_put ? '\0' : before(j, c);
        j->is_put = put;
        buffer[(*got)++] = put ? put : c;
        if (put)
            continue;
        pass(j, c);
        j->at++;
    }
    return ROOF_OK;
}
