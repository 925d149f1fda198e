/* make_tflites - writes TFLite files of networks that are made up.
 *
 * usage: make_tflites NAME OUTPUT.tflite [N]
 *   mobilenetv1   MobileNetV1 of a quarter of the channels, 96 x 96 pixels and ten classes, int8
 *   tiny, vela    tfw_tiny and tfw_vela of tflite_writer.h
 *   chain         N convolutions one behind the other
 * Weights are zeros, as long as they have to be. Exit 0, 1 (cannot write) or 2 (usage).
 */
#include "tests/support/tflite_writer.h"
#include "tests/support/xmodel_writer.h" /* memory that does not run out */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A network that grows by an operator a call; each reads what the one before it made. */
typedef struct chain {
    tfw_tensor *tensors;
    tfw_operator *operators;
    size_t n_tensors, n_operators;
    const char *last;
} chain;

static const char *name_of(const char *what, size_t number)
{
    char *name = xm_checked_realloc(NULL, 40, 1);
    snprintf(name, 40, "%s_%zu", what, number);
    return name;
}

static const char *add_tensor(chain *c, const tfw_tensor *tensor)
{
    c->tensors = xm_checked_realloc(c->tensors, c->n_tensors + 1, sizeof *c->tensors);
    c->tensors[c->n_tensors++] = *tensor;
    return tensor->name;
}

/* An operator with what it makes, and weights and a bias that are named after it. */
static void add_operator(chain *c, tfw_operator op, const char *name, const int32_t out[4],
                         const tfw_tensor *weights)
{
    size_t n = 0;
    op.inputs[n++] = c->last;
    if (weights) {
        tfw_tensor w = *weights, bias = TFW_TENSOR(NULL, TFW_INT32, {0}, .data = TFW_ZEROS);
        w.name = name_of("weights", c->n_operators);
        bias.name = name_of("bias", c->n_operators);
        bias.dims[0] = out[3] ? out[3] : out[1];
        op.inputs[n++] = add_tensor(c, &w);
        op.inputs[n++] = add_tensor(c, &bias);
    }
    tfw_tensor made = {.name = name, .type = TFW_INT8};
    memcpy(made.dims, out, 4 * sizeof *out);
    op.outputs[0] = c->last = add_tensor(c, &made);
    c->operators = xm_checked_realloc(c->operators, c->n_operators + 1, sizeof *c->operators);
    c->operators[c->n_operators++] = op;
}

/* A. Howard et al., "MobileNets", arXiv:1704.04861, table 1. */
static chain mobilenet(void)
{
    enum { CLASSES = 10, BLOCKS = 13 };
    static const struct {
        int32_t channels, stride;
    } blocks[BLOCKS] = {{64, 1},  {128, 2}, {128, 1}, {256, 2}, {256, 1},  {512, 2}, {512, 1},
                        {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1}};
    chain c = {0};
    int32_t size = 48, channels = 8;
    c.last = add_tensor(&c, &(tfw_tensor)TFW_TENSOR("image", TFW_INT8, {1, 96, 96, 3}));
    add_operator(&c, (tfw_operator){.builtin = 3, .options = TFW_CONV(TFW_SAME, 2, 1)}, "conv",
                 (const int32_t[4]){1, size, size, channels},
                 &(tfw_tensor)TFW_TENSOR(NULL, TFW_INT8, {8, 3, 3, 3}, .data = TFW_ZEROS));
    for (size_t i = 0; i < BLOCKS; i++) {
        const int32_t out = blocks[i].channels / 4;
        size /= blocks[i].stride;
        add_operator(&c,
                     (tfw_operator){.builtin = 4, .options = TFW_DEPTHWISE(TFW_SAME, blocks[i].stride, 1, 1)},
                     name_of("depthwise", i + 1), (const int32_t[4]){1, size, size, channels},
                     &(tfw_tensor)TFW_TENSOR(NULL, TFW_INT8, {1, 3, 3, channels}, .data = TFW_ZEROS));
        add_operator(&c, (tfw_operator){.builtin = 3, .options = TFW_CONV(TFW_SAME, 1, 1)},
                     name_of("pointwise", i + 1), (const int32_t[4]){1, size, size, out},
                     &(tfw_tensor)TFW_TENSOR(NULL, TFW_INT8, {out, 1, 1, channels}, .data = TFW_ZEROS));
        channels = out;
    }
    add_operator(&c, (tfw_operator){.builtin = 1, .options = TFW_POOL(TFW_VALID, 1, size)}, "pool",
                 (const int32_t[4]){1, 1, 1, channels}, NULL);
    add_operator(&c, (tfw_operator){.builtin = 9}, "scores", (const int32_t[4]){1, CLASSES},
                 &(tfw_tensor)TFW_TENSOR(NULL, TFW_INT8, {CLASSES, channels}, .data = TFW_ZEROS));
    add_operator(&c, (tfw_operator){.builtin = 25}, "classes", (const int32_t[4]){1, CLASSES}, NULL);
    return c;
}

static chain convolutions(size_t n)
{
    chain c = {0};
    c.last = add_tensor(&c, &(tfw_tensor)TFW_TENSOR("image", TFW_INT8, {1, 8, 8, 2}));
    for (size_t i = 0; i < n; i++)
        add_operator(&c, (tfw_operator){.builtin = 3, .options = TFW_CONV(TFW_SAME, 1, 1)},
                     name_of("conv", i), (const int32_t[4]){1, 8, 8, 2},
                     &(tfw_tensor)TFW_TENSOR(NULL, TFW_INT8, {2, 1, 1, 2}, .data = TFW_ZEROS));
    return c;
}

static bool save(const char *path, const tfw_network *net)
{
    size_t size;
    unsigned char *bytes = tfw_write(net, &size);
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(bytes, 1, size, file) == size;
    if (!file || fclose(file) != 0 || !good)
        fprintf(stderr, "make_tflites: %s: %s\n", path, strerror(errno));
    free(bytes);
    return good;
}

int main(int argc, char **argv)
{
    const char *name = argc > 2 ? argv[1] : "";
    const bool is_chain = argc == 4 && strcmp(name, "chain") == 0;
    if (argc == 3 && strcmp(name, "tiny") == 0)
        return !save(argv[2], &tfw_tiny);
    if (argc == 3 && strcmp(name, "vela") == 0)
        return !save(argv[2], &tfw_vela);
    if (!is_chain && !(argc == 3 && strcmp(name, "mobilenetv1") == 0)) {
        fputs("usage: make_tflites mobilenetv1|tiny|vela OUTPUT.tflite\n"
              "       make_tflites chain OUTPUT.tflite N\n",
              stderr);
        return 2;
    }
    static chain c; /* its names, tensors and operators live until the program ends */
    c = is_chain ? convolutions((size_t)strtoull(argv[3], NULL, 10)) : mobilenet();
    return !save(argv[2], &(tfw_network){.tensors = c.tensors,
                                         .n_tensors = c.n_tensors,
                                         .operators = c.operators,
                                         .n_operators = c.n_operators,
                                         .inputs = {"image"},
                                         .outputs = {c.last},
                                         .description = "made up by make_tflites"});
}
