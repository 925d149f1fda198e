/* hwdb/entry.h - one description of hardware as its JSON document says it, before inheritance; and all checks
 * on it.
 *
 * Units: as in roofline/hw.h.
 * Ownership: an entry's strings and arrays belong to the arena of the call. Reading goes on after a problem,
 *   so that `roofline hw check` shows all of them; a caller that only wants the entry takes the first error.
 */
#pragma once

#include "core/core.h"
#include "roofline/hw.h"

#define HWDB_SCHEMA "roofline.hardware/1"

enum {
    HWDB_MAX_PROBLEMS = 100,
    HWDB_MAX_PARENTS = 8,
    HWDB_MAX_DEPTH = 8,
    HWDB_ID_SIZE = 65,
    HWDB_LARGEST_BYTES = 64 << 20
};

typedef struct hwdb_texts {
    const char **items;
    size_t n;
} hwdb_texts;

typedef struct hwdb_entry {
    const char *id, *name, *board, *family, *summary; /* name, board and family: NULL when inherited */
    hwdb_texts aliases, parents, notes, fingerprints;
    roof_quantity *values; /* in order of key */
    size_t n_values;
    bool is_abstract;
} hwdb_entry;

typedef struct hwdb_problems {
    roof_arena *arena; /* of what is read, too */
    roof_hw_problem items[HWDB_MAX_PROBLEMS];
    size_t n;
} hwdb_problems;

typedef struct hwdb_key {
    const char *key, *unit, *meaning;
} hwdb_key;

/* The words of roof_value_kind, with NULL behind the last. */
extern const char *const hwdb_kind_words[ROOF_KIND_COUNT + 1];

/* The row of keys.def on a key; NULL when it is not there. */
const hwdb_key *hwdb_key_find(const char *key);
/* The key of keys.def that is nearest in spelling; NULL when none is near. */
const char *hwdb_key_nearest(const char *key);
/* Hint to print behind a key that has a '*' for the name of a pool or a type; "" for others. */
const char *hwdb_key_hint(const char *key);
/* The keys that a family demands, separated by spaces; NULL when families.def does not name it. */
const char *hwdb_family_keys(const char *family);

/* Notes a problem; past HWDB_MAX_PROBLEMS it is dropped. */
void hwdb_problem_add(hwdb_problems *list, bool is_error, const char *pointer, const char *advice,
                      const char *text);
/* E_DATA for the first problem that is an error, its pointer as the place; E_NO_MEMORY; or OK. */
roof_status hwdb_problems_status(const hwdb_problems *list, roof_error *err);
