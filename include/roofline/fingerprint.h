/* roofline/fingerprint.h - the DPU that a model was compiled for, from the model's fingerprint.
 *
 * Units: _parallel are lanes, positions of an array (pixels, channels); the rest are counts.
 * Shapes: bits 63..56 of a fingerprint are the family, 55..48 the instruction set, 47..0 the feature code,
 *   whose layout depends on both.
 * Ownership: plain values; the strings inside are in the structure or static.
 *
 * A number that the fingerprint does not state is ROOF_NONE; 0 says that the engine is not built in.
 * Source: Xilinx/Vitis-AI, src/vai_runtime/target_factory/src/create_target_*.cpp and the target files beside
 *   it (Apache-2.0), read as facts.
 */
#ifndef ROOFLINE_FINGERPRINT_H
#define ROOFLINE_FINGERPRINT_H

#include <stdbool.h>
#include "roofline/status.h"

ROOF_BEGIN_C

typedef struct roof_dpu_config {
    uint64_t fingerprint;
    uint32_t family_code, isa;
    uint64_t feature_code;
    const char *family; /* "dpuczdx8g" as in the hardware database; "" when the family is unknown */
    const char *name;   /* "DPUCZDX8G", or "" */
    char size[32];      /* "B4096", "C32B6"; "" when not known */
    uint32_t pixel_parallel, input_channel_parallel, output_channel_parallel; /* of the convolution array */
    uint32_t alu_pixel_parallel; /* one engine for depthwise, pooling and activations (instruction sets from 1
                                    on) */
    uint32_t dwconv_pixel_parallel; /* separate depthwise engine (instruction set 0) */
    uint32_t pool_pixel_parallel;   /* separate pooling engine (instruction set 0) */
    uint32_t eltwise_pixel_parallel;
    uint32_t side_channel_parallel; /* channels of the ALU, depthwise, pooling and element-wise engines */
    uint32_t channel_augmentation;  /* lanes; 0: not built in */
    uint32_t image_groups;          /* groups of banks for feature maps */
    uint64_t image_bytes;           /* all of them; ROOF_UNKNOWN if not stated */
    uint32_t convw_bank_base;       /* number of the first bank with convolution weights */
    uint32_t batch;                 /* images of one pass */
    uint32_t aie_cores;             /* AI Engines per batch lane */
    uint64_t unexplained_bits;      /* set bits of the feature code whose meaning is not public */
    char text[256];                 /* all of it in one line, for people */
} roof_dpu_config;

/* Decodes a fingerprint.
 *
 * A family that is unknown, such as 0 in files of Vitis AI 1.1, is no error: family and size are empty, and
 * text says so.
 * Errors: E_DATA when a known family has a size that its table does not hold.
 * Example (tests/unit/test_hwdb.c): 0x101000056010407 is dpuczdx8g, instruction set 1, B4096, 8 x 16 x 16,
 * ALU
 *   4 pixels, 2 groups of image banks (524288 bytes), weights from bank 16 on.
 */
ROOF_API roof_status roof_fingerprint_decode(uint64_t fingerprint, roof_dpu_config *out, roof_error *err);

/* True when a target's name states another family, instruction set, size or fingerprint than the
 * configuration has. A name is only a label; parts of it that state nothing are ignored.
 * Example (tests/unit/test_hwdb.c): the configuration of 0x1000020f6012203, a DPUCZDX8G B1152, is
 * contradicted by
 *   "DPUCVDX8G_ISA0_B1152_01000020F6012203".
 */
ROOF_API bool roof_fingerprint_contradicts(const roof_dpu_config *config, const char *name);

ROOF_END_C
#endif
