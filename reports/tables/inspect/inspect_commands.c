/* Command streams of an Ethos-U: what each is for, how often it starts the array, and what it moves. */
#include "reports/tables/inspect/inspect.h"

#include <inttypes.h>

GRID_COLUMNS(command_columns, INSPECT_NAME("stream", "stream", "stream", 0),
             INSPECT_TEXT("target", "target", "target", 1), INSPECT_TEXT("core", "core", "core", 4),
             INSPECT_TEXT("Vela", "vela_version", "vela_version", 6), INSPECT_TEXT("arch", "arch", "arch", 6),
             INSPECT_NUMBER(NULL, NULL, "op", 0), INSPECT_NUMBER(NULL, NULL, "macs_per_cycle", 0),
             INSPECT_NUMBER(NULL, NULL, "cores", 0), INSPECT_NUMBER(NULL, NULL, "shram_bytes", 0),
             INSPECT_NUMBER(NULL, NULL, "offset_bytes", 0), INSPECT_NUMBER(NULL, NULL, "length_bytes", 0),
             INSPECT_NUMBER("words", "words", "words", 5), INSPECT_NUMBER(NULL, "commands", "commands", 0),
             INSPECT_NUMBER("rows", "rows", "rows", 0),
             INSPECT_NUMBER("conv", "convolutions", "convolutions", 2),
             INSPECT_NUMBER("dw", "depthwise", "depthwise", 2),
             INSPECT_NUMBER("pool", "poolings", "poolings", 2),
             INSPECT_NUMBER("eltwise", "elementwise", "elementwise", 2),
             INSPECT_NUMBER("resize", "resizes", "resizes", 5), INSPECT_NUMBER("DMAs", "dmas", "dmas", 2),
             INSPECT_NUMBER("kernel waits", "kernel_waits", "kernel_waits", 5),
             INSPECT_NUMBER("DMA waits", "dma_waits", "dma_waits", 5),
             INSPECT_NUMBER("MACs", "macs", "macs", 0),
             INSPECT_NUMBER(NULL, "convolution_macs", "convolution_macs", 0),
             INSPECT_NUMBER(NULL, "depthwise_macs", "depthwise_macs", 0),
             INSPECT_NUMBER(NULL, "pooling_macs", "pooling_macs", 0),
             INSPECT_NUMBER("skipped MACs", "skipped_macs", "skipped_macs", 4),
             INSPECT_NUMBER("DMA [B]", "dma_bytes", "dma_bytes", 1),
             INSPECT_NUMBER("LUT [B]", "lut_bytes", "lut_bytes", 4),
             INSPECT_NUMBER("weights [B]", "weight_bytes", "weight_bytes", 1),
             INSPECT_NUMBER("scales [B]", "scale_bytes", "scale_bytes", 3),
             INSPECT_NUMBER("read-only [B]", "read_only_bytes", "read_only_bytes", 3),
             INSPECT_NUMBER("scratch [B]", "scratch_bytes", "scratch_bytes", 4),
             INSPECT_NUMBER(NULL, "scratch_fast_bytes", "scratch_fast_bytes", 0));

static void add_stream(const inspect_view *v, uint32_t i, cell_grid *t)
{
    uint32_t n;
    const roof_command_stream *s = &roof_command_streams_of(v->graph, &n)[i];
    GRID_ADD(t, cell_text(s->name), cell_text(s->target), cell_text(s->core ? s->core : ""),
             cell_text(s->vela_version ? s->vela_version : ""), cell_text(s->arch), cell_count(s->op),
             cell_count(s->macs_per_cycle), cell_count(s->cores), cell_count(s->shram_bytes),
             cell_count(s->file_offset), cell_count(s->length_bytes), cell_count(s->words),
             cell_count(s->commands), cell_count(s->rows));
    GRID_ADD(t, cell_count(s->convolutions), cell_count(s->depthwise), cell_count(s->poolings),
             cell_count(s->elementwise), cell_count(s->resizes), cell_count(s->dmas),
             cell_count(s->kernel_waits), cell_count(s->dma_waits), cell_count(s->macs),
             cell_count(s->convolution_macs), cell_count(s->depthwise_macs), cell_count(s->pooling_macs),
             cell_count(s->skipped_macs));
    GRID_ADD(t, cell_count(s->dma_bytes), cell_count(s->lut_bytes), cell_count(s->weight_bytes),
             cell_count(s->scale_bytes), cell_count(s->read_only_bytes), cell_count(s->scratch_bytes),
             cell_count(s->scratch_fast_bytes));
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
    remarks_add(r, "commands", "%" PRIu32 " stream%s, %s B: %s row%s of work, %s MACs", n, say_plural(n),
                inspect_count(v->arena, bytes), inspect_count(v->arena, rows), say_plural(rows),
                inspect_count(v->arena, macs));
}
