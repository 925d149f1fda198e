/* Vela's estimate for the layers of a command stream, and the least time that they take.
 *
 * A block of the OFM is made of micro-blocks, on each of which the array works for some cycles per step of
 * the kernel; the output unit scales and writes what it made. With D cycles of the array and A of the output
 * unit for a block, and N blocks:
 *   op = max(D, A) N + min(D, A)
 * where neither is below C = (latencies and transfers of a block + D + A) / 4, since four commands are in
 * flight. Two cores of Vela differ in what they round and what they leave out.
 * Source: Arm Vela, Apache-2.0: ethosu/vela/npu_performance (Python core) and
 * ethosu/regor/architecture/ethosu{55,85}/ethos_u{55,85}_performance.cpp (Regor).
 */
#include "model/laws/ethos_u_cycles.h"

/* ---- the accelerator ----------------------------------------------------------------------------------- */

typedef struct block {
    double h, w, d;
} block;

/* Why an element takes the output unit longer. */
typedef enum output_class {
    OUT_BINARY_32,
    OUT_UNARY_32,
    OUT_MUL_TO_32,
    OUT_MUL_OR_WIDE, /* accumulators of 40 bits, too */
    OUT_SIMPLE_ADD,
    OUT_ADD,
    OUT_MAX_POOL,
    OUT_OTHER,
    OUT_CLASSES
} output_class;

typedef struct array_config {
    ethosu_product product;
    uint32_t macs;
    uint32_t cores;
    block micro;
    double output[OUT_CLASSES]; /* cycles an element */
    double table, clamp;        /* likewise, of a function by table, and of a clamp */
} array_config;

/* Vela: accelerator_configs of its architecture features */
static const array_config configs[] = {
    {ETHOSU_U55, 32, 1, {1, 1, 4}, {2, 3, 3, 3, 4, 6, 1, 2}, 1, 1},
    {ETHOSU_U55, 64, 1, {1, 1, 8}, {1, 1.5, 1.5, 1.5, 2, 3, 0.5, 1}, 1, 1},
    {ETHOSU_U55, 128, 1, {1, 2, 8}, {0.75, 1.25, 0.75, 0.75, 1, 1.5, 0.25, 0.5}, 1, 0.5},
    {ETHOSU_U55, 256, 1, {2, 2, 8}, {0.625, 1.125, 0.5, 0.375, 0.5, 0.75, 0.125, 0.25}, 1, 0.25},
    {ETHOSU_U65, 256, 1, {2, 2, 8}, {0.625, 1.125, 0.5, 0.375, 0.5, 0.75, 0.125, 0.25}, 1, 0.25},
    {ETHOSU_U65, 512, 2, {2, 2, 8}, {0.3125, 0.5625, 0.25, 0.1875, 0.25, 0.375, 0.0625, 0.125}, 0.5, 0.125},
};

static const array_config *config_of(ethosu_product product, uint32_t macs)
{
    for (size_t i = 0; i < N_OF(configs); i++)
        if (configs[i].product == product && configs[i].macs == macs)
            return &configs[i];
    return NULL;
}

static double up_to(double value, double multiple)
{
    return ceil(value / multiple) * multiple;
}

/* ---- a layer ------------------------------------------------------------------------------------------- */

typedef struct layer {
    const array_config *array;
    const ethosu_system *system;
    const ethosu_launch *l;
    bool is_regor, is_wide;     /* is_wide: accumulators of more than 32 bits */
    block ifm, ofm;             /* the whole layer's */
    block ofm_block, ifm_block; /* as the registers have them */
    block made, taken;          /* the same, cut where the layer is smaller */
    ethosu_memory_rate ifm_memory, ofm_memory, weight_memory;
} layer;

static block least_of(block a, block b)
{
    return (block){fmin(a.h, b.h), fmin(a.w, b.w), fmin(a.d, b.d)};
}

static bool sums_depth(const ethosu_launch *l)
{
    return l->kind == ETHOSU_CONV || (l->kind == ETHOSU_POOL && l->param == ETHOSU_POOL_REDUCE_SUM);
}

/* The side of the IFM block that makes a block of the OFM; kernels are cut into parts of 8x8. */
static double ifm_block_side(double made, uint32_t stride, uint32_t kernel, uint32_t dilation,
                             uint8_t upscale, double micro)
{
    const double window = fmin((double)(kernel - 1) * dilation + 1, 8);
    const double all = (made - 1) * stride + window + (upscale == 1);
    return up_to(ceil(all / (upscale ? 2 : 1)), micro);
}

static block ifm_block_of(const ethosu_launch *l, block made, double ifm_depth, block micro)
{
    if (l->kind == ETHOSU_ELEMENTWISE) /* its kernel registers are another launch's */
        return (block){up_to(made.h, micro.h), up_to(made.w, micro.w), made.d};
    block b = {ifm_block_side(made.h, l->stride_h, l->kernel_h, l->dilation_h, l->upscale, micro.h),
               ifm_block_side(made.w, l->stride_w, l->kernel_w, l->dilation_w, l->upscale, micro.w), made.d};
    if (sums_depth(l))
        b.d = l->ifm.element_bits == 16 ? up_to(fmin(ifm_depth, 16), 4)
                                        : up_to(fmin(ifm_depth, l->is_part_kernel_first ? 16 : 32), 8);
    return b;
}

/* ---- moving a block ------------------------------------------------------------------------------------ */

/* Bytes that are as long on the bus as this many elements, since short bursts waste the rest of theirs. */
static double on_the_bus(const layer *y, const ethosu_map *m, const ethosu_memory_rate *memory, block b,
                         block whole, double amount, bool is_read)
{
    const double cores = y->array->cores, bits = m->element_bits;
    double length;
    if (m->layout == ETHOSU_NHCWB16)
        length = whole.w * 16 * bits / 8 == b.d ? bits * b.d * b.w : 16 * bits * b.w * (is_read ? 1 : cores);
    else if ((y->is_regor ? whole.d : 1) * bits / 8 == b.d && (is_read || b.d <= 16))
        length = bits * b.d * b.w;
    else
        length = is_read ? bits * b.d : fmin(fmin(512, 16 * bits * cores), b.d * bits);
    length = fmin(memory->burst_bytes, floor(length / 8));
    return y->is_regor ? floor(amount * memory->burst_bytes / length)
                       : amount * (memory->burst_bytes / length);
}

static double block_cycles(const layer *y, const ethosu_map *m, const ethosu_memory_rate *memory, block b,
                           block whole, bool is_read)
{
    const block there = least_of(b, whole);
    double amount = there.h * there.w * there.d; /* the Python core takes elements for bytes */
    if (y->is_regor)
        amount = floor(amount * m->element_bits / 8);
    const double cycles = on_the_bus(y, m, memory, b, whole, amount, is_read) / memory->bytes_per_cycle;
    return (is_read ? memory->read_latency : memory->write_latency) + (y->is_regor ? floor(cycles) : cycles);
}

static double take_cycles(const layer *y)
{
    const ethosu_launch *l = y->l;
    double cycles = block_cycles(y, &l->ifm, &y->ifm_memory, y->ifm_block, y->ifm, true);
    if (y->is_regor && l->has_ifm2) {
        const ethosu_memory_rate *memory = &y->system->memories[y->system->memory_of[l->ifm2.region]];
        const block whole = {l->ifm2.height, l->ifm2.width, l->ifm2.depth};
        cycles = fmax(cycles, block_cycles(y, &l->ifm2, memory, y->ifm_block, whole, true));
    }
    return cycles;
}

static double give_cycles(const layer *y)
{
    return block_cycles(y, &y->l->ofm, &y->ofm_memory, y->ofm_block, y->ofm, false);
}

/* ---- the output unit ----------------------------------------------------------------------------------- */

static bool is_clamped(const ethosu_launch *l)
{
    const int bits = l->ofm.element_bits;
    if (bits > 16)
        return false;
    if (l->ofm.is_signed)
        return (int16_t)l->activation_min > -(1 << (bits - 1)) ||
               (int16_t)l->activation_max < (1 << (bits - 1)) - 1;
    return l->activation_min > 0 || l->activation_max < (1 << bits) - 1;
}

static output_class class_of(const ethosu_launch *l, bool is_regor, bool is_wide)
{
    const bool is_elementwise = l->kind == ETHOSU_ELEMENTWISE,
               is_mul = is_elementwise && l->param == ETHOSU_MUL;
    if (is_elementwise && l->ifm.element_bits == 32)
        return l->has_ifm2 == is_regor ? OUT_UNARY_32 : OUT_BINARY_32;
    if (is_mul && l->ofm.element_bits == 32)
        return OUT_MUL_TO_32;
    if (is_mul || (!is_elementwise && is_wide))
        return OUT_MUL_OR_WIDE;
    if (is_elementwise && (l->param == ETHOSU_ADD || l->param == ETHOSU_SUB))
        return OUT_ADD;
    return l->kind == ETHOSU_POOL && l->param == ETHOSU_POOL_MAX ? OUT_MAX_POOL : OUT_OTHER;
}

static double output_rate(const layer *y)
{
    const double own = y->array->output[class_of(y->l, y->is_regor, y->is_wide)];
    return fmax(own, y->l->activation >= 3 ? y->array->table : is_clamped(y->l) ? y->array->clamp : 0);
}

/* ---- the array ----------------------------------------------------------------------------------------- */

/* Micro-blocks of a block. */
static block count_of(block b, block micro)
{
    return (block){ceil(b.h / micro.h), ceil(b.w / micro.w), ceil(b.d / micro.d)};
}

/* Cycles that the array takes for a part of the kernel, of a U55 or U65; *steps: into which it is cut. */
static double part_cycles(const layer *y, block n, block micro, double taps, double *steps)
{
    const double bits = y->l->ifm.element_bits, least = 4 * micro.d, plane = n.h * n.w;
    const bool is_smallest = y->array->macs == 32;
    if (sums_depth(y->l)) {
        const bool by_parts = y->l->kind == ETHOSU_CONV && y->l->is_part_kernel_first;
        *steps = by_parts ? ceil(taps / (bits == 16 ? 2 : 4)) : taps;
        return fmax(least, 4 * plane) * *steps * n.d * (by_parts ? ceil(y->taken.d / 8) : 1);
    }
    if (y->l->kind == ETHOSU_DEPTHWISE) {
        const double times = y->is_regor ? bits / 8 : bits == 16 ? 2 : 1;
        *steps = ceil(taps / 4);
        return fmax(least, 4 * plane * times) * *steps * n.d;
    }
    const double times = is_smallest ? 1 : y->is_regor ? floor(bits / 2) : bits == 16 ? 2 : 1;
    *steps = 1;
    return fmax(4, taps) * plane * n.d * times;
}

/* Where a block is one micro-block, each step waits for the one before it. */
static double delay_cycles(const layer *y, block n, double steps)
{
    const uint32_t macs = y->array->macs;
    const double wait = macs == 32 ? (y->is_wide ? 7 : 3) : y->is_wide && macs <= 128 ? 3 : 2;
    double delay = 0;
    if (n.h == 1 && n.w == 1)
        delay = n.d == 1 ? wait * steps : steps > 1 ? wait * (steps - 1) * n.d : 0;
    if (macs == 32 && y->is_wide && (n.h == 1 || n.w == 1) && n.d > 1)
        delay += wait * n.d;
    return y->l->kind == ETHOSU_CONV && y->l->is_part_kernel_first ? delay * ceil(y->taken.d / 8) : delay;
}

static double array_cycles(const layer *y, block n, block micro)
{
    /* parts of 8, and what is left, in each direction */
    const uint32_t sides[2][2] = {{y->l->kernel_h / 8, y->l->kernel_w / 8}, {1, 1}},
                   taps[2][2] = {{8, 8}, {y->l->kernel_h % 8, y->l->kernel_w % 8}};
    double cycles = 0;
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 2; column++) {
            const double parts = (double)sides[row][0] * sides[column][1],
                         size = (double)taps[row][0] * taps[column][1];
            double steps;
            if (!(parts * size > 0))
                continue;
            cycles += parts * part_cycles(y, n, micro, size, &steps);
            cycles += parts * delay_cycles(y, n, steps);
        }
    if (sums_depth(y->l))
        cycles *= ceil(y->ifm.d / y->taken.d);
    cycles /= y->array->cores;
    return y->is_regor ? floor(cycles) : cycles;
}

/* ---- a layer without its DMAs -------------------------------------------------------------------------- */

/* A line of an even width is worked on as if micro-blocks were a line of four. */
static block micro_block(layer *y)
{
    block micro = y->array->micro;
    if (micro.h == 2 && (y->is_regor ? y->l->kind == ETHOSU_CONV : ethosu_has_weights(y->l)) &&
        y->ofm.h == 1 && fmod(y->ofm.w, 2) == 0 && y->l->kernel_h == 1) {
        micro.h = 1;
        micro.w = 4;
        y->made.h = 1;
    }
    return micro;
}

static double operation_cycles(layer y)
{
    if (y.l->kind == ETHOSU_ELEMENTWISE) {
        const double take = take_cycles(&y), give = give_cycles(&y),
                     depth = y.l->ofm.layout == ETHOSU_NHCWB16 ? up_to(y.ofm.d, 16) : y.ofm.d,
                     n = y.ofm_block.h * y.ofm_block.w * y.ofm_block.d, all = y.ofm.h * y.ofm.w * depth;
        const double each = output_rate(&y);
        if (y.is_regor)
            return fmax(ceil((fmax(take, give) / n + each) / 4 * all), ceil(each * all));
        return ceil(fmax(each, (take + give + each * n) / 4 / n) * all);
    }
    const block micro = micro_block(&y), n = count_of(y.made, micro);
    const double take = take_cycles(&y), give = give_cycles(&y);
    double array = array_cycles(&y, n, micro),
           output = ceil(output_rate(&y) * y.made.h * y.made.w * y.made.d);
    if (ethosu_has_weights(y.l))
        output = fmax(output, 10 * y.made.d * y.weight_memory.read_latency / 256);
    block blocks = count_of(y.ofm, y.made);
    double n_blocks = blocks.h * blocks.w * blocks.d, transfers = take + give, behind = 0;
    if (y.is_regor) {
        blocks = count_of(y.ofm, micro);
        n_blocks = blocks.h * blocks.w * blocks.d / (n.h * n.w * n.d);
        transfers = n_blocks > 1 ? fabs(give - take) : 0;
        behind = take + give;
    }
    const double least = (transfers + array + output) / 4;
    array = fmax(array, least);
    output = fmax(output, least);
    const double most = array > output ? array : output, other = array > output ? output : array;
    return (y.is_regor && array > output ? floor(floor(most * n_blocks) + other)
                                         : floor(most * n_blocks + other)) +
           behind;
}

/* ---- DMAs ---------------------------------------------------------------------------------------------- */

typedef struct dmas {
    double weight_bytes, first_bytes, table_cycles;
    const ethosu_launch *first;
    bool is_double; /* into two buffers in turn */
} dmas;

static const ethosu_memory_rate *memory_of(const ethosu_system *system, uint32_t region)
{
    static const ethosu_memory_rate inside = {INFINITY, 1, 0, 0};
    return region < ETHOSU_REGIONS ? &system->memories[system->memory_of[region]] : &inside;
}

static double copy_cycles(const ethosu_system *system, bool is_regor, const ethosu_launch *dma, double bytes)
{
    const ethosu_memory_rate *from = memory_of(system, dma->dma_source_region),
                             *to = memory_of(system, dma->dma_target_region);
    const double read = floor(bytes / from->bytes_per_cycle) + from->read_latency,
                 write = floor(bytes / to->bytes_per_cycle) + (is_regor ? to->write_latency : 0);
    return fmax(read, write);
}

static dmas dmas_of(const ethosu_group *g, const ethosu_system *system)
{
    const ethosu_stream *s = g->stream;
    dmas out = {0};
    for (uint32_t i = 0; i < g->n_members; i++) {
        const ethosu_launch *l = &s->launches[g->members[i]];
        if (l->kind != ETHOSU_DMA)
            continue;
        if (l->dma_target_region == ETHOSU_REGION_LUT) {
            out.table_cycles += copy_cycles(system, s->is_regor, l, (double)l->dma_bytes);
            continue;
        }
        if (!out.first) {
            out.first = l;
            out.first_bytes = (double)l->dma_bytes;
        }
        out.is_double = out.is_double || l->dma_target != out.first->dma_target;
        out.weight_bytes += (double)l->dma_bytes;
    }
    return out;
}

/* ---- a stream ------------------------------------------------------------------------------------------ */

static block block_of(ethosu_extent e)
{
    return (block){(double)e.height, (double)e.width, (double)e.depth};
}

static layer layer_of(const ethosu_group *g, const array_config *array, const ethosu_system *system)
{
    const ethosu_launch *l = &g->stream->launches[g->first];
    layer y = {.array = array,
               .system = system,
               .l = l,
               .is_regor = g->stream->is_regor,
               .is_wide = l->acc_format == 1,
               .ifm = block_of(g->ifm),
               .ofm = block_of(g->ofm),
               .ofm_block = {l->block_h, l->block_w, l->block_d},
               .ifm_memory = *memory_of(system, l->ifm.region),
               .ofm_memory = *memory_of(system, l->ofm.region),
               .weight_memory = *memory_of(system, l->weight_region)};
    y.ifm_block = ifm_block_of(l, y.ofm_block, y.ifm.d, array->micro);
    y.made = least_of(y.ofm_block, y.ofm);
    y.taken = least_of(y.ifm_block, y.ifm);
    return y;
}

/* The depth that a tensor has where the launch's registers show a slice of it. */
static double whole_depth(const ethosu_map *m)
{
    const uint64_t stored = m->layout != ETHOSU_NHCWB16 ? m->stride_x / (m->element_bits / 8)
                            : m->stride_c               ? m->stride_y / m->stride_c * 16
                                                        : m->depth;
    return (double)stored;
}

/* How long the DMA engine may work ahead for the next layer: while this one computes, as Vela's scheduler
 * first saw it, with all in the SRAM that is buffered there. */
static double slack_of(const ethosu_group *g, layer y)
{
    const ethosu_launch *l = y.l, *last = l;
    for (uint32_t i = 0; i < g->n_members; i++)
        if (g->stream->launches[g->members[i]].kind != ETHOSU_DMA)
            last = &g->stream->launches[g->members[i]];
    y.weight_memory = y.system->memories[ETHOSU_SRAM];
    if (l->ifm.region == ETHOSU_SCRATCH_FAST)
        y.ifm_memory = *memory_of(y.system, ETHOSU_SCRATCH);
    if (l->ofm.region == ETHOSU_SCRATCH_FAST)
        y.ofm_memory = *memory_of(y.system, ETHOSU_SCRATCH);
    if (g->is_sliced)
        y.ofm.d = last->ofm.depth;
    else if (whole_depth(&l->ofm) >= y.ofm.d + 16)
        y.ofm.d = whole_depth(&l->ofm);
    y.made = least_of(y.ofm_block, y.ofm);
    return operation_cycles(y);
}

static double npu_cycles(const ethosu_group *g, const layer *y, const dmas *d, double own, double slack)
{
    const bool is_regor = y->is_regor;
    const double op = operation_cycles(*y), tables = is_regor ? 0 : d->table_cycles;
    if (!d->first || !ethosu_has_weights(y->l))
        return op + fmax(tables - slack, 0);
    const double all = g->is_striped ? 0 : copy_cycles(y->system, is_regor, d->first, d->weight_bytes),
                 first = copy_cycles(y->system, is_regor, d->first, d->first_bytes);
    if (d->is_double || is_regor)
        return fmax(all - slack + own, op + fmax(first - slack, 0)) + tables;
    return fmax(op + all - fmin(first, slack), 0) + tables;
}

/* ---- bytes as Vela counts them ------------------------------------------------------------------------- */

static double stored_depth(const ethosu_map *m, double depth)
{
    return m->layout == ETHOSU_NHCWB16 ? up_to(depth, 16) : depth;
}

/* Elements that are read of an operand of an element-wise launch: as many as are made, of scalars one, in
 * units of the first operand's layout. A scalar of 8 bits is in a register. */
static double operand_elements(const layer *y, const ethosu_map *m)
{
    const ethosu_launch *l = y->l;
    const bool is_second = m == &l->ifm2,
               is_scalar =
                   (m->height == 1 && m->width == 1 && m->depth == 1) || (is_second && l->ifm2_is_scalar),
               is_beside_scalar = is_second && l->ifm.height == 1 && l->ifm.width == 1 && l->ifm.depth == 1;
    if (y->is_regor && is_beside_scalar)
        return 0;
    if (!is_scalar || is_beside_scalar)
        return y->ofm.h * y->ofm.w * stored_depth(&l->ifm, y->ofm.d);
    return m->element_bits > 8 ? stored_depth(&l->ifm, 1) : 0;
}

static void add_map(const layer *y, const ethosu_map *m, double elements, ethosu_estimate *out)
{
    const bool is_read = m != &y->l->ofm;
    const block second = {m->height, m->width, m->depth};
    const ethosu_memory at = y->system->memory_of[m->region];
    const ethosu_memory_rate *memory = &y->system->memories[at];
    out->access[at] += on_the_bus(y, m, memory, is_read ? y->ifm_block : y->ofm_block,
                                  !is_read          ? y->ofm
                                  : m == &y->l->ifm ? y->ifm
                                                    : second,
                                  elements * m->element_bits / 8, is_read) /
                       memory->bytes_per_cycle;
}

static void add_bytes(const layer *y, ethosu_memory at, double bytes, ethosu_estimate *out)
{
    out->access[at] += bytes / y->system->memories[at].bytes_per_cycle;
}

/* Weights that no DMA brought: read for each block of the plane; scales have 10 bytes each, though a damaged
 * file may hold fewer. */
static double weight_bytes(const ethosu_group *g, const layer *y)
{
    const block n = count_of(y->ofm, y->made);
    const double taps = (double)y->l->kernel_h * y->l->kernel_w, plane = n.h * n.w;
    const double scales = 10 * y->ofm.d,
                 raw = y->l->kind == ETHOSU_CONV ? taps * y->ifm.d * y->ofm.d : taps * y->ifm.d,
                 reads = y->l->kind == ETHOSU_CONV ? taps * y->ifm.d * y->made.d * plane * n.d
                                                   : taps * y->ifm.d * plane;
    double stored = 0;
    for (uint32_t i = 0; i < g->n_members; i++) {
        const ethosu_launch *part = &g->stream->launches[g->members[i]];
        for (int k = 0; k < ETHOSU_CORES && part->kind == y->l->kind && part->join != ETHOSU_AS_STRIPE; k++)
            stored += (double)(part->weights[k].bytes + part->scales[k].bytes);
    }
    return reads * fmax(stored - scales, 0) / raw + scales;
}

static void count_access(const ethosu_group *g, const layer *y, const dmas *d, bool is_ahead,
                         ethosu_estimate *out)
{
    const ethosu_launch *l = y->l;
    const block n = count_of(y->ofm, y->made);
    const double parts = ceil(l->kernel_w / 8.0) * ceil(l->kernel_h / 8.0),
                 in_windows = y->taken.h * y->taken.w * stored_depth(&l->ifm, y->ifm.d) * parts * n.h * n.w *
                              (sums_depth(l) ? n.d : 1);
    add_map(y, &l->ofm, y->ofm.h * y->ofm.w * stored_depth(&l->ofm, y->ofm.d), out);
    add_map(y, &l->ifm, l->kind == ETHOSU_ELEMENTWISE ? operand_elements(y, &l->ifm) : in_windows, out);
    if (l->has_ifm2)
        add_map(y, &l->ifm2, operand_elements(y, &l->ifm2), out);
    if (ethosu_has_weights(l) && y->is_regor) {
        /* Regor has weights and scales read for each block of the plane; what the DMA engine brings while the
         * layer runs is moved besides: all but the first part, where the layer before it let that be brought
         * ahead */
        const ethosu_memory *at = y->system->memory_of;
        const double times = n.h * n.w, weights = (double)g->weight_bytes;
        const double late = d->first ? fmax(weights - (is_ahead ? d->first_bytes : 0), 0) : 0;
        add_bytes(y, at[y->l->weight_region], weights * times + late, out);
        add_bytes(y, at[ETHOSU_READ_ONLY], (double)g->scale_bytes * times + late, out);
    } else if (ethosu_has_weights(l) && !d->first)
        add_bytes(y, y->system->memory_of[l->weight_region], weight_bytes(g, y), out);
}

roof_status ethosu_vela_estimates(const ethosu_stream *stream, const ethosu_system *system,
                                  ethosu_estimate *out, roof_error *err)
{
    const array_config *array = config_of(stream->payload.product, stream->payload.macs_per_cycle);
    double slack = 0;
    if (!array)
        return error_set(err, ROOF_E_UNSUPPORTED, "Vela's law for %s of %u MACs is unknown",
                         ethosu_product_text(stream->payload.product), stream->payload.macs_per_cycle);
    for (uint32_t i = 0; i < stream->n_groups; i++) {
        const ethosu_group *g = &stream->groups[i];
        const dmas d = dmas_of(g, system);
        out[i] = (ethosu_estimate){0};
        if (!g->n_launches) {
            const double copy =
                d.first ? copy_cycles(system, stream->is_regor, d.first, d.weight_bytes) : d.table_cycles;
            out[i].npu = fmax(copy - slack, 0);
            slack = 0;
            continue;
        }
        const layer y = layer_of(g, array, system);
        const double own = slack_of(g, y);
        out[i].npu = npu_cycles(g, &y, &d, own, slack);
        count_access(g, &y, &d, slack > 0, &out[i]);
        slack = own;
    }
    return ROOF_OK;
}

/* ---- the least ----------------------------------------------------------------------------------------- */

/* Cycles per OFM cell of a U85, by width: 8, 16, up to 32 and 64 bits. The value for up to 32 bits is that of
 * the fastest kind. */
static const struct {
    uint32_t macs;
    double output[4];
} u85_output[] = {
    {128, {0.5, 0.5, 0.5, 1}},
    {256, {0.25, 0.25, 0.25, 0.5}},
    {512, {0.125, 0.125, 0.25, 0.5}},
    {1024, {0.0625, 0.125, 0.125, 0.5}},
    {2048, {0.03125, 0.0625, 0.0625, 0.5}},
};

/* Cycles an element that the output unit takes at least; 0: unknown. */
static double least_output(const ethosu_stream *s, const ethosu_launch *l)
{
    const array_config *a = config_of(s->payload.product, s->payload.macs_per_cycle);
    /* a table may widen what it gives out, behind what takes the time */
    const uint32_t bits =
        l->ofm.element_bits < l->ifm.element_bits ? l->ofm.element_bits : l->ifm.element_bits;
    if (l->ofm.storage == ETHOSU_CHAINED) /* a chained output may be as fast as the narrowest */
        return 0;
    for (size_t i = 0; i < N_OF(u85_output); i++)
        if (s->payload.product == ETHOSU_U85 && u85_output[i].macs == s->payload.macs_per_cycle)
            return u85_output[i].output[bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 3];
    if (!a)
        return 0;
    const output_class c = class_of(l, false, l->acc_format == 1);
    const double own = c == OUT_ADD        ? a->output[OUT_SIMPLE_ADD]
                       : c <= OUT_UNARY_32 ? fmin(a->output[OUT_BINARY_32], a->output[OUT_UNARY_32])
                                           : a->output[c];
    return fmax(own, l->activation >= 16 ? a->table : 0);
}

/* Height and width of the micro-block; its depth fills the array, which does 8 channels a cycle. */
static bool micro_plane(const ethosu_stream *s, const ethosu_launch *l, uint32_t *h, uint32_t *w)
{
    static const uint8_t of_format[][2] = {{1, 1}, {1, 2}, {1, 4}, {2, 2}, {2, 4}, {4, 4}};
    const array_config *a = config_of(s->payload.product, s->payload.macs_per_cycle);
    const uint32_t format = l->acc_format >> 8 & 7;
    if (s->payload.product == ETHOSU_U85) {
        if (format >= N_OF(of_format))
            return false;
        *h = of_format[format][0];
        *w = of_format[format][1];
        return true;
    }
    if (!a)
        return false;
    const bool is_line = a->micro.h == 2 && l->ofm.height == 1;
    *h = is_line ? 1 : (uint32_t)a->micro.h;
    *w = is_line ? 4 : (uint32_t)a->micro.w;
    return true;
}

static checked least_array(const ethosu_stream *s, const ethosu_launch *l)
{
    const ethosu_payload *p = &s->payload;
    uint32_t h, w;
    if (l->kind > ETHOSU_POOL || !micro_plane(s, l, &h, &w))
        return (checked){0, false};
    const uint64_t cores = p->product == ETHOSU_U65 ? l->parallel_mode + 1U : 1;
    const uint64_t depth = p->macs_per_cycle / (p->product == ETHOSU_U85 ? 1 : p->cores) / (8 * h * w);
    /* cycles of the array for a micro-block: taps of the kernel, 8 channels of 8 bits a cycle. Two of four
     * sparse weights are there, and zeros that upscaling puts in may be passed over. */
    const uint64_t wide = l->ifm.element_bits == 16 ? 2 : 1, channels = sums_depth(l)
                                                                            ? ceil_div(l->ifm.depth * wide, 8)
                                                                        : l->kind == ETHOSU_DEPTHWISE ? wide
                                                                                                      : 1;
    checked each = CHECKED_PRODUCT(l->kernel_h, l->kernel_w, channels);
    each.value = ceil_div(each.value, (l->upscale == 2 ? UINT64_C(4) : 1) * (l->is_sparse ? 2 : 1));
    checked all = CHECKED_PRODUCT(ceil_div(l->ofm.height, h), ceil_div(l->ofm.width, w),
                                  ceil_div(l->ofm.depth, depth), each.value);
    all.value = ceil_div(all.value, cores);
    all.overflow = all.overflow || each.overflow;
    return all;
}

roof_status ethosu_least_cycles(const ethosu_group *group, ethosu_least *out, roof_error *err)
{
    const ethosu_stream *s = group->stream;
    checked array = {0, false};
    double output = 0;
    for (uint32_t i = 0; i < group->n_members; i++) {
        const ethosu_launch *l = &s->launches[group->members[i]];
        if (l->kind == ETHOSU_DMA)
            continue;
        const checked one = least_array(s, l);
        array = checked_plus(array, one.value);
        array.overflow = array.overflow || one.overflow;
        output += least_output(s, l) * l->ofm.height * l->ofm.width * l->ofm.depth;
    }
    if (array.overflow || array.value >= ROOF_UNKNOWN / 2 || !(output < 0x1p63))
        return error_set(err, ROOF_E_LIMIT, "the cycles of a layer overflow 64 bits");
    *out = (ethosu_least){array.value, (uint64_t)ceil(output)};
    return ROOF_OK;
}

/* ---- of shapes alone ---------------------------------------------------------------------------------- */

/* Positions of the OFM are counted together and not by axis, and so are taps and channels where these are
 * few: Vela lays maps out anew, and folds the width into the depth. */
roof_status ethosu_least_of_shape(const ethosu_shape *shape, ethosu_least *out, roof_error *err)
{
    const array_config *a = config_of(shape->product, shape->macs);
    const uint32_t cores = a ? a->cores : 1, wide = shape->is_wide ? 2 : 1;
    const bool by_tap = shape->summed >= 8 && shape->stride && shape->stride <= 3;
    const checked channels = checked_times((checked){shape->summed, false}, wide),
                  folded = checked_times(channels, shape->window),
                  each = !shape->summed ? CHECKED_PRODUCT(shape->window, wide)
                         : by_tap       ? CHECKED_PRODUCT(shape->window, ceil_div(channels.value, 8))
                                        : (checked){ceil_div(folded.value, 8), folded.overflow};
    checked least = {ROOF_UNKNOWN, each.overflow || channels.overflow};
    for (uint32_t plane = 1; plane <= 16; plane *= 2) { /* positions of a micro-block; of a U85 any */
        const uint64_t depth = shape->macs / cores / 8 / plane;
        if (!depth || (a && plane != a->micro.h * a->micro.w))
            continue;
        const checked all =
            CHECKED_PRODUCT(ceil_div(shape->positions, plane), ceil_div(shape->depth, depth), each.value);
        least.overflow = least.overflow || all.overflow;
        least.value = all.value < least.value ? all.value : least.value;
    }
    /* a chained output of a U85 counts none */
    const double output = a ? a->output[shape->is_max ? OUT_MAX_POOL : OUT_OTHER] * (double)shape->positions *
                                  (double)shape->depth
                            : 0;
    if (least.overflow || !(output < 0x1p63))
        return error_set(err, ROOF_E_LIMIT, "the cycles of a layer overflow 64 bits");
    *out = (ethosu_least){shape->window && least.value != ROOF_UNKNOWN ? ceil_div(least.value, cores) : 0,
                          (uint64_t)ceil(output)};
    return ROOF_OK;
}
