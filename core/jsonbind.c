#include "core/jsonbind.h"
#include "core/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { POINTER_SIZE = 400 };
#define LARGEST_EXACT 9007199254740992.0 /* 2^53: larger doubles are no longer all whole numbers */

const char *roof_json_kind_text(roof_json_kind kind)
{
    static const char *const texts[] = {
        [ROOF_JSON_DONE] = "the end",    [ROOF_JSON_OBJECT] = "an object", [ROOF_JSON_ARRAY] = "an array",
        [ROOF_JSON_CLOSE] = "a bracket", [ROOF_JSON_STRING] = "a string",  [ROOF_JSON_NUMBER] = "a number",
        [ROOF_JSON_TRUE] = "true",       [ROOF_JSON_FALSE] = "false",      [ROOF_JSON_NULL] = "null"};
    return texts[kind];
}

roof_status roof_bind_fail(roof_bind *b, const char *format, ...)
{
    char pointer[POINTER_SIZE], what[ROOF_ERROR_WHAT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    roof_fail_line(b->err, ROOF_E_DATA, roof_jsonpull_line(b->puller), "%s", what);
    roof_jsonpull_pointer(b->puller, pointer, sizeof pointer);
    if (pointer[0])
        roof_error_prefix(b->err, "%s", pointer);
    return ROOF_E_DATA;
}

static roof_status wrong_kind(roof_bind *b, const roof_json_event *event, const char *wanted)
{
    char shown[64];
    if (event->kind != ROOF_JSON_STRING)
        return roof_bind_fail(b, "found %s, want %s", roof_json_kind_text(event->kind), wanted);
    roof_quote(shown, sizeof shown, event->text, event->text_length);
    return roof_bind_fail(b, "found the string \"%s\", want %s", shown, wanted);
}

/* --- one value ---------------------------------------------------------------------------------------- */

static roof_status bind_text(roof_bind *b, const roof_json_event *event, void *target)
{
    if (event->kind != ROOF_JSON_STRING)
        return wrong_kind(b, event, "a string");
    const char *copy = roof_arena_strndup(b->arena, event->text, event->text_length);
    if (!copy)
        return roof_fail_memory(b->err);
    memcpy(target, &copy, sizeof copy);
    return ROOF_OK;
}

static roof_status bind_name(roof_bind *b, const roof_json_event *event, void *target)
{
    bool is_text = event->kind == ROOF_JSON_STRING;
    if (is_text && roof_text_first_bad(event->text, event->text_length) < event->text_length)
        return roof_bind_fail(b, "holds a control character");
    return bind_text(b, event, target);
}

static roof_status bind_whole(roof_bind *b, const roof_json_event *event, double most, double *out)
{
    if (event->kind != ROOF_JSON_NUMBER)
        return wrong_kind(b, event, "a whole number");
    if (!(event->number >= 0 && event->number <= most && event->number == floor(event->number)))
        return roof_bind_fail(b, "found %.17g, want a whole number from 0 to %.0f", event->number, most);
    *out = event->number;
    return ROOF_OK;
}

static roof_status bind_count(roof_bind *b, const roof_json_event *event, void *target)
{
    double value = 0;
    ROOF_TRY(bind_whole(b, event, LARGEST_EXACT, &value));
    *(uint64_t *)target = (uint64_t)value;
    return ROOF_OK;
}

static roof_status bind_small(roof_bind *b, const roof_json_event *event, void *target)
{
    double value = 0;
    ROOF_TRY(bind_whole(b, event, UINT32_MAX - 1.0, &value));
    *(uint32_t *)target = (uint32_t)value;
    return ROOF_OK;
}

static roof_status bind_number(roof_bind *b, const roof_json_event *event, void *target)
{
    if (event->kind != ROOF_JSON_NUMBER)
        return wrong_kind(b, event, "a number");
    *(double *)target = event->number;
    return ROOF_OK;
}

static roof_status bind_positive(roof_bind *b, const roof_json_event *event, void *target)
{
    if (event->kind != ROOF_JSON_NUMBER)
        return wrong_kind(b, event, "a number of 0 or more");
    if (event->number < 0)
        return roof_bind_fail(b, "found %.17g, want 0 or more", event->number);
    *(double *)target = event->number;
    return ROOF_OK;
}

roof_status roof_bind_seconds(roof_bind *b, const roof_json_event *event, void *target)
{
    if (event->kind != ROOF_JSON_NUMBER)
        return wrong_kind(b, event, "seconds");
    if (event->number < 0)
        return roof_bind_fail(b, "found %.17g s, want 0 or more", event->number);
    if (event->number > ROOF_BIND_MOST_SECONDS)
        return roof_bind_fail(b, "found %.17g s, want at most %g", event->number, ROOF_BIND_MOST_SECONDS);
    *(double *)target = event->number;
    return ROOF_OK;
}

static roof_status bind_bool(roof_bind *b, const roof_json_event *event, void *target)
{
    if (event->kind != ROOF_JSON_TRUE && event->kind != ROOF_JSON_FALSE)
        return wrong_kind(b, event, "true or false");
    *(bool *)target = event->kind == ROOF_JSON_TRUE;
    return ROOF_OK;
}

static roof_status bind_word(roof_bind *b, const roof_json_event *event, const char *const *words,
                             void *target)
{
    char wanted[200] = "one of";
    const char *comma = "";
    for (unsigned value = 0; words[value]; value++) {
        size_t used = strlen(wanted);
        if (!words[value][0])
            continue;
        if (event->kind == ROOF_JSON_STRING && strcmp(words[value], event->text) == 0) {
            memcpy(target, &value, sizeof value); /* enums are as large as unsigned, here as everywhere */
            return ROOF_OK;
        }
        snprintf(wanted + used, sizeof wanted - used, "%s \"%s\"", comma, words[value]);
        comma = ",";
    }
    return wrong_kind(b, event, wanted);
}

static roof_status bind_value(roof_bind *b, const roof_bind_member *m, const roof_json_event *event,
                              void *target)
{
    static const roof_bind_call scalars[] = {
        [ROOF_BIND_TEXT] = bind_text,         [ROOF_BIND_NAME] = bind_name,
        [ROOF_BIND_COUNT] = bind_count,       [ROOF_BIND_SMALL] = bind_small,
        [ROOF_BIND_POSITIVE] = bind_positive, [ROOF_BIND_NUMBER] = bind_number,
        [ROOF_BIND_BOOL] = bind_bool,         [ROOF_BIND_SECONDS] = roof_bind_seconds};
    if (m->kind == ROOF_BIND_CALL)
        return m->call(b, event, target);
    if (m->kind == ROOF_BIND_WORD)
        return bind_word(b, event, m->words, target);
    return scalars[m->kind](b, event, target);
}

/* --- objects and arrays ------------------------------------------------------------------------------- */

static size_t find(const roof_bind_member *members, size_t n, const char *key)
{
    size_t i = 0;
    while (i < n && (members[i].key[0] != key[0] || strcmp(members[i].key, key) != 0))
        i++;
    return i;
}

static roof_status expect_object(roof_bind *b, const roof_json_event *event)
{
    return event->kind == ROOF_JSON_OBJECT ? ROOF_OK : wrong_kind(b, event, "an object");
}

roof_status roof_bind_object(roof_bind *b, const roof_json_event *opened, const roof_bind_member *members,
                             size_t n, void *target, uint64_t *seen)
{
    uint64_t found = 0, known = 0;
    ROOF_TRY(expect_object(b, opened));
    for (;;) {
        roof_json_event event;
        ROOF_TRY(roof_jsonpull_next(b->puller, &event, b->err));
        if (event.kind == ROOF_JSON_CLOSE)
            break;
        size_t i = find(members, n, event.key);
        if (i == n) {
            if (b->unknown && event.kind != ROOF_JSON_NULL)
                ROOF_TRY(b->unknown(b, members, n, event.key));
            ROOF_TRY(roof_jsonpull_skip(b->puller, b->err));
            continue;
        }
        if (found >> i & 1)
            return roof_bind_fail(b, "is there twice");
        found |= UINT64_C(1) << i;
        if (event.kind == ROOF_JSON_NULL)
            continue;
        known |= UINT64_C(1) << i;
        ROOF_TRY(bind_value(b, &members[i], &event, (char *)target + members[i].offset));
    }
    if (seen)
        *seen = known;
    return ROOF_OK;
}

roof_status roof_bind_members(roof_bind *b, const roof_json_event *event, roof_bind_call each, void *target)
{
    ROOF_TRY(expect_object(b, event));
    for (;;) {
        roof_json_event member;
        ROOF_TRY(roof_jsonpull_next(b->puller, &member, b->err));
        if (member.kind == ROOF_JSON_CLOSE)
            return ROOF_OK;
        ROOF_TRY(each(b, &member, target));
    }
}

roof_status roof_bind_array(roof_bind *b, const roof_json_event *event, roof_bind_call each, void *target)
{
    if (event->kind != ROOF_JSON_ARRAY)
        return wrong_kind(b, event, "an array");
    for (;;) {
        roof_json_event element;
        ROOF_TRY(roof_jsonpull_next(b->puller, &element, b->err));
        if (element.kind == ROOF_JSON_CLOSE)
            return ROOF_OK;
        ROOF_TRY(each(b, &element, target));
    }
}
