/* measure/calibrate/observations.h - the measured times that a calibration is fitted to, one by one.
 *
 * Units: seconds; a scatter is the standard deviation of ln(measured / predicted).
 * Ownership: observations borrow the reconciliation.
 */
#ifndef ROOF_MEASURE_CALIBRATE_OBSERVATIONS_H
#define ROOF_MEASURE_CALIBRATE_OBSERVATIONS_H

#include "model/predict/calibrated.h"
#include "roofline/reconcile.h"

typedef enum observed {
    OBSERVED_LAYER, /* a unit, with what launching and timing it costs */
    OBSERVED_CORE,  /* an epoch while the accelerator works, where the profile tells that apart */
    OBSERVED_START, /* the rest of that epoch */
    OBSERVED_HOST,  /* an epoch that the CPU runs */
    OBSERVED_TOTAL  /* the latency of a whole-network run */
} observed;

typedef struct observed_run {
    const roof_reconciled *e;
    const roof_unit *unit; /* NULL: the whole inference */
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

#endif
