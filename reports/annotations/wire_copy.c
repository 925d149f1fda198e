#include "reports/annotations/wire_copy.h"
#include "core/error.h"
#include "core/platform/platform.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_VARINT = 10 };

wire_copy wire_measuring(roof_error *err)
{
    return (wire_copy){.err = err};
}

wire_copy wire_writing(wire_pieces *pieces, roof_sink sink, roof_error *err)
{
    return (wire_copy){.pieces = pieces, .sink = sink, .err = err};
}

bool wire_measures(const wire_copy *w)
{
    return !w->pieces;
}

const unsigned char *wire_start(const pb_cursor *scope, const pb_field *field)
{
    return scope->file + field->offset;
}

static roof_status hand_on(wire_copy *w)
{
    const size_t n = w->pieces->n;
    w->pieces->n = 0;
    return n ? w->sink.write(w->sink.context, w->pieces->bytes, n, w->err) : ROOF_OK;
}

static roof_status emit(wire_copy *w, const void *bytes, size_t length)
{
    if (!w->pieces || !length)
        return ROOF_OK;
    if (length > sizeof w->pieces->bytes - w->pieces->n)
        TRY(hand_on(w));
    if (length > sizeof w->pieces->bytes)
        return w->sink.write(w->sink.context, bytes, length, w->err);
    memcpy(w->pieces->bytes + w->pieces->n, bytes, length);
    w->pieces->n += length;
    return ROOF_OK;
}

static roof_status end_run(wire_copy *w)
{
    const unsigned char *run = w->run;
    const size_t length = (size_t)(w->run_end - run);
    w->run = w->run_end = NULL;
    os_want(run, length);
    return run ? emit(w, run, length) : ROOF_OK;
}

roof_status wire_carry(wire_copy *w, const unsigned char *from, const unsigned char *to)
{
    w->n_bytes += (uint64_t)(to - from);
    if (w->run != NULL && w->run_end == from) {
        w->run_end = to;
        return ROOF_OK;
    }
    TRY(end_run(w));
    w->run = from;
    w->run_end = to;
    return ROOF_OK;
}

static roof_status wire_put(wire_copy *w, const void *bytes, size_t length)
{
    w->n_bytes += length;
    TRY(end_run(w));
    return emit(w, bytes, length);
}

roof_status wire_put_zeroes(wire_copy *w, uint64_t length)
{
    static const char zeroes[1 << 12];
    if (wire_measures(w)) {
        w->n_bytes += length;
        return ROOF_OK;
    }
    for (uint64_t left = length; left;) {
        const size_t n = left < sizeof zeroes ? (size_t)left : sizeof zeroes;
        TRY(wire_put(w, zeroes, n));
        left -= n;
    }
    return ROOF_OK;
}

static size_t varint_of(unsigned char bytes[MOST_VARINT], uint64_t value)
{
    size_t n = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[n++] = (unsigned char)(value | 0x80);
    bytes[n++] = (unsigned char)value;
    return n;
}

/* A tag, and the number behind it. Returns how many bytes they are. */
static size_t head_of(unsigned char head[2 * MOST_VARINT], uint32_t field, pb_wire wire, uint64_t number)
{
    const size_t n = varint_of(head, (uint64_t)field << 3 | wire);
    return n + varint_of(head + n, number);
}

roof_status wire_put_head(wire_copy *w, uint32_t field, uint64_t length)
{
    unsigned char head[2 * MOST_VARINT];
    return wire_put(w, head, head_of(head, field, PB_BYTES, length));
}

roof_status wire_put_number(wire_copy *w, uint32_t field, uint64_t value)
{
    unsigned char head[2 * MOST_VARINT];
    return wire_put(w, head, head_of(head, field, PB_VARINT, value));
}

roof_status wire_put_text(wire_copy *w, uint32_t field, const char *text, size_t length)
{
    TRY(wire_put_head(w, field, length));
    return wire_put(w, text, length);
}

uint64_t wire_text_size(uint32_t field, uint64_t length)
{
    unsigned char head[2 * MOST_VARINT];
    return head_of(head, field, PB_BYTES, length) + length;
}

roof_status wire_fits(const wire_copy *w)
{
    if (w->n_bytes <= INT32_MAX)
        return ROOF_OK;
    return error_set(w->err, ROOF_E_LIMIT,
                     "the copy would have %" PRIu64 " bytes, and no reader of protobuf takes more than 2 GiB",
                     w->n_bytes);
}

roof_status wire_finish(wire_copy *w)
{
    TRY(end_run(w));
    return hand_on(w);
}
