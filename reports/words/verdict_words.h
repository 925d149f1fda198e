/* reports/words/verdict_words.h - the sentences on top of a reconciliation: how fast and how far from the
 * silicon, what costs most, what to do first.
 *
 * Ownership: sentences write to a buffer of their caller.
 */
#ifndef ROOF_REPORTS_WORDS_VERDICT_WORDS_H
#define ROOF_REPORTS_WORDS_VERDICT_WORDS_H

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

/* The i-th of those that say anything; else the sentence stays empty. */
void verdict_say_one(sentence *s, const roof_reconciliation *r, const said_part *parts, size_t n, uint32_t i);

/* The i-th sentence of the verdict, and of what is said below the tables. */
void verdict_say(sentence *s, const roof_reconciliation *r, uint32_t i);
void verdict_say_below(sentence *s, const roof_reconciliation *r, uint32_t i);

/* Sentence of a sweep: inferences/s, the threads that are enough, the time of an inference.
 * buffer: ROOF_SENTENCE_SIZE. */
void verdict_say_load(const roof_reconciliation *r, const roof_sweep *sweep, char *buffer);

#endif
