/* Adds the compiler's report to a plan that was read from another of its files: network.csv has bytes and
 * cycles and no kinds, the report has kinds and neither. */
#include "core/error.h"
#include "core/order.h"
#include "model/formats/neural_art/art_report.h"
#include "model/formats/neural_art/plan_build.h"

#include <string.h>

static uint64_t last_of(const void *row)
{
    return ((const art_row *)row)->last;
}

/* The row that has the epoch; NULL when none does. Numbers of rows rise. */
static const art_row *find_row(const art_report *report, uint32_t number)
{
    uint32_t at = lower_bound_search(report->rows, report->n_rows, sizeof *report->rows, number, last_of);
    return at < report->n_rows && report->rows[at].first <= number ? &report->rows[at] : NULL;
}

static const char *kind_text(roof_epoch_kind kind, bool by_controller)
{
    return by_controller ? "EC" : roof_epoch_kind_text(kind);
}

static roof_status compare(const roof_plan *plan, const art_report *report, roof_arena *arena,
                           const char **differs, roof_error *err)
{
    *differs = NULL;
    FOR_EACH(const roof_epoch, e, plan->epochs, plan->n_epochs) {
        const art_row *row = find_row(report, e->number);
        if (row && (e->kind == ROOF_EPOCH_UNKNOWN ||
                    (e->kind == row->kind && (e->blob != ROOF_NONE) == row->by_controller)))
            continue;
        *differs = row ? arena_printf(arena, "epoch_%u is %s in the plan, %s in the report", e->number,
                                      kind_text(e->kind, e->blob != ROOF_NONE),
                                      kind_text(row->kind, row->by_controller))
                   : e->number == ROOF_NONE
                       ? arena_strdup(arena, "an epoch of the plan has no number")
                       : arena_printf(arena, "epoch_%u of the plan is not in the report", e->number);
        return ALLOCATED(*differs, err);
    }
    return ROOF_OK;
}

static void fill_bytes(uint64_t *plan, uint64_t report)
{
    if (*plan == ROOF_UNKNOWN)
        *plan = report;
}

/* Where rows are no programs, those of the controller are one as long as nothing else stands between them. */
static bool one_program(const art_report *report, const art_row *from, const art_row *to)
{
    if (report->has_program_rows)
        return from == to;
    while (from <= to && from->by_controller)
        from++;
    return from > to;
}

static roof_status fill_epochs(plan_build *b, const art_report *report)
{
    const art_row *before = NULL;
    for (uint32_t i = 0; i < b->plan->n_epochs; i++) {
        roof_epoch *e = b->epoch = &b->plan->epochs[i];
        const art_row *row = find_row(report, e->number);
        if (!row || e->kind != ROOF_EPOCH_UNKNOWN) /* compare found one of each */
            continue;
        e->kind = row->kind;
        if (*row->op && !e->n_ops) { /* the host's operator: the only one, behind those of all other epochs */
            e->first_op = b->plan->n_ops;
            TRY(plan_add_op(b, &(roof_plan_op){.name = row->op, .kind = row->op, .unit = ""}));
        }
        if (row->by_controller && e->blob == ROOF_NONE) {
            if (!before || !one_program(report, before, row))
                TRY(plan_add_blob(b, arena_printf(b->arena, "from epoch_%u", e->number)));
            e->blob = b->plan->n_blobs - 1;
            b->plan->blobs[e->blob].n_epochs++;
        }
        before = row->by_controller ? row : NULL;
    }
    return ROOF_OK;
}

roof_status plan_apply_report(roof_plan *plan, const art_report *report, roof_arena *arena,
                              const char **differs, roof_error *err)
{
    TRY(compare(plan, report, arena, differs, err));
    if (*differs)
        return ROOF_OK;
    for (uint32_t i = 0; i < plan->n_pools; i++)
        for (uint32_t j = 0; j < report->n_pools; j++) {
            roof_pool *to = &plan->pools[i];
            const roof_pool *from = &report->pools[j];
            if (strcmp(to->name, from->name) != 0)
                continue;
            fill_bytes(&to->address, from->address);
            fill_bytes(&to->size_bytes, from->size_bytes);
            fill_bytes(&to->used_bytes, from->used_bytes);
            if (to->content == ROOF_POOL_UNLISTED)
                to->content = from->content;
        }
    TRY(fill_epochs(&(plan_build){.plan = plan, .arena = arena, .err = err}, report));
    return arena_status(arena, err);
}
