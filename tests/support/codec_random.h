/* tests/support/codec_random.h - documents with anything in them that their tables allow, and whether two are
 * the same. */
#ifndef ROOF_TESTS_CODEC_RANDOM_H
#define ROOF_TESTS_CODEC_RANDOM_H

#include "core/json/codec.h"

/* Fills what the table names, known or not, with hostile texts and numbers up to their limits, drawn from
 * random. What functions read and write is left alone. Lists and texts are in the arena. */
void codec_fill(const codec_object *object, void *target, uint64_t (*random)(void), roof_arena *arena);

/* NULL, or the key of the first member of a that is written and that differs; computed numbers may do so in
 * the 12th digit. user: of the codec that writes a, for the tables' conditions; NULL: they are taken to
 * hold. */
const char *codec_difference(const codec_object *object, const void *a, const void *b, const void *user);

#endif
