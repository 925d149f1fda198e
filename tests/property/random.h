/* tests/property/random.h - random numbers that come again with their seed: xorshift64* (S. Vigna, "An
 * experimental exploration of Marsaglia's xorshift generators"). A test sets random_state, to anything but 0,
 * before it draws.
 */
#ifndef ROOF_TESTS_RANDOM_H
#define ROOF_TESTS_RANDOM_H

#include <stdint.h>
#include <stdlib.h>

static uint64_t random_state;

static inline uint64_t next_random(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 2685821657736338717u;
}

/* What ROOF_SEED says, else always the same. */
static inline uint64_t first_seed(void)
{
    const char *text = getenv("ROOF_SEED");
    return text && strtoull(text, NULL, 10) ? strtoull(text, NULL, 10) : 20240229;
}

#endif
