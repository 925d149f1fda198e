/* measure/match_names.h - names of layers as profilers write them: with and without "subgraph_", other punctuation, only
 * the end of them, several at once. */
#ifndef ROOF_MEASURE_MATCH_NAMES_H
#define ROOF_MEASURE_MATCH_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include "core/arena.h"

typedef struct roof_slice {
    const char *at;
    size_t length;
} roof_slice;

/* Without what compilers put before a name and profilers leave out: "subgraph_". */
roof_slice roof_name_bare(const char *name);

/* Lower case, "_" for all punctuation, without what stands in parentheses and without "_fix" at the end. An empty slice
 * without memory. Example (tests/unit/test_match.c): "subgraph_Conv1/BN(Fused)_fix" is "conv1_bn". */
roof_slice roof_name_plain(const char *name, roof_arena *arena);

/* Behind the last "/", and behind the "..." of a name that was cut. */
roof_slice roof_name_last(roof_slice bare);

/* True when the shorter one is the end of the longer one, and begins there at a separator (or was cut: "..."). */
bool roof_name_is_tail(roof_slice a, roof_slice b);

/* True for "...rest", and rest is what was left of the name. */
bool roof_name_was_cut(roof_slice bare, roof_slice *rest);

/* The next part of a name that joins several, as in "conv1 + relu, pool"; false at the end. *rest is advanced. */
bool roof_name_next_part(roof_slice *rest, roof_slice *part);

/* True when there is more than one part. */
bool roof_name_is_joined(const char *name);

#endif
