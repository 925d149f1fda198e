/* Which data type a model is computed in: the one asked for, its own, or the hardware's; what is told of it,
 * and what its bytes are then. */
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"
#include "roofline/measured.h"

/* Cycles of 16384 multiply-accumulates at 1 GHz: 16384 in f32, 8192 in tf32, 4096 in f16, 2048 in int8. */
#define RATE(key, rate)                                                                                      \
    ",\"" key "\":{\"value\":" rate ",\"unit\":\"ops/s\",\"kind\":\"datasheet\",\"source\":\"t\"}"
#define F32  RATE("peak.f32", "2e9")
#define TF32 RATE("peak.tf32", "4e9")
#define F16  RATE("peak.f16", "8e9")
#define BF16 RATE("peak.bf16", "7e9")
#define INT8 RATE("peak.int8", "16e9")
#define INT4 RATE("peak.int4", "32e9")

static const char description[] =
    "{\"schema\":\"roofline.hardware/1\",\"id\":\"here\",\"name\":\"here\",\"family\":\"gpu\",\"values\":{"
    "\"clock\":{\"value\":1e9,\"unit\":\"Hz\",\"kind\":\"measured\",\"source\":\"t\"},"
    "\"peak.rate\":{\"value\":%s,\"unit\":\"ops/s\",\"kind\":\"datasheet\",\"source\":\"t\"},"
    "\"element.bytes\":{\"value\":%s,\"unit\":\"B\",\"kind\":\"datasheet\",\"source\":\"t\"},"
    "\"ddr.bandwidth\":{\"value\":1e9,\"unit\":\"B/s\",\"kind\":\"datasheet\",\"source\":\"t\"}%s}}";

typedef struct device {
    const char *rate, *bytes, *types;
} device;

static const device all_types = {"8e9", "2", F32 TF32 F16 BF16 INT8 INT4}, only_int8 = {"16e9", "1", INT8},
                    only_f32 = {"2e9", "4", F32}, without_tf32 = {"8e9", "2", F32 F16},
                    slow_tf32 = {"8e9", "2", F32 RATE("peak.tf32", "1e9") F16}, no_types = {"8e9", "2", ""},
                    only_tf32 = {"16e9", "1", TF32 INT8};

static roof_hw *load(const device *d)
{
    const char *path = in_folder("here.json");
    roof_hw *hw = NULL;
    roof_error err = {0};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fprintf(file, description, d->rate, d->bytes, d->types) > 0);
    assert_int_equal(fclose(file), 0);
    if (roof_hw_load(path, &hw, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    unlink(path);
    return hw;
}

/* 1024 elements in, 256 of weights, 1024 out. */
static fx_net network(int bits, int weight_bits)
{
    const fx_op ops[] = {FX("in", "data", {1, 8, 8, 16}, .bit_width = bits),
                         FX("w", "const", {16, 1, 1, 16}, .bit_width = weight_bits),
                         FX("conv", "conv2d-fix", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w",
                            .kernel = {1, 1}, .bit_width = bits)};
    return fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
}

enum { NOTHING = ROOF_FINDING_COUNT, FASTER = ROOF_FINDING_FASTER_TYPE, OTHER = ROOF_FINDING_OTHER_TYPE };

static void a_model_is_computed_in_its_own_type_where_there_is_a_rate_of_it(void **state)
{
    static const struct {
        const char *name;
        const device *device;
        int bits, weight_bits;
        const char *requested, *type; /* NULL: none */
        uint64_t compute_cycles, bytes;
        int finding;
    } rows[] = {
        {"8 bits", &all_types, 8, 8, NULL, "int8", 2048, 2304, NOTHING},
        {"16 bits", &all_types, 16, 16, NULL, "f16", 4096, 4608, NOTHING},
        {"32 bits", &all_types, 32, 32, NULL, "tf32", 8192, 9216, FASTER},
        {"32 bits, no tf32", &without_tf32, 32, 32, NULL, "f32", 16384, 9216, NOTHING},
        {"32 bits, slow tf32", &slow_tf32, 32, 32, NULL, "f32", 16384, 9216, NOTHING},
        {"32 bits, tf32 alone", &only_tf32, 32, 32, NULL, "tf32", 8192, 9216, OTHER},
        {"narrow weights stay narrow", &all_types, 16, 4, NULL, "f16", 4096, 4224, NOTHING},
        {"no rate of 32 bits", &only_int8, 32, 32, NULL, "int8", 2048, 2304, OTHER},
        {"no rate of 8 bits", &only_f32, 8, 8, NULL, "f32", 16384, 9216, OTHER},
        {"no rate of 12 bits", &all_types, 12, 12, NULL, "f16", 4096, 4608, NOTHING},
        {"no rates by type", &no_types, 8, 8, NULL, NULL, 4096, 4608, NOTHING},
        {"f32 asked", &all_types, 32, 32, "f32", "tf32", 8192, 9216, FASTER},
        {"tf32 asked", &all_types, 32, 32, "tf32", "tf32", 8192, 9216, NOTHING},
        {"another spelling", &all_types, 32, 32, "fp16", "f16", 4096, 4608, NOTHING},
        {"bf16 asked", &all_types, 16, 16, "bf16", "bf16", 4682, 4608, NOTHING},
        {"int8 asked", &all_types, 32, 32, "int8", "int8", 2048, 2304, NOTHING},
        {"int4 asked", &all_types, 8, 8, "int4", "int4", 1024, 1152, NOTHING},
        {"int8 asked, narrow weights", &all_types, 16, 4, "int8", "int8", 2048, 2176, NOTHING},
        {"f32 asked of 8 bits", &all_types, 8, 8, "f32", "tf32", 8192, 9216, FASTER},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = network(rows[i].bits, rows[i].weight_bits);
        roof_hw *hw = load(rows[i].device);
        roof_prediction *p = NULL;
        roof_error err = {0};
        const roof_predict_options with = {.data_type = rows[i].requested};
        net.graph->floats_are_8_bits = false;
        if (roof_predict(net.graph, hw, &with, &p, &err) != ROOF_OK)
            fail_msg("%s: %s", rows[i].name, fx_message(&err));
        const char *type = p->hardware.data_type;
        if ((type && rows[i].type) ? strcmp(type, rows[i].type) != 0 : type != rows[i].type)
            fail_msg("%s: in %s, want %s", rows[i].name, type ? type : "no type", rows[i].type);
        const roof_cost *cost = &p->layers[0].deployed;
        uint64_t bytes = roof_traffic_total(&cost->traffic);
        if (cost->cycles[0] != rows[i].compute_cycles || bytes != rows[i].bytes)
            fail_msg("%s: %" PRIu64 " cycles, %" PRIu64 " bytes", rows[i].name, cost->cycles[0], bytes);
        for (int kind = OTHER; kind <= FASTER; kind++)
            if (fx_count_findings(p, (roof_finding_kind)kind) != (kind == rows[i].finding))
                fail_msg("%s: %u findings '%s'", rows[i].name, fx_count_findings(p, (roof_finding_kind)kind),
                         roof_finding_kind_text((roof_finding_kind)kind));
        assert_int_equal(p->hardware.weakest_kind, ROOF_KIND_MEASURED); /* of the clock: rates stay data */
        roof_prediction_free(p);
        roof_hw_free(hw);
        fx_close(&net);
    }
}

/* 16 sums of 32 bits beside 2304 integers of 8: where the model is converted they become as narrow as it. */
static void a_wider_bias_stays_wide_unless_the_model_is_converted(void **state)
{
    static const struct {
        const char *requested;
        uint64_t bytes;
    } rows[] = {{NULL, 2304 + 64}, {"int4", (2304 + 16) / 2}, {"f32", 4 * (2304 + 16)}};
    const fx_op ops[] = {FX("in", "data", {1, 8, 8, 16}), FX("w", "const", {16, 1, 1, 16}),
                         FX("b", "const", {16}, .bit_width = 32),
                         FX("conv", "conv2d-fix", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w",
                            .bias = "b", .kernel = {1, 1})};
    fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
    (void)state;
    net.graph->floats_are_8_bits = false;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_prediction *p =
            fx_predict(net.graph, "rtx-4090", &(roof_predict_options){.data_type = rows[i].requested});
        uint64_t bytes = roof_traffic_total(&p->layers[0].deployed.traffic);
        if (bytes != rows[i].bytes)
            fail_msg("%s: %" PRIu64 " bytes", rows[i].requested ? rows[i].requested : "its own", bytes);
        roof_prediction_free(p);
    }
    fx_close(&net);
}

/* Its tensors are still floats, and an accelerator moves 8 bits an element. */
static void a_quantised_file_is_of_8_bits(void **state)
{
    fx_net net = network(32, 32);
    roof_prediction *p = fx_predict(net.graph, "rtx-4090", NULL);
    (void)state;
    assert_true(net.graph->floats_are_8_bits);
    assert_string_equal(p->hardware.data_type, "int8");
    assert_int_equal(roof_traffic_total(&p->layers[0].deployed.traffic), 2304);
    roof_prediction_free(p);
    fx_close(&net);
}

static void a_type_without_a_rate_is_refused_with_those_that_have_one(void **state)
{
    static const struct {
        const device *device;
        const char *requested;
        const char *says;
    } rows[] = {
        {&only_int8, "f16", "'here' states no rate of f16; it states int8"},
        {&all_types, "int16", "'here' states no rate of int16; it states int4, int8, bf16, f16, f32, tf32"},
        {&no_types, "int8", "'here' states no rates by data type, so that int8 is none of its types"},
        {&all_types, "int3", "'int3' is no data type; want one such as bf16, f16, f32, tf32, int8 or int4"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = network(8, 8);
        roof_hw *hw = load(rows[i].device);
        roof_prediction *p = NULL;
        roof_error err = {0};
        const roof_predict_options with = {.data_type = rows[i].requested};
        assert_int_equal(roof_predict(net.graph, hw, &with, &p, &err), ROOF_E_USAGE);
        assert_string_equal(err.what, rows[i].says);
        assert_null(p);
        roof_hw_free(hw);
        fx_close(&net);
    }
}

static void who_gives_a_rate_has_chosen_its_type(void **state)
{
    fx_net net = network(8, 8);
    roof_prediction *p = fx_predict(net.graph, "base=rtx-4090,peak.rate=8Gops/s,element.bytes=2B", NULL);
    (void)state;
    assert_null(p->hardware.data_type);
    assert_true(p->hardware.peak_ops_per_s == 8e9);
    assert_int_equal(roof_traffic_total(&p->layers[0].deployed.traffic), 4608);
    roof_prediction_free(p);
    fx_close(&net);
}

static roof_prediction *predict_example(const char *name, const roof_workload *workload, const char *hw,
                                        const char *type)
{
    char path[1024];
    roof_graph *graph = NULL;
    roof_error err = {0};
    snprintf(path, sizeof path, "%s/examples/%s", getenv("ROOFLINE_SOURCE_DIR"), name);
    if (roof_graph_read_as(path, workload, &graph, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_prediction *p = fx_predict(graph, hw, &(roof_predict_options){.data_type = type});
    roof_graph_free(graph);
    return p;
}

/* Weights of 4 bits are narrow in the memory, and bounded by the fastest type of 8 bits or more that they may
 * be widened to, with activations: int8, of which an A100 does twice as many. */
static void a_language_model_is_computed_in_its_activations(void **state)
{
    const roof_workload int4 = {.phase = ROOF_TEXT_PREFILL, .prompt_tokens = 2048, .weight_type = "int4"};
    const roof_workload bf16 = {.phase = ROOF_TEXT_PREFILL, .prompt_tokens = 2048};
    roof_prediction *narrow = predict_example("npu2/llama-3.2-1b.json", &int4, "a100-80gb", "int8"),
                    *wide = predict_example("npu2/llama-3.2-1b.json", &bf16, "a100-80gb", NULL);
    (void)state;
    assert_string_equal(narrow->hardware.data_type, "bf16");
    assert_string_equal(wide->hardware.data_type, "bf16");
    assert_true(wide->hardware.peak_ops_per_s == 312e12);
    assert_true(fabs(2.0 * (double)narrow->total.deployed.cycles[0] / (double)wide->total.deployed.cycles[0] -
                     1) < 1e-6);
    uint64_t bytes = narrow->layers[3].deployed.traffic.weights_bytes; /* of lm_head, one matrix */
    assert_int_equal(4 * bytes, wide->layers[3].deployed.traffic.weights_bytes);
    roof_prediction_free(narrow);
    roof_prediction_free(wide);
}

/* What the device says that it computed in counts, not what the file is in. */
static void a_run_is_held_against_the_type_that_it_was_computed_in(void **state)
{
    static const struct {
        const char *of_device, *type;
    } rows[] = {{"f32", "f32"}, {"bf16", "bf16"}, {"int16", "int8"}, {NULL, "int8"}};
    char path[1024];
    (void)state;
    snprintf(path, sizeof path, "%s/examples/models/mobilenetv1-b4096.xmodel", getenv("ROOFLINE_SOURCE_DIR"));
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_experiment e = {.device_data_type = rows[i].of_device};
        roof_prediction *p = NULL;
        roof_error err = {0};
        bool is_borrowed;
        if (roof_experiment_predict(&e, path, "rtx-4090", NULL, &p, &is_borrowed, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        assert_string_equal(p->hardware.data_type, rows[i].type);
        roof_prediction_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_computed_in_its_own_type_where_there_is_a_rate_of_it),
        cmocka_unit_test(a_wider_bias_stays_wide_unless_the_model_is_converted),
        cmocka_unit_test(a_quantised_file_is_of_8_bits),
        cmocka_unit_test(a_type_without_a_rate_is_refused_with_those_that_have_one),
        cmocka_unit_test(who_gives_a_rate_has_chosen_its_type),
        cmocka_unit_test(a_language_model_is_computed_in_its_activations),
        cmocka_unit_test(a_run_is_held_against_the_type_that_it_was_computed_in),
    };
    return cmocka_run_group_tests_name("data_type", tests, make_folder, remove_folder);
}
