#include "core/jsonloose.h"
#include "core/error.h"

#include <string.h>

typedef struct cleaner {
    const char *at, *end;
    textbuf *out;
    char last, before; /* the last two bytes that are neither blank nor comment; 0: there was none */
    size_t comma;      /* where the last comma is in out */
} cleaner;

static void put(cleaner *c, char byte)
{
    text_add(c->out, &byte, 1);
    if (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r')
        return;
    c->before = c->last;
    c->last = byte;
}

/* From behind the first quote to behind the last one; a string without one goes to the end, where the puller says so. */
static void put_rest_of_string(cleaner *c)
{
    const char *at = c->at;
    while (at < c->end && *at != '"')
        at += *at == '\\' && c->end - at > 1 ? 2 : 1;
    if (at < c->end)
        at++;
    text_add(c->out, c->at, (size_t)(at - c->at));
    c->at = at;
}

static void put_string(cleaner *c)
{
    if (c->last == '}')
        put(c, ',');
    put(c, '"');
    c->at++;
    put_rest_of_string(c);
}

/* False where no comment stands. The ends of its lines stay. */
static bool skip_comment(cleaner *c)
{
    size_t left = (size_t)(c->end - c->at);
    const char *end = NULL;
    if (left < 2 || c->at[0] != '/')
        return false;
    if (c->at[1] == '/' && !(end = memchr(c->at, '\n', left)))
        end = c->end;
    if (c->at[1] == '*' && (end = memmem(c->at + 2, left - 2, "*/", 2)))
        end += 2;
    if (!end)
        return false;
    for (; c->at < end; c->at++)
        if (*c->at == '\n')
            put(c, '\n');
    put(c, ' ');
    return true;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A name that only ends with a quote, where a member's name has to be. */
static bool lacks_quote(const cleaner *c)
{
    const char *at = c->at;
    if (c->last != '{' && c->last != ',')
        return false;
    while (at < c->end && is_word(*at))
        at++;
    return at > c->at && c->end - at > 1 && at[0] == '"' && at[1] == ':';
}

static void put_byte(cleaner *c)
{
    bool closes = *c->at == '}' || *c->at == ']';
    if (closes && c->last == ',' && !memchr("{[,", c->before, 4))
        c->out->bytes[c->comma] = ' ';
    if (*c->at == ',')
        c->comma = c->out->length;
    put(c, *c->at++);
}

static void clean(cleaner *c)
{
    while (c->at < c->end && !c->out->failed) {
        if (skip_comment(c))
            continue;
        if (*c->at == '"') {
            put_string(c);
        } else if (lacks_quote(c)) {
            put(c, '"');
            put_rest_of_string(c);
        } else {
            put_byte(c);
        }
    }
}

roof_status jsonloose_open(const void *bytes, uint64_t size, jsonloose *out, roof_error *err)
{
    cleaner c = {.at = bytes, .end = (const char *)bytes + size, .out = &out->text};
    *out = (jsonloose){0};
    if (size > JSONLOOSE_MAX_BYTES)
        return error_set(err, ROOF_E_LIMIT, "is larger than %d MiB, the most that is read here",
                         JSONLOOSE_MAX_BYTES >> 20);
    text_init(&out->text, 2 * JSONLOOSE_MAX_BYTES + 64);
    clean(&c);
    TRY(text_status(&out->text, err));
    out->puller = jsonpull_of_memory(out->text.bytes, out->text.length);
    return out->puller ? ROOF_OK : error_memory(err);
}

void jsonloose_close(jsonloose *loose)
{
    jsonpull_free(loose->puller);
    text_free(&loose->text);
    *loose = (jsonloose){0};
}
