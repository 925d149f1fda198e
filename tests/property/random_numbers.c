/* Numbers as texts: whatever way is taken inside, the double is the nearest one, as strtod has it, to the
 * last bit. ROOF_SEED sets where to start; a failure prints the text. */
#include "core/quantity.h"
#include "tests/property/random.h"
#include "tests/unit/fixture.h"

enum { TEXTS = 1000000, LONGEST = 1200 };

static uint32_t below(uint32_t n)
{
    return (uint32_t)((next_random() >> 11) % n);
}

/* The tests run in the locale C, or one that writes numbers like it. */
static void assert_parsed(const char *text)
{
    double got = 0, want = strtod(text, NULL);
    size_t used = number_parse(text, strlen(text), &got);
    if (used != strlen(text) || memcmp(&got, &want, sizeof got) != 0)
        fail_msg("'%s': %zu bytes, %.17g, want %.17g", text, used, got, want);
}

static size_t put_digits(char *text, size_t n, bool zeros)
{
    for (size_t i = 0; i < n; i++)
        text[i] = (char)('0' + (zeros && below(3) ? 0 : below(10)));
    return n;
}

/* Mostly as people write them: few digits, small exponents; and about the borders of the fast way: 15 digits,
 * 10^22. */
static void make_text(char *text)
{
    size_t n = 0, whole = below(4) ? below(10) : below(20), fraction = below(3) ? below(8) : below(20);
    if (!below(4))
        text[n++] = below(3) ? '-' : '+';
    whole += whole + fraction == 0;
    n += put_digits(text + n, whole, below(2));
    if (fraction || !below(8))
        text[n++] = '.';
    n += put_digits(text + n, fraction, below(2));
    text[n] = '\0';
    if (below(2))
        sprintf(text + n, "%c%s%d", below(2) ? 'e' : 'E',
                below(2)   ? "-"
                : below(2) ? "+"
                           : "",
                (int)below(below(4) ? 40 : 400));
}

static void random_texts_are_the_nearest_double(void **state)
{
    char text[100];
    (void)state;
    random_state = first_seed();
    for (int i = 0; i < TEXTS; i++) {
        make_text(text);
        assert_parsed(text);
    }
}

/* Doubles of every size, printed with the digits that tell them apart, and with a few less. */
static void printed_doubles_come_back(void **state)
{
    (void)state;
    random_state = first_seed();
    for (int i = 0; i < TEXTS / 4; i++) {
        char text[40];
        double value;
        uint64_t bits = next_random();
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        snprintf(text, sizeof text, "%.*g", 17 - (int)below(5), value);
        assert_parsed(text);
        number_format(text, sizeof text, value);
        double back = 0;
        assert_true(number_parse(text, strlen(text), &back) && memcmp(&back, &value, sizeof back) == 0);
    }
}

static void hard_texts_are_the_nearest_double(void **state)
{
    static const char *const rows[] = {
        "0",
        "-0",
        "+0.0e5",
        "0.000000000000000000000000000000000000000000000000000000000001e60",
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.00000000000000000000000000000000000001",
        "999999999999999",
        "999999999999999e22",
        "999999999999999e-22",
        "9999999999999999",
        "1e22",
        "1e23",
        "8.5e22",
        "1e-22",
        "1e-23",
        "123456789012345e22",
        "0.1",
        "0.3",
        "0.1000000000000000055511151231257827021181583404541015625",
        "179769313486231570e291",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e309",
        "-1e400",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "0e99999999999999999999",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-400",
        "6.631236846766476e-316",
        "1.00000005960464477539062499",
        "5708990770823839524233143877797980545530986496",
        "0.500000000000000166533453693773481063544750213623046875",
        "3.518437208883201171875e13",
        "62.5364939768271845828",
        "8.10109172351e-10",
        "1.50000000000000011102230246251565",
        "9007199254740991.4999999999999999999999999999999995",
        "1e0000000000000000000000022",
        "000000000000000000000000000000000000000000000000000000000012.5e1",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_parsed(rows[i]);
}

/* As many digits as are read at all, and one more. */
static void long_texts_are_read_up_to_a_limit(void **state)
{
    char text[LONGEST + 1];
    (void)state;
    for (size_t n = 700; n < LONGEST; n++) {
        double value = 7;
        memset(text, '0', n);
        text[0] = text[n - 1] = '1';
        text[1] = '.';
        text[n] = '\0';
        if (n <= 1100)
            assert_parsed(text);
        else
            assert_int_equal(number_parse(text, n, &value), 0);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_texts_are_the_nearest_double),
        cmocka_unit_test(printed_doubles_come_back),
        cmocka_unit_test(hard_texts_are_the_nearest_double),
        cmocka_unit_test(long_texts_are_read_up_to_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
