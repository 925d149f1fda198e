/* reports/words/fit_words.h - what fits over all models say, each claim with its interval.
 *
 * which: ROOF_FIT_...; a sentence stays empty where there is nothing to say. */
#ifndef ROOF_REPORTS_WORDS_FIT_WORDS_H
#define ROOF_REPORTS_WORDS_FIT_WORDS_H

#include "reports/words/say.h"

#include <stddef.h>

bool fit_is_known(const roof_reconciliation *r, uint32_t which);

/* "+3.9, -7.3 and +1.4 %": a ratio of every experiment that has it, by its place in roof_reconciled, each shown as `how`
 * says. ratios_known: how many have it; 0 where they are too many for a sentence. */
uint32_t ratios_known(const roof_reconciliation *r, size_t offset);
void say_ratios(sentence *s, const roof_reconciliation *r, size_t offset, const char *how);
#define TOTAL(field) offsetof(roof_reconciled, total.field)

void say_fit(sentence *s, const roof_reconciliation *r, uint32_t which);
void say_fit_reason(sentence *s, const roof_reconciliation *r, uint32_t which);
void say_fit_meaning(sentence *s, const roof_reconciliation *r, uint32_t which);
void say_fit_next(sentence *s, const roof_reconciliation *r, uint32_t which);

#endif
