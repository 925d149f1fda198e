/* The profile of a language model on an AI Engine array, of any size. */
#include "tests/support/air_report_writer.h"
#include "tests/unit/imported.h"

static roof_measured *import_report(const ar_report *report)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    ar_write(report, &text);
    roof_measured *m = im_import(text.bytes, NULL);
    text_free(&text);
    return m;
}

static const roof_run *run_of(const roof_measured *m, uint32_t experiment)
{
    assert_int_equal(m->n_experiments, 2);
    assert_int_equal(m->experiments[experiment].n_runs, 1);
    return m->experiments[experiment].runs;
}

static double phase_s(const roof_run *run, const char *name)
{
    for (uint32_t i = 0; i < run->n_phases; i++)
        if (strcmp(run->phases[i].name, name) == 0)
            return run->phases[i].seconds;
    fail_msg("no phase '%s'", name);
    return NAN;
}

/* Whatever layers and tokens there are, phases and rows are the same sum. */
static void sums_close_for_any_number_of_layers_and_tokens(void **state)
{
    static const struct {
        unsigned layers, tokens;
    } rows[] = {{1, 1}, {2, 3}, {16, 1}, {28, 100}, {80, 7}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        ar_report report = ar_llama;
        report.layers = rows[i].layers;
        report.tokens = rows[i].tokens;
        report.model = i % 2 ? NULL : ar_llama.model;
        roof_measured *m = import_report(&report);
        for (uint32_t e = 0; e < 2; e++) {
            const roof_run *run = run_of(m, e);
            double sum = 0;
            for (uint32_t k = 0; k < run->n_layers; k++)
                sum += isnan(run->layers[k].time.mean_s)
                           ? 0
                           : run->layers[k].executions * run->layers[k].time.mean_s;
            assert_close(sum, run->sum_of_layers_s, 1e-9);
            assert_close(phase_s(run, "host") + phase_s(run, "calls"), sum, 1e-9);
            assert_true(phase_s(run, "write") + phase_s(run, "run") + phase_s(run, "read") <=
                        phase_s(run, "calls"));
            assert_int_equal(run->iterations, e ? rows[i].tokens : 1);
        }
        assert_int_equal(run_of(m, 0)->launches, 3 * rows[i].layers + 1);
        assert_int_equal(run_of(m, 1)->launches, 2 * rows[i].layers + 1);
        assert_true((run_of(m, 1)->trend.steps == ROOF_UNKNOWN) == (rows[i].tokens < 3));
        roof_measured_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_close_for_any_number_of_layers_and_tokens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
