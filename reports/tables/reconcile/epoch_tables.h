/* reports/tables/reconcile/epoch_tables.h - lines, tables and counters of a Neural-ART's epochs. */
#pragma once

#include "reports/tables/reconcile/reconcile_tables.h"

/* Lines on what the compiler expected, what was measured, the share of computing, what was converted. */
void epoch_view_lines(const roof_epochs *e, remarks *r);

/* One row a type of epoch: how many, their time, what of it the matches do not work. */
reconcile_view epoch_view_types;

/* One row a pool and a bus of the whole inference; empty when no bytes are known. */
reconcile_view epoch_view_flows;

/* One row an epoch. */
reconcile_view epoch_view_rows;

/* Tables of what was counted, each empty where nothing was. */
typedef enum epoch_table {
    EPOCH_CYCLES,  /* of both clocks by phase, and the core's beside estimate and ideal */
    EPOCH_STREAMS, /* one row a stream engine and direction */
    EPOCH_BURSTS,  /* one row a bus interface and direction */
    EPOCH_CACHES,  /* one row a direction of the cache */
    EPOCH_POOLS,   /* one row a memory pool or bus interface: bytes and rates */
    EPOCH_WORK,    /* operations, and the matches that they need, as the compiler planned them */
    EPOCH_TABLES
} epoch_table;

typedef struct epoch_table_def {
    const char *id, *caption; /* on a page */
    const grid_column *columns;
    size_t n;
    void (*add)(cell_grid *grid, const roof_epochs *all, const roof_measured_epoch *e); /* rows of one */
} epoch_table_def;
extern const epoch_table_def epoch_tables[EPOCH_TABLES];

/* The longest epochs, then all of them together. most: epochs at most; 0: only all together. */
void epoch_view_table(const roof_epochs *e, epoch_table which, uint32_t most, cell_grid *grid,
                      roof_arena *arena);

/* The count of a counter of an epoch, or ROOF_UNKNOWN; of a bus by bursts of 1, 2, 4 and 8 beats; of the
 * cache hits, misses, misses of allocation, and evictions or write-throughs: false where none is known. */
uint64_t epoch_count(const roof_measured_epoch *e, roof_event counter);
void epoch_bursts(const roof_measured_epoch *e, uint32_t bus, roof_counter_direction way, uint64_t counts[4]);
bool epoch_cache(const roof_measured_epoch *e, roof_counter_direction way, uint64_t counts[4]);

/* The work of a stream engine in one direction. interface: engines below 5 are at the first one. */
typedef struct stream_use {
    uint32_t engine, interface;
    roof_counter_direction way;
    uint64_t cycles;     /* in which it was active; ROOF_UNKNOWN: that was not counted */
    const char *buffers; /* "npuRAM5:12544, octoFlash:8": with their bytes; NULL without memory */
    uint32_t next;       /* private */
} stream_use;

/* The next of which something is known; false behind the last. *use begins as {0}. */
bool epoch_next_stream(const roof_measured_epoch *e, stream_use *use, roof_arena *arena);
