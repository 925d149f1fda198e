/* Reports of the Vitis AI execution provider from untrusted files: what the reader accepts is a whole graph,
 * of which a program and a prediction can be made; what it refuses, it explains. */
#include "roofline/prediction.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/graph_checks.h"
#include "tests/support/read_check.h"

static void check_prediction(const roof_graph *graph)
{
    roof_hw *hw = NULL;
    roof_prediction *p = NULL;
    char text[ROOF_SENTENCE_SIZE];
    roof_error err = {0};
    CHECK(roof_hw_load("b4096", &hw, &err) == ROOF_OK);
    roof_status status = roof_predict(graph, hw, NULL, &p, &err);
    if (status == ROOF_OK) {
        CHECK(p->n_layers == graph->n_layers);
        check_name(roof_prediction_sentence(p, 0, text));
        if (p->placement)
            check_name(p->placement);
    } else {
        check_refusal(status, &err);
    }
    roof_prediction_free(p);
    roof_hw_free(hw);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    graph_checks(data, size, check_prediction);
    return 0;
}
