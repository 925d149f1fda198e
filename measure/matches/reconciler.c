#include "measure/matches/reconciler.h"

/* Findings of one kind that are listed. */
enum { MOST_OF_A_KIND = 40 };

_Static_assert(ROOF_FINDING_COUNT - ROOF_FINDING_FIRST_NOTE <= 64, "roof_match.notes has a bit for each");

static bool was_listed(const reconciler *r, const roof_reconciled *e, const char *unit,
                       const roof_remark *remark)
{
    const roof_reconciled *all = r->out->experiments;
    if (!e || &all[e->first] == e)
        return false;
    FOR_EACH(const roof_finding, f, r->found.items, r->found.n) {
        bool same = f->experiment != ROOF_NONE && all[f->experiment].first == e->first &&
                    text_same(f->place, unit) && f->remark.form == remark->form;
        for (int k = 0; same && k < ROOF_MAX_OPERANDS; k++) {
            const roof_operand *a = &f->remark.operands[k], *b = &remark->operands[k];
            same = text_same(a->text, b->text) && memcmp(&a->number, &b->number, sizeof a->number) == 0;
        }
        if (same)
            return true;
    }
    return false;
}

void reconcile_find(reconciler *r, const roof_reconciled *e, roof_match *match, roof_remark remark)
{
    roof_finding_kind kind = finding_kind(remark.form);
    const char *place = match ? match->name : NULL;
    if (!remark.form)
        return;
    if (match && (int)kind >= (int)ROOF_FINDING_FIRST_NOTE)
        match->notes |= ROOF_NOTE(kind);
    if (r->n_found[kind] < MOST_OF_A_KIND) {
        if (was_listed(r, e, place, &remark))
            return;
        roof_finding *finding = finding_add(&r->found, place, &remark);
        if (finding)
            finding->experiment = e ? (uint32_t)(e - r->out->experiments) : ROOF_NONE;
    }
    r->n_found[kind]++;
}

const roof_remark *reconcile_find_kept(reconciler *r, const roof_reconciled *e, roof_remark remark)
{
    roof_remark *kept = NEW(r->arena, roof_remark);
    if (kept)
        *kept = remark;
    reconcile_find(r, e, NULL, remark);
    return kept;
}

bool reconciler_did(reconciler *r, roof_status status)
{
    r->lacks_memory |= status == ROOF_E_NO_MEMORY;
    return status == ROOF_OK;
}

void reconcile_findings_close(reconciler *r)
{
    for (int kind = 0; kind < ROOF_FINDING_COUNT; kind++) {
        if (r->n_found[kind] <= MOST_OF_A_KIND)
            continue;
        roof_finding *more = FIND(&r->found, NULL, MORE, AS_COUNT(r->n_found[kind] - MOST_OF_A_KIND));
        if (more)
            more->kind = (roof_finding_kind)kind;
    }
    r->out->findings = r->found.items;
    r->out->n_findings = r->found.n;
}

/* A document may name no file: a slash is one of a unit, as in mac=8/cycle and ddr=2GB/s. */
static bool has_path(const char *id)
{
    for (const char *at = strchr(id, '/'); at; at = strchr(at + 1, '/')) {
        const size_t n = strcspn(at + 1, ",");
        const bool is_unit = (n == 5 && strncmp(at + 1, "cycle", n) == 0) || (n == 1 && at[1] == 's');
        if (!is_unit || !strchr(id, '='))
            return true;
    }
    return false;
}

roof_hw *reconciler_hardware(reconciler *r, const char *id)
{
    roof_hw *hw = NULL;
    return id && !has_path(id) && reconciler_did(r, roof_hw_load(id, &hw, NULL)) ? hw : NULL;
}
