/* make_onnx - writes ONNX models: those of examples/models, and large ones for benchmarks.
 *
 * usage: make_onnx FOLDER            the examples, into a folder that exists
 *        make_onnx chain N FILE      N nodes one behind the other
 *        make_onnx branches N FILE   N nodes, a third of which add what was made up to nine before, so that
 *                                    no sequence of them repeats for long
 *        make_onnx weights MB FILE   one product with so many megabytes of weights, in the file
 *        make_onnx resnet18 N FILE   ResNet-18 for a batch of N
 *        make_onnx inception 1 FILE  Inception-v4, some 500 nodes
 *        make_onnx padded N FILE     N convolutions with a stride, each behind a Pad, as exporters of
 *                                    TensorFlow write them, and an Identity
 *        make_onnx misfits 1 FILE    a network that no runtime loads: weights of other channels than there
 *                                    are, and a declared size that is not made
 * Exit 0, 1 (cannot write) or 2 (usage).
 */
#include "tests/support/onnx_networks.h"
#include "tests/support/onnx_text.h"

#include <stdlib.h>
#include <string.h>

/* Five kinds of nodes in turn, as exporters have them beside convolutions. */
static void chain(textbuf *text, unsigned n)
{
    static const char *const types[] = {"Relu", "Sigmoid", "Neg", "Tanh", "Abs"};
    text_printf(text, "input x0 float 1,64,56,56\n");
    for (unsigned i = 0; i < n; i++)
        text_printf(text, "%s x%u -> x%u name=node_%u\n", types[i % 5], i, i + 1, i);
    text_printf(text, "output x%u\n", n);
}

/* The same each time: a linear congruential generator, by the constants of Numerical Recipes. */
static void branches(textbuf *text, unsigned n)
{
    static const char *const types[] = {"Relu", "Sigmoid", "Neg", "Tanh", "Abs"};
    uint32_t state = 1;
    text_printf(text, "input x0 float 1,64,56,56\n");
    for (unsigned i = 0; i < n; i++) {
        state = state * 1664525U + 1013904223U;
        const unsigned back = 1 + (state >> 24) % 9, kind = (state >> 16) % 15;
        if (kind < 5 && back <= i)
            text_printf(text, "Add x%u,x%u -> x%u name=node_%u\n", i, i - back, i + 1, i);
        else
            text_printf(text, "%s x%u -> x%u name=node_%u\n", types[kind % 5], i, i + 1, i);
    }
    text_printf(text, "output x%u\n", n);
}

static void padded(textbuf *text, unsigned n)
{
    text_printf(text, "opset 17\ninput x0 float 1,3,224,224\n");
    for (unsigned i = 0; i < n; i++)
        text_printf(text,
                    "values p%u int64 8 = 0,0,0,0,0,0,1,1;Pad x%u,p%u -> b%u name=pad_%u\n"
                    "weights w%u float 32,%u,3,3;Conv b%u,w%u -> c%u strides=[2,2] name=conv_%u\n"
                    "Relu c%u -> x%u\n",
                    i, i, i, i, i, i, i ? 32 : 3, i, i, i, i, i, i + 1);
    text_printf(text, "Identity x%u -> y\noutput y\n", n);
}

static void misfits(textbuf *text)
{
    text_puts(text,
              "input x float N,3,32,32\nweights w1 float 16,3,3,3;Conv x,w1 -> a pads=[1,1,1,1] name=conv1\n"
              "Relu a -> b name=relu1;declare b float 1,16,64,32\n"
              "weights w2 float 32,64,3,3;Conv b,w2 -> c pads=[1,1,1,1] name=conv2\n"
              "GlobalAveragePool c -> d name=pool;Flatten d -> e name=flatten\n"
              "weights w3 float 32,10;Gemm e,w3 -> y name=classes\noutput y float 1,10\n");
}

static bool save(const textbuf *text, bool with_weights, const char *path)
{
    return !text->failed && onnx_text_save(text->bytes, with_weights, path);
}

static bool save_example(void (*make)(textbuf *text), const char *folder, const char *name)
{
    char path[4096];
    textbuf text;
    text_init(&text, 1 << 26);
    make(&text);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const bool saved = save(&text, false, path);
    text_free(&text);
    return saved;
}

static bool save_large(const char *kind, const char *size, const char *path)
{
    textbuf text;
    const unsigned n = (unsigned)strtoul(size, NULL, 10);
    const bool is_chain = strcmp(kind, "chain") == 0;
    text_init(&text, 1 << 26);
    if (is_chain)
        chain(&text, n);
    else if (strcmp(kind, "branches") == 0)
        branches(&text, n);
    else if (strcmp(kind, "resnet18") == 0)
        onnx_resnet18(&text, n);
    else if (strcmp(kind, "padded") == 0)
        padded(&text, n);
    else if (strcmp(kind, "inception") == 0)
        onnx_inception_v4(&text);
    else if (strcmp(kind, "misfits") == 0)
        misfits(&text);
    else
        text_printf(&text, "input x float 1,1000\nweights w float 1000,%u\nMatMul x,w -> y\noutput y\n",
                    n * 250);
    const bool saved = save(&text, strcmp(kind, "weights") == 0, path);
    text_free(&text);
    return saved;
}

int main(int argc, char **argv)
{
    bool saved;
    if (argc == 4) {
        saved = save_large(argv[1], argv[2], argv[3]);
    } else if (argc == 2) {
        saved = save_example(onnx_resnet50, argv[1], "resnet50.onnx") &&
                save_example(onnx_mobilenetv2, argv[1], "mobilenetv2.onnx");
    } else {
        fputs("usage: make_onnx FOLDER | chain N FILE | branches N FILE | weights MB FILE | resnet18 BATCH "
              "FILE | inception 1 FILE | padded N FILE | misfits 1 FILE\n",
              stderr);
        return 2;
    }
    if (!saved)
        perror("make_onnx");
    return saved ? 0 : 1;
}
