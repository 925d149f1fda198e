/* Structs with designated initialisers, a field a line: `.fwidth = 32,`. ll_aton.h says what they mean. */
#include "core/checked.h"
#include "core/error.h"
#include "core/quantity.h"
#include "model/formats/network_c/netc.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

roof_status netc_fail(const netc_reader *r, text_span found, const char *wanted)
{
    char shown[160];
    quote_text(shown, sizeof shown, found.text ? found.text : "", found.length);
    return error_line(r->err, ROOF_E_DATA, r->line, "'%s', want %s", shown, wanted);
}

typedef struct field {
    const char *name;
    size_t offset; /* of a uint64_t */
} field;

/* Each table ends with an empty row. */
static const field conv_fields[] = {{"simd", offsetof(netc_op, simd)}, {0}};

static const field stream_fields[] = {
    {"raw", offsetof(netc_stream, raw)},
    {"sync_dma", offsetof(netc_stream, sync_dma)},
    {"offset_start", offsetof(netc_stream, offset_start)},
    {"offset_end", offsetof(netc_stream, offset_end)},
    {"fwidth", offsetof(netc_stream, fwidth)},
    {"fheight", offsetof(netc_stream, fheight)},
    {"batch_depth", offsetof(netc_stream, batch_depth)},
    {"frame_tot_cnt", offsetof(netc_stream, frames)},
    {"nbits_in", offsetof(netc_stream, nbits_in)},
    {"nbits_out", offsetof(netc_stream, nbits_out)},
    {0},
};

static const field block_fields[] = {
    {"epoch_num", offsetof(netc_block, number)},
    {"last_epoch_num", offsetof(netc_block, last_number)},
    {"estimated_npu_cycles", offsetof(netc_block, npu_cycles)},
    {"estimated_tot_cycles", offsetof(netc_block, total_cycles)},
    {0},
};

static const struct {
    const char *name;
    unsigned flag;
} flags[] = {
    {"pure_hw", NETC_HW}, {"pure_sw", NETC_SW},   {"hybrid", NETC_HYBRID},
    {"blob", NETC_BLOB},  {"last_eb", NETC_LAST},
};

/* ".name = value," to its name and its value. */
static bool split(text_span line, text_span *name, text_span *value)
{
    if (!span_skip(&line, "."))
        return false;
    *name = span_trim(span_take_until(&line, "="));
    *value = span_trim(line);
    if (value->length && value->text[value->length - 1] == ',')
        *value = span_trim((text_span){value->text, value->length - 1});
    return true;
}

static roof_status set_field(const netc_reader *r, const field *fields, text_span line, void *out)
{
    text_span name, value;
    uint64_t number;
    if (!split(line, &name, &value))
        return ROOF_OK;
    for (const field *f = fields; f->name; f++) {
        if (!span_is(name, f->name))
            continue;
        if (!span_take_whole(&value, &number) || value.length)
            return netc_fail(r, line, "a field with one number up to 2^63");
        memcpy((char *)out + f->offset, &number, sizeof number);
    }
    return ROOF_OK;
}

roof_status netc_read_conv_line(netc_reader *r, text_span line, netc_op *out)
{
    return set_field(r, conv_fields, line, out);
}

/* "32x3x3x16(8 bits)", without blanks before the bracket; other comments say in words what the stream is. */
static void read_shape(text_span text, netc_stream *out)
{
    checked elements = {1, false};
    uint64_t value, bits;
    do {
        if (!span_take_whole(&text, &value))
            return;
        elements = checked_times(elements, value);
    } while (span_skip(&text, "x"));
    if (!span_skip(&text, "(") || !span_take_whole(&text, &bits) || !span_skip(&text, " bits)"))
        return;
    elements = checked_times(elements, bits);
    if (!elements.overflow && elements.value)
        out->shape_bytes = elements.value / 8 + (elements.value % 8 != 0);
}

roof_status netc_read_stream_line(netc_reader *r, text_span line, netc_stream *out)
{
    text_span comment = line;
    if (!span_skip(&comment, "/* "))
        return set_field(r, stream_fields, line, out);
    out->accumulator = out->accumulator || span_begins(comment, "partial accumulator");
    read_shape(comment, out);
    return ROOF_OK;
}

void netc_stream_clear(netc_stream *s)
{
    *s = (netc_stream){.shape_bytes = ROOF_UNKNOWN};
    for (const field *f = stream_fields; f->name; f++)
        memcpy((char *)s + f->offset, &(uint64_t){ROOF_UNKNOWN}, sizeof(uint64_t));
    s->raw = s->sync_dma = 0; /* C's own value of a field that is left out, and these are */
}

roof_status netc_read_block_line(netc_reader *r, text_span line, netc_block *out)
{
    text_span name, value;
    if (!split(line, &name, &value))
        return ROOF_OK;
    if (span_is(name, "flags")) {
        while (span_skip_past(&value, "EpochBlock_Flags_"))
            for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
                text_span rest = value;
                if (span_skip(&rest, flags[i].name) && !span_begins(rest, "_")) /* blob_encrypted */
                    out->flags |= flags[i].flag;
            }
    }
    if (span_is(name, "in_streng_mask") || span_is(name, "out_streng_mask")) {
        char text[24];
        uint64_t mask;
        snprintf(text, sizeof text, "%.*s",
                 (int)(value.length < sizeof text ? value.length : sizeof text - 1), value.text);
        if (!hex_parse(text, &mask) || mask > UINT32_MAX)
            return netc_fail(r, line, "a mask of stream engines such as 0x00000280");
        *(span_begins(name, "in") ? &out->in_streams : &out->out_streams) = (uint32_t)mask;
        return ROOF_OK;
    }
    if (span_is(name, "blob_address")) {
        /* "(uintptr_t)(_ec_blob_net_8_address)" to "_ec_blob_net_8". */
        static const char begins[] = "_ec_blob_";
        if (span_skip_past(&value, begins)) {
            text_span blob = {value.text - strlen(begins), value.length + strlen(begins)};
            blob = span_take_until(&blob, ")");
            blob = span_take_until(&blob, " ");
            out->blob = span_take_until(&blob, "_address");
        }
    }
    return set_field(r, block_fields, line, out);
}
