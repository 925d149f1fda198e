#include "model/network_c/netc.h"
#include "core/error.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool netc_begins(netc_text text, const char *word)
{
    size_t length = strlen(word);
    return text.length >= length && memcmp(text.at, word, length) == 0;
}

bool netc_skip(netc_text *text, const char *word)
{
    if (!netc_begins(*text, word))
        return false;
    text->at += strlen(word);
    text->length -= strlen(word);
    return true;
}

/* The length of what stands before the word, or that of the whole text. */
static size_t find(netc_text text, const char *word)
{
    const char *found = text.length ? memmem(text.at, text.length, word, strlen(word)) : NULL;
    return found ? (size_t)(found - text.at) : text.length;
}

bool netc_skip_past(netc_text *text, const char *word)
{
    size_t before = find(*text, word);
    if (before == text->length)
        return false;
    text->at += before + strlen(word);
    text->length -= before + strlen(word);
    return true;
}

netc_text netc_take_until(netc_text *text, const char *stop)
{
    netc_text before = {text->at, find(*text, stop)};
    size_t used = before.length == text->length ? before.length : before.length + strlen(stop);
    text->at += used;
    text->length -= used;
    return before;
}

netc_text netc_take_line(netc_text *text)
{
    const char *end = memchr(text->at, '\n', text->length);
    netc_text line = {text->at, end ? (size_t)(end - text->at) : text->length};
    size_t used = line.length + (end != NULL);
    text->at += used;
    text->length -= used;
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

bool netc_take_number(netc_text *text, uint64_t *out)
{
    netc_text rest = *text;
    unsigned base = netc_skip(&rest, "0x") ? 16 : 10;
    uint64_t value = 0;
    size_t i = 0;
    for (; i < rest.length && digit_value(rest.at[i]) < base; i++)
        if (__builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, digit_value(rest.at[i]), &value) || value > INT64_MAX)
            return false;
    if (!i)
        return false;
    *text = (netc_text){rest.at + i, rest.length - i};
    *out = value;
    return true;
}

netc_text netc_trim(netc_text text)
{
    while (text.length && is_blank(text.at[0])) {
        text.at++;
        text.length--;
    }
    while (text.length && is_blank(text.at[text.length - 1]))
        text.length--;
    return text;
}

roof_status netc_fail(const netc_reader *r, netc_text found, const char *wanted)
{
    char shown[160];
    roof_quote(shown, sizeof shown, found.at ? found.at : "", found.length);
    return roof_fail_line(r->err, ROOF_E_DATA, r->line, "'%s', want %s", shown, wanted);
}
