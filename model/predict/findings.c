/* What a reader must know to trust a result: told by a program and by a prediction. */
#include "core/error.h"
#include "model/predict/predictor.h"
#include "model/graph/program_build.h"

#include <stdarg.h>
#include <stdio.h>

enum { TEXT_SIZE = 640 };

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
static const char *const severities[] = {
    [ROOF_SEVERITY_WRONG] = WRONG, [ROOF_SEVERITY_HIDDEN] = HIDDEN, [ROOF_SEVERITY_NOTE] = NOTE};
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

const char *roof_severity_text(roof_severity severity)
{
    return (unsigned)severity < ROOF_SEVERITIES ? severities[severity] : "unknown";
}

/* about: kind and layer. */
ROOF_PRINTF(4, 0)
static roof_status add(roof_findings *findings, roof_arena *arena, const roof_finding *about,
                       const char *format, va_list args, roof_error *err)
{
    char text[TEXT_SIZE];
    vsnprintf(text, sizeof text, format, args);
    TRY(ARENA_MORE(arena, findings->items, findings->n, err));
    roof_finding *f = &findings->items[findings->n++];
    *f = (roof_finding){.kind = about->kind, .text = arena_strdup(arena, text)};
    f->layer = about->layer ? arena_strdup(arena, about->layer) : NULL;
    return arena_status(arena, err);
}

roof_status program_find(program_builder *b, roof_finding_stage stage, roof_finding_kind kind,
                         const char *layer, const char *format, ...)
{
    const roof_finding about = {.kind = kind, .layer = layer};
    va_list args;
    va_start(args, format);
    roof_status status = add(&b->out->findings[stage], b->arena, &about, format, args, b->err);
    va_end(args);
    return status;
}

roof_status add_finding(predictor *p, roof_finding_kind kind, const char *layer, const char *format, ...)
{
    const roof_finding about = {.kind = kind, .layer = layer};
    roof_findings all = {p->prediction->findings, p->prediction->n_findings};
    va_list args;
    va_start(args, format);
    roof_status status = add(&all, p->arena, &about, format, args, p->err);
    va_end(args);
    p->prediction->findings = all.items;
    p->prediction->n_findings = all.n;
    return status;
}

roof_status predictor_tell(predictor *p, roof_finding_stage stage)
{
    const roof_findings *findings = &p->program.findings[stage];
    for (uint32_t i = 0; i < findings->n; i++)
        TRY(add_finding(p, findings->items[i].kind, findings->items[i].layer, "%s", findings->items[i].text));
    return ROOF_OK;
}
