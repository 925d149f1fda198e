/* model/prediction_read.h - roofline.prediction/1 into memory, on its own or inside another document. */
#ifndef ROOF_MODEL_PREDICTION_READ_H
#define ROOF_MODEL_PREDICTION_READ_H

#include "core/jsonbind.h"
#include "roofline/prediction.h"

/* Reads the prediction that event opened. *out is freed with roof_prediction_free; it is NULL after a failure. */
roof_status prediction_bind(json_binder *outer, const json_event *event, roof_prediction **out);

#endif
