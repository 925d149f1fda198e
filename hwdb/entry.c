#include "hwdb/entry.h"
#include "core/error.h"
#include "core/text.h"
#include "core/jsonpull.h"
#include "core/quantity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

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

/* How a unit is called, and in which unit of ours a common other spelling is to be written. */
static const struct {
    const char *word, *advice;
} units[] = {
    {"Hz", NULL},
    {"B/s", NULL},
    {"B/cycle", NULL},
    {"lanes", NULL},
    {"ops/cycle", NULL},
    {"MACs/cycle", NULL},
    {"count", NULL},
    {"B", NULL},
    {"s", NULL},
    {"ops/s", NULL},
    {"cycles", NULL},
    {"W", NULL},
    {"MHz", "write it in Hz, such as 300000000"},
    {"GHz", "write it in Hz, such as 1250000000"},
    {"GB/s", "write it in B/s, such as 19200000000"},
    {"MB/s", "write it in B/s"},
    {"GOP/s", "write it in ops/s"},
    {"TOPS", "write it in ops/s, 1 MAC counts as 2"},
    {"bytes", "write B"},
    {"ms", "write it in s"},
    {"us", "write it in s"},
};

static const char *const unit_advice =
    "known are Hz, B/s, B/cycle, lanes, ops/cycle, MACs/cycle, count, B, s, ops/s, "
    "cycles, W";

const char *const hwdb_kind_words[ROOF_KIND_COUNT + 1] = {
    [ROOF_KIND_DATASHEET] = "datasheet", [ROOF_KIND_VENDOR_FILE] = "vendor_file",
    [ROOF_KIND_MEASURED] = "measured",   [ROOF_KIND_DERIVED] = "derived",
    [ROOF_KIND_ASSUMED] = "assumed",
};

const char *roof_value_kind_text(roof_value_kind kind)
{
    return (unsigned)kind < ROOF_KIND_COUNT ? hwdb_kind_words[kind] : "unknown";
}

/* --- keys and families ----------------------------------------------------------------------------------- */

/* A '*' in the table stands for one word between dots: the name of a memory pool, which compilers choose. Keys are in small
 * letters, so that "mempool.octoFlash.bandwidth" is not another pool's, which nobody asks for. */
static bool fits(const char *pattern, const char *key, bool any_case)
{
    const char *star = strchr(pattern, '*');
    size_t before = star ? (size_t)(star - pattern) : 0, word;
    if (!star)
        return strcmp(pattern, key) == 0;
    if (strncmp(pattern, key, before) != 0)
        return false;
    word = strcspn(key + before, ".");
    for (size_t i = 0; i < word && !any_case; i++)
        if (key[before + i] >= 'A' && key[before + i] <= 'Z')
            return false;
    return word && strcmp(star + 1, key + before + word) == 0;
}

const hwdb_key *hwdb_key_find(const char *key)
{
    for (size_t i = 0; i < COUNT(keys); i++)
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
    for (size_t i = 0; i < COUNT(keys); i++) {
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
    return strchr(key, '*') ? ", * being a pool's name in small letters" : "";
}

const char *hwdb_family_keys(const char *family)
{
    for (size_t i = 0; i < COUNT(families); i++)
        if (strcmp(families[i].name, family) == 0)
            return families[i].keys;
    return NULL;
}

/* --- names ----------------------------------------------------------------------------------------------- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

int hwdb_compare_names(const char *a, const char *b)
{
    for (; *a && lower(*a) == lower(*b); a++)
        b++;
    return (unsigned char)lower(*a) - (unsigned char)lower(*b);
}

bool hwdb_entry_is_called(const hwdb_entry *entry, const char *name)
{
    if (entry->id && hwdb_compare_names(entry->id, name) == 0)
        return true;
    for (size_t i = 0; i < entry->n_aliases; i++)
        if (hwdb_compare_names(entry->aliases[i], name) == 0)
            return true;
    return false;
}

static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

/* Ids, aliases and keys: lower case letters, digits and . _ - in between. */
static bool is_name(const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (!is_name_character(text[i]))
            return false;
    return length > 0 && length < HWDB_ID_SIZE && !strchr("._-", text[0]);
}

/* --- problems -------------------------------------------------------------------------------------------- */

void hwdb_problem_add(hwdb_problems *list, bool is_error, const char *pointer, const char *advice,
                      const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (list->n < HWDB_MAX_PROBLEMS)
        list->items[list->n++] = (roof_hw_problem){.is_error = is_error,
                                                   .pointer = arena_strdup(list->arena, pointer),
                                                   .text = arena_strdup(list->arena, text),
                                                   .advice = arena_strdup(list->arena, advice)};
}

roof_status hwdb_problems_status(const hwdb_problems *list, roof_error *err)
{
    TRY(arena_status(list->arena, err));
    for (size_t i = 0; i < list->n; i++) {
        const roof_hw_problem *p = &list->items[i];
        if (!p->is_error)
            continue;
        roof_status status =
            error_set(err, ROOF_E_DATA, "%s%s%s", p->text, *p->advice ? ": " : "", p->advice);
        if (*p->pointer)
            error_prefix(err, "%s", p->pointer);
        return status;
    }
    return ROOF_OK;
}

/* --- reading --------------------------------------------------------------------------------------------- */

/* A text that will be shown: one line, nothing that steers a terminal. */
static const char *read_text(hwdb_problems *list, const json_node *node, const char *pointer)
{
    const char *text = json_text(node);
    if (!node)
        hwdb_problem_add(list, true, pointer, "every value needs value, unit, kind and source", "is missing");
    else if (!text)
        hwdb_problem_add(list, true, pointer, "write it in quotes", "want a string");
    else if (text_first_bad(text, strlen(text)) != strlen(text))
        hwdb_problem_add(list, true, pointer, "write it in one line", "holds a control character");
    else if (!*text)
        hwdb_problem_add(list, true, pointer, "leave it out or fill it in", "is empty");
    else
        return arena_strdup(list->arena, text);
    return NULL;
}

static const char *read_name(hwdb_problems *list, const json_node *node, const char *pointer)
{
    const char *text = read_text(list, node, pointer);
    char shown[80];
    if (!text || is_name(text))
        return text;
    hwdb_problem_add(list, true, pointer,
                     "use at most 64 of a-z, 0-9, '.', '_' and '-', a letter or digit first",
                     "'%s' cannot be a name", quote_text(shown, sizeof shown, text, strlen(text)));
    return NULL;
}

static const char *read_optional(hwdb_problems *list, const json_node *root, const char *key)
{
    char pointer[80];
    const json_node *node = json_get(root, key);
    snprintf(pointer, sizeof pointer, "/%s", key);
    return node ? read_text(list, node, pointer) : NULL;
}

typedef const char *read_item(hwdb_problems *list, const json_node *node, const char *pointer);

/* An array of strings; where one is enough, the string may stand without brackets. */
static const char **read_list(hwdb_problems *list, const json_node *root, const char *key, read_item *read,
                              size_t *n)
{
    char pointer[112];
    const json_node *node = json_get(root, key);
    const bool is_one = json_is(node, JSON_STRING);
    snprintf(pointer, sizeof pointer, "/%s", key);
    *n = 0;
    if (!node)
        return NULL;
    if (!json_is(node, JSON_ARRAY) && !is_one) {
        hwdb_problem_add(list, true, pointer, "write [\"...\"]", "want an array of strings");
        return NULL;
    }
    const char **items = arena_alloc(list->arena, json_size(node) + 1, sizeof *items);
    if (!items)
        return NULL;
    size_t i = 0;
    for (const json_node *child = is_one ? node : json_first(node); child;
         child = is_one ? NULL : json_next(child)) {
        if (!is_one)
            snprintf(pointer, sizeof pointer, "/%s/%zu", key, i++);
        items[*n] = read(list, child, pointer);
        *n += items[*n] != NULL;
    }
    return items;
}

static void read_fingerprints(hwdb_problems *list, const json_node *root, hwdb_entry *out)
{
    size_t n = 0;
    const char **texts = read_list(list, root, "fingerprints", read_text, &n);
    out->fingerprints = arena_alloc(list->arena, n, sizeof *out->fingerprints);
    for (size_t i = 0; i < n && out->fingerprints; i++) {
        char pointer[48];
        snprintf(pointer, sizeof pointer, "/fingerprints/%zu", i);
        if (hex_parse(texts[i], &out->fingerprints[out->n_fingerprints]))
            out->n_fingerprints++;
        else
            hwdb_problem_add(list, true, pointer, "write it as \"0x101000056010407\"",
                             "want 1 to 16 hexadecimal digits after 0x");
    }
}

static const char *read_unit(hwdb_problems *list, const json_node *node, const char *pointer)
{
    char place[320], shown[48];
    snprintf(place, sizeof place, "%s/unit", pointer);
    const char *unit = read_text(list, json_get(node, "unit"), place), *advice = unit_advice;
    for (size_t i = 0; unit && i < COUNT(units); i++) {
        if (strcmp(units[i].word, unit) != 0)
            continue;
        if (!units[i].advice)
            return unit;
        advice = units[i].advice;
    }
    if (unit)
        hwdb_problem_add(list, true, place, advice, "unit '%s' is not known",
                         quote_text(shown, sizeof shown, unit, strlen(unit)));
    return NULL;
}

static void read_kind(hwdb_problems *list, const json_node *node, const char *pointer, roof_value_kind *out)
{
    char place[320], shown[48];
    snprintf(place, sizeof place, "%s/kind", pointer);
    const char *kind = read_text(list, json_get(node, "kind"), place);
    if (!kind)
        return;
    for (unsigned i = 0; i < ROOF_KIND_COUNT; i++)
        if (strcmp(hwdb_kind_words[i], kind) == 0) {
            *out = (roof_value_kind)i;
            return;
        }
    hwdb_problem_add(list, true, place, "known are datasheet, vendor_file, measured, derived, assumed",
                     "kind '%s' is not known", quote_text(shown, sizeof shown, kind, strlen(kind)));
}

/* Does the number fit its key and unit? */
static void check_value(hwdb_problems *list, const roof_quantity *q, const char *pointer)
{
    const hwdb_key *known = hwdb_key_find(q->key);
    const char *nearest = known ? NULL : hwdb_key_nearest(q->key);
    const bool is_count =
        strcmp(q->unit, "count") == 0 || strcmp(q->unit, "lanes") == 0 || strcmp(q->unit, "B") == 0;
    char advice[160];
    if (q->value < 0)
        hwdb_problem_add(list, true, pointer, "a quantity is 0 or more", "the value is negative");
    else if (is_count && (q->value > floor(q->value) || q->value > 9007199254740992.0))
        hwdb_problem_add(list, true, pointer, "write a whole number up to 2^53", "%s cannot be a fraction",
                         q->unit);
    if (known && strcmp(known->unit, q->unit) != 0) {
        snprintf(advice, sizeof advice, "write it in %s: %s", known->unit, known->meaning);
        hwdb_problem_add(list, true, pointer, advice, "unit '%s' does not fit the key", q->unit);
    }
    if (!known) {
        snprintf(advice, sizeof advice, nearest ? "did you mean %s%s?" : "it is kept and shown", nearest,
                 nearest ? hwdb_key_hint(nearest) : "");
        hwdb_problem_add(list, false, pointer, advice, "no cycle law reads this key");
    }
}

/* The members that a value may have; "note" is for people. */
static void check_members(hwdb_problems *list, const json_node *node, const char *pointer,
                          const char *const *known, size_t n)
{
    for (const json_node *child = json_first(node); child; child = json_next(child)) {
        char place[560], step[200];
        bool found = false;
        for (size_t i = 0; i < n && !found; i++)
            found = strcmp(known[i], json_key(child)) == 0;
        if (found)
            continue;
        snprintf(place, sizeof place, "%s/%s", pointer,
                 json_pointer_step(step, sizeof step, json_key(child)));
        hwdb_problem_add(list, false, place, "it is ignored; is it a typing error?", "unknown member");
    }
}

static void read_value(hwdb_problems *list, const json_node *node, hwdb_entry *out)
{
    static const char *const members[] = {"value", "unit", "kind", "source", "note"};
    char pointer[256], step[200], place[320];
    const char *key = json_key(node);
    roof_quantity q = {.kind = ROOF_KIND_ASSUMED};
    roof_error err = {0};
    snprintf(pointer, sizeof pointer, "/values/%s", json_pointer_step(step, sizeof step, key));
    if (!is_name(key)) {
        hwdb_problem_add(list, true, pointer, "use a-z, 0-9, '.', '_' and '-'", "cannot be a key");
        return;
    }
    if (!json_is(node, JSON_OBJECT)) {
        hwdb_problem_add(list, true, pointer,
                         "write {\"value\":...,\"unit\":...,\"kind\":...,\"source\":...}", "want an object");
        return;
    }
    q.key = arena_strdup(list->arena, key);
    if (json_number(node, pointer, "value", &q.value, &err) != ROOF_OK)
        hwdb_problem_add(list, true, err.where, "", "%s", err.what);
    q.unit = read_unit(list, node, pointer);
    read_kind(list, node, pointer, &q.kind);
    snprintf(place, sizeof place, "%s/source", pointer);
    q.source = read_text(list, json_get(node, "source"), place);
    check_members(list, node, pointer, members, COUNT(members));
    if (q.key && q.unit && q.source) {
        check_value(list, &q, pointer);
        out->values[out->n_values++] = q;
    }
}

static void read_values(hwdb_problems *list, const json_node *root, hwdb_entry *out)
{
    const json_node *node = json_get(root, "values");
    if (!node)
        return;
    if (!json_is(node, JSON_OBJECT)) {
        hwdb_problem_add(list, true, "/values", "write {\"clock\":{...}}", "want an object");
        return;
    }
    out->values = arena_alloc(list->arena, json_size(node), sizeof *out->values);
    for (const json_node *child = json_first(node); child && out->values; child = json_next(child))
        read_value(list, child, out);
}

static void read_schema(hwdb_problems *list, const json_node *root)
{
    const char *schema = json_text(json_get(root, "schema"));
    char shown[80];
    if (!schema)
        hwdb_problem_add(list, true, "/schema", "write \"" HWDB_SCHEMA "\"", "is missing");
    else if (strcmp(schema, HWDB_SCHEMA) != 0)
        hwdb_problem_add(list, true, "/schema", "want \"" HWDB_SCHEMA "\"", "is '%s'",
                         quote_text(shown, sizeof shown, schema, strlen(schema)));
}

static void read_heading(hwdb_problems *list, const json_node *root, hwdb_entry *out)
{
    const json_node *abstract = json_get(root, "abstract"), *family = json_get(root, "family");
    const json_node *id = json_get(root, "id");
    if (id)
        out->id = read_name(list, id, "/id");
    else
        hwdb_problem_add(list, true, "/id", "give it a name, such as \"my-board\"", "is missing");
    out->name = read_optional(list, root, "name");
    out->board = read_optional(list, root, "board");
    out->summary = read_optional(list, root, "summary");
    out->family = family ? read_name(list, family, "/family") : NULL;
    out->is_abstract = json_is(abstract, JSON_TRUE);
    if (abstract && !out->is_abstract && !json_is(abstract, JSON_FALSE))
        hwdb_problem_add(list, true, "/abstract", "write true or false", "want true or false");
}

void hwdb_entry_read(const json_node *root, hwdb_problems *list, hwdb_entry *out)
{
    static const char *const members[] = {"$schema", "schema",  "id",      "name",    "board",
                                          "family",  "aliases", "extends", "summary", "fingerprints",
                                          "values",  "notes",   "abstract"};
    *out = (hwdb_entry){0};
    if (!json_is(root, JSON_OBJECT)) {
        hwdb_problem_add(list, true, "", "begin with {\"schema\":\"" HWDB_SCHEMA "\"}", "want an object");
        return;
    }
    read_schema(list, root);
    read_heading(list, root, out);
    out->aliases = read_list(list, root, "aliases", read_name, &out->n_aliases);
    out->parents = read_list(list, root, "extends", read_name, &out->n_parents);
    out->notes = read_list(list, root, "notes", read_text, &out->n_notes);
    if (out->n_parents > HWDB_MAX_PARENTS)
        hwdb_problem_add(list, true, "/extends", "name at most 8", "has %zu entries", out->n_parents);
    read_fingerprints(list, root, out);
    read_values(list, root, out);
    check_members(list, root, "", members, COUNT(members));
}
