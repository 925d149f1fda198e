#include "model/formats/neural_art/art_profile.h"
#include "core/error.h"
#include "core/jsonbind.h"
#include "core/jsonloose.h"
#include "core/mapfile.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct profile_list {
    art_profile *items;
    uint32_t n;
} profile_list;

/* The profile that event opens; its name is the member's. */
static roof_status read_profile(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        {"memory_pool", BIND_NAME, offsetof(art_profile, memory_pool), NULL, NULL},
        {"options", BIND_NAME, offsetof(art_profile, options), NULL, NULL}};
    profile_list *list = target;
    size_t length = strlen(event->key);
    if (text_first_bad(event->key, length) != length)
        return bind_fail(b, "the name of a profile holds control characters");
    if (list->n == ART_MAX_PROFILES)
        return error_line(b->err, ROOF_E_LIMIT, jsonpull_line(b->puller), "more than %d profiles",
                          ART_MAX_PROFILES);
    art_profile profile = {.name = arena_strdup(b->arena, event->key), .options = ""};
    list->items = arena_grow(b->arena, list->items, list->n, sizeof *list->items);
    if (!list->items || !profile.name)
        return error_memory(b->err);
    for (uint32_t i = 0; i < list->n; i++)
        if (strcmp(list->items[i].name, profile.name) == 0)
            return bind_fail(b, "is there twice");
    TRY(bind_object(b, event, members, COUNT(members), &profile, NULL));
    list->items[list->n++] = profile;
    return ROOF_OK;
}

static roof_status read_profiles(json_binder *b, const json_event *event, void *target)
{
    const profile_list *list = target;
    TRY(bind_members(b, event, read_profile, target));
    return list->n ? ROOF_OK : bind_fail(b, "has no profile");
}

static roof_status read_document(json_binder *b, profile_list *list)
{
    static const bind_member members[] = {{"Profiles", BIND_CALL, 0, read_profiles, NULL}};
    json_event event;
    uint64_t seen;
    TRY(jsonpull_next(b->puller, &event, b->err));
    TRY(bind_object(b, &event, members, COUNT(members), list, &seen));
    if (!seen)
        return bind_fail(b, "has no \"Profiles\"");
    return jsonpull_next(b->puller, &event, b->err); /* the end, or what should not follow */
}

roof_status art_profiles_read_memory(const void *bytes, uint64_t size, roof_arena *arena,
                                     art_profile **profiles, uint32_t *n, roof_error *err)
{
    jsonloose loose;
    profile_list list = {0};
    roof_status status = jsonloose_open(bytes, size, &loose, err);
    if (status == ROOF_OK)
        status = read_document(&(json_binder){.puller = loose.puller, .arena = arena, .err = err}, &list);
    jsonloose_close(&loose);
    *profiles = status == ROOF_OK ? list.items : NULL;
    *n = status == ROOF_OK ? list.n : 0;
    return status;
}

roof_status art_profiles_read(const char *path, roof_arena *arena, art_profile **profiles, uint32_t *n,
                              roof_error *err)
{
    mapfile file = {0};
    *profiles = NULL;
    *n = 0;
    TRY(mapfile_open(path, &file, err));
    roof_status status = art_profiles_read_memory(file.bytes, file.size_bytes, arena, profiles, n, err);
    if (status != ROOF_OK)
        error_prefix(err, "%s", path);
    mapfile_close(&file);
    return status;
}
