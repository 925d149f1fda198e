/* ONNX: one bare protobuf message, ModelProto, without magic, length or compression.
 *
 * Layout, from onnx/onnx onnx/onnx.proto, what counts here:
 *   1. ModelProto      1 ir_version, 2 producer, 7 GraphProto, 8 opset (1 domain, 2 version), 25 functions
 *   2. GraphProto      1 NodeProto*, 2 name, 5 TensorProto* (initializers), 11 inputs, 12 outputs,
 *                      13 declared values, 15 sparse initializers
 *   3. NodeProto       1 inputs*, 2 outputs*, 3 name, 4 type, 5 AttributeProto*, 7 domain
 *   4. AttributeProto  1 name, 2 float, 3 int, 4 text, 5 TensorProto, 6 GraphProto, 7 floats, 8 ints,
 *                      21 the caller's attribute that stands for it
 *   5. TensorProto     1 dims, 2 data type, 4 to 7, 10 and 11 numbers by kind, 8 name, 9 raw bytes,
 *                      13 and 14 where another file has them
 *   6. ValueInfoProto  1 name, 2 type: 1 tensor (1 data type, 2 shape: 1 dimensions, 1 number or 2 name)
 *   7. FunctionProto   1 name, 4 inputs*, 5 outputs*, 7 NodeProto*, 10 domain
 *
 * Only structure is read: of weights their shapes, which are there with the bytes in the file, in another one
 * or nowhere. Shapes of all else follow from those of the inputs (onnx/onnx_shape.c); the values of small
 * tensors are kept, since exporters reckon shapes with them. Functions stand for their
 * bodies, an If whose condition is known for the branch that runs.
 */
#include "model/formats/onnx/onnx_model.h"
#include "model/work/onnx_ops.h"
#include "model/work/op_program.h"
#include "model/work/opmap.h"

/* The version of the standard operators, and where functions are. */
static roof_status read_model(onnx_reader *r)
{
    pb_field f, version, domain;
    roof_status status;
    for (pb_cursor pb = r->model; pb_each(&pb, &f, &status, r->err);) {
        if (f.number == MODEL_GRAPH && f.wire == PB_BYTES && !r->main.file) {
            r->main = pb_enter(&pb, &f);
        } else if (f.number == MODEL_OPSET && f.wire == PB_BYTES) {
            TRY(PB_FIND(pb_enter(&pb, &f), r->err, {OPSET_VERSION, &version}, {OPSET_DOMAIN, &domain}));
            if (!pb_span(&domain).length || span_is(pb_span(&domain), "ai.onnx"))
                r->opset = version.value;
        } else if (f.number == MODEL_FUNCTION && f.wire == PB_BYTES) {
            TRY(ARENA_ADD(r->scratch, r->functions, r->n_functions, r->err, f));
        }
    }
    return status;
}

static roof_status name_functions(onnx_reader *r)
{
    pb_field name, domain;
    const char *key;
    if (r->n_functions && !(r->functions_by_name = namemap_new(r->scratch, r->n_functions)))
        return error_memory(r->err);
    for (uint32_t i = 0; i < r->n_functions; i++) {
        TRY(PB_FIND(pb_enter(&r->model, &r->functions[i]), r->err, {FUNCTION_NAME, &name},
                    {FUNCTION_DOMAIN, &domain}));
        TRY(ALLOCATED(key = onnx_function_key(r, pb_span(&domain), pb_span(&name)), r->err));
        namemap_add(r->functions_by_name, key, strlen(key), i);
    }
    return ROOF_OK;
}

/* An open batch, which is taken as 1, may be all that there is to blame: the graph is read once more with
 * another one, and of what contradicts that stays which is the same with both. */
static roof_status keep_lasting(onnx_reader *r, roof_arena *arena)
{
    roof_graph graph = {0};
    roof_error why = {0};
    onnx_reader again = {.graph = &graph,
                         .arena = arena,
                         .scratch = arena,
                         .model = r->model,
                         .main = r->main,
                         .functions = r->functions,
                         .n_functions = r->n_functions,
                         .functions_by_name = r->functions_by_name,
                         .opset = r->opset,
                         .open_batch = 2,
                         .workload = r->workload,
                         .found.arena = arena,
                         .err = &why};
    const roof_status status = onnx_build_graph(&again);
    uint32_t n_kept = 0, k = 0;
    if (status == ROOF_E_NO_MEMORY)
        return error_memory(r->err);
    for (uint32_t i = 0; i < r->n_misfits && status == ROOF_OK; i++) {
        while (k < again.n_misfits && again.misfits[k].op < r->misfits[i].op)
            k++;
        if (k < again.n_misfits && r->misfits[i].op == again.misfits[k].op &&
            r->misfits[i].what.form == again.misfits[k].what.form &&
            r->misfits[i].what.has == again.misfits[k].what.has &&
            r->misfits[i].what.wants == again.misfits[k].what.wants &&
            strcmp(r->misfits[i].what.what, again.misfits[k].what.what) == 0)
            r->misfits[n_kept++] = r->misfits[i];
    }
    r->n_misfits = n_kept;
    return ROOF_OK;
}

/* Files without weights list them as inputs: what convolutions and dense layers alone read as theirs. */
static roof_status find_weights(const onnx_reader *r)
{
    enum { AS_WEIGHTS = 1, AS_MAP = 2 };
    roof_graph *g = r->graph;
    unsigned char *read;
    TRY(ARENA_GET(r->scratch, read, g->n_ops, r->err));
    for (uint32_t i = 0; i < g->n_ops; i++)
        for (uint32_t k = 0; k < g->ops[i].n_inputs; k++) {
            const roof_edge *edge = &g->edges[g->ops[i].first_input + k];
            const bool is_dense = strcmp(g->ops[i].type, "Gemm") == 0 && k;
            const bool is_its = is_dense || edge->role == ROOF_ROLE_WEIGHTS || edge->role == ROOF_ROLE_BIAS;
            read[edge->op] |= rule_has_macs(g->ops[i].rule) && is_its ? AS_WEIGHTS : AS_MAP;
        }
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (g->ops[i].rule == ROOF_RULE_INPUT && read[i] == AS_WEIGHTS) {
            g->ops[i].rule = ROOF_RULE_CONSTANT;
            g->ops[i].type = ONNX_INITIALIZER;
        }
    return ROOF_OK;
}

/* Operators that cannot run whatever an open batch is lose their rules, and are told. */
static roof_status settle_misfits(onnx_reader *r)
{
    if (r->n_misfits && r->has_open_batch) {
        roof_arena *arena = arena_new(0);
        const roof_status status = arena ? keep_lasting(r, arena) : error_memory(r->err);
        arena_free(arena);
        TRY(status);
    }
    for (uint32_t i = 0; i < r->n_misfits; i++) {
        roof_op *op = &r->graph->ops[r->misfits[i].op];
        op->rule = ROOF_RULE_MISFIT;
        TRY(extents_tell(&r->misfits[i].what, op->name, &r->found, r->err));
    }
    return ROOF_OK;
}

static roof_status onnx_read(roof_graph *graph, roof_error *err)
{
    struct roof_graph_storage *s = graph->storage;
    onnx_reader *r;
    pb_field f;
    roof_status status;
    uint32_t *order;
    TRY(ARENA_GET(s->scratch, r, 1, err));
    *r = (onnx_reader){.graph = graph,
                       .arena = s->arena,
                       .scratch = s->scratch,
                       .model = pb_from(s->file.bytes, s->file.size_bytes),
                       .workload = s->workload,
                       .found.arena = s->arena,
                       .err = err};
    TRY(read_model(r));
    if (!r->main.file)
        return error_at(err, ROOF_E_DATA, s->file.size_bytes,
                        "the file ends without a graph: it is truncated");
    TRY(name_functions(r));
    for (pb_cursor pb = r->main; !graph->name[0] && pb_each(&pb, &f, &status, err);)
        if (f.number == GRAPH_NAME && f.wire == PB_BYTES) {
            const text_span name = pb_span(&f);
            TRY(ALLOCATED(graph->name = arena_name(s->arena, name.text, name.length), err));
        }
    TRY(onnx_build_graph(r));
    TRY(settle_misfits(r));
    TRY(find_weights(r));
    if (!graph->n_ops)
        return error_at(err, ROOF_E_DATA, s->file.size_bytes, "the graph has neither nodes nor inputs");
    s->found = r->found;
    TRY(ARENA_GET3(s->arena, s->stored_bits, s->zero_pads, s->orders, graph->n_ops, err));
    TRY(ARENA_GET(s->scratch, order, graph->n_ops, err));
    for (uint32_t i = 0; i < graph->n_ops; i++) {
        s->zero_pads[i] = r->tensors[i].zero_pads;
        s->orders[i] = r->tensors[i].order;
        s->stored_bits[i] = (uint16_t)graph->ops[i].out.bit_width; /* onnx_finish may narrow these */
        order[i] = i;                                              /* each was made behind what it reads */
    }
    TRY(onnx_finish(graph, order, s->scratch, err));
    return op_program_set_layers(graph, order, 0, err);
}

/* No magic number: the first fields are those of a model, in the order of their numbers as all writers have
 * them, the version of the format among them. An .xmodel begins with a text instead. */
static bool onnx_sniff(const unsigned char *bytes, uint64_t size)
{
    pb_cursor pb = pb_from(bytes, size);
    pb_field f;
    bool more;
    for (int i = 0; i < 4; i++) {
        if (pb_next(&pb, &f, &more, NULL) != ROOF_OK)
            return i > 0; /* begins like one and is cut off: the reader says where */
        if (!more)
            return i > 1;
        const bool is_version = f.number == 1 && f.wire == PB_VARINT && f.value >= 1 && f.value < 100;
        const bool is_known =
            (f.number >= 2 && f.number <= 8) || f.number == 14 || f.number == 20 || f.number == 25;
        if (i == 0 ? !is_version : !is_known || (f.wire != PB_BYTES && f.number != 5))
            return false;
    }
    return true;
}

const graph_format format_onnx = {
    .id = "onnx",
    .takes_shapes = true,
    .lowers = true,
    .wants = true,
    .address = ROOF_ADDRESS_NAME,
    .doc = "ONNX: opsets 7 to 22, floating-point or quantised, with or without weights",
    .sniff = onnx_sniff,
    .read = onnx_read,
    .program = op_program_of_model,
    .memory = onnx_memory,
};
