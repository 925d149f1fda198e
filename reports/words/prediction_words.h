/* reports/words/prediction_words.h - the sentences on top of a prediction.
 *
 * Ownership: what takes an arena is the arena's.
 */
#ifndef ROOF_REPORTS_WORDS_PREDICTION_WORDS_H
#define ROOF_REPORTS_WORDS_PREDICTION_WORDS_H

#include "core/arena.h"
#include "model/documents/prediction_codec.h"

/* roof_prediction_sentence and roof_finding_sentence as long as an arena; "" without memory. */
const char *prediction_verdict(const roof_prediction *prediction, uint32_t i, roof_arena *arena);
const char *sentences_finding(const roof_finding *finding, roof_arena *arena);

/* What a load gets, in a sentence, where one was asked for; false: none was. buffer: ROOF_SENTENCE_SIZE. */
bool prediction_say_load(const roof_prediction *prediction, char *buffer);

/* By which prediction_codec_write makes sentences. */
extern const prediction_words words_of_predictions;

#endif
