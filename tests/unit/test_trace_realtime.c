/* Timelines of networks at a rate: each inference is on its core and in the row of its network, events of a
 * row do not overlap, also where a network is at work twice at once, and what is late is told. */
#include "core/text.h"
#include "roofline/render.h"
#include "tests/support/memory_io.h"
#include "tests/support/trace_check.h"
#include "tests/unit/fixture.h"

enum { MOST = 4 };

typedef struct made {
    uint32_t n, cores;
    roof_realtime_policy policy;
    struct {
        double service_ms, period_ms;
    } rows[MOST];
} made;

static cJSON *trace_of(const made *m, roof_realtime_run **run)
{
    roof_answer services[MOST];
    roof_realtime_task tasks[MOST];
    roof_realtime *schedule;
    roof_error err = {0};
    textbuf text;
    cJSON *root = NULL;
    for (uint32_t i = 0; i < m->n; i++) {
        services[i] = (roof_answer){
            .kind = ROOF_MEASURED, .value = m->rows[i].service_ms * 1e-3, .low = NAN, .high = NAN};
        tasks[i] = (roof_realtime_task){.name = "net",
                                        .period_s = m->rows[i].period_ms * 1e-3,
                                        .services = &services[i],
                                        .n_services = 1,
                                        .core = ROOF_NONE};
    }
    const roof_realtime_set set = {.tasks = tasks, .n_tasks = m->n, .cores = m->cores, .policy = m->policy};
    assert_int_equal(roof_realtime_analyse(&set, &schedule, &err), ROOF_OK);
    assert_int_equal(roof_realtime_simulate(&set, NULL, 1, 20000, run, &err), ROOF_OK);
    text_init(&text, TEXT_MAX_BYTES);
    assert_int_equal(roof_render(schedule, &(roof_render_options){.format = "trace"},
                                 (roof_sink){memory_write, &text}, &err),
                     ROOF_OK);
    if (jsontree_parse(text.bytes, text.length, NULL, &root, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    const char *wrong = trace_check(root);
    if (wrong)
        fail_msg("%s\n%.2000s", wrong, text.bytes);
    text_free(&text);
    roof_realtime_free(schedule);
    return root;
}

/* Events of a phase in a row, and the sum of their microseconds. */
static uint32_t count_events(const cJSON *root, const char *phase, uint32_t row, double *sum_us)
{
    uint32_t n = 0;
    const cJSON *event;
    *sum_us = 0;
    cJSON_ArrayForEach(event, jsontree_get(root, "traceEvents"))
    {
        const cJSON *duration = jsontree_get(event, "dur");
        if (strcmp(cJSON_GetStringValue(jsontree_get(event, "ph")), phase) != 0 ||
            (uint32_t)cJSON_GetNumberValue(jsontree_get(event, "tid")) % 100 != row)
            continue;
        n++;
        *sum_us += duration ? cJSON_GetNumberValue(duration) : 0;
    }
    return n;
}

static void every_inference_is_in_its_rows(void **state)
{
    static const made sets[] = {
        {2, 1, ROOF_REALTIME_FIXED, {{20, 100}, {30, 50}}},
        {3, 2, ROOF_REALTIME_FIXED, {{20, 100}, {30, 50}, {35, 100}}},
        {2, 2, ROOF_REALTIME_FIFO, {{60, 40}, {10, 100}}}, /* longer than its period: at work twice at once */
        {3, 2, ROOF_REALTIME_FIFO, {{50, 40}, {31, 60}, {1, 7}}},
        {2, 1, ROOF_REALTIME_FIXED, {{30, 40}, {30, 40}}}, /* grows for ever */
        {1, 1, ROOF_REALTIME_FIXED, {{1e-6, 1e-2}}},       /* more than are shown */
    };
    (void)state;
    for (size_t k = 0; k < COUNT(sets); k++) {
        roof_realtime_run *run;
        cJSON *root = trace_of(&sets[k], &run);
        double sum_us;
        for (uint32_t core = 0; core < sets[k].cores; core++) {
            uint32_t want = 0;
            double want_us = 0;
            for (uint32_t i = 0; i < run->n_jobs; i++) {
                want += run->jobs[i].core == core;
                want_us += run->jobs[i].core == core ? sets[k].rows[run->jobs[i].task].service_ms * 1e3 : 0;
            }
            assert_int_equal(count_events(root, "X", 1 + core, &sum_us), want);
            /* an event may be a nanosecond shorter, so that viewers do not drop the next */
            if (!(fabs(sum_us - want_us) <= 2e-3 * want))
                fail_msg("set %zu, core %u: %g us, want %g", k, core, sum_us, want_us);
        }
        assert_int_equal(count_events(root, "i", 1 + sets[k].cores + sets[k].n, &sum_us), run->n_late);
        roof_realtime_run_free(run);
        cJSON_Delete(root);
    }
}

/* One that is late waits and runs for its whole response. */
static void a_network_waits_and_runs(void **state)
{
    static const made set = {2, 1, ROOF_REALTIME_FIXED, {{20, 1000}, {30, 500}}};
    roof_realtime_run *run;
    cJSON *root = trace_of(&set, &run);
    double sum_us;
    (void)state;
    assert_int_equal(count_events(root, "X", 2, &sum_us), 1 + 1); /* of two periods; its second one, at 1 s */
    assert_int_equal(count_events(root, "X", 3, &sum_us), 2 + 4); /* two of them wait */
    assert_true(fabs(sum_us - (4 * 30e3 + 2 * 20e3)) < 0.1);
    roof_realtime_run_free(run);
    cJSON_Delete(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_inference_is_in_its_rows),
        cmocka_unit_test(a_network_waits_and_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
