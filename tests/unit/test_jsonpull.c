/* JSON value by value: the grammar, places that are named, and windows that cut every token. */
#include "core/json/jsonpull.h"
#include "core/text.h"
#include "tests/unit/fixture.h"

typedef struct pieces {
    const char *text;
    size_t size, at, piece;
} pieces;

static roof_status read_piece(void *context, char *buffer, size_t size, size_t *got, roof_error *err)
{
    pieces *p = context;
    size_t left = p->size - p->at;
    (void)err;
    *got = p->piece < left ? p->piece : left;
    *got = *got < size ? *got : size;
    memcpy(buffer, p->text + p->at, *got);
    p->at += *got;
    return ROOF_OK;
}

static pieces pieces_of(const char *text, size_t piece)
{
    return (pieces){text, strlen(text), 0, piece};
}

/* All events in one line: "{ a=[ 1 'x' ] }". */
static void add_event(textbuf *out, const json_event *e)
{
    static const char *const words[] = {"", "{", "[", "close", "", "", "true", "false", "null"};
    if (e->kind == JSON_DONE)
        return;
    if (out->length)
        text_puts(out, " ");
    if (e->key)
        text_printf(out, "%s=", e->key);
    if (e->kind == JSON_STRING)
        text_printf(out, "'%s'", e->text);
    else if (e->kind == JSON_NUMBER)
        text_printf(out, "%g", e->number);
    else
        text_puts(out, words[e->kind]);
}

/* Frees the puller. */
static roof_status pull_all(jsonpull *p, textbuf *out, roof_error *err)
{
    json_event e = {.kind = JSON_NULL};
    roof_status status = ROOF_OK;
    assert_non_null(p);
    while (status == ROOF_OK && e.kind != JSON_DONE) {
        status = jsonpull_next(p, &e, err);
        if (status == ROOF_OK)
            add_event(out, &e);
    }
    if (status != ROOF_OK) /* and the same again */
        assert_int_equal(jsonpull_next(p, &e, NULL), status);
    jsonpull_free(p);
    return status;
}

static void documents_come_value_by_value_however_they_are_cut(void **state)
{
    static const struct {
        const char *text, *events;
    } rows[] = {
        {"1", "1"},
        {" -0.5e+3 \n", "-500"},
        {"{}", "{ close"},
        {"[]", "[ close"},
        {"{\"a\":[1,true,false,null],\"b\":{\"c\":\"x\"},\"\":2}",
         "{ a=[ 1 true false null close b={ c='x' close =2 close"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "'\"\\/\b\f\n\r\t'"},
        {"\"\\u00e4\\u20AC\\ud83d\\uDE00\"", "'\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80'"},
        {"\xef\xbb\xbf[\"\xc3\xa4\"]", "[ '\xc3\xa4' close"},
        {"[[[[]]],{}]", "[ [ [ [ close close close { close close"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (size_t piece = 1; piece < 9; piece++) {
            textbuf out;
            pieces input = pieces_of(rows[i].text, piece);
            text_init(&out, TEXT_MAX_BYTES);
            assert_int_equal(pull_all(jsonpull_new(read_piece, &input), &out, NULL), ROOF_OK);
            assert_string_equal(out.bytes, rows[i].events);
            text_free(&out);
        }
    }
}

static void what_is_no_json_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *text;
        roof_status status;
        uint64_t line;
        const char *what;
    } rows[] = {
        {"", ROOF_E_DATA, ROOF_UNKNOWN, "is empty, want a JSON document"},
        {"\n\n", ROOF_E_DATA, ROOF_UNKNOWN, "is empty, want a JSON document"},
        {"[1,\n2", ROOF_E_DATA, 2, "is not JSON: it ends too early, want a comma or ]"},
        {"{\"a\"", ROOF_E_DATA, 1, "is not JSON: it ends too early, want a colon"},
        {"{\"a\":1\n\"b\":2}", ROOF_E_DATA, 2, "is not JSON at '\"b\":2}': want a comma or }"},
        {"{a:1}", ROOF_E_DATA, 1, "is not JSON at 'a:1}': want the name of a member"},
        {"{\"a\":1,}", ROOF_E_DATA, 1, "is not JSON at '}': want the name of a member"},
        {"[1,]", ROOF_E_DATA, 1, "is not JSON at ']': want a value"},
        {"[1}", ROOF_E_DATA, 1, "is not JSON at '}': want a comma or ]"},
        {"[1] x", ROOF_E_DATA, 1, "more text follows the end of the document"},
        {"[01]", ROOF_E_DATA, 1, "'01' is not a number as JSON writes them"},
        {"[5.]", ROOF_E_DATA, 1, "'5.' is not a number as JSON writes them"},
        {"[-]", ROOF_E_DATA, 1, "'-' is not a number as JSON writes them"},
        {"[1e400]", ROOF_E_DATA, 1, "'1e400' is too large a number"},
        {"[NaN]", ROOF_E_DATA, 1, "'NaN' is no JSON value"},
        {"[+1]", ROOF_E_DATA, 1, "'+1' is no JSON value"},
        {"[truer]", ROOF_E_DATA, 1, "'truer' is no JSON value"},
        {"\"a", ROOF_E_DATA, 1, "a string has no end"},
        {"\"\t\"", ROOF_E_DATA, 1, "a string holds a control character"},
        {"\"\\x\"", ROOF_E_DATA, 1, "is not JSON at 'x\"': want one of \"\\/bfnrtu after a backslash"},
        {"\"\\u00g0\"", ROOF_E_DATA, 1, "is not JSON at 'g0\"': want four hexadecimal digits after \\u"},
        {"\"\\u0000\"", ROOF_E_DATA, 1, "a string holds \\u0000, which no name or path can hold"},
        {"\"\\ud800\\u0041\"", ROOF_E_DATA, 1, "a string holds half of a surrogate pair"},
        {"\"\\udc00\"", ROOF_E_DATA, 1, "a string holds half of a surrogate pair"},
        {"\"\xff\"", ROOF_E_DATA, 1, "a string holds bytes that are not UTF-8"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        textbuf out;
        roof_error err = {0};
        pieces input = pieces_of(rows[i].text, SIZE_MAX);
        text_init(&out, TEXT_MAX_BYTES);
        assert_int_equal(pull_all(jsonpull_new(read_piece, &input), &out, &err), rows[i].status);
        assert_string_equal(err.what, rows[i].what);
        assert_int_equal(err.line, rows[i].line);
        text_free(&out);
    }
}

/* In a buffer of exactly its size, so that a sanitizer sees a byte too many. NULL: whatever events come. */
static void assert_pulled_from_memory(const char *text, size_t size, roof_status want_status,
                                      const char *want_events)
{
    textbuf out;
    char *bytes = malloc(size);
    assert_true(bytes || !size);
    if (size)
        memcpy(bytes, text, size);
    text_init(&out, TEXT_MAX_BYTES);
    assert_int_equal(pull_all(jsonpull_of_memory(bytes, size), &out, NULL), want_status);
    if (want_events)
        assert_string_equal(out.bytes, want_events);
    text_free(&out);
    free(bytes);
}

static void memory_is_read_to_its_last_byte(void **state)
{
    static const char text[] = "{\"a\":[1,\"x\"]}";
    static char long_text[200000];
    (void)state;
    assert_pulled_from_memory(text, sizeof text - 1, ROOF_OK, "{ a=[ 1 'x' close close");
    for (size_t size = 0; size < sizeof text - 1; size++)
        assert_pulled_from_memory(text, size, ROOF_E_DATA, NULL);
    assert_pulled_from_memory("12", 1, ROOF_OK, "1");
    /* longer than the window */
    memset(long_text, ' ', sizeof long_text);
    long_text[0] = '[';
    memcpy(long_text + sizeof long_text - 3, "21]", 3);
    assert_pulled_from_memory(long_text, sizeof long_text, ROOF_OK, "[ 21 close");
    assert_pulled_from_memory(long_text, sizeof long_text - 1, ROOF_E_DATA, "[ 21");
    jsonpull *empty = jsonpull_of_memory(NULL, 0);
    json_event e;
    assert_int_equal(jsonpull_next(empty, &e, NULL), ROOF_E_DATA);
    jsonpull_free(empty);
}

static void the_place_of_a_value_is_a_pointer(void **state)
{
    pieces input = pieces_of("{\"a\":[1,{\"b/c\":2}],\"d\":{}}", 3);
    static const char *const places[] = {"", "/a", "/a/0", "/a/1", "/a/1/b~1c", "/a/1", "/a", "/d", "/d", ""};
    jsonpull *p = jsonpull_new(read_piece, &input);
    (void)state;
    for (size_t i = 0; i < COUNT(places); i++) {
        json_event e;
        char place[64];
        assert_int_equal(jsonpull_next(p, &e, NULL), ROOF_OK);
        if (i + 1 < COUNT(places)) /* the last CLOSE is of the document */
            assert_string_equal(jsonpull_pointer(p, place, sizeof place), places[i]);
        assert_true((e.kind == JSON_NUMBER) == !isnan(e.number));
    }
    jsonpull_free(p);
}

static void skipping_goes_behind_what_was_opened(void **state)
{
    pieces input = pieces_of("[{\"a\":[[1],{}]},7,[8],9]", 2);
    jsonpull *p = jsonpull_new(read_piece, &input);
    json_event e;
    (void)state;
    assert_int_equal(jsonpull_next(p, &e, NULL), ROOF_OK); /* [ */
    assert_int_equal(jsonpull_next(p, &e, NULL), ROOF_OK); /* { */
    assert_int_equal(jsonpull_skip(p, NULL), ROOF_OK);
    assert_int_equal(jsonpull_next(p, &e, NULL), ROOF_OK);
    assert_true(e.number == 7);
    assert_int_equal(jsonpull_skip(p, NULL), ROOF_OK); /* nothing is open */
    assert_int_equal(jsonpull_next(p, &e, NULL), ROOF_OK);
    assert_int_equal(e.kind, JSON_ARRAY);
    assert_int_equal(jsonpull_skip(p, NULL), ROOF_OK);
    assert_int_equal(jsonpull_next(p, &e, NULL), ROOF_OK);
    assert_true(e.number == 9);
    jsonpull_free(p);
}

/* Repeats `repeated` and ends with `last`: documents longer than any window. */
typedef struct endless {
    const char *repeated;
    uint64_t left;
    const char *last;
} endless;

static roof_status read_endless(void *context, char *buffer, size_t size, size_t *got, roof_error *err)
{
    endless *e = context;
    size_t n = strlen(e->repeated);
    (void)err;
    for (*got = 0; e->left && *got + n <= size; e->left--, *got += n)
        memcpy(buffer + *got, e->repeated, n);
    if (*got == 0 && e->last) {
        *got = strlen(e->last);
        memcpy(buffer, e->last, *got);
        e->last = NULL;
    }
    return ROOF_OK;
}

static void endless_nesting_is_refused(void **state)
{
    static const char *const opening[] = {"[", "{\"x\":"};
    (void)state;
    for (size_t i = 0; i < COUNT(opening); i++) {
        endless input = {opening[i], 1 << 20, NULL};
        jsonpull *p = jsonpull_new(read_endless, &input);
        json_event e;
        roof_error err;
        roof_status status;
        while ((status = jsonpull_next(p, &e, &err)) == ROOF_OK)
            ;
        assert_int_equal(status, ROOF_E_LIMIT);
        assert_string_equal(err.what, "is nested deeper than 64 levels");
        jsonpull_free(p);
    }
}

static void a_string_of_a_megabyte_is_too_long(void **state)
{
    static char text[(1 << 20) + 3];
    json_event e;
    roof_error err;
    (void)state;
    memset(text, 'a', sizeof text - 1);
    text[0] = text[sizeof text - 2] = '"';
    pieces long_text = pieces_of(text, 4096);
    jsonpull *p = jsonpull_new(read_piece, &long_text);
    assert_int_equal(jsonpull_next(p, &e, &err), ROOF_E_LIMIT);
    assert_string_equal(err.what, "a string is longer than 1 MiB");
    jsonpull_free(p);
}

static void long_documents_need_no_memory(void **state)
{
    endless input = {"1234567,", 4 << 20, "0]"};
    endless opened = {"[", 1, NULL};
    jsonpull *p = jsonpull_new(read_endless, &opened);
    json_event e;
    uint64_t n = 0;
    (void)state;
    assert_int_equal(jsonpull_next(p, &e, NULL), ROOF_OK);
    opened = input; /* the source goes on with 32 MiB of numbers */
    do {
        assert_int_equal(jsonpull_next(p, &e, NULL), ROOF_OK);
        n += e.kind == JSON_NUMBER;
    } while (e.kind != JSON_DONE);
    assert_int_equal(n, (4 << 20) + 1);
    jsonpull_free(p);
}

static roof_status fail_to_read(void *context, char *buffer, size_t size, size_t *got, roof_error *err)
{
    (void)context;
    (void)buffer;
    (void)size;
    (void)got;
    if (err) {
        err->status = ROOF_E_IO;
        snprintf(err->what, sizeof err->what, "the disk is gone");
    }
    return ROOF_E_IO;
}

static void what_the_source_says_is_passed_on(void **state)
{
    jsonpull *p = jsonpull_new(fail_to_read, NULL);
    json_event e;
    roof_error err = {0};
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(jsonpull_next(p, &e, &err), ROOF_E_IO);
        assert_string_equal(err.what, "the disk is gone");
    }
    jsonpull_free(p);
}

/* Of an exact copy, so that a sanitizer sees a read past the end. */
static roof_status pull_loose(const char *text, textbuf *out, roof_error *err)
{
    size_t size = strlen(text);
    uint8_t *copy = fx_copy(text, size);
    roof_status status = pull_all(jsonpull_of_loose(copy, size), out, err);
    free(copy);
    return status;
}

static void comments_and_slips_become_what_was_meant(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"{}// end", "{ close"},
        {"[1,// one\n2]", "[ 1 2 close"},
        {"[1/* one\ntwo */,2]", "[ 1 2 close"},
        {"[\"// no comment\", \"/* none */\"]", "[ '// no comment' '/* none */' close"},
        {"[\"a\\\"// still none\"]", "[ 'a\"// still none' close"},
        {"[\"\\\\\"// one\n]", "[ '\\' close"},
        {"{\"a\":1,}", "{ a=1 close"},
        {"[1,\n// 2\n]", "[ 1 close"},
        {"{\"a\":{}\n\"b\":1}", "{ a={ close b=1 close"},
        {"{\"a\":1, b_C\":2}", "{ a=1 b_C=2 close"},
        {"{a\":2}", "{ a=2 close"},
        {"[1, 2]", "[ 1 2 close"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_error err = {0};
        textbuf out;
        text_init(&out, 1000);
        if (pull_loose(rows[i].text, &out, &err) != ROOF_OK)
            fail_msg("%s: %s", rows[i].text, fx_message(&err));
        assert_string_equal(out.bytes, rows[i].want);
        text_free(&out);
    }
}

static void all_other_slips_are_refused_in_their_line(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"[,]", "is not JSON at ',]': want a value (line 1)"},
        {"{,}", "is not JSON at ',}': want the name of a member (line 1)"},
        {"[1,\n,]", "is not JSON at ',]': want a value (line 2)"},
        {"[1\n2]", "is not JSON at '2]': want a comma or ] (line 2)"},
        {"[{}\n{}]", "is not JSON at '{}]': want a comma or ] (line 2)"},
        {"{a:1}", "is not JSON at 'a:1}': want the name of a member (line 1)"},
        {"// one\n/* two\n*/ [1 /", "is not JSON at '/': want a comma or ] (line 3)"},
        {"[1] /* no end\n", "more text follows the end of the document (line 1)"},
        {"[\"no end // ]\n", "a string holds a control character (line 1)"},
        {"[\"no end\\", "is not JSON: it ends too early, want one of \"\\/bfnrtu after a backslash (line 1)"},
        {"// nothing", "is empty, want a JSON document"},
        {"", "is empty, want a JSON document"},
        {"{} \"a\"", "more text follows the end of the document (line 1)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_error err = {0};
        textbuf out;
        text_init(&out, 1000);
        if (pull_loose(rows[i].text, &out, &err) != ROOF_E_DATA ||
            strcmp(fx_message(&err), rows[i].want) != 0)
            fail_msg("%s: %s", rows[i].text, fx_message(&err));
        text_free(&out);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_come_value_by_value_however_they_are_cut),
        cmocka_unit_test(what_is_no_json_is_refused_with_its_line),
        cmocka_unit_test(memory_is_read_to_its_last_byte),
        cmocka_unit_test(the_place_of_a_value_is_a_pointer),
        cmocka_unit_test(skipping_goes_behind_what_was_opened),
        cmocka_unit_test(endless_nesting_is_refused),
        cmocka_unit_test(a_string_of_a_megabyte_is_too_long),
        cmocka_unit_test(long_documents_need_no_memory),
        cmocka_unit_test(what_the_source_says_is_passed_on),
        cmocka_unit_test(comments_and_slips_become_what_was_meant),
        cmocka_unit_test(all_other_slips_are_refused_in_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
