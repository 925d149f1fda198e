/* roof_reconcile: measured and predicted in, reconciliation out. The steps stand in `build` in the order of the data. */
#include "core/error.h"
#include "measure/map_lines.h"
#include "measure/reconciler.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Findings of one kind that are told in full. */
enum { MOST_OF_A_KIND = 40 };

_Static_assert(ROOF_FINDING_COUNT - ROOF_FINDING_FIRST_NOTE <= 32, "roof_unit.notes has a bit for each");

struct roof_reconciliation_storage {
    roof_arena *arena;
};

time_unit time_unit_of(double largest_s)
{
    static const struct {
        double from;
        time_unit scale;
    } scales[] = {{1, {1, "s"}}, {1e-4, {1e3, "ms"}}, {1e-7, {1e6, "us"}}, {0, {1e9, "ns"}}};
    size_t i = 0;
    while (i < 3 && !(fabs(largest_s) >= scales[i].from))
        i++;
    return scales[i].scale;
}

/* --- findings ----------------------------------------------------------------------------------------- */

/* Runs of one model share its layers: what is so of them all is said once, with the first of them. */
static bool was_told(const reconciler *r, roof_finding_kind kind, uint32_t experiment, const char *unit,
                     const char *text)
{
    const roof_reconciled *all = r->out->experiments;
    if (experiment == ROOF_NONE || all[experiment].first == experiment)
        return false;
    for (uint32_t i = 0; i < r->out->n_findings; i++) {
        const roof_reconcile_finding *f = &r->out->findings[i];
        if (f->kind == kind && f->experiment != ROOF_NONE &&
            all[f->experiment].first == all[experiment].first && strcmp(f->text, text) == 0 &&
            (f->unit && unit ? strcmp(f->unit, unit) == 0 : f->unit == unit))
            return true;
    }
    return false;
}

roof_status add_remark(reconciler *r, roof_finding_kind kind, uint32_t experiment, roof_unit *unit,
                       const char *format, ...)
{
    char text[640];
    va_list args;
    if (unit)
        unit->notes |= 1u << (kind - ROOF_FINDING_FIRST_NOTE);
    if (r->told[kind]++ >= MOST_OF_A_KIND)
        return ROOF_OK;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (was_told(r, kind, experiment, unit ? unit->name : NULL, text)) {
        r->told[kind]--;
        return ROOF_OK;
    }
    const char *copy = arena_strdup(r->arena, text);
    r->out->findings = arena_grow(r->arena, r->out->findings, r->out->n_findings, sizeof *r->out->findings);
    if (!copy || !r->out->findings)
        return error_memory(r->err);
    r->out->findings[r->out->n_findings++] = (roof_reconcile_finding){
        .kind = kind, .experiment = experiment, .unit = unit ? unit->name : NULL, .text = copy};
    return ROOF_OK;
}

bool told_enough(reconciler *r, roof_finding_kind kind, roof_unit *unit)
{
    if (r->told[kind] < MOST_OF_A_KIND)
        return false;
    r->told[kind]++;
    unit->notes |= 1u << (kind - ROOF_FINDING_FIRST_NOTE);
    return true;
}

/* What was counted and not told. */
static roof_status tell_more(reconciler *r)
{
    for (int kind = 0; kind < ROOF_FINDING_COUNT; kind++) {
        uint32_t n = r->told[kind];
        if (n <= MOST_OF_A_KIND)
            continue;
        r->told[kind] = 0;
        TRY(add_remark(r, (roof_finding_kind)kind, ROOF_NONE, NULL, "and %u more of this kind",
                       n - MOST_OF_A_KIND));
    }
    return ROOF_OK;
}

static roof_status place_in_map(const reconciler *r, roof_status status)
{
    if (status != ROOF_OK)
        error_prefix(r->err, "%s", r->options->map_name ? r->options->map_name : "map");
    return status;
}

/* Before anything is matched, which would say less well what is wrong. */
static roof_status read_map(reconciler *r, layer_map *map)
{
    *map = (layer_map){0};
    if (!r->options || !r->options->map)
        return ROOF_OK;
    return place_in_map(r, map_read(r->options->map, r->arena, map, r->err));
}

/* A line that nobody could use is a mistake in a name, and the rest of the map would be read as if it were meant. */
static roof_status check_map(reconciler *r, const layer_map *map)
{
    return place_in_map(r, map_check(map, r->map_found, r->err));
}

/* --- the steps ---------------------------------------------------------------------------------------- */

static roof_status add_epochs(reconciler *r, roof_reconciled *e)
{
    roof_epochs *epochs = NULL;
    if (e->per_layer)
        TRY(epochs_make(e->per_layer, e->prediction, r->arena, &epochs, r->err));
    e->epochs = epochs;
    return ROOF_OK;
}

static roof_status build(reconciler *r)
{
    roof_reconciliation *out = r->out;
    layer_map map;
    TRY(read_map(r, &map));
    TRY(reconciler_pair_runs(r));
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        TRY(reconciler_doubt_times(r, i));
        TRY(reconciler_add_units(r, i));
        TRY(add_epochs(r, &out->experiments[i]));
        reconciler_total(&out->experiments[i]);
    }
    TRY(check_map(r, &map));
    TRY(reconciler_fit(r));
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        TRY(reconciler_finish_total(r, &out->experiments[i]));
        reconciler_correct(&out->experiments[i]);
        TRY(reconciler_attribute(r, &out->experiments[i]));
    }
    TRY(reconciler_note_all(r));
    for (uint32_t i = 0; i < out->n_experiments; i++)
        TRY(reconciler_note(r, i));
    TRY(tell_more(r));
    return reconciler_tell(r);
}

roof_status roof_reconcile(const roof_measured *measured, const roof_prediction *const *predictions,
                           const roof_reconcile_options *options, roof_reconciliation **out, roof_error *err)
{
    roof_arena *arena = arena_new(0);
    roof_reconciliation *made = arena ? NEW(arena, roof_reconciliation) : NULL;
    struct roof_reconciliation_storage *storage =
        made ? NEW(arena, struct roof_reconciliation_storage) : NULL;
    reconciler r = {.measured = measured,
                    .predictions = predictions,
                    .options = options,
                    .out = made,
                    .arena = arena,
                    .err = err};
    roof_status status = storage ? ROOF_OK : error_memory(err);
    if (status == ROOF_OK) {
        storage->arena = arena;
        made->storage = storage;
        status = build(&r);
    }
    if (status == ROOF_OK)
        status = arena_status(arena, err);
    *out = NULL;
    if (status == ROOF_OK)
        *out = made;
    else
        arena_free(arena);
    return status;
}

void roof_reconciliation_free(roof_reconciliation *reconciliation)
{
    if (reconciliation)
        arena_free(reconciliation->storage->arena);
}
