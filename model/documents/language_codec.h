/* model/documents/language_codec.h - the member "llm" of a prediction's document, and what it shares with
 * that of a curve (docs/schema/prediction-1.schema.json), in both directions. */
#ifndef ROOF_MODEL_DOCUMENTS_LANGUAGE_CODEC_H
#define ROOF_MODEL_DOCUMENTS_LANGUAGE_CODEC_H

#include "core/json/codec.h"

/* Objects of roof_prediction; roof_language_counts, _expectation, _memory; double[ROOF_LANGUAGE_PARTS]. */
extern const codec_object language_object, language_counts_object, language_expected_object,
    language_memory_object, language_parts_object;

/* "", "prefill", "decode": of roof_text_phase. "weights" and so on: of roof_language_part. */
extern const char *const language_phases[], *const language_parts[];

#endif
