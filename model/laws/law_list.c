/* The cost model of each family. */
#include "model/laws/law.h"

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

const cycle_law *law_of(const char *family)
{
    for (size_t i = 0; i < N_OF(laws); i++)
        if (text_has_word(laws[i].families, family))
            return laws[i].law;
    return NULL;
}

const roof_quantity *law_rate_of(const roof_hw *hw, const char *type)
{
    const cycle_law *law = law_of(roof_hw_family(hw));
    return law && law->rate_of ? law->rate_of(hw, type) : NULL;
}
