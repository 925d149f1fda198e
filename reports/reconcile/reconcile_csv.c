/* One row per unit, base units in the header, empty for what is not known. */
#include "measure/unit_facts.h"
#include "reports/reconcile/reconcile_view.h"
#include "reports/renderer.h"

GRID_COLUMNS(columns, GRID_CSV("model"), GRID_CSV("index"), GRID_CSV("name"), GRID_CSV("type"),
             GRID_CSV("ideal_s"), GRID_CSV("measured_s"), GRID_CSV("overhead_s"), GRID_CSV("corrected_s"),
             GRID_CSV("gap_s"), GRID_CSV("host_s"), GRID_CSV("efficiency_ratio"),
             GRID_CSV("time_share_ratio"), GRID_CSV("cov_ratio"), GRID_CSV("bound"), GRID_CSV("verdict"),
             GRID_CSV("match"), GRID_CSV("rows"), GRID_CSV("notes"), GRID_CSV("executions"));
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Names of rows of one unit in one field; NULL without memory. */
static const char *rows_of(const roof_reconciled *e, const roof_unit *u, textbuf *names)
{
    names->length = 0;
    text_puts(names, "");
    for (uint32_t i = 0; i < u->n_rows; i++) {
        const char *name = e->layer_run->layers[e->row_order[u->row + i]].name;
        text_printf(names, "%s%s", i ? " + " : "", name ? name : "");
    }
    return names->failed ? NULL : names->bytes;
}

static void add_unit(cell_grid *grid, const roof_reconciled *e, const roof_unit *u, textbuf *names)
{
    char notes[200];
    view_notes(u, notes, sizeof notes);
    const grid_cell cells[COLUMNS] = {
        cell_text(e->model),
        cell_count(u->n_layers ? e->prediction->layers[e->layer_order[u->layer]].index : ROOF_UNKNOWN),
        cell_text(u->name),
        cell_text(text_or_empty(u->type)),
        cell_number(u->ideal_s, 0),
        cell_number(u->measured_s, 0),
        cell_number(u->overhead_s, 0),
        cell_number(u->corrected_s, 0),
        cell_number(u->gap_s, 0),
        cell_number(u->host_s, 0),
        cell_number(roof_unit_efficiency(u), 0),
        cell_number(roof_unit_share(e, u), 0),
        cell_number(u->cov_ratio, 0),
        cell_text(unit_bound(e, u)),
        cell_text(roof_verdict_text((roof_verdict)u->verdict)),
        cell_text(roof_match_text((roof_match)u->match)),
        cell_text(rows_of(e, u, names)),
        cell_text(notes),
        cell_count(u->executions ? u->executions : ROOF_UNKNOWN)};
    grid_add(grid, cells, grid->n_columns);
}

/* A column more where some unit is executed several times. */
static size_t columns_for(const roof_reconciliation *r)
{
    for (uint32_t i = 0; i < r->n_experiments; i++)
        if (has_executions(&r->experiments[i]))
            return COLUMNS;
    return COLUMNS - 1;
}

/* A row is written before the next one is made, so that a million of them need the memory of one. */
void reconcile_csv(const rendering *to)
{
    const roof_reconciliation *r = to->reconciliation;
    cell_grid grid;
    textbuf names;
    text_init(&names, TEXT_MAX_BYTES);
    grid_begin_csv(&grid, to->arena, columns, columns_for(r), to->out);
    for (uint32_t i = 0; i < r->n_experiments; i++)
        for (uint32_t k = 0; k < r->experiments[i].n_units; k++)
            add_unit(&grid, &r->experiments[i], &r->experiments[i].units[k], &names);
    text_free(&names);
}
