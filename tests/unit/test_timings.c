/* Rows out of a stream: order, exact statistics, and what is given up when there is too much. */
#include "measure/import/timings.h"
#include "tests/unit/imported.h"

static uint32_t row_of(import_state *in, row_timings *t, const char *name, uint64_t tag)
{
    uint32_t row;
    assert_int_equal(timings_row_of(in, t, span_of(name), tag, &row, NULL), ROOF_OK);
    return row;
}

static void rows_are_told_apart_by_name_and_tag_in_order_of_appearance(void **state)
{
    roof_measured *m = measured_new();
    import_state in = {.out = m, .scratch = arena_new(0)};
    row_timings rows = {0}, *t = &rows;
    (void)state;
    assert_int_equal(row_of(&in, t, "b", 0), 0);
    assert_int_equal(row_of(&in, t, "a", 0), 1);
    assert_int_equal(row_of(&in, t, "b", 7), 2);
    assert_int_equal(row_of(&in, t, "b", 0), 0);
    for (int i = 0; i < 1000; i++) {
        char name[16];
        snprintf(name, sizeof name, "n%d", i);
        assert_int_equal(row_of(&in, t, name, 1), 3 + i);
    }
    assert_int_equal(row_of(&in, t, "n999", 1), 1002);
    assert_string_equal(t->rows[2].name, "b");
    timings_free(&in);
    arena_free(in.scratch);
    roof_measured_free(m);
}

static void samples_keep_their_order_and_give_the_statistics(void **state)
{
    enum { N = 20000 };
    roof_measured *m = measured_new();
    import_state in = {.out = m, .scratch = arena_new(0)};
    row_timings rows = {0}, *t = &rows;
    roof_run run = {0};
    roof_measured_layer *layer;
    double *copy = malloc(N * sizeof *copy);
    (void)state;
    row_of(&in, t, "a", 0);
    for (int i = 0; i < N; i++)
        assert_int_equal(timings_add(t, 0, (double)(i * 7919 % N), NULL), ROOF_OK);
    memcpy(copy, t->rows[0].samples, N * sizeof *copy);
    assert_int_equal(timings_layer(t, 0, &run, &layer, NULL), ROOF_OK);
    assert_int_equal(layer->time.count, N);
    for (int i = 0; i < N; i++)
        if (layer->time.samples_s[i] != (double)(i * 7919 % N) || copy[i] != layer->time.samples_s[i])
            fail_msg("sample %d", i);
    assert_close(layer->time.median_s, (N - 1) / 2.0, 1e-9);
    free(copy);
    timings_free(&in);
    arena_free(in.scratch);
    roof_measured_free(m);
}

/* Welford's sums must be what the samples would have said. */
static void statistics_stay_exact_when_samples_are_dropped_from_all_rows_which_is_told_once(void **state)
{
    static const char told[] = "4194305 samples of 2 rows are more than are kept";
    roof_measured *m = measured_new();
    import_state in = {.out = m, .scratch = arena_new(0)};
    row_timings rows = {0}, *t = &rows;
    roof_run run = {0};
    roof_measured_layer *layer;
    (void)state;
    text_init(&in.notes, TEXT_MAX_BYTES);
    row_of(&in, t, "often", 0);
    row_of(&in, t, "once", 0);
    assert_int_equal(timings_add(t, 1, 3, NULL), ROOF_OK);
    for (uint32_t i = 0; i < TIMINGS_MAX_SAMPLES; i++)
        assert_int_equal(timings_add(t, 0, 1e6 + i % 2, NULL), ROOF_OK);
    assert_true(t->dropped);
    assert_int_equal(timings_layer(t, 0, &run, &layer, NULL), ROOF_OK);
    assert_non_null(strstr(in.notes.bytes, told)); /* with the first row */
    assert_null(layer->time.samples_s);
    assert_int_equal(layer->time.count, TIMINGS_MAX_SAMPLES);
    assert_close(layer->time.mean_s, 1e6 + 0.5, 1e-6);
    assert_close(layer->time.std_s, 0.5, 1e-6);
    assert_close(layer->time.min_s, 1e6, 0);
    assert_close(layer->time.max_s, 1e6 + 1, 0);
    assert_true(isnan(layer->time.median_s));
    assert_int_equal(timings_layer(t, 1, &run, &layer, NULL), ROOF_OK);
    assert_null(layer->time.samples_s);
    assert_close(layer->time.mean_s, 3, 0);
    assert_true(isnan(layer->time.std_s));
    assert_null(strstr(strstr(in.notes.bytes, told) + 1, told));
    text_free(&in.notes);
    timings_free(&in);
    arena_free(in.scratch);
    roof_measured_free(m);
}

static void too_many_rows_make_one_ask_for_the_column(void **state)
{
    roof_measured *m = measured_new();
    import_state in = {.out = m, .scratch = arena_new(0)};
    row_timings rows = {0}, *t = &rows;
    roof_error err = {0};
    uint32_t row;
    (void)state;
    for (uint64_t i = 0; i < TIMINGS_MAX_ROWS; i++)
        assert_int_equal(timings_row_of(&in, t, span_of("x"), i, &row, NULL), ROOF_OK);
    assert_int_equal(timings_row_of(&in, t, span_of("y"), 0, &row, &err), ROOF_E_LIMIT);
    assert_non_null(strstr(err.what, "262144 different rows: is the column of names the right one?"));
    assert_int_equal(timings_row_of(&in, t, span_of("x"), 5, &row, &err), ROOF_OK);
    assert_int_equal(row, 5);
    timings_free(&in);
    arena_free(in.scratch);
    roof_measured_free(m);
}

static void durations_are_finite_and_not_negative(void **state)
{
    static const double bad[] = {-1e-9, NAN, INFINITY};
    roof_measured *m = measured_new();
    import_state in = {.out = m, .scratch = arena_new(0)};
    row_timings rows = {0}, *t = &rows;
    (void)state;
    row_of(&in, t, "a", 0);
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(timings_add(t, 0, bad[i], NULL), ROOF_E_DATA);
    assert_int_equal(t->rows[0].count, 0);
    timings_free(&in);
    arena_free(in.scratch);
    roof_measured_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_told_apart_by_name_and_tag_in_order_of_appearance),
        cmocka_unit_test(samples_keep_their_order_and_give_the_statistics),
        cmocka_unit_test(statistics_stay_exact_when_samples_are_dropped_from_all_rows_which_is_told_once),
        cmocka_unit_test(too_many_rows_make_one_ask_for_the_column),
        cmocka_unit_test(durations_are_finite_and_not_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
