/* model/documents/throughput_codec.h - the member "throughput" of a prediction's document
 * (docs/schema/prediction-1.schema.json), in both directions. */
#ifndef ROOF_MODEL_DOCUMENTS_THROUGHPUT_CODEC_H
#define ROOF_MODEL_DOCUMENTS_THROUGHPUT_CODEC_H

#include "core/json/codec.h"

extern const codec_object throughput_object;

#endif
