/* roofline/finding.h - findings, which a reader must know to trust a result: a form, and the numbers and
 * texts that fill it.
 *
 * Units: stand in the operands.
 * Ownership: texts are borrowed from what the finding or remark is a part of.
 */
#ifndef ROOFLINE_FINDING_H
#define ROOFLINE_FINDING_H

#include "roofline/status.h"

ROOF_BEGIN_C

/* Sentence form of a finding; a kind has one or more. */
typedef enum roof_form {
#define FORM(name, kind) ROOF_FORM_##name,
#include "roofline/forms.def"
#undef FORM
    ROOF_FORM_COUNT
} roof_form;

/* Operand that fills a form: a text, or a number with its unit. */
typedef struct roof_operand {
    const char *text; /* NULL: a number */
    /* "s", "Hz", "B", "B/s", "J", "W", "ops", "ops/s", "count", "ratio"; NULL: a text, or none. */
    const char *unit;
    double number;
} roof_operand;

enum { ROOF_MAX_OPERANDS = 6 };

/* Bytes of the longest sentence that is made of a remark, with its end. */
enum { ROOF_SENTENCE_SIZE = 900 };

/* A fact to be told; roof_remark_sentence makes words of it. */
typedef struct roof_remark {
    roof_form form;
    roof_operand operands[ROOF_MAX_OPERANDS]; /* in the order of the form's sentence */
} roof_remark;

/* Kinds are listed and counted; each has advice on what to do next. */
typedef enum roof_finding_kind {
#define FINDING(name, severity, kind, words, advice) ROOF_FINDING_##name,
#include "roofline/findings.def"
#undef FINDING
    ROOF_FINDING_COUNT
} roof_finding_kind;

/* Severity of a finding, worst first. */
typedef enum roof_severity {
    ROOF_SEVERITY_WRONG,  /* numbers may be wrong until it is settled */
    ROOF_SEVERITY_HIDDEN, /* time or work is left out, or cannot be separated */
    ROOF_SEVERITY_NOTE,   /* how to read the numbers */
    ROOF_SEVERITIES
} roof_severity;

typedef struct roof_finding {
    roof_finding_kind kind;
    uint32_t experiment; /* of a reconciliation; ROOF_NONE: all */
    const char *place;   /* the name of a layer or a unit; NULL: the whole */
    roof_remark remark;
    /* in words, where it was read from a document; NULL: roof_finding_sentence makes them */
    const char *text;
} roof_finding;

typedef struct roof_findings {
    roof_finding *items;
    uint32_t n;
    struct roof_arena *arena; /* private */
} roof_findings;

ROOF_API const char *roof_finding_kind_text(roof_finding_kind kind);
ROOF_API const char *roof_finding_advice(roof_finding_kind kind);
ROOF_API roof_severity roof_finding_severity(roof_finding_kind kind);
ROOF_API const char *roof_severity_text(roof_severity severity); /* as documents have it: "wrong" */

/* Sentence of a remark, such as why of a cause; sentence of a finding, or its text in the document that it
 * was read from.
 *
 * buffer: ROOF_SENTENCE_SIZE bytes. Result: buffer. */
ROOF_API const char *roof_remark_sentence(const roof_remark *remark, char *buffer);
ROOF_API const char *roof_finding_sentence(const roof_finding *finding, char *buffer);

ROOF_END_C
#endif
