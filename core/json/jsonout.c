#include "core/json/jsonout.h"
#include "core/utf8.h"

void jsonout_begin(jsonout *json, textbuf *out)
{
    *json = (jsonout){.out = out};
}

void jsonout_document(jsonout *json, textbuf *out, const char *schema)
{
    jsonout_begin(json, out);
    jsonout_object(json, NULL, false);
    jsonout_string(json, "schema", schema);
}

/* Eight bytes at once, where a carry may name one that is plain; of 4 to 7 some twice. */
static inline bool may_need_escape(const char *at, size_t length)
{
    static const uint64_t each = 0x0101010101010101, high = 0x80 * each;
    uint32_t begin, end;
    const char *last = at + (length < sizeof(uint64_t) ? length : sizeof(uint64_t)) - sizeof end;
    memcpy(&begin, at, sizeof begin);
    memcpy(&end, last, sizeof end);
    const uint64_t bytes = (uint64_t)end << 32 | begin;
    const uint64_t quote = bytes ^ '"' * each, backslash = bytes ^ '\\' * each;
    return ((bytes | (bytes + each) | (bytes - ' ' * each) | (quote - each) | (backslash - each)) & high) !=
           0;
}

/* How many bytes from here on are plain ASCII. */
static size_t plain_run(const char *value, size_t length)
{
    enum { WORD = 8 };
    size_t n = 0;
    while (n + WORD <= length && !may_need_escape(value + n, WORD))
        n += WORD;
    if (n + WORD > length && length >= WORD / 2 &&
        !may_need_escape(value + (length < WORD ? 0 : length - WORD), length))
        return length;
    while (n < length && value[n] >= ' ' && value[n] < 0x7f && value[n] != '"' && value[n] != '\\')
        n++;
    return n;
}

/* From the first character on that is not plain ASCII. */
static void write_rest(textbuf *out, const char *value, size_t length, size_t at)
{
    size_t kept = 0; /* start of what needs no escape */
    for (; at < length; at += plain_run(value + at, length - at)) {
        utf8_character next = utf8_next(value + at, length - at);
        if (next.kind != UTF8_PLAIN || next.length == 1) {
            text_add(out, value + kept, at - kept);
            /* Characters that act on a terminal or an editor are escaped, and a reader gets the same string;
             * a byte that is not UTF-8 cannot stand in JSON, and becomes the text that is shown instead of
             * it. */
            char escape[2 + UTF8_ESCAPE_SIZE];
            if (next.kind == UTF8_BAD) {
                text_add(out, "\\", 1);
                text_add(out, escape, utf8_escape(next, escape));
            } else {
                const char *format =
                    next.kind == UTF8_PLAIN ? "\\%c" : "\\u%04x"; /* all of them are below U+10000 */
                text_add(out, escape, (size_t)snprintf(escape, sizeof escape, format, next.code));
            }
            kept = at + next.length;
        }
        at += next.length;
    }
    text_add(out, value + kept, length - kept);
    text_add(out, "\"", 1);
}

/* Nearly always one piece of plain ASCII. at: room for it, of which so much is used; a key has a colon. */
static void write_string(textbuf *out, char *at, size_t used, const char *value, size_t length, bool is_key)
{
    const size_t plain = plain_run(value, length);
    at[used++] = '"';
    if (plain < length) {
        text_wrote(out, used);
        write_rest(out, value, length, plain);
        text_puts(out, is_key ? ":" : "");
        return;
    }
    memcpy(at + used, value, plain);
    used += plain;
    at[used++] = '"';
    if (is_key)
        at[used++] = ':';
    text_wrote(out, used);
}

/* Comma, line break, indentation and key before any value. */
static void before_value(jsonout *json, const char *key)
{
    size_t used = 0, length = key ? strlen(key) : 0;
    char *at = text_room(json->out, json->depth + length + 6);
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
    if (key)
        write_string(json->out, at, used, key, length, true);
    else
        text_wrote(json->out, used);
}

static void open_level(jsonout *json, const char *key, bool one_line, const char *bracket)
{
    before_value(json, key);
    bool inherited = json->inline_level[json->depth];
    text_puts(json->out, bracket);
    if (json->depth + 1 >= N_OF(json->comma)) {
        json->out->failed = true; /* our own documents are never this deep */
        return;
    }
    json->depth++;
    json->comma[json->depth] = false;
    json->inline_level[json->depth] = one_line || inherited;
    json->closing[json->depth] = bracket[0] == '{' ? '}' : ']';
}

void jsonout_object(jsonout *json, const char *key, bool one_line)
{
    open_level(json, key, one_line, "{");
}

void jsonout_array(jsonout *json, const char *key, bool one_line)
{
    open_level(json, key, one_line, "[");
}

void jsonout_end(jsonout *json)
{
    if (json->comma[json->depth] && !json->inline_level[json->depth]) {
        text_add(json->out, "\n", 1);
        for (unsigned i = 1; i < json->depth; i++)
            text_add(json->out, " ", 1);
    }
    text_add(json->out, &json->closing[json->depth], 1);
    json->depth--;
    if (json->depth == 0)
        text_add(json->out, "\n", 1);
}

void jsonout_string(jsonout *json, const char *key, const char *value)
{
    if (!value) {
        jsonout_null(json, key);
        return;
    }
    before_value(json, key);
    const size_t length = strlen(value);
    char *at = text_room(json->out, length + 2);
    if (at)
        write_string(json->out, at, 0, value, length, false);
}

void jsonout_texts(jsonout *json, const char *key, ...)
{
    va_list texts;
    jsonout_object(json, key, true);
    va_start(texts, key);
    for (const char *name; (name = va_arg(texts, const char *));)
        jsonout_string(json, name, va_arg(texts, const char *));
    va_end(texts);
    jsonout_end(json);
}

void jsonout_count(jsonout *json, const char *key, uint64_t value)
{
    before_value(json, key);
    char digits[20];
    size_t at = sizeof digits;
    if (value == ROOF_UNKNOWN) {
        text_puts(json->out, "null");
        return;
    }
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    text_add(json->out, digits + at, sizeof digits - at);
}

void jsonout_derived(jsonout *json, const char *key, double value)
{
    char number[40];
    before_value(json, key);
    text_add(json->out, number, (size_t)number_format_derived(number, sizeof number, value));
}

void jsonout_number(jsonout *json, const char *key, double value)
{
    char number[40];
    before_value(json, key);
    number_format(number, sizeof number, value);
    text_puts(json->out, number);
}

void jsonout_bool(jsonout *json, const char *key, bool value)
{
    before_value(json, key);
    text_puts(json->out, value ? "true" : "false");
}

void jsonout_null(jsonout *json, const char *key)
{
    before_value(json, key);
    text_puts(json->out, "null");
}

void jsonout_derived_pair(jsonout *j, const char *key, const double values[2])
{
    if (isnan(values[0]) || isnan(values[1])) {
        jsonout_null(j, key);
        return;
    }
    jsonout_array(j, key, true);
    jsonout_derived(j, NULL, values[0]);
    jsonout_derived(j, NULL, values[1]);
    jsonout_end(j);
}

void jsonout_answer(jsonout *j, const char *key, const roof_answer *a)
{
    static const char *const parts[] = {"accelerator", "host", "transfers", "launches"};
    double low, high;
    roof_answer_stated_ends(a, &low, &high);
    jsonout_object(j, key, true);
    jsonout_string(j, "kind", roof_answer_kind_text(a->kind));
    jsonout_derived(j, "value", a->value);
    jsonout_derived(j, "low", low);
    jsonout_derived(j, "high", high);
    jsonout_string(j, "unit", a->unit);
    jsonout_object(j, "covers", true);
    jsonout_array(j, "parts", true);
    for (uint32_t i = 0; i < N_OF(parts); i++)
        if (a->covers.parts & (1U << i))
            jsonout_string(j, NULL, parts[i]);
    jsonout_end(j);
    jsonout_count(j, "left_out", a->covers.left_out);
    jsonout_end(j);
    jsonout_string(j, "why", a->why);
    jsonout_end(j);
}
