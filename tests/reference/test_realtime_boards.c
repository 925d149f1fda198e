/* As many copies of one network as a board has cores, each on its own: how often all of them can be asked for
 * with every deadline met, beside the frames per second of the Vitis AI Model Zoo (zoo.h). */
#include "roofline/realtime.h"
#include "tests/reference/zoo.h"
#include "tests/support/accuracy.h"

static const struct board {
    const char *name;
    uint32_t cores;
    double median, p90; /* at most, of the errors */
    const char *what;
} boards[] = {
    {"kv260", 1, 0.05, 0.12, "KV260, inferences/s, 1 core"},
    {"zcu104", 2, 0.05, 0.12, "ZCU104, inferences/s, 2 cores"},
    {"zcu102", ZOO_MOST_CORES, 0.05, 0.20, "ZCU102, inferences/s, 3 cores"},
};

/* All copies together, at the highest rate that fits. */
static double highest_fps(const zoo_row *row, uint32_t cores)
{
    roof_realtime *schedule = NULL;
    roof_realtime_task tasks[ZOO_MOST_CORES];
    roof_answer services[ZOO_MOST_CORES];
    roof_error err = {0};
    roof_hw *hw = fx_hw(row->board);
    roof_prediction *p = zoo_predict(row, hw);
    for (uint32_t busy = 1; busy <= cores; busy++)
        services[busy - 1] = roof_realtime_service(p, busy);
    assert_false(roof_answer_is_bound(services->kind));
    for (uint32_t i = 0; i < cores; i++)
        tasks[i] = (roof_realtime_task){
            .name = row->file, .period_s = 1, .services = services, .n_services = cores, .core = ROOF_NONE};
    const roof_realtime_set set = {.tasks = tasks, .n_tasks = cores, .cores = cores};
    assert_int_equal(roof_realtime_analyse(&set, &schedule, &err), ROOF_OK);
    assert_int_equal(schedule->busy_cores, cores);
    const double fps = cores * schedule->headroom_ratio;
    roof_realtime_free(schedule);
    roof_prediction_free(p);
    roof_hw_free(hw);
    return fps;
}

static void rates_that_fit_are_those_of_boards(void **state)
{
    static zoo_row rows[ZOO_MOST_ROWS];
    const uint32_t n = zoo_read(rows);
    (void)state;
    for (size_t b = 0; b < COUNT(boards); b++) {
        accuracy a = {.what = boards[b].what, .constants = "built in, fitted to these networks"};
        for (uint32_t i = 0; i < n; i++)
            if (strcmp(rows[i].board, boards[b].name) == 0)
                accuracy_add(&a, rows[i].file, highest_fps(&rows[i], boards[b].cores), rows[i].fps, NULL);
        accuracy_tell(&a);
        assert_true(a.n > 20);
        assert_true(accuracy_quantile(&a, 0.5) <= boards[b].median &&
                    accuracy_quantile(&a, 0.9) <= boards[b].p90);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_that_fit_are_those_of_boards),
    };
    shared_folder();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
