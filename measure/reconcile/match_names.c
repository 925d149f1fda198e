#include "measure/reconcile/match_names.h"

#include <string.h>

/* "(/model.0/Conv_output_0_vaip_3)" of Ryzen AI's compiler is the operator /model.0/Conv_output_0. */
static text_span without_pass(text_span name)
{
    static const char pass[] = "_vaip_";
    size_t n = name.length, digits = 0;
    if (n < 2 || *name.text != '(' || name.text[n - 1] != ')')
        return name;
    name = (text_span){name.text + 1, n - 2};
    while (digits < name.length && name.text[name.length - 1 - digits] >= '0' &&
           name.text[name.length - 1 - digits] <= '9')
        digits++;
    size_t end = digits + strlen(pass);
    if (digits && name.length > end && memcmp(name.text + name.length - end, pass, strlen(pass)) == 0)
        name.length -= end;
    return name;
}

text_span name_bare(const char *name)
{
    text_span bare = span_of(name);
    return span_skip(&bare, "subgraph_") ? without_pass(bare) : bare;
}

/* ASCII only: names hold bytes of UTF-8, and the locale must not matter. */
static char plain_char(unsigned char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c >= 0x80 ? (char)c : '_';
}

text_span name_plain(const char *name, roof_arena *arena)
{
    static const char suffix[] = "_fix";
    text_span bare = name_bare(name);
    char *out = arena_alloc(arena, bare.length + 1, 1);
    size_t n = 0, open = 0, suffix_length = strlen(suffix);
    if (!out)
        return (text_span){"", 0};
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
    return (text_span){out, n};
}

/* True for "...rest", which becomes the rest of the name. */
static bool was_cut(text_span *name)
{
    return name->length > 3 && span_skip(name, "...");
}

bool name_is_tail(text_span a, text_span b)
{
    bool a_cut = was_cut(&a), b_cut = was_cut(&b);
    bool a_is_short = a.length <= b.length;
    text_span short_one = a_is_short ? a : b, long_one = a_is_short ? b : a;
    if (!short_one.length)
        return false;
    const char *at = long_one.text + long_one.length - short_one.length;
    if (memcmp(at, short_one.text, short_one.length) != 0)
        return false;
    return at == long_one.text || memchr("/.:|", at[-1], 4) || (a_is_short ? a_cut : b_cut);
}

static bool joins(char c)
{
    return memchr("+,;|&", c, 5) != NULL;
}

bool name_next_part(text_span *rest, text_span *part)
{
    while (rest->length && (joins(*rest->text) || *rest->text == ' '))
        *rest = (text_span){rest->text + 1, rest->length - 1};
    size_t n = 0;
    while (n < rest->length && !joins(rest->text[n]))
        n++;
    *part = (text_span){rest->text, n};
    *rest = (text_span){rest->text + n, rest->length - n};
    while (part->length && part->text[part->length - 1] == ' ')
        part->length--;
    return part->length > 0;
}

bool name_is_joined(const char *name)
{
    text_span rest = name_bare(name), part;
    bool has_first = name_next_part(&rest, &part);
    return has_first && name_next_part(&rest, &part);
}
