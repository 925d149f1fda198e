/* reports/inspect/inspect.h - what every format of `roofline inspect` shows, computed once: targets,
 * sums, types.
 *
 * Units: bytes. A sum that overflows is ROOF_UNKNOWN.
 * Ownership: a view borrows the graph and owns one arena; inspect_view_end ends the view and what was made
 * from it.
 */
#ifndef ROOF_REPORTS_INSPECT_INSPECT_H
#define ROOF_REPORTS_INSPECT_INSPECT_H

#include "core/arena.h"
#include "core/text.h"
#include "reports/inspect/inspect_table.h"
#include "roofline/fingerprint.h"
#include "roofline/render.h"

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

typedef struct inspect_view {
    const roof_graph *graph;
    roof_arena *arena;
    inspect_target targets[INSPECT_MAX_TARGETS];
    uint32_t n_targets;
    inspect_type *types; /* most frequent first */
    uint32_t n_types;
    inspect_layer *layers;    /* as graph->layers */
    roof_register *registers; /* as graph->registers, but those of a subgraph in order of id */
    uint32_t *subgraph_ops;   /* as graph->subgraphs: ops of the subgraph and of all below it */
    uint64_t weights_bytes, code_bytes, layer_code_bytes, parameter_bytes;
} inspect_view;

roof_status inspect_view_init(const roof_graph *graph, inspect_view *out, roof_error *err);

/* status: of what was done with the view; when that is ROOF_OK, the result is whether there was memory for all of it. */
roof_status inspect_view_end(inspect_view *view, roof_status status, roof_error *err);

/* Adds a term that may not be known: then, and when it overflows, the sum is not either. */
void inspect_add(uint64_t *sum, uint64_t term);

/* --- texts; NULL when there is no memory -------------------------------------------------------------- */

/* "1x112x112x32", "scalar". */
char *inspect_dims(roof_arena *arena, const roof_tensor *tensor);
/* "1 234 567", "-" for what is not known. */
char *inspect_count(roof_arena *arena, uint64_t value);
/* Text from a file as it is shown in a cell of a table, where "-" stands for "". */
const char *inspect_cell(const inspect_view *view, const char *text);
/* "s" but for one. */
const char *inspect_plural(uint64_t n);
/* "conv2d-fix + relu": the types of a layer's ops without constants, in order, repeated ones counted. */
const char *inspect_layer_types(const inspect_view *view, uint32_t layer);
/* "accelerator", "CPU", ... */
const char *inspect_device_word(roof_device device);
const char *inspect_role_word(roof_role role);

/* --- sections that text and Markdown share ------------------------------------------------------------ */

/* A label that begins with a space belongs to the one before. */
typedef struct inspect_fact {
    const char *label, *value;
} inspect_fact;

typedef struct inspect_section {
    const char *title;
    /* True when the section is shown at all. */
    bool (*wanted)(const inspect_view *view, const roof_render_options *options);
    /* NULL when there is no memory. */
    inspect_table *(*table)(const inspect_view *view, const roof_render_options *options);
} inspect_section;

enum { INSPECT_MAX_FACTS = 160 };

/* One sentence on what the file is, and one more where it needs explaining ("" otherwise). */
roof_status inspect_verdict(const inspect_view *view, const char *sentences[2], roof_error *err);
/* What the file and its target are. */
roof_status inspect_facts(const inspect_view *view, inspect_fact facts[INSPECT_MAX_FACTS], size_t *n,
                          roof_error *err);
/* The i-th section, NULL past the end. */
const inspect_section *inspect_section_at(size_t i);

/* --- of a file that holds a plan instead of operators and tensors (graph->plan) ------------------------ */

/* "4 Conv + Relu": kinds of the operators of an epoch, in order. NULL when there is no memory. */
const char *inspect_plan_kinds(const inspect_view *view, const roof_epoch *epoch);

/* What an epoch moves in all pools; ROOF_UNKNOWN when it overflows. */
typedef struct inspect_moved {
    uint64_t read_bytes, write_bytes;
} inspect_moved;

inspect_moved inspect_plan_moved(const roof_plan *plan, const roof_epoch *epoch);
/* What all epochs move in one pool: an array of plan->n_pools. NULL when there is no memory. */
inspect_moved *inspect_plan_moved_by_pool(const inspect_view *view);

/* "parameters", "feature maps", "both"; NULL: the file does not say. */
const char *inspect_content_word(roof_pool_content content);
uint64_t inspect_blob_epochs(const roof_blob *blob);

/* Its epochs, their work, pools, programs. False when there is no memory. */
enum { INSPECT_PLAN_FACTS = 9 };
bool inspect_plan_facts(const inspect_view *view, inspect_fact facts[INSPECT_PLAN_FACTS], size_t *n);
const char *inspect_plan_verdict(const inspect_view *view);

bool inspect_has_plan(const inspect_view *view, const roof_render_options *options);
bool inspect_has_blobs(const inspect_view *view, const roof_render_options *options);
bool inspect_has_differences(const inspect_view *view, const roof_render_options *options);
bool inspect_has_plan_details(const inspect_view *view, const roof_render_options *options);
inspect_table *inspect_pool_table(const inspect_view *view, const roof_render_options *options);
inspect_table *inspect_difference_table(const inspect_view *view, const roof_render_options *options);
inspect_table *inspect_epoch_table(const inspect_view *view, const roof_render_options *options);
inspect_table *inspect_blob_table(const inspect_view *view, const roof_render_options *options);
inspect_table *inspect_access_table(const inspect_view *view, const roof_render_options *options);
inspect_table *inspect_plan_op_table(const inspect_view *view, const roof_render_options *options);

#endif
