#include "measure/match_names.h"

#include <string.h>

#define CUT "..."

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

roof_span roof_name_bare(const char *name)
{
    static const char prefix[] = "subgraph_";
    const char *at = begins(name, prefix) ? name + strlen(prefix) : name;
    return (roof_span){at, strlen(at)};
}

/* ASCII only: names hold bytes of UTF-8, and the locale must not matter. */
static char plain_char(unsigned char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c >= 0x80 ? (char)c : '_';
}

roof_span roof_name_plain(const char *name, roof_arena *arena)
{
    static const char suffix[] = "_fix";
    roof_span bare = roof_name_bare(name);
    char *out = roof_arena_alloc(arena, bare.length + 1, 1);
    size_t n = 0, open = 0, suffix_length = strlen(suffix);
    if (!out)
        return (roof_span){"", 0};
    for (size_t i = 0; i < bare.length; i++) {
        unsigned char c = (unsigned char)bare.text[i];
        open += c == '(';
        if (!open && !(plain_char(c) == '_' && n && out[n - 1] == '_'))
            out[n++] = plain_char(c);
        open -= c == ')' && open;
    }
    while (n > suffix_length && memcmp(out + n - suffix_length, suffix, suffix_length) == 0)
        n -= suffix_length;
    while (n && out[n - 1] == '_')
        n--;
    return (roof_span){out, n};
}

bool roof_name_was_cut(roof_span bare, roof_span *rest)
{
    size_t cut = strlen(CUT);
    bool was = bare.length > cut && memcmp(bare.text, CUT, cut) == 0;
    *rest = was ? (roof_span){bare.text + cut, bare.length - cut} : bare;
    return was;
}

roof_span roof_name_last(roof_span bare)
{
    roof_span rest;
    roof_name_was_cut(bare, &rest);
    size_t i = rest.length;
    while (i && rest.text[i - 1] != '/')
        i--;
    return (roof_span){rest.text + i, rest.length - i};
}

static bool is_separator(char c)
{
    return c == '/' || c == '.' || c == ':' || c == '|';
}

bool roof_name_is_tail(roof_span a, roof_span b)
{
    roof_span short_one, long_one;
    bool a_cut = roof_name_was_cut(a, &a), b_cut = roof_name_was_cut(b, &b);
    bool a_is_short = a.length <= b.length;
    short_one = a_is_short ? a : b;
    long_one = a_is_short ? b : a;
    if (!short_one.length)
        return false;
    const char *at = long_one.text + long_one.length - short_one.length;
    if (memcmp(at, short_one.text, short_one.length) != 0)
        return false;
    return at == long_one.text || is_separator(at[-1]) || (a_is_short ? a_cut : b_cut);
}

static bool joins(char c)
{
    return c == '+' || c == ',' || c == ';' || c == '|' || c == '&';
}

bool roof_name_next_part(roof_span *rest, roof_span *part)
{
    while (rest->length && (joins(*rest->text) || *rest->text == ' '))
        *rest = (roof_span){rest->text + 1, rest->length - 1};
    size_t n = 0;
    while (n < rest->length && !joins(rest->text[n]))
        n++;
    *part = (roof_span){rest->text, n};
    *rest = (roof_span){rest->text + n, rest->length - n};
    while (part->length && part->text[part->length - 1] == ' ')
        part->length--;
    return part->length > 0;
}

bool roof_name_is_joined(const char *name)
{
    roof_span rest = roof_name_bare(name), part;
    bool has_first = roof_name_next_part(&rest, &part);
    return has_first && roof_name_next_part(&rest, &part);
}
