#include "core/codec.h"
#include "core/jsonbind.h"
#include "core/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { POINTER_SIZE = 400 };
#define LARGEST_EXACT 9007199254740992.0 /* 2^53: larger doubles are no longer all whole numbers */

roof_status bind_fail(json_binder *b, const char *format, ...)
{
    char pointer[POINTER_SIZE], what[ROOF_ERROR_WHAT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    error_line(b->err, ROOF_E_DATA, jsonpull_line(b->puller), "%s", what);
    jsonpull_pointer(b->puller, pointer, sizeof pointer);
    if (pointer[0])
        error_prefix(b->err, "%s", pointer);
    return ROOF_E_DATA;
}

static roof_status wrong_kind(json_binder *b, const json_event *event, const char *wanted)
{
    char shown[64];
    if (event->kind != JSON_STRING)
        return bind_fail(b, "found %s, want %s", json_kind_text(event->kind), wanted);
    quote_text(shown, sizeof shown, event->text, event->text_length);
    return bind_fail(b, "found the string \"%s\", want %s", shown, wanted);
}

/* --- one value ---------------------------------------------------------------------------------------- */

static roof_status bind_text(json_binder *b, const json_event *event, void *target)
{
    if (event->kind != JSON_STRING)
        return wrong_kind(b, event, "a string");
    const char *copy = arena_strndup(b->arena, event->text, event->text_length);
    if (!copy)
        return error_memory(b->err);
    memcpy(target, &copy, sizeof copy);
    return ROOF_OK;
}

static roof_status bind_name(json_binder *b, const json_event *event, void *target)
{
    bool is_text = event->kind == JSON_STRING;
    if (is_text && text_first_bad(event->text, event->text_length) < event->text_length)
        return bind_fail(b, "holds a control character");
    return bind_text(b, event, target);
}

static roof_status bind_whole(json_binder *b, const json_event *event, double most, double *out)
{
    if (event->kind != JSON_NUMBER)
        return wrong_kind(b, event, "a whole number");
    if (!(event->number >= 0 && event->number <= most && event->number == floor(event->number)))
        return bind_fail(b, "found %.17g, want a whole number from 0 to %.0f", event->number, most);
    *out = event->number;
    return ROOF_OK;
}

static roof_status bind_count(json_binder *b, const json_event *event, void *target)
{
    double value = 0;
    TRY(bind_whole(b, event, LARGEST_EXACT, &value));
    *(uint64_t *)target = (uint64_t)value;
    return ROOF_OK;
}

static roof_status bind_small(json_binder *b, const json_event *event, void *target)
{
    double value = 0;
    TRY(bind_whole(b, event, UINT32_MAX - 1.0, &value));
    *(uint32_t *)target = (uint32_t)value;
    return ROOF_OK;
}

static roof_status bind_number(json_binder *b, const json_event *event, void *target)
{
    if (event->kind != JSON_NUMBER)
        return wrong_kind(b, event, "a number");
    *(double *)target = event->number;
    return ROOF_OK;
}

static roof_status bind_positive(json_binder *b, const json_event *event, void *target)
{
    if (event->kind != JSON_NUMBER)
        return wrong_kind(b, event, "a number of 0 or more");
    if (event->number < 0)
        return bind_fail(b, "found %.17g, want 0 or more", event->number);
    *(double *)target = event->number;
    return ROOF_OK;
}

roof_status bind_seconds(json_binder *b, const json_event *event, void *target)
{
    if (event->kind != JSON_NUMBER)
        return wrong_kind(b, event, "seconds");
    if (event->number < 0)
        return bind_fail(b, "found %.17g s, want 0 or more", event->number);
    if (event->number > BIND_MOST_SECONDS)
        return bind_fail(b, "found %.17g s, want at most %g", event->number, BIND_MOST_SECONDS);
    *(double *)target = event->number;
    return ROOF_OK;
}

static roof_status bind_bool(json_binder *b, const json_event *event, void *target)
{
    if (event->kind != JSON_TRUE && event->kind != JSON_FALSE)
        return wrong_kind(b, event, "true or false");
    *(bool *)target = event->kind == JSON_TRUE;
    return ROOF_OK;
}

static roof_status bind_word(json_binder *b, const json_event *event, const char *const *words, void *target)
{
    char wanted[200] = "one of";
    const char *comma = "";
    for (unsigned value = 0; words[value]; value++) {
        size_t used = strlen(wanted);
        if (!words[value][0])
            continue;
        if (event->kind == JSON_STRING && strcmp(words[value], event->text) == 0) {
            memcpy(target, &value, sizeof value); /* enums are as large as unsigned, here as everywhere */
            return ROOF_OK;
        }
        snprintf(wanted + used, sizeof wanted - used, "%s \"%s\"", comma, words[value]);
        comma = ",";
    }
    return wrong_kind(b, event, wanted);
}

static roof_status bind_value(json_binder *b, const bind_member *m, const json_event *event, void *target)
{
    static const bind_call scalars[] = {
        [BIND_TEXT] = bind_text,   [BIND_NAME] = bind_name,         [BIND_COUNT] = bind_count,
        [BIND_SMALL] = bind_small, [BIND_POSITIVE] = bind_positive, [BIND_NUMBER] = bind_number,
        [BIND_BOOL] = bind_bool,   [BIND_SECONDS] = bind_seconds};
    if (m->kind == BIND_CALL)
        return m->call(b, event, target);
    if (m->kind == BIND_WORD)
        return bind_word(b, event, m->words, target);
    return scalars[m->kind](b, event, target);
}

/* --- objects and arrays ------------------------------------------------------------------------------- */

static size_t find(const bind_member *members, size_t n, const char *key)
{
    size_t i = 0;
    while (i < n && (members[i].key[0] != key[0] || strcmp(members[i].key, key) != 0))
        i++;
    return i;
}

static roof_status expect_object(json_binder *b, const json_event *event)
{
    return event->kind == JSON_OBJECT ? ROOF_OK : wrong_kind(b, event, "an object");
}

roof_status bind_object(json_binder *b, const json_event *opened, const bind_member *members, size_t n,
                        void *target, uint64_t *seen)
{
    uint64_t found = 0, known = 0;
    TRY(expect_object(b, opened));
    for (;;) {
        json_event event;
        TRY(jsonpull_next(b->puller, &event, b->err));
        if (event.kind == JSON_CLOSE)
            break;
        size_t i = find(members, n, event.key);
        if (i == n) {
            if (b->unknown && event.kind != JSON_NULL)
                TRY(b->unknown(b, members, n, event.key));
            TRY(jsonpull_skip(b->puller, b->err));
            continue;
        }
        if (found >> i & 1)
            return bind_fail(b, "is there twice");
        found |= UINT64_C(1) << i;
        if (event.kind == JSON_NULL)
            continue;
        known |= UINT64_C(1) << i;
        TRY(bind_value(b, &members[i], &event, (char *)target + members[i].offset));
    }
    if (seen)
        *seen = known;
    return ROOF_OK;
}

roof_status bind_members(json_binder *b, const json_event *event, bind_call each, void *target)
{
    TRY(expect_object(b, event));
    for (;;) {
        json_event member;
        TRY(jsonpull_next(b->puller, &member, b->err));
        if (member.kind == JSON_CLOSE)
            return ROOF_OK;
        TRY(each(b, &member, target));
    }
}

roof_status bind_array(json_binder *b, const json_event *event, bind_call each, void *target)
{
    if (event->kind != JSON_ARRAY)
        return wrong_kind(b, event, "an array");
    for (;;) {
        json_event element;
        TRY(jsonpull_next(b->puller, &element, b->err));
        if (element.kind == JSON_CLOSE)
            return ROOF_OK;
        TRY(each(b, &element, target));
    }
}
