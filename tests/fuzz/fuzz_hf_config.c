/* config.json from untrusted files: what the reader accepts is predicted in both phases and over its context,
 * with every type of weights, and comes back as it was written; what it refuses, it explains. */
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

/* Points of a curve: what a longer context costs is never less, and parts close. */
static void check_curve(const roof_graph *graph)
{
    static const uint32_t lengths[] = {1, 1000, 1u << 24};
    static const roof_curve_options requested = {.contexts = lengths,
                                                 .n_contexts = 3,
                                                 .prompts = lengths,
                                                 .n_prompts = 2,
                                                 .batch = 2,
                                                 .memory_bytes = 1ull << 35,
                                                 .session_prompt = 100,
                                                 .session_answer = 200,
                                                 .draft = NULL};
    roof_curve *curve = NULL;
    roof_status status = roof_curve_predict(graph, machine(), &requested, &curve, NULL);
    CHECK(status == ROOF_OK || status == ROOF_E_LIMIT);
    for (uint32_t i = 0; curve && i < curve->n_points; i++) {
        const roof_curve_point *x = &curve->points[i];
        double parts_s = 0;
        for (int k = 0; k < ROOF_LANGUAGE_PARTS; k++)
            parts_s += x->ideal_parts_s[k];
        CHECK(parts_s >= x->ideal_s * (1 - 1e-9) && parts_s <= x->ideal_s * (1 + 1e-9));
        CHECK(i == 0 || i == curve->n_decode || x->ideal_s >= x[-1].ideal_s);
        CHECK((x->expected.not_known == NULL) == (x->expected.seconds >= 0));
    }
    roof_curve_free(curve);
}

static void check_model(const roof_graph *graph)
{
    static const roof_workload requested = {
        .phase = ROOF_TEXT_DECODE, .weight_type = "int4", .asks_text = true};
    const mapfile *file = &graph->storage->file;
    roof_graph *decode = NULL;
    if (strcmp(graph->format, "hf_config") != 0)
        return;
    check_prediction(graph);
    CHECK(graph_read_memory_as(file->bytes, file->size_bytes, "fuzz", &requested, &decode, NULL) == ROOF_OK);
    check_prediction(decode);
    check_curve(decode);
    roof_graph_free(decode);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    graph_checks(data, size, check_model);
    return 0;
}
