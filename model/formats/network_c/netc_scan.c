/* From lines to records. The state is where the line stands: outside of everything, in an epoch, in the table
 * of epoch blocks; and which struct is open there. */
#include "model/formats/network_c/netc.h"

typedef enum place { OUTSIDE, IN_EPOCH, IN_TABLE } place;
typedef enum open_struct { NO_STRUCT, CONV, STREAM } open_struct;
typedef enum listing { NO_LISTING, INPUTS, OUTPUTS } listing;

typedef struct scanner {
    netc_reader *r;
    place place;
    open_struct open;
    listing listing;
    bool indented; /* the line that is being read */
    uint32_t blob; /* of the epochs, or ROOF_NONE */
    text_span unit;
} scanner;

/* Room for one more record, which is counted when it is put there. */
#define MORE(r, array) ARENA_MORE((r)->scratch, (r)->array, (r)->n_##array, (r)->err)

/* ---- structs with designated initialisers, a field a line: `.fwidth = 32,`. ll_aton.h says what they
 * mean. ---- */

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
    if (span_skip_end(value, ","))
        *value = span_trim(*value);
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

static roof_status read_stream_line(const netc_reader *r, text_span line, netc_stream *out)
{
    text_span comment = line;
    if (!span_skip(&comment, "/* "))
        return set_field(r, stream_fields, line, out);
    out->accumulator = out->accumulator || span_begins(comment, "partial accumulator");
    read_shape(comment, out);
    return ROOF_OK;
}

static roof_status read_block_line(const netc_reader *r, text_span line, netc_block *out)
{
    text_span name, value;
    if (!split(line, &name, &value))
        return ROOF_OK;
    if (span_is(name, "flags")) {
        while (span_skip_past(&value, "EpochBlock_Flags_"))
            for (size_t i = 0; i < N_OF(flags); i++) {
                text_span rest = value;
                if (span_skip(&rest, flags[i].name) && !span_begins(rest, "_")) /* blob_encrypted */
                    out->flags |= flags[i].flag;
            }
    }
    if (span_is(name, "in_streng_mask") || span_is(name, "out_streng_mask")) {
        uint64_t mask;
        if (!span_begins(value, "0x") || !span_take_whole(&value, &mask) || value.length || mask > UINT32_MAX)
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

/* ---- the head of the file ---- */

static roof_status read_version(scanner *s, text_span line)
{
    for (int i = 0; i < 4; i++)
        if (!span_skip_past(&line, "!= ") || !span_take_whole(&line, &s->r->version[i]))
            return ROOF_OK;
    s->r->has_version = true;
    return ROOF_OK;
}

/* ---- pools ---- */

/* The number behind a word of the line. */
static roof_status pool_number(const netc_reader *r, text_span line, const char *word, uint64_t *out)
{
    text_span rest = line;
    return span_skip_past(&rest, word) && span_take_whole(&rest, out) ? ROOF_OK : netc_fail(r, line, word);
}

/* "index=1 file postfix=AXISRAM5 name=npuRAM5 offset=0x342e0000  absolute_mode size=458752 READ_WRITE ..." */
static roof_status read_pool(scanner *s, text_span inside)
{
    netc_reader *r = s->r;
    text_span rest = inside;
    uint64_t index = 0, byte_width = 0;
    roof_pool pool = {.used_bytes = ROOF_UNKNOWN,
                      .read_only = span_has(inside, " READ_ONLY "),
                      .cached = span_has(inside, " cacheable=ON "),
                      .is_virtual = span_has(inside, " vpool ")};
    if (!span_skip_past(&rest, " name="))
        return netc_fail(r, inside, "' name=' of a pool");
    text_span name = span_take_until(&rest, " offset=");
    TRY(pool_number(r, inside, "index=", &index));
    TRY(pool_number(r, inside, " offset=", &pool.address));
    TRY(pool_number(r, inside, " size=", &pool.size_bytes));
    TRY(pool_number(r, inside, " byte width=", &byte_width));
    if (!span_skip_past(&rest, " freq ratio=") || !number_parse(rest.text, rest.length, &pool.freq_ratio) ||
        !isfinite(pool.freq_ratio) || pool.freq_ratio <= 0)
        return netc_fail(r, inside, "' freq ratio=' with a number above 0");
    if (!byte_width || byte_width >= ROOF_NONE)
        return netc_fail(r, inside, "a byte width above 0");
    pool.byte_width = (uint32_t)byte_width;
    TRY(netc_add_pool(r, name));
    pool.name = r->b->pool->name;
    *r->b->pool = pool;
    return ARENA_ADD(r->scratch, r->pools, r->n_pools, r->err, index);
}

/* ---- epochs ---- */

/* "static void LL_ATON_Start_EpochBlock_7(const void *epoch_block)": the definition; then a line "{". */
static roof_status begin_epoch(scanner *s, text_span line)
{
    static const char *const beginnings[] = {[NETC_START] = "static void LL_ATON_Start_EpochBlock_",
                                             [NETC_END] = "static void LL_ATON_End_EpochBlock_",
                                             [NETC_TRACE] = "ec_trace_start_epoch("};
    netc_reader *r = s->r;
    text_span rest = line;
    uint64_t value;
    uint32_t role = 0;
    while (role < N_OF(beginnings) && !span_skip(&rest, beginnings[role]))
        role++;
    if (role == N_OF(beginnings) || (role != NETC_TRACE && line.text[line.length - 1] == ';'))
        return ROOF_OK; /* another function, or a declaration */
    const text_span number = rest;
    if (s->place != OUTSIDE)
        return netc_fail(r, number, "the end of the epoch that is open, before another one begins");
    if (!span_take_whole(&rest, &value) || value >= ROOF_NONE)
        return netc_fail(r, number, "the number of an epoch, below 2^32 - 1");
    TRY(MORE(r, bodies));
    r->bodies[r->n_bodies++] = (netc_body){.number = (uint32_t)value,
                                           .role = (netc_role)role,
                                           .line = r->line,
                                           .blob = s->blob,
                                           .first_op = r->n_ops,
                                           .first_move = r->n_moves,
                                           .first_stream = r->n_streams};
    r->has_functions = r->has_functions || role != NETC_TRACE;
    s->place = IN_EPOCH;
    s->open = NO_STRUCT;
    s->listing = NO_LISTING;
    s->unit = (text_span){"", 0};
    return ROOF_OK;
}

static roof_status begin_blob(scanner *s, text_span line)
{
    if (s->blob != ROOF_NONE)
        return netc_fail(s->r, line, "the end of a blob, before another one begins");
    if (!span_skip_past(&line, "(\""))
        return netc_fail(s->r, line, "the name of a blob in quotes");
    TRY(MORE(s->r, blobs));
    s->blob = s->r->n_blobs++;
    s->r->blobs[s->blob] = (netc_blob){span_take_until(&line, "\""), ROOF_NONE};
    return ROOF_OK;
}

static roof_status end_blob(scanner *s, text_span line)
{
    if (s->blob == ROOF_NONE)
        return netc_fail(s->r, line, "a blob that has begun");
    s->blob = ROOF_NONE;
    return ROOF_OK;
}

/* "Unit= 10 [CONV_ACC_V2 0]"; the same without a number repeats what is known. */
static roof_status read_unit(scanner *s, text_span inside)
{
    if (span_skip_past(&inside, "["))
        s->unit = span_take_until(&inside, "]");
    return ROOF_OK;
}

static roof_status read_op(scanner *s, text_span inside)
{
    TRY(MORE(s->r, ops));
    span_skip_past(&inside, "kind=");
    text_span kind = span_take_until(&inside, " node=");
    s->r->ops[s->r->n_ops++] = (netc_op){kind, span_trim(inside), s->unit, ROOF_UNKNOWN};
    return ROOF_OK;
}

/* "Emit conf for STREAM_ENG_V2 node=Conv2D_6 input ports=1 range=0[0,196608]" */
static roof_status read_stream(scanner *s, text_span inside)
{
    netc_reader *r = s->r;
    text_span rest = inside;
    if (r->n_streams - r->bodies[r->n_bodies - 1].first_stream == NETC_MAX_STREAMS)
        return error_line(r->err, ROOF_E_LIMIT, r->line, "more than %d stream engines in an epoch",
                          NETC_MAX_STREAMS);
    TRY(MORE(r, streams));
    netc_stream *stream = &r->streams[r->n_streams++];
    *stream = (netc_stream){.shape_bytes = ROOF_UNKNOWN};
    for (const field *f = stream_fields; f->name; f++)
        memcpy((char *)stream + f->offset, &(uint64_t){ROOF_UNKNOWN}, sizeof(uint64_t));
    stream->raw = stream->sync_dma = 0; /* C's own value of a field that is left out, and these are */
    stream->output = span_skip_past(&rest, " output ports=");
    if (!stream->output && !span_skip_past(&rest, " input ports="))
        return netc_fail(r, inside, "' input ports=' or ' output ports='");
    if (!span_take_whole(&rest, &stream->port))
        return netc_fail(r, inside, "the number of a port");
    if (!span_skip_past(&rest, " range=") || !span_take_whole(&rest, &stream->pool_index))
        stream->pool_index = ROOF_UNKNOWN; /* it is in no pool */
    return ROOF_OK;
}

static roof_status read_listing(scanner *s, text_span inside)
{
    s->listing = span_begins(inside, "/* Dma input") ? INPUTS : OUTPUTS;
    return ROOF_OK;
}

/* "npuRAM5 -> 49152", "npuRAM5 <- 49152" */
static roof_status read_move(scanner *s, text_span inside)
{
    netc_move move = {.output = s->listing == OUTPUTS};
    text_span rest = inside;
    span_skip(&rest, "/*");
    move.pool = span_trim(span_take_until(&rest, move.output ? " <- " : " -> "));
    rest = span_trim(rest);
    if (!span_take_whole(&rest, &move.bytes) || rest.length || !move.pool.length)
        return netc_fail(s->r, inside, "a pool, an arrow, and bytes up to 2^63");
    return ARENA_ADD(s->r->scratch, s->r->moves, s->r->n_moves, s->r->err, move);
}

static roof_status begin_table(scanner *s, text_span line)
{
    if (!span_skip_past(&line, " ll_atonn_rt_epoch_block_array[]"))
        return ROOF_OK;
    s->place = IN_TABLE;
    s->r->has_table = true;
    return ROOF_OK;
}

/* ---- lines ---- */

typedef struct reading {
    const char *begins;
    roof_status (*read)(scanner *s, text_span line);
    /* Instead of read: the text between two words, if the first one is there. */
    const char *before, *behind;
    size_t kept; /* in netc_reader */
} reading;

/* Each table ends with an empty row. */
static const reading outside[] = {
    {"* GIT_DESCRIPTION ", .before = "\"", .behind = "\"", .kept = offsetof(netc_reader, description)},
    {"#if LL_ATON_VERSION_MAJOR ", .read = read_version},
    {"/* index=", .read = read_pool},
    {"static void LL_ATON_", .read = begin_epoch},
    {"ec_trace_start_blob(", .read = begin_blob},
    {"ec_trace_end_blob(", .read = end_blob},
    {"ec_trace_start_epoch(", .read = begin_epoch},
    /* "const LL_ATON_RT_EpochBlockItem_t *LL_ATON_EpochBlockItems_net(void) {" */
    {"const ", .before = "LL_ATON_EpochBlockItems_", .behind = "(", .kept = offsetof(netc_reader, network)},
    /* ec_trace_init("net_ecblobs.h", "net"); */
    {"ec_trace_init(", .before = "\", \"", .behind = "\"", .kept = offsetof(netc_reader, network)},
    {"static const ", .read = begin_table},
    {0},
};

static const reading in_epoch[] = {
    {"/* Unit= ", .read = read_unit},
    {"/* kind=", .read = read_op},
    {"/* Emit conf for ", .read = read_stream},
    {"/* Dma input bandwidth ", .read = read_listing},
    {"/* Dma output bandwidth ", .read = read_listing},
    {"static void LL_ATON_", .read = begin_epoch}, /* the one before has no end */
    {"ec_trace_start_epoch(", .read = begin_epoch},
    {0},
};

/* The reader of a comment gets the text in it. */
static roof_status by_beginning(scanner *s, const reading *all, text_span line)
{
    while (all->begins && !span_begins(line, all->begins))
        all++;
    if (!all->begins)
        return ROOF_OK;
    if (span_begins(line, "/*")) {
        if (line.length < 4 || !span_skip_end(&line, "*/"))
            return netc_fail(s->r, line, "a comment that ends on its line");
        line = span_trim(line);
    }
    if (all->read)
        return all->read(s, line);
    if (!span_skip_past(&line, all->before))
        return ROOF_OK;
    const text_span kept = span_take_until(&line, all->behind);
    memcpy((char *)s->r + all->kept, &kept, sizeof kept);
    if (utf8_first_bad(kept.text, kept.length) == kept.length)
        return ROOF_OK;
    return netc_fail(s->r, kept,
                     all->kept == offsetof(netc_reader, network)
                         ? "a name in UTF-8 without control characters"
                         : "a description in UTF-8 without control characters");
}

/* A struct belongs to the comment before it: the last operator, the last stream. */
static bool open_a_struct(scanner *s, text_span line)
{
    const netc_body *body = &s->r->bodies[s->r->n_bodies - 1];
    if (span_begins(line, "static const LL_Convacc_InitTypeDef ") && s->r->n_ops > body->first_op)
        s->open = CONV;
    else if (span_begins(line, "static const LL_Streng_TensorInitTypeDef ") &&
             s->r->n_streams > body->first_stream)
        s->open = STREAM;
    else
        return false;
    return true;
}

static roof_status epoch_line(scanner *s, text_span line)
{
    static const reading moves[] = {{"/* ", .read = read_move}, {0}};
    netc_reader *r = s->r;
    netc_body *body = &r->bodies[r->n_bodies - 1];
    /* a function ends with a bracket in the first column, an epoch of a trace with a call */
    if (body->role == NETC_TRACE ? span_begins(line, "ec_trace_end_epoch(")
                                 : !s->indented && span_begins(line, "}")) {
        if (s->open != NO_STRUCT)
            return netc_fail(r, line, "'};', the end of a struct, before the end of the epoch");
        body->n_ops = r->n_ops - body->first_op;
        body->n_moves = r->n_moves - body->first_move;
        body->n_streams = r->n_streams - body->first_stream;
        s->place = OUTSIDE;
        return ROOF_OK;
    }
    if (s->open != NO_STRUCT) {
        if (span_begins(line, "};")) {
            s->open = NO_STRUCT;
            return ROOF_OK;
        }
        return s->open == CONV ? set_field(s->r, conv_fields, line, &s->r->ops[s->r->n_ops - 1])
                               : read_stream_line(s->r, line, &s->r->streams[s->r->n_streams - 1]);
    }
    if (open_a_struct(s, line))
        return ROOF_OK;
    if (s->listing != NO_LISTING && span_begins(line, "/* ") && !span_begins(line, "/* Dma "))
        return by_beginning(s, moves, line);
    s->listing = NO_LISTING;
    return by_beginning(s, in_epoch, line);
}

static roof_status read_line(scanner *s, text_span whole)
{
    text_span line = span_trim(whole);
    s->indented = line.text != whole.text;
    if (s->place == IN_EPOCH)
        return epoch_line(s, line);
    if (s->place != IN_TABLE)
        return by_beginning(s, outside, line);
    netc_reader *r = s->r;
    if (span_begins(line, "};")) {
        s->place = OUTSIDE;
    } else if (span_begins(line, "{")) {
        TRY(MORE(r, blocks));
        r->blocks[r->n_blocks++] =
            (netc_block){.number = ROOF_UNKNOWN, .last_number = ROOF_UNKNOWN, .line = r->line};
    } else if (span_begins(line, ".") && !span_begins(line, "..")) { /* "..." of an excerpt */
        return r->n_blocks ? read_block_line(r, line, &r->blocks[r->n_blocks - 1])
                           : netc_fail(r, line, "'{', the beginning of a row");
    }
    return ROOF_OK;
}

roof_status netc_scan(netc_reader *r, const text_span texts[2])
{
    scanner s = {.r = r, .blob = ROOF_NONE, .unit = {"", 0}};
    for (int i = 0; i < 2; i++) {
        text_span rest = texts[i];
        r->line += i && rest.length && texts[0].text[texts[0].length - 1] == '\n'; /* a line between them */
        while (rest.length) {
            text_span line = span_take_line(&rest);
            r->line++;
            TRY(read_line(&s, line));
        }
    }
    const netc_body *last = r->n_bodies ? &r->bodies[r->n_bodies - 1] : NULL;
    if (s.place == IN_EPOCH && last)
        return error_line(r->err, ROOF_E_DATA, r->line,
                          "the file ends inside epoch %" PRIu32 ", which begins in line %" PRIu64,
                          last->number, last->line);
    if (s.place == IN_TABLE)
        return error_line(r->err, ROOF_E_DATA, r->line, "the file ends inside the table of epoch blocks");
    if (s.blob != ROOF_NONE)
        return error_line(r->err, ROOF_E_DATA, r->line, "the file ends inside a blob");
    if (r->has_functions && !r->has_table)
        return error_line(r->err, ROOF_E_DATA, r->line,
                          "the file ends without the table of epoch blocks: it is truncated");
    return ROOF_OK;
}
