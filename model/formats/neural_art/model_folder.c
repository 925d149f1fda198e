#include "model/formats/neural_art/model_folder.h"
#include "core/files/folder_names.h"
#include "core/files/mapfile.h"
#include "model/formats/neural_art/mpool.h"

#include <errno.h>

typedef struct listing {
    roof_arena *arena;
    const char *folder; /* without '/' at its end */
    const char **names; /* regular files, sorted */
    uint32_t n;
    bool no_memory; /* of a file that was looked into; told once, at the end, as what the arena lacks */
    roof_error *err;
} listing;

/* ---- files in the folder ---- */

static bool ends_with(const char *name, const char *suffix)
{
    size_t length = strlen(name), n = strlen(suffix);
    return length > n && strcmp(name + length - n, suffix) == 0;
}

/* Path of a file in the folder, whose name is put together from two parts. */
static const char *path_of_two(listing *l, const char *name, const char *suffix)
{
    return arena_printf(l->arena, "%s/%s%s", l->folder, name, suffix);
}

static const char *path_of(listing *l, const char *name)
{
    return path_of_two(l, name, "");
}

static bool is_wanted(int folder, const char *name)
{
    os_entry about;
    static const char *const suffixes[] = {".json", ".csv",    ".c",    ".h",     ".mpool",
                                           ".txt",  ".xmodel", ".onnx", ".tflite"};
    for (size_t i = 0; name[0] != '.' && i < N_OF(suffixes); i++)
        if (ends_with(name, suffixes[i]))
            return os_look(folder, name, OS_FOLLOW, &about) && about.kind == OS_FILE;
    return false;
}

static roof_status list_folder(listing *l)
{
    folder_names found;
    roof_status status = ROOF_OK;
    if (!folder_list(l->folder, is_wanted, FOLDER_MAX_ENTRIES, l->arena, &found))
        status =
            error_errno(l->err, errno == EIO ? ROOF_E_IO : ROOF_E_NO_INPUT, "cannot be opened as a folder");
    else if (found.n_entries > FOLDER_MAX_ENTRIES)
        status = error_set(l->err, ROOF_E_LIMIT, "holds more than %d files: is it a model's folder?",
                           FOLDER_MAX_ENTRIES);
    if (status != ROOF_OK)
        error_prefix(l->err, "%s", l->folder);
    l->names = found.names;
    l->n = found.n;
    return status;
}

static bool has(const listing *l, const char *name)
{
    return WORD_AT(l->names, l->n, name) < l->n;
}

/* ---- the network's name ---- */

/* The only name that fits; NULL when none does, or several do. */
static const char *only(listing *l, const char *suffix, bool (*fits)(listing *l, const char *name))
{
    const char *found = NULL;
    for (uint32_t i = 0; i < l->n; i++) {
        if (!ends_with(l->names[i], suffix) || !fits(l, l->names[i]))
            continue;
        if (found)
            return NULL;
        found = l->names[i];
    }
    return found;
}

/* The wrappers that ST's tools add do not count. */
static bool is_generated(listing *l, const char *name)
{
    (void)l;
    return strcmp(name, "c_info.json") != 0 && !span_begins(span_of(name), "stai_") &&
           !span_begins(span_of(name), "stedgeai_");
}

/* "network" is what the compiler calls it unless it is told otherwise. Suffixes that only its files have come
 * before .c, which an application's sources have as well. */
static const char *find_name(listing *l)
{
    static const char *const suffixes[] = {"_c_info.json", "_ecblobs.h", "_blob_trace.c",
                                           "_generate_report.txt", ".c"};
    const char *name;
    if (has(l, "network.c"))
        return "network";
    for (size_t i = 0; i < N_OF(suffixes); i++)
        if ((name = only(l, suffixes[i], is_generated)))
            return arena_strndup(l->arena, name, strlen(name) - strlen(suffixes[i]));
    return NULL;
}

/* ---- files by name ---- */

/* Path of NAME and suffix, when there is such a file. */
static const char *named(listing *l, const char *name, const char *suffix)
{
    const char *path = name ? path_of_two(l, name, suffix) : NULL;
    return path && has(l, path + strlen(l->folder) + 1) ? path : NULL;
}

static bool is_table_of_epochs(listing *l, const char *name)
{
    static const char first[] = "epochs,";
    mapfile file = {0};
    const char *path = path_of(l, name);
    roof_status status = path ? mapfile_open(path, &file, NULL) : ROOF_E_NO_INPUT;
    bool is = status == ROOF_OK && file.size_bytes >= sizeof first &&
              memcmp(file.bytes, first, sizeof first - 1) == 0;
    l->no_memory = l->no_memory || status == ROOF_E_NO_MEMORY;
    mapfile_close(&file);
    return is;
}

/* ST's examples call it neural_art.json, user_neural_art.json, user_neuralart_BOARD.json,
 * neural_art_reloc.json. */
static bool is_profiles(listing *l, const char *name)
{
    static const char *const prefixes[] = {"neural_art", "neuralart", "user_neural_art", "user_neuralart"};
    (void)l;
    for (size_t p = 0; p < N_OF(prefixes); p++)
        if (span_begins(span_of(name), prefixes[p]))
            return true;
    return false;
}

/* ---- memory pools ---- */

/* A profile comes with the model, from whoever made that: it may not lead out of the folder. */
static bool stays_inside(const char *path)
{
    if (path[0] == '/')
        return false;
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || !at[2]))
            return false;
    }
    return true;
}

/* Folders are copied without what they lie in: the file beside the profiles is meant as much as the path
 * that they state. */
static const char *pool_of_profile(listing *l, const char *stated)
{
    while (span_begins(span_of(stated), "./"))
        stated += 2;
    const char *name = path_base_name(stated);
    const char *path = stays_inside(stated) && ends_with(stated, ".mpool") ? path_of(l, stated) : NULL;
    os_entry about;
    if (path && os_look(OS_HERE, path, OS_FOLLOW, &about) && about.kind == OS_FILE)
        return path;
    return ends_with(name, ".mpool") && has(l, name) ? path_of(l, name) : NULL;
}

/* ---- files that are no plan ---- */

/* The first ones, as they may be printed: graphs that every device may be asked of before compiled ones. */
static void find_others(listing *l, model_folder *out)
{
    static const char *const suffixes[] = {".onnx", ".tflite", ".xmodel", ".json"};
    enum { MOST = 5 };
    uint32_t n = 0;
    for (size_t k = 0; k < N_OF(suffixes); k++)
        for (uint32_t i = 0; i < l->n && n <= MOST; i++) {
            char shown[80];
            const char *name = l->names[i];
            if (!ends_with(name, suffixes[k]))
                continue;
            name = n++ < MOST ? quote_text(shown, sizeof shown, name, strlen(name)) : "...";
            out->others =
                arena_printf(l->arena, "%s%s%s", out->others ? out->others : "", n > 1 ? ", " : "", name);
        }
}

roof_status model_folder_find(const char *folder, roof_arena *arena, model_folder *out, roof_error *err)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    listing l = {.arena = arena, .folder = arena_strndup(arena, folder, length), .err = err};
    *out = (model_folder){0};
    TRY(ALLOCATED(l.folder, err));
    TRY(list_folder(&l));
    out->name = find_name(&l);
    const char *const found[FOLDER_C_INFOS] = {named(&l, out->name, "_c_info.json"),
                                               named(&l, out->name, ".json"), named(&l, "c_info", ".json")};
    uint32_t n = 0;
    for (uint32_t i = 0; i < FOLDER_C_INFOS; i++)
        if (found[i] && !(out->name && i == 2 && strcmp(out->name, "c_info") == 0))
            out->c_infos[n++] = found[i];
    /* --csv-file takes any name */
    const char *table = NULL;
    out->network_csv = named(&l, out->name, ".csv");
    if (!out->network_csv)
        out->network_csv = named(&l, "network", ".csv");
    if (!out->network_csv && (table = only(&l, ".csv", is_table_of_epochs)))
        out->network_csv = path_of(&l, table);
    out->network_c = named(&l, out->name, ".c");
    out->ecblobs_h = named(&l, out->name, "_ecblobs.h");
    out->blob_trace_c = named(&l, out->name, "_blob_trace.c");
    out->report = named(&l, out->name, "_generate_report.txt");
    const char *name = has(&l, "neural_art.json") ? "neural_art.json" : only(&l, ".json", is_profiles);
    out->profiles = name ? path_of(&l, name) : NULL;
    find_others(&l, out);
    for (uint32_t i = 0; i < l.n; i++)
        if (ends_with(l.names[i], ".mpool"))
            TRY(ARENA_ADD(l.arena, out->mpools, out->n_mpools, l.err, path_of(&l, l.names[i])));
    art_list profiles;
    if (out->n_mpools == 1)
        out->mpool = out->mpools[0];
    else if (out->profiles) {
        TRY(mpool_read(out->profiles, &art_profiles, l.arena, &profiles, l.err));
        const art_profile *first = profiles.items;
        if (profiles.n == 1 && first->memory_pool)
            out->mpool = pool_of_profile(&l, first->memory_pool);
    }
    return l.no_memory ? error_memory(err) : arena_status(arena, err);
}
