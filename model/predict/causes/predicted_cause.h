/* model/predict/causes/predicted_cause.h - what the rules share that find what costs time in a prediction.
 *
 * Ownership: everything lives as long as the prediction.
 */
#pragma once

#include "model/predict/cause_facts.h"
#include "roofline/prediction.h"

/* A pure function of what the prediction says, so that a saved one has the same causes. Errors:
 * E_NO_MEMORY. */
typedef struct predicted_cause {
    roof_status (*find)(roof_prediction *p, roof_error *err);
} predicted_cause;

/* Ranks the causes of a prediction by all else that it has. They live as long as it does. */
roof_status predicted_causes_find(roof_prediction *prediction, roof_error *err);

/* The name of a layer of a prediction, for lists of causes. */
const char *predicted_layer_name(const void *prediction, uint32_t layer);

/* The causes are those of so many of the engines that bind most. */
enum { CAUSE_ENGINES = 2 };

/* The part of the ideal time that is of layers whose bottleneck is an engine. */
typedef struct bound_share {
    uint32_t engine;
    double ratio;
    uint32_t layers;
} bound_share;

/* The shares of engines that bind any layer, the largest first. Returns how many there are; 0 where the ideal
 * time is unknown. */
uint32_t cause_bound_shares(const roof_prediction *p, bound_share shares[]);

/* Lists it with its share of of_s, unless its gain is known and no part of that which is worth a word. */
roof_status cause_add_predicted(roof_prediction *p, roof_cause cause, double of_s, roof_error *err);

/* The layers of a cause: those that is_of picks, longest first. */
roof_status cause_set_layers(roof_prediction *p, roof_cause *cause,
                             bool (*is_of)(const roof_layer_prediction *layer, uint32_t engine),
                             uint32_t engine, roof_error *err);

/* The gain of a replay of the code at twice the speed of an engine, with the digits that documents have. NaN:
 * there is no replay. *of_s: the time that it is a part of, the expected one where the replay is of that,
 * else the scheduled one. */
double cause_replayed_s(const roof_prediction *p, const char *engine, double *of_s);
