/* One row per unit, base units in the header, empty for what is not known. */
#include "measure/units/unit_facts.h"
#include "reports/tables/reconcile/reconcile_view.h"
#include "reports/renderers/renderer.h"

#include <math.h>
#include <string.h>

GRID_COLUMNS(columns, GRID_CSV("model"), GRID_CSV("index"), GRID_CSV("name"), GRID_CSV("type"),
             GRID_CSV("ideal_s"), GRID_CSV("measured_s"), GRID_CSV("overhead_s"), GRID_CSV("corrected_s"),
             GRID_CSV("gap_s"), GRID_CSV("host_s"), GRID_CSV("efficiency_ratio"),
             GRID_CSV("time_share_ratio"), GRID_CSV("cov_ratio"), GRID_CSV("bound"), GRID_CSV("verdict"),
             GRID_CSV("match"), GRID_CSV("rows"), GRID_CSV("notes"), GRID_CSV("executions"));
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Columns of busy units behind the others: of all that any experiment has. */
typedef struct busy_columns {
    const char *names[ROOF_MAX_BUSY];
    uint32_t n;
} busy_columns;

static busy_columns busy_columns_of(const roof_reconciliation *r)
{
    busy_columns all = {.n = 0};
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_busy *b = r->experiments[i].busy;
        for (uint32_t k = 0; b && k < b->n; k++) {
            uint32_t at = 0;
            while (at < all.n && strcmp(all.names[at], b->names[k]) != 0)
                at++;
            if (at == all.n && all.n < ROOF_MAX_BUSY)
                all.names[all.n++] = b->names[k];
        }
    }
    return all;
}

static void add_busy(cell_grid *grid, const roof_reconciled *e, const roof_unit *u, const busy_columns *busy)
{
    roof_busy_ratios own = roof_unit_busy(e, u);
    const char *bound = roof_busy_bound_text(own.bound);
    for (uint32_t c = 0; c < busy->n; c++) {
        double ratio = NAN;
        for (uint32_t k = 0; e->busy && k < e->busy->n; k++)
            ratio = strcmp(e->busy->names[k], busy->names[c]) == 0 ? own.ratios[k] : ratio;
        GRID_ADD(grid, cell_number(ratio, 0));
    }
    if (busy->n)
        GRID_ADD(grid, cell_text(text_or_empty(bound)), cell_number(unit_bytes_per_s(e, u), 0));
}

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

static void add_unit(cell_grid *grid, const roof_reconciled *e, const roof_unit *u, textbuf *names,
                     const busy_columns *busy, size_t n_own)
{
    char notes[200];
    view_notes(e, u, notes, sizeof notes);
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
    grid_add(grid, cells, n_own);
    add_busy(grid, e, u, busy);
}

/* A column more where some unit is executed several times. */
static size_t columns_for(const roof_reconciliation *r)
{
    for (uint32_t i = 0; i < r->n_experiments; i++)
        if (has_executions(&r->experiments[i]))
            return COLUMNS;
    return COLUMNS - 1;
}

/* The columns that there are, those of busy units with names of their own. NULL without memory. */
static const grid_column *all_columns(roof_arena *arena, size_t n_own, const busy_columns *busy, size_t *n)
{
    *n = n_own + (busy->n ? busy->n + 2 : 0);
    grid_column *all = NEW_ARRAY(arena, grid_column, *n);
    if (!all)
        return NULL;
    memcpy(all, columns, n_own * sizeof *all);
    for (uint32_t k = 0; k < busy->n; k++) {
        const char *name = arena_printf(arena, "busy_%s_ratio", busy->names[k]);
        if (!name)
            return NULL;
        all[n_own + k] = (grid_column)GRID_CSV(name);
    }
    if (busy->n) {
        all[*n - 2] = (grid_column)GRID_CSV("busy_bound");
        all[*n - 1] = (grid_column)GRID_CSV("bytes_per_s");
    }
    return all;
}

/* A row is written before the next one is made, so that a million of them need the memory of one. */
void reconcile_csv(const rendering *to)
{
    const roof_reconciliation *r = to->reconciliation;
    const busy_columns busy = busy_columns_of(r);
    size_t n_own = columns_for(r), n;
    const grid_column *all = all_columns(to->arena, n_own, &busy, &n);
    cell_grid grid;
    textbuf names;
    if (!all) {
        to->out->failed = true;
        return;
    }
    text_init(&names, TEXT_MAX_BYTES);
    grid_begin_csv(&grid, to->arena, all, n, to->out);
    keep_csv(to, &grid);
    for (uint32_t i = 0; i < r->n_experiments; i++)
        for (uint32_t k = 0; k < r->experiments[i].n_units; k++)
            add_unit(&grid, &r->experiments[i], &r->experiments[i].units[k], &names, &busy, n_own);
    put_csv_arranged(to, &grid, "measured_s");
    text_free(&names);
}
