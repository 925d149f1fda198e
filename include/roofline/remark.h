/* roofline/remark.h - a fact to be told: its form, and the numbers and texts that fill it.
 *
 * Units: stand in the operands.
 * Ownership: texts of operands are borrowed from what the remark is a part of.
 */
#ifndef ROOFLINE_REMARK_H
#define ROOFLINE_REMARK_H

#include "roofline/status.h"

ROOF_BEGIN_C

/* What a finding says, of its kind. */
typedef enum roof_form {
#define FORM(name, kind) ROOF_FORM_##name,
#include "roofline/forms.def"
#undef FORM
    ROOF_FORM_COUNT
} roof_form;

/* What a form is filled with: a text, or a number with its unit. */
typedef struct roof_operand {
    const char *text; /* NULL: a number */
    /* "s", "Hz", "B", "B/s", "J", "W", "ops", "ops/s", "count", "ratio"; NULL of a text, and behind the last operand. */
    const char *unit;
    double number;
} roof_operand;

enum { ROOF_MAX_OPERANDS = 6 };

/* Bytes of the longest sentence that is made of a remark, with its end. */
enum { ROOF_SENTENCE_SIZE = 900 };

/* A finding's facts; roof_sentence makes words of them (roofline/words.h). */
typedef struct roof_remark {
    roof_form form;
    roof_operand operands[ROOF_MAX_OPERANDS]; /* in the order of the form's words */
} roof_remark;

ROOF_END_C
#endif
