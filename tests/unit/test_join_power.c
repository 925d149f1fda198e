/* Which run the power of another file belongs to, and what it makes of one inference. The figures are worked
 * by hand. */
#include "measure/profile/profile.h"
#include "roofline/import.h"
#include "tests/support/memory_io.h"
#include "tests/unit/imported.h"

#define DOCUMENT(experiments) "{\"schema\":\"roofline.measured/1\",\"experiments\":[" experiments "]}"
#define RUN(members)          "{\"mode\":\"bypass\"," members "}"
#define ON(model, hardware, runs)                                                                            \
    "{\"model\":{\"name\":\"" model "\"},\"hardware\":{\"id\":\"" hardware "\"},\"runs\":[" runs "]}"
#define TIMED RUN("\"iterations\":100,\"total\":{\"mean_s\":0.1}")

/* 1 W for 10 s, then 2 W for 10 s. */
#define STEP "time_s,power_W\n0,1\n4,1\n8,1\n10,1\n10,2\n15,2\n20,2\n"

static roof_measured *read_document(const char *json)
{
    memory_source source = {json, strlen(json), 0};
    roof_measured *m = NULL;
    roof_error err;
    if (measured_codec_read(memory_read, &source, "profile.json", &m, &err) != ROOF_OK)
        fail_msg("%s\n%s", fx_message(&err), json);
    return m;
}

typedef struct laid_row {
    const char *what, *power;
    roof_power_options options;
    double power_w, idle_power_w, energy_j;
    const char *how;
} laid_row;

#define ALL NAN, NAN

static const laid_row laid[] = {
    {"a window that the run fills, and a quiet part before it",
     STEP,
     {0, 10, 20, NAN},
     2,
     1,
     0.1,
     "2 W while it ran: 20 J in 10 s, 100 inferences; without 1 W of idle power, the mean before the window"},
    {"a stated count goes before that of the run",
     STEP,
     {50, 10, NAN, NAN},
     2,
     1,
     0.2,
     "50 inferences; without 1 W of idle power, the mean before the window; nothing ran in 50 % of the "
     "window"},
    {"more than can have run one after the other",
     STEP,
     {200, 10, NAN, 1},
     2,
     1,
     0.05,
     "without 1 W of idle power; they take longer than the window"},
    {"a stated idle power", STEP, {0, 10, 20, 0.5}, 2, 0.5, 0.15, "without 500 mW of idle power"},
    {"a log that is longer than the run",
     STEP,
     {0, ALL, NAN},
     1.5,
     NAN,
     NAN,
     "how many inferences did is not stated"},
    {"nothing quiet before the window",
     "time_s,power_W\n0,2\n2,2\n4,2\n20,2\n",
     {0, 10, 20, NAN},
     2,
     NAN,
     0.2,
     "idle power is unknown, and included"},
    {"a log without times",
     "SOM total power : 2000 mW\nSOM total power : 4000 mW\n",
     {0, ALL, 1},
     3,
     1,
     NAN,
     "energy is power x time"},
    {"joules that perf counted",
     " Performance counter stats for 'x':\n\n 30 Joules power/energy-pkg/\n 10 seconds time elapsed\n",
     {0, ALL, NAN},
     3,
     NAN,
     30,
     "its energy and power are those of the run"},
};

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fabs(b);
}

static void the_energy_of_a_window_is_divided_by_what_ran_in_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(laid); i++) {
        const laid_row *want = &laid[i];
        roof_measured *m = read_document(DOCUMENT(ON("net", "test", TIMED))),
                      *power = im_import(want->power, NULL);
        const char *how = NULL;
        roof_error err = {0};
        if (roof_measured_lay_power(m, power, &want->options, &how, &err) != ROOF_OK)
            fail_msg("%s: %s", want->what, fx_message(&err));
        const roof_run *run = im_run(m, 0);
        if (!same(run->power_w, want->power_w) || !same(run->idle_power_w, want->idle_power_w) ||
            !same(run->energy_j, want->energy_j) || !strstr(how, want->how))
            fail_msg("%s: %g W, idle %g W, %g J: %s", want->what, run->power_w, run->idle_power_w,
                     run->energy_j, how);
        assert_int_equal(m->n_sources, 1);
        assert_non_null(strstr(m->sources[0].notes, how));
        roof_measured_free(m);
    }
}

static void a_window_or_a_run_that_is_not_there_is_refused(void **state)
{
    static const struct {
        const char *what, *profile, *power, *words;
        roof_power_options options;
    } rows[] = {
        {"no run",
         ON("a", "x", RUN("\"iterations\":1")),
         STEP,
         "0 runs have a time and no power",
         {0, ALL, NAN}},
        {"two runs", ON("a", "x", TIMED) "," ON("b", "x", TIMED), STEP, "2 runs have a time", {0, ALL, NAN}},
        {"power already",
         ON("a", "x", RUN("\"power_w\":1,\"total\":{\"mean_s\":1}")),
         STEP,
         "0 runs have a time and no power",
         {0, ALL, NAN}},
        {"no power",
         ON("a", "x", TIMED),
         "# started on x\n\n7,,cs,1,100.00,,\n",
         "is it the file of a power meter?",
         {0, ALL, NAN}},
        {"two GPUs",
         ON("a", "x", TIMED),
         "timestamp, index, power.draw [W]\n2026/01/05 10:00:00, 0, 4 W\n2026/01/05 10:00:00, 1, 9 W\n",
         "power of 2 devices",
         {0, ALL, NAN}},
        {"beyond the log", ON("a", "x", TIMED), STEP, "the log covers 20 s", {0, 10, 21, NAN}},
        {"nothing left", ON("a", "x", TIMED), STEP, "has no length", {0, 10, 10, NAN}},
        {"between two samples", ON("a", "x", TIMED), STEP, "no sample in the window", {0, 16, 17, NAN}},
        {"idle above", ON("a", "x", TIMED), STEP, "is more than the 2 W while it ran", {0, 10, 20, 3}},
        {"a window without times",
         ON("a", "x", TIMED),
         "SOM total power : 2000 mW\n",
         "its samples have no times",
         {0, 1, 2, NAN}},
        {"a window without samples",
         ON("a", "x", TIMED),
         " Performance counter stats for 'x':\n\n 30 Joules power/energy-pkg/\n",
         "it has no samples",
         {0, 1, 2, NAN}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char json[1000];
        snprintf(json, sizeof json, DOCUMENT("%s"), rows[i].profile);
        roof_measured *m = read_document(json), *power = im_import(rows[i].power, NULL);
        const char *how = NULL;
        roof_error err = {0};
        roof_status status = roof_measured_lay_power(m, power, &rows[i].options, &how, &err);
        if (status != ROOF_E_DATA || !strstr(err.what, rows[i].words))
            fail_msg("%s: %s", rows[i].what, status == ROOF_OK ? how : err.what);
        assert_int_equal(m->n_sources, 0); /* nothing was joined */
        roof_measured_free(m);
        roof_measured_free(power);
    }
}

/* --- within a document -------------------------------------------------------------------------------- */

#define POWER RUN("\"power_w\":3,\"power_scope\":\"board\"")

static void power_alone_goes_to_the_only_run_that_it_can_be_of(void **state)
{
    static const struct {
        const char *what, *experiments;
        uint32_t n_joined;
    } rows[] = {
        {"the same model and hardware", ON("a", "x", TIMED) "," ON("b", "x", TIMED) "," ON("b", "x", POWER),
         1},
        {"of one experiment", ON("a", "x", TIMED "," POWER), 1},
        {"two of them",
         ON("a", "x", POWER) "," ON("b", "x", POWER) "," ON("a", "x", TIMED) "," ON("b", "x", TIMED), 2},
        {"the whole-network run of two",
         ON("a", "x", TIMED ",{\"mode\":\"per_layer\",\"total\":{\"mean_s\":1}}") "," ON("a", "x", POWER), 1},
        {"the run of its mode",
         ON("a", "x", RUN("\"total\":{\"mean_s\":1}") ",{\"mode\":\"per_layer\",\"total\":{\"mean_s\":0.1}}") "," ON(
             "a", "x", "{\"mode\":\"per_layer\",\"power_w\":3,\"power_scope\":\"board\"}"),
         1},
        {"a meter that knows no model", ON("a", "x", TIMED) ",{\"model\":{},\"runs\":[" POWER "]}", 1},
        {"a meter that could be of two",
         ON("a", "x", TIMED) "," ON("b", "x", TIMED) ",{\"model\":{},\"runs\":[" POWER "]}", 0},
        {"another model", ON("a", "x", TIMED) "," ON("b", "x", POWER), 0},
        {"another device", ON("a", "x", TIMED) "," ON("a", "y", POWER), 0},
        {"a run under load, whose latency is not the time that an inference has the device for",
         ON("a", "x", "{\"mode\":\"load\",\"threads\":2,\"total\":{\"mean_s\":0.1}}") "," ON("a", "x", POWER),
         0},
        {"the other run of a load sweep",
         ON("a", "x", "{\"mode\":\"load\",\"threads\":2,\"total\":{\"mean_s\":0.1}}," TIMED) "," ON("a", "x",
                                                                                                    POWER),
         1},
        {"two meters", ON("a", "x", TIMED) "," ON("a", "x", POWER) "," ON("a", "x", POWER), 0},
        {"power is there already",
         ON("a", "x", RUN("\"power_w\":1,\"total\":{\"mean_s\":1}")) "," ON("a", "x", POWER), 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char json[2000];
        snprintf(json, sizeof json, DOCUMENT("%s"), rows[i].experiments);
        roof_measured *m = read_document(json);
        uint32_t n = roof_measured_join_power(m), n_with_both = 0;
        for (uint32_t e = 0; e < m->n_experiments; e++)
            for (uint32_t r = 0; r < m->experiments[e].n_runs; r++) {
                const roof_run *run = &m->experiments[e].runs[r];
                n_with_both += run->power_w == 3 && run->total.mean_s == 0.1 && run->power_scope;
            }
        if (n != rows[i].n_joined || n_with_both != n)
            fail_msg("%s: %u joined, %u with both", rows[i].what, n, n_with_both);
        roof_measured_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_energy_of_a_window_is_divided_by_what_ran_in_it),
        cmocka_unit_test(a_window_or_a_run_that_is_not_there_is_refused),
        cmocka_unit_test(power_alone_goes_to_the_only_run_that_it_can_be_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
