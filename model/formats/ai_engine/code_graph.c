/* Control code as a graph of one layer: what it moves is known, what it computes is what somebody says, or
 * the file's name. */
#include "model/formats/ai_engine/code_graph.h"
#include "model/code/aie/aie_code.h"
#include "model/graph/program_build.h"
#include "model/work/op_program.h"
#include "model/work/product.h"

/* True if complete code writes less than the whole result; elements of unknown size count as one byte. */
static bool contradicts(const roof_product *p, const roof_control_code *code)
{
    uint64_t least = (uint64_t)p->m * p->n * (p->types[2] ? data_type_bits(p->types[2]) : 8) / 8;
    return code->is_complete && code->write_bytes < least;
}

static roof_status find_product(roof_graph *g, const char *const types[3], roof_error *err)
{
    struct roof_graph_storage *s = g->storage;
    roof_product *product;
    const char *stem = graph_stem(g, g->storage->arena);
    TRY(arena_status(s->arena, err));
    TRY(ARENA_GET(s->arena, product, 1, err));
    if (s->workload->product) {
        *product = *s->workload->product;
        s->product_source = "asked for";
    } else if (product_of_name(stem, product) && !contradicts(product, s->control_codes)) {
        s->product_source = "the name of the file";
        for (int i = 0; i < 3 && types && !product->types[i]; i++)
            product->types[i] = types[i];
    } else {
        return ROOF_OK;
    }
    s->product = product;
    return ROOF_OK;
}

static const char *target_of(const roof_control_code *code)
{
    return code->generation == 4 ? "AIE2P" : "AIE2";
}

roof_status code_graph_build(roof_graph *g, const char *const types[3], roof_error *err)
{
    TRY(find_product(g, types, err));
    return product_build(g, g->storage->product, graph_stem(g, g->storage->arena),
                         g->storage->n_control_codes ? target_of(g->storage->control_codes) : NULL, err);
}

/* ---- work ---------------------------------------------------------------------------------------------- */

static const char *hardware_of(const roof_control_code *code)
{
    return code->generation == 4 ? "npu2" : "npu1"; /* without a generation: AIE2 overlays are of npu1 */
}

roof_status code_graph_hardware(const roof_graph *g, roof_hw **out, roof_error *err)
{
    return g->compiled ? roof_hw_load(hardware_of(g->storage->control_codes), out, err) : ROOF_OK;
}

static roof_status set_row(program_builder *b, const roof_control_code *code, roof_row *row)
{
    const struct roof_graph_storage *s = b->graph->storage;
    roof_demand *demand;
    row->executor = ROOF_BY_ACCELERATOR;
    row->is_timed = row->is_boundary = true;
    row->part = "";
    TRY(op_program_set_texts(b, &b->graph->layers[0], row));
    row->work.cycles_basis = ROOF_BASIS_FORMULA;
    if (code)
        aie_set_work(code, &row->work);
    row->macs = row->ops_count = ROOF_UNKNOWN;
    row->is_stated = row->work.hides_compute = !s->product || !s->product->types[0];
    if (!s->product) {
        row->type = "control code";
        return ROOF_OK;
    }
    row->type = "matmul";
    TRY(product_macs(s->product, &row->macs, b->err));
    row->ops_count = 2 * row->macs;
    if (row->is_stated) /* by the name */
        return ROOF_OK;
    TRY(ARENA_GET(b->rows, demand, 1, b->err));
    TRY(product_demand(b->graph, s->product, demand, b->arena, b->err));
    demand->columns = code && code->columns != ROOF_NONE ? code->columns : 0;
    row->work.demands = demand;
    row->work.n_demands = 1;
    if (!code)
        product_traffic(b->graph, s->product, &row->work);
    return ROOF_OK;
}

roof_status code_graph_program(program_builder *b)
{
    const struct roof_graph_storage *s = b->graph->storage;
    const roof_control_code *code = s->n_control_codes ? s->control_codes : NULL;
    b->out->words[ROOF_BY_HOST] = "CPU";
    b->out->words[ROOF_BY_ACCELERATOR] = b->out->words[ROOF_BY_NOBODY] = b->out->words[ROOF_BY_BOTH] = "NPU";
    TRY(ARENA_GET(b->rows, b->out->rows, 1, b->err));
    if (code) {
        roof_target *t = &b->out->target;
        t->hardware = hardware_of(code);
        t->family = "aie";
        t->name = t->text = target_of(code);
        t->plan_of = "control code of an AI Engine array: it holds transfers, but no shapes";
        roof_findings *rows = &b->out->findings[ROOF_ABOUT_ROWS];
        if (code->unresolved_pushes)
            FIND(rows, NULL, PUSHES_UNKNOWN, AS_COUNT(code->unresolved_pushes), AS_COUNT(code->pushes),
                 AS("B", code->read_bytes), AS("B", code->write_bytes));
        else if (!code->is_complete)
            FIND(rows, NULL, CONTROL_PACKETS, AS("B", code->read_bytes));
        if (!s->product)
            FIND(rows, NULL, COMPUTE_UNKNOWN, NO_OPERANDS);
        else if (s->product->types[0])
            FIND(rows, NULL, PRODUCT, AS_COUNT(s->product->m), AS_COUNT(s->product->k),
                 AS_COUNT(s->product->n), AS_TEXT(s->product->types[0]), AS_TEXT(s->product_source));
        else
            FIND(rows, NULL, PRODUCT_UNTYPED, AS_COUNT(s->product->m), AS_COUNT(s->product->k),
                 AS_COUNT(s->product->n), AS_TEXT(s->product_source));
    } else {
        b->out->name = arena_printf(b->arena, "%ux%ux%u %s", s->product->m, s->product->k, s->product->n,
                                    s->product->types[0]);
    }
    return set_row(b, code, program_next_row(b));
}

void code_graph_hash(const roof_graph *g, graph_hash_value hash, void *hasher)
{
    FOR_EACH(const roof_control_code, code, g->storage->control_codes, g->storage->n_control_codes) {
        hash(hasher, (uint32_t)code->ops);
        for (uint32_t j = 0; j < code->n_channels; j++) {
            hash(hasher,
                 code->channels[j].column * 4 + code->channels[j].channel * 2 + code->channels[j].is_read);
            graph_hash_wide(hash, hasher, code->channels[j].bytes);
        }
    }
}
