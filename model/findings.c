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

static roof_status make_room(roof_predictor *p)
{
    roof_prediction *out = p->prediction;
    if (out->n_findings < p->findings_room)
        return ROOF_OK;
    size_t room = p->findings_room ? 2 * p->findings_room : 16;
    roof_finding *grown = ROOF_NEW_ARRAY(p->arena, roof_finding, room);
    if (!grown)
        return roof_fail_memory(p->err);
    if (out->n_findings)
        memcpy(grown, out->findings, out->n_findings * sizeof *grown);
    out->findings = grown;
    p->findings_room = room;
    return ROOF_OK;
}

roof_status roof_find(roof_predictor *p, roof_finding_kind kind, const char *layer, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ROOF_TRY(make_room(p));
    roof_finding *f = &p->prediction->findings[p->prediction->n_findings];
    f->kind = kind;
    f->layer = layer ? roof_arena_strdup(p->arena, layer) : NULL;
    f->text = roof_arena_strdup(p->arena, text);
    if (!f->text || (layer && !f->layer))
        return roof_fail_memory(p->err);
    p->prediction->n_findings++;
    return ROOF_OK;
}
