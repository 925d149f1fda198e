/* tests/support/ethosu_writer.h - writes driver payloads of an Ethos-U, whose launches are rows of tables.
 *
 * As Vela does, a register is only written where its value changes. What a row leaves out is 0.
 * Ownership: what a network points to is borrowed during the call. Errors: running out of memory ends the
 *   program with a message: this is test support.
 */
#ifndef ROOF_TESTS_SUPPORT_ETHOSU_WRITER_H
#define ROOF_TESTS_SUPPORT_ETHOSU_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opcodes of launches. */
enum { EUW_CONV = 2, EUW_DEPTHWISE = 3, EUW_POOL = 5, EUW_ELEMENTWISE = 6, EUW_RESIZE = 7, EUW_DMA = 0x10 };
enum { EUW_KERNEL_WAIT = 0x12, EUW_DMA_WAIT = 0x11 };
/* Configurations: product, SHRAM, MACs per cycle. */
#define EUW_U55_64  0x00001006U
#define EUW_U55_128 0x00001807U
#define EUW_U55_256 0x00003008U
#define EUW_U65_512 0x10006009U
#define EUW_U85_256 0x20000118U
enum { EUW_LUT = 0x103, EUW_CHAINED = 2, EUW_NOWHERE = 3 };

typedef struct euw_map {
    int region; /* of a chained one the chain */
    uint32_t base;
    int h, w, d;
    int full_d;         /* of the tensor that this is a slice of; 0: d */
    int bits;           /* 0: 8 */
    bool is_bricked;    /* NHCWB16; else NHWC */
    int storage;        /* bits 15-14 of the precision: of a U85 where it lies */
    int tile_h, tile_w; /* of tile 0; 0: h and w; tile 1 is as high */
    uint32_t tiles[3];  /* bases of tiles 1 to 3: right of it, below it, and below the first of these */
} euw_map;

/* A map of bytes, NHWC. */
#define EUW_MAP(region_, base_, h_, w_, d_)                                                                  \
    {                                                                                                        \
        .region = (region_), .base = (base_), .h = (h_), .w = (w_), .d = (d_)                                \
    }

typedef struct euw_span {
    int region;
    uint32_t base, bytes;
} euw_span;

typedef struct euw_launch {
    int opcode, param;
    euw_map ifm, ifm2, ofm;
    int kernel, stride;           /* of both axes; 0: 1 */
    int top, left, bottom, right; /* pads */
    int dilation, upscale, weight_format, broadcast2;
    int block_h, block_w, block_d; /* 0: 8, 8, 16 */
    euw_span weights, scales;
    euw_span from; /* of a DMA, and to: without bytes */
    int to_region;
    uint32_t to_base;
} euw_launch;

typedef struct euw_network {
    uint32_t config; /* 0: EUW_U55_128 */
    const euw_launch *launches;
    size_t n_launches;
} euw_network;

/* The payload, which the caller frees. Its words are little-endian. */
unsigned char *euw_write(const euw_network *network, size_t *size_bytes);

/* A network of 5 layers on a U55-128: a convolution in two slices, each with a DMA for its weights, a
 * depthwise convolution of weights that are read from region 0, an element-wise sum, a table for what
 * follows, and an average: 36,864 + 9,216 + 1,024 MACs. */
extern const euw_network euw_small;

/* --- word by word -------------------------------------------------------------------------------------- */

typedef struct euw_stream {
    unsigned char *bytes;
    size_t n;                 /* bytes */
    uint64_t values[2][1024]; /* of registers, by control and opcode, and 1 above it */
} euw_stream;

/* COP1, a configuration, three NOPs and the tag of the stream. */
void euw_begin(euw_stream *s, uint32_t config);
void euw_word(euw_stream *s, uint32_t word);
/* A register of 16 bits, and one of 32 or 40; nothing where it has the value. */
void euw_set(euw_stream *s, int opcode, int value);
void euw_set_long(euw_stream *s, int opcode, uint64_t value);
void euw_launch_put(euw_stream *s, const euw_launch *launch, bool is_u85);
/* STOP, and the length in the tag. */
void euw_end(euw_stream *s);
/* The length alone, of a stream without STOP. */
void euw_close(euw_stream *s);

#endif
