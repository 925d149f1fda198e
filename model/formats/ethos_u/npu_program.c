/* The rows of command streams: one for each layer that Vela had, with what its launches compute and move.
 *
 * Bytes of a row, in each region: feature maps once a launch, as many as it touches (in NHCWB16 depths up to
 * 16), scalars not; weights and scales as they are stored; DMAs at both ends. Bytes that a DMA brought are
 * counted where they are read, too. Bytes that the array reads again, since its buffers are small, stand in
 * no register.
 */
#include "model/formats/ethos_u/npu_streams.h"
#include "model/work/op_program.h"

static const char family[] = "ethos_u";

static const roof_pool regions[ETHOSU_REGIONS] = {
    {.name = "read_only", .content = ROOF_POOL_PARAMETERS, .read_only = true},
    {.name = "scratch", .content = ROOF_POOL_MIXED},
    {.name = "scratch_fast", .content = ROOF_POOL_MIXED},
};

typedef struct rows {
    program_builder *b;
    const roof_command_stream *streams;
    uint32_t memory_of[ETHOSU_REGIONS]; /* into program->memories; ROOF_NONE: nothing is moved in it */
    uint32_t *stream_of;                /* of each op of the graph, from 1; 0: the host runs it */
} rows;

roof_status npu_hardware(const roof_graph *graph, roof_hw **out, roof_error *err)
{
    return roof_hw_load(graph->storage->command_streams[0].target, out, err);
}

/* ---- texts --------------------------------------------------------------------------------------------- */

/* "48x48x8 -> 24x24x16 k3x3 s2x2"; of a DMA its bytes. */
static const char *shape_of(const rows *x, const ethosu_group *g)
{
    const ethosu_launch *l = &g->stream->launches[g->first];
    if (!g->n_launches)
        return arena_printf(x->b->arena, "%" PRIu64 " B", g->dma_bytes);
    char window[96] = "";
    if (l->kind != ETHOSU_ELEMENTWISE && l->kind != ETHOSU_RESIZE)
        snprintf(window, sizeof window, " k%" PRIu32 "x%" PRIu32 " s%" PRIu32 "x%" PRIu32, l->kernel_h,
                 l->kernel_w, l->stride_h, l->stride_w);
    return arena_printf(
        x->b->arena, "%" PRIu64 "x%" PRIu64 "x%" PRIu64 " -> %" PRIu64 "x%" PRIu64 "x%" PRIu64 "%s",
        g->ifm.height, g->ifm.width, g->ifm.depth, g->ofm.height, g->ofm.width, g->ofm.depth, window);
}

/* Operations in order, those of a chain too; slices and stripes repeat none. */
static roof_status set_ops(const rows *x, const ethosu_group *g, roof_row *row)
{
    char type[96] = "";
    size_t used = 0;
    TRY(ARENA_GET(x->b->arena, row->ops, g->n_members, x->b->err));
    for (uint32_t i = 0; i < g->n_members; i++) {
        const ethosu_launch *l = &g->stream->launches[g->members[i]];
        if (g->n_launches &&
            (l->kind == ETHOSU_DMA || (l->join != ETHOSU_AS_FIRST && l->join != ETHOSU_IN_CHAIN)))
            continue;
        const char *text = ethosu_launch_text(g->stream, l);
        row->ops[row->n_ops++] = program_share(x->b, text);
        const int wrote = snprintf(type + used, sizeof type - used, "%s%s", used ? "+" : "", text);
        used = wrote < 0 || (size_t)wrote >= sizeof type - used ? sizeof type - 1 : used + (size_t)wrote;
    }
    row->type = program_share(x->b, type);
    return ROOF_OK;
}

/* ---- work ---------------------------------------------------------------------------------------------- */

/* An operation for each element that an element-wise launch makes, two for a multiply-accumulate. */
static roof_status count_ops(const rows *x, const ethosu_group *g, uint64_t *out)
{
    checked all = checked_times((checked){g->macs, false}, 2);
    for (uint32_t i = 0; i < g->n_members; i++) {
        const ethosu_launch *l = &g->stream->launches[g->members[i]];
        if (l->kind == ETHOSU_RESIZE || (l->kind == ETHOSU_POOL && !l->macs)) {
            *out = ROOF_UNKNOWN;
            return ROOF_OK;
        }
        if (l->kind != ETHOSU_ELEMENTWISE)
            continue;
        const checked elements = CHECKED_PRODUCT(l->ofm.height, l->ofm.width, l->ofm.depth);
        all = checked_plus(all, elements.value);
        all.overflow = all.overflow || elements.overflow;
    }
    if (all.overflow)
        return error_set(x->b->err, ROOF_E_LIMIT, "the operations of a layer overflow 64 bits");
    *out = all.value;
    return ROOF_OK;
}

static roof_status add_layer(const rows *x, const roof_command_stream *of, const ethosu_group *g)
{
    roof_row *row = program_next_row(x->b);
    uint32_t *op;
    TRY(ARENA_GET(x->b->rows, op, 1, x->b->err));
    *op = of->op;
    row->operators = op;
    row->n_operators = 1;
    row->name = arena_printf(x->b->arena, "%s.%" PRIu64, of->name, (uint64_t)(g - g->stream->groups));
    row->part = program_share(x->b, of->name);
    row->shape = shape_of(x, g);
    TRY(set_ops(x, g, row));
    row->executor = ROOF_BY_ACCELERATOR;
    row->is_stated = row->is_timed = true;
    row->is_boundary = g + 1 == g->stream->groups + g->stream->n_groups;
    row->macs = g->macs;
    row->workload_ops = ROOF_UNKNOWN;
    TRY(count_ops(x, g, &row->ops_count));
    roof_transfer *transfers;
    roof_traffic *t = &row->work.traffic;
    uint64_t all = 0;
    TRY(ARENA_GET(x->b->rows, transfers, ETHOSU_REGIONS, x->b->err));
    *t = (roof_traffic){.instruction_bytes = ROOF_UNKNOWN};
    for (uint32_t r = 0; r < ETHOSU_REGIONS; r++) {
        const ethosu_moved *m = &g->moved[r];
        TRY(program_add_count(&all, m->read_bytes, x->b->err));
        TRY(program_add_count(&all, m->write_bytes, x->b->err));
        *(r == ETHOSU_READ_ONLY ? &t->weights_bytes : &t->input_bytes) += m->read_bytes;
        t->output_bytes += m->write_bytes;
        if (m->read_bytes || m->write_bytes)
            transfers[row->work.n_transfers++] =
                (roof_transfer){x->memory_of[r], m->read_bytes, m->write_bytes, 0};
    }
    row->work.transfers = transfers;
    row->work.bytes_basis = row->work.cycles_basis = ROOF_BASIS_CODE;
    row->work.commands = g;
    return ROOF_OK;
}

/* ---- the program --------------------------------------------------------------------------------------- */

static roof_status set_memories(rows *x)
{
    const struct roof_graph_storage *s = x->b->graph->storage;
    roof_pool *memories;
    TRY(ARENA_GET(x->b->rows, memories, ETHOSU_REGIONS, x->b->err));
    x->b->out->memories = memories;
    for (uint32_t r = 0; r < ETHOSU_REGIONS; r++) {
        bool is_used = false;
        uint64_t most = 0;
        for (uint32_t i = 0; i < s->n_command_streams; i++) {
            const roof_command_stream *c = &s->command_streams[i];
            const uint64_t sizes[ETHOSU_REGIONS] = {c->read_only_bytes, c->scratch_bytes,
                                                    c->scratch_fast_bytes};
            most = sizes[r] == ROOF_UNKNOWN || sizes[r] > most ? sizes[r] : most;
            for (uint32_t k = 0; k < s->launches[i].n_groups; k++) {
                const ethosu_moved *m = &s->launches[i].groups[k].moved[r];
                is_used = is_used || m->read_bytes || m->write_bytes;
            }
        }
        x->memory_of[r] = is_used ? x->b->out->n_memories : ROOF_NONE;
        if (!is_used)
            continue;
        roof_pool *memory = &memories[x->b->out->n_memories++];
        *memory = regions[r];
        memory->address = memory->used_bytes = ROOF_UNKNOWN;
        memory->size_bytes = most;
        memory->byte_width = ROOF_NONE;
        memory->freq_ratio = NAN;
    }
    return ROOF_OK;
}

roof_status npu_program(program_builder *b)
{
    static const workload_convention none;
    const struct roof_graph_storage *s = b->graph->storage;
    rows x = {.b = b, .streams = s->command_streams};
    uint64_t n = 0;
    roof_target *t = &b->out->target;
    for (int i = 0; i < ROOF_EXECUTORS; i++)
        b->out->words[i] = "Ethos-U";
    b->out->words[ROOF_BY_HOST] = "CPU";
    t->name = t->text = arena_strdup(b->arena, s->command_streams[0].target); /* the graph goes first */
    t->family = family;
    t->hardware = t->name;
    t->plan_of = "made of command streams of an Arm Ethos-U: it holds launches, but no operators";
    b->out->is_started_by_rows = true;
    TRY(arena_status(b->arena, b->err));
    TRY(op_program(b, &none));
    const roof_row *operators = b->out->rows;
    const uint32_t n_operators = b->out->n_rows;
    TRY(ARENA_GET(b->rows, x.stream_of, b->graph->n_ops, b->err));
    for (uint32_t i = 0; i < s->n_command_streams; i++) {
        n += s->launches[i].n_groups;
        x.stream_of[x.streams[i].op] = i + 1;
    }
    TRY(ARENA_GET(b->rows, b->out->rows, n + n_operators, b->err));
    b->out->n_rows = 0;
    TRY(set_memories(&x));
    for (uint32_t i = 0; i < n_operators; i++) {
        const uint32_t stream = x.stream_of[operators[i].work.demands->op];
        if (!stream) { /* a row of the host has work, but no traffic of the accelerator */
            roof_row *out = program_next_row(b);
            *out = operators[i];
            out->part = "CPU";
            out->executor = ROOF_BY_HOST;
            out->is_timed = out->is_boundary = out->is_stated = false;
            out->work.traffic = (roof_traffic){0};
            out->work.cycles_basis = out->work.bytes_basis = ROOF_BASIS_NONE;
        }
        for (uint32_t k = 0; stream && k < s->launches[stream - 1].n_groups; k++)
            TRY(add_layer(&x, &x.streams[stream - 1], &s->launches[stream - 1].groups[k]));
    }
    return ROOF_OK;
}
