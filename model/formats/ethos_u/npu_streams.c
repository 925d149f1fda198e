#include "model/formats/ethos_u/npu_streams.h"

roof_status npu_streams_expect(roof_graph *graph, uint32_t n, roof_error *err)
{
    struct roof_graph_storage *s = graph->storage;
    TRY(ARENA_GET(s->arena, s->command_streams, n, err));
    return ARENA_GET(s->arena, s->launches, n, err);
}

/* Sums of a stream. Errors: E_LIMIT. */
static roof_status sum(const ethosu_stream *s, roof_command_stream *out, roof_error *err)
{
    uint64_t *const launches[ETHOSU_KINDS] = {&out->convolutions, &out->depthwise, &out->poolings,
                                              &out->elementwise,  &out->resizes,   &out->dmas};
    uint64_t *const macs[ETHOSU_KINDS] = {
        &out->convolution_macs, &out->depthwise_macs, &out->pooling_macs, NULL, NULL, NULL};
    FOR_EACH(const ethosu_launch, l, s->launches, s->n_launches) {
        ++*launches[l->kind];
        if (macs[l->kind])
            TRY(program_add_count(macs[l->kind], l->macs, err));
    }
    FOR_EACH(const ethosu_group, g, s->groups, s->n_groups) {
        TRY(program_add_count(&out->macs, g->macs, err));
        TRY(program_add_count(&out->skipped_macs, g->skipped_macs, err));
        TRY(program_add_count(&out->dma_bytes, g->dma_bytes, err));
        TRY(program_add_count(&out->lut_bytes, g->dma_lut_bytes, err));
        TRY(program_add_count(&out->weight_bytes, g->weight_bytes, err));
        TRY(program_add_count(&out->scale_bytes, g->scale_bytes, err));
    }
    return ROOF_OK;
}

roof_status npu_streams_add(roof_graph *graph, const npu_source *source, uint64_t *payload_bytes,
                            roof_error *err)
{
    struct roof_graph_storage *s = graph->storage;
    ethosu_stream *stream = &s->launches[s->n_command_streams];
    roof_command_stream *out = &s->command_streams[s->n_command_streams];
    ethosu_payload p;
    TRY(ethosu_open(source->payload, source->payload_bytes, source->file_offset, source->is_whole, &p, err));
    TRY(ethosu_decode(&p, source->core && strcmp(source->core, "regor") == 0, s->arena, stream, err));
    *payload_bytes = p.length_bytes;
    *out = (roof_command_stream){.name = arena_printf(s->arena, "npu%" PRIu32, s->n_command_streams),
                                 .op = source->op,
                                 .target = arena_printf(s->arena, "Ethos-%s-%" PRIu32,
                                                        ethosu_product_text(p.product), p.macs_per_cycle),
                                 .macs_per_cycle = p.macs_per_cycle,
                                 .cores = p.cores,
                                 .shram_bytes = p.shram_kib ? (uint64_t)p.shram_kib * 1024 : ROOF_UNKNOWN,
                                 .arch = arena_printf(s->arena, "%" PRIu32 ".%" PRIu32 ".%" PRIu32,
                                                      p.arch_major, p.arch_minor, p.arch_patch),
                                 .core = source->core,
                                 .vela_version = source->vela_version,
                                 .file_offset = p.file_offset,
                                 .length_bytes = 4 * (uint64_t)p.n_words,
                                 .words = p.n_words,
                                 .commands = stream->n_commands,
                                 .rows = stream->n_groups,
                                 .kernel_waits = stream->kernel_waits,
                                 .dma_waits = stream->dma_waits,
                                 .read_only_bytes = source->read_only_bytes,
                                 .scratch_bytes = source->scratch_bytes,
                                 .scratch_fast_bytes = source->scratch_fast_bytes};
    s->n_command_streams++;
    TRY(arena_status(s->arena, err));
    return sum(stream, out, err);
}

roof_status npu_streams_place(roof_graph *graph, roof_error *err)
{
    enum { NPU = 1, HOST };
    uint32_t n_of_host = 0;
    TRY(graph_begin_parts(graph, "", HOST, graph->storage->arena, err));
    graph->subgraphs[0].n_layers = graph->n_layers;
    graph_add_part(graph, "Ethos-U", ROOF_DEVICE_ACCELERATOR)->target =
        graph->storage->command_streams[0].target;
    FOR_EACH(roof_layer, layer, graph->layers, graph->n_layers) {
        roof_op *op = &graph->ops[graph->layer_ops[layer->first_op]];
        layer->subgraph = op->subgraph = strcmp(op->type, NPU_OPERATOR) == 0 ? NPU : HOST;
        n_of_host += layer->subgraph == HOST;
    }
    graph->subgraphs[NPU].n_layers = graph->n_layers - n_of_host;
    if (n_of_host)
        graph_add_part(graph, "CPU", ROOF_DEVICE_CPU)->n_layers = n_of_host;
    return ROOF_OK;
}

/* Hashes the launches, not the addresses of their operands. */
void npu_hash(const roof_graph *graph, graph_hash_value hash, void *hasher)
{
    const struct roof_graph_storage *s = graph->storage;
    FOR_EACH(const ethosu_stream, stream, s->launches, s->n_command_streams) {
        hash(hasher, (uint32_t)stream->payload.product << 16 | stream->payload.macs_per_cycle);
        hash(hasher, stream->n_launches);
        FOR_EACH(const ethosu_launch, l, stream->launches, stream->n_launches) {
            hash(hasher, (uint32_t)l->kind << 16 | l->param);
            graph_hash_wide(hash, hasher, l->macs);
            graph_hash_wide(hash, hasher, l->dma_bytes);
        }
    }
}
