#include "model/engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const roof_engine engines[] = {
#define ENGINE(name, kind, efficiency, subject, clause)                                                      \
    {(name), ROOF_ENGINE_KIND_##kind, (efficiency), (subject), (clause)},
#include "model/engines.def"
#undef ENGINE
};

static bool fits(const char *pattern, const char *name)
{
    size_t length = strlen(pattern);
    if (pattern[length - 1] != '*')
        return strcmp(pattern, name) == 0;
    return strncmp(pattern, name, length - 1) == 0 &&
           !name[length - 1 + strspn(name + length - 1, "0123456789")];
}

const roof_engine *roof_engine_named(const char *name)
{
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (fits(engines[i].name, name))
            return &engines[i];
    return NULL;
}
