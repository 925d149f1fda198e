/* Quantised files beside what their compilers made of them: the same layers, and a reason for each
 * difference. Needs the optional folder that ROOFLINE_SHARED names. */
#include "roofline/model_diff.h"
#include "tests/support/skips.h"
#include "tests/unit/fixture.h"

/* Reasons that a pair may have beside instructions, and how often; all others it does not have. */
typedef struct allowed {
    roof_diff_reason reason;
    uint32_t n;
    const char *why; /* NULL: as in every compiled file: conversions at the border, and names of memory */
} allowed;

enum { MOST_ALLOWED = 8 };

static const struct {
    const char *graph, *compiled;
    uint32_t n_before, n_after, n_same; /* layers of the accelerator */
    allowed allowed[MOST_ALLOWED];
} pairs[] = {
    {"XILINX-DPUxYOLO__CNN_int",
     "XILINX-DPUxYOLO__CNN_zcu102",
     4,
     4,
     4,
     {{ROOF_DIFF_HOST_ROW, 1, NULL}, {ROOF_DIFF_NAMES_MEMORY, 1, NULL}}},
    {"Zynq_Ultrascale_Vitis_AI_CNN_ZCU102__CNN_int",
     "Zynq_Ultrascale_Vitis_AI_CNN_ZCU102__CNN_zcu102",
     5,
     5,
     5,
     {{ROOF_DIFF_HOST_ROW, 1, NULL},
      {ROOF_DIFF_NAMES_MEMORY, 1, NULL},
      {ROOF_DIFF_FEWER_ROWS, 1,
       "the pooling behind the first convolution drops its last column, which code leaves out"}}},
    {"vitis-ai-lenet__LeNet_int",
     "vitis-ai-lenet__LeNet",
     5,
     5,
     5,
     {{ROOF_DIFF_HOST_ROW, 1, NULL},
      {ROOF_DIFF_NAMES_MEMORY, 1, NULL},
      {ROOF_DIFF_CONSTANTS, 4, "channels are padded: 6 to 16, 120 to 128, 84 to 96"},
      {ROOF_DIFF_CYCLES, 1, "183 in place of 182: pieces of a load are rounded up one by one"}}},
    {"Vitis-AI__v2.0_quantized_VoxelNet_int",
     "Vitis-AI__v3.5_vek280_pt_custom_op",
     23,
     23,
     23,
     {{ROOF_DIFF_HOST_ROW, 3, NULL},
      {ROOF_DIFF_NAMES_MEMORY, 1, NULL},
      {ROOF_DIFF_CONSTANTS, 23, "input channels are padded to 32, and a bias takes 8 bytes"},
      {ROOF_DIFF_HALO, 2, NULL},
      {ROOF_DIFF_TOGETHER, 1, "three operators of the host are one of its parts"},
      {ROOF_DIFF_ORDER, 2, "three heads read one map, and nothing says which is first"}}},
    {"Quantizing-Efficientnetv2-using-Vitis-AI-Pytorch__ResidualBlock_int",
     "Quantizing-Efficientnetv2-using-Vitis-AI-Pytorch__ResidualBlock-in_136x14x14-out_136-k_3-s_1-act_h_"
     "swish-"
     "use_se_True.pth",
     9,
     9,
     9,
     {{ROOF_DIFF_HOST_ROW, 1, NULL},
      {ROOF_DIFF_HALO, 1, NULL},
      {ROOF_DIFF_TOGETHER, 2, "parts of the host have several operators"},
      {ROOF_DIFF_FEWER_ROWS, 1, "the host, which makes the map, takes its mean over the height as well"}}},
    /* no siblings: the same network for another image */
    {"Video-Objects-Detection-with-VitisAI-and-TensorRT__customcnn_org",
     "Video-Objects-Detection-with-VitisAI-and-TensorRT__customcnn_numbers",
     31,
     31,
     0,
     {{ROOF_DIFF_NAMES_MEMORY, 1, NULL},
      {ROOF_DIFF_SIZE, 30, "the image is smaller"},
      {ROOF_DIFF_CHANNELS, 1, "another number of classes"},
      {ROOF_DIFF_CONSTANTS, 1, "of that layer"},
      {ROOF_DIFF_KEPT, 6, "smaller maps fit"},
      {ROOF_DIFF_FOUND, 7, "likewise"}}},
};

static roof_graph *read_file(const char *name)
{
    char path[4096];
    roof_graph *graph;
    roof_error err;
    snprintf(path, sizeof path, "%s/data/xmodel/%s.xmodel", shared_folder(), name);
    if (roof_graph_read(path, &graph, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return graph;
}

static uint32_t allowed_of(size_t pair, int reason)
{
    for (size_t i = 0; i < MOST_ALLOWED && pairs[pair].allowed[i].n; i++)
        if ((int)pairs[pair].allowed[i].reason == reason)
            return pairs[pair].allowed[i].n;
    return 0;
}

static void siblings_have_the_same_layers_and_differences_have_reasons(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        roof_graph *graph = read_file(pairs[i].graph), *compiled = read_file(pairs[i].compiled);
        roof_hw *hw = NULL;
        roof_model_diff *s = NULL;
        roof_error err;
        assert_int_equal(roof_hw_of_model(compiled, &hw, &err), ROOF_OK);
        assert_non_null(hw);
        const roof_model_diff_request requested = {graph, compiled, pairs[i].graph, pairs[i].compiled, hw};
        if (roof_model_diff_find(&requested, &s, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        print_message("%s: %u layers, %u in the compiled file, %u the same, bytes %+.1f %%\n", pairs[i].graph,
                      s->n_layers[0], s->n_layers[1], s->n_same,
                      100 * ((double)roof_traffic_total(&s->total[1].traffic) /
                                 (double)roof_traffic_total(&s->total[0].traffic) -
                             1));
        assert_int_equal(s->n_layers[0], pairs[i].n_before);
        assert_int_equal(s->n_layers[1], pairs[i].n_after);
        assert_int_equal(s->n_same, pairs[i].n_same);
        assert_int_equal(s->n_unexplained, 0);
        for (int k = 0; k < ROOF_DIFF_REASONS; k++)
            if (k != ROOF_DIFF_INSTRUCTIONS && s->reasons[k] != allowed_of(i, k))
                fail_msg("%s: %u x %s, want %u", pairs[i].graph, s->reasons[k],
                         roof_diff_reason_word((roof_diff_reason)k), allowed_of(i, k));
        roof_model_diff_free(s);
        roof_hw_free(hw);
        roof_graph_free(graph);
        roof_graph_free(compiled);
    }
}

/* Vela's code names no operators: they are found by shape and order. */
static void operators_of_a_network_are_found_in_code_without_names(void **state)
{
    static const struct {
        const char *graph, *compiled, *hw;
        uint32_t n_rows;
    } files[] = {
        {"person_detect", "gen_v310_ethos-u55-32_person", "ethos-u55-32", 30},
        {"person_detect", "gen_v51_ethos-u55-128_person", "ethos-u55-128", 30},
        {"person_detect", "gen_v310_ethos-u65-512_person", "ethos-u65-512", 30},
        {"person_detect", "gen_v51_ethos-u85-512_person", "ethos-u85-512", 30},
        {"mlperf_tiny_kws", "gen_v310_ethos-u55-128_kws", "ethos-u55-128", 12},
        {"mlperf_tiny_kws", "gen_v51_ethos-u65-256_kws", "ethos-u65-256", 12},
        {"mlperf_tiny_kws", "gen_v51_ethos-u85-2048_kws", "ethos-u85-2048", 12},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        char path[4096];
        roof_graph *graph, *compiled;
        roof_hw *hw = fx_hw(files[i].hw);
        roof_model_diff *s;
        roof_error err;
        snprintf(path, sizeof path, "%s/data/models/%s.tflite", shared_folder(), files[i].graph);
        assert_int_equal(roof_graph_read(path, &graph, &err), ROOF_OK);
        snprintf(path, sizeof path, "%s/data/ethosu/%s.tflite", shared_folder(), files[i].compiled);
        assert_int_equal(roof_graph_read(path, &compiled, &err), ROOF_OK);
        const roof_model_diff_request requested = {graph, compiled, files[i].graph, files[i].compiled, hw};
        if (roof_model_diff_find(&requested, &s, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        uint32_t n_before = 0, n_with_macs = 0;
        for (uint32_t k = 0; k < s->n; k++) {
            const roof_diff_row *item = &s->items[k];
            if (item->before.n != 1 || !item->after.n)
                fail_msg("%s: item %u is %u:%u", files[i].compiled, k, item->before.n, item->after.n);
            /* rows come in the order of the file, so each operator is the next one of it */
            assert_int_equal(item->before.rows[0], n_before);
            n_with_macs += item->before.macs == item->after.macs;
            n_before += item->before.n;
        }
        print_message("%s: %u rows, %u with equal MACs\n", files[i].compiled, n_before, n_with_macs);
        assert_int_equal(n_before, files[i].n_rows);
        assert_true(n_with_macs + 3 >= n_before);
        roof_model_diff_free(s);
        roof_hw_free(hw);
        roof_graph_free(graph);
        roof_graph_free(compiled);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(siblings_have_the_same_layers_and_differences_have_reasons),
        cmocka_unit_test(operators_of_a_network_are_found_in_code_without_names),
    };
    shared_folder();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
