/* roofline/words.h - the sentences that reports make of the facts of a reconciliation.
 *
 * Units: every number in a sentence has its own.
 * Ownership: a sentence is written to the caller's buffer; nothing is allocated.
 */
#ifndef ROOFLINE_WORDS_H
#define ROOFLINE_WORDS_H

#include "roofline/reconcile.h"

ROOF_BEGIN_C

/* Subject of a sentence. */
typedef enum roof_sentence_kind {
    /* the i-th of those on top of a report: how fast, what costs most, the next step */
    ROOF_SENTENCE_VERDICT,
    ROOF_SENTENCE_BELOW, /* the i-th of what belongs to it, and stands below the tables */
    /* the i-th of what the verdict rests on: runs, fits, phases, the room for a fixed cost */
    ROOF_SENTENCE_STATISTIC,
    ROOF_SENTENCE_FINDING,      /* the i-th finding */
    ROOF_SENTENCE_NOT_COMPARED, /* why the i-th experiment is not compared with its prediction */
    ROOF_SENTENCE_SPLIT,        /* cost of boundaries of the i-th one: launches and traffic, as ranges */
    ROOF_SENTENCE_BOUNDARY,     /* source of the profiling overhead of a boundary of the i-th experiment */
    ROOF_SENTENCE_FIT,          /* the i-th fit */
    ROOF_SENTENCE_FIT_MEANING,  /* meaning of the i-th fit */
    ROOF_SENTENCE_FIT_REASON,   /* why its line was chosen, or why there is none */
    ROOF_SENTENCE_FIT_NEXT,     /* next measurement; empty where it has no advice */
    ROOF_SENTENCE_CEILING,      /* ceiling of a fixed cost inside a layer; i is 0 */
    ROOF_SENTENCE_KINDS
} roof_sentence_kind;

/* Summary of several findings of a kind.
 *
 * buffer: ROOF_SENTENCE_SIZE bytes. Result: buffer.
 * Example (tests/unit/test_words.c): 11 of ROOF_FINDING_ROUNDED_RATE are "11 rates are rounded". */
ROOF_API const char *roof_findings_words(roof_finding_kind kind, uint64_t count, char *buffer);

/* Writes a sentence of at most ROOF_SENTENCE_SIZE bytes, a longer one cut. Names in it are as files have
 * them.
 *
 * buffer: ROOF_SENTENCE_SIZE bytes.
 * Result: buffer; NULL where there is nothing to say, behind the last one too.
 * Example (tests/unit/test_words.c): the finding of a layer of one sample is "1 sample: no interval is
 * claimed".
 */
ROOF_API const char *roof_sentence(const roof_reconciliation *reconciliation, roof_sentence_kind kind,
                                   uint32_t i, char *buffer);

ROOF_END_C
#endif
