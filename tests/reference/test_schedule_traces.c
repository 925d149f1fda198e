/* The trace of every real model whose code can be replayed, where ../shared has them: it opens, and its sums
 * are those of the prediction. */
#include "roofline/render.h"
#include "tests/support/trace_check.h"
#include "tests/unit/fixture.h"
#include "tests/support/skips.h"

#include <dirent.h>

enum { MOST_PROCESSES = 64 };

typedef struct process_sums {
    bool is_best, is_expected; /* of a schedule */
    double critical, busy, end_us;
} process_sums;

static void add_event(const cJSON *event, process_sums *all)
{
    const cJSON *args = jsontree_get(event, "args");
    const char *phase = cJSON_GetStringValue(jsontree_get(event, "ph")),
               *name = cJSON_GetStringValue(jsontree_get(args, "name"));
    size_t pid = (size_t)cJSON_GetNumberValue(jsontree_get(event, "pid"));
    assert_true(pid < MOST_PROCESSES);
    process_sums *p = &all[pid];
    if (strcmp(cJSON_GetStringValue(jsontree_get(event, "name")), "process_name") == 0) {
        p->is_best = strncmp(name, "schedule: ", 10) == 0;
        p->is_expected = strncmp(name, "schedule, ", 10) == 0;
    }
    const cJSON *critical = jsontree_get(args, "critical_cycles"), *busy = jsontree_get(args, "busy_cycles");
    for (const cJSON *c = critical ? critical->child : NULL; c; c = c->next)
        p->critical += cJSON_GetNumberValue(c);
    p->busy += busy ? cJSON_GetNumberValue(busy) : 0;
    if (*phase == 'X' && critical)
        p->end_us = cJSON_GetNumberValue(jsontree_get(event, "ts")) +
                    cJSON_GetNumberValue(jsontree_get(event, "dur"));
}

/* Returns how many schedules there were. */
static uint32_t check_sums(const cJSON *trace, const roof_prediction *p, const char *of)
{
    process_sums all[MOST_PROCESSES] = {{0}};
    uint32_t n_best = 0, n_expected = 0;
    double expected_us = 0, clock_mhz = p->hardware.clock_hz * 1e-6;
    for (const cJSON *e = cJSON_GetArrayItem(jsontree_get(trace, "traceEvents"), 0); e; e = e->next)
        add_event(e, all);
    for (size_t i = 0; i < MOST_PROCESSES; i++) {
        if (!all[i].is_best && !all[i].is_expected)
            continue;
        const roof_schedule_part *part = &p->schedule.parts[all[i].is_best ? n_best : n_expected];
        double busy = 0;
        for (uint32_t e = 0; e < part->n_engines; e++)
            busy += (double)part->engines[e].busy_cycles;
        if (fabs(all[i].end_us - all[i].critical / clock_mhz) > 1e-9 * all[i].end_us ||
            (all[i].is_best && (all[i].critical != (double)part->scheduled_cycles || all[i].busy != busy)))
            fail_msg("%s, process %zu: path of %.0f cycles, to %.12g us, engines of %.0f", of, i,
                     all[i].critical, all[i].end_us, all[i].busy);
        n_best += all[i].is_best;
        n_expected += all[i].is_expected;
        expected_us += all[i].is_expected ? all[i].end_us : 0;
    }
    assert_int_equal(n_best, p->schedule.n_parts);
    if (n_expected && fabs(expected_us * 1e-6 / p->total.predicted_s - 1) > 1e-9)
        fail_msg("%s: %.12g us, want %.12g s", of, expected_us, p->total.predicted_s);
    return n_best;
}

static uint32_t check_schedules(const char *path)
{
    roof_graph *graph = NULL;
    roof_hw *hw = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    uint32_t n = 0;
    if (roof_graph_read(path, &graph, &err) == ROOF_OK && roof_hw_load("kv260", &hw, &err) == ROOF_OK &&
        roof_predict(graph, hw, NULL, &p, &err) == ROOF_OK && p->schedule.scheduled_cycles != ROOF_UNKNOWN) {
        char *text = NULL;
        size_t length;
        cJSON *trace = NULL;
        assert_int_equal(
            roof_render_whole(p, &(roof_render_options){.format = "trace"}, &text, &length, &err), ROOF_OK);
        assert_int_equal(jsontree_parse(text, length, NULL, &trace, &err), ROOF_OK);
        const char *wrong = trace_check(trace);
        if (wrong)
            fail_msg("%s: %s", path, wrong);
        n = check_sums(trace, p, path);
        cJSON_Delete(trace);
        free(text);
    }
    roof_prediction_free(p);
    roof_hw_free(hw);
    roof_graph_free(graph);
    return n;
}

static void schedules_of_real_models_have_the_cycles_of_their_predictions(void **state)
{
    char folder[1000], path[2000];
    struct dirent *entry;
    uint32_t n = 0;
    (void)state;
    snprintf(folder, sizeof folder, "%s/data/xmodel", shared_folder());
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".xmodel") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        n += check_schedules(path);
    }
    (void)closedir(dir);
    print_message("%u schedules\n", n);
    assert_true(n >= 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_of_real_models_have_the_cycles_of_their_predictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
