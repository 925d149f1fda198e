/* Time of the stream engines, from their structs.
 *
 * A port of the stream switch passes one element of 1 to 3 bytes a cycle, so that an epoch takes no less
 * cycles than the longest of its streams has elements. Where a compiler states its own number, that is what
 * it counts too, with two exceptions: an epoch that only moves data computes nothing for it, and what goes
 * round with a partial sum (the sum, and the features that are read again for it) it does not count. Neither
 * is counted here, so that the number stays below.
 */
#include "core/checked.h"
#include "model/formats/network_c/netc.h"

#include <math.h>

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

/* Elements that go through the port. */
static uint64_t stream_elements(const netc_stream *s)
{
    uint64_t width = element_bytes(s), bytes = stream_bytes(s);
    if (!width || bytes == ROOF_UNKNOWN)
        return ROOF_UNKNOWN;
    return bytes / width + (bytes % width != 0);
}

static bool same_piece(const netc_stream *a, const netc_stream *b)
{
    return a->pool_index == b->pool_index && a->offset_start == b->offset_start &&
           a->offset_end == b->offset_end;
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
    if (!sum)
        return false;
    return s->output ? s->accumulator || same_piece(s, sum) : s->port != 1;
}

uint64_t netc_compute_cycles(const netc_reader *r, const netc_body *body)
{
    const netc_stream *sum = partial_sum(r, body);
    uint64_t most = 0;
    for (uint32_t i = 0; i < body->n_streams; i++) {
        const netc_stream *s = &r->streams[body->first_stream + i];
        uint64_t elements = stream_elements(s);
        if (elements == ROOF_UNKNOWN)
            return ROOF_UNKNOWN;
        if (!goes_round(s, sum) && elements > most)
            most = elements;
    }
    return most;
}

/* The compiler books floor(elements x freq_ratio / byte_width) for every stream, elements rounded down. This
 * holds for pieces that are read from end to end; for others it books more in some versions, by an unknown
 * rule. And the streams have to be those that it counted: their bytes are its bytes. */
uint64_t netc_pool_cycles(const netc_reader *r, const netc_body *body, const netc_move *move, uint32_t at)
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
