/* reports/words/prediction_words.h - the sentences on top of a prediction.
 *
 * Ownership: what takes an arena is the arena's.
 */
#ifndef ROOF_REPORTS_WORDS_PREDICTION_WORDS_H
#define ROOF_REPORTS_WORDS_PREDICTION_WORDS_H

#include "core/arena.h"
#include "model/documents/documents.h"

/* roof_prediction_sentence and roof_finding_sentence as long as an arena; "" without memory. */
const char *prediction_verdict(const roof_prediction *prediction, uint32_t i, roof_arena *arena);
const char *sentences_finding(const roof_finding *finding, roof_arena *arena);

/* Where a load was requested: 0, what it gets; 1, what limits it. NULL: none was, or its limit is
 * unknown. */
const char *prediction_load(const roof_prediction *prediction, uint32_t i, roof_arena *arena);

/* The i-th published time beside it, as words; NULL past the last. The first is
 * the most alike, and its sentence the answer where nothing is expected; NULL: there is none. */
const char *prediction_published(const roof_prediction *prediction, uint32_t i, roof_arena *arena);
const char *prediction_published_first(const roof_prediction *prediction, roof_arena *arena);

/* True if both are of one network: by its name, or by the hash of its graph. */
bool prediction_is_of_same(const roof_prediction *a, const roof_prediction *b);

/* By which prediction_codec_write makes sentences. */
extern const prediction_words words_of_predictions;

#endif
