/* model/formats/xir/xir_reader.h - the parts of the XIR reader: attributes, ops, the subgraph tree, layers.
 *
 * The layout of the file is described in model/formats/xmodel.c, which puts the parts together. All of them
 * read with a bounded cursor, report offsets in the file, and borrow texts from the mapped file until they
 * are copied.
 */
#pragma once

#include "core/protobuf.h"
#include "model/graph/format.h"

/* Field numbers of the messages. */
enum { GRAPH_NAME = 1, GRAPH_OP = 5, GRAPH_ROOT = 10, GRAPH_ATTR = 11, GRAPH_OP_DEFS = 101 };
enum { OP_NAME = 1, OP_TYPE = 2, OP_ATTR = 3, OP_ARG = 4, OP_TENSOR = 5 };
enum { ARG_NAME = 1, ARG_OPS = 2 };
enum { TENSOR_NAME = 1, TENSOR_DIM = 2, TENSOR_BIT_WIDTH = 6, TENSOR_ATTR = 10 };
enum { SUBG_NAME = 1, SUBG_OP = 3, SUBG_ATTR = 5, SUBG_CHILD = 10 };
enum {
    VALUE_BOOL = 4,
    VALUE_UINT64 = 8,
    VALUE_STRING = 11,
    VALUE_BYTES = 12,
    VALUE_INT32S = 14,
    VALUE_UINT64S = 17,
    VALUE_STRINGS = 20,
    VALUE_MAP_INT32 = 22,
    VALUE_MAP_STRING = 26,
    VALUE_MAP_BYTES = 27
};

/* An attribute. field is the member of AttrValue that is set, once xir_attr_open looked. */
typedef struct xir_attr {
    text_span key;
    pb_field field;  /* number 0: no value */
    pb_cursor scope; /* the value */
} xir_attr;

/* Where an op lies in the file, and its name, by which others refer to it. */
typedef struct xir_op_ref {
    pb_field field;
    text_span name;
} xir_op_ref;

/* A network has a dozen types and thousands of ops; each type is copied and looked up once. */
typedef struct xir_op_type {
    const char *text;
    uint64_t length;
    roof_rule rule;
    bool average;
} xir_op_type;

enum { XIR_MAX_COUNT = 50 * 1000 * 1000 }; /* ops, edges, subgraphs; indices stay far from 32 bits */

enum { XIR_MAX_TYPES = 64 }; /* remembered; more are looked up each time */

/* The state of reading one file. */
typedef struct xir_reader {
    const unsigned char *kept; /* of the file, from here on it is still in memory (mapfile_pass) */
    roof_graph *graph;
    roof_arena *arena, *scratch;
    xir_op_ref *refs; /* in the order of the file */
    size_t n_refs;
    roof_xir_op *ops;             /* as those of the graph */
    roof_xir_subgraph *subgraphs; /* likewise */
    roof_register *registers;     /* of the subgraph that is being read */
    namemap *ops_by_name;
    pb_field name, root; /* number 0: the file has none */
    xir_op_type types[XIR_MAX_TYPES];
    uint32_t n_types;
    text_span *child_sort; /* per subgraph: the raw value of children_topological_sort */
    text_span root_target, root_model_type;
    roof_error *err;
} xir_reader;

/* ---- xir_attr.c ---- */

/* Fails when the text is not UTF-8 or holds control characters; what names it. */
roof_status xir_check_text(const pb_cursor *scope, text_span s, const char *what, roof_error *err);
roof_status xir_copy_text(xir_reader *r, const pb_cursor *scope, const pb_field *field, const char *what,
                          const char **out);

/* Key and value of an entry of a map; the value's number is 0 where there is none. */
roof_status xir_map_entry(const pb_cursor *map, const pb_field *entry, text_span *key, pb_field *value,
                          roof_error *err);

/* Reads key and value of an entry of an attribute map; the value is looked into by the calls below. */
roof_status xir_attr_read(const pb_cursor *outer, const pb_field *entry, xir_attr *out, roof_error *err);
roof_status xir_attr_open(xir_attr *a, roof_error *err);
roof_status xir_attr_fail(const xir_attr *a, const char *want, roof_error *err);
roof_status xir_attr_int(xir_attr *a, int64_t *out, roof_error *err);

/* Reads the integer of an attribute of this name. False for any other, and after a failure: see status. */
static inline bool xir_attr_is_int(xir_attr *a, const char *key, int64_t *out, roof_status *status,
                                   roof_error *err)
{
    const bool is_called_so = span_is(a->key, key);
    if (is_called_so)
        *status = xir_attr_int(a, out, err);
    return is_called_so && *status == ROOF_OK;
}
roof_status xir_attr_text(xir_attr *a, text_span *out, roof_error *err);

/* At most max integers of a list; *n is how many there are. */
roof_status xir_attr_ints(xir_attr *a, int64_t *out, uint32_t max, uint32_t *n, roof_error *err);

/* ---- xir_op.c ---- */

/* Notes place and name of an op. */
roof_status xir_scan_op(xir_reader *r, const pb_cursor *outer, const pb_field *field);
/* The op of refs[index]. */
roof_status xir_read_op(xir_reader *r, const pb_cursor *whole, uint32_t index);

/* The op of a name. near: an index to try around first; writers name what stands close by. subgraph: that
 * names it, for messages; NULL: another op does. */
roof_status xir_find_op(const xir_reader *r, const pb_field *f, size_t near, const char *subgraph,
                        uint32_t *op);

/* ---- xir_tree.c ---- */

roof_status xir_read_subgraph(xir_reader *r, const pb_cursor *outer, const pb_field *field, uint32_t parent,
                              uint32_t *index);

/* Compiled for an AI Engine array. */
bool xir_is_array(const roof_xir_subgraph *own);
/* Its control code. Errors: E_DATA, E_LIMIT, E_NO_MEMORY. */
roof_status xir_decode_code(const roof_xir_subgraph *own, roof_arena *arena, roof_control_code *out,
                            roof_error *err);
/* Control code of all subgraphs for such arrays. */
roof_status xir_decode_codes(xir_reader *r);

/* ---- xir_layers.c ---- */

/* One layer per listed child of an accelerator's subgraph, one per host subgraph. */
roof_status xir_build_compiled_layers(xir_reader *r);
/* One layer per computing op. */
roof_status xir_build_quantised_layers(xir_reader *r);

/* ---- xir_program.c; see model/graph/format.h ---- */

roof_status xir_program(struct program_builder *b);
/* In xir_memory.c. */
roof_status xir_memory(struct memory_builder *b);
roof_status xir_hardware(const roof_graph *graph, roof_hw **out, roof_error *err);
