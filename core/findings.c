#include "core/findings.h"

const char *const finding_kinds[] = {
#define FINDING(name, severity, kind, words, advice) (kind),
#include "roofline/findings.def"
#undef FINDING
    NULL};
const char *const finding_advices[] = {
#define FINDING(name, severity, kind, words, advice) (advice),
#include "roofline/findings.def"
#undef FINDING
    NULL};

#define WRONG  "wrong"
#define HIDDEN "hidden"
#define NOTE   "note"
static const roof_severity severity_of[] = {
#define FINDING(name, severity, kind, words, advice) ROOF_SEVERITY_##severity,
#include "roofline/findings.def"
#undef FINDING
};
const char *const finding_severities[] = {
#define FINDING(name, severity, kind, words, advice) (severity),
#include "roofline/findings.def"
#undef FINDING
    NULL};

const char *roof_finding_kind_text(roof_finding_kind kind)
{
    return (unsigned)kind < ROOF_FINDING_COUNT ? finding_kinds[kind] : "unknown";
}

const char *roof_finding_advice(roof_finding_kind kind)
{
    return (unsigned)kind < ROOF_FINDING_COUNT ? finding_advices[kind] : "";
}

roof_severity roof_finding_severity(roof_finding_kind kind)
{
    return (unsigned)kind < ROOF_FINDING_COUNT ? severity_of[kind] : ROOF_SEVERITY_NOTE;
}

WORD_OF(
    roof_severity_text, roof_severity, severity,
    "unknown", [ROOF_SEVERITY_WRONG] = WRONG, [ROOF_SEVERITY_HIDDEN] = HIDDEN, [ROOF_SEVERITY_NOTE] = NOTE)

static const roof_finding_kind kinds_of_forms[] = {
#define FORM(name, kind) [ROOF_FORM_##name] = ROOF_FINDING_##kind,
#include "roofline/forms.def"
#undef FORM
};

roof_finding_kind finding_kind(roof_form form)
{
    return kinds_of_forms[form];
}

static const char *copy_of(const roof_findings *list, const char *text)
{
    return text ? arena_strdup(list->arena, text) : NULL;
}

roof_finding *finding_add(roof_findings *list, const char *place, const roof_remark *remark)
{
    const roof_finding more = {.kind = finding_kind(remark->form),
                               .experiment = ROOF_NONE,
                               .place = copy_of(list, place),
                               .remark = *remark};
    if (ARENA_ADD(list->arena, list->items, list->n, NULL, more) != ROOF_OK)
        return NULL;
    roof_finding *f = &list->items[list->n - 1];
    for (size_t i = 0; i < ROOF_MAX_OPERANDS; i++)
        f->remark.operands[i].text = copy_of(list, remark->operands[i].text);
    return f;
}

void findings_append(roof_findings *list, const roof_findings *more)
{
    for (uint32_t i = 0; i < more->n; i++)
        finding_add(list, more->items[i].place, &more->items[i].remark);
}
