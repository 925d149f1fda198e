#include "measure/reconcile/match_names.h"

/* "subgraph_(/model.0/Conv_output_0_vaip_3)" of Ryzen AI is the operator /model.0/Conv_output_0. */
text_span match_name_bare(const char *name)
{
    static const char pass[] = "_vaip_";
    text_span bare = span_of(name);
    bool is_subgraph = span_skip(&bare, "subgraph_");
    size_t n = bare.length, digits = 0;
    if (!is_subgraph || n < 2 || *bare.text != '(' || bare.text[n - 1] != ')')
        return bare;
    bare = (text_span){bare.text + 1, n - 2};
    while (digits < bare.length && bare.text[bare.length - 1 - digits] >= '0' &&
           bare.text[bare.length - 1 - digits] <= '9')
        digits++;
    size_t end = digits + strlen(pass);
    if (digits && bare.length > end && memcmp(bare.text + bare.length - end, pass, strlen(pass)) == 0)
        bare.length -= end;
    return bare;
}

/* ASCII only: names hold bytes of UTF-8, and the locale must not matter. */
static char plain_char(unsigned char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c >= 0x80 ? (char)c : '_';
}

text_span match_name_plain(const char *name, roof_arena *arena)
{
    static const char suffix[] = "_fix";
    text_span bare = match_name_bare(name);
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

roof_status pair_keys_new(roof_arena *arena, uint32_t n, key_list *out, roof_error *err)
{
    out->n = n;
    TRY(ARENA_GET2(arena, out->of, out->mate, n, err));
    memset(out->mate, -1, n * sizeof *out->mate); /* ROOF_NONE */
    return ROOF_OK;
}

roof_status pair_keys(roof_arena *arena, key_list *a, key_list *b, roof_error *err)
{
    namechain keys;
    bool *is_taken;
    TRY(namechain_new(arena, b->n, &keys, err));
    TRY(ARENA_GET(arena, is_taken, b->n, err));
    for (uint32_t i = 0; i < b->n; i++)
        if (b->of[i] && b->mate[i] == ROOF_NONE)
            namechain_add(&keys, span_of(b->of[i]), i);
    for (uint32_t i = 0; i < a->n; i++) {
        const bool is_open = a->of[i] && a->mate[i] == ROOF_NONE;
        const uint32_t mate = is_open ? namechain_open(&keys, span_of(a->of[i]), is_taken) : ROOF_NONE;
        if (mate == ROOF_NONE)
            continue;
        a->mate[i] = mate;
        b->mate[mate] = i;
        is_taken[mate] = true;
    }
    return ROOF_OK;
}
