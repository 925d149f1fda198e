/* The algebra of answers: its table of worked examples to the last digit, and what holds of all answers. */
#include "roofline/answer.h"
#include "core/json/jsontree.h"
#include "tests/support/skips.h"
#include "tests/unit/fixture.h"

#include <math.h>

enum { MOST_ANSWERS = 16, MOST_CONDITIONS = 8 };

/* --- worked examples ------------------------------------------------------------------------------------ */

/* One line of the table, and what its texts point to. */
typedef struct example {
    const char *id;
    const cJSON *in, *out;
    roof_answer_condition under[MOST_ANSWERS][MOST_CONDITIONS];
    char texts[MOST_ANSWERS][MOST_CONDITIONS][32];
    uint32_t n_answers;
} example;

static double number_at(const cJSON *object, const char *key)
{
    const cJSON *node = jsontree_get(object, key);
    return cJSON_IsNumber(node) ? node->valuedouble : (double)NAN;
}

static roof_answer read_answer(example *e, const cJSON *from)
{
    const uint32_t at = e->n_answers++;
    const char *kind = cJSON_GetStringValue(jsontree_get(from, "k"));
    const double factor = number_at(from, "f"), left_out = number_at(from, "left_out");
    roof_answer a = {
        .value = number_at(from, "v"), .low = number_at(from, "lo"), .high = number_at(from, "hi")};
    const cJSON *condition;
    assert_true(at < MOST_ANSWERS);
    while (a.kind < ROOF_ANSWER_KINDS && strcmp(roof_answer_kind_text(a.kind), kind) != 0)
        a.kind++;
    assert_true(a.kind < ROOF_ANSWER_KINDS);
    if (factor > 0) {
        a.low = a.value / factor;
        a.high = a.value * factor;
    }
    a.covers.left_out = left_out > 0 ? (uint32_t)left_out : 0;
    cJSON_ArrayForEach(condition, jsontree_get(from, "cond"))
    {
        char *text = e->texts[at][a.n_under];
        if (strcmp(condition->string, "covers") == 0) {
            a.covers.parts = strcmp(condition->valuestring, "inference") == 0 ? ROOF_COVERS_INFERENCE
                                                                              : ROOF_COVERS_ACCELERATOR;
            continue;
        }
        assert_true(a.n_under < MOST_CONDITIONS);
        if (cJSON_IsString(condition))
            snprintf(text, sizeof e->texts[0][0], "%s", condition->valuestring);
        else
            snprintf(text, sizeof e->texts[0][0], "%.17g", condition->valuedouble);
        e->under[at][a.n_under++] = (roof_answer_condition){condition->string, text};
    }
    a.under = e->under[at];
    return a;
}

/* wanted: a number, or null for one that is not known or has no end. */
static void assert_number(const example *e, const char *what, double got, const cJSON *wanted)
{
    if (!wanted || cJSON_IsNull(wanted)) {
        if (!isnan(got) && !isinf(got))
            fail_msg("%s: %s is %.17g, want none", e->id, what, got);
        return;
    }
    if (!(fabs(got - wanted->valuedouble) <= 1e-12 * fabs(wanted->valuedouble) + 1e-15))
        fail_msg("%s: %s is %.17g, want %.17g", e->id, what, got, wanted->valuedouble);
}

static void hold_within(example *e)
{
    static const char *const words[] = {"kept", "broken", "not_known"};
    const roof_answer a = read_answer(e, cJSON_GetArrayItem(e->in, 0));
    const roof_held got = roof_answer_within(&a, cJSON_GetArrayItem(e->in, 1)->valuedouble,
                                             cJSON_IsTrue(cJSON_GetArrayItem(e->in, 2)));
    if (strcmp(words[got], cJSON_GetStringValue(e->out)) != 0)
        fail_msg("%s: %s, want %s", e->id, words[got], cJSON_GetStringValue(e->out));
}

static void hold_compare(example *e)
{
    static const char *const words[] = {"cannot_tell", "faster", "slower", "equal", "not_comparable"};
    const roof_answer a = read_answer(e, cJSON_GetArrayItem(e->in, 0)),
                      b = read_answer(e, cJSON_GetArrayItem(e->in, 1));
    const char *allowed[MOST_CONDITIONS + 1] = {NULL};
    const cJSON *list = cJSON_GetArrayItem(e->in, 2);
    for (int i = 0; i < cJSON_GetArraySize(list) && i < MOST_CONDITIONS; i++)
        allowed[i] = cJSON_GetStringValue(cJSON_GetArrayItem(list, i));
    const roof_outcome got = roof_answer_compare(&a, &b, allowed);
    const char *wanted = cJSON_GetStringValue(jsontree_get(e->out, "is"));
    if (strcmp(words[got.is], wanted) != 0)
        fail_msg("%s: %s, want %s", e->id, words[got.is], wanted);
    if (got.is == ROOF_OUTCOME_NOT_COMPARABLE) {
        assert_string_equal(got.unlike,
                            cJSON_GetStringValue(cJSON_GetArrayItem(jsontree_get(e->out, "unlike"), 0)));
        return;
    }
    assert_number(e, "ratio", got.ratio.value, jsontree_get(e->out, "ratio"));
    assert_number(e, "low", got.ratio.low, jsontree_get(e->out, "low"));
    assert_number(e, "high", got.ratio.high, jsontree_get(e->out, "high"));
}

/* kind, value, and ends where the table has them */
static void assert_answer(const example *e, const roof_answer *got, bool with_ends)
{
    double low, high;
    const char *wanted = cJSON_GetStringValue(jsontree_get(e->out, "k"));
    roof_answer_ends(got, &low, &high);
    if (strcmp(roof_answer_kind_text(got->kind), wanted) != 0)
        fail_msg("%s: %s, want %s", e->id, roof_answer_kind_text(got->kind), wanted);
    assert_number(e, "value", got->value, jsontree_get(e->out, "v"));
    if (with_ends && jsontree_get(e->out, "lo")) {
        assert_number(e, "low", low, jsontree_get(e->out, "lo"));
        assert_number(e, "high", high, jsontree_get(e->out, "hi"));
    }
}

static void hold_total(example *e)
{
    roof_answer parts[MOST_ANSWERS];
    uint32_t n = 0;
    const cJSON *part;
    cJSON_ArrayForEach(part, e->in) parts[n++] = read_answer(e, part);
    const roof_answer got = roof_answer_total(parts, n);
    assert_answer(e, &got, true);
    assert_int_equal(got.covers.left_out, (uint32_t)number_at(e->out, "left_out"));
}

static void hold_rate(example *e)
{
    const roof_answer a = read_answer(e, cJSON_GetArrayItem(e->in, 0));
    const cJSON *n = cJSON_GetArrayItem(e->in, 1);
    const roof_answer got = roof_answer_rate(&a, n ? n->valuedouble : 1, "1/s");
    assert_answer(e, &got, true);
}

static void hold_rank(example *e)
{
    roof_answer answers[MOST_ANSWERS];
    const char *names[MOST_ANSWERS], *fastest = cJSON_GetStringValue(jsontree_get(e->out, "fastest"));
    const cJSON *each, *may = jsontree_get(e->out, "may_be");
    bool may_be[MOST_ANSWERS];
    uint32_t n = 0;
    cJSON_ArrayForEach(each, cJSON_GetArrayItem(e->in, 0))
    {
        names[n] = each->string;
        answers[n++] = read_answer(e, each);
    }
    const uint32_t got = roof_answer_fastest(answers, n, NULL, may_be);
    if ((got == ROOF_NONE) != !fastest || (fastest && strcmp(names[got], fastest) != 0))
        fail_msg("%s: %s is fastest, want %s", e->id, got == ROOF_NONE ? "none" : names[got],
                 fastest ? fastest : "none");
    for (uint32_t i = 0; i < n; i++) {
        bool is_wanted = false;
        cJSON_ArrayForEach(each, may) is_wanted |= strcmp(each->valuestring, names[i]) == 0;
        assert_int_equal(may_be[i], is_wanted);
    }
}

static void hold_covered(example *e)
{
    roof_limited rows[MOST_ANSWERS];
    uint32_t n = 0;
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetArrayItem(e->in, 0))
    {
        const cJSON *limit = cJSON_GetArrayItem(row, 1);
        rows[n++] = (roof_limited){cJSON_GetArrayItem(row, 0)->valuedouble,
                                   cJSON_IsNumber(limit) ? limit->valuedouble : (double)NAN};
    }
    const roof_limit_ratio got = roof_answer_limit_ratio(rows, n, cJSON_GetArrayItem(e->in, 1)->valuedouble);
    assert_int_equal(got.rows, (uint32_t)number_at(e->out, "rows"));
    assert_int_equal(got.rows_all, (uint32_t)number_at(e->out, "of"));
    assert_number(e, "time share", got.time_ratio, jsontree_get(e->out, "time_share"));
    assert_number(e, "of rows", got.of_rows, jsontree_get(e->out, "of_rows"));
    assert_number(e, "of whole", got.of_whole, jsontree_get(e->out, "of_whole"));
}

static void hold_overlap(example *e)
{
    roof_time_span spans[MOST_ANSWERS];
    uint32_t n = 0;
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetArrayItem(e->in, 0)) spans[n++] =
        (roof_time_span){cJSON_GetArrayItem(row, 1)->valuedouble, cJSON_GetArrayItem(row, 2)->valuedouble};
    const roof_overlap got = roof_answer_overlap(spans, n, cJSON_GetArrayItem(e->in, 1)->valuedouble);
    assert_number(e, "work", got.work_s, jsontree_get(e->out, "work"));
    assert_number(e, "busy", got.busy_s, jsontree_get(e->out, "busy"));
    assert_number(e, "overlap", got.overlap_s, jsontree_get(e->out, "overlap"));
    assert_number(e, "idle", got.idle_s, jsontree_get(e->out, "idle"));
}

static void worked_examples_are_met_to_the_last_digit(void **state)
{
    (void)state;
    static const struct {
        const char *op;
        void (*hold)(example *e);
    } operations[] = {{"within", hold_within},     {"compare", hold_compare}, {"total", hold_total},
                      {"rate", hold_rate},         {"rank", hold_rank},       {"covered_ratio", hold_covered},
                      {"overlapped", hold_overlap}};
    const char *shared = getenv("ROOFLINE_SHARED");
    char path[600], line[4000];
    unsigned n = 0;
    snprintf(path, sizeof path, "%s/answers/algebra.jsonl", shared ? shared : "");
    FILE *file = shared ? fopen(path, "rb") : NULL;
    if (!file)
        skip_without("the optional folder ../shared");
    while (fgets(line, sizeof line, file)) {
        cJSON *tree;
        roof_error err;
        static example e;
        if (jsontree_parse(line, strlen(line), NULL, &tree, &err) != ROOF_OK)
            fail_msg("%s: %s", line, err.what);
        e = (example){cJSON_GetStringValue(jsontree_get(tree, "id")),
                      jsontree_get(tree, "in"),
                      jsontree_get(tree, "out"),
                      {{{NULL, NULL}}},
                      {{{0}}},
                      0};
        const char *op = cJSON_GetStringValue(jsontree_get(tree, "op"));
        for (size_t i = 0; i < COUNT(operations); i++)
            if (strcmp(operations[i].op, op) == 0) {
                operations[i].hold(&e);
                n++;
            }
        cJSON_Delete(tree);
    }
    fclose(file);
    assert_true(n >= 50);
}

/* --- what holds of all ---------------------------------------------------------------------------------- */

static const roof_answer all[] = {
    {.kind = ROOF_NOT_KNOWN, .value = NAN, .low = NAN, .high = NAN},
    {.kind = ROOF_MEASURED, .value = 10, .low = NAN, .high = NAN},
    {.kind = ROOF_MEASURED, .value = 10, .low = 9.9, .high = 10.1},
    {.kind = ROOF_EXPECTED, .value = 11, .low = 9, .high = 13},
    {.kind = ROOF_EXPECTED, .value = 11, .low = NAN, .high = NAN},
    {.kind = ROOF_ABOUT, .value = 20, .low = 10, .high = 40},
    {.kind = ROOF_ABOUT, .value = 20, .low = NAN, .high = NAN},
    {.kind = ROOF_AT_LEAST, .value = 3, .low = NAN, .high = NAN},
    {.kind = ROOF_AT_LEAST, .value = 30, .low = NAN, .high = NAN},
    {.kind = ROOF_AT_MOST, .value = 5, .low = NAN, .high = NAN},
    {.kind = ROOF_AT_MOST, .value = 50, .low = NAN, .high = NAN},
    {.kind = ROOF_EXPECTED, .value = 2, .low = 1.9, .high = 2.1, .covers.left_out = 3},
};

static void ends_are_in_order_and_nothing_that_leaves_out_has_an_upper_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(all); i++) {
        double low, high;
        roof_answer a = all[i];
        roof_answer_ends(&a, &low, &high);
        assert_true(0 <= low && low <= high);
        a.covers.left_out = 1;
        roof_answer_ends(&a, &low, &high);
        assert_true(isinf(high));
        assert_int_equal(roof_answer_within(&a, 1e9, false), ROOF_HELD_NOT_KNOWN);
        assert_false(roof_answer_has_point(&a));
    }
}

static void comparing_is_symmetric_and_two_bounds_never_rank(void **state)
{
    (void)state;
    static const roof_outcome_kind turned[] = {[ROOF_OUTCOME_CANNOT_TELL] = ROOF_OUTCOME_CANNOT_TELL,
                                               [ROOF_OUTCOME_FASTER] = ROOF_OUTCOME_SLOWER,
                                               [ROOF_OUTCOME_SLOWER] = ROOF_OUTCOME_FASTER,
                                               [ROOF_OUTCOME_EQUAL] = ROOF_OUTCOME_EQUAL,
                                               [ROOF_OUTCOME_NOT_COMPARABLE] = ROOF_OUTCOME_NOT_COMPARABLE};
    for (size_t i = 0; i < COUNT(all); i++)
        for (size_t k = 0; k < COUNT(all); k++) {
            const roof_outcome ab = roof_answer_compare(&all[i], &all[k], NULL),
                               ba = roof_answer_compare(&all[k], &all[i], NULL);
            assert_int_equal(ba.is, turned[ab.is]);
            if (all[i].kind == all[k].kind && (all[i].kind == ROOF_AT_LEAST || all[i].kind == ROOF_AT_MOST)) {
                assert_int_equal(ab.is, ROOF_OUTCOME_CANNOT_TELL);
                assert_true(isnan(ab.ratio.value));
            }
            /* a faster one keeps each limit that the other may keep */
            double low, high;
            roof_answer_ends(&all[k], &low, &high);
            if (ab.is == ROOF_OUTCOME_FASTER && isfinite(high))
                assert_int_equal(roof_answer_within(&all[i], high, false), ROOF_HELD_KEPT);
        }
}

static void a_sum_and_a_rate_know_no_more_than_their_parts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(all); i++)
        for (size_t k = 0; k < COUNT(all); k++) {
            const roof_answer parts[] = {all[i], all[k]}, sum = roof_answer_total(parts, 2),
                              rate = roof_answer_rate(&sum, 1, "1/s"), back = roof_answer_rate(&rate, 1, "s");
            double low[4], high[4];
            for (size_t p = 0; p < 2; p++)
                roof_answer_ends(&parts[p], &low[p], &high[p]);
            roof_answer_ends(&sum, &low[2], &high[2]);
            roof_answer_ends(&back, &low[3], &high[3]);
            assert_true(low[2] <= low[0] + low[1] + 1e-12);
            assert_true(sum.kind == ROOF_AT_MOST || fabs(low[2] - low[0] - low[1]) < 1e-12);
            assert_true(isinf(high[2]) == (isinf(high[0]) || isinf(high[1])));
            assert_true(low[3] <= low[2] + 1e-12 && high[3] >= high[2] - 1e-9);
        }
    const roof_answer none = roof_answer_total(NULL, 0);
    assert_int_equal(none.kind, ROOF_NOT_KNOWN);
    assert_true(isnan(none.value));
}

static void conditions_that_differ_are_named_unless_they_are_asked_about(void **state)
{
    (void)state;
    static const roof_answer_condition one[] = {{"clock", "300 MHz"}, {"busy cores", "1"}},
                                       three[] = {{"busy cores", "3"}, {"clock", "300 MHz"}};
    static const char *const cores[] = {"busy cores", NULL};
    roof_answer a = all[2], b = all[3];
    a.under = one;
    b.under = three;
    a.n_under = b.n_under = 2;
    assert_string_equal(roof_answer_compare(&a, &b, NULL).unlike, "busy cores");
    assert_null(roof_answer_compare(&a, &b, cores).unlike);
    b.n_under = 1; /* the clock is not stated */
    assert_string_equal(roof_answer_compare(&a, &b, cores).unlike, "clock");
    assert_int_equal(roof_answer_fastest((const roof_answer[]){a, b}, 2, NULL, NULL), ROOF_NONE);
}

#define TIME(kind_, value_, low_, high_)                                                                     \
    {                                                                                                        \
        .kind = (kind_), .value = (value_), .low = (low_), .high = (high_), .unit = "s"                      \
    }

/* Below 1.3 times, where ranges overlap; a bound has no point. */
static void times_are_about_the_same_where_ranges_overlap_and_points_are_near(void **state)
{
    static const struct {
        roof_answer a, b;
        bool are_same;
    } rows[] = {
        {TIME(ROOF_EXPECTED, 10, 5, 20), TIME(ROOF_EXPECTED, 12.9, 6, 25), true},
        {TIME(ROOF_EXPECTED, 10, 5, 20), TIME(ROOF_EXPECTED, 13.1, 6, 25), false},
        {TIME(ROOF_EXPECTED, 10, 9.9, 10.1), TIME(ROOF_EXPECTED, 12, 11.9, 12.1), false},
        {TIME(ROOF_EXPECTED, 10, 9.9, 10.1), TIME(ROOF_EXPECTED, 10.05, 10, 10.1), true},
        {TIME(ROOF_EXPECTED, 10, 5, 20), TIME(ROOF_AT_LEAST, 10, NAN, NAN), false},
        {TIME(ROOF_EXPECTED, 10, 5, 20), TIME(ROOF_NOT_KNOWN, NAN, NAN, NAN), false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (roof_answer_about_same(&rows[i].a, &rows[i].b, NULL) != rows[i].are_same ||
            roof_answer_about_same(&rows[i].b, &rows[i].a, NULL) != rows[i].are_same)
            fail_msg("row %zu", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_examples_are_met_to_the_last_digit),
        cmocka_unit_test(ends_are_in_order_and_nothing_that_leaves_out_has_an_upper_one),
        cmocka_unit_test(comparing_is_symmetric_and_two_bounds_never_rank),
        cmocka_unit_test(a_sum_and_a_rate_know_no_more_than_their_parts),
        cmocka_unit_test(conditions_that_differ_are_named_unless_they_are_asked_about),
        cmocka_unit_test(times_are_about_the_same_where_ranges_overlap_and_points_are_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
