#include "reports/tables/reconcile/reconcile_view.h"
#include "core/quantity.h"

#include <math.h>

#define N(table) (sizeof(table) / sizeof *(table))

/* ---- lines ---- */

/* "64.8" of something that may not be known. */
static const char *figure(const remarks *r, double value)
{
    return say_number(r->arena, value, 1);
}

/* ", 64.8 inferences/s"; nothing where it is not known. */
static const char *rate(const remarks *r, double per_s)
{
    return isnan(per_s) ? "" : text_or_empty(arena_printf(r->arena, ", %.1f inferences/s", per_s));
}

static const char *whose(const roof_epochs *e)
{
    return e->is_part ? "the epochs that are listed: " : "";
}

static void add_compiler(const roof_epochs *e, remarks *r)
{
    const roof_measured_epoch *t = &e->total;
    if (t->vendor_cycles != ROOF_UNKNOWN)
        remarks_add(r, "compiler", "%s%s cycles%s, %s GOPS; by computing alone %s cycles%s, %s GOPS",
                    whose(e), say_count(r->arena, t->vendor_cycles), rate(r, e->vendor_inferences_per_s),
                    figure(r, t->vendor_ops_per_s / 1e9), say_count(r->arena, t->compute_cycles),
                    rate(r, e->ideal_inferences_per_s), figure(r, t->ideal_ops_per_s / 1e9));
}

static void add_measured(const roof_epochs *e, remarks *r)
{
    const roof_measured_epoch *t = &e->total;
    const char *cycles = t->npu_total_cycles == ROOF_UNKNOWN ? "?" : say_count(r->arena, t->npu_total_cycles);
    const char *ops = "";
    if (!isnan(t->measured_ops_per_s))
        ops = text_or_empty(arena_printf(r->arena, "; %s GOPS, %s in core phases",
                                         figure(r, t->measured_ops_per_s / 1e9),
                                         figure(r, t->core_ops_per_s / 1e9)));
    remarks_add(r, "measured", "%s%s%s; %s NPU cycles%s, %s %% of the time in core phases%s", whose(e),
                say_quantity(r->arena, t->total_s, "s"), rate(r, e->measured_inferences_per_s), cycles,
                t->npu_total_is_converted ? " (outside core phases converted)" : "",
                figure(r, 100 * quotient_of(t->core_s, t->total_s)), ops);
}

static void add_computing(const roof_epochs *e, remarks *r)
{
    const roof_measured_epoch *t = &e->total;
    const char *error = "";
    if (isnan(t->compute_ratio))
        return;
    if (!isnan(t->vendor_error_ratio))
        error = text_or_empty(arena_printf(r->arena, "; the compiler %sestimates the core's cycles by %s %%",
                                           t->vendor_error_ratio < 0 ? "under" : "over",
                                           say_number(r->arena, 100 * fabs(t->vendor_error_ratio), 2)));
    remarks_add(r, "computing", "takes %s %% of all cycles, %s %% of those in core phases%s",
                say_number(r->arena, 100 * t->compute_ratio, 2),
                say_number(r->arena, 100 * t->core_compute_ratio, 2), error);
}

void view_epoch_lines(const roof_epochs *e, remarks *r)
{
    add_compiler(e, r);
    add_measured(e, r);
    add_computing(e, r);
    if (e->converted)
        remarks_add(r, "clocks",
                    "NPU cycles outside the core phases of %u epoch%s are converted from the host's, %s to "
                    "%s MHz; the "
                    "NPU's own counters say a little more",
                    e->converted, say_plural(e->converted), say_number(r->arena, e->mcu_hz / 1e6, 0),
                    say_number(r->arena, e->npu_hz / 1e6, 0));
}

/* ---- tables ---- */

void view_epoch_types(const roof_epochs *e, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_NAME("epochs", 0), GRID_NUMBER("number", NULL, 0),
                 GRID_NUMBER("time", "[ms]", 0), GRID_NUMBER("share", "[%]", 0),
                 GRID_NUMBER("outside core", "[ms]", 0), GRID_NUMBER("each", "[us]", 0));
    grid_begin(grid, arena, columns, N(columns));
    for (uint32_t i = 0; i < e->n_types; i++) {
        const roof_epoch_type *t = &e->types[i];
        GRID_ADD(grid, cell_text(t->type), cell_number(t->n, 0), cell_number(t->total_s * 1e3, 3),
                 cell_number(t->time_share_ratio * 100, 1), cell_number(t->outside_core_s * 1e3, 3),
                 cell_number(t->outside_core_s / t->n * 1e6, 1));
    }
}

static bool flows(const roof_flow *f)
{
    return f->read_bytes != ROOF_UNKNOWN || f->write_bytes != ROOF_UNKNOWN;
}

static void add_flow(cell_grid *grid, const roof_flow *f)
{
    GRID_ADD(grid, cell_text(f->name), cell_number(known_count(f->read_bytes) * 1e-3, 1),
             cell_number(known_count(f->write_bytes) * 1e-3, 1), cell_number(f->peak_bytes_per_s * 1e-6, 2),
             cell_number(f->average_bytes_per_s * 1e-6, 2), cell_number(f->use_ratio * 100, 1));
}

void view_epoch_flows(const roof_epochs *e, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_NAME("memory or bus", 0), GRID_NUMBER("read", "[kB]", 0),
                 GRID_NUMBER("written", "[kB]", 0), GRID_NUMBER("peak", "[MB/s]", 0),
                 GRID_NUMBER("average", "[MB/s]", 0), GRID_NUMBER("of its rate", "[%]", 1));
    const roof_measured_epoch *t = &e->total;
    grid_begin(grid, arena, columns, N(columns));
    for (uint32_t i = 0; i < t->n_pools; i++)
        add_flow(grid, &t->pools[i]);
    if (t->n_pools > 1)
        add_flow(grid, &t->all_pools);
    for (int i = 0; i < ROOF_BUS_INTERFACES; i++)
        if (flows(&t->buses[i]))
            add_flow(grid, &t->buses[i]);
    if (flows(&t->all_buses))
        add_flow(grid, &t->all_buses);
}

static void add_epoch(cell_grid *grid, const roof_epochs *all, const roof_measured_epoch *e)
{
    GRID_ADD(grid, cell_text(e->name), cell_text(e->type ? e->type : ""), cell_number(e->total_s * 1e6, 1),
             cell_number(e->time_share_ratio * 100, 1));
    for (int phase = 0; phase < ROOF_EPOCH_PHASES; phase++)
        GRID_ADD(grid, cell_number(known_count(e->mcu_cycles[phase]) / all->mcu_hz * 1e6, 1));
    GRID_ADD(
        grid, cell_number(e->core_s * all->npu_hz * 1e-3, 1),
        cell_number(known_count(e->vendor_cycles) * 1e-3, 1), cell_signed(100 * e->vendor_error_ratio, 2),
        cell_number(e->compute_ratio * 100, 2), cell_number(e->core_compute_ratio * 100, 2),
        cell_number(e->ideal_ops_per_s * 1e-9, 1), cell_number(e->core_ops_per_s * 1e-9, 1),
        cell_number(e->measured_ops_per_s * 1e-9, 1), cell_number(e->all_buses.peak_bytes_per_s * 1e-9, 2),
        cell_number(e->busiest_stream_ratio * 100, 1),
        e->nearest ? cell_text(arena_printf(grid->arena, "%s %.0f %%", e->nearest, 100 * e->nearest_ratio))
                   : cell_empty);
}

uint32_t view_epochs(const roof_epochs *e, uint32_t most, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(
        columns, GRID_NAME("epoch", 0), GRID_TEXT("type", 2), GRID_NUMBER("time", "[us]", 0),
        GRID_NUMBER("share", "[%]", 4), GRID_NUMBER("pre", "[us]", 3), GRID_NUMBER("core", "[us]", 1),
        GRID_NUMBER("post", "[us]", 3), GRID_NUMBER("core", "[kcyc]", 0),
        GRID_NUMBER("compiler", "[kcyc]", 1), GRID_NUMBER("error", "[%]", 1),
        GRID_NUMBER("compute", "[%]", 2), GRID_NUMBER("of core", "[%]", 1), GRID_NUMBER("ideal", "[GOPS]", 5),
        GRID_NUMBER("core", "[GOPS]", 6), GRID_NUMBER("measured", "[GOPS]", 5),
        GRID_NUMBER("bus", "[GB/s]", 4), GRID_NUMBER("stream", "[%]", 7), GRID_NOTE("nearest its peak", 1));
    double *times = NEW_ARRAY(arena, double, e->n_rows);
    for (uint32_t i = 0; times && i < e->n_rows; i++)
        times[i] = e->rows[i].total_s;
    const bool *shown = mark_largest(arena, times, e->n_rows, most);
    grid_begin(grid, arena, columns, N(columns));
    for (uint32_t i = 0; i < e->n_rows; i++)
        if (!shown || shown[i])
            add_epoch(grid, e, &e->rows[i]);
    return shown ? e->n_rows - most : 0;
}
