/* How busy the units of an accelerator were: of the whole, by kind of layer, layer by layer. */
#include "core/quantity.h"
#include "measure/units/unit_facts.h"
#include "reports/tables/reconcile/reconcile_view.h"

#include <math.h>

enum { BEFORE = 4, BEHIND = 2 }; /* columns around those of the units */

static grid_cell percent(double ratio)
{
    return cell_number(100 * ratio, 1);
}

static grid_cell share(const roof_busy_type *busy, roof_busy_bound bound, double whole_s)
{
    return percent(quotient_of(busy->bound_s[bound], whole_s));
}

static grid_cell bound_cell(roof_busy_bound bound)
{
    return cell_text(text_or_empty(roof_busy_bound_text(bound)));
}

/* "conv 57.1 %, load 45.2 %" */
void view_busy_lines(const roof_reconciled *e, remarks *lines)
{
    const roof_busy *b = e->busy;
    const char *list = "";
    if (!b)
        return;
    for (uint32_t k = 0; k < b->n; k++)
        list = say_more(lines->arena, list, "%s %s", b->names[k],
                        say_percent(lines->arena, b->whole.busy.ratios[k]));
    remarks_add(lines, "units busy", "%s of all cycles; they work at the same time", list);
    if (b->n_left_out)
        remarks_add(lines, "units", "%u more are not shown", b->n_left_out);
}

/* Columns before those of the units, these, and columns behind them. NULL without memory. */
static void begin(cell_grid *grid, const roof_busy *b, const grid_column *before, const grid_column *behind,
                  roof_arena *arena)
{
    grid_column *own = NEW_ARRAY(arena, grid_column, (size_t)b->n + BEFORE + BEHIND);
    for (uint32_t i = 0; own && i < BEFORE; i++)
        own[i] = before[i];
    for (uint32_t k = 0; own && k < b->n; k++)
        own[BEFORE + k] = (grid_column)GRID_NUMBER(b->names[k], "[%]", 0);
    for (uint32_t i = 0; own && i < BEHIND; i++)
        own[BEFORE + b->n + i] = behind[i];
    grid_begin(grid, arena, own, (size_t)b->n + BEFORE + BEHIND);
}

static void add_ratios(cell_grid *grid, const roof_busy *b, const roof_busy_ratios *busy)
{
    for (uint32_t k = 0; k < b->n; k++)
        GRID_ADD(grid, percent(busy->ratios[k]));
}

/* --- by kind of layer --------------------------------------------------------------------------------- */

void view_busy_types(const roof_reconciled *e, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(before, GRID_NAME("kind", 0), GRID_NUMBER("layers", NULL, 1), GRID_NUMBER("time", "[ms]", 0),
                 GRID_NUMBER("share", "[%]", 0));
    GRID_COLUMNS(behind, GRID_NUMBER("memory-bound", "[%]", 0), GRID_NUMBER("compute-bound", "[%]", 0));
    const roof_busy *b = e->busy;
    begin(grid, b, before, behind, arena);
    for (uint32_t t = 0; t < e->n_types; t++) {
        const roof_type_share *type = &e->types[t];
        const roof_busy_type *busy = &b->types[t];
        GRID_ADD(grid, cell_text(type->type), cell_number(type->layers, 0),
                 cell_number(type->measured_s * 1e3, 3), percent(type->time_share_ratio));
        add_ratios(grid, b, &busy->busy);
        double known_s = type->measured_s - busy->bound_s[ROOF_BUSY_UNKNOWN];
        bool is_known = known_s > 1e-9 * type->measured_s; /* more than rounding */
        GRID_ADD(grid, share(busy, ROOF_BUSY_MEMORY, is_known ? type->measured_s : NAN),
                 share(busy, ROOF_BUSY_COMPUTE, is_known ? type->measured_s : NAN));
    }
}

/* --- layer by layer ------------------------------------------------------------------------------------- */

double unit_bytes_per_s(const roof_reconciled *e, const roof_unit *u)
{
    double measured, predicted;
    roof_unit_bytes(e, u, &measured, &predicted);
    return quotient_of(measured, u->measured_s);
}

uint32_t view_busy(const roof_reconciled *e, uint32_t most, name_prefixes prefix, cell_grid *grid,
                   roof_arena *arena)
{
    GRID_COLUMNS(before, GRID_NAME("layer", 0), GRID_TEXT("type", 1), GRID_NUMBER("measured", "[ms]", 0),
                 GRID_NUMBER("share", "[%]", 2));
    GRID_COLUMNS(behind, GRID_NUMBER("memory", "[GB/s]", 1), GRID_TEXT("bound by", 0));
    double *times = NEW_ARRAY(arena, double, e->n_units);
    for (uint32_t i = 0; times && i < e->n_units; i++)
        times[i] = e->units[i].measured_s;
    const bool *shown = mark_largest(arena, times, e->n_units, most);
    begin(grid, e->busy, before, behind, arena);
    for (uint32_t i = 0; i < e->n_units; i++) {
        const roof_unit *u = &e->units[i];
        if (shown && !shown[i])
            continue;
        roof_busy_ratios busy = roof_unit_busy(e, u);
        GRID_ADD(grid, cell_text(name_without(prefix, u->name)), cell_text(u->type ? u->type : ""),
                 cell_number(u->measured_s * 1e3, 3), percent(roof_unit_share(e, u)));
        add_ratios(grid, e->busy, &busy);
        GRID_ADD(grid, cell_number(unit_bytes_per_s(e, u) / 1e9, 2), bound_cell(busy.bound));
    }
    return shown ? e->n_units - most : 0;
}
