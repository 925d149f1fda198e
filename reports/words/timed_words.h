/* reports/words/timed_words.h - what measured times of a language model over its context say in sentences. */
#ifndef ROOF_REPORTS_WORDS_TIMED_WORDS_H
#define ROOF_REPORTS_WORDS_TIMED_WORDS_H

#include "reports/words/say.h"
#include "roofline/reconcile.h"

/* Parts of a verdict, which say nothing where there is nothing to say: times that cannot be; all curves,
 * where they are more than TIMED_FEW, else the i-th of them; the i-th stack; and the i-th step from one curve
 * to the next of a model. */
enum { TIMED_FEW = 3 };
void timed_say_impossible(sentence *s, const roof_reconciliation *r, uint32_t i);
void timed_say_all(sentence *s, const roof_reconciliation *r, uint32_t i);
void timed_say_curve(sentence *s, const roof_reconciliation *r, uint32_t i);
void timed_say_stack(sentence *s, const roof_reconciliation *r, uint32_t i);
void timed_say_growth(sentence *s, const roof_reconciliation *r, uint32_t i);

#endif
