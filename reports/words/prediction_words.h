/* reports/words/prediction_words.h - the sentences on top of a prediction; answers, edits, the CPU.
 *
 * Ownership: what takes an arena is the arena's.
 */
#pragma once

#include "model/documents/documents.h"
#include "reports/words/say.h"
#include "roofline/advise.h"

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

/* ---- edit_words.c: edits of a network as people say them; texts are the arena's ---- */

/* "kernel 5 -> 3: dw_3, dw_7 and 4 more": what is changed, from what to what, and where. Edits of several
 * kinds stand beside each other with semicolons between. */
const char *edit_words(const roof_edit_step *steps, uint32_t n, roof_arena *arena);

/* Effect of an edit on accuracy, in words; no accuracy is predicted. */
const char *edit_accuracy(const roof_advised *edit);

/* ---- host_words.c: what the CPU does: never a bound, and in no sum; texts are the arena's ---- */

/* True if the times leave layers of the CPU out. */
bool host_is_left_out(const roof_prediction *prediction);

/* ", without 1 CPU layer (softmax) and 1 transfer, about 4.3 ms"; nothing without such layers. */
void host_say_scope(sentence *s, const roof_prediction *prediction);

/* "about 6.1 ms (3 ms to 12.2 ms: within a factor of 2), of softmax 5.38 ms for 65 856 elements, ...;
 * not known: split"; NULL: the CPU runs nothing. */
const char *host_line(const roof_prediction *prediction, roof_arena *arena);

/* ---- answer_words.c: what may be said of a number, and of several beside one another: the only maker of
 * "fastest", "times as fast" and "makes most". Nothing here decides: roof_answer_compare and its kin do. */

/* "expected 10.96 ms (95 %: 9.354 ms to 12.85 ms)", "at best 7.523 ms", "no time is known". */
const char *answer_words(roof_arena *arena, const roof_answer *a);

typedef struct contestant {
    const char *name;
    roof_answer takes;      /* a time */
    roof_answer alone;      /* the same with one core busy; NOT_KNOWN: it is not stated */
    roof_answer makes;      /* a rate of all that work, of the accelerator's part; NOT_KNOWN: none is told */
    const char *makes_what; /* "inferences/s with 3 cores" */
    uint32_t rank;          /* times that are expected, then bounds, then what is unknown */
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
