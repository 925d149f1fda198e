/* What is said of the host: about how long, of what, and what is not known. */
#include "reports/words/prediction_words.h"
#include "tests/support/host_plan.h"
#include "tests/unit/fixture.h"

#define SW "NODE_SW"

static const hp_row softmax = {"Softmax", SW, "1,16,4,1029", "1,16,4,1029", 8, 8},
                    split = {"Split", SW, "1,60000", "1,60000", 8, 8},
                    matmul = {"MatMul", SW, "1,60000", "1,60000", 8, 8},
                    small = {"QuantizeLinear", SW, "1,30", "1,30", 32, 8},
                    shuffle = {"DepthToSpace", "NODE_SW_HW", "1,1024,7,7", "1,256,14,14", 8, 8};

static void the_line_says_what_and_what_not(void **state)
{
    static const struct {
        const hp_row *rows[7];
        const char *scope, *line;
    } cases[] = {
        {{NULL}, "", NULL},
        {{&softmax},
         ", without 1 CPU layer (softmax) and 1 transfer, about 5.384 ms",
         "about 5.384 ms (2.692 ms to 10.77 ms: within a factor of 2), in no other time: softmax 5.384 ms "
         "for "
         "65 856 elements; a network without softmax, or with less of it, saves some 84 % of ideal and host"},
        {{&split}, ", without 1 CPU layer (split) and 1 transfer", "not known: split"},
        {{&small},
         ", without 1 CPU layer (quantize) and 1 transfer",
         "1 smaller one: a fixed part of some 10 us dominates"},
        {{&softmax, &split, &split, &matmul, &small, &small, &small},
         ", without 7 CPU layers and 1 transfer, about 5.384 ms for those that have a time",
         "about 5.384 ms (2.692 ms to 10.77 ms: within a factor of 2), in no other time: softmax 5.384 ms "
         "for "
         "65 856 elements; a network without softmax, or with less of it, saves some 84 % of ideal and host; "
         "not known: matmul, split (2); 3 smaller ones: a fixed part of some 10 us dominates"},
        {{&split, &shuffle},
         ", without 1 CPU layer, the CPU part of 1 more (depth to space, split) and 2 transfers, about 57.7 "
         "us "
         "for "
         "those that have a time",
         "about 57.7 us (28.85 us to 115.4 us: within a factor of 2), in no other time: depth to space 57.7 "
         "us "
         "for 50 176 bytes; not known: split"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        hp_row rows[7];
        unsigned n = 0;
        char text[ROOF_SENTENCE_SIZE];
        roof_arena *arena = arena_new(0);
        for (; n < COUNT(rows) && cases[i].rows[n]; n++)
            rows[n] = *cases[i].rows[n];
        roof_prediction *p = hp_predict(rows, n, "stm32n6", 1);
        sentence s = say_into(text);
        host_say_scope(&s, p);
        assert_string_equal(text, cases[i].scope);
        const char *line = host_line(p, arena);
        assert_string_equal(line ? line : "(none)", cases[i].line ? cases[i].line : "(none)");
        roof_prediction_free(p);
        arena_free(arena);
    }
}

/* A calibration has a constant for each epoch of the host: it stays, and the words say which is which. */
static void a_calibrated_time_is_not_the_same(void **state)
{
    roof_prediction *p = hp_predict(&split, 1, "stm32n6", 1);
    roof_arena *arena = arena_new(0);
    char text[ROOF_SENTENCE_SIZE];
    sentence s = say_into(text);
    (void)state;
    p->layers[1].predicted_s = 3e-4;
    host_say_scope(&s, p);
    assert_string_equal(
        text, ", without 1 CPU layer (split) and 1 transfer, but for a constant of the calibration");
    assert_string_equal(host_line(p, arena), "not known: split; the expected time has a constant for each of "
                                             "them in place of this");
    roof_prediction_free(p);
    arena_free(arena);
}

/* A line names so many kinds that have no time. */
static void many_kinds_are_counted(void **state)
{
    static const char *const kinds[] = {"A", "B", "C", "D", "E", "F", "G", "H"};
    hp_row rows[COUNT(kinds)];
    roof_arena *arena = arena_new(0);
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++)
        rows[i] = (hp_row){kinds[i], SW, "8", "8", 8, 8};
    roof_prediction *p = hp_predict(rows, COUNT(kinds), "stm32n6", 1);
    assert_string_equal(host_line(p, arena), "not known: a, b, c, d, e, f, 2 more kinds");
    roof_prediction_free(p);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_says_what_and_what_not),
        cmocka_unit_test(a_calibrated_time_is_not_the_same),
        cmocka_unit_test(many_kinds_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
