/* tests/support/sample.h - how much of a long test is done: a sample, and all of it where ROOFLINE_THOROUGH
 * is set, as in scripts/test.sh --all. */
#ifndef ROOF_TESTS_SUPPORT_SAMPLE_H
#define ROOF_TESTS_SUPPORT_SAMPLE_H

#include <stdio.h>
#include <stdlib.h>

/* A part-th of n. */
static inline unsigned sample_of(unsigned n, unsigned part)
{
    if (getenv("ROOFLINE_THOROUGH"))
        return n;
    printf("a sample: %u of %u; ROOFLINE_THOROUGH=1 does all\n", n / part, n);
    return n / part;
}

#endif
