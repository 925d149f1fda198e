/* model/predict/predictor.h - the state of one roof_predict call, which its steps share. */
#pragma once

#include "core/findings.h"
#include "model/laws/law.h"
#include "roofline/prediction.h"

/* Data of a graph that predictions share, whatever their clock, memory, batch and load, on all hardware that
 * it serves; {0}: there is none. Nothing changes it once it is made, and they end before it does. */
typedef struct predict_program {
    roof_arena *arena;
    const roof_hw *hw; /* it was made for */
    roof_program program;
    roof_hw *target_hw;
    bool *has_code; /* of each row: a task of a stream is of it */
} predict_program;

typedef struct predictor {
    const roof_graph *graph;
    const roof_hw *hw;             /* the requested one */
    const predict_program *shared; /* of a point of many; NULL */
    roof_hw *target_hw;            /* target of the compiled model, when the database has it; else NULL */
    roof_hw *typed_hw;          /* the requested one in the data type that is computed in; NULL: it has one */
    bool is_around_array;       /* the requested hardware states no array: it is the model's */
    const char *types;          /* of all multiplications; NULL: by the model */
    const char *requested_type; /* of the caller's options; NULL */
    roof_program program;
    hw_view view;
    roof_findings found; /* become the prediction's */
    const cycle_law *law;
    law_fit fit;
    roof_prediction *out;
    roof_arena *arena;
    roof_arena *rows;                   /* of the program's, until the prediction is made */
    struct replay_timing *board;        /* how code runs by its compiler's constants; NULL: unknown */
    const struct schedule_times *times; /* of code that ran with that of other points; NULL */
    struct schedule_code *code;         /* NULL: there is none, or it does not run */
    struct service_law *service;        /* slowdown of cores by each other; NULL: unknown */
    /* Of a call: an empty one, else the least that the hardware states of one in a chain; 0: nothing is
     * known. Calls of one core follow one another, however many threads make them. */
    double least_call_s;
    uint32_t expected_cores; /* cores of the expected time, of all that rates count; 0: unknown */
    double alone_s;          /* expected of an inference on one core, with no other busy */
    double busy_ratio;       /* of that, with as many busy as the expected times are of */
    uint64_t *least_cycles;  /* of each engine, for all that the pass reads through a cache */
    double spared_cycles;    /* of all rows' computing, that another algorithm saves at most */
    uint32_t n_spared;       /* operators that it is of */
    roof_error *err;
} predictor;

/* A cost of which nothing is known, and a basis for a sum, which is as good as its worst term. */
roof_status predictor_forget_cost(roof_cost *cost, uint32_t n_engines, roof_arena *arena, roof_error *err);
void predictor_add_basis(roof_basis *sum, roof_basis basis);

/* target.c: the hardware of the database that the program was compiled for; NULL: it is unknown. Then
 * hardware, target, law, and findings where they disagree; then where options ask for too much. Errors:
 * E_NO_MEMORY, E_IO. */
roof_status predictor_find_target(const roof_graph *graph, const roof_target *target, roof_hw **out,
                                  roof_error *err);
roof_status predictor_choose_hardware(predictor *p);
void predictor_doubt_options(predictor *p);

/* predict.c: the program of a graph, for points of it on hardware; and whether it is that of other hardware,
 * too. hw: outlives it. Free it, also after an error. */
roof_status predict_program_make(const roof_graph *graph, const roof_hw *hw, predict_program *out,
                                 roof_error *err);
bool predict_program_serves(const predict_program *program, const roof_graph *graph, const roof_hw *hw);
void predict_program_free(predict_program *program);

/* A point of many, and what became of it. */
typedef struct predict_point {
    predictor is;
    roof_predict_options options;
    roof_status status;
    roof_error why;
} predict_point;

/* Points of one graph on one device, whose code is replayed in all their ways at once. {0} before; whoever
 * has them frees them once, behind the last. */
enum { PREDICT_MOST_POINTS = 16 };
typedef struct predict_points {
    predict_point *of;
    roof_arena *prediction, *rows; /* of the one that is taken; that of its rows is empty between them */
} predict_points;

/* predict.c: begins n of them, at most PREDICT_MOST_POINTS, with the program that serves them; then takes
 * each: roof_predict of its options, without figures that do not stand beside those of other points
 * (model/explore/pairs.h): alternatives, causes, constants of its hardware, how engines and layers share the
 * time. Pointers in options live until all are taken, a prediction until the next is: there is room for one.
 * Errors: of begin E_NO_MEMORY alone; those of roof_predict. */
roof_status predict_points_begin(predict_points *points, const predict_program *program,
                                 const roof_graph *graph, const roof_hw *hw,
                                 const roof_predict_options *options, uint32_t n, roof_error *err);
roof_status predict_points_take(predict_points *points, uint32_t i, roof_prediction **out, roof_error *err);
void predict_points_free(predict_points *points);

/* predict.c: the program, and the law of the hardware for it: everything else begins with these. */
roof_status predictor_begin(predictor *p, const roof_predict_options *options);

/* target.c: the clock that the entry's constants are of, whatever was requested in its place; and whether
 * another clock or memory than its own was. */
double predictor_own_clock_hz(const predictor *p);
bool predictor_is_changed(const predictor *p);

/* data_type.c: which data type is computed in, of those that the hardware states rates of; of a language
 * model its counts, and whether it fits. */
roof_status predictor_choose_type(predictor *p);

/* rows.c: what the law makes of every row of the program. */
roof_status predictor_add_rows(predictor *p);

/* host_rows.c: about how long the CPU takes for what it runs. */
roof_status predictor_host_rows(predictor *p);

/* language_rows.c: what constants of its stack make of a language model, spread over rows. Without such,
 * total.predicted_s stays as it is. */
roof_status predictor_expect_language(predictor *p, const roof_predict_options *options, const char *stack);

/* expect.c: p->board, for those constants of the stack. */
roof_status predictor_choose_timing(predictor *p, const char *stack);

/* schedule.c: replays the code of points of one program, those whose status is OK, in one pass over it for
 * all their timings; sets p->times. Errors: E_NO_MEMORY. */
roof_status predictor_replay_points(predict_point *points, uint32_t n, roof_arena *scratch, roof_error *err);

/* schedule.c: replays the code as a board runs it, by code->expected; sets all expected times. */
roof_status predictor_replay(predictor *p);

/* what_if.c: the same code with faster engines, or without a layer. */
roof_status predictor_what_if(predictor *p, const roof_predict_options *options);

/* schedule.c: when each instruction of compiled code starts at the earliest, and the time of all. */
roof_status predictor_schedule(predictor *p);

/* total.c: sums, floor, shares; rates, which rest on the schedule where there is one. */
roof_status predictor_total(predictor *p);
void predictor_rates(predictor *p);

/* total.c: whether inferences in so many seconds each are a rate: a call may take longer than they, and the
 * work of a row may not be known. */
bool predictor_has_rate(const predictor *p, double seconds);

/* placement.c: what of a network that is placed operator by operator stayed on the CPU. */
roof_status predictor_placement(predictor *p);

/* expect.c: what a calibration makes of it, or constants of the compiler's in the entry of the hardware. */
roof_status predictor_expect(predictor *p, const roof_predict_options *options);

/* board_times.c: what published times of the same device make of it, by the law of boards.h; and those that
 * are of the same network. */
roof_status predictor_expect_board(predictor *p, const roof_predict_options *options);
roof_status predictor_published(predictor *p, const roof_predict_options *options);

/* throughput.c: how long an inference keeps a core, by how many are busy. Where may_be_busy, all expected
 * times become those with as many busy as options ask for. Then inferences per second of a load. */
roof_status predictor_serve(predictor *p, const char *stack, bool may_be_busy);
roof_status predictor_throughput(predictor *p, const roof_load *load);

/* ---- alternative.c: other hardware or another data type to ask about: the network predicted once
 * more on a changed copy.
 *
 * Ownership: what alternative_begin fills is freed by alternative_end.
 */

/* what_if.c: whether it is an engine whose code is replayed, and its factor, "load=2". Errors: E_USAGE. */
#define WHAT_IF_ENGINES "load, save, conv, alu, eltwise, fetch or clock"
bool what_if_is_engine(const char *name, size_t length);
roof_status what_if_add_speedup(const char *item, roof_speedups *out, roof_error *err);

/* A case that is predicted in place of a network and its hardware. */
typedef struct alternative_case {
    roof_graph *read;        /* another graph of the same file; NULL: none was read */
    roof_product product;    /* of that graph */
    roof_graph copy;         /* of the graph, where its tensors are of another type */
    const roof_graph *graph; /* one of the two, or the network's own */
    roof_hw *hw;
    const char *label;  /* "octoFlash x2, int8" */
    bool is_of_tensors; /* the copy is what is predicted */
} alternative_case;

/* Fills the case; its label and copies live in arena.
 *
 * base: the prediction without the changes.
 * Errors: E_USAGE (a pool or an engine that the model does not have, with those that it has; a type that is
 *   none), E_UNSUPPORTED (no rate of the type is known of the hardware), E_NO_MEMORY. */
roof_status alternative_begin(const roof_graph *graph, const roof_hw *hw, const roof_prediction *base,
                              const roof_changes *changes, roof_arena *arena, alternative_case *out,
                              roof_error *err);
void alternative_end(alternative_case *one);

/* Checks that the other prediction is of that type: code and plans are of their own. Errors:
 * E_UNSUPPORTED. */
roof_status alternative_check(const alternative_case *one, const roof_prediction *other,
                              const roof_changes *changes, roof_error *err);

/* ---- service.c: how long an inference keeps a core, by how many cores are busy.
 *
 * The serial law of a stack whose entry knows what cores take of each other's memory (memory_all); formulas:
 * include/roofline/throughput.h. Where the stack that makes the expected time has no such constants, what
 * cores take of each other is told by one of the entry that has.
 * Ownership: the prediction's arena's.
 */

/* Constants of the serial law of one stack; NaN: unknown. */
typedef struct serial_constants {
    const char *stack;
    double engines[ROOF_MAX_ENGINES]; /* of those that compute */
    double memory, per_layer_s;       /* of one core alone */
    double memory_all, per_layer_all_s;
    double port_bytes_per_cycle;
    uint32_t cores_all; /* busy cores there */
} serial_constants;

/* Times of a row in the serial law. */
typedef struct serial_row {
    double compute_s, move_s; /* engines one after the other; bytes through ports as wide as they are */
} serial_row;

serial_constants service_constants(const predictor *p, const char *stack);

serial_row service_row(const predictor *p, const serial_constants *constants, const roof_cost *cost);
double service_row_seconds(const serial_constants *constants, const serial_row *row, double busy);

/* The sum over rows whose time is expected, by number of busy cores, without a walk over them for each. */
typedef struct service_law {
    serial_constants constants;
    double *threshold; /* of rows, falling: memory sets them where it reaches less of the ports */
    double *move_s, *compute_s, *rows; /* of those before each */
    uint32_t n;
    double alone_s; /* S(1), as it is expected; the law has the ratio */
} service_law;

/* The stack of a key such as "expect.vitis-ai-3.serial.memory_all"; end: ".serial.memory_all". */
bool service_stack_of(const char *key, const char *end, char *stack, size_t size);

/* NULL in *out: the entry has no such constants. Errors: E_NO_MEMORY. */
roof_status service_law_of(predictor *p, const char *stack, service_law **out);

/* S(busy), and of it what is of layers that memory sets. of: a service_law. */
double service_law_seconds(const void *of, double busy, double *memory_ratio);
