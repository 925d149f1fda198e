#include "core/json/jsonpull.h"
#include "core/core.h"

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

WORD_OF(json_kind_text, json_kind, kind, NULL, [JSON_DONE] = "the end", [JSON_OBJECT] = "an object",
        [JSON_ARRAY] = "an array", [JSON_CLOSE] = "a bracket", [JSON_STRING] = "a string",
        [JSON_NUMBER] = "a number", [JSON_TRUE] = "true", [JSON_FALSE] = "false", [JSON_NULL] = "null")

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

/* The first failure stays, and the input ends with it, so that no step behind it has to ask. True for the
 * first. */
static bool begins_to_fail(jsonpull *p)
{
    p->at = p->end;
    p->input_ended = true;
    return p->failure.status == ROOF_OK;
}

static void fail_at(jsonpull *p, roof_status status, const char *what)
{
    if (begins_to_fail(p))
        error_line(&p->failure, status, p->line, "%s", what);
}

/* Fails with the text found in place of what the grammar wants. */
static void fail_want(jsonpull *p, const char *want)
{
    char shown[64];
    const char *found = p->window + p->at;
    const size_t left = p->end - p->at;
    if (!begins_to_fail(p))
        return;
    if (!left)
        error_line(&p->failure, ROOF_E_DATA, p->line, "is not JSON: it ends too early, want %s", want);
    else
        error_line(&p->failure, ROOF_E_DATA, p->line, "is not JSON at '%s': want %s",
                   quote_text(shown, sizeof shown, found, left < 12 ? left : 12), want);
}

/* The next byte, or -1 at the end of the input and behind a failure. */
static int peek(jsonpull *p)
{
    if (p->at >= p->end && !p->input_ended && p->buffer) {
        size_t got = 0;
        p->failure.status = p->source(p->context, p->buffer, WINDOW_BYTES, &got, &p->failure);
        p->at = 0;
        p->end = p->failure.status == ROOF_OK ? got : 0;
        p->input_ended = p->end == 0;
    }
    return p->at < p->end ? (unsigned char)p->window[p->at] : -1;
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

/* The next byte that is no space, left in its place. */
static int skip_space(jsonpull *p)
{
    for (;;) {
        const int c = peek(p);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            p->line += c == '\n';
            p->at++;
        } else if (!skip_comment(p)) {
            return c;
        }
    }
}

static void want_byte(jsonpull *p, char byte, const char *want)
{
    if (peek(p) == (unsigned char)byte)
        p->at++;
    else
        fail_want(p, want);
}

/* --- strings -------------------------------------------------------------------------------------------- */

static uint32_t read_hex4(jsonpull *p)
{
    uint32_t code = 0;
    for (int i = 0; i < 4; i++) {
        const int c = peek(p);
        if (c < 0 || text_digit((char)c) > 15) {
            fail_want(p, "four hexadecimal digits after \\u");
            return 0;
        }
        code = code << 4 | text_digit((char)c);
        p->at++;
    }
    return code;
}

/* Behind the backslash. */
static void read_escape(jsonpull *p, textbuf *out)
{
    static const char escapes[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const int c = peek(p);
    const char *found = c > 0 ? strchr(escapes, c) : NULL;
    if (found) {
        p->at++;
        text_add(out, &values[found - escapes], 1);
        return;
    }
    want_byte(p, 'u', "one of \"\\/bfnrtu after a backslash");
    /* Behind "\u": one code point, of two escapes where the first is half of a surrogate pair. */
    uint32_t code = read_hex4(p);
    if (code == 0)
        fail_at(p, ROOF_E_DATA, "a string holds \\u0000, which no name or path can hold");
    bool is_half = code >= 0xdc00 && code < 0xe000;
    if (code >= 0xd800 && code < 0xdc00) {
        want_byte(p, '\\', "the other half of a surrogate pair");
        want_byte(p, 'u', "the other half of a surrogate pair");
        const uint32_t low = read_hex4(p);
        is_half = low < 0xdc00 || low >= 0xe000;
        code = 0x10000 + ((code - 0xd800) << 10 | (low & 0x3ff));
    }
    if (is_half)
        fail_at(p, ROOF_E_DATA, "a string holds half of a surrogate pair");
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    char bytes[4] = {(char)(first[more] | code >> 6 * more)};
    for (unsigned i = 1; i <= more; i++)
        bytes[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3f));
    text_add(out, bytes, more + 1);
}

/* Behind the opening quote; behind the closing one afterwards. */
static void read_string(jsonpull *p, textbuf *out)
{
    int c = -1;
    out->length = 0;
    text_add(out, "", 0);
    while (!out->failed && (c = peek(p)) >= 0x20 && c != '"') {
        if (c == '\\') {
            p->at++;
            read_escape(p, out);
            continue;
        }
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
    /* A piece is at most a window, so a failure far from the limit is a lack of memory. */
    if (out->failed && out->length >= LONGEST_STRING - WINDOW_BYTES)
        fail_at(p, ROOF_E_LIMIT, "a string is longer than 1 MiB");
    else if (out->failed && begins_to_fail(p))
        error_memory(&p->failure);
    else if (c < 0)
        fail_at(p, ROOF_E_DATA, "a string has no end");
    else if (c < 0x20)
        fail_at(p, ROOF_E_DATA, "a string holds a control character");
    else if (utf8_before(out->bytes, out->length, UTF8_BAD) < out->length)
        fail_at(p, ROOF_E_DATA, "a string holds bytes that are not UTF-8");
    else
        p->at++;
}

/* --- numbers and words ---------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* All bytes that may belong to a number or a word, in any order. A token that is too long fails later. */
static size_t take_token(jsonpull *p, char *token, size_t size)
{
    size_t length = 0;
    int c;
    while ((c = peek(p)) > 0 && length + 1 < size &&
           ((c >= '0' && c <= '9') || is_letter((char)c) || strchr("+-.", c))) {
        token[length++] = (char)c;
        p->at++;
    }
    token[length] = '\0';
    return length;
}

/* A number, or a word. */
static void read_token(jsonpull *p, bool is_number, json_event *out)
{
    static const struct {
        const char *word;
        json_kind kind;
    } words[] = {{"true", JSON_TRUE}, {"false", JSON_FALSE}, {"null", JSON_NULL}};
    char token[NUMBER_SIZE], shown[40];
    const size_t length = take_token(p, token, sizeof token);
    const char *why = NULL;
    out->kind = JSON_NUMBER;
    if (is_number && !number_parse_json(token, length, &out->number))
        why = "is not a number as JSON writes them";
    else if (is_number && !isfinite(out->number))
        why = "is too large a number";
    else if (!is_number && !length)
        fail_want(p, "a value");
    else if (!is_number) {
        const uint32_t i = NAMED_AT(words, N_OF(words), word, token);
        out->kind = i < N_OF(words) ? words[i].kind : JSON_NULL;
        why = i < N_OF(words) ? NULL : "is no JSON value";
    }
    if (why && begins_to_fail(p))
        error_line(&p->failure, ROOF_E_DATA, p->line, "'%s' %s",
                   quote_text(shown, sizeof shown, token, strlen(token)), why);
}

/* --- structure ------------------------------------------------------------------------------------------ */

static void read_value(jsonpull *p, int c, json_event *out)
{
    const bool opens = c == '{' || c == '[';
    if (opens && p->depth == JSON_DEEPEST) {
        fail_at(p, ROOF_E_LIMIT, "is nested deeper than 64 levels");
    } else if (opens) {
        level *opened = &p->levels[p->depth++];
        opened->is_object = c == '{';
        opened->values = 0;
        p->at++;
        out->kind = opened->is_object ? JSON_OBJECT : JSON_ARRAY;
    } else if (c != '"') {
        read_token(p, c == '-' || (c >= '0' && c <= '9'), out);
    } else {
        p->at++;
        read_string(p, &p->text);
        out->kind = JSON_STRING;
        out->text = p->text.bytes;
        out->text_length = p->text.length;
    }
}

/* In a loose document: a name that only ends with a quote. */
static bool lacks_quote(const jsonpull *p)
{
    size_t at = p->at;
    while (at < p->end && (is_letter(p->window[at]) || p->window[at] == '_'))
        at++;
    return p->is_loose && at > p->at && p->end - at > 1 && memcmp(p->window + at, "\":", 2) == 0;
}

/* Inside of an object or array: its end, or a value with what stands before it. */
static void next_inside(jsonpull *p, json_event *out)
{
    level *top = &p->levels[p->depth - 1];
    const char closing = top->is_object ? '}' : ']';
    /* a loose document may lack the comma between a closed object and a text, and have one behind the last */
    const bool may_lack = p->is_loose && p->last == JSON_CLOSE && p->levels[p->depth].is_object;
    int c = skip_space(p);
    if (top->values && c != closing && !(may_lack && c == '"')) {
        want_byte(p, ',', top->is_object ? "a comma or }" : "a comma or ]");
        c = skip_space(p);
        if (c == closing && !p->is_loose)
            c = 0; /* no value, and no end */
    }
    if (c == closing) {
        p->at++;
        p->depth--;
        p->document_ended = p->depth == 0;
        out->kind = JSON_CLOSE;
        return;
    }
    if (top->is_object) {
        if (c == '"')
            p->at++;
        else if (!lacks_quote(p))
            fail_want(p, "the name of a member");
        read_string(p, &p->key);
        if (p->failure.status == ROOF_OK) {
            const size_t kept = p->key.length < KEY_SIZE ? p->key.length : KEY_SIZE - 1;
            memcpy(top->key, p->key.bytes, kept);
            top->key[kept] = '\0';
        }
        out->key = p->key.bytes;
        skip_space(p);
        want_byte(p, ':', "a colon");
        c = skip_space(p);
    }
    if (p->failure.status != ROOF_OK) /* the last place stays */
        return;
    top->values++;
    read_value(p, c, out);
}

static void next_outside(jsonpull *p, json_event *out)
{
    /* The byte order mark that Windows puts before UTF-8; RFC 8259 lets readers ignore it. */
    static const char mark[] = "\xef\xbb\xbf";
    for (size_t i = 0; !p->begun && (i || peek(p) == 0xef) && i < sizeof mark - 1; i++)
        want_byte(p, mark[i], "a byte order mark");
    p->begun = true;
    const int c = skip_space(p);
    if (p->document_ended) {
        if (c >= 0)
            fail_at(p, ROOF_E_DATA, "more text follows the end of the document");
    } else if (c >= 0) {
        read_value(p, c, out);
        p->document_ended = p->depth == 0;
    } else if (begins_to_fail(p)) {
        error_set(&p->failure, ROOF_E_DATA, "is empty, want a JSON document");
    }
}

roof_status jsonpull_next(jsonpull *p, json_event *out, roof_error *err)
{
    json_event event = {.kind = JSON_DONE, .number = NAN};
    if (p->failure.status == ROOF_OK)
        (p->depth ? next_inside : next_outside)(p, &event);
    if (p->failure.status == ROOF_OK) {
        p->last = event.kind;
        *out = event;
    } else if (err) {
        *err = p->failure;
    }
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
