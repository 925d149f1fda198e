/* hwdb/builtin.h - the built-in entries, which cmake/embed_hwdb.cmake writes as C at build time.
 *
 * All tables are sorted, so that one entry is found and parsed without touching the others.
 */
#ifndef ROOF_HWDB_BUILTIN_H
#define ROOF_HWDB_BUILTIN_H

#include "roofline/hw.h"

typedef struct hwdb_builtin {
    roof_hw_listing listing; /* name and family already inherited */
    bool is_abstract;
    const char *json;
    size_t json_bytes;
} hwdb_builtin;

typedef struct hwdb_builtin_name {
    const char *name; /* an id or an alias, lower case */
    uint32_t index;   /* into hwdb_builtins */
} hwdb_builtin_name;

typedef struct hwdb_builtin_fingerprint {
    uint64_t fingerprint;
    uint32_t index;
} hwdb_builtin_fingerprint;

/* Those that are not abstract first; each part in order of id. */
extern const hwdb_builtin hwdb_builtins[];
extern const size_t hwdb_n_builtins, hwdb_n_listed;
extern const hwdb_builtin_name hwdb_builtin_names[]; /* in order of name */
extern const size_t hwdb_n_builtin_names;
extern const hwdb_builtin_fingerprint hwdb_builtin_fingerprints[]; /* in order of fingerprint */
extern const size_t hwdb_n_builtin_fingerprints;

#endif
