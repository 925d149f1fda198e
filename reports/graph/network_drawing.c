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

roof_status network_draw_pair(const network_source *before, const network_view *after,
                              const roof_model_diff *diff, roof_arena *arena, network_drawing *out,
                              roof_error *err)
{
    network_view view;
    *out = (network_drawing){0};
    network_view_make(before, arena, &view);
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

uint32_t network_count(const network_row *rows, uint32_t first_row, uint32_t n_rows)
{
    uint32_t n = 0;
    for (uint32_t r = first_row; r < first_row + n_rows; r++)
        n += rows[r].is_there;
    return n;
}

network_sum network_sum_of(const network_row *rows, uint32_t first_row, uint32_t n_rows)
{
    network_sum sum = {NAN, NAN, NAN, NAN};
    for (uint32_t r = first_row; r < first_row + n_rows; r++) {
        const network_row *row = &rows[r];
        network_add(&sum.time_ratio, row->time_ratio);
        network_add(&sum.gap_ratio, row->gap_ratio);
        network_add(&sum.time_s, row->time_s);
        sum.alive_ratio = fmax(sum.alive_ratio, row->alive_ratio); /* of a number and none, the number */
    }
    return sum;
}
