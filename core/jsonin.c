#include "core/jsonin.h"
#include "core/error.h"
#include "core/quantity.h"
#include "core/text.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* cJSON checks the structure: brackets, commas, colons, literals. Before it runs, a scan of our own checks
 * what cJSON lets pass (depth, UTF-8, control characters, \u0000, the grammar of numbers) and blanks every
 * number to 0, since cJSON would read it with the decimal point of the caller's locale. Afterwards the
 * numbers of the original text are put into the tree: both are in document order. */
enum { LARGEST_DOCUMENT_BYTES = 64 << 20, DEEPEST_LEVEL = 64, FEW_KEYS = 16, READ_BYTES = 64 << 10 };

typedef struct scanner {
    const char *text;
    size_t size, at;
    roof_error *err;
} scanner;

static uint64_t line_of(const char *text, size_t at)
{
    uint64_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

static roof_status fail_here(const scanner *s, roof_status status, size_t at, const char *what)
{
    return roof_fail_line(s->err, status, line_of(s->text, at), "%s", what);
}

/* JSON allows DEL and the C1 controls in strings, roof_text_first_bad does not. */
static size_t allowed_control(const char *text, size_t length)
{
    const unsigned char *p = (const unsigned char *)text;
    if (p[0] == 0x7f)
        return 1;
    return length > 1 && p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0 ? 2 : 0;
}

static roof_status check_text(const scanner *s, size_t from, size_t to)
{
    while (from < to) {
        from += roof_text_first_bad(s->text + from, to - from);
        size_t skip = from < to ? allowed_control(s->text + from, to - from) : 0;
        if (from < to && !skip)
            return fail_here(s, ROOF_E_DATA, from,
                             "a string holds a control character or bytes that are not UTF-8");
        from += skip;
    }
    return ROOF_OK;
}

/* s->at is on the opening quote, and behind the closing one afterwards. */
static roof_status scan_string(scanner *s)
{
    const size_t start = s->at + 1;
    size_t at = start;
    while (at < s->size && s->text[at] != '"') {
        if (s->text[at] == '\\' && s->size - at >= 6 && memcmp(s->text + at, "\\u0000", 6) == 0)
            return fail_here(s, ROOF_E_DATA, at, "a string holds \\u0000, which no name or path can hold");
        at += s->text[at] == '\\' && at + 1 < s->size ? 2 : 1;
    }
    if (at >= s->size)
        return fail_here(s, ROOF_E_DATA, s->at, "a string has no end");
    s->at = at + 1;
    return check_text(s, start, at);
}

static bool is_digit_at(const scanner *s, size_t at)
{
    return at < s->size && s->text[at] >= '0' && s->text[at] <= '9';
}

/* roof_number_parse also takes +1, .5, 5. and 01; JSON does not. */
static bool is_json_number(const scanner *s, size_t length)
{
    const char *token = s->text + s->at;
    const size_t first = token[0] == '-' ? 1 : 0;
    if (!is_digit_at(s, s->at + first) || (token[first] == '0' && is_digit_at(s, s->at + first + 1)))
        return false;
    const char *point = memchr(token, '.', length);
    return !point || is_digit_at(s, s->at + (size_t)(point - token) + 1);
}

/* s->at is on the first character, and behind the last one afterwards. */
static roof_status scan_number(scanner *s, double *value)
{
    const size_t used = roof_number_parse(s->text + s->at, s->size - s->at, value);
    if (!used || !is_json_number(s, used))
        return fail_here(s, ROOF_E_DATA, s->at, "is not a number as JSON writes them");
    if (!isfinite(*value))
        return fail_here(s, ROOF_E_DATA, s->at, "a number is too large");
    s->at += used;
    return ROOF_OK;
}

static bool begins_number(char c)
{
    return c == '-' || (c >= '0' && c <= '9');
}

/* Numbers become '0' and spaces: same length, so that positions in the copy are positions in the text. */
static roof_status scan_number_away(scanner *s, char *copy)
{
    double value;
    const size_t start = s->at;
    ROOF_TRY(scan_number(s, &value));
    memset(copy + start, ' ', s->at - start);
    copy[start] = '0';
    return ROOF_OK;
}

static roof_status scan_document(scanner *s, char *copy)
{
    unsigned depth = 0;
    while (s->at < s->size) {
        const char c = s->text[s->at];
        if (c == '"') {
            ROOF_TRY(scan_string(s));
            continue;
        }
        if (begins_number(c)) {
            ROOF_TRY(scan_number_away(s, copy));
            continue;
        }
        if ((unsigned char)c < 0x20 && !strchr("\t\n\r", c ? c : 'x'))
            return fail_here(s, ROOF_E_DATA, s->at, "a control character is outside of a string");
        if ((c == '{' || c == '[') && ++depth > DEEPEST_LEVEL)
            return fail_here(s, ROOF_E_LIMIT, s->at, "is nested deeper than 64 levels");
        if ((c == '}' || c == ']') && depth)
            depth--;
        s->at++;
    }
    return ROOF_OK;
}

/* The next number of the original text; scan_document has accepted it already. */
static roof_status next_number(scanner *s, double *value)
{
    while (s->at < s->size && !begins_number(s->text[s->at])) {
        if (s->text[s->at] == '"')
            ROOF_TRY(scan_string(s));
        else
            s->at++;
    }
    return s->at < s->size ? scan_number(s, value) : roof_fail(s->err, ROOF_E_INTERNAL, "a number got lost");
}

/* Depth is at most DEEPEST_LEVEL: the scan has seen to it. */
static roof_status restore_numbers(scanner *s, cJSON *node)
{
    for (cJSON *child = node->child; child; child = child->next)
        ROOF_TRY(restore_numbers(s, child));
    if (!cJSON_IsNumber(node))
        return ROOF_OK;
    return next_number(s, &node->valuedouble); /* valueint stays 0: nothing here reads it */
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A key that node has twice, or NULL. keys: room for all of them. */
static const char *repeated_key(const cJSON *node, const char **keys)
{
    size_t n = 0;
    for (const cJSON *child = node->child; child; child = child->next)
        keys[n++] = child->string;
    qsort(keys, n, sizeof *keys, compare_keys);
    for (size_t i = 1; i < n; i++)
        if (strcmp(keys[i - 1], keys[i]) == 0)
            return keys[i];
    return NULL;
}

static roof_status check_keys_here(const cJSON *node, roof_error *err)
{
    const char *few[FEW_KEYS], **keys = few, *key;
    const size_t n = roof_json_size(node);
    if (n > FEW_KEYS && !(keys = malloc(n * sizeof *keys)))
        return roof_fail_memory(err);
    key = repeated_key(node, keys);
    if (keys != few)
        free(keys);
    if (!key)
        return ROOF_OK;
    char shown[100];
    return roof_fail(err, ROOF_E_DATA, "the key '%s' is there twice",
                     roof_quote(shown, sizeof shown, key, strlen(key)));
}

static void prefix_pointer(roof_error *err, const cJSON *node, size_t index)
{
    char step[256];
    if (node->string)
        roof_json_pointer_step(step, sizeof step, node->string);
    else
        snprintf(step, sizeof step, "%zu", index);
    /* "/a" before "/b: ..." must become "/a/b: ...", where prefixing would write "/a: /b: ...". */
    if (err && err->where[0] == '/') {
        char rest[sizeof err->where];
        memcpy(rest, err->where, sizeof rest);
        snprintf(err->where, sizeof err->where, "/%.250s%.250s", step, rest);
    } else {
        roof_error_prefix(err, "/%s", step);
    }
}

static roof_status check_keys(const cJSON *node, roof_error *err)
{
    size_t index = 0;
    if (cJSON_IsObject(node))
        ROOF_TRY(check_keys_here(node, err));
    for (const cJSON *child = node->child; child; child = child->next, index++) {
        roof_status status = check_keys(child, err);
        if (status != ROOF_OK) {
            prefix_pointer(err, child, index);
            return status;
        }
    }
    return ROOF_OK;
}

static size_t skip_space(const char *text, size_t size, size_t at)
{
    while (at < size && strchr(" \t\n\r", text[at] ? text[at] : 'x'))
        at++;
    return at;
}

/* at: where cJSON gave up, which may be inside of a word. */
static roof_status fail_syntax(const char *text, size_t size, size_t at, roof_error *err)
{
    char shown[64];
    at = at < size ? at : size;
    while (at > 0 && at < size && !strchr(" \t\n\r,:[]{}", text[at - 1]))
        at--;
    at = skip_space(text, size, at);
    if (at >= size)
        return roof_fail_line(err, ROOF_E_DATA, line_of(text, size), "is not JSON: it ends too early");
    const size_t left = size - at;
    roof_quote(shown, sizeof shown, text + at, left < 12 ? left : 12);
    return roof_fail_line(err, ROOF_E_DATA, line_of(text, at), "is not JSON at '%s'", shown);
}

/* copy: text with its numbers blanked, NUL-terminated. */
static roof_status build_tree(const char *text, const char *copy, size_t size, cJSON **out, roof_error *err)
{
    const char *end = copy;
    cJSON *root = cJSON_ParseWithLengthOpts(copy, size + 1, &end, 0);
    const size_t used = (size_t)(end - copy);
    if (!root)
        return fail_syntax(text, size, used, err);
    const size_t rest = skip_space(copy, size, used); /* of the copy: spaces follow a blanked number */
    scanner numbers = {.text = text, .size = size, .err = err};
    roof_status status;
    if (rest < size)
        status = roof_fail_line(err, ROOF_E_DATA, line_of(text, rest),
                                "more text follows the end of the document");
    else if ((status = restore_numbers(&numbers, root)) == ROOF_OK)
        status = check_keys(root, err);
    if (status == ROOF_OK)
        *out = root;
    else
        cJSON_Delete(root);
    return status;
}

roof_status roof_json_parse(const char *text, size_t size, roof_json **out, roof_error *err)
{
    *out = NULL;
    if (size > LARGEST_DOCUMENT_BYTES)
        return roof_fail(err, ROOF_E_LIMIT, "is larger than 64 MiB, the most that is read as JSON");
    if (skip_space(text, size, 0) == size)
        return roof_fail(err, ROOF_E_DATA, "is empty, want a JSON document");
    char *copy = malloc(size + 1);
    if (!copy)
        return roof_fail_memory(err);
    memcpy(copy, text, size);
    copy[size] = '\0';
    scanner s = {.text = text, .size = size, .err = err};
    roof_status status = scan_document(&s, copy);
    if (status == ROOF_OK)
        status = build_tree(text, copy, size, out, err);
    free(copy);
    return status;
}

static roof_status read_all(int fd, roof_text *text, roof_error *err)
{
    char block[READ_BYTES];
    for (;;) {
        ssize_t n = read(fd, block, sizeof block);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EISDIR)
            return roof_fail(err, ROOF_E_NO_INPUT, "is a directory, want a file");
        if (n < 0)
            return roof_fail(err, ROOF_E_IO, "cannot read: %s", strerror(errno));
        if (n == 0)
            return roof_text_status(text, err);
        if ((size_t)n > LARGEST_DOCUMENT_BYTES - text->length)
            return roof_fail(err, ROOF_E_LIMIT, "is larger than 64 MiB, the most that is read as JSON");
        roof_text_add(text, block, (size_t)n);
    }
}

roof_status roof_json_read(const char *path, roof_json **out, roof_error *err)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    roof_text text;
    roof_status status;
    *out = NULL;
    roof_text_init(&text, (size_t)LARGEST_DOCUMENT_BYTES + 2);
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        status =
            roof_fail(err, errno == EIO ? ROOF_E_IO : ROOF_E_NO_INPUT, "cannot open: %s", strerror(errno));
    else
        status = read_all(fd, &text, err);
    if (status == ROOF_OK)
        status = roof_json_parse(text.bytes ? text.bytes : "", text.length, out, err);
    if (status != ROOF_OK)
        roof_error_prefix(err, "%s", is_stdin ? "standard input" : path);
    if (fd >= 0 && !is_stdin)
        close(fd);
    roof_text_free(&text);
    return status;
}

void roof_json_free(roof_json *root)
{
    cJSON_Delete(root);
}

const roof_json *roof_json_get(const roof_json *node, const char *key)
{
    if (!cJSON_IsObject(node))
        return NULL;
    for (const cJSON *child = node->child; child; child = child->next)
        if (strcmp(child->string, key) == 0)
            return child;
    return NULL;
}

const char *roof_json_pointer_step(char *buffer, size_t size, const char *key)
{
    char escaped[200], shown[200];
    size_t used = 0;
    roof_quote(shown, sizeof shown, key, strlen(key));
    for (const char *p = shown; *p && used + 3 < sizeof escaped; p++) {
        if (*p == '~' || *p == '/') {
            escaped[used++] = '~';
            escaped[used++] = *p == '~' ? '0' : '1';
        } else {
            escaped[used++] = *p;
        }
    }
    escaped[used] = '\0';
    snprintf(buffer, size, "%s", escaped);
    return buffer;
}

static const char *type_text(const roof_json *node)
{
    static const struct {
        int type;
        const char *text;
    } types[] = {{cJSON_False, "is false"},     {cJSON_True, "is true"},       {cJSON_NULL, "is null"},
                 {cJSON_Number, "is a number"}, {cJSON_String, "is a string"}, {cJSON_Array, "is an array"},
                 {cJSON_Object, "is an object"}};
    for (size_t i = 0; node && i < sizeof types / sizeof *types; i++)
        if ((node->type & 0xff) == types[i].type)
            return types[i].text;
    return "is missing";
}

static roof_status fail_member(const char *pointer, const char *key, const char *found, const char *want,
                               roof_error *err)
{
    char step[200];
    roof_status status = roof_fail(err, ROOF_E_DATA, "%s, want %s", found, want);
    roof_error_prefix(err, "%s/%s", pointer, roof_json_pointer_step(step, sizeof step, key));
    return status;
}

/* The member under key when is_wanted says yes. */
static roof_status member(const roof_json *node, const char *pointer, const char *key,
                          bool (*is_wanted)(const roof_json *), const char *want, const roof_json **out,
                          roof_error *err)
{
    const roof_json *child = roof_json_get(node, key);
    if (!child || !is_wanted(child))
        return fail_member(pointer, key, type_text(child), want, err);
    *out = child;
    return ROOF_OK;
}

roof_status roof_json_string(const roof_json *node, const char *pointer, const char *key, const char **out,
                             roof_error *err)
{
    const roof_json *child;
    ROOF_TRY(member(node, pointer, key, roof_json_is_string, "a string", &child, err));
    *out = child->valuestring;
    return ROOF_OK;
}

roof_status roof_json_number(const roof_json *node, const char *pointer, const char *key, double *out,
                             roof_error *err)
{
    const roof_json *child;
    ROOF_TRY(member(node, pointer, key, roof_json_is_number, "a number", &child, err));
    *out = child->valuedouble;
    return ROOF_OK;
}

roof_status roof_json_count(const roof_json *node, const char *pointer, const char *key, uint64_t *out,
                            roof_error *err)
{
    const double largest = 9007199254740992.0; /* 2^53: beyond, neighbours share a double */
    char found[48];
    double value;
    ROOF_TRY(roof_json_number(node, pointer, key, &value, err));
    if (value >= 0 && value <= largest && !(value > floor(value))) {
        *out = (uint64_t)value;
        return ROOF_OK;
    }
    memcpy(found, "is ", 4);
    roof_number_format(found + 3, sizeof found - 3, value);
    return fail_member(pointer, key, found, "a whole number from 0 to 2^53", err);
}

roof_status roof_json_array(const roof_json *node, const char *pointer, const char *key,
                            const roof_json **out, roof_error *err)
{
    return member(node, pointer, key, roof_json_is_array, "an array", out, err);
}

roof_status roof_json_object(const roof_json *node, const char *pointer, const char *key,
                             const roof_json **out, roof_error *err)
{
    return member(node, pointer, key, roof_json_is_object, "an object", out, err);
}

bool roof_json_is_string(const roof_json *node)
{
    return cJSON_IsString(node);
}

bool roof_json_is_number(const roof_json *node)
{
    return cJSON_IsNumber(node);
}

bool roof_json_is_object(const roof_json *node)
{
    return cJSON_IsObject(node);
}

bool roof_json_is_array(const roof_json *node)
{
    return cJSON_IsArray(node);
}

bool roof_json_is_bool(const roof_json *node)
{
    return cJSON_IsBool(node);
}

bool roof_json_is_null(const roof_json *node)
{
    return cJSON_IsNull(node);
}

bool roof_json_is_true(const roof_json *node)
{
    return cJSON_IsTrue(node);
}

const char *roof_json_text(const roof_json *node)
{
    return cJSON_IsString(node) ? node->valuestring : NULL;
}

double roof_json_value(const roof_json *node)
{
    return cJSON_IsNumber(node) ? node->valuedouble : NAN;
}

const char *roof_json_key(const roof_json *node)
{
    return node ? node->string : NULL;
}

const roof_json *roof_json_first(const roof_json *node)
{
    return node ? node->child : NULL;
}

const roof_json *roof_json_next(const roof_json *node)
{
    return node ? node->next : NULL;
}

size_t roof_json_size(const roof_json *node)
{
    size_t n = 0;
    for (const roof_json *child = roof_json_first(node); child; child = child->next)
        n++;
    return n;
}
