/* core/sets.h - numbers from 0 that are joined to sets; one member of each, its root, stands for it. */
#pragma once

#include "core/core.h"
#include "roofline/status.h"

/* n sets of one number each. Errors: E_NO_MEMORY. */
roof_status sets_new(roof_arena *arena, uint32_t n, uint32_t **out, roof_error *err);

uint32_t sets_root(uint32_t *sets, uint32_t of);

/* Makes one set of two. The root of the first stays, and is returned.
 * Example (tests/unit/test_sets.c): of 3 joined to 1 and 1 to 0 the root is 0. */
uint32_t sets_join(uint32_t *sets, uint32_t to, uint32_t joined);
