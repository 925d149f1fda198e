#include "measure/causes/fusion.h"
#include "measure/units/unit_facts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { WORD_SIZE = 40 };

/* Types as tools write them: "CONV_2D", "Conv2d", "FusedConv", "DepthwiseConv2dNative"; a word that ends with '*' is the beginning of
 * one, one that begins with '*' is anywhere in it. */
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

static bool is_like(const char *word, const char *pattern)
{
    size_t n = strlen(pattern);
    if (*pattern == '*') {
        char inner[WORD_SIZE] = "";
        memcpy(inner, pattern + 1, n - 2);
        return strstr(word, inner) != NULL;
    }
    return pattern[n - 1] == '*' ? strncmp(word, pattern, n - 1) == 0 : strcmp(word, pattern) == 0;
}

/* Letters and digits alone, in small letters. */
static void plain_word(const char *type, char word[WORD_SIZE])
{
    size_t n = 0;
    for (; *type && n + 1 < WORD_SIZE; type++)
        if (isalnum((unsigned char)*type))
            word[n++] = (char)tolower((unsigned char)*type);
    word[n] = '\0';
}

static bool is_one_of(const roof_measured_layer *row, const char *const *words, size_t n)
{
    char word[WORD_SIZE];
    if (!row->type)
        return false;
    plain_word(row->type, word);
    for (size_t i = 0; i < n; i++)
        if (is_like(word, words[i]))
            return true;
    return false;
}

/* Kernels that a trace sums up by their names have no order. */
static bool has_order(const roof_run *run)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < run->n_layers; i++) {
        const roof_measured_layer *row = &run->layers[i];
        if (row_executions(row) > 1 || (row->index != ROOF_NONE && row->index <= last))
            return false;
        last = row->index == ROOF_NONE ? last : row->index;
    }
    return true;
}

uint32_t fusion_find(const roof_run *run, bool *is_part)
{
    uint32_t n = 0;
    bool behind = false, counted = false;
    if (!has_order(run))
        return 0;
    for (uint32_t i = 0; i < run->n_layers; i++) {
        const roof_measured_layer *row = &run->layers[i];
        bool is_layer = is_one_of(row, layers, sizeof layers / sizeof *layers);
        is_part[i] = behind && !is_layer && is_one_of(row, parts, sizeof parts / sizeof *parts) &&
                     row_inference_s(run, row) > 0;
        n += is_part[i] && !counted;
        counted = is_layer ? false : counted || is_part[i];
        behind = is_layer || is_part[i];
    }
    return n;
}
