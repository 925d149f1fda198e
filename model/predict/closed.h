/* model/predict/closed.h - a closed system of threads, cores and a host; include/roofline/throughput.h has
 * the formulas.
 *
 * Units: _s seconds.
 */
#pragma once

#include "roofline/throughput.h"

typedef struct closed_system {
    uint32_t cores; /* at least 1 */
    /* S(n), and which part of it is of layers that memory sets. Does not fall with n. */
    double (*service_s)(const void *of, double busy, double *memory_ratio);
    const void *of;
    double host_s;
    double cpu_cores, least_cpu_cores, most_cpu_cores; /* C and its extremes; NaN: unknown, no ceiling */
    /* nine of ten errors are below these, with one thread and with more; NaN: there is no interval */
    double one_thread_error_ratio, error_ratio;
} closed_system;

/* The system with so many threads, from 1 to ROOF_MOST_THREADS. out->threads_on_core: NULL, or room for
 * cores. Example: tests/unit/test_closed.c. */
void closed_point(const closed_system *c, uint32_t threads, roof_load_point *out);

/* The fewest threads that give 95 % of the inferences of 64. */
void closed_knee(const closed_system *c, roof_load_point *out);
