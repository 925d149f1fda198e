#include "core/error.h"
#include "model/predictor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

roof_status add_finding(predictor *p, roof_finding_kind kind, const char *layer, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    roof_prediction *out = p->prediction;
    out->findings = arena_grow(p->arena, out->findings, out->n_findings, sizeof *out->findings);
    if (!out->findings)
        return error_memory(p->err);
    roof_finding *f = &out->findings[out->n_findings];
    f->kind = kind;
    f->layer = layer ? arena_strdup(p->arena, layer) : NULL;
    f->text = arena_strdup(p->arena, text);
    if (!f->text || (layer && !f->layer))
        return error_memory(p->err);
    out->n_findings++;
    return ROOF_OK;
}
