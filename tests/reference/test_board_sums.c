/* The sums of 49 public networks, whose structure is rebuilt without weights, against those that the
 * constants of boards were fitted to. Needs the optional folder that ROOFLINE_SHARED names. */
#include "model/predict/boards.h"
#include "roofline/published.h"
#include "tests/support/accuracy.h"
#include "tests/support/skips.h"
#include "tests/unit/fixture.h"

enum { SUMS = sizeof(roof_sums) / sizeof(double), NETWORKS = 49 };

/* Columns of features.csv behind graph and family, are in the order of roof_sums.
 */
static void compare(const char *folder, const char *graph, const double *want)
{
    char path[1000];
    roof_graph *g;
    roof_error err = {0};
    snprintf(path, sizeof path, "%s/nets/%s.onnx", folder, graph);
    if (roof_graph_read(path, &g, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_prediction *p = fx_predict(g, "hailo-8", NULL);
    const double *got = (const double *)&p->total.sums;
    for (size_t i = 0; i < SUMS; i++)
        if (!(fabs(got[i] - want[i]) <= 1e-12 * want[i]))
            fail_msg("%s: sum %zu is %.15g, want %.15g", graph, i, got[i], want[i]);
    roof_prediction_free(p);
    roof_graph_free(g);
}

static void sums_are_those_of_the_fit_to_the_digit(void **state)
{
    char path[1000], line[2000];
    (void)state;
    snprintf(path, sizeof path, "%s/data/boards", shared_folder());
    const size_t length = strlen(path);
    strcat(path, "/features.csv");
    FILE *file = fopen(path, "r");
    if (!file)
        skip_without("data/boards of ../shared");
    path[length] = 0;
    uint32_t n = 0;
    assert_non_null(fgets(line, sizeof line, file));
    for (; fgets(line, sizeof line, file); n++) {
        double want[SUMS];
        char *at = strchr(line, ',');
        assert_non_null(at);
        *at++ = 0;
        at = strchr(at, ',');
        for (size_t i = 0; i < SUMS; i++) {
            assert_true(at && *at == ',');
            want[i] = strtod(at + 1, &at);
        }
        compare(path, line, want);
    }
    fclose(file);
    assert_int_equal(n, NETWORKS);
}

/* --- published times ------------------------------------------------------------------------------------ */

enum { GRAPH, FAMILY, HARDWARE, STACK, REGIME, TYPE, BATCH, MEASURED_MS, CELLS };

/* Cells of a line, quotes taken off: some hold commas. */
static bool split(char *line, char *cells[CELLS])
{
    char *at = line;
    for (size_t i = 0; i < CELLS; i++) {
        const bool is_quoted = *at == '"';
        cells[i] = at += is_quoted;
        at = strchr(at, is_quoted ? '"' : ',');
        if (!at)
            return false;
        *at++ = 0;
        at += is_quoted;
    }
    return true;
}

/* NULL: the hardware has no answer in this type. */
static roof_prediction *predicted(const roof_graph *g, char *const cells[CELLS])
{
    roof_hw *hw;
    roof_prediction *p = NULL;
    roof_error err = {0};
    const roof_predict_options options = {
        .data_type = cells[TYPE], .batch = (uint32_t)strtoul(cells[BATCH], NULL, 10), .stack = cells[STACK]};
    assert_int_equal(roof_hw_load(cells[HARDWARE], &hw, &err), ROOF_OK);
    (void)roof_predict(g, hw, &options, &p, &err);
    roof_hw_free(hw);
    return p;
}

/* Times are of one image of a batch. */
static void no_bound_is_above_a_published_time(void **state)
{
    static accuracy bounds = {.what = "boards that people own, published networks"};
    char path[1000], line[2000], *cells[CELLS], last[100] = "";
    roof_graph *g = NULL;
    roof_error err = {0};
    (void)state;
    snprintf(path, sizeof path, "%s/data/boards/rows.csv", shared_folder());
    FILE *file = fopen(path, "r");
    if (!file)
        skip_without("data/boards of ../shared");
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        assert_true(split(line, cells));
        if (strcmp(last, cells[GRAPH]) != 0) {
            roof_graph_free(g);
            snprintf(path, sizeof path, "%s/data/boards/nets/%s.onnx", shared_folder(), cells[GRAPH]);
            assert_int_equal(roof_graph_read(path, &g, &err), ROOF_OK);
            snprintf(last, sizeof last, "%s", cells[GRAPH]);
        }
        roof_prediction *p = predicted(g, cells);
        const double bound_s = p ? roof_best_s(p) / strtod(cells[BATCH], NULL) : (double)NAN,
                     measured_s = strtod(cells[MEASURED_MS], NULL) / 1e3;
        if (bound_s > measured_s)
            fail_msg("%s on %s, %s: bound %g ms, measured %g ms", cells[GRAPH], cells[HARDWARE],
                     cells[REGIME], 1e3 * bound_s, 1e3 * measured_s);
        if (bound_s > 0)
            accuracy_add_bound(&bounds, cells[HARDWARE], bound_s, measured_s);
        roof_prediction_free(p);
    }
    roof_graph_free(g);
    fclose(file);
    accuracy_tell(&bounds);
    assert_true(bounds.n >= 600 && bounds.n_groups >= 30 && accuracy_quantile(&bounds, 0) >= 1);
}

/* --- siblings ------------------------------------------------------------------------------------------- */

enum { MAKER, RUNTIME, PRECISION, IMAGES, FROM, TO, ALIKE, RATIO };

/* A column of that table as the program calls it; NULL: no set has it. */
static const char *called(const char *text, uint32_t *threads)
{
    static const char *const names[][2] = {{"qnn_dlc", "qnn"},
                                           {"rknn-toolkit2", "rknn"},
                                           {"DFC 3.33, hailortcli", "hailort"},
                                           {"float", "f16"},
                                           {"w8a8", "int8"},
                                           {"f16 or f32 by default", "f16"},
                                           {"int8", "int8"},
                                           {"edgetpu runtime", "edgetpu"},
                                           {"ncnn Vulkan", "ncnn"}};
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i][0], text) == 0)
            return names[i][1];
    return sscanf(text, "ncnn CPU %u threads", threads) == 1 ? "ncnn" : NULL;
}

static const char *hardware_of(const roof_published *all, const char *device, const char *stack)
{
    for (uint32_t i = 0; i < all->n_times; i++)
        if (strcmp(all->times[i].device, device) == 0 && strcmp(all->times[i].stack, stack) == 0)
            return all->times[i].hardware;
    return "";
}

/* Ratios that were reckoned from the tables themselves, before they became one. */
static void siblings_are_those_of_the_tables(void **state)
{
    char path[1000], line[2000], *cells[CELLS];
    roof_published *all;
    roof_error err;
    uint32_t n = 0;
    (void)state;
    snprintf(path, sizeof path, "%s/data/boards/siblings.csv", shared_folder());
    FILE *file = fopen(path, "r");
    if (!file)
        skip_without("data/boards of ../shared");
    assert_int_equal(roof_published_find(&(roof_published_question){0}, &all, &err), ROOF_OK);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        assert_true(split(line, cells));
        uint32_t threads = strcmp(cells[RUNTIME], "rknn-toolkit2") == 0;
        const char *stack = called(cells[RUNTIME], &threads), *type = called(cells[PRECISION], &threads);
        if (!stack || !type)
            continue;
        const board_question q = {hardware_of(all, cells[TO], stack), stack, type,
                                  (uint32_t)strtoul(cells[IMAGES], NULL, 10), threads};
        const char *from = hardware_of(all, cells[FROM], stack);
        const board_set *set = board_find(&q, BOARD_CONTEXTS);
        if (!*from || !set || set->threads != threads)
            continue;
        const board_transfer s = board_transfer_of(from, set);
        if (s.networks != strtoul(cells[ALIKE], NULL, 10) ||
            !(fabs(s.ratio - strtod(cells[RATIO], NULL)) < 6e-5))
            fail_msg("%s to %s, %s %s: %u networks, ratio %.4f, want %s and %s", cells[FROM], cells[TO],
                     cells[RUNTIME], cells[PRECISION], s.networks, s.ratio, cells[ALIKE], cells[RATIO]);
        n++;
    }
    fclose(file);
    roof_published_free(all);
    assert_true(n >= 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_those_of_the_fit_to_the_digit),
                                       cmocka_unit_test(no_bound_is_above_a_published_time),
                                       cmocka_unit_test(siblings_are_those_of_the_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
