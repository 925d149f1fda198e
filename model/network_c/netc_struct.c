/* Structs with designated initialisers, a field a line: `.fwidth = 32,`. What a field means is in ST's ll_aton.h. */
#include "core/checked.h"
#include "core/error.h"
#include "model/network_c/netc.h"

#include <stddef.h>
#include <string.h>

typedef struct field {
    const char *name;
    size_t offset; /* of a uint64_t */
} field;

static const field conv_fields[] = {{"simd", offsetof(netc_conv, simd)}};

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
};

static const field block_fields[] = {
    {"epoch_num", offsetof(netc_block, number)},
    {"last_epoch_num", offsetof(netc_block, last_number)},
    {"estimated_npu_cycles", offsetof(netc_block, npu_cycles)},
    {"estimated_tot_cycles", offsetof(netc_block, total_cycles)},
};

static const struct {
    const char *name;
    unsigned flag;
} flags[] = {
    {"pure_hw", NETC_HW}, {"pure_sw", NETC_SW},   {"hybrid", NETC_HYBRID},
    {"blob", NETC_BLOB},  {"last_eb", NETC_LAST},
};

/* ".name = value," to its name and its value. */
static bool split(netc_text line, netc_text *name, netc_text *value)
{
    if (!netc_skip(&line, "."))
        return false;
    *name = netc_trim(netc_take_until(&line, "="));
    *value = netc_trim(line);
    if (value->length && value->at[value->length - 1] == ',')
        *value = netc_trim((netc_text){value->at, value->length - 1});
    return true;
}

static bool is(netc_text text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.at, word, text.length) == 0;
}

typedef struct field_table {
    const field *fields;
    size_t n;
} field_table;

static roof_status set_field(const netc_reader *r, const field_table *table, netc_text line, void *out)
{
    netc_text name, value;
    uint64_t number;
    if (!split(line, &name, &value))
        return ROOF_OK;
    for (size_t i = 0; i < table->n; i++) {
        if (!is(name, table->fields[i].name))
            continue;
        if (!netc_take_number(&value, &number) || value.length)
            return netc_fail(r, line, "a field with one number up to 2^63");
        memcpy((char *)out + table->fields[i].offset, &number, sizeof number);
    }
    return ROOF_OK;
}

roof_status netc_read_conv_line(netc_reader *r, netc_text line, netc_conv *out)
{
    static const field_table table = {conv_fields, sizeof conv_fields / sizeof *conv_fields};
    return set_field(r, &table, line, out);
}

/* "32x3x3x16(8 bits)", without blanks before the bracket; other comments say in words what the stream is. */
static void read_shape(netc_text text, netc_stream *out)
{
    checked elements = {1, false};
    uint64_t value, bits;
    do {
        if (!netc_take_number(&text, &value))
            return;
        elements = checked_times(elements, value);
    } while (netc_skip(&text, "x"));
    if (!netc_skip(&text, "(") || !netc_take_number(&text, &bits) || !netc_skip(&text, " bits)"))
        return;
    elements = checked_times(elements, bits);
    if (!elements.overflow && elements.value)
        out->shape_bytes = elements.value / 8 + (elements.value % 8 != 0);
}

roof_status netc_read_stream_line(netc_reader *r, netc_text line, netc_stream *out)
{
    static const field_table table = {stream_fields, sizeof stream_fields / sizeof *stream_fields};
    netc_text comment = line;
    if (!netc_skip(&comment, "/* "))
        return set_field(r, &table, line, out);
    out->accumulator = out->accumulator || netc_begins(comment, "partial accumulator");
    read_shape(comment, out);
    return ROOF_OK;
}

void netc_stream_clear(netc_stream *s)
{
    *s = (netc_stream){.shape_bytes = ROOF_UNKNOWN};
    for (size_t i = 0; i < sizeof stream_fields / sizeof *stream_fields; i++) {
        const uint64_t unknown = ROOF_UNKNOWN;
        memcpy((char *)s + stream_fields[i].offset, &unknown, sizeof unknown);
    }
    s->raw = s->sync_dma = 0; /* C's own value of a field that is left out, and these are */
}

static void read_flags(netc_text value, netc_block *out)
{
    while (netc_skip_past(&value, "EpochBlock_Flags_"))
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
            netc_text rest = value;
            if (!netc_skip(&rest, flags[i].name) || (rest.length && rest.at[0] == '_')) /* blob_encrypted */
                continue;
            out->flags |= flags[i].flag;
        }
}

/* "(uintptr_t)(_ec_blob_net_8_address)" to "_ec_blob_net_8". */
static void read_blob(netc_text value, netc_block *out)
{
    netc_text name = value;
    size_t length = 0;
    if (!netc_skip_past(&value, "_ec_blob_"))
        return;
    name.at = value.at - strlen("_ec_blob_");
    name.length = value.length + strlen("_ec_blob_");
    while (length < name.length && name.at[length] != ')' && name.at[length] != ' ')
        length++;
    name.length = length;
    out->blob = netc_take_until(&name, "_address");
}

roof_status netc_read_block_line(netc_reader *r, netc_text line, netc_block *out)
{
    static const field_table table = {block_fields, sizeof block_fields / sizeof *block_fields};
    netc_text name, value;
    if (!split(line, &name, &value))
        return ROOF_OK;
    if (is(name, "flags"))
        read_flags(value, out);
    if (is(name, "blob_address"))
        read_blob(value, out);
    return set_field(r, &table, line, out);
}
