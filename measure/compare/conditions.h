/* measure/compare/conditions.h - the conditions of a run, and which differences make two runs incomparable.
 *
 * The table is conditions.def. Units: Hz, bytes, ratios; NaN and NULL: not stated.
 * Ownership: texts are the arena's, or borrowed from the document.
 */
#pragma once

#include "core/core.h"
#include "roofline/compare.h"

typedef enum condition_kind {
    CONDITION_APART,
    CONDITION_BOTH,
    CONDITION_NEEDED,
    CONDITION_SAID,
    CONDITION_RESULT
} condition_kind;

typedef enum condition_id {
#define CONDITION(id, kind, word, nearness_ratio, members, why) CONDITION_##id,
#include "measure/compare/conditions.def"
#undef CONDITION
    CONDITIONS
} condition_id;

typedef struct condition_row {
    condition_kind kind;
    const char *word;
    double nearness_ratio;
    const char *members, *why;
} condition_row;

extern const condition_row condition_rows[CONDITIONS];

/* The value of each condition, as people read it; number: where nearness counts. */
typedef struct run_conditions {
    const char *text[CONDITIONS];
    double number[CONDITIONS];
} run_conditions;

/* So many times as fast as before is a slip of units, or other work, rather than a change of a network. */
#define CONDITIONS_SLIP_RATIO 20

/* tool: of the document; hardware: what the caller says it ran on, where the document is silent. NULL:
 * neither. Errors: E_NO_MEMORY. */
roof_status conditions_of_run(const roof_experiment *e, const roof_run *run, const char *tool,
                              const char *hardware, roof_arena *arena, run_conditions *out, roof_error *err);

/* Conditions of a prediction: workload, hardware and requested options. Errors: E_NO_MEMORY. */
roof_status conditions_of_prediction(const roof_prediction *p, roof_arena *arena, run_conditions *out,
                                     roof_error *err);

/* Appends what differs to list, in the order of the table; n_apart counts what makes the two incomparable.
 * Errors: E_NO_MEMORY.
 * Example (tests/unit/test_conditions.c): batch 1 and a batch that is not stated are alike, 300 and 600 MHz
 * are apart. */
roof_status conditions_compare(const run_conditions *a, const run_conditions *b, roof_arena *arena,
                               roof_unlike **list, uint32_t *n, uint32_t *n_apart, roof_error *err);

/* One line a condition that is stated, "word=value", for a file; and back. Lines of unknown conditions are
 * left out. Errors: E_NO_MEMORY. */
roof_status conditions_write(const run_conditions *c, roof_arena *arena, const char **out, roof_error *err);
roof_status conditions_read(const char *text, roof_arena *arena, run_conditions *out, roof_error *err);
