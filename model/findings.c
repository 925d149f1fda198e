/* What a reader must know to trust a result: told by a program and by a prediction. */
#include "core/error.h"
#include "model/predictor.h"
#include "model/program_build.h"

#include <stdarg.h>
#include <stdio.h>

enum { TEXT_SIZE = 640 };

static const struct {
    const char *kind, *advice;
} kinds[] = {
#define FINDING(name, kind, advice) [ROOF_FINDING_##name] = {(kind), (advice)},
#include "roofline/findings.def"
#undef FINDING
};

const char *roof_finding_kind_text(roof_finding_kind kind)
{
    return (unsigned)kind < ROOF_FINDING_COUNT ? kinds[kind].kind : "unknown";
}

const char *roof_finding_advice(roof_finding_kind kind)
{
    return (unsigned)kind < ROOF_FINDING_COUNT ? kinds[kind].advice : "";
}

roof_status findings_add(roof_findings *findings, roof_arena *arena, const roof_finding *finding,
                         roof_error *err)
{
    roof_finding *items = arena_grow(arena, findings->items, findings->n, sizeof *items);
    roof_finding copy = {.kind = finding->kind, .text = arena_strdup(arena, finding->text)};
    copy.layer = finding->layer ? arena_strdup(arena, finding->layer) : NULL;
    if (!items || !copy.text || (finding->layer && !copy.layer))
        return error_memory(err);
    findings->items = items;
    items[findings->n++] = copy;
    return ROOF_OK;
}

roof_status program_find(program_builder *b, roof_finding_stage stage, roof_finding_kind kind,
                         const char *layer, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const roof_finding finding = {.kind = kind, .layer = layer, .text = text};
    return findings_add(&b->out->findings[stage], b->arena, &finding, b->err);
}

roof_status add_finding(predictor *p, roof_finding_kind kind, const char *layer, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const roof_finding finding = {.kind = kind, .layer = layer, .text = text};
    roof_findings all = {p->prediction->findings, p->prediction->n_findings};
    TRY(findings_add(&all, p->arena, &finding, p->err));
    p->prediction->findings = all.items;
    p->prediction->n_findings = all.n;
    return ROOF_OK;
}

roof_status predictor_tell(predictor *p, roof_finding_stage stage)
{
    const roof_findings *findings = &p->program.findings[stage];
    for (uint32_t i = 0; i < findings->n; i++)
        TRY(add_finding(p, findings->items[i].kind, findings->items[i].layer, "%s", findings->items[i].text));
    return ROOF_OK;
}

