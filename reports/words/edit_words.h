/* reports/words/edit_words.h - edits of a network as people say them.
 *
 * Ownership: texts are of the arena, "" without memory.
 */
#ifndef ROOF_REPORTS_WORDS_EDIT_WORDS_H
#define ROOF_REPORTS_WORDS_EDIT_WORDS_H

#include "core/arena.h"
#include "roofline/advise.h"

/* "kernel 5 -> 3: dw_3, dw_7 and 4 more": what is changed, from what to what, and where. Edits of several
 * kinds stand beside each other with semicolons between. */
const char *edit_words(const roof_edit_step *steps, uint32_t n, roof_arena *arena);

/* Effect of an edit on accuracy, in words; no accuracy is predicted. */
const char *edit_accuracy(const roof_advised *edit);

#endif
