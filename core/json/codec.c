#include "core/json/codec.h"

#include <limits.h>

enum { POINTER_SIZE = 400, COMPARED = 64 };
#define LARGEST_EXACT 9007199254740992.0 /* 2^53: larger doubles are no longer all whole numbers */

roof_status codec_fill_error(codec *c, roof_status status, const char *format, ...)
{
    char pointer[POINTER_SIZE], what[ROOF_ERROR_WHAT_SIZE];
    va_list args;
    va_start(args, format);
    print_list(what, sizeof what, format, args);
    va_end(args);
    error_line(c->err, status, jsonpull_line(c->puller), "%s", what);
    if (*jsonpull_pointer(c->puller, pointer, sizeof pointer))
        error_prefix(c->err, "%s", pointer);
    return status;
}

static roof_status wrong_kind(codec *c, const json_event *event, const char *wanted)
{
    char shown[64];
    if (event->kind != JSON_STRING)
        return codec_fail(c, "found %s, want %s", json_kind_text(event->kind), wanted);
    quote_text(shown, sizeof shown, event->text, event->text_length);
    return codec_fail(c, "found the string \"%s\", want %s", shown, wanted);
}

/* Writes null for an unknown member, or nothing where the table leaves it out. */
static void write_unknown(codec *c, const codec_member *m)
{
    if (!(m->how & CODEC_OMIT))
        jsonout_null(c->out, m->key);
}

/* --- texts -------------------------------------------------------------------------------------------- */

static roof_status read_text(codec *c, const codec_member *m, const json_event *event, void *target)
{
    if (event->kind != JSON_STRING)
        return wrong_kind(c, event, "a string");
    if (m->kind == CODEC_NAME && utf8_first_bad(event->text, event->text_length) < event->text_length)
        return codec_fail(c, "holds a control character");
    const char *copy = arena_strndup(c->arena, event->text, event->text_length);
    TRY(ALLOCATED(copy, c->err));
    memcpy(target, &copy, sizeof copy);
    return ROOF_OK;
}

static roof_status read_shared(codec *c, const codec_member *m, const json_event *event, void *target)
{
    enum { N_SHARED = CODEC_N(c->shared) };
    unsigned i = 0;
    if (event->kind != JSON_STRING)
        return codec_fail(c, "found %s, want a %s", json_kind_text(event->kind),
                          m->kind == CODEC_SHARED ? "word" : "string");
    while (i < N_SHARED && !(c->shared[i] && strcmp(c->shared[i], event->text) == 0))
        i++;
    if (i == N_SHARED) {
        i = c->next_shared++ % N_SHARED;
        c->shared[i] = arena_strdup(c->arena, event->text);
    }
    TRY(ALLOCATED(c->shared[i], c->err));
    memcpy(target, &c->shared[i], sizeof c->shared[i]);
    return ROOF_OK;
}

static void write_text(codec *c, const codec_member *m, const void *source)
{
    const char *text = *(const char *const *)source;
    if (!text || (!*text && m->how & CODEC_ZERO))
        write_unknown(c, m);
    else
        jsonout_string(c->out, m->key, text);
}

static void forget_text(const codec_member *m, void *target)
{
    *(const char **)target = m->how & (CODEC_ZERO | CODEC_PLAIN) ? "" : NULL;
}

static roof_status read_word(codec *c, const codec_member *m, const json_event *event, void *target)
{
    char wanted[200] = "one of";
    const char *comma = "";
    for (unsigned value = 0; m->words[value]; value++) {
        size_t used = strlen(wanted);
        if (!m->words[value][0])
            continue;
        if (event->kind == JSON_STRING && strcmp(m->words[value], event->text) == 0) {
            memcpy(target, &value, sizeof value); /* enums are as large as unsigned, here as everywhere */
            return ROOF_OK;
        }
        snprintf(wanted + used, sizeof wanted - used, "%s \"%s\"", comma, m->words[value]);
        comma = ",";
    }
    if (!(m->how & CODEC_OPEN))
        return wrong_kind(c, event, wanted);
    return event->kind == JSON_STRING ? ROOF_OK : wrong_kind(c, event, "a word");
}

/* A value behind the last word has none. */
static void write_word(codec *c, const codec_member *m, const void *source)
{
    unsigned value = *(const unsigned *)source, n = 0;
    while (n <= value && m->words[n])
        n++;
    if (n <= value || !m->words[value][0] || (!value && m->how & CODEC_ZERO))
        write_unknown(c, m);
    else
        jsonout_string(c->out, m->key, m->words[value]);
}

/* The value without a word, or behind the last one. */
static void forget_word(const codec_member *m, void *target)
{
    unsigned value = 0;
    while (!(m->how & (CODEC_ZERO | CODEC_PLAIN)) && m->words[value] && m->words[value][0])
        value++;
    *(unsigned *)target = value;
}

static roof_status read_hex(codec *c, const codec_member *m, const json_event *event, void *target)
{
    (void)m;
    if (event->kind != JSON_STRING || !hex_parse(event->text, target))
        return wrong_kind(c, event, "1 to 16 hexadecimal digits after 0x");
    return ROOF_OK;
}

/* A text: JSON numbers are doubles for many readers. */
static void write_hex(codec *c, const codec_member *m, const void *source)
{
    char text[24];
    snprintf(text, sizeof text, "0x%016" PRIx64, *(const uint64_t *)source);
    if (*(const uint64_t *)source == ROOF_UNKNOWN)
        write_unknown(c, m);
    else
        jsonout_string(c->out, m->key, text);
}

const char *codec_schema_problem(const char *found, const char *schema, char *buffer, size_t size)
{
    const size_t family = strcspn(schema, ".") + 1, document = strcspn(schema, "/") + 1;
    if (strcmp(found, schema) == 0)
        return NULL;
    const char *shown = SHOWN_TEXT(found);
    if (strncmp(found, schema, document) == 0)
        snprintf(buffer, size, "is \"%s\", want \"%s\"; another version of roofline wrote it", shown, schema);
    else
        snprintf(buffer, size, "is \"%s\", %swant \"%s\"", shown,
                 strncmp(found, schema, family) == 0 ? "another kind of document; " : "", schema);
    return buffer;
}

static roof_status read_schema(codec *c, const codec_member *m, const json_event *event, void *target)
{
    char problem[240];
    (void)target;
    if (event->kind != JSON_STRING)
        return codec_fail(c, "found %s, want \"%s\"", json_kind_text(event->kind), m->schema);
    return codec_schema_problem(event->text, m->schema, problem, sizeof problem)
               ? codec_fail(c, "%s", problem)
               : ROOF_OK;
}

static void write_schema(codec *c, const codec_member *m, const void *source)
{
    (void)source;
    jsonout_string(c->out, m->key, m->schema);
}

/* --- numbers ------------------------------------------------------------------------------------------ */

static roof_status read_whole(codec *c, const codec_member *m, const json_event *event, void *target)
{
    const bool is_small = m->kind == CODEC_SMALL;
    const double value = event->number, most = is_small ? UINT32_MAX - 1.0 : LARGEST_EXACT;
    if (event->kind != JSON_NUMBER)
        return wrong_kind(c, event, "a whole number");
    if (!(value >= 0 && value <= most && value == floor(value)))
        return codec_fail(c, "found %.17g, want a whole number from 0 to %.0f", value, most);
    if (is_small)
        *(uint32_t *)target = (uint32_t)value;
    else
        *(uint64_t *)target = (uint64_t)value;
    return ROOF_OK;
}

static void write_whole(codec *c, const codec_member *m, const void *source)
{
    const bool is_small = m->kind == CODEC_SMALL;
    const uint64_t value = is_small ? *(const uint32_t *)source : *(const uint64_t *)source;
    if (value == (is_small ? ROOF_NONE : ROOF_UNKNOWN) || (!value && m->how & CODEC_ZERO))
        write_unknown(c, m);
    else
        jsonout_count(c->out, m->key, value);
}

roof_status codec_read_seconds(codec *c, const json_event *event, void *target)
{
    if (event->kind != JSON_NUMBER)
        return wrong_kind(c, event, "seconds");
    if (event->number < 0)
        return codec_fail(c, "found %.17g s, want 0 or more", event->number);
    if (event->number > CODEC_MOST_SECONDS)
        return codec_fail(c, "found %.17g s, want at most %g", event->number, CODEC_MOST_SECONDS);
    *(double *)target = event->number;
    return ROOF_OK;
}

static roof_status read_number(codec *c, const codec_member *m, const json_event *event, void *target)
{
    bool positive = m->kind == CODEC_POSITIVE;
    if (m->kind == CODEC_SECONDS)
        return codec_read_seconds(c, event, target);
    if (event->kind != JSON_NUMBER)
        return wrong_kind(c, event, positive ? "a number of 0 or more" : "a number");
    if (positive && event->number < 0)
        return codec_fail(c, "found %.17g, want 0 or more", event->number);
    *(double *)target = event->number;
    return ROOF_OK;
}

static void write_value(codec *c, const codec_member *m, const char *key, double value)
{
    if (m->how & CODEC_DERIVED)
        jsonout_derived(c->out, key, value);
    else
        jsonout_number(c->out, key, value);
}

static void write_number(codec *c, const codec_member *m, const void *source)
{
    double value = *(const double *)source;
    if (isnan(value) || (!(value > 0 || value < 0) && m->how & CODEC_ZERO))
        write_unknown(c, m);
    else
        write_value(c, m, m->key, value);
}

/* NaN for null. */
static roof_status read_pair(codec *c, const codec_member *m, const json_event *event, void *target)
{
    const bool are_seconds = m->kind == CODEC_SECONDS_PAIR;
    json_event number;
    if (event->kind != JSON_ARRAY)
        return wrong_kind(c, event, "an array");
    for (unsigned n = 0;; n++) {
        TRY(jsonpull_next(c->puller, &number, c->err));
        if (number.kind == JSON_CLOSE)
            return ROOF_OK;
        bool good = n < 2 && (number.kind == JSON_NUMBER || number.kind == JSON_NULL);
        if (are_seconds && number.kind == JSON_NUMBER)
            good = good && number.number >= 0 && number.number <= CODEC_MOST_SECONDS;
        if (!good)
            return codec_fail(c, "want two numbers%s", are_seconds ? " of seconds" : "");
        ((double *)target)[n] = number.number;
    }
}

/* A pair that is written as it is may have one end that is unknown. */
static void write_pair(codec *c, const codec_member *m, const void *source)
{
    const double *numbers = source;
    if (!(m->how & CODEC_PLAIN) && (isnan(numbers[0]) || isnan(numbers[1]))) {
        write_unknown(c, m);
        return;
    }
    jsonout_array(c->out, m->key, true);
    write_value(c, m, NULL, numbers[0]);
    write_value(c, m, NULL, numbers[1]);
    jsonout_end(c->out);
}

static roof_status read_bool(codec *c, const codec_member *m, const json_event *event, void *target)
{
    (void)m;
    if (event->kind != JSON_TRUE && event->kind != JSON_FALSE)
        return wrong_kind(c, event, "true or false");
    *(bool *)target = event->kind == JSON_TRUE;
    return ROOF_OK;
}

static void write_bool(codec *c, const codec_member *m, const void *source)
{
    jsonout_bool(c->out, m->key, *(const bool *)source);
}

/* --- one value ---------------------------------------------------------------------------------------- */

static const struct {
    roof_status (*read)(codec *c, const codec_member *m, const json_event *event, void *target);
    void (*write)(codec *c, const codec_member *m, const void *source);
    void (*forget)(const codec_member *m, void *target); /* NULL: of a number, of so many bytes */
    size_t size;
} scalars[] = {[CODEC_TEXT] = {read_text, write_text, forget_text, 0},
               [CODEC_NAME] = {read_text, write_text, forget_text, 0},
               [CODEC_SHARED] = {read_shared, write_text, forget_text, 0},
               [CODEC_COUNT] = {read_whole, write_whole, NULL, sizeof(uint64_t)},
               [CODEC_SMALL] = {read_whole, write_whole, NULL, sizeof(uint32_t)},
               [CODEC_POSITIVE] = {read_number, write_number, NULL, sizeof(double)},
               [CODEC_SECONDS] = {read_number, write_number, NULL, sizeof(double)},
               [CODEC_NUMBER] = {read_number, write_number, NULL, sizeof(double)},
               [CODEC_PAIR] = {read_pair, write_pair, NULL, sizeof(double[2])},
               [CODEC_SECONDS_PAIR] = {read_pair, write_pair, NULL, sizeof(double[2])},
               [CODEC_HEX] = {read_hex, write_hex, NULL, sizeof(uint64_t)},
               [CODEC_BOOL] = {read_bool, write_bool, NULL, sizeof(bool)},
               [CODEC_WORD] = {read_word, write_word, forget_word, 0},
               [CODEC_SCHEMA] = {read_schema, write_schema, NULL, 0},
               [CODEC_CALL] = {NULL, NULL, NULL, 0}};

/* Of numbers all bits set are ROOF_UNKNOWN, ROOF_NONE and a NaN; a bool begins as false. */
static void forget(const codec_member *m, void *target)
{
    const bool is_pair = m->kind == CODEC_PAIR || m->kind == CODEC_SECONDS_PAIR;
    const bool is_zero = m->kind == CODEC_BOOL || (m->how & (CODEC_ZERO | CODEC_PLAIN) && !is_pair);
    if (scalars[m->kind].forget)
        scalars[m->kind].forget(m, target);
    else
        memset(target, is_zero ? 0 : UCHAR_MAX, scalars[m->kind].size);
}

void codec_forget(const codec_object *object, void *target)
{
    for (const codec_member *m = object->members; m < object->members + object->n; m++) {
        void *at = (char *)target + m->offset;
        if (m->kind == CODEC_OBJECT)
            codec_forget(m->object, at);
        else
            forget(m, at);
    }
}

/* --- lists -------------------------------------------------------------------------------------------- */

static roof_status read_member(codec *c, const codec_member *m, const json_event *event, void *target);
static void write_member(codec *c, const codec_member *m, const void *target);

/* A list as it is read. */
typedef struct list_reading {
    const codec_member *m;
    char *target;
    uint32_t n; /* items so far */
} list_reading;

static const char *items_of(const codec_member *m, const char *target)
{
    const char *items = target + m->offset;
    return m->how & (CODEC_INLINE | CODEC_FIXED) ? items : *(const char *const *)items;
}

/* Room for one more, counted; NULL without memory. */
static void *add_item(codec *c, list_reading *r)
{
    const codec_member *m = r->m;
    uint32_t n = r->n++;
    char *items = r->target + m->offset;
    if (m->add)
        return m->add(r->target);
    if (!(m->how & (CODEC_INLINE | CODEC_FIXED))) {
        items = arena_grow(c->arena, items_of(m, r->target), n, m->item_size);
        if (!items)
            return NULL;
        memcpy(r->target + m->offset, &items, sizeof items);
    }
    if (!(m->how & CODEC_FIXED))
        memcpy(r->target + m->count, &r->n, sizeof r->n);
    return memset(items + n * m->item_size, 0, m->item_size);
}

static roof_status begin_object(codec *c, const codec_object *object, void *target)
{
    codec_forget(object, target);
    return object->begin ? object->begin(c, target) : ROOF_OK;
}

const char *codec_key_problem(const char *name)
{
    if (!*name)
        return "has an empty name";
    if (strlen(name) > CODEC_LONGEST_KEY)
        return "has a name of more than 100 bytes";
    for (const char *p = name; *p; p++)
        if (*p < 0x20 || *p > 0x7e || *p == '"' || *p == '\\')
            return "has a name with other characters than those of ASCII, or with \" or \\";
    return NULL;
}

static roof_status check_names(codec *c, const list_reading *r)
{
    const char *twice = NULL, *items = items_of(r->m, r->target);
    const char **names = malloc(r->n * sizeof *names);
    TRY(ALLOCATED(names, c->err));
    for (uint32_t i = 0; i < r->n; i++)
        names[i] = *(const char *const *)(items + i * r->m->item_size);
    ORDER_VALUES(names, r->n);
    for (uint32_t i = 1; i < r->n && !twice; i++)
        if (strcmp(names[i], names[i - 1]) == 0)
            twice = names[i];
    free(names);
    return twice ? codec_fail(c, "'%s' is there twice", twice) : ROOF_OK;
}

static roof_status read_item(codec *c, const json_event *event, void *target)
{
    list_reading *r = target;
    const codec_member *m = r->m;
    bool is_keyed = m->how & CODEC_KEYED;
    if (is_keyed && event->kind == JSON_NULL)
        return ROOF_OK;
    if (is_keyed) {
        /* The key must be a new name in the list. In a long list a second one is found at its end. */
        const char *problem = codec_key_problem(event->key), *items = items_of(r->m, r->target);
        if (problem)
            return codec_fail(c, "%s", problem);
        for (uint32_t i = 0; i < r->n && i < COMPARED; i++)
            if (strcmp(*(const char *const *)(items + i * r->m->item_size), event->key) == 0)
                return codec_fail(c, "is there twice");
    }
    if (r->n >= m->most)
        return codec_refuse(c, ROOF_E_LIMIT, "is one too many, want at most %u", m->most);
    const char *name = is_keyed ? arena_strdup(c->arena, event->key) : NULL;
    void *item = is_keyed && !name ? NULL : add_item(c, r);
    TRY(ALLOCATED(item, c->err));
    if (!m->object)
        return read_shared(c, m, event, item);
    TRY(begin_object(c, m->object, item));
    if (is_keyed)
        memcpy(item, &name, sizeof name);
    if (!m->object->is_bare)
        return codec_read_object(c, event, m->object, item);
    TRY(read_member(c, m->object->members, event, item));
    c->seen = 1;
    return m->object->end ? m->object->end(c, item) : ROOF_OK;
}

static void write_list(codec *c, const codec_member *m, const char *target)
{
    bool is_fixed = m->how & CODEC_FIXED, any = false;
    const char *items = items_of(m, target);
    uint32_t n = is_fixed ? m->most : *(const uint32_t *)(target + m->count);
    for (uint32_t i = 0; i < n && !any; i++)
        any = !is_fixed || *(const char *const *)(items + i * m->item_size);
    if (!any && m->how & CODEC_OMIT)
        return;
    (m->how & CODEC_KEYED ? jsonout_object : jsonout_array)(c->out, m->key, m->how & CODEC_ONE_LINE);
    for (uint32_t i = 0; i < n; i++) {
        const char *item = items + i * m->item_size;
        const char *text = m->how & CODEC_KEYED || !m->object ? *(const char *const *)item : NULL;
        if (m->object && m->object->is_bare) {
            codec_member value = *m->object->members;
            value.key = text;
            write_member(c, &value, item);
        } else if (m->object) {
            codec_write_object(c, text, m->object, item);
        } else if (text) {
            jsonout_string(c->out, NULL, text);
        }
    }
    jsonout_end(c->out);
}

/* --- objects and arrays ------------------------------------------------------------------------------- */

static roof_status read_member(codec *c, const codec_member *m, const json_event *event, void *target)
{
    void *at = (char *)target + m->offset;
    if (m->how & CODEC_SHOWN || (m->kind == CODEC_CALL && !m->read))
        return jsonpull_skip(c->puller, c->err);
    if (m->there_size == sizeof(bool))
        *((bool *)target + m->there) = true;
    if (m->kind == CODEC_CALL)
        return m->how & CODEC_EACH    ? codec_read_array(c, event, m->read, at)
               : m->how & CODEC_EVERY ? codec_read_members(c, event, m->read, at)
                                      : m->read(c, event, at);
    if (m->kind == CODEC_LIST) {
        list_reading r = {.m = m, .target = target};
        if (m->how & CODEC_KEYED)
            TRY(codec_read_members(c, event, read_item, &r));
        else
            TRY(codec_read_array(c, event, read_item, &r));
        if (m->none && !r.n)
            return codec_fail(c, "%s", m->none);
        return m->how & CODEC_KEYED && r.n > COMPARED ? check_names(c, &r) : ROOF_OK;
    }
    if (m->kind != CODEC_OBJECT)
        return scalars[m->kind].read(c, m, event, at);
    if (m->there_size)
        TRY(begin_object(c, m->object, at));
    return codec_read_object(c, event, m->object, at);
}

static roof_status expect_object(codec *c, const json_event *event)
{
    return event->kind == JSON_OBJECT ? ROOF_OK : wrong_kind(c, event, "an object");
}

roof_status codec_read_object(codec *c, const json_event *event, const codec_object *object, void *target)
{
    uint64_t found = 0, known = 0;
    TRY(expect_object(c, event));
    for (;;) {
        json_event member;
        TRY(jsonpull_next(c->puller, &member, c->err));
        if (member.kind == JSON_CLOSE)
            break;
        size_t i = 0;
        while (i < object->n && (object->members[i].key[0] != member.key[0] ||
                                 strcmp(object->members[i].key, member.key) != 0))
            i++;
        if (i == object->n) {
            if (c->unknown && member.kind != JSON_NULL)
                TRY(c->unknown(c, object, member.key));
            TRY(jsonpull_skip(c->puller, c->err));
            continue;
        }
        if (found >> i & 1)
            return codec_fail(c, "is there twice");
        found |= UINT64_C(1) << i;
        if (member.kind == JSON_NULL) {
            const codec_member unknown = {.kind = object->members[i].kind};
            if (object->members[i].how & CODEC_OR_NULL)
                forget(&unknown, (char *)target + object->members[i].offset);
            continue;
        }
        known |= UINT64_C(1) << i;
        TRY(read_member(c, &object->members[i], &member, target));
    }
    for (size_t i = 0; i < object->n; i++)
        if (object->members[i].missing && !(known >> i & 1))
            return codec_fail(c, "%s", object->members[i].missing);
    c->seen = known;
    return object->end ? object->end(c, target) : ROOF_OK;
}

static roof_status read_each(codec *c, codec_reader each, void *target)
{
    for (;;) {
        json_event event;
        TRY(jsonpull_next(c->puller, &event, c->err));
        if (event.kind == JSON_CLOSE)
            return ROOF_OK;
        TRY(each(c, &event, target));
    }
}

roof_status codec_read_members(codec *c, const json_event *event, codec_reader each, void *target)
{
    TRY(expect_object(c, event));
    return read_each(c, each, target);
}

roof_status codec_read_array(codec *c, const json_event *event, codec_reader each, void *target)
{
    return event->kind == JSON_ARRAY ? read_each(c, each, target) : wrong_kind(c, event, "an array");
}

roof_status codec_read_document(codec *c, const codec_object *object, void *target)
{
    json_event event;
    roof_status status = jsonpull_next(c->puller, &event, c->err);
    if (status == ROOF_E_DATA && c->otherwise && c->err->line == 1) /* an empty file has no line */
        return error_data(c->err, "%s", c->otherwise);
    TRY(status);
    TRY(codec_read_object(c, &event, object, target));
    return jsonpull_next(c->puller, &event, c->err); /* nothing may follow */
}

roof_status codec_read_from(codec *c, json_source source, void *context, const char *name,
                            const codec_object *object, void *target)
{
    char pointer[POINTER_SIZE];
    roof_error local, *err = c->err;
    c->err = &local;
    c->puller = jsonpull_new(source, context);
    roof_status status = c->puller ? codec_read_document(c, object, target) : error_memory(&local);
    if (status != ROOF_OK && !local.where[0] && c->puller &&
        *jsonpull_pointer(c->puller, pointer, sizeof pointer))
        error_prefix(&local, "%s", pointer);
    THEN(status, arena_status(c->arena, &local));
    jsonpull_free(c->puller);
    c->puller = NULL;
    c->err = err;
    if (error_placed(status, &local, "%s", name) != ROOF_OK && err)
        *err = local;
    return status;
}

static void write_member(codec *c, const codec_member *m, const void *target)
{
    const void *at = (const char *)target + m->offset;
    if (m->kind == CODEC_OBJECT)
        codec_write_object(c, m->key, m->object, at);
    else if (m->kind == CODEC_LIST)
        write_list(c, m, target);
    else if (m->kind != CODEC_CALL)
        scalars[m->kind].write(c, m, at);
    else if (m->write)
        m->write(c, m->key, at);
}

void codec_write_members(codec *c, const codec_object *object, const void *target)
{
    FOR_EACH(const codec_member, m, object->members, object->n) {
        if (m->when && !m->when(c, target))
            continue;
        bool is_there = !m->there_size;
        for (size_t i = 0; i < m->there_size && !is_there; i++)
            is_there = ((const char *)target)[m->there + i] != 0;
        if (is_there)
            write_member(c, m, target);
        else if (m->kind == CODEC_OBJECT && !(m->how & CODEC_OMIT))
            jsonout_null(c->out, m->key);
    }
}

void codec_write_object(codec *c, const char *key, const codec_object *object, const void *target)
{
    jsonout_object(c->out, key, object->one_line);
    codec_write_members(c, object, target);
    jsonout_end(c->out);
}

void codec_write_document(const codec_object *object, const void *target, const void *user, const void *words,
                          textbuf *text)
{
    jsonout out;
    codec c = {.out = &out, .user = (void *)user, .words = words};
    jsonout_begin(&out, text);
    codec_write_object(&c, NULL, object, target);
}
