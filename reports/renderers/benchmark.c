/* Checks, and the newest runs of a history, as github-action-benchmark reads them with `tool:
 * customSmallerIsBetter`: an array of what was found. Of it the action takes a null for 0, refuses an array
 * without items, and compares names with those of the run before. So what is not known is left out, what is
 * better when it is larger too, and the number of checks that failed is always there. */
#include "core/json/jsonout.h"
#include "core/quantity.h"
#include "reports/renderers/renderer.h"
#include "reports/words/say.h"

#include <math.h>

static void put_value(jsonout *json, const char *name, const char *unit, double value)
{
    jsonout_string(json, "name", name);
    jsonout_string(json, "unit", unit);
    jsonout_derived(json, "value", value);
}

static void put_checks(const rendering *r)
{
    jsonout json;
    jsonout_begin(&json, r->out);
    jsonout_array(&json, NULL, false);
    jsonout_object(&json, NULL, true);
    put_value(&json, "checks that failed", "checks", roof_checks_failed(r->checks));
    jsonout_end(&json);
    for (uint32_t i = 0; i < r->checks->n; i++) {
        const roof_check *c = &r->checks->items[i];
        bool is_known = c->state == ROOF_HELD_KEPT || c->state == ROOF_HELD_BROKEN;
        if (!is_known || isnan(c->found) || c->is_least)
            continue;
        jsonout_object(&json, NULL, true);
        put_value(&json, say_unmarked(r->arena, say_printf(r->arena, "%s/%s", c->model, c->name)), c->unit,
                  c->found);
        jsonout_string(&json, "extra", c->why);
        jsonout_end(&json);
    }
    jsonout_end(&json);
}

const renderer_def renderer_benchmark = {
    .id = "benchmark", .own = {{put_checks, ROOF_DOCUMENT_CHECKS}, {trends_benchmark, ROOF_DOCUMENT_TRENDS}}};
