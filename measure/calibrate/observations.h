/* measure/calibrate/observations.h - the measured times that a calibration is fitted to, one by one.
 *
 * Units: seconds; a scatter is the standard deviation of ln(measured / predicted).
 * Ownership: observations borrow the reconciliation.
 */
#ifndef ROOF_MEASURE_CALIBRATE_OBSERVATIONS_H
#define ROOF_MEASURE_CALIBRATE_OBSERVATIONS_H

#include "model/predict/calibrated.h"
#include "roofline/calibration.h"
#include "roofline/reconcile.h"

typedef enum observed {
    OBSERVED_LAYER, /* a match, with what launching and timing it costs */
    OBSERVED_CORE,  /* an epoch while the accelerator works, where the profile tells that apart */
    OBSERVED_START, /* the rest of that epoch */
    OBSERVED_HOST,  /* an epoch that the CPU runs */
    OBSERVED_TOTAL  /* the latency of a whole-network run */
} observed;

typedef struct observed_run {
    const roof_reconciled *e;
    const roof_match *match; /* NULL: the whole inference */
    observed what;
    double measured_s, scatter;
} observed_run;

/* As many as a reconciliation can have at most. */
size_t observations_most(const roof_reconciliation *reconciliation);

/* True where the code of everything that is observed can be replayed. */
bool observations_replay(const roof_reconciliation *reconciliation);

/* family: of each experiment; without: one that is left out, or ROOF_NONE. */
size_t observations_collect(const roof_reconciliation *reconciliation, const uint32_t *family,
                            uint32_t without, observed_run *out);

/* The time that a calibration expects of it, by its rates for the experiment's prediction. */
double observation_expected(const observed_run *observation, const calibrated_rates *rates);

/* The part of it that is neither of engines nor replayed: starting layers, and an inference's extra cost. */
double observation_fixed(const observed_run *observation, const calibrated_rates *rates);

/* Latency of the whole-network run; for a plan also the sum of its epochs, which the CPU starts
 * one by one either way. NaN: unknown. */
double observation_deployed_s(const roof_reconciled *experiment);

/* ---- families.c: networks that err alike, as the depths of one ResNet, or a block with three sizes of its
 * kernel: one witness for a network of another family (roofline/calibration.h, "The interval") ---- */

/* family[i] becomes the first experiment of the family of experiment i. Alike are networks
 *   - with one label (model.family of the measured document); with two labels they never are,
 *   - of one graph,
 *   - whose rows are of the same kinds in the same order (operators, stride above 1, a repeated block once),
 *   - whose times depend on the constants alike: the cosine of their shares is above 0.97.
 * Any rule joins. shares: n_shares of each experiment, in a row; 0 for one without a prediction. arena: of
 * what is needed on the way. Errors: E_NO_MEMORY. */
roof_status families_find(const roof_reconciliation *r, const double *shares, size_t n_shares,
                          uint32_t *family, roof_arena *arena, roof_error *err);

/* An observation as it moves with the constants. */
typedef struct family_row {
    uint32_t family;
    double scatter;         /* of its own, beside that of its family */
    const double *gradient; /* d ln(expected) / d x of each constant */
} family_row;

/* The covariance of n_constants constants after all observations, of families that scatter by family_scatter:
 *   C = (diag(1 / prior_width^2) + sum over families of J' V^-1 J)^-1
 *   V = diag(scatter^2) + family_scatter^2 1 1'
 * families: more than every row's family. Errors: E_NO_MEMORY, E_DATA where a number is not finite. */
typedef struct family_data {
    const family_row *rows;
    size_t n_rows;
    uint32_t families, n_constants;
    const double *prior_width;
    double family_scatter;
} family_data;
roof_status families_covariance(const family_data *data,
                                double covariance[ROOF_MAX_PARAMETERS][ROOF_MAX_PARAMETERS], roof_error *err);

#endif
