/* roofline/predictions.h - several networks on several boards: which is fastest, and which cannot be
 * predicted.
 *
 * Units: as in roofline/prediction.h; _per_s of inferences, or of what unit says. NaN, ROOF_UNKNOWN and NULL
 *   are unknown.
 * Ownership: a roof_predictions owns its pairs, their texts, and the predictions that were given to it; free
 *   it with roof_predictions_free.
 *
 * A pair that cannot be predicted stays, with the reason.
 */
#ifndef ROOFLINE_PREDICTIONS_H
#define ROOFLINE_PREDICTIONS_H

#include "roofline/answer.h"
#include "roofline/prediction.h"

ROOF_BEGIN_C

#define ROOF_PREDICTIONS_SCHEMA "roofline.predictions/1"

/* Operators of the host that a pair names. */
enum { ROOF_PAIR_HOST_ROWS = 3 };

/* A network on a board. Figures are those of the prediction; without one none is known. */
typedef struct roof_pair {
    const char *path;                  /* of the model, as it was given; "" for a product without a file */
    const char *asked_hw;              /* as it was given; NULL: what the model was compiled for */
    const char *why;                   /* it could not be predicted, in words; NULL: it is */
    const roof_prediction *prediction; /* NULL: it could not */
    const char *model, *hardware;      /* their names; of what could not be predicted, as they were given */
    double ideal_s, best_s;
    double expected_s, expected_ci95_s[2]; /* by the built-in calibration of the board or your own */
    double per_s, expected_per_s;          /* bound of all cores; expected of those that are busy */
    /* Where a load was requested: its last point, and the fewest threads that are enough; NULL, 0: none */
    const roof_load_point *load;
    uint32_t knee_threads;
    uint32_t batch;               /* images of a run; 0: unknown */
    uint32_t busy_cores;          /* of which the expected time is; ROOF_NONE: none is expected */
    const char *unit;             /* "inference", "token" */
    const char *data_type;        /* that is computed in, "int8"; NULL: unknown */
    const char *bound;            /* the engine that sets most of the ideal time */
    uint64_t macs, memory_bytes;  /* of a run; in all memories that the model's compiler states */
    double utilisation_ratio;     /* of the array's peak, in the ideal time */
    uint32_t layers, host_layers; /* of the accelerator; of the host, which are in none of the times */
    const roof_layer_prediction *host_rows[ROOF_PAIR_HOST_ROWS]; /* the first of them; NULL behind the last */
    roof_basis basis;                                            /* source of its cycles */
    const char *estimate_of; /* "an uncompiled graph": its times are estimates of that; NULL: bounds */
    bool is_for_other;       /* compiled for other hardware, so that it does not run as it is */
    uint32_t findings;
} roof_pair;

typedef struct roof_predictions {
    roof_pair *pairs; /* one model after the other, in the order of hardware */
    uint32_t n;
    /* Set before pairs are added: of each prediction only the figures of its pair stay, as CSV shows them, so
     * that thousands need little memory. prediction is then an empty one. */
    bool keeps_figures_alone;
    struct roof_owned_prediction *owned; /* private */
    struct roof_arena *arena;            /* private */
} roof_predictions;

/* None yet. Errors: E_NO_MEMORY. */
ROOF_API roof_status roof_predictions_new(roof_predictions **out, roof_error *err);

/* Adds a pair. path, hw: NULL as in roof_pair; copied.
 *
 * prediction: belongs to all from now on, also after an error. NULL: it could not be predicted, and
 *   why says so; a path that it begins with is left out, since the pair names it.
 * Errors: E_NO_MEMORY.
 * Example: tests/unit/test_pairs.c. */
ROOF_API roof_status roof_predictions_add(roof_predictions *all, const char *path, const char *hw,
                                          roof_prediction *prediction, const char *why, roof_error *err);
ROOF_API void roof_predictions_free(roof_predictions *all);

/* The figures of one prediction, which is borrowed. */
ROOF_API roof_pair roof_pair_of(const roof_prediction *prediction);

/* Kind of the times of two pairs side by side: expected for both, else at least, since one side has no
 * expected time. */
ROOF_API roof_answer_kind roof_pairs_kind(const roof_pair *a, const roof_pair *b);

/* Time of a run: as expected, with its interval; else at least the bound. Times of an estimate are no bounds,
 * and not known. CPU operators are left out. */
ROOF_API roof_answer roof_pair_takes(const roof_pair *pair);

/* Rate per second of all cores that work: that of the requested load, else as expected, else at most. */
ROOF_API roof_answer roof_pair_makes(const roof_pair *pair);

/* Reads what was written as JSON (docs/schema/predictions-1.schema.json): figures follow from the predictions
 * in it.
 *
 * path: a file, or "-" for standard input.
 * Errors: E_DATA with a JSON pointer as place, E_LIMIT, E_NO_INPUT, E_IO.
 * Example (tests/unit/test_pairs.c): what roof_render wrote comes back, and is written the
 * same. */
ROOF_API roof_status roof_predictions_read(const char *path, roof_predictions **out, roof_error *err);

ROOF_END_C
#endif
