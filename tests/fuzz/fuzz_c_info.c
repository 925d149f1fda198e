/* c_info.json from untrusted files: what the reader accepts is a whole plan, and predictions of it close; what it refuses, it
 * explains. */
#include "model/format.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/plan_check.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    roof_graph *graph = NULL;
    roof_error err = {0};
    roof_status status = roof_graph_read_memory(data, size, "fuzzed", &graph, &err);
    if (status != ROOF_OK) {
        CHECK(err.what[0] && !graph);
        return 0;
    }
    if (graph->plan) {
        check_plan(graph);
        check_plan_prediction(graph);
    }
    roof_graph_free(graph);
    return 0;
}
