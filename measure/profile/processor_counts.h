/* measure/profile/processor_counts.h - what a processor counted while a model ran, as of `perf stat`. */
#ifndef ROOF_MEASURE_PROFILE_PROCESSOR_COUNTS_H
#define ROOF_MEASURE_PROFILE_PROCESSOR_COUNTS_H

#include "roofline/measured.h"

/* Counts of one inference; NaN: not counted. */
typedef struct processor_counts {
    double cycles, instructions, references, misses, branches, branch_misses;
} processor_counts;

/* By the names of perf's events, "cycles", also with a modifier, "cycles:u". */
processor_counts processor_counts_of(const roof_run *run);

#endif
