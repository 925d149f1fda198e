/* model/memory/remedy.h - what has to shrink where a pool is too small. */
#ifndef ROOF_MODEL_MEMORY_REMEDY_H
#define ROOF_MODEL_MEMORY_REMEDY_H

#include "model/memory/memory_build.h"

/* Fills remedies, or why there are none, of a pool whose peak is known and larger than its size.
 * Errors: E_NO_MEMORY. */
roof_status remedies_find(roof_memory_pool *pool, const memory_buffer *items, uint32_t n, roof_arena *arena,
                          roof_arena *scratch, roof_error *err);

#endif
