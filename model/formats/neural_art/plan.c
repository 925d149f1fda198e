#include "roofline/plan.h"

#include <string.h>

const char *roof_epoch_kind_text(roof_epoch_kind kind)
{
    static const char *const texts[ROOF_EPOCH_KINDS] = {"", "HW", "SW", "HYBRID"};
    return kind < ROOF_EPOCH_KINDS ? texts[kind] : "";
}

const roof_pool *roof_plan_pool(const roof_plan *plan, const char *name)
{
    for (uint32_t i = 0; i < plan->n_pools; i++)
        if (strcmp(plan->pools[i].name, name) == 0)
            return &plan->pools[i];
    return NULL;
}
