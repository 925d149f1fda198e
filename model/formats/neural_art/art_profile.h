/* model/formats/neural_art/art_profile.h - the profiles of a neural_art.json: which memory pools and which options the Neural-ART compiler is
 * given.
 *
 * Ownership: everything that is read lives in the caller's arena.
 */
#ifndef ROOF_MODEL_ART_PROFILE_H
#define ROOF_MODEL_ART_PROFILE_H

#include "core/arena.h"
#include "roofline/status.h"

typedef struct art_profile {
    const char *name;
    const char *
        memory_pool; /* a path as it is written: absolute, or from the folder of the file; NULL: not stated */
    const char *options; /* "" when there are none */
} art_profile;

enum { ART_MAX_PROFILES = 1024 };

/* The profiles in the order of the file, which may hold comments.
 * Errors: E_NO_INPUT, E_IO; E_DATA with the line and the place in the document (no profile, one of a name that is taken),
 *   E_LIMIT. */
roof_status art_profiles_read(const char *path, roof_arena *arena, art_profile **profiles, uint32_t *n,
                              roof_error *err);
roof_status art_profiles_read_memory(const void *bytes, uint64_t size, roof_arena *arena,
                                     art_profile **profiles, uint32_t *n, roof_error *err);

#endif
