/* roof_reconcile: measured and predicted in, reconciliation out. `build` has the steps in their order. */
#include "measure/causes/cause_rule.h"
#include "measure/reconcile/steps.h"
#include "measure/epochs/epochs_make.h"

static roof_status look_at_epochs(reconciler *r, roof_reconciled *e)
{
    roof_epochs *epochs = NULL;
    const roof_run *run = e->per_layer;
    const roof_layer_counters *first = run && run->n_layers ? run->layers[0].counters : NULL;
    const bool has_phases = run && (run->n_phase_cycles || (first && first->n_phases));
    roof_hw *hw =
        has_phases && !e->prediction && e->hardware_id ? reconciler_hardware(r, e->hardware_id) : NULL;
    const roof_status status = run ? epochs_make(run, e->prediction, hw, r->arena, &epochs, r->err) : ROOF_OK;
    roof_hw_free(hw);
    e->epochs = epochs;
    return status;
}

/* Without a prediction rates of rows are shares of what the device description, or its description, has. */
static void look_at_peak(reconciler *r, roof_reconciled *e)
{
    roof_hw *hw = e->prediction || !e->layer_run ? NULL : reconciler_hardware(r, e->hardware_id);
    const roof_quantity *peak = hw ? roof_hw_get(hw, "peak") : NULL,
                        *clock = hw ? roof_hw_get(hw, "clock") : NULL,
                        *memory = hw ? roof_hw_get(hw, "ddr.bandwidth") : NULL;
    e->peak_ops_per_s = e->prediction   ? e->prediction->hardware.peak_ops_per_s
                        : peak && clock ? peak->value * clock->value
                                        : (double)NAN;
    e->peak_bytes_per_s = e->prediction ? e->prediction->hardware.bandwidth_bytes_per_s
                          : memory      ? memory->value
                                        : (double)NAN;
    roof_hw_free(hw);
}

static roof_status compare(reconciler *r, roof_reconciled *e)
{
    static const roof_run no_rows;
    row_matching m;
    mismatch_hardware(r, e);
    mismatch_times(r, e);
    /* Rows of one model to its layers, unless they are those of another model. */
    const roof_prediction *wanted = e->prediction;
    e->layer_run = e->per_layer && e->per_layer->n_layers ? e->per_layer
                   : e->bypass && e->bypass->n_layers     ? e->bypass
                                                          : NULL;
    const roof_run *run = e->layer_run ? e->layer_run : &no_rows;
    TRY(match_rows(r, run, wanted, &m));
    mismatch_model(r, e, &m);
    if (e->prediction != wanted)
        TRY(match_rows(r, run, NULL, &m));
    TRY(recordings_take(r, e, &m));
    TRY(matches_make(r, e, &m));
    TRY(look_at_epochs(r, e));
    look_at_peak(r, e);
    inference_totals_measured(e);
    mismatch_layers(r, e);
    return ROOF_OK;
}

static roof_status place_in_map(const reconciler *r, roof_status status)
{
    return error_placed(status, r->err, "%s", r->options->map_name ? r->options->map_name : "map");
}

static roof_status build(reconciler *r)
{
    roof_reconciliation *out = r->out;
    /* before anything is matched, which would say less well what is wrong */
    if (r->options && r->options->map) {
        r->map = NEW(r->arena, layer_map);
        TRY(place_in_map(r, r->map ? map_read(r->options->map, r->arena, r->map, r->err)
                                   : error_memory(r->err)));
    }
    TRY(pair_runs(r));
    for (uint32_t i = 0; i < out->n_experiments; i++)
        TRY(series_leave_warm_up(r, &out->experiments[i]));
    TRY(sweeps_make(r));
    TRY(curves_group(r));
    r->rows_are_kernels = mismatch_kernels(r->measured);
    roof_reconciled *e, *first = out->experiments, *end = first + out->n_experiments;
    for (e = first; e < end; e++)
        TRY(compare(r, e));
    if (r->map)
        TRY(place_in_map(r, map_check(r->map, r->err)));
    TRY(overhead_fit(r));
    inference_totals_buffers(r);
    for (e = first; e < end; e++) {
        inference_totals_estimated(r, e);
        overhead_correct(e);
        attribute_times(r, e);
        busy_units(r, e);
        profile_alone_look(r, e);
    }
    TRY(curves_make(r));
    experiment_findings_of_all(r);
    for (e = first; e < end; e++) {
        experiment_findings(r, e);
        series_findings(r, e);
        energy_of_experiment(r, e);
        match_findings(r, e);
    }
    energy_note_scopes(r);
    for (e = first; e < end; e++)
        find_causes(r, e);
    reconcile_findings_close(r);
    return r->lacks_memory ? error_memory(r->err) : arena_status(r->arena, r->err);
}

roof_status roof_reconcile(const roof_measured *measured, const roof_prediction *const *predictions,
                           const roof_reconcile_options *options, roof_reconciliation **out, roof_error *err)
{
    *out = NULL;
    if (!measured->n_experiments)
        return error_data(err, "no experiment to reconcile");
    reconciler r = {.measured = measured, .predictions = predictions, .options = options, .err = err};
    r.out = NEW_ROOT(&r.arena, roof_reconciliation, err);
    if (!r.out)
        return ROOF_E_NO_MEMORY;
    r.found.arena = r.out->arena = r.arena;
    const roof_status status = build(&r);
    return GIVE(status, out, r.out, roof_reconciliation_free);
}

ARENA_FREES(roof_reconciliation_free, roof_reconciliation, reconciliation)
