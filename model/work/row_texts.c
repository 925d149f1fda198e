#include "model/graph/program_build.h"
#include "core/error.h"
#include "model/work/cost.h"
#include "model/work/opmap.h"

#include <stdio.h>
#include <string.h>

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

/* The op that says most about the shape: the first one with MACs, else the first that computes. */
static const roof_op *main_op(const roof_graph *g, const roof_layer *layer)
{
    const roof_op *main = NULL;
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *op = layer_op(g, layer, i);
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
static const char *shape_of(program_builder *b, const roof_layer *layer)
{
    char text[256], *at = text; /* six numbers of at most 20 digits, four of at most 10 */
    const roof_op *op = main_op(b->graph, layer);
    const roof_op *input = op ? op_input(b->graph, op, ROOF_ROLE_INPUT) : NULL;
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
        if (op->window.stride_h) /* some files tell the kernel alone, by its weights */
            at = put_pair(at, "s", op->window.stride_h, op->window.stride_w);
    }
    return arena_strndup(b->arena, text, (size_t)(at - text));
}

roof_status row_set_texts(program_builder *b, const roof_layer *layer, roof_row *row)
{
    row->name = arena_strdup(b->arena, layer->name);
    /* "conv+dw": the computing ops; a layer that only moves data is called after what it does. */
    char text[96] = "";
    size_t used = 0;
    for (int moves = 0; moves < 2 && !used; moves++) {
        for (uint32_t i = 0; i < layer->n_ops; i++) {
            const roof_op *op = layer_op(b->graph, layer, i);
            if (op->rule == ROOF_RULE_CONSTANT || (rule_computes(op->rule) ? moves : !moves))
                continue;
            int n = snprintf(text + used, sizeof text - used, "%s%s", used ? "+" : "", short_name(op));
            used = n < 0 || (size_t)n >= sizeof text - used ? sizeof text - 1 : used + (size_t)n;
        }
    }
    row->type = program_share(b, used ? text : "-");
    row->shape = shape_of(b, layer);
    TRY(ARENA_GET(b->arena, row->ops, layer->n_ops, b->err));
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *op = layer_op(b->graph, layer, i);
        if (op->rule != ROOF_RULE_CONSTANT)
            row->ops[row->n_ops++] = program_share(b, op->type);
    }
    return ROOF_OK;
}
