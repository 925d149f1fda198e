/* Objects into structs and back: every kind of value, what is wrong with it and where, members in any order,
 * twice, missing or unknown; and how they are written. */
#include "core/error.h"
#include "core/json/codec.h"
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
    uint64_t left;
} record;

static roof_status add(codec *c, const json_event *event, void *target)
{
    if (event->kind != JSON_NUMBER)
        return codec_fail(c, "found %s, want a number", json_kind_text(event->kind));
    *(double *)target += event->number;
    return ROOF_OK;
}

static roof_status add_all(codec *c, const json_event *event, void *target)
{
    return codec_read_array(c, event, add, target);
}

static roof_status add_key(codec *c, const json_event *event, void *target)
{
    record *r = target;
    r->keys[strlen(r->keys)] = event->key[0];
    return event->kind == JSON_NULL ? ROOF_OK : add(c, event, &r->sum);
}

static roof_status add_keys(codec *c, const json_event *event, void *target)
{
    return codec_read_members(c, event, add_key, target);
}

static const codec_object record_object;

static roof_status read_inner(codec *c, const json_event *event, void *target)
{
    ((record *)target)->calls++;
    return codec_read_object(c, event, &record_object, target);
}

static const codec_member members[] = {
    {CODEC(record, text, TEXT, ALWAYS)},
    {CODEC(record, count, COUNT, ALWAYS)},
    {CODEC(record, small, SMALL, ALWAYS)},
    {CODEC(record, positive, POSITIVE, ALWAYS)},
    {CODEC(record, seconds, SECONDS, ALWAYS)},
    {CODEC(record, number, NUMBER, ALWAYS)},
    {CODEC(record, truth, BOOL, ALWAYS)},
    {CODEC_WORDS("colour", record, colour, colours, ALWAYS)},
    {CODEC_BY("sum", offsetof(record, sum), add_all, NULL)},
    {CODEC_BY("inner", 0, read_inner, NULL)},
    {CODEC_BY("named", 0, add_keys, NULL)},
    {CODEC(record, left, COUNT, PLAIN_OR_NULL)},
};
static const codec_object record_object = {CODEC_ROWS(members)};

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
    codec c = {.puller = jsonpull_new(memory_read, &source), .arena = arena, .err = err};
    json_event event;
    assert_non_null(c.puller);
    roof_status status = jsonpull_next(c.puller, &event, err);
    if (status == ROOF_OK)
        status = codec_read_object(&c, &event, &record_object, out);
    if (seen)
        *seen = c.seen;
    jsonpull_free(c.puller);
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

static void null_is_unknown_where_the_table_says_so(void **state)
{
    record r = {.left = 5};
    (void)state;
    assert_int_equal(bind("{'left':null}", &r, NULL, NULL), ROOF_OK);
    assert_true(r.left == ROOF_UNKNOWN);
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
    codec_member rows[64];
    static char keys[64][4];
    double values[64] = {0};
    memory_source source = {"{\"k63\":1,\"k0\":2}", 16, 0};
    codec c = {.puller = jsonpull_new(memory_read, &source)};
    json_event event;
    (void)state;
    for (size_t i = 0; i < 64; i++) {
        snprintf(keys[i], sizeof keys[i], "k%zu", i);
        rows[i] = (codec_member){.key = keys[i], .kind = CODEC_NUMBER, .offset = i * sizeof *values};
    }
    assert_int_equal(jsonpull_next(c.puller, &event, NULL), ROOF_OK);
    const codec_object object = {CODEC_ROWS(rows)};
    assert_int_equal(codec_read_object(&c, &event, &object, values), ROOF_OK);
    assert_true(values[63] == 1 && values[0] == 2 && c.seen == (UINT64_C(1) << 63 | 1));
    jsonpull_free(c.puller);
}

/* ---- there and back ---- */

typedef struct item {
    const char *name;
    double share;
} item;

typedef struct sheet {
    const char *title, *unit, *note;
    uint64_t bytes, extra_bytes;
    uint32_t cores, batch;
    double clock_hz, ratio, range[2], ends[2];
    colour colour;
    bool good, is_checked;
    item *items;
    uint32_t n_items;
    const char **words;
    uint32_t n_words;
    const char *lines[2];
    item *named, bare[2];
    uint32_t n_named, n_bare;
    bool has_extra;
    item extra;
    uint64_t mark;
} sheet;

static bool has_items(const codec *c, const void *target)
{
    (void)c;
    return ((const sheet *)target)->n_items;
}

static roof_status begin_item(codec *c, void *target)
{
    (void)c;
    ((item *)target)->name = "unnamed";
    return ROOF_OK;
}

static roof_status check_item(codec *c, void *target)
{
    return ((item *)target)->share > 1 ? codec_fail(c, "share is above 1") : ROOF_OK;
}

static roof_status check_sheet(codec *c, void *target)
{
    (void)c;
    ((sheet *)target)->is_checked = true;
    return ROOF_OK;
}

static const codec_member item_members[] = {
    {CODEC(item, name, SHARED, ALWAYS)}, {CODEC(item, share, POSITIVE, DERIVED), .missing = "has no share"}};
static const codec_object item_object = {CODEC_ROWS(item_members), .one_line = true, .begin = begin_item,
                                         .end = check_item};
static const codec_member share_members[] = {{CODEC(item, share, POSITIVE, ALWAYS)}};
static const codec_object share_object = {CODEC_ROWS(share_members), .one_line = true};
static const codec_object bare_object = {CODEC_ROWS(share_members), .is_bare = true, .end = check_item};
static const codec_member clock_members[] = {{CODEC(sheet, clock_hz, NUMBER, ZERO)},
                                             {CODEC(sheet, cores, SMALL, ZERO)},
                                             {CODEC(sheet, batch, SMALL, PLAIN)}};
static const codec_object clock_object = {CODEC_ROWS(clock_members), .one_line = true};
static const codec_member sheet_members[] = {
    {CODEC_IS("roofline.sheet/1")},
    {CODEC(sheet, title, TEXT, ALWAYS)},
    {CODEC(sheet, unit, TEXT, ZERO)},
    {CODEC(sheet, note, TEXT, OMIT)},
    {CODEC(sheet, bytes, COUNT, ALWAYS)},
    {CODEC(sheet, extra_bytes, COUNT, OMIT_ZERO)},
    {CODEC_AS("twice", sheet, bytes, COUNT, SHOWN)},
    {CODEC_IN("clock", 0, &clock_object)},
    {CODEC(sheet, ratio, POSITIVE, OMIT_DERIVED)},
    {CODEC(sheet, range, SECONDS_PAIR, ALWAYS)},
    {CODEC(sheet, ends, PAIR, PLAIN)},
    {CODEC_WORDS("colour", sheet, colour, colours, OMIT)},
    {CODEC(sheet, good, BOOL, ALWAYS)},
    {CODEC_ITEMS("items", sheet, items, n_items, &item_object, 3, ALWAYS), .none = "is empty, want an item",
     .when = has_items},
    {CODEC_ITEMS("words", sheet, words, n_words, NULL, 2, ONE_LINE)},
    {CODEC_TEXTS("lines", sheet, lines, LINE)},
    {CODEC_ITEMS("named", sheet, named, n_named, &share_object, 100, KEYS_OMIT)},
    {CODEC_ITEMS("bare", sheet, bare, n_bare, &bare_object, 2, INLINE_KEYS)},
    {CODEC_IN("extra", offsetof(sheet, extra), &item_object), CODEC_IF(sheet, has_extra)},
    {CODEC(sheet, mark, HEX, OMIT)},
};
static const codec_object sheet_object = {CODEC_ROWS(sheet_members), .end = check_sheet};

static roof_status read_sheet(const char *text, sheet *out, roof_error *err)
{
    char *json = strdup(text);
    assert_non_null(json);
    for (char *p = json; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    codec c = {.puller = jsonpull_of_memory(json, strlen(json)), .arena = arena, .err = err};
    assert_non_null(c.puller);
    *out = (sheet){.n_items = 0};
    codec_forget(&sheet_object, out);
    roof_status status = codec_read_document(&c, &sheet_object, out);
    jsonpull_free(c.puller);
    free(json);
    return status;
}

static void what_was_read_is_written_the_same(void **state)
{
    static const char *const documents[] = {
        "{\n 'schema':'roofline.sheet/1',\n 'title':null,\n 'unit':null,\n 'bytes':null,\n 'twice':null,\n"
        " 'clock':{'clock_hz':null,'cores':null,'batch':0},\n 'range':null,\n 'ends':[null,null],\n"
        " 'good':false,\n 'words':[],\n 'extra':null\n}\n",
        "{\n 'schema':'roofline.sheet/1',\n 'title':'',\n 'unit':'m',\n 'note':'\\u001b',\n 'bytes':7,\n"
        " 'extra_bytes':1,\n 'twice':7,\n 'clock':{'clock_hz':0.1,'cores':2,'batch':3},\n"
        " 'ratio':0.333333333333,\n 'range':[0,1000000000000],\n 'ends':[-1,null],\n 'colour':'green',\n"
        " 'good':true,\n 'items':[\n  {'name':'a','share':0.5},\n  {'name':'a','share':0}\n ],\n"
        " 'words':['x','y'],\n 'lines':['1'],\n 'named':{'one':{'share':1},'two':{'share':null}},\n"
        " 'bare':{'b/c':0.5,'d':1},\n 'extra':{'name':'unnamed','share':1},\n "
        "'mark':'0x00000000000000ff'\n}\n"};
    (void)state;
    for (size_t i = 0; i < COUNT(documents); i++) {
        sheet read;
        textbuf text;
        roof_error err = {0};
        if (read_sheet(documents[i], &read, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        assert_true(read.is_checked);
        text_init(&text, TEXT_MAX_BYTES);
        codec_write_document(&sheet_object, &read, NULL, NULL, &text);
        for (size_t k = 0; k < text.length; k++)
            text.bytes[k] = text.bytes[k] == '"' ? '\'' : text.bytes[k];
        assert_string_equal(text.bytes, documents[i]);
        text_free(&text);
    }
}

static void rows_of_a_list_begin_as_the_table_says(void **state)
{
    sheet read;
    (void)state;
    assert_int_equal(
        read_sheet("{'items':[{'share':1},{'share':0.5,'name':'b'}],'schema':'roofline.sheet/1'}", &read,
                   NULL),
        ROOF_OK);
    assert_int_equal(read.n_items, 2);
    assert_string_equal(read.items[0].name, "unnamed");
    assert_string_equal(read.items[1].name, "b");
    assert_true(isnan(read.ratio) && isnan(read.range[1]) && !read.title && !*read.unit);
    assert_true(read.mark == ROOF_UNKNOWN && !read.has_extra && read.n_named == 0 && !read.lines[0]);
    assert_true(read.bytes == ROOF_UNKNOWN && read.cores == 0 && read.batch == 0);
}

/* In a long list they are found at its end. */
static void a_name_that_is_there_twice_among_many_is_found(void **state)
{
    char text[2000] = "{'schema':'roofline.sheet/1','named':{'x':{}";
    sheet read;
    roof_error err = {0};
    (void)state;
    for (int i = 0; i < 80; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ",'n%d':{}", i);
    strcat(text, ",'n79':{}}}");
    assert_int_equal(read_sheet(text, &read, &err), ROOF_E_DATA);
    assert_string_equal(fx_message(&err), "/named: 'n79' is there twice (line 1)");
}

static void wrong_documents_are_refused(void **state)
{
#define SHEET(rest) "{'schema':'roofline.sheet/1'," rest "}"
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"{}", "has no \"schema\", want \"roofline.sheet/1\" (line 1)"},
        {"{'schema':1}", "/schema: found a number, want \"roofline.sheet/1\" (line 1)"},
        {"{'schema':'roofline.sheet/2'}",
         "/schema: is \"roofline.sheet/2\", want \"roofline.sheet/1\"; another "
         "version of roofline wrote it (line 1)"},
        {"{'schema':'roofline.page/1'}", "/schema: is \"roofline.page/1\", another kind of document; want "
                                         "\"roofline.sheet/1\" (line 1)"},
        {"{'schema':'sheet'}", "/schema: is \"sheet\", want \"roofline.sheet/1\" (line 1)"},
        {SHEET("'range':[1,2,3]"), "/range/2: want two numbers of seconds (line 1)"},
        {SHEET("'range':[1,-2]"), "/range/1: want two numbers of seconds (line 1)"},
        {SHEET("'ends':['1']"), "/ends/0: want two numbers (line 1)"},
        {SHEET("'items':[]"), "/items: is empty, want an item (line 1)"},
        {SHEET("'items':[{'name':'a'}]"), "/items/0: has no share (line 1)"},
        {SHEET("'items':[{'share':null}]"), "/items/0: has no share (line 1)"},
        {SHEET("'items':[{'share':2}]"), "/items/0: share is above 1 (line 1)"},
        {SHEET("'items':[{'share':0},{'share':0},{'share':0},{'share':0}]"),
         "/items/3: is one too many, want at most 3 (line 1)"},
        {SHEET("'lines':['a','b','c']"), "/lines/2: is one too many, want at most 2 (line 1)"},
        {SHEET("'bare':{'a':0,'b':0,'c':0}"), "/bare/c: is one too many, want at most 2 (line 1)"},
        {SHEET("'bare':{'a':2}"), "/bare/a: share is above 1 (line 1)"},
        {SHEET("'bare':{'a':-1}"), "/bare/a: found -1, want 0 or more (line 1)"},
        {SHEET("'bare':[]"), "/bare: found an array, want an object (line 1)"},
        {SHEET("'named':{'':{}}"), "/named/: has an empty name (line 1)"},
        {SHEET("'named':{'a\\\\b':{}}"),
         "/named/a\\b: has a name with other characters than those of ASCII, or with \" or \\ (line 1)"},
        {SHEET("'named':{'a':{},'b':null,'a':{}}"), "/named/a: is there twice (line 1)"},
        {SHEET("'extra':{}"), "/extra: has no share (line 1)"},
        {SHEET("'mark':'ff'"),
         "/mark: found the string \"ff\", want 1 to 16 hexadecimal digits after 0x (line 1)"},
        {SHEET("'items':[{'share':0,'name':7}]"), "/items/0/name: found a number, want a word (line 1)"},
        {SHEET("'words':['a','b','c']"), "/words/2: is one too many, want at most 2 (line 1)"},
        {SHEET("'words':[null]"), "/words/0: found null, want a string (line 1)"},
        {SHEET("'title':'a'") " 7", "more text follows the end of the document (line 1)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        sheet read;
        roof_error err = {0};
        assert_int_not_equal(read_sheet(rows[i].text, &read, &err), ROOF_OK);
        assert_string_equal(fx_message(&err), rows[i].message);
    }
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
        cmocka_unit_test(null_is_unknown_where_the_table_says_so),
        cmocka_unit_test(nested_objects_have_keys_of_their_own),
        cmocka_unit_test(members_of_any_name_are_read_one_by_one),
        cmocka_unit_test(what_is_wrong_is_said_with_its_place),
        cmocka_unit_test(the_last_of_64_members_is_seen),
        cmocka_unit_test(what_was_read_is_written_the_same),
        cmocka_unit_test(rows_of_a_list_begin_as_the_table_says),
        cmocka_unit_test(a_name_that_is_there_twice_among_many_is_found),
        cmocka_unit_test(wrong_documents_are_refused),
        cmocka_unit_test(texts_without_memory_are_an_error),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
