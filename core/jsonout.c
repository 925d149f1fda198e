#include "core/jsonout.h"
#include "core/quantity.h"

#include <stdio.h>
#include <string.h>

void roof_jsonout_begin(roof_jsonout *json, roof_text *out)
{
    *json = (roof_jsonout){.out = out};
}

static void write_string(roof_text *out, const char *value)
{
    roof_text_add(out, "\"", 1);
    const char *plain = value; /* start of what needs no escape yet */
    for (const char *p = value; *p; p++) {
        unsigned char c = (unsigned char)*p;
        char escape[8];
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f)
            continue;
        int length = c == '"' || c == '\\' ? snprintf(escape, sizeof escape, "\\%c", c)
                                           : snprintf(escape, sizeof escape, "\\u%04x", c);
        roof_text_add(out, plain, (size_t)(p - plain));
        roof_text_add(out, escape, (size_t)length);
        plain = p + 1;
    }
    roof_text_add(out, plain, strlen(plain));
    roof_text_add(out, "\"", 1);
}

/* Comma, line break, indentation and key before any value. Keys are ours, so there is nothing to escape. */
static void before_value(roof_jsonout *json, const char *key)
{
    size_t key_length = key ? strlen(key) : 0, used = 0;
    char *at = roof_text_room(json->out, key_length + json->depth + 8);
    bool first = !json->comma[json->depth];
    json->comma[json->depth] = true;
    if (!at)
        return;
    if (json->depth && !first)
        at[used++] = ',';
    if (json->depth && !json->inline_level[json->depth]) {
        at[used++] = '\n';
        memset(at + used, ' ', json->depth);
        used += json->depth;
    }
    if (key) {
        at[used++] = '"';
        memcpy(at + used, key, key_length);
        used += key_length;
        at[used++] = '"';
        at[used++] = ':';
    }
    roof_text_wrote(json->out, used);
}

static void open_level(roof_jsonout *json, const char *key, bool one_line, const char *bracket)
{
    before_value(json, key);
    bool inherited = json->inline_level[json->depth];
    roof_text_puts(json->out, bracket);
    if (json->depth + 1 >= sizeof json->comma / sizeof *json->comma) {
        json->out->failed = true; /* our own documents are never this deep */
        return;
    }
    json->depth++;
    json->comma[json->depth] = false;
    json->inline_level[json->depth] = one_line || inherited;
    json->closing[json->depth] = bracket[0] == '{' ? '}' : ']';
}

void roof_jsonout_object(roof_jsonout *json, const char *key, bool one_line)
{
    open_level(json, key, one_line, "{");
}

void roof_jsonout_array(roof_jsonout *json, const char *key, bool one_line)
{
    open_level(json, key, one_line, "[");
}

void roof_jsonout_end(roof_jsonout *json)
{
    if (json->comma[json->depth] && !json->inline_level[json->depth]) {
        roof_text_add(json->out, "\n", 1);
        for (unsigned i = 1; i < json->depth; i++)
            roof_text_add(json->out, " ", 1);
    }
    roof_text_add(json->out, &json->closing[json->depth], 1);
    json->depth--;
    if (json->depth == 0)
        roof_text_add(json->out, "\n", 1);
}

void roof_jsonout_string(roof_jsonout *json, const char *key, const char *value)
{
    if (!value) {
        roof_jsonout_null(json, key);
        return;
    }
    before_value(json, key);
    write_string(json->out, value);
}

void roof_jsonout_count(roof_jsonout *json, const char *key, uint64_t value)
{
    before_value(json, key);
    char digits[20];
    size_t at = sizeof digits;
    if (value == ROOF_UNKNOWN) {
        roof_text_puts(json->out, "null");
        return;
    }
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    roof_text_add(json->out, digits + at, sizeof digits - at);
}

void roof_jsonout_derived(roof_jsonout *json, const char *key, double value)
{
    char number[40];
    before_value(json, key);
    roof_text_add(json->out, number, (size_t)roof_number_format_derived(number, sizeof number, value));
}

void roof_jsonout_number(roof_jsonout *json, const char *key, double value)
{
    char number[40];
    before_value(json, key);
    roof_number_format(number, sizeof number, value);
    roof_text_puts(json->out, number);
}

void roof_jsonout_bool(roof_jsonout *json, const char *key, bool value)
{
    before_value(json, key);
    roof_text_puts(json->out, value ? "true" : "false");
}

void roof_jsonout_null(roof_jsonout *json, const char *key)
{
    before_value(json, key);
    roof_text_puts(json->out, "null");
}
