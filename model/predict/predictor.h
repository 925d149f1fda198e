/* model/predict/predictor.h - the state of one roof_predict call, which its steps share. */
#ifndef ROOF_MODEL_PREDICT_PREDICTOR_H
#define ROOF_MODEL_PREDICT_PREDICTOR_H

#include "core/findings.h"
#include "model/laws/law.h"
#include "roofline/prediction.h"

typedef struct predictor {
    const roof_graph *graph;
    const roof_hw *hw;      /* what was asked for */
    roof_hw *target_hw;     /* what the model was compiled for, when the database knows it; else NULL */
    roof_hw *typed_hw;      /* what was asked for, in the data type that is computed in; NULL: it has one */
    bool is_around_array;   /* what was asked for states no array: it is the model's */
    const char *types;      /* that all multiplies in; NULL: what the model tells */
    const char *asked_type; /* of the caller's options; NULL */
    roof_program program;
    hw_view view;
    roof_findings found; /* become the prediction's */
    const cycle_law *law;
    law_fit fit;
    roof_prediction *prediction;
    roof_arena *arena;
    roof_arena *rows;            /* of the program's, until the prediction is made */
    struct schedule_code *code;  /* NULL: there is none, or it does not run */
    struct service_law *service; /* what cores take of each other; NULL: not known */
    double alone_s;              /* expected of an inference on one core, with no other busy */
    double busy_ratio;           /* of that, with as many busy as the expected times are of */
    roof_error *err;
} predictor;

/* A cost of which nothing is known, and a basis for a sum, which is as good as its worst term. */
roof_status predictor_forget_cost(roof_cost *cost, uint32_t n_engines, roof_arena *arena, roof_error *err);
void predictor_add_basis(roof_basis *sum, roof_basis basis);

/* The most that any of n engines takes, and which: the first among equals; none: 0, and engine as it is. */
uint64_t predictor_most_cycles(const uint64_t *cycles, uint32_t n, uint32_t *engine);

/* target.c: hardware, target, law, and findings where they disagree; then where options ask for too much. */
roof_status predictor_choose_hardware(predictor *p);
void predictor_doubt_options(predictor *p);

/* predict.c: the program, and the hardware's law for it: with what everything else begins. */
roof_status predictor_begin(predictor *p, const roof_predict_options *options);

/* target.c: the clock that the entry's constants are of, whatever was asked for in its place; and whether
 * another clock or memory than its own was. */
double predictor_own_clock_hz(const predictor *p);
bool predictor_is_changed(const predictor *p);

/* data_type.c: which data type is computed in, of those that the hardware states rates of. */
roof_status predictor_choose_type(predictor *p);

/* constants.c: what the hardware's engines and memories do at most, and where its values come from. */
roof_status predictor_describe_constants(predictor *p);

/* rows.c: what the law makes of every row of the program. */
roof_status predictor_add_rows(predictor *p);

/* operators.c: which operators of the file each row stands for. */
roof_status predictor_name_operators(predictor *p);

/* host_rows.c: about how long the host takes for what it runs. */
roof_status predictor_host_rows(predictor *p);

/* language_rows.c: counts of a language model, and whether it fits; then what its stack's constants make of
 * it, spread over rows. Without such, total.predicted_s stays as it is. */
roof_status predictor_language(predictor *p, const roof_predict_options *options);
roof_status predictor_expect_language(predictor *p, const roof_predict_options *options, const char *stack);

/* schedule.c: replays the code as a board runs it, by code->expected; sets all expected times. */
roof_status predictor_replay(predictor *p);

/* what_if.c: the same code with faster engines, or without a layer. */
roof_status predictor_what_if(predictor *p, const roof_predict_options *options);

/* schedule.c: when each instruction of compiled code starts at the earliest, and the time of all. */
roof_status predictor_schedule(predictor *p);

/* total.c: sums, floor, shares; rates, which rest on the schedule where there is one. */
roof_status predictor_total(predictor *p);
void predictor_rates(predictor *p);

/* total.c: what a call takes at least, by the least that the hardware states of an empty one; 0: nothing is
 * known. Calls of one core follow one another, however many threads make them. */
double predictor_least_call_s(const predictor *p);

/* placement.c: what of a network that is placed operator by operator stayed on the host. */
roof_status predictor_placement(predictor *p);

/* expect.c: what a calibration makes of it, or constants of the compiler's in the hardware's entry. */
roof_status predictor_expect(predictor *p, const roof_predict_options *options);

/* throughput.c: how long an inference keeps a core, by how many are busy. Where may_be_busy, all expected
 * times become those with as many busy as options ask for. Then frames per second of a load. */
roof_status predictor_serve(predictor *p, const char *stack, bool may_be_busy);
roof_status predictor_throughput(predictor *p, const roof_load *load);

#endif
