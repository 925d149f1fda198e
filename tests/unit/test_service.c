/* How long an inference keeps a core by how many are busy, reckoned again from the layers of the prediction;
 * and what of a load is not known. */
#include "roofline/prediction.h"
#include "tests/unit/fixture.h"

#include <math.h>

static roof_graph *read_example(const char *name)
{
    char path[1024];
    roof_graph *graph = NULL;
    roof_error err = {0};
    snprintf(path, sizeof path, "%s/examples/%s", getenv("ROOFLINE_SOURCE_DIR"), name);
    if (roof_graph_read(path, &graph, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return graph;
}

static void assert_near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance * fabs(want)))
        fail_msg("%s: got %.12g, want %.12g", what, got, want);
}

/* docs/hardware/dpuczdx8g.md, "Serial", by constants of the entry; of it what memory sets. */
static double serial_seconds(const roof_prediction *p, double memory, double per_layer_s, double *memory_s)
{
    double sum = 0;
    *memory_s = 0;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *l = &p->layers[i];
        if (isnan(l->predicted_s))
            continue;
        const double compute_s =
            ((double)l->deployed.cycles[0] / 0.998 + (double)l->deployed.cycles[1] / 0.795 +
             (double)l->deployed.cycles[2] / 0.178) /
            p->hardware.clock_hz;
        const roof_traffic *t = &l->deployed.traffic;
        const double move_s = (double)(t->weights_bytes + t->input_bytes + t->output_bytes) / 32 / memory /
                              p->hardware.clock_hz;
        const double own_s = fmax(compute_s, move_s) + per_layer_s;
        sum += own_s;
        *memory_s += move_s > compute_s ? own_s : 0;
    }
    return sum;
}

static void service_is_the_serial_law_of_the_layers(void **state)
{
    static const struct {
        const char *hw;
        uint32_t busy;
        double memory, per_layer_s;
    } rows[] = {
        {"kv260", 1, 0.789, 14e-6},
        {"zcu104", 1, 0.789, 14e-6},
        {"zcu104", 2, 0.561, 16.3e-6},
        {"zcu102", 1, 0.789, 14e-6},
        {"zcu102", 2, 0.361 * 3 / 2, 14e-6 + 8.5e-6 / 2}, /* 10 GB/s for two, half of what all add */
        {"zcu102", 3, 0.361, 22.5e-6},
    };
    (void)state;
    roof_graph *graph = read_example("models/resnet50.onnx");
    for (size_t i = 0; i < COUNT(rows); i++) {
        double memory_s;
        roof_prediction *p = fx_predict(graph, rows[i].hw, NULL);
        const roof_service *s = &p->throughput.service[rows[i].busy - 1];
        const double want = serial_seconds(p, rows[i].memory, rows[i].per_layer_s, &memory_s);
        assert_int_equal(s->busy, rows[i].busy);
        assert_near(rows[i].hw, s->seconds, want, 1e-9);
        assert_near("of memory", s->memory_ratio, memory_s / want, 1e-9);
        assert_near("asked for", roof_service_s(p, rows[i].busy - 0.5), want, 1e-9);
        roof_prediction_free(p);
    }
    roof_graph_free(graph);
}

static void expected_times_say_how_many_cores_are_busy(void **state)
{
    static const struct {
        const char *hw;
        roof_predict_options options;
        uint32_t busy, services;
    } rows[] = {{"kv260", {0}, 1, 1},
                {"zcu102", {0}, 3, 3},
                {"zcu102", {.cores = 1}, 1, 1},
                {"zcu102", {.cores = 2}, 2, 2},
                {"zcu102", {.busy_cores = 1}, 1, 3},
                {"zcu102", {.busy_cores = 2}, 2, 3},
                {"zcu102", {.cores = 5}, 1, 3}, /* more than were ever busy: what they take is not known */
                {"kv260", {.cores = 2}, 1, 1}};
    (void)state;
    const char *const models[] = {"models/resnet50.onnx", "models/resnet50-b4096.xmodel"};
    for (size_t m = 0; m < COUNT(models); m++) {
        roof_graph *graph = read_example(models[m]);
        for (size_t i = 0; i < COUNT(rows); i++) {
            roof_prediction *p = fx_predict(graph, rows[i].hw, &rows[i].options);
            double sum = 0;
            assert_int_equal(p->total.busy_cores, rows[i].busy);
            assert_int_equal(p->throughput.n_service, rows[i].services);
            assert_near("the whole", p->total.predicted_s, roof_service_s(p, rows[i].busy), 1e-9);
            for (uint32_t k = 0; k < p->n_layers; k++)
                sum += isnan(p->layers[k].predicted_s) ? 0 : p->layers[k].predicted_s;
            assert_near("its layers", sum + roof_beside_layers_s(p), p->total.predicted_s, 1e-9);
            roof_prediction_free(p);
        }
        roof_graph_free(graph);
    }
}

/* A stack without constants of busy cores takes the ratio of one that has them. */
static void cores_take_as_much_of_each_other_whatever_the_compiler(void **state)
{
    (void)state;
    roof_graph *graph = read_example("models/resnet50-b4096.xmodel");
    roof_prediction *new = fx_predict(graph, "zcu102", &(roof_predict_options){.stack = "vitis-ai-3"}),
                    *old = fx_predict(graph, "zcu102", &(roof_predict_options){.stack = "vitis-ai-2"});
    for (uint32_t busy = 2; busy <= 3; busy++)
        assert_near("ratio", roof_service_s(old, busy) / roof_service_s(old, 1),
                    roof_service_s(new, busy) / roof_service_s(new, 1), 1e-9);
    roof_prediction_free(new);
    roof_prediction_free(old);
    roof_graph_free(graph);
}

static void a_load_that_is_not_known_says_why(void **state)
{
    static const uint32_t threads[] = {1, 4};
    static const roof_load load = {threads, COUNT(threads), NULL};
    static const struct {
        const char *hw;
        roof_predict_options options;
        const char *why; /* NULL: it is known */
    } rows[] = {{"zcu102", {.load = &load}, NULL},
                {"zcu102", {.load = &load, .batch = 2}, "leave --batch out"},
                {"zcu102", {.load = &load, .cores = 4}, "--cores 3 is"},
                {"kv260", {.load = &load, .cores = 2}, "--cores 1 is"},
                {"kr260", {.load = &load}, "no time is expected"}};
    (void)state;
    roof_graph *graph = read_example("models/resnet50.onnx");
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_prediction *p = fx_predict(graph, rows[i].hw, &rows[i].options);
        assert_int_equal(p->throughput.n_points, rows[i].why ? 0 : COUNT(threads));
        if (rows[i].why && (!p->throughput.not_known || !strstr(p->throughput.not_known, rows[i].why)))
            fail_msg("%s: %s", rows[i].hw, p->throughput.not_known ? p->throughput.not_known : "(known)");
        roof_prediction_free(p);
    }
    roof_graph_free(graph);
}

/* A network at 224x224 with 1000 classes: 0.496 ms on a KV260, by the source of the constants. */
static void the_host_takes_what_its_kind_says(void **state)
{
    static const uint32_t threads[] = {1};
    static const struct {
        const char *hw, *host, *kind;
        double seconds;
    } rows[] = {
        {"kv260", NULL, "none", 0},
        {"kv260", "none", "none", 0},
        {"kv260", "features", "features", 70e-6 + 6.6e-9 * 50176},
        {"kv260", "classify", "classify", 70e-6 + 6.6e-9 * 50176 + 95e-9 * 1000},
        {"zcu104", "classify", "classify", 1.10 * (70e-6 + 6.6e-9 * 50176 + 95e-9 * 1000)},
        {"zcu102", "ssd", "ssd", 1.08 * (70e-6 + 6.6e-9 * 50176 + 10.7e-9 * 1000)},
        {"zcu102", "2.5ms", "time", 2.5e-3},
        {"npu2", "1ms", "time", 1e-3},
    };
    (void)state;
    roof_graph *graph = read_example("models/resnet50.onnx");
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_load load = {threads, COUNT(threads), rows[i].host};
        roof_prediction *p = fx_predict(graph, rows[i].hw, &(roof_predict_options){.load = &load});
        assert_string_equal(p->throughput.host.kind, rows[i].kind);
        assert_near(rows[i].kind, p->throughput.host.seconds, rows[i].seconds, 1e-9);
        assert_int_equal(p->throughput.host.input_pixels, 50176);
        assert_int_equal(p->throughput.host.output_bytes, 1000);
        roof_prediction_free(p);
    }
    roof_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(service_is_the_serial_law_of_the_layers),
        cmocka_unit_test(expected_times_say_how_many_cores_are_busy),
        cmocka_unit_test(cores_take_as_much_of_each_other_whatever_the_compiler),
        cmocka_unit_test(a_load_that_is_not_known_says_why),
        cmocka_unit_test(the_host_takes_what_its_kind_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
