/* reports/words/host_words.h - what the CPU does, in words: never a bound, and in no sum.
 *
 * Ownership: what takes an arena is the arena's; "" without memory.
 */
#ifndef ROOF_REPORTS_WORDS_HOST_WORDS_H
#define ROOF_REPORTS_WORDS_HOST_WORDS_H

#include "reports/words/say.h"
#include "roofline/prediction.h"

/* True if the times leave layers of the CPU out. */
bool host_is_left_out(const roof_prediction *prediction);

/* ", without 1 CPU layer (softmax) and 1 transfer, about 4.3 ms"; nothing without such layers. */
void host_say_scope(sentence *s, const roof_prediction *prediction);

/* "about 6.1 ms (3 ms to 12.2 ms: within a factor of 2), of softmax 5.38 ms for 65 856 elements, ...;
 * not known: split"; NULL: the CPU runs nothing. */
const char *host_line(const roof_prediction *prediction, roof_arena *arena);

#endif
