/* model/work/host_ops.h - what a host does, as a kind and a count of it.
 *
 * Units: what a kind counts is said by its unit, "elements" or "bytes". Counts are of one image; ROOF_UNKNOWN
 *   is unknown.
 *
 * Example (tests/unit/test_host_rows.c): "DequantizeLinear" of 4 x 1029 cells is 4,116 elements of
 * "dequantize".
 */
#pragma once

#include "roofline/work.h"

typedef enum host_measure {
    HOST_INPUT_FLOATS, /* elements of 32 bits; unknown for others */
    HOST_OUTPUT_FLOATS,
    HOST_OUTPUT_ELEMENTS,
    HOST_OUTPUT_BYTES,
    HOST_TAPS, /* cells that a pooling reads: of each window all */
    HOST_MACS,
    HOST_CALLS
} host_measure;

typedef enum host_kind_id {
#define HOST_KIND(id, key, words, unit, measure, types) HOST_KIND_##id,
#include "model/work/host_ops.def"
#undef HOST_KIND
    HOST_KINDS /* none of these */
} host_kind_id;

typedef struct host_kind {
    const char *key, *words, *unit; /* "global_average_pool", "global average pool", "elements" */
    host_measure measure;
    const char *types; /* as files write them, in small letters */
} host_kind;

/* The kind of an id below HOST_KINDS. */
const host_kind *host_kind_of(host_kind_id id);

/* The kind of a type as files write it, in any case of letters; HOST_KINDS: it has none. */
host_kind_id host_kind_of_type(const char *type);

/* Facts about an operator of a graph, or of a plan, that its time on the CPU depends on. */
typedef struct host_facts {
    roof_host_op op; /* row_cells: of a detection the boxes that it reads */
    uint64_t taps, macs;
} host_facts;

host_facts host_facts_of_demand(const roof_graph *graph, const roof_demand *demand);

/* How much of a kind an operator is. */
uint64_t host_count(const host_facts *facts, host_measure measure);
