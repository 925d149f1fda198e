/* model/predict/service.h - how long an inference keeps a core, by how many cores are busy.
 *
 * The serial law of a stack whose entry knows what cores take of each other's memory (memory_all); formulas:
 * include/roofline/throughput.h. Where the stack that makes the expected time has no such constants, what
 * cores take of each other is told by one of the entry that has.
 * Ownership: the prediction's arena's.
 */
#ifndef ROOF_MODEL_PREDICT_SERVICE_H
#define ROOF_MODEL_PREDICT_SERVICE_H

#include "model/predict/predictor.h"

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

/* The constants that know what cores take of each other: those of stack, or of another one of the entry.
 * False: there are none. */
bool service_shared(const predictor *p, const char *stack, serial_constants *out);

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

/* NULL in *out: the entry has no such constants. Errors: E_NO_MEMORY. */
roof_status service_law_of(predictor *p, const char *stack, service_law **out);

/* S(busy), and of it what is of layers that memory sets. of: a service_law. */
double service_law_seconds(const void *of, double busy, double *memory_ratio);

#endif
