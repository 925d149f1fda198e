/* Which law serves a family. */
#include "model/laws/law.h"

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
