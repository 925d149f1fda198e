/* Several files of one model: listings of operators and the figures of a run, as the tools of SigmaStar's
 * IPUs print them. The network and its figures are invented. */
#include "tests/unit/imported.h"

#define EACH                                                                                                 \
    "0 CONV_2D 0.000%\n1 CONV_2D 40.000%\n2 MUL 0.000%\n3 CONV_2D 20.000%\n4 SOFTMAX 30.000%\n"              \
    "5 ADD 0.000%\n6 Fix2Float 10.000%\n"

static roof_measured *import_as(const char *name, const char *text)
{
    im_text t = {.bytes = text, .length = strlen(text)};
    roof_measured *m = NULL;
    roof_error err = {0};
    if (import_stream(im_read, &t, name, NULL, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return m;
}

static void files_of_one_toolkit_are_one_experiment_unless_it_is_doubtful(void **state)
{
    static const char console[] = "Invoke Time: 6 ms\nIPU Time: 5 ms\n";
    static const struct {
        const char *texts[3];
        uint32_t n_experiments;
        double first_s; /* of the run with the listing */
    } rows[] = {{{EACH, console, NULL}, 1, 0.005},
                {{console, EACH, NULL}, 1, 0.005},
                {{EACH, EACH, console}, 3, NAN},
                {{EACH, NULL, NULL}, 1, NAN}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        static const char *const names[] = {"a", "b", "c"};
        const char *note = NULL;
        roof_error err = {0};
        roof_measured *all = import_as("a", rows[i].texts[0]);
        for (size_t k = 1; k < 3 && rows[i].texts[k]; k++)
            assert_int_equal(roof_measured_merge(all, import_as(names[k], rows[i].texts[k]), &err), ROOF_OK);
        assert_int_equal(roof_import_join(all, &note, &err), ROOF_OK);
        assert_int_equal(all->n_experiments, rows[i].n_experiments);
        const roof_experiment *e = &all->experiments[0];
        const roof_run *run = &e->runs[e->runs[0].n_layers ? 0 : 1];
        assert_true(isnan(rows[i].first_s) ? isnan(run->sum_of_layers_s)
                                           : run->sum_of_layers_s == rows[i].first_s);
        assert_true(isnan(rows[i].first_s) ? !note : note && strstr(note, "their shares of 5 ms"));
        roof_measured_free(all);
    }
}

/* Since the first run layer by layer is laid beside the bypass run. */
static void rows_with_times_come_before_shares(void **state)
{
    const char *note = NULL;
    roof_error err = {0};
    roof_measured *all = import_as("a", EACH), *timeline = import_as("b", EACH);
    roof_run *measured = &timeline->experiments[0].runs[0];
    (void)state;
    timeline->sources[0].tool = "sigmastar_timeline";
    for (uint32_t i = 0; i < measured->n_layers; i++) {
        measured->layers[i].basis = ROOF_TIME_MEASURED;
        measured->layers[i].time.mean_s = 0.001;
    }
    assert_int_equal(roof_measured_merge(all, timeline, &err), ROOF_OK);
    assert_int_equal(roof_measured_merge(all, import_as("c", "Invoke Time: 6 ms\nIPU Time: 5 ms\n"), &err),
                     ROOF_OK);
    assert_int_equal(roof_import_join(all, &note, &err), ROOF_OK);
    assert_int_equal(all->n_experiments, 1);
    const roof_experiment *e = &all->experiments[0];
    assert_int_equal(e->n_runs, 3);
    assert_close(e->runs[0].layers[0].time.mean_s, 0.001, 1e-15);
    assert_int_equal(e->runs[1].mode, ROOF_RUN_BYPASS);
    assert_close(e->runs[2].layers[0].counters->share_ratio, 0.4, 1e-15);
    assert_close(e->runs[2].sum_of_layers_s, 0.005, 1e-15);
    roof_measured_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_one_toolkit_are_one_experiment_unless_it_is_doubtful),
        cmocka_unit_test(rows_with_times_come_before_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
