/* reports/tables/reconcile/reconcile_tables.h - tables, lines and members of JSON of a reconciliation. Those
 * of an experiment have no rows where it has nothing of the kind. */
#pragma once

#include "core/json/jsonout.h"
#include "reports/words/prediction_tables.h"
#include "roofline/calibration.h"
#include "roofline/reconcile.h"

typedef struct reconcile_scope {
    const roof_reconciliation *r;
    const roof_reconciled *e; /* the experiment; NULL: all of them */
    name_prefixes prefix;     /* left out of names; length 0: whole names */
    uint32_t most;            /* rows, those of the largest time in the order of execution; 0: all of them */
    bool is_page;             /* sorting may part a row from the one above, so that it has no dittos */
    bool is_ascii;
    roof_arena *arena;
} reconcile_scope;

/* A table that is declared once, for terminals, Markdown and pages. */
typedef void reconcile_view(const reconcile_scope *s, cell_grid *grid);

/* A table of a page. */
typedef struct reconcile_table {
    const char *id, *caption;
    reconcile_view *view;
    const char *bar;    /* the column with bars; NULL: none */
    const char *filter; /* "filter layers"; NULL: it has few rows */
} reconcile_table;

/* Begins a table whose times are in one unit on the whole page. */
void reconcile_begin(const reconcile_scope *s, cell_grid *grid, const grid_column *columns, size_t n);

/* "net"; where there are several kinds of hardware "net on kv260". */
const char *reconcile_name_on_hardware(const roof_reconciliation *r, const roof_reconciled *e,
                                       roof_arena *arena);

/* ---- all experiments ---- */

/* One row a model: totals of both modes, estimate, error, ideal. */
reconcile_view reconcile_view_models;

/* One row a line that was fitted; empty when none is known. */
reconcile_view reconcile_view_fits;

/* One row for each inference that is attributed: shares of ideal, overhead, gap, host, and what is left. */
reconcile_view reconcile_view_where;

/* One row a model and mode: mean, percentiles, extremes and deviation, inferences and operations per second;
 * layer by layer also what that adds to time and deviation, and for each boundary. */
reconcile_view reconcile_view_times;

/* One row an experiment with an energy, by model and scope, the best first; empty for fewer than two. */
reconcile_view reconcile_view_energies;
reconcile_view reconcile_view_loads; /* no rows where no run is of mode load */

/* One row a part of a time, with a bar that begins where the last one ends. title: of the first column. */
void reconcile_view_waterfall(const roof_attribution *a, const char *title, bool is_ascii, cell_grid *grid,
                              roof_arena *arena);

/* One row a parameter: value, interval, prior, whether the data determine it. */
void reconcile_view_calibration(const roof_calibration *c, cell_grid *grid, roof_arena *arena);

/* ---- what there is to say beside tables ---- */

/* Lines of an experiment: phases, kinds of layers, bytes, the split, the correction; in Markdown without
 * bytes and correction, which tables have; briefly without the split either. */
typedef enum line_scope { LINES_ALL, LINES_OF_MARKDOWN, LINES_BRIEF } line_scope;
void reconcile_view_lines(const roof_reconciliation *r, const roof_reconciled *e, line_scope scope,
                          remarks *lines);

/* The layers that the profile does not list, of which only the sum is known; all, or the first. */
void reconcile_view_absent(const roof_reconciled *e, name_prefixes prefix, bool all, remarks *lines);

/* Lines on what costs time in all experiments; most: causes; 0: all. */
void reconcile_view_causes(const roof_reconciliation *r, uint32_t most, remarks *lines);

/* A line a model: how many of its inferences take no longer. */
void reconcile_view_deadline(const roof_reconciliation *r, double deadline_s, remarks *lines);

/* ---- layers: one table of columns for terminals, Markdown, CSV, JSON and pages ---- */

/* One row a match, and the sums. */
reconcile_view reconcile_view_matches;

/* The list "layers" of an experiment. */
void matches_put_json(jsonout *json, const roof_reconciled *e);

/* Puts the statistics of repetitions, where more is known of them than a mean; nothing else, and of NULL. */
void reconcile_put_statistics(jsonout *json, const char *key, const roof_times *times);

/* The bottleneck of a match, or "". */
const char *match_bound(const roof_reconciled *e, const roof_match *u);

/* Words for the notes of a match, "one outlier; rate is rounded". */
void match_notes(const roof_reconciled *e, const roof_match *u, char *text, size_t size);

/* The names of the rows of a match as an array; the index of a row that has none. */
void reconcile_put_row_names(jsonout *json, const char *key, const roof_reconciled *e, const roof_match *u);

/* One row a row of the profile that says more than a mean: of one call its deviation and extremes, copies and
 * bytes in it, and the rate of all its operations. */
reconcile_view reconcile_view_row_times;

/* Rates by stage of the network, the size of outputs, in order of execution. Empty where there is one. */
reconcile_view reconcile_view_stages;

/* One row for each of the equal parts of an inference that the profile times, such as the layers of a
 * language model, with what is expected of one. Empty where it times none. */
reconcile_view reconcile_view_blocks;

/* True if some row separates copies from the accelerator's work. */
bool reconcile_has_buffer_times(const roof_reconciled *e);

/* ---- how busy units of an accelerator were: all but the line and the rate for e->busy only ---- */

/* One line on the whole. */
void busy_add_line(const roof_reconciled *e, remarks *lines);

/* One row a layer type: time, ratios of units, shares that memory and computing limit. */
reconcile_view busy_view_types;

/* One row a match of the reconciliation: time, ratios, external traffic, the busiest kind. */
reconcile_view busy_view_matches;

/* One row a kernel whose profile has rates that are no share of the time: hits, occupancy, what it waits for.
 * No rows: none has. */
reconcile_view busy_view_rates;

/* External traffic as the profile counts it over the time of a match; NaN where either is unknown. */
double busy_unit_bytes_per_s(const roof_reconciled *e, const roof_match *u);

void busy_put_json(jsonout *json, const roof_reconciled *e);
/* Members of a match: its units, and rates where it has some. */
void busy_put_match_json(jsonout *json, const roof_reconciled *e, const roof_match *u);

/* ---- measured times of language models over their context ---- */

/* One row a measured time: its bound, what is expected, and the line of its curve. */
reconcile_view timed_view_points;

/* One row a curve: its constants, and the parts of a step. */
reconcile_view timed_view_lines;

/* One row for what grew along a curve, and from one curve to the next of its model. */
reconcile_view timed_view_growths;

/* One row a constant of a stack, and one row a model that it is fitted to. */
reconcile_view timed_view_constants;
reconcile_view timed_view_models;

/* `curves`, `growths` and `stack_fits` of a reconciliation; left out where there are none. */
void timed_put_json(jsonout *json, const roof_reconciliation *r, roof_arena *arena);

/* One row a measured time. True: that is what the document has, since nothing in it is timed by layers. */
bool timed_put_csv(const roof_reconciliation *r, roof_arena *arena, textbuf *out);
