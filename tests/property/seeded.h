/* tests/property/seeded.h - GSL's random numbers for a program of tests, which come again with their seed:
 * setup and teardown of its group. ROOF_SEED sets where to start. tests/property/random.h is for tests
 * without GSL.
 */
#ifndef ROOF_TESTS_SEEDED_H
#define ROOF_TESTS_SEEDED_H

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

static gsl_rng *rng;

static inline int seeded_begin(unsigned long seed)
{
    const char *text = getenv("ROOF_SEED");
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng)
        gsl_rng_set(rng, text && strtoul(text, NULL, 10) ? strtoul(text, NULL, 10) : seed);
    return rng ? 0 : -1;
}

static inline int seeded_end(void **state)
{
    (void)state;
    gsl_rng_free(rng);
    return 0;
}

#endif
