/* reports/words/answer_words.h - what may be said of a number, and of several beside one another: the only
 * maker of "fastest", "times as fast" and "makes most", for terminals, pages and titles of charts.
 *
 * Nothing here decides: roof_answer_compare and its kin do (roofline/answer.h).
 * Ownership: texts are of the arena, "" without memory.
 */
#ifndef ROOF_REPORTS_ANSWER_WORDS_H
#define ROOF_REPORTS_ANSWER_WORDS_H

#include "core/json/jsonout.h"
#include "roofline/predictions.h"
#include "reports/words/say.h"

/* "expected 10.96 ms (95 %: 9.354 ms to 12.85 ms)", "at best 7.523 ms", "no time is known". */
const char *answer_words(roof_arena *arena, const roof_answer *a);

typedef struct contestant {
    const char *name;
    roof_answer takes;      /* a time */
    roof_answer alone;      /* the same with one core busy; NOT_KNOWN: it is not stated */
    roof_answer makes;      /* a rate of all that work, of the accelerator's part; NOT_KNOWN: none is told */
    const char *makes_what; /* "inferences/s with 3 cores" */
} contestant;

/* True for a condition in question where predictions stand side by side: "hardware", "clock", "bandwidth". */
bool answer_is_asked(const char *condition);

/* A predicted pair as a contestant, under all conditions but those in question: the board, its clock and its
 * memory. is_of_one: by the time of one of the images that a run has, so that batches stand side by side.
 * Errors: E_NO_MEMORY. */
roof_status answer_contestant(const roof_pair *pair, const char *name, bool is_of_one, roof_arena *arena,
                              contestant *out, roof_error *err);

/* As JSON, an object of those that a prediction states: "data_type":"int8","clock":"281 MHz". Requested ones
 * are in its options. */
void answer_put_conditions(const roof_prediction *prediction, const char *key, jsonout *json);

/* "a is fastest, expected 2 ms (...), 2.1 times as fast as b (1.6 to 2.7)"; "which is fastest is unknown: a
 * may be, bound 1 ms, and b, expected 8 ms"; "a and b are not comparable, data type int8 and tf32: ...".
 * is_brief: without times and rates, for a title of several. Sorts all. */
const char *answer_contest(roof_arena *arena, contestant *all, uint32_t n, bool is_brief);

#endif
