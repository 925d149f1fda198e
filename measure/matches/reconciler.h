/* measure/matches/reconciler.h - the findings of a reconciliation: a form, and what it is filled with.
 *
 * Units: stand in the operands.
 * Ownership: texts of operands are borrowed; they live as long as the reconciliation. Its arena remembers
 *   that memory ran out.
 */
#pragma once

#include "core/findings.h"
#include "roofline/reconcile.h"

/* ---- map_lines.c: the user's word on which row of a profile is which layer of a model, "row,layer" ----
 *
 * Fields are those of RFC 4180: quoted where they hold a comma. Empty lines, and those that begin with '#',
 * do not count.
 */

/* Flags of a line: whether a model and its profile know it. */
enum { CSVMAP_ROW = 1, CSVMAP_LAYER = 2, CSVMAP_PAIR = 4 };

typedef struct map_line {
    const char *row, *layer;
    uint64_t number; /* in the text, from 1 */
    unsigned found;  /* CSVMAP_..., in any model */
} map_line;

typedef struct layer_map {
    map_line *lines;
    uint32_t n;
    bool was_used; /* there was a model with layers to look for them in */
} layer_map;

/* Errors: E_DATA for a line that is not two names (with its number), E_LIMIT, E_NO_MEMORY. */
roof_status map_read(const char *text, roof_arena *arena, layer_map *out, roof_error *err);

/* A line is of one model; others do not know it. A line that no model could use is a mistake in a name.
 * Errors: E_DATA for the first line that made no pair. */
roof_status map_check(const layer_map *map, roof_error *err);

/* The working state of one roof_reconcile call, which its steps hand on. */
typedef struct reconciler {
    const roof_measured *measured;
    const roof_prediction *const *predictions;
    const roof_reconcile_options *options;
    roof_reconciliation *out;
    roof_arena *arena;
    layer_map *map;                       /* NULL: the user says nothing */
    bool rows_are_kernels;                /* mismatch_kernels of what was measured */
    roof_findings found;                  /* become out's */
    uint32_t n_found[ROOF_FINDING_COUNT]; /* of each kind so far, the unlisted ones included */
    bool lacks_memory;                    /* outside the arena, which remembers by itself */
    roof_error *err;
} reconciler;

/* e: NULL for all of them; match may be NULL, else it keeps a note. Some dozens of each kind are listed, the
 * others counted. Runs of one model share its layers: what is so for all is listed once. A remark without a
 * form is none. TELL(r, e, NULL, NO_FIT, AS_COUNT(2)) */
void reconcile_find(reconciler *r, const roof_reconciled *e, roof_match *match, roof_remark remark);
#define TELL(r, e, match, form, ...) reconcile_find((r), (e), (match), REMARK(form, __VA_ARGS__))

/* True where a step outside the arena went well; a lack of memory is remembered. */
bool reconciler_did(reconciler *r, roof_status status);

/* Adds it, and returns a copy in the arena; NULL without memory. */
const roof_remark *reconcile_find_kept(reconciler *r, const roof_reconciled *e, roof_remark remark);

/* Lists how many there are that were only counted. */
void reconcile_findings_close(reconciler *r);

/* An entry of the database, or what an inline description has, which the caller frees; NULL for a file and an
 * unknown id. */
struct roof_hw *reconciler_hardware(reconciler *r, const char *id);
