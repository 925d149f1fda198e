/* model/code/aie/aie_shim.h - the DMA engines at the edge of an AI Engine array, as control code sets them:
 * what its writes into their registers move.
 *
 * A tile of the shim row has 16 buffer descriptors of 8 words at 0x1D000, and four queues: S2MM 0 and 1 at
 * 0x1D204 and 0x1D20C, MM2S 0 and 1 at 0x1D214 and 0x1D21C.
 *   descriptor  word 0 length in words; word 7 bit 26 goes on with another, bits 30..27 which
 *   push        bits 3..0 descriptor, 23..16 repeat count
 * Source: AMD AM025 (AIE-ML registers, NoC module); Xilinx/mlir-aie,
 *   lib/Dialect/AIEX/Transforms/AIEDmaToNpu.cpp.
 */
#pragma once

#include "model/code/aie/aie_code.h"

enum { AIE_DESCRIPTOR_WORDS = 8, AIE_DESCRIPTORS = 16, AIE_COLUMNS = 128, AIE_CHANNELS = 4 };

/* buffer: where the descriptor points into, the number of an argument or of a class; ROOF_NONE: unknown. */
typedef struct aie_descriptor {
    uint32_t words[AIE_DESCRIPTOR_WORDS];
    uint32_t written; /* a bit for each word */
    uint32_t buffer;
} aie_descriptor;

typedef struct aie_buffer {
    uint32_t number;
    uint64_t bytes[2]; /* written, read */
} aie_buffer;

typedef struct aie_shim {
    const aie_words *words;               /* of the control code */
    aie_descriptor *columns[AIE_COLUMNS]; /* AIE_DESCRIPTORS each; NULL: not touched yet */
    uint64_t channels[AIE_COLUMNS][AIE_CHANNELS];
    aie_buffer *buffers;
    uint32_t n_buffers;
    roof_control_code *out; /* counts are added to it */
    roof_arena *scratch;
    roof_error *err;
} aie_shim;

/* What is wrong with the operation at a word. */
#define AIE_FAIL(shim, at, ...)                                                                              \
    error_at((shim)->err, ROOF_E_DATA, (shim)->words->file_offset + 4 * (uint64_t)(at), __VA_ARGS__)

/* A write of one word. column, row: of the tile; row 0 is the shim. Errors: E_LIMIT, E_NO_MEMORY. */
roof_status aie_shim_write(aie_shim *shim, uint32_t column, uint32_t row, uint32_t offset, uint32_t value);

/* A transfer that is stated as such: through a channel of 0 or 1, of a buffer. Errors: E_LIMIT, E_NO_MEMORY.
 *  */
typedef struct aie_transfer {
    uint32_t column, channel, buffer;
    bool is_read;
    uint64_t bytes;
} aie_transfer;
roof_status aie_shim_move(aie_shim *shim, const aie_transfer *transfer);

/* The buffer that a descriptor points into from now on. */
roof_status aie_shim_name(aie_shim *shim, uint32_t column, uint32_t descriptor, uint32_t buffer);

/* The descriptor whose word lies at an offset; ROOF_NONE: it is another register. *word: which one of it. */
uint32_t aie_shim_descriptor_at(uint32_t offset, uint32_t *word);

/* Arguments, channels and sums of all that was pushed. names: of the n buffers, where they have any. */
roof_status aie_shim_finish(const aie_shim *shim, const char *const *names, uint32_t n, roof_arena *arena);

/* Walks over AIE2 control code: what it writes is moved by the shim, which is finished at the end. */
roof_status aie_decode_ctrlcode(aie_shim *shim, roof_arena *arena);
