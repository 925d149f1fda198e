/* model/predict/calibrated.h - times with a calibration's constants; for applying and fitting them. */
#pragma once

#include "model/laws/engine.h"
#include "model/predict/schedule.h"
#include "roofline/calibration.h"

/* A calibration as it meets one prediction. */
typedef struct calibrated_rates {
    double seconds_per_cycle[ROOF_MAX_ENGINES]; /* of each engine of the prediction */
    double per_layer_s, per_inference_s;
    double per_start_s, per_software_epoch_s; /* NaN: the calibration states none */
    bool replays;         /* it is of code that is replayed, which the cycles of engines are not */
    replay_timing timing; /* then; of a prediction whose code can be */
} calibrated_rates;

/* The parameter of a calibration for each rate of a prediction; ROOF_NONE: it has none for it. */
typedef struct rate_places {
    uint32_t engines[ROOF_MAX_ENGINES];
    uint32_t per_layer, per_inference, per_start, per_software_epoch;
    uint32_t fetch, load, save;
} rate_places;

rate_places calibrated_places_of(const roof_calibration *calibration, const roof_prediction *prediction);

/* values: of all parameters of the calibration, by its places. */
calibrated_rates calibrated_rates_at(const rate_places *at, const double *values,
                                     const roof_prediction *prediction);

/* True for a calibration of code that is replayed; *timing: of the prediction's code, if any. */
bool calibration_replays(const roof_calibration *calibration, const roof_prediction *prediction,
                         replay_timing *timing);

/* True for a layer that a function of the host does, alone or with the accelerator. */
bool layer_uses_host(const roof_layer_prediction *layer);

/* True for a layer that the accelerator takes part in. */
bool layer_uses_accelerator(const roof_layer_prediction *layer);

/* The largest over engines; without constants. */
double calibrated_cost_s(const roof_prediction *prediction, const roof_cost *cost,
                         const calibrated_rates *rates);

/* The whole-network run. layer_s: NULL, or a value for each row. NaN where code has to be replayed
 * and the prediction has none, or there is no memory. */
double calibrated_deployed_s(const roof_prediction *prediction, const calibrated_rates *rates,
                             double *layer_s);

/* A layer's own code, replayed; 0 where it has none. NaN as above. */
double calibrated_alone_s(const roof_prediction *prediction, uint32_t layer, const calibrated_rates *rates);

/* The part of an inference that each parameter sets: |d ln(total) / d ln(value)|, n_parameters values. */
void calibration_shares(const roof_calibration *calibration, const roof_prediction *prediction,
                        double *share);

/* How networks of a family that was not measured scatter about what is expected of them
 * (roofline/calibration.h has the formula). squares: the sum over families of the mean of ln(predicted /
 * measured)^2, each by a fit to the others. */
#define NETWORK_SCATTER 0.03 /* of two networks of one family, and of two measurements of one network */
typedef struct family_scatter {
    double ratio; /* of the families */
    double total_ratio;
    uint32_t dof;
} family_scatter;
family_scatter calibrated_family_scatter(double squares, uint32_t families);

/* "fitted to 61 layers and 3 inferences of 3 families of networks on kv260; networks of other families
 * scatter by 9 %; each family left out of its own fit: ..."; NULL without memory, which the arena
 * remembers. */
const char *calibration_describe(const roof_calibration *calibration, roof_arena *arena);
