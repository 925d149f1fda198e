/* reports/words/verdict_words.h - the sentences on top of a reconciliation: how fast and how far from the
 * silicon, what costs most, what to do first.
 *
 * Ownership: sentences write to a buffer of their caller.
 */
#pragma once

#include "reports/words/say.h"
#include "roofline/reconcile.h"

typedef void (*sayer)(sentence *s, const roof_reconciliation *r, uint32_t i);

/* Each line of the first answer has the first of its parts that speaks; the others stand below the tables. A
 * caveat changes what is said, so all of them lead. */
typedef enum said_line { SAID_CAVEAT, SAID_ANSWER, SAID_LIMIT, SAID_NEXT, SAID_BELOW } said_line;

/* A part that has something to say where it applies. */
typedef struct said_part {
    bool applies;
    sayer say;
    uint32_t i;
    said_line line;
} said_part;

/* Name of an experiment's hardware: its id, or the name in a description that is written out. */
const char *say_hardware_of(const roof_reconciled *e);

/* The i-th of those that say anything, in the first answer or below it; else the sentence stays empty. */
void verdict_say_one(sentence *s, const roof_reconciliation *r, const said_part *parts, size_t n,
                     bool is_below, uint32_t i);

/* The i-th sentence of the verdict, and of what is said below the tables. */
void verdict_say(sentence *s, const roof_reconciliation *r, uint32_t i);
void verdict_say_below(sentence *s, const roof_reconciliation *r, uint32_t i);

/* Sentence of a sweep: inferences/s, the threads that are enough, the time of an inference.
 * buffer: ROOF_SENTENCE_SIZE. */
void verdict_say_load(const roof_reconciliation *r, const roof_sweep *sweep, char *buffer);

/* ---- timed_words.c: what measured times of a language model over its context say in sentences. ---- */

/* Parts of a verdict, which say nothing where there is nothing to say: times that cannot be; all curves,
 * where they are more than TIMED_FEW, else the i-th of them; the i-th stack; and the i-th step from one curve
 * to the next of a model. */
enum { TIMED_FEW = 3 };
void timed_say_impossible(sentence *s, const roof_reconciliation *r, uint32_t i);
void timed_say_all(sentence *s, const roof_reconciliation *r, uint32_t i);
void timed_say_curve(sentence *s, const roof_reconciliation *r, uint32_t i);
void timed_say_stack(sentence *s, const roof_reconciliation *r, uint32_t i);
void timed_say_growth(sentence *s, const roof_reconciliation *r, uint32_t i);

/* ---- profile_words.c: profiles that are compared with nothing: what takes the time, what to do next ---- */

/* True if nothing at all is compared: no experiment has a model, or a doubt about one. */
bool profile_is_alone(const roof_reconciliation *r);

/* "net (TFLite, CPU): 2.526 ms; CONV_2D 41 % (13); the largest is conv1, 9 %; steady (CoV 0.5 %)." */
void profile_say(sentence *s, const roof_reconciliation *r, uint32_t i);

/* " after 2 warm-up runs of 79.9 ms on average", behind a time that is without them. */
void profile_say_warm_up(sentence *s, const roof_reconciled *e);

/* Says the bottleneck of its largest row, where units were counted. */
void profile_say_bound(sentence *s, const roof_reconciliation *r, uint32_t i);

/* Counts of the largest row that are no part of its time: hits, occupancy, waits. */
void profile_say_rates(sentence *s, const roof_reconciliation *r, uint32_t i);

/* Says what to do next with it, and that no limit is known. */
void profile_say_next(sentence *s, const roof_reconciliation *r, uint32_t i);
/* Why times are compared with no limit. */
const char *profile_no_limit_words(const roof_reconciled *e);
void profile_say_limit(sentence *s, const roof_reconciliation *r, uint32_t i);
