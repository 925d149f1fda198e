/* Rows of a language model: what the launches of each ask for, and what a reader wants to know beside them.
 *
 * Weights of a row are the matrices of its products; vectors and tables that go with them (norms, biases,
 * angles) count as input.
 */
#include "core/checked.h"
#include "core/error.h"
#include "model/formats/hf_config/lm_launches.h"
#include "model/graph/program_build.h"
#include "model/work/op_program.h"
#include "model/work/cost.h"

#include <inttypes.h>
#include <string.h>

enum { HEAD_ROWS = 16384 }; /* of lm_head in a launch: Xilinx/mlir-air, lm_head_gemv */
enum { FACTS = 4 };

/* ---- counts -------------------------------------------------------------------------------------------- */

static uint64_t block_matrix_elements(const lm_model *m)
{
    const uint32_t *w = m->width;
    return 2ull * w[LM_HIDDEN] * w[LM_Q] + 2ull * w[LM_HIDDEN] * w[LM_KV] + 3ull * w[LM_HIDDEN] * w[LM_INNER];
}

/* All weights, vectors and embeddings included. */
static uint64_t parameters_of(const lm_model *m)
{
    const uint32_t *w = m->width;
    uint64_t table = (uint64_t)w[LM_VOCAB] * w[LM_HIDDEN],
             block = block_matrix_elements(m) + 2ull * w[LM_HIDDEN];
    if (m->has_qkv_bias)
        block += (uint64_t)w[LM_Q] + 2ull * w[LM_KV];
    if (m->has_o_bias)
        block += w[LM_HIDDEN];
    if (m->has_mlp_bias)
        block += 2ull * w[LM_INNER] + w[LM_HIDDEN];
    if (m->has_qk_norm)
        block += 2ull * w[LM_HEAD_DIM];
    return block * m->layers + table * (m->is_tied ? 1 : 2) + w[LM_HIDDEN];
}

/* ---- a launch ------------------------------------------------------------------------------------------ */

static bool is_on_host(const lm_model *m, uint32_t row)
{
    return m->phase == ROOF_TEXT_DECODE && lm_rows[row].first == LM_ATTENTION;
}

/* Each of its tensors once. Of what the host does, what no launch before it has just made: the cache. */
static void add_traffic(const roof_graph *g, const roof_op *op, bool on_host, roof_traffic *t)
{
    for (uint32_t i = 0; i < op->n_inputs; i++) {
        const roof_edge *edge = &g->edges[op->first_input + i];
        const roof_op *from = &g->ops[edge->op];
        if (edge->role == ROOF_ROLE_WEIGHTS)
            t->weights_bytes += from->out.bytes;
        else if (!on_host || from->rule == ROOF_RULE_INPUT)
            t->input_bytes += from->out.bytes;
    }
    t->output_bytes += on_host ? 0 : op->out.bytes;
}

static const char *types_of(program_builder *b, const roof_op *op)
{
    const lm_model *m = b->graph->storage->language_model;
    const roof_op *weights = op_input(b->graph, op, ROOF_ROLE_WEIGHTS);
    if (!weights || weights->out.bit_width == LM_ACTIVATION_BITS)
        return "bf16";
    return arena_printf(b->rows, "bf16x%s", m->weight_type);
}

static const char *method_of(lm_kind kind, const roof_op *op)
{
    return kind != LM_PRODUCT ? op->type : op->out.dims[0] == 1 ? "gemv" : "gemm";
}

/* Its attention multiplies all pairs, and masks those that a token must not see. */
static uint64_t masked_macs(const roof_graph *g, const roof_op *op, uint64_t macs)
{
    if (op->rule != ROOF_RULE_ATTENTION || macs == ROOF_UNKNOWN)
        return 0;
    const checked all =
        CHECKED_PRODUCT(2, op->out.elements, g->ops[g->edges[op->first_input + 1].op].out.dims[0]);
    return all.overflow || all.value < macs ? 0 : all.value - macs;
}

/* Large products of mlir-air write their result in fp32, and a launch of its own casts it: 2 bytes an element
 * more, then 6. Its kernel_registry has that method from 4e9 multiply-accumulates on. An ideal would not move
 * these bytes; what is expected does. */
#define FUSED_CAST_MACS UINT64_C(4000000000)
static uint64_t cast_bytes(const roof_op *op, const char *method, uint64_t macs)
{
    bool is_cast = method && strcmp(method, "gemm") == 0 && macs >= FUSED_CAST_MACS;
    return is_cast ? 8 * op->out.elements : 0;
}

static roof_demand demand_of(program_builder *b, uint32_t index, const op_work *work)
{
    const roof_op *op = &b->graph->ops[index];
    roof_traffic own = {0};
    add_traffic(b->graph, op, false, &own);
    bool is_head = op->layer == LM_ROWS - 1;
    return (roof_demand){.op = index,
                         .macs = work->macs,
                         .masked_macs = masked_macs(b->graph, op, work->macs),
                         .ops_count = work->ops_count,
                         .sub_pixels = 1,
                         .types = types_of(b, op),
                         .method = method_of(lm_kind_of(op), op),
                         .cast_bytes = cast_bytes(op, method_of(lm_kind_of(op), op), work->macs),
                         .launches = is_head ? (uint32_t)ceil_div(op->out.dims[1], HEAD_ROWS) : 1,
                         .least_bytes = roof_traffic_total(&own)};
}

/* ---- a row --------------------------------------------------------------------------------------------- */

static roof_status add_launches(program_builder *b, const roof_layer *layer, roof_row *row)
{
    static const workload_convention none;
    bool on_host = row->executor == ROOF_BY_HOST;
    roof_demand *demands;
    TRY(ARENA_GET(b->rows, demands, layer->n_ops, b->err));
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        uint32_t index = b->graph->layer_ops[layer->first_op + i];
        const roof_op *op = &b->graph->ops[index];
        op_work work;
        if (lm_kind_of(op) == LM_KINDS)
            continue;
        TRY(op_work_of(b->graph, op, &none, &work, b->err));
        TRY(program_add_count(&row->macs, work.macs, b->err));
        TRY(program_add_count(&row->ops_count, work.ops_count, b->err));
        add_traffic(b->graph, op, on_host, &row->work.traffic);
        if (!on_host)
            demands[row->work.n_demands++] = demand_of(b, index, &work);
    }
    row->work.demands = demands;
    return ROOF_OK;
}

static const char *shape_of(program_builder *b, uint32_t row)
{
    const lm_model *m = b->graph->storage->language_model;
    const uint32_t *w = m->width;
    const uint32_t in[LM_ROWS] = {w[LM_HIDDEN], w[LM_Q], w[LM_Q], w[LM_HIDDEN]};
    const uint32_t out[LM_ROWS] = {w[LM_Q] + 2 * w[LM_KV], w[LM_Q], w[LM_HIDDEN], w[LM_VOCAB]};
    if (lm_rows[row].first == LM_ATTENTION)
        return arena_printf(b->arena, "%ux%u on %u keys", m->tokens, w[LM_Q], m->context);
    return arena_printf(b->arena, "%ux%u -> %ux%u", row == LM_ROWS - 1 ? 1 : m->tokens, in[row],
                        row == LM_ROWS - 1 ? 1 : m->tokens, out[row]);
}

/* ---- facts and findings -------------------------------------------------------------------------------- */

static void find_padding(program_builder *b, const lm_model *m)
{
    const roof_work *head = &b->out->rows[LM_ROWS - 1].work;
    uint64_t vocab = m->width[LM_VOCAB], padded = ceil_div(vocab, HEAD_ROWS) * HEAD_ROWS;
    if (padded == vocab)
        return;
    uint64_t more = head->traffic.weights_bytes / vocab * (padded - vocab) + (padded - vocab) * 2;
    FIND(&b->out->findings[ROOF_ABOUT_ROWS], "lm_head", PADDED, AS_COUNT(HEAD_ROWS), AS_COUNT(vocab),
         AS_COUNT(padded), AS("B", more));
}

/* ---- the program --------------------------------------------------------------------------------------- */

roof_status lm_program(program_builder *b)
{
    const lm_model *m = b->graph->storage->language_model;
    bool is_prefill = m->phase == ROOF_TEXT_PREFILL;
    b->out->words[ROOF_BY_HOST] = "CPU";
    b->out->words[ROOF_BY_ACCELERATOR] = b->out->words[ROOF_BY_NOBODY] = b->out->words[ROOF_BY_BOTH] = "NPU";
    b->out->is_started_by_rows = true;
    b->out->name =
        arena_printf(b->arena, "%s %s %s", m->name, is_prefill ? "prefill" : "decode", m->weight_type);
    if (strcmp(m->weight_type, "bf16") == 0) /* of other weights no constants are known */
        b->out->stack = "mlir-air";
    b->out->reads_weights_once = !is_prefill; /* a step makes a token of every sequence of the batch */
    b->out->whole_method = is_prefill ? NULL : "decode";
    b->out->yield = (roof_yield){"token", m->tokens, is_prefill ? "TTFT" : "TPOT"};
    TRY(ARENA_GET(b->rows, b->out->rows, LM_ROWS, b->err));
    for (uint32_t i = 0; i < LM_ROWS; i++) {
        const roof_layer *layer = &b->graph->layers[i];
        roof_row *row = program_next_row(b);
        TRY(op_program_set_texts(b, layer, row));
        row->shape = shape_of(b, i);
        row->part = "";
        row->executor = is_on_host(m, i) ? ROOF_BY_HOST : ROOF_BY_ACCELERATOR;
        row->is_timed = row->is_boundary = row->executor == ROOF_BY_ACCELERATOR;
        row->repeat = i == LM_ROWS - 1 ? 1 : m->layers;
        row->workload_ops = ROOF_UNKNOWN;
        row->work.traffic = (roof_traffic){.instruction_bytes = ROOF_UNKNOWN};
        row->work.bytes_basis = row->work.cycles_basis = ROOF_BASIS_FORMULA;
        TRY(add_launches(b, layer, row));
    }
    roof_fact *facts;
    uint64_t kv = 2ull * m->width[LM_KV] * m->layers * (LM_ACTIVATION_BITS / 8); /* that a token leaves */
    const roof_fact all[FACTS] = {
        {"parameters", parameters_of(m), ""},
        {m->phase == ROOF_TEXT_PREFILL ? "tokens of the prompt" : "tokens of the context", m->context, ""},
        {"KV cache of a token", kv, "B"},
        {"KV cache", kv * m->context, "B"}};
    TRY(ARENA_GET(b->arena, facts, FACTS, b->err));
    memcpy(facts, all, sizeof all);
    b->out->facts = facts;
    b->out->n_facts = FACTS;
    uint32_t most = m->context > m->tokens ? m->context : m->tokens;
    if (m->is_assumed && m->phase == ROOF_TEXT_PREFILL)
        FIND(&b->out->findings[ROOF_ABOUT_ROWS], NULL, PREFILL, AS_COUNT(m->tokens));
    else if (m->is_assumed)
        FIND(&b->out->findings[ROOF_ABOUT_ROWS], NULL, DECODE, AS_COUNT(m->context));
    if (m->positions && most > m->positions)
        FIND(&b->out->findings[ROOF_ABOUT_ROWS], NULL, BEYOND_CONTEXT, AS_COUNT(most),
             AS_COUNT(m->positions));
    if (m->phase == ROOF_TEXT_DECODE)
        FIND(&b->out->findings[ROOF_ABOUT_ROWS], "attention", HOST_ATTENTION, NO_OPERANDS);
    find_padding(b, m);
    return ROOF_OK;
}

/* The same text with weights of another type. */
static roof_workload workload_at(const lm_model *m, const char *weight_type)
{
    bool is_prefill = m->phase == ROOF_TEXT_PREFILL;
    return (roof_workload){.phase = m->phase,
                           .prompt_tokens = is_prefill ? m->context : m->prompt,
                           .context_tokens = is_prefill ? 0 : m->context,
                           .weight_type = weight_type,
                           .asks_text = true};
}

bool lm_at_type(const roof_graph *graph, const char *type, roof_workload *out, roof_product *product)
{
    (void)product;
    *out = workload_at(graph->storage->language_model, type);
    return true;
}

/* ---- what if ------------------------------------------------------------------------------------------- */

/* First the other types of weights, then twice and four times as long a prompt, as long as the model was made
 * for it. What a longer context costs is the attention of the host, whose time is not known. */
bool lm_alternative(const roof_graph *graph, uint32_t i, roof_arena *arena, format_alternative *out)
{
    static const char *const types[] = {"bf16", "int8", "int4"};
    const lm_model *m = graph->storage->language_model;
    out->workload = workload_at(m, m->asked_type);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        if (strcmp(types[t], m->weight_type) == 0 || i--)
            continue;
        out->workload.weight_type = types[t];
        out->label = arena_printf(arena, "%s weights", types[t]);
        return true;
    }
    uint64_t tokens = (uint64_t)m->context * (i ? 4 : 2);
    if (m->phase != ROOF_TEXT_PREFILL || i > 1 || tokens > (m->positions ? m->positions : LM_MOST_TOKENS) ||
        tokens > LM_MOST_TOKENS)
        return false;
    out->workload.prompt_tokens = (uint32_t)tokens;
    out->label = arena_printf(arena, "prompt of %" PRIu64 " tokens", tokens);
    return true;
}
