#include "reports/tables/reconcile/reconcile_tables.h"
#include "reports/words/verdict_words.h"

void reconcile_begin(const reconcile_scope *s, cell_grid *grid, const grid_column *columns, size_t n)
{
    double largest = 0;
    FOR_EACH(const roof_reconciled, e, s->r->experiments, s->r->n_experiments) {
        const double times[] = {e->total.bypass_s, e->total.per_layer_s, e->total.sum_of_layers_s,
                                e->total.listed_s};
        for (size_t k = 0; k < N_OF(times); k++)
            largest = times[k] > largest ? times[k] : largest;
    }
    grid_begin(grid, s->arena, columns, n);
    if (largest >= 10)
        grid->times = (grid_times){1, "[s]", 4};
    else if (largest < 1e-4 && largest > 0)
        grid->times = (grid_times){1e6, "[us]", 2};
}

const char *reconcile_name_on_hardware(const roof_reconciliation *r, const roof_reconciled *e,
                                       roof_arena *arena)
{
    const char *hardware = e->hardware_id ? say_hardware_of(e) : e->device;
    return r->one_hardware || !hardware ? e->model : say_printf(arena, "%s on %s", e->model, hardware);
}
