/* core/say.h - sentences in the making, out of templates and operands.
 *
 * Templates are as reports/words/sentences.def has them. Ownership: a sentence writes to a buffer of its caller.
 */
#ifndef ROOF_CORE_SAY_H
#define ROOF_CORE_SAY_H

#include "roofline/remark.h"

#include <stddef.h>

/* Operands. */
#define AS_TEXT(name) ((roof_operand){.text = (name)})
#define AS_MEMBER(name)                                                                                      \
    ((roof_operand){.text = (name), .unit = "member"}) /* a time by its name in documents */
#define AS(unit_, n)  ((roof_operand){.unit = (unit_), .number = (double)(n)})
#define AS_SECONDS(n) AS("s", n)
#define AS_COUNT(n)   AS("count", n)
#define AS_RATIO(n)   AS("ratio", n)
#define NO_OPERANDS   AS_TEXT(NULL)

/* REMARK(HIGH_COV, AS_RATIO(0.2)) */
#define REMARK(form_, ...) ((roof_remark){.form = ROOF_FORM_##form_, .operands = {__VA_ARGS__}})

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

/* Adds what a remark says: reports/words/sentences.c. */
void say_remark(sentence *s, const roof_remark *remark);

#endif
