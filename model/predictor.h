/* model/predictor.h - the working state of one roof_predict call, shared by the files that build a
 * prediction. */
#ifndef ROOF_MODEL_PREDICTOR_H
#define ROOF_MODEL_PREDICTOR_H

#include "core/arena.h"
#include "model/code/dpu_stream.h"
#include "model/cost.h"
#include "model/ideal/law.h"
#include "model/traffic.h"
#include "roofline/fingerprint.h"
#include "roofline/prediction.h"

typedef struct roof_predictor {
    const roof_graph *graph;
    const roof_hw *hw;      /* what was asked for */
    roof_hw *target_hw;     /* what the model was compiled for, when the database knows it; else NULL */
    roof_dpu_config target; /* of the first accelerator subgraph */
    bool has_target;
    uint32_t target_subgraph; /* ROOF_NONE when nothing is compiled */
    roof_hw_view view;
    const roof_law *law;
    const void *law_config;
    uint32_t batch, passes;
    roof_workload_convention convention;
    const roof_consumers *consumers;
    uint64_t
        engine_ops[ROOF_MAX_ENGINES]; /* of the row that is being made: operations that each engine does */
    roof_prediction *prediction;
    roof_arena *arena;
    const char *shared[16]; /* texts that many rows repeat: subgraphs, op types; the oldest is replaced */
    unsigned next_shared;
    roof_error *err;
} roof_predictor;

/* findings.c. The text is printf-style; layer may be NULL. */
roof_status roof_find(roof_predictor *p, roof_finding_kind kind, const char *layer, const char *format, ...)
    ROOF_PRINTF(4, 5);

/* target.c: hardware, target, law; findings where they disagree. */
roof_status roof_predictor_choose_hardware(roof_predictor *p);

/* constants.c: what the hardware's engines do at most, and where its values come from. */
roof_status roof_predictor_describe_constants(roof_predictor *p);

/* rows.c: one row per layer, and one per remainder. */
roof_status roof_predictor_add_rows(roof_predictor *p);

/* plan_rows.c: one row per epoch of a plan; and, behind roof_predictor_total, what only plans have. */
roof_status roof_predictor_add_epochs(roof_predictor *p);
roof_status roof_predictor_total_epochs(roof_predictor *p);

/* rows.c: what rows of layers and of epochs share. A text that rows repeat, or NULL without memory; the next row, of which
 * nothing is known yet but its place; a cost of which nothing is known; the engine that binds; a count times a batch. */
const char *roof_row_share(roof_predictor *p, const char *text);
roof_layer_prediction *roof_row_next(roof_predictor *p);
roof_status roof_row_clear_cost(roof_predictor *p, roof_cost *cost);
void roof_row_set_ideal(const roof_predictor *p, roof_cost *cost);
void roof_row_set_ratios(const roof_predictor *p, roof_layer_prediction *row);
roof_status roof_row_scale(roof_predictor *p, uint64_t *value, uint64_t factor);

/* rows.c: workload of subgraphs and ops against what the file stores. */
roof_status roof_predictor_check_workload(roof_predictor *p);

/* expect.c: what a calibration makes of it; NULL: nothing is expected. */
roof_status roof_predictor_expect(roof_predictor *p, const struct roof_calibration *calibration);

/* total.c: sums, floor, shares; verdict.c: sentences. */
roof_status roof_predictor_total(roof_predictor *p);
roof_status roof_predictor_verdict(roof_predictor *p);

#endif
