/* From records to the plan: bodies and rows of the table meet by the number of their epoch, in ascending
 * order, which is that of the compiler's schedule. */
#include "model/formats/network_c/netc.h"

static const uint32_t mac_rates[] = {18, 72, 36}; /* of a unit, by simd: 16x16, 8x8, 16x8 bits */

typedef struct builder {
    netc_reader *r;
    plan_build *b;
    uint32_t body; /* the next one */
    uint32_t blob; /* of the plan, that the table's row opened, or ROOF_NONE */
} builder;

roof_status netc_fail(const netc_reader *r, text_span found, const char *wanted)
{
    char shown[160];
    quote_text(shown, sizeof shown, found.text ? found.text : "", found.length);
    return error_line(r->err, ROOF_E_DATA, r->line, "'%s', want %s", shown, wanted);
}

/* ---- order ---- */

/* An epoch may have several rows, when the host does a part of it: their flags are put together, and of
 * estimates the larger is kept, since a row without one says 0. */
static bool merge_row(netc_block *into, const netc_block *row)
{
    if (into->number != row->number || into->last_number != row->last_number)
        return false;
    into->flags |= row->flags;
    into->in_streams |= row->in_streams;
    into->out_streams |= row->out_streams;
    if (row->npu_cycles > into->npu_cycles)
        into->npu_cycles = row->npu_cycles;
    if (row->total_cycles > into->total_cycles)
        into->total_cycles = row->total_cycles;
    return true;
}

/* ---- pools ---- */

/* NULL without memory. */
static const char *copy(const builder *m, text_span text)
{
    return arena_strndup(m->b->arena, text.text, text.length);
}

/* Puts the line that is being read into an error of the plan, which knows none. */
static roof_status in_line(const netc_reader *r, roof_status status)
{
    if (status != ROOF_OK && r->err)
        r->err->line = r->line;
    return status;
}

roof_status netc_add_pool(const netc_reader *r, text_span name)
{
    TRY(in_line(r, plan_add_pool(r->b, arena_strndup(r->b->arena, name.text, name.length))));
    namemap_add(r->pools_by_name, name.text, name.length, r->b->plan->n_pools - 1);
    return ROOF_OK;
}

/* ---- time of the stream engines, from their structs ----
 *
 * A port of the stream switch passes one element of 1 to 3 bytes a cycle, so that an epoch takes no less
 * cycles than the longest of its streams has elements. Where a compiler states its own number, that is what
 * it counts too, with two exceptions: an epoch that only moves data computes nothing for it, and what goes
 * round with a partial sum (the sum, and the features that are read again for it) it does not count. Neither
 * is counted here, so that the number stays below.
 */

static uint64_t element_bytes(const netc_stream *s)
{
    uint64_t bits = s->output ? s->nbits_out : s->nbits_in;
    return bits && bits <= 32 ? (bits + 7) / 8 : 0;
}

/* A raw stream reads one piece per frame; another one reads fwidth x fheight places of batch_depth elements.
 *  */
static uint64_t frame_bytes(const netc_stream *s, uint64_t width)
{
    if (s->raw) {
        if (s->offset_start == ROOF_UNKNOWN || s->offset_end == ROOF_UNKNOWN ||
            s->offset_end <= s->offset_start)
            return ROOF_UNKNOWN;
        uint64_t bytes = s->offset_end - s->offset_start;
        return s->shape_bytes < bytes ? s->shape_bytes : bytes;
    }
    const checked bytes = CHECKED_PRODUCT(width, s->fwidth, s->fheight, s->batch_depth);
    return bytes.overflow || !bytes.value ? ROOF_UNKNOWN : bytes.value;
}

/* The bytes of all frames in memory, without padding; ROOF_UNKNOWN where the struct does not prove them. A
 * comment may speak of all of them, and each be padded to a whole element. */
static uint64_t stream_bytes(const netc_stream *s)
{
    uint64_t width = element_bytes(s), bytes = width ? frame_bytes(s, width) : ROOF_UNKNOWN;
    if (bytes == ROOF_UNKNOWN || s->frames == ROOF_UNKNOWN || !s->frames)
        return ROOF_UNKNOWN;
    const checked product = CHECKED_PRODUCT(bytes, s->frames);
    uint64_t all = product.overflow || product.value > INT64_MAX ? ROOF_UNKNOWN : product.value;
    bool speaks_of_all = s->raw && s->shape_bytes != ROOF_UNKNOWN && s->shape_bytes > bytes &&
                         all != ROOF_UNKNOWN && all >= s->shape_bytes &&
                         (all - s->shape_bytes) / s->frames < width;
    return speaks_of_all ? s->shape_bytes : all;
}

/* The stream that a partial sum comes back by, or NULL. */
static const netc_stream *partial_sum(const netc_reader *r, const netc_body *body)
{
    for (uint32_t i = 0; i < body->n_streams; i++) {
        const netc_stream *s = &r->streams[body->first_stream + i];
        if (!s->output && (s->accumulator || s->sync_dma))
            return s;
    }
    return NULL;
}

/* Port 1 of a convolution is its kernels, which are read once whatever goes round. */
static bool goes_round(const netc_stream *s, const netc_stream *sum)
{
    return sum && (s->output ? s->accumulator ||
                                   (s->pool_index == sum->pool_index &&
                                    s->offset_start == sum->offset_start && s->offset_end == sum->offset_end)
                             : s->port != 1);
}

/* Least cycles of an epoch by what its streams move; ROOF_UNKNOWN where a struct does not prove it. */
static uint64_t least_cycles(const netc_reader *r, const netc_body *body)
{
    const netc_stream *sum = partial_sum(r, body);
    uint64_t most = 0;
    for (uint32_t i = 0; i < body->n_streams; i++) {
        const netc_stream *s = &r->streams[body->first_stream + i];
        const uint64_t bytes = stream_bytes(s), elements = ceil_div(bytes, element_bytes(s));
        if (bytes == ROOF_UNKNOWN)
            return ROOF_UNKNOWN;
        if (!goes_round(s, sum) && elements > most)
            most = elements;
    }
    return most;
}

/* The compiler books floor(elements x freq_ratio / byte_width) for every stream, elements rounded down. This
 * holds for pieces that are read from end to end; for others it books more in some versions, by an unknown
 * rule. And the streams have to be those that it counted: their bytes are its bytes. */
static uint64_t pool_cycles(const netc_reader *r, const netc_body *body, const netc_move *move, uint32_t at)
{
    const roof_pool *pool = at < r->n_pools ? &r->b->plan->pools[at] : NULL;
    uint64_t bytes = 0, cycles = 0;
    if (!move->bytes)
        return 0;
    if (!pool || !pool->byte_width || pool->byte_width == ROOF_NONE || !isfinite(pool->freq_ratio))
        return ROOF_UNKNOWN;
    for (uint32_t i = 0; i < body->n_streams; i++) {
        const netc_stream *s = &r->streams[body->first_stream + i];
        if (s->output != move->output || s->pool_index != r->pools[at])
            continue;
        uint64_t own = stream_bytes(s), width = element_bytes(s);
        if (!s->raw || !width || own > move->bytes - bytes)
            return ROOF_UNKNOWN;
        uint64_t elements = own / width;
        double booked = floor((double)elements * pool->freq_ratio / (double)pool->byte_width);
        if (!(booked < 0x1p52) || cycles > (uint64_t)1 << 62)
            return ROOF_UNKNOWN;
        bytes += own;
        cycles += (uint64_t)booked;
    }
    return bytes == move->bytes ? cycles : ROOF_UNKNOWN;
}

/* ---- an epoch ---- */

/* Cycles are known for all moves of an epoch in a pool in one direction, which the file lists in a line. */
static roof_status add_move(const builder *m, const netc_body *body, const netc_move *move)
{
    /* The pool of that name; ROOF_NONE for buffers of the application and for what a file with pools does not
     * describe. In a file without pools only their names are known. */
    roof_pool_access access = {.pool = namemap_find(m->r->pools_by_name, move->pool.text, move->pool.length)};
    if (!(access.pool != ROOF_NONE || m->r->n_pools || span_begins(move->pool, "_user_io_"))) {
        TRY(netc_add_pool(m->r, move->pool));
        access.pool = m->b->plan->n_pools - 1;
    }
    if (access.pool == ROOF_NONE) {
        roof_epoch *e = m->b->epoch;
        if (__builtin_add_overflow(e->outside_bytes, move->bytes, &e->outside_bytes) ||
            e->outside_bytes > INT64_MAX)
            return error_line(m->r->err, ROOF_E_LIMIT, m->r->line, "bytes outside of pools overflow 64 bits");
        return ROOF_OK;
    }
    *(move->output ? &access.write_bytes : &access.read_bytes) = move->bytes;
    *(move->output ? &access.write_cycles : &access.read_cycles) = pool_cycles(m->r, body, move, access.pool);
    return in_line(m->r, plan_add_access(m->b, &access));
}

static roof_status add_body(const builder *m, const netc_body *body)
{
    uint32_t units = 0, rate = 0, n_processors = 0, n_passing = 0; /* units: the convolution accelerators */
    bool proven = true;
    m->r->line = body->line; /* of errors */
    for (uint32_t i = 0; i < body->n_ops; i++) {
        const netc_op *op = &m->r->ops[body->first_op + i];
        const text_span texts[] = {op->kind, op->unit};
        for (size_t t = 0; t < N_OF(texts); t++)
            if (utf8_first_bad(texts[t].text, texts[t].length) != texts[t].length)
                return netc_fail(m->r, texts[t], "a word in UTF-8 without control characters");
        const roof_plan_op out = {copy(m, op->name), copy(m, op->kind), copy(m, op->unit)};
        TRY(in_line(m->r, plan_add_op(m->b, &out)));
        n_processors += span_begins(op->unit, "PROCESSOR");
        n_passing += span_begins(op->unit, "NULL_UNIT");
        if (!span_begins(op->unit, "CONV_ACC"))
            continue;
        units++;
        proven = proven && op->simd < N_OF(mac_rates);
        if (proven && mac_rates[op->simd] > rate)
            rate = mac_rates[op->simd]; /* of the fastest */
    }
    for (uint32_t i = 0; i < body->n_moves; i++)
        TRY(add_move(m, body, &m->r->moves[body->first_move + i]));
    if (body->role == NETC_END)
        return ROOF_OK;
    roof_epoch *e = m->b->epoch;
    e->conv_units = units;
    e->macs_per_unit = units && proven ? rate : ROOF_NONE;
    if (n_processors)
        return ROOF_OK;
    /* a unit that only passes data on does not compute, and for that the compiler counts no cycles */
    e->compute_cycles = n_passing < body->n_ops ? least_cycles(m->r, body) : 0;
    e->compute_from_streams = e->compute_cycles != ROOF_UNKNOWN;
    return ROOF_OK;
}

static roof_epoch_kind kind_of(const netc_block *row)
{
    const bool is_hybrid = row->flags & NETC_HYBRID || (row->flags & NETC_HW && row->flags & NETC_SW);
    return is_hybrid                            ? ROOF_EPOCH_HYBRID
           : row->flags & NETC_SW               ? ROOF_EPOCH_SW
           : row->flags & (NETC_HW | NETC_BLOB) ? ROOF_EPOCH_HW
                                                : ROOF_EPOCH_UNKNOWN;
}

/* Adds the numbers of a row to its only epoch. Estimates are 0 in files of compilers that do not fill them
 * in. Where there is one of the whole, no cycles of the NPU are a number as well: of an epoch that only moves
 * data. */
static void add_estimates(const builder *m, const netc_block *row)
{
    roof_epoch *e = m->b->epoch;
    e->in_streams = row->in_streams;
    e->out_streams = row->out_streams;
    if (row->total_cycles)
        e->stored_vendor_cycles = row->total_cycles;
    if (!row->total_cycles && !row->npu_cycles)
        return;
    e->compute_cycles = row->npu_cycles;
    e->compute_from_streams = false;
}

/* The last epoch into the blob that its trace names, else into that of its row. */
static roof_status join_blob(builder *m, const netc_body *body, const netc_block *row)
{
    roof_epoch *e = m->b->epoch;
    uint32_t *blob = body && body->blob != ROOF_NONE ? &m->r->blobs[body->blob].plan_index : &m->blob;
    if (blob == &m->blob && (!row || !(row->flags & NETC_BLOB)))
        return ROOF_OK;
    if (*blob == ROOF_NONE) {
        text_span name = blob == &m->blob ? row->blob : m->r->blobs[body->blob].name;
        TRY(plan_add_blob(m->b, name.length ? copy(m, name)
                                            : arena_printf(m->b->arena, "blob_%" PRIu32, e->number)));
        *blob = m->b->plan->n_blobs - 1;
    }
    e->blob = *blob;
    m->b->plan->blobs[*blob].n_epochs++;
    return ROOF_OK;
}

/* ---- all epochs ---- */

/* All bodies of the next epoch; row: that it is in, or NULL. */
static roof_status add_next_bodies(builder *m, const netc_block *row)
{
    const netc_body *first = &m->r->bodies[m->body];
    const netc_body *traced = NULL;
    TRY(plan_add_epoch(m->b, first->number, NULL));
    for (; m->body < m->r->n_bodies && m->r->bodies[m->body].number == first->number; m->body++) {
        const netc_body *body = &m->r->bodies[m->body];
        TRY(add_body(m, body));
        if (body->role == NETC_TRACE)
            traced = body;
    }
    roof_epoch *e = m->b->epoch;
    if (row)
        e->kind = kind_of(row);
    else if (traced)
        e->kind = ROOF_EPOCH_HW; /* the epoch controller starts nothing else */
    e->moves_unknown =
        e->kind == ROOF_EPOCH_SW && !e->n_accesses; /* of the host's functions nothing is written */
    return join_blob(m, traced, row);
}

/* The epochs of a row: one, or all of a blob. */
static roof_status add_row(builder *m, const netc_block *row)
{
    uint32_t added = 0;
    m->blob = ROOF_NONE;
    for (; m->body < m->r->n_bodies && m->r->bodies[m->body].number <= row->last_number; added++)
        TRY(add_next_bodies(m, row));
    if (added == 1)
        add_estimates(m, row);
    if (added)
        return ROOF_OK;
    /* A blob whose epochs are in no trace is one epoch, by the number of its first: the estimates are of all
     * of them. Between first and last there may be numbers of epochs that do not run, so that they cannot be
     * counted. */
    TRY(plan_add_epoch(m->b, (uint32_t)row->number, NULL));
    m->b->epoch->kind = kind_of(row);
    m->b->epoch->moves_unknown = true;
    add_estimates(m, row);
    TRY(join_blob(m, NULL, row));
    if (m->b->epoch->blob != ROOF_NONE && row->last_number != row->number)
        m->b->plan->blobs[m->b->epoch->blob].n_epochs = ROOF_NONE;
    return ROOF_OK;
}

roof_status netc_build(netc_reader *r)
{
    builder m = {.r = r, .b = r->b, .blob = ROOF_NONE};
    order_sort(r->bodies, r->n_bodies, sizeof *r->bodies,
               ORDER_BY(RISING(netc_body, number), RISING(netc_body, role)));
    for (uint32_t i = 1; i < r->n_bodies; i++) {
        const netc_body *a = &r->bodies[i - 1], *b = &r->bodies[i];
        uint64_t first = a->line < b->line ? a->line : b->line;
        if (a->number == b->number && a->role == b->role)
            return error_line(r->err, ROOF_E_DATA, a->line ^ b->line ^ first,
                              "epoch %" PRIu32 " begins here and in line %" PRIu64, a->number, first);
    }
    uint32_t kept = 0;
    order_sort(r->blocks, r->n_blocks, sizeof *r->blocks,
               ORDER_BY(RISING(netc_block, number), RISING(netc_block, line)));
    FOR_EACH(netc_block, row, r->blocks, r->n_blocks) {
        netc_block *last = kept ? &r->blocks[kept - 1] : NULL;
        if (row->flags & NETC_LAST) /* it ends the table, and is no epoch */
            continue;
        if (row->number == ROOF_UNKNOWN)
            return error_line(r->err, ROOF_E_DATA, row->line, "this row has no .epoch_num");
        if (row->last_number == ROOF_UNKNOWN)
            row->last_number = row->number;
        if (row->last_number < row->number || row->last_number >= ROOF_NONE)
            return error_line(r->err, ROOF_E_DATA, row->line, "epochs %" PRIu64 " to %" PRIu64 " in a row",
                              row->number, row->last_number);
        if (last && merge_row(last, row))
            continue;
        if (last && row->number <= last->last_number)
            return error_line(r->err, ROOF_E_DATA, row->line,
                              "epoch %" PRIu64 " is in this row and in that of line %" PRIu64, row->number,
                              last->line);
        r->blocks[kept++] = *row;
    }
    r->n_blocks = kept;
    for (uint32_t i = 0; i < r->n_blocks; i++) {
        while (m.body < r->n_bodies && r->bodies[m.body].number < r->blocks[i].number)
            TRY(add_next_bodies(&m, NULL));
        TRY(add_row(&m, &r->blocks[i]));
    }
    while (m.body < r->n_bodies)
        TRY(add_next_bodies(&m, NULL));
    return plan_build_end(r->b);
}
