/* A description out of its JSON. Faults are noted at their places, member by member in one order whatever
 * that of the file is, and reading goes on; only text that is no JSON ends it. */
#include "core/json/jsontree.h"
#include "hwdb/hwdb.h"

enum { POINTER_SIZE = 560 };

static const char *const units[] = {"Hz", "B/s", "B/cycle", "lanes",  "ops/cycle", "MACs/cycle", "count",
                                    "B",  "s",   "ops/s",   "cycles", "W",         "ratio"};

/* In which unit of ours a common other spelling is to be written. */
static const struct {
    const char *word, *advice;
} spellings[] = {
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

static const char schema_advice[] = "write \"" HWDB_SCHEMA "\"";

/* A document as it is read. */
typedef struct reading {
    const cJSON *root;
    hwdb_problems *problems;
} reading;

typedef const char *text_reader(const reading *r, const cJSON *node);

ROOF_PRINTF(5, 6)
static void note(const reading *r, const cJSON *at, bool is_error, const char *advice, const char *format,
                 ...)
{
    char pointer[POINTER_SIZE], text[400];
    va_list args;
    if (r->problems->n == HWDB_MAX_PROBLEMS) /* each place is looked for in the whole tree */
        return;
    va_start(args, format);
    print_list(text, sizeof text, format, args);
    va_end(args);
    hwdb_problem_add(r->problems, is_error, jsontree_pointer(r->root, at, pointer, sizeof pointer), advice,
                     text);
}

static const cJSON *want(const reading *r, const cJSON *object, const char *key, const char *missing,
                         const char *advice)
{
    char pointer[POINTER_SIZE], place[POINTER_SIZE + 16];
    const cJSON *found = jsontree_get(object, key);
    if (found || r->problems->n == HWDB_MAX_PROBLEMS)
        return found;
    snprintf(place, sizeof place, "%s/%s", jsontree_pointer(r->root, object, pointer, sizeof pointer), key);
    hwdb_problem_add(r->problems, true, place, advice, missing);
    return NULL;
}

/* keys: all that the object may have, ends with NULL. */
static void note_unknown(const reading *r, const cJSON *object, const char *const *keys)
{
    for (const cJSON *child = object->child; child; child = child->next) {
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], child->string) != 0)
            i++;
        if (!keys[i])
            note(r, child, false, "it is ignored; is it a typing error?", "unknown member");
    }
}

/* --- one value; NULL: there is none, or none that is good ----------------------------------------------- */

/* A text that will be shown: one line, nothing that steers a terminal. */
static const char *read_text(const reading *r, const cJSON *node)
{
    const char *text = cJSON_GetStringValue(node);
    if (!node)
        return NULL;
    if (!text)
        note(r, node, true, "write it in quotes", "want a string");
    else if (utf8_first_bad(text, strlen(text)) != strlen(text))
        note(r, node, true, "write it in one line", "holds a control character");
    else if (!*text)
        note(r, node, true, "leave it out or fill it in", "is empty");
    else
        return arena_strdup(r->problems->arena, text);
    return NULL;
}

/* Ids, aliases and keys: lower case letters, digits and . _ - in between. */
static bool is_name(const char *text)
{
    const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789._-");
    return length > 0 && length < HWDB_ID_SIZE && !text[length] && !strchr("._-", text[0]);
}

static const char *read_name(const reading *r, const cJSON *node)
{
    const char *name = read_text(r, node);
    if (!name || is_name(name))
        return name;
    note(r, node, true, "use at most 64 of a-z, 0-9, '.', '_' and '-', a letter or digit first",
         "'%s' cannot be a name", SHOWN_TEXT(name));
    return NULL;
}

/* Kept as a text: who asks for hardware by its fingerprint asks the table of all built-in ones. */
static const char *read_fingerprint(const reading *r, const cJSON *node)
{
    uint64_t fingerprint;
    const char *text = read_text(r, node);
    if (!text || hex_parse(text, &fingerprint))
        return text;
    note(r, node, true, "write it as \"0x101000056010407\"", "want 1 to 16 hexadecimal digits after 0x");
    return NULL;
}

/* The index of one of n words; n: it is none of them. */
static uint32_t read_word(const reading *r, const cJSON *node, const char *what, const char *const *words,
                          uint32_t n, const char *known)
{
    const char *text = read_text(r, node);
    char shown[48];
    const uint32_t at = WORD_AT(words, n, text), spelling = NAMED_AT(spellings, N_OF(spellings), word, text);
    if (text && at == n)
        note(r, node, true, words == units && spelling < N_OF(spellings) ? spellings[spelling].advice : known,
             "%s '%s' is unknown", what, quote_text(shown, sizeof shown, text, strlen(text)));
    return at;
}

/* --- lists and objects ---------------------------------------------------------------------------------- */

/* An array of strings; where one is enough, the string may stand without brackets. */
static hwdb_texts read_list(const reading *r, const cJSON *node, text_reader *read)
{
    hwdb_texts texts = {0};
    const bool is_one = cJSON_IsString(node);
    if (node && !is_one && !cJSON_IsArray(node))
        note(r, node, true, "write [\"...\"]", "want an array of strings");
    const size_t most = is_one ? 1 : cJSON_IsArray(node) ? (size_t)cJSON_GetArraySize(node) : 0;
    const cJSON *item = is_one ? node : node && most ? node->child : NULL;
    texts.items = most ? NEW_ARRAY(r->problems->arena, const char *, most) : NULL;
    for (size_t i = 0; texts.items && item && i < most; i++, item = item->next) {
        texts.items[texts.n] = read(r, item);
        texts.n += texts.items[texts.n] != NULL;
    }
    return texts;
}

static void check_value(const reading *r, const cJSON *at, const roof_quantity *q)
{
    const hwdb_key *known = hwdb_key_find(q->key);
    const char *nearest = known ? NULL : hwdb_key_nearest(q->key);
    const bool is_count =
        strcmp(q->unit, "count") == 0 || strcmp(q->unit, "lanes") == 0 || strcmp(q->unit, "B") == 0;
    char advice[160];
    if (q->value < 0)
        note(r, at, true, "a quantity is 0 or more", "the value is negative");
    else if (is_count && (q->value > floor(q->value) || q->value > 9007199254740992.0))
        note(r, at, true, "write a whole number up to 2^53", "%s cannot be a fraction", q->unit);
    if (known && strcmp(known->unit, q->unit) != 0) {
        snprintf(advice, sizeof advice, "write it in %s: %s", known->unit, known->meaning);
        note(r, at, true, advice, "unit '%s' does not fit the key", q->unit);
    }
    if (!known) {
        snprintf(advice, sizeof advice, nearest ? "did you mean %s%s?" : "it is kept and shown", nearest,
                 nearest ? hwdb_key_hint(nearest) : "");
        note(r, at, false, advice, "no cost model reads this key");
    }
}

static roof_quantity read_quantity(const reading *r, const cJSON *node)
{
    static const char all[] = "every value needs value, unit, kind and source";
    static const char *const keys[] = {"value", "unit", "kind", "source", "caveat", "note", NULL};
    roof_quantity q = {.key = arena_strdup(r->problems->arena, node->string)};
    const cJSON *value = want(r, node, "value", "is missing, want a number", "");
    q.value = cJSON_IsNumber(value) ? value->valuedouble : 0;
    if (value && !cJSON_IsNumber(value))
        note(r, value, true, "", "is %s, want a number", jsontree_kind_text(value));
    const uint32_t unit = read_word(
        r, want(r, node, "unit", "is missing", all), "unit", units, N_OF(units),
        "known are Hz, B/s, B/cycle, lanes, ops/cycle, MACs/cycle, count, B, s, ops/s, cycles, W, ratio");
    q.unit = unit < N_OF(units) ? units[unit] : NULL;
    q.kind = (roof_value_kind)read_word(r, want(r, node, "kind", "is missing", all), "kind", hwdb_kind_words,
                                        ROOF_KIND_COUNT,
                                        "known are datasheet, vendor_file, measured, derived, assumed");
    q.source = read_text(r, want(r, node, "source", "is missing", all));
    q.caveat = read_text(r, jsontree_get(node, "caveat"));
    note_unknown(r, node, keys);
    if (q.key && q.unit && q.source)
        check_value(r, node, &q);
    return q;
}

static void read_values(const reading *r, const cJSON *values, hwdb_entry *entry)
{
    if (values && !cJSON_IsObject(values))
        note(r, values, true, "write {\"clock\":{...}}", "want an object");
    const size_t most = cJSON_IsObject(values) ? (size_t)cJSON_GetArraySize(values) : 0;
    entry->values = most ? NEW_ARRAY(r->problems->arena, roof_quantity, most) : NULL;
    for (const cJSON *value = values && entry->values ? values->child : NULL; value; value = value->next) {
        roof_quantity q = {0};
        if (!is_name(value->string))
            note(r, value, true, "use a-z, 0-9, '.', '_' and '-'", "cannot be a key");
        else if (!cJSON_IsObject(value))
            note(r, value, true, "write {\"value\":...,\"unit\":...,\"kind\":...,\"source\":...}",
                 "want an object");
        else
            q = read_quantity(r, value);
        if (q.key && q.unit && q.source)
            entry->values[entry->n_values++] = q;
    }
    if (entry->values)
        order_sort(entry->values, entry->n_values, sizeof *entry->values,
                   ORDER_BY(RISING(roof_quantity, key)));
}

/* --- a document ----------------------------------------------------------------------------------------- */

static void read_entry(const reading *r, hwdb_entry *out)
{
    static const char *const keys[] = {"schema",       "id",       "name",    "board",   "summary",
                                       "family",       "abstract", "aliases", "extends", "notes",
                                       "fingerprints", "values",   "$schema", NULL};
    const cJSON *o = r->root;
    if (!cJSON_IsObject(o)) {
        note(r, o, true, "begin with {\"schema\":\"" HWDB_SCHEMA "\"}", "want an object");
        return;
    }
    const cJSON *schema = want(r, o, "schema", "is missing", schema_advice);
    if (schema && !cJSON_IsString(schema))
        note(r, schema, true, schema_advice, "is missing");
    else if (schema && strcmp(schema->valuestring, HWDB_SCHEMA) != 0)
        note(r, schema, true, "want \"" HWDB_SCHEMA "\"", "is '%s'", SHOWN_TEXT(schema->valuestring));
    out->id = read_name(r, want(r, o, "id", "is missing", "give it a name, such as \"my-board\""));
    out->name = read_text(r, jsontree_get(o, "name"));
    out->board = read_text(r, jsontree_get(o, "board"));
    out->summary = read_text(r, jsontree_get(o, "summary"));
    out->family = read_name(r, jsontree_get(o, "family"));
    const cJSON *node = jsontree_get(o, "abstract");
    if (node && !cJSON_IsBool(node))
        note(r, node, true, "write true or false", "want true or false");
    out->is_abstract = cJSON_IsTrue(node);
    out->aliases = read_list(r, jsontree_get(o, "aliases"), read_name);
    const cJSON *extends = jsontree_get(o, "extends");
    out->parents = read_list(r, extends, read_name);
    if (out->parents.n > HWDB_MAX_PARENTS)
        note(r, extends, true, "name at most 8", "has %zu entries", out->parents.n);
    out->notes = read_list(r, jsontree_get(o, "notes"), read_text);
    out->fingerprints = read_list(r, jsontree_get(o, "fingerprints"), read_fingerprint);
    read_values(r, jsontree_get(o, "values"), out);
    note_unknown(r, o, keys);
}

roof_status hwdb_entry_read(const hwdb_document *document, hwdb_problems *problems, hwdb_entry *out,
                            roof_error *err)
{
    cJSON *root;
    *out = (hwdb_entry){0};
    if (hwdb_is_table(document))
        return hwdb_ceilings_read(document, problems, out, err);
    TRY(document->path ? jsontree_read(document->path, HWDB_LARGEST_BYTES, &root, err)
                       : jsontree_parse(document->text, document->size, document->place, &root, err));
    read_entry(&(reading){root, problems}, out);
    cJSON_Delete(root);
    return ROOF_OK;
}
