/* reports/words/say.h - sentences in the making, out of templates and operands.
 *
 * Templates are as sentences.def has them.
 * Ownership: a sentence writes to a buffer of its caller.
 */
#ifndef ROOF_REPORTS_WORDS_SAY_H
#define ROOF_REPORTS_WORDS_SAY_H

#include "core/findings.h"

typedef struct sentence {
    /* Of ROOF_SENTENCE_SIZE bytes; what does not fit is cut, which no sentence of ours comes near. */
    char *text;
    size_t length;
} sentence;

/* An empty sentence in a buffer. */
sentence sentence_in(char *buffer);

/* Adds a template with as many operands as it has braces; one without any. */
void say(sentence *s, const char *words);
void say_with(sentence *s, const char *words, const roof_operand *operands);
#define SAY(s, words, ...) say_with((s), (words), (const roof_operand[]){__VA_ARGS__})

/* Adds what a remark says: sentences.c. */
void say_remark(sentence *s, const roof_remark *remark);

#endif
