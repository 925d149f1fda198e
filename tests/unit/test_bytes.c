/* Numbers are read byte by byte, so that neither the machine's order nor an address matters. */
#include "core/bytes.h"
#include "tests/unit/fixture.h"

static void numbers_are_little_endian(void **state)
{
    static const struct {
        unsigned char bytes[5]; /* the first one is none of them: the others lie at an odd address */
        uint32_t whole;
        double number;
    } rows[] = {{{1, 0, 0, 0, 0}, 0, 0},
                {{1, 0, 0, 0x80, 0x3F}, 0x3F800000, 1},
                {{1, 0, 0, 0x20, 0xC1}, 0xC1200000, -10},
                {{1, 0xFF, 0xFF, 0x7F, 0x7F}, 0x7F7FFFFF, 0x1.fffffep127}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(bytes_u32(rows[i].bytes + 1), rows[i].whole);
        assert_true(bytes_f32(rows[i].bytes + 1) == rows[i].number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_little_endian)};
    return cmocka_run_group_tests_name("bytes", tests, NULL, NULL);
}
