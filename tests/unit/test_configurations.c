/* Configurations of a board: the worked example of the header, frames per second against predictions of
 * hardware that is described line by line, what a compiled model can run on, and what is refused. */
#include "roofline/configurations.h"
#include "tests/unit/fixture.h"

static roof_graph *read_example(const char *name)
{
    char path[600];
    roof_graph *graph = NULL;
    roof_error err = {0};
    snprintf(path, sizeof path, "%s/examples/models/%s", getenv("ROOFLINE_SOURCE_DIR"), name);
    if (roof_graph_read(path, &graph, &err) != ROOF_OK)
        fail_msg("%s: %s", path, err.what);
    return graph;
}

static roof_hw *load(const char *spec)
{
    roof_hw *hw = NULL;
    roof_error err = {0};
    if (roof_hw_load(spec, &hw, &err) != ROOF_OK)
        fail_msg("%s: %s", spec, err.what);
    return hw;
}

static roof_configurations *found(const roof_graph *graph, const char *board,
                                  const roof_configurations_request *requested)
{
    roof_configurations *of = NULL;
    roof_error err = {0};
    roof_hw *hw = load(board);
    if (roof_configurations_find(graph, hw, requested, &of, &err) != ROOF_OK)
        fail_msg("%s: %s", board, err.what);
    roof_hw_free(hw);
    return of;
}

static const roof_configuration *of_size(const roof_configurations *of, const char *size, uint32_t cores)
{
    for (uint32_t i = 0; i < of->n; i++)
        if (strcmp(of->all[i].size, size) == 0 && of->all[i].cores == cores)
            return &of->all[i];
    fail_msg("%u x %s is not there", cores, size);
    return NULL;
}

static void assert_close(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%s: got %.12g, want %.12g", what, got, want);
}

static const roof_configurations_request nothing_asked = {.fps = NAN};

static void the_example_of_the_header(void **state)
{
    roof_graph *graph = read_example("resnet50.onnx");
    roof_configurations *of = found(graph, "zcu102", &nothing_asked);
    const roof_configuration *c = of_size(of, "B4096", 3);
    (void)state;
    assert_int_equal(of->n, 8 * 4);
    assert_int_equal(of->n_held, 31);
    assert_close("LUT", c->needs[ROOF_RESOURCE_LUT], 122595);
    assert_close("DSP", c->needs[ROOF_RESOURCE_DSP], 1926);
    assert_close("block RAM", c->needs[ROOF_RESOURCE_BRAM36], 765);
    assert_close("cost", c->cost_ratio, 765 / 912.0);
    assert_true(c->is_held && c->is_own_size && !c->is_estimate && !c->is_fuller);
    assert_close("built", of->built_cost_ratio, c->cost_ratio);
    assert_string_equal(of->own_size, "B4096");
    assert_null(of->only_size);
    assert_int_equal(of->measured_cores, 3);
    assert_int_equal(c->threads, 12);
    roof_configurations_free(of);
    roof_graph_free(graph);
}

/* The array of a size, as its entry has it, in a line of --hw. */
#define B1600                                                                                                \
    "conv.pixel_parallel=8,conv.input_channel_parallel=10,conv.output_channel_parallel=10,"                  \
    "conv.channel_augmentation=20,alu.pixel_parallel=4,alu.channel_parallel=10,eltwise.pixel_parallel=4,"    \
    "eltwise.channel_parallel=10,image_banks.bytes=327680B"
#define ZCU102_BY_4                                                                                          \
    ",expect.vitis-ai-3.serial.cores_all=4,expect.vitis-ai-3.serial.memory_all=0.27075,"                     \
    "expect.vitis-ai-3.serial.per_layer_all=26.75us"

static void frames_are_those_of_the_board_with_that_array(void **state)
{
    static const struct {
        const char *label, *board, *size, *line, *host;
        uint32_t cores, threads, threads_then;
        bool is_estimate;
    } rows[] = {{"as the board is built", "zcu102", "B4096", "base=zcu102", NULL, 3, 0, 12, false},
                {"fewer cores", "zcu102", "B4096", "base=zcu102", NULL, 2, 0, 8, false},
                {"another size", "zcu102", "B1600", "base=zcu102," B1600, NULL, 3, 0, 12, false},
                {"with a host", "zcu104", "B1600", "base=zcu104," B1600, "classify", 2, 0, 8, false},
                {"other threads", "zcu102", "B1600", "base=zcu102," B1600, NULL, 2, 3, 3, false},
                {"more cores than were measured", "zcu102", "B1600", "base=zcu102," B1600 ZCU102_BY_4, NULL,
                 4, 0, 16, true}};
    roof_graph *graph = read_example("resnet50.onnx");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_configurations_request requested = {
            .fps = NAN, .threads = rows[i].threads, .host = rows[i].host};
        roof_configurations *of = found(graph, rows[i].board, &requested);
        const roof_configuration *c = of_size(of, rows[i].size, rows[i].cores);
        const roof_load load_then = {.threads = &rows[i].threads_then, .n_threads = 1, .host = rows[i].host};
        const roof_predict_options options = {.cores = rows[i].cores, .load = &load_then};
        roof_hw *hw = load(rows[i].line);
        roof_prediction *p = NULL;
        roof_error err = {0};
        if (roof_predict(graph, hw, &options, &p, &err) != ROOF_OK)
            fail_msg("%s: %s", rows[i].label, err.what);
        assert_int_equal(p->throughput.n_points, 1);
        assert_close(rows[i].label, c->fps, p->throughput.points[0].fps);
        assert_close(rows[i].label, c->fps_low, p->throughput.points[0].fps_low);
        assert_close(rows[i].label, c->latency_s, p->throughput.points[0].latency_s);
        assert_int_equal(c->is_estimate, rows[i].is_estimate);
        roof_prediction_free(p);
        roof_hw_free(hw);
        roof_configurations_free(of);
    }
    roof_graph_free(graph);
}

static void a_compiled_model_has_its_own_size_alone(void **state)
{
    static const fx_op ops[] = {
        FX("in", "data-fix", {1, 8, 8, 16}, .in_ddr = true, .reg_id = 2),
        FX("w", "const-fix", {16, 1, 1, 16}, .layer = "l", .in_ddr = true, .reg_id = 0),
        FX("conv", "conv2d-fix", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1},
           .layer = "l", .in_ddr = true, .reg_id = 1)};
    static const struct {
        fx_target target;
        const char *size;
    } rows[] = {{{.name = "DPUCZDX8G_ISA1_B4096", .fingerprint = FX_B4096}, "B4096"},
                {{.name = "DPUCZDX8G_ISA1_B512", .fingerprint = FX_B512}, "B512"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = fx_open(fx_model(ops, COUNT(ops), &rows[i].target), NULL);
        roof_configurations *of = found(net.graph, "zcu102", &nothing_asked);
        assert_int_equal(of->n, 4);
        assert_string_equal(of->only_size, rows[i].size);
        for (uint32_t k = 0; k < of->n; k++)
            assert_string_equal(of->all[k].size, rows[i].size);
        roof_configurations_free(of);
        fx_close(&net);
    }
}

static void the_choice_depends_on_what_is_asked(void **state)
{
    static const struct {
        double fps;
        const char *cheapest; /* NULL: none is sure to be enough */
        uint32_t cores;
    } rows[] = {{1, "B512", 1}, {60, "B1600", 2}, {170, NULL, 0}, {1000, NULL, 0}};
    roof_graph *graph = read_example("resnet50.onnx");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_configurations *of = found(graph, "zcu102", &(roof_configurations_request){.fps = rows[i].fps});
        assert_int_equal(of->cheapest == ROOF_NONE, !rows[i].cheapest);
        if (rows[i].cheapest) {
            assert_string_equal(of->all[of->cheapest].size, rows[i].cheapest);
            assert_int_equal(of->all[of->cheapest].cores, rows[i].cores);
        }
        roof_configurations_free(of);
    }
    roof_graph_free(graph);
}

static void boards_without_constants_tell_what_cores_take(void **state)
{
    roof_graph *graph = read_example("resnet50.onnx");
    roof_configurations *of = found(graph, "ultra96v2", &nothing_asked);
    (void)state;
    assert_int_equal(of->most, ROOF_NONE);
    assert_true(of->n_held > 0);
    assert_non_null(strstr(of->all[0].why, "no constants"));
    assert_true(isnan(of->all[0].fps) && of->all[0].cost_ratio > 0);
    roof_configurations_free(of);
    roof_graph_free(graph);
}

static void what_cannot_be_said_is_refused(void **state)
{
    static const struct {
        const char *board, *says;
        double fps;
        uint32_t threads;
        roof_status status;
    } rows[] = {{"npu2", "states no 'device.lut'", NAN, 0, ROOF_E_DATA},
                {"zcu102", "want more than 0", 0, 0, ROOF_E_USAGE},
                {"zcu102", "want more than 0", INFINITY, 0, ROOF_E_USAGE},
                {"zcu102", "want at most 256", NAN, 257, ROOF_E_USAGE},
                {"base=zcu102,device.lut=0", "'device.lut' is 0", NAN, 0, ROOF_E_DATA},
                {"base=zcu102,device.dsp=2000000000", "want at most 1e+09", NAN, 0, ROOF_E_DATA},
                {"base=zcu102,resource.cores_most=0", "want a whole number from 1", NAN, 0, ROOF_E_DATA},
                {"base=npu2,device.lut=1,device.registers=1,device.bram36=1,device.uram=0,device.dsp=1",
                 "no size of its family", NAN, 0, ROOF_E_DATA}};
    roof_graph *graph = read_example("resnet50.onnx");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_configurations_request requested = {.fps = rows[i].fps, .threads = rows[i].threads};
        roof_configurations *of = NULL;
        roof_error err = {0};
        roof_hw *hw = load(rows[i].board);
        assert_int_equal(roof_configurations_find(graph, hw, &requested, &of, &err), rows[i].status);
        assert_null(of);
        if (!strstr(err.what, rows[i].says))
            fail_msg("%s: '%s', want '%s'", rows[i].board, err.what, rows[i].says);
        roof_hw_free(hw);
    }
    roof_graph_free(graph);
    roof_configurations_free(NULL);
}

static void a_model_of_no_size_is_refused(void **state)
{
    fx_net net = fx_open(xn_tiny(NULL, NULL), NULL);
    roof_configurations *of = NULL;
    roof_error err = {0};
    roof_hw *hw = load("base=zcu102,batch=2"); /* no file is compiled for that */
    (void)state;
    assert_int_equal(roof_configurations_find(net.graph, hw, &nothing_asked, &of, &err), ROOF_E_UNSUPPORTED);
    assert_non_null(strstr(err.what, "cannot be built with"));
    roof_hw_free(hw);
    fx_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_example_of_the_header),
                                       cmocka_unit_test(frames_are_those_of_the_board_with_that_array),
                                       cmocka_unit_test(a_compiled_model_has_its_own_size_alone),
                                       cmocka_unit_test(the_choice_depends_on_what_is_asked),
                                       cmocka_unit_test(boards_without_constants_tell_what_cores_take),
                                       cmocka_unit_test(what_cannot_be_said_is_refused),
                                       cmocka_unit_test(a_model_of_no_size_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
