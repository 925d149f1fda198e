/* tests/support/c_info_writer.h - writes valid c_info.json documents, as the compilers of three generations
 * lay them out. */
#ifndef ROOF_TESTS_SUPPORT_C_INFO_WRITER_H
#define ROOF_TESTS_SUPPORT_C_INFO_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include "core/text.h"

typedef struct ci_pool {
    const char *name;
    uint32_t byte_width, ratio_percent; /* 125: a freq_ratio of 1.25 */
    bool parameters, read_only, cached;
    uint64_t address, size_bytes;
} ci_pool;

typedef struct ci_access {
    uint32_t pool; /* ROOF_NONE: an id that no pool has */
    uint64_t reads, writes, read_cycles, write_cycles;
} ci_access;

typedef struct ci_op {
    const char *name, *kind, *unit;
    uint32_t feature_bits, weight_bits; /* of its inputs in memory; 0: it has none */
} ci_op;

typedef struct ci_epoch {
    uint32_t number;
    const char *mapping; /* "NODE_HW", "NODE_SW", "NODE_SW_HW", "NODE_NO_X" */
    const char *blob;    /* NULL: started by the host */
    uint64_t ops_count, compute_cycles;
    const ci_op *ops;
    uint32_t n_ops;
    const ci_access *accesses;
    uint32_t n_accesses;
} ci_epoch;

typedef struct ci_network {
    const char *name;
    const ci_pool *pools;
    uint32_t n_pools;
    const ci_epoch *epochs;
    uint32_t n_epochs;
} ci_network;

/* 2.0: kinds are descriptions, a blob's epochs are NODE_EC side by side; 3.0: types, units, a list of blobs;
 * 4.0: as 3.0, the epochs of a blob below a node of its own. */
typedef enum ci_dialect { CI_2_0, CI_3_0, CI_4_0, CI_DIALECTS } ci_dialect;

/* Writes the document; the text is emptied first. */
void ci_write(const ci_network *network, ci_dialect dialect, textbuf *out);

/* The compiler's estimate, by whole numbers only. */
uint64_t ci_max_cycles(const ci_network *network, const ci_epoch *epoch);

/* Five pools and seven epochs of every kind: what the examples and most tests use. */
extern const ci_network ci_tiny;

#endif
