/* Real files of tools for edge and mobile devices, where ../shared has them: rows, sums and totals as they
 * were computed from the files by other means (oracle_profiles.tsv), and what is told of them. */
#include "tests/unit/imported.h"
#include "tests/support/skips.h"

static const struct {
    const char *name, *tool;
    uint32_t n_rows;
    double sum_s, total_s;
    const char *note, *no_note;
} files[] = {
    {"tflite/deeplabv3-CPU.log", "tflite_benchmark", 43, 1.050244, 1.05037, "22 of the rows are a delegate",
     "add up to"},
    {"tflite/deeplabv3-GPU.log", "tflite_benchmark", 2, 0.524816, 0.524867, "is a delegate", "add up to"},
    {"tflite/inception_v4_299_quant-CPU.log", "tflite_benchmark", 195, 2.898054, 2.89838, NULL, "delegate"},
    {"tflite/mobilenet-CPU.log", "tflite_benchmark", 31, 0.162908, 0.16298, NULL, "add up to"},
    {"tflite/mobilenet-NPU.log", "tflite_benchmark", 1, 0.002504, 0.00252559,
     "the first inference took 4625131 us", "add up to"},
    {"tflite/ssd_mobilenet-GPU.log", "tflite_benchmark", 2, 0.524666, 0.524719, NULL, "add up to"},
    {"tflite/ssd_mobilenet-NPU.log", "tflite_benchmark", 2, 0.154488, 0.154534, NULL, "add up to"},
    {"qnn/optrace_resnet50.csv", "qnn_csv", 79, 0.0009615, 0.0056505, "the first of 5 inferences, 1359 us",
     "the file states"},
    {"qnn/qhas_resnet50.json", "qnn_qhas", 10, 0.000465491003623321, 0.001343, "graph_execute_us 1132", NULL},
    {"rknn/yolov8n_1920_rk3588_3core_perf_detail.txt", "rknn", 108, 0.096186, NAN,
     "24839953 of the DDR and 28395648 of the NPU", "the log states"},
    {"vela/mlia_per-layer.csv", "vela_csv", 2, NAN, NAN, "there is no clock in the file", NULL},
    {"coreml/without_compute_plan_2.csv", "coreml", 119, 0.000644948252281152, NAN, "nothing is measured",
     NULL},
    {"coreml/without_compute_plan_output.txt", "coreml", 119, 0.000651987204136886, NAN,
     "nothing is measured", NULL},
    {"tensorrt/a100_fp16_resnet18.profile.json", "tensorrt_profile", 36, 0.001016832, NAN, NULL, NULL},
    {"tenstorrent/bh20_oft_integral_image_trace.csv", "tenstorrent", 21, 0.011398328, NAN,
     "6 rows without a time", NULL},
};

static void want_near(const char *name, double got, double wanted)
{
    if (!isnan(wanted) && !(fabs(got - wanted) <= 1e-9 * wanted))
        fail_msg("%s: %.12g, want %.12g", name, got, wanted);
}

static void real_files_have_the_figures_that_were_computed_otherwise(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        char path[1024];
        roof_measured *m = NULL;
        roof_error err = {0};
        snprintf(path, sizeof path, "%s/data/profiles/%s", shared_folder(), files[i].name);
        if (roof_import_file(path, NULL, &m, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        const roof_run *run = im_run(m, 0);
        assert_string_equal(m->sources[0].tool, files[i].tool);
        if (run->n_layers != files[i].n_rows)
            fail_msg("%s: %u rows, want %u", files[i].name, run->n_layers, files[i].n_rows);
        want_near(files[i].name, run->sum_of_layers_s, files[i].sum_s);
        want_near(files[i].name, run->total.mean_s, files[i].total_s);
        if (files[i].note)
            im_want_note(m, files[i].note);
        if (files[i].no_note && im_notes_have(m, files[i].no_note))
            fail_msg("%s: %s", files[i].name, m->sources[0].notes);
        roof_measured_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_files_have_the_figures_that_were_computed_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
