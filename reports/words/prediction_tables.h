/* reports/words/prediction_tables.h - a prediction as tables and lines for people, and what its layers are
 * called there.
 *
 * Units: as in the headers. A dash is a zero that says "does not use this"; "?" is a value that is unknown.
 * Ownership: texts and columns belong to the arena of the table or of the lines.
 */
#pragma once

#include "core/table/grid.h"
#include "reports/words/say.h"
#include "roofline/prediction.h"
#include "roofline/render.h"

/* ---- names ---- */

/* The beginning that the names of all layers share, up to a separator, so that it need not be repeated; text
 * is borrowed and goes on behind length. length is 0 when it is too little to matter. The CPU's layers, and
 * rows that are no layer, need not have it. */
typedef struct name_prefixes {
    const char *text;
    size_t length;
} name_prefixes;

/* p may be NULL. */
name_prefixes prediction_name_prefix(const roof_prediction *p);

/* The name without it, where it has it and goes on behind it. */
const char *prediction_name_without(name_prefixes prefix, const char *name);

/* The line below a table that says what was left out of its names; nothing where that is nothing. */
void prediction_put_prefix(textbuf *out, name_prefixes prefix);

/* ---- tables ---- */

typedef struct layers_view {
    bool details; /* shape and intensity too */
    /* what a review asks first comes first, so that it is seen where the table is wider than the screen */
    bool is_page;
    bool has_bars;        /* of equal signs, for terminals; and colours */
    name_prefixes prefix; /* left out of names */
    /* rows, those of the largest time, expected or else ideal, in the order of execution; 0: all */
    uint32_t most;
    const char *mark; /* for people: what stands in the row of marked_layer, such as "peak"; NULL: nothing */
    uint32_t marked_layer;
    textbuf *csv; /* NULL: for people */
    bool is_kept; /* rows of CSV are kept until they are sorted */
} layers_view;

/* One row a layer; for people also what is expected beside the layers, and the total. */
void prediction_view_layers(const roof_prediction *p, const layers_view *view, cell_grid *grid,
                            roof_arena *arena);

/* A table of what each engine of a part of the schedule does, in parts of that part's time: busy, waiting for
 * another one, done before the end, and its share of the critical path. */
void prediction_view_schedule(const roof_prediction *p, uint32_t part, cell_grid *grid, roof_arena *arena);

/* "subgraph_1: at best 1.2 ms"; NULL where the part is the only one. */
const char *prediction_schedule_heading(const roof_prediction *p, uint32_t part, roof_arena *arena);

/* The time as it is, and with each change that was replayed. No rows where nothing was. */
void prediction_view_what_ifs(const roof_prediction *p, cell_grid *grid, roof_arena *arena);

/* Inferences/s and latency by threads. */
void prediction_view_load(const roof_prediction *p, cell_grid *grid, roof_arena *arena);

/* The prediction, and the same model with other workloads. */
void prediction_view_alternatives(const roof_prediction *p, cell_grid *grid, roof_arena *arena);

/* The up to n layers with the largest time, expected or else ideal, largest first; returns how many. */
uint32_t prediction_largest_layers(const roof_prediction *p, uint32_t *rows, uint32_t n, roof_arena *arena);

/* ---- lines ---- */

/* Lines on what the totals rest on. */
void prediction_summarise(const roof_prediction *p, remarks *r);
