/* measure/reconcile/match_names.h - names of layers as profilers write them: with and without "subgraph_",
 * other punctuation. */
#pragma once

#include "measure/import/fields.h"

/* Without what compilers put before a name and profilers leave out: "subgraph_". */
text_span match_name_bare(const char *name);

/* Lower case, "_" for punctuation, without parentheses and without "_fix" at the end. Empty without memory.
 * Example (tests/unit/test_match_rows.c): "subgraph_Conv1/BN(Fused)_fix" is "conv1_bn". */
text_span match_name_plain(const char *name, roof_arena *arena);

/* ---- things of two sides, the second one of a key with the second ---- */

/* Keys to be paired, which are borrowed, and the index of what each is paired with, or ROOF_NONE. */
typedef struct key_list {
    const char **of; /* NULL: it has none */
    uint32_t *mate, n;
} key_list;

/* Nothing is paired yet. Errors: E_NO_MEMORY. */
roof_status pair_keys_new(roof_arena *arena, uint32_t n, key_list *out, roof_error *err);

/* Pairs equal keys of what is not paired yet. Errors: E_NO_MEMORY. */
roof_status pair_keys(roof_arena *arena, key_list *a, key_list *b, roof_error *err);
