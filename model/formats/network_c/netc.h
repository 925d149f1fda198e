/* model/formats/network_c/netc.h - the parts of the reader of network.c: the records that lines give, and the
 * plan that is made of them.
 *
 * The file is described in model/formats/network_c.c, which puts the parts together. It is generated text, so
 * that it is read line by line for the comments and the fields that are known, not as C. Records borrow texts
 * from the mapped file until they are copied into the plan; they live in an arena of their own, which dies
 * with the reading.
 */
#pragma once

#include "model/formats/neural_art/plan_build.h"

/* ---- records ---- */

typedef struct netc_op {
    text_span kind, name, unit;
    uint64_t simd; /* of LL_Convacc_InitTypeDef, how a convolution accelerator is set up; or ROOF_UNKNOWN */
} netc_op;

/* "npuRAM5 -> 49152": what an epoch moves in a pool. */
typedef struct netc_move {
    text_span pool;
    uint64_t bytes;
    bool output;
} netc_move;

enum { NETC_MAX_STREAMS = 256 }; /* of an epoch; an NPU has 10 stream engines */

/* A stream engine: LL_Streng_TensorInitTypeDef and the comment before it. Fields are ROOF_UNKNOWN when the
 * struct lacks them; shape_bytes is what the comment inside says that one frame holds, without the padding of
 * a struct. */
typedef struct netc_stream {
    uint64_t pool_index, port;
    uint64_t offset_start, offset_end, fwidth, fheight, batch_depth, frames, nbits_in, nbits_out, raw,
        sync_dma;
    uint64_t shape_bytes;
    bool output, accumulator;
} netc_stream;

typedef enum netc_role { NETC_START, NETC_END, NETC_TRACE } netc_role;

/* The piece of the file that sets an epoch up or cleans up after it. */
typedef struct netc_body {
    uint32_t number;
    netc_role role;
    uint64_t line;
    uint32_t blob; /* into the reader's blobs, or ROOF_NONE */
    uint32_t first_op, n_ops, first_move, n_moves, first_stream, n_streams;
} netc_body;

typedef struct netc_blob {
    text_span name;
    uint32_t plan_index; /* once it is in the plan */
} netc_blob;

enum { NETC_HW = 1, NETC_SW = 2, NETC_HYBRID = 4, NETC_BLOB = 8, NETC_LAST = 16 };

/* A row of the table of epoch blocks. */
typedef struct netc_block {
    uint64_t number, last_number; /* ROOF_UNKNOWN: not stated */
    uint64_t npu_cycles, total_cycles;
    uint64_t line;
    uint32_t in_streams, out_streams; /* a bit each; 0: not stated */
    unsigned flags;
    text_span blob;
} netc_block;

typedef struct netc_reader {
    roof_arena *scratch;
    roof_error *err;
    uint64_t line; /* being read, from 1 */
    text_span description, network;
    uint64_t version[4];
    bool has_version, has_table, has_functions;
    plan_build *b;
    namemap *pools_by_name; /* of the plan */
    uint64_t *pools;        /* the index that each pool of the plan has in the file, if that describes any */
    netc_op *ops;
    netc_move *moves;
    netc_stream *streams;
    netc_body *bodies;
    netc_blob *blobs;
    netc_block *blocks;
    uint32_t n_pools, n_ops, n_moves, n_streams, n_bodies, n_blobs, n_blocks;
} netc_reader;

/* Errors of a line: what stands there and what was wanted. Always E_DATA. */
roof_status netc_fail(const netc_reader *r, text_span found, const char *wanted);

/* ---- the steps ---- */

/* Into the plan, where it is the last one, and of which only its name is known. */
roof_status netc_add_pool(const netc_reader *r, text_span name);

/* The whole text, the second one behind the first, into records. Lines are counted on from one to the other.
 * Errors: E_DATA for comments and structs that are cut off or damaged, for epochs that begin twice; E_LIMIT.
 * The line is in the error. */
roof_status netc_scan(netc_reader *r, const text_span texts[2]);

/* The plan and the graph around it. */
roof_status netc_build(netc_reader *r);
