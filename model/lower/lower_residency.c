/* Which maps a DPU's compiler keeps on chip, so that bytes are those of a compiled file.
 *
 * Units: bytes; a map has one byte an element, as weights and biases do.
 *
 * A bank group holds PP banks of 2048 rows of ICP bytes; there are usually two. In memory a map takes
 *   padded = ceil(H / PP) PP W ceil(C / ICP) ICP
 * In program order what a row makes stays on chip when
 *   1. padded is at most one bank group;
 *   2. padded sizes of what stays and is still needed, with this one and one stripe of what the row streams
 *      in, are at most all groups. First come stays, nothing is evicted;
 *   3. it is not an output of the network, the host does not read it, nobody reads it in another shape, and
 *      it is no vector that a feature map is scaled by.
 * Else it is saved once, and loaded once by each row that reads it. A stripe is of
 * ceil(((PP - 1) stride + kernel) / PP) PP rows. A first layer with channel augmentation reads its input
 * OW KW / IW times, a kernel smaller than its stride only the rows that it touches. Weights are read once.
 * Source: bytes of the streams of 31 compiled DPUCZDX8G parts: 0.9 % in the mean (docs/hardware/dpuczdx8g.md,
 *   "Lowering"). Rows that overlap between stripes and instructions come on top.
 */
#include "model/lower/fate.h"
#include "model/work/opmap.h"

static const uint64_t UNLIMITED = UINT64_MAX;

typedef struct bank_groups {
    uint64_t pixel_parallel, channel_parallel, group_bytes, all_bytes;
} bank_groups;

static bank_groups groups_of(const roof_hw *hw)
{
    const roof_quantity *pp = roof_hw_get(hw, "conv.pixel_parallel"),
                        *icp = roof_hw_get(hw, "conv.input_channel_parallel"),
                        *bytes = roof_hw_get(hw, "image_banks.bytes"),
                        *groups = roof_hw_get(hw, "image_banks.groups");
    bank_groups b = {1, 1, UNLIMITED, UNLIMITED};
    if (!pp || !icp || !bytes || !groups || !(pp->value >= 1) || !(icp->value >= 1) || !(groups->value >= 1))
        return b;
    b.pixel_parallel = (uint64_t)pp->value;
    b.channel_parallel = (uint64_t)icp->value;
    b.all_bytes = (uint64_t)bytes->value;
    b.group_bytes = b.all_bytes / (uint64_t)groups->value;
    return b;
}

/* Rows of a map, as it lies in banks; UINT64_MAX where that overflows. */
static uint64_t padded_rows(const bank_groups *b, uint64_t rows, const nhwc *map)
{
    checked bytes = CHECKED_PRODUCT(ceil_div(rows, b->pixel_parallel) * b->pixel_parallel, map->w,
                                    ceil_div(map->c, b->channel_parallel) * b->channel_parallel);
    return bytes.overflow ? UINT64_MAX : bytes.value;
}

/* Placement of a map that one operator makes and operators outside of its row read. */
typedef struct placed_map {
    uint32_t last_row; /* its last reader; ROOF_NONE: none */
    bool is_read;
    bool leaves; /* must lie in external memory: rule 3 */
    bool stays;
    uint32_t next; /* map that stays as long, plus 1; 0: none */
    uint64_t padded_bytes;
} placed_map;

typedef struct residency {
    const lower_state *s;
    bank_groups banks;
    placed_map *maps; /* of the graph's operators, one each */
    uint32_t *ends;   /* of each row: the first map, plus 1, that stays up to it */
    uint32_t n_gone;  /* rows whose maps were let go */
    uint64_t staying_bytes;
} residency;

static bool is_on_host(const lower_state *s, uint32_t row)
{
    return s->ops[s->rows[row].leader].fate == LOWER_HOST;
}

/* Bytes of one map that the row loads; stripe_bytes: of its rows that lie on chip at a time. */
static uint64_t loaded_bytes(const residency *r, const lower_read *read, uint64_t *stripe_bytes)
{
    const roof_graph *g = r->s->graph;
    const roof_op *by = &g->ops[read->by];
    const roof_window *w = &by->window;
    const nhwc map = tensor_nhwc(&g->ops[read->maker].out), out = tensor_nhwc(&by->out);
    const uint64_t stride = w->stride_h ? w->stride_h : 1, kernel = w->kernel_h ? w->kernel_h : 1;
    const uint64_t pp = r->banks.pixel_parallel;
    const uint64_t rows = ceil_div((pp - 1) * stride + kernel, pp) * pp;
    *stripe_bytes = padded_rows(&r->banks, rows < map.h ? rows : map.h, &map);
    if (r->s->ops[read->by].folds_kernel && map.w) {
        checked times = CHECKED_PRODUCT(read->elements, out.w, w->kernel_w);
        return times.overflow ? UINT64_MAX : times.value / map.w;
    }
    const bool has_kernel = rule_has_macs(by->rule) || by->rule == ROOF_RULE_POOL;
    return has_kernel && kernel < stride ? read->elements / stride * kernel : read->elements;
}

static bool add(uint64_t *sum, uint64_t term)
{
    return !__builtin_add_overflow(*sum, term, sum) && *sum < UINT64_MAX / 4; /* so that three add up */
}

/* False where bytes overflow. */
static bool move_row(residency *r, uint32_t i, roof_traffic *traffic)
{
    const lower_row *row = &r->s->rows[i];
    uint64_t stripes = 0;
    bool fits = true;
    FOR_EACH(const uint32_t, i_op, r->s->row_ops + row->first_op, row->n_ops) {
        const roof_op *op = op_at(r->s, *i_op);
        FOR_EACH(const roof_edge, edge, op_edges(r->s->graph, op), op->n_inputs)
            if (edge->role == ROOF_ROLE_WEIGHTS || edge->role == ROOF_ROLE_BIAS)
                fits = fits && add(&traffic->weights_bytes, op_at(r->s, edge->op)->out.elements);
    }
    for (uint32_t k = 0; k < row->n_reads && fits; k++) {
        const lower_read *read = &r->s->reads[row->first_read + k];
        uint64_t stripe;
        if (r->maps[read->maker].stays)
            continue;
        fits = add(&traffic->input_bytes, loaded_bytes(r, read, &stripe));
        stripes = stripe < r->banks.all_bytes - stripes ? stripes + stripe : r->banks.all_bytes;
    }
    for (; r->n_gone < i; r->n_gone++)
        for (uint32_t map = r->ends[r->n_gone]; map; map = r->maps[map - 1].next)
            r->staying_bytes -= r->maps[map - 1].padded_bytes;
    for (uint32_t k = 0; k < row->n_ops && fits; k++) {
        const uint32_t op = r->s->row_ops[row->first_op + k];
        const nhwc shape = tensor_nhwc(&r->s->graph->ops[op].out);
        placed_map *map = &r->maps[op];
        /* a map that only its own row reads never leaves the engines */
        if (!map->is_read && (k + 1 < row->n_ops))
            continue;
        map->padded_bytes = padded_rows(&r->banks, shape.h, &shape);
        const uint64_t room = r->banks.all_bytes - r->staying_bytes;
        map->stays = map->is_read && !map->leaves && map->padded_bytes <= r->banks.group_bytes &&
                     stripes <= room && map->padded_bytes <= room - stripes;
        if (!map->stays)
            fits = add(&traffic->output_bytes, r->s->graph->ops[op].out.elements);
        else if (r->banks.all_bytes != UNLIMITED) {
            uint32_t *end = &r->ends[map->last_row > i ? map->last_row : i];
            map->next = *end;
            *end = op + 1;
            r->staying_bytes += map->padded_bytes;
        }
    }
    return fits;
}

roof_status lower_residency(const lower_state *s, roof_traffic *traffic)
{
    residency r = {.s = s, .banks = groups_of(s->hw)};
    TRY(ARENA_GET(s->scratch, r.maps, s->graph->n_ops, s->err));
    TRY(ARENA_GET(s->scratch, r.ends, s->n_rows, s->err));
    for (uint32_t i = 0; i < s->n_rows; i++)
        for (uint32_t k = 0; k < s->rows[i].n_reads; k++) {
            const lower_read *read = &s->reads[s->rows[i].first_read + k];
            const roof_op *made = &s->graph->ops[read->maker], *by = &s->graph->ops[read->by];
            const nhwc shape = tensor_nhwc(&made->out);
            placed_map *map = &r.maps[read->maker];
            map->is_read = true;
            map->last_row = i; /* rows come in order */
            map->leaves = map->leaves || read->reshapes || is_on_host(s, i) ||
                          s->ops[read->maker].fate != LOWER_ROW ||
                          (by->rule == ROOF_RULE_SCALE && shape.h == 1 && shape.w == 1);
        }
    for (uint32_t i = 0; i < s->n_rows; i++)
        if (!is_on_host(s, i) && !move_row(&r, i, &traffic[i]))
            return error_set(s->err, ROOF_E_LIMIT, "layer '%.200s': its bytes overflow 64 bits",
                             s->graph->ops[s->rows[i].leader].name);
    return ROOF_OK;
}
