/* model/predict/predicted_causes.h - what costs time in a prediction.
 *
 * Ownership: everything lives as long as the prediction.
 */
#ifndef ROOF_MODEL_PREDICT_PREDICTED_CAUSES_H
#define ROOF_MODEL_PREDICT_PREDICTED_CAUSES_H

#include "roofline/prediction.h"

/* What part of the ideal time the layers take that an engine binds. */
typedef struct bound_share {
    uint32_t engine;
    double ratio;
    uint32_t layers;
} bound_share;

/* Of the engines that bind any layer, the largest first; their number, 0 where the ideal time is not known. */
uint32_t bound_shares(const roof_prediction *prediction, bound_share shares[]);

/* Those whose gain causes are made of: so many of the first ones. */
enum { CAUSE_ENGINES = 2 };

/* Fills prediction->causes from all else that it has. docs/causes.md has the conditions. */
roof_status predict_causes(roof_prediction *prediction, roof_error *err);

/* The name of a layer of a prediction, for lists of causes. */
const char *layer_full_name(const void *prediction, uint32_t layer);

#endif
