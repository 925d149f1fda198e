#include "model/formats/neural_art/art_profile.h"
#include "core/error.h"
#include "core/codec.h"
#include "core/jsonloose.h"
#include "core/mapfile.h"

#include <string.h>

typedef struct profile_list {
    art_profile *items;
    uint32_t n;
} profile_list;

static const codec_member profile_members[] = {{CODEC(art_profile, memory_pool, NAME, ALWAYS)},
                                               {CODEC(art_profile, options, NAME, ALWAYS)}};
static const codec_object profile_object = {CODEC_ROWS(profile_members)};

/* The profile that event opens; its name is the member's. */
static roof_status read_profile(codec *c, const json_event *event, void *target)
{
    profile_list *list = target;
    size_t length = strlen(event->key);
    if (text_first_bad(event->key, length) != length)
        return codec_fail(c, "the name of a profile holds control characters");
    if (list->n == ART_MAX_PROFILES)
        return error_line(c->err, ROOF_E_LIMIT, jsonpull_line(c->puller), "more than %d profiles",
                          ART_MAX_PROFILES);
    art_profile profile = {.name = arena_strdup(c->arena, event->key), .options = ""};
    list->items = arena_grow(c->arena, list->items, list->n, sizeof *list->items);
    if (!list->items || !profile.name)
        return error_memory(c->err);
    for (uint32_t i = 0; i < list->n; i++)
        if (strcmp(list->items[i].name, profile.name) == 0)
            return codec_fail(c, "is there twice");
    TRY(codec_read_object(c, event, &profile_object, &profile, NULL));
    list->items[list->n++] = profile;
    return ROOF_OK;
}

static roof_status read_profiles(codec *c, const json_event *event, void *target)
{
    const profile_list *list = target;
    TRY(codec_read_members(c, event, read_profile, target));
    return list->n ? ROOF_OK : codec_fail(c, "has no profile");
}

static const codec_member document_members[] = {
    {CODEC_BY("Profiles", 0, read_profiles, NULL), .missing = "has no \"Profiles\""}};
static const codec_object document_object = {CODEC_ROWS(document_members)};

roof_status art_profiles_read_memory(const void *bytes, uint64_t size, roof_arena *arena,
                                     art_profile **profiles, uint32_t *n, roof_error *err)
{
    jsonloose loose;
    profile_list list = {0};
    roof_status status = jsonloose_open(bytes, size, &loose, err);
    if (status == ROOF_OK)
        status = codec_read_document(&(codec){.puller = loose.puller, .arena = arena, .err = err},
                                     &document_object, &list);
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
