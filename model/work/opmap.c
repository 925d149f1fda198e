#include "model/work/opmap.h"
#include "core/core.h"

static const char *const types[] = {
#define OPS(rule, ...) __VA_ARGS__,
#include "model/work/ops.def"
#undef OPS
};

/* The rules of the types, each of so many. */
static const struct {
    roof_rule rule;
    size_t n;
} rows[] = {
#define OPS(rule, ...) {ROOF_RULE_##rule, N_OF(((const char *const[]){__VA_ARGS__}))},
#include "model/work/ops.def"
#undef OPS
};

static const char *const rule_texts[] = {
#define RULE(name, text) [ROOF_RULE_##name] = (text),
#include "roofline/rules.def"
#undef RULE
};

/* A few hundred types, and a dozen distinct ones in a file: a scan that first compares a character is cheap,
 * and the reader remembers the last answer. */
roof_rule rule_of(const char *type)
{
    size_t i = 0, row = 0;
    while (i < N_OF(types) && (types[i][0] != type[0] || strcmp(types[i], type) != 0))
        i++;
    if (i == N_OF(types))
        return ROOF_RULE_UNKNOWN;
    while (i >= rows[row].n)
        i -= rows[row++].n;
    return rows[row].rule;
}

bool rule_lacks_shape(const roof_op *op)
{
    return op->rule == ROOF_RULE_UNKNOWN && rule_of(op->type) != ROOF_RULE_UNKNOWN;
}

bool rule_has_macs(roof_rule rule)
{
    return rule == ROOF_RULE_CONV2D || rule == ROOF_RULE_DEPTHWISE || rule == ROOF_RULE_TRANSPOSED ||
           rule == ROOF_RULE_TRANSPOSED_DEPTHWISE || rule == ROOF_RULE_CONV3D || rule == ROOF_RULE_MATMUL ||
           rule == ROOF_RULE_ATTENTION || rule == ROOF_RULE_RECURRENT;
}

bool rule_on_accelerator(roof_rule rule)
{
    static const bool on[ROOF_RULE_COUNT] = {
        [ROOF_RULE_CONV2D] = true,     [ROOF_RULE_DEPTHWISE] = true,
        [ROOF_RULE_TRANSPOSED] = true, [ROOF_RULE_TRANSPOSED_DEPTHWISE] = true,
        [ROOF_RULE_MATMUL] = true,     [ROOF_RULE_POOL] = true,
        [ROOF_RULE_ELTWISE] = true,    [ROOF_RULE_BINARY] = true,
        [ROOF_RULE_ACTIVATION] = true, [ROOF_RULE_RELU6] = true,
        [ROOF_RULE_RESIZE] = true,     [ROOF_RULE_HARD_SIGMOID] = true,
        [ROOF_RULE_SCALE] = true};
    return (unsigned)rule < ROOF_RULE_COUNT && on[rule];
}

bool rule_computes(roof_rule rule)
{
    return rule != ROOF_RULE_MOVE && rule != ROOF_RULE_ALIAS && rule != ROOF_RULE_CONVERT &&
           rule != ROOF_RULE_CONSTANT && rule != ROOF_RULE_INPUT;
}

const char *roof_rule_text(roof_rule rule)
{
    return (unsigned)rule < ROOF_RULE_COUNT ? rule_texts[rule] : "unknown";
}
