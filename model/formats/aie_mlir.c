/* aie.mlir of IRON (mlir-aie): the runtime sequence of a design, as MLIR prints it, a statement a line.
 *
 *   aiex.npu.dma_memcpy_nd(%arg0[offsets][sizes][strides]) {metadata = @fifo} : memref<..xi16>
 *     moves the product of the sizes, in elements of its memref. The fifo says if it reads: its
 *     producer is a tile of the shim (row 0), or a shim_dma_allocation names the direction.
 *   aiex.dma_configure_task_for @fifo { aie.dma_bd(%arg0 : memref<..>, offset, length) } {repeat_count = N}
 *     moves length elements, N + 1 times.
 *   aiex.npu.write32, writebd, address_patch
 *     are what a lowered sequence writes into registers, as control code does.
 * The channels of a column are given to its fifos in their order. Source: Xilinx/mlir-aie, docs and
 * lib/Dialect/AIE/Transforms/AIEObjectFifoStatefulTransform.cpp.
 */
#include "model/code/aie/aie_shim.h"
#include "model/formats/ai_engine/code_graph.h"
#include "model/work/product.h"

enum { SNIFFED = 512, MOST_ARGUMENTS = 64, CHANNELS = 2 };

/* Kinds of things that a name may stand for. */
typedef enum kind { CONSTANTS, TILES, FIFOS, ARGUMENTS, KINDS } kind;

typedef struct tile {
    uint32_t column, row;
} tile;

/* The channel of a transfer. */
typedef struct fifo {
    uint32_t column, channel;
    bool is_shim, is_read;
} fifo;

/* What the elements of an argument's memref are. */
typedef struct memref {
    const char *type; /* NULL: unknown */
    uint32_t bits;
} memref;

/* A task that is being configured. */
typedef struct task {
    bool is_open;
    uint32_t fifo, argument;
    uint64_t bytes;
} task;

typedef struct mlir {
    roof_graph *graph;
    roof_arena *scratch;
    aie_shim shim;
    roof_control_code *code;
    namemap *names[KINDS]; /* into the lists below */
    uint32_t n[KINDS];
    uint64_t *constants;
    tile *tiles;
    fifo *fifos;
    memref arguments[MOST_ARGUMENTS];
    uint32_t used_channels[AIE_COLUMNS][2]; /* of a column, written and read */
    task task;
    bool in_sequence;
    uint64_t line;
    roof_error *err;
} mlir;

#define fail_line(m, ...) error_line((m)->err, ROOF_E_DATA, (m)->line, __VA_ARGS__)

/* ---- pieces of a statement ----------------------------------------------------------------------------- */

static bool is_name_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '$' || c == '-';
}

/* What begins with so many characters that are not looked at, and goes on as names do. */
static text_span take_word(text_span *rest, size_t first)
{
    text_span word = {rest->text, first};
    while (word.length < rest->length && is_name_char(rest->text[word.length]))
        word.length++;
    *rest = (text_span){rest->text + word.length, rest->length - word.length};
    return word;
}

/* "%arg0", "@in0": the sigil is a part of the name. Empty where there is none. */
static text_span take_name(text_span *rest)
{
    return span_begins(*rest, "%") || span_begins(*rest, "@") ? take_word(rest, 1)
                                                              : (text_span){rest->text, 0};
}

/* The name behind a word of the statement. */
static text_span name_behind(text_span statement, const char *word)
{
    return span_skip_past(&statement, word) ? take_name(&statement) : (text_span){"", 0};
}

/* "column = 3" among attributes. */
static bool find_number(text_span statement, const char *key, uint64_t *out)
{
    while (span_skip_past(&statement, key)) {
        text_span value = statement;
        if (statement.text[-(ptrdiff_t)strlen(key) - 1] != ' ' &&
            statement.text[-(ptrdiff_t)strlen(key) - 1] != '{')
            continue;
        if (span_skip(&value, " = ") && span_take_whole(&value, out))
            return true;
    }
    return false;
}

static uint32_t find(const mlir *m, kind k, text_span name)
{
    return name.length ? namemap_find(m->names[k], name.text, name.length) : ROOF_NONE;
}

/* Names of constants and tiles may come again in another region; what matters is defined once. */
static roof_status remember(mlir *m, kind k, text_span name)
{
    if (!name.length)
        return fail_line(m, "want a name that begins with %% or @");
    bool is_new = namemap_add(m->names[k], name.text, name.length, m->n[k]++);
    return is_new || k < FIFOS ? ROOF_OK : fail_line(m, "'%s' is defined twice", SHOWN(name));
}

/* "16", or a constant by its name. */
static bool take_size(const mlir *m, text_span *rest, uint64_t *out)
{
    text_span name = take_name(rest);
    uint32_t at = find(m, CONSTANTS, name);
    if (name.length && at != ROOF_NONE)
        *out = m->constants[at];
    return name.length ? at != ROOF_NONE : span_take_whole(rest, out);
}

/* "memref<128x64xi16>", with dims of 0 or more. */
static roof_status read_memref(const mlir *m, text_span text, memref *out)
{
    checked elements = {1, false};
    uint64_t dim;
    text_span rest = text;
    *out = (memref){0};
    if (!span_skip_past(&rest, "memref<"))
        return fail_line(m, "want a memref, found '%s'", SHOWN(text));
    for (text_span ahead = rest; span_take_whole(&ahead, &dim) && span_skip(&ahead, "x"); rest = ahead)
        elements = checked_times(elements, dim);
    text_span type = take_word(&rest, 0);
    if (type.length > 1 && (*type.text == 's' || *type.text == 'u')) /* si8, ui8 */
        type = (text_span){type.text + 1, type.length - 1};
    out->type = data_type_name(type.text, type.length);
    out->bits = data_type_bits(out->type);
    if (!out->bits || elements.overflow)
        return fail_line(m, "elements of '%s' are unknown, want one of i8, i16, i32, bf16, f32", SHOWN(type));
    return ROOF_OK;
}

/* ---- the design ---------------------------------------------------------------------------------------- */

/* "npu1_4col", "npu2", "npu1" of 4 columns. */
static roof_status read_device(mlir *m, text_span rest)
{
    uint64_t columns;
    bool is_second = span_skip(&rest, "npu2");
    if (!is_second && !span_skip(&rest, "npu1"))
        return error_line(m->err, ROOF_E_UNSUPPORTED, m->line,
                          "the device is '%s': runtime sequences are those of npu1 and npu2", SHOWN(rest));
    m->code->generation = is_second ? 4 : 3;
    m->code->columns = span_skip(&rest, "_") && span_take_whole(&rest, &columns) && columns < AIE_COLUMNS
                           ? (uint32_t)columns
                       : is_second ? 8
                                   : 4;
    return ROOF_OK;
}

static roof_status add_fifo(mlir *m, text_span name, const fifo *f)
{
    TRY(ARENA_MORE(m->scratch, m->fifos, m->n[FIFOS], m->err));
    m->fifos[m->n[FIFOS]] = *f;
    return remember(m, FIFOS, name);
}

/* aie.shim_dma_allocation @in(%shim, MM2S, 0), or @in(MM2S, 0, 0): direction, channel, column. */
static roof_status read_allocation(mlir *m, text_span rest)
{
    uint64_t channel, column = 0;
    text_span name = take_name(&rest);
    uint32_t at = find(m, TILES, name_behind(rest, "("));
    fifo f = {.is_shim = true, .is_read = span_has(rest, "MM2S")};
    if (!span_skip_past(&rest, f.is_read ? "MM2S, " : "S2MM, ") || !span_take_whole(&rest, &channel) ||
        (at == ROOF_NONE && (!span_skip(&rest, ", ") || !span_take_whole(&rest, &column))) ||
        channel >= CHANNELS || column >= AIE_COLUMNS)
        return fail_line(m, "want a direction, a channel below %d and a tile", CHANNELS);
    f.channel = (uint32_t)channel;
    f.column = at == ROOF_NONE ? (uint32_t)column : m->tiles[at].column;
    uint32_t old = find(m, FIFOS, name);
    if (old == ROOF_NONE)
        return add_fifo(m, name, &f);
    m->fifos[old] = f; /* the fifo of this name was lowered to this one */
    return ROOF_OK;
}

/* ---- transfers ----------------------------------------------------------------------------------------- */

static roof_status move(mlir *m, uint32_t fifo_at, uint32_t argument, checked elements, uint32_t bits)
{
    const fifo *f = &m->fifos[fifo_at];
    elements = checked_times(elements, bits);
    if (!f->is_shim)
        return fail_line(m, "the fifo has no end in the shim, row 0");
    if (elements.overflow)
        return error_line(m->err, ROOF_E_LIMIT, m->line, "its bytes overflow 64 bits");
    const aie_transfer t = {.column = f->column,
                            .channel = f->channel,
                            .buffer = argument,
                            .is_read = f->is_read,
                            .bytes = elements.value / 8};
    m->code->pushes++;
    return aie_shim_move(&m->shim, &t);
}

static roof_status find_fifo(const mlir *m, text_span name, uint32_t *out)
{
    *out = find(m, FIFOS, name);
    return *out != ROOF_NONE ? ROOF_OK : fail_line(m, "no fifo is called '%s'", SHOWN(name));
}

static roof_status copy(mlir *m, text_span rest)
{
    checked elements = {1, false};
    memref type;
    uint32_t at, argument;
    text_span statement = rest, sizes = rest;
    span_skip_past(&rest, "%");
    text_span name = {rest.text - 1, rest.length + 1};
    name = take_name(&name);
    argument = find(m, ARGUMENTS, name);
    if (argument == ROOF_NONE || !span_skip_past(&sizes, "][") || !span_has(sizes, "]"))
        return fail_line(m, "want an argument of the sequence and its [offsets][sizes][strides]");
    for (sizes = span_take_until(&sizes, "]"); sizes.length;) {
        uint64_t size;
        if (!take_size(m, &sizes, &size) || (sizes.length && !span_skip(&sizes, ", ")))
            return fail_line(m, "a size is '%s', want a number or a constant", SHOWN(sizes));
        elements = checked_times(elements, size);
    }
    TRY(find_fifo(m, name_behind(statement, "metadata = "), &at));
    TRY(read_memref(m, statement, &type));
    return move(m, at, argument, elements, type.bits);
}

/* ---- registers of a lowered sequence ------------------------------------------------------------------- */

static uint32_t number_or(text_span statement, const char *key, uint32_t otherwise)
{
    uint64_t value;
    return find_number(statement, key, &value) && value <= UINT32_MAX ? (uint32_t)value : otherwise;
}

static roof_status write_register(mlir *m, text_span s)
{
    uint32_t address = number_or(s, "address", 0), column = number_or(s, "column", address >> 25);
    if (column >= AIE_COLUMNS)
        return fail_line(m, "it writes into column %" PRIu32 ", want less than %d", column, AIE_COLUMNS);
    return aie_shim_write(&m->shim, column, number_or(s, "row", address >> 20 & 31), address & 0xFFFFF,
                          number_or(s, "value", 0));
}

static roof_status write_descriptor(mlir *m, text_span s)
{
    uint32_t column = number_or(s, "column", 0), row = number_or(s, "row", 0);
    uint32_t at = 0x1D000 + 32 * (number_or(s, "bd_id", 0) & 15);
    uint32_t control =
        1u << 25 | (number_or(s, "use_next_bd", 0) & 1) << 26 | (number_or(s, "next_bd", 0) & 15) << 27;
    if (column >= AIE_COLUMNS)
        return fail_line(m, "it writes into column %" PRIu32 ", want less than %d", column, AIE_COLUMNS);
    TRY(aie_shim_write(&m->shim, column, row, at, number_or(s, "buffer_length", 0)));
    TRY(aie_shim_write(&m->shim, column, row, at + 4, 0));
    return aie_shim_write(&m->shim, column, row, at + 28, control);
}

static roof_status patch(mlir *m, text_span s)
{
    uint32_t address = number_or(s, "addr", 0), argument = number_or(s, "arg_idx", ROOF_NONE), word;
    uint32_t descriptor = address >> 20 & 31 ? ROOF_NONE : aie_shim_descriptor_at(address & 0xFFFFF, &word);
    return descriptor == ROOF_NONE ? ROOF_OK : aie_shim_name(&m->shim, address >> 25, descriptor, argument);
}

static roof_status refuse_block(mlir *m, text_span s)
{
    (void)s;
    return error_line(
        m->err, ROOF_E_UNSUPPORTED, m->line,
        "the sequence is lowered to blocks of registers: give the insts.txt or insts.bin made of it");
}

/* ---- lines --------------------------------------------------------------------------------------------- */

static roof_status count_sync(mlir *m, text_span s)
{
    (void)s;
    m->code->syncs++;
    return ROOF_OK;
}

static roof_status open_task(mlir *m, text_span rest)
{
    m->task = (task){.is_open = true};
    return find_fifo(m, take_name(&rest), &m->task.fifo);
}

/* Statements of the sequence; the rest begins behind the word. */
static const struct {
    const char *word;
    roof_status (*run)(mlir *m, text_span rest);
} statements[] = {
    {"aiex.npu.dma_memcpy_nd(", copy},
    {"aiex.npu.dma_wait", count_sync},
    {"aiex.npu.sync", count_sync},
    {"aiex.dma_await_task", count_sync},
    {"aiex.npu.write32", write_register},
    {"aiex.npu.writebd", write_descriptor},
    {"aiex.npu.address_patch", patch},
    {"aiex.npu.blockwrite", refuse_block},
    {"aiex.dma_configure_task_for ", open_task},
    {"aiex.dma_configure_task", refuse_block},
};

static roof_status run_line(mlir *m, text_span line)
{
    if (m->task.is_open) {
        text_span rest = line;
        if (span_skip_past(&rest, "aie.dma_bd(")) {
            /* aie.dma_bd(%arg0 : memref<64xi32>, offset, length, ...) of a task */
            uint64_t offset, length;
            memref type;
            uint32_t argument = find(m, ARGUMENTS, take_name(&rest));
            TRY(read_memref(m, rest, &type));
            if (argument == ROOF_NONE || !span_skip_past(&rest, ">, ") || !take_size(m, &rest, &offset) ||
                !span_skip(&rest, ", ") || !take_size(m, &rest, &length) || length > UINT64_MAX / 64)
                return fail_line(m, "want an argument of the sequence, an offset and a length");
            m->task.argument = argument;
            if (__builtin_add_overflow(m->task.bytes, length * type.bits / 8, &m->task.bytes))
                return error_line(m->err, ROOF_E_LIMIT, m->line, "its bytes overflow 64 bits");
            return ROOF_OK;
        }
        if (!span_begins(line, "}"))
            return ROOF_OK;
        uint64_t repeat = 0;
        find_number(line, "repeat_count", &repeat);
        m->task.is_open = false;
        return move(m, m->task.fifo, m->task.argument,
                    checked_times((checked){m->task.bytes, repeat > UINT32_MAX}, repeat + 1), 8);
    }
    for (size_t i = 0; i < N_OF(statements); i++) {
        text_span rest = line;
        if (!span_skip_past(&rest, statements[i].word))
            continue;
        m->code->ops++;
        return statements[i].run(m, rest);
    }
    m->in_sequence = !span_begins(line, "}");
    return ROOF_OK;
}

/* A definition of the design; the sequence is passed over. */
static roof_status define(mlir *m, text_span line)
{
    text_span rest = line, name = take_name(&rest);
    if (name.length && span_skip(&rest, " = aie.tile(")) {
        /* %tile_0_2 = aie.tile(0, 2) */
        uint64_t column, row;
        if (!span_take_whole(&rest, &column) || !span_skip(&rest, ", ") || !span_take_whole(&rest, &row) ||
            column >= AIE_COLUMNS || row >= AIE_COLUMNS)
            return fail_line(m, "want a tile's column and row below %d", AIE_COLUMNS);
        TRY(ARENA_MORE(m->scratch, m->tiles, m->n[TILES], m->err));
        m->tiles[m->n[TILES]] = (tile){(uint32_t)column, (uint32_t)row};
        return remember(m, TILES, name);
    }
    if (name.length && span_skip(&rest, " = arith.constant ")) {
        uint64_t value;
        if (!span_take_whole(&rest, &value))
            return ROOF_OK; /* -1, 1.0: no size */
        TRY(ARENA_MORE(m->scratch, m->constants, m->n[CONSTANTS], m->err));
        m->constants[m->n[CONSTANTS]] = value;
        return remember(m, CONSTANTS, name);
    }
    if (span_skip(&rest, "aie.device("))
        return m->code->generation == ROOF_NONE ? read_device(m, rest) : ROOF_OK;
    if (span_skip(&rest, "aie.objectfifo ")) {
        name = take_name(&rest);
        const uint32_t from = find(m, TILES, name_behind(rest, "(")),
                       to = find(m, TILES, name_behind(rest, "{"));
        fifo f = {.is_read = from != ROOF_NONE && m->tiles[from].row == 0};
        f.is_shim = f.is_read || (to != ROOF_NONE && m->tiles[to].row == 0);
        if (f.is_shim) {
            f.column = m->tiles[f.is_read ? from : to].column;
            f.channel = m->used_channels[f.column][f.is_read]++ % CHANNELS;
        }
        return add_fifo(m, name, &f);
    }
    return span_skip(&rest, "aie.shim_dma_allocation ") ? read_allocation(m, rest) : ROOF_OK;
}

static roof_status execute(mlir *m, text_span line)
{
    text_span rest = line;
    if (m->in_sequence)
        return run_line(m, line);
    if (!span_skip_past(&rest, "runtime_sequence") || !span_skip_past(&rest, "("))
        return ROOF_OK;
    /* runtime_sequence(%arg0: memref<4096xi16>, %arg1: ...) { */
    if (m->n[ARGUMENTS])
        return error_line(m->err, ROOF_E_UNSUPPORTED, m->line,
                          "a second runtime sequence: give each of them a file of its own");
    m->in_sequence = true;
    while (rest.length) {
        text_span name = take_name(&rest);
        if (m->n[ARGUMENTS] == MOST_ARGUMENTS)
            return error_line(m->err, ROOF_E_LIMIT, m->line, "more than %d arguments", MOST_ARGUMENTS);
        TRY(read_memref(m, rest, &m->arguments[m->n[ARGUMENTS]]));
        TRY(remember(m, ARGUMENTS, name));
        if (!span_skip_past(&rest, ">, "))
            break;
    }
    return ROOF_OK;
}

/* Allocations may stand behind the sequence, which needs them. */
static roof_status for_each_line(mlir *m, roof_status (*read)(mlir *m, text_span line))
{
    const mapfile *file = &m->graph->storage->file;
    text_span rest = {(const char *)file->bytes, (size_t)file->size_bytes};
    for (m->line = 1; rest.length; m->line++)
        TRY(read(m, span_trim(span_take_line(&rest))));
    return ROOF_OK;
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static bool aie_mlir_sniff(const unsigned char *bytes, uint64_t size)
{
    text_span start = {(const char *)bytes, size < SNIFFED ? (size_t)size : SNIFFED};
    return span_has(start, "aie.device(");
}

static roof_status aie_mlir_read(roof_graph *g, roof_error *err)
{
    struct roof_graph_storage *s = g->storage;
    mlir *m;
    TRY(ARENA_GET(s->scratch, m, 1, err));
    *m = (mlir){.graph = g, .scratch = s->scratch, .err = err};
    TRY(ARENA_GET(s->arena, m->code, 1, err));
    const mapfile *file = &m->graph->storage->file;
    size_t lines = 1;
    for (const unsigned char *at = file->bytes;
         (at = memchr(at, '\n', (size_t)(file->size_bytes - (size_t)(at - file->bytes)))); at++)
        lines++;
    for (int k = 0; k < KINDS; k++)
        TRY(ALLOCATED(m->names[k] = namemap_new(m->scratch, k == ARGUMENTS ? MOST_ARGUMENTS : lines),
                      m->err));
    *m->code = (roof_control_code){.format = "aie_mlir",
                                   .generation = ROOF_NONE,
                                   .columns = ROOF_NONE,
                                   .length_bytes = file->size_bytes};
    m->shim = (aie_shim){.out = m->code, .scratch = m->scratch, .err = m->err};
    TRY(for_each_line(m, define));
    TRY(for_each_line(m, execute));
    const char *types[3] = {NULL, NULL, NULL};
    if (!m->n[ARGUMENTS])
        return error_line(m->err, ROOF_E_UNSUPPORTED, m->line,
                          "the design has no runtime sequence with arguments: nothing says what is moved");
    for (uint32_t i = 0; i < 3 && m->n[ARGUMENTS] >= 3; i++)
        types[i] = m->arguments[i].type;
    TRY(aie_shim_finish(&m->shim, NULL, 0, s->arena));
    s->control_codes = m->code;
    s->n_control_codes = 1;
    return code_graph_build(m->graph, types, m->err);
}

const graph_format format_aie_mlir = {
    .id = "aie_mlir",
    .doc = "aie.mlir of IRON (mlir-aie): the transfers of its runtime sequence",
    .sniff = aie_mlir_sniff,
    .read = aie_mlir_read,
    CODE_FORMAT,
};
