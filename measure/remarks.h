/* measure/remarks.h - the findings of a reconciliation: a form, and what it is filled with.
 *
 * Units: stand in the operands.
 * Ownership: texts of operands are borrowed; they live as long as the reconciliation. Its arena remembers that memory ran
 *   out.
 */
#ifndef ROOF_MEASURE_REMARKS_H
#define ROOF_MEASURE_REMARKS_H

#include "measure/map_lines.h"
#include "roofline/reconcile.h"

/* The working state of one roof_reconcile call, which its steps hand on. */
typedef struct reconciler {
    const roof_measured *measured;
    const roof_prediction *const *predictions;
    const roof_reconcile_options *options;
    roof_reconciliation *out;
    roof_arena *arena;
    layer_map *map;                    /* NULL: the user says nothing */
    uint32_t told[ROOF_FINDING_COUNT]; /* findings of each kind so far, the unlisted ones included */
    bool lacks_memory;                 /* outside the arena, which remembers by itself */
    roof_error *err;
} reconciler;

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

/* experiment may be ROOF_NONE, unit NULL; a unit keeps a note of it. Of each kind some dozens are listed, the others are
 * counted, so that a million rows do not make a million findings. Runs of one model share its layers: what is so of them
 * all is listed once, with the first of them. */
void remark_add(reconciler *r, uint32_t experiment, roof_unit *unit, const roof_remark *remark);

/* Lists how many there are that were only counted. */
void remarks_close(reconciler *r);

#endif
