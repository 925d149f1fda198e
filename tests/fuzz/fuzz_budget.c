/* Budgets from untrusted files: what can be read is checked, and what cannot is explained; a check has a
 * name, a reason and a state, and the counts are those of the checks. */
#include "measure/compare/budget_codec.h"
#include "tests/fuzz/fuzz_target.h"

#include <math.h>
#include <string.h>

static void check_limits(const roof_limit *limits, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        CHECK(*limits[i].name && limits[i].value >= 0 &&
              roof_budget_limit(limits, n, limits[i].name) == limits[i].value);
}

static void check_budget(const roof_budget *b)
{
    check_limits(b->totals, b->n_totals);
    check_limits(b->steps, b->n_steps);
    check_limits(b->types, b->n_types);
    for (uint32_t i = 0; i < b->n_models; i++) {
        CHECK(b->models[i].name && b->models[i].n_totals);
        check_limits(b->models[i].totals, b->models[i].n_totals);
    }
    CHECK(b->n_totals || b->n_steps || b->n_models || b->n_types || b->n_memory || b->baseline.file ||
          b->advice_max_gain_percent >= 0);
    CHECK(b->baseline.factor > 0 && !(b->baseline.layer_factor <= 0));
    CHECK(!b->baseline.file == !b->baseline.path);
}

static void check_prediction(const roof_budget *b)
{
    roof_prediction p = {.model.name = "net"};
    roof_checks *checks = NULL;
    uint32_t counts[ROOF_HELD_KINDS] = {0};
    p.total.floor_s = 0.01;
    p.total.predicted_s = NAN;
    p.schedule.scheduled_s = NAN;
    CHECK(roof_budget_check(b, &(roof_compare_side){.name = "net.json", .prediction = &p}, NULL, &checks,
                            NULL) == ROOF_OK);
    for (uint32_t i = 0; i < checks->n; i++) {
        CHECK(checks->items[i].name && checks->items[i].why && checks->items[i].limit >= 0);
        counts[checks->items[i].state]++;
    }
    CHECK(checks->n > 0 && memcmp(counts, checks->counts, sizeof counts) == 0);
    roof_checks_free(checks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    roof_budget *budget = NULL;
    roof_error err = {0};
    if (budget_codec_parse((const char *)data, size, "folder/fuzz.json", &budget, &err) == ROOF_OK) {
        check_budget(budget);
        check_prediction(budget);
    } else {
        CHECK(*err.what && strncmp(err.where, "folder/fuzz.json", strlen("folder/fuzz.json")) == 0);
    }
    roof_budget_free(budget);
    return 0;
}
