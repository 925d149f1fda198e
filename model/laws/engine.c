#include "model/laws/engine.h"
#include "core/core.h"

static const engine_info engines[] = {
#define ENGINE(name, kind, efficiency, subject, clause)                                                      \
    {(name), ENGINE_KIND_##kind, (efficiency), (subject), (clause)},
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

const engine_info *engine_named(const char *name)
{
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (fits(engines[i].name, name))
            return &engines[i];
    return NULL;
}

bool engine_moves_data(const char *engine)
{
    const engine_info *known = engine_named(engine);
    return known && known->kind == ENGINE_KIND_DATA;
}

void engine_efficiency_name(const char *engine, char name[EFFICIENCY_NAME_SIZE])
{
    const engine_info *known = engine_named(engine);
    snprintf(name, EFFICIENCY_NAME_SIZE, "efficiency.%s", known ? known->efficiency : engine);
}
