/* Live memory at each layer of a file that Vela compiled: in its scratch memories by the command streams
 * and by the places of tensors between operators, beside constants, which are there throughout.
 * Source: docs/hardware/ethos_u.md, "memory". */
#include "model/code/ethosu/ethosu_lives.h"
#include "model/formats/ethos_u/npu_streams.h"
#include "model/graph/row_flows.h"

typedef struct npu_lives {
    memory_builder *b;
    const npu_plan *plan;
    const struct roof_graph_storage *s;
    uint32_t *stream_of; /* of each operator, from 1; 0: the host runs it */
    uint32_t *first_row; /* of each operator, and behind the last one the number of rows */
    uint32_t pools[ETHOSU_REGIONS];
    uint32_t next_tensor; /* of the plan: the first one that no operator up to here makes */
    ethosu_budget budget;
} npu_lives;

/* ---- scratch memories ---------------------------------------------------------------------------------- */

static roof_status add_scratch_pool(npu_lives *n, uint32_t region)
{
    static const char *const names[] = {[ETHOSU_SCRATCH] = "scratch", [ETHOSU_SCRATCH_FAST] = "scratch_fast"};
    static const char *const tensors[] = {
        [ETHOSU_SCRATCH] = "scratch tensor", [ETHOSU_SCRATCH_FAST] = "scratch_fast tensor"};
    roof_memory_pool *pool;
    TRY(memory_add_pool(n->b, names[region], ROOF_MEMORY_ARENA, 0, n->b->out->n_rows, &pool,
                        &n->pools[region]));
    pool->stated_bytes = 0;
    FOR_EACH(const roof_command_stream, c, n->s->command_streams, n->s->n_command_streams) {
        const uint64_t stated = region == ETHOSU_SCRATCH ? c->scratch_bytes : c->scratch_fast_bytes;
        if (stated == ROOF_UNKNOWN || pool->stated_bytes < stated)
            pool->stated_bytes = stated;
    }
    pool->stated_by = pool->stated_bytes == ROOF_UNKNOWN ? NULL : tensors[region];
    if (region == ETHOSU_SCRATCH && !n->plan->n_tensors && n->plan->n_operators > 1)
        pool->remark = "the file gives tensors between its operators no places, so they are not among it";
    pool->size_bytes = pool->stated_bytes;
    pool->size_is_of_content = true;
    return ROOF_OK;
}

static roof_status add_lives(npu_lives *n, uint32_t stream, uint32_t region, const ethosu_range *outputs,
                             uint32_t n_outputs)
{
    const uint32_t row = n->first_row[n->s->command_streams[stream].op];
    const char *names[2] = {NULL, NULL};
    uint32_t n_lives, writer = ROOF_NONE;
    ethosu_life *lives;
    TRY(ethosu_lives_of(&n->s->launches[stream], region, outputs, region == ETHOSU_SCRATCH ? n_outputs : 0,
                        &n->budget, n->b->scratch, &lives, &n_lives, n->b->err));
    if (n_lives && n->pools[region] == ROOF_NONE)
        TRY(add_scratch_pool(n, region));
    FOR_EACH(const ethosu_life, l, lives, n_lives) {
        memory_buffer own = {.offset_bytes = l->bytes.lo,
                             .bytes = l->bytes.hi - l->bytes.lo,
                             .pool = n->pools[region],
                             .first_row = row + l->first,
                             .last_row = row + l->last};
        if (l->writer != writer)
            names[0] = names[1] = NULL;
        writer = l->writer;
        /* each layer has at most two names, which its lives share */
        const ethosu_stream *s = &n->s->launches[stream];
        const char *of = n->s->command_streams[stream].name;
        const bool is_alone = n->s->n_command_streams == 1;
        if (l->writer == ROOF_NONE)
            own.name = arena_printf(n->b->scratch, "input of %s", is_alone ? "the network" : of);
        else if (!names[l->is_by_dma])
            names[l->is_by_dma] = arena_printf(n->b->scratch, "%s of %s.%" PRIu32,
                                               !l->is_by_dma                     ? "OFM"
                                               : s->groups[l->writer].n_launches ? "weights"
                                                                                 : "copy",
                                               of, l->writer);
        if (l->writer != ROOF_NONE)
            own.name = names[l->is_by_dma];
        TRY(arena_status(n->b->scratch, n->b->err));
        TRY(memory_add_buffer(n->b, &own));
    }
    return ROOF_OK;
}

/* Outputs of an NPU operator keep their bytes to its end; their first writes are in its stream. */
static roof_status add_stream(npu_lives *n, uint32_t stream)
{
    const uint32_t op = n->s->command_streams[stream].op;
    const npu_tensor *tensors = n->plan->tensors;
    ethosu_range *outputs;
    uint32_t n_outputs = 0, end;
    while (n->next_tensor < n->plan->n_tensors && tensors[n->next_tensor].made_by < op)
        n->next_tensor++;
    for (end = n->next_tensor; end < n->plan->n_tensors && tensors[end].made_by == op;)
        end++;
    TRY(ARENA_GET(n->b->scratch, outputs, end - n->next_tensor, n->b->err));
    for (; n->next_tensor < end; n->next_tensor++) {
        const npu_tensor *x = &tensors[n->next_tensor];
        if (x->bytes)
            outputs[n_outputs++] = (ethosu_range){x->offset_bytes, x->offset_bytes + x->bytes};
    }
    if (!n->s->launches[stream].n_groups)
        return ROOF_OK;
    TRY(add_lives(n, stream, ETHOSU_SCRATCH, outputs, n_outputs));
    return add_lives(n, stream, ETHOSU_SCRATCH_FAST, NULL, 0);
}

/* A tensor is alive in the rows of the host's operators that make it, use it or run in between, and in all
 * rows of the NPU's that it passes by. Streams state the rows of the NPU's operators that make or use it. */
static roof_status add_tensor(npu_lives *n, const npu_tensor *t)
{
    const uint32_t first = t->made_by == ROOF_NONE    ? 0
                           : n->stream_of[t->made_by] ? n->first_row[t->made_by + 1]
                                                      : n->first_row[t->made_by];
    const uint32_t behind = t->used_by == ROOF_NONE    ? n->b->out->n_rows
                            : n->stream_of[t->used_by] ? n->first_row[t->used_by]
                                                       : n->first_row[t->used_by + 1];
    if (first >= behind || !t->bytes)
        return ROOF_OK;
    if (n->pools[ETHOSU_SCRATCH] == ROOF_NONE)
        TRY(add_scratch_pool(n, ETHOSU_SCRATCH));
    const uint64_t lo = t->offset_bytes / ETHOSU_CELL_BYTES * ETHOSU_CELL_BYTES,
                   bytes = ceil_div(t->offset_bytes + t->bytes, ETHOSU_CELL_BYTES) * ETHOSU_CELL_BYTES - lo;
    return memory_add_buffer(n->b, &(memory_buffer){.name = t->name,
                                                    .offset_bytes = lo,
                                                    .bytes = bytes,
                                                    .pool = n->pools[ETHOSU_SCRATCH],
                                                    .first_row = first,
                                                    .last_row = behind - 1});
}

/* ---- constants ----------------------------------------------------------------------------------------- */

static roof_status add_constant(npu_lives *n, const char *name, uint64_t *at, uint64_t bytes)
{
    const memory_buffer own = {.name = name,
                               .offset_bytes = *at,
                               .bytes = bytes,
                               .pool = n->pools[ETHOSU_READ_ONLY],
                               .last_row = n->b->out->n_rows - 1};
    TRY(ALLOCATED(name, n->b->err));
    if (__builtin_add_overflow(*at, bytes, at))
        return error_set(n->b->err, ROOF_E_LIMIT, "its constants overflow 64 bits");
    return memory_add_buffer(n->b, &own);
}

/* Bytes that Vela states as used in flash or DRAM: constants; command streams, which Regor leaves out; and
 * the scratch memory where scratch_fast is the one in SRAM. */
static roof_status add_constants(npu_lives *n)
{
    roof_memory_pool *pool;
    uint64_t at = 0, left_out = 0;
    TRY(memory_add_pool(n->b, "read_only", ROOF_MEMORY_CONSTANTS, 0, n->b->out->n_rows, &pool,
                        &n->pools[ETHOSU_READ_ONLY]));
    pool->size_bytes = n->plan->read_only_bytes;
    if (n->plan->read_only_bytes == ROOF_UNKNOWN) {
        pool->why_no_peak = "an ExecuTorch program does not say how long the constants are";
        return ROOF_OK;
    }
    pool->size_is_of_content = true;
    TRY(add_constant(n, "constants", &at, n->plan->read_only_bytes));
    for (uint32_t i = 0; i < n->s->n_command_streams; i++) {
        const roof_command_stream *c = &n->s->command_streams[i];
        const uint64_t bytes = n->s->launches[i].payload.length_bytes;
        if (n->s->launches[i].is_regor)
            left_out += bytes;
        else
            TRY(add_constant(n, arena_printf(n->b->scratch, "command stream of %s", c->name), &at,
                             ceil_div(bytes, 16) * 16));
    }
    if (n->pools[ETHOSU_SCRATCH_FAST] != ROOF_NONE && n->pools[ETHOSU_SCRATCH] != ROOF_NONE) {
        const uint64_t scratch = n->b->out->pools[n->pools[ETHOSU_SCRATCH]].stated_bytes;
        TRY(add_constant(n, "scratch, which lies there, too", &at, scratch == ROOF_UNKNOWN ? 0 : scratch));
    }
    if (left_out)
        pool->remark = arena_printf(n->b->arena,
                                    "as Vela counts it; the command stream%s, %" PRIu64
                                    " B, it leaves out, and the memory has to hold %s as well",
                                    n->s->n_command_streams > 1 ? "s" : "", left_out,
                                    n->s->n_command_streams > 1 ? "them" : "it");
    return ROOF_OK;
}

static const char *row_name(const roof_command_stream *c, uint32_t group, roof_arena *arena)
{
    return arena_printf(arena, "%s.%" PRIu32, c->name, group);
}

roof_status npu_memory(memory_builder *b, const npu_plan *plan)
{
    npu_lives n = {.b = b, .plan = plan, .s = b->graph->storage, .pools = {ROOF_NONE, ROOF_NONE, ROOF_NONE}};
    uint64_t words = 0;
    for (uint32_t i = 0; i < n.s->n_command_streams; i++)
        words += n.s->command_streams[i].words;
    n.budget = ethosu_budget_of(words);
    TRY(ARENA_GET(b->scratch, n.stream_of, b->graph->n_ops, b->err));
    TRY(ARENA_GET(b->scratch, n.first_row, n.plan->n_operators + (size_t)1, b->err));
    for (uint32_t i = 0; i < n.s->n_command_streams; i++)
        n.stream_of[n.s->command_streams[i].op] = i + 1;
    for (uint32_t o = 0; o < n.plan->n_operators; o++) {
        const uint32_t stream = n.stream_of[o];
        n.first_row[o] = b->out->n_rows;
        if (!stream)
            TRY(memory_add_row(b, b->graph->ops[o].name));
        for (uint32_t g = 0; stream && g < n.s->launches[stream - 1].n_groups; g++) {
            const char *name = row_name(&n.s->command_streams[stream - 1], g, b->scratch);
            TRY(name ? memory_add_row(b, name) : error_memory(b->err));
        }
    }
    n.first_row[n.plan->n_operators] = b->out->n_rows;
    for (uint32_t i = 0; i < n.s->n_command_streams; i++)
        TRY(add_stream(&n, i));
    for (uint32_t t = 0; t < plan->n_tensors; t++)
        TRY(add_tensor(&n, &plan->tensors[t]));
    return b->out->n_rows ? add_constants(&n) : ROOF_OK;
}

/* ---- from row to row ----------------------------------------------------------------------------------- */

/* A stream that touches more than is followed has none: its rows are known all the same. */
static roof_status add_flows(const struct roof_graph_storage *s, uint32_t stream, uint32_t region,
                             row_way way, roof_arena *arena, row_flows *out, roof_error *err)
{
    const roof_command_stream *c = &s->command_streams[stream];
    ethosu_budget budget = ethosu_budget_of(c->words);
    ethosu_flow *own;
    uint32_t n;
    const roof_status status = ethosu_flows_of(&s->launches[stream], region, &budget, arena, &own, &n, err);
    if (status == ROOF_E_LIMIT)
        return ROOF_OK;
    TRY(status);
    for (uint32_t i = 0; i < n; i++)
        TRY(ARENA_ADD(arena, out->items, out->n, err,
                      (row_flow){.from = row_name(c, own[i].writer, arena),
                                 .to = row_name(c, own[i].reader, arena),
                                 .from_part = ROOF_NONE,
                                 .to_part = ROOF_NONE,
                                 .bytes = own[i].bytes,
                                 .way = way}));
    return arena_status(arena, err);
}

roof_status npu_row_flows(const roof_graph *graph, roof_arena *arena, row_flows *out, roof_error *err)
{
    const struct roof_graph_storage *s = graph->storage;
    out->has_rows = s->n_command_streams;
    for (uint32_t i = 0; i < s->n_command_streams; i++) {
        const roof_command_stream *c = &s->command_streams[i];
        const uint32_t n_groups = s->launches[i].n_groups;
        ethosu_budget budget = ethosu_budget_of(c->words);
        ethosu_life *lives;
        uint32_t n_lives = 0;
        if (!n_groups)
            continue;
        /* "Dedicated_Sram": with anything alive in the fast memory the other one lies outside of the chip */
        const roof_status status = ethosu_lives_of(&s->launches[i], ETHOSU_SCRATCH_FAST, NULL, 0, &budget,
                                                   arena, &lives, &n_lives, err);
        if (status != ROOF_E_LIMIT)
            TRY(status);
        TRY(add_flows(s, i, ETHOSU_SCRATCH, n_lives ? ROW_WAY_EXTERNAL : ROW_WAY_ON_CHIP, arena, out, err));
        TRY(add_flows(s, i, ETHOSU_SCRATCH_FAST, ROW_WAY_ON_CHIP, arena, out, err));
        TRY(ARENA_ADD(arena, out->spans, out->n_spans, err,
                      (row_span){c->op, row_name(c, 0, arena), row_name(c, n_groups - 1, arena)}));
    }
    return arena_status(arena, err);
}
