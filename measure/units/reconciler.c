#include "measure/units/reconciler.h"
#include "roofline/hw.h"

#include <string.h>

/* Findings of one kind that are listed. */
enum { MOST_OF_A_KIND = 40 };

_Static_assert(ROOF_FINDING_COUNT - ROOF_FINDING_FIRST_NOTE <= 64, "roof_unit.notes has a bit for each");

static const roof_finding_kind kinds[] = {
#define FORM(name, kind) [ROOF_FORM_##name] = ROOF_FINDING_##kind,
#include "roofline/forms.def"
#undef FORM
};

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool was_listed(const roof_reconciliation *out, const roof_reconcile_finding *new)
{
    const roof_reconciled *all = out->experiments;
    uint32_t at = new->experiment;
    if (at == ROOF_NONE || all[at].first == at)
        return false;
    for (uint32_t i = 0; i < out->n_findings; i++) {
        const roof_reconcile_finding *f = &out->findings[i];
        bool same = f->experiment != ROOF_NONE && all[f->experiment].first == all[at].first &&
                    same_text(f->unit, new->unit) && f->remark.form == new->remark.form;
        for (int k = 0; same && k < ROOF_MAX_OPERANDS; k++) {
            const roof_operand *a = &f->remark.operands[k], *b = &new->remark.operands[k];
            same = same_text(a->text, b->text) && memcmp(&a->number, &b->number, sizeof a->number) == 0;
        }
        if (same)
            return true;
    }
    return false;
}

static void list(reconciler *r, const roof_reconcile_finding *finding)
{
    roof_reconciliation *out = r->out;
    roof_reconcile_finding *room = arena_grow(r->arena, out->findings, out->n_findings, sizeof *room);
    if (!room)
        return;
    out->findings = room;
    room[out->n_findings++] = *finding;
}

void remark_add(reconciler *r, uint32_t experiment, roof_unit *unit, const roof_remark *remark)
{
    roof_finding_kind kind = kinds[remark->form];
    const roof_reconcile_finding finding = {
        .kind = kind, .experiment = experiment, .unit = unit ? unit->name : NULL, .remark = *remark};
    if (unit && (int)kind >= (int)ROOF_FINDING_FIRST_NOTE)
        unit->notes |= ROOF_NOTE(kind);
    if (r->told[kind] < MOST_OF_A_KIND) {
        if (was_listed(r->out, &finding))
            return;
        list(r, &finding);
    }
    r->told[kind]++;
}

const roof_remark *remark_keep(reconciler *r, uint32_t experiment, const roof_remark *remark)
{
    roof_remark *kept = NEW(r->arena, roof_remark);
    if (kept)
        *kept = *remark;
    remark_add(r, experiment, NULL, remark);
    return kept;
}

void remarks_close(reconciler *r)
{
    for (int kind = 0; kind < ROOF_FINDING_COUNT; kind++) {
        const roof_reconcile_finding more = {.kind = (roof_finding_kind)kind,
                                             .experiment = ROOF_NONE,
                                             .remark =
                                                 REMARK(MORE, AS_COUNT(r->told[kind] - MOST_OF_A_KIND))};
        if (r->told[kind] > MOST_OF_A_KIND)
            list(r, &more);
    }
}

roof_hw *reconciler_hardware(reconciler *r, const char *id)
{
    roof_hw *hw = NULL;
    if (id && !strchr(id, '/') && roof_hw_load(id, &hw, NULL) == ROOF_E_NO_MEMORY)
        r->lacks_memory = true;
    return hw;
}
