#include "core/json/jsonpull.h"
#include "core/error.h"
#include "core/quantity.h"
#include "core/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW_BYTES = 64 << 10, KEY_SIZE = 128, LONGEST_STRING = 1 << 20 };
enum { NUMBER_SIZE = 1102 }; /* one more than number_parse takes */

/* One object or array that is open. */
typedef struct level {
    bool is_object;
    uint64_t values;    /* begun so far */
    char key[KEY_SIZE]; /* of the last member, as far as it fits */
} level;

struct jsonpull {
    json_source source;
    void *context;
    char *buffer;       /* what the source fills; NULL: the document is in memory */
    const char *window; /* that, or the whole document */
    size_t at, end;
    bool is_loose, input_ended, begun, document_ended;
    uint64_t line;
    textbuf key, text;
    unsigned depth;
    json_kind last;
    level levels[JSON_DEEPEST];
    roof_error failure; /* status OK while there is none */
};

const char *json_kind_text(json_kind kind)
{
    static const char *const texts[] = {
        [JSON_DONE] = "the end",    [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array",
        [JSON_CLOSE] = "a bracket", [JSON_STRING] = "a string",  [JSON_NUMBER] = "a number",
        [JSON_TRUE] = "true",       [JSON_FALSE] = "false",      [JSON_NULL] = "null"};
    return texts[kind];
}

static jsonpull *new_puller(char *buffer)
{
    jsonpull *p = calloc(1, sizeof *p);
    if (!p) {
        free(buffer);
        return NULL;
    }
    p->window = p->buffer = buffer;
    p->line = 1;
    text_init(&p->key, LONGEST_STRING);
    text_init(&p->text, LONGEST_STRING);
    return p;
}

jsonpull *jsonpull_new(json_source source, void *context)
{
    char *buffer = malloc(WINDOW_BYTES);
    jsonpull *p = buffer ? new_puller(buffer) : NULL;
    if (!p)
        return NULL;
    p->source = source;
    p->context = context;
    return p;
}

jsonpull *jsonpull_of_memory(const void *bytes, size_t size)
{
    jsonpull *p = new_puller(NULL);
    if (!p)
        return NULL;
    p->window = bytes;
    p->end = size;
    return p;
}

jsonpull *jsonpull_of_loose(const void *bytes, size_t size)
{
    jsonpull *p = jsonpull_of_memory(bytes, size);
    if (p)
        p->is_loose = true;
    return p;
}

void jsonpull_free(jsonpull *p)
{
    if (!p)
        return;
    text_free(&p->key);
    text_free(&p->text);
    free(p->buffer);
    free(p);
}

uint64_t jsonpull_line(const jsonpull *p)
{
    return p->line;
}

/* --- bytes ---------------------------------------------------------------------------------------------- */

/* The next byte, or -1 at the end of the input. */
static roof_status peek(jsonpull *p, int *c, roof_error *err)
{
    /* Makes sure that the window has a byte, unless the input has ended. */
    size_t got = 0;
    if (!(p->at < p->end || p->input_ended || !p->buffer)) {
        TRY(p->source(p->context, p->buffer, WINDOW_BYTES, &got, err));
        p->at = 0;
        p->end = got;
        p->input_ended = got == 0;
    }
    *c = p->at < p->end ? (unsigned char)p->window[p->at] : -1;
    return ROOF_OK;
}

/* In a loose document: passes a comment, but for the end of its line. False where none stands. */
static bool skip_comment(jsonpull *p)
{
    size_t left = p->end - p->at;
    if (!p->is_loose || left < 2 || p->window[p->at] != '/')
        return false;
    const char *at = p->window + p->at, *end = NULL;
    if (at[1] == '/' && !(end = memchr(at, '\n', left)))
        end = at + left;
    if (at[1] == '*' && (end = memmem(at + 2, left - 2, "*/", 2)))
        end += 2;
    for (; end && at < end; at++)
        p->line += *at == '\n';
    p->at = (size_t)(at - p->window);
    return end;
}

static roof_status skip_space(jsonpull *p, int *c, roof_error *err)
{
    for (;;) {
        TRY(peek(p, c, err));
        if (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\r') {
            p->line += *c == '\n';
            p->at++;
        } else if (!skip_comment(p)) {
            return ROOF_OK;
        }
    }
}

static roof_status fail_at(const jsonpull *p, roof_status status, const char *what, roof_error *err)
{
    return error_line(err, status, p->line, "%s", what);
}

/* Error with the text found in place of what the grammar wants. */
static roof_status fail_want(const jsonpull *p, const char *want, roof_error *err)
{
    char shown[64];
    size_t left = p->end - p->at;
    if (!left)
        return error_line(err, ROOF_E_DATA, p->line, "is not JSON: it ends too early, want %s", want);
    quote_text(shown, sizeof shown, p->window + p->at, left < 12 ? left : 12);
    return error_line(err, ROOF_E_DATA, p->line, "is not JSON at '%s': want %s", shown, want);
}

/* --- strings -------------------------------------------------------------------------------------------- */

static roof_status read_hex4(jsonpull *p, uint32_t *code, roof_error *err)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        int c;
        TRY(peek(p, &c, err));
        if (c < 0 || text_digit((char)c) > 15)
            return fail_want(p, "four hexadecimal digits after \\u", err);
        *code = *code << 4 | text_digit((char)c);
        p->at++;
    }
    return ROOF_OK;
}

static roof_status want_byte(jsonpull *p, char byte, const char *want, roof_error *err)
{
    int c;
    TRY(peek(p, &c, err));
    if (c != (unsigned char)byte)
        return fail_want(p, want, err);
    p->at++;
    return ROOF_OK;
}

/* Behind the backslash. */
static roof_status read_escape(jsonpull *p, textbuf *out, roof_error *err)
{
    static const char escapes[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    int c;
    TRY(peek(p, &c, err));
    const char *found = c > 0 ? strchr(escapes, c) : NULL;
    if (found) {
        p->at++;
        text_add(out, &values[found - escapes], 1);
        return ROOF_OK;
    }
    if (c != 'u')
        return fail_want(p, "one of \"\\/bfnrtu after a backslash", err);
    p->at++;
    /* Behind "\u": one code point, of two escapes where the first is half of a surrogate pair. */
    uint32_t code, low;
    TRY(read_hex4(p, &code, err));
    if (code == 0)
        return fail_at(p, ROOF_E_DATA, "a string holds \\u0000, which no name or path can hold", err);
    if (code >= 0xd800 && code < 0xdc00) {
        TRY(want_byte(p, '\\', "the other half of a surrogate pair", err));
        TRY(want_byte(p, 'u', "the other half of a surrogate pair", err));
        TRY(read_hex4(p, &low, err));
        if (low < 0xdc00 || low >= 0xe000)
            return fail_at(p, ROOF_E_DATA, "a string holds half of a surrogate pair", err);
        code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
    } else if (code >= 0xdc00 && code < 0xe000) {
        return fail_at(p, ROOF_E_DATA, "a string holds half of a surrogate pair", err);
    }
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    char bytes[4] = {(char)(first[more] | code >> 6 * more)};
    for (unsigned i = 1; i <= more; i++)
        bytes[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3f));
    text_add(out, bytes, more + 1);
    return ROOF_OK;
}

/* A piece is at most a window, so a failure far from the limit is a lack of memory. */
static roof_status fail_room(const jsonpull *p, const textbuf *out, roof_error *err)
{
    if (out->length < LONGEST_STRING - WINDOW_BYTES)
        return error_memory(err);
    return fail_at(p, ROOF_E_LIMIT, "a string is longer than 1 MiB", err);
}

/* Behind the opening quote; behind the closing one afterwards. */
static roof_status read_string(jsonpull *p, textbuf *out, roof_error *err)
{
    int c;
    out->length = 0;
    text_add(out, "", 0);
    for (;;) {
        TRY(peek(p, &c, err));
        if (c == '"')
            break;
        if (c < 0)
            return fail_at(p, ROOF_E_DATA, "a string has no end", err);
        if (c < 0x20)
            return fail_at(p, ROOF_E_DATA, "a string holds a control character", err);
        if (c == '\\') {
            p->at++;
            TRY(read_escape(p, out, err));
        } else {
            /* Plain bytes of a string up to the end of a window, the closing quote, an escape or a control
             * character. */
            size_t from = p->at;
            while (p->at < p->end && p->at - from < WINDOW_BYTES) {
                unsigned char byte = (unsigned char)p->window[p->at];
                if (byte == '"' || byte == '\\' || byte < 0x20)
                    break;
                p->at++;
            }
            text_add(out, p->window + from, p->at - from);
        }
        if (out->failed)
            return fail_room(p, out, err);
    }
    p->at++;
    if (out->failed) /* not even room for an empty one */
        return fail_room(p, out, err);
    if (utf8_before(out->bytes, out->length, UTF8_BAD) < out->length)
        return fail_at(p, ROOF_E_DATA, "a string holds bytes that are not UTF-8", err);
    return ROOF_OK;
}

/* --- numbers and words ---------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* All bytes that may belong to a number or a word, in any order. A token that is too long fails later. */
static roof_status take_token(jsonpull *p, char *token, size_t size, size_t *length, roof_error *err)
{
    *length = 0;
    for (;;) {
        int c;
        TRY(peek(p, &c, err));
        bool belongs = c > 0 && ((c >= '0' && c <= '9') || is_letter((char)c) || strchr("+-.", c));
        if (!belongs || *length + 1 == size)
            break;
        token[(*length)++] = (char)c;
        p->at++;
    }
    token[*length] = '\0';
    return ROOF_OK;
}

/* RFC 8259: number_parse also takes +1, .5, 5. and 01. */
static bool is_json_number(const char *token)
{
    const char *first = token + (token[0] == '-'), *point = strchr(token, '.');
    if (first[0] < '0' || first[0] > '9' || (first[0] == '0' && first[1] >= '0' && first[1] <= '9'))
        return false;
    return !point || (point[1] >= '0' && point[1] <= '9');
}

static roof_status fail_token(const jsonpull *p, const char *token, const char *what, roof_error *err)
{
    char shown[40];
    return error_line(err, ROOF_E_DATA, p->line, "'%s' %s",
                      quote_text(shown, sizeof shown, token, strlen(token)), what);
}

static roof_status read_word(jsonpull *p, json_event *out, roof_error *err)
{
    static const struct {
        const char *word;
        json_kind kind;
    } words[] = {{"true", JSON_TRUE}, {"false", JSON_FALSE}, {"null", JSON_NULL}};
    char token[NUMBER_SIZE];
    size_t length;
    TRY(take_token(p, token, sizeof token, &length, err));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(token, words[i].word) == 0) {
            out->kind = words[i].kind;
            return ROOF_OK;
        }
    }
    return length ? fail_token(p, token, "is no JSON value", err) : fail_want(p, "a value", err);
}

/* --- structure ------------------------------------------------------------------------------------------ */

static roof_status read_value(jsonpull *p, int c, json_event *out, roof_error *err)
{
    if (c == '{' || c == '[') {
        bool is_object = c == '{';
        if (p->depth == JSON_DEEPEST)
            return fail_at(p, ROOF_E_LIMIT, "is nested deeper than 64 levels", err);
        level *opened = &p->levels[p->depth++];
        opened->is_object = is_object;
        opened->values = 0;
        p->at++;
        out->kind = is_object ? JSON_OBJECT : JSON_ARRAY;
        return ROOF_OK;
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        char token[NUMBER_SIZE];
        size_t length;
        TRY(take_token(p, token, sizeof token, &length, err));
        if (number_parse(token, length, &out->number) != length || !is_json_number(token))
            return fail_token(p, token, "is not a number as JSON writes them", err);
        if (!isfinite(out->number))
            return fail_token(p, token, "is too large a number", err);
        out->kind = JSON_NUMBER;
        return ROOF_OK;
    }
    if (c != '"')
        return read_word(p, out, err);
    p->at++;
    TRY(read_string(p, &p->text, err));
    out->kind = JSON_STRING;
    out->text = p->text.bytes;
    out->text_length = p->text.length;
    return ROOF_OK;
}

/* In a loose document: a name that only ends with a quote. */
static bool lacks_quote(const jsonpull *p)
{
    size_t at = p->at;
    while (at < p->end && (is_letter(p->window[at]) || p->window[at] == '_'))
        at++;
    return p->is_loose && at > p->at && p->end - at > 1 && memcmp(p->window + at, "\":", 2) == 0;
}

static roof_status close_level(jsonpull *p, json_event *out)
{
    p->at++;
    p->depth--;
    p->document_ended = p->depth == 0;
    out->kind = JSON_CLOSE;
    return ROOF_OK;
}

/* Between two values; also of a loose document, where none may stand between a closed object and a text. */
static roof_status skip_comma(jsonpull *p, const level *top, int *c, roof_error *err)
{
    bool is_closed_object = p->last == JSON_CLOSE && p->levels[p->depth].is_object;
    if (p->is_loose && is_closed_object && *c == '"')
        return ROOF_OK;
    TRY(want_byte(p, ',', top->is_object ? "a comma or }" : "a comma or ]", err));
    return skip_space(p, c, err);
}

/* Inside of an object or array: its end, or a value with what stands before it. */
static roof_status next_inside(jsonpull *p, json_event *out, roof_error *err)
{
    level *top = &p->levels[p->depth - 1];
    const char closing = top->is_object ? '}' : ']';
    int c;
    TRY(skip_space(p, &c, err));
    if (c == closing)
        return close_level(p, out);
    if (top->values)
        TRY(skip_comma(p, top, &c, err));
    if (top->values && p->is_loose && c == closing) /* behind a comma */
        return close_level(p, out);
    if (top->is_object) {
        if (c == '"')
            p->at++;
        else if (!lacks_quote(p))
            return fail_want(p, "the name of a member", err);
        TRY(read_string(p, &p->key, err));
        size_t kept = p->key.length < KEY_SIZE ? p->key.length : KEY_SIZE - 1;
        memcpy(top->key, p->key.bytes, kept);
        top->key[kept] = '\0';
        out->key = p->key.bytes;
        TRY(skip_space(p, &c, err));
        TRY(want_byte(p, ':', "a colon", err));
        TRY(skip_space(p, &c, err));
    }
    top->values++;
    return read_value(p, c, out, err);
}

static roof_status next_outside(jsonpull *p, json_event *out, roof_error *err)
{
    int c;
    if (!p->begun) {
        /* The byte order mark that Windows puts before UTF-8; RFC 8259 lets readers ignore it. */
        static const char mark[] = "\xef\xbb\xbf";
        int first;
        TRY(peek(p, &first, err));
        for (size_t i = 0; first == 0xef && i < sizeof mark - 1; i++)
            TRY(want_byte(p, mark[i], "a byte order mark", err));
    }
    p->begun = true;
    TRY(skip_space(p, &c, err));
    if (p->document_ended)
        return c < 0 ? ROOF_OK : fail_at(p, ROOF_E_DATA, "more text follows the end of the document", err);
    if (c < 0)
        return error_set(err, ROOF_E_DATA, "is empty, want a JSON document");
    TRY(read_value(p, c, out, err));
    p->document_ended = p->depth == 0;
    return ROOF_OK;
}

roof_status jsonpull_next(jsonpull *p, json_event *out, roof_error *err)
{
    json_event event = {.kind = JSON_DONE, .number = NAN};
    if (p->failure.status == ROOF_OK) {
        roof_status status =
            p->depth ? next_inside(p, &event, &p->failure) : next_outside(p, &event, &p->failure);
        if (status == ROOF_OK) {
            p->last = event.kind;
            *out = event;
            return ROOF_OK;
        }
        p->failure.status = status;
    }
    if (err)
        *err = p->failure;
    return p->failure.status;
}

roof_status jsonpull_skip(jsonpull *p, roof_error *err)
{
    json_event event;
    if (p->last != JSON_OBJECT && p->last != JSON_ARRAY)
        return ROOF_OK;
    for (unsigned until = p->depth - 1; p->depth > until;)
        TRY(jsonpull_next(p, &event, err));
    return ROOF_OK;
}

const char *json_pointer_step(char *buffer, size_t size, const char *key)
{
    char shown[200];
    size_t used = 0;
    quote_text(shown, sizeof shown, key, strlen(key));
    for (const char *p = shown; *p && used + 3 < size; p++) {
        const bool is_special = *p == '~' || *p == '/';
        if (is_special)
            buffer[used++] = '~';
        buffer[used++] = !is_special ? *p : *p == '~' ? '0' : '1';
    }
    buffer[used] = '\0';
    return buffer;
}

const char *jsonpull_pointer(const jsonpull *p, char *buffer, size_t size)
{
    size_t used = 0;
    if (size)
        buffer[0] = '\0';
    for (unsigned i = 0; i < p->depth && used + 1 < size; i++) {
        const level *l = &p->levels[i];
        char step[256];
        if (!l->values)
            break; /* just opened */
        if (l->is_object)
            json_pointer_step(step, sizeof step, l->key);
        else
            snprintf(step, sizeof step, "%" PRIu64, l->values - 1);
        int n = snprintf(buffer + used, size - used, "/%s", step);
        used += n > 0 ? (size_t)n : 0;
    }
    return buffer;
}
