/* measure/reconcile/match_rows.h - which row of a profile is which layer of the model.
 *
 * Ways are tried from the surest to the weakest, and a pair that was found is not asked again. Each way looks
 * names up or goes through both lists once, so the time is linear but for what is left over, whose
 * comparisons are bounded.
 */
#ifndef ROOF_MEASURE_RECONCILE_MATCH_ROWS_H
#define ROOF_MEASURE_RECONCILE_MATCH_ROWS_H

#include "measure/matches/reconciler.h"
#include "roofline/reconcile.h"

typedef struct row_matching {
    uint32_t n_rows, n_layers;
    uint32_t *row_order;    /* rows in the order of execution */
    uint32_t *layer_of_row; /* the first layer of the row's match, or ROOF_NONE */
    uint32_t *first_joined; /* of a layer: the first layer of its unit, usually itself */
    unsigned char *how;     /* of a row: a roof_match */
    bool *repeated;         /* of a row: its layer has another row already, which is not a part of it */
    bool unsorted;          /* the rows were not in the order of their index */
} row_matching;

/* Input of a match: rows of a run, layers of a prediction, and the user's map. */
typedef struct match_sides {
    const roof_run *run;
    const roof_prediction *prediction; /* NULL: nothing is matched */
    layer_map *map;                    /* the user's word, which notes what of it was found; NULL: none */
    bool are_kernels;                  /* rows are: only the same name or the user's word make one a layer */
} match_sides;

/* Rows of s->run to layers of s->prediction. All memory comes from arena. Errors: E_NO_MEMORY. */
roof_status match_rows(const match_sides *s, roof_arena *arena, row_matching *out, roof_error *err);

#endif
