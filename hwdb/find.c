#include "hwdb/builtin.h"
#include "hwdb/hwdb.h"
#include "core/text.h"
#include "core/error.h"
#include "core/jsonpull.h"
#include "core/mapfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_FILES_PER_FOLDER = 1000, MAX_SUGGESTIONS = 3 };

/* --- folders --------------------------------------------------------------------------------------------- */

/* A printf into memory of its own; NULL without memory. */
static char *join(const char *a, const char *b, const char *c)
{
    const size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s%s%s", a, b, c);
    return text;
}

static roof_status add_folder(hwdb_search *search, char *folder, roof_error *err)
{
    if (!folder)
        return error_memory(err);
    if (search->n_folders == HWDB_MAX_FOLDERS) {
        free(folder);
        return error_set(err, ROOF_E_LIMIT, "ROOFLINE_HW_PATH has more than %d folders",
                         HWDB_MAX_FOLDERS - 1);
    }
    search->folders[search->n_folders++] = folder;
    return ROOF_OK;
}

static roof_status add_path(hwdb_search *search, const char *path, roof_error *err)
{
    while (*path) {
        const size_t length = strcspn(path, ":");
        if (length)
            TRY(add_folder(search, strndup(path, length), err));
        path += length + (path[length] == ':');
    }
    return ROOF_OK;
}

/* The XDG rule: a path that is not absolute does not count. */
static roof_status add_config(hwdb_search *search, roof_error *err)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0] == '/')
        return add_folder(search, join(config, "/roofline/hw", ""), err);
    if (home && home[0] == '/')
        return add_folder(search, join(home, "/.config/roofline/hw", ""), err);
    return ROOF_OK;
}

roof_status hwdb_search_init(hwdb_search *search, roof_error *err)
{
    const char *path = getenv("ROOFLINE_HW_PATH");
    *search = (hwdb_search){0};
    if (path)
        TRY(add_path(search, path, err));
    return add_config(search, err);
}

void hwdb_search_free(hwdb_search *search)
{
    for (size_t i = 0; i < search->n_folders; i++)
        free(search->folders[i]);
    *search = (hwdb_search){0};
}

void hwdb_document_free(hwdb_document *document)
{
    json_free(document->json);
    free(document->place);
    *document = (hwdb_document){0};
}

/* --- files of a folder ----------------------------------------------------------------------------------- */

static int is_json_file(const struct dirent *file)
{
    const size_t length = strlen(file->d_name);
    return file->d_name[0] != '.' && length > 5 && strcmp(file->d_name + length - 5, ".json") == 0;
}

/* Not alphasort, which asks the locale. */
static int compare_files(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Does the document call itself name? Only id and aliases are looked at: the rest is checked when it is used.
 */
static roof_status is_called(const json_node *json, const char *name, bool *yes, roof_error *err)
{
    const char *id;
    const json_node *aliases = json_get(json, "aliases");
    TRY(json_string(json, "", "id", &id, err));
    *yes = hwdb_compare_names(id, name) == 0 ||
           (json_text(aliases) && hwdb_compare_names(json_text(aliases), name) == 0);
    for (const json_node *alias = json_first(aliases); alias && !*yes; alias = json_next(alias))
        *yes = json_text(alias) && hwdb_compare_names(json_text(alias), name) == 0;
    return ROOF_OK;
}

/* The same of a document that breaks off somewhere behind its id. Errors: E_NO_MEMORY. */
static roof_status began_as(const mapfile *file, const char *name, bool *is)
{
    jsonpull *puller = jsonpull_of_memory(file->bytes, file->size_bytes);
    json_event event = {.kind = JSON_NULL};
    roof_status status = puller ? jsonpull_next(puller, &event, NULL) : ROOF_E_NO_MEMORY;
    if (status == ROOF_OK && event.kind == JSON_OBJECT)
        status = jsonpull_next(puller, &event, NULL);
    while (status == ROOF_OK && event.key && !*is) {
        *is = event.kind == JSON_STRING && strcmp(event.key, "id") == 0 &&
              hwdb_compare_names(event.text, name) == 0;
        status = jsonpull_skip(puller, NULL);
        if (status == ROOF_OK)
            status = jsonpull_next(puller, &event, NULL);
    }
    jsonpull_free(puller);
    return status == ROOF_E_NO_MEMORY ? status : ROOF_OK;
}

/* *is: the description is the one called name, which a broken one can be as well. */
static roof_status read_entry(const char *path, const char *name, json_node **json, bool *is, roof_error *err)
{
    mapfile file = {0};
    *json = NULL;
    *is = false;
    TRY(mapfile_open(path, &file, err));
    roof_status status = json_parse((const char *)file.bytes, (size_t)file.size_bytes, json, err);
    if (status == ROOF_OK)
        status = is_called(*json, name, is, err);
    else if (began_as(&file, name, is) == ROOF_E_NO_MEMORY)
        status = error_memory(err);
    if (status != ROOF_OK)
        error_prefix(err, "%s", path);
    mapfile_close(&file);
    return status;
}

/* "b4096.json" */
static bool is_named(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    char stem[HWDB_ID_SIZE];
    return snprintf(stem, sizeof stem, "%.*s", (int)strlen(file) - 5, file) < (int)sizeof stem &&
           hwdb_compare_names(stem, name) == 0;
}

/* One look for a name in the folders, or for all that is broken there. */
typedef struct lookup {
    const char *name;
    hwdb_document *out;
    bool found;
    roof_error broken; /* of the first file that cannot be read; status OK: none */
    const roof_hw_broken *tell;
    roof_error *err;
} lookup;

/* A file that cannot be read is passed by, unless it is the one that is looked for. */
static roof_status pass_by(lookup *l, const char *path, bool is, const roof_error *why)
{
    if (why->status == ROOF_E_NO_MEMORY)
        return error_memory(l->err);
    if (!l->tell && (is || is_named(path, l->name))) {
        if (l->err)
            *l->err = *why;
        return why->status;
    }
    if (l->tell)
        l->tell->tell(l->tell->context, why);
    if (l->broken.status == ROOF_OK)
        l->broken = *why;
    return ROOF_OK;
}

static roof_status try_file(lookup *l, const char *folder, const char *file)
{
    json_node *json = NULL;
    roof_error why = {0};
    struct stat st;
    char *path = join(folder, "/", file);
    bool is = false;
    if (!path)
        return error_memory(l->err);
    roof_status status = ROOF_OK;
    bool skip = stat(path, &st) == 0 && !S_ISREG(st.st_mode); /* pipes and devices are not even opened */
    if (!skip && read_entry(path, l->name, &json, &is, &why) != ROOF_OK)
        status = pass_by(l, path, is, &why);
    else if (!skip && is && l->out) {
        l->found = true;
        l->out->json = json;
        l->out->place = path;
        return ROOF_OK;
    }
    json_free(json);
    free(path);
    return status;
}

static roof_status search_folder(lookup *l, const char *folder)
{
    struct dirent **files = NULL;
    roof_status status = ROOF_OK;
    int n = scandir(folder, &files, is_json_file, compare_files);
    if (n < 0 && (errno == ENOENT || errno == ENOTDIR))
        return ROOF_OK; /* as with PATH, folders need not exist */
    if (n < 0)
        status = error_errno(l->err, ROOF_E_NO_INPUT, "cannot read the folder");
    else if (n > MAX_FILES_PER_FOLDER)
        status = error_set(l->err, ROOF_E_LIMIT, "holds more than %d descriptions", MAX_FILES_PER_FOLDER);
    if (status != ROOF_OK)
        error_prefix(l->err, "%s", folder);
    bool told = status != ROOF_OK && status != ROOF_E_NO_MEMORY && l->tell;
    if (told)
        l->tell->tell(l->tell->context, l->err);
    for (int i = 0; i < n; i++) {
        if (status == ROOF_OK && !l->found)
            status = try_file(l, folder, files[i]->d_name);
        free(files[i]);
    }
    free(files);
    return told ? ROOF_OK : status;
}

roof_status roof_hw_find_broken(const roof_hw_broken *tell, roof_error *err)
{
    hwdb_search search;
    lookup l = {.name = "", .tell = tell, .err = err};
    roof_status status = hwdb_search_init(&search, err);
    for (size_t i = 0; status == ROOF_OK && i < search.n_folders; i++)
        status = search_folder(&l, search.folders[i]);
    hwdb_search_free(&search);
    return status;
}

/* --- built-in entries ------------------------------------------------------------------------------------ */

static int compare_name(const void *key, const void *element)
{
    return hwdb_compare_names(key, ((const hwdb_builtin_name *)element)->name);
}

static roof_status open_builtin(const hwdb_builtin *builtin, hwdb_document *out, roof_error *err)
{
    out->place = join("built-in entry '", builtin->listing.id, "'");
    if (!out->place)
        return error_memory(err);
    roof_status status = json_parse(builtin->json, builtin->json_bytes, &out->json, err);
    if (status != ROOF_OK) {
        error_prefix(err, "%s", out->place);
        hwdb_document_free(out);
    }
    return status;
}

/* --- names that are not there ---------------------------------------------------------------------------- */

/* Writes up to three of the names that are nearest in spelling: "b4096, b2304". */
static size_t suggest(const char *name, char *text, size_t size)
{
    unsigned best = strlen(name) < 6 ? 2 : 3; /* further away it is another word */
    size_t used = 0, n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < hwdb_n_builtin_names; i++) {
        const hwdb_builtin_name *candidate = &hwdb_builtin_names[i];
        const unsigned distance = text_edit_distance(name, candidate->name, best);
        if (distance > best || hwdb_builtins[candidate->index].is_abstract)
            continue;
        if (distance < best) {
            best = distance;
            used = n = 0;
        }
        if (n++ < MAX_SUGGESTIONS)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", candidate->name);
    }
    return n;
}

static roof_status fail_unknown(const lookup *l)
{
    char shown[100], names[MAX_SUGGESTIONS * (HWDB_ID_SIZE + 2)], why[ROOF_ERROR_WHAT_SIZE] = "";
    quote_text(shown, sizeof shown, l->name, strlen(l->name));
    bool near = suggest(l->name, names, sizeof names) > 0;
    if (l->broken.status != ROOF_OK) /* which may be the one that was meant */
        roof_error_format(&l->broken, why, sizeof why);
    return error_set(l->err, ROOF_E_NO_INPUT, "no hardware '%s'; %s%s%s`roofline hw list` names all%s%.400s",
                     shown, near ? "did you mean " : "", near ? names : "", near ? "? " : "",
                     *why ? "; not read: " : "", why);
}

roof_status hwdb_find(const hwdb_search *search, const char *name, size_t from_level, hwdb_document *out,
                      roof_error *err)
{
    lookup l = {.name = name, .out = out, .err = err};
    *out = (hwdb_document){0};
    for (out->level = from_level; out->level < search->n_folders; out->level++) {
        TRY(search_folder(&l, search->folders[out->level]));
        if (l.found)
            return ROOF_OK;
    }
    const hwdb_builtin_name *builtin =
        from_level > search->n_folders
            ? NULL
            : bsearch(name, hwdb_builtin_names, hwdb_n_builtin_names, sizeof *builtin, compare_name);
    return builtin ? open_builtin(&hwdb_builtins[builtin->index], out, err) : fail_unknown(&l);
}
