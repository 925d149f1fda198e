/* Objects into structs: every kind of value, what is wrong with it and where, members in any order, twice, or unknown. */
#include "core/error.h"
#include "core/jsonbind.h"
#include "tests/support/memory_io.h"
#include "tests/unit/fixture.h"

typedef enum colour { NO_COLOUR, RED, GREEN } colour;

static const char *const colours[] = {"", "red", "green", NULL};

typedef struct record {
    const char *text;
    uint64_t count;
    uint32_t small;
    double positive, seconds, number;
    bool truth;
    colour colour;
    int calls;
    double sum;
    char keys[8]; /* first letters */
} record;

static roof_status add(json_binder *b, const json_event *event, void *target)
{
    if (event->kind != JSON_NUMBER)
        return bind_fail(b, "found %s, want a number", json_kind_text(event->kind));
    *(double *)target += event->number;
    return ROOF_OK;
}

static roof_status add_all(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, add, target);
}

static roof_status add_key(json_binder *b, const json_event *event, void *target)
{
    record *r = target;
    r->keys[strlen(r->keys)] = event->key[0];
    return event->kind == JSON_NULL ? ROOF_OK : add(b, event, &r->sum);
}

static roof_status add_keys(json_binder *b, const json_event *event, void *target)
{
    return bind_members(b, event, add_key, target);
}

static roof_status read_inner(json_binder *b, const json_event *event, void *target);

static const bind_member members[] = {
    {"text", BIND_TEXT, offsetof(record, text), 0, 0},
    {"count", BIND_COUNT, offsetof(record, count), 0, 0},
    {"small", BIND_SMALL, offsetof(record, small), 0, 0},
    {"positive", BIND_POSITIVE, offsetof(record, positive), 0, 0},
    {"seconds", BIND_SECONDS, offsetof(record, seconds), 0, 0},
    {"number", BIND_NUMBER, offsetof(record, number), 0, 0},
    {"truth", BIND_BOOL, offsetof(record, truth), 0, 0},
    {"colour", BIND_WORD, offsetof(record, colour), 0, colours},
    {"sum", BIND_CALL, offsetof(record, sum), add_all, 0},
    {"inner", BIND_CALL, 0, read_inner, 0},
    {"named", BIND_CALL, 0, add_keys, 0},
};

static roof_status read_inner(json_binder *b, const json_event *event, void *target)
{
    ((record *)target)->calls++;
    return bind_object(b, event, members, COUNT(members), target, NULL);
}

/* Texts are in the arena of the test. */
static roof_arena *arena;

static int begin(void **state)
{
    (void)state;
    arena = arena_new(0);
    return arena ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static roof_status bind(const char *text, record *out, uint64_t *seen, roof_error *err)
{
    char *json = strdup(text);
    assert_non_null(json);
    for (char *p = json; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    memory_source source = {json, strlen(json), 3};
    json_binder b = {.puller = jsonpull_new(memory_read, &source), .arena = arena, .err = err};
    json_event event;
    assert_non_null(b.puller);
    roof_status status = jsonpull_next(b.puller, &event, err);
    if (status == ROOF_OK)
        status = bind_object(&b, &event, members, COUNT(members), out, seen);
    jsonpull_free(b.puller);
    free(json);
    return status;
}

static void values_go_to_their_place(void **state)
{
    record r = {.sum = 0.5};
    uint64_t seen = 0;
    (void)state;
    assert_int_equal(
        bind("{'truth':true,'colour':'green','number':-2.5,'count':9007199254740992,'small':4294967294,"
             "'text':'\\u00e4\\u001b\\n\\u2028','sum':[1,2,4],'positive':0,'seconds':1e12}",
             &r, &seen, NULL),
        ROOF_OK);
    assert_string_equal(r.text, "\xc3\xa4\x1b\n\u2028");
    assert_int_equal(r.count, UINT64_C(1) << 53);
    assert_int_equal(r.small, UINT32_MAX - 1);
    assert_true(r.positive == 0 && r.seconds == 1e12 && r.number == -2.5 && r.sum == 7.5);
    assert_true(r.truth && r.colour == GREEN && r.calls == 0);
    assert_int_equal(seen, 0x1ff);
}

/* What is null keeps what the target had, and is not seen. */
static void null_and_unknown_members_change_nothing(void **state)
{
    record r = {.text = "kept", .count = 7, .colour = RED, .number = 1};
    uint64_t seen = 0;
    (void)state;
    assert_int_equal(
        bind("{'text':null,'count':null,'colour':null,'Number':3,'':1,'later':{'count':[{'text':'x'}]},"
             "'numbe':2,'numbers':4,'sum':null,'small':1}",
             &r, &seen, NULL),
        ROOF_OK);
    assert_string_equal(r.text, "kept");
    assert_true(r.count == 7 && r.colour == RED && r.number == 1 && r.small == 1);
    assert_int_equal(seen, 1 << 2);
}

static void nested_objects_have_keys_of_their_own(void **state)
{
    record r = {0};
    (void)state;
    assert_int_equal(bind("{'count':1,'inner':{'small':2,'inner':{'number':3}}}", &r, NULL, NULL), ROOF_OK);
    assert_true(r.count == 1 && r.small == 2 && r.number == 3 && r.calls == 2);
}

static void members_of_any_name_are_read_one_by_one(void **state)
{
    record r = {.sum = 1};
    (void)state;
    assert_int_equal(bind("{'named':{'a':2,'b':null,'c':4,'a':8},'count':3}", &r, NULL, NULL), ROOF_OK);
    assert_true(r.sum == 15 && r.count == 3);
    assert_memory_equal(r.keys, "abca", 5);
}

static void what_is_wrong_is_said_with_its_place(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"[]", "found an array, want an object (line 1)"},
        {"{'text':1}", "/text: found a number, want a string (line 1)"},
        {"{'count':1.5}", "/count: found 1.5, want a whole number from 0 to 9007199254740992 (line 1)"},
        {"{'count':-1}", "/count: found -1, want a whole number from 0 to 9007199254740992 (line 1)"},
        {"{'count':9007199254740994}",
         "/count: found 9007199254740994, want a whole number from 0 to 9007199254740992 (line 1)"},
        {"{'count':'12'}", "/count: found the string \"12\", want a whole number (line 1)"},
        {"{'count':{}}", "/count: found an object, want a whole number (line 1)"},
        {"{'small':4294967295}",
         "/small: found 4294967295, want a whole number from 0 to 4294967294 (line 1)"},
        {"{'positive':-1e-300}", "/positive: found -1e-300, want 0 or more (line 1)"},
        {"{'positive':'\\u001b[31mred'}",
         "/positive: found the string \"\\x1b[31mred\", want a number of 0 or more (line 1)"},
        {"{'seconds':1.5e12}", "/seconds: found 1500000000000 s, want at most 1e+12 (line 1)"},
        {"{'seconds':-1}", "/seconds: found -1 s, want 0 or more (line 1)"},
        {"{'seconds':[]}", "/seconds: found an array, want seconds (line 1)"},
        {"{'number':true}", "/number: found true, want a number (line 1)"},
        {"{'truth':1}", "/truth: found a number, want true or false (line 1)"},
        {"{'truth':'true'}", "/truth: found the string \"true\", want true or false (line 1)"},
        {"{'colour':'blue'}", "/colour: found the string \"blue\", want one of \"red\", \"green\" (line 1)"},
        {"{'colour':''}", "/colour: found the string \"\", want one of \"red\", \"green\" (line 1)"},
        {"{'colour':1}", "/colour: found a number, want one of \"red\", \"green\" (line 1)"},
        {"{'sum':1}", "/sum: found a number, want an array (line 1)"},
        {"{'sum':[1,\n2,'3']}", "/sum/2: found a string, want a number (line 2)"},
        {"{'named':[]}", "/named: found an array, want an object (line 1)"},
        {"{'named':{'a':1,'b':'2'}}", "/named/b: found a string, want a number (line 1)"},
        {"{'count':1,'text':'a','count':1}", "/count: is there twice (line 1)"},
        {"{'count':null,'count':null}", "/count: is there twice (line 1)"},
        {"{'inner':{'inner':{'text':[]}}}", "/inner/inner/text: found an array, want a string (line 1)"},
        {"{'count':1", "is not JSON: it ends too early, want a comma or } (line 1)"},
        {"{'later':[1,}", "is not JSON at '}': want a value (line 1)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        record r = {0};
        roof_error err = {0};
        assert_int_equal(bind(rows[i].text, &r, NULL, &err), ROOF_E_DATA);
        assert_string_equal(fx_message(&err), rows[i].message);
        assert_int_equal(bind(rows[i].text, &r, NULL, NULL), ROOF_E_DATA); /* err may be NULL */
    }
}

/* 64 rows are as many as there are bits. */
static void the_last_of_64_members_is_seen(void **state)
{
    bind_member rows[64];
    static char keys[64][4];
    double values[64] = {0};
    uint64_t seen = 0;
    memory_source source = {"{\"k63\":1,\"k0\":2}", 16, 0};
    json_binder b = {.puller = jsonpull_new(memory_read, &source)};
    json_event event;
    (void)state;
    for (size_t i = 0; i < 64; i++) {
        snprintf(keys[i], sizeof keys[i], "k%zu", i);
        rows[i] = (bind_member){keys[i], BIND_NUMBER, i * sizeof *values, 0, 0};
    }
    assert_int_equal(jsonpull_next(b.puller, &event, NULL), ROOF_OK);
    assert_int_equal(bind_object(&b, &event, rows, 64, values, &seen), ROOF_OK);
    assert_true(values[63] == 1 && values[0] == 2 && seen == (UINT64_C(1) << 63 | 1));
    jsonpull_free(b.puller);
}

static void texts_without_memory_are_an_error(void **state)
{
    roof_arena *whole = arena;
    record r = {0};
    roof_error err;
    (void)state;
    arena = arena_new(4);
    assert_int_equal(bind("{'text':'1234'}", &r, NULL, &err), ROOF_E_NO_MEMORY);
    assert_int_equal(bind("{'text':'123'}", &r, NULL, &err), ROOF_OK);
    arena_free(arena);
    arena = whole;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_go_to_their_place),
        cmocka_unit_test(null_and_unknown_members_change_nothing),
        cmocka_unit_test(nested_objects_have_keys_of_their_own),
        cmocka_unit_test(members_of_any_name_are_read_one_by_one),
        cmocka_unit_test(what_is_wrong_is_said_with_its_place),
        cmocka_unit_test(the_last_of_64_members_is_seen),
        cmocka_unit_test(texts_without_memory_are_an_error),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
