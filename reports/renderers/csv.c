/* One row per layer, base units in the header (cycles, bytes, seconds), empty for what is not known. */
#include "reports/words/cells.h"
#include "reports/renderers/renderer.h"

#include <math.h>
#include <string.h>

#define N(table) (sizeof(table) / sizeof *(table))

GRID_COLUMNS(before_engines, GRID_CSV("index"), GRID_CSV("name"), GRID_CSV("subgraph"), GRID_CSV("type"),
             GRID_CSV("device"), GRID_CSV("shape"), GRID_CSV("macs"), GRID_CSV("ops_count"),
             GRID_CSV("workload_ops"), GRID_CSV("stored_workload_ops"), GRID_CSV("weights_bytes"),
             GRID_CSV("input_bytes"), GRID_CSV("output_bytes"), GRID_CSV("instruction_bytes"),
             GRID_CSV("total_bytes"), GRID_CSV("bytes_source"));
GRID_COLUMNS(behind_engines, GRID_CSV("ideal_cycles"), GRID_CSV("cycles_source"), GRID_CSV("bound"),
             GRID_CSV("ideal_s"), GRID_CSV("share_ratio"), GRID_CSV("utilisation_ratio"),
             GRID_CSV("intensity_ops_per_byte"), GRID_CSV("attainable_ops_per_s"),
             GRID_CSV("per_layer_bytes"), GRID_CSV("per_layer_ideal_s"), GRID_CSV("array_macs"),
             GRID_CSV("roof"), GRID_CSV("roof_ops_count"), GRID_CSV("repeat"), GRID_CSV("predicted_s"),
             GRID_CSV("share_of"));
enum { BEFORE = N(before_engines), BEHIND = N(behind_engines) };

static void set_columns(const roof_prediction *p, grid_column columns[], roof_arena *arena)
{
    memcpy(columns, before_engines, sizeof before_engines);
    memcpy(columns + BEFORE + p->n_engines, behind_engines, sizeof behind_engines);
    for (uint32_t e = 0; e < p->n_engines; e++)
        columns[BEFORE + e].csv = text_or_empty(arena_printf(arena, "%s_cycles", p->engines[e]));
}

static const char *basis_word(roof_basis basis, const char *formula)
{
    return basis == ROOF_BASIS_CODE      ? "mc_code"
           : basis == ROOF_BASIS_FILE    ? "file"
           : basis == ROOF_BASIS_FORMULA ? formula
                                         : "";
}

static grid_cell engine(const roof_prediction *p, uint32_t e)
{
    return cell_text(e == ROOF_NONE ? "" : p->engines[e]);
}

static void add_row(const roof_prediction *p, const roof_layer_prediction *l, cell_grid *grid)
{
    const roof_cost *c = &l->deployed;
    const roof_traffic *t = &c->traffic;
    double all = roof_layer_seconds(p, NULL);
    GRID_ADD(grid, cell_count(l->index), cell_text(l->name), cell_text(l->subgraph), cell_text(l->type),
             cell_text(l->device), cell_text(l->shape), cell_count(l->macs), cell_count(l->ops_count),
             cell_count(l->workload_ops), cell_count(l->stored_workload_ops), cell_count(t->weights_bytes),
             cell_count(t->input_bytes), cell_count(t->output_bytes), cell_count(t->instruction_bytes),
             cell_count(roof_traffic_total(t)), cell_text(basis_word(c->bytes_basis, "tensors")));
    for (uint32_t e = 0; e < p->n_engines; e++)
        GRID_ADD(grid, cell_count(c->cycles[e]));
    GRID_ADD(grid, cell_count(c->ideal_cycles), cell_text(basis_word(c->cycles_basis, "formula")),
             engine(p, c->bound), cell_number(c->ideal_s, 0),
             cell_number(all > 0 ? roof_layer_seconds(p, l) / all : NAN, 0),
             cell_number(l->utilisation_ratio, 0), cell_number(l->intensity_ops_per_byte, 0),
             cell_number(l->attainable_ops_per_s, 0),
             cell_count(l->has_alone ? roof_traffic_total(&l->alone.traffic) : ROOF_UNKNOWN),
             cell_number(l->has_alone ? l->alone.ideal_s : NAN, 0), cell_count(l->array_macs),
             engine(p, l->roof), cell_count(l->roof_ops_count), cell_count(l->repeat),
             cell_number(l->predicted_s, 0), cell_text(roof_is_expected(p) ? "predicted" : "ideal"));
}

static void put_prediction(const rendering *r)
{
    const roof_prediction *p = r->prediction;
    grid_column columns[BEFORE + ROOF_MAX_ENGINES + BEHIND] = {{0}};
    cell_grid grid;
    set_columns(p, columns, r->arena);
    grid_begin_csv(&grid, r->arena, columns, (size_t)BEFORE + p->n_engines + BEHIND, r->out);
    keep_csv(r, &grid);
    for (uint32_t i = 0; i < p->n_layers; i++)
        add_row(p, &p->layers[i], &grid);
    put_csv_arranged(r, &grid, roof_is_expected(p) ? "predicted_s" : "ideal_s");
}

const renderer_def renderer_csv = {
    "csv", false, {put_prediction, inspect_csv, reconcile_csv, compare_csv, checks_csv}, .has_tables = true};
