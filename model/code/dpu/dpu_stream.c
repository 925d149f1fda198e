#include "model/code/dpu/dpu_stream.h"
#include "model/graph/format.h"
#include "model/work/cost.h"

/* How far, in layers, a data transfer is looked for around the layer at work. Prefetch reaches a few layers
 * ahead and long skip connections a few dozen back; the limit keeps hostile streams linear. */
enum { SEARCH_LAYERS = 512, SEARCH_REGIONS = 4096 };

/* Consumers of one tensor that follow each other this closely share its loads; see input_of. */
enum { CONSUMER_REACH = 3 };

/* Of the parameter banks of every DPUCZDX8G; addresses wrap. Source: its target files. */
enum { BANK_DEPTH = 2048 };

/* The layer of an INIT whose engine instruction is still to come. */
static const uint32_t IS_PENDING = ROOF_NONE - 1;

/* Engine work that is distinguished by its kind only. */
typedef enum work_kind {
    WORK_NONE,
    WORK_DEPTHWISE,
    WORK_POOL,
    WORK_SCALE,
    WORK_HARD_SIGMOID,
    WORK_ELTWISE,
    WORK_KINDS
} work_kind;

typedef enum weight_banks { CONV_BANKS, DEPTHWISE_BANKS, WEIGHT_BANKS, NO_WEIGHT_BANKS } weight_banks;

typedef struct region {
    int32_t reg_id;
    uint64_t begin, end;
    uint64_t left_bytes; /* of an input: needed and not loaded yet; a halo may load more than all */
    uint32_t layer;      /* relative to the subgraph */
    weight_banks banks;  /* of a constant: where its LOADs put it */
} region;

typedef struct region_list {
    region *items;
    uint32_t n;
    uint32_t *first; /* per layer, n_layers + 1 entries; only for inputs and outputs */
} region_list;

/* Layers that have work of one kind are served in order. */
typedef struct work_queue {
    uint32_t layer;     /* being filled */
    uint64_t remaining; /* positions it still has to produce */
} work_queue;

/* Registers of constants, by their numbers of 8 bits. */
typedef struct register_set {
    bool is_in[256];
} register_set;

static register_set constant_registers(const roof_xir_subgraph *s)
{
    register_set set = {0};
    for (uint32_t i = s->n_registers; i-- > 0;) /* the first of a number counts */
        if (s->registers[i].id >= 0 && s->registers[i].id < 256)
            set.is_in[s->registers[i].id] = s->registers[i].constant;
    return set;
}

typedef struct attribution {
    const roof_graph *graph;
    const roof_subgraph *subgraph;
    const roof_xir_subgraph *own; /* of the subgraph */
    uint32_t n_layers;
    const bank_layout *banks;
    region_list constants, inputs, outputs;
    uint64_t (*positions)[WORK_KINDS]; /* per layer: output positions to produce */
    unsigned char *has_constants;      /* per layer */
    work_queue queues[WORK_KINDS];
    uint32_t *weights_at[WEIGHT_BANKS];    /* bank address -> layer */
    uint32_t last_constant;                /* index of the one that was loaded last */
    const region *repeated;                /* by a LOAD like the last instruction; NULL: looked for */
    uint32_t constant_layer, engine_layer; /* of the last such instruction */
    uint64_t pending_bytes;                /* INIT instructions waiting for their engine */
    uint32_t first_pending;                /* task of the first of them; ROOF_NONE */
    stream_costs *out;
    roof_task **tasks; /* of out->stream, as many as it has */
    register_set constant;
} attribution;

/* It takes or leaves a token of another queue. */
static inline bool is_alone(const dpu_instruction *in)
{
    return (in->waits_for | in->lets_go) & ~(1u << in->queue);
}

/* Adds the traffic and cycles of an instruction; its own bytes are counted elsewhere. */
static inline void count(stream_cost *cost, const register_set *constant, const dpu_instruction *in)
{
    if (in->opcode == DPU_LOAD && constant->is_in[in->reg_id])
        cost->traffic.weights_bytes += in->transfer_bytes;
    else if (in->opcode == DPU_LOAD)
        cost->traffic.input_bytes += in->transfer_bytes;
    else if (in->opcode == DPU_SAVE)
        cost->traffic.output_bytes += in->transfer_bytes;
    cost->conv_cycles += in->opcode == DPU_CONV ? in->cycles : 0;
    cost->alu_cycles += in->opcode == DPU_ALU ? in->cycles : 0;
    cost->eltwise_cycles += in->opcode == DPU_ELEW ? in->cycles : 0;
}

/* ---- traffic and work of a subgraph's layers ---- */

/* A window that is smaller than its stride skips positions, and a load can leave them out. */
static uint64_t positions_read(uint64_t in, uint64_t out, uint32_t kernel, uint32_t stride)
{
    return kernel && stride > kernel && out <= in / kernel ? out * kernel : in;
}

/* Only poolings need this: convolutions are found by their weights. */
static uint64_t bytes_read(const roof_tensor *t, const roof_op *consumer)
{
    const roof_window *w = &consumer->window;
    nhwc in = tensor_nhwc(t), out = tensor_nhwc(&consumer->out);
    uint64_t rows = positions_read(in.h, out.h, w->kernel_h, w->stride_h);
    uint64_t columns = positions_read(in.w, out.w, w->kernel_w, w->stride_w);
    if (consumer->rule != ROOF_RULE_POOL || !in.h || !in.w || (rows == in.h && columns == in.w))
        return t->bytes;
    return t->bytes / in.h / in.w * rows * columns;
}

static void add_region(const attribution *a, region_list *list, uint32_t tensor, uint32_t layer,
                       const roof_op *consumer, roof_role role)
{
    const roof_tensor *t = &a->graph->ops[tensor].out;
    const roof_xir_op *at = roof_xir_op_of(a->graph, &a->graph->ops[tensor]);
    bool weights = role == ROOF_ROLE_WEIGHTS && consumer;
    if (at->reg_id < 0 || at->ddr_addr < 0)
        return;
    list->items[list->n++] = (region){.reg_id = at->reg_id,
                                      .begin = (uint64_t)at->ddr_addr,
                                      .end = (uint64_t)at->ddr_addr + at->span_bytes,
                                      .left_bytes = consumer ? bytes_read(t, consumer) : t->bytes,
                                      .layer = layer,
                                      .banks = !weights                                ? NO_WEIGHT_BANKS
                                               : consumer->rule == ROOF_RULE_DEPTHWISE ? DEPTHWISE_BANKS
                                                                                       : CONV_BANKS};
}

static void describe_layer(attribution *a, uint32_t index)
{
    const roof_graph *g = a->graph;
    uint32_t self = a->subgraph->first_layer + index;
    const roof_layer *layer = &g->layers[self];
    a->inputs.first[index] = a->inputs.n;
    a->outputs.first[index] = a->outputs.n;
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *op = layer_op(g, layer, i);
        if (op->rule != ROOF_RULE_CONSTANT)
            add_region(a, &a->outputs, g->layer_ops[layer->first_op + i], index, NULL, ROOF_ROLE_OTHER);
        static const work_kind kinds[ROOF_RULE_COUNT] = {[ROOF_RULE_DEPTHWISE] = WORK_DEPTHWISE,
                                                         [ROOF_RULE_POOL] = WORK_POOL,
                                                         [ROOF_RULE_SCALE] = WORK_SCALE,
                                                         [ROOF_RULE_HARD_SIGMOID] = WORK_HARD_SIGMOID,
                                                         [ROOF_RULE_ELTWISE] = WORK_ELTWISE};
        uint64_t channels = tensor_nhwc(&op->out).c;
        uint64_t plane = channels ? op->out.elements / channels : 0;
        if ((unsigned)op->rule < ROOF_RULE_COUNT && kinds[op->rule] != WORK_NONE)
            a->positions[index][kinds[op->rule]] +=
                plane * ceil_div(channels, a->banks->input_channel_parallel);
        FOR_EACH(const roof_edge, edge, g->edges + op->first_input, op->n_inputs) {
            const roof_op *producer = &g->ops[edge->op];
            a->has_constants[index] |= producer->rule == ROOF_RULE_CONSTANT;
            if (producer->rule == ROOF_RULE_CONSTANT)
                add_region(a, &a->constants, edge->op, index, op, edge->role);
            else if (producer->layer != self)
                add_region(a, &a->inputs, edge->op, index, op, ROOF_ROLE_OTHER);
        }
    }
}

static void next_in_queue(const attribution *a, work_queue *q, work_kind kind)
{
    uint32_t layer = q->layer == ROOF_NONE ? 0 : q->layer + 1;
    while (layer < a->n_layers && a->positions[layer][kind] == 0)
        layer++;
    if (layer < a->n_layers) {
        q->layer = layer;
        q->remaining = a->positions[layer][kind];
    }
}

static roof_status prepare(attribution *a, roof_arena *scratch, roof_error *err)
{
    size_t edges = 0, ops = 0;
    FOR_EACH(const roof_layer, layer, a->graph->layers + a->subgraph->first_layer, a->n_layers) {
        ops += layer->n_ops;
        for (uint32_t j = 0; j < layer->n_ops; j++)
            edges += layer_op(a->graph, layer, j)->n_inputs;
    }
    a->constants.items = NEW_ARRAY(scratch, region, edges);
    a->inputs.items = NEW_ARRAY(scratch, region, edges);
    a->outputs.items = NEW_ARRAY(scratch, region, ops);
    a->inputs.first = NEW_ARRAY(scratch, uint32_t, (size_t)a->n_layers + 1);
    a->outputs.first = NEW_ARRAY(scratch, uint32_t, (size_t)a->n_layers + 1);
    a->positions = arena_alloc(scratch, (size_t)a->n_layers + 1, sizeof *a->positions);
    a->has_constants = NEW_ARRAY(scratch, unsigned char, (size_t)a->n_layers + 1);
    for (unsigned i = 0; i < WEIGHT_BANKS; i++)
        a->weights_at[i] = NEW_ARRAY(scratch, uint32_t, BANK_DEPTH);
    TRY(arena_status(scratch, err));
    for (unsigned i = 0; i < WEIGHT_BANKS; i++)
        memset(a->weights_at[i], 0xff, BANK_DEPTH * sizeof *a->weights_at[i]);
    for (uint32_t i = 0; i < a->n_layers; i++)
        describe_layer(a, i);
    a->inputs.first[a->n_layers] = a->inputs.n;
    a->outputs.first[a->n_layers] = a->outputs.n;
    /* compilers lay constants out in the order of the layers, so they mostly come sorted */
    const order_key *by_address =
        ORDER_BY(RISING(region, reg_id), RISING(region, begin), RISING(region, layer));
    bool is_sorted = true;
    for (uint32_t i = 1; i < a->constants.n && is_sorted; i++)
        is_sorted = order_compare(&a->constants.items[i - 1], &a->constants.items[i], by_address) <= 0;
    if (!is_sorted)
        order_sort(a->constants.items, a->constants.n, sizeof *a->constants.items, by_address);
    for (unsigned kind = 0; kind < WORK_KINDS; kind++) {
        a->queues[kind].layer = ROOF_NONE;
        next_in_queue(a, &a->queues[kind], (work_kind)kind);
    }
    return ROOF_OK;
}

/* ---- finding the owner of an instruction; ROOF_NONE when there is none ---- */

/* Streams load one constant after the other, so the last one or its neighbour is tried before searching. */
static const region *constant_at(attribution *a, int32_t reg_id, uint64_t address)
{
    for (uint32_t i = a->last_constant; i < a->constants.n && i <= a->last_constant + 1; i++) {
        const region *r = &a->constants.items[i];
        if (r->reg_id == reg_id && r->begin <= address && address < r->end) {
            a->last_constant = i;
            return r;
        }
    }
    /* The constant that begins at or before the address. Some families pad constants, so an address behind
     * the tensor's end still belongs to it. */
    uint32_t low = 0, high = a->constants.n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const region *r = &a->constants.items[middle];
        if (r->reg_id < reg_id || (r->reg_id == reg_id && r->begin <= address))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || a->constants.items[low - 1].reg_id != reg_id)
        return NULL;
    a->last_constant = low - 1;
    return &a->constants.items[low - 1];
}

/* budget: how many regions may still be looked at in this search. */
static region *touched_region(const region_list *list, uint32_t layer, const dpu_instruction *in,
                              uint32_t *budget)
{
    for (uint32_t i = list->first[layer]; i < list->first[layer + 1] && *budget; i++, --*budget) {
        region *r = &list->items[i];
        if (r->reg_id == in->reg_id && r->begin < in->address + in->span_bytes && in->address < r->end)
            return r;
    }
    return NULL;
}

static region *nearest_region(const attribution *a, const region_list *list, const dpu_instruction *in,
                              uint32_t center)
{
    uint32_t budget = SEARCH_REGIONS;
    if (center == ROOF_NONE)
        center = 0;
    for (uint32_t d = 0; d <= SEARCH_LAYERS && budget; d++) {
        bool above = d < a->n_layers - center, below = d <= center;
        region *found = above ? touched_region(list, center + d, in, &budget) : NULL;
        if (!found && d && below)
            found = touched_region(list, center - d, in, &budget);
        if (found || (!above && !below))
            return found;
    }
    return NULL;
}

/* A tensor may have several consumers close together, such as a convolution and the addition behind it. A
 * layer without constants is not found by its weight LOADs; once the consumer before it has its input,
 * such a layer within reach is at work. A consumer with constants loads some before it reads, so it is found
 * by them, and reading again and again (a halo, weights in pieces) stays its own. */
static region *input_of(const attribution *a, const dpu_instruction *in)
{
    region *nearest = nearest_region(a, &a->inputs, in, a->constant_layer);
    if (!nearest)
        return NULL;
    region *best = nearest;
    uint32_t budget = SEARCH_REGIONS;
    for (uint32_t d = 1; best->left_bytes < in->transfer_bytes && d <= CONSUMER_REACH; d++) {
        if (d >= a->n_layers - nearest->layer)
            break;
        region *next = touched_region(&a->inputs, nearest->layer + d, in, &budget);
        if (next && !a->has_constants[next->layer] && next->left_bytes >= in->transfer_bytes)
            best = next;
    }
    best->left_bytes -= in->transfer_bytes < best->left_bytes ? in->transfer_bytes : best->left_bytes;
    return best;
}

static uint32_t take_from_queue(attribution *a, work_kind kind, uint64_t positions)
{
    work_queue *q = &a->queues[kind];
    if (q->remaining == 0)
        next_in_queue(a, q, kind);
    if (q->layer == ROOF_NONE)
        return ROOF_NONE;
    q->remaining -= positions < q->remaining ? positions : q->remaining;
    return q->layer;
}

/* exec_mode of the ALU. Source: seen in real streams beside the ops of the graph. */
static uint32_t alu_layer(attribution *a, const dpu_instruction *in)
{
    static const work_kind others[16] = {
        [2] = WORK_POOL, [3] = WORK_POOL, [6] = WORK_SCALE, [7] = WORK_HARD_SIGMOID};
    work_kind kind = others[in->mode & 15];
    if (in->mode == 0) {
        uint32_t layer = a->weights_at[DEPTHWISE_BANKS][in->weights_address % BANK_DEPTH];
        if (layer != ROOF_NONE)
            return layer;
    }
    uint64_t rows = a->banks->pool_rows ? a->banks->pool_rows : 1;
    return take_from_queue(a, kind == WORK_NONE ? WORK_DEPTHWISE : kind, in->pixels * rows);
}

/* ---- walking the stream ---- */

/* Which layer the weight banks are of that a LOAD of a constant fills. */
static inline void fill_banks(attribution *a, const region *from, const dpu_instruction *in)
{
    const bank_layout *b = a->banks;
    uint32_t behind_conv = from->banks == DEPTHWISE_BANKS ? b->output_channel_parallel : 0;
    if (from->banks == NO_WEIGHT_BANKS || in->bank_id != b->weight_bank_base + behind_conv)
        return;
    uint64_t n = in->rows * ceil_div(in->row_bytes, b->input_channel_parallel);
    uint32_t *layers = a->weights_at[from->banks];
    n = n < BANK_DEPTH ? n : BANK_DEPTH;
    for (uint64_t i = 0; i < n; i++)
        layers[(in->bank_address + i) % BANK_DEPTH] = from->layer;
}

static uint32_t on_load(attribution *a, const dpu_instruction *in)
{
    bool is_constant = a->constant.is_in[in->reg_id];
    const region *from = is_constant ? constant_at(a, in->reg_id, in->address) : input_of(a, in);
    a->repeated = is_constant && !is_alone(in) ? from : NULL;
    if (!from)
        return ROOF_NONE;
    if (is_constant) {
        a->constant_layer = from->layer;
        fill_banks(a, from, in);
    }
    return from->layer;
}

static uint32_t on_engine(attribution *a, const dpu_instruction *in)
{
    uint32_t layer = a->constant_layer; /* sets without public compute fields: the layer being fed */
    if (in->opcode == DPU_CONV && in->cycles)
        layer = a->weights_at[CONV_BANKS][in->weights_address % BANK_DEPTH];
    else if (in->opcode == DPU_ALU && in->cycles)
        layer = alu_layer(a, in);
    else if (in->opcode == DPU_ELEW && in->cycles)
        layer = take_from_queue(a, WORK_ELTWISE, in->pixels);
    if (layer != ROOF_NONE)
        a->engine_layer = layer;
    return layer;
}

/* Other instructions may stand between an INIT and its engine instruction. */
static void give_pending(attribution *a, uint32_t task, uint32_t layer)
{
    for (uint32_t i = a->first_pending; i < task; i++)
        if ((*a->tasks)[i].row == IS_PENDING)
            (*a->tasks)[i].row = layer;
    a->first_pending = ROOF_NONE;
    a->pending_bytes = 0;
}

/* Returns its layer. */
static uint32_t on_instruction(attribution *a, const dpu_instruction *in, uint32_t task)
{
    if (in->opcode == DPU_INIT) {
        a->first_pending = a->first_pending == ROOF_NONE ? task : a->first_pending;
        a->pending_bytes += in->length_bytes;
        return IS_PENDING;
    }
    const region *saved = in->opcode == DPU_SAVE ? nearest_region(a, &a->outputs, in, a->engine_layer) : NULL;
    uint32_t layer = in->opcode == DPU_LOAD         ? on_load(a, in)
                     : in->opcode == DPU_SAVE       ? (saved ? saved->layer : ROOF_NONE)
                     : in->opcode != DPU_END        ? on_engine(a, in)
                     : a->engine_layer != ROOF_NONE ? a->engine_layer
                                                    : a->constant_layer;
    stream_cost *cost = layer == ROOF_NONE ? &a->out->remainder : &a->out->layers[layer];
    count(cost, &a->constant, in);
    cost->traffic.instruction_bytes += in->length_bytes;
    if (in->opcode != DPU_SAVE && in->opcode != DPU_LOAD) {
        cost->traffic.instruction_bytes += a->pending_bytes;
        give_pending(a, task, layer);
    }
    return layer;
}

/* A stream that is made; its tasks are in memory of their own, which grows, until end_stream. */
typedef struct stream_builder {
    roof_stream *stream;
    roof_task *tasks;
    uint32_t room;
    roof_error *err;
} stream_builder;

static stream_builder begin_stream(roof_stream *stream, const roof_code *code, roof_error *err)
{
    *stream = (roof_stream){.is_timed = true, .file_offset = code->file_offset, .replayer = &dpu_replayer};
    return (stream_builder){.stream = stream, .err = err};
}

static roof_status end_stream(stream_builder *b, roof_status status, roof_arena *arena)
{
    roof_task *const grown = b->tasks;
    THEN(status, ARENA_KEEP(arena, b->tasks, b->stream->n_tasks, b->err));
    b->stream->tasks = status == ROOF_OK ? b->tasks : NULL;
    free(grown);
    return status;
}

/* NULL without memory, and the tasks stay. */
static roof_task *make_room(stream_builder *b)
{
    const uint32_t room = b->room ? 2 * b->room : 64;
    roof_task *more = room > b->room ? realloc(b->tasks, room * sizeof *more) : NULL;
    if (more) {
        b->tasks = more;
        b->room = room;
    }
    return more;
}

/* Most instructions: a LOAD of the tensor that the one before it is of, for the same layer and task. */
static inline bool repeats_constant(attribution *a, stream_builder *b, const dpu_instruction *in)
{
    const region *r = a->repeated;
    if (!in->is_repeated || !r || in->address < r->begin || r->end <= in->address)
        return false;
    roof_task *last = &b->tasks[b->stream->n_tasks - 1];
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what is repeated has a task */
    if (last->alike == UINT16_MAX)
        return false;
    a->out->layers[r->layer].traffic.weights_bytes += in->transfer_bytes;
    a->out->layers[r->layer].traffic.instruction_bytes += in->length_bytes;
    fill_banks(a, r, in);
    last->alike++;
    b->stream->n_instructions++;
    return true;
}

static inline __attribute__((always_inline)) roof_status add_task(stream_builder *b,
                                                                  const dpu_instruction *in, uint32_t layer)
{
    static const uint8_t kinds[] = {
        [DPU_LOAD] = ROOF_TASK_LOAD, [DPU_SAVE] = ROOF_TASK_SAVE,    [DPU_CONV] = ROOF_TASK_CONV,
        [DPU_ALU] = ROOF_TASK_ALU,   [DPU_ELEW] = ROOF_TASK_ELTWISE, [DPU_INIT] = ROOF_TASK_SETUP,
        [DPU_OTHER] = ROOF_TASK_ALU, [DPU_END] = ROOF_TASK_SETUP,
    };
    roof_stream *stream = b->stream;
    const bool moves = in->opcode == DPU_LOAD || in->opcode == DPU_SAVE;
    stream->n_instructions++;
    roof_task *const tasks = stream->n_tasks < b->room ? b->tasks : make_room(b);
    TRY(ALLOCATED(tasks, b->err));
    roof_task *task = &tasks[stream->n_tasks], *last = stream->n_tasks && !is_alone(in) ? task - 1 : NULL;
    *task = (roof_task){.amount = moves ? in->transfer_bytes : in->cycles,
                        .row = layer,
                        .pieces = in->is_apart ? (uint32_t)(in->transfer_bytes / in->row_bytes) : 1,
                        .kind = kinds[in->opcode],
                        .queue = in->queue,
                        .port = in->port,
                        .waits_for = in->waits_for,
                        .lets_go = in->lets_go,
                        .words = (uint8_t)(in->length_bytes / 4)};
    stream->is_timed &= in->is_timed;
    if (last && last->alike < UINT16_MAX && memcmp(task, last, offsetof(roof_task, alike)) == 0)
        last->alike++;
    else
        stream->n_tasks++;
    return ROOF_OK;
}

roof_status dpu_attribute(const roof_graph *graph, uint32_t subgraph, const dpu_isa *isa,
                          const bank_layout *banks, roof_arena *arena, stream_costs *out, roof_error *err)
{
    enum { SOME_INSTRUCTIONS = 1 << 16 };
    const roof_subgraph *s = &graph->subgraphs[subgraph];
    attribution a = {.graph = graph,
                     .subgraph = s,
                     .own = roof_xir_subgraph_of(graph, s),
                     .n_layers = s->n_layers,
                     .banks = banks,
                     .out = out,
                     .constant_layer = ROOF_NONE,
                     .engine_layer = ROOF_NONE,
                     .first_pending = ROOF_NONE};
    roof_arena *scratch = arena_new(0);
    roof_status status = scratch ? prepare(&a, scratch, err) : error_memory(err);
    *out = (stream_costs){0};
    THEN(status, ARENA_GET(arena, out->layers, s->n_layers, err));
    stream_builder b = begin_stream(&out->stream, &a.own->code, err);
    a.tasks = &b.tasks;
    a.constant = constant_registers(a.own);
    dpu_decoder decoder = dpu_decode(isa, &a.own->code);
    const unsigned char *kept = a.own->code.bytes;
    for (bool more = true; status == ROOF_OK && more;) {
        status = dpu_next(&decoder, &more, err);
        if (status == ROOF_OK && !repeats_constant(&a, &b, &decoder.in))
            status = add_task(&b, &decoder.in, on_instruction(&a, &decoder.in, out->stream.n_tasks));
        if (out->stream.n_instructions % SOME_INSTRUCTIONS == 0)
            kept = mapfile_pass(&graph->storage->file, kept, decoder.next);
    }
    give_pending(&a, out->stream.n_tasks, ROOF_NONE);
    status = end_stream(&b, status, arena);
    arena_free(scratch);
    return error_placed(status, err, "subgraph '%.200s'", s->name);
}

roof_status dpu_total(const roof_xir_subgraph *subgraph, const dpu_isa *isa, const roof_code *code,
                      roof_arena *arena, stream_cost *out, roof_stream *stream, roof_error *err)
{
    stream_builder b = begin_stream(stream, code, err);
    const register_set constant = constant_registers(subgraph);
    dpu_decoder decoder = dpu_decode(isa, code);
    roof_status status = ROOF_OK;
    *out = (stream_cost){.traffic.instruction_bytes = code->length_bytes};
    for (bool more = true; status == ROOF_OK && more;) {
        status = dpu_next(&decoder, &more, err);
        if (status == ROOF_OK) {
            count(out, &constant, &decoder.in);
            status = add_task(&b, &decoder.in, ROOF_NONE);
        }
    }
    return end_stream(&b, status, arena);
}
