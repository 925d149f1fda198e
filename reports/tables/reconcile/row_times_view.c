/* The rows of a profile as they were timed: how often, how they scatter, what copies took of them. */
#include "core/quantity.h"
#include "measure/profile/counter.h"
#include "measure/profile/profile.h"
#include "measure/units/unit_facts.h"
#include "reports/tables/reconcile/reconcile_view.h"

#include <math.h>

#define BYTES_PER_MIB 1048576.0

static double buffer_events(const roof_measured_layer *row, roof_counter_direction direction,
                            roof_counter_quantity quantity)
{
    const roof_event wanted = {.scope = ROOF_COUNTER_BUFFER, .direction = direction, .quantity = quantity};
    const roof_layer_counters *c = row->counters;
    return c ? known_count(counter_find(c->events, c->n_events, &wanted)) : NAN;
}

bool has_buffer_times(const roof_reconciled *e)
{
    bool has = false;
    for (uint32_t i = 0; e->layer_run && i < e->layer_run->n_layers && !has; i++) {
        const roof_layer_counters *c = e->layer_run->layers[i].counters;
        has = c && (c->write_s >= 0 || c->run_s >= 0 || c->read_s >= 0);
    }
    return has;
}

/* What has a mean and nothing else is in the other table. */
static bool is_told(const roof_measured_layer *row)
{
    const roof_times *t = &row->time;
    const roof_layer_counters *c = row->counters;
    return t->std_s >= 0 || t->min_s >= 0 || t->max_s >= 0 || (c && (c->write_s >= 0 || c->run_s >= 0));
}

static void add_row(time_scale s, const roof_reconciled *e, const roof_unit *u, const char *name,
                    cell_grid *grid)
{
    const roof_measured_layer *row = unit_row(e, u, 0);
    const roof_layer_counters unknown = layer_counters_unknown(),
                              *c = row->counters ? row->counters : &unknown;
    double written = buffer_events(row, ROOF_COUNTER_WRITE, ROOF_COUNTER_BYTES);
    double count = row->time.count == ROOF_UNKNOWN ? (double)NAN : (double)row->time.count;
    double rate = quotient_of(roof_unit_ops(e, u), u->measured_s);
    GRID_ADD(grid, cell_text(name), cell_number(row_executions(row), 0), cell_number(count, 0),
             time_cell(s, row_time_s(e->layer_run, row)), time_cell(s, row->time.std_s),
             time_cell(s, row->time.min_s), time_cell(s, row->time.max_s), time_cell(s, c->write_s),
             time_cell(s, c->run_s), time_cell(s, c->read_s), cell_number(written / BYTES_PER_MIB, 1),
             cell_number(buffer_events(row, ROOF_COUNTER_READ, ROOF_COUNTER_PIECES), 0),
             cell_number(rate / 1e9, 1));
}

uint32_t view_row_times(const roof_reconciliation *r, const roof_reconciled *e, uint32_t most,
                        name_prefixes prefix, cell_grid *grid, roof_arena *arena)
{
    GRID_COLUMNS(columns, GRID_NAME("one call of", 0), GRID_NUMBER("calls", NULL, 5),
                 GRID_NUMBER("repeated", NULL, 6), GRID_NUMBER("mean", unit_of_times, 0),
                 GRID_NUMBER("deviation", unit_of_times, 1), GRID_NUMBER("min", unit_of_times, 2),
                 GRID_NUMBER("max", unit_of_times, 2), GRID_NUMBER("write", unit_of_times, 1),
                 GRID_NUMBER("run", unit_of_times, 1), GRID_NUMBER("read", unit_of_times, 1),
                 GRID_NUMBER("written", "[MiB]", 3), GRID_NUMBER("read back", "[buffers]", 7),
                 GRID_NUMBER("rate", "[GOP/s]", 1));
    time_scale s = time_scale_of(r);
    uint32_t left_out = 0, n = 0;
    begin_times(grid, columns, sizeof columns / sizeof *columns, s, arena);
    for (uint32_t i = 0; i < e->n_units; i++) {
        const roof_unit *u = &e->units[i];
        if (u->n_rows != 1 || u->is_unlisted || !is_told(unit_row(e, u, 0)))
            continue;
        if (most && n == most)
            left_out++;
        else if (++n)
            add_row(s, e, u, name_without(prefix, u->name), grid);
    }
    return left_out;
}
