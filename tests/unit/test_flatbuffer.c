/* The FlatBuffers cursor on its own: numbers, vectors and texts, defaults, and every kind of damage. */
#include "core/flatbuffer.h"
#include "core/error.h"
#include "tests/unit/fixture.h"

enum { NUMBER, SMALL, ABSENT, LIST, TEXT, INNER, WIDE };

/* A table at byte 24 with a vtable of seven fields before it, a list, a text, and a table without fields that
 * has a vtable of its own. */
static const uint8_t whole[] = {
    24,   0,    0,    0,    0,   0, /*  0: the root, two bytes of padding */
    18,   0,    32,   0,    4,   0,   8,   0,    0,    0,    12,   0,
    16,   0,    20,   0,    24,  0,              /*  6: a vtable, 18 bytes */
    18,   0,    0,    0,                         /* 24: the table; back to its vtable */
    0x78, 0x56, 0x34, 0x12,                      /* 28: NUMBER */
    0xfe, 0xff, 0,    0,                         /* 32: SMALL */
    20,   0,    0,    0,                         /* 36: LIST, at 56 */
    28,   0,    0,    0,                         /* 40: TEXT, at 68 */
    40,   0,    0,    0,                         /* 44: INNER, at 84 */
    1,    2,    3,    4,    5,   6,   7,   0x88, /* 48: WIDE */
    2,    0,    0,    0,    5,   0,   0,   0,    0xff, 0xff, 0xff, 0xff, /* 56: 5 and -1 */
    3,    0,    0,    0,    'a', 'b', 'c', 0,                            /* 68: "abc" */
    4,    0,    4,    0,    0,   0,   0,   0,                            /* 76: a vtable without fields */
    8,    0,    0,    0,                                                 /* 84: its table */
};

/* Bytes of exactly this size, so that a sanitizer sees one too many. */
static uint8_t *copy_of(size_t size)
{
    return fx_copy(whole, size);
}

/* All that the file has, in the order of its fields; the sum of what was read. */
static roof_status read_all(const uint8_t *bytes, size_t size, uint64_t *sum, roof_error *err)
{
    fb_table root, inner;
    fb_vector list, letters;
    text_span text;
    uint64_t number;
    int64_t small;
    bool is_there;
    *sum = 0;
    TRY(fb_root(bytes, size, &root, err));
    TRY(fb_unsigned(&root, NUMBER, 4, 7, &number, err));
    *sum += number;
    TRY(fb_signed(&root, SMALL, 2, 7, &small, err));
    *sum += (uint64_t)small;
    TRY(fb_elements(&root, LIST, 4, &list, err));
    for (uint32_t i = 0; i < list.n; i++)
        *sum += (uint64_t)(int64_t)fb_int32_of(&list, i);
    TRY(fb_string(&root, TEXT, &text, err));
    for (size_t i = 0; i < text.length; i++)
        *sum += (unsigned char)text.text[i];
    TRY(fb_enter(&root, INNER, &inner, &is_there, err));
    if (is_there)
        TRY(fb_elements(&inner, 3, 1, &letters, err));
    return fb_unsigned(&root, WIDE, 8, 0, &number, err);
}

static void what_is_there_is_read(void **state)
{
    uint8_t *bytes = copy_of(sizeof whole);
    fb_table root, inner;
    fb_vector list;
    text_span text;
    uint64_t number;
    int64_t small;
    bool is_there;
    (void)state;
    assert_int_equal(fb_root(bytes, sizeof whole, &root, NULL), ROOF_OK);
    assert_int_equal(root.at, 24);
    assert_int_equal(fb_unsigned(&root, NUMBER, 4, 7, &number, NULL), ROOF_OK);
    assert_int_equal(number, 0x12345678);
    assert_int_equal(fb_unsigned(&root, WIDE, 8, 7, &number, NULL), ROOF_OK);
    assert_true(number == 0x8807060504030201);
    assert_int_equal(fb_signed(&root, SMALL, 2, 7, &small, NULL), ROOF_OK);
    assert_int_equal(small, -2);
    assert_int_equal(fb_signed(&root, WIDE, 8, 7, &small, NULL), ROOF_OK);
    assert_true(small < 0);
    assert_int_equal(fb_elements(&root, LIST, 4, &list, NULL), ROOF_OK);
    assert_int_equal(list.n, 2);
    assert_int_equal(fb_int32_of(&list, 0), 5);
    assert_int_equal(fb_int32_of(&list, 1), -1);
    assert_int_equal(fb_string(&root, TEXT, &text, NULL), ROOF_OK);
    assert_true(span_is(text, "abc"));
    assert_int_equal(fb_enter(&root, INNER, &inner, &is_there, NULL), ROOF_OK);
    assert_true(is_there);
    assert_int_equal(inner.at, 84);
    assert_int_equal(inner.n_fields, 0);
    free(bytes);
}

/* Left out by a 0 in the vtable, or since the vtable is of an older schema. */
static void what_is_left_out_has_its_default(void **state)
{
    static const uint32_t fields[] = {ABSENT, 7, 1000, UINT32_MAX};
    uint8_t *bytes = copy_of(sizeof whole);
    fb_table root, inner;
    (void)state;
    assert_int_equal(fb_root(bytes, sizeof whole, &root, NULL), ROOF_OK);
    for (size_t i = 0; i < COUNT(fields); i++) {
        fb_vector list;
        text_span text;
        uint64_t number;
        int64_t small;
        bool is_there;
        assert_int_equal(fb_unsigned(&root, fields[i], 4, 7, &number, NULL), ROOF_OK);
        assert_int_equal(number, 7);
        assert_int_equal(fb_signed(&root, fields[i], 1, -7, &small, NULL), ROOF_OK);
        assert_int_equal(small, -7);
        assert_int_equal(fb_elements(&root, fields[i], 4, &list, NULL), ROOF_OK);
        assert_int_equal(list.n, 0);
        assert_int_equal(fb_string(&root, fields[i], &text, NULL), ROOF_OK);
        assert_int_equal(text.length, 0);
        assert_int_equal(fb_enter(&root, fields[i], &inner, &is_there, NULL), ROOF_OK);
        assert_false(is_there);
    }
    free(bytes);
}

static void a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    for (size_t size = 0; size <= sizeof whole; size++) {
        uint8_t *bytes = copy_of(size);
        roof_error err = {0};
        uint64_t sum;
        roof_status status = read_all(bytes, size, &sum, &err);
        assert_int_equal(status, size == sizeof whole ? ROOF_OK : ROOF_E_DATA);
        if (status != ROOF_OK && err.byte_offset > size)
            fail_msg("%zu bytes: refused at %" PRIu64, size, err.byte_offset);
        free(bytes);
    }
}

static void no_changed_byte_leads_out_of_the_file(void **state)
{
    (void)state;
    for (size_t at = 0; at < sizeof whole; at++)
        for (unsigned value = 0; value < 256; value++) {
            uint8_t *bytes = copy_of(sizeof whole);
            roof_error err = {0};
            uint64_t sum;
            bytes[at] = (uint8_t)value;
            roof_status status = read_all(bytes, sizeof whole, &sum, &err);
            if (status != ROOF_OK && (status != ROOF_E_DATA || err.byte_offset > sizeof whole))
                fail_msg("byte %zu is %u: status %d at %" PRIu64, at, value, (int)status, err.byte_offset);
            free(bytes);
        }
}

static void damage_is_named_with_its_byte(void **state)
{
    static const struct {
        const char *name;
        size_t at;
        uint8_t bytes[4];
        size_t n;
        const char *want;
    } rows[] = {
        {"a root behind the end",
         0,
         {0xff, 0, 0, 0},
         4,
         "a table of 4 bytes at byte 0xff goes beyond the end: the file is truncated or damaged (byte 0x58)"},
        {"a vtable before the file",
         24,
         {100, 0, 0, 0},
         4,
         "the table's vtable at byte -76 lies outside of the file (byte 0x18)"},
        {"a vtable behind the file",
         24,
         {0, 0xff, 0xff, 0xff},
         4,
         "the table's vtable at byte 280 lies outside of the file (byte 0x18)"},
        {"a vtable of an odd size",
         6,
         {17, 0, 32, 0},
         4,
         "a vtable of 17 bytes for a table of 32, want an even size and 4 of each at least (byte 0x6)"},
        {"a vtable without its own size",
         6,
         {2, 0, 32, 0},
         4,
         "a vtable of 2 bytes for a table of 32, want an even size and 4 of each at least (byte 0x6)"},
        {"a vtable that is too long",
         6,
         {84, 0, 32, 0},
         4,
         "a vtable of 84 bytes at byte 0x6 goes beyond the end: the file is truncated or damaged (byte 0x6)"},
        {"a table that is too long",
         8,
         {65, 0},
         2,
         "a table of 65 bytes at byte 0x18 goes beyond the end: the file is truncated or damaged (byte "
         "0x18)"},
        {"a number that begins in its table and ends behind it",
         10,
         {30, 0},
         2,
         "field 0 has 4 bytes at 30 of a table that has 32 from byte 0x18 (byte 0xa)"},
        {"a number in the distance to the vtable",
         10,
         {2, 0},
         2,
         "field 0 has 4 bytes at 2 of a table that has 32 from byte 0x18 (byte 0xa)"},
        {"a list of 2^32 - 1 elements",
         56,
         {0xff, 0xff, 0xff, 0xff},
         4,
         "a vector of 17179869180 bytes at byte 0x3c goes beyond the end: the file is truncated or damaged "
         "(byte 0x3c)"},
        {"a text that is one byte too long",
         68,
         {17, 0, 0, 0},
         4,
         "a vector of 17 bytes at byte 0x48 goes beyond the end: the file is truncated or damaged (byte "
         "0x48)"},
        {"a list behind the end",
         36,
         {0, 0, 0, 0x80},
         4,
         "the length of a vector of 4 bytes at byte 0x80000024 goes beyond the end: the file is truncated or "
         "damaged (byte 0x58)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint8_t *bytes = copy_of(sizeof whole);
        roof_error err = {0};
        uint64_t sum;
        memcpy(bytes + rows[i].at, rows[i].bytes, rows[i].n);
        assert_int_equal(read_all(bytes, sizeof whole, &sum, &err), ROOF_E_DATA);
        if (strcmp(fx_message(&err), rows[i].want) != 0)
            fail_msg("%s: '%s'", rows[i].name, fx_message(&err));
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_there_is_read),
        cmocka_unit_test(what_is_left_out_has_its_default),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(no_changed_byte_leads_out_of_the_file),
        cmocka_unit_test(damage_is_named_with_its_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
