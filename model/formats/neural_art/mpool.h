/* model/formats/neural_art/mpool.h - what the Neural-ART compiler is given beside the model: the memory pools
 * that a .mpool file describes, how they complete a plan, and the profiles of a neural_art.json, which name
 * pools and options.
 *
 * Units: _bytes bytes.
 * Ownership: everything that is read lives in the caller's arena.
 *
 * Both spellings of pools are read: that of the files that people write (mem_file_prefix, read_power) and
 * that of the compiler's --save-mpool-file (memFilePrefix, readPower); byteWidth and freqRatio also as
 * byte_width and freq_ratio, as the "ST Neural-ART compiler primer" names them.
 */
#pragma once

#include "core/json/codec.h"
#include "roofline/plan.h"

typedef struct art_profile {
    const char *name;
    /* A path as it is written: absolute, or from the folder of the file; NULL: not stated. */
    const char *memory_pool;
    const char *options; /* "" when there are none */
} art_profile;

enum { ART_MAX_PROFILES = 1024, ART_MOST_BYTES = 16 << 20 };

typedef struct art_list {
    void *items; /* roof_pool, art_profile */
    uint32_t n;
} art_list;

/* The two kinds of files.
 * Pools: in its order; those of size 0, which are switched off, too. A pool whose place is left to the loader
 * (USEMODE_RELATIVE) has no address; one that may be as large as any has no size.
 * Profiles: in its order, at least one. */
extern const codec_object art_pools, art_profiles;

/* The files may hold comments. out: empty after a failure.
 * Errors: E_NO_INPUT, E_IO; E_DATA with the line and the place in the document, E_LIMIT. */
roof_status mpool_read(const char *path, const codec_object *what, roof_arena *arena, art_list *out,
                       roof_error *err);
roof_status mpool_read_memory(const void *bytes, uint64_t size, const codec_object *what, roof_arena *arena,
                              art_list *out, roof_error *err);

/* Fills what the plan's pools do not state from the pools of the same name; what they do state stays, and is
 * listed in the plan's differences where it is not the same. A plan that states no byte_width of a pool
 * states none of its flags either.
 * Errors: E_NO_MEMORY. */
roof_status mpool_apply(roof_plan *plan, const roof_pool *pools, uint32_t n, roof_arena *arena,
                        roof_error *err);
