#include "core/files/folder_names.h"

#include <errno.h>

typedef struct listing {
    folder_filter *is_wanted;
    uint32_t most_entries;
    roof_arena *arena;
    folder_names *out;
    bool no_memory;
} listing;

static bool list_name(void *listing_, int folder, const char *name)
{
    listing *l = listing_;
    if (++l->out->n_entries > l->most_entries)
        return false;
    if (!l->is_wanted(folder, name))
        return true;
    const char *copy = arena_strdup(l->arena, name);
    l->no_memory = !copy || ARENA_ADD(l->arena, l->out->names, l->out->n, NULL, copy) != ROOF_OK;
    return !l->no_memory;
}

bool folder_list(const char *path, folder_filter *is_wanted, uint32_t most_entries, roof_arena *arena,
                 folder_names *out)
{
    listing l = {.is_wanted = is_wanted, .most_entries = most_entries, .arena = arena, .out = out};
    *out = (folder_names){0};
    int folder = os_open(OS_HERE, path, OS_LIST);
    bool is_read = folder >= 0 && os_visit(folder, list_name, &l);
    const int why = l.no_memory ? ENOMEM : errno;
    os_close(&folder);
    ORDER_VALUES(out->names, out->n);
    errno = why;
    return is_read && !l.no_memory;
}
