#include "tests/support/ep_writer.h"

#include <string.h>

/* A value in a type of 8 bits, and back. */
#define QUANTIZE(device, name, dims, of)                                                                     \
    {"QuantizeLinear", device, {name "_q 2 " dims}, {name " 1 " dims, "scale 1", "zero 2"}},                 \
    {                                                                                                        \
        "DequantizeLinear", of, {name "_dq 1 " dims},                                                        \
        {                                                                                                    \
            name "_q 2 " dims, "scale 1", "zero 2"                                                           \
        }                                                                                                    \
    }
#define WEIGHTS(name, dims)                                                                                  \
    {                                                                                                        \
        "DequantizeLinear", "NPU", {name " 1 " dims},                                                        \
        {                                                                                                    \
            name "_q 3 " dims, "scale 1", "zero 3"                                                           \
        }                                                                                                    \
    }

static const epw_node tiny[] = {
    QUANTIZE("CPU", "images", "1,3,16,16", "NPU"),
    WEIGHTS("w1", "8,3,3,3"),
    WEIGHTS("b1", "8"),
    {"Conv", "NPU", {"conv 1 1,8,16,16"}, {"images_dq 1 1,3,16,16", "w1 1 8,3,3,3", "b1 1 8"}},
    {"Relu", "NPU", {"relu 1 1,8,16,16"}, {"conv 1 1,8,16,16"}},
    QUANTIZE("NPU", "relu", "1,8,16,16", "NPU"),
    WEIGHTS("w2", "8,1,3,3"),
    {"Conv", "NPU", {"depthwise 1 1,8,8,16"}, {"relu_dq 1 1,8,16,16", "w2 1 8,1,3,3"}},
    QUANTIZE("NPU", "depthwise", "1,8,8,16", "NPU"),
    {"MaxPool", "NPU", {"pool 1 1,8,8,8"}, {"depthwise_dq 1 1,8,8,16"}},
    WEIGHTS("w3", "8,4,2,2"),
    {"ConvTranspose", "NPU", {"up 1 1,4,16,16"}, {"pool 1 1,8,8,8", "w3 1 8,4,2,2"}},
    QUANTIZE("NPU", "up", "1,4,16,16", "NPU"),
    {"Resize", "NPU", {"small 1 1,4,8,8"}, {"up_dq 1 1,4,16,16", "-", "scales 1 4"}},
    {"Split", "NPU", {"left 1 1,2,8,8", "right 1 1,2,8,8"}, {"small 1 1,4,8,8"}},
    {"Concat", "NPU", {"both 1 1,4,8,8"}, {"right 1 1,2,8,8", "left 1 1,2,8,8"}},
    {"Reshape", "NPU", {"flat 1 1,256"}, {"both 1 1,4,8,8", "shape 7 2"}},
    {"Gemm", "NPU", {"scores 1 1,80"}, {"flat 1 1,256", "w4 1 256,80", "b4 1 80"}},
    QUANTIZE("NPU", "scores", "1,80", "CPU"),
    {"Softmax", "CPU", {"output 1 1,80"}, {"scores_dq 1 1,80"}},
};
static const char *const tiny_constants[] = {"scale", "zero", "w1_q",  "b1_q",   "w2_q", "w3_q",
                                             "w4",    "b4",   "shape", "scales", NULL};
const epw_network epw_tiny = {tiny, sizeof tiny / sizeof *tiny, tiny_constants};

static int name_length(const char *tensor)
{
    return (int)strcspn(tensor, " ");
}

static void put_names(const char *key, const char *const *tensors, textbuf *text)
{
    text_printf(text, "   \"%s\": [", key);
    for (size_t i = 0; tensors[i]; i++) {
        bool is_there = strcmp(tensors[i], "-") != 0;
        text_printf(text, "%s\n    \"%.*s\"", i ? "," : "", is_there ? name_length(tensors[i]) : 15,
                    is_there ? tensors[i] : "VAIP_NOT_EXISTS");
    }
    text_puts(text, "\n   ],\n");
}

static void put_tensors(const char *const *tensors, textbuf *text)
{
    text_puts(text, "[");
    for (size_t i = 0; tensors[i]; i++) {
        const char *type = tensors[i] + name_length(tensors[i]);
        int type_length = (int)strcspn(type + (*type == ' '), " ");
        const char *dims = *type ? type + 1 + type_length : "";
        text_puts(text, i ? "," : "");
        if (*type)
            text_printf(text, "%.*s:(ty=%.*s,shape=[%s])", name_length(tensors[i]), tensors[i], type_length,
                        type + 1, dims + (*dims == ' '));
        else
            text_puts(text, "N/A");
    }
    text_puts(text, "]");
}

static void put_node(const epw_node *node, uint32_t number, textbuf *text)
{
    text_printf(text, "%s  {\n", number ? ",\n" : "");
    put_names("output", node->outputs, text);
    put_names("input", node->inputs, text);
    text_printf(text, "   \"opType\": \"%s\",\n   \"comment\": \"@%u ", node->type, number);
    put_tensors(node->outputs, text);
    text_printf(text, " %s ", node->type);
    put_tensors(node->inputs, text);
    text_printf(text, "\",\n   \"device\": \"%s\"\n  }", node->device);
}

static void put_stat(const epw_network *network, textbuf *text)
{
    text_printf(
        text,
        "{\n \"deviceStat\": [\n  {\n   \"name\": \"all\",\n   \"nodeNum\": %u\n  }\n ],\n \"nodeStat\": [\n",
        network->n_nodes);
    for (uint32_t i = 0; i < network->n_nodes; i++)
        put_node(&network->nodes[i], i, text);
    text_puts(text, "\n ],\n \"shapeInfo\": [],\n \"subgraphStat\": []\n}");
}

void epw_report(const epw_network *network, textbuf *text)
{
    put_stat(network, text);
    text_puts(text, "\n");
}

void epw_context(const epw_network *network, textbuf *text)
{
    text_puts(text, "{\n \"metaDef\": [\n  {\n   \"id\": \"subgraph_1\",\n   \"constantInitializers\": "
                    "[\"scale\"]\n  }\n ],\n \"stat\": ");
    put_stat(network, text);
    text_puts(text, ",\n \"constDataInfo\": {");
    for (size_t i = 0; network->constants[i]; i++)
        text_printf(text, "%s\n  \"%s\": {\"offset\": \"0\", \"size\": \"1\", \"type\": 1}", i ? "," : "",
                    network->constants[i]);
    text_puts(text, "\n }\n}\n");
}
