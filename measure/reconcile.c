/* roof_reconcile: measured and predicted in, reconciliation out. The steps stand in `build` in the order of the data. */
#include "core/error.h"
#include "measure/map_lines.h"
#include "measure/remarks.h"
#include "measure/steps.h"

struct roof_reconciliation_storage {
    roof_arena *arena;
};

/* --- the map ------------------------------------------------------------------------------------------ */

static roof_status place_in_map(const reconciler *r, roof_status status)
{
    if (status != ROOF_OK)
        error_prefix(r->err, "%s", r->options->map_name ? r->options->map_name : "map");
    return status;
}

/* Before anything is matched, which would say less well what is wrong. */
static roof_status read_map(reconciler *r, layer_map *map)
{
    *map = (layer_map){0};
    if (!r->options || !r->options->map)
        return ROOF_OK;
    return place_in_map(r, map_read(r->options->map, r->arena, map, r->err));
}

/* A line of the map is of one model; the others do not know it. One that nobody could use is a mistake in a name, and the
 * rest would be read as if it were meant: map_check refuses it. */
static void add_found(reconciler *r, const row_matching *m)
{
    for (uint32_t i = 0; r->map_found && i < m->n_map_lines; i++)
        r->map_found[i] |= m->map_found[i];
    if (!r->map_found)
        r->map_found = m->map_found;
}

/* --- the steps ---------------------------------------------------------------------------------------- */

/* Rows of one model to its layers, unless they are those of another model. */
static roof_status match(reconciler *r, uint32_t i, row_matching *m)
{
    static const roof_run no_rows;
    roof_reconciled *e = &r->out->experiments[i];
    const roof_prediction *wanted = e->prediction;
    const char *map = r->options ? r->options->map : NULL;
    e->layer_run = e->per_layer && e->per_layer->n_layers ? e->per_layer
                   : e->bypass && e->bypass->n_layers     ? e->bypass
                                                          : NULL;
    const roof_run *run = e->layer_run ? e->layer_run : &no_rows;
    TRY(match_rows(run, wanted, map, r->arena, m, r->err));
    add_found(r, m);
    TRY(doubt_model(r, i, m));
    return e->prediction == wanted ? ROOF_OK : match_rows(run, NULL, map, r->arena, m, r->err);
}

static roof_status add_epochs(reconciler *r, roof_reconciled *e)
{
    roof_epochs *epochs = NULL;
    if (e->per_layer)
        TRY(epochs_make(e->per_layer, e->prediction, r->arena, &epochs, r->err));
    e->epochs = epochs;
    return ROOF_OK;
}

static roof_status compare(reconciler *r, uint32_t i)
{
    row_matching m;
    TRY(doubt_times(r, i));
    TRY(match(r, i, &m));
    TRY(make_units(r, i, &m));
    TRY(add_epochs(r, &r->out->experiments[i]));
    total_times(&r->out->experiments[i]);
    return ROOF_OK;
}

static roof_status explain(reconciler *r, uint32_t i)
{
    TRY(total_estimates(r, i));
    correct_units(&r->out->experiments[i]);
    return attribute_times(r, &r->out->experiments[i]);
}

static roof_status build(reconciler *r)
{
    roof_reconciliation *out = r->out;
    layer_map map;
    TRY(read_map(r, &map));
    TRY(pair_runs(r));
    for (uint32_t i = 0; i < out->n_experiments; i++)
        TRY(compare(r, i));
    TRY(place_in_map(r, map_check(&map, r->map_found, r->err)));
    TRY(fit_overhead(r));
    for (uint32_t i = 0; i < out->n_experiments; i++)
        TRY(explain(r, i));
    TRY(note_all(r));
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        TRY(note_experiment(r, i));
        TRY(note_units(r, i));
    }
    return remarks_close(r);
}

roof_status roof_reconcile(const roof_measured *measured, const roof_prediction *const *predictions,
                           const roof_reconcile_options *options, roof_reconciliation **out, roof_error *err)
{
    roof_arena *arena = arena_new(0);
    roof_reconciliation *made = arena ? NEW(arena, roof_reconciliation) : NULL;
    struct roof_reconciliation_storage *storage =
        made ? NEW(arena, struct roof_reconciliation_storage) : NULL;
    reconciler r = {.measured = measured,
                    .predictions = predictions,
                    .options = options,
                    .out = made,
                    .arena = arena,
                    .err = err};
    roof_status status = storage ? ROOF_OK : error_memory(err);
    if (status == ROOF_OK) {
        storage->arena = arena;
        made->storage = storage;
        status = build(&r);
    }
    if (status == ROOF_OK)
        status = arena_status(arena, err);
    *out = NULL;
    if (status == ROOF_OK)
        *out = made;
    else
        arena_free(arena);
    return status;
}

void roof_reconciliation_free(roof_reconciliation *reconciliation)
{
    if (reconciliation)
        arena_free(reconciliation->storage->arena);
}
