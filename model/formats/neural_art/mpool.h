/* model/formats/neural_art/mpool.h - the memory pools of a Neural-ART: what a .mpool file describes, and how it completes a plan.
 *
 * Units: _bytes bytes.
 * Ownership: everything that is read lives in the caller's arena.
 *
 * Both spellings are read: that of the files that people write (mem_file_prefix, read_power) and that of the compiler's
 * --save-mpool-file (memFilePrefix, readPower); byteWidth and freqRatio also as byte_width and freq_ratio, as the "ST
 * Neural-ART compiler primer" names them.
 */
#ifndef ROOF_MODEL_MPOOL_H
#define ROOF_MODEL_MPOOL_H

#include "core/arena.h"
#include "roofline/plan.h"

/* The pools of a file, in its order; those of size 0, which are switched off, too. A pool whose place is left to the loader
 * (USEMODE_RELATIVE) has no address; one that may be as large as any has no size.
 * Errors: E_NO_INPUT, E_IO; E_DATA with the line and the place in the document, E_LIMIT. */
roof_status mpool_read(const char *path, roof_arena *arena, roof_pool **pools, uint32_t *n, roof_error *err);
roof_status mpool_read_memory(const void *bytes, uint64_t size, roof_arena *arena, roof_pool **pools,
                              uint32_t *n, roof_error *err);

/* What plan and file do not agree about. */
typedef struct pool_differences {
    roof_pool_difference *items;
    uint32_t n;
} pool_differences;

/* Fills what the plan's pools do not state from the pools of the same name; what they do state stays, and is listed where it
 * is not the same. A plan that states no byte_width of a pool states none of its flags either.
 * Errors: E_NO_MEMORY. */
roof_status plan_apply_pools(roof_plan *plan, const roof_pool *pools, uint32_t n, roof_arena *arena,
                             pool_differences *out, roof_error *err);

#endif
