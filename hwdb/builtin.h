/* hwdb/builtin.h - the built-in entries, which cmake/embed_hwdb.cmake writes as C at build time.
 *
 * All tables are sorted, so that one entry is found and taken without touching the others. Texts lie one
 * behind the other, each once: a pointer to one would be a relocation when the program starts, and six of
 * seven are there already.
 */
#pragma once

#include "hwdb/entry.h"

typedef struct hwdb_builtin {
    roof_hw_listing listing; /* name and family already inherited */
    bool is_abstract;
    uint32_t first_number, n_values; /* of its values, into hwdb_builtin_numbers */
    /* Into hwdb_builtin_fields: name, board, family, summary, "" for none; aliases, parents, notes and
     * fingerprints, each list with "" behind it; key, unit, source, caveat and kind of each value, in order
     * of key. */
    uint32_t first_field;
} hwdb_builtin;

typedef struct hwdb_builtin_name {
    const char *name; /* an id or an alias, lower case */
    uint32_t index;   /* into hwdb_builtins */
} hwdb_builtin_name;

typedef struct hwdb_builtin_fingerprint {
    uint64_t fingerprint;
    uint32_t index;
} hwdb_builtin_fingerprint;

/* Entries that are not abstract come first; each part is in order of id. */
extern const hwdb_builtin hwdb_builtins[];
extern const size_t hwdb_n_builtins, hwdb_n_listed;
extern const double hwdb_builtin_numbers[];
extern const uint16_t hwdb_builtin_fields[]; /* numbers of texts; a roof_value_kind */
extern const uint32_t
    hwdb_builtin_places[]; /* of each text, into hwdb_builtin_texts, where it ends with a NUL */
extern const char hwdb_builtin_texts[];
extern const hwdb_builtin_name hwdb_builtin_names[]; /* in order of name */
extern const size_t hwdb_n_builtin_names;
extern const hwdb_builtin_fingerprint hwdb_builtin_fingerprints[]; /* in order of fingerprint */
extern const size_t hwdb_n_builtin_fingerprints;

/* The entry as a file of it would be read; its texts live as long as the program, its arrays in arena.
 * Errors: E_NO_MEMORY. */
roof_status hwdb_builtin_read(const hwdb_builtin *builtin, roof_arena *arena, hwdb_entry *out,
                              roof_error *err);
