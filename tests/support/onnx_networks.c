#include "tests/support/onnx_networks.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct network {
    textbuf *text;
    unsigned n; /* convolutions so far */
    unsigned channels;
    bool by_modules; /* nodes are called as Hugging Face's exports call them */
    char last[32];   /* what is made last */
    char place[128]; /* the module of what comes next; empty: nodes are numbered */
} network;

/* A convolution with its bias; group: channels, for a depthwise one. Returns the name of what it makes. */
static const char *conv(network *w, const char *from, unsigned out, unsigned kernel, unsigned stride,
                        bool depthwise, const char *activation)
{
    static char names[4][32];
    static unsigned next;
    const unsigned in = w->channels, pad = kernel / 2, i = w->n++;
    char *name = names[next++ % 4];
    text_printf(w->text, "weights w%u float %u,%u,%u,%u\nweights b%u float %u\n", i, out, depthwise ? 1 : in,
                kernel, kernel, i, out);
    text_printf(w->text, "Conv %s,w%u,b%u -> c%u strides=[%u,%u] pads=[%u,%u,%u,%u] group=%u name=", from, i,
                i, i, stride, stride, pad, pad, pad, pad, depthwise ? in : 1);
    if (*w->place)
        text_printf(w->text, "%s/convolution/Conv\n", w->place);
    else
        text_printf(w->text, "Conv_%u\n", i);
    w->channels = out;
    snprintf(name, 32, "c%u", i);
    if (activation) {
        text_printf(w->text, "%s c%u -> a%u name=%s_%u\n", activation, i, i, activation, i);
        snprintf(name, 32, "a%u", i);
    }
    return name;
}

/* Where the next convolution stands, of networks whose nodes are called by their modules. */
__attribute__((format(printf, 2, 3))) static void stand(network *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (w->by_modules)
        vsnprintf(w->place, sizeof w->place, format, list);
    va_end(list);
}

static void finish(network *w, const char *from, unsigned classes)
{
    static const char *const names[2][3] = {{"pool", "flatten", "fc"},
                                            {"/resnet/pooler/GlobalAveragePool",
                                             "/classifier/classifier.0/Flatten",
                                             "/classifier/classifier.1/Gemm"}};
    const char *const *name = names[w->by_modules];
    text_printf(w->text,
                "GlobalAveragePool %s -> pooled name=%s\nFlatten pooled -> flat name=%s\n"
                "weights fc_w float %u,%u\nweights fc_b float %u\n"
                "Gemm flat,fc_w,fc_b -> logits transB=1 name=%s\noutput logits float 1,%u\n",
                from, name[0], name[1], classes, w->channels, classes, name[2], classes);
}

static void resnet50(textbuf *text, bool by_modules)
{
    network own = {.text = text, .by_modules = by_modules}, *w = &own;
    static const unsigned blocks[] = {3, 4, 6, 3};
    text_printf(w->text, "opset 13\ninput input float 1,3,224,224\n");
    w->channels = 3;
    stand(w, "/resnet/embedder/embedder");
    const char *x = conv(w, "input", 64, 7, 2, false, "Relu");
    text_printf(w->text, "MaxPool %s -> p kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1] name=%s\n", x,
                by_modules ? "/resnet/embedder/pooler/MaxPool" : "maxpool");
    snprintf(w->last, sizeof w->last, "p");
    for (unsigned stage = 0; stage < 4; stage++)
        for (unsigned block = 0; block < blocks[stage]; block++) {
            const unsigned inner = 64U << stage, from = w->channels, stride = stage && !block ? 2 : 1;
            char shortcut[32], module[64];
            snprintf(module, sizeof module, "/resnet/encoder/stages.%u/layers.%u", stage, block);
            stand(w, "%s/layer/layer.0", module);
            x = conv(w, w->last, inner, 1, 1, false, "Relu");
            stand(w, "%s/layer/layer.1", module);
            x = conv(w, x, inner, 3, stride, false, "Relu");
            stand(w, "%s/layer/layer.2", module);
            x = conv(w, x, 4 * inner, 1, 1, false, NULL);
            stand(w, "%s/shortcut", module);
            snprintf(shortcut, sizeof shortcut, "%s", w->last);
            if (!block) {
                w->channels = from;
                snprintf(shortcut, sizeof shortcut, "%s",
                         conv(w, w->last, 4 * inner, 1, stride, false, NULL));
            }
            text_printf(w->text, "Add %s,%s -> s%u name=", x, shortcut, w->n);
            if (by_modules)
                text_printf(w->text, "%s/Add\n", module);
            else
                text_printf(w->text, "Add_%u\n", w->n);
            text_printf(w->text, "Relu s%u -> r%u name=Relu_of_%u\n", w->n, w->n, w->n);
            snprintf(w->last, sizeof w->last, "r%u", w->n);
        }
    finish(w, w->last, 1000);
}

void onnx_resnet50(textbuf *text)
{
    resnet50(text, false);
}

void onnx_resnet50_by_modules(textbuf *text)
{
    resnet50(text, true);
}

void onnx_mobilenetv2(textbuf *text)
{
    network own = {.text = text}, *w = &own;
    static const struct {
        unsigned expansion, channels, blocks, stride;
    } stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                  {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    text_printf(w->text,
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
                text_printf(w->text, "Add %s,%s -> s%u name=Add_%u\n", x, w->last, w->n, w->n);
                snprintf(w->last, sizeof w->last, "s%u", w->n);
            } else {
                snprintf(w->last, sizeof w->last, "%s", x);
            }
        }
    snprintf(w->last, sizeof w->last, "%s", conv(w, w->last, 1280, 1, 1, false, "Relu"));
    finish(w, w->last, 1000);
}

/* Nodes are named after their type and place. A stage's first block brings its input into its channels. */
void onnx_resnet18(textbuf *text, unsigned batch)
{
    unsigned node = 0, channels = 64, last = 2; /* vN is what node N makes */
    text_printf(text,
                "opset 11\ninput x float %u,3,224,224\nweights w0 float 64,3,7,7\n"
                "Conv x,w0 -> v0 strides=[2,2] pads=[3,3,3,3] name=Conv_0\nRelu v0 -> v1 name=Relu_1\n"
                "MaxPool v1 -> v2 kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1] name=MaxPool_2\n",
                batch);
    node = 3;
    for (unsigned stage = 0; stage < 4; stage++)
        for (unsigned block = 0; block < 2; block++) {
            const unsigned out = 64U << stage, stride = stage && !block ? 2 : 1, from = last;
            unsigned shortcut = from;
            text_printf(text,
                        "weights w%u float %u,%u,3,3\nConv v%u,w%u -> v%u strides=[%u,%u] pads=[1,1,1,1] "
                        "name=Conv_%u\n"
                        "Relu v%u -> v%u name=Relu_%u\n",
                        node, out, channels, from, node, node, stride, stride, node, node, node + 1,
                        node + 1);
            node += 2;
            text_printf(text,
                        "weights w%u float %u,%u,3,3\nConv v%u,w%u -> v%u pads=[1,1,1,1] name=Conv_%u\n",
                        node, out, out, node - 1, node, node, node);
            const unsigned second = node++;
            if (stride == 2) {
                text_printf(text,
                            "weights w%u float %u,%u,1,1\nConv v%u,w%u -> v%u strides=[2,2] name=Conv_%u\n",
                            node, out, channels, from, node, node, node);
                shortcut = node++;
            }
            text_printf(text, "Add v%u,v%u -> v%u name=Add_%u\nRelu v%u -> v%u name=Relu_%u\n", second,
                        shortcut, node, node, node, node + 1, node + 1);
            last = node + 1;
            node += 2;
            channels = out;
        }
    text_printf(
        text,
        "GlobalAveragePool v%u -> pooled name=GlobalAveragePool_%u\nFlatten pooled -> flat name=Flatten_%u\n"
        "weights fc float 1000,512\nweights fc_b float 1000\nGemm flat,fc,fc_b -> y transB=1 name=Gemm_%u\n"
        "output y\n",
        last, node, node + 1, node + 2);
}

/* ---- Inception-v4 ---- */

/* A module: its branches, whose ends are concatenated. A step is "0b_1x7:224", a convolution to 224
 * channels that keeps the size; "1a_3x3v:96", without padding; "1a_3x3/2:384", the same with a stride of 2;
 * "max1a" and "avg", pools. Steps that begin with '+' read the same map, and their results are
 * concatenated. */
typedef struct inception {
    const char *name, *branches[4];
    unsigned times; /* in succession, with the next letters */
} inception;

static const inception inception_v4[] = {
    {"Mixed_3a", {"max0a", "0a_3x3/2:96"}, 1},
    {"Mixed_4a", {"0a_1x1:64 1a_3x3v:96", "0a_1x1:64 0b_1x7:64 0c_7x1:64 1a_3x3v:96"}, 1},
    {"Mixed_5a", {"1a_3x3/2:192", "max1a"}, 1},
    {"Mixed_5b", {"0a_1x1:96", "0a_1x1:64 0b_3x3:96", "0a_1x1:64 0b_3x3:96 0c_3x3:96", "avg 0b_1x1:96"}, 4},
    {"Mixed_6a", {"1a_3x3/2:384", "0a_1x1:192 0b_3x3:224 1a_3x3/2:256", "max1a"}, 1},
    {"Mixed_6b",
     {"0a_1x1:384", "0a_1x1:192 0b_1x7:224 0c_7x1:256",
      "0a_1x1:192 0b_7x1:192 0c_1x7:224 0d_7x1:224 0e_1x7:256", "avg 0b_1x1:128"},
     7},
    {"Mixed_7a", {"0a_1x1:192 1a_3x3/2:192", "0a_1x1:256 0b_1x7:256 0c_7x1:320 1a_3x3/2:320", "max1a"}, 1},
    {"Mixed_7b",
     {"0a_1x1:256", "0a_1x1:384 +0b_1x3:256 +0c_3x1:256",
      "0a_1x1:384 0b_3x1:448 0c_1x3:512 +0d_1x3:256 +0e_3x1:256", "avg 0b_1x1:256"},
     3},
};

static const char inception_scope[] = "InceptionV4/InceptionV4/";

/* Map w->n is what is made; returns its number, and its channels in *channels. */
static unsigned inception_step(network *w, const char *scope, const char *step, unsigned from,
                               unsigned *channels)
{
    char name[8], kind;
    unsigned height, width, out, stride = 1;
    const unsigned to = w->n++;
    const bool is_max = sscanf(step, "max%7[^ ]", name) == 1;
    if (is_max || strncmp(step, "avg", 3) == 0) {
        text_printf(w->text,
                    is_max ? "MaxPool m%u -> m%u kernel_shape=[3,3] strides=[2,2] "
                           : "AveragePool m%u -> m%u kernel_shape=[3,3] pads=[1,1,1,1] ",
                    from, to);
        if (is_max)
            text_printf(w->text, "name=%s/MaxPool_%s_3x3/MaxPool\n", scope, name);
        else
            text_printf(w->text, "name=%s/AvgPool_0a_3x3/AvgPool\n", scope);
        return to;
    }
    const bool is_valid =
        sscanf(step, "%2[0-9a-z]_%ux%u%c", name, &height, &width, &kind) == 4 && kind != ':';
    stride = is_valid && kind == '/' ? 2 : 1;
    sscanf(strchr(step, ':'), ":%u", &out);
    const unsigned y = is_valid ? 0 : height / 2, x = is_valid ? 0 : width / 2;
    text_printf(w->text,
                "weights w%u float %u,%u,%u,%u\nweights b%u float %u\n"
                "Conv m%u,w%u,b%u -> c%u strides=[%u,%u] pads=[%u,%u,%u,%u] name=%s/Conv2d_%s_%ux%u/Conv\n"
                "Relu c%u -> m%u name=%s/Conv2d_%s_%ux%u/Relu\n",
                to, out, *channels, height, width, to, out, from, to, to, to, stride, stride, y, x, y, x,
                scope, name, height, width, to, to, scope, name, height, width);
    *channels = out;
    return to;
}

static unsigned inception_concat(network *w, const char *scope, const unsigned *maps, size_t n)
{
    text_puts(w->text, "Concat ");
    for (size_t i = 0; i < n; i++)
        text_printf(w->text, "%sm%u", i ? "," : "", maps[i]);
    text_printf(w->text, " -> m%u axis=1 name=%s/concat\n", w->n, scope);
    return w->n++;
}

static unsigned inception_module(network *w, const inception *module, char letter, unsigned from)
{
    char scope[96];
    unsigned ends[4], n_ends = 0, sum = 0;
    const int stem = (int)strlen(module->name) - 1;
    for (size_t b = 0; b < 4 && module->branches[b]; b++) {
        unsigned at = from, channels = w->channels, forks[2], n_forks = 0, fork_channels = 0;
        snprintf(scope, sizeof scope, "%s%.*s%c/Branch_%zu", inception_scope, stem, module->name, letter, b);
        for (const char *step = module->branches[b]; step; step = strchr(step, ' ')) {
            step += *step == ' ';
            if (*step == '+') {
                unsigned in = channels;
                forks[n_forks++] = inception_step(w, scope, step + 1, at, &in);
                fork_channels += in;
            } else {
                at = inception_step(w, scope, step, at, &channels);
            }
        }
        ends[n_ends++] = n_forks ? inception_concat(w, scope, forks, n_forks) : at;
        sum += n_forks ? fork_channels : channels;
    }
    w->channels = sum;
    snprintf(scope, sizeof scope, "%s%.*s%c", inception_scope, stem, module->name, letter);
    return inception_concat(w, scope, ends, n_ends);
}

void onnx_inception_v4(textbuf *text)
{
    static const char *const stem[] = {"1a_3x3/2:32", "2a_3x3v:32", "2b_3x3:64"};
    network own = {.text = text, .channels = 3, .n = 1}, *w = &own;
    unsigned at = 0;
    char scope[sizeof inception_scope];
    snprintf(scope, sizeof scope, "%.*s", (int)sizeof inception_scope - 2, inception_scope);
    text_printf(text, "opset 13\ninput m0 float 1,3,299,299\n");
    for (size_t i = 0; i < sizeof stem / sizeof *stem; i++)
        at = inception_step(w, scope, stem[i], at, &w->channels);
    for (size_t i = 0; i < sizeof inception_v4 / sizeof *inception_v4; i++)
        for (unsigned k = 0; k < inception_v4[i].times; k++) {
            const char *name = inception_v4[i].name;
            at = inception_module(w, &inception_v4[i], (char)(name[strlen(name) - 1] + (int)k), at);
        }
    snprintf(w->last, sizeof w->last, "m%u", at);
    finish(w, w->last, 1001);
}
