/* XIR .xmodel: one bare protobuf message, serial_v2.Graph, without magic, length or compression.
 *
 * Layout, from Xilinx/Vitis-AI src/vai_library/usefultools/src/xir_graph_proto_v2.proto:
 *   1. Graph      1 name, 5 OPNode*, 10 root SubGraph, 11 map of attributes, 101 operator definitions
 *   (ignored)
 *   2. OPNode     1 name, 2 type, 3 map of attributes, 4 OpArg*, 5 output Tensor
 *   3. OpArg      1 name ("input", "weights", "bias"), 2 names of the producing ops
 *   4. Tensor     1 name, 2 dimensions, 5 data type, 6 bit width, 10 map of attributes
 *   5. SubGraph   1 name, 3 names of its ops, 5 map of attributes, 10 children
 *   6. AttrValue  one of: 4 bool, 5..8 integers, 11 string, 12 bytes, 14..17 integer lists, 20 strings,
 *                 22 map of int32, 26 map of strings, 27 map of bytes; the other kinds are never needed here
 *
 * Reading goes in two rounds: scan the whole file once, noting where the ops are, by whose names others refer
 * to them; then fill. Payloads of weights are only ever measured by their length.
 */
#include "model/formats/xir/xir_reader.h"

/* "xcompiler.3.5.0" among the keys of libs_info; longer such keys are commit names. */
static roof_status read_compiler(xir_reader *r, const pb_cursor *scope, const pb_field *attr)
{
    xir_attr a;
    pb_field entry, value;
    text_span key;
    roof_status status;
    TRY(xir_attr_read(scope, attr, &a, r->err));
    if (!span_is(a.key, "libs_info"))
        return ROOF_OK;
    TRY(xir_attr_open(&a, r->err));
    if (a.field.number != VALUE_MAP_STRING || a.field.wire != PB_BYTES)
        return ROOF_OK;
    pb_cursor map = pb_enter(&a.scope, &a.field);
    while (pb_each(&map, &entry, &status, r->err)) {
        TRY(xir_map_entry(&map, &entry, &key, &value, r->err));
        if (key.length < 11 || key.length > 24 || !span_begins(key, "xcompiler."))
            continue;
        bool version = true;
        for (size_t i = 10; i < key.length; i++)
            version = version && ((key.text[i] >= '0' && key.text[i] <= '9') || key.text[i] == '.');
        if (version && !(r->graph->compiler = arena_strndup(r->arena, key.text, key.length)))
            return error_memory(r->err);
    }
    return status;
}

static roof_status scan_graph(xir_reader *r, pb_cursor pb)
{
    pb_field f;
    roof_status status;
    while (pb_each(&pb, &f, &status, r->err)) {
        if (f.number == GRAPH_OP) {
            TRY(xir_scan_op(r, &pb, &f));
            r->kept = mapfile_pass(&r->graph->storage->file, r->kept, pb.file + f.offset);
        } else if (f.number == GRAPH_ROOT && !r->root.number) {
            r->root = f;
        } else if (f.number == GRAPH_NAME) {
            r->name = f;
        } else if (f.number == GRAPH_ATTR) {
            TRY(read_compiler(r, &pb, &f));
        }
    }
    TRY(status);
    if (r->n_refs > XIR_MAX_COUNT)
        return error_set(r->err, ROOF_E_LIMIT, "more than %d ops", XIR_MAX_COUNT);
    return ROOF_OK;
}

static roof_status xmodel_read(roof_graph *g, roof_error *err)
{
    const struct roof_graph_storage *s = g->storage;
    const mapfile *file = &s->file;
    xir_reader r = {.graph = g, .arena = s->arena, .scratch = s->scratch, .kept = file->bytes, .err = err};
    pb_cursor whole = pb_from(file->bytes, file->size_bytes);
    TRY(scan_graph(&r, whole));
    r.ops_by_name = namemap_new(r.scratch, r.n_refs);
    TRY(ALLOCATED(r.ops_by_name, r.err));
    for (size_t i = 0; i < r.n_refs; i++) {
        const xir_op_ref *ref = &r.refs[i];
        if (namemap_add(r.ops_by_name, ref->name.text, ref->name.length, (uint32_t)i))
            continue;
        char name[200];
        quote_text(name, sizeof name, ref->name.text, ref->name.length);
        return error_at(r.err, ROOF_E_DATA, ref->field.offset, "two ops are named '%s'", name);
    }
    if (r.name.number)
        TRY(xir_copy_text(&r, &whole, &r.name, "graph name", &g->name));
    TRY(ARENA_GET2(r.arena, g->ops, r.ops, r.n_refs, r.err));
    g->storage->xir_ops = r.ops;
    r.kept = file->bytes;
    for (; g->n_ops < r.n_refs; g->n_ops++) {
        uint32_t i = g->n_ops;
        g->ops[i] = (roof_op){.name = "",
                              .type = "",
                              .stored_workload_ops = ROOF_UNKNOWN,
                              .layer = ROOF_NONE,
                              .subgraph = ROOF_NONE,
                              .node = i};
        r.ops[i] = (roof_xir_op){.reg_id = -1, .ddr_addr = -1};
        TRY(xir_read_op(&r, &whole, i));
        r.kept = mapfile_pass(file, r.kept, whole.file + r.refs[i].field.offset);
    }

    uint64_t file_end = (uint64_t)(whole.end - whole.file);
    uint32_t root;
    if (r.root.number)
        TRY(xir_read_subgraph(&r, &whole, &r.root, ROOF_NONE, &root));
    TRY(ARENA_KEEP(r.arena, g->edges, g->n_edges, r.err));
    TRY(ARENA_KEEP(r.arena, g->subgraphs, g->n_subgraphs, r.err));
    TRY(ARENA_KEEP(r.arena, g->subgraph_ops, g->n_subgraph_ops, r.err));
    TRY(ARENA_KEEP(r.arena, r.subgraphs, g->n_subgraphs, r.err));
    g->storage->xir_subgraphs = r.subgraphs;
    if (!g->n_ops)
        return error_at(r.err, ROOF_E_DATA, file_end, "the file ends without a single op");
    if (!g->n_subgraphs)
        return error_at(r.err, ROOF_E_DATA, file_end,
                        "the file ends without a subgraph tree: it is truncated");
    g->compiled = g->subgraphs[0].first_child != ROOF_NONE;
    g->floats_are_8_bits = !g->compiled;
    TRY(g->compiled ? xir_build_compiled_layers(&r) : xir_build_quantised_layers(&r));
    return xir_decode_codes(&r);
}

/* No magic number. The first byte is the tag of a length-delimited field 1 in every file that was seen; any
 * of the graph's own fields is accepted, and what follows must be another of them as far as the first ones
 * can be followed. */
static bool xmodel_sniff(const unsigned char *bytes, uint64_t size)
{
    pb_cursor pb = pb_from(bytes, size);
    pb_field f;
    bool more;
    if (bytes[0] != 0x0a && bytes[0] != 0x2a && bytes[0] != 0x52 && bytes[0] != 0x5a)
        return false;
    for (int i = 0; i < 4; i++) {
        if (pb_next(&pb, &f, &more, NULL) != ROOF_OK)
            return true; /* begins like one and is cut off: the reader says where */
        if (!more)
            return i > 0;
        bool known = f.number == GRAPH_NAME || f.number == GRAPH_OP || f.number == GRAPH_ROOT ||
                     f.number == GRAPH_ATTR || f.number == GRAPH_OP_DEFS;
        if (!known || f.wire != PB_BYTES)
            return false;
    }
    return true;
}

const graph_format format_xmodel = {
    .id = "xmodel",
    .wants = true,
    .lowers = true,
    .address = ROOF_ADDRESS_NAME,
    .doc = "XIR .xmodel: Vitis AI 1.1 to 3.5 and Ryzen AI, compiled or only quantised",
    .sniff = xmodel_sniff,
    .read = xmodel_read,
    .program = xir_program,
    .memory = xir_memory,
    .hardware = xir_hardware,
};
