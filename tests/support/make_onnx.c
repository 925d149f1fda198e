/* make_onnx - writes ONNX models: those of examples/models, and large ones for benchmarks.
 *
 * usage: make_onnx FOLDER            the examples, into a folder that exists
 *        make_onnx chain N FILE      N nodes one behind the other
 *        make_onnx weights MB FILE   one product with so many megabytes of weights, in the file
 * Exit 0, 1 (cannot write) or 2 (usage).
 *
 * Networks by their publications: ResNet-50 of He et al., "Deep Residual Learning" (2015), with the stride in
 * the 3 x 3 convolution (v1.5), 4,089,184,256 MACs; MobileNetV2 of Sandler et al. (2018), 300,774,272 MACs.
 */
#include "core/text.h"
#include "tests/support/onnx_text.h"

#include <stdlib.h>
#include <string.h>

typedef struct network {
    textbuf text;
    unsigned n; /* convolutions so far */
    unsigned channels;
    char last[32]; /* what is made last */
} network;

/* A convolution with its bias; group: channels, for a depthwise one. Returns the name of what it makes. */
static const char *conv(network *w, const char *from, unsigned out, unsigned kernel, unsigned stride,
                        bool depthwise, const char *activation)
{
    static char names[4][32];
    static unsigned next;
    const unsigned in = w->channels, pad = kernel / 2, i = w->n++;
    char *name = names[next++ % 4];
    text_printf(&w->text, "weights w%u float %u,%u,%u,%u\nweights b%u float %u\n", i, out, depthwise ? 1 : in,
                kernel, kernel, i, out);
    text_printf(&w->text, "Conv %s,w%u,b%u -> c%u strides=[%u,%u] pads=[%u,%u,%u,%u] group=%u name=Conv_%u\n",
                from, i, i, i, stride, stride, pad, pad, pad, pad, depthwise ? in : 1, i);
    w->channels = out;
    snprintf(name, 32, "c%u", i);
    if (activation) {
        text_printf(&w->text, "%s c%u -> a%u name=%s_%u\n", activation, i, i, activation, i);
        snprintf(name, 32, "a%u", i);
    }
    return name;
}

static void finish(network *w, const char *from, unsigned classes)
{
    text_printf(
        &w->text,
        "GlobalAveragePool %s -> pooled name=pool\nFlatten pooled -> flat name=flatten\n"
        "weights fc_w float %u,%u\nweights fc_b float %u\nGemm flat,fc_w,fc_b -> logits transB=1 name=fc\n"
        "output logits float 1,%u\n",
        from, classes, w->channels, classes, classes);
}

static void resnet50(network *w)
{
    static const unsigned blocks[] = {3, 4, 6, 3};
    text_printf(&w->text, "opset 13\ninput input float 1,3,224,224\n");
    w->channels = 3;
    text_printf(&w->text, "MaxPool %s -> p kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1] name=maxpool\n",
                conv(w, "input", 64, 7, 2, false, "Relu"));
    snprintf(w->last, sizeof w->last, "p");
    for (unsigned stage = 0; stage < 4; stage++)
        for (unsigned block = 0; block < blocks[stage]; block++) {
            const unsigned inner = 64U << stage, from = w->channels, stride = stage && !block ? 2 : 1;
            char shortcut[32];
            const char *x = conv(w, w->last, inner, 1, 1, false, "Relu");
            x = conv(w, x, inner, 3, stride, false, "Relu");
            x = conv(w, x, 4 * inner, 1, 1, false, NULL);
            snprintf(shortcut, sizeof shortcut, "%s", w->last);
            if (!block) {
                w->channels = from;
                snprintf(shortcut, sizeof shortcut, "%s",
                         conv(w, w->last, 4 * inner, 1, stride, false, NULL));
            }
            text_printf(&w->text, "Add %s,%s -> s%u name=Add_%u\nRelu s%u -> r%u name=Relu_of_%u\n", x,
                        shortcut, w->n, w->n, w->n, w->n, w->n);
            snprintf(w->last, sizeof w->last, "r%u", w->n);
        }
    finish(w, w->last, 1000);
}

static void mobilenetv2(network *w)
{
    static const struct {
        unsigned expansion, channels, blocks, stride;
    } stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                  {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    text_printf(&w->text,
                "opset 13\ninput input float 1,3,224,224\nvalues six float - = 6\nvalues zero float - = 0\n");
    w->channels = 3;
    snprintf(w->last, sizeof w->last, "%s", conv(w, "input", 32, 3, 2, false, "Relu"));
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++)
        for (unsigned block = 0; block < stages[s].blocks; block++) {
            const unsigned in = w->channels, inner = in * stages[s].expansion,
                           stride = block ? 1 : stages[s].stride;
            const char *x = stages[s].expansion > 1 ? conv(w, w->last, inner, 1, 1, false, "Relu") : w->last;
            x = conv(w, x, inner, 3, stride, true, "Relu");
            x = conv(w, x, stages[s].channels, 1, 1, false, NULL);
            if (block) {
                text_printf(&w->text, "Add %s,%s -> s%u name=Add_%u\n", x, w->last, w->n, w->n);
                snprintf(w->last, sizeof w->last, "s%u", w->n);
            } else {
                snprintf(w->last, sizeof w->last, "%s", x);
            }
        }
    snprintf(w->last, sizeof w->last, "%s", conv(w, w->last, 1280, 1, 1, false, "Relu"));
    finish(w, w->last, 1000);
}

/* Five kinds of nodes in turn, as exporters have them beside convolutions. */
static void chain(network *w, unsigned n)
{
    static const char *const types[] = {"Relu", "Sigmoid", "Neg", "Tanh", "Abs"};
    text_printf(&w->text, "input x0 float 1,64,56,56\n");
    for (unsigned i = 0; i < n; i++)
        text_printf(&w->text, "%s x%u -> x%u name=node_%u\n", types[i % 5], i, i + 1, i);
    text_printf(&w->text, "output x%u\n", n);
}

static bool save(void (*make)(network *w), const char *folder, const char *name)
{
    char path[4096];
    network w = {.n = 0};
    text_init(&w.text, 1 << 26);
    make(&w);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const bool saved = !w.text.failed && onnx_text_save(w.text.bytes, false, path);
    text_free(&w.text);
    return saved;
}

static bool save_large(const char *kind, const char *size, const char *path)
{
    network w = {.n = 0};
    const unsigned n = (unsigned)strtoul(size, NULL, 10);
    const bool is_chain = strcmp(kind, "chain") == 0;
    text_init(&w.text, 1 << 26);
    if (is_chain)
        chain(&w, n);
    else
        text_printf(&w.text, "input x float 1,1000\nweights w float 1000,%u\nMatMul x,w -> y\noutput y\n",
                    n * 250);
    const bool saved = !w.text.failed && onnx_text_save(w.text.bytes, !is_chain, path);
    text_free(&w.text);
    return saved;
}

int main(int argc, char **argv)
{
    bool saved;
    if (argc == 4 && (strcmp(argv[1], "chain") == 0 || strcmp(argv[1], "weights") == 0)) {
        saved = save_large(argv[1], argv[2], argv[3]);
    } else if (argc == 2) {
        saved = save(resnet50, argv[1], "resnet50.onnx") && save(mobilenetv2, argv[1], "mobilenetv2.onnx");
    } else {
        fputs("usage: make_onnx FOLDER | chain N FILE | weights MB FILE\n", stderr);
        return 2;
    }
    if (!saved)
        perror("make_onnx");
    return saved ? 0 : 1;
}
