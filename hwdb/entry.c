#include "hwdb/entry.h"

static const hwdb_key keys[] = {
#define KEY(key, unit, meaning) {(key), (unit), (meaning)},
#include "hwdb/keys.def"
#undef KEY
};

static const struct {
    const char *name, *keys;
} families[] = {
#define FAMILY(name, keys) {(name), (keys)},
#include "hwdb/families.def"
#undef FAMILY
};

const char *const hwdb_kind_words[ROOF_KIND_COUNT + 1] = {
    [ROOF_KIND_DATASHEET] = "datasheet", [ROOF_KIND_VENDOR_FILE] = "vendor_file",
    [ROOF_KIND_MEASURED] = "measured",   [ROOF_KIND_DERIVED] = "derived",
    [ROOF_KIND_ASSUMED] = "assumed",
};

const char *roof_value_kind_text(roof_value_kind kind)
{
    return (unsigned)kind < ROOF_KIND_COUNT ? hwdb_kind_words[kind] : "unknown";
}

const char *roof_value_kind_words(roof_value_kind kind)
{
    return kind == ROOF_KIND_VENDOR_FILE ? "vendor's file" : roof_value_kind_text(kind);
}

/* --- keys and families ---------------------------------------------------------------------------------- */

/* A '*' in the table stands for one word between dots: the name of a memory pool, which compilers choose, or
 * of a data type. Keys are in small letters, so that "mempool.octoFlash.bandwidth" is not another pool's,
 * which no law reads. */
static bool fits(const char *pattern, const char *key, bool any_case)
{
    for (const char *star; (star = strchr(pattern, '*')); pattern = star + 1) {
        const size_t before = (size_t)(star - pattern);
        if (strncmp(pattern, key, before) != 0)
            return false;
        key += before;
        const size_t word = strcspn(key, ".");
        for (size_t i = 0; i < word && !any_case; i++)
            if (key[i] >= 'A' && key[i] <= 'Z')
                return false;
        if (!word)
            return false;
        key += word;
    }
    return strcmp(pattern, key) == 0;
}

const hwdb_key *hwdb_key_find(const char *key)
{
    for (size_t i = 0; i < N_OF(keys); i++)
        if (fits(keys[i].key, key, false))
            return &keys[i];
    return NULL;
}

const char *roof_hw_key_meaning(const char *key)
{
    const hwdb_key *known = hwdb_key_find(key);
    return known ? known->meaning : NULL;
}

const char *hwdb_key_nearest(const char *key)
{
    const char *nearest = NULL;
    unsigned best = 3; /* further away it is another word */
    for (size_t i = 0; i < N_OF(keys); i++) {
        if (fits(keys[i].key, key, true))
            return keys[i].key;
        unsigned distance = text_edit_distance(key, keys[i].key, best);
        if (distance < best) {
            best = distance;
            nearest = keys[i].key;
        }
    }
    return nearest;
}

const char *hwdb_key_hint(const char *key)
{
    return strchr(key, '*') ? ", * being a name in small letters" : "";
}

const char *hwdb_family_keys(const char *family)
{
    const uint32_t i = NAMED_AT(families, N_OF(families), name, family);
    return i < N_OF(families) ? families[i].keys : NULL;
}

/* --- problems ------------------------------------------------------------------------------------------- */

void hwdb_problem_add(hwdb_problems *list, bool is_error, const char *pointer, const char *advice,
                      const char *text)
{
    if (list->n == HWDB_MAX_PROBLEMS)
        return;
    list->items[list->n++] = (roof_hw_problem){.is_error = is_error,
                                               .pointer = arena_strdup(list->arena, pointer),
                                               .text = arena_strdup(list->arena, text),
                                               .advice = arena_strdup(list->arena, advice)};
}

roof_status hwdb_problems_status(const hwdb_problems *list, roof_error *err)
{
    TRY(arena_status(list->arena, err));
    FOR_EACH(const roof_hw_problem, p, list->items, list->n) {
        if (!p->is_error)
            continue;
        roof_status status = error_data(err, "%s%s%s", p->text, *p->advice ? ": " : "", p->advice);
        if (*p->pointer)
            error_prefix(err, "%s", p->pointer);
        return status;
    }
    return ROOF_OK;
}
