/* roof_reconcile: measured and predicted in, reconciliation out. The steps stand in `build` in the order of the data. */
#include "core/error.h"
#include "measure/causes/find_causes.h"
#include "measure/reconcile/recordings.h"
#include "measure/epochs/epochs_make.h"
#include "measure/reconcile/steps.h"

/* Before anything is matched, which would say less well what is wrong. */
static roof_status read_map(reconciler *r)
{
    if (!r->options || !r->options->map)
        return ROOF_OK;
    r->map = NEW(r->arena, layer_map);
    return r->map ? map_read(r->options->map, r->arena, r->map, r->err) : error_memory(r->err);
}

static roof_status place_in_map(const reconciler *r, roof_status status)
{
    if (status != ROOF_OK)
        error_prefix(r->err, "%s", r->options->map_name ? r->options->map_name : "map");
    return status;
}

/* Rows of one model to its layers, unless they are those of another model. */
static roof_status match(reconciler *r, uint32_t i, row_matching *m)
{
    static const roof_run no_rows;
    roof_reconciled *e = &r->out->experiments[i];
    const roof_prediction *wanted = e->prediction;
    e->layer_run = e->per_layer && e->per_layer->n_layers ? e->per_layer
                   : e->bypass && e->bypass->n_layers     ? e->bypass
                                                          : NULL;
    const roof_run *run = e->layer_run ? e->layer_run : &no_rows;
    TRY(match_rows(run, wanted, r->map, r->arena, m, r->err));
    doubt_model(r, i, m);
    if (e->prediction != wanted)
        TRY(match_rows(run, NULL, NULL, r->arena, m, r->err));
    return take_recording(r, e, m);
}

static roof_status compare(reconciler *r, uint32_t i)
{
    roof_reconciled *e = &r->out->experiments[i];
    roof_epochs *epochs = NULL;
    row_matching m;
    doubt_hardware(r, i);
    doubt_times(r, i);
    TRY(match(r, i, &m));
    TRY(make_units(r, i, &m));
    if (e->per_layer)
        TRY(epochs_make(e->per_layer, e->prediction, r->arena, &epochs, r->err));
    e->epochs = epochs;
    total_times(e);
    doubt_layers(r, i);
    return ROOF_OK;
}

static roof_status build(reconciler *r)
{
    roof_reconciliation *out = r->out;
    TRY(place_in_map(r, read_map(r)));
    TRY(pair_runs(r));
    for (uint32_t i = 0; i < out->n_experiments; i++)
        TRY(compare(r, i));
    if (r->map)
        TRY(place_in_map(r, map_check(r->map, r->err)));
    TRY(fit_overhead(r));
    rate_buffers(r);
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        total_estimates(r, i);
        correct_units(&out->experiments[i]);
        attribute_times(r, &out->experiments[i]);
        busy_units(r, &out->experiments[i]);
        look_at_profile(r, i);
    }
    note_all(r);
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        note_experiment(r, i);
        note_series(r, i);
        total_energy(r, i);
        note_units(r, i);
    }
    note_energies(r);
    for (uint32_t i = 0; i < out->n_experiments; i++)
        find_causes(r, i);
    remarks_close(r);
    return r->lacks_memory ? error_memory(r->err) : arena_status(r->arena, r->err);
}

roof_status roof_reconcile(const roof_measured *measured, const roof_prediction *const *predictions,
                           const roof_reconcile_options *options, roof_reconciliation **out, roof_error *err)
{
    roof_arena *arena = arena_new(0);
    reconciler r = {.measured = measured,
                    .predictions = predictions,
                    .options = options,
                    .out = arena ? NEW(arena, roof_reconciliation) : NULL,
                    .arena = arena,
                    .err = err};
    roof_status status = r.out ? build(&r) : error_memory(err);
    *out = NULL;
    if (status == ROOF_OK) {
        r.out->arena = arena;
        *out = r.out;
    } else {
        arena_free(arena);
    }
    return status;
}

void roof_reconciliation_free(roof_reconciliation *reconciliation)
{
    if (reconciliation)
        arena_free(reconciliation->arena);
}
