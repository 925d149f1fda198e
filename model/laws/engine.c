#include "model/laws/engine.h"
#include "core/core.h"

static const engine_info engines[] = {
#define ENGINE(name, kind, efficiency, subject, clause)                                                      \
    {(name), ENGINE_KIND_##kind, (efficiency), (subject), (clause)},
#include "model/engines.def"
#undef ENGINE
};

const engine_info *engine_named(const char *name)
{
    FOR_EACH(const engine_info, engine, engines, N_OF(engines)) {
        const size_t before = strcspn(engine->name, "*"); /* which stands for digits */
        if (strncmp(engine->name, name, before) == 0 &&
            !name[before + (engine->name[before] ? strspn(name + before, "0123456789") : 0)])
            return engine;
    }
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
