/* reports/tables/reconcile/reconcile_view.h - a reconciliation as tables and lines; shared by the text and Markdown renderers. */
#ifndef ROOF_REPORTS_RECONCILE_VIEW_H
#define ROOF_REPORTS_RECONCILE_VIEW_H

#include "core/json/jsonout.h"
#include "reports/words/cells.h"
#include "roofline/calibration.h"
#include "roofline/reconcile.h"

/* Times of a page in one unit. */
typedef struct time_scale {
    double factor;
    const char *unit; /* "[ms]" */
    int digits;       /* behind the point */
} time_scale;
time_scale time_scale_of(const roof_reconciliation *r);
grid_cell time_cell(time_scale s, double seconds);

/* Begins a grid whose columns with this unit get that of the scale. Returns them; NULL without memory. */
extern const char unit_of_times[];
grid_column *begin_times(cell_grid *grid, const grid_column *columns, size_t n, time_scale s,
                         roof_arena *arena);

/* One row a model: totals of both modes, estimate, error, ideal. */
void view_models(const roof_reconciliation *r, cell_grid *grid, roof_arena *arena);

/* What costs time in all experiments; most: causes; 0: all. */
void view_causes(const roof_reconciliation *r, uint32_t most, remarks *lines);

/* One row a line that was fitted; empty when none is known. */
void view_fits(const roof_reconciliation *r, cell_grid *grid, roof_arena *arena);

/* One row for each inference that is attributed: shares of ideal, overhead, gap, host, and what is left. repeats_names: also
 * where the row above has the same, from which sorting may part it. */
void view_where(const roof_reconciliation *r, bool repeats_names, cell_grid *grid, roof_arena *arena);

/* One row a unit, and the sums. most: rows at most, the largest measured times in the order of execution; 0: all of them.
 * prefix: what to leave out at the beginning of names; length 0 for whole names.
 * Returns how many units were left out. */
uint32_t view_units(const roof_reconciliation *r, const roof_reconciled *e, uint32_t most,
                    name_prefixes prefix, cell_grid *grid, roof_arena *arena);

/* "net"; where there are several kinds of hardware "net on kv260". */
const char *name_on_hardware(const roof_reconciliation *r, const roof_reconciled *e, roof_arena *arena);

/* What there is to say of an experiment beside its table: phases, kinds of layers, bytes, the split, the correction; in Markdown without
 * bytes and correction, which tables have; briefly without the split either. */
typedef enum line_scope { LINES_ALL, LINES_OF_MARKDOWN, LINES_BRIEF } line_scope;
void view_lines(const roof_reconciliation *r, const roof_reconciled *e, line_scope scope, remarks *lines);

/* The names of the layers that the profile does not list, of which only the sum is known; all of them, or the first. */
void view_absent(const roof_reconciled *e, name_prefixes prefix, bool all, remarks *lines);

/* One row a parameter: value, interval, prior, whether the data determine it. */
void view_calibration(const roof_calibration *c, cell_grid *grid, roof_arena *arena);

/* What the calibration rests on, and how far off it is when a model is left out. */
const char *view_calibration_line(const roof_calibration *c, roof_arena *arena);

/* The engine that binds a unit, or "". */
const char *unit_bound(const roof_reconciled *e, const roof_unit *u);

/* The names of the rows of a unit as an array; the index of a row that has none. */
void put_row_names(jsonout *json, const char *key, const roof_reconciled *e, const roof_unit *u);

/* Words for the notes of a unit, "one outlier; printed rate is rounded". */
void view_notes(const roof_reconciled *e, const roof_unit *u, char *text, size_t size);

/* ---- run_lines.c ---- */

/* What few runs tell: how fast a loop of inferences is and whether it drifts, what was done once, what writing the weights again
 * would take, what the tiles of an array did. A part of view_lines. */
void view_run_lines(const roof_reconciliation *r, const roof_reconciled *e, bool is_brief, remarks *lines);

/* ---- times_view.c: whole inferences ---- */

/* One row a model and mode: mean, percentiles, extremes and deviation, inferences and operations per second; layer by layer also
 * what that adds to time and deviation, and for each boundary. */
void view_times(const roof_reconciliation *r, cell_grid *grid, roof_arena *arena);

/* A line a model: how many of its inferences take no longer. */
void view_deadline(const roof_reconciliation *r, double deadline_s, remarks *lines);

/* One row a part of a time, with a bar that begins where that of the part before it ends. title: of the first column. */
void view_waterfall(const roof_attribution *a, const char *title, bool is_ascii, cell_grid *grid,
                    roof_arena *arena);

/* ---- busy_view.c: how busy units of the accelerator were; all but the lines and the rate for e->busy only ---- */

/* Of the whole; a part of view_lines. */
void view_busy_lines(const roof_reconciled *e, remarks *lines);

/* One row a kind of layer: its time, the ratios of the units, which share of the time memory and computing bind. */
void view_busy_types(const roof_reconciled *e, cell_grid *grid, roof_arena *arena);

/* One row a unit of the reconciliation: its time, the ratios, external traffic over time, which kind is busiest. most: as of
 * view_units. Returns how many were left out. */
uint32_t view_busy(const roof_reconciled *e, uint32_t most, name_prefixes prefix, cell_grid *grid,
                   roof_arena *arena);

/* External traffic as the profile counts it over the time of a unit; NaN where either is not known. */
double unit_bytes_per_s(const roof_reconciled *e, const roof_unit *u);

/* ---- row_times_view.c: rows as they were timed ---- */

/* One row a row of the profile that says more than a mean: of one call its deviation and extremes, copies and bytes in it, and the
 * rate of all its operations. most: as of view_units. Returns how many were left out. */
uint32_t view_row_times(const roof_reconciliation *r, const roof_reconciled *e, uint32_t most,
                        name_prefixes prefix, cell_grid *grid, roof_arena *arena);

/* Whether some row tells copies from the accelerator's work. */
bool has_buffer_times(const roof_reconciled *e);

/* ---- energy_view.c ---- */

/* What an inference takes of energy; nothing where nothing tells. A part of view_lines. */
void view_energy_line(const roof_reconciled *of, remarks *lines);

/* One row an experiment with an energy, models and what is covered together, and of these the best first; empty for fewer
 * than two. */
void view_energies(const roof_reconciliation *r, cell_grid *grid, roof_arena *arena);

/* ---- epoch_view.c: the epochs of a Neural-ART ---- */

/* What the compiler expected, what was measured, the share of computing, what was converted. */
void view_epoch_lines(const roof_epochs *e, remarks *r);

/* One row a type of epoch: how many, their time, what of it the units do not work. */
void view_epoch_types(const roof_epochs *e, cell_grid *grid, roof_arena *arena);

/* One row a pool and a bus of the whole inference; empty when no bytes are known. */
void view_epoch_flows(const roof_epochs *e, cell_grid *grid, roof_arena *arena);

/* One row an epoch. most: rows at most, the longest in the order of execution; 0: all. Returns how many were left out. */
uint32_t view_epochs(const roof_epochs *e, uint32_t most, cell_grid *grid, roof_arena *arena);

/* ---- epoch_counts.c: what was counted of them ---- */

/* Tables of what was counted, each empty where nothing was. */
typedef enum epoch_table {
    EPOCH_CYCLES,  /* of both clocks by phase, and the core's beside estimate and ideal */
    EPOCH_STREAMS, /* one row a stream engine and direction */
    EPOCH_BURSTS,  /* one row a bus interface and direction */
    EPOCH_CACHES,  /* one row a direction of the cache */
    EPOCH_POOLS,   /* one row a memory pool or bus interface: bytes and rates */
    EPOCH_WORK,    /* operations, and the units that they need, as the compiler planned them */
    EPOCH_TABLES
} epoch_table;

/* The longest epochs, then all of them together. most: epochs at most; 0: only all together. Returns how many rows those take, at
 * the end. */
size_t view_epoch_table(const roof_epochs *e, epoch_table which, uint32_t most, cell_grid *grid,
                        roof_arena *arena);

/* The count of a counter of an epoch, or ROOF_UNKNOWN; of a bus by bursts of 1, 2, 4 and 8 beats; of the cache hits, misses, misses of
 * allocation, and evictions or write-throughs: false where none is known. */
uint64_t epoch_count(const roof_measured_epoch *e, roof_event counter);
void epoch_bursts(const roof_measured_epoch *e, uint32_t bus, roof_counter_direction way, uint64_t counts[4]);
bool epoch_cache(const roof_measured_epoch *e, roof_counter_direction way, uint64_t counts[4]);

/* What a stream engine did in one direction. interface: ST's profiler has engines below 5 at the first bus interface. */
typedef struct stream_use {
    uint32_t engine, interface;
    roof_counter_direction way;
    uint64_t cycles; /* in which it was active; ROOF_UNKNOWN: that was not counted */
    const char
        *buffers;  /* with their bytes, "npuRAM5:12544, octoFlash:8", "" for none; NULL without memory */
    uint32_t next; /* private */
} stream_use;

/* The next of which something is known; false behind the last. *use begins as {0}. */
bool next_stream(const roof_measured_epoch *e, stream_use *use, roof_arena *arena);

#endif
