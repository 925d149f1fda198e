#include "model/work/product.h"
#include "model/graph/format.h"
#include "model/work/opmap.h"

#include <strings.h>

enum { MOST_ELEMENTS = 1 << 24 }; /* along one dimension */

/* ---- data types ---------------------------------------------------------------------------------------- */

/* bfp16 has 8 mantissas of 8 bits and one exponent. Source: Xilinx/aie_api, bfp16ebs8. */
static const struct {
    const char *names[4];
    uint32_t bits;
} data_types[] = {
    {{"int4", "i4", "uint4", "u4"}, 4},
    {{"int8", "i8", "uint8", "u8"}, 8},
    {{"int16", "i16", "uint16", "u16"}, 16},
    {{"int32", "i32"}, 32},
    {{"bf16", "bfloat16"}, 16},
    {{"bfp16"}, 9},
    {{"fp16", "f16", "float16", "half"}, 16},
    {{"fp32", "f32", "float32", "float"}, 32},
    {{"tf32"}, 32}, /* a GPU multiplies 19 bits of an f32 */
    {{"fp64", "f64", "float64", "double"}, 64},
};
enum { N_TYPES = N_OF(data_types), N_NAMES = 4 };
_Static_assert((int)N_TYPES <= (int)MOST_DATA_TYPES, "room in tables by data type");

static size_t find_type(text_span name)
{
    for (size_t i = 0; i < N_TYPES; i++)
        for (size_t j = 0; j < N_NAMES && data_types[i].names[j]; j++)
            if (strlen(data_types[i].names[j]) == name.length &&
                strncasecmp(data_types[i].names[j], name.text, name.length) == 0)
                return i;
    return N_TYPES;
}

uint32_t data_type_bits(const char *name)
{
    size_t i = name ? find_type(span_of(name)) : N_TYPES;
    return i < N_TYPES ? data_types[i].bits : 0;
}

const char *data_type_name(const char *name, size_t length)
{
    size_t i = find_type((text_span){name, length});
    return i < N_TYPES ? data_types[i].names[0] : NULL;
}

const char *data_type_at(size_t i)
{
    return i < N_TYPES ? data_types[i].names[0] : NULL;
}

/* ---- from a command line ------------------------------------------------------------------------------- */

/* "MxKxN", all of it. */
static bool take_dims(text_span text, uint32_t *const dims[3])
{
    for (int i = 0; i < 3; i++) {
        uint64_t value;
        if ((i && !span_skip(&text, "x")) || !span_take_whole(&text, &value) || !value ||
            value > MOST_ELEMENTS)
            return false;
        *dims[i] = (uint32_t)value;
    }
    return text.length == 0;
}

static bool ends_with(text_span text, char last)
{
    return text.length && text.text[text.length - 1] == last;
}

/* "bf16", "int16xint8", "int8->int32" */
static bool take_types(text_span text, roof_product *p)
{
    bool is_cut = ends_with(text, '>');
    text_span inputs = span_take_until(&text, "->"), result = span_take_until(&text, "->");
    is_cut = is_cut || ends_with(inputs, 'x');
    text_span first = span_take_until(&inputs, "x");
    p->types[0] = data_type_name(first.text, first.length);
    p->types[1] = inputs.length ? data_type_name(inputs.text, inputs.length) : p->types[0];
    p->types[2] = result.length ? data_type_name(result.text, result.length) : p->types[0];
    p->cast = data_type_name(text.text, text.length);
    return !is_cut && p->types[0] && p->types[1] && p->types[2] && (p->cast || !text.length);
}

roof_status roof_product_parse(const char *text, roof_product *out, roof_error *err)
{
    text_span rest = span_of(text), dims = span_take_until(&rest, ":"), types = span_take_until(&rest, ":");
    *out = (roof_product){0};
    if (!take_dims(dims, (uint32_t *[]){&out->m, &out->k, &out->n}))
        return error_set(err, ROOF_E_USAGE,
                         "a product is '%s', want MxKxN:TYPES[:TILE] with dimensions from 1 to %d, as in "
                         "2048x1024x512:bf16:64x256x128",
                         SHOWN(dims), MOST_ELEMENTS);
    if (!take_types(types, out))
        return error_set(err, ROOF_E_USAGE,
                         "the types of a product are '%s', want bf16, bfp16, fp16, fp32, int4, int8, int16 "
                         "or int32, as one for all, AxB, A->C, AxB->C or AxB->C->CAST",
                         SHOWN(types));
    if (rest.length && !take_dims(rest, (uint32_t *[]){&out->tile_m, &out->tile_k, &out->tile_n}))
        return error_set(err, ROOF_E_USAGE, "the tile of a product is '%s', want MxKxN of one core",
                         SHOWN(rest));
    return ROOF_OK;
}

/* ---- from a name --------------------------------------------------------------------------------------- */

/* "256x256x256" among the parts of a name; the tile is the part behind it. */
static bool product_of_dims(text_span name, roof_product *out)
{
    bool found = false;
    while (name.length) {
        text_span part = span_take_until(&name, "_");
        uint32_t d[3];
        if (!take_dims(part, (uint32_t *[]){&d[0], &d[1], &d[2]}))
            continue;
        if (found) {
            out->tile_m = d[0];
            out->tile_k = d[1];
            out->tile_n = d[2];
            return true;
        }
        *out = (roof_product){.m = d[0], .k = d[1], .n = d[2]};
        found = true;
    }
    return found;
}

/* "a16w8acc16", "a16fw4acc32f": with an 'f' behind the bits 16 are bfloat16. */
static bool take_operand(text_span *part, const char *word, const char **type)
{
    uint64_t bits;
    char name[8];
    if (!span_skip(part, word) || !span_take_whole(part, &bits) || bits > 32)
        return false;
    bool is_float = span_skip(part, "f");
    snprintf(name, sizeof name, "%s%u", !is_float ? "int" : bits == 16 ? "bf" : "fp", (unsigned)bits);
    *type = data_type_name(name, strlen(name));
    return *type;
}

/* Behind the operands M, K and N, and of 4-bit weights how many share a scale. */
static bool product_of_operands(text_span name, roof_product *out)
{
    bool is_product = false;
    *out = (roof_product){0};
    while (name.length && !is_product) {
        text_span part = span_take_until(&name, "_");
        is_product = take_operand(&part, "a", &out->types[0]) && take_operand(&part, "w", &out->types[1]) &&
                     take_operand(&part, "acc", &out->types[2]) && !part.length;
    }
    uint32_t *const dims[] = {&out->m, &out->k, &out->n};
    uint64_t value;
    for (int i = 0; i < 3; i++) {
        text_span part = span_take_until(&name, "_");
        if (!span_take_whole(&part, &value) || part.length || !value || value > MOST_ELEMENTS)
            return false;
        *dims[i] = (uint32_t)value;
    }
    return name.length == 0 || (span_take_whole(&name, &value) && name.length == 0);
}

bool product_of_name(const char *stem, roof_product *out)
{
    static const char *const products[] = {"insts", "aie_", "gemm", "matmul"};
    text_span name = span_of(stem);
    bool is_product = false;
    if (span_has(name, "conv") && !span_has(name, "conv2gemm"))
        return false;
    if (product_of_operands(name, out))
        return true;
    for (size_t i = 0; i < N_OF(products); i++)
        is_product = is_product || span_has(name, products[i]);
    return is_product && product_of_dims(name, out);
}

/* ---- a graph ------------------------------------------------------------------------------------------- */

enum { OP_A, OP_B, OP_C, N_OPS };

void product_make_op_by(roof_op *op, const char *name, const char *type, roof_rule rule,
                        const uint32_t dims[3], uint32_t bits)
{
    *op = graph_new_op(name, type, rule);
    op->subgraph = 0;
    op->out.bit_width = bits;
    op->out.elements = 1;
    for (; op->out.n_dims < 3 && dims[op->out.n_dims]; op->out.n_dims++) {
        op->out.dims[op->out.n_dims] = dims[op->out.n_dims];
        op->out.elements *= dims[op->out.n_dims];
    }
    op->out.bytes = (op->out.elements * bits + 7) / 8;
}

roof_status product_build(roof_graph *g, const roof_product *p, const char *layer, const char *target,
                          roof_error *err)
{
    roof_arena *arena = g->storage->arena;
    TRY(graph_begin_parts(g, "root", 1, arena, err));
    TRY(ARENA_GET(arena, g->layers, 1, err));
    if (target) {
        roof_subgraph *npu = graph_add_part(g, "NPU", ROOF_DEVICE_ACCELERATOR);
        npu->name = layer;
        npu->target = target;
    }
    g->compiled = target != NULL;
    uint32_t device = g->n_subgraphs - 1;
    g->layers[0] = (roof_layer){
        .name = layer, .subgraph = device, .node = ROOF_NONE, .stored_workload_ops = ROOF_UNKNOWN};
    g->subgraphs[device].n_layers = g->n_layers = 1;
    if (p && p->types[0]) {
        TRY(ARENA_GET(arena, g->ops, N_OPS, err));
        TRY(ARENA_GET(arena, g->edges, 2, err));
        TRY(ARENA_GET(arena, g->layer_ops, 1, err));
        static const char *const names[] = {"A", "B", "C"}, *const types[] = {"data", "const", "matmul"};
        const uint32_t dims[N_OPS][3] = {{p->m, p->k}, {p->k, p->n}, {p->m, p->n}};
        for (int i = 0; i < N_OPS; i++)
            product_make_op_by(&g->ops[i], names[i], types[i], rule_of(types[i]), dims[i],
                               data_type_bits(p->types[i]));
        g->edges[0] = (roof_edge){OP_A, ROOF_ROLE_INPUT};
        g->edges[1] = (roof_edge){OP_B, ROOF_ROLE_WEIGHTS};
        g->ops[OP_C].n_inputs = g->n_edges = 2;
        g->ops[OP_C].layer = 0;
        g->n_ops = N_OPS;
        g->layer_ops[0] = OP_C;
        g->layers[0].n_ops = g->n_layer_ops = 1;
    }
    for (uint32_t i = 0; i < g->n_ops; i++)
        g->ops[i].subgraph = device;
    return ROOF_OK;
}

/* ---- work ---------------------------------------------------------------------------------------------- */

/* The result is read again, and written in another type. */
static uint64_t cast_bytes(const roof_graph *g, const roof_product *p)
{
    const roof_tensor *c = &g->ops[OP_C].out;
    return p->cast ? c->bytes + (c->elements * data_type_bits(p->cast) + 7) / 8 : 0;
}

roof_status product_macs(const roof_product *p, uint64_t *out, roof_error *err)
{
    const checked macs = CHECKED_PRODUCT(p->m, p->k, p->n);
    *out = macs.value;
    if (macs.overflow || macs.value > UINT64_MAX / 4)
        return error_set(err, ROOF_E_LIMIT, "the multiply-accumulates of the product overflow 64 bits");
    return ROOF_OK;
}

roof_status product_demand(const roof_graph *g, const roof_product *p, roof_demand *out, roof_arena *arena,
                           roof_error *err)
{
    uint64_t macs, bytes = 0;
    TRY(product_macs(p, &macs, err));
    for (int i = 0; i < N_OPS; i++)
        bytes += g->ops[i].out.bytes; /* each below 2^51 */
    const bool is_one_float = strncmp(p->types[0], "int", 3) != 0 && p->types[0] == p->types[1];
    *out = (roof_demand){.op = OP_C,
                         .macs = macs,
                         .ops_count = 2 * macs,
                         .sub_pixels = 1,
                         .tile_m = p->tile_m,
                         .tile_k = p->tile_k,
                         .tile_n = p->tile_n,
                         .types = is_one_float ? p->types[0]
                                               : arena_printf(arena, "%sx%s", p->types[0], p->types[1]),
                         .method = p->m == 1 || p->n == 1 ? "gemv" : "gemm",
                         .launches = 1,
                         .cast_bytes = cast_bytes(g, p),
                         .least_bytes = bytes};
    return arena_status(arena, err);
}

void product_traffic(const roof_graph *g, const roof_product *p, roof_work *work)
{
    uint64_t cast = cast_bytes(g, p), result = g->ops[OP_C].out.bytes;
    work->bytes_basis = ROOF_BASIS_FORMULA;
    work->traffic = (roof_traffic){.weights_bytes = g->ops[OP_B].out.bytes,
                                   .input_bytes = g->ops[OP_A].out.bytes + (cast ? result : 0),
                                   .output_bytes = result + (cast ? cast - result : 0)};
}
