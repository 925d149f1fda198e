/* c_info.json from untrusted files: what the reader accepts is a whole plan, and predictions of it close;
 * what it refuses, it explains. */
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/graph_checks.h"
#include "tests/support/plan_check.h"

static void check_predictions(const roof_graph *graph)
{
    if (roof_plan_of(graph))
        check_plan_prediction(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    graph_checks(data, size, check_predictions);
    return 0;
}
