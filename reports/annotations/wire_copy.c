#include "reports/annotations/wire_copy.h"
#include "core/platform/platform.h"

enum { MOST_VARINT = 10 };

bool wire_each(wire_copy *w, pb_cursor *message, pb_field *field)
{
    return w->status == ROOF_OK && pb_each(message, field, &w->status, w->err);
}

bool wire_is(const pb_field *field, uint32_t number)
{
    return field->number == number && field->wire == PB_BYTES;
}

static void hand_on(wire_copy *w)
{
    const size_t n = w->pieces->n;
    w->pieces->n = 0;
    if (n)
        THEN(w->status, w->sink.write(w->sink.context, w->pieces->bytes, n, w->err));
}

static void emit(wire_copy *w, const void *bytes, size_t length)
{
    if (!w->pieces || !length || w->status != ROOF_OK)
        return;
    if (length > sizeof w->pieces->bytes - w->pieces->n)
        hand_on(w);
    if (length > sizeof w->pieces->bytes) {
        THEN(w->status, w->sink.write(w->sink.context, bytes, length, w->err));
        return;
    }
    memcpy(w->pieces->bytes + w->pieces->n, bytes, length);
    w->pieces->n += length;
}

static void end_run(wire_copy *w)
{
    const unsigned char *run = w->run;
    const size_t length = (size_t)(w->run_end - run);
    w->run = w->run_end = NULL;
    os_want(run, length);
    if (run)
        emit(w, run, length);
}

void wire_carry(wire_copy *w, const unsigned char *from, const unsigned char *to)
{
    w->n_bytes += (uint64_t)(to - from);
    if (!w->run || w->run_end != from) {
        end_run(w);
        w->run = from;
    }
    w->run_end = to;
}

void wire_carry_field(wire_copy *w, const pb_cursor *scope, const pb_field *field)
{
    wire_carry(w, scope->file + field->offset, scope->next);
}

static void wire_put(wire_copy *w, const void *bytes, size_t length)
{
    w->n_bytes += length;
    end_run(w);
    emit(w, bytes, length);
}

void wire_put_zeroes(wire_copy *w, uint64_t length)
{
    static const char zeroes[1 << 12];
    if (!w->pieces) {
        w->n_bytes += length;
        return;
    }
    for (uint64_t left = length, n; left && w->status == ROOF_OK; left -= n) {
        n = left < sizeof zeroes ? left : sizeof zeroes;
        wire_put(w, zeroes, (size_t)n);
    }
}

static size_t varint_of(unsigned char bytes[MOST_VARINT], uint64_t value)
{
    size_t n = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[n++] = (unsigned char)(value | 0x80);
    bytes[n++] = (unsigned char)value;
    return n;
}

void wire_put_head(wire_copy *w, uint32_t field, pb_wire wire, uint64_t number)
{
    unsigned char head[2 * MOST_VARINT];
    const size_t n = varint_of(head, (uint64_t)field << 3 | wire);
    wire_put(w, head, n + varint_of(head + n, number));
}

void wire_put_text(wire_copy *w, uint32_t field, text_span text)
{
    wire_put_head(w, field, PB_BYTES, text.length);
    wire_put(w, text.text, text.length);
}

void wire_leave(wire_copy *w, const wire_inner *in)
{
    const roof_status status = w->status;
    *w = in->outer;
    w->status = status;
}

bool wire_within(wire_copy *w, uint32_t field, wire_inner *in)
{
    const uint64_t length = w->n_bytes;
    if (in->rounds++ == 0) {
        in->outer = *w;
        *w = (wire_copy){.status = w->status, .err = w->err};
        return true;
    }
    if (in->rounds > 2)
        return false;
    wire_leave(w, in);
    wire_put_head(w, field, PB_BYTES, length);
    w->n_bytes += !w->pieces ? length : 0;
    return w->pieces && w->status == ROOF_OK;
}

roof_status wire_fits(const wire_copy *w)
{
    if (w->status != ROOF_OK || w->n_bytes <= INT32_MAX)
        return w->status;
    return error_set(w->err, ROOF_E_LIMIT,
                     "the copy would have %" PRIu64 " bytes, and no reader of protobuf takes more than 2 GiB",
                     w->n_bytes);
}

roof_status wire_finish(wire_copy *w)
{
    end_run(w);
    hand_on(w);
    return w->status;
}
