/* From a graph to its program: the format of the file knows how. */
#include "model/graph/program_build.h"
#include "model/graph/format.h"

const char *program_share(program_builder *b, const char *text)
{
    enum { N = N_OF(b->shared) };
    for (unsigned i = 0; i < N && b->shared[i]; i++)
        if (strcmp(b->shared[i], text) == 0)
            return b->shared[i];
    const char *copy = arena_strdup(b->arena, text);
    b->shared[b->next_shared++ % N] = copy;
    return copy;
}

roof_status program_add_count(uint64_t *sum, uint64_t term, roof_error *err)
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
    *row = (roof_row){.shape = "",
                      .repeat = 1,
                      .stored_workload_ops = ROOF_UNKNOWN,
                      .work = {.traffic = {ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, 0},
                               .bytes_basis = ROOF_BASIS_NONE,
                               .cycles_basis = ROOF_BASIS_NONE,
                               .stated_cycles = ROOF_UNKNOWN,
                               .busiest_read_bytes = ROOF_UNKNOWN,
                               .busiest_write_bytes = ROOF_UNKNOWN,
                               .array = {.units = ROOF_NONE, .macs_per_cycle = ROOF_NONE}}};
    return row;
}

static roof_status build(program_builder *b)
{
    *b->out = (roof_program){.graph = b->graph,
                             .name = "",
                             .target = {.fingerprint = ROOF_UNKNOWN, .family = "", .text = ""},
                             .workload_ops = ROOF_UNKNOWN,
                             .stored_workload_ops = ROOF_UNKNOWN,
                             .findings = {{.arena = b->arena}, {.arena = b->arena}, {.arena = b->arena}},
                             .arena = b->arena};
    findings_append(&b->out->findings[ROOF_ABOUT_TARGET], &b->graph->storage->found);
    TRY(b->graph->storage->format->program(b));
    mapfile_let_go(&b->graph->storage->file); /* code was read, and is tasks now */
    TRY(arena_status(b->rows, b->err));
    return arena_status(b->arena, b->err);
}

roof_status program_build(const roof_graph *graph, const roof_hw *hw, const program_lowering *lowering,
                          roof_arena *texts, roof_arena *rows, roof_program *out, roof_error *err)
{
    return build(&(program_builder){.graph = graph,
                                    .hw = hw,
                                    .lowering = lowering,
                                    .out = out,
                                    .arena = texts,
                                    .rows = rows,
                                    .err = err});
}

roof_status program_build_bare(const roof_graph *graph, const roof_hw *hw, roof_arena *arena,
                               roof_program *out, roof_error *err)
{
    return build(&(program_builder){
        .graph = graph, .hw = hw, .out = out, .arena = arena, .rows = arena, .is_bare = true, .err = err});
}

roof_status roof_program_of(const roof_graph *graph, roof_program **out, roof_error *err)
{
    roof_arena *arena;
    roof_program *program = NEW_ROOT(&arena, roof_program, err);
    if (!program)
        return ROOF_E_NO_MEMORY;
    const roof_status status =
        arena_settle(arena, program_build(graph, NULL, NULL, arena, arena, program, err), err);
    if (status == ROOF_OK)
        *out = program;
    return status;
}

ARENA_FREES(roof_program_free, roof_program, program)
