/* model/graph/format.h - what a reader of one file format is. It fills a graph, and knows no other reader. */
#pragma once

#include "core/core.h"
#include "core/files/mapfile.h"
#include "roofline/finding.h"
#include "roofline/graph.h"
#include "roofline/command_stream.h"
#include "roofline/control_code.h"
#include "roofline/hw.h"
#include "roofline/language.h"
#include "roofline/xir.h"

struct program_builder;
struct memory_builder;

struct roof_graph_storage {
    const struct graph_format *format;
    roof_arena *arena;
    roof_arena *scratch;  /* of what only reading needs; NULL afterwards */
    mapfile file, behind; /* behind: more of the same text, in a file of its own; {0}: there is none */
    /* The file of the network that was edited, whose operators have its names; NULL: none. */
    const mapfile *edited_from;
    /* For some formats only, else NULL: a compiler's plan; in an .xmodel one entry for each operator and
     * subgraph. */
    roof_plan *compiler_plan;
    const roof_xir_op *xir_ops;
    const roof_xir_subgraph *xir_subgraphs;
    const roof_control_code *control_codes; /* of an AI Engine array */
    uint32_t n_control_codes;
    roof_command_stream *command_streams; /* of an Ethos-U; launches: of each of them (model/code/ethosu) */
    struct command_stream *launches;
    uint32_t n_command_streams;
    const roof_product *product;           /* computed by them; NULL: unknown */
    const char *product_source;            /* "asked for", "the name of the file" */
    const struct lm_model *language_model; /* model/formats/hf_config/lm_model.h */
    /* The same as others see it, and what was asked of it; NULL: it is of no such. */
    const roof_language_model *language;
    const roof_language_point *language_point;
    roof_findings found;         /* remarks for readers of the graph, for its program; in the arena */
    const struct c_info *c_info; /* model/formats/c_info/c_info.h */
    uint16_t *stored_bits;       /* of an element of what each operator makes, as an ONNX file has it; NULL */
    /* Rows and columns of zeroes that each operator puts around a map, as the pads of a window; all 0: it is
     * no such. NULL: the format does not state it. */
    roof_window *zero_pads;
    /* The order of dimensions of each operator that reorders them: 1 + the input's dimension in four bits,
     * the first dimension's lowest; 0: no such operator. NULL: the format does not state it. */
    uint32_t *orders;
    const struct tflite_notes *tflite; /* model/formats/tflite/tflite_model.h */
    bool is_open;                      /* an input leaves more than its batch open, which a finding says */
    const roof_workload *workload;     /* the request beside the file; never NULL while it is read */
};

struct row_flows;
typedef void (*graph_hash_value)(void *hasher, uint32_t value);

static inline void graph_hash_wide(graph_hash_value hash, void *hasher, uint64_t value)
{
    hash(hasher, (uint32_t)value);
    hash(hasher, (uint32_t)(value >> 32));
}

/* Reads a file of a folder, whatever its format is, and another one behind it, which may be NULL;
 * without the graph's hash, which comes last. */
typedef roof_status (*graph_file_reader)(const char *path, const char *behind, roof_graph **out,
                                         roof_error *err);

/* Another workload of the same file, for comparison. */
typedef struct format_alternative {
    const char *label; /* "int8 weights" */
    roof_workload workload;
} format_alternative;

/* Rows of a program that a row of a profile stands for, by numbers in its name. */
typedef struct numbered_rows {
    uint32_t first, last; /* both included */
    bool is_part;         /* of the one row, not all of it */
} numbered_rows;

/* Rows of a language model's program: of each kind of its layers in turn what goes into the mixer, the mixer,
 * and what follows; then the head. */
enum { LANGUAGE_BLOCK_ROWS = 3 };

typedef struct graph_format {
    const char *id, *doc;
    bool takes_product, takes_text, takes_shapes; /* parts of a workload that it uses */
    roof_address address; /* by what programs that show such a file know its operators */
    bool wants;           /* it looks at no byte that it has not wanted (os_want): a sparse file is enough */
    bool lowers; /* a graph that is not compiled has what lowering needs: windows, roles, constants */
    /* True when the first bytes look like this format; must not look further than 4096 bytes. */
    bool (*sniff)(const unsigned char *bytes, uint64_t size);
    /* The same of a file that is no graph, and states memory (roof_workload.asks_memory); may look at all of
     * it.
     * NULL: there is no such. */
    bool (*sniff_memory)(const unsigned char *bytes, uint64_t size);
    /* Fills everything of graph but path, format, graph_hash and storage. Memory comes from
     * graph->storage->arena. */
    roof_status (*read)(roof_graph *graph, roof_error *err);
    /* The rows of what it read, with their work (model/graph/program_build.h). */
    roof_status (*program)(struct program_builder *b);
    /* Rows, pools and buffers of what it read (model/memory/memory_build.h). NULL: it knows of none. */
    roof_status (*memory)(struct memory_builder *b);
    /* The flows between rows (model/graph/row_flows.h). NULL: they follow from edges of the graph. */
    roof_status (*flows)(const roof_graph *graph, roof_arena *arena, struct row_flows *out, roof_error *err);
    /* The hardware that it was compiled for; *out NULL: it was not. NULL: no file of the format is. Errors:
     * E_NO_INPUT: not in the database. */
    roof_status (*hardware)(const roof_graph *graph, roof_hw **out, roof_error *err);
    /* The part of a network's identity that only this format has, value by value; NULL: nothing. */
    void (*hash)(const roof_graph *graph, graph_hash_value hash, void *hasher);
    /* The i-th alternative, its texts in arena; false: there are no more. NULL: there is none. */
    bool (*alternative)(const roof_graph *graph, uint32_t i, roof_arena *arena, format_alternative *out);
    /* The workload of the same file in another data type; false: its tensors are what changes. NULL: it has
     * no such. The product's place is for one that the workload names. */
    bool (*at_type)(const roof_graph *graph, const char *type, roof_workload *out, roof_product *product);
    /* Builds a step or a prompt of a language model anew, in graph, which is a copy with a storage of its
     * own: all that is made lies in its arena. NULL: no language model. Errors: E_LIMIT, E_NO_MEMORY. */
    roof_status (*at_point)(roof_graph *graph, const roof_language_point *point, roof_error *err);
    /* The rows that a name counts as its compiler's runtime writes it; false: none. NULL: rows have no
     * numbers. */
    bool (*rows_named)(const char *name, numbered_rows *out);
    /* Reads a folder; NULL: it knows none. */
    roof_status (*read_folder)(const char *path, graph_file_reader read, roof_graph **out, roof_error *err);
} graph_format;

/* Reads from memory that outlives the graph; roof_graph_read and the fuzz target end here. */
roof_status graph_read_memory(const unsigned char *bytes, uint64_t size, const char *path, roof_graph **out,
                              roof_error *err);
roof_status graph_read_memory_as(const unsigned char *bytes, uint64_t size, const char *path,
                                 const roof_workload *workload, roof_graph **out, roof_error *err);

/* The same by whatever format knows the name. */
bool graph_rows_named(const char *name, numbered_rows *out);

/* A subgraph of no name and no device that has nothing in it: the root as a reader begins with it. */
extern const roof_subgraph graph_empty_root;

/* A root of that name alone, with room for so many parts below it; the next of them, of one device. Errors:
 * E_NO_MEMORY. */
roof_status graph_begin_parts(roof_graph *graph, const char *name, uint32_t most, roof_arena *arena,
                              roof_error *err);
roof_subgraph *graph_add_part(roof_graph *graph, const char *device_name, roof_device device);

/* An operator that is in no subgraph and no layer yet, and of which the file states no place. */
static inline roof_op graph_new_op(const char *name, const char *type, roof_rule rule)
{
    return (roof_op){.name = name,
                     .type = type,
                     .rule = rule,
                     .out.name = name,
                     .stored_workload_ops = ROOF_UNKNOWN,
                     .layer = ROOF_NONE,
                     .subgraph = ROOF_NONE,
                     .node = ROOF_NONE};
}

/* The file's name without folder and ending, in arena. NULL without memory. */
const char *graph_stem(const roof_graph *graph, roof_arena *arena);

/* Copies the formats' data of each operator, for a copy whose storage is one of that of from: place says
 * where an operator of from went, ROOF_NONE: nowhere. Errors: E_NO_MEMORY. */
roof_status graph_keep_extensions(const roof_graph *from, const uint32_t *place, roof_graph *to,
                                  roof_error *err);

/* False: operands of an operator contradict one another, so that no runtime loads the network, and no sum
 * over its operators is whole. */
bool graph_fits(const roof_graph *graph);

/* Sets graph_hash, once all else is there. */
void graph_set_hash(roof_graph *graph);

/* Order of ops such that every op comes after its inputs, otherwise as in the file. order: graph->n_ops
 * indices. */
roof_status graph_topological_order(const roof_graph *graph, uint32_t *order, roof_error *err);

/* For readers: an input more of an operator whose inputs are all added before those of another one; the graph
 * has room for it. */
void graph_add_edge(roof_graph *graph, roof_op *op, uint32_t producer, roof_role role);
