/* ONNX models from untrusted files: what the reader accepts is a whole graph, which can be lowered for every
 * kind of hardware, with the same work on all of them; what it refuses, it explains. */
#include "roofline/prediction.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/graph_checks.h"
#include "tests/support/read_check.h"

static void check_lowered(const roof_graph *graph)
{
    static const char *const specs[] = {"b4096", "npu2", "stm32n6",
                                        "mac=2048/cycle,clock=300MHz,ddr=19.2GB/s"};
    uint64_t macs = ROOF_UNKNOWN;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        roof_hw *hw = NULL;
        roof_prediction *p = NULL;
        char text[ROOF_SENTENCE_SIZE];
        roof_error err = {0};
        CHECK(roof_hw_load(specs[i], &hw, &err) == ROOF_OK);
        roof_status status = roof_predict(graph, hw, NULL, &p, &err);
        if (status == ROOF_OK) {
            check_name(roof_prediction_sentence(p, 0, text));
            CHECK(!(p->total.floor_s > p->total.deployed.ideal_s * (1 + 1e-9)));
            CHECK(macs == ROOF_UNKNOWN || p->total.macs == macs);
            macs = p->total.macs;
        } else {
            check_refusal(status, &err);
        }
        roof_prediction_free(p);
        roof_hw_free(hw);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    graph_checks(data, size, check_lowered);
    return 0;
}
