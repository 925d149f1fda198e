/* reports/inspect/inspect.h - what every format of `roofline inspect` shows, computed once: targets,
 * sums, types.
 *
 * Units: bytes. A sum that overflows is ROOF_UNKNOWN.
 * Ownership: a view borrows the graph; what was made for it and from it is of the arena.
 */
#ifndef ROOF_REPORTS_INSPECT_INSPECT_H
#define ROOF_REPORTS_INSPECT_INSPECT_H

#include "core/arena.h"
#include "core/grid.h"
#include "reports/label_lines.h"
#include "roofline/fingerprint.h"
#include "roofline/render.h"
#include "roofline/xir.h"

/* A file has one target; files with several different ones were never seen, but nothing forbids them. */
enum { INSPECT_MAX_TARGETS = 8 };

/* One pair of name and fingerprint that accelerator subgraphs carry. */
typedef struct inspect_target {
    const char *name; /* as in the file; "" if it has none */
    uint64_t fingerprint;
    roof_dpu_config config;
    const char *text;   /* what the fingerprint stands for, or why it cannot be told */
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
    uint64_t
        weights_bytes; /* of constants in the layer; in a file that is only quantised, of those it reads */
    uint32_t output;   /* the op whose tensor leaves the layer, or ROOF_NONE */
    uint32_t n_outputs;
} inspect_layer;

/* What epochs of a plan move; ROOF_UNKNOWN when it overflows. */
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
    const inspect_moved *moved; /* as the pools of a plan */
    uint64_t weights_bytes, code_bytes, layer_code_bytes, parameter_bytes;
} inspect_view;

/* false: there was no memory for it. */
bool inspect_view_init(const roof_graph *graph, bool details, roof_arena *arena, inspect_view *out);

/* Adds a term that may not be known: then, and when it overflows, the sum is not either. */
void inspect_add(uint64_t *sum, uint64_t term);

/* --- texts; "" when there is no memory, which the view's arena remembers ------------------------------- */

/* "1x112x112x32", "scalar". */
const char *inspect_dims(roof_arena *arena, const roof_tensor *tensor);
/* "1 234 567", "-" for what is not known. */
const char *inspect_count(roof_arena *arena, uint64_t value);
/* Text from a file as it is shown, where "-" stands for "". */
const char *inspect_shown(const inspect_view *view, const char *text);
/* "conv2d-fix + relu x2": what the i-th of n says, in order, repeated ones counted; NULL: it does not
 * count. NULL without memory. */
const char *inspect_chain(const inspect_view *view, const char *(*nth)(const inspect_view *view, uint32_t i),
                          uint32_t first, uint32_t n);

/* --- what text and Markdown share, and CSV some of -------------------------------------------------------- */

typedef struct inspect_section {
    const char *title;
    const grid_column *columns;
    size_t n_columns;
    void (*fill)(const inspect_view *view, cell_grid *grid); /* no rows: the section is not shown */
} inspect_section;

/* Columns of people or of CSV, or of both: NULL is not there. */
#define INSPECT_TEXT(title, csv, rank)   GRID_COLUMN(TEXT, title, NULL, csv, rank)
#define INSPECT_NAME(title, csv, rank)   GRID_COLUMN(NAME, title, NULL, csv, rank)
#define INSPECT_NUMBER(title, csv, rank) GRID_COLUMN(NUMBER, title, NULL, csv, rank)

#define INSPECT_SECTION(title, columns, fill)                                                                \
    {                                                                                                        \
        (title), (columns), sizeof(columns) / sizeof *(columns), (fill)                                      \
    }

/* One sentence on what the file is, and one more where it needs explaining ("" otherwise). */
void inspect_verdict(const inspect_view *view, const char *sentences[2]);
/* What the file and its target are. */
void inspect_facts(const inspect_view *v, remarks *r);
/* The i-th section, NULL past the end. */
const inspect_section *inspect_section_at(size_t i);
/* The one whose rows a table for scripts has: layers, ops with details; of a plan epochs, accesses with details. */
const inspect_section *inspect_section_of_csv(const inspect_view *view);

/* --- of a file that holds a plan instead of operators and tensors ------------------------ */

/* "parameters", "feature maps", "both"; NULL: the file does not say. */
const char *inspect_content_word(roof_pool_content content);

/* Its epochs, their work, pools, programs. */
void inspect_plan_facts(const inspect_view *v, remarks *r);
const char *inspect_plan_verdict(const inspect_view *view);

/* Those of a plan, which are shown before the layers. */
enum { INSPECT_EPOCHS = 3, INSPECT_ACCESSES, INSPECT_PLAN_SECTIONS = 6 };
extern const inspect_section inspect_plan_sections[INSPECT_PLAN_SECTIONS];

#endif
