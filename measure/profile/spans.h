/* measure/profile/spans.h - when executions of rows began and ended: how long all of them lasted, and how
 * much of that time none ran.
 *
 * Units: ticks of a file's own clock, and how many seconds one of them is.
 * Ownership: memory comes from an arena.
 */
#ifndef ROOF_MEASURE_PROFILE_SPANS_H
#define ROOF_MEASURE_PROFILE_SPANS_H

#include <stdbool.h>
#include <stdint.h>
#include "core/arena.h"

/* Spans that are kept at most; those that overlap or meet are one. Beyond it, idle time is unknown. */
enum { SPANS_MOST = 1 << 20 };

typedef struct span_of_time {
    int64_t from, to;
} span_of_time;

typedef struct span_list {
    span_of_time *spans;
    uint32_t n;
    uint64_t n_seen;
    span_of_time whole;
    double tick_s;
    bool is_cut; /* there were more */
} span_list;

/* One that ends before it begins is left out. Errors: E_NO_MEMORY. */
roof_status spans_add(span_list *list, roof_arena *arena, span_of_time span, roof_error *err);

/* Seconds in which anything ran, of one span that one, of none 0; NaN: there were too many to know. */
double spans_busy(span_list *list);

/* Seconds from first beginning to last end, and those in which anything ran; NaN: unknown, as of one span. */
void spans_sum(span_list *list, double *span_s, double *busy_s);

#endif
