/* One row per layer, base units in the header (cycles, bytes, seconds), empty for what is not known. */
#include "reports/words/prediction_tables.h"
#include "reports/renderers/renderer.h"

static void put_prediction(const rendering *r)
{
    const roof_prediction *p = r->prediction;
    const layers_view view = {.csv = r->out, .is_kept = r->selection->is_asked};
    cell_grid grid;
    prediction_view_layers(p, &view, &grid, r->arena);
    table_put_csv(r, &grid, !roof_answer_is_bound(roof_rows_kind(p)) ? "predicted_s" : "ideal_s");
}

const renderer_def renderer_csv = {"csv",
                                   false,
                                   {put_prediction, inspect_csv, reconcile_csv, compare_csv, checks_csv,
                                    predictions_csv, siblings_csv, periodic_csv, configurations_csv,
                                    curve_csv, trends_csv, advice_csv},
                                   .has_tables = true};
