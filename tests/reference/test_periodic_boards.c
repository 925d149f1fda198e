/* As many copies of one network as a board has cores, each on its own: how often all of them can be asked for
 * with every deadline met, beside the frames per second of the Vitis AI Model Zoo with many threads
 * (../shared/data/measured/dpu_throughput_oracle.tsv, networks of ../shared/data/zoo). The zoo's loop is
 * closed and never waits, so that its rate is what the cores can serve: cores / service time. */
#include "roofline/periodic.h"
#include "tests/support/skips.h"
#include "tests/unit/fixture.h"

enum { MOST_ROWS = 128, MOST_CORES = 3 };

static const struct board {
    const char *name;
    uint32_t cores;
    double median, p90; /* at most, of the errors */
} boards[] = {{"kv260", 1, 0.05, 0.12}, {"zcu104", 2, 0.05, 0.12}, {"zcu102", MOST_CORES, 0.05, 0.20}};

/* A network, its file, a board, and its frames per second with many threads. */
typedef struct oracle_row {
    char file[80], board[16];
    double fps;
} oracle_row;

static uint32_t read_rows(oracle_row *rows)
{
    char path[4096], line[1024];
    uint32_t n = 0;
    snprintf(path, sizeof path, "%s/data/measured/dpu_throughput_oracle.tsv", shared_folder());
    FILE *file = fopen(path, "rb");
    if (!file)
        skip_without(path);
    assert_non_null(fgets(line, sizeof line, file)); /* the titles */
    while (n < MOST_ROWS && fgets(line, sizeof line, file)) {
        assert_int_equal(sscanf(line, "%*[^\t]\t%79[^\t]\t%15[^\t]\t%*[^\t]\t%*[^\t]\t%*[^\t]\t%*[^\t]\t%lf",
                                rows[n].file, rows[n].board, &rows[n].fps),
                         3);
        n++;
    }
    fclose(file);
    return n;
}

/* All copies together, at the highest rate that fits. */
static double highest_fps(const oracle_row *row, uint32_t cores)
{
    char path[4096];
    roof_graph *graph = NULL;
    roof_prediction *p = NULL;
    roof_periodic *schedule = NULL;
    roof_periodic_task tasks[MOST_CORES];
    double services_s[MOST_CORES];
    roof_error err = {0};
    roof_hw *hw = fx_hw(row->board);
    bool is_lower_bound = true;
    snprintf(path, sizeof path, "%s/data/zoo/%s", shared_folder(), row->file);
    if (roof_graph_read(path, &graph, &err) != ROOF_OK || roof_predict(graph, hw, NULL, &p, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    for (uint32_t busy = 1; busy <= cores; busy++)
        services_s[busy - 1] = roof_periodic_service_s(p, busy, &is_lower_bound);
    assert_false(is_lower_bound);
    for (uint32_t i = 0; i < cores; i++)
        tasks[i] = (roof_periodic_task){.name = row->file,
                                        .period_s = 1,
                                        .service_s = services_s,
                                        .n_services = cores,
                                        .core = ROOF_NONE};
    const roof_periodic_set set = {.tasks = tasks, .n_tasks = cores, .cores = cores};
    assert_int_equal(roof_periodic_analyse(&set, &schedule, &err), ROOF_OK);
    assert_int_equal(schedule->busy_cores, cores);
    const double fps = cores * schedule->headroom_ratio;
    roof_periodic_free(schedule);
    roof_prediction_free(p);
    roof_graph_free(graph);
    roof_hw_free(hw);
    return fps;
}

static int by_size(const void *a, const void *b)
{
    return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b;
}

static void rates_that_fit_are_those_of_boards(void **state)
{
    static oracle_row rows[MOST_ROWS];
    const uint32_t n = read_rows(rows);
    (void)state;
    for (size_t b = 0; b < COUNT(boards); b++) {
        double errors[MOST_ROWS];
        uint32_t n_errors = 0;
        for (uint32_t i = 0; i < n; i++)
            if (strcmp(rows[i].board, boards[b].name) == 0)
                errors[n_errors++] = fabs(highest_fps(&rows[i], boards[b].cores) / rows[i].fps - 1);
        assert_true(n_errors > 20);
        qsort(errors, n_errors, sizeof *errors, by_size);
        const double median = errors[n_errors / 2], p90 = errors[n_errors * 9 / 10];
        print_message("%s: %u networks, error %.1f %% at the median, %.1f %% at p90\n", boards[b].name,
                      n_errors, 100 * median, 100 * p90);
        assert_true(median <= boards[b].median && p90 <= boards[b].p90);
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
