#include "model/engine.h"

#include <stddef.h>
#include <string.h>

static const roof_engine engines[] = {
#define ENGINE(name, kind, subject, clause) {(name), ROOF_ENGINE_KIND_##kind, (subject), (clause)},
#include "model/engines.def"
#undef ENGINE
};

const roof_engine *roof_engine_named(const char *name)
{
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (strcmp(engines[i].name, name) == 0)
            return &engines[i];
    return NULL;
}
