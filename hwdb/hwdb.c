#include "hwdb/hwdb.h"
#include "hwdb/builtin.h"

/* --- the object ----------------------------------------------------------------------------------------- */

roof_hw *hwdb_hw_new(void)
{
    roof_arena *arena;
    roof_hw *hw = NEW_ROOT(&arena, roof_hw, NULL);
    if (hw)
        hw->arena = arena;
    return hw;
}

ARENA_FREES(roof_hw_free, roof_hw, hw)

/* Texts of an entry; "" where it states none. */
#define HW_TEXT(member)                                                                                      \
    const char *roof_hw_##member(const roof_hw *hw)                                                          \
    {                                                                                                        \
        return text_or_empty(hw->member);                                                                    \
    }
HW_TEXT(id)
HW_TEXT(board)
HW_TEXT(family)
HW_TEXT(summary)

const char *roof_hw_name(const roof_hw *hw)
{
    return hw->name ? hw->name : text_or_empty(hw->id);
}

/* A name such as "U50, DPUCAHX8H 6 engines" is of one board, "Alveo U50". */
bool roof_hw_board_is_assumed(const roof_hw *hw)
{
    const char *board = roof_hw_board(hw), *space = strrchr(board, ' ');
    return hw->board_is_assumed && *board && !strstr(roof_hw_name(hw), space ? space + 1 : board);
}

const char *roof_hw_place(const roof_hw *hw)
{
    return hw->path ? hw->path : roof_hw_id(hw);
}

/* Index of key, or of where it belongs. */
static size_t position(const roof_hw *hw, const char *key, bool *is_there)
{
    size_t low = 0, high = hw->n_values;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(hw->values[middle]->quantity.key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *is_there = low < hw->n_values && strcmp(hw->values[low]->quantity.key, key) == 0;
    return low;
}

static const hwdb_value *find_value(const roof_hw *hw, const char *key)
{
    bool is_there;
    size_t at = position(hw, key, &is_there);
    return is_there ? hw->values[at] : NULL;
}

const roof_quantity *roof_hw_get(const roof_hw *hw, const char *key)
{
    const hwdb_value *value = find_value(hw, key);
    return value ? &value->quantity : NULL;
}

double hwdb_value_or_0(const roof_hw *hw, const char *key)
{
    const roof_quantity *q = roof_hw_get(hw, key);
    return q ? q->value : 0;
}

const char *roof_hw_origin(const roof_hw *hw, const char *key)
{
    const hwdb_value *value = find_value(hw, key);
    return value ? value->origin : NULL;
}

const roof_quantity *roof_hw_at(const roof_hw *hw, size_t i)
{
    return i < hw->n_values ? &hw->values[i]->quantity : NULL;
}

const char *roof_hw_note(const roof_hw *hw, size_t i)
{
    return i < hw->n_notes ? hw->notes[i] : NULL;
}

roof_status hwdb_hw_add_note(roof_hw *hw, const char *note, roof_error *err)
{
    const char *copy = arena_strdup(hw->arena, note);
    return ARENA_ADD(hw->arena, hw->notes, hw->n_notes, err, copy);
}

roof_status hwdb_hw_put(roof_hw *hw, const roof_quantity *q, const char *origin, bool replace,
                        roof_error *err)
{
    bool is_there;
    size_t at = position(hw, q->key, &is_there);
    if (is_there && !replace)
        return ROOF_OK;
    hwdb_value **values =
        is_there ? hw->values : arena_grow(hw->arena, hw->values, hw->n_values, sizeof *values);
    hwdb_value *value = is_there ? hw->values[at] : NEW(hw->arena, hwdb_value);
    const hwdb_value filled = {{arena_strdup(hw->arena, q->key), q->value, arena_strdup(hw->arena, q->unit),
                                q->kind, arena_strdup(hw->arena, q->source),
                                q->caveat ? arena_strdup(hw->arena, q->caveat) : NULL},
                               arena_strdup(hw->arena, origin)};
    TRY(arena_status(hw->arena, err));
    *value = filled;
    if (is_there)
        return ROOF_OK;
    memmove(values + at + 1, values + at, (hw->n_values - at) * sizeof *values);
    values[at] = value;
    hw->values = values;
    hw->n_values++;
    return ROOF_OK;
}

void hwdb_hw_remove(roof_hw *hw, const char *key)
{
    bool is_there;
    size_t at = position(hw, key, &is_there);
    if (!is_there)
        return;
    hw->n_values--;
    memmove(hw->values + at, hw->values + at + 1, (hw->n_values - at) * sizeof *hw->values);
}

roof_status roof_hw_set(roof_hw *hw, const char *key, double value, const char *unit, const char *source,
                        roof_error *err)
{
    const hwdb_key *known = hwdb_key_find(key);
    if (!*key || !*unit || !source || !*source)
        return error_set(err, ROOF_E_USAGE, "a quantity needs a key, a unit and a source");
    if (known && strcmp(known->unit, unit) != 0)
        return error_set(err, ROOF_E_USAGE, "%s is in %s, not in %s", key, known->unit, unit);
    if (!isfinite(value) || value < 0)
        return error_set(err, ROOF_E_USAGE, "%s must be a number from 0 on", key);
    const roof_quantity q = {
        .key = key, .value = value, .unit = unit, .kind = ROOF_KIND_ASSUMED, .source = source};
    return hwdb_hw_put(hw, &q, source, true, err);
}

roof_status roof_hw_copy(const roof_hw *hw, roof_hw **out, roof_error *err)
{
    roof_hw *to = hwdb_hw_new();
    roof_status status = to ? ROOF_OK : error_memory(err);
    *out = NULL;
    if (to) {
        const char **const texts[] = {&to->id, &to->name, &to->board, &to->family, &to->summary, &to->path};
        roof_arena *arena = to->arena;
        *to = *hw;
        to->arena = arena;
        to->values = NULL;
        to->notes = NULL;
        to->n_values = to->n_notes = 0;
        for (size_t i = 0; i < N_OF(texts); i++)
            *texts[i] = *texts[i] ? arena_strdup(arena, *texts[i]) : NULL;
    }
    for (size_t i = 0; status == ROOF_OK && i < hw->n_values; i++)
        status = hwdb_hw_put(to, &hw->values[i]->quantity, hw->values[i]->origin, false, err);
    for (size_t i = 0; status == ROOF_OK && i < hw->n_notes; i++)
        status = hwdb_hw_add_note(to, hw->notes[i], err);
    THEN(status, arena_status(to->arena, err));
    return GIVE(status, out, to, roof_hw_free);
}

/* --- inheritance ---------------------------------------------------------------------------------------- */

enum { MAX_ENTRIES = 64 };

typedef struct resolver {
    roof_hw *hw;
    const hwdb_search *search;
    roof_error *err;
    unsigned depth, n_entries;
} resolver;

static roof_status resolve_entry(resolver *r, const hwdb_entry *entry, size_t next_level);

static roof_status resolve_document(resolver *r, const hwdb_document *document)
{
    hwdb_entry entry;
    roof_status status;
    if (document->builtin) {
        status = hwdb_builtin_read(document->builtin, r->hw->arena, &entry, r->err);
    } else {
        hwdb_problems *problems;
        TRY(ARENA_GET(r->hw->arena, problems, 1, r->err));
        problems->arena = r->hw->arena;
        TRY(hwdb_entry_read(document, problems, &entry, r->err));
        status = hwdb_problems_status(problems, r->err);
    }
    THEN(status, resolve_entry(r, &entry, document->next_level));
    return error_placed(status, r->err, "%s", document->place);
}

/* By its id or an alias, ignoring ASCII case. */
static bool entry_is_called(const hwdb_entry *entry, const char *name)
{
    bool is = entry->id && text_compare(entry->id, name) == 0;
    for (size_t i = 0; i < entry->aliases.n && !is; i++)
        is = text_compare(entry->aliases.items[i], name) == 0;
    return is;
}

static roof_status resolve_parent(resolver *r, const hwdb_entry *entry, const char *name, size_t next_level)
{
    hwdb_document document;
    const size_t from = entry_is_called(entry, name) ? next_level : 0;
    roof_status status = hwdb_find(r->search, r->hw->arena, name, from, &document, r->err);
    if (status == ROOF_OK)
        return resolve_document(r, &document);
    if (status != ROOF_E_NO_INPUT)
        return status;
    if (r->err && !r->err->where[0])
        error_prefix(r->err, "/extends");
    if (r->err)
        r->err->status = ROOF_E_DATA; /* of the child */
    return ROOF_E_DATA;
}

static roof_status resolve_entry(resolver *r, const hwdb_entry *entry, size_t next_level)
{
    if (r->depth > HWDB_MAX_DEPTH || ++r->n_entries > MAX_ENTRIES)
        return error_data(r->err, "extends more than %d levels or %d entries: is it a circle?",
                          HWDB_MAX_DEPTH, MAX_ENTRIES);
    roof_hw *hw = r->hw;
    if (!hw->id) {
        hw->id = entry->id;
        hw->summary = entry->summary;
        hw->is_abstract = entry->is_abstract;
        hw->board_is_assumed = entry->fingerprints.n > 0;
    }
    hw->name = hw->name ? hw->name : entry->name;
    hw->board = hw->board ? hw->board : entry->board;
    hw->family = hw->family ? hw->family : entry->family;
    for (size_t i = 0; i < entry->n_values; i++)
        TRY(hwdb_hw_put(hw, &entry->values[i], entry->id, false, r->err));
    for (size_t i = 0; i < entry->notes.n; i++)
        TRY(hwdb_hw_add_note(hw, entry->notes.items[i], r->err));
    r->depth++;
    for (size_t i = 0; i < entry->parents.n; i++)
        TRY(resolve_parent(r, entry, entry->parents.items[i], next_level));
    r->depth--;
    return ROOF_OK;
}

roof_status hwdb_resolve(roof_hw *hw, const hwdb_search *search, const hwdb_entry *entry, size_t next_level,
                         roof_error *err)
{
    resolver r = {.hw = hw, .search = search, .err = err};
    return resolve_entry(&r, entry, next_level);
}

/* --- loading -------------------------------------------------------------------------------------------- */

roof_status hwdb_load(hwdb_document document, roof_hw **out, roof_error *err)
{
    hwdb_search search = {0};
    roof_hw *hw = hwdb_hw_new();
    roof_status status = ALLOCATED(hw, err);
    *out = NULL;
    if (hw && document.path)
        hw->path = arena_strdup(hw->arena, document.path);
    THEN(status, document.text ? ROOF_OK : hwdb_search_init(&search, hw->arena, err));
    if (status == ROOF_OK && document.name)
        status = hwdb_find(&search, hw->arena, document.name, 0, &document, err);
    THEN(status, resolve_document(&(resolver){.hw = hw, .search = &search, .err = err}, &document));
    THEN(status, arena_status(hw->arena, err));
    return GIVE(status, out, hw, roof_hw_free);
}

const roof_hw_listing *roof_hw_builtin(size_t i)
{
    return i < hwdb_n_listed ? &hwdb_builtins[i].listing : NULL;
}
