#include "core/error.h"
#include "model/laws/law.h"
#include "model/work/opmap.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LAW(symbol, families) extern const cycle_law law_##symbol;
#include "model/laws.def"
#undef LAW

static const struct {
    const cycle_law *law;
    const char *families;
} laws[] = {
#define LAW(symbol, families) {&law_##symbol, (families)},
#include "model/laws.def"
#undef LAW
};

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = length ? strstr(words, word) : NULL; p; p = strstr(p + 1, word))
        if ((p == words || p[-1] == ' ') && (p[length] == ' ' || p[length] == '\0'))
            return true;
    return false;
}

const cycle_law *law_of(const char *family)
{
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        if (has_word(laws[i].families, family))
            return laws[i].law;
    return NULL;
}

const cycle_law *law_at(size_t i)
{
    return i < sizeof laws / sizeof *laws ? laws[i].law : NULL;
}

static bool belongs_to_array(const char *key)
{
    static const char *const prefixes[] = {"conv.",        "alu.",   "dwconv.", "pool.", "eltwise.",
                                           "image_banks.", "convw.", "peak",    "batch", "aie."};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(key, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

const roof_quantity *hw_view_get(const hw_view *view, const char *key)
{
    return roof_hw_get(belongs_to_array(key) ? view->array : view->board, key);
}

const roof_quantity *hw_view_pool(const hw_view *view, const char *pool, const char *what)
{
    char key[80];
    int n = snprintf(key, sizeof key, "mempool.%s.%s", pool, what);
    if (n < 0 || (size_t)n >= sizeof key)
        return NULL;
    for (char *c = key; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return hw_view_get(view, key);
}

roof_status hw_view_count(const hw_view *view, const char *key, uint32_t min, uint32_t otherwise,
                          uint32_t *out, roof_error *err)
{
    const roof_quantity *q = hw_view_get(view, key);
    *out = otherwise;
    if (!q)
        return ROOF_OK;
    if (!(q->value >= min && q->value <= UINT32_MAX && q->value == floor(q->value)))
        return error_set(err, ROOF_E_DATA, "'%s' is %g, want a whole number of at least %u", key, q->value,
                         min);
    *out = (uint32_t)q->value;
    return ROOF_OK;
}

uint32_t macs_on_array(roof_rule rule)
{
    return rule_has_macs(rule) ? ENGINE_ARRAY : ROOF_NONE;
}

uint64_t cycles_for_bytes(uint64_t bytes, double clock_hz, double bytes_per_s)
{
    if (!(bytes_per_s > 0))
        return 0;
    if (clock_hz < 1e15 && bytes_per_s < 1e18 && clock_hz == floor(clock_hz) &&
        bytes_per_s == floor(bytes_per_s)) {
        unsigned __int128 product = (unsigned __int128)bytes * (uint64_t)clock_hz;
        uint64_t rate = (uint64_t)bytes_per_s;
        unsigned __int128 cycles = product / rate + (product % rate != 0);
        return cycles < ROOF_UNKNOWN ? (uint64_t)cycles : ROOF_UNKNOWN - 1;
    }
    double cycles = ceil((double)bytes * clock_hz / bytes_per_s);
    return cycles < 1.8e19 ? (uint64_t)cycles : ROOF_UNKNOWN - 1;
}
