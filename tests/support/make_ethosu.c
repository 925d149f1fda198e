/* make_ethosu - writes the files of examples/ethosu, into a folder that exists: a classifier of small
 * images, compiled for an Ethos-U55-128 as Vela would, and what firmware prints of the NPU's counters. The
 * network and its figures are invented. Exit 0, 1 (cannot write) or 2 (usage). */
#include "tests/support/ethosu_writer.h"
#include "tests/support/example_files.h"
#include "tests/support/tflite_writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INFERENCES = 6, COUNT_OF_FIRST = 118204, IDLE_CYCLES = 1310 };

/* In the order of execution; maps are square. What reads what: numbers of layers, from 1; 0 is the image. */
static const struct {
    int opcode, side, channels, kernel, stride, input, other;
} layers[] = {{EUW_CONV, 24, 16, 3, 2, 0, 0},     {EUW_DEPTHWISE, 24, 16, 3, 1, 1, 0},
              {EUW_CONV, 24, 32, 1, 1, 2, 0},     {EUW_DEPTHWISE, 12, 32, 3, 2, 3, 0},
              {EUW_CONV, 12, 64, 1, 1, 4, 0},     {EUW_DEPTHWISE, 12, 64, 3, 1, 5, 0},
              {EUW_CONV, 12, 64, 1, 1, 6, 0},     {EUW_ELEMENTWISE, 12, 64, 1, 1, 7, 5},
              {EUW_DEPTHWISE, 6, 64, 3, 2, 8, 0}, {EUW_CONV, 6, 128, 1, 1, 9, 0},
              {EUW_POOL, 1, 128, 6, 1, 10, 0},    {EUW_CONV, 1, 16, 1, 1, 11, 0}};
enum { LAYERS = sizeof layers / sizeof *layers, IMAGE_SIDE = 48, IMAGE_CHANNELS = 4, CLASSES = 16 };

/* ---- places in the arena ---- */

/* What lives from one layer to another: maps of all layers and the image, and weights while they are used. */
typedef struct place {
    uint32_t at, bytes;
    int first, last;
} place;

typedef struct plan {
    place maps[LAYERS + 1], weights[LAYERS + 1];
    uint32_t read_only_bytes, arena_bytes;
} plan;

static bool meet(const place *a, const place *b, uint32_t at)
{
    return b->bytes && a->first <= b->last && b->first <= a->last && at < b->at + b->bytes &&
           b->at < at + a->bytes;
}

/* The lowest gap among those that are alive at the same time and have a place. */
static void put(plan *p, place *what, const place *const *others, size_t n)
{
    bool is_free = false;
    while (!is_free) {
        is_free = true;
        for (size_t i = 0; i < n; i++)
            if (meet(what, others[i], what->at)) {
                what->at = others[i]->at + others[i]->bytes;
                is_free = false;
            }
    }
    p->arena_bytes = what->at + what->bytes > p->arena_bytes ? what->at + what->bytes : p->arena_bytes;
}

static int side_of(int layer)
{
    return layer ? layers[layer - 1].side : IMAGE_SIDE;
}

static int channels_of(int layer)
{
    return layer ? layers[layer - 1].channels : IMAGE_CHANNELS;
}

static uint32_t up_to_16(int bytes)
{
    return ((uint32_t)bytes + 15) / 16 * 16;
}

/* Of 10 bytes a channel. */
static uint32_t scale_bytes(int layer)
{
    return up_to_16(10 * channels_of(layer));
}

/* Weights are compressed to three quarters. */
static uint32_t weight_bytes(int layer)
{
    const int taps = layers[layer - 1].kernel * layers[layer - 1].kernel, opcode = layers[layer - 1].opcode;
    const int in = opcode == EUW_CONV ? channels_of(layers[layer - 1].input) : 1;
    return opcode == EUW_CONV || opcode == EUW_DEPTHWISE ? up_to_16(taps * in * channels_of(layer) * 3 / 4)
                                                         : 0;
}

static plan plan_memory(void)
{
    plan p = {.arena_bytes = 0};
    const place *placed[2 * (LAYERS + 1)];
    size_t n = 0;
    for (int i = 0; i <= LAYERS; i++) {
        p.maps[i] =
            (place){.bytes = up_to_16(side_of(i) * side_of(i) * channels_of(i)), .first = i, .last = i};
        for (int k = i; k < LAYERS; k++)
            if (layers[k].input == i || (layers[k].other == i && layers[k].opcode == EUW_ELEMENTWISE))
                p.maps[i].last = k + 1;
        put(&p, &p.maps[i], placed, n);
        placed[n++] = &p.maps[i];
        if (!i || !weight_bytes(i))
            continue;
        p.weights[i] = (place){.bytes = weight_bytes(i) + scale_bytes(i), .first = i, .last = i};
        put(&p, &p.weights[i], placed, n);
        placed[n++] = &p.weights[i];
        p.read_only_bytes += p.weights[i].bytes;
    }
    return p;
}

/* ---- launches ---- */

static euw_map map_of(const plan *p, int layer)
{
    return (euw_map){.region = 1,
                     .base = p->maps[layer].at,
                     .h = side_of(layer),
                     .w = side_of(layer),
                     .d = channels_of(layer),
                     .is_bricked = layer && layer < LAYERS};
}

static size_t add_layer(const plan *p, int layer, uint32_t *read_only, euw_launch *out)
{
    const int kernel = layers[layer - 1].kernel, stride = layers[layer - 1].stride;
    const int in = side_of(layers[layer - 1].input), pads = (side_of(layer) - 1) * stride + kernel - in;
    const place *w = &p->weights[layer];
    size_t n = 0;
    if (w->bytes) {
        out[n++] = (euw_launch){EUW_DMA, .from = {0, *read_only, w->bytes}, .to_region = 1, .to_base = w->at};
        out[n++] = (euw_launch){.opcode = EUW_DMA_WAIT};
        *read_only += w->bytes;
    }
    euw_launch *l = &out[n++];
    *l = (euw_launch){.opcode = layers[layer - 1].opcode,
                      .param =
                          layers[layer - 1].opcode == EUW_POOL || layers[layer - 1].opcode == EUW_ELEMENTWISE,
                      .ifm = map_of(p, layers[layer - 1].input),
                      .ofm = map_of(p, layer),
                      .kernel = kernel,
                      .stride = stride};
    if (l->opcode == EUW_ELEMENTWISE) {
        l->ifm2 = map_of(p, layers[layer - 1].other);
    } else {
        l->top = l->left = pads > 0 ? pads / 2 : 0;
        l->bottom = l->right = pads > 0 ? pads - pads / 2 : 0;
    }
    if (w->bytes) {
        l->scales = (euw_span){1, w->at, scale_bytes(layer)};
        l->weights = (euw_span){1, w->at + scale_bytes(layer), weight_bytes(layer)};
    }
    return n;
}

static void put_model(textbuf *out)
{
    const plan p = plan_memory();
    euw_launch launches[3 * LAYERS];
    euw_network stream = {EUW_U55_128, launches, 0};
    uint32_t read_only = 0;
    size_t size;
    for (int i = 1; i <= LAYERS; i++)
        stream.n_launches += add_layer(&p, i, &read_only, launches + stream.n_launches);
    const tfw_tensor tensors[] = {
        {.name = "image",
         .type = TFW_INT8,
         .dims = {1, IMAGE_SIDE, IMAGE_SIDE, IMAGE_CHANNELS},
         .is_placed = true,
         .offset = (int32_t)p.maps[0].at},
        TFW_TENSOR("main_split_1_command_stream", TFW_UINT8, {0}, .data = TFW_PAYLOAD, .payload = &stream),
        TFW_TENSOR("main_split_1_flash", TFW_UINT8, {(int32_t)p.read_only_bytes}, .data = TFW_ZEROS),
        {.name = "main_split_1_scratch",
         .type = TFW_UINT8,
         .dims = {(int32_t)p.arena_bytes},
         .is_placed = true},
        {.name = "main_split_1_scratch_fast",
         .type = TFW_UINT8,
         .dims = {(int32_t)p.arena_bytes},
         .is_placed = true},
        {.name = "logits",
         .type = TFW_INT8,
         .dims = {1, CLASSES},
         .is_placed = true,
         .offset = (int32_t)p.maps[LAYERS].at},
        {.name = "classes",
         .type = TFW_INT8,
         .dims = {1, CLASSES},
         .is_placed = true,
         .offset = (int32_t)(p.maps[LAYERS].at + p.maps[LAYERS].bytes)},
    };
    static const tfw_operator operators[] = {
        {32, .custom = "ethos-u",
         .inputs = {"main_split_1_command_stream", "main_split_1_flash", "main_split_1_scratch",
                    "main_split_1_scratch_fast", "image"},
         .outputs = {"logits"}},
        {25, .inputs = {"logits"}, .outputs = {"classes"}}};
    unsigned char *bytes = tfw_write(&(tfw_network){.tensors = tensors,
                                                    .n_tensors = sizeof tensors / sizeof *tensors,
                                                    .operators = operators,
                                                    .n_operators = sizeof operators / sizeof *operators,
                                                    .inputs = {"image"},
                                                    .outputs = {"classes"},
                                                    .description = "Vela Optimised",
                                                    .vela_version = "3.10.0",
                                                    .has_plan = true},
                                     &size);
    text_add(out, (const char *)bytes, size);
    free(bytes);
}

/* What Arm's evaluation kit prints for each inference; the first one finds cold caches. */
static void put_log(textbuf *out)
{
    static const int more[INFERENCES] = {0, -4170, -3902, -4188, -4021, -4155};
    text_printf(out, "INFO - Ethos-U device initialised\n");
    for (int i = 0; i < INFERENCES; i++) {
        const int total = COUNT_OF_FIRST + more[i];
        text_printf(out, "INFO - Running inference on image %d => %d.bmp\nINFO - Profile for Inference:\n", i,
                    i);
        text_printf(out,
                    "INFO - NPU AXI0_RD_DATA_BEAT_RECEIVED beats: %d\n"
                    "INFO - NPU AXI0_WR_DATA_BEAT_WRITTEN beats: %d\n"
                    "INFO - NPU AXI1_RD_DATA_BEAT_RECEIVED beats: %d\n",
                    18960, 9530, 2408);
        text_printf(out,
                    "INFO - NPU ACTIVE cycles: %d\nINFO - NPU IDLE cycles: %d\nINFO - NPU TOTAL cycles: %d\n",
                    total - IDLE_CYCLES, IDLE_CYCLES, total);
    }
}

static const example_file files[] = {{"classifier_vela.tflite", put_model}, {"pmu.log", put_log}};

int main(int argc, char **argv)
{
    return example_main("make_ethosu", files, sizeof files / sizeof *files, argc, argv);
}
