#include "core/span.h"
#include "core/error.h"

#include <string.h>

roof_span roof_span_of(const char *text)
{
    return (roof_span){text, strlen(text)};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

roof_span roof_span_trim(roof_span s)
{
    while (s.length && is_blank(s.text[s.length - 1]))
        s.length--;
    while (s.length && is_blank(*s.text)) {
        s.text++;
        s.length--;
    }
    return s;
}

bool roof_span_is(roof_span span, const char *word)
{
    return span.length == strlen(word) && memcmp(span.text, word, span.length) == 0;
}

bool roof_span_begins(roof_span span, const char *word)
{
    size_t length = strlen(word);
    return span.length >= length && memcmp(span.text, word, length) == 0;
}

bool roof_span_has(roof_span span, const char *word)
{
    return span.length && memmem(span.text, span.length, word, strlen(word)) != NULL;
}

const char *roof_span_show(roof_span span, char buffer[ROOF_SHOWN_SIZE])
{
    return roof_quote(buffer, ROOF_SHOWN_SIZE, span.text, span.length);
}

size_t roof_span_split(roof_span line, char separator, roof_span *pieces, size_t room)
{
    size_t n = 0;
    for (const char *at = line.text, *end = line.text + line.length;;) {
        const char *stop = memchr(at, separator, (size_t)(end - at));
        roof_span piece = {at, (size_t)((stop ? stop : end) - at)};
        if (n < room)
            pieces[n] = roof_span_trim(piece);
        n++;
        if (!stop)
            return n;
        at = stop + 1;
    }
}

/* ---- a cursor ---- */

bool roof_span_skip(roof_span *rest, const char *word)
{
    if (!roof_span_begins(*rest, word))
        return false;
    rest->text += strlen(word);
    rest->length -= strlen(word);
    return true;
}

/* The length of what stands before the word, or that of the whole text. */
static size_t find(roof_span span, const char *word)
{
    const char *found = span.length ? memmem(span.text, span.length, word, strlen(word)) : NULL;
    return found ? (size_t)(found - span.text) : span.length;
}

bool roof_span_skip_past(roof_span *rest, const char *word)
{
    size_t before = find(*rest, word);
    if (before == rest->length)
        return false;
    rest->text += before + strlen(word);
    rest->length -= before + strlen(word);
    return true;
}

roof_span roof_span_take_until(roof_span *rest, const char *stop)
{
    roof_span before = {rest->text, find(*rest, stop)};
    size_t used = before.length == rest->length ? before.length : before.length + strlen(stop);
    rest->text += used;
    rest->length -= used;
    return before;
}

roof_span roof_span_take_line(roof_span *rest)
{
    const char *end = memchr(rest->text, '\n', rest->length);
    roof_span line = {rest->text, end ? (size_t)(end - rest->text) : rest->length};
    size_t used = line.length + (end != NULL);
    rest->text += used;
    rest->length -= used;
    return line;
}

static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 99;
}

bool roof_span_take_whole(roof_span *rest, uint64_t *out)
{
    roof_span number = *rest;
    unsigned base = roof_span_skip(&number, "0x") ? 16 : 10;
    uint64_t value = 0;
    size_t i = 0;
    for (; i < number.length && digit_value(number.text[i]) < base; i++)
        if (__builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, digit_value(number.text[i]), &value) || value > INT64_MAX)
            return false;
    if (!i)
        return false;
    *rest = (roof_span){number.text + i, number.length - i};
    *out = value;
    return true;
}
