/* Real designs of mlir-aie beside the control code that was made of them, where ../shared has both: each
 * argument moves the same. */
#include "roofline/control_code.h"
#include "tests/unit/fixture.h"
#include "tests/support/skips.h"

static const char *const pairs[][2] = {
    {"ajrr/as_aie_640x896x16_16x8x8_4c.mlir", "ajrr/as_insts_640x896x16_16x8x8_4c.txt"},
    {"ajrr/msa_aie.mlir", "ajrr/msa_insts.txt"},
    {"ajrr/mv_aie_288x288x1.mlir", "ajrr/mv_insts_288x288x1.txt"},
    {"ajrr/sc_aie_256x256x256_64x64x32.mlir", "ajrr/sc_insts_256x256x256_64x64x32.txt"},
    {"ajrr/wa_aie_1280x1280x32_32x32x8_4c.mlir", "ajrr/wa_insts_1280x1280x32_32x32x8_4c.txt"},
    {"ajrr/wa_aie_5120x1280x32_32x32x8_4c.mlir", "ajrr/wa_insts_5120x1280x32_32x32x8_4c.txt"},
    {"ajrr/wa_aie_640x640x32_32x32x8_4c.mlir", "ajrr/wa_insts_640x640x32_32x32x8_4c.txt"},
    {"ajrr/wap_aie_256x256x256_64x64x64_4c.mlir", "ajrr/wap_insts_256x256x256_64x64x64_4c.txt"},
    {"emu/input_with_addresses.mlir", "emu/insts.bin"},
};

static roof_graph *read_shared(const char *name)
{
    char path[1024];
    roof_graph *graph = NULL;
    roof_error err;
    snprintf(path, sizeof path, "%s/data/aie/code/%s", shared_folder(), name);
    roof_status status = roof_graph_read(path, &graph, &err);
    if (status == ROOF_E_NO_INPUT)
        skip_without(path);
    if (status != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return graph;
}

static const roof_code_argument *argument_of(const roof_control_code *code, const char *name)
{
    for (uint32_t i = 0; i < code->n_arguments; i++)
        if (strcmp(code->arguments[i].name, name) == 0)
            return &code->arguments[i];
    fail_msg("no argument %s", name);
    return NULL;
}

static void designs_move_what_their_code_moves(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        uint32_t n;
        roof_graph *design = read_shared(pairs[i][0]), *insts = read_shared(pairs[i][1]);
        const roof_control_code *a = roof_control_code_of(design, &n), *b = roof_control_code_of(insts, &n);
        assert_int_equal(a->n_arguments, b->n_arguments);
        for (uint32_t k = 0; k < a->n_arguments; k++) {
            const roof_code_argument *same = argument_of(b, a->arguments[k].name);
            assert_int_equal(a->arguments[k].read_bytes, same->read_bytes);
            assert_int_equal(a->arguments[k].write_bytes, same->write_bytes);
        }
        assert_int_equal(a->n_channels, b->n_channels);
        for (uint32_t k = 0; k < a->n_channels; k++)
            assert_int_equal(a->channels[k].bytes, b->channels[k].bytes);
        roof_graph_free(design);
        roof_graph_free(insts);
    }
    print_message("%zu designs move what their control code moves\n", COUNT(pairs));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(designs_move_what_their_code_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
