/* tests/support/network_c_writer.h - small networks as the Neural-ART compiler writes them: network.c, the
 * trace of an epoch controller, or one text of both. The grammar is the compiler's; names and numbers are
 * ours.
 *
 * Ownership: a network borrows all that it points to; what ncw_write gives is freed with free.
 */
#ifndef ROOF_TESTS_NETWORK_C_WRITER_H
#define ROOF_TESTS_NETWORK_C_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/support/c_info_writer.h"

/* A line that describes a pool. */
typedef struct ncw_pool {
    unsigned index;
    const char *name;
    uint64_t address, size_bytes;
    unsigned byte_width;
    const char *freq_ratio;
    bool read_only, cached, is_virtual;
} ncw_pool;

/* simd: of CONV_ACC units, -1 for a struct without it. */
typedef struct ncw_op {
    const char *unit, *kind, *name;
    int simd;
} ncw_op;

/* raw: from and to are its piece; otherwise width x height x depth elements. comment: what stands in the
 * struct, or NULL. */
typedef struct ncw_stream {
    bool output, raw, sync;
    unsigned port, pool;
    uint64_t from, to;
    unsigned width, height, depth, frames, bits_in, bits_out;
    const char *comment;
} ncw_stream;

typedef struct ncw_move {
    const char *pool;
    uint64_t bytes;
    bool output;
} ncw_move;

enum { NCW_OPS = 6, NCW_STREAMS = 6, NCW_MOVES = 6 };

/* Lists end before the first entry without a unit, without bits, without a pool. flags: "pure_hw", ... */
typedef struct ncw_epoch {
    unsigned number;
    const char *flags;
    uint64_t npu_cycles, total_cycles;
    ncw_op ops[NCW_OPS];
    ncw_stream streams[NCW_STREAMS];
    ncw_move moves[NCW_MOVES];
} ncw_epoch;

/* A program of the epoch controller: the epochs of these numbers, first and last included. */
typedef struct ncw_blob {
    const char *name;
    unsigned first, last;
} ncw_blob;

typedef struct ncw_network {
    const ncw_pool *pools;
    size_t n_pools;
    const ncw_epoch *epochs;
    size_t n_epochs;
    const ncw_blob *blobs;
    size_t n_blobs;
    const char *name; /* NULL: "own" */
    bool old;         /* as versions up to 2.0 of ST Edge AI Core write it */
} ncw_network;

enum { NCW_NETWORK = 1, NCW_TRACE = 2 };

/* parts: NCW_NETWORK, NCW_TRACE or both. A NUL follows the text. NULL without memory. */
char *ncw_write(const ncw_network *network, int parts, size_t *length);

/* The same of a network of c_info_writer.h, whose streams are as long as its epochs compute. */
char *ncw_write_plan(const ci_network *network, int parts, size_t *length);

/* A network with a convolution, a sum over two passes, a copy, a function of the host; three blobs when
 * with_blobs. */
const ncw_network *ncw_example(bool with_blobs);

#endif
