/* From a graph to its program: the format of the file knows how. */
#include "model/program_build.h"
#include "core/error.h"
#include "model/format.h"

#include <math.h>
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

const char *program_share(program_builder *b, const char *text)
{
    enum { N = sizeof b->shared / sizeof *b->shared };
    for (unsigned i = 0; i < N && b->shared[i]; i++)
        if (strcmp(b->shared[i], text) == 0)
            return b->shared[i];
    const char *copy = arena_strdup(b->arena, text);
    b->shared[b->next_shared++ % N] = copy;
    return copy;
}

roof_work work_unknown(void)
{
    return (roof_work){.traffic = {ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, 0},
                       .bytes_basis = ROOF_BASIS_NONE,
                       .cycles_basis = ROOF_BASIS_NONE,
                       .stated_cycles = ROOF_UNKNOWN,
                       .array = {.units = ROOF_NONE, .macs_per_cycle = ROOF_NONE}};
}

roof_status work_add_count(uint64_t *sum, uint64_t term, roof_error *err)
{
    if (term == ROOF_UNKNOWN)
        return ROOF_OK;
    if (__builtin_add_overflow(*sum, term, sum) || *sum == ROOF_UNKNOWN)
        return error_set(err, ROOF_E_LIMIT, "a sum of operations overflows 64 bits");
    return ROOF_OK;
}

roof_row *program_next_row(program_builder *b)
{
    roof_row *row = &b->out->rows[b->out->n_rows++];
    *row = (roof_row){.shape = "", .stored_workload_ops = ROOF_UNKNOWN, .work = work_unknown()};
    return row;
}

roof_status program_build(const roof_graph *graph, roof_arena *texts, roof_arena *rows, roof_program *out,
                          roof_error *err)
{
    program_builder b = {.graph = graph, .out = out, .arena = texts, .rows = rows, .err = err};
    *out = (roof_program){.name = "",
                          .target = {.fingerprint = ROOF_UNKNOWN, .family = "", .text = ""},
                          .workload_ops = ROOF_UNKNOWN,
                          .stored_workload_ops = ROOF_UNKNOWN,
                          .arena = texts};
    return graph->storage->format->program(&b);
}

roof_status roof_program_of(const roof_graph *graph, roof_program **out, roof_error *err)
{
    roof_arena *arena = arena_new(0);
    roof_program *program = arena ? NEW(arena, roof_program) : NULL;
    roof_status status = program ? program_build(graph, arena, arena, program, err) : error_memory(err);
    if (status == ROOF_OK)
        status = arena_status(arena, err);
    if (status == ROOF_OK)
        *out = program;
    else
        arena_free(arena);
    return status;
}

void roof_program_free(roof_program *program)
{
    if (program)
        arena_free(program->arena);
}
