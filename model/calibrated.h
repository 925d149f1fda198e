/* model/calibrated.h - the time of a layer with a calibration's constants; shared by what applies and what fits them. */
#ifndef ROOF_MODEL_CALIBRATED_H
#define ROOF_MODEL_CALIBRATED_H

#include "core/jsonout.h"
#include "core/jsonpull.h"
#include "roofline/calibration.h"

/* A calibration as it meets one prediction. */
typedef struct roof_rates {
    double seconds_per_cycle[ROOF_MAX_ENGINES]; /* of each engine of the prediction */
    double per_layer_s, per_inference_s;
    double per_start_s, per_software_epoch_s; /* NaN: the calibration does not tell */
} roof_rates;

/* Which parameter of a calibration is which rate of a prediction; ROOF_NONE: it has none for it. */
typedef struct roof_rate_places {
    uint32_t engines[ROOF_MAX_ENGINES];
    uint32_t per_layer, per_inference, per_start, per_software_epoch;
} roof_rate_places;

roof_rate_places roof_rate_places_of(const roof_calibration *calibration, const roof_prediction *prediction);

/* values: of all parameters of the calibration, by its places. */
roof_rates roof_rates_at(const roof_rate_places *at, const double *values,
                         const roof_prediction *prediction);

/* transformed: values of all parameters in place of the calibration's own, or NULL. */
roof_rates roof_rates_of(const roof_calibration *calibration, const double *transformed,
                         const roof_prediction *prediction);

/* True for a layer that a function of the host does, alone or with the accelerator. */
bool roof_layer_uses_host(const roof_layer_prediction *layer);

/* True for a layer that the accelerator takes part in. */
bool roof_layer_uses_accelerator(const roof_layer_prediction *layer);

/* The largest over engines; without constants. */
double roof_cost_seconds(const roof_prediction *prediction, const roof_cost *cost, const roof_rates *rates);

/* The whole network as deployed. layer_s: NULL, or a value for each row. */
double roof_deployed_seconds(const roof_prediction *prediction, const roof_rates *rates, double *layer_s);

/* True for engines whose cycles are those of moving bytes. */
bool roof_engine_moves_data(const char *engine);

/* The parameter that an engine's efficiency is: "efficiency.conv", "efficiency.memory" for all ports of a DPU,
 * "efficiency.npuRAM" for all pools of that kind. */
enum { ROOF_EFFICIENCY_NAME_SIZE = 80 };
void roof_efficiency_name(const char *engine, char name[ROOF_EFFICIENCY_NAME_SIZE]);

/* Reads a document from anywhere; name: of the file, for messages. */
roof_status roof_calibration_read_from(roof_json_source source, void *context, const char *name,
                                       roof_calibration **out, roof_error *err);

/* As a member of a JSON document; key NULL for a document of its own. */
void roof_calibration_put(roof_jsonout *json, const char *key, const roof_calibration *calibration);

#endif
