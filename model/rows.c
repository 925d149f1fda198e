/* Rows of a prediction: one per layer, and one for what no layer of a subgraph owns. */
#include "core/error.h"
#include "core/quantity.h"
#include "model/work/opmap.h"
#include "model/predictor.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the instruction stream of one subgraph gave. */
typedef struct stream_result {
    const dpu_isa *isa; /* NULL: no decodable code */
    stream_cost *layers;
    stream_cost remainder;
    bool layers_have_code; /* compilers up to 2.5 in mode "function" */
} stream_result;

/* ---- texts of a row ---- */

/* Rows repeat the same few texts; a copy of each is enough. NULL without memory. */
const char *row_share(predictor *p, const char *text)
{
    enum { N = sizeof p->shared / sizeof *p->shared };
    for (unsigned i = 0; i < N && p->shared[i]; i++)
        if (strcmp(p->shared[i], text) == 0)
            return p->shared[i];
    const char *copy = arena_strdup(p->arena, text);
    p->shared[p->next_shared++ % N] = copy;
    return copy;
}

static const char *short_name(const roof_op *op)
{
    static const struct {
        roof_rule rule;
        const char *text;
    } names[] = {{ROOF_RULE_CONV2D, "conv"},
                 {ROOF_RULE_DEPTHWISE, "dw"},
                 {ROOF_RULE_TRANSPOSED, "tconv"},
                 {ROOF_RULE_MATMUL, "fc"},
                 {ROOF_RULE_TRANSPOSED_DEPTHWISE, "tdw"},
                 {ROOF_RULE_CONV3D, "conv3d"},
                 {ROOF_RULE_ELTWISE, "eltwise"},
                 {ROOF_RULE_HARD_SIGMOID, "hsigmoid"},
                 {ROOF_RULE_SCALE, "scale"}};
    if (op->rule == ROOF_RULE_POOL)
        return op->average ? "avgpool" : "maxpool";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].rule == op->rule)
            return names[i].text;
    return op->type;
}

static const roof_op *op_of(const roof_graph *g, const roof_layer *layer, uint32_t i)
{
    return &g->ops[g->layer_ops[layer->first_op + i]];
}

/* "conv+dw": the computing ops; a layer that only moves data is called after what it does. */
static const char *type_of(predictor *p, const roof_layer *layer)
{
    char text[96] = "";
    size_t used = 0;
    for (int moves = 0; moves < 2 && !used; moves++) {
        for (uint32_t i = 0; i < layer->n_ops; i++) {
            const roof_op *op = op_of(p->graph, layer, i);
            if (op->rule == ROOF_RULE_CONSTANT || (rule_computes(op->rule) ? moves : !moves))
                continue;
            int n = snprintf(text + used, sizeof text - used, "%s%s", used ? "+" : "", short_name(op));
            used = n < 0 || (size_t)n >= sizeof text - used ? sizeof text - 1 : used + (size_t)n;
        }
    }
    return row_share(p, used ? text : "-");
}

/* The op that says most about the shape: the first one with MACs, else the first that computes. */
static const roof_op *main_op(const roof_graph *g, const roof_layer *layer)
{
    const roof_op *main = NULL;
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *op = op_of(g, layer, i);
        if (rule_has_macs(op->rule))
            return op;
        if (!main && rule_computes(op->rule))
            main = op;
    }
    return main;
}

/* Appends a number; printf was a tenth of the time of a large prediction. */
static char *put_u64(char *at, uint64_t value)
{
    char digits[20];
    size_t n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n)
        *at++ = digits[--n];
    return at;
}

static char *put_shape(char *at, const roof_tensor *t)
{
    nhwc s = tensor_nhwc(t);
    at = put_u64(at, s.h);
    *at++ = 'x';
    at = put_u64(at, s.w);
    *at++ = 'x';
    return put_u64(at, s.c);
}

static char *put_pair(char *at, const char *label, uint32_t h, uint32_t w)
{
    *at++ = ' ';
    *at++ = *label;
    at = put_u64(at, h);
    *at++ = 'x';
    return put_u64(at, w);
}

/* "224x224x3 -> 112x112x32 k3x3 s2x2" */
static const char *shape_of(predictor *p, const roof_layer *layer)
{
    char text[256], *at = text; /* six numbers of at most 20 digits, four of at most 10 */
    const roof_op *op = main_op(p->graph, layer);
    const roof_op *input = op ? op_input(p->graph, op, ROOF_ROLE_INPUT) : NULL;
    if (!op)
        return "";
    if (input) {
        at = put_shape(at, &input->out);
        memcpy(at, " -> ", 4);
        at += 4;
    }
    at = put_shape(at, &op->out);
    if (op->window.kernel_h && op->window.kernel_w) {
        at = put_pair(at, "k", op->window.kernel_h, op->window.kernel_w);
        at = put_pair(at, "s", op->window.stride_h, op->window.stride_w);
    }
    return arena_strndup(p->arena, text, (size_t)(at - text));
}

static roof_status set_texts(predictor *p, const roof_layer *layer, roof_layer_prediction *row)
{
    const roof_graph *g = p->graph;
    row->name = arena_strdup(p->arena, layer->name);
    row->subgraph = row_share(p, g->compiled ? g->subgraphs[layer->subgraph].name : "");
    row->type = type_of(p, layer);
    row->shape = shape_of(p, layer);
    row->ops = NEW_ARRAY(p->arena, const char *, layer->n_ops);
    if (!row->name || !row->subgraph || !row->type || !row->shape || !row->ops)
        return error_memory(p->err);
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *op = op_of(g, layer, i);
        if (op->rule == ROOF_RULE_CONSTANT)
            continue;
        if (!(row->ops[row->n_ops++] = row_share(p, op->type)))
            return error_memory(p->err);
    }
    return ROOF_OK;
}

/* ---- work ---- */

static roof_status add_count(predictor *p, uint64_t *sum, uint64_t term)
{
    if (term == ROOF_UNKNOWN)
        return ROOF_OK;
    if (__builtin_add_overflow(*sum, term, sum) || *sum == ROOF_UNKNOWN)
        return error_set(p->err, ROOF_E_LIMIT, "a sum of operations overflows 64 bits");
    return ROOF_OK;
}

roof_status row_scale(predictor *p, uint64_t *value, uint64_t factor)
{
    if (*value != ROOF_UNKNOWN && (__builtin_mul_overflow(*value, factor, value) || *value == ROOF_UNKNOWN))
        return error_set(p->err, ROOF_E_LIMIT, "a count times the batch of %" PRIu64 " overflows 64 bits",
                         factor);
    return ROOF_OK;
}

/* What an engine does itself: two operations for a multiply-accumulate, without the bias that waits behind its adders. */
static roof_status add_engine_work(predictor *p, const roof_op *op, const op_work *work,
                                   roof_layer_prediction *row)
{
    uint32_t engine = p->law->engine_of(op->rule);
    if (engine == ROOF_NONE || work->macs == ROOF_UNKNOWN)
        return ROOF_OK;
    if (engine == ENGINE_ARRAY)
        TRY(add_count(p, &row->array_macs, work->macs));
    return add_count(p, &p->engine_ops[engine], rule_has_macs(op->rule) ? 2 * work->macs : work->ops_count);
}

/* Sums the ops of a layer. A layer of which no op has a rule has unknown work, not none. */
static roof_status set_work(predictor *p, const roof_layer *layer, roof_layer_prediction *row)
{
    bool any_known = false, any_unknown = false, workload_known = p->convention.any_stored;
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *op = op_of(p->graph, layer, i);
        op_work work;
        TRY(op_work_of(p->graph, op, &p->convention, &work, p->err));
        bool known = work.macs != ROOF_UNKNOWN;
        any_known = any_known || (known && rule_computes(op->rule));
        any_unknown = any_unknown || !known;
        workload_known = workload_known && work.workload_ops != ROOF_UNKNOWN;
        TRY(add_count(p, &row->macs, work.macs));
        TRY(add_engine_work(p, op, &work, row));
        TRY(add_count(p, &row->ops_count, work.ops_count));
        TRY(add_count(p, &row->workload_ops, work.workload_ops));
    }
    if (any_unknown && !any_known)
        row->macs = row->ops_count = ROOF_UNKNOWN;
    if (!workload_known)
        row->workload_ops = ROOF_UNKNOWN;
    row->stored_workload_ops = layer->stored_workload_ops;
    TRY(row_scale(p, &row->macs, p->batch));
    TRY(row_scale(p, &row->array_macs, p->batch));
    for (uint32_t e = 0; e < p->law->n_compute; e++)
        TRY(row_scale(p, &p->engine_ops[e], p->batch));
    return row_scale(p, &row->ops_count, p->batch);
}

/* ---- cost ---- */

roof_status row_clear_cost(predictor *p, roof_cost *cost)
{
    *cost = (roof_cost){.traffic = {ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, 0},
                        .cycles = NEW_ARRAY(p->arena, uint64_t, p->law->n_engines),
                        .bytes_basis = ROOF_BASIS_NONE,
                        .cycles_basis = ROOF_BASIS_NONE,
                        .ideal_cycles = ROOF_UNKNOWN,
                        .bound = ROOF_NONE,
                        .ideal_s = NAN};
    if (!cost->cycles)
        return error_memory(p->err);
    for (uint32_t e = 0; e < p->law->n_engines; e++)
        cost->cycles[e] = ROOF_UNKNOWN;
    return ROOF_OK;
}

/* The largest engine binds; among equals the first, so that an engine comes before memory. */
void row_set_ideal(const predictor *p, roof_cost *cost)
{
    cost->ideal_cycles = 0;
    cost->bound = ROOF_NONE;
    for (uint32_t e = 0; e < p->law->n_engines; e++) {
        if (cost->cycles[e] != ROOF_UNKNOWN && cost->cycles[e] > cost->ideal_cycles) {
            cost->ideal_cycles = cost->cycles[e];
            cost->bound = e;
        }
    }
    cost->ideal_s = (double)cost->ideal_cycles / p->view.clock_hz;
}

static roof_status scale_traffic(predictor *p, roof_traffic *t)
{
    TRY(row_scale(p, &t->input_bytes, p->batch));
    TRY(row_scale(p, &t->output_bytes, p->batch));
    TRY(row_scale(p, &t->weights_bytes, p->passes));
    return row_scale(p, &t->instruction_bytes, p->passes);
}

/* Cycles of the computing engines from the shapes of a layer's ops. */
static roof_status formula_cycles(predictor *p, const roof_layer *layer, roof_cost *cost)
{
    cost->cycles_basis = ROOF_BASIS_FORMULA;
    for (uint32_t e = 0; e < p->law->n_compute; e++)
        cost->cycles[e] = 0;
    for (uint32_t i = 0; layer && i < layer->n_ops; i++)
        TRY(p->law->add_op(p->law_config, p->graph, op_of(p->graph, layer, i), cost->cycles, p->err));
    for (uint32_t e = 0; e < p->law->n_compute; e++)
        if (cost->cycles[e] == ROOF_UNKNOWN)
            TRY(add_finding(p, ROOF_FINDING_MISSING_ENGINE, layer ? layer->name : NULL,
                            "the hardware has no engine for part of this layer ('%s')", p->law->engines[e]));
    return ROOF_OK;
}

/* stream is NULL where there is no code, isa where it cannot be decoded; layer is NULL for a remainder. */
static roof_status set_cost(predictor *p, const roof_layer *layer, const dpu_isa *isa,
                            const stream_cost *stream, roof_cost *cost)
{
    TRY(row_clear_cost(p, cost));
    if (stream) {
        cost->traffic = stream->traffic;
        cost->bytes_basis =
            isa ? ROOF_BASIS_CODE : ROOF_BASIS_FILE; /* of code that cannot be read, its length */
    } else {
        cost->traffic = (roof_traffic){0};
        if (layer && !layer_traffic(p->graph, p->consumers, layer, &cost->traffic))
            return error_set(p->err, ROOF_E_LIMIT, "layer '%.200s': its bytes overflow 64 bits", layer->name);
        cost->bytes_basis = ROOF_BASIS_FORMULA;
    }
    if (stream && isa && dpu_isa_has_cycles(isa) && p->law->stream_cycles) {
        cost->cycles[0] = stream->conv_cycles;
        cost->cycles[1] = stream->alu_cycles;
        cost->cycles[2] = stream->eltwise_cycles;
        cost->cycles_basis = ROOF_BASIS_CODE;
    } else {
        TRY(formula_cycles(p, layer, cost));
    }
    for (uint32_t e = 0; e < p->law->n_compute; e++)
        TRY(row_scale(p, &cost->cycles[e], p->passes));
    TRY(scale_traffic(p, &cost->traffic));
    p->law->memory(p->law_config, &cost->traffic, cost->cycles);
    row_set_ideal(p, cost);
    return ROOF_OK;
}

/* Of ratios, since times and rates are rounded. */
#define SLACK 1e-12

/* On the roofline a row counts what one engine does, of those that compute the one that takes longest: what others do
 * meanwhile is below roofs of their own. Counts beyond the engine's peak contradict its cycles, and have no place there. */
static void set_roof(const predictor *p, roof_layer_prediction *row)
{
    const uint64_t *cycles = row->deployed.cycles;
    uint64_t longest = 0;
    uint32_t engine = ROOF_NONE;
    for (uint32_t e = 0; e < p->law->n_compute; e++)
        if (cycles[e] != ROOF_UNKNOWN && cycles[e] > longest) {
            longest = cycles[e];
            engine = e;
        }
    if (engine == ROOF_NONE || p->engine_ops[engine] == ROOF_UNKNOWN)
        return;
    double most = (double)longest * p->law->most_per_cycle(p->law_config, engine),
           ops = (double)p->engine_ops[engine];
    if (ops > most * (1 + SLACK))
        return;
    row->roof = engine;
    row->roof_ops_count = p->engine_ops[engine];
}

void row_set_ratios(const predictor *p, roof_layer_prediction *row)
{
    const roof_traffic *t = &row->deployed.traffic;
    double seconds = row->deployed.ideal_s;
    row->predicted_s = row->intensity_ops_per_byte = row->attainable_ops_per_s = row->utilisation_ratio = NAN;
    if (row->ops_count == ROOF_UNKNOWN || row->deployed.bytes_basis == ROOF_BASIS_NONE)
        return;
    uint64_t total = roof_traffic_total(t);
    double bytes = total == ROOF_UNKNOWN ? 0 : (double)total;
    set_roof(p, row);
    if (bytes > 0)
        row->intensity_ops_per_byte = known_count(row->roof_ops_count) / bytes;
    if (seconds > 0) {
        row->attainable_ops_per_s = known_count(row->roof_ops_count) / seconds;
        row->utilisation_ratio =
            2.0 * known_count(row->array_macs) / (seconds * p->prediction->hardware.peak_ops_per_s);
        if (row->utilisation_ratio > 1 + SLACK) /* more MACs than the cycles of the file's code hold */
            row->utilisation_ratio = NAN;
    }
}

/* ---- one subgraph ---- */

static roof_status decode_stream(predictor *p, uint32_t subgraph, stream_result *out)
{
    const roof_subgraph *s = &p->graph->subgraphs[subgraph];
    const dpu_isa *isa = dpu_isa_of(s->fingerprint);
    roof_dpu_config c;
    roof_error why;
    *out = (stream_result){0};
    if (!s->code.bytes)
        return add_finding(p, ROOF_FINDING_NO_CODE, NULL, "subgraph '%s' holds no instruction stream",
                           s->name);
    out->remainder.traffic.instruction_bytes = s->code.length_bytes;
    if (!isa)
        return add_finding(p, ROOF_FINDING_UNDECODABLE_CODE, NULL,
                           "subgraph '%s': the instruction set of '%s' is not public, its %" PRIu64
                           " bytes of code are only counted",
                           s->name, s->target, s->code.length_bytes);
    out->layers = NEW_ARRAY(p->arena, stream_cost, s->n_layers);
    if (!out->layers)
        return error_memory(p->err);
    roof_status status = roof_fingerprint_decode(s->fingerprint, &c, &why);
    bank_layout banks = {.input_channel_parallel = status == ROOF_OK ? c.input_channel_parallel : ROOF_NONE,
                         .output_channel_parallel = status == ROOF_OK ? c.output_channel_parallel : ROOF_NONE,
                         .weight_bank_base = status == ROOF_OK ? c.convw_bank_base : ROOF_NONE};
    if (banks.input_channel_parallel == ROOF_NONE || banks.input_channel_parallel == 0)
        banks.input_channel_parallel =
            16; /* only sets without public compute fields come here, where it has no effect */
    if (banks.output_channel_parallel == ROOF_NONE)
        banks.output_channel_parallel = 0;
    status = dpu_attribute(p->graph, subgraph, isa, &banks, out->layers, &out->remainder, &why);
    if (status == ROOF_OK) {
        out->isa = isa;
        return ROOF_OK;
    }
    if (status == ROOF_E_NO_MEMORY)
        return error_memory(p->err);
    char text[512];
    roof_error_format(&why, text, sizeof text);
    out->remainder = (stream_cost){.traffic.instruction_bytes = s->code.length_bytes};
    return add_finding(p, ROOF_FINDING_UNDECODABLE_CODE, NULL, "%s", text);
}

/* The layer's own code, which is what a per-layer profile executes. Its absence is normal from compiler 3.0
 * on. */
static roof_status set_alone(predictor *p, const roof_layer *layer, const stream_result *stream,
                             roof_layer_prediction *row)
{
    const roof_graph *g = p->graph;
    const dpu_isa *isa = dpu_isa_of(g->subgraphs[layer->subgraph].fingerprint);
    stream_cost cost = {0};
    roof_error why;
    if (!isa || !stream->layers_have_code || (!layer->code.bytes && !layer->skip_code_gen))
        return ROOF_OK;
    roof_status status =
        layer->code.bytes ? dpu_total(g, layer->subgraph, isa, &layer->code, &cost, &why) : ROOF_OK;
    if (status == ROOF_E_NO_MEMORY)
        return error_memory(p->err);
    if (status != ROOF_OK) {
        char text[512];
        roof_error_format(&why, text, sizeof text);
        return add_finding(p, ROOF_FINDING_UNDECODABLE_CODE, layer->name, "the layer's own code: %s", text);
    }
    row->has_alone = true;
    return set_cost(p, layer, isa, &cost, &row->alone);
}

roof_layer_prediction *row_next(predictor *p)
{
    roof_layer_prediction *row = &p->prediction->layers[p->prediction->n_layers++];
    row->index = p->prediction->n_layers;
    row->stored_workload_ops = row->vendor_cycles = row->stored_vendor_cycles = ROOF_UNKNOWN;
    row->vendor_bound = row->roof = ROOF_NONE;
    row->roof_ops_count = ROOF_UNKNOWN;
    memset(p->engine_ops, 0, sizeof p->engine_ops);
    return row;
}

/* A quantised file assigns no devices; its layers are single ops. */
static roof_device device_of_layer(const roof_graph *g, const roof_layer *layer)
{
    if (g->compiled)
        return g->subgraphs[layer->subgraph].device;
    return rule_on_accelerator(op_of(g, layer, 0)->rule) ? ROOF_DEVICE_ACCELERATOR : ROOF_DEVICE_CPU;
}

static roof_status add_layer_row(predictor *p, const roof_layer *layer, const stream_result *stream,
                                 uint32_t position)
{
    const roof_graph *g = p->graph;
    roof_layer_prediction *row = row_next(p);
    roof_device device = device_of_layer(g, layer);
    row->device = device == ROOF_DEVICE_CPU ? "CPU" : "DPU";
    row->skip_code_gen = layer->skip_code_gen;
    TRY(set_texts(p, layer, row));
    TRY(set_work(p, layer, row));
    if (device == ROOF_DEVICE_ACCELERATOR) {
        TRY(set_cost(p, layer, stream->isa, stream->isa ? &stream->layers[position] : NULL, &row->deployed));
        if (g->compiled)
            TRY(set_alone(p, layer, stream, row));
    } else {
        TRY(row_clear_cost(p, &row->deployed));
    }
    row_set_ratios(p, row);
    return ROOF_OK;
}

static bool is_zero(const stream_cost *c)
{
    static const stream_cost zero;
    return memcmp(c, &zero, sizeof zero) == 0;
}

static roof_status add_remainder_row(predictor *p, const roof_subgraph *s, const stream_result *stream)
{
    if (is_zero(&stream->remainder))
        return ROOF_OK;
    roof_layer_prediction *row = row_next(p);
    row->name = stream->isa ? "(not attributed)" : "(instructions)";
    row->type = "-";
    row->shape = "";
    row->device = "DPU";
    row->is_remainder = true;
    row->subgraph = arena_strdup(p->arena, s->name);
    row->workload_ops = p->convention.any_stored ? 0 : ROOF_UNKNOWN;
    if (!row->subgraph)
        return error_memory(p->err);
    TRY(set_cost(p, NULL, stream->isa, &stream->remainder, &row->deployed));
    row_set_ratios(p, row);
    return ROOF_OK;
}

/* Work of ops that no layer names would vanish from the sums; it gets a row of its own. */
static roof_layer_prediction *orphan_row(predictor *p, const char *subgraph)
{
    roof_layer_prediction *row = row_next(p);
    row->name = "(ops outside any layer)";
    row->type = "-";
    row->shape = "";
    row->device = "DPU";
    row->is_remainder = true;
    row->subgraph = row_share(p, subgraph);
    return row->subgraph && row_clear_cost(p, &row->deployed) == ROOF_OK ? row : NULL;
}

static roof_status add_orphan_row(predictor *p, uint32_t subgraph)
{
    roof_layer_prediction *row = NULL;
    const roof_graph *g = p->graph;
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        op_work work;
        if (op->layer != ROOF_NONE || op->subgraph != subgraph || !rule_computes(op->rule))
            continue;
        TRY(op_work_of(g, op, &p->convention, &work, p->err));
        if (!work.macs && !work.ops_count)
            continue;
        if (!row && !(row = orphan_row(p, subgraph == ROOF_NONE ? "" : g->subgraphs[subgraph].name)))
            return error_memory(p->err);
        TRY(add_count(p, &row->macs, work.macs));
        TRY(add_count(p, &row->ops_count, work.ops_count));
        TRY(add_count(p, &row->workload_ops, work.workload_ops));
        TRY(add_finding(p, ROOF_FINDING_UNATTRIBUTED, NULL, "op '%s' (%s) belongs to no layer", op->name,
                        op->type));
    }
    if (!row)
        return ROOF_OK;
    row_set_ratios(p, row);
    TRY(row_scale(p, &row->macs, p->batch));
    return row_scale(p, &row->ops_count, p->batch);
}

static bool has_orphans(const roof_graph *g)
{
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (g->ops[i].layer == ROOF_NONE && rule_computes(g->ops[i].rule))
            return true;
    return false;
}

static roof_status add_subgraph_rows(predictor *p, uint32_t subgraph, bool orphans)
{
    const roof_subgraph *s = &p->graph->subgraphs[subgraph];
    stream_result stream = {0};
    if (p->graph->compiled && s->device == ROOF_DEVICE_ACCELERATOR)
        TRY(decode_stream(p, subgraph, &stream));
    for (uint32_t i = 0; i < s->n_layers && p->graph->compiled; i++)
        stream.layers_have_code |= p->graph->layers[s->first_layer + i].code.bytes != NULL;
    for (uint32_t i = 0; i < s->n_layers; i++)
        TRY(add_layer_row(p, &p->graph->layers[s->first_layer + i], &stream, i));
    TRY(add_remainder_row(p, s, &stream));
    return orphans ? add_orphan_row(p, subgraph) : ROOF_OK;
}

roof_status predictor_add_rows(predictor *p)
{
    const roof_graph *g = p->graph;
    size_t device_subgraphs = 1;
    for (uint32_t s = g->subgraphs[0].first_child; s != ROOF_NONE; s = g->subgraphs[s].next_sibling)
        device_subgraphs++;
    p->prediction->layers = NEW_ARRAY(p->arena, roof_layer_prediction, g->n_layers + 2 * device_subgraphs);
    if (!p->prediction->layers)
        return error_memory(p->err);
    if (!g->compiled)
        return add_subgraph_rows(p, 0, false);
    bool orphans = has_orphans(g);
    for (uint32_t s = g->subgraphs[0].first_child; s != ROOF_NONE; s = g->subgraphs[s].next_sibling)
        TRY(add_subgraph_rows(p, s, orphans));
    return orphans ? add_orphan_row(p, ROOF_NONE) : ROOF_OK;
}

/* ---- workload against the file ---- */

static roof_status check_ops(predictor *p, uint64_t *sum)
{
    const roof_graph *g = p->graph;
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        op_work work;
        if (op->stored_workload_ops == ROOF_UNKNOWN)
            continue;
        TRY(op_work_of(g, op, &p->convention, &work, p->err));
        if (work.workload_ops == ROOF_UNKNOWN)
            TRY(add_finding(p, ROOF_FINDING_WORKLOAD_MISMATCH, NULL,
                            "op '%s' (%s) stores a workload of %" PRIu64 " ops, for which there is no rule",
                            op->name, op->type, op->stored_workload_ops));
        else if (work.workload_ops != op->stored_workload_ops)
            TRY(add_finding(p, ROOF_FINDING_WORKLOAD_MISMATCH, NULL,
                            "op '%s' (%s) stores a workload of %" PRIu64 " ops, recomputed are %" PRIu64,
                            op->name, op->type, op->stored_workload_ops, work.workload_ops));
        TRY(add_count(p, sum, work.workload_ops));
    }
    return ROOF_OK;
}

/* Every level of the tree stores the sum over the ops below it. Children have higher indices than their
 * parent. */
static roof_status check_subgraphs(predictor *p)
{
    const roof_graph *g = p->graph;
    uint64_t *sums = NEW_ARRAY(p->arena, uint64_t, g->n_subgraphs);
    if (!sums)
        return error_memory(p->err);
    for (uint32_t i = g->n_subgraphs; i-- > 0;) {
        const roof_subgraph *s = &g->subgraphs[i];
        for (uint32_t j = 0; j < s->n_ops; j++)
            TRY(add_count(p, &sums[i], g->ops[g->subgraph_ops[s->first_op + j]].stored_workload_ops));
        if (s->parent != ROOF_NONE)
            TRY(add_count(p, &sums[s->parent], sums[i]));
        if (s->stored_workload_ops != ROOF_UNKNOWN && s->stored_workload_ops != sums[i])
            TRY(add_finding(p, ROOF_FINDING_WORKLOAD_MISMATCH, NULL,
                            "subgraph '%s' stores a workload of %" PRIu64 " ops, its ops store %" PRIu64,
                            s->name, s->stored_workload_ops, sums[i]));
    }
    return ROOF_OK;
}

roof_status predictor_check_workload(predictor *p)
{
    uint64_t sum = 0;
    p->convention = workload_detect(p->graph);
    p->prediction->total.workload_ops = p->prediction->total.stored_workload_ops = ROOF_UNKNOWN;
    if (!p->convention.any_stored)
        return ROOF_OK;
    TRY(check_ops(p, &sum));
    p->prediction->total.workload_ops = sum;
    p->prediction->total.stored_workload_ops = p->graph->subgraphs[0].stored_workload_ops;
    return p->graph->compiled ? check_subgraphs(p) : ROOF_OK;
}
