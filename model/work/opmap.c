#include "model/work/opmap.h"

#include <string.h>

static const struct {
    const char *type;
    roof_rule rule;
} ops[] = {
#define OP(type, rule) {(type), ROOF_RULE_##rule},
#include "model/work/ops.def"
#undef OP
};

static const char *const rule_texts[] = {
#define RULE(name, text) [ROOF_RULE_##name] = (text),
#include "roofline/rules.def"
#undef RULE
};

/* About a hundred rows and a dozen distinct types in a file: a scan that first compares a character is cheap,
 * and the reader remembers the last answer. */
roof_rule rule_of(const char *type)
{
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (ops[i].type[0] == type[0] && strcmp(ops[i].type, type) == 0)
            return ops[i].rule;
    return ROOF_RULE_UNKNOWN;
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
        [ROOF_RULE_CONV2D] = true,
        [ROOF_RULE_DEPTHWISE] = true,
        [ROOF_RULE_TRANSPOSED] = true,
        [ROOF_RULE_MATMUL] = true,
        [ROOF_RULE_TRANSPOSED_DEPTHWISE] = true,
        [ROOF_RULE_POOL] = true,
        [ROOF_RULE_ELTWISE] = true,
        [ROOF_RULE_BINARY] = true,
        [ROOF_RULE_ACTIVATION] = true,
        [ROOF_RULE_RELU6] = true,
        [ROOF_RULE_HARD_SIGMOID] = true,
        [ROOF_RULE_SCALE] = true,
        [ROOF_RULE_RESIZE] = true,
    };
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
