/* core/files/folder_names.h - names in a folder. */
#pragma once

#include "core/core.h"
#include "core/platform/platform.h"

typedef struct folder_names {
    const char **names; /* those that are wanted, sorted by their bytes; the arena's */
    uint32_t n, n_entries;
} folder_names;

/* folder: open, for questions about the name. */
typedef bool folder_filter(int folder, const char *name);

/* Does not depend on the order in which the system lists a folder. Ends at more than most_entries names,
 * wanted or not, which n_entries tells. False: errno says why. */
bool folder_list(const char *path, folder_filter *is_wanted, uint32_t most_entries, roof_arena *arena,
                 folder_names *out);
