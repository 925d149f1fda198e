#include "core/span.h"
#include "core/error.h"
#include "core/text.h"

#include <string.h>
#include <strings.h>

text_span span_of(const char *text)
{
    return (text_span){text, strlen(text)};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

text_span span_trim(text_span s)
{
    while (s.length && is_blank(s.text[s.length - 1]))
        s.length--;
    while (s.length && is_blank(*s.text)) {
        s.text++;
        s.length--;
    }
    return s;
}

bool span_begins(text_span span, const char *word)
{
    size_t length = strlen(word);
    return span.length >= length && memcmp(span.text, word, length) == 0;
}

bool span_mentions(text_span s, const char *word)
{
    const size_t n = strlen(word);
    size_t i = 0;
    while (i + n <= s.length && strncasecmp(s.text + i, word, n) != 0)
        i++;
    return i + n <= s.length;
}

bool span_has(text_span span, const char *word)
{
    return span.length && memmem(span.text, span.length, word, strlen(word)) != NULL;
}

const char *span_show(text_span span, char buffer[SHOWN_SIZE])
{
    return quote_text(buffer, SHOWN_SIZE, span.text, span.length);
}

size_t span_split(text_span line, char separator, text_span *pieces, size_t room)
{
    size_t n = 0;
    for (const char *at = line.text, *end = line.text + line.length;;) {
        const char *stop = memchr(at, separator, (size_t)(end - at));
        text_span piece = {at, (size_t)((stop ? stop : end) - at)};
        if (n < room)
            pieces[n] = span_trim(piece);
        n++;
        if (!stop)
            return n;
        at = stop + 1;
    }
}

bool span_skip(text_span *rest, const char *word)
{
    if (!span_begins(*rest, word))
        return false;
    rest->text += strlen(word);
    rest->length -= strlen(word);
    return true;
}

bool span_skip_end(text_span *rest, const char *word)
{
    const size_t length = strlen(word);
    const bool ends = rest->length >= length && memcmp(rest->text + rest->length - length, word, length) == 0;
    rest->length -= ends ? length : 0;
    return ends;
}

void span_skip_any(text_span *rest, const char *characters)
{
    while (rest->length && *rest->text && strchr(characters, *rest->text))
        *rest = (text_span){rest->text + 1, rest->length - 1};
}

/* The length of what stands before the word, or that of the whole text. */
static size_t find(text_span span, const char *word)
{
    const char *found = span.length ? memmem(span.text, span.length, word, strlen(word)) : NULL;
    return found ? (size_t)(found - span.text) : span.length;
}

bool span_skip_past(text_span *rest, const char *word)
{
    size_t before = find(*rest, word);
    if (before == rest->length)
        return false;
    rest->text += before + strlen(word);
    rest->length -= before + strlen(word);
    return true;
}

text_span span_take_until(text_span *rest, const char *stop)
{
    text_span before = {rest->text, find(*rest, stop)};
    size_t used = before.length == rest->length ? before.length : before.length + strlen(stop);
    rest->text += used;
    rest->length -= used;
    return before;
}

text_span span_take_line(text_span *rest)
{
    return span_take_until(rest, "\n");
}

bool span_take_whole(text_span *rest, uint64_t *out)
{
    text_span number = *rest;
    unsigned base = span_skip(&number, "0x") ? 16 : 10;
    uint64_t value = 0;
    size_t i = 0;
    for (; i < number.length && text_digit(number.text[i]) < base; i++)
        if (__builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, text_digit(number.text[i]), &value) || value > INT64_MAX)
            return false;
    if (!i)
        return false;
    *rest = (text_span){number.text + i, number.length - i};
    *out = value;
    return true;
}
