/* model/predict/predicted_causes.h - what costs time in a prediction. */
#ifndef ROOF_MODEL_PREDICT_PREDICTED_CAUSES_H
#define ROOF_MODEL_PREDICT_PREDICTED_CAUSES_H

#include "roofline/prediction.h"

/* Ranks the causes of a prediction by all else that it has. They live as long as it does. */
roof_status predicted_causes_find(roof_prediction *prediction, roof_error *err);

/* The name of a layer of a prediction, for lists of causes. */
const char *predicted_layer_name(const void *prediction, uint32_t layer);

#endif
