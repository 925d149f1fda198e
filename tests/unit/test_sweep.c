/* Plans of sweeps, the order of their points, and several threads that compute them. */
#include "model/explore/sweep/sweep_point.h"
#include "core/error.h"
#include "core/text.h"
#include "tests/unit/sweep_fixture.h"

/* --- plans ---------------------------------------------------------------------------------------------- */

#define PLAN(rest) "{\"schema\":\"roofline.sweep/1\"," rest "}"
#define LISTS      "\"models\":[\"a.xmodel\"],\"devices\":[\"kv260\"]"

static void a_plan_that_is_wrong_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *name, *text, *want;
        roof_status status;
    } cases[] = {
        {"a slip", PLAN(LISTS ",\"clock\":[\"1MHz\"]"), "'clock' is no member of a plan", ROOF_E_DATA},
        {"a slip of a model", PLAN("\"models\":[{\"path\":\"a\",\"tokens\":1}],\"devices\":[\"kv260\"]"),
         "/models/0/tokens: 'tokens' is no member of a model", ROOF_E_DATA},
        {"another schema", "{\"schema\":\"roofline.budget/1\"," LISTS "}", "roofline.sweep/1", ROOF_E_DATA},
        {"no models", PLAN("\"devices\":[\"kv260\"]"), "models", ROOF_E_DATA},
        {"no devices", PLAN("\"models\":[\"a\"]"), "devices", ROOF_E_DATA},
        {"an empty list", PLAN("\"models\":[],\"devices\":[\"kv260\"]"), "\"models\" is empty", ROOF_E_DATA},
        {"an empty text", PLAN("\"models\":[\"\"],\"devices\":[\"kv260\"]"), "found an empty text",
         ROOF_E_DATA},
        {"null", PLAN("\"models\":[null],\"devices\":[\"kv260\"]"), "found null, want a text", ROOF_E_DATA},
        {"a clock without a unit", PLAN(LISTS ",\"clocks\":[\"300\"]"), "/clocks/0", ROOF_E_DATA},
        {"a number as a clock", PLAN(LISTS ",\"clocks\":[300]"), "/clocks/0", ROOF_E_DATA},
        {"no clock", PLAN(LISTS ",\"clocks\":[\"0MHz\"]"), "'0MHz' is 0, want more", ROOF_E_DATA},
        {"a bandwidth in hertz", PLAN(LISTS ",\"bandwidths\":[\"1GHz\"]"), "/bandwidths/0", ROOF_E_DATA},
        {"a batch of none", PLAN(LISTS ",\"batch\":[1,0]"), "/batch/1: is 0, want a number from 1",
         ROOF_E_DATA},
        {"half a batch", PLAN(LISTS ",\"batch\":[0.5]"), "/batch/0", ROOF_E_DATA},
        {"too many threads", PLAN(LISTS ",\"threads\":[257]"), "is 257, want a number from 1 to 256",
         ROOF_E_DATA},
        {"a host without threads", PLAN(LISTS ",\"host\":\"classify\""), "add \"threads\"", ROOF_E_DATA},
        {"a phase", PLAN("\"models\":[{\"path\":\"a\",\"phase\":\"x\"}],\"devices\":[\"kv260\"]"),
         "want \"prefill\" or \"decode\"", ROOF_E_DATA},
        {"profiles beside models", PLAN(LISTS ",\"measured\":[\"m.json\"]"),
         "\"models\" stands beside measured documents", ROOF_E_DATA},
        {"calibrations alone", PLAN("\"calibrations\":[\"c.json\"]"), "measured", ROOF_E_DATA},
        {"a key twice", PLAN(LISTS ",\"batch\":[1],\"batch\":[2]"), "'batch' is there twice", ROOF_E_DATA},
        {"text behind the end", PLAN(LISTS) "x", "", ROOF_E_DATA},
        {"no object", "[]", "", ROOF_E_DATA},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_sweep_plan *plan = NULL;
        roof_error err = {0};
        const char *text = cases[i].text;
        const roof_status status = sweep_plan_parse(text, strlen(text), "plans/plan.json", &plan, &err);
        if (status != cases[i].status || plan || !strstr(fx_message(&err), cases[i].want) ||
            strncmp(err.where, "plans/plan.json", strlen("plans/plan.json")) != 0)
            fail_msg("%s: status %d: '%s', want '%s'", cases[i].name, (int)status, fx_message(&err),
                     cases[i].want);
    }
}

static void too_many_points_are_refused(void **state)
{
    enum { SIDE = 1001 }; /* three lists of it are more than 10^9 points */
    static char text[SIDE * 40];
    size_t used = (size_t)sprintf(text, "{\"schema\":\"roofline.sweep/1\"," LISTS);
    static const char *const lists[] = {"batch", "clocks", "bandwidths"}, *const items[] = {"1", "\"1MHz\"",
                                                                                            "\"1GB/s\""};
    roof_sweep_plan *plan = NULL;
    roof_error err;
    (void)state;
    for (size_t k = 0; k < COUNT(lists); k++) {
        used += (size_t)sprintf(text + used, ",\"%s\":[", lists[k]);
        for (int i = 0; i < SIDE; i++)
            used += (size_t)sprintf(text + used, "%s%s", i ? "," : "", items[k]);
        used += (size_t)sprintf(text + used, "]");
    }
    used += (size_t)sprintf(text + used, "}");
    assert_int_equal(sweep_plan_parse(text, used, "plan.json", &plan, &err), ROOF_E_LIMIT);
    assert_non_null(strstr(err.what, "more than 1000000000 points"));
}

static void paths_are_beside_the_plan(void **state)
{
    static const char text[] = PLAN("\"models\":[\"a.xmodel\",\"/b.xmodel\"],\"devices\":[\"kv260\"]");
    static const struct {
        const char *name, *found;
    } cases[] = {{"plan.json", "a.xmodel"}, {"x/y/plan.json", "x/y/a.xmodel"}, {"/p.json", "/a.xmodel"}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_sweep_plan *plan = NULL;
        roof_error err;
        assert_int_equal(sweep_plan_parse(text, sizeof text - 1, cases[i].name, &plan, &err), ROOF_OK);
        assert_string_equal(plan->models[0].file.found, cases[i].found);
        assert_string_equal(plan->models[0].file.path, "a.xmodel");
        assert_string_equal(plan->models[1].file.found, "/b.xmodel");
        roof_sweep_plan_free(plan);
    }
}

/* --- the order ------------------------------------------------------------------------------------------ */

static void models_are_outermost_and_threads_innermost(void **state)
{
    static const char text[] =
        PLAN("\"models\":[\"a\",\"b\"],\"devices\":[\"c\",\"d\",\"e\"],\"clocks\":[\"1MHz\",\"2MHz\"],"
             "\"bandwidths\":[\"1GB/s\",\"2GB/s\"],\"batch\":[7,8,9],\"threads\":[4,5]");
    roof_sweep_plan *plan = NULL;
    roof_error err;
    uint64_t index = 0;
    (void)state;
    assert_int_equal(sweep_plan_parse(text, sizeof text - 1, "p.json", &plan, &err), ROOF_OK);
    assert_int_equal(plan->n_points, 2 * 3 * 2 * 2 * 3 * 2);
    for (uint32_t m = 0; m < 2; m++)
        for (uint32_t d = 0; d < 3; d++)
            for (uint32_t c = 0; c < 2; c++)
                for (uint32_t b = 0; b < 2; b++)
                    for (uint32_t n = 0; n < 3; n++)
                        for (uint32_t t = 0; t < 2; t++) {
                            const roof_sweep_point at = roof_sweep_point_at(plan, index);
                            assert_int_equal(at.index, index++);
                            assert_ptr_equal(at.model, &plan->models[m]);
                            assert_ptr_equal(at.device, plan->devices[d]);
                            assert_true(at.clock_hz == 1e6 * (c + 1));
                            assert_true(at.bandwidth_bytes_per_s == 1e9 * (b + 1));
                            assert_int_equal(at.batch, 7 + n);
                            assert_int_equal(at.threads, 4 + t);
                        }
    roof_sweep_plan_free(plan);
}

static void profiles_are_outermost_and_calibrations_innermost(void **state)
{
    static const char text[] = PLAN("\"measured\":[\"a\",\"b\"],\"calibrations\":[\"c\",\"d\",\"e\"]");
    roof_sweep_plan *plan = NULL;
    roof_error err;
    (void)state;
    assert_int_equal(sweep_plan_parse(text, sizeof text - 1, "p.json", &plan, &err), ROOF_OK);
    assert_int_equal(plan->n_points, 6);
    const roof_sweep_point at = roof_sweep_point_at(plan, 4);
    assert_ptr_equal(at.measured, &plan->measured[1]);
    assert_ptr_equal(at.calibration, &plan->calibrations[1]);
    roof_sweep_plan_free(plan);
}

static void parts_follow_one_another(void **state)
{
    static const uint64_t sizes[] = {0, 1, 10, 1000, ROOF_MOST_SWEEP_POINTS};
    static const uint32_t parts[] = {1, 2, 3, 8, 1001, ROOF_MOST_SWEPT};
    roof_error err;
    uint64_t first, end;
    (void)state;
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (size_t p = 0; p < COUNT(parts); p++) {
            uint64_t next = 0;
            for (uint32_t i = 1; i <= parts[p]; i++) {
                assert_int_equal(roof_sweep_shard(sizes[s], i, parts[p], &first, &end, &err), ROOF_OK);
                assert_int_equal(first, next);
                assert_true(end - first >= sizes[s] / parts[p] && end - first <= sizes[s] / parts[p] + 1);
                next = end;
            }
            assert_int_equal(next, sizes[s]);
        }
    assert_int_equal(roof_sweep_shard(10, 2, 3, &first, &end, &err), ROOF_OK);
    assert_int_equal(first, 3);
    assert_int_equal(end, 6);
    assert_int_equal(roof_sweep_shard(10, 0, 3, &first, &end, &err), ROOF_E_USAGE);
    assert_int_equal(roof_sweep_shard(10, 4, 3, &first, &end, &err), ROOF_E_USAGE);
    assert_int_equal(roof_sweep_shard(10, 1, 0, &first, &end, &err), ROOF_E_USAGE);
}

/* --- what the identity is of ---------------------------------------------------------------------------- */

static void another_plan_or_device_or_model_is_another_identity(void **state)
{
    static const char device[] = "{\"schema\":\"roofline.hardware/1\",\"id\":\"own\",\"name\":\"own\","
                                 "\"extends\":\"kv260\",\"values\":{\"clock\":{\"value\":%d,\"unit\":\"Hz\","
                                 "\"kind\":\"assumed\",\"source\":\"test\"}}}";
    static const char *const plans[] = {
        PLAN("\"models\":[\"m.tflite\"],\"devices\":[\"./own.json\"]"),
        PLAN("\"models\":[\"m.tflite\"],\"devices\":[\"./own.json\"] "), /* a blank more */
    };
    static const struct {
        const char *model;
        int plan, clock;
    } cases[] = {{"mobilenetv1.tflite", 0, 100000000},
                 {"mobilenetv1.tflite", 1, 100000000},
                 {"mobilenetv1.tflite", 0, 100000001},
                 {"mobilenetv2.onnx", 0, 100000000}};
    char identities[COUNT(cases)][17], text[600], path[SWEEP_PATH], to[1000];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        for (int again = 0; again < 2; again++) {
            sweep_remove("m.tflite");
            snprintf(to, sizeof to, "%s/examples/models/%s", getenv("ROOFLINE_SOURCE_DIR"), cases[i].model);
            assert_int_equal(symlink(to, sweep_path(path, "m.tflite")), 0);
            sweep_save("own.json", text, (size_t)snprintf(text, sizeof text, device, cases[i].clock));
            sweep_save("plan.json", plans[cases[i].plan], strlen(plans[cases[i].plan]));
            roof_sweep_plan *plan = sweep_plan("plan.json");
            assert_int_equal(strlen(plan->identity), 16);
            assert_true(!again || strcmp(plan->identity, identities[i]) == 0);
            strcpy(identities[i], plan->identity);
            roof_sweep_plan_free(plan);
        }
        for (size_t k = 0; k < i; k++)
            if (strcmp(identities[i], identities[k]) == 0)
                fail_msg("cases %zu and %zu are both %s", k, i, identities[i]);
    }
    sweep_remove("m.tflite");
    sweep_remove("own.json");
    sweep_remove("plan.json");
}

static void what_is_not_there_is_told_before_anything_is_computed(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {PLAN("\"models\":[\"none.xmodel\"],\"devices\":[\"kv260\"]"), "none.xmodel"},
        {PLAN("\"models\":[\"@/models/mobilenetv1.tflite\"],\"devices\":[\"kv260\",\"kv269\"]"),
         "/devices/1"},
        {PLAN("\"measured\":[\"none.json\"]"), "none.json"},
    };
    char path[SWEEP_PATH];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_sweep_plan *plan = NULL;
        roof_error err = {0};
        sweep_save_plan("plan.json", cases[i].text);
        assert_int_equal(roof_sweep_plan_read(sweep_path(path, "plan.json"), &plan, &err), ROOF_E_NO_INPUT);
        assert_null(plan);
        if (!strstr(fx_message(&err), cases[i].want))
            fail_msg("'%s', want '%s'", fx_message(&err), cases[i].want);
    }
    sweep_remove("plan.json");
}

/* --- several threads ------------------------------------------------------------------------------------ */

/* What is handed over, and when that is to fail. */
typedef struct taken {
    textbuf text;
    uint64_t next, fails_at; /* rows: the one at that fails */
    uint64_t row_fails_at;
    uint32_t n_calls;
} taken;

static roof_status put_row(void *context, const roof_sweep_point *point, roof_sink out, roof_error *err)
{
    const taken *t = context;
    char line[200];
    if (point->index == t->row_fails_at)
        return error_set(err, ROOF_E_LIMIT, "row %d", (int)point->index);
    assert_true(!point->pair->prediction == !!point->why);
    const int n = snprintf(line, sizeof line, "%d %s %s %.17g\n", (int)point->index, point->device,
                           point->why ? "failed" : point->pair->model, point->pair->ideal_s);
    return out.write(out.context, line, (size_t)n, err);
}

static roof_status take_rows(void *context, uint64_t end, const char *bytes, size_t length, roof_error *err)
{
    taken *t = context;
    assert_true(end > t->next);
    if (end > t->fails_at)
        return error_set(err, ROOF_E_IO, "full");
    t->next = end;
    t->n_calls++;
    text_add(&t->text, bytes, length);
    return ROOF_OK;
}

static roof_status run(const roof_sweep_plan *plan, uint32_t jobs, taken *out, roof_error *err)
{
    text_init(&out->text, TEXT_MAX_BYTES);
    out->next = 0;
    return roof_sweep_run(plan, 0, plan->n_points, jobs, &(roof_sweep_use){put_row, take_rows, out}, err);
}

static void any_number_of_threads_hands_over_the_same_bytes(void **state)
{
    static const uint32_t jobs[] = {2, 4, 13, 0};
    taken one = {.fails_at = ROOF_UNKNOWN, .row_fails_at = ROOF_UNKNOWN}, other = one;
    roof_error err;
    (void)state;
    sweep_save_plan("plan.json", SWEEP_PLAN);
    roof_sweep_plan *plan = sweep_plan("plan.json");
    assert_int_equal(plan->n_points, SWEEP_POINTS);
    assert_int_equal(run(plan, 1, &one, &err), ROOF_OK);
    assert_int_equal(one.next, SWEEP_POINTS);
    assert_non_null(strstr(one.text.bytes, "\n17 npu2 failed nan\n")); /* no model, but a point */
    assert_non_null(strstr(one.text.bytes, "0 kv260 mobilenetv1"));
    for (size_t i = 0; i < COUNT(jobs); i++) {
        assert_int_equal(run(plan, jobs[i], &other, &err), ROOF_OK);
        assert_string_equal(one.text.bytes, other.text.bytes);
        text_free(&other.text);
    }
    text_free(&one.text);
    roof_sweep_plan_free(plan);
    sweep_remove("plan.json");
}

/* Figures of a point beside those of the same prediction made alone: to the last digit. */
static roof_status compare_alone(void *context, const roof_sweep_point *point, roof_sink out, roof_error *err)
{
    const roof_pair *a = point->pair;
    const roof_load load = {&point->threads, 1, point->host};
    const roof_predict_options with = {.batch = point->batch,
                                       .clock_hz = point->clock_hz,
                                       .bandwidth_bytes_per_s = point->bandwidth_bytes_per_s,
                                       .load = point->threads ? &load : NULL};
    roof_graph *graph = NULL;
    roof_hw *hw = NULL;
    roof_prediction *alone = NULL;
    (void)out;
    roof_status status = roof_graph_read_as(point->model->file.found, &point->model->workload, &graph, err);
    if (status == ROOF_OK)
        status = roof_hw_load(point->device, &hw, err);
    if (status == ROOF_OK)
        status = roof_predict(graph, hw, &with, &alone, err);
    assert_true((status == ROOF_OK) == (a->why == NULL));
    if (alone) {
        const roof_pair b = roof_pair_of(alone);
        const double figures[][2] = {{a->ideal_s, b.ideal_s},
                                     {a->best_s, b.best_s},
                                     {a->expected_s, b.expected_s},
                                     {a->expected_ci95_s[0], b.expected_ci95_s[0]},
                                     {a->expected_ci95_s[1], b.expected_ci95_s[1]},
                                     {a->per_s, b.per_s},
                                     {a->expected_per_s, b.expected_per_s},
                                     {a->utilisation_ratio, b.utilisation_ratio}};
        for (size_t i = 0; i < COUNT(figures); i++)
            assert_memory_equal(&figures[i][0], &figures[i][1], sizeof(double));
        assert_true(a->macs == b.macs && a->memory_bytes == b.memory_bytes && a->layers == b.layers &&
                    a->host_layers == b.host_layers && a->findings == b.findings && a->basis == b.basis);
        assert_true(!a->bound == !b.bound && (!a->bound || strcmp(a->bound, b.bound) == 0));
        assert_true(!a->load == !b.load);
        (*(uint32_t *)context)++;
    }
    roof_prediction_free(alone);
    roof_hw_free(hw);
    roof_graph_free(graph);
    return ROOF_OK;
}

static roof_status take_none(void *context, uint64_t end, const char *bytes, size_t length, roof_error *err)
{
    (void)context, (void)end, (void)bytes, (void)length, (void)err;
    return ROOF_OK;
}

static void a_point_is_what_a_prediction_made_alone_says(void **state)
{
    static const struct {
        const char *name, *text;
        uint32_t n_predicted;
    } plans[] = {
        {"a few points", SWEEP_PLAN, 12},
        {"more points of a device than are computed at once, one of them refused",
         PLAN("\"models\":[\"@/models/mobilenetv1-b4096.xmodel\"],\"devices\":[\"zcu104\"],\"clocks\":"
              "[\"100MHz\",\"300MHz\",\"90GHz\"],\"bandwidths\":[\"200MB/s\",\"19.2GB/s\"],"
              "\"threads\":[1,2,4],\"batch\":[1,3]"),
         24},
        {"devices that one program serves, and others that it does not",
         PLAN("\"models\":[\"@/models/mobilenetv1.tflite\",\"@/models/mobilenetv2.onnx\"],\"devices\":"
              "[\"b4096\",\"base=b4096,ddr=1GB/"
              "s\",\"base=b4096,conv.channel_augmentation=4\",\"b512\",\"npu2\","
              "\"stm32n6\",\"ethos-u55-256\",\"base=ethos-u55-256,clock=100MHz\",\"a100\",\"b4096\"]"),
         20},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(plans); i++) {
        uint32_t n_predicted = 0;
        roof_error err;
        sweep_save_plan("plan.json", plans[i].text);
        roof_sweep_plan *plan = sweep_plan("plan.json");
        assert_int_equal(roof_sweep_run(plan, 0, plan->n_points, 1,
                                        &(roof_sweep_use){compare_alone, take_none, &n_predicted}, &err),
                         ROOF_OK);
        if (n_predicted != plans[i].n_predicted)
            fail_msg("%s: %u points, want %u", plans[i].name, n_predicted, plans[i].n_predicted);
        roof_sweep_plan_free(plan);
    }
    sweep_remove("plan.json");
}

static void what_fails_ends_all_threads_and_is_told(void **state)
{
    taken rows = {.fails_at = 7, .row_fails_at = ROOF_UNKNOWN},
          row = {.fails_at = ROOF_UNKNOWN, .row_fails_at = 11};
    roof_error err;
    (void)state;
    sweep_save_plan("plan.json", SWEEP_PLAN);
    roof_sweep_plan *plan = sweep_plan("plan.json");
    for (uint32_t jobs = 1; jobs < 5; jobs++) {
        assert_int_equal(run(plan, jobs, &rows, &err), ROOF_E_IO);
        assert_string_equal(err.what, "full");
        assert_true(rows.next <= 7);
        assert_int_equal(run(plan, jobs, &row, &err), ROOF_E_LIMIT);
        assert_string_equal(err.what, "row 11");
        assert_true(row.next <= 11);
        text_free(&rows.text);
        text_free(&row.text);
    }
    assert_int_equal(
        roof_sweep_run(plan, 0, SWEEP_POINTS + 1, 1, &(roof_sweep_use){put_row, take_rows, &rows}, &err),
        ROOF_E_USAGE);
    roof_sweep_plan_free(plan);
    sweep_remove("plan.json");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_that_is_wrong_is_refused_with_its_place),
        cmocka_unit_test(too_many_points_are_refused),
        cmocka_unit_test(paths_are_beside_the_plan),
        cmocka_unit_test(models_are_outermost_and_threads_innermost),
        cmocka_unit_test(profiles_are_outermost_and_calibrations_innermost),
        cmocka_unit_test(parts_follow_one_another),
        cmocka_unit_test(another_plan_or_device_or_model_is_another_identity),
        cmocka_unit_test(what_is_not_there_is_told_before_anything_is_computed),
        cmocka_unit_test(a_point_is_what_a_prediction_made_alone_says),
        cmocka_unit_test(any_number_of_threads_hands_over_the_same_bytes),
        cmocka_unit_test(what_fails_ends_all_threads_and_is_told),
    };
    return cmocka_run_group_tests_name("sweep", tests, make_folder, remove_folder);
}
