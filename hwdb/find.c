#include "hwdb/builtin.h"
#include "hwdb/hwdb.h"
#include "core/files/folder_names.h"
#include "core/files/input.h"
#include "core/json/jsonpull.h"

#include <ctype.h>
#include <errno.h>

enum { MAX_FILES_PER_FOLDER = 1000, MAX_SUGGESTIONS = 3 };

/* --- folders -------------------------------------------------------------------------------------------- */

static roof_status add_folder(hwdb_search *search, const char *variable, const char *folder, roof_error *err)
{
    TRY(ALLOCATED(folder, err));
    if (search->n_folders == HWDB_MAX_FOLDERS)
        return error_set(err, ROOF_E_LIMIT, "ROOFLINE_HW_PATH has more than %d folders",
                         HWDB_MAX_FOLDERS - 1);
    search->variables[search->n_folders] = variable;
    search->folders[search->n_folders++] = folder;
    return ROOF_OK;
}

/* A path in XDG_CONFIG_HOME that is not absolute does not count: that is its rule. */
roof_status hwdb_search_init(hwdb_search *search, roof_arena *arena, roof_error *err)
{
    const char *path = os_setting("ROOFLINE_HW_PATH"), *config = os_setting("XDG_CONFIG_HOME"),
               *home = os_setting("HOME");
    text_span rest = span_of(text_or_empty(path));
    *search = (hwdb_search){0};
    while (rest.length) {
        text_span folder = span_take_until(&rest, ":");
        if (folder.length)
            TRY(add_folder(search, "ROOFLINE_HW_PATH", arena_strndup(arena, folder.text, folder.length),
                           err));
    }
    if (config && config[0] == '/')
        return add_folder(search, "XDG_CONFIG_HOME", arena_printf(arena, "%s/roofline/hw", config), err);
    if (home && home[0] == '/')
        return add_folder(search, "HOME", arena_printf(arena, "%s/.config/roofline/hw", home), err);
    return ROOF_OK;
}

/* --- files of a folder ---------------------------------------------------------------------------------- */

static bool is_json_file(int folder, const char *name)
{
    (void)folder;
    const size_t length = strlen(name);
    return name[0] != '.' && length > 5 && strcmp(name + length - 5, ".json") == 0;
}

/* Goes through a document until it calls itself name. Only its id and its aliases are looked at: the rest is
 * checked when it is used. */
static roof_status find_name(jsonpull *puller, const char *name, bool *is, roof_error *err)
{
    json_event event;
    json_kind id = JSON_DONE;
    bool in_aliases = false;
    TRY(jsonpull_next(puller, &event, err));
    for (bool more = event.kind == JSON_OBJECT; more && !*is;) {
        TRY(jsonpull_next(puller, &event, err));
        const bool is_id = event.key && strcmp(event.key, "id") == 0;
        const bool is_alias = event.key ? strcmp(event.key, "aliases") == 0 : in_aliases;
        id = is_id ? event.kind : id;
        if (event.kind == JSON_CLOSE) {
            more = in_aliases;
            in_aliases = false;
        } else if (event.key && is_alias && event.kind == JSON_ARRAY) {
            in_aliases = true;
        } else {
            *is = name && (is_id || is_alias) && event.text && text_compare(event.text, name) == 0;
            TRY(jsonpull_skip(puller, err));
        }
    }
    if (*is)
        return ROOF_OK;
    TRY(jsonpull_skip(puller, err));
    TRY(jsonpull_next(puller, &event, err));
    if (id == JSON_STRING)
        return ROOF_OK;
    return error_in(err, "/id", ROOF_E_DATA, "is %s, want a string",
                    id == JSON_DONE ? "missing" : json_kind_text(id));
}

/* *is: the description is called name. Text behind the name is not read yet. */
static roof_status read_name(const char *path, const char *name, bool *is, roof_error *err)
{
    input_file input;
    TRY(input_open(path, HWDB_LARGEST_BYTES, &input, err));
    jsonpull *puller = jsonpull_new(input_read, &input);
    roof_status status = puller ? find_name(puller, name, is, err) : error_memory(err);
    jsonpull_free(puller);
    input_close(&input);
    return error_placed(status, err, "%s", path);
}

/* "b4096.json" */
static bool is_named(const char *path, const char *name)
{
    const char *file = path_base_name(path);
    char stem[HWDB_ID_SIZE];
    return snprintf(stem, sizeof stem, "%.*s", (int)strlen(file) - 5, file) < (int)sizeof stem &&
           text_compare(stem, name) == 0;
}

/* One look for a name in the folders, or for all that is broken there. */
typedef struct lookup {
    const char *name; /* NULL: tell */
    roof_arena *arena;
    hwdb_document *out;
    bool found;
    roof_error broken; /* of the first file that cannot be read; status OK: none */
    const roof_hw_broken *tell;
    roof_error *err;
} lookup;

static roof_status try_file(lookup *l, const char *folder, const char *file)
{
    const char *path = arena_printf(l->arena, "%s/%s", folder, file);
    roof_error why = {0};
    os_entry about;
    TRY(ALLOCATED(path, l->err));
    if (os_look(OS_HERE, path, OS_FOLLOW, &about) && about.kind != OS_FILE) /* pipes are not even opened */
        return ROOF_OK;
    if (read_name(path, l->name, &l->found, &why) != ROOF_OK) {
        /* a file that cannot be read is passed by, unless it is the one that is looked for */
        const bool is_wanted = why.status == ROOF_E_NO_MEMORY || (l->name && is_named(path, l->name));
        if (is_wanted && l->err)
            *l->err = why;
        if (is_wanted)
            return why.status;
        if (l->tell)
            l->tell->tell(l->tell->context, &why);
        if (l->broken.status == ROOF_OK)
            l->broken = why;
        return ROOF_OK;
    }
    if (l->found)
        l->out->place = l->out->path = path;
    return ROOF_OK;
}

static roof_status search_folder(lookup *l, const hwdb_search *search, size_t level)
{
    const char *folder = search->folders[level];
    folder_names files;
    roof_status status = ROOF_OK;
    roof_error why;
    const bool is_read = folder_list(folder, is_json_file, UINT32_MAX, l->arena, &files);
    if (!is_read && (errno == ENOENT || errno == ENOTDIR))
        return ROOF_OK; /* as with PATH, folders need not exist */
    if (!is_read)
        status = errno == ENOMEM
                     ? error_memory(&why)
                     : error_set(&why, ROOF_E_IO,
                                 "cannot read this folder of your own descriptions of hardware: %s; "
                                 "make it readable (chmod u+rx), or let %s name another one",
                                 strerror(errno), search->variables[level]);
    else if (files.n > MAX_FILES_PER_FOLDER)
        status = error_set(&why, ROOF_E_LIMIT, "holds more than %d descriptions", MAX_FILES_PER_FOLDER);
    if (status != ROOF_OK)
        error_prefix(&why, "%s", folder);
    bool is_reported = status != ROOF_OK && status != ROOF_E_NO_MEMORY && l->tell;
    if (is_reported)
        l->tell->tell(l->tell->context, &why);
    else if (status != ROOF_OK && l->err)
        *l->err = why;
    for (uint32_t i = 0; i < files.n && status == ROOF_OK && !l->found; i++)
        status = try_file(l, folder, files.names[i]);
    return is_reported ? ROOF_OK : status;
}

roof_status roof_hw_find_broken(const roof_hw_broken *tell, roof_error *err)
{
    hwdb_search search;
    lookup l = {.arena = arena_new(0), .tell = tell, .err = err};
    roof_status status = l.arena ? hwdb_search_init(&search, l.arena, err) : error_memory(err);
    for (size_t i = 0; status == ROOF_OK && i < search.n_folders; i++)
        status = search_folder(&l, &search, i);
    arena_free(l.arena);
    return status;
}

/* --- built-in entries ----------------------------------------------------------------------------------- */

static int compare_name(const void *key, const void *element)
{
    return text_compare(key, ((const hwdb_builtin_name *)element)->name);
}

static const hwdb_builtin_name *builtin_called(const char *name)
{
    return bsearch(name, hwdb_builtin_names, hwdb_n_builtin_names, sizeof *hwdb_builtin_names, compare_name);
}

/* "NVIDIA GeForce RTX 3090" is rtx-3090, as drivers write it. */
static const hwdb_builtin_name *builtin_written_as(const char *name)
{
    static const char *const makers[] = {"nvidia-", "geforce-", "amd-",       "radeon-",
                                         "intel-",  "samsung-", "snapdragon-"};
    char plain[HWDB_ID_SIZE];
    const char *rest = plain;
    if ((size_t)snprintf(plain, sizeof plain, "%s", name) >= sizeof plain)
        return NULL;
    for (char *at = plain; *at; at++)
        *at = *at == ' ' ? '-' : *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
    const hwdb_builtin_name *found = builtin_called(rest);
    for (size_t i = 0; !found && i < N_OF(makers); i++)
        if (strncmp(rest, makers[i], strlen(makers[i])) == 0)
            found = builtin_called(rest += strlen(makers[i]));
    return found;
}

/* --- names that are not there --------------------------------------------------------------------------- */

static int folded(char letter)
{
    return letter == '-' || letter == '_' ? ' ' : tolower((unsigned char)letter);
}

bool roof_hw_listing_has(const roof_hw_listing *entry, const char *word)
{
    const char *const texts[] = {entry->id, entry->name, entry->aliases, entry->summary};
    for (size_t i = 0; i < N_OF(texts); i++)
        for (const char *at = texts[i]; at && *at; at++) {
            size_t n = 0;
            while (word[n] && at[n] && folded(at[n]) == folded(word[n]))
                n++;
            if (!word[n])
                return true;
        }
    return false;
}

/* Writes up to three of the names that are nearest in spelling, "b4096, b2304"; else of entries that have the
 * word: "kr260, kv260" of "kria". */
static size_t suggest(const char *name, char *text, size_t size)
{
    unsigned best = strlen(name) < 6 ? 2 : 3; /* further away it is another word */
    size_t used = 0, n = 0;
    text[0] = '\0';
    FOR_EACH(const hwdb_builtin_name, candidate, hwdb_builtin_names, hwdb_n_builtin_names) {
        const unsigned distance = text_edit_distance(name, candidate->name, best);
        bool is_all_other = distance >= strlen(candidate->name); /* "t4" for "x9" */
        if (distance > best || is_all_other || hwdb_builtins[candidate->index].is_abstract)
            continue;
        if (distance < best) {
            best = distance;
            used = n = 0;
        }
        if (n++ < MAX_SUGGESTIONS)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", candidate->name);
    }
    const bool has_near = n > 0;
    for (size_t i = 0; !has_near && strlen(name) > 2 && i < hwdb_n_listed && n <= MAX_SUGGESTIONS; i++)
        if (roof_hw_listing_has(&hwdb_builtins[i].listing, name) && n++ < MAX_SUGGESTIONS)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     hwdb_builtins[i].listing.id);
    return n;
}

roof_status hwdb_find(const hwdb_search *search, roof_arena *arena, const char *name, size_t from_level,
                      hwdb_document *out, roof_error *err)
{
    lookup l = {.name = name, .arena = arena, .out = out, .err = err};
    const hwdb_builtin_name *row = NULL;
    *out = (hwdb_document){0};
    for (size_t level = from_level; level < search->n_folders; level++) {
        const roof_status status = search_folder(&l, search, level);
        out->next_level = level + 1;
        if (status != ROOF_OK || l.found)
            return status;
    }
    out->next_level = search->n_folders + 1;
    if (from_level <= search->n_folders)
        row = builtin_called(name) ? builtin_called(name) : builtin_written_as(name);
    if (!row) {
        char shown[100], names[MAX_SUGGESTIONS * (HWDB_ID_SIZE + 2)], why[ROOF_ERROR_WHAT_SIZE] = "";
        quote_text(shown, sizeof shown, l.name, strlen(l.name));
        bool near = suggest(l.name, names, sizeof names) > 0;
        if (l.broken.status != ROOF_OK) /* which may be the one that was meant */
            roof_error_format(&l.broken, why, sizeof why);
        return error_set(l.err, ROOF_E_NO_INPUT,
                         "no hardware '%s'; %s%s%s`roofline hw list` names all%s%.400s", shown,
                         near ? "did you mean " : "", near ? names : "", near ? "? " : "",
                         *why ? "; not read: " : "", why);
    }
    out->builtin = &hwdb_builtins[row->index];
    out->place = arena_printf(arena, "built-in entry '%s'", out->builtin->listing.id);
    return ALLOCATED(out->place, err);
}
