#include "core/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* --- one character ------------------------------------------------------------------------------------ */

static utf8_kind kind_of(uint32_t code)
{
    static const struct {
        uint32_t first, last;
        utf8_kind kind;
    } ranges[] = {{0x00, 0x1f, UTF8_CONTROL},  {0x7f, 0x9f, UTF8_CONTROL},  {0x61c, 0x61c, UTF8_MARK},
                  {0x200e, 0x200f, UTF8_MARK}, {0x2028, 0x202e, UTF8_MARK}, {0x2066, 0x2069, UTF8_MARK},
                  {0xfeff, 0xfeff, UTF8_MARK}, {0xfffe, 0xffff, UTF8_MARK}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && code >= ranges[i].first; i++)
        if (code <= ranges[i].last)
            return ranges[i].kind;
    return UTF8_PLAIN;
}

utf8_character utf8_next(const char *text, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)text;
    const utf8_character bad = {UTF8_BAD, *p, 1};
    /* by the first byte: how long the sequence is, 0 for none, and its share of the code */
    unsigned n = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
    uint32_t code = n < 2 ? *p : *p & (0x7fu >> n);
    if (!n || n > length)
        return bad;
    for (unsigned i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return bad;
        code = code << 6 | (p[i] & 0x3f);
    }
    if (code < least[n] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
        return bad;
    return (utf8_character){kind_of(code), code, n};
}

/* Bytes that are plain ASCII, up to the first that is not: nearly all of every name, so eight are looked at
 * together. A byte below 0x20 borrows from the first constant, 0x7f reaches the highest bit by the second,
 * and the others have it. */
static size_t plain_length(const char *text, size_t length)
{
    size_t at = 0;
    uint64_t eight;
    for (; length - at >= sizeof eight; at += sizeof eight) {
        memcpy(&eight, text + at, sizeof eight);
        if (((eight - 0x2020202020202020) | (eight + 0x0101010101010101) | eight) & 0x8080808080808080)
            break;
    }
    while (at < length && text[at] >= ' ' && text[at] <= '~')
        at++;
    return at;
}

size_t utf8_before(const char *text, size_t length, utf8_kind kind)
{
    size_t at = 0;
    while ((at += plain_length(text + at, length - at)) < length) {
        utf8_character next = utf8_next(text + at, length - at);
        if (next.kind >= kind)
            break;
        at += next.length;
    }
    return at;
}

size_t utf8_first_bad(const char *text, size_t length)
{
    return utf8_before(text, length, UTF8_CONTROL);
}

size_t utf8_escape(utf8_character character, char escape[UTF8_ESCAPE_SIZE])
{
    bool is_byte = character.kind == UTF8_BAD || character.code < 0x80;
    return (size_t)snprintf(escape, UTF8_ESCAPE_SIZE, is_byte ? "\\x%02x" : "\\u{%x}", character.code);
}

/* --- a text in one line ------------------------------------------------------------------------------- */

size_t utf8_show(char *buffer, const char *text, size_t length, utf8_kind from)
{
    size_t used = 0;
    for (size_t at = 0; at < length;) {
        utf8_character next = utf8_next(text + at, length - at);
        char escape[UTF8_ESCAPE_SIZE];
        size_t n = next.kind < from ? next.length : utf8_escape(next, escape);
        if (buffer)
            memcpy(buffer + used, next.kind < from ? text + at : escape, n);
        used += n;
        at += next.length;
    }
    return used;
}

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

const char *quote_text(char *buffer, size_t size, const char *text, size_t length)
{
    size_t used = 0;
    if (utf8_show(NULL, text, length, UTF8_MARK) < size) {
        used = utf8_show(buffer, text, length, UTF8_MARK);
    } else if (size > 3) {
        size_t kept = (size - 4) / 8; /* of each end, since a byte may become \xNN */
        size_t head = kept, tail = length - kept;
        while (head && continues(text[head]) && kept - head < 3) /* no half of a character */
            head--;
        while (tail < length && continues(text[tail]))
            tail++;
        used = utf8_show(buffer, text, head, UTF8_MARK);
        memcpy(buffer + used, "...", 3);
        used += 3;
        used += utf8_show(buffer + used, text + tail, length - tail, UTF8_MARK);
    }
    buffer[used] = '\0';
    return buffer;
}

const char *quote_for_shell(char *buffer, size_t size, const char *name, const char *instead)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:@%+-";
    const size_t length = strlen(name);
    const bool is_bare = length && strspn(name, harmless) == length,
               is_plain = utf8_before(name, length, UTF8_MARK) == length;
    const char *quote = is_bare    ? ""
                        : is_plain ? "'"
                                   : "$'",
               *folder = *name == '-' || *name == '+' ? "./" : "";
    size_t used = (size_t)snprintf(buffer, size, "%s%s%s", quote, folder, is_bare ? name : "");
    for (; !is_bare && *name && used < size; name++) {
        const unsigned char byte = (unsigned char)*name;
        if (!is_plain && (byte < ' ' || byte > '~'))
            used += (size_t)snprintf(buffer + used, size - used, "\\%03o", byte);
        else
            used += (size_t)snprintf(buffer + used, size - used, "%s%c",
                                     byte == '\''                ? is_plain ? "'\\'" : "\\"
                                     : byte == '\\' && !is_plain ? "\\"
                                                                 : "",
                                     byte);
    }
    if (used < size)
        used += (size_t)snprintf(buffer + used, size - used, "%s", is_bare ? "" : "'");
    return used < size ? buffer : instead;
}

/* --- width -------------------------------------------------------------------------------------------- */

/* Not wcwidth, which asks the locale. Blocks of Unicode that terminals show so, in order. */
static const struct {
    uint32_t first, last;
    unsigned width;
} widths[] = {
    {0x300, 0x36f, 0},     {0x483, 0x489, 0},     {0x591, 0x5bd, 0},     {0x610, 0x61a, 0},
    {0x64b, 0x65f, 0},     {0x1100, 0x115f, 2},   {0x1ab0, 0x1aff, 0},   {0x1dc0, 0x1dff, 0},
    {0x200b, 0x200f, 0},   {0x20d0, 0x20ff, 0},   {0x2e80, 0x303e, 2},   {0x3041, 0x4dbf, 2},
    {0x4e00, 0xa4cf, 2},   {0xa960, 0xa97c, 2},   {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},
    {0xfe00, 0xfe0f, 0},   {0xfe20, 0xfe2f, 0},   {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},
    {0xffe0, 0xffe6, 2},   {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1f9ff, 2},
    {0x20000, 0x3fffd, 2}, {0xe0100, 0xe01ef, 0},
};

static size_t character_width(uint32_t c)
{
    size_t i = 0, n = sizeof widths / sizeof *widths;
    while (c >= widths[0].first && i < n && c > widths[i].last)
        i++;
    return c >= widths[0].first && i < n && c >= widths[i].first ? widths[i].width : 1;
}

size_t utf8_width(const char *text, size_t length)
{
    size_t width = 0;
    for (size_t at = 0; at < length;) {
        size_t plain = plain_length(text + at, length - at);
        width += plain;
        at += plain;
        if (at == length)
            break;
        utf8_character next = utf8_next(text + at, length - at);
        width += next.kind == UTF8_BAD ? 1 : character_width(next.code);
        at += next.length;
    }
    return width;
}
