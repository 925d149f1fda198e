/* The shapes are those of the papers and of the reports that were measured: MobileNetV2 1.0 at 224x224
 * (Sandler et al. 2018, table 2), and one convolution of an image of 64x64x3 followed by a global mean, which
 * is part of the convolution's epoch. */
#include "tests/support/art_networks.h"

#include <stdio.h>
#include <string.h>

typedef enum work { COPY, CONV, DEPTHWISE, HOST } work;

typedef struct layer {
    work work;
    uint32_t number; /* of its epoch */
    uint32_t width, in, out, kernel, stride;
    const char *kind; /* of a host's function; NULL otherwise */
    bool adds, guessed;
    uint32_t rounds; /* epochs that share its kernel; 0: this one does all of it */
} layer;

enum { FLASH, NPU3, NPU4, NPU5, CPU2 };

static const ci_pool pools[AN_POOLS] = {
    [FLASH] = {"octoFlash", 1, 600, true, true, true, 0x71000000, 112 << 20},
    [NPU3] = {"npuRAM3", 8, 125, false, false, false, 0x34200000, 448 << 10},
    [NPU4] = {"npuRAM4", 8, 125, false, false, false, 0x34270000, 448 << 10},
    [NPU5] = {"npuRAM5", 8, 125, false, false, false, 0x342e0000, 448 << 10},
    [CPU2] = {"cpuRAM2", 8, 250, false, false, false, 0x34100000, 1 << 20},
};

/* What the NPU's convolution accelerator does at once, and the memories hold. */
enum {
    UNITS = 4,
    MULTIPLIERS = 72,
    DEEP_LANES = 3,
    MOST_CHANNELS = 128,
    INFLATION = 8,
    NPU_RAM_BYTES = 448 * 1024,
    CPU_RAM_BYTES = 1024 * 1024
};

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- what a layer streams ---- */

typedef struct streams {
    uint64_t in_bytes, out_bytes; /* of the maps */
    uint64_t weight_bytes, macs;
    uint32_t iterations, units;
    uint64_t longest;
} streams;

static void split_pointwise(const layer *l, streams *s)
{
    uint32_t kernels = MULTIPLIERS / DEEP_LANES;
    s->iterations = (uint32_t)divide_up(l->out, kernels);
    while (s->units < UNITS && l->in > s->units * MOST_CHANNELS)
        s->units *= 2;
    if (s->iterations == 1 && s->units < UNITS)
        s->units *= 2;
    uint64_t features = divide_up(s->in_bytes * s->iterations, (uint64_t)DEEP_LANES * s->units);
    s->longest = larger(s->longest, larger(features, divide_up(s->weight_bytes, DEEP_LANES)));
}

static void split_window(const layer *l, streams *s)
{
    const uint32_t kernels = 8;
    s->iterations = (uint32_t)divide_up(l->out, kernels);
    s->units = l->kernel > 3 && !l->rounds ? 2 : 1; /* a kernel has at most three rows */
    s->longest = larger(s->longest, larger(s->in_bytes * s->iterations, s->weight_bytes));
}

static streams streams_of(const layer *l)
{
    uint64_t width = divide_up(l->width, l->stride), taps = (uint64_t)l->kernel * l->kernel;
    streams s = {.in_bytes = (uint64_t)l->width * l->width * l->in,
                 .out_bytes = width * width * l->out,
                 .iterations = 1,
                 .units = 1};
    s.longest = larger(s.in_bytes, s.out_bytes);
    if (l->work == DEPTHWISE) {
        s.macs = s.out_bytes * taps;
        s.weight_bytes = l->in * taps * INFLATION;
        s.longest = larger(s.longest, s.weight_bytes);
    } else if (l->work == CONV) {
        s.macs = s.out_bytes * l->in * taps / (l->rounds ? l->rounds : 1);
        s.weight_bytes = l->out * l->in * taps / (l->rounds ? l->rounds : 1);
        s.longest = s.out_bytes;
        if (l->kernel == 1)
            split_pointwise(l, &s);
        else
            split_window(l, &s);
    }
    return s;
}

/* ---- an epoch ---- */

static ci_op *add_op(an_plan *p, uint32_t epoch, const char *kind, const char *unit)
{
    ci_epoch *e = &p->epochs[epoch];
    char *name = p->names[epoch][e->n_ops];
    ci_op *op = &p->ops[epoch][e->n_ops++];
    snprintf(name, AN_NAME_SIZE, "%.10s_%u_%u", kind, e->number % 1000, e->n_ops % 10);
    *op = (ci_op){.name = name, .kind = kind, .unit = unit};
    return op;
}

static void add_ops(an_plan *p, uint32_t epoch, const layer *l, const streams *s)
{
    static const char *const units[UNITS] = {"CONV_ACC_V2 0", "CONV_ACC_V2 1", "CONV_ACC_V2 2",
                                             "CONV_ACC_V2 3"};
    if (l->work == COPY || l->work == HOST) {
        add_op(p, epoch, l->kind ? l->kind : "Identity", l->kind ? NULL : "NULL_UNIT 0")->feature_bits = 8;
        return;
    }
    for (uint32_t i = 0; i < s->units; i++) {
        ci_op *op = add_op(p, epoch, "Conv", units[i]);
        op->feature_bits = op->weight_bits = 8;
    }
    add_op(p, epoch, "Mul", "ARITH_ACC_V2 0")->weight_bits = 16;
    add_op(p, epoch, "Add", "ARITH_ACC_V2 1")->weight_bits = 32;
}

static void add_access(an_plan *p, uint32_t epoch, uint32_t pool, uint64_t reads, uint64_t writes)
{
    ci_epoch *e = &p->epochs[epoch];
    uint32_t i = 0;
    while (i < e->n_accesses && p->accesses[epoch][i].pool != pool)
        i++;
    ci_access *a = &p->accesses[epoch][i];
    if (i == e->n_accesses)
        p->accesses[epoch][e->n_accesses++] = (ci_access){.pool = pool};
    a->reads += reads;
    a->writes += writes;
    a->read_cycles = a->reads * pools[pool].ratio_percent / 100 / pools[pool].byte_width;
    a->write_cycles = a->writes * pools[pool].ratio_percent / 100 / pools[pool].byte_width;
}

/* A map is where it fits; what an epoch writes, the next one reads. */
static void add_map(an_plan *p, uint32_t epoch, uint64_t bytes, uint64_t reads, uint64_t writes)
{
    uint32_t pool = (epoch + (writes ? 1 : 0)) % 2 ? NPU4 : NPU5;
    uint64_t first = bytes <= NPU_RAM_BYTES ? 0 : bytes < CPU_RAM_BYTES ? bytes : CPU_RAM_BYTES;
    if (first)
        add_access(p, epoch, CPU2, first * reads, first * writes);
    if (bytes > first)
        add_access(p, epoch, first ? NPU3 : pool, (bytes - first) * reads, (bytes - first) * writes);
}

static void add_epoch(an_plan *p, const layer *l)
{
    streams s = streams_of(l);
    uint32_t i = p->network.n_epochs++;
    ci_epoch *e = &p->epochs[i];
    *e = (ci_epoch){.number = l->number,
                    .mapping = l->work == HOST ? "NODE_SW" : "NODE_HW",
                    .ops_count = 2 * s.macs + (s.macs ? 2 * s.out_bytes : 0),
                    .compute_cycles = s.longest,
                    .ops = p->ops[i],
                    .accesses = p->accesses[i]};
    p->guessed[i] = l->guessed;
    add_ops(p, i, l, &s);
    add_map(p, i, s.in_bytes, s.iterations, 0);
    if (l->adds)
        add_map(p, i, s.out_bytes, 1, 0);
    add_map(p, i, s.out_bytes, 0, 1);
    if (s.weight_bytes)
        add_access(p, i, FLASH, s.weight_bytes, 0);
}

/* ---- networks ---- */

typedef struct stage {
    uint32_t expansion, channels, blocks, stride;
} stage;

/* One of MobileNetV2's blocks; returns the number of the epoch behind it. */
static uint32_t add_block(an_plan *p, uint32_t number, const layer *shape, uint32_t expansion)
{
    uint32_t inside = shape->in * expansion;
    layer expand = {CONV, number, shape->width, shape->in, inside, 1, 1, NULL, false, false, 0};
    if (expansion > 1) {
        add_epoch(p, &expand);
        number++;
    }
    add_epoch(p, &(layer){DEPTHWISE, number, shape->width, inside, inside, 3, shape->stride, NULL, false,
                          false, 0});
    add_epoch(p, &(layer){CONV, number + 1, shape->width / shape->stride, inside, shape->out, 1, 1, NULL,
                          shape->stride == 1 && shape->in == shape->out, false, 0});
    return number + 2;
}

static void add_mobilenet_v2(an_plan *p)
{
    static const stage stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                   {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    static const layer begin[] = {{COPY, 1, 224, 3, 3, 1, 1, NULL, false, false, 0},
                                  {CONV, 2, 224, 3, 32, 3, 2, NULL, false, false, 0}};
    static const layer end[] = {{CONV, 53, 7, 320, 1280, 1, 1, NULL, false, false, 0},
                                {HOST, 54, 7, 1280, 1280, 1, 1, "DequantizeLinear", false, false, 0},
                                {HOST, 55, 7, 1280, 1280, 1, 7, "GlobalAveragePool", false, false, 0},
                                {HOST, 56, 1, 1280, 1280, 1, 1, "QuantizeLinear", false, false, 0},
                                {COPY, 57, 1, 1280, 1280, 1, 1, NULL, false, true, 0},
                                {CONV, 58, 1, 1280, 1000, 1, 1, NULL, false, false, 0}};
    layer block = {.width = 112, .in = 32};
    uint32_t number = 3;
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        add_epoch(p, &begin[i]);
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++)
        for (uint32_t i = 0; i < stages[s].blocks; i++) {
            block.stride = i ? 1 : stages[s].stride;
            block.out = stages[s].channels;
            number = add_block(p, number, &block, stages[s].expansion);
            block.width /= block.stride;
            block.in = block.out;
        }
    for (size_t i = 0; i < sizeof end / sizeof *end; i++)
        add_epoch(p, &end[i]);
}

static const struct {
    const char *name;
    layer layers[4];
} small[] = {
    {"conv2d_16f_3x3", {{CONV, 2, 64, 3, 16, 3, 1, NULL, false, false, 0}}},
    {"conv2d_3x3", {{CONV, 2, 64, 3, 32, 3, 1, NULL, false, false, 0}}},
    {"conv2d_64f_3x3", {{CONV, 2, 64, 3, 64, 3, 1, NULL, false, false, 0}}},
    {"conv2d_1x1", {{CONV, 2, 64, 3, 32, 1, 1, NULL, false, false, 0}}},
    {"conv2d_32f_5x5", {{CONV, 2, 64, 3, 32, 5, 1, NULL, false, false, 0}}},
    {"conv2d_32f_7x7",
     {{CONV, 2, 64, 3, 32, 7, 1, NULL, false, false, 3},
      {CONV, 3, 64, 3, 32, 7, 1, NULL, false, false, 3},
      {CONV, 4, 64, 3, 32, 7, 1, NULL, false, false, 3},
      {COPY, 5, 1, 32, 32, 1, 1, NULL, false, true, 0}}},
    {"conv2d_poll", {{CONV, 2, 64, 3, 16, 3, 1, NULL, false, false, 0}}},
    {"depthwise_3x3",
     {{COPY, 2, 64, 3, 3, 1, 1, NULL, false, false, 0},
      {DEPTHWISE, 3, 64, 3, 3, 3, 1, NULL, false, false, 0}}},
};

enum { SMALL = sizeof small / sizeof *small };

const char *an_name(size_t index)
{
    return index < SMALL ? small[index].name : index == SMALL ? "mobilenet_v2_224" : NULL;
}

void an_build(size_t index, an_plan *out)
{
    *out = (an_plan){
        .network = {.name = an_name(index), .pools = pools, .n_pools = AN_POOLS, .epochs = out->epochs}};
    for (size_t i = 0; index < SMALL && i < 4 && small[index].layers[i].number; i++)
        add_epoch(out, &small[index].layers[i]);
    if (index == SMALL)
        add_mobilenet_v2(out);
}
