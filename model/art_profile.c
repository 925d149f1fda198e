#include "model/art_profile.h"
#include "core/error.h"
#include "core/jsonbind.h"
#include "core/jsonloose.h"
#include "core/mapfile.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct profile_list {
    roof_art_profile *items;
    uint32_t n;
} profile_list;

/* The profile that event opens; its name is the member's. */
static roof_status read_profile(roof_bind *b, const roof_json_event *event, void *target)
{
    static const roof_bind_member members[] = {
        {"memory_pool", ROOF_BIND_NAME, offsetof(roof_art_profile, memory_pool), NULL, NULL},
        {"options", ROOF_BIND_NAME, offsetof(roof_art_profile, options), NULL, NULL}};
    profile_list *list = target;
    size_t length = strlen(event->key);
    if (roof_text_first_bad(event->key, length) != length)
        return roof_bind_fail(b, "the name of a profile holds control characters");
    if (list->n == ROOF_ART_MAX_PROFILES)
        return roof_fail_line(b->err, ROOF_E_LIMIT, roof_jsonpull_line(b->puller), "more than %d profiles",
                              ROOF_ART_MAX_PROFILES);
    roof_art_profile profile = {.name = roof_arena_strdup(b->arena, event->key), .options = ""};
    list->items = roof_arena_grow(b->arena, list->items, list->n, sizeof *list->items);
    if (!list->items || !profile.name)
        return roof_fail_memory(b->err);
    for (uint32_t i = 0; i < list->n; i++)
        if (strcmp(list->items[i].name, profile.name) == 0)
            return roof_bind_fail(b, "is there twice");
    ROOF_TRY(roof_bind_object(b, event, members, COUNT(members), &profile, NULL));
    list->items[list->n++] = profile;
    return ROOF_OK;
}

static roof_status read_profiles(roof_bind *b, const roof_json_event *event, void *target)
{
    const profile_list *list = target;
    ROOF_TRY(roof_bind_members(b, event, read_profile, target));
    return list->n ? ROOF_OK : roof_bind_fail(b, "has no profile");
}

static roof_status read_document(roof_bind *b, profile_list *list)
{
    static const roof_bind_member members[] = {{"Profiles", ROOF_BIND_CALL, 0, read_profiles, NULL}};
    roof_json_event event;
    uint64_t seen;
    ROOF_TRY(roof_jsonpull_next(b->puller, &event, b->err));
    ROOF_TRY(roof_bind_object(b, &event, members, COUNT(members), list, &seen));
    if (!seen)
        return roof_bind_fail(b, "has no \"Profiles\"");
    return roof_jsonpull_next(b->puller, &event, b->err); /* the end, or what should not follow */
}

roof_status roof_art_profiles_read_memory(const void *bytes, uint64_t size, roof_arena *arena,
                                          roof_art_profile **profiles, uint32_t *n, roof_error *err)
{
    roof_jsonloose loose;
    profile_list list = {0};
    roof_status status = roof_jsonloose_open(bytes, size, &loose, err);
    if (status == ROOF_OK)
        status = read_document(&(roof_bind){.puller = loose.puller, .arena = arena, .err = err}, &list);
    roof_jsonloose_close(&loose);
    *profiles = status == ROOF_OK ? list.items : NULL;
    *n = status == ROOF_OK ? list.n : 0;
    return status;
}

roof_status roof_art_profiles_read(const char *path, roof_arena *arena, roof_art_profile **profiles,
                                   uint32_t *n, roof_error *err)
{
    roof_mapfile file = {0};
    *profiles = NULL;
    *n = 0;
    ROOF_TRY(roof_mapfile_open(path, &file, err));
    roof_status status = roof_art_profiles_read_memory(file.bytes, file.size_bytes, arena, profiles, n, err);
    if (status != ROOF_OK)
        roof_error_prefix(err, "%s", path);
    roof_mapfile_close(&file);
    return status;
}
