/* measure/reconcile/match_names.h - names of layers as profilers write them: with and without "subgraph_",
 * other punctuation, only the end of them, several at once. */
#ifndef ROOF_MEASURE_RECONCILE_MATCH_NAMES_H
#define ROOF_MEASURE_RECONCILE_MATCH_NAMES_H

#include "core/arena.h"
#include "measure/import/fields.h"

/* Without what compilers put before a name and profilers leave out: "subgraph_". */
text_span match_name_bare(const char *name);

/* Lower case, "_" for punctuation, without parentheses and without "_fix" at the end. Empty without memory.
 * Example (tests/unit/test_match_rows.c): "subgraph_Conv1/BN(Fused)_fix" is "conv1_bn". */
text_span match_name_plain(const char *name, roof_arena *arena);

/* True if the shorter name is the end of the longer one, from a separator on or cut ("..."). */
bool match_name_is_tail(text_span a, text_span b);

/* The next part of a joined name, as in "conv1 + relu, pool"; false at the end. Advances *rest. */
bool match_name_next_part(text_span *rest, text_span *part);

/* True when there is more than one part. */
bool match_name_is_joined(const char *name);

#endif
