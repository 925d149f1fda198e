/* model/code/ethosu/ethosu.h - command streams of Arm's Ethos-U: from the driver's payload to launches, and
 * from launches to the layers that Vela made them of.
 *
 * Units: bytes; elements; addresses are bytes from the start of a region. MACs count as Vela counts them
 *   (nn_macs), windows of poolings included.
 * Shapes: a stream is one NPU operator. A launch is one command that starts the array or the DMA engine, with
 *   the registers as they were then. A group is what Vela had as one layer.
 * Ownership: all is of the arena that was given.
 * Source: Arm's Vela (nxp-imx/ethos-u-vela, ethosu/vela: ethos_u55_regs, register_command_stream_generator,
 *   driver_actions; hapv3/neural-compiler: ethos_u85_interface.hpp) and the core driver's interface headers,
 *   all Apache-2.0. docs/hardware/ethos_u.md has what was found in files.
 */
#pragma once

#include "core/core.h"
#include "roofline/work.h"

typedef enum ethosu_product { ETHOSU_U55, ETHOSU_U65, ETHOSU_U85, ETHOSU_PRODUCTS } ethosu_product;

/* Regions of a stream that Vela uses. */
enum { ETHOSU_READ_ONLY, ETHOSU_SCRATCH, ETHOSU_SCRATCH_FAST, ETHOSU_REGIONS };

/* A DMA's destination in the look-up table inside of the accelerator. */
enum { ETHOSU_REGION_LUT = 0x103 };

/* The words of a payload, and what its header says. */
typedef struct ethosu_payload {
    const unsigned char *bytes; /* of the first word of the stream */
    uint32_t n_words;
    uint64_t file_offset;  /* likewise */
    uint64_t length_bytes; /* of the whole payload, header included */
    ethosu_product product;
    uint32_t macs_per_cycle, cores;
    uint32_t shram_kib; /* 0: none is stated, as for U85 */
    uint32_t arch_major, arch_minor, arch_patch;
} ethosu_payload;

typedef enum ethosu_kind {
    ETHOSU_CONV,
    ETHOSU_DEPTHWISE,
    ETHOSU_POOL,
    ETHOSU_ELEMENTWISE,
    ETHOSU_RESIZE,
    ETHOSU_DMA,
    ETHOSU_KINDS
} ethosu_kind;

/* ethosu_launch.param of poolings and of element-wise operations that the rules name. */
enum { ETHOSU_POOL_MAX, ETHOSU_POOL_AVERAGE, ETHOSU_POOL_REDUCE_SUM, ETHOSU_POOL_SUM };
enum { ETHOSU_MUL, ETHOSU_ADD, ETHOSU_SUB };

typedef enum ethosu_layout { ETHOSU_NHWC, ETHOSU_NHCWB16 } ethosu_layout;
typedef enum ethosu_storage {
    ETHOSU_IN_MEMORY,
    ETHOSU_CHAINED = 2, /* U85: it stays in the core; its region is the number of the chain */
    ETHOSU_NOWHERE      /* U85: a scalar */
} ethosu_storage;

/* A feature map as one launch reads or writes it. Its first members, up to base, are alike in all launches of
 * a layer, and have no gaps between them. */
typedef struct ethosu_map {
    uint64_t stride_x, stride_y, stride_c;
    ethosu_layout layout;
    ethosu_storage storage;
    uint8_t region; /* of a chained one the chain */
    uint8_t element_bits;
    bool is_signed;
    uint64_t base[4];
    /* The part that the launch touches. For an input without a register for it: (ofm - 1) stride + kernel -
     * pads, halved rounding up where it is upscaled; for element-wise operations the OFM's, 1 where it is
     * broadcast. */
    uint32_t height, width, depth;
    /* Sizes of tile 0 and, in height, of tile 1: rows behind height0 begin at base[2], columns behind width0
     * at base[1], and rows of these behind height1 at base[3]. */
    uint32_t tile_width0, tile_height0, tile_height1;
} ethosu_map;

/* Weights or scales of one core. */
typedef struct ethosu_constants {
    uint64_t base, bytes; /* bytes 0: this core has none */
} ethosu_constants;
enum { ETHOSU_CORES = 4 };

/* How a launch came into its group. */
typedef enum ethosu_join {
    ETHOSU_AS_FIRST,
    ETHOSU_AS_SLICE,  /* the next part of the depth, of weights of its own */
    ETHOSU_AS_STRIPE, /* the next rows, of the same weights */
    ETHOSU_IN_CHAIN   /* U85: it takes what the one before it left in the core */
} ethosu_join;

/* Likewise up to file_offset. */
typedef struct ethosu_launch {
    ethosu_kind kind;
    uint32_t kernel_h, kernel_w; /* taps; the window is (kernel - 1) dilation + 1 */
    uint32_t stride_h, stride_w, dilation_h, dilation_w;
    uint32_t block_h, block_w, block_d; /* of the OFM */
    uint16_t param;                     /* of the word: which pooling, which element-wise operation */
    uint16_t acc_format;                /* as the register has it; U85: with the micro-block */
    uint16_t activation, activation_min, activation_max;
    uint16_t ifm_broadcast, ifm2_broadcast; /* as the registers have them */
    uint16_t weight_region, scale_region;
    uint8_t upscale; /* 0 none, 1 nearest, 2 zeros */
    bool is_part_kernel_first;
    bool has_ifm2;        /* it reads two maps: element-wise with two operands */
    uint64_t file_offset; /* of its word */
    ethosu_join join;
    uint32_t group; /* into the stream's groups */
    /* For a DMA only; regions as the registers have them. */
    uint64_t dma_source, dma_target, dma_bytes;
    uint16_t dma_source_region, dma_target_region;
    /* For all other operations. */
    ethosu_map ifm, ifm2, ofm;
    bool ifm2_is_scalar; /* of two maps the second one is in no memory */
    uint16_t pad_top, pad_left, pad_bottom, pad_right;
    uint8_t parallel_mode;                                        /* cores - 1 */
    uint16_t weight_format;                                       /* U85, as the register has it */
    bool is_sparse;                                               /* U85: of four weights two are there */
    ethosu_constants weights[ETHOSU_CORES], scales[ETHOSU_CORES]; /* {0}: the launch has none */
    uint64_t macs, skipped_macs; /* skipped: those that sparse weights save */
} ethosu_launch;

struct command_stream;

/* Bytes in one region. */
typedef struct ethosu_moved {
    uint64_t read_bytes, write_bytes;
} ethosu_moved;

typedef struct ethosu_extent {
    uint64_t height, width, depth;
} ethosu_extent;

/* Launches that Vela had as one layer, or one DMA between regions that are not the read-only one
 * ("Memcpy"). Each launch is of one group. Another name for roof_work's struct. */
typedef struct command_group {
    const struct command_stream *stream;
    const uint32_t *members; /* into stream->launches, in order: DMAs that it waited for, and its launches */
    uint32_t n_members, n_launches; /* n_launches: without the DMAs; 0: a Memcpy */
    uint32_t first;                 /* launch that computes, or the only DMA: what is alike in all of them */
    bool is_sliced;                 /* by depth of the OFM */
    bool is_striped;                /* by its rows: a cascade */
    bool is_chained;        /* of several operations, which hand on what they make inside of the core */
    ethosu_extent ifm, ofm; /* of the whole layer; of a Memcpy 0 */
    uint64_t macs, skipped_macs;
    uint64_t dma_bytes, dma_lut_bytes, weight_bytes, scale_bytes; /* dma: all, those to the LUT among them */
    /* By region, 0..2; see docs/hardware/ethos_u.md, "bytes". */
    ethosu_moved moved[ETHOSU_REGIONS];
} ethosu_group;

typedef struct command_stream {
    ethosu_payload payload;
    bool is_regor; /* the C++ core of Vela wrote it; false: the Python core, or unknown */
    ethosu_launch *launches;
    uint32_t n_launches;
    ethosu_group *groups; /* by their first member that computes */
    uint32_t n_groups;
    uint64_t n_words, n_commands; /* n_commands: words but for the second ones */
    uint64_t kernel_waits, dma_waits;
} ethosu_stream;

/* Reads the header of a payload of at most so many bytes, which lies at file_offset. is_whole: nothing may
 * follow its stream. Errors: E_DATA, E_UNSUPPORTED with the byte. */
roof_status ethosu_open(const unsigned char *bytes, uint64_t size, uint64_t file_offset, bool is_whole,
                        ethosu_payload *out, roof_error *err);

/* The launches of a payload, and their groups. is_regor: see ethosu_stream; its rules of grouping differ.
 * Cost: linear in the words. Errors: E_DATA with the byte and the word, E_UNSUPPORTED, E_LIMIT,
 * E_NO_MEMORY. */
roof_status ethosu_decode(const ethosu_payload *payload, bool is_regor, roof_arena *arena, ethosu_stream *out,
                          roof_error *err);

/* Sets the groups of a stream whose launches are there: the layers that these were cut from. Vela cuts a
 * layer by the depth of its OFM (slices, whose weights it brings one after the other) and by rows (stripes of
 * a cascade, whose layers take turns); a U85 runs several operations as a chain. The file does not say which
 * launches belong together: that follows from registers that are alike, and from addresses. Cost: linear.
 * Source: docs/hardware/ethos_u.md, "layers", with what it was checked against. Errors: E_LIMIT, E_NO_MEMORY.
 * */
roof_status ethosu_group_launches(ethosu_stream *stream, roof_arena *arena, roof_error *err);

/* "conv", "dw", "maxpool", "avgpool", "add"; of a DMA "memcpy". */
const char *ethosu_launch_text(const ethosu_stream *stream, const ethosu_launch *launch);

static inline bool ethosu_has_weights(const ethosu_launch *l)
{
    return l->kind == ETHOSU_CONV || l->kind == ETHOSU_DEPTHWISE;
}

/* "U55". */
const char *ethosu_product_text(ethosu_product product);
