#include "model/formats/neural_art/mpool.h"
#include "core/json/codec.h"
#include "core/files/mapfile.h"
#include "model/formats/neural_art/plan_build.h"

#include <errno.h>

/* ---- sizes and offsets ---- */

typedef struct quantity {
    uint64_t value;
    unsigned magnitude; /* powers of 1024 */
} quantity;

static const char *const magnitudes[] = {"BYTES", "KBYTES", "MBYTES", NULL};

/* "0x34200000" or "448". */
static bool parse_whole(const char *text, uint64_t *out)
{
    bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (is_hex)
        text += 2;
    errno = 0;
    *out = strtoull(text, NULL, is_hex ? 16 : 10);
    return *text && !text[strspn(text, is_hex ? "0123456789abcdefABCDEF" : "0123456789")] && !errno;
}

/* A text in all files that were seen; a number reads as well. */
static roof_status read_whole(codec *c, const json_event *event, void *target)
{
    uint64_t *value = target;
    char shown[64];
    if (event->kind == JSON_NUMBER && event->number >= 0 && event->number <= 0x1p53 &&
        event->number == floor(event->number)) {
        *value = (uint64_t)event->number;
        return ROOF_OK;
    }
    if (event->kind == JSON_STRING && parse_whole(event->text, value))
        return ROOF_OK;
    if (event->kind == JSON_STRING)
        return codec_fail(c, "found \"%s\", want a whole number below 2^64",
                          quote_text(shown, sizeof shown, event->text, event->text_length));
    return codec_fail(c, "found %s, want a whole number as a string", json_kind_text(event->kind));
}

static const codec_member quantity_members[] = {
    {CODEC_BY("value", offsetof(quantity, value), read_whole, NULL), .missing = "has no \"value\""},
    {CODEC_WORDS("magnitude", quantity, magnitude, magnitudes, ALWAYS)}};

/* {"value": "448", "magnitude": "KBYTES"} */
static roof_status read_bytes(codec *c, const json_event *event, void *target)
{
    quantity q = {0};
    TRY(codec_read_object(c, event, CODEC_TABLE(quantity_members), &q));
    if (__builtin_mul_overflow(q.value, UINT64_C(1) << (10 * q.magnitude), (uint64_t *)target))
        return codec_fail(c, "is more than 2^64 bytes");
    return ROOF_OK;
}

/* ---- a pool ---- */

typedef struct entry {
    roof_pool pool;
    unsigned mode, rights, cacheable;
} entry;

static const char *const rights[] = {"ACC_UNDEF", "ACC_READ", "ACC_WRITE", NULL};
static const char *const cacheables[] = {"CACHEABLE_UNDEF", "CACHEABLE_OFF", "CACHEABLE_ON", NULL};
static const char *const modes[] = {"USEMODE_ABSOLUTE", "USEMODE_RELATIVE", NULL};
enum { READ_ONLY = 1, CACHED = 2, RELATIVE = 1 };

/* Times are bytes * freq_ratio / byte_width: neither may be 0. */
static roof_status read_width(codec *c, const json_event *event, void *target)
{
    uint32_t *width = target;
    if (*width != ROOF_NONE)
        return codec_fail(c, "is there twice, in two spellings");
    if (event->kind != JSON_NUMBER)
        return codec_fail(c, "found %s, want a number of bytes", json_kind_text(event->kind));
    if (!(event->number >= 1 && event->number <= 65536 && event->number == floor(event->number)))
        return codec_fail(c, "found %.17g, want a whole number from 1 to 65536", event->number);
    *width = (uint32_t)event->number;
    return ROOF_OK;
}

static roof_status read_ratio(codec *c, const json_event *event, void *target)
{
    double *ratio = target;
    if (!isnan(*ratio))
        return codec_fail(c, "is there twice, in two spellings");
    if (event->kind != JSON_NUMBER)
        return codec_fail(c, "found %s, want a ratio of clocks", json_kind_text(event->kind));
    if (!(event->number >= 1e-6 && event->number <= 1e6))
        return codec_fail(c, "found %.17g, want a ratio of clocks from 1e-6 to 1e6", event->number);
    *ratio = event->number;
    return ROOF_OK;
}

static const codec_member property_members[] = {
    {CODEC_BY("byteWidth", offsetof(entry, pool.byte_width), read_width, NULL)},
    {CODEC_BY("byte_width", offsetof(entry, pool.byte_width), read_width, NULL)},
    {CODEC_BY("freqRatio", offsetof(entry, pool.freq_ratio), read_ratio, NULL)},
    {CODEC_BY("freq_ratio", offsetof(entry, pool.freq_ratio), read_ratio, NULL)},
    {CODEC_WORDS("rights", entry, rights, rights, ALWAYS)},
    {CODEC_WORDS("cacheable", entry, cacheable, cacheables, ALWAYS)}};

/* --save-mpool-file gives a pool that may be as large as any 2^63 - 32 bytes. */
#define NO_LIMIT_BYTES (UINT64_C(1) << 62)

static const codec_member pool_members[] = {
    {CODEC_AS("name", entry, pool.name, NAME, ALWAYS)},
    {CODEC_BY("offset", offsetof(entry, pool.address), read_bytes, NULL)},
    {CODEC_BY("size", offsetof(entry, pool.size_bytes), read_bytes, NULL)},
    {CODEC_WORDS("mode", entry, mode, modes, ALWAYS)},
    {CODEC_IN("prop", 0, CODEC_TABLE(property_members))}};

static roof_status read_pool(codec *c, const json_event *event, void *target)
{
    entry e = {.pool = {.name = "",
                        .address = ROOF_UNKNOWN,
                        .size_bytes = ROOF_UNKNOWN,
                        .used_bytes = ROOF_UNKNOWN,
                        .byte_width = ROOF_NONE,
                        .freq_ratio = NAN}};
    TRY(codec_read_object(c, event, CODEC_TABLE(pool_members), &e));
    e.pool.read_only = e.rights == READ_ONLY;
    e.pool.cached = e.cacheable == CACHED;
    if (e.mode == RELATIVE)
        e.pool.address = ROOF_UNKNOWN;
    if (e.pool.size_bytes >= NO_LIMIT_BYTES)
        e.pool.size_bytes = ROOF_UNKNOWN;
    art_list *list = target;
    roof_pool *pools = list->items;
    char shown[100];
    const char *name = quote_text(shown, sizeof shown, e.pool.name, strlen(e.pool.name));
    if (!*e.pool.name)
        return codec_fail(c, "a memory pool has no name");
    if (NAMED(pools, list->n, name, e.pool.name))
        return codec_fail(c, "memory pool '%s' is there twice", name);
    if (list->n == PLAN_MAX_POOLS)
        return error_line(c->err, ROOF_E_LIMIT, jsonpull_line(c->puller), "more than %d memory pools",
                          PLAN_MAX_POOLS);
    TRY(ARENA_ADD(c->arena, pools, list->n, c->err, e.pool));
    list->items = pools;
    return ROOF_OK;
}

static const codec_member memory_members[] = {
    {CODEC_BY("mempools", 0, read_pool, NULL), .how = CODEC_EACH, .missing = "has no \"mempools\""}};
static const codec_member pools_members[] = {
    {CODEC_IN("memory", 0, CODEC_TABLE(memory_members)), .missing = "has no \"memory\""}};
const codec_object art_pools = {CODEC_ROWS(pools_members)};

/* ---- profiles ---- */

static const codec_member profile_members[] = {{CODEC(art_profile, memory_pool, NAME, ALWAYS)},
                                               {CODEC(art_profile, options, NAME, ALWAYS)}};

/* The profile that event opens; its name is the member's. */
static roof_status read_profile(codec *c, const json_event *event, void *target)
{
    art_list *list = target;
    art_profile *profiles = list->items;
    size_t length = strlen(event->key);
    if (utf8_first_bad(event->key, length) != length)
        return codec_fail(c, "the name of a profile holds control characters");
    if (list->n == ART_MAX_PROFILES)
        return error_line(c->err, ROOF_E_LIMIT, jsonpull_line(c->puller), "more than %d profiles",
                          ART_MAX_PROFILES);
    art_profile profile = {.name = arena_strdup(c->arena, event->key), .options = ""};
    list->items = profiles = arena_grow(c->arena, profiles, list->n, sizeof *profiles);
    TRY(ALLOCATED(profiles && profile.name, c->err));
    if (NAMED(profiles, list->n, name, profile.name))
        return codec_fail(c, "is there twice");
    TRY(codec_read_object(c, event, CODEC_TABLE(profile_members), &profile));
    profiles[list->n++] = profile;
    return ROOF_OK;
}

static roof_status read_profiles(codec *c, const json_event *event, void *target)
{
    const art_list *list = target;
    TRY(codec_read_members(c, event, read_profile, target));
    return list->n ? ROOF_OK : codec_fail(c, "has no profile");
}

static const codec_member profiles_members[] = {
    {CODEC_BY("Profiles", 0, read_profiles, NULL), .missing = "has no \"Profiles\""}};
const codec_object art_profiles = {CODEC_ROWS(profiles_members)};

/* ---- the files ---- */

roof_status mpool_read_memory(const void *bytes, uint64_t size, const codec_object *what, roof_arena *arena,
                              art_list *out, roof_error *err)
{
    *out = (art_list){0};
    if (size > ART_MOST_BYTES)
        return error_set(err, ROOF_E_LIMIT, "is larger than %d MiB, the most that is read here",
                         ART_MOST_BYTES >> 20);
    codec c = {.puller = jsonpull_of_loose(bytes, (size_t)size), .arena = arena, .err = err};
    roof_status status = c.puller ? codec_read_document(&c, what, out) : error_memory(err);
    jsonpull_free(c.puller);
    if (status != ROOF_OK)
        *out = (art_list){0};
    return status;
}

roof_status mpool_read(const char *path, const codec_object *what, roof_arena *arena, art_list *out,
                       roof_error *err)
{
    mapfile file = {0};
    *out = (art_list){0};
    TRY(mapfile_open(path, &file, err));
    roof_status status =
        error_placed(mpool_read_memory(file.bytes, file.size_bytes, what, arena, out, err), err, "%s", path);
    mapfile_close(&file);
    return status;
}

/* ---- completing a plan ---- */

/* A pool of the plan and one of the file, which are the same one. */
typedef struct merging {
    roof_plan *plan;
    roof_arena *arena;
    const char *pool;
} merging;

static void differ(const merging *m, const char *what, double plan, double file)
{
    roof_plan *p = m->plan; /* the arena remembers a lack of memory */
    (void)ARENA_ADD(m->arena, p->differences, p->n_differences, NULL,
                    (roof_pool_difference){m->pool, what, plan, file});
}

static void merge_bytes(const merging *m, const char *what, uint64_t *plan, uint64_t file)
{
    if (*plan == ROOF_UNKNOWN)
        *plan = file;
    else if (file != ROOF_UNKNOWN && file != *plan)
        differ(m, what, (double)*plan, (double)file);
}

static void merge_flag(const merging *m, const char *what, bool is_stated, bool *plan, bool file)
{
    if (!is_stated)
        *plan = file;
    else if (*plan != file)
        differ(m, what, *plan, file);
}

static void merge_pool(const merging *m, roof_pool *plan, const roof_pool *file)
{
    bool is_stated = plan->byte_width != ROOF_NONE;
    merge_flag(m, "read_only", is_stated, &plan->read_only, file->read_only);
    merge_flag(m, "cached", is_stated, &plan->cached, file->cached);
    if (!is_stated)
        plan->byte_width = file->byte_width;
    else if (file->byte_width != ROOF_NONE && file->byte_width != plan->byte_width)
        differ(m, "byte_width", plan->byte_width, file->byte_width);
    if (isnan(plan->freq_ratio))
        plan->freq_ratio = file->freq_ratio;
    else if (fabs(file->freq_ratio - plan->freq_ratio) > 1e-9 * plan->freq_ratio)
        differ(m, "freq_ratio", plan->freq_ratio, file->freq_ratio);
    merge_bytes(m, "address", &plan->address, file->address);
    merge_bytes(m, "size_bytes", &plan->size_bytes, file->size_bytes);
}

roof_status mpool_apply(roof_plan *plan, const roof_pool *pools, uint32_t n, roof_arena *arena,
                        roof_error *err)
{
    FOR_EACH(roof_pool, pool, plan->pools, plan->n_pools) {
        const roof_pool *described = NAMED(pools, n, name, pool->name);
        if (described)
            merge_pool(&(merging){plan, arena, pool->name}, pool, described);
    }
    return arena_status(arena, err);
}
