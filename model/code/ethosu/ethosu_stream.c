/* A command stream, word by word: registers keep their values, and a launch takes them as they are.
 *
 * Word: bits 9-0 opcode, 13-10 zero, 15-14 control, 31-16 parameter. Control 0 is one word (cmd0); control 1
 * has a second one (cmd1), and bits 7-0 of the parameter are above its 32 bits where it is an address.
 */
#include "model/code/ethosu/ethosu.h"
#include "core/bytes.h"

enum { OPCODES = 0x400, CONTROLS = 2 };

typedef enum reg {
#define REGISTER(name, opcode, size, products) name,
#include "model/code/ethosu/registers.def"
#undef REGISTER
    REGISTERS
} reg;

enum { U55 = 1 << ETHOSU_U55, U65 = 1 << ETHOSU_U65, U85 = 1 << ETHOSU_U85, U5 = U55 | U65, ALL = U5 | U85 };
enum { VALUE, WORD, ADDRESS };

static const struct {
    uint16_t opcode;
    uint8_t size, products;
} registers[REGISTERS] = {
#define REGISTER(name, opcode, size, products) {opcode, size, products},
#include "model/code/ethosu/registers.def"
#undef REGISTER
};

/* Commands that write no register. */
typedef enum does { DOES_LAUNCH, DOES_STOP, DOES_DMA_WAIT, DOES_KERNEL_WAIT, DOES_NOTHING } does;

static const struct {
    uint16_t opcode;
    uint8_t products, does, kind;
} commands[] = {{0x00, ALL, DOES_STOP, 0},
                {0x01, ALL, DOES_NOTHING, 0}, /* interrupt */
                {0x02, ALL, DOES_LAUNCH, ETHOSU_CONV},
                {0x03, ALL, DOES_LAUNCH, ETHOSU_DEPTHWISE},
                {0x05, ALL, DOES_LAUNCH, ETHOSU_POOL},
                {0x06, ALL, DOES_LAUNCH, ETHOSU_ELEMENTWISE},
                {0x07, U85, DOES_LAUNCH, ETHOSU_RESIZE},
                {0x10, ALL, DOES_LAUNCH, ETHOSU_DMA},
                {0x11, ALL, DOES_DMA_WAIT, 0},
                {0x12, ALL, DOES_KERNEL_WAIT, 0},
                {0x13, ALL, DOES_NOTHING, 0}}; /* mask of the performance monitors */
enum { COMMANDS = N_OF(commands) };

/* Operations of poolings and of element-wise launches, by the parameter. */
typedef struct operation {
    ethosu_kind kind;
    uint16_t param;
    uint8_t products;
    bool is_unary;
    const char *text;
} operation;

static const operation operations[] = {
    {ETHOSU_CONV, 0, ALL, true, "conv"},
    {ETHOSU_DEPTHWISE, 0, ALL, true, "dw"},
    {ETHOSU_RESIZE, 0, U85, true, "resize"}, /* nearest, bilinear, both with other corners */
    {ETHOSU_RESIZE, 1, U85, true, "resize"},
    {ETHOSU_RESIZE, 2, U85, true, "resize"},
    {ETHOSU_RESIZE, 3, U85, true, "resize"},
    {ETHOSU_DMA, 0, ALL, true, "memcpy"},
    {ETHOSU_POOL, ETHOSU_POOL_MAX, ALL, true, "maxpool"},
    {ETHOSU_POOL, ETHOSU_POOL_AVERAGE, ALL, true, "avgpool"},
    {ETHOSU_POOL, ETHOSU_POOL_REDUCE_SUM, ALL, true, "reduce_sum"},
    {ETHOSU_POOL, ETHOSU_POOL_SUM, U85, true, "sumpool"},
    {ETHOSU_POOL, 4, U85, true, "copy"},
    {ETHOSU_POOL, 5, U85, true, "minpool"},
    {ETHOSU_POOL, 6, U85, true, "argmax"},
    {ETHOSU_POOL, 7, U85, true, "argmax"},
    {ETHOSU_ELEMENTWISE, ETHOSU_MUL, ALL, false, "mul"},
    {ETHOSU_ELEMENTWISE, ETHOSU_ADD, ALL, false, "add"},
    {ETHOSU_ELEMENTWISE, ETHOSU_SUB, ALL, false, "sub"},
    {ETHOSU_ELEMENTWISE, 3, ALL, false, "min"},
    {ETHOSU_ELEMENTWISE, 4, ALL, false, "max"},
    {ETHOSU_ELEMENTWISE, 5, ALL, true, "lrelu"},
    {ETHOSU_ELEMENTWISE, 6, ALL, true, "abs"},
    {ETHOSU_ELEMENTWISE, 7, ALL, true, "clz"},
    {ETHOSU_ELEMENTWISE, 8, ALL, false, "shr"},
    {ETHOSU_ELEMENTWISE, 9, ALL, false, "shl"},
    {ETHOSU_ELEMENTWISE, 10, U85, false, "lsr"},
    {ETHOSU_ELEMENTWISE, 11, U85, false, "div"},
    {ETHOSU_ELEMENTWISE, 16, U85, false, "eq"},
    {ETHOSU_ELEMENTWISE, 17, U85, false, "ne"},
    {ETHOSU_ELEMENTWISE, 18, U85, false, "ge"},
    {ETHOSU_ELEMENTWISE, 19, U85, false, "gt"},
    {ETHOSU_ELEMENTWISE, 33, U85, false, "and"},
    {ETHOSU_ELEMENTWISE, 34, U85, false, "or"},
    {ETHOSU_ELEMENTWISE, 35, U85, false, "xor"},
    {ETHOSU_ELEMENTWISE, 36, U85, true, "not"},
    {ETHOSU_ELEMENTWISE, 42, U85, false, "and_not"}};

static const operation *operation_of(ethosu_product product, ethosu_kind kind, uint16_t param)
{
    FOR_EACH(const operation, o, operations, N_OF(operations)) {
        if (o->kind == kind && o->param == param && o->products >> product & 1)
            return o;
    }
    return NULL;
}

const char *ethosu_launch_text(const ethosu_stream *stream, const ethosu_launch *launch)
{
    return operation_of(stream->payload.product, launch->kind, launch->param)->text;
}

typedef struct decoder {
    const ethosu_payload *payload;
    uint64_t at; /* the word that is looked at */
    uint64_t values[REGISTERS];
    int16_t places[CONTROLS][OPCODES]; /* of each opcode: a register, REGISTERS + a command, -1 */
    roof_error *err;
} decoder;

static uint32_t word_of(const ethosu_payload *p, uint64_t i)
{
    return bytes_u32(p->bytes + 4 * i);
}

#define FAIL(d, status, format, ...)                                                                         \
    error_at((d)->err, (status), (d)->payload->file_offset + 4 * (d)->at, "word 0x%08" PRIx32 ": " format,   \
             word_of((d)->payload, (d)->at), __VA_ARGS__)

/* The register or the command of the word that is looked at, and how many words it has. */
static roof_status look_up(const decoder *d, int *place, uint32_t *n_words)
{
    const uint32_t word = word_of(d->payload, d->at), control = word >> 14 & 3, opcode = word & 0x3FF;
    if (control >= CONTROLS || word & 0x3C00)
        return FAIL(d, ROOF_E_DATA, "bits 15-10 are 0x%02" PRIx32 ", want 0x00 or 0x10", word >> 10 & 63);
    *place = d->places[control][opcode];
    *n_words = control + 1;
    if (*place < 0)
        return FAIL(d, ROOF_E_UNSUPPORTED, "no command cmd%" PRIu32 " 0x%03" PRIx32 " of a %s is known",
                    control, opcode, ethosu_product_text(d->payload->product));
    if (*n_words > d->payload->n_words - d->at)
        return FAIL(d, ROOF_E_DATA, "%s", "the command stream ends within a command");
    return ROOF_OK;
}

/* ---- launches ------------------------------------------------------------------------------------------ */

static uint32_t value(const decoder *d, reg r)
{
    return (uint32_t)d->values[r];
}

/* Registers of a feature map, in the order of ethosu_map. */
typedef struct map_registers {
    reg base, stride_x, stride_y, stride_c, width0, height0, height1, region, precision;
    uint8_t width_bit;
    const char *text;
} map_registers;

#define MAP_REGISTERS(map, width_bit)                                                                        \
    {                                                                                                        \
        map##_BASE0, map##_STRIDE_X, map##_STRIDE_Y, map##_STRIDE_C, map##_WIDTH0_M1, map##_HEIGHT0_M1,      \
            map##_HEIGHT1_M1, map##_REGION, map##_PRECISION, width_bit, #map                                 \
    }
static const map_registers ifm_registers = MAP_REGISTERS(IFM, 2);
static const map_registers ifm2_registers = MAP_REGISTERS(IFM2, 2);
static const map_registers ofm_registers = MAP_REGISTERS(OFM, 1);

/* All of a map but what the launch touches of it. */
static roof_status read_map(const decoder *d, const map_registers *r, ethosu_map *m)
{
    const uint32_t precision = value(d, r->precision), layout = precision >> 6 & 3;
    const uint32_t width = precision >> r->width_bit & 3, storage = precision >> 14;
    const bool is_u85 = d->payload->product == ETHOSU_U85;
    if (layout > ETHOSU_NHCWB16)
        return FAIL(d, ROOF_E_UNSUPPORTED,
                    "%s has layout %" PRIu32 " (precision 0x%04" PRIx32 "), want 0 (NHWC) or 1 (NHCWB16)",
                    r->text, layout, precision);
    if (width == 3 && !(is_u85 && r == &ofm_registers))
        return FAIL(d, ROOF_E_UNSUPPORTED,
                    "%s has element width 3 (precision 0x%04" PRIx32 "), want 0 to 2 for 8, 16 and 32 bits",
                    r->text, precision);
    if (is_u85 && storage == 1)
        return FAIL(d, ROOF_E_UNSUPPORTED,
                    "%s has storage 1 (precision 0x%04" PRIx32 "), want 0 (memory), 2 (chained) or 3 (none)",
                    r->text, precision);
    *m = (ethosu_map){.stride_x = d->values[r->stride_x],
                      .stride_y = d->values[r->stride_y],
                      .stride_c = d->values[r->stride_c],
                      .tile_width0 = value(d, r->width0) + 1,
                      .tile_height0 = value(d, r->height0) + 1,
                      .tile_height1 = value(d, r->height1) + 1,
                      .region = (uint8_t)value(d, r->region),
                      .element_bits = (uint8_t)(8 << width),
                      .is_signed = precision & 1,
                      .layout = (ethosu_layout)layout,
                      .storage = is_u85 ? (ethosu_storage)storage : ETHOSU_IN_MEMORY};
    for (int i = 0; i < 4; i++)
        m->base[i] = d->values[(int)r->base + i];
    if (m->storage == ETHOSU_IN_MEMORY && value(d, r->region) >= ETHOSU_REGIONS)
        return FAIL(d, ROOF_E_UNSUPPORTED, "%s lies in region %" PRIu32 ", want 0 to 2", r->text,
                    value(d, r->region));
    return ROOF_OK;
}

/* Cells of an input that the windows over it reach, without pads. */
static roof_status reach(const decoder *d, uint32_t ofm, uint32_t stride, uint32_t window_m1, uint32_t pads,
                         uint8_t upscale, uint32_t *out)
{
    const uint64_t all = (uint64_t)(ofm - 1) * stride + window_m1 + 1; /* each is below 2^17 */
    if (all <= pads)
        return FAIL(d, ROOF_E_DATA, "%" PRIu64 " cells of the IFM, and %" PRIu32 " of them are pads", all,
                    pads);
    *out = (uint32_t)((all - pads + (upscale != 0)) >> (upscale != 0));
    return ROOF_OK;
}

/* An axis of an operand that is broadcast is 1: bits 1 height, 2 width, 4 depth. */
static void set_operand(ethosu_map *m, const ethosu_map *ofm, uint32_t broadcast)
{
    m->height = broadcast & 1 ? 1 : ofm->height;
    m->width = broadcast & 2 ? 1 : ofm->width;
    m->depth = broadcast & 4 ? 1 : ofm->depth;
}

static roof_status set_maps(const decoder *d, const operation *o, ethosu_launch *l)
{
    const bool is_u85 = d->payload->product == ETHOSU_U85;
    TRY(read_map(d, &ifm_registers, &l->ifm));
    TRY(read_map(d, &ofm_registers, &l->ofm));
    l->ofm.height = value(d, OFM_HEIGHT_M1) + 1;
    l->ofm.width = value(d, OFM_WIDTH_M1) + 1;
    l->ofm.depth = value(d, OFM_DEPTH_M1) + 1;
    if (l->kind == ETHOSU_RESIZE) { /* its kernel registers mean something else */
        l->ifm.height = l->ifm.tile_height0;
        l->ifm.width = l->ifm.tile_width0;
        l->ifm.depth = value(d, IFM_DEPTH_M1) + 1;
    } else if (l->kind != ETHOSU_ELEMENTWISE) {
        TRY(reach(d, l->ofm.height, l->stride_h, value(d, KERNEL_HEIGHT_M1),
                  (uint32_t)l->pad_top + l->pad_bottom, l->upscale, &l->ifm.height));
        TRY(reach(d, l->ofm.width, l->stride_w, value(d, KERNEL_WIDTH_M1),
                  (uint32_t)l->pad_left + l->pad_right, l->upscale, &l->ifm.width));
        l->ifm.depth = value(d, IFM_DEPTH_M1) + 1;
    } else {
        l->ifm_broadcast = (uint16_t)value(d, IFM_BROADCAST); /* 0 unless of a U85 */
        set_operand(&l->ifm, &l->ofm, l->ifm_broadcast);
    }
    if (o->is_unary)
        return ROOF_OK;
    TRY(read_map(d, &ifm2_registers, &l->ifm2));
    l->has_ifm2 = true;
    l->ifm2_broadcast = (uint16_t)value(d, IFM2_BROADCAST);
    l->ifm2_is_scalar = is_u85 ? (l->ifm2_broadcast & 15) == 8 || l->ifm2.storage == ETHOSU_NOWHERE
                               : l->ifm2_broadcast >> 7 & 1;
    set_operand(&l->ifm2, &l->ofm, l->ifm2_broadcast);
    return ROOF_OK;
}

/* Weights and scales of the cores that work: those of a U65 have scales each. */
static roof_status set_constants(const decoder *d, ethosu_launch *l)
{
    static const struct {
        reg base, length;
    } weights[ETHOSU_CORES] = {{WEIGHT_BASE, WEIGHT_LENGTH},
                               {WEIGHT1_BASE, WEIGHT1_LENGTH},
                               {WEIGHT2_BASE, WEIGHT2_LENGTH},
                               {WEIGHT3_BASE, WEIGHT3_LENGTH}};
    const uint32_t n = d->payload->product == ETHOSU_U85 ? d->payload->cores : l->parallel_mode + 1U;
    l->weight_region = (uint16_t)value(d, WEIGHT_REGION);
    l->scale_region = (uint16_t)value(d, SCALE_REGION);
    l->weight_format = (uint16_t)value(d, WEIGHT_FORMAT);
    l->is_sparse = l->weight_format >> 4 & 1; /* bits 3-0: fast or small; 0 unless of a U85 */
    if (l->weight_region >= ETHOSU_REGIONS || l->scale_region >= ETHOSU_REGIONS)
        return FAIL(d, ROOF_E_UNSUPPORTED,
                    "weights lie in region %" PRIu32 " and scales in %" PRIu32 ", want 0 to 2",
                    (uint32_t)l->weight_region, (uint32_t)l->scale_region);
    for (uint32_t i = 0; i < n; i++)
        l->weights[i] = (ethosu_constants){d->values[weights[i].base], d->values[weights[i].length]};
    l->scales[0] = (ethosu_constants){d->values[SCALE_BASE], d->values[SCALE_LENGTH]};
    if (d->payload->product != ETHOSU_U85 && n > 1)
        l->scales[1] = (ethosu_constants){d->values[SCALE1_BASE], d->values[SCALE1_LENGTH]};
    return ROOF_OK;
}

static roof_status start_array(const decoder *d, const operation *o, ethosu_launch *l)
{
    const uint32_t stride = value(d, KERNEL_STRIDE);
    l->pad_top = (uint16_t)value(d, IFM_PAD_TOP);
    l->pad_left = (uint16_t)value(d, IFM_PAD_LEFT);
    l->pad_bottom = (uint16_t)value(d, IFM_PAD_BOTTOM);
    l->pad_right = (uint16_t)value(d, IFM_PAD_RIGHT);
    l->stride_w = ((stride & 1) | (stride >> 6 & 7) << 1) + 1;
    l->stride_h = ((stride >> 1 & 1) | (stride >> 9 & 7) << 1) + 1;
    l->is_part_kernel_first = stride >> 2 & 1;
    l->dilation_w = (stride >> 3 & 1) + 1;
    l->dilation_h = (stride >> 4 & 1) + 1;
    l->kernel_h = value(d, KERNEL_HEIGHT_M1) / l->dilation_h + 1;
    l->kernel_w = value(d, KERNEL_WIDTH_M1) / l->dilation_w + 1;
    l->block_h = value(d, OFM_BLOCK_HEIGHT_M1) + 1;
    l->block_w = value(d, OFM_BLOCK_WIDTH_M1) + 1;
    l->block_d = value(d, OFM_BLOCK_DEPTH_M1) + 1;
    l->acc_format = (uint16_t)value(d, ACC_FORMAT);
    l->activation = (uint16_t)value(d, ACTIVATION);
    l->activation_min = (uint16_t)value(d, ACTIVATION_MIN);
    l->activation_max = (uint16_t)value(d, ACTIVATION_MAX);
    l->upscale = (uint8_t)(value(d, IFM_UPSCALE) & 3);
    l->parallel_mode = value(d, PARALLEL_MODE) & 1;
    TRY(set_maps(d, o, l));
    if (ethosu_has_weights(l))
        TRY(set_constants(d, l));
    const bool is_sum = l->kind == ETHOSU_POOL && l->param == ETHOSU_POOL_REDUCE_SUM;
    const bool is_window =
        ethosu_has_weights(l) || is_sum ||
        (l->kind == ETHOSU_POOL &&
         (l->param == ETHOSU_POOL_MAX || l->param == ETHOSU_POOL_AVERAGE || l->param == ETHOSU_POOL_SUM));
    const checked macs = CHECKED_PRODUCT(l->ofm.height, l->ofm.width, l->ofm.depth, l->kernel_h, l->kernel_w,
                                         l->kind == ETHOSU_CONV || is_sum ? l->ifm.depth : 1);
    if (!is_window)
        return ROOF_OK;
    if (macs.overflow)
        return FAIL(d, ROOF_E_LIMIT, "%s", "its multiply-accumulates overflow 64 bits");
    l->skipped_macs = l->kind == ETHOSU_CONV && l->is_sparse ? macs.value - macs.value / 2 : 0;
    l->macs = macs.value - l->skipped_macs;
    return ROOF_OK;
}

/* One row of bytes; what lies apart, or is found by an index, was never seen. */
static roof_status start_dma(const decoder *d, ethosu_launch *l)
{
    const uint32_t from = value(d, DMA0_SRC_REGION), to = value(d, DMA0_DST_REGION);
    if (from >= ETHOSU_REGIONS || (to >= ETHOSU_REGIONS && to != ETHOSU_REGION_LUT))
        return FAIL(d, ROOF_E_UNSUPPORTED,
                    "a DMA from region 0x%" PRIx32 " to 0x%" PRIx32
                    ", want 0 to 2, or to 0x103, and bytes side by side",
                    from, to);
    l->dma_source = d->values[DMA0_SRC];
    l->dma_target = d->values[DMA0_DST];
    l->dma_bytes = d->values[DMA0_LEN];
    l->dma_source_region = (uint16_t)from;
    l->dma_target_region = (uint16_t)to;
    return ROOF_OK;
}

static roof_status launch(decoder *d, ethosu_kind kind, ethosu_stream *out)
{
    const uint16_t param = (uint16_t)(word_of(d->payload, d->at) >> 16);
    const operation *o = operation_of(d->payload->product, kind, param);
    if (!o)
        return FAIL(d, ROOF_E_UNSUPPORTED, "operation %u of opcode 0x%02" PRIx32 " is unknown", param,
                    word_of(d->payload, d->at) & 0x3FF);
    ethosu_launch *l = &out->launches[out->n_launches++];
    l->file_offset = d->payload->file_offset + 4 * d->at;
    l->kind = kind;
    l->param = param;
    return kind == ETHOSU_DMA ? start_dma(d, l) : start_array(d, o, l);
}

/* ---- the stream ---------------------------------------------------------------------------------------- */

static bool is_launch(int place)
{
    return place >= REGISTERS && commands[place - REGISTERS].does == DOES_LAUNCH;
}

/* All words have to be commands, and the last one, and no other, STOP. */
static roof_status check_words(decoder *d, uint32_t *n_launches)
{
    bool is_stopped = false;
    uint32_t n_words;
    for (d->at = 0; d->at < d->payload->n_words; d->at += n_words) {
        int place;
        if (is_stopped)
            return FAIL(d, ROOF_E_DATA, "%" PRIu64 " words follow STOP, want none",
                        d->payload->n_words - d->at);
        TRY(look_up(d, &place, &n_words));
        *n_launches += is_launch(place);
        is_stopped = place >= REGISTERS && commands[place - REGISTERS].does == DOES_STOP;
    }
    if (!is_stopped)
        return error_at(d->err, ROOF_E_DATA, d->payload->file_offset + 4 * (uint64_t)d->payload->n_words,
                        "the command stream ends without STOP");
    return ROOF_OK;
}

roof_status ethosu_decode(const ethosu_payload *payload, bool is_regor, roof_arena *arena, ethosu_stream *out,
                          roof_error *err)
{
    decoder d = {.payload = payload, .err = err};
    uint32_t n_launches = 0;
    *out = (ethosu_stream){.payload = *payload, .is_regor = is_regor};
    const ethosu_product product = d.payload->product;
    for (int control = 0; control < CONTROLS; control++)
        for (int i = 0; i < OPCODES; i++)
            d.places[control][i] = -1;
    for (int i = 0; i < REGISTERS; i++)
        if (registers[i].products >> product & 1)
            d.places[registers[i].size != VALUE][registers[i].opcode] = (int16_t)i;
    for (int i = 0; i < COMMANDS; i++)
        if (commands[i].products >> product & 1)
            d.places[0][commands[i].opcode] = (int16_t)(REGISTERS + i);
    TRY(check_words(&d, &n_launches));
    TRY(ARENA_GET(arena, out->launches, n_launches, err));
    uint32_t n_words;
    for (d.at = 0; d.at < d.payload->n_words; d.at += n_words) {
        int place;
        TRY(look_up(&d, &place, &n_words));
        out->n_commands++;
        if (place < REGISTERS) {
            const uint64_t param = word_of(d.payload, d.at) >> 16;
            d.values[place] = n_words == 1 ? param : word_of(d.payload, d.at + 1);
            if (registers[place].size == ADDRESS)
                d.values[place] |= (param & 255) << 32;
        } else if (is_launch(place))
            TRY(launch(&d, (ethosu_kind)commands[place - REGISTERS].kind, out));
        else if (commands[place - REGISTERS].does == DOES_KERNEL_WAIT)
            out->kernel_waits++;
        else if (commands[place - REGISTERS].does == DOES_DMA_WAIT)
            out->dma_waits++;
    }
    return ethosu_group_launches(out, arena, err);
}

/* ---- the payload of the driver: "COP1", then actions, of which the last one is the command stream ---- */

enum { ACTION_CONFIG = 1, ACTION_COMMAND_STREAM = 2, ACTION_NOP = 5 };

WORD_OF(ethosu_product_text, ethosu_product, product, NULL, "U55", "U65", "U85")

/* The configuration that the stream is for, and its identity: bits 31-28 of the first are the product, 15-8
 * the SHRAM, 3-0 log2 of the MACs per cycle. */
static roof_status read_config(ethosu_payload *p, uint32_t config, uint32_t id, uint64_t at, roof_error *err)
{
    static const struct {
        uint32_t least, most; /* log2 of MACs per cycle */
    } sizes[ETHOSU_PRODUCTS] = {{5, 8}, {8, 9}, {7, 11}};
    const uint32_t product = config >> 28, log2_macs = config & 15;
    if (product >= ETHOSU_PRODUCTS)
        return error_at(err, ROOF_E_UNSUPPORTED, at,
                        "product %" PRIu32 " of the configuration 0x%08" PRIx32
                        ", want 0 (U55), 1 (U65) or 2 (U85)",
                        product, config);
    p->product = (ethosu_product)product;
    if (log2_macs < sizes[product].least || log2_macs > sizes[product].most)
        return error_at(err, ROOF_E_UNSUPPORTED, at,
                        "2^%" PRIu32 " MACs a cycle in the configuration 0x%08" PRIx32 ", want 2^%" PRIu32
                        " to 2^%" PRIu32 " of a %s",
                        log2_macs, config, sizes[product].least, sizes[product].most,
                        ethosu_product_text(p->product));
    p->macs_per_cycle = (uint32_t)1 << log2_macs;
    static const unsigned char u85_cores[] = {1, 1, 2, 4, 4}; /* of 128, 256, ... MACs (Vela, Regor) */
    p->cores = p->product == ETHOSU_U85                               ? u85_cores[log2_macs - 7]
               : p->product == ETHOSU_U65 && p->macs_per_cycle == 512 ? 2
                                                                      : 1;
    p->shram_kib = p->product == ETHOSU_U85 ? 0 : config >> 8 & 255;
    p->arch_major = id >> 28;
    p->arch_minor = id >> 20 & 255;
    p->arch_patch = id >> 16 & 15;
    return ROOF_OK;
}

roof_status ethosu_open(const unsigned char *bytes, uint64_t size, uint64_t file_offset, bool is_whole,
                        ethosu_payload *out, roof_error *err)
{
    uint64_t at = 4;
    bool has_config = false;
    *out = (ethosu_payload){.macs_per_cycle = 0};
    if (size >= 4 && memcmp(bytes, "COP2", 4) == 0)
        return error_at(err, ROOF_E_UNSUPPORTED, file_offset,
                        "a driver payload of format COP2, want COP1: compile it without --cop-format COP2");
    if (size < 4 || memcmp(bytes, "COP1", 4) != 0)
        return error_at(err, ROOF_E_DATA, file_offset,
                        "no driver payload of an Ethos-U, which begins with COP1");
    for (;;) {
        if (size - at < 4)
            return error_at(err, ROOF_E_DATA, file_offset + at,
                            "the driver payload ends before its command stream");
        const uint32_t word = bytes_u32(bytes + at), action = word & 255;
        if (action == ACTION_COMMAND_STREAM)
            break;
        if (action == ACTION_CONFIG) {
            if (size - at < 12)
                return error_at(err, ROOF_E_DATA, file_offset + at,
                                "the configuration of the driver payload is cut off");
            TRY(read_config(out, bytes_u32(bytes + at + 4), bytes_u32(bytes + at + 8), file_offset + at + 4,
                            err));
            has_config = true;
            at += 12;
        } else if (action == ACTION_NOP) {
            at += 4;
        } else {
            return error_at(err, ROOF_E_UNSUPPORTED, file_offset + at,
                            "driver action %" PRIu32 " (word 0x%08" PRIx32
                            "), want 1 (configuration), 2 (command stream) or 5 (none)",
                            action, word);
        }
    }
    const uint32_t word = bytes_u32(bytes + at);
    if (!has_config)
        return error_at(err, ROOF_E_DATA, file_offset + at,
                        "the command stream comes before the configuration that it is for");
    out->n_words = (word >> 8 & 255) << 16 | word >> 16;
    at += 4;
    if (out->n_words > (size - at) / 4)
        return error_at(err, ROOF_E_DATA, file_offset + at - 4,
                        "a command stream of %" PRIu32 " words, and %" PRIu64
                        " bytes are left: the file is truncated or damaged",
                        out->n_words, size - at);
    out->bytes = bytes + at;
    out->file_offset = file_offset + at;
    out->length_bytes = at + 4 * (uint64_t)out->n_words;
    if (is_whole && size != out->length_bytes)
        return error_at(err, ROOF_E_DATA, file_offset + out->length_bytes,
                        "%" PRIu64 " bytes follow the command stream, want none", size - out->length_bytes);
    return ROOF_OK;
}
