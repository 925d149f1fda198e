/* reports/tables/inspect/inspect.h - what every format of `roofline inspect` shows, computed once: targets,
 * sums, types.
 *
 * Units: bytes. A sum that overflows is ROOF_UNKNOWN.
 * Ownership: a view borrows the graph; what was made for it and from it is of the arena.
 */
#pragma once

#include "core/table/grid.h"
#include "reports/renderers/renderer.h"
#include "reports/words/say.h"
#include "roofline/command_stream.h"
#include "roofline/control_code.h"
#include "roofline/fingerprint.h"
#include "roofline/memory.h"
#include "roofline/render.h"
#include "roofline/xir.h"

/* The sections in their order. */
enum {
    INSPECT_SUBGRAPHS,
    INSPECT_REGISTERS,
    INSPECT_POOLS, /* of a file that holds a plan instead of operators and tensors */
    INSPECT_DIFFERENCES,
    INSPECT_PROGRAMS,
    INSPECT_EPOCHS,
    INSPECT_ACCESSES,
    INSPECT_PLAN_OPS,
    INSPECT_CODES, /* control code of an AI Engine array */
    INSPECT_ARGUMENTS,
    INSPECT_CHANNELS,
    INSPECT_COMMANDS, /* command streams of an Ethos-U */
    INSPECT_LAYERS,
    INSPECT_TYPES,
    INSPECT_OPS,
    INSPECT_SECTIONS
};

/* A file has one target; files with several different ones were never seen, but nothing forbids them. */
enum { INSPECT_MAX_TARGETS = 8 };

/* One pair of name and fingerprint that accelerator subgraphs carry. */
typedef struct inspect_target {
    const char *name; /* as in the file; "" if it has none */
    uint64_t fingerprint;
    roof_dpu_config config;
    const char *text;   /* what the fingerprint stands for, or why it is unknown */
    bool known;         /* the family is known, so config says something */
    bool contradiction; /* name and fingerprint disagree */
    bool unnumbered;    /* of a kind that has no fingerprints, such as a Neural-ART */
} inspect_target;

/* Operators of one type. */
typedef struct inspect_type {
    const char *type;
    roof_rule rule;
    uint32_t count;
    uint64_t output_bytes; /* of all of them */
} inspect_type;

typedef struct inspect_layer {
    /* of constants in the layer; in a file that is only quantised, of those it reads */
    uint64_t weights_bytes;
    uint32_t output; /* the op whose tensor leaves the layer, or ROOF_NONE */
    uint32_t n_outputs;
} inspect_layer;

/* Bytes that epochs of a plan move; ROOF_UNKNOWN when they overflow. */
typedef struct inspect_moved {
    uint64_t read_bytes, write_bytes;
} inspect_moved;

typedef struct inspect_view {
    const roof_graph *graph;
    bool details; /* operators and whatever else a first look does not need */
    roof_arena *arena;
    inspect_target targets[INSPECT_MAX_TARGETS];
    uint32_t n_targets;
    inspect_type *types; /* most frequent first */
    uint32_t n_types;
    inspect_layer *layers;      /* as graph->layers */
    uint32_t *subgraph_ops;     /* as graph->subgraphs: ops of the subgraph and of all below it */
    uint32_t *subgraph_rows;    /* the same: where each stands in a table */
    const inspect_moved *moved; /* as the pools of a plan */
    uint64_t weights_bytes, code_bytes, layer_code_bytes, parameter_bytes;
    uint32_t n_items[INSPECT_SECTIONS]; /* of each section; 0: it is not shown */
} inspect_view;

/* false: there was no memory for it. is_document: for scripts, which want more than people. */
bool inspect_view_init(const roof_graph *graph, bool details, bool is_document, roof_arena *arena,
                       inspect_view *out);

/* --- texts; "" when there is no memory, which the view's arena remembers ------------------------------- */

/* Multiply-accumulates of all operators; ROOF_UNKNOWN: those of one are unknown. */
uint64_t inspect_macs(const inspect_view *v);
/* "1x112x112x32", "scalar", "?" for what is unknown. */
const char *inspect_dims(roof_arena *arena, const roof_tensor *tensor);
/* "1 234 567", "-" for what is unknown. */
const char *inspect_count(roof_arena *arena, uint64_t value);
/* Text from a file as it is shown, where "-" stands for "". */
const char *inspect_shown(const inspect_view *view, const char *text);
/* "conv2d-fix + relu x2": what the i-th of n says, in order, repeated ones counted; NULL: it does not
 * count. NULL without memory. */
const char *inspect_chain(const inspect_view *view, const char *(*nth)(const inspect_view *view, uint32_t i),
                          uint32_t first, uint32_t n);

/* "0x0101000056010407", "" for what is unknown: JSON numbers are doubles for many readers. */
const char *inspect_hex(roof_arena *arena, uint64_t value);

/* --- what all formats show ---------------------------------------------------------------------------- */

/* Rows of a table for people, of CSV, and of a list in JSON: each column says where it is. */
typedef struct inspect_section {
    const char *title, *json; /* json: the key of the list */
    bool is_json_line;        /* an object is one line */
    const grid_column *columns;
    size_t n_columns;
    void (*add)(const inspect_view *view, uint32_t i, cell_grid *grid); /* the rows of an item */
} inspect_section;

/* Columns of people, of CSV, of JSON, or of several: NULL is not there. */
#define INSPECT_TEXT(title, csv, json, rank)   GRID_MEMBER(TEXT, title, NULL, csv, json, rank)
#define INSPECT_NAME(title, csv, json, rank)   GRID_MEMBER(NAME, title, NULL, csv, json, rank)
#define INSPECT_NUMBER(title, csv, json, rank) GRID_MEMBER(NUMBER, title, NULL, csv, json, rank)
#define INSPECT_JSON(json)                     GRID_MEMBER(TEXT, NULL, NULL, NULL, json, 0)
#define INSPECT_FLAG(csv, json)                GRID_MEMBER(FLAG, NULL, NULL, csv, json, 0)

#define INSPECT_SECTION(title, json, is_line, columns, add)                                                  \
    {                                                                                                        \
        (title), (json), (is_line), (columns), sizeof(columns) / sizeof *(columns), (add)                    \
    }

/* The rows of n items from first on as a list of JSON. */
void inspect_list(const inspect_view *view, const inspect_section *section, uint32_t first, uint32_t n,
                  jsonout *json);
void inspect_pair(jsonout *json, const char *key, uint64_t first, uint64_t second);

/* ROOF_NONE is unknown. base: what the first one is called. */
grid_cell inspect_index(uint32_t index, uint32_t base);
/* 0 of something that is only there now and then reads better as a dash. */
grid_cell inspect_present(uint64_t value);

/* One sentence on what the file is, and one more where it needs explaining ("" otherwise). */
void inspect_verdict(const inspect_view *view, const char *sentences[2]);
/* Lines on the file and its target. */
void inspect_facts(const inspect_view *v, remarks *r);

const inspect_section *inspect_section_at(size_t i);
void inspect_rows(const inspect_view *v, size_t section, cell_grid *t);
extern const inspect_section inspect_plan_sections[INSPECT_CODES - INSPECT_POOLS];
extern const inspect_section inspect_code_sections[INSPECT_LAYERS - INSPECT_CODES];

/* Lines on what control code moves, and what command streams compute and move. */
void inspect_code_facts(const inspect_view *v, remarks *r);

/* Its epochs, their work, pools, programs. */
void inspect_plan_facts(const inspect_view *v, remarks *r);
const char *inspect_plan_verdict(const inspect_view *view);

/* ---- memory over rows (inspect_memory.c) ---- */

/* The member "memory" of roofline.inspection/1. */
void inspect_memory_json(jsonout *json, const roof_memory *memory, roof_arena *arena);

/* The verdict, what must shrink, the pools, and what is alive at their peaks. */
void inspect_memory_put(const rendering *r);

/* A row of CSV for each row of each pool. */
void inspect_memory_csv(const rendering *r);

/* The two tables of it. */
void inspect_memory_pools(cell_grid *t, roof_arena *arena, const roof_memory *m);
void inspect_memory_live(cell_grid *t, roof_arena *arena, const roof_memory *m);
