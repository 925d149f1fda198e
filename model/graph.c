#include "model/format.h"
#include "model/formats/neural_art/art_report.h"
#include "model/formats/neural_art/model_folder.h"
#include "model/formats/neural_art/mpool.h"
#include "core/error.h"
#include "core/jsonsniff.h"
#include "core/sha256.h"

#define XXH_INLINE_ALL
#include <endian.h>
#include <inttypes.h>
#include <math.h>
#include <xxhash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FORMAT(id, doc) extern const graph_format format_##id;
#include "model/formats.def"
#undef FORMAT

static const graph_format *const formats[] = {
#define FORMAT(id, doc) &format_##id,
#include "model/formats.def"
#undef FORMAT
};

const graph_format *format_at(size_t i)
{
    return i < sizeof formats / sizeof *formats ? formats[i] : NULL;
}

const char *roof_format_name(size_t i)
{
    const graph_format *format = format_at(i);
    return format ? format->id : NULL;
}

const char *roof_format_doc(size_t i)
{
    const graph_format *format = format_at(i);
    return format ? format->doc : NULL;
}

static const graph_format *sniff(const unsigned char *bytes, uint64_t size)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i]->sniff(bytes, size))
            return formats[i];
    return NULL;
}

static roof_status fail_unknown(const unsigned char *bytes, uint64_t size, roof_error *err)
{
    char start[40] = "";
    for (uint64_t i = 0; i < size && i < 8; i++)
        snprintf(start + 3 * i, sizeof start - 3 * i, "%02x ", bytes[i]);
    return error_at(err, ROOF_E_DATA, 0,
                    "starts with %sand is no known model; `roofline formats` lists what can be read", start);
}

/* A hash over what was built, independent of names, weights and the order of attributes in the file. Not against
 * forgery: it tells networks apart. */
typedef struct hasher {
    XXH3_state_t state;
    size_t used;
    uint32_t block[256]; /* many small values, few calls */
} hasher;

static void flush_block(hasher *h)
{
    XXH3_128bits_update(&h->state, h->block, h->used * sizeof *h->block);
    h->used = 0;
}

static void hash_value(hasher *h, uint32_t value)
{
    if (h->used == sizeof h->block / sizeof *h->block)
        flush_block(h);
    h->block[h->used++] = htole32(value);
}

static void hash_op(hasher *h, const roof_graph *graph, const roof_op *op)
{
    uint32_t type = (uint32_t)XXH3_64bits(op->type, strlen(op->type));
    const roof_window *w = &op->window;
    const uint32_t values[] = {type,
                               op->out.bit_width,
                               w->kernel_h,
                               w->kernel_w,
                               w->stride_h,
                               w->stride_w,
                               w->dilation_h,
                               w->dilation_w,
                               (uint32_t)w->pad_left,
                               (uint32_t)w->pad_right,
                               (uint32_t)w->pad_top,
                               (uint32_t)w->pad_bottom,
                               op->channel_augmentation,
                               op->tile_stride,
                               op->average,
                               op->n_inputs,
                               op->out.n_dims};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        hash_value(h, values[i]);
    for (uint32_t i = 0; i < op->out.n_dims; i++)
        hash_value(h, op->out.dims[i]);
    for (uint32_t i = 0; i < op->n_inputs; i++) {
        hash_value(h, graph->edges[op->first_input + i].op);
        hash_value(h, graph->edges[op->first_input + i].role);
    }
}

static void hash_wide(hasher *h, uint64_t value)
{
    hash_value(h, (uint32_t)value);
    hash_value(h, (uint32_t)(value >> 32));
}

static void hash_plan(hasher *h, const roof_plan *plan)
{
    hash_value(h, plan->n_pools);
    for (uint32_t i = 0; i < plan->n_pools; i++) {
        const roof_pool *p = &plan->pools[i];
        hash_value(h, p->byte_width);
        hash_value(h, isnan(p->freq_ratio) ? ROOF_NONE : (uint32_t)(fmin(p->freq_ratio, 1e6) * 1000));
    }
    for (uint32_t i = 0; i < plan->n_epochs; i++) {
        const roof_epoch *e = &plan->epochs[i];
        hash_value(h, e->kind);
        hash_value(h, e->n_ops);
        hash_wide(h, e->ops_count);
        hash_wide(h, e->compute_cycles);
        hash_wide(h, e->stored_vendor_cycles);
    }
    for (uint32_t i = 0; i < plan->n_accesses; i++) {
        hash_value(h, plan->accesses[i].pool);
        hash_wide(h, plan->accesses[i].read_bytes);
        hash_wide(h, plan->accesses[i].write_bytes);
    }
}

static void hash_graph(roof_graph *graph)
{
    hasher h = {.used = 0};
    XXH3_128bits_reset(&h.state);
    hash_value(&h, graph->n_ops);
    for (uint32_t i = 0; i < graph->n_ops; i++)
        hash_op(&h, graph, &graph->ops[i]);
    hash_value(&h, graph->n_layers);
    for (uint32_t i = 0; i < graph->n_layers; i++) {
        const roof_layer *layer = &graph->layers[i];
        hash_value(&h, graph->subgraphs[layer->subgraph].device);
        hash_value(&h, layer->n_ops);
        for (uint32_t j = 0; j < layer->n_ops; j++)
            hash_value(&h, graph->layer_ops[layer->first_op + j]);
    }
    if (graph->plan)
        hash_plan(&h, graph->plan);
    flush_block(&h);
    XXH128_hash_t hash = XXH3_128bits_digest(&h.state);
    snprintf(graph->graph_hash, sizeof graph->graph_hash, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
             (uint64_t)hash.low64);
}

static roof_graph *new_graph(const unsigned char *bytes, uint64_t size)
{
    roof_arena *arena = arena_new(0);
    roof_graph *graph = arena ? NEW(arena, roof_graph) : NULL;
    struct roof_graph_storage *storage = graph ? NEW(arena, struct roof_graph_storage) : NULL;
    if (!storage) {
        arena_free(arena);
        return NULL;
    }
    storage->arena = arena;
    storage->file = (mapfile){.bytes = bytes, .size_bytes = size};
    graph->storage = storage;
    graph->file_bytes = size;
    graph->name = graph->compiler = "";
    return graph;
}

/* A graph without its hash, which is over what is known of it in the end. */
static roof_status read_bytes(const unsigned char *bytes, uint64_t size, const char *path, roof_graph **out,
                              roof_error *err)
{
    if (size == 0)
        return error_at(err, ROOF_E_DATA, 0, "file is empty");
    const graph_format *format = sniff(bytes, size);
    if (!format)
        return fail_unknown(bytes, size, err);
    roof_graph *graph = new_graph(bytes, size);
    if (!graph)
        return error_memory(err);
    roof_status status = ROOF_OK;
    graph->format = format->id;
    graph->path = arena_strdup(graph->storage->arena, path);
    if (!graph->path)
        status = error_memory(err);
    if (status == ROOF_OK)
        status = format->read(graph, err);
    if (status == ROOF_OK)
        status = arena_status(graph->storage->arena, err);
    if (status != ROOF_OK) {
        arena_free(graph->storage->arena);
        return status;
    }
    *out = graph;
    return ROOF_OK;
}

roof_status graph_read_memory(const unsigned char *bytes, uint64_t size, const char *path, roof_graph **out,
                              roof_error *err)
{
    TRY(read_bytes(bytes, size, path, out, err));
    hash_graph(*out);
    return ROOF_OK;
}

static roof_status read_file(const char *path, roof_graph **out, roof_error *err)
{
    mapfile file = {0};
    roof_status status = mapfile_open(path, &file, err);
    if (status != ROOF_OK)
        return status;
    roof_graph *graph = NULL;
    status = read_bytes(file.bytes, file.size_bytes, path, &graph, err);
    if (!graph) {
        error_prefix(err, "%s", path);
        mapfile_close(&file);
        return status;
    }
    graph->storage->mapped = true;
    *out = graph;
    return ROOF_OK;
}

static roof_status find_whether_model(const char *path, bool *is)
{
    mapfile file = {0};
    roof_status status = mapfile_open(path, &file, NULL);
    *is = status == ROOF_OK && file.size_bytes && sniff(file.bytes, file.size_bytes);
    mapfile_close(&file);
    return status;
}

bool roof_graph_is_model(const char *path)
{
    bool is;
    find_whether_model(path, &is);
    return is;
}

roof_status roof_is_document(const char *path, bool *is, roof_error *err)
{
    bool is_model;
    if (find_whether_model(path, &is_model) == ROOF_E_NO_MEMORY)
        return error_memory(err);
    *is = !is_model && begins_as_json(path);
    return ROOF_OK;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* A file with what belongs behind it, which may be none: NULL. */
typedef struct plan_source {
    const char *path, *behind;
} plan_source;

static roof_status keep_text(roof_graph *graph, const char *text, const char **out, roof_error *err)
{
    *out = arena_strdup(graph->storage->arena, text);
    return *out ? ROOF_OK : error_memory(err);
}

/* Both as one text, which the reader of network.c takes as well: what a program of the epoch controller does is in the trace
 * only. As the graph's file counts the first one. */
static roof_status join(const plan_source *s, const mapfile *first, const mapfile *second, roof_graph **out,
                        roof_error *err)
{
    uint64_t size = first->size_bytes + 1 + second->size_bytes; /* of files that are mapped */
    unsigned char *text = malloc(size);
    if (!text)
        return error_memory(err);
    memcpy(text, first->bytes, first->size_bytes);
    text[first->size_bytes] = '\n'; /* a last line may have no end */
    memcpy(text + first->size_bytes + 1, second->bytes, second->size_bytes);
    roof_status status = read_bytes(text, size, s->path, out, err);
    if (status != ROOF_OK) {
        free(text);
        return status;
    }
    struct roof_graph_storage *storage = (*out)->storage;
    storage->file.size_bytes = (*out)->file_bytes = first->size_bytes;
    storage->owned = text;
    roof_plan *plan = (roof_plan *)(*out)->plan; /* of a graph that is still being made */
    status = plan ? keep_text(*out, s->behind, &plan->trace_path, err) : ROOF_OK;
    if (status != ROOF_OK)
        roof_graph_free(*out);
    return status;
}

static roof_status read_joined(const plan_source *s, roof_graph **out, roof_error *err)
{
    mapfile first = {0}, second = {0};
    roof_status status = mapfile_open(s->path, &first, err);
    if (status == ROOF_OK)
        status = mapfile_open(s->behind, &second, err);
    if (status == ROOF_OK && (status = join(s, &first, &second, out, err)) != ROOF_OK)
        error_prefix(err, "%s with %s behind it", s->path, s->behind);
    mapfile_close(&first);
    mapfile_close(&second);
    return status;
}

static roof_status fail_no_plan(const model_folder *folder, roof_error *err)
{
    static const char wanted[] = "c_info.json, network.csv, network.c or report of a Neural-ART's compiler";
    if (!folder->others)
        return error_set(err, ROOF_E_NO_INPUT, "the folder holds no %s", wanted);
    return error_set(err, ROOF_E_NO_INPUT,
                     "the folder holds %.300s: give a file of it; a folder is read where it has a %s",
                     folder->others, wanted);
}

/* The first of a network's files that holds a plan; the first failure says most when none does. */
static roof_status read_first(const plan_source *sources, size_t n, const model_folder *folder,
                              roof_graph **out, roof_error *err)
{
    roof_error first = {0};
    for (size_t i = 0; i < n; i++) {
        roof_error failed = {0};
        if (!sources[i].path)
            continue;
        if ((sources[i].behind ? read_joined(&sources[i], out, &failed)
                               : read_file(sources[i].path, out, &failed)) == ROOF_OK)
            return ROOF_OK;
        if (first.status == ROOF_OK || failed.status == ROOF_E_NO_MEMORY)
            first = failed;
        if (failed.status == ROOF_E_NO_MEMORY)
            break; /* another file would be another answer */
    }
    if (first.status == ROOF_OK)
        return fail_no_plan(folder, err);
    if (err)
        *err = first;
    return first.status;
}

static roof_status complete_epochs(roof_graph *graph, const char *path, roof_error *err)
{
    art_report report;
    roof_arena *arena = graph->storage->arena;
    roof_plan *plan = (roof_plan *)graph->plan; /* of a graph that is still being made */
    roof_error broken = {0};
    TRY(keep_text(graph, path, &plan->report_path, err));
    roof_status status = art_report_read(path, arena, &report, &broken);
    if (status == ROOF_E_NO_MEMORY)
        return error_memory(err);
    if (status != ROOF_OK) { /* which a plan can do without */
        char why[1400];
        broken.where[0] = '\0'; /* the path, which stands beside it */
        roof_error_format(&broken, why, sizeof why);
        return keep_text(graph, why, &plan->report_differs, err);
    }
    TRY(plan_apply_report(plan, &report, arena, &plan->report_differs, err));
    if (!*graph->name && !plan->report_differs)
        graph->name = report.network;
    return ROOF_OK;
}

static roof_status complete_pools(roof_graph *graph, const char *path, roof_error *err)
{
    roof_pool *pools = NULL;
    uint32_t n = 0;
    pool_differences differences = {0};
    roof_arena *arena = graph->storage->arena;
    roof_plan *plan = (roof_plan *)graph->plan; /* of a graph that is still being made */
    TRY(mpool_read(path, arena, &pools, &n, err));
    TRY(plan_apply_pools(plan, pools, n, arena, &differences, err));
    plan->differences = differences.items;
    plan->n_differences = differences.n;
    return keep_text(graph, path, &plan->pools_path, err);
}

static roof_status read_folder(const char *path, roof_graph **out, roof_error *err)
{
    model_folder folder;
    roof_graph *graph = NULL;
    roof_arena *arena = arena_new(0);
    roof_status status = arena ? model_folder_find(path, arena, &folder, err) : error_memory(err);
    if (status == ROOF_OK) {
        const plan_source sources[] = {{folder.c_infos[0], NULL},
                                       {folder.c_infos[1], NULL},
                                       {folder.c_infos[2], NULL},
                                       {folder.network_csv, NULL},
                                       {folder.network_c, folder.blob_trace_c},
                                       {folder.blob_trace_c, NULL},
                                       {folder.report, NULL}};
        status = read_first(sources, sizeof sources / sizeof *sources, &folder, &graph, err);
        if (status == ROOF_E_NO_INPUT)
            error_prefix(err, "%s", path);
    }
    if (status == ROOF_OK && folder.report && graph && graph->plan && strcmp(graph->path, folder.report) != 0)
        status = complete_epochs(graph, folder.report, err);
    if (status == ROOF_OK && folder.mpool && graph && graph->plan)
        status = complete_pools(graph, folder.mpool, err);
    if (status == ROOF_OK && graph)
        status = arena_status(graph->storage->arena, err);
    if (status == ROOF_OK)
        *out = graph;
    else
        roof_graph_free(graph);
    arena_free(arena);
    return status;
}

roof_status roof_graph_read(const char *path, roof_graph **out, roof_error *err)
{
    if (strcmp(path, "-") == 0)
        return error_set(
            err, ROOF_E_USAGE,
            "standard input cannot be a model, which is not read from begin to end; name a file");
    TRY(is_folder(path) ? read_folder(path, out, err) : read_file(path, out, err));
    hash_graph(*out); /* of a folder with what its pools are */
    return ROOF_OK;
}

const roof_subgraph *roof_graph_accelerator(const roof_graph *graph)
{
    for (uint32_t i = 0; i < graph->n_subgraphs; i++)
        if (graph->subgraphs[i].device == ROOF_DEVICE_ACCELERATOR)
            return &graph->subgraphs[i];
    return NULL;
}

void roof_graph_free(roof_graph *graph)
{
    if (!graph)
        return;
    mapfile file = graph->storage->file;
    bool mapped = graph->storage->mapped;
    void *owned = graph->storage->owned;
    arena_free(graph->storage->arena);
    if (mapped)
        mapfile_close(&file);
    free(owned);
}

roof_status roof_graph_file_sha256(const roof_graph *graph, char hex[65], roof_error *err)
{
    const mapfile *file = &graph->storage->file;
    if (!file->bytes)
        return error_set(err, ROOF_E_INTERNAL, "the file is not mapped");
    sha256_hex(file->bytes, (size_t)file->size_bytes, hex);
    return ROOF_OK;
}

/* Depth first, inputs before the op, with a stack of our own: a hostile chain may be as long as the file. */
roof_status graph_topological_order(const roof_graph *graph, uint32_t *order, roof_error *err)
{
    roof_status status = ROOF_OK;
    uint32_t n = graph->n_ops, placed = 0, depth = 0;
    struct frame {
        uint32_t op, next_input;
    } *stack = malloc((n ? n : 1) * sizeof *stack);
    unsigned char *state = calloc(n ? n : 1, 1); /* 0 new, 1 open, 2 placed */
    if (!stack || !state)
        status = error_memory(err);
    for (uint32_t root = 0; status == ROOF_OK && root < n; root++) {
        if (state[root])
            continue;
        state[root] = 1;
        stack[depth++] = (struct frame){root, 0};
        while (depth && status == ROOF_OK) {
            struct frame *top = &stack[depth - 1];
            const roof_op *op = &graph->ops[top->op];
            if (top->next_input == op->n_inputs) {
                state[top->op] = 2;
                order[placed++] = top->op;
                depth--;
                continue;
            }
            uint32_t input = graph->edges[op->first_input + top->next_input++].op;
            if (state[input] == 1)
                status = error_set(err, ROOF_E_DATA, "ops feed each other in a circle through '%s'",
                                   graph->ops[input].name);
            else if (state[input] == 0) {
                state[input] = 1;
                stack[depth++] = (struct frame){input, 0};
            }
        }
    }
    free(stack);
    free(state);
    return status;
}
