/* reports/words/fit_words.h - what fits over all models say, each claim with its interval.
 *
 * which: ROOF_FIT_...; a sentence stays empty where there is nothing to say. */
#ifndef ROOF_REPORTS_WORDS_FIT_WORDS_H
#define ROOF_REPORTS_WORDS_FIT_WORDS_H

#include "reports/words/say.h"

#include <stddef.h>

bool fit_is_known(const roof_reconciliation *r, uint32_t which);

/* " (+3.9, -7.3 and +1.4 % off)": a ratio of every experiment that has it, by its place in roof_reconciled. Says nothing, and is
 * false, where none has it, and where they are too many for a sentence. */
typedef struct ratio_words {
    const char *before, *each, *after; /* each: how one is shown, "{.0%}" */
} ratio_words;
bool say_ratios(sentence *s, const roof_reconciliation *r, size_t offset, const ratio_words *words);
#define TOTAL(field) offsetof(roof_reconciled, total.field)

void say_fit(sentence *s, const roof_reconciliation *r, uint32_t which);
void say_fit_reason(sentence *s, const roof_reconciliation *r, uint32_t which);
void say_fit_meaning(sentence *s, const roof_reconciliation *r, uint32_t which);
void say_fit_next(sentence *s, const roof_reconciliation *r, uint32_t which);

#endif
