/* TFLite files from untrusted hands: what the reader accepts is a whole graph, of which a prediction can be
 * made, lowered for a DPU and as it is on a described machine; what it refuses, it explains. */
#include "roofline/prediction.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/graph_checks.h"
#include "tests/support/read_check.h"

static void check_prediction(const roof_graph *graph)
{
    static const char *const machines[] = {"b4096", "mac=2048/cycle,clock=300MHz,ddr=19.2GB/s"};
    for (int i = 0; i < 2; i++) {
        roof_hw *hw = NULL;
        roof_prediction *p = NULL;
        char text[ROOF_SENTENCE_SIZE];
        roof_error err = {0};
        CHECK(roof_hw_load(machines[i], &hw, &err) == ROOF_OK);
        roof_status status = roof_predict(graph, hw, NULL, &p, &err);
        if (status == ROOF_OK) {
            check_name(roof_prediction_sentence(p, 0, text));
        } else {
            check_refusal(status, &err);
        }
        roof_prediction_free(p);
        roof_hw_free(hw);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    graph_checks(data, size, check_prediction);
    return 0;
}
