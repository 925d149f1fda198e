/* Real profiles beside the networks that they are of: how much of the time finds its operators, and that no
 * bound lies above what was measured. Networks are those of ../shared, or written from their published
 * definition.
 *
 * Which profiles of ../shared/data/profiles can be tried, and why the others not:
 *   tensorrt/a100_fp16_resnet18    ResNet-18 in a batch of 32, of which the layers' names are nodes' names
 *   rknn/yolov8n_1920              YOLOv8n, at another size than the model at hand: names match, and its work
 *                                  is 5 times that of the model, so that bounds hold all the more
 *   tflite/mobilenet-CPU           MobileNetV1, by kind and order: the model at hand names nothing alike
 *   qnn/optrace_resnet50           ResNet-50 as Hugging Face exports it; the rest are transposes and
 *                                  conversions, which are the tool's own. Which HTP it was is not said: the
 *                                  tool runs on laptops with a Snapdragon X Elite
 *   qnn/qhas_resnet50              the ten slowest rows of another run of the same
 *   tflite/inception_v4-CPU        Inception-v4, by the names of TensorFlow's definition
 *   tflite/deeplabv3-CPU           rows of a delegate, each called by some of what is in it, in names that
 *                                  the converter made up: no definition has them
 *   tflite/ssd_mobilenet, mobilenet-NPU  one row a delegate: nothing to match
 *   coreml                         another network each, not named
 *   kineto, nsys, ncu, rocprof*    kernels of training and of single operators: no network
 *   tenstorrent                    a language model and an image operator
 */
#include "tests/support/accuracy.h"
#include "tests/support/onnx_networks.h"
#include "tests/support/onnx_text.h"
#include "tests/support/skips.h"
#include "tests/unit/imported.h"

#include "measure/matches/match_facts.h"

#include <stdlib.h>
#include <unistd.h>

static void resnet18_of_32(textbuf *text)
{
    onnx_resnet18(text, 32);
}

static const struct {
    const char *profile, *model; /* below data/; NULL: one that is written */
    void (*write)(textbuf *text);
    const char *what, *hw, *data_type;
    double least_matched; /* of the time */
} rows[] = {
    {"tensorrt/a100_fp16_resnet18.profile.json", NULL, resnet18_of_32, "A100, rows of ResNet-18 by TensorRT",
     "a100-40gb", "f16", 0.90},
    {"rknn/yolov8n_1920_rk3588_3core_perf_detail.txt", "models/yolov8n_int8_qdq.onnx", NULL,
     "RK3588, rows of YOLOv8n by RKNN", "rk3588-npu", NULL, 0.98},
    {"tflite/mobilenet-CPU.log", "zoo/mobilenetv1-1.0.onnx", NULL,
     "Cortex-A, rows of MobileNetV1 by TensorFlow Lite, on a Raspberry Pi 5's peak", "raspberry-pi-5", "int8",
     0.98},
    {"tflite/inception_v4_299_quant-CPU.log", NULL, onnx_inception_v4,
     "Cortex-A, rows of Inception v4 by TensorFlow Lite, on a Raspberry Pi 5's peak", "raspberry-pi-5",
     "int8", 0.98},
    {"qnn/optrace_resnet50.csv", NULL, onnx_resnet50_by_modules,
     "Snapdragon X Elite, rows of ResNet-50 by QNN", "snapdragon-x-elite", NULL, 0.90},
};

static void write_model(void (*write)(textbuf *text), const char *path)
{
    textbuf text;
    text_init(&text, 1 << 20);
    write(&text);
    assert_false(text.failed);
    assert_true(onnx_text_save(text.bytes, false, path));
    text_free(&text);
}

static void rows_find_their_operators_and_stay_above_their_bounds(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        accuracy a = {.what = rows[i].what};
        char path[4096], model[4096] = "/tmp/roofline-model-XXXXXX";
        roof_measured *m = NULL;
        roof_prediction *p = NULL;
        roof_reconciliation *r = NULL;
        roof_error err = {0};
        bool is_borrowed;
        snprintf(path, sizeof path, "%s/data/profiles/%s", shared_folder(), rows[i].profile);
        if (rows[i].model) {
            snprintf(model, sizeof model, "%s/data/%s", shared_folder(), rows[i].model);
        } else {
            const int fd = mkstemp(model);
            assert_true(fd >= 0 && close(fd) == 0);
            write_model(rows[i].write, model);
        }
        if (roof_import_file(path, NULL, &m, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        assert_int_equal(m->n_experiments, 1);
        const roof_predict_options options = {.data_type = rows[i].data_type};
        if (roof_experiment_predict(m->experiments, model, rows[i].hw, &options, &p, &is_borrowed, &err) !=
            ROOF_OK)
            fail_msg("%s", fx_message(&err));
        assert_non_null(p);
        if (roof_reconcile(m, (const roof_prediction *const *)&p, NULL, &r, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        const roof_reconciled *e = &r->experiments[0];
        double all_s = 0, matched_s = 0, ideal_s = 0;
        for (uint32_t k = 0; k < e->n_matches; k++) {
            const roof_match *u = &e->matches[k];
            const double measured_s = isnan(u->measured_s) ? 0 : u->measured_s;
            all_s += measured_s;
            matched_s += u->n_layers ? measured_s : 0;
            ideal_s += u->n_layers && u->n_rows && !isnan(u->ideal_s) ? u->ideal_s : 0;
            if (u->n_layers && u->n_rows && u->ideal_s > 0)
                accuracy_add_bound(&a, rows[i].profile, u->ideal_s, u->measured_s);
        }
        accuracy_tell(&a);
        assert_true(accuracy_quantile(&a, 0) >= 1);
        print_message("%s: %.1f %% of the time has operators, bound %.3g of %.3g ms\n", rows[i].profile,
                      100 * matched_s / all_s, 1e3 * ideal_s, 1e3 * all_s);
        assert_true(matched_s >= rows[i].least_matched * all_s);
        assert_true(ideal_s > 0);
        roof_reconciliation_free(r);
        if (!is_borrowed)
            roof_prediction_free(p);
        roof_measured_free(m);
        if (!rows[i].model)
            unlink(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_find_their_operators_and_stay_above_their_bounds),
    };
    shared_folder();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
