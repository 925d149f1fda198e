#include "reports/graph/network_drawing.h"

static roof_status lay_out(network_drawing *out, roof_arena *arena, roof_error *err)
{
    TRY(arena_status(arena, err));
    if (out->view.why_not)
        return ROOF_OK;
    network_fold_make(&out->view, arena, &out->fold);
    TRY(arena_status(arena, err));
    network_levels_make(&out->view, &out->fold, arena, &out->levels);
    TRY(arena_status(arena, err));
    return network_layout_make(&out->levels, arena, &out->layout, err);
}

roof_status network_draw(const network_source *source, roof_arena *arena, network_drawing *out,
                         roof_error *err)
{
    *out = (network_drawing){0};
    network_view_make(source, arena, &out->view);
    return lay_out(out, arena, err);
}

roof_status network_draw_pair(const roof_graph *before, const network_view *after,
                              const roof_model_diff *diff, roof_arena *arena, network_drawing *out,
                              roof_error *err)
{
    const chart_source old = {.prediction = diff->before_prediction};
    const chart_rows rows = chart_rows_of(&old, arena);
    network_view view;
    *out = (network_drawing){0};
    network_view_make(&(network_source){.graph = before, .prediction = old.prediction, .rows = &rows}, arena,
                      &view);
    TRY(arena_status(arena, err));
    network_pair_make(&(network_pair){&view, after, diff}, arena, &out->view);
    return lay_out(out, arena, err);
}

bool network_differs(const network_view *view, const network_child *box)
{
    for (uint32_t r = box->first_row; view->before && r < box->first_row + box->n_rows; r++)
        if (view->rows[r].change > NETWORK_AS_BEFORE || !view->rows[r].is_there)
            return true;
    return false;
}

network_sum network_sum_of(const network_row *rows, const network_child *box)
{
    network_sum sum = {NAN, NAN, 0};
    FOR_EACH(const network_row, row, &rows[box->first_row], box->n_rows) {
        network_add(&sum.time_ratio, row->time_ratio);
        network_add(&sum.gap_ratio, row->gap_ratio);
        sum.n_rows += row->is_there;
    }
    return sum;
}
