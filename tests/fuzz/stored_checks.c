#include "tests/fuzz/stored_checks.h"
#include "core/error.h"
#include "model/formats/hf_config/lm_model.h"
#include "roofline/prediction.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/prediction_check.h"

static const roof_hw *machine(void)
{
    static roof_hw *hw;
    if (!hw)
        CHECK(roof_hw_load("npu2", &hw, NULL) == ROOF_OK);
    return hw;
}

/* What a step reads is less than all, and rows have it, tensor by tensor. */
static void check_counts(const roof_graph *graph)
{
    const roof_stored_weights *w = graph->storage->language->stored;
    roof_program *program = NULL;
    roof_error err = {0};
    uint64_t sum = 0;
    CHECK(w->read_bytes == ROOF_UNKNOWN || w->read_bytes <= w->tensor_bytes);
    const roof_status status = roof_program_of(graph, &program, &err);
    CHECK(status == ROOF_OK || (err.what[0] && (status == ROOF_E_LIMIT || status == ROOF_E_UNSUPPORTED)));
    CHECK(status != ROOF_OK || w->read_bytes != ROOF_UNKNOWN);
    for (uint32_t i = 0; status == ROOF_OK && i < program->n_rows; i++)
        sum += program->rows[i].work.traffic.weights_bytes * program->rows[i].repeat;
    CHECK(status != ROOF_OK || sum == w->read_bytes);
    roof_program_free(program);
}

static void check_prediction(const roof_graph *graph)
{
    roof_prediction *p = NULL;
    const roof_status status = roof_predict(graph, machine(), NULL, &p, NULL);
    CHECK(status == ROOF_OK || status == ROOF_E_LIMIT || status == ROOF_E_UNSUPPORTED);
    if (status == ROOF_OK)
        check_prediction_comes_back(p, true);
    roof_prediction_free(p);
}

static void check_curve(const roof_graph *graph)
{
    static const uint32_t lengths[] = {1, 1000, 1u << 24};
    static const roof_curve_options requested = {.contexts = lengths,
                                                 .n_contexts = 3,
                                                 .prompts = lengths,
                                                 .n_prompts = 2,
                                                 .batch = 2,
                                                 .memory_bytes = 1ull << 35};
    roof_curve *curve = NULL;
    const roof_status status = roof_curve_predict(graph, machine(), &requested, &curve, NULL);
    CHECK(status == ROOF_OK || status == ROOF_E_LIMIT || status == ROOF_E_UNSUPPORTED);
    for (uint32_t i = 0; curve && i < curve->n_points; i++)
        CHECK(i == 0 || i == curve->n_decode || curve->points[i].ideal_s >= curve->points[i - 1].ideal_s);
    roof_curve_free(curve);
}

void check_stored_model(const roof_graph *graph)
{
    static const roof_workload requested = {
        .phase = ROOF_TEXT_DECODE, .cache_type = "int8", .asks_text = true};
    const mapfile *file = &graph->storage->file;
    roof_graph *decode = NULL;
    check_counts(graph);
    check_prediction(graph);
    CHECK(graph_read_memory_as(file->bytes, file->size_bytes, "fuzz", &requested, &decode, NULL) == ROOF_OK);
    check_counts(decode);
    check_prediction(decode);
    check_curve(decode);
    roof_graph_free(decode);
}
