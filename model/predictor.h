/* model/predictor.h - the working state of one roof_predict call, shared by the files that build a
 * prediction. */
#ifndef ROOF_MODEL_PREDICTOR_H
#define ROOF_MODEL_PREDICTOR_H

#include "core/arena.h"
#include "model/code/dpu_stream.h"
#include "model/work/cost.h"
#include "model/laws/law.h"
#include "model/work/traffic.h"
#include "roofline/fingerprint.h"
#include "roofline/prediction.h"

typedef struct predictor {
    const roof_graph *graph;
    const roof_hw *hw;      /* what was asked for */
    roof_hw *target_hw;     /* what the model was compiled for, when the database knows it; else NULL */
    roof_dpu_config target; /* of the first accelerator subgraph */
    bool has_target;
    uint32_t target_subgraph; /* ROOF_NONE when nothing is compiled */
    hw_view view;
    const cycle_law *law;
    const void *law_config;
    uint32_t batch, passes;
    workload_convention convention;
    const op_consumers *consumers;
    uint64_t
        engine_ops[ROOF_MAX_ENGINES]; /* of the row that is being made: operations that each engine does */
    roof_prediction *prediction;
    roof_arena *arena;
    const char *shared[16]; /* texts that many rows repeat: subgraphs, op types; the oldest is replaced */
    unsigned next_shared;
    roof_error *err;
} predictor;

/* findings.c. The text is printf-style; layer may be NULL. */
roof_status add_finding(predictor *p, roof_finding_kind kind, const char *layer, const char *format, ...)
    ROOF_PRINTF(4, 5);

/* target.c: hardware, target, law; findings where they disagree. */
roof_status predictor_choose_hardware(predictor *p);

/* constants.c: what the hardware's engines do at most, and where its values come from. */
roof_status predictor_describe_constants(predictor *p);

/* rows.c: one row per layer, and one per remainder. */
roof_status predictor_add_rows(predictor *p);

/* plan_rows.c: one row per epoch of a plan; and, behind predictor_total, what only plans have. */
roof_status predictor_add_epochs(predictor *p);
roof_status predictor_total_epochs(predictor *p);

/* rows.c: what rows of layers and of epochs share. A text that rows repeat, or NULL without memory; the next row, of which
 * nothing is known yet but its place; a cost of which nothing is known; the engine that binds; a count times a batch. */
const char *row_share(predictor *p, const char *text);
roof_layer_prediction *row_next(predictor *p);
roof_status row_clear_cost(predictor *p, roof_cost *cost);
void row_set_ideal(const predictor *p, roof_cost *cost);
void row_set_ratios(const predictor *p, roof_layer_prediction *row);
roof_status row_scale(predictor *p, uint64_t *value, uint64_t factor);

/* rows.c: workload of subgraphs and ops against what the file stores. */
roof_status predictor_check_workload(predictor *p);

/* expect.c: what a calibration makes of it; NULL: nothing is expected. */
roof_status predictor_expect(predictor *p, const struct roof_calibration *calibration);

/* total.c: sums, floor, shares; verdict.c: sentences. */
roof_status predictor_total(predictor *p);
roof_status predictor_verdict(predictor *p);

#endif
