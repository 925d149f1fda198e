#include "model/work/traffic.h"
#include "model/work/cost.h"
#include "roofline/xir.h"

struct op_consumers {
    unsigned char *outside; /* per op: 1 when read outside its layer or by nobody */
    bool locations_known;
};

const op_consumers *traffic_consumers(const roof_graph *g, roof_arena *arena)
{
    op_consumers *c = NEW(arena, op_consumers);
    unsigned char *read_inside = NEW_ARRAY(arena, unsigned char, g->n_ops);
    if (!c || !read_inside || !(c->outside = NEW_ARRAY(arena, unsigned char, g->n_ops)))
        return NULL;
    FOR_EACH(const roof_op, op, g->ops, g->n_ops) {
        c->locations_known = c->locations_known || (roof_xir_op_of(g, op)->in_ddr && g->compiled);
        FOR_EACH(const roof_edge, edge, op_edges(g, op), op->n_inputs)
            (g->ops[edge->op].layer == op->layer ? read_inside : c->outside)[edge->op] = 1;
    }
    for (uint32_t i = 0; i < g->n_ops; i++)
        c->outside[i] = c->outside[i] || !read_inside[i];
    return c;
}

bool traffic_leaves_layer(const op_consumers *consumers, uint32_t op)
{
    return consumers->outside[op];
}

static uint64_t moved_bytes(const roof_graph *g, const roof_tensor *t)
{
    return g->floats_are_8_bits ? t->elements : t->bytes;
}

static bool counts(const roof_graph *g, const op_consumers *c, const roof_op *op)
{
    return !c->locations_known || roof_xir_op_of(g, op)->in_ddr;
}

roof_status traffic_of_layer(const roof_graph *g, const op_consumers *consumers, const roof_layer *layer,
                             roof_traffic *out, roof_error *err)
{
    *out = (roof_traffic){0};
    bool moves_nothing = true;
    for (uint32_t i = 0; i < layer->n_ops && moves_nothing; i++) {
        const roof_rule rule = layer_op(g, layer, i)->rule;
        moves_nothing = rule == ROOF_RULE_ALIAS || rule == ROOF_RULE_CONSTANT ||
                        rule == ROOF_RULE_ACTIVATION || rule == ROOF_RULE_RELU6; /* which is free */
    }
    if (roof_xir_layer_of(g, layer)->skip_code_gen || moves_nothing)
        return ROOF_OK;
    out->weights_bytes = traffic_of_weights(g, layer);
    checked input = {0, out->weights_bytes == ROOF_UNKNOWN}, output = {0, false};
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        uint32_t index = g->layer_ops[layer->first_op + i];
        const roof_op *op = &g->ops[index];
        FOR_EACH(const roof_edge, edge, op_edges(g, op), op->n_inputs) {
            const roof_op *producer = &g->ops[edge->op];
            bool outside = producer->layer == ROOF_NONE || producer->layer != op->layer;
            bool parameter = producer->rule == ROOF_RULE_CONSTANT || edge->role == ROOF_ROLE_WEIGHTS ||
                             edge->role == ROOF_ROLE_BIAS;
            if (!parameter && outside && counts(g, consumers, producer))
                input = checked_plus(input, moved_bytes(g, &producer->out));
        }
        if (op->rule != ROOF_RULE_CONSTANT && consumers->outside[index] && counts(g, consumers, op))
            output = checked_plus(output, moved_bytes(g, &op->out));
    }
    out->input_bytes = input.value;
    out->output_bytes = output.value;
    const checked all = checked_plus(checked_plus(input, output.value), out->weights_bytes);
    if (all.overflow || output.overflow || all.value == ROOF_UNKNOWN)
        return error_set(err, ROOF_E_LIMIT, "layer '%.200s': its bytes overflow 64 bits", layer->name);
    return ROOF_OK;
}

/* In a compiled file the constants are members of the layer; in a quantised one they are only its inputs,
 * behind `fix` ops that stand for the quantisation of the same values. */
uint64_t traffic_of_weights(const roof_graph *g, const roof_layer *layer)
{
    checked bytes = {0, false};
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *op = layer_op(g, layer, i);
        if (op->rule == ROOF_RULE_CONSTANT && g->compiled)
            bytes = checked_plus(bytes, op->out.bytes);
        FOR_EACH(const roof_edge, edge, op_edges(g, op), g->compiled ? 0 : op->n_inputs) {
            const roof_op *producer = &g->ops[edge->op];
            bool is_operand = edge->role == ROOF_ROLE_INPUT && producer->rule == ROOF_RULE_CONSTANT;
            if (edge->role == ROOF_ROLE_WEIGHTS || edge->role == ROOF_ROLE_BIAS || is_operand)
                bytes = checked_plus(bytes, moved_bytes(g, &producer->out));
        }
    }
    return bytes.overflow ? ROOF_UNKNOWN : bytes.value;
}

/* ---- rows of a runtime --------------------------------------------------------------------------------- */

row_tensors traffic_row_tensors(const roof_graph *g, const roof_work *work, tensor_measure measure,
                                const void *config)
{
    enum { MOST_INPUTS = 64 }; /* of more the others are left out: a bound stays a bound */
    row_tensors n = {0};
    uint32_t seen[MOST_INPUTS], n_seen = 0;
    for (uint32_t i = 0; i < work->n_demands; i++) {
        const roof_op *op = &g->ops[work->demands[i].op];
        if (op->rule == ROOF_RULE_ALIAS || op->rule == ROOF_RULE_CONVERT || op->rule == ROOF_RULE_CONSTANT ||
            op->rule == ROOF_RULE_INPUT)
            continue; /* it names memory */
        FOR_EACH(const roof_edge, edge, op_edges(g, op), op->n_inputs) {
            const roof_op *producer = &g->ops[edge->op];
            /* keys and values lie in memory; angles and masks of a row may be made where they are used */
            bool is_own = op->layer != ROOF_NONE && producer->layer == op->layer;
            bool is_given =
                producer->rule == ROOF_RULE_CONSTANT ||
                (producer->rule == ROOF_RULE_INPUT && (!is_own || op->rule == ROOF_RULE_ATTENTION));
            bool is_weight = producer->rule == ROOF_RULE_CONSTANT || edge->role == ROOF_ROLE_WEIGHTS ||
                             edge->role == ROOF_ROLE_BIAS;
            uint32_t k = 0; /* a tensor from outside is counted once */
            while (k < n_seen && seen[k] != edge->op)
                k++;
            if ((is_own && !is_given) || k < n_seen || k == MOST_INPUTS)
                continue;
            seen[n_seen++] = edge->op;
            const double size = measure(config, g, &producer->out);
            *(is_weight ? &n.weights : &n.input) += size;
            n.given += is_given && !is_weight ? size : 0;
        }
        n.output = measure(config, g, &op->out); /* of the last one */
    }
    return n;
}

uint64_t roof_traffic_total(const roof_traffic *t)
{
    const uint64_t parts[] = {t->weights_bytes, t->input_bytes, t->output_bytes};
    uint64_t sum = t->unsplit_bytes;
    for (size_t i = t->unsplit_bytes ? 2 : 0; i < N_OF(parts); i++) { /* it stands for the first two */
        if (parts[i] == ROOF_UNKNOWN)
            return ROOF_UNKNOWN;
        sum += parts[i];
    }
    return t->instruction_bytes == ROOF_UNKNOWN ? sum : sum + t->instruction_bytes;
}
