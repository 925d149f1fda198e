#include "core/text.h"
#include "core/error.h"
#include "core/platform/platform.h"
#include "core/print.h"
#include "core/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_init(textbuf *text, size_t max_bytes)
{
    *text = (textbuf){.max_bytes = max_bytes};
}

enum { DRAIN_AT_BYTES = 1 << 16 };

void text_init_draining(textbuf *text, text_drain drain, void *context, roof_error *err)
{
    *text =
        (textbuf){.max_bytes = TEXT_MAX_BYTES, .drain = drain, .drain_context = context, .drain_error = err};
}

/* Hands the collected text to the drain; the buffer stays for the next piece. */
static bool pass_on(textbuf *text)
{
    if (text->length)
        text->drain_status = text->drain(text->drain_context, text->bytes, text->length, text->drain_error);
    text->length = 0;
    if (text->drain_status != ROOF_OK)
        text->failed = true;
    return !text->failed;
}

roof_status text_finish(textbuf *text)
{
    if (!text->failed)
        pass_on(text);
    roof_status status = text_status(text, text->drain_error);
    text_free(text);
    return status;
}

void text_free(textbuf *text)
{
    free(text->bytes);
    *text = (textbuf){.max_bytes = text->max_bytes};
}

static bool grow(textbuf *text, size_t extra)
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
    /* A report of a hundred thousand layers is tens of megabytes; small pages would cost a fault each. */
    enum { WORTH_IT = 4 * 1024 * 1024 };
    if (room >= WORTH_IT)
        os_prefer_large_pages(bytes, room);
    return true;
}

static inline bool make_room(textbuf *text, size_t extra)
{
    return (!text->failed && extra < text->room - text->length) || grow(text, extra);
}

void text_add(textbuf *text, const char *bytes, size_t length)
{
    if (!make_room(text, length))
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

char *text_room(textbuf *text, size_t length)
{
    return make_room(text, length) ? text->bytes + text->length : NULL;
}

void text_wrote(textbuf *text, size_t length)
{
    text->length += length;
    text->bytes[text->length] = '\0';
}

void text_puts(textbuf *text, const char *string)
{
    text_add(text, string, strlen(string));
}

void text_printf(textbuf *text, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    int length = print_list(line, sizeof line, format, args);
    va_end(args);
    if (length >= 0 && (size_t)length < sizeof line) {
        text_add(text, line, (size_t)length);
    } else if (length < 0 || !make_room(text, (size_t)length)) {
        text->failed = true;
    } else {
        va_start(args, format);
        print_list(text->bytes + text->length, (size_t)length + 1, format, args);
        va_end(args);
        text->length += (size_t)length;
    }
}

const char *path_base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

size_t path_stem_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? (size_t)(dot - name) : strlen(name);
}

bool text_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

void text_escaped(textbuf *out, const char *text, size_t length, const char *const replacements[128])
{
    while (length) {
        /* From the beginning on, what needs neither escape nor replacement. */
        size_t run = 0;
        while (run < length) {
            unsigned char c = (unsigned char)text[run];
            bool ascii = c >= ' ' && c < 0x7f;
            utf8_character next =
                ascii ? (utf8_character){UTF8_PLAIN, c, 1} : utf8_next(text + run, length - run);
            if (next.kind != UTF8_PLAIN || (ascii && replacements && replacements[c]))
                break;
            run += next.length;
        }
        text_add(out, text, run);
        text += run;
        length -= run;
        if (!length)
            return;
        char escape[UTF8_ESCAPE_SIZE];
        utf8_character next = utf8_next(text, length);
        if (next.kind == UTF8_PLAIN && replacements)
            text_puts(out, replacements[next.code]);
        else
            text_escaped(out, escape, utf8_escape(next, escape), replacements);
        text += next.length;
        length -= next.length;
    }
}

void text_shown(textbuf *out, const char *text)
{
    text_escaped(out, text, strlen(text), NULL);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

unsigned text_digit(char c)
{
    c = lower(c);
    return c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 99;
}

int text_compare(const char *a, const char *b)
{
    for (; *a && lower(*a) == lower(*b); a++)
        b++;
    return (unsigned char)lower(*a) - (unsigned char)lower(*b);
}

bool text_has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = length ? strstr(words, word) : NULL; p; p = strstr(p + 1, word))
        if ((p == words || p[-1] == ' ') && (p[length] == ' ' || p[length] == '\0'))
            return true;
    return false;
}

static unsigned smallest(unsigned a, unsigned b, unsigned c)
{
    unsigned least = a < b ? a : b;
    return least < c ? least : c;
}

/* Three rows of the usual table suffice: swapping neighbours looks two rows back. */
unsigned text_edit_distance(const char *a, const char *b, unsigned limit)
{
    enum { LONGEST_NAME = 64 };
    unsigned rows[3][LONGEST_NAME + 1], *before = rows[0], *above = rows[1], *row = rows[2];
    const size_t na = strlen(a), nb = strlen(b);
    if (na > LONGEST_NAME || nb > LONGEST_NAME)
        return limit + 1;
    for (unsigned j = 0; j <= nb; j++)
        above[j] = before[j] = j;
    for (unsigned i = 1; i <= na; i++) {
        row[0] = i;
        for (unsigned j = 1; j <= nb; j++) {
            unsigned differ = lower(a[i - 1]) != lower(b[j - 1]);
            row[j] = smallest(above[j] + 1, row[j - 1] + 1, above[j - 1] + differ);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = smallest(row[j], before[j - 2] + 1, row[j]);
        }
        unsigned *oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return above[nb] <= limit ? above[nb] : limit + 1;
}

roof_status text_status(const textbuf *text, roof_error *err)
{
    return text->drain_status != ROOF_OK ? text->drain_status : text->failed ? error_memory(err) : ROOF_OK;
}
