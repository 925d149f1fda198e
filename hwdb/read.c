/* A description out of its JSON. Whatever is wrong is noted at the place of what was read last, and reading goes on; only what
 * is no JSON ends it. */
#include "core/codec.h"
#include "core/error.h"
#include "core/input.h"
#include "core/quantity.h"
#include "hwdb/hwdb.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTER_SIZE = 560 };

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
    {"ratio", NULL},
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
static const char *const unit_advice =
    "known are Hz, B/s, B/cycle, lanes, ops/cycle, MACs/cycle, count, B, s, ops/s, cycles, W, ratio";

static void note(const codec *c, bool is_error, const char *advice, const char *format, ...)
    ROOF_PRINTF(4, 5);

static void note(const codec *c, bool is_error, const char *advice, const char *format, ...)
{
    char pointer[POINTER_SIZE], text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    hwdb_problem_add(c->user, is_error, jsonpull_pointer(c->puller, pointer, sizeof pointer), advice, text);
}

/* --- one value ------------------------------------------------------------------------------------------- */

/* A text that will be shown: one line, nothing that steers a terminal. The target stays NULL where it is none. */
static roof_status read_text(codec *c, const json_event *event, void *target)
{
    if (!event->text)
        note(c, true, "write it in quotes", "want a string");
    else if (text_first_bad(event->text, event->text_length) != event->text_length)
        note(c, true, "write it in one line", "holds a control character");
    else if (!*event->text)
        note(c, true, "leave it out or fill it in", "is empty");
    else
        *(const char **)target = arena_strdup(c->arena, event->text);
    return ROOF_OK;
}

/* Ids, aliases and keys: lower case letters, digits and . _ - in between. */
static bool is_name(const char *text)
{
    const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789._-");
    return length > 0 && length < HWDB_ID_SIZE && !text[length] && !strchr("._-", text[0]);
}

static roof_status read_name(codec *c, const json_event *event, void *target)
{
    const char *name = NULL;
    char shown[80];
    TRY(read_text(c, event, &name));
    if (name && !is_name(name))
        note(c, true, "use at most 64 of a-z, 0-9, '.', '_' and '-', a letter or digit first",
             "'%s' cannot be a name", quote_text(shown, sizeof shown, name, strlen(name)));
    else
        *(const char **)target = name;
    return ROOF_OK;
}

static roof_status read_schema(codec *c, const json_event *event, void *target)
{
    char shown[80];
    (void)target;
    if (!event->text)
        note(c, true, schema_advice, "is missing");
    else if (strcmp(event->text, HWDB_SCHEMA) != 0)
        note(c, true, "want \"" HWDB_SCHEMA "\"", "is '%s'",
             quote_text(shown, sizeof shown, event->text, event->text_length));
    return ROOF_OK;
}

static roof_status read_bool(codec *c, const json_event *event, void *target)
{
    if (event->kind == JSON_TRUE || event->kind == JSON_FALSE)
        *(bool *)target = event->kind == JSON_TRUE;
    else
        note(c, true, "write true or false", "want true or false");
    return ROOF_OK;
}

static roof_status read_number(codec *c, const json_event *event, void *target)
{
    if (event->kind == JSON_NUMBER)
        *(double *)target = event->number;
    else
        note(c, true, "", "is %s, want a number", json_kind_text(event->kind));
    return ROOF_OK;
}

/* Kept as a text: who asks for hardware by its fingerprint asks the table of all built-in ones. */
static roof_status read_fingerprint(codec *c, const json_event *event, void *target)
{
    uint64_t fingerprint;
    const char **text = target;
    TRY(read_text(c, event, text));
    if (*text && !hex_parse(*text, &fingerprint)) {
        note(c, true, "write it as \"0x101000056010407\"", "want 1 to 16 hexadecimal digits after 0x");
        *text = NULL;
    }
    return ROOF_OK;
}

static roof_status read_unit(codec *c, const json_event *event, void *target)
{
    const char *unit = NULL, *advice = unit_advice;
    char shown[48];
    TRY(read_text(c, event, &unit));
    for (size_t i = 0; unit && i < CODEC_N(units); i++)
        if (strcmp(units[i].word, unit) == 0)
            advice = units[i].advice;
    if (unit && advice)
        note(c, true, advice, "unit '%s' is not known", quote_text(shown, sizeof shown, unit, strlen(unit)));
    else
        *(const char **)target = unit;
    return ROOF_OK;
}

static roof_status read_kind(codec *c, const json_event *event, void *target)
{
    const char *kind = NULL;
    char shown[48];
    TRY(read_text(c, event, &kind));
    for (unsigned i = 0; kind && i < ROOF_KIND_COUNT; i++)
        if (strcmp(hwdb_kind_words[i], kind) == 0) {
            *(roof_value_kind *)target = (roof_value_kind)i;
            return ROOF_OK;
        }
    if (kind)
        note(c, true, "known are datasheet, vendor_file, measured, derived, assumed",
             "kind '%s' is not known", quote_text(shown, sizeof shown, kind, strlen(kind)));
    return ROOF_OK;
}

/* --- lists of texts -------------------------------------------------------------------------------------- */

typedef struct text_list {
    hwdb_texts *texts;
    codec_reader read; /* of each */
} text_list;

static roof_status read_item(codec *c, const json_event *event, void *list_)
{
    text_list *list = list_;
    const char *text = NULL;
    TRY(list->read(c, event, &text));
    const char **items =
        text ? arena_grow(c->arena, list->texts->items, list->texts->n, sizeof *items) : NULL;
    if (items) {
        list->texts->items = items;
        items[list->texts->n++] = text;
    }
    return jsonpull_skip(c->puller, c->err);
}

/* An array of strings; where one is enough, the string may stand without brackets. */
static roof_status read_list(codec *c, const json_event *event, hwdb_texts *texts, codec_reader read)
{
    text_list list = {texts, read};
    if (event->kind == JSON_ARRAY)
        return codec_read_array(c, event, read_item, &list);
    if (event->kind == JSON_STRING)
        return read_item(c, event, &list);
    note(c, true, "write [\"...\"]", "want an array of strings");
    return ROOF_OK;
}

static roof_status read_parents(codec *c, const json_event *event, void *target)
{
    const hwdb_texts *parents = target;
    TRY(read_list(c, event, target, read_name));
    if (parents->n > HWDB_MAX_PARENTS)
        note(c, true, "name at most 8", "has %zu entries", parents->n);
    return ROOF_OK;
}

/* --- objects --------------------------------------------------------------------------------------------- */

typedef struct member {
    const char *key;
    codec_reader read;  /* NULL: it is for people or editors */
    codec_reader items; /* of each of a list of texts */
    size_t offset;
    const char *missing, *advice; /* said where it has to be there and is not */
} member;

/* An object as it is read: not by codec_read_object, which ends at the first thing that is wrong. */
typedef struct reading {
    const member *members;
    size_t n;
    void *target;
    uint64_t seen;
    const char *twice; /* a key that is there twice; NULL: none */
    uint64_t rank;     /* of the problems of the first member; step lies between two of them */
    uint64_t step;
} reading;

static roof_status read_member(codec *c, const json_event *event, void *reading_)
{
    reading *r = reading_;
    hwdb_problems *problems = c->user;
    size_t i = 0;
    while (i < r->n && strcmp(r->members[i].key, event->key) != 0)
        i++;
    problems->rank = r->rank + i * r->step;
    if (i == r->n)
        note(c, false, "it is ignored; is it a typing error?", "unknown member");
    else if (r->seen >> i & 1)
        r->twice = r->members[i].key;
    else if (r->members[i].items)
        TRY(read_list(c, event, (void *)((char *)r->target + r->members[i].offset), r->members[i].items));
    else if (r->members[i].read)
        TRY(r->members[i].read(c, event, (char *)r->target + r->members[i].offset));
    r->seen |= UINT64_C(1) << i;
    return jsonpull_skip(c->puller, c->err);
}

/* At the end of an object. No value may count that another one contradicts. */
static roof_status fail_twice(const codec *c, const char *key)
{
    char pointer[POINTER_SIZE];
    error_set(c->err, ROOF_E_DATA, "the key '%s' is there twice", key);
    if (*jsonpull_pointer(c->puller, pointer, sizeof pointer))
        error_prefix(c->err, "%s", pointer);
    return ROOF_E_DATA;
}

static roof_status read_object(codec *c, const json_event *event, reading r)
{
    char pointer[POINTER_SIZE], place[POINTER_SIZE + 16];
    hwdb_problems *problems = c->user;
    r.rank = problems->rank;
    TRY(codec_read_members(c, event, read_member, &r));
    if (r.twice)
        return fail_twice(c, r.twice);
    jsonpull_pointer(c->puller, pointer, sizeof pointer);
    for (size_t i = 0; i < r.n; i++) {
        problems->rank = r.rank + i * r.step;
        snprintf(place, sizeof place, "%s/%s", pointer, r.members[i].key);
        if (r.members[i].missing && !(r.seen >> i & 1))
            hwdb_problem_add(problems, true, place, r.members[i].advice, r.members[i].missing);
    }
    problems->rank = r.rank + (r.n + 1) * r.step;
    return ROOF_OK;
}

/* Does the number fit its key and unit? */
static void check_value(const codec *c, const roof_quantity *q)
{
    const hwdb_key *known = hwdb_key_find(q->key);
    const char *nearest = known ? NULL : hwdb_key_nearest(q->key);
    const bool is_count =
        strcmp(q->unit, "count") == 0 || strcmp(q->unit, "lanes") == 0 || strcmp(q->unit, "B") == 0;
    char advice[160];
    if (q->value < 0)
        note(c, true, "a quantity is 0 or more", "the value is negative");
    else if (is_count && (q->value > floor(q->value) || q->value > 9007199254740992.0))
        note(c, true, "write a whole number up to 2^53", "%s cannot be a fraction", q->unit);
    if (known && strcmp(known->unit, q->unit) != 0) {
        snprintf(advice, sizeof advice, "write it in %s: %s", known->unit, known->meaning);
        note(c, true, advice, "unit '%s' does not fit the key", q->unit);
    }
    if (!known) {
        snprintf(advice, sizeof advice, nearest ? "did you mean %s%s?" : "it is kept and shown", nearest,
                 nearest ? hwdb_key_hint(nearest) : "");
        note(c, false, advice, "no cycle law reads this key");
    }
}

#define IN_VALUE(member_, read_, missing_)                                                                   \
    .key = #member_, .read = (read_), .offset = offsetof(roof_quantity, member_), .missing = (missing_)

static roof_status read_quantity(codec *c, const json_event *event, roof_quantity *q)
{
    static const char all[] = "every value needs value, unit, kind and source";
    static const member members[] = {
        {IN_VALUE(value, read_number, "is missing, want a number"), .advice = ""},
        {IN_VALUE(unit, read_unit, "is missing"), .advice = all},
        {IN_VALUE(kind, read_kind, "is missing"), .advice = all},
        {IN_VALUE(source, read_text, "is missing"), .advice = all},
        {.key = "caveat", .read = read_text, .offset = offsetof(roof_quantity, caveat)},
        {.key = "note"},
    };
    *q = (roof_quantity){.key = arena_strdup(c->arena, event->key), .kind = ROOF_KIND_ASSUMED};
    TRY(read_object(c, event, (reading){.members = members, .n = CODEC_N(members), .target = q, .step = 1}));
    if (q->key && q->unit && q->source)
        check_value(c, q);
    return ROOF_OK;
}

static roof_status read_value(codec *c, const json_event *event, void *target)
{
    hwdb_entry *entry = target;
    roof_quantity q = {0};
    if (!is_name(event->key))
        note(c, true, "use a-z, 0-9, '.', '_' and '-'", "cannot be a key");
    else if (event->kind != JSON_OBJECT)
        note(c, true, "write {\"value\":...,\"unit\":...,\"kind\":...,\"source\":...}", "want an object");
    else
        TRY(read_quantity(c, event, &q));
    ((hwdb_problems *)c->user)->rank++; /* the next value's come behind this one's */
    const bool is_whole = q.key && q.unit && q.source;
    roof_quantity *values = is_whole ? arena_grow(c->arena, entry->values, entry->n_values, sizeof q) : NULL;
    if (values) {
        entry->values = values;
        values[entry->n_values++] = q;
    }
    return jsonpull_skip(c->puller, c->err);
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const roof_quantity *)a)->key, ((const roof_quantity *)b)->key);
}

static roof_status read_values(codec *c, const json_event *event, void *target)
{
    hwdb_entry *entry = target;
    if (event->kind != JSON_OBJECT) {
        note(c, true, "write {\"clock\":{...}}", "want an object");
        return ROOF_OK;
    }
    TRY(codec_read_members(c, event, read_value, entry));
    if (entry->n_values)
        qsort(entry->values, entry->n_values, sizeof *entry->values, compare_keys);
    for (size_t i = 1; i < entry->n_values; i++)
        if (compare_keys(&entry->values[i - 1], &entry->values[i]) == 0)
            return fail_twice(c, entry->values[i].key);
    return ROOF_OK;
}

#define TEXT(member_, read_)  .key = #member_, .read = (read_), .offset = offsetof(hwdb_entry, member_)
#define TEXTS(key_, list, of) .key = (key_), .items = (of), .offset = offsetof(hwdb_entry, list)

/* In the order in which their problems are told. */
static const member entry_members[] = {
    {.key = "schema", .read = read_schema, .missing = "is missing", .advice = schema_advice},
    {TEXT(id, read_name), .missing = "is missing", .advice = "give it a name, such as \"my-board\""},
    {TEXT(name, read_text)},
    {TEXT(board, read_text)},
    {TEXT(summary, read_text)},
    {TEXT(family, read_name)},
    {.key = "abstract", .read = read_bool, .offset = offsetof(hwdb_entry, is_abstract)},
    {TEXTS("aliases", aliases, read_name)},
    {.key = "extends", .read = read_parents, .offset = offsetof(hwdb_entry, parents)},
    {TEXTS("notes", notes, read_text)},
    {TEXTS("fingerprints", fingerprints, read_fingerprint)},
    {.key = "values", .read = read_values},
    {.key = "$schema"},
};

/* --- a document ------------------------------------------------------------------------------------------ */

static roof_status read_entry(jsonpull *puller, hwdb_problems *problems, hwdb_entry *out, roof_error *err)
{
    codec c = {.puller = puller, .arena = problems->arena, .user = problems, .err = err};
    const reading r = {entry_members, CODEC_N(entry_members), .target = out, .step = UINT64_C(1) << 32};
    json_event event;
    TRY(jsonpull_next(puller, &event, err));
    if (event.kind == JSON_OBJECT)
        TRY(read_object(&c, &event, r));
    else
        note(&c, true, "begin with {\"schema\":\"" HWDB_SCHEMA "\"}", "want an object");
    TRY(jsonpull_skip(puller, err));
    return jsonpull_next(puller, &event, err); /* nothing may follow */
}

roof_status hwdb_entry_read(const hwdb_document *document, hwdb_problems *problems, hwdb_entry *out,
                            roof_error *err)
{
    input_file input = {.name = document->place};
    *out = (hwdb_entry){0};
    if (hwdb_is_table(document))
        return hwdb_ceilings_read(document, problems, out, err);
    if (document->path)
        TRY(input_open(document->path, HWDB_LARGEST_BYTES, &input, err));
    jsonpull *puller = document->path ? jsonpull_new(input_read, &input)
                                      : jsonpull_of_memory(document->text, document->size);
    roof_status status = puller ? read_entry(puller, problems, out, err) : error_memory(err);
    if (status != ROOF_OK)
        error_prefix(err, "%s", input.name);
    jsonpull_free(puller);
    if (document->path)
        input_close(&input);
    return status;
}
