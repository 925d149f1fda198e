/* core/findings.h - making findings and remarks: a form, and what it is filled with.
 *
 * Units: stand in the operands.
 * Ownership: a list of findings has an arena, which owns them and their texts, and remembers that memory ran
 *   out.
 */
#pragma once

#include "core/core.h"
#include "roofline/finding.h"

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

/* Adds a finding of the form's kind about a layer or a unit; place NULL: the whole. Texts are copied. Result:
 * what was added, for more to be told of it; NULL without memory. FIND(list, "conv1", HIGH_COV,
 * AS_RATIO(0.2)) */
roof_finding *finding_add(roof_findings *list, const char *place, const roof_remark *remark);
#define FIND(list, place, form, ...) finding_add((list), (place), &REMARK(form, __VA_ARGS__))

/* Adds copies of all of another list. */
void findings_append(roof_findings *list, const roof_findings *more);

roof_finding_kind finding_kind(roof_form form);

/* The words of findings, by their kind; each list ends with NULL. */
extern const char *const finding_kinds[], *const finding_advices[], *const finding_severities[];
