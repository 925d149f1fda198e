/* The first item of a name is found; what has no name is none, and is not found by none. */
#include "core/named.h"
#include "tests/unit/fixture.h"

typedef struct unit {
    double scale;
    const char *word;
} unit;

static const unit units[] = {{1, "s"}, {1e-3, "ms"}, {0, NULL}, {2, "ms"}, {3, ""}};
static const char *const words[] = {"min", NULL, "max", "mean"};

static void the_first_of_a_name_is_found(void **state)
{
    static const struct {
        const char *name;
        size_t unit, word;
    } rows[] = {
        {"s", 0, 4},  {"ms", 1, 4},  {"m", 5, 4},    {"mss", 5, 4},  {"", 4, 4},
        {NULL, 5, 4}, {"min", 5, 0}, {"mean", 5, 3}, {"maxi", 5, 4},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *name = rows[i].name;
        const text_span span = {name, name ? strlen(name) : 0};
        const unit *wanted = rows[i].unit < COUNT(units) ? &units[rows[i].unit] : NULL;
        assert_int_equal(NAMED_AT(units, COUNT(units), word, name), rows[i].unit);
        assert_ptr_equal(NAMED(units, COUNT(units), word, name), wanted);
        assert_ptr_equal(NAMED_SPAN(units, COUNT(units), word, span), wanted);
        assert_int_equal(WORD_AT(words, COUNT(words), name), rows[i].word);
        assert_int_equal(SPAN_AT(words, COUNT(words), span), rows[i].word);
        assert_int_equal(IS_ONE_OF(words, name), rows[i].word < COUNT(words));
    }
    assert_null(NAMED((const unit *)NULL, 0, word, "s"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_of_a_name_is_found)};
    return cmocka_run_group_tests_name("named", tests, NULL, NULL);
}
