/* Real TFLite files, where ../shared has them: work as others count it. */
#include "tests/support/skips.h"
#include "tests/unit/fixture.h"

/* MACs of convolutions and matrix products. Vela (nn_macs of its summary, U55-128) counts beside them windows
 * of poolings, 2 a value of a softmax, a pooling for a conversion of types, and of a first convolution with
 * one channel and a stride of 2 the columns of its kernel that it adds to read two pixels as two channels. */
static const struct {
    const char *file;
    uint32_t operators, dpu_layers;
    uint64_t macs, weights_bytes;
    uint64_t vela_macs; /* 0: not known */
    uint64_t pools, softmax, conversions, added_macs, added_weights, vela_weights;
} files[] = {
    {"mobilenet_v2_1.0_224_int8.tflite", 71, 36, 300774272, 3469760, 300989520, 62720, 2000, 150528, 0, 0, 0},
    {"tflm_mobilenet_v2_q_1x3x224x224.tflite", 84, 36, 300774272, 3469760, 300836992, 62720, 0, 0, 0, 0, 0},
    {"mlperf_tiny_ic_resnet_quant.tflite", 16, 11, 12501632, 77360, 12505748, 4096, 20, 0, 0, 0, 0},
    {"mlperf_tiny_kws.tflite", 13, 6, 2656768, 22016, 2824792, 8000, 24, 0, 160000, 1280, 23296},
    {"person_detect.tflite", 31, 16, 7157888, 207968, 7215492, 2304, 4, 0, 55296, 24, 207992},
};

static roof_graph *read_file(const char *path)
{
    roof_graph *g = NULL;
    roof_error err = {0};
    roof_status status = roof_graph_read(path, &g, &err);
    if (status == ROOF_E_NO_INPUT)
        skip_without(path);
    if (status != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return g;
}

/* Of the tensors that convolutions and products take as weights, each once. */
static uint64_t weights_of(const roof_graph *g)
{
    uint64_t bytes = 0;
    unsigned char *is_seen = calloc(g->n_ops, 1);
    assert_non_null(is_seen);
    for (uint32_t i = 0; i < g->n_ops; i++)
        for (uint32_t j = 0; rule_has_macs(g->ops[i].rule) && j < g->ops[i].n_inputs; j++) {
            const roof_edge *edge = &g->edges[g->ops[i].first_input + j];
            if (edge->role == ROOF_ROLE_WEIGHTS && !is_seen[edge->op]) {
                is_seen[edge->op] = 1;
                bytes += g->ops[edge->op].out.bytes;
            }
        }
    free(is_seen);
    return bytes;
}

static void networks_have_the_work_that_others_count(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/data/models/%s", shared_folder(), files[i].file);
        roof_graph *g = read_file(path);
        roof_prediction *lowered = fx_predict(g, "kv260", NULL),
                        *plain = fx_predict(g, "mac=2048/cycle,clock=300MHz,ddr=19.2GB/s", NULL);
        const uint64_t weights = weights_of(g);
        uint32_t operators = 0;
        while (operators < g->n_ops && strcmp(g->ops[operators].type, "const") != 0 &&
               strcmp(g->ops[operators].type, "input") != 0)
            operators++;
        if (lowered->total.macs != files[i].macs || plain->total.macs != files[i].macs ||
            weights != files[i].weights_bytes || operators != files[i].operators ||
            lowered->total.layers != files[i].dpu_layers)
            fail_msg("%s: %" PRIu64 " and %" PRIu64 " MACs, %" PRIu64
                     " B of weights, %u operators, %u layers",
                     files[i].file, lowered->total.macs, plain->total.macs, weights, operators,
                     lowered->total.layers);
        assert_int_equal(files[i].macs + files[i].pools + files[i].softmax + files[i].conversions +
                             files[i].added_macs,
                         files[i].vela_macs);
        if (files[i].vela_weights)
            assert_int_equal(weights + files[i].added_weights, files[i].vela_weights);
        assert_int_equal(fx_count_findings(plain, ROOF_FINDING_UNKNOWN_OP), 0);
        assert_int_equal(fx_count_findings(plain, ROOF_FINDING_SHAPE_UNKNOWN), 0);
        roof_prediction_free(lowered);
        roof_prediction_free(plain);
        roof_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_have_the_work_that_others_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
