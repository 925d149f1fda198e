/* make_annotated - writes a small ONNX model, and its copy with the numbers of a prediction that is made by
 * hand, for readers of others to look at.
 *
 * usage: make_annotated FOLDER
 * FOLDER/model.onnx, FOLDER/annotated.onnx. Exit 0, or 1 with a message.
 */
#include "roofline/annotate.h"
#include "tests/support/onnx_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const ow_node nodes[] = {{.name = "conv",
                                 .type = "Conv",
                                 .inputs = {"x", "w", "b"},
                                 .outputs = {"y"},
                                 .attrs = {OW_INTS("pads", 1, 1, 1, 1)},
                                 .metadata = {{"roofline.ideal_us", "99"}, {"author", "somebody"}}},
                                {.type = "Relu", .inputs = {"y"}, .outputs = {"z"}},
                                {.name = "flat", .type = "Flatten", .inputs = {"z"}, .outputs = {"out"}}};
static const ow_tensor weights[] = {{"w", OW_FLOAT, .dims = OW_DIMS(8, 3, 3, 3), .data = OW_ZEROS},
                                    {"b", OW_FLOAT, .dims = OW_DIMS(8), .data = OW_ZEROS}};
static const ow_value inputs[] = {{"x", OW_FLOAT, .dims = OW_DIMS(1, 3, 8, 8)}};
static const ow_value outputs[] = {{"out", OW_FLOAT, .dims = OW_DIMS(1, 512)}};
static const ow_model model = {.producer = "roofline",
                               .graph = {.name = "net",
                                         OW(.nodes, nodes),
                                         OW(.initializers, weights),
                                         OW(.inputs, inputs),
                                         OW(.outputs, outputs)},
                               .metadata = {{"roofline.macs", "99"}, {"author", "somebody"}}};

static bool save_model(const char *path)
{
    size_t size;
    uint8_t *bytes = ow_write(&model, &size);
    FILE *file = fopen(path, "wb");
    bool is_good = file && fwrite(bytes, 1, size, file) == size;
    is_good = file && fclose(file) == 0 && is_good;
    free(bytes);
    return is_good;
}

int main(int argc, char **argv)
{
    char from[4096], to[4096];
    const char *names[] = {"conv", ""}, *engines[] = {"array"};
    uint32_t places[] = {0, 1};
    roof_annotated out;
    roof_error err;
    if (argc != 2) {
        fputs("usage: make_annotated FOLDER\n", stderr);
        return 1;
    }
    snprintf(from, sizeof from, "%s/model.onnx", argv[1]);
    snprintf(to, sizeof to, "%s/annotated.onnx", argv[1]);
    if (!save_model(from)) {
        perror(from);
        return 1;
    }
    roof_layer_prediction layer = {.name = "conv",
                                   .device = "NPU",
                                   .operators = names,
                                   .n_operators = 2,
                                   .nodes = places,
                                   .n_nodes = 2,
                                   .repeat = 1,
                                   .macs = 13824,
                                   .deployed = {.traffic = {896, 768, 2048, 0, 0}, .ideal_s = 80.3e-6},
                                   .predicted_s = NAN};
    const roof_prediction prediction = {
        .model = {.path = from, .format = "onnx", .name = "model", .address = ROOF_ADDRESS_NAME},
        .hardware = {.name = "a board"},
        .engines = engines,
        .n_engines = 1,
        .layers = &layer,
        .n_layers = 1,
        .total = {.macs = 13824,
                  .deployed = {.traffic = {896, 768, 2048, 0, 0}, .ideal_s = 80.3e-6},
                  .floor_s = NAN,
                  .predicted_s = NAN},
        .schedule.scheduled_s = NAN};
    if (roof_annotate(&prediction, to, &out, &err) == ROOF_OK)
        return 0;
    fprintf(stderr, "%s: %s\n", err.where, err.what);
    return 1;
}
