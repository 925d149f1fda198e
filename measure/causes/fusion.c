/* ## Costs around the layers
 * ### fusion
 * Condition: in a profile with a row for each operator, in the order of execution, rows that only normalise
 *   or activate (batch norm, ReLU and its kin, sigmoid, SiLU, ...) stand right behind a convolution or a
 *   matrix product, and take at least 5 % of the time. Kernels that a trace sums up by name have no order,
 *   and none of these are told.
 * Gain: the time of these rows. It is an upper limit, since the fused layer still computes them. Sure: bound.
 * Advice: let the compiler or the runtime fuse them, by the option that is named for the tool. Fold batch
 *   norm into the weights before export, take an activation that the accelerator fuses, switch graph
 *   optimisation on. */
#include "measure/causes/cause_rule.h"
#include "measure/import/tools.h"

#include <ctype.h>

enum { WORD_SIZE = 40 };

/* Types as tools write them: "CONV_2D", "Conv2d", "FusedConv", "DepthwiseConv2dNative"; a word that ends with
 * '*' is the beginning of one, one that begins with '*' is anywhere in it. */
static const char *const layers[] = {"*conv*", "gemm",         "matmul", "fullyconnected", "fc",
                                     "dense",  "innerproduct", "linear", "batchmatmul"};
static const char *const parts[] = {"batchnorm*",  "fusedbatchnorm*",
                                    "bn",          "relu*",
                                    "prelu",       "leakyrelu*",
                                    "sigmoid",     "logistic",
                                    "tanh",        "silu",
                                    "swish",       "hardswish",
                                    "hardsigmoid", "hardtanh",
                                    "clip",        "elu",
                                    "gelu",        "mish",
                                    "biasadd",     "scale"};

/* True if the letters and digits of a row's type, in small letters, are one of the words. */
static bool is_one_of(const roof_measured_layer *row, const char *const *words, size_t n)
{
    char type[WORD_SIZE];
    size_t length = 0;
    if (!row->type)
        return false;
    for (const char *at = row->type; *at && length + 1 < WORD_SIZE; at++)
        if (isalnum((unsigned char)*at))
            type[length++] = (char)tolower((unsigned char)*at);
    type[length] = '\0';
    for (size_t i = 0; i < n; i++) {
        size_t begins = strcspn(words[i], "*");
        if (begins == 0) {
            char inner[WORD_SIZE] = "";
            memcpy(inner, words[i] + 1, strlen(words[i]) - 2);
            if (strstr(type, inner))
                return true;
        } else if (words[i][begins] ? strncmp(type, words[i], begins) == 0 : strcmp(type, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Marks the rows that could be a part of the layer before them. Returns behind how many layers they stand. */
static uint32_t mark_parts(cause_search *in)
{
    const roof_run *run = in->e->layer_run;
    uint32_t n = 0, last = 0;
    bool behind = false, counted = false;
    in->is_part = run ? NEW_ARRAY(in->r->arena, bool, run->n_layers) : NULL;
    if (!in->is_part)
        return 0;
    for (uint32_t i = 0; i < run->n_layers; i++) { /* kernels summed up by their names have no order */
        const roof_measured_layer *row = &run->layers[i];
        if (row_executions(row) > 1 || (row->index != ROOF_NONE && row->index <= last))
            return 0;
        last = row->index == ROOF_NONE ? last : row->index;
    }
    for (uint32_t i = 0; i < run->n_layers; i++) {
        const roof_measured_layer *row = &run->layers[i];
        bool is_layer = is_one_of(row, layers, N_OF(layers));
        bool is_part =
            behind && !is_layer && is_one_of(row, parts, N_OF(parts)) && row_inference_s(run, row) > 0;
        n += is_part && !counted;
        counted = is_layer ? false : counted || is_part;
        behind = is_layer || is_part;
        in->is_part[i] = is_part;
    }
    return n;
}

static bool is_marked(const cause_search *in, const roof_match *u)
{
    return u->n_rows == 1 && in->is_part[in->e->row_order[u->row]];
}

void cause_fusion(cause_search *in)
{
    const uint32_t behind = mark_parts(in);
    if (!behind)
        return;
    const roof_cause cause = cause_of_matches(in, ROOF_CAUSE_FUSION, ROOF_SURE_BOUND, is_marked);
    if (!(cause.gain_s >= CAUSE_LEAST_SHARE * in->of_s))
        return;
    tool_words tool = {.fuse = NULL};
    if (in->r->out->tool)
        tool_words_of(in->r->out->tool, &tool);
    cause_add(in, cause,
              tool.fuse
                  ? REMARK(CAUSE_FUSION_BY, AS_SECONDS(cause.gain_s), AS_SECONDS(in->of_s), AS_COUNT(behind),
                           AS_TEXT(tool.fuse))
                  : REMARK(CAUSE_FUSION, AS_SECONDS(cause.gain_s), AS_SECONDS(in->of_s), AS_COUNT(behind)));
}
