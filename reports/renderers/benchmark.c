/* Checks, and the newest runs of a history, as github-action-benchmark reads them with `tool:
 * customSmallerIsBetter`: an array of what was found. The action takes a null for 0, refuses an array without
 * items, and compares names with those of the run before. So unknown values are left out, as are those that
 * are better when larger, and the number of checks that failed is always there. */
#include "core/json/jsonout.h"
#include "reports/renderers/renderer.h"
#include "reports/words/say.h"

static void put_value(jsonout *json, const char *name, const char *unit, double value)
{
    jsonout_string(json, "name", name);
    jsonout_string(json, "unit", unit);
    jsonout_derived(json, "value", value);
}

static void put_checks(const rendering *r)
{
    jsonout json;
    const char *list = ""; /* "net/expected (expected, 95 % 9.354 ms to 12.85 ms: the limit lies between)" */
    FOR_EACH(const roof_check, c, r->checks->items, r->checks->n)
        if (c->state == ROOF_HELD_NOT_KNOWN)
            list = say_more(r->arena, list, "%s/%s (%s)", c->model, c->name, c->why);
    jsonout_begin(&json, r->out);
    jsonout_array(&json, NULL, false);
    jsonout_object(&json, NULL, true);
    put_value(&json, "checks that failed", "checks", roof_checks_failed(r->checks));
    if (r->checks->counts[ROOF_HELD_NOT_KNOWN])
        jsonout_string(&json, "extra", say_printf(r->arena, "not known: %s", list));
    jsonout_end(&json);
    FOR_EACH(const roof_check, c, r->checks->items, r->checks->n) {
        if (!(c->state == ROOF_HELD_KEPT || c->state == ROOF_HELD_BROKEN) || isnan(c->found) || c->is_least)
            continue;
        jsonout_object(&json, NULL, true);
        put_value(&json, say_unmarked(r->arena, say_printf(r->arena, "%s/%s", c->model, c->name)), c->unit,
                  c->found);
        if (!isnan(c->found_ci95[0]))
            jsonout_string(&json, "range",
                           say_printf(r->arena, "%.6g to %.6g", c->found_ci95[0], c->found_ci95[1]));
        jsonout_string(&json, "extra", c->why);
        jsonout_end(&json);
    }
    jsonout_end(&json);
}

const renderer_def renderer_benchmark = {
    .id = "benchmark", .own = {{put_checks, ROOF_DOCUMENT_CHECKS}, {trends_benchmark, ROOF_DOCUMENT_TRENDS}}};
