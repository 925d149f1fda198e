/* Command streams of an Ethos-U: what each is for, how often it starts the array, and what it moves. */
#include "reports/tables/inspect/inspect.h"

#define OF(member, from, ...) GRID_OF(roof_command_stream, member, from, __VA_ARGS__)
#define COUNT(member, title_, rank_)                                                                         \
    OF(member, COUNT, .title = (title_), .kind = COLUMN_NUMBER, .rank = (rank_))
#define OF_JSON(name, member, from_)                                                                         \
    {                                                                                                        \
        .json = (name), .from = FROM_##from_, .at = offsetof(roof_command_stream, member)                    \
    }
static const grid_column command_columns[] = {
    GRID_AS("stream", roof_command_stream, name, TEXT, .title = "stream", .kind = COLUMN_NAME),
    OF(target, TEXT, .title = "target", .rank = 1),
    OF(core, TEXT, .title = "core", .rank = 4),
    OF(vela_version, TEXT, .title = "Vela", .rank = 6),
    OF(arch, TEXT, .title = "arch", .rank = 6),
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

const inspect_section inspect_commands_section =
    INSPECT_SECTION("Command streams", "command_streams", false, command_columns, add_stream);

void inspect_commands_facts(const inspect_view *v, remarks *r)
{
    uint32_t n;
    const roof_command_stream *s = roof_command_streams_of(v->graph, &n);
    uint64_t rows = 0, macs = 0, bytes = 0;
    if (!n)
        return;
    for (uint32_t i = 0; i < n; i++) {
        (void)checked_add_known(&rows, s[i].rows);
        (void)checked_add_known(&macs, s[i].macs);
        (void)checked_add_known(&bytes, s[i].length_bytes);
    }
    remarks_add(r, "commands", "%u stream%s, %s B: %s row%s of work, %s MACs", n, say_plural(n),
                inspect_count(v->arena, bytes), inspect_count(v->arena, rows), say_plural(rows),
                inspect_count(v->arena, macs));
}
