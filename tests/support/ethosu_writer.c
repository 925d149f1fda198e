#include "tests/support/ethosu_writer.h"
#include "tests/support/xmodel_writer.h" /* memory that does not run out */

#include <stdlib.h>
#include <string.h>

enum { TAG_AT = 28, STREAM_AT = 32 }; /* bytes of a payload */

void euw_word(euw_stream *s, uint32_t word)
{
    s->bytes = xm_checked_realloc(s->bytes, s->n + 4, 1);
    for (int i = 0; i < 4; i++)
        s->bytes[s->n++] = (unsigned char)(word >> (8 * i));
}

void euw_begin(euw_stream *s, uint32_t config)
{
    const uint32_t id = config >> 28 == 2 ? 0x20000000 : 0x10060000;
    *s = (euw_stream){.n = 0};
    euw_word(s, 0x31504F43);
    euw_word(s, 0x00100001);
    euw_word(s, config);
    euw_word(s, id);
    for (int i = 0; i < 3; i++)
        euw_word(s, 5);
    euw_word(s, 2);
}

void euw_set(euw_stream *s, int opcode, int value)
{
    if (s->values[0][opcode] == (uint64_t)value + 1)
        return;
    s->values[0][opcode] = (uint64_t)value + 1;
    euw_word(s, (uint32_t)opcode | (uint32_t)value << 16);
}

void euw_set_long(euw_stream *s, int opcode, uint64_t value)
{
    if (s->values[1][opcode] == value + 1)
        return;
    s->values[1][opcode] = value + 1;
    euw_word(s, (uint32_t)opcode | 1U << 14 | (uint32_t)(value >> 32) << 16);
    euw_word(s, (uint32_t)value);
}

void euw_close(euw_stream *s)
{
    const uint32_t words = (uint32_t)((s->n - STREAM_AT) / 4), tag = 2 | words >> 16 << 8 | words << 16;
    for (int i = 0; i < 4; i++)
        s->bytes[TAG_AT + i] = (unsigned char)(tag >> (8 * i));
}

void euw_end(euw_stream *s)
{
    euw_word(s, 0xFFFF0000);
    euw_close(s);
}

/* ---- launches ------------------------------------------------------------------------------------------ */

static int or_1(int value)
{
    return value ? value : 1;
}

/* Bases, strides and tiles. */
static void put_map(euw_stream *s, const euw_map *m, int base, int width0, int region, int precision,
                    int width_bit)
{
    const uint64_t element = m->bits ? (uint64_t)m->bits / 8 : 1, width = (uint64_t)m->w;
    const uint64_t depth = (uint64_t)(m->full_d ? m->full_d : m->d);
    const uint64_t x = m->is_bricked ? 16 * element : depth * element,
                   c = m->is_bricked ? width * x : element;
    const uint64_t y = m->is_bricked ? (depth + 15) / 16 * c : width * x;
    const int bits = m->bits == 32 ? 2 : m->bits == 16;
    euw_set(s, region, m->region);
    euw_set(s, precision, 1 | bits << width_bit | m->is_bricked << 6 | m->storage << 14);
    if (m->storage)
        return;
    for (int i = 0; i < 4; i++)
        euw_set_long(s, base + i, i ? m->tiles[i - 1] : m->base);
    euw_set_long(s, base + 4, x);
    euw_set_long(s, base + 5, y);
    euw_set_long(s, base + 6, c);
    euw_set(s, width0, (m->tile_w ? m->tile_w : m->w) - 1);
    for (int i = 1; i <= 2; i++)
        euw_set(s, width0 + i, (m->tile_h ? m->tile_h : m->h) - 1);
}

static void put_array(euw_stream *s, const euw_launch *l, bool is_u85)
{
    const int dilation = or_1(l->dilation), stride = or_1(l->stride) - 1;
    put_map(s, &l->ifm, 0x00, 0x10A, 0x10F, 0x105, 2);
    put_map(s, &l->ofm, 0x10, 0x11A, 0x11F, 0x114, 1);
    if (l->ifm2.h)
        put_map(s, &l->ifm2, 0x80, 0x18A, 0x18F, 0x185, 2);
    euw_set(s, 0x104, l->ifm.d - 1);
    euw_set(s, 0x111, l->ofm.w - 1);
    euw_set(s, 0x112, l->ofm.h - 1);
    euw_set(s, 0x113, l->ofm.d - 1);
    euw_set(s, 0x100, l->top);
    euw_set(s, 0x101, l->left);
    euw_set(s, 0x102, l->right);
    euw_set(s, 0x103, l->bottom);
    euw_set(s, 0x107, l->upscale);
    euw_set(s, 0x115, (l->block_w ? l->block_w : 8) - 1);
    euw_set(s, 0x116, (l->block_h ? l->block_h : 8) - 1);
    euw_set(s, 0x117, (l->block_d ? l->block_d : 16) - 1);
    euw_set(s, 0x120, (or_1(l->kernel) - 1) * dilation);
    euw_set(s, 0x121, (or_1(l->kernel) - 1) * dilation);
    euw_set(s, 0x122,
            (stride & 1) | (stride & 1) << 1 | (dilation - 1) << 3 | (dilation - 1) << 4 | stride >> 1 << 6 |
                stride >> 1 << 9);
    euw_set(s, 0x180, l->broadcast2);
    if (is_u85)
        euw_set(s, 0x12E, l->weight_format);
    if (!l->weights.bytes)
        return;
    euw_set(s, 0x128, l->weights.region);
    euw_set(s, 0x129, l->scales.region);
    euw_set_long(s, 0x20, l->weights.base);
    euw_set_long(s, 0x21, l->weights.bytes);
    euw_set_long(s, 0x22, l->scales.base);
    euw_set_long(s, 0x23, l->scales.bytes);
}

void euw_launch_put(euw_stream *s, const euw_launch *l, bool is_u85)
{
    if (l->opcode == EUW_DMA) {
        euw_set(s, 0x130, l->from.region);
        euw_set(s, 0x131, l->to_region);
        euw_set_long(s, 0x30, l->from.base);
        euw_set_long(s, 0x31, l->to_base);
        euw_set_long(s, 0x32, l->from.bytes);
    } else if (l->opcode != EUW_DMA_WAIT && l->opcode != EUW_KERNEL_WAIT) {
        put_array(s, l, is_u85);
    }
    euw_word(s, (uint32_t)l->opcode | (uint32_t)l->param << 16);
}

unsigned char *euw_write(const euw_network *net, size_t *size_bytes)
{
    const uint32_t config = net->config ? net->config : EUW_U55_128;
    euw_stream s;
    euw_begin(&s, config);
    for (size_t i = 0; i < net->n_launches; i++)
        euw_launch_put(&s, &net->launches[i], config >> 28 == 2);
    euw_end(&s);
    *size_bytes = s.n;
    return s.bytes;
}

/* ---- a network ----------------------------------------------------------------------------------------- */

#define INPUT                                                                                                \
    {                                                                                                        \
        .region = 1, .base = 0, .h = 8, .w = 8, .d = 4                                                       \
    }
#define CONV(base_)                                                                                          \
    {                                                                                                        \
        .region = 1, .base = (base_), .h = 8, .w = 8, .d = 8, .full_d = 16                                   \
    }
static const euw_launch small_launches[] = {
    {EUW_DMA, .from = {0, 0, 400}, .to_region = 1, .to_base = 4096},
    {.opcode = EUW_DMA_WAIT},
    {EUW_CONV, .ifm = INPUT, .ofm = CONV(256), .kernel = 3, .top = 1, .left = 1, .bottom = 1, .right = 1,
     .weights = {1, 4176, 320}, .scales = {1, 4096, 80}},
    {EUW_DMA, .from = {0, 400, 400}, .to_region = 1, .to_base = 4608},
    {.opcode = EUW_DMA_WAIT},
    {EUW_CONV, .ifm = INPUT, .ofm = CONV(264), .kernel = 3, .top = 1, .left = 1, .bottom = 1, .right = 1,
     .weights = {1, 4688, 320}, .scales = {1, 4608, 80}},
    {.opcode = EUW_KERNEL_WAIT},
    {EUW_DEPTHWISE, .ifm = EUW_MAP(1, 256, 8, 8, 16), .ofm = EUW_MAP(1, 1280, 8, 8, 16), .kernel = 3,
     .top = 1, .left = 1, .bottom = 1, .right = 1, .weights = {0, 960, 160}, .scales = {0, 800, 160}},
    {EUW_ELEMENTWISE, 1, .ifm = EUW_MAP(1, 256, 8, 8, 16), .ifm2 = EUW_MAP(1, 1280, 8, 8, 16),
     .ofm = EUW_MAP(1, 2304, 8, 8, 16)},
    {EUW_DMA, .from = {0, 1120, 256}, .to_region = EUW_LUT},
    {EUW_POOL, 1, .ifm = EUW_MAP(1, 2304, 8, 8, 16), .ofm = EUW_MAP(1, 3328, 1, 1, 16), .kernel = 8},
    {EUW_DMA, .from = {1, 3328, 16}, .to_region = 1, .to_base = 0},
};
const euw_network euw_small = {.launches = small_launches,
                               .n_launches = sizeof small_launches / sizeof *small_launches};
