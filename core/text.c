#include "core/text.h"
#include "core/error.h"
#include "core/outputs.h"
#include "core/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void roof_text_init(roof_text *text, size_t max_bytes)
{
    *text = (roof_text){.max_bytes = max_bytes};
}

enum { DRAIN_AT_BYTES = 1 << 16 };

void roof_text_init_draining(roof_text *text, roof_text_drain drain, void *context, roof_error *err)
{
    *text = (roof_text){
        .max_bytes = ROOF_TEXT_MAX_BYTES, .drain = drain, .drain_context = context, .drain_error = err};
}

/* What has come together goes on; the buffer stays for the next piece. */
static bool pass_on(roof_text *text)
{
    if (text->length)
        text->drain_status = text->drain(text->drain_context, text->bytes, text->length, text->drain_error);
    text->length = 0;
    if (text->drain_status != ROOF_OK)
        text->failed = true;
    return !text->failed;
}

roof_status roof_text_finish(roof_text *text)
{
    if (!text->failed)
        pass_on(text);
    roof_status status = text->drain_status != ROOF_OK ? text->drain_status
                         : text->failed                ? roof_fail_memory(text->drain_error)
                                                       : ROOF_OK;
    roof_text_free(text);
    return status;
}

void roof_text_free(roof_text *text)
{
    free(text->bytes);
    *text = (roof_text){.max_bytes = text->max_bytes};
}

/* A report of a hundred thousand layers is tens of megabytes; small pages would cost a fault each. */
static void ask_for_huge_pages(char *bytes, size_t room)
{
    enum { WORTH_IT = 4 * 1024 * 1024, PAGE = 4096 };
    if (room >= WORTH_IT)
        madvise((void *)(((uintptr_t)bytes + PAGE - 1) / PAGE * PAGE), room - PAGE, MADV_HUGEPAGE);
}

static bool grow(roof_text *text, size_t extra)
{
    if (text->drain && text->length >= DRAIN_AT_BYTES && !pass_on(text))
        return false;
    if (text->failed || extra >= text->max_bytes - text->length) {
        text->failed = true;
        return false;
    }
    size_t need = text->length + extra + 1;
    if (need <= text->room)
        return true;
    size_t room = text->room ? text->room : 1024;
    while (room < need)
        room = room > SIZE_MAX / 2 ? need : room * 2;
    if (room > text->max_bytes)
        room = text->max_bytes;
    char *bytes = realloc(text->bytes, room);
    if (!bytes) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->room = room;
    ask_for_huge_pages(bytes, room);
    return true;
}

static inline bool make_room(roof_text *text, size_t extra)
{
    return (!text->failed && extra < text->room - text->length) || grow(text, extra);
}

void roof_text_add(roof_text *text, const char *bytes, size_t length)
{
    if (!make_room(text, length))
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

char *roof_text_room(roof_text *text, size_t length)
{
    return make_room(text, length) ? text->bytes + text->length : NULL;
}

void roof_text_wrote(roof_text *text, size_t length)
{
    text->length += length;
    text->bytes[text->length] = '\0';
}

void roof_text_puts(roof_text *text, const char *string)
{
    roof_text_add(text, string, strlen(string));
}

void roof_text_printf(roof_text *text, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length >= 0 && (size_t)length < sizeof line) {
        roof_text_add(text, line, (size_t)length);
    } else if (length < 0 || !make_room(text, (size_t)length)) {
        text->failed = true;
    } else {
        va_start(args, format);
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, args);
        va_end(args);
        text->length += (size_t)length;
    }
}

/* From the beginning on, what needs neither escape nor replacement. */
static size_t clean_run(const char *text, size_t length, const char *const *replacements)
{
    size_t at = 0;
    while (at < length) {
        unsigned char c = (unsigned char)text[at];
        bool ascii = c >= ' ' && c < 0x7f;
        roof_utf8 next = ascii ? (roof_utf8){ROOF_UTF8_PLAIN, c, 1} : roof_utf8_next(text + at, length - at);
        if (next.kind != ROOF_UTF8_PLAIN || (ascii && replacements && replacements[c]))
            break;
        at += next.length;
    }
    return at;
}

void roof_text_escaped(roof_text *out, const char *text, size_t length, const char *const replacements[128])
{
    while (length) {
        size_t run = clean_run(text, length, replacements);
        roof_text_add(out, text, run);
        text += run;
        length -= run;
        if (!length)
            return;
        char escape[ROOF_UTF8_ESCAPE_SIZE];
        roof_utf8 next = roof_utf8_next(text, length);
        if (next.kind == ROOF_UTF8_PLAIN && replacements)
            roof_text_puts(out, replacements[next.code]);
        else
            roof_text_escaped(out, escape, roof_utf8_escape(next, escape), replacements);
        text += next.length;
        length -= next.length;
    }
}

void roof_text_shown(roof_text *out, const char *text)
{
    roof_text_escaped(out, text, strlen(text), NULL);
}

roof_status roof_text_status(const roof_text *text, roof_error *err)
{
    if (text->drain_status != ROOF_OK)
        return text->drain_status;
    return text->failed ? roof_fail_memory(err) : ROOF_OK;
}

roof_status roof_text_save(const roof_text *text, const char *path, roof_error *err)
{
    ROOF_TRY(roof_text_status(text, err));
    return outputs_save(path, text->bytes, text->length, err);
}
