#include "tests/support/codec_random.h"
#include "tests/fuzz/fuzz_target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- filling ------------------------------------------------------------------------------------------ */

typedef struct filling {
    uint64_t (*random)(void);
    roof_arena *arena;
} filling;

static uint32_t below(const filling *f, uint32_t n)
{
    CHECK(n);
    return (uint32_t)((f->random() >> 11) % n);
}

static const char *any_text(const filling *f, bool is_key)
{
    static const char *const letters[] = {"a",       "B",
                                          "7",       ".",
                                          "/",       "~",
                                          "\"",      "\\",
                                          "\x1b[2J", "\n",
                                          "\x7f",    "\xc3\xa9",
                                          "\u2028",  "\xe2\x80\xaegpj\xe2\x80\xac",
                                          "<b>",     "\xf0\x9f\x98\x80",
                                          "null"};
    char text[200] = "";
    for (uint32_t n = below(f, 9); n > 0; n--)
        strcat(text, letters[below(f, is_key ? 6 : CODEC_N(letters))]);
    if (is_key) /* a name that no other has */
        snprintf(text + strlen(text), 24, "%llx", (unsigned long long)f->random());
    const char *copy = arena_strdup(f->arena, text);
    CHECK(copy);
    return copy;
}

/* Of every size, and each limit now and then. */
static double any_number(const filling *f, const codec_member *m)
{
    bool is_time = m->kind == CODEC_SECONDS || m->kind == CODEC_SECONDS_PAIR;
    double most = is_time ? CODEC_MOST_SECONDS : 1e300;
    double value = ldexp((double)(f->random() >> 11), (int)below(f, 90) - 120);
    if (below(f, 8) == 0)
        value = below(f, 2) ? 0 : most;
    bool is_signed = m->kind == CODEC_NUMBER || m->kind == CODEC_PAIR;
    return is_signed && below(f, 2) ? -value : value;
}

static bool may_be_unknown(const codec_member *m)
{
    return !m->missing && (!(m->how & (CODEC_PLAIN | CODEC_ZERO)) || m->how & CODEC_OR_NULL);
}

static void fill_list(const filling *f, const codec_member *m, char *target)
{
    bool is_inline = m->how & (CODEC_INLINE | CODEC_FIXED);
    uint32_t n = m->how & CODEC_FIXED ? m->most : below(f, m->most < 4 ? m->most + 1 : 4) + (m->none != NULL);
    char *items = is_inline ? target + m->offset : arena_alloc(f->arena, n, m->item_size);
    CHECK(items);
    for (uint32_t i = 0; i < n; i++) {
        char *item = items + i * m->item_size;
        if (m->object)
            codec_fill(m->object, item, f->random, f->arena);
        if (!m->object || m->how & CODEC_KEYED)
            *(const char **)item = any_text(f, m->how & CODEC_KEYED);
    }
    if (!is_inline)
        memcpy(target + m->offset, &items, sizeof items);
    if (!(m->how & CODEC_FIXED))
        memcpy(target + m->count, &n, sizeof n);
}

static void fill_word(const filling *f, const codec_member *m, unsigned *word)
{
    unsigned n = 0;
    while (m->words[n])
        n++;
    *word = below(f, n + may_be_unknown(m));
}

static void fill_member(const filling *f, const codec_member *m, char *target)
{
    char *at = target + m->offset;
    bool known = !may_be_unknown(m) || below(f, 4);
    if (m->how & CODEC_SHOWN || m->kind == CODEC_CALL || m->kind == CODEC_SCHEMA)
        return;
    if (m->there_size == sizeof(bool))
        target[m->there] = target[m->there] || below(f, 2);
    switch (m->kind) {
    case CODEC_TEXT:
    case CODEC_NAME:
    case CODEC_SHARED:
        *(const char **)at = known ? any_text(f, m->kind == CODEC_NAME) : NULL;
        break;
    case CODEC_COUNT:
        *(uint64_t *)at = !known        ? ROOF_UNKNOWN
                          : below(f, 8) ? f->random() >> (11 + below(f, 53))
                                        : UINT64_C(1) << 53;
        break;
    case CODEC_HEX:
        *(uint64_t *)at = known ? f->random() : ROOF_UNKNOWN;
        break;
    case CODEC_SMALL:
        *(uint32_t *)at = known ? (uint32_t)(f->random() >> (32 + below(f, 32))) % ROOF_NONE : ROOF_NONE;
        break;
    case CODEC_BOOL:
        *(bool *)at = below(f, 2);
        break;
    case CODEC_WORD:
        fill_word(f, m, (unsigned *)at);
        break;
    case CODEC_OBJECT:
        codec_fill(m->object, at, f->random, f->arena);
        break;
    case CODEC_LIST:
        fill_list(f, m, target);
        break;
    case CODEC_PAIR:
    case CODEC_SECONDS_PAIR:
        ((double *)at)[1] = known ? any_number(f, m) : NAN; /* fall through */
    default:
        *(double *)at = known ? any_number(f, m) : NAN;
    }
}

void codec_fill(const codec_object *object, void *target, uint64_t (*random)(void), roof_arena *arena)
{
    for (size_t i = 0; i < object->n; i++)
        fill_member(&(filling){random, arena}, &object->members[i], target);
}

/* --- comparing ---------------------------------------------------------------------------------------- */

static bool same_number(const codec_member *m, double a, double b)
{
    double slack = m->how & CODEC_DERIVED ? 1e-11 * fabs(a) : 0;
    return (isnan(a) && isnan(b)) || (isinf(a) && isinf(b)) || fabs(a - b) <= slack;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static const char *list_difference(const codec_member *m, const char *a, const char *b, const void *user)
{
    bool is_inline = m->how & (CODEC_INLINE | CODEC_FIXED), is_fixed = m->how & CODEC_FIXED;
    const char *x = is_inline ? a + m->offset : *(const char *const *)(a + m->offset);
    const char *y = is_inline ? b + m->offset : *(const char *const *)(b + m->offset);
    uint32_t n = is_fixed ? m->most : *(const uint32_t *)(a + m->count);
    if (!is_fixed && *(const uint32_t *)(b + m->count) != n)
        return m->key;
    for (uint32_t i = 0; i < n; i++, x += m->item_size, y += m->item_size) {
        const char *key = m->object ? codec_difference(m->object, x, y, user) : NULL;
        if (key)
            return key;
        if ((!m->object || m->how & CODEC_KEYED) &&
            !same_text(*(const char *const *)x, *(const char *const *)y))
            return m->key;
    }
    return NULL;
}

static const char *member_difference(const codec_member *m, const char *a, const char *b, const void *user)
{
    const char *x = a + m->offset, *y = b + m->offset;
    bool same;
    switch (m->kind) {
    case CODEC_TEXT:
    case CODEC_NAME:
    case CODEC_SHARED:
        same = same_text(*(const char *const *)x, *(const char *const *)y);
        break;
    case CODEC_COUNT:
    case CODEC_HEX:
        same = *(const uint64_t *)x == *(const uint64_t *)y;
        break;
    case CODEC_SMALL:
    case CODEC_WORD:
        same = *(const uint32_t *)x == *(const uint32_t *)y;
        break;
    case CODEC_BOOL:
        same = *(const bool *)x == *(const bool *)y;
        break;
    case CODEC_OBJECT:
        return codec_difference(m->object, x, y, user);
    case CODEC_LIST:
        return list_difference(m, a, b, user);
    case CODEC_PAIR:
    case CODEC_SECONDS_PAIR:
        same = same_number(m, *(const double *)x, *(const double *)y) &&
               same_number(m, ((const double *)x)[1], ((const double *)y)[1]);
        break;
    default:
        same = same_number(m, *(const double *)x, *(const double *)y);
    }
    return same ? NULL : m->key;
}

static bool is_written(const codec_member *m, const char *target)
{
    bool any = !m->there_size;
    for (size_t i = 0; i < m->there_size && !any; i++)
        any = target[m->there + i] != 0;
    return any && !(m->how & CODEC_SHOWN) && m->kind != CODEC_CALL && m->kind != CODEC_SCHEMA;
}

const char *codec_difference(const codec_object *object, const void *a, const void *b, const void *user)
{
    const codec c = {.user = (void *)user};
    const char *key = NULL;
    for (const codec_member *m = object->members; m < object->members + object->n && !key; m++)
        if (is_written(m, a) && (!m->when || !user || m->when(&c, a)))
            key = member_difference(m, a, b, user);
    return key;
}
