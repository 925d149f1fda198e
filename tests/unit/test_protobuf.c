/* The cursor over protobuf: numbers of every length, every way of being cut off, and wire types that are
 * none. Inputs are blocks of exactly their size. */
#include "core/protobuf.h"
#include "tests/unit/fixture.h"

typedef struct input {
    uint8_t *bytes;
    size_t size;
} input;

static input input_of(const void *bytes, size_t size)
{
    return (input){fx_copy(bytes, size), size};
}

/* ---- numbers ---- */

static void numbers_of_every_length_are_read(void **state)
{
    static const struct {
        uint64_t value;
        size_t length;
    } rows[] = {{0, 1},
                {1, 1},
                {127, 1},
                {128, 2},
                {300, 2},
                {(1u << 14) - 1, 2},
                {1u << 14, 3},
                {1u << 21, 4},
                {1u << 28, 5},
                {UINT32_MAX, 5},
                {(uint64_t)1 << 35, 6},
                {(uint64_t)1 << 42, 7},
                {(uint64_t)1 << 49, 8},
                {(uint64_t)1 << 56, 9},
                {((uint64_t)1 << 63) - 1, 9},
                {(uint64_t)1 << 63, 10},
                {UINT64_MAX, 10}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        xm_buffer b = {0};
        bool more = false;
        uint64_t value = 0;
        xm_put_varint(&b, rows[i].value);
        assert_int_equal(b.total_bytes, rows[i].length);
        for (size_t cut = 0; cut <= rows[i].length; cut++) {
            input in = input_of(b.data + b.start, cut);
            pb_cursor pb = pb_from(in.bytes, in.size);
            roof_error err = {0};
            roof_status status = pb_varint(&pb, &value, &more, &err);
            if (cut == rows[i].length) {
                assert_int_equal(status, ROOF_OK);
                assert_true(more && value == rows[i].value && pb.next == pb.end);
            } else if (cut == 0) {
                assert_int_equal(status, ROOF_OK);
                assert_false(more);
            } else {
                assert_int_equal(status, ROOF_E_DATA);
                assert_string_equal(err.what, "a number is cut off at the end of its message");
                assert_int_equal(err.byte_offset, cut);
            }
            free(in.bytes);
        }
        xm_buffer_free(&b);
    }
}

static void numbers_of_more_than_64_bits_are_refused(void **state)
{
    static const struct {
        const char *name;
        uint8_t bytes[12];
        size_t size;
        bool good;
        uint64_t value;
    } rows[] = {
        {"the largest", {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, 10, true, UINT64_MAX},
        {"bit 64", {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02}, 10, false, 0},
        {"all ten with more",
         {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
         11,
         false,
         0},
        {"eleven of zero", {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, 11, false, 0},
        {"zero in ten bytes", {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, 10, true, 0},
        {"one in two bytes", {0x81, 0x00}, 2, true, 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        input in = input_of(rows[i].bytes, rows[i].size);
        pb_cursor pb = pb_from(in.bytes, in.size);
        roof_error err = {0};
        uint64_t value = 7;
        bool more;
        roof_status status = pb_varint(&pb, &value, &more, &err);
        if (status != (rows[i].good ? ROOF_OK : ROOF_E_DATA) || (rows[i].good && value != rows[i].value))
            fail_msg("%s: status %d, %" PRIu64, rows[i].name, (int)status, value);
        if (!rows[i].good)
            assert_string_equal(fx_message(&err), "a number has more than 64 bits (byte 0x0)");
        free(in.bytes);
    }
}

/* ---- fields ---- */

static void fields_of_every_wire_type_are_read(void **state)
{
    static const uint8_t message[] = {0x08, 0x96, 0x01,                                     /* 1: 150 */
                                      0x11, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01, /* 2: 64 bits */
                                      0x1a, 0x03, 'a',  'b',  'c',                          /* 3: bytes */
                                      0x25, 0x78, 0x56, 0x34, 0x12,                         /* 4: 32 bits */
                                      0xaa, 0x06, 0x00,                    /* 101: no bytes */
                                      0xf8, 0xff, 0xff, 0xff, 0x0f, 0x01}; /* 536870911: 1 */
    static const struct {
        uint32_t number;
        pb_wire wire;
        uint64_t value, offset;
    } want[] = {{1, PB_VARINT, 150, 0}, {2, PB_FIXED64, 0x0123456789abcdef, 3},
                {3, PB_BYTES, 3, 12},   {4, PB_FIXED32, 0x12345678, 17},
                {101, PB_BYTES, 0, 22}, {536870911, PB_VARINT, 1, 25}};
    input in = input_of(message, sizeof message);
    pb_cursor pb = pb_from(in.bytes, in.size);
    pb_field f;
    bool more;
    (void)state;
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_int_equal(pb_next(&pb, &f, &more, NULL), ROOF_OK);
        assert_true(more);
        assert_int_equal(f.number, want[i].number);
        assert_int_equal(f.wire, want[i].wire);
        assert_true(f.value == want[i].value);
        assert_int_equal(f.offset, want[i].offset);
        if (f.number == 3)
            assert_memory_equal(f.data, "abc", 3);
    }
    assert_int_equal(pb_next(&pb, &f, &more, NULL), ROOF_OK);
    assert_false(more);
    free(in.bytes);
}

/* Every prefix is an error or a shorter list of whole fields. */
static void a_message_cut_anywhere_is_an_error_or_shorter(void **state)
{
    static const uint8_t message[] = {0x08, 0x96, 0x01, 0x11, 1,   2,   3,    4, 5, 6, 7,
                                      8,    0x1a, 0x03, 'a',  'b', 'c', 0x25, 1, 2, 3, 4};
    static const size_t whole[] = {0, 3, 12, 17, sizeof message};
    (void)state;
    for (size_t size = 0; size <= sizeof message; size++) {
        input in = input_of(message, size);
        pb_cursor pb = pb_from(in.bytes, in.size);
        pb_field f;
        roof_error err = {0};
        bool more = true, good = false;
        roof_status status = ROOF_OK;
        while (status == ROOF_OK && more)
            status = pb_next(&pb, &f, &more, &err);
        for (size_t i = 0; i < COUNT(whole); i++)
            good = good || whole[i] == size;
        if ((status == ROOF_OK) != good || (!good && err.byte_offset > size))
            fail_msg("%zu bytes: status %d at %" PRIu64, size, (int)status, err.byte_offset);
        free(in.bytes);
    }
}

static void what_is_no_field_is_refused(void **state)
{
    static const struct {
        const char *name;
        uint8_t bytes[12];
        size_t size;
        const char *want;
    } rows[] = {
        {"group start", {0x0b, 0x0c}, 2, "field 1 has wire type 3, want 0, 1, 2 or 5 (byte 0x0)"},
        {"group end", {0x0c}, 1, "field 1 has wire type 4, want 0, 1, 2 or 5 (byte 0x0)"},
        {"6", {0x0e, 0}, 2, "field 1 has wire type 6, want 0, 1, 2 or 5 (byte 0x0)"},
        {"7", {0x0f, 0}, 2, "field 1 has wire type 7, want 0, 1, 2 or 5 (byte 0x0)"},
        {"field 0", {0x00, 0x00}, 2, "field number 0 is not valid protobuf (byte 0x0)"},
        {"field 0 with bytes", {0x02, 0x00}, 2, "field number 0 is not valid protobuf (byte 0x0)"},
        {"field 2^29",
         {0x80, 0x80, 0x80, 0x80, 0x10, 0},
         6,
         "field number 536870912 is not valid protobuf (byte 0x0)"},
        {"a tag of 64 bits",
         {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
         10,
         "field number 2305843009213693951 is not valid protobuf (byte 0x0)"},
        {"64 bits cut off", {0x09, 1, 2, 3}, 4, "8 bytes wanted, 3 left (byte 0x1)"},
        {"32 bits cut off", {0x0d}, 1, "4 bytes wanted, 0 left (byte 0x1)"},
        {"a length beyond the end",
         {0x0a, 0x05, 'a'},
         3,
         "field 1 claims 5 bytes, but 1 are left: the file is truncated or damaged (byte 0x0)"},
        {"a length of 2^64 - 1",
         {0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
         11,
         "field 1 claims 18446744073709551615 bytes, but 0 are left: the file is truncated or damaged (byte "
         "0x0)"},
        {"no length", {0x0a}, 1, "a number is cut off at the end of its message (byte 0x1)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        input in = input_of(rows[i].bytes, rows[i].size);
        pb_cursor pb = pb_from(in.bytes, in.size);
        pb_field f;
        roof_error err = {0};
        bool more;
        assert_int_equal(pb_next(&pb, &f, &more, &err), ROOF_E_DATA);
        if (strcmp(fx_message(&err), rows[i].want) != 0)
            fail_msg("%s: '%s'", rows[i].name, fx_message(&err));
        free(in.bytes);
    }
}

/* The short cut for short bytes fields and the general way agree on every pair of first bytes. */
static void the_short_cut_changes_nothing(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 256; first++) {
        for (unsigned second = 0; second < 256; second += second < 8 ? 1 : 31) {
            for (size_t size = 0; size <= 6; size++) {
                const uint8_t bytes[] = {(uint8_t)first, (uint8_t)second, 1, 2, 3, 4};
                input in = input_of(bytes, size);
                pb_cursor a = pb_from(in.bytes, in.size), b = a;
                pb_field f = {0}, g = {0};
                bool more_a, more_b;
                roof_status s = pb_next(&a, &f, &more_a, NULL), t = pb_next_any(&b, &g, &more_b, NULL);
                assert_int_equal(s, t);
                assert_int_equal(more_a, more_b);
                if (s == ROOF_OK && more_a)
                    assert_true(a.next == b.next && f.number == g.number && f.wire == g.wire &&
                                f.value == g.value && f.data == g.data && f.offset == g.offset);
                free(in.bytes);
            }
        }
    }
}

static void a_nested_message_ends_where_its_field_does(void **state)
{
    static const uint8_t message[] = {0x0a, 0x04, 0x10, 0x05, 0x18, 0x06, 0x20, 0x07};
    input in = input_of(message, sizeof message);
    pb_cursor outer = pb_from(in.bytes, in.size);
    pb_field f, g;
    bool more;
    (void)state;
    assert_int_equal(pb_next(&outer, &f, &more, NULL), ROOF_OK);
    pb_cursor inner = pb_enter(&outer, &f);
    assert_int_equal(pb_next(&inner, &g, &more, NULL), ROOF_OK);
    assert_int_equal(g.number, 2);
    assert_int_equal(g.offset, 2); /* in the file, not in the message */
    assert_int_equal(pb_next(&inner, &g, &more, NULL), ROOF_OK);
    assert_int_equal(g.number, 3);
    assert_int_equal(pb_next(&inner, &g, &more, NULL), ROOF_OK);
    assert_false(more);
    assert_int_equal(pb_next(&outer, &f, &more, NULL), ROOF_OK);
    assert_int_equal(f.number, 4);
    free(in.bytes);
}

static void a_wrong_wire_type_is_named(void **state)
{
    const pb_field f = {.number = 5, .wire = PB_VARINT, .offset = 18};
    roof_error err = {0};
    (void)state;
    assert_int_equal(pb_want(&f, PB_VARINT, "op", &err), ROOF_OK);
    assert_int_equal(pb_want(&f, PB_BYTES, "op", &err), ROOF_E_DATA);
    assert_string_equal(fx_message(&err), "op (field 5) has wire type 0, want 2 (byte 0x12)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_every_length_are_read),
        cmocka_unit_test(numbers_of_more_than_64_bits_are_refused),
        cmocka_unit_test(fields_of_every_wire_type_are_read),
        cmocka_unit_test(a_message_cut_anywhere_is_an_error_or_shorter),
        cmocka_unit_test(what_is_no_field_is_refused),
        cmocka_unit_test(the_short_cut_changes_nothing),
        cmocka_unit_test(a_nested_message_ends_where_its_field_does),
        cmocka_unit_test(a_wrong_wire_type_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
