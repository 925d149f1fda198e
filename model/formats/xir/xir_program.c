/* The program of an XIR graph: a row for each superlayer, decoded from the instruction stream where its
 * instruction set is public, and one for what of the stream no layer owns. */
#include "model/code/aie/aie_code.h"
#include "model/code/dpu/dpu_stream.h"
#include "model/graph/format.h"
#include "model/formats/xir/xir_reader.h"
#include "model/work/op_program.h"
#include "model/work/cost.h"
#include "model/work/traffic.h"
#include "model/work/opmap.h"
#include "roofline/fingerprint.h"

enum { CONV, ALU, ELTWISE, ENGINES }; /* of a stream */

/* The state of making one program. */
typedef struct superlayers {
    program_builder *b;
    const roof_graph *graph;
    workload_convention convention;
    const op_consumers *consumers;
    const dpu_isa *isa;    /* of the subgraph at work; NULL: its code cannot be decoded */
    stream_costs code;     /* costs from its stream */
    bool layers_have_code; /* compilers up to 2.5 in mode "function" */
    bool is_array;         /* the subgraph at work is compiled for an AI Engine array */
} superlayers;

/* ---- compiled target ---- */

roof_status xir_hardware(const roof_graph *graph, roof_hw **out, roof_error *err)
{
    const roof_subgraph *target = roof_graph_accelerator(graph);
    return target ? roof_hw_match(roof_xir_subgraph_of(graph, target)->fingerprint, out, err) : ROOF_OK;
}

static void read_target(superlayers *x)
{
    program_builder *b = x->b;
    roof_target *target = &b->out->target;
    roof_dpu_config config;
    roof_error ignored;
    char hex[24];
    roof_findings *doubts = &b->out->findings[ROOF_ABOUT_TARGET];
    const roof_subgraph *s = x->graph->compiled ? roof_graph_accelerator(x->graph) : NULL;
    if (!s) {
        if (!x->b->lowering)
            FIND(doubts, NULL, NOT_COMPILED, AS_COUNT(x->graph->n_layers));
        return;
    }
    target->name = arena_strdup(b->arena, s->target);
    const uint64_t fingerprint = target->fingerprint = roof_xir_subgraph_of(x->graph, s)->fingerprint;
    snprintf(hex, sizeof hex, "0x%" PRIx64, fingerprint);
    if (roof_fingerprint_decode(fingerprint, &config, &ignored) != ROOF_OK || !config.family[0]) {
        FIND(doubts, NULL, UNKNOWN_TARGET, AS_TEXT(s->target), AS_TEXT(hex));
        return;
    }
    target->family = arena_strdup(b->arena, config.family);
    /* Compilers from 2.5 on and those before it differ in how fast their networks run; the instruction
     * set separates them. */
    if (strcmp(config.family, "dpuczdx8g") == 0)
        b->out->stack = config.isa == 0 ? "vitis-ai-2" : "vitis-ai-3";
    target->text = arena_strdup(b->arena, config.text);
    if (roof_fingerprint_contradicts(&config, s->target))
        FIND(doubts, NULL, TARGET_NAME, AS_TEXT(s->target), AS_TEXT(hex), AS_TEXT(config.text));
}

/* ---- bytes and cycles ---- */

/* stream: NULL where there is no code; layer: NULL for a remainder. */
static roof_status set_work(superlayers *x, const roof_layer *layer, const stream_cost *stream,
                            roof_work *work)
{
    program_builder *b = x->b;
    work->cycles_basis = ROOF_BASIS_FORMULA;
    work->traffic = stream ? stream->traffic : (roof_traffic){0};
    work->bytes_basis = !stream  ? ROOF_BASIS_FORMULA
                        : x->isa ? ROOF_BASIS_CODE
                                 : ROOF_BASIS_FILE; /* of code that cannot be read, its length */
    if (!stream && layer)
        TRY(traffic_of_layer(x->graph, x->consumers, layer, &work->traffic, b->err));
    if (!stream || !x->isa || !dpu_isa_has_cycles(x->isa))
        return ROOF_OK;
    uint64_t *cycles;
    TRY(ARENA_GET(b->rows, cycles, ENGINES, b->err));
    cycles[CONV] = stream->conv_cycles;
    cycles[ALU] = stream->alu_cycles;
    cycles[ELTWISE] = stream->eltwise_cycles;
    work->cycles = cycles;
    work->cycles_basis = ROOF_BASIS_CODE;
    return ROOF_OK;
}

static roof_status find_undecodable(superlayers *x, const char *layer, roof_form form, const roof_error *why)
{
    char text[512];
    if (why->status == ROOF_E_NO_MEMORY)
        return error_memory(x->b->err);
    roof_error_format(why, text, sizeof text);
    finding_add(&x->b->out->findings[ROOF_ABOUT_ROWS], layer, &(roof_remark){form, {AS_TEXT(text)}});
    return ROOF_OK;
}

/* A layer's own control code: on an AI Engine array that is what is executed, in the per-layer run and in the
 * whole-network run. Where it cannot be decoded the shapes tell. */
static roof_status set_array_work(superlayers *x, const roof_layer *layer, roof_row *row)
{
    program_builder *b = x->b;
    const roof_xir_subgraph *own = roof_xir_layer_of(x->graph, layer);
    roof_demand *demands = (roof_demand *)row->work.demands; /* made for this row */
    roof_control_code ignored;
    roof_error why;
    uint32_t columns = roof_xir_subgraph_of(x->graph, &x->graph->subgraphs[layer->subgraph])->columns;
    for (uint32_t i = 0; i < row->work.n_demands; i++)
        demands[i].columns = columns == ROOF_NONE ? 0 : columns;
    if (!own->code.bytes && !roof_traffic_total(&row->work.traffic))
        row->work.bytes_basis = ROOF_BASIS_CODE; /* it only names memory, and has none */
    if (own->control_code)
        aie_set_work(own->control_code, &row->work);
    else if (own->code.bytes && xir_decode_code(own, b->rows, &ignored, &why) != ROOF_OK)
        return find_undecodable(x, layer->name, ROOF_FORM_UNDECODABLE_CONTROL, &why);
    if (own->control_code && !own->control_code->is_complete)
        FIND(&b->out->findings[ROOF_ABOUT_ROWS], layer->name, LAYER_PUSHES_UNKNOWN,
             AS_COUNT(own->control_code->unresolved_pushes), AS_COUNT(own->control_code->pushes));
    return ROOF_OK;
}

static roof_status decode_stream(superlayers *x, uint32_t subgraph)
{
    program_builder *b = x->b;
    const roof_subgraph *s = &x->graph->subgraphs[subgraph];
    const roof_xir_subgraph *own = roof_xir_subgraph_of(x->graph, s);
    const dpu_isa *isa = dpu_isa_of(own->fingerprint);
    roof_error why;
    if (!own->code.bytes) {
        FIND(&b->out->findings[ROOF_ABOUT_ROWS], NULL, NO_CODE, AS_TEXT(s->name));
        return ROOF_OK;
    }
    x->code.remainder.traffic.instruction_bytes = own->code.length_bytes;
    if (!isa) {
        FIND(&b->out->findings[ROOF_ABOUT_ROWS], NULL, ISA_NOT_PUBLIC, AS_TEXT(s->name), AS_TEXT(s->target),
             AS("B", own->code.length_bytes));
        return ROOF_OK;
    }
    roof_dpu_config c;
    roof_error ignored;
    if (roof_fingerprint_decode(own->fingerprint, &c, &ignored) != ROOF_OK)
        c.input_channel_parallel = c.output_channel_parallel = c.convw_bank_base = c.pool_pixel_parallel =
            ROOF_NONE;
    /* 16: only sets without public compute fields lack it, where it has no effect */
    bool has_lanes = c.input_channel_parallel != ROOF_NONE && c.input_channel_parallel;
    bank_layout banks = (bank_layout){
        .input_channel_parallel = has_lanes ? c.input_channel_parallel : 16,
        .output_channel_parallel = c.output_channel_parallel == ROOF_NONE ? 0 : c.output_channel_parallel,
        .weight_bank_base = c.convw_bank_base,
        .pool_rows = c.pool_pixel_parallel};
    if (dpu_attribute(x->graph, subgraph, isa, &banks, b->arena, &x->code, &why) == ROOF_OK) {
        roof_stream *stream = &b->out->streams[b->out->n_streams++];
        *stream = x->code.stream;
        stream->part = program_share(b, s->name);
        stream->first_row = b->out->n_rows;
        x->isa = isa;
        return ROOF_OK;
    }
    x->code.remainder = (stream_cost){.traffic.instruction_bytes = own->code.length_bytes};
    return find_undecodable(x, NULL, ROOF_FORM_UNDECODABLE, &why);
}

/* The layer's own code, which a per-layer profile executes. From compiler 3.0 on there is none. */
static roof_status set_alone(superlayers *x, const roof_layer *layer, roof_row *row)
{
    const roof_graph *g = x->graph;
    const roof_subgraph *s = &g->subgraphs[layer->subgraph];
    const roof_xir_subgraph *own = roof_xir_layer_of(g, layer);
    const dpu_isa *isa = dpu_isa_of(roof_xir_subgraph_of(g, s)->fingerprint);
    stream_cost cost = {0};
    roof_stream *stream = NULL;
    roof_error why;
    if (!isa || !x->layers_have_code || (!own->code.bytes && !own->skip_code_gen))
        return ROOF_OK;
    if (own->code.bytes)
        TRY(ARENA_GET(x->b->arena, stream, 1, x->b->err));
    if (stream &&
        dpu_total(roof_xir_subgraph_of(g, s), isa, &own->code, x->b->arena, &cost, stream, &why) != ROOF_OK)
        return find_undecodable(x, layer->name, ROOF_FORM_UNDECODABLE_LAYER, &why);
    superlayers decodable = *x; /* also where the whole subgraph's code could not be attributed */
    decodable.isa = isa;
    roof_work *alone;
    TRY(ARENA_GET(x->b->rows, alone, 1, x->b->err));
    *alone = row->work;
    alone->cycles = NULL;
    alone->stream = stream;
    row->alone = alone;
    return set_work(&decodable, layer, &cost, alone);
}

/* ---- rows ---- */

static roof_status add_layer(superlayers *x, const roof_layer *layer, uint32_t position)
{
    program_builder *b = x->b;
    roof_row *row = program_next_row(b);
    row->executor = x->graph->subgraphs[layer->subgraph].device != ROOF_DEVICE_ACCELERATOR ? ROOF_BY_HOST
                    : roof_xir_layer_of(x->graph, layer)->skip_code_gen                    ? ROOF_BY_NOBODY
                                                                        : ROOF_BY_ACCELERATOR;
    row->part = program_share(b, x->graph->subgraphs[layer->subgraph].name);
    TRY(op_program_set_texts(b, layer, row));
    TRY(op_program_set_operators(b, layer, &x->convention, row));
    if (row->executor == ROOF_BY_HOST)
        return ROOF_OK;
    row->is_timed = true;
    row->is_boundary = row->executor == ROOF_BY_ACCELERATOR;
    TRY(set_work(x, layer, x->isa ? &x->code.layers[position] : NULL, &row->work));
    return x->is_array ? set_array_work(x, layer, row) : set_alone(x, layer, row);
}

static roof_row *next_remainder(program_builder *b, const char *name, const char *part)
{
    roof_row *row = program_next_row(b);
    row->name = name;
    row->type = "-";
    row->is_remainder = true;
    row->part = program_share(b, part);
    return row;
}

/* Work of ops that no layer names would vanish from the sums; it gets a row of its own. */
static roof_status add_orphans(superlayers *x, uint32_t subgraph)
{
    roof_row *row = NULL;
    program_builder *b = x->b;
    const roof_graph *g = x->graph;
    FOR_EACH(const roof_op, op, g->ops, g->n_ops) {
        op_work work;
        if (op->layer != ROOF_NONE || op->subgraph != subgraph || !rule_computes(op->rule))
            continue;
        TRY(op_work_of(g, op, &x->convention, &work, b->err));
        if (!work.macs && !work.ops_count)
            continue;
        const char *part = subgraph == ROOF_NONE ? "" : g->subgraphs[subgraph].name;
        if (!row)
            row = next_remainder(b, "(ops outside any layer)", part);
        TRY(op_program_add_work(row, &work, b->err));
        FIND(&b->out->findings[ROOF_ABOUT_ROWS], NULL, OUTSIDE_LAYERS, AS_TEXT(op->name), AS_TEXT(op->type));
    }
    return ROOF_OK;
}

static roof_status add_subgraph(superlayers *x, uint32_t subgraph, bool orphans)
{
    const roof_graph *g = x->graph;
    const roof_subgraph *s = &g->subgraphs[subgraph];
    x->isa = NULL;
    x->code = (stream_costs){0};
    x->layers_have_code = false;
    x->is_array = s->device == ROOF_DEVICE_ACCELERATOR && xir_is_array(roof_xir_subgraph_of(g, s));
    if (x->is_array) {
        /* the controller runs the subgraph's own code, which fetches the rest of what configures the array */
        const roof_control_code *code = roof_xir_subgraph_of(x->graph, s)->control_code;
        if (code)
            FIND(&x->b->out->findings[ROOF_ABOUT_ROWS], NULL, PARTIAL_CODE, AS_TEXT(s->name),
                 AS("B", code->read_bytes), AS("B", code->write_bytes));
    } else if (s->device == ROOF_DEVICE_ACCELERATOR)
        TRY(decode_stream(x, subgraph));
    x->b->out->n_parts += s->device == ROOF_DEVICE_ACCELERATOR;
    for (uint32_t i = 0; i < s->n_layers; i++)
        x->layers_have_code |= roof_xir_layer_of(g, &g->layers[s->first_layer + i])->code.bytes != NULL;
    for (uint32_t i = 0; i < s->n_layers; i++)
        TRY(add_layer(x, &g->layers[s->first_layer + i], i));
    static const stream_cost zero;
    if (memcmp(&x->code.remainder, &zero, sizeof zero) != 0) {
        roof_row *row = next_remainder(x->b, x->isa ? "(not attributed)" : "(instructions)", s->name);
        row->workload_ops = x->convention.any_stored ? 0 : ROOF_UNKNOWN;
        row->is_timed = true;
        TRY(set_work(x, NULL, &x->code.remainder, &row->work));
    }
    return orphans ? add_orphans(x, subgraph) : ROOF_OK;
}

/* ---- counts that the file states ---- */

/* Every level of the tree stores the sum over the ops below it. Children follow their parent. */
static roof_status check_subgraphs(superlayers *x)
{
    program_builder *b = x->b;
    const roof_graph *g = x->graph;
    uint64_t *sums;
    TRY(ARENA_GET(b->rows, sums, g->n_subgraphs, b->err));
    for (uint32_t i = g->n_subgraphs; i-- > 0;) {
        const roof_subgraph *s = &g->subgraphs[i];
        for (uint32_t j = 0; j < s->n_ops; j++)
            TRY(program_add_count(&sums[i], g->ops[g->subgraph_ops[s->first_op + j]].stored_workload_ops,
                                  b->err));
        if (s->parent != ROOF_NONE)
            TRY(program_add_count(&sums[s->parent], sums[i], b->err));
        if (s->stored_workload_ops != ROOF_UNKNOWN && s->stored_workload_ops != sums[i])
            FIND(&b->out->findings[ROOF_ABOUT_ROWS], NULL, WORKLOAD_OF_SUBGRAPH, AS_TEXT(s->name),
                 AS("ops", s->stored_workload_ops), AS("ops", sums[i]));
    }
    return ROOF_OK;
}

static roof_status check_workload(superlayers *x)
{
    program_builder *b = x->b;
    x->convention = workload_detect(x->graph);
    if (!x->convention.any_stored)
        return ROOF_OK;
    b->out->workload_ops = 0;
    FOR_EACH(const roof_op, op, x->graph->ops, x->graph->n_ops) {
        op_work work;
        if (op->stored_workload_ops == ROOF_UNKNOWN)
            continue;
        TRY(op_work_of(x->graph, op, &x->convention, &work, b->err));
        if (work.workload_ops == ROOF_UNKNOWN)
            FIND(&b->out->findings[ROOF_ABOUT_ROWS], NULL, WORKLOAD_WITHOUT_RULE, AS_TEXT(op->name),
                 AS_TEXT(op->type), AS("ops", op->stored_workload_ops));
        else if (work.workload_ops != op->stored_workload_ops)
            FIND(&b->out->findings[ROOF_ABOUT_ROWS], NULL, WORKLOAD_OF_OP, AS_TEXT(op->name),
                 AS_TEXT(op->type), AS("ops", op->stored_workload_ops), AS("ops", work.workload_ops));
        TRY(program_add_count(&b->out->workload_ops, work.workload_ops, b->err));
    }
    b->out->stored_workload_ops = x->graph->subgraphs[0].stored_workload_ops;
    return x->graph->compiled ? check_subgraphs(x) : ROOF_OK;
}

/* Only DPUCZDX8G keeps its constants unpadded, so only there the stream must load exactly what the tensors
 * hold. */
static void find_weight_bytes(superlayers *x)
{
    const roof_graph *g = x->graph;
    const roof_row *row = x->b->out->rows;
    for (uint32_t i = 0; i < g->n_layers; i++, row++) {
        const roof_layer *layer = &g->layers[i];
        while (row->is_remainder)
            row++;
        const roof_subgraph *s = &g->subgraphs[layer->subgraph];
        if (row->work.bytes_basis != ROOF_BASIS_CODE || roof_xir_subgraph_of(g, s)->fingerprint >> 56 != 1)
            continue;
        uint64_t want = traffic_of_weights(g, layer);
        if (row->work.traffic.weights_bytes != want)
            FIND(&x->b->out->findings[ROOF_ABOUT_WHOLE], layer->name, WEIGHT_BYTES,
                 AS("B", row->work.traffic.weights_bytes), AS("B", want));
    }
}

roof_status xir_program(program_builder *b)
{
    superlayers x = {.b = b, .graph = b->graph};
    b->out->words[ROOF_BY_HOST] = "CPU";
    b->out->words[ROOF_BY_ACCELERATOR] = b->out->words[ROOF_BY_NOBODY] = b->out->words[ROOF_BY_BOTH] = "DPU";
    b->out->engines[CONV] = "conv";
    b->out->engines[ALU] = "alu";
    b->out->engines[ELTWISE] = "eltwise";
    b->out->n_engines = ENGINES;
    read_target(&x);
    TRY(check_workload(&x));
    if (!b->graph->compiled)
        return op_program(b, &x.convention);
    x.consumers = traffic_consumers(b->graph, b->rows);
    TRY(ALLOCATED(x.consumers, b->err));
    const roof_graph *g = x.graph;
    size_t parts = 1;
    for (uint32_t s = g->subgraphs[0].first_child; s != ROOF_NONE; s = g->subgraphs[s].next_sibling)
        parts++;
    TRY(ARENA_GET(x.b->rows, x.b->out->rows, g->n_layers + 2 * parts, x.b->err));
    TRY(ARENA_GET(x.b->arena, x.b->out->streams, parts, x.b->err));
    bool orphans = false;
    for (uint32_t i = 0; i < g->n_ops && !orphans; i++)
        orphans = g->ops[i].layer == ROOF_NONE && rule_computes(g->ops[i].rule);
    for (uint32_t s = g->subgraphs[0].first_child; s != ROOF_NONE; s = g->subgraphs[s].next_sibling)
        TRY(add_subgraph(&x, s, orphans));
    if (orphans)
        TRY(add_orphans(&x, ROOF_NONE));
    find_weight_bytes(&x);
    return ROOF_OK;
}
