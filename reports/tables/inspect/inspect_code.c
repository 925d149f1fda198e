/* Control code of an AI Engine array: its streams, and what they move by argument and by channel. Command
 * streams of an Ethos-U: what each is for, how often it starts the array, and what it moves. */
#include "reports/tables/inspect/inspect.h"

static const roof_control_code *code_at(const inspect_view *v, uint32_t i)
{
    uint32_t n;
    return &roof_control_code_of(v->graph, &n)[i];
}

/* The name of a file's only stream says nothing. */
static grid_cell name_of_code(const grid_row *row)
{
    return cell_text(text_or_empty(((const roof_control_code *)row->of)->layer));
}

GRID_CELL(direction_of, roof_code_channel, is, cell_text(is->is_read ? "MM2S" : "S2MM"))

#define OF(type, kind_, title_, csv_, json_, rank_, member, from_)                                           \
    {                                                                                                        \
        .title = (title_), .csv = (csv_), .json = (json_), .kind = COLUMN_##kind_, .rank = (rank_),          \
        .from = FROM_##from_, .at = offsetof(type, member)                                                   \
    }
#define CODE(title, name, rank, member) OF(roof_control_code, NUMBER, title, name, name, rank, member, COUNT)
#define CODE_SMALL(name, rank)          OF(roof_control_code, NUMBER, #name, NULL, #name, rank, name, SMALL)
#define CODE_TEXT(name, rank)           OF(roof_control_code, TEXT, #name, #name, #name, rank, name, TEXT)
static const grid_column code_columns[] = {
    GRID_BY("layer", name_of_code, .title = "code of", .kind = COLUMN_NAME),
    CODE_TEXT(format, 2),
    CODE_TEXT(version, 3),
    CODE_SMALL(generation, 5),
    CODE_SMALL(columns, 4),
    CODE("code [B]", "code_bytes", 3, length_bytes),
    CODE("operations", "ops", 2, ops),
    CODE("pushes", "pushes", 1, pushes),
    CODE("unresolved", "unresolved_pushes", 1, unresolved_pushes),
    CODE("syncs", "syncs", 4, syncs),
    CODE("configuration [B]", "configuration_bytes", 4, configuration_bytes),
    CODE("read [B]", "read_bytes", 0, read_bytes),
    CODE("written [B]", "write_bytes", 0, write_bytes),
    GRID_AS("complete", roof_control_code, is_complete, FLAG, .kind = COLUMN_FLAG)};
static const grid_column argument_columns[] = {
    GRID_SAID("code of", name_of_code, .kind = COLUMN_NAME, .rank = 1),
    OF(roof_code_argument, TEXT, "argument", NULL, "argument", 0, name, TEXT),
    OF(roof_code_argument, NUMBER, "read [B]", NULL, "read_bytes", 0, read_bytes, COUNT),
    OF(roof_code_argument, NUMBER, "written [B]", NULL, "write_bytes", 0, write_bytes, COUNT)};
static const grid_column channel_columns[] = {
    GRID_SAID("code of", name_of_code, .kind = COLUMN_NAME, .rank = 1),
    OF(roof_code_channel, NUMBER, "column", NULL, "column", 0, column, SMALL),
    {.title = "direction", .json = "direction", .from = FROM_CALL, .cell = direction_of},
    OF(roof_code_channel, NUMBER, "channel", NULL, "channel", 0, channel, SMALL),
    OF(roof_code_channel, NUMBER, "moved [B]", NULL, "bytes", 0, bytes, COUNT)};

static void add_arguments(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_control_code *code = code_at(v, i);
    for (uint32_t k = 0; k < code->n_arguments; k++)
        grid_add_row(t, &code->arguments[k], code);
}

static void add_channels(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_control_code *code = code_at(v, i);
    for (uint32_t k = 0; k < code->n_channels; k++)
        grid_add_row(t, &code->channels[k], code);
}

static void add_code(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_control_code *code = code_at(v, i);
    grid_add_row(t, code, code);
    for (size_t k = INSPECT_ARGUMENTS; t->json && k <= INSPECT_CHANNELS; k++)
        inspect_list(v, &inspect_code_sections[k - INSPECT_CODES], i, 1, t->json);
}

/* --- command streams ---------------------------------------------------------------------------------- */

#define STREAM(member, from, ...) GRID_OF(roof_command_stream, member, from, __VA_ARGS__)
#define COUNT(member, title_, rank_)                                                                         \
    STREAM(member, COUNT, .title = (title_), .kind = COLUMN_NUMBER, .rank = (rank_))
#define OF_JSON(name, member, from_)                                                                         \
    {                                                                                                        \
        .json = (name), .from = FROM_##from_, .at = offsetof(roof_command_stream, member)                    \
    }
static const grid_column command_columns[] = {
    GRID_AS("stream", roof_command_stream, name, TEXT, .title = "stream", .kind = COLUMN_NAME),
    STREAM(target, TEXT, .title = "target", .rank = 1),
    STREAM(core, TEXT, .title = "core", .rank = 4),
    STREAM(vela_version, TEXT, .title = "Vela", .rank = 6),
    STREAM(arch, TEXT, .title = "arch", .rank = 6),
    OF_JSON("op", op, SMALL),
    OF_JSON("macs_per_cycle", macs_per_cycle, SMALL),
    OF_JSON("cores", cores, SMALL),
    OF_JSON("shram_bytes", shram_bytes, COUNT),
    OF_JSON("offset_bytes", file_offset, COUNT),
    OF_JSON("length_bytes", length_bytes, COUNT),
    COUNT(words, "words", 5),
    COUNT(commands, NULL, 0),
    COUNT(rows, "rows", 0),
    COUNT(convolutions, "conv", 2),
    COUNT(depthwise, "dw", 2),
    COUNT(poolings, "pool", 2),
    COUNT(elementwise, "eltwise", 2),
    COUNT(resizes, "resize", 5),
    COUNT(dmas, "DMAs", 2),
    COUNT(kernel_waits, "kernel waits", 5),
    COUNT(dma_waits, "DMA waits", 5),
    COUNT(macs, "MACs", 0),
    COUNT(convolution_macs, NULL, 0),
    COUNT(depthwise_macs, NULL, 0),
    COUNT(pooling_macs, NULL, 0),
    COUNT(skipped_macs, "skipped MACs", 4),
    COUNT(dma_bytes, "DMA [B]", 1),
    COUNT(lut_bytes, "LUT [B]", 4),
    COUNT(weight_bytes, "weights [B]", 1),
    COUNT(scale_bytes, "scales [B]", 3),
    COUNT(read_only_bytes, "read-only [B]", 3),
    COUNT(scratch_bytes, "scratch [B]", 4),
    COUNT(scratch_fast_bytes, NULL, 0)};

static void add_stream(const inspect_view *v, uint32_t i, cell_grid *t)
{
    uint32_t n;
    grid_add_row(t, &roof_command_streams_of(v->graph, &n)[i], v);
}

/* --- all of them -------------------------------------------------------------------------------------- */

const inspect_section inspect_code_sections[] = {
    INSPECT_SECTION("Control code", "control_code", false, code_columns, add_code),
    INSPECT_SECTION("Bytes of each argument", "arguments", true, argument_columns, add_arguments),
    INSPECT_SECTION("Bytes of each channel of the shim", "channels", true, channel_columns, add_channels),
    INSPECT_SECTION("Command streams", "command_streams", false, command_columns, add_stream)};

void inspect_code_facts(const inspect_view *v, remarks *r)
{
    uint32_t n;
    const roof_control_code *code = roof_control_code_of(v->graph, &n);
    uint64_t read = 0, written = 0, unresolved = 0;
    for (uint32_t i = 0; i < n; i++) {
        (void)checked_add_known(&read, code[i].read_bytes);
        (void)checked_add_known(&written, code[i].write_bytes);
        unresolved += !code[i].is_complete;
    }
    if (n == 1)
        remarks_add(r, "moved", "%s B read, %s B written%s", inspect_count(v->arena, read),
                    inspect_count(v->arena, written), unresolved ? ", and what control packets move" : "");
    const roof_command_stream *s = roof_command_streams_of(v->graph, &n);
    uint64_t rows = 0, macs = 0, bytes = 0;
    for (uint32_t i = 0; i < n; i++) {
        (void)checked_add_known(&rows, s[i].rows);
        (void)checked_add_known(&macs, s[i].macs);
        (void)checked_add_known(&bytes, s[i].length_bytes);
    }
    if (n)
        remarks_add(r, "commands", "%u stream%s, %s B: %s row%s of work, %s MACs", n, say_plural(n),
                    inspect_count(v->arena, bytes), inspect_count(v->arena, rows), say_plural(rows),
                    inspect_count(v->arena, macs));
}
