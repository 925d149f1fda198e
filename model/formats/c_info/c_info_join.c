/* From the lists of a c_info.json to a plan: ids become indices, nodes become epochs.
 *
 * An epoch is a node with the name "epoch_<N>". Compilers up to 2.2 have one such node for every epoch;
 * newer ones put those that the epoch controller runs as a blob below a node of the blob, which may be called
 * after its first epoch. The estimates decide: an epoch is a node with an estimate that no node below it has
 * one of; without any, the deepest one.
 */
#include "core/files/csvin.h"
#include "model/formats/c_info/c_info.h"
#include "model/formats/neural_art/plan_build.h"

typedef struct joiner {
    const c_info *file;
    namemap *node_ids, *pool_ids, *buffer_ids; /* by the bytes of an id */
    uint32_t next_access;                      /* of those of the epochs that are not added yet */
    plan_build *build;
    roof_error *err;
} joiner;

/* --- looking up --------------------------------------------------------------------------------------- */

/* The index that an id stands for, or ROOF_NONE. */
static uint32_t index_of(const namemap *ids, uint64_t id)
{
    return namemap_find(ids, &id, sizeof id);
}

/* list: that speaks of the node. */
static roof_status find_node(const joiner *j, const char *list, uint64_t id, uint32_t *node)
{
    *node = index_of(j->node_ids, id);
    if (*node != ROOF_NONE)
        return ROOF_OK;
    return error_data(j->err, "/%s: no graph has a node %" PRIu64, list, id);
}

/* --- nodes that are epochs ---------------------------------------------------------------------------- */

uint64_t c_info_decimal(const char *text)
{
    uint64_t value;
    return csvin_count(span_of(text), &value) ? value : ROOF_UNKNOWN;
}

static uint32_t epoch_number(const char *name)
{
    text_span rest = span_of(name);
    uint64_t number;
    return span_skip(&rest, "epoch_") && csvin_count(rest, &number) && number < ROOF_NONE ? (uint32_t)number
                                                                                          : ROOF_NONE;
}

/* Children stand behind their parents: a pass backwards hears of all below, one forwards of all above. */
static roof_status find_epochs(joiner *j)
{
    enum { BELOW_NAMED = 1, BELOW_ESTIMATED = 2 };
    unsigned char *below;
    TRY(ARENA_GET(j->build->arena, below, j->file->n_nodes, j->err));
    for (uint32_t i = j->file->n_nodes; i-- > 0;) {
        uint32_t parent = j->file->nodes[i].parent;
        if (parent == ROOF_NONE)
            continue;
        below[parent] |= below[i];
        if (epoch_number(j->file->nodes[i].name) != ROOF_NONE)
            below[parent] |= BELOW_NAMED | (j->file->nodes[i].estimate ? BELOW_ESTIMATED : 0);
    }
    for (uint32_t i = 0; i < j->file->n_nodes; i++) {
        uint32_t parent = j->file->nodes[i].parent;
        j->file->nodes[i].epoch = parent == ROOF_NONE ? ROOF_NONE : j->file->nodes[parent].epoch;
        if (epoch_number(j->file->nodes[i].name) != ROOF_NONE && j->file->nodes[i].epoch == ROOF_NONE &&
            (j->file->nodes[i].estimate ? !(below[i] & BELOW_ESTIMATED) : !(below[i] & BELOW_NAMED)))
            j->file->nodes[i].epoch = i;
    }
    return ROOF_OK;
}

/* Up to 2.2 the node's description names its blob; later a list does, or the node above the epoch. */
static const char *blob_name(const joiner *j, uint32_t node)
{
    const c_info_node *n = &j->file->nodes[node];
    text_span described = span_of(n->description);
    if (span_skip(&described, "Epoch Controller "))
        return described.text;
    if (n->blob)
        return n->blob;
    for (uint32_t up = n->parent; up != ROOF_NONE; up = j->file->nodes[up].parent)
        if (strcmp(j->file->nodes[up].mapping, "NODE_EC") == 0)
            return j->file->nodes[up].blob ? j->file->nodes[up].blob : j->file->nodes[up].name;
    return NULL;
}

/* --- pools -------------------------------------------------------------------------------------------- */

uint64_t c_info_whole(double value)
{
    return value >= 0 && value <= 0x1p53 && value == floor(value) ? (uint64_t)value : ROOF_UNKNOWN;
}

static roof_status add_pools(joiner *j)
{
    for (uint32_t i = 0; i < j->file->n_pools; i++) {
        const c_info_pool *p = &j->file->pools[i];
        if (index_of(j->pool_ids, p->id) != i)
            return error_data(j->err, "/memory_pools/%u: the id %" PRIu64 " is there twice", i, p->id);
        TRY(plan_add_pool(j->build, p->name));
        roof_pool *pool = j->build->pool;
        pool->address = c_info_decimal(p->address); /* or a symbol of the linker, which only it knows */
        pool->size_bytes = c_info_whole(p->size_bytes);
        pool->used_bytes = c_info_whole(p->used_bytes);
        pool->byte_width =
            p->byte_width > 0 && p->byte_width < ROOF_NONE ? (uint32_t)p->byte_width : ROOF_NONE;
        pool->freq_ratio = p->freq_ratio > 0 ? p->freq_ratio : NAN;
        pool->read_only = strcmp(p->rights, "ACC_READ") == 0;
        pool->cached = strcmp(p->cacheable, "CACHEABLE_ON") == 0;
        pool->is_virtual = p->n_subpools > 0;
    }
    /* Parameters of a file that lists its buffers are in the pools of these, and nowhere else. */
    const c_info_buffer *buffers = j->file->buffers;
    roof_plan *plan = j->build->plan;
    bool joined_parameters = false;
    for (uint32_t i = 0; i < j->file->n_buffers; i++) {
        const roof_pool_content held =
            buffers[i].is_parameter ? ROOF_POOL_PARAMETERS : ROOF_POOL_FEATURE_MAPS;
        uint32_t at = index_of(j->pool_ids, buffers[i].pool);
        roof_pool *pool = at == ROOF_NONE ? NULL : &plan->pools[at];
        if (pool)
            pool->content =
                pool->content == ROOF_POOL_UNLISTED || pool->content == held ? held : ROOF_POOL_MIXED;
    }
    FOR_EACH(roof_pool, pool, plan->pools, plan->n_pools) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there are n_pools of them */
        if (pool->content == ROOF_POOL_UNLISTED && j->file->n_buffers)
            pool->content = ROOF_POOL_FEATURE_MAPS; /* holds nothing, so no parameters */
        joined_parameters =
            joined_parameters || (pool->is_virtual && pool->content != ROOF_POOL_FEATURE_MAPS);
    }
    /* parameters in a pool that joins others may lie in any of them */
    for (uint32_t i = 0; joined_parameters && i < plan->n_pools; i++)
        if (plan->pools[i].content == ROOF_POOL_FEATURE_MAPS)
            plan->pools[i].content = ROOF_POOL_MIXED;
    return ROOF_OK;
}

/* --- one epoch ---------------------------------------------------------------------------------------- */

static roof_epoch_kind kind_of(const char *mapping)
{
    static const struct {
        const char *mapping;
        roof_epoch_kind kind;
    } kinds[] = {
        {"NODE_HW", ROOF_EPOCH_HW},         {"NODE_EC", ROOF_EPOCH_HW},
        {"NODE_SW", ROOF_EPOCH_SW},         {"NODE_SW_FLOAT", ROOF_EPOCH_SW},
        {"NODE_SW_INTEGER", ROOF_EPOCH_SW}, {"NODE_SW_HW", ROOF_EPOCH_HYBRID},
        {"NODE_HYBRID", ROOF_EPOCH_HYBRID},
    };
    const uint32_t i = NAMED_AT(kinds, N_OF(kinds), mapping, mapping);
    return i < N_OF(kinds) ? kinds[i].kind : ROOF_EPOCH_UNKNOWN;
}

static const char *op_kind(const c_info_node *n)
{
    text_span described = span_of(n->description);
    span_skip(&described, "Node kind=");
    return n->kind[0] ? n->kind : described.text;
}

/* ST's programming model of the NPU: a convolution accelerator does 72 multiply-accumulates of 8 x 8 bits a
 * cycle, or 18 of 16 x 16; 36 of 16 x 8 from the configurations that compilers write. */
static uint32_t macs_per_unit(const c_info_node *n)
{
    uint64_t features = n->feature_bits, weights = n->weight_bits;
    if (!features || features > 16 || !weights || weights > 16)
        return ROOF_NONE;
    return features > 8 && weights > 8 ? 18 : features > 8 || weights > 8 ? 36 : 72;
}

/* --- work of the host --------------------------------------------------------------------------------- */

/* ROOF_UNKNOWN: no shape, or none that fits. */
static uint64_t elements_of(const c_info_buffer *b)
{
    checked product = {b->n_shape ? 1 : ROOF_UNKNOWN, !b->n_shape};
    for (uint32_t i = 0; i < b->n_shape; i++) {
        const uint64_t size = c_info_whole(b->shape[i]);
        product.overflow = product.overflow || size == ROOF_UNKNOWN;
        product = checked_times(product, size);
    }
    return product.overflow ? ROOF_UNKNOWN : product.value;
}

/* Adds the tensors among ids that are neither parameters nor in others, which is what a function works in. */
static const c_info_buffer *add_tensors(const joiner *j, const uint64_t *ids, uint32_t n,
                                        const uint64_t *others, uint32_t n_others, uint64_t *elements,
                                        uint64_t *bytes)
{
    enum { MOST_TENSORS = 256 }; /* each is looked for among the others */
    const c_info_buffer *last = NULL;
    *elements = *bytes = 0;
    for (uint32_t i = 0; i < n && n <= MOST_TENSORS && n_others <= MOST_TENSORS; i++) {
        const uint32_t at = index_of(j->buffer_ids, ids[i]);
        const c_info_buffer *b = at == ROOF_NONE ? NULL : &j->file->buffers[at];
        uint32_t k = 0;
        while (k < n_others && others[k] != ids[i])
            k++;
        if ((b && b->is_parameter) || k < n_others)
            continue;
        const uint64_t own = b && b->bits && b->bits <= 64 ? elements_of(b) : ROOF_UNKNOWN;
        last = b;
        (void)checked_add_known(elements, own);
        (void)checked_add_known(bytes, own < UINT64_MAX / 64 ? ceil_div(own * b->bits, 8) : ROOF_UNKNOWN);
    }
    if (!last)
        *elements = *bytes = ROOF_UNKNOWN;
    return last;
}

/* The tensors of the only operator of the epoch that the host runs. */
static void set_host_op(const joiner *j, const c_info_node *own)
{
    roof_epoch *e = j->build->epoch;
    e->host_type = op_kind(own);
    (void)add_tensors(j, own->inputs, own->n_inputs, own->outputs, own->n_outputs, &e->host_input_elements,
                      &e->host_input_bytes);
    const c_info_buffer *made = add_tensors(j, own->outputs, own->n_outputs, own->inputs, own->n_inputs,
                                            &e->host_output_elements, &e->host_output_bytes);
    if (made && made->n_shape)
        e->host_row_cells = c_info_whole(made->shape[made->n_shape - 1]);
}

/* --- an epoch ----------------------------------------------------------------------------------------- */

static roof_status add_ops(joiner *j, uint32_t node)
{
    static const char *const words[] = {"Reshape", "Return"};
    roof_epoch *e = j->build->epoch;
    const c_info_node *host = NULL;
    uint32_t convs = 0, most = 0, n_host = 0;
    bool all_known = true;
    for (uint32_t i = node + 1; i < j->file->n_nodes && j->file->nodes[i].epoch == node; i++) {
        c_info_node *n = &j->file->nodes[i];
        const char *kind = op_kind(n);
        const roof_plan_op op = {n->name, kind, n->unit};
        if (strcmp(kind, "Param") == 0)
            continue; /* names weights, does nothing */
        TRY(plan_add_op(j->build, &op));
        n->op_in_plan = j->build->plan->n_ops - 1;
        if (kind_of(n->mapping) == ROOF_EPOCH_SW && !IS_ONE_OF(words, kind)) {
            host = n;
            n_host++;
        }
        if (strcmp(kind, "Conv") != 0)
            continue;
        uint32_t macs = macs_per_unit(n);
        convs++;
        all_known = all_known && macs != ROOF_NONE;
        most = macs != ROOF_NONE && macs > most ? macs : most;
    }
    if (e->kind == ROOF_EPOCH_HW && convs) {
        e->conv_units = convs;
        e->macs_per_unit = all_known ? most : ROOF_NONE;
    }
    /* of several operators nothing is distinguished */
    if ((e->kind == ROOF_EPOCH_SW || e->kind == ROOF_EPOCH_HYBRID) && n_host == 1 && *op_kind(host))
        set_host_op(j, host);
    return ROOF_OK;
}

/* Epoch 0 holds the parameters, and the last one may only return: nothing runs. */
static bool runs(const joiner *j, uint32_t node)
{
    const c_info_estimate *e = j->file->nodes[node].estimate;
    static const char *const words[] = {"Param", "Return", "Reshape"};
    bool only_words = true, estimated = e && (e->ops || e->compute_cycles || e->max_cycles);
    for (uint32_t i = node + 1; i < j->file->n_nodes && j->file->nodes[i].epoch == node; i++)
        only_words = only_words && IS_ONE_OF(words, op_kind(&j->file->nodes[i]));
    return estimated || !only_words;
}

static roof_status add_epoch(joiner *j, uint32_t node)
{
    const c_info_node *n = &j->file->nodes[node];
    const c_info_estimate *e = j->file->nodes[node].estimate;
    TRY(plan_add_epoch(j->build, epoch_number(n->name), n->name));
    j->file->nodes[node].in_plan = j->build->plan->n_epochs - 1;
    roof_epoch *epoch = j->build->epoch;
    epoch->kind = kind_of(n->mapping);
    if (e) {
        epoch->ops_count = e->ops;
        epoch->compute_cycles = e->compute_cycles;
        epoch->stored_vendor_cycles = e->max_cycles;
    }
    TRY(add_ops(j, node));
    for (; j->next_access < j->file->n_accesses; j->next_access++) {
        const c_info_access *a = &j->file->accesses[j->next_access];
        if (a->node > node)
            break;
        uint32_t pool = index_of(j->pool_ids, a->pool);
        const roof_pool_access access = {pool, a->reads, a->writes, a->read_cycles, a->write_cycles};
        if (a->node == node && pool != ROOF_NONE)
            TRY(plan_add_access(j->build, &access));
        else if (a->node == node)
            j->build->epoch->outside_bytes +=
                a->reads + a->writes; /* of buffers that the application brings; each below 2^53 */
    }
    /* Epochs of a blob follow one another. */
    roof_plan *plan = j->build->plan;
    const char *name = blob_name(j, node);
    if (!name || !name[0])
        return ROOF_OK;
    if (!plan->n_blobs || strcmp(plan->blobs[plan->n_blobs - 1].name, name) != 0)
        TRY(plan_add_blob(j->build, name));
    plan->blobs[plan->n_blobs - 1].n_epochs++;
    j->build->epoch->blob = plan->n_blobs - 1;
    return ROOF_OK;
}

/* Feature maps from operator to operator through memory, and streams within an epoch; parameters come from
 * no epoch that runs. */
static roof_status add_flows(const joiner *j)
{
    roof_plan *plan = j->build->plan;
    const c_info *file = j->file;
    TRY(ARENA_GET(j->build->arena, plan->flows, file->n_edges, j->err));
    FOR_EACH(const c_info_edge, e, file->edges, file->n_edges) {
        const uint32_t start = index_of(j->node_ids, e->start), end = index_of(j->node_ids, e->end);
        const bool is_memory = strcmp(e->kind, "EDGE_MEMORY") == 0;
        if (start == ROOF_NONE || end == ROOF_NONE || (!is_memory && strcmp(e->kind, "EDGE_INTERNAL") != 0))
            continue;
        const c_info_node *from = &file->nodes[start], *to = &file->nodes[end];
        const uint32_t at = is_memory ? index_of(j->buffer_ids, e->buffer) : ROOF_NONE;
        const c_info_buffer *b = at == ROOF_NONE ? NULL : &file->buffers[at];
        if (from->epoch == ROOF_NONE || to->epoch == ROOF_NONE || start == end ||
            (is_memory && (!b || b->is_parameter)))
            continue;
        const roof_plan_flow flow = {file->nodes[from->epoch].in_plan,
                                     file->nodes[to->epoch].in_plan,
                                     from->op_in_plan,
                                     to->op_in_plan,
                                     at,
                                     b ? b->size_bytes : ROOF_UNKNOWN,
                                     b ? index_of(j->pool_ids, b->pool) : ROOF_NONE};
        if (flow.from != ROOF_NONE && flow.to != ROOF_NONE)
            plan->flows[plan->n_flows++] = flow;
    }
    order_sort(plan->flows, plan->n_flows, sizeof *plan->flows,
               ORDER_BY(RISING(roof_plan_flow, from), RISING(roof_plan_flow, to),
                        RISING(roof_plan_flow, from_op), RISING(roof_plan_flow, to_op)));
    return ROOF_OK;
}

/* --- all of it ---------------------------------------------------------------------------------------- */

/* The indices of a list's entries by their id; of equal ones the first. NULL without memory. */
static namemap *map_ids(roof_arena *arena, const void *list, uint32_t n, size_t size)
{
    namemap *ids = namemap_new(arena, n);
    for (uint32_t i = 0; ids && i < n; i++)
        namemap_add(ids, (const char *)list + i * size, sizeof(uint64_t), i);
    return ids;
}

/* Joins other lists to nodes: estimates, the blobs that they belong to, and how wide features and weights
 * are that they read. Files give all inputs of a node the port 0, so that weights are told by being
 * parameters; partial sums that are read again are wider than features. */
static roof_status join_nodes(const joiner *j)
{
    const c_info *file = j->file;
    c_info_node *nodes = file->nodes;
    for (uint32_t i = 0; i < file->n_estimates; i++) {
        char place[40];
        uint32_t node;
        snprintf(place, sizeof place, "power_estimates/%u", i);
        TRY(find_node(j, place, file->estimates[i].node, &node));
        if (nodes[node].estimate)
            return error_data(j->err, "/%s: node %" PRIu64 " is there twice", place, file->estimates[i].node);
        nodes[node].estimate = &file->estimates[i];
    }
    FOR_EACH(const c_info_blob, blob, file->blobs, file->n_blobs) {
        for (uint32_t i = 0; i < blob->n_nodes; i++) {
            uint32_t node;
            TRY(find_node(j, "ec_blobs_info", blob->nodes[i], &node));
            nodes[node].blob = blob->name;
        }
    }
    FOR_EACH(const c_info_edge, e, file->edges, file->n_edges) {
        uint32_t node = index_of(j->node_ids, e->end), at = index_of(j->buffer_ids, e->buffer);
        if (strcmp(e->kind, "EDGE_MEMORY") != 0 || node == ROOF_NONE || at == ROOF_NONE)
            continue;
        const c_info_buffer *buffer = &file->buffers[at];
        uint64_t *bits = buffer->is_parameter ? &nodes[node].weight_bits : &nodes[node].feature_bits;
        if (buffer->bits && (!*bits || buffer->bits < *bits))
            *bits = buffer->bits;
    }
    return ROOF_OK;
}

roof_status c_info_join(const c_info *file, plan_build *build)
{
    roof_arena *arena = build->arena;
    joiner j = {.file = file,
                .node_ids = map_ids(arena, file->nodes, file->n_nodes, sizeof *file->nodes),
                .pool_ids = map_ids(arena, file->pools, file->n_pools, sizeof *file->pools),
                .buffer_ids = map_ids(arena, file->buffers, file->n_buffers, sizeof *file->buffers),
                .build = build,
                .err = build->err};
    TRY(arena_status(arena, j.err));
    for (uint32_t i = 0; i < file->n_nodes; i++)
        if (index_of(j.node_ids, file->nodes[i].id) != i)
            return error_data(j.err, "two nodes have the id %" PRIu64, file->nodes[i].id);
    TRY(join_nodes(&j));
    TRY(find_epochs(&j));
    /* Their nodes become indices. */
    c_info_access *accesses = j.file->accesses;
    FOR_EACH(c_info_access, a, accesses, j.file->n_accesses) {
        uint32_t node;
        TRY(find_node(&j, "memory_accesses", a->node, &node));
        if ((a->reads || a->writes) && j.file->nodes[node].epoch != node)
            return error_data(j.err,
                              "/memory_accesses: node %" PRIu64 " ('%.80s') moves bytes, but is no epoch",
                              a->node, j.file->nodes[node].name);
        a->node = node;
    }
    if (accesses)
        order_sort(accesses, j.file->n_accesses, sizeof *accesses,
                   ORDER_BY(RISING(c_info_access, node), RISING(c_info_access, pool)));
    TRY(add_pools(&j));
    for (uint32_t i = 0; i < file->n_nodes; i++)
        file->nodes[i].in_plan = file->nodes[i].op_in_plan = ROOF_NONE;
    for (uint32_t i = 0; i < file->n_nodes; i++)
        if (file->nodes[i].epoch == i && runs(&j, i))
            TRY(add_epoch(&j, i));
    TRY(add_flows(&j));
    return plan_build_end(build);
}
