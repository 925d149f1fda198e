/* measure/profile/counter.h - counts of events, typed, and the names that documents have for them: the only
 * place where a name is made of a counter or a counter of a name.
 *
 * Example (tests/unit/test_counter.c): "stream4.in.active_cycles" is scope STREAM, index 4, direction READ,
 *   quantity ACTIVE_CYCLES. A name that the table does not have is of scope OTHER, and stays as it is.
 */
#pragma once

#include "core/core.h"
#include "roofline/measured.h"

/* Bytes of a name that becomes a key; and of its buffer, with one more, so that a cut name is refused. */
enum { LONGEST_KEY = 100, COUNTER_NAME_SIZE = LONGEST_KEY + 2 };

/* Bytes of a beat of a bus interface, of which documents count bursts (docs/formats/measured.md).
 * Source: ST, "How to profile a deployed model". */
enum { COUNTER_BEAT_BYTES = 8 };

/* Its name in documents. Returns buffer. */
const char *counter_name(const roof_event *event, char buffer[COUNTER_NAME_SIZE]);

/* The counter of a name, of which a copy is in the arena; its count is 0. Errors: E_NO_MEMORY. */
roof_status counter_parse(const char *text, roof_arena *arena, roof_event *out, roof_error *err);

/* Order of two counters for sorting; 0: the same counter, whatever their counts. */
int counter_compare(const void *a, const void *b);

/* The count of a counter, or ROOF_UNKNOWN. */
uint64_t counter_find(const roof_event *events, uint32_t n, const roof_event *wanted);

/* Counts of a processor for one inference, as of `perf stat`; NaN: not counted. */
typedef struct processor_counts {
    double cycles, instructions, references, misses, branches, branch_misses;
} processor_counts;

/* By the names of perf's events, "cycles", also with a modifier, "cycles:u". */
processor_counts processor_counts_of(const roof_run *run);
