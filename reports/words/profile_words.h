/* reports/words/profile_words.h - the sentences of profiles that are compared with nothing: what takes the
 * time, how steady it is, what to do next.
 *
 * Ownership: sentences write to a buffer of their caller.
 */
#ifndef ROOF_REPORTS_WORDS_PROFILE_WORDS_H
#define ROOF_REPORTS_WORDS_PROFILE_WORDS_H

#include "reports/words/say.h"
#include "roofline/reconcile.h"

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

#endif
