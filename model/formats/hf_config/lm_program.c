/* Rows of a language model: what the launches of each ask for, and what a reader wants to know beside them.
 *
 * Weights of a row are the matrices of its products; vectors and tables that go with them (norms, biases,
 * angles) count as input.
 */
#include "model/formats/hf_config/lm_launches.h"
#include "model/graph/program_build.h"
#include "model/work/op_program.h"
#include "model/work/cost.h"
#include "model/work/language_matrices.h"

enum { HEAD_ROWS = 16384 }; /* of lm_head in a launch: Xilinx/mlir-air, lm_head_gemv */
enum { FACTS = 5, DEFAULT_PROMPT = 2048 };

/* ---- a launch ------------------------------------------------------------------------------------------ */

/* Stacks that are known compile for an AI Engine array; elsewhere a model has launches of its own. */
static bool is_for_array(const program_builder *b)
{
    return !b->hw || strcmp(roof_hw_family(b->hw), "aie") == 0;
}

/* mlir-air's launches for weights of 2 bytes leave the attention of a token to the host; those for packed
 * weights do not. */
static bool is_on_host(const program_builder *b, uint32_t row)
{
    const lm_model *m = b->graph->storage->language_model;
    const roof_layer_kind *k = lm_row_layers(m, row);
    return is_for_array(b) && m->point.phase == ROOF_TEXT_DECODE && k && k->mixer == ROOF_MIXER_FULL &&
           lm_row_part(m, row) == 1 && m->point.weights.bits == LM_ACTIVATION_BITS;
}

/* Each of its tensors once. For the host only what no launch before has just made: the cache. */
static void add_traffic(const roof_graph *g, const roof_op *op, bool on_host, roof_traffic *t)
{
    FOR_EACH(const roof_edge, edge, g->edges + op->first_input, op->n_inputs) {
        const roof_op *from = &g->ops[edge->op];
        if (edge->role == ROOF_ROLE_WEIGHTS)
            t->weights_bytes += from->out.bytes;
        else if (!on_host || from->rule == ROOF_RULE_INPUT)
            t->input_bytes += from->out.bytes;
    }
    t->output_bytes += on_host ? 0 : op->out.bytes;
}

static const char *method_of(lm_kind kind, const roof_op *op)
{
    return kind != LM_PRODUCT ? op->type : op->out.dims[0] == 1 ? "gemv" : "gemm";
}

/* Work that does not follow from shapes: attention to latent keys and to all that an encoder made, and
 * states. */
static void set_own_macs(const lm_model *m, const roof_op *op, op_work *work)
{
    const roof_layer_kind *k = lm_row_layers(m, op->layer);
    const lm_kind kind = lm_kind_of(op);
    language_wide macs = lm_own_macs(m, op);
    if (!k && !macs)
        return;
    if (!macs && lm_is_cross(op))
        macs = 2 * (language_wide)op->out.elements * m->shape.encoder.tokens;
    else if (!macs && kind == LM_ATTEND && m->shape.latent.key_rank)
        macs = language_attention_macs(&m->shape, k, &m->point);
    else if (kind == LM_DELTA_NET || kind == LM_SHORT_CONV || kind == LM_SCAN)
        macs = language_state_macs(&m->shape, k, &m->point);
    if (!macs)
        return;
    if (kind == LM_SCAN && m->shape.mamba.version == 1 && !m->tensors) /* its decays are a matrix */
        macs += (language_wide)op->out.elements * m->shape.mamba.state;
    work->macs = macs > INT64_MAX / 2 ? ROOF_UNKNOWN : (uint64_t)macs;
    work->ops_count = work->macs == ROOF_UNKNOWN ? ROOF_UNKNOWN : 2 * work->macs;
}

/* Its attention multiplies all pairs, and masks those that a token must not see. */
static uint64_t masked_macs(const roof_graph *g, const roof_op *op, uint64_t macs)
{
    if (op->rule != ROOF_RULE_ATTENTION || macs == ROOF_UNKNOWN || lm_is_cross(op) ||
        g->storage->language->latent.key_rank)
        return 0;
    const checked all =
        CHECKED_PRODUCT(2, op->out.elements, g->ops[g->edges[op->first_input + 1].op].out.dims[0]);
    return all.overflow || all.value < macs ? 0 : all.value - macs;
}

/* Large products of mlir-air write their result in fp32, and a launch of its own casts it: 2 bytes an element
 * more, then 6. Its kernel_registry has that method from 4e9 multiply-accumulates on. An ideal would not move
 * these bytes; what is expected does. */
#define FUSED_CAST_MACS UINT64_C(4000000000)

static roof_demand demand_of(program_builder *b, uint32_t index, const op_work *work)
{
    const roof_op *op = &b->graph->ops[index];
    const roof_op *weights = op_input(b->graph, op, ROOF_ROLE_WEIGHTS);
    const bool is_converted = weights && weights->out.bit_width != LM_ACTIVATION_BITS;
    const char *method = method_of(lm_kind_of(op), op);
    const bool is_cast = method && strcmp(method, "gemm") == 0 && work->macs >= FUSED_CAST_MACS;
    roof_traffic own = {0};
    add_traffic(b->graph, op, false, &own);
    bool is_head = !lm_row_layers(b->graph->storage->language_model, op->layer);
    return (roof_demand){.op = index,
                         .macs = work->macs,
                         .masked_macs = masked_macs(b->graph, op, work->macs),
                         .ops_count = work->ops_count,
                         .sub_pixels = 1,
                         .types = is_converted ? b->graph->storage->language_model->types : "bf16",
                         .method = method,
                         .cast_bytes = is_cast ? 8 * op->out.elements : 0,
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
        set_own_macs(b->graph->storage->language_model, op, &work);
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
    const roof_layer_kind *k = lm_row_layers(m, row);
    const uint32_t d = m->shape.hidden, n = m->point.phase == ROOF_TEXT_DECODE ? 1 : m->point.tokens;
    if (!k)
        return arena_printf(b->arena, "1x%u -> 1x%u", d, m->shape.vocab);
    const uint32_t q = lm_width_of(m, k, LM_Q), mixed = lm_width_of(m, k, LM_MIXED);
    const bool has_keys = language_has_attention(k);
    const uint32_t kv = has_keys && !k->shares_cache ? lm_width_of(m, k, LM_KV) + lm_width_of(m, k, LM_V) : 0;
    switch (lm_row_part(m, row)) {
    case 0:
        return arena_printf(b->arena, "%ux%u -> %ux%u", n, d, n, mixed + kv);
    case 1:
        return has_keys ? arena_printf(b->arena, "%ux%u on %u keys", n, q,
                                       k->window && k->window < m->point.tokens ? k->window : m->point.tokens)
                        : arena_printf(b->arena, "%ux%u -> %ux%u", n, mixed, n, q);
    default:
        return arena_printf(b->arena, "%ux%u -> %ux%u", n, q, n, d);
    }
}

/* ---- facts and findings -------------------------------------------------------------------------------- */

static roof_status tell_facts(program_builder *b, const lm_model *m, const roof_language_counts *counts)
{
    const bool is_prefill = m->point.phase == ROOF_TEXT_PREFILL;
    /* with vectors, norms and biases, of which a file has all; unknown where those of the family are */
    const uint64_t parameters =
        m->shape.stored ? counts->parameters : checked_sum_known(counts->parameters, m->shape.vectors);
    const roof_fact all[FACTS] = {
        {"parameters", parameters, ""},
        {is_prefill ? "tokens of the prompt" : "tokens of the context", m->point.tokens, ""},
        {"KV cache of a token", counts->kv_bytes_per_token, "B"},
        {"KV cache", counts->cache_bytes, "B"},
        {"file of the weights", counts->file_bytes, "B"}};
    roof_fact *facts;
    TRY(ARENA_GET(b->arena, facts, FACTS + m->n_forms, b->err));
    b->out->facts = facts;
    for (uint32_t i = 0; i < FACTS; i++)
        if (all[i].value != ROOF_UNKNOWN)
            facts[b->out->n_facts++] = all[i];
    for (uint32_t i = 0; i < m->n_forms; i++) {
        facts[b->out->n_facts] = m->forms[i];
        facts[b->out->n_facts++].name = arena_strdup(b->arena, m->forms[i].name);
    }
    return ROOF_OK;
}

static void find_doubts(program_builder *b, const lm_model *m)
{
    roof_findings *found = &b->out->findings[ROOF_ABOUT_ROWS];
    const uint32_t n = m->point.tokens, positions = m->shape.positions;
    const bool is_prefill = m->point.phase == ROOF_TEXT_PREFILL;
    if (m->is_assumed && is_prefill)
        FIND(found, NULL, PREFILL, AS_COUNT(n));
    else if (m->is_assumed)
        FIND(found, NULL, DECODE, AS_COUNT(n));
    if (m->assumed_type)
        FIND(found, NULL, ASSUMED_FAMILY, AS_TEXT(m->assumed_type));
    if (m->unseen)
        FIND(found, NULL, UNSEEN_PART, AS_TEXT(m->unseen));
    if (m->shape.encoder.layers)
        FIND(found, NULL, UNSEEN_ENCODER, AS_COUNT(m->shape.encoder.tokens));
    if (m->prediction_layers)
        FIND(found, NULL, PREDICTION_LAYERS, AS_COUNT(m->prediction_layers));
    if (m->shape.latent.key_rank)
        FIND(found, NULL, LATENT,
             AS_TEXT(is_prefill ? "keys and values are made of the latent vector (expanded)"
                                : "queries are multiplied into the latent vector (absorbed)"));
    const roof_weight_format *w = &m->point.weights; /* "int4, 20 bits more for each 128" */
    if (m->shape.quantised)
        FIND(found, NULL, QUANTISED,
             AS_TEXT(w->group == ROOF_GROUP_ROW
                         ? arena_printf(b->arena, "%s, %u bits more for each row", w->name, w->group_bits)
                         : arena_printf(b->arena, "%s, %u bits more for each %u", w->name, w->group_bits,
                                        w->group)),
             AS_TEXT(m->kept ? m->kept : "nothing"));
    if (positions && n > positions)
        FIND(found, NULL, BEYOND_CONTEXT, AS_COUNT(n), AS_COUNT(positions));
    for (uint32_t i = 0; i < b->out->n_rows; i++)
        if (is_on_host(b, i))
            FIND(found, b->out->rows[i].name, HOST_ATTENTION, NO_OPERANDS);
    if (b->out->stack && strcmp(b->out->stack, "mlir-air") == 0) {
        const roof_work *head = &b->out->rows[b->out->n_rows - 1].work;
        uint64_t vocab = m->shape.vocab, padded = ceil_div(vocab, HEAD_ROWS) * HEAD_ROWS;
        if (padded != vocab) {
            uint64_t more = head->traffic.weights_bytes / vocab * (padded - vocab) + (padded - vocab) * 2;
            FIND(&b->out->findings[ROOF_ABOUT_ROWS], "lm_head", PADDED, AS_COUNT(HEAD_ROWS), AS_COUNT(vocab),
                 AS_COUNT(padded), AS("B", more));
        }
    }
}

/* ---- the program --------------------------------------------------------------------------------------- */

roof_status lm_program(program_builder *b)
{
    const lm_model *m = b->graph->storage->language_model;
    const uint32_t n_rows = b->graph->n_layers;
    bool is_prefill = m->point.phase == ROOF_TEXT_PREFILL;
    if (m->not_known)
        return error_set(b->err, ROOF_E_UNSUPPORTED, "%s", m->not_known);
    b->out->words[ROOF_BY_HOST] = "CPU";
    b->out->words[ROOF_BY_ACCELERATOR] = b->out->words[ROOF_BY_NOBODY] = b->out->words[ROOF_BY_BOTH] =
        is_for_array(b) ? "NPU" : "accelerator";
    b->out->is_started_by_rows = true;
    if (!b->is_bare)
        b->out->name = arena_printf(b->arena, "%s %s %s", m->shape.name, is_prefill ? "prefill" : "decode",
                                    m->point.weights.name);
    /* by which constants a weight type is known best: bf16 that mlir-air multiplies launch by launch, packed
     * ones that FastFlowLM streams */
    const char *form = m->point.weights.name;
    b->out->stack = !is_for_array(b)                   ? NULL
                    : strcmp(form, "bf16") == 0        ? "mlir-air"
                    : text_has_word("q4_1 q4_0", form) ? "fastflowlm"
                                                       : NULL;
    b->out->reads_weights_once = !is_prefill; /* a step makes a token of every sequence of the batch */
    b->out->yield = (roof_yield){"token", is_prefill ? m->point.tokens : 1, is_prefill ? "TTFT" : "TPOT"};
    TRY(ARENA_GET(b->rows, b->out->rows, n_rows, b->err));
    for (uint32_t i = 0; i < n_rows; i++) {
        const roof_layer *layer = &b->graph->layers[i];
        const roof_layer_kind *k = lm_row_layers(m, i);
        roof_row *row = program_next_row(b);
        if (!b->is_bare) {
            TRY(op_program_set_texts(b, layer, row));
            row->shape = m->tensors ? row->shape : shape_of(b, i);
        }
        row->part = "";
        row->executor = is_on_host(b, i) ? ROOF_BY_HOST : ROOF_BY_ACCELERATOR;
        row->is_boundary = row->executor == ROOF_BY_ACCELERATOR;
        row->is_timed = true; /* also the host reads the cache, if not through the array's channels */
        row->repeat = k ? k->count : 1;
        row->workload_ops = ROOF_UNKNOWN;
        row->work.traffic = (roof_traffic){.instruction_bytes = ROOF_UNKNOWN};
        row->work.bytes_basis = row->work.cycles_basis = ROOF_BASIS_FORMULA;
        TRY(add_launches(b, layer, row));
        if (row->executor == ROOF_BY_HOST)
            row->work.busiest_read_bytes = row->work.busiest_write_bytes = 0;
    }
    if (b->is_bare)
        return ROOF_OK;
    roof_language_counts counts;
    TRY(roof_language_count(&m->shape, &m->point, &counts, b->err));
    TRY(tell_facts(b, m, &counts));
    find_doubts(b, m);
    return ROOF_OK;
}

/* The same text with weights of another type. */
static roof_workload workload_at(const lm_model *m, const char *weight_type)
{
    bool is_prefill = m->point.phase == ROOF_TEXT_PREFILL;
    return (roof_workload){.phase = m->point.phase,
                           .prompt_tokens = is_prefill ? m->point.tokens : m->prompt,
                           .context_tokens = is_prefill ? 0 : m->point.tokens,
                           .weight_type = weight_type,
                           .cache_type = m->point.cache.name,
                           .asks_text = true};
}

bool lm_at_type(const roof_graph *graph, const char *type, roof_workload *out, roof_product *product)
{
    (void)product;
    *out = workload_at(graph->storage->language_model, type);
    return true;
}

/* Other weights, a smaller cache, then twice and four times as long a context or prompt, as long as the model
 * was made for it. */
bool lm_alternative(const roof_graph *graph, uint32_t i, roof_arena *arena, format_alternative *out)
{
    static const char *const types[] = {"bf16", "int8", "q4_1"};
    const lm_model *m = graph->storage->language_model;
    const bool is_prefill = m->point.phase == ROOF_TEXT_PREFILL;
    out->workload = workload_at(m, m->requested_type);
    for (size_t t = 0; t < N_OF(types) && !m->tensors; t++) {
        if (strcmp(types[t], m->point.weights.name) == 0 || i--)
            continue;
        out->workload.weight_type = types[t];
        out->label = arena_printf(arena, "%s weights", types[t]);
        return true;
    }
    if (!is_prefill && m->point.cache.bits > 8 && !i--) {
        out->workload.cache_type = "int8";
        out->label = "int8 cache";
        return true;
    }
    uint64_t tokens = (uint64_t)m->point.tokens * (i ? 4 : 2);
    if (i > 1 || tokens > (m->shape.positions ? m->shape.positions : LM_MOST_TOKENS) ||
        tokens > LM_MOST_TOKENS)
        return false;
    *(is_prefill ? &out->workload.prompt_tokens : &out->workload.context_tokens) = (uint32_t)tokens;
    out->label =
        arena_printf(arena, is_prefill ? "prompt of %" PRIu64 " tokens" : "context of %" PRIu64, tokens);
    return true;
}

/* ---- a model of the graph ------------------------------------------------------------------------------ */

roof_status lm_set_tokens(lm_model *m, const roof_workload *w, roof_error *err)
{
    const uint32_t most =
        m->shape.positions && m->shape.positions < DEFAULT_PROMPT ? m->shape.positions : DEFAULT_PROMPT;
    uint32_t prompt = w->prompt_tokens ? w->prompt_tokens : most;
    uint32_t context = w->context_tokens ? w->context_tokens : prompt;
    if (prompt > LM_MOST_TOKENS || context > LM_MOST_TOKENS)
        return error_set(err, ROOF_E_USAGE, "%u tokens are requested, want at most %d",
                         prompt > context ? prompt : context, LM_MOST_TOKENS);
    bool is_prefill = w->phase != ROOF_TEXT_DECODE;
    if (is_prefill && w->context_tokens)
        return error_set(err, ROOF_E_USAGE,
                         "a context is that of a token that is made: ask for --phase decode, or for a prompt "
                         "with --seq-len");
    m->point.phase = is_prefill ? ROOF_TEXT_PREFILL : ROOF_TEXT_DECODE;
    m->point.tokens = is_prefill ? prompt : context;
    m->point.batch = 1;
    m->prompt = prompt;
    m->is_assumed = !w->asks_text || !(w->prompt_tokens || w->context_tokens);
    return ROOF_OK;
}

roof_status lm_begin(roof_graph *g, const lm_model *m, roof_error *err)
{
    g->storage->language_model = m;
    g->storage->language = &m->shape;
    g->storage->language_point = &m->point;
    return m->build(g, m, err);
}

roof_status lm_at_point(roof_graph *g, const roof_language_point *point, roof_error *err)
{
    lm_model *m;
    TRY(ARENA_GET(g->storage->arena, m, 1, err));
    *m = *g->storage->language_model;
    m->point = *point;
    m->point.batch = 1; /* rows are of one sequence */
    m->prompt = point->tokens;
    m->is_assumed = false;
    g->n_ops = g->n_edges = g->n_layer_ops = g->n_layers = g->n_subgraphs = 0;
    return lm_begin(g, m, err);
}

void lm_hash(const roof_graph *g, graph_hash_value hash, void *hasher)
{
    const roof_language_model *m = &g->storage->language_model->shape;
    for (uint32_t i = 0; i < m->n_kinds; i++)
        hash(hasher, m->kinds[i].count); /* of which the graph has one */
}
