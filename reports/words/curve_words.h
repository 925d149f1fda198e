/* reports/words/curve_words.h - the curve of a language model in sentences: how fast at which length, how
 * much memory it takes and whether that fits, and what no run is faster than.
 *
 * Ownership: sentences write to a buffer of their caller; what takes an arena is the arena's, "" without
 * memory.
 */
#pragma once

#include "model/documents/documents.h"
#include "reports/words/say.h"

/* The i-th sentence of the verdict, of at most three. buffer: ROOF_SENTENCE_SIZE bytes. Result: buffer; NULL
 * behind the last one. */
const char *curve_say(const roof_curve *curve, uint32_t i, char *buffer);

/* By which curve_codec_write makes sentences. */
extern const curve_words words_of_curves;

/* "128k" of 131 072, else "1 007". */
enum { CURVE_TOKENS_SIZE = 32 };
const char *curve_tokens(uint32_t tokens, char buffer[CURVE_TOKENS_SIZE]);
const char *curve_say_tokens(roof_arena *arena, uint32_t tokens);

/* Points of one phase; n is 0 where there are none. */
typedef struct curve_phase {
    const roof_curve_point *points;
    uint32_t n;
} curve_phase;
curve_phase curve_steps(const roof_curve *curve);
curve_phase curve_prompts(const roof_curve *curve);

/* True if any point has an expected time. */
bool curve_is_expected(curve_phase phase);

/* Tokens a second: those of all sequences that a step makes, or that a prompt holds. NaN: unknown. */
double curve_rate(const roof_curve *curve, const roof_curve_point *point, double seconds);

/* From how many tokens on attention over the cache takes more than the weights, by what is expected where
 * anything is: between two points as on a straight line. 0: it does so at all points; NaN: at none, or only
 * at some before the last. */
double curve_crossing(curve_phase steps);

/* Why nothing is expected at some point; NULL: all is. */
const char *curve_not_known(const roof_curve *curve);
int curve_reason_length(const char *reason); /* bytes to show of it, in another sentence */
