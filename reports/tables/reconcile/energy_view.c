/* Energy of an inference: a line of each experiment, and all of them in a table. */
#include "reports/tables/reconcile/reconcile_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_energy(const roof_energy *e)
{
    return !isnan(e->inference_j) || !isnan(e->above_idle_j) || !isnan(e->power_w);
}

/* ", as if it never waited" */
static const char *basis_words(const roof_energy *e)
{
    return e->basis == ROOF_ENERGY_POWER_TIME ? " (power x time, as if it never waited)"
           : e->basis == ROOF_ENERGY_ROWS     ? " (the sum of its rows)"
                                              : "";
}

/* "64.1 mJ an inference, 28.2 mJ above idle; 15.6 inferences and 128 Gops per joule; 5.81 W, idle 3.05 W; of the board" */
void view_energy_line(const roof_reconciled *of, remarks *lines)
{
    const roof_energy *e = &of->energy;
    roof_arena *arena = lines->arena;
    const char *text = "";
    if (!has_energy(e))
        return;
    if (!isnan(e->inference_j))
        text = say_more(arena, text, "%s an inference%s%s", say_quantity(arena, e->inference_j, "J"),
                        e->mode == ROOF_RUN_PER_LAYER ? " in the per-layer run" : "", basis_words(e));
    if (!isnan(e->above_idle_j))
        text = say_more(arena, text, "%s above idle", say_quantity(arena, e->above_idle_j, "J"));
    if (!isnan(e->inferences_per_j))
        text = say_more(arena, text, "%s", say_quantity(arena, e->inferences_per_j, "inferences/J"));
    if (!isnan(e->ops_per_j))
        text = say_more(arena, text, "%s", say_quantity(arena, e->ops_per_j, "ops/J"));
    if (!isnan(e->power_w))
        text = say_more(arena, text, "%s while it ran", say_quantity(arena, e->power_w, "W"));
    if (!isnan(e->idle_power_w))
        text = say_more(arena, text, "%s idle", say_quantity(arena, e->idle_power_w, "W"));
    remarks_add(lines, "energy", "%s; %s%s", text, e->scope ? "covers: " : "what it covers is not stated",
                e->scope ? e->scope : "");
}

/* --- all of them -------------------------------------------------------------------------------------- */

static const char *scope_of(const roof_energy *e)
{
    return e->scope ? e->scope : "not stated";
}

/* By model and by what is covered, then the most inferences per joule first. The place in the array decides among equals. */
static int best_first(const void *a_, const void *b_)
{
    const roof_reconciled *a = *(const roof_reconciled *const *)a_, *b = *(const roof_reconciled *const *)b_;
    double x = a->energy.inferences_per_j, y = b->energy.inferences_per_j;
    int order = strcmp(a->model, b->model);
    order = order ? order : strcmp(scope_of(&a->energy), scope_of(&b->energy));
    if (order || isnan(x) != isnan(y))
        return order ? order : isnan(x) ? 1 : -1;
    return x > y ? -1 : x < y ? 1 : a < b ? -1 : a > b;
}

static grid_cell quantity(roof_arena *arena, double value, const char *unit)
{
    enum { DIGITS = 3 };
    return isnan(value) ? cell_number(NAN, 0) : cell_worded(say_quantity(arena, value, unit), value, DIGITS);
}

void view_energies(const roof_reconciliation *r, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_NAME("energy", 0), GRID_TEXT("on", 0), GRID_TEXT("covers", 0),
                 GRID_NUMBER("time", NULL, 3), GRID_NUMBER("power", NULL, 1), GRID_NUMBER("idle", NULL, 2),
                 GRID_NUMBER("an inference", NULL, 0), GRID_NUMBER("above idle", NULL, 4),
                 GRID_NUMBER("inferences/J", NULL, 0), GRID_NUMBER("Gops/J", NULL, 0));
    const roof_reconciled **rows = NEW_ARRAY(arena, const roof_reconciled *, r->n_experiments);
    uint32_t n = 0;
    grid_begin(grid, arena, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; rows && i < r->n_experiments; i++)
        if (!isnan(r->experiments[i].energy.inference_j))
            rows[n++] = &r->experiments[i];
    if (n < 2)
        return;
    qsort(rows, n, sizeof *rows, best_first);
    for (uint32_t i = 0; i < n; i++) {
        const roof_energy *e = &rows[i]->energy;
        GRID_ADD(grid, cell_text(rows[i]->model), cell_text(rows[i]->hardware_id ? rows[i]->hardware_id : ""),
                 cell_text(scope_of(e)), quantity(arena, e->time_s, "s"), quantity(arena, e->power_w, "W"),
                 quantity(arena, e->idle_power_w, "W"), quantity(arena, e->inference_j, "J"),
                 quantity(arena, e->above_idle_j, "J"), cell_number(e->inferences_per_j, 3),
                 cell_number(e->ops_per_j / 1e9, 2));
    }
}
