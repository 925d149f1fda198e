/* config.json from untrusted files: what the reader accepts is predicted in both phases, with every type of
 * weights, and comes back as it was written; what it refuses, it explains. */
#include "core/error.h"
#include "model/graph/format.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/graph_checks.h"
#include "tests/support/prediction_check.h"

#include <string.h>

static const roof_hw *machine(void)
{
    static roof_hw *hw;
    if (!hw)
        CHECK(roof_hw_load("npu2", &hw, NULL) == ROOF_OK);
    return hw;
}

static void check_prediction(const roof_graph *graph)
{
    roof_prediction *p = NULL;
    roof_status status = roof_predict(graph, machine(), NULL, &p, NULL);
    CHECK(status == ROOF_OK || status == ROOF_E_LIMIT); /* counts can leave 64 bits */
    if (status == ROOF_OK)
        check_prediction_comes_back(p, true);
    roof_prediction_free(p);
}

static void check_model(const roof_graph *graph)
{
    static const roof_workload asked = {.phase = ROOF_TEXT_DECODE, .weight_type = "int4", .asks_text = true};
    const mapfile *file = &graph->storage->file;
    roof_graph *decode = NULL;
    if (strcmp(graph->format, "hf_config") != 0)
        return;
    check_prediction(graph);
    CHECK(graph_read_memory_as(file->bytes, file->size_bytes, "fuzz", &asked, &decode, NULL) == ROOF_OK);
    check_prediction(decode);
    roof_graph_free(decode);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    graph_checks(data, size, check_model);
    return 0;
}
