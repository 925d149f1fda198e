#include "model/graph/format.h"
#include "core/json/jsonsniff.h"
#include "core/platform/platform.h"

#define XXH_INLINE_ALL
#include <endian.h>
#include <xxhash.h>

#define FORMAT(id, doc) extern const graph_format format_##id;
#include "model/formats.def"
#undef FORMAT

static const graph_format *const formats[] = {
#define FORMAT(id, doc) &format_##id,
#include "model/formats.def"
#undef FORMAT
};

const char *roof_format_name(size_t i)
{
    return i < N_OF(formats) ? formats[i]->id : NULL;
}

const char *roof_format_doc(size_t i)
{
    return i < N_OF(formats) ? formats[i]->doc : NULL;
}

bool graph_rows_named(const char *name, numbered_rows *out)
{
    bool (*requested)(const char *, numbered_rows *) = NULL; /* formats of one compiler share theirs */
    for (size_t i = 0; i < N_OF(formats); i++) {
        if (formats[i]->rows_named == requested)
            continue;
        requested = formats[i]->rows_named;
        if (requested && requested(name, out))
            return true;
    }
    return false;
}

/* of_memory: a file that is no graph, and states memory. */
static const graph_format *sniff(const unsigned char *bytes, uint64_t size, bool of_memory)
{
    enum { LOOKED_AT = 4096 };
    os_want(bytes, of_memory ? size : LOOKED_AT);
    for (size_t i = 0; i < N_OF(formats); i++) {
        bool (*const sniffs)(const unsigned char *, uint64_t) =
            of_memory ? formats[i]->sniff_memory : formats[i]->sniff;
        if (sniffs && sniffs(bytes, size))
            return formats[i];
    }
    return NULL;
}

/* A hash over what was built, independent of names, weights and the order of attributes in the file. Not
 * against forgery: it tells networks apart. */
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

static void hash_value(void *hasher_, uint32_t value)
{
    hasher *h = hasher_;
    if (h->used == N_OF(h->block))
        flush_block(h);
    h->block[h->used++] = htole32(value);
}

void graph_set_hash(roof_graph *graph)
{
    hasher h = {.used = 0};
    XXH3_128bits_reset(&h.state);
    hash_value(&h, graph->n_ops);
    for (uint32_t i = 0; i < graph->n_ops; i++) {
        const roof_xir_op *x = roof_xir_op_of(graph, &graph->ops[i]);
        const roof_window *w = &graph->ops[i].window;
        const uint32_t values[] = {(uint32_t)XXH3_64bits(graph->ops[i].type, strlen(graph->ops[i].type)),
                                   graph->ops[i].out.bit_width,
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
                                   x->channel_augmentation,
                                   x->tile_stride,
                                   graph->ops[i].average,
                                   graph->ops[i].n_inputs,
                                   graph->ops[i].out.n_dims};
        for (size_t j = 0; j < N_OF(values); j++)
            hash_value(&h, values[j]);
        for (uint32_t j = 0; j < graph->ops[i].out.n_dims; j++)
            hash_value(&h, graph->ops[i].out.dims[j]);
        for (uint32_t j = 0; j < graph->ops[i].n_inputs; j++) {
            hash_value(&h, graph->edges[graph->ops[i].first_input + j].op);
            hash_value(&h, graph->edges[graph->ops[i].first_input + j].role);
        }
    }
    hash_value(&h, graph->n_layers);
    FOR_EACH(const roof_layer, layer, graph->layers, graph->n_layers) {
        hash_value(&h, graph->subgraphs[layer->subgraph].device);
        hash_value(&h, layer->n_ops);
        for (uint32_t j = 0; j < layer->n_ops; j++)
            hash_value(&h, graph->layer_ops[layer->first_op + j]);
    }
    if (graph->storage->format->hash)
        graph->storage->format->hash(graph, hash_value, &h);
    flush_block(&h);
    XXH128_hash_t hash = XXH3_128bits_digest(&h.state);
    snprintf(graph->graph_hash, sizeof graph->graph_hash, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
             (uint64_t)hash.low64);
}

/* Reads into a graph that has its files and its format. */
static roof_status fill(roof_graph *graph, const roof_workload *workload, roof_error *err)
{
    static const roof_workload nothing;
    struct roof_graph_storage *s = graph->storage;
    const graph_format *format = s->format;
    s->workload = workload ? workload : &nothing;
    if (s->workload->product && !format->takes_product)
        return error_set(err, ROOF_E_USAGE,
                         "a matrix product can be named for control code of an AI Engine array, this is %s",
                         format->doc);
    const bool is_of_sequence = s->workload->prompt_tokens || s->workload->context_tokens; /* alone */
    if (s->workload->asks_text && !format->takes_text &&
        !(format->takes_shapes && is_of_sequence && !s->workload->phase && !s->workload->cache_type))
        return error_set(err, ROOF_E_USAGE,
                         "phase, tokens and weight type are those of a language model (config.json, GGUF, "
                         "safetensors), this is "
                         "%s",
                         format->doc);
    if (s->workload->shapes && !format->takes_shapes)
        return error_set(err, ROOF_E_USAGE,
                         "shapes of inputs can be given where an ONNX file leaves them open, this is %s",
                         format->doc);
    TRY(arena_status(s->arena, err));
    s->scratch = arena_new(0);
    roof_status status = s->scratch ? format->read(graph, err) : error_memory(err);
    arena_free(s->scratch);
    s->scratch = NULL;
    s->workload = NULL; /* the caller's */
    return status == ROOF_OK ? arena_status(s->arena, err) : status;
}

/* files: that of the path, and what is read behind it, or nothing. */
static roof_status read_as(const graph_format *format, const mapfile files[2], const char *path,
                           const roof_workload *workload, roof_graph **out, roof_error *err)
{
    roof_arena *arena = arena_new(0);
    roof_graph *graph = arena ? NEW(arena, roof_graph) : NULL;
    struct roof_graph_storage *storage = graph ? NEW(arena, struct roof_graph_storage) : NULL;
    roof_status status = ALLOCATED(storage, err);
    if (status == ROOF_OK) {
        *storage = (struct roof_graph_storage){
            .arena = arena, .file = files[0], .behind = files[1], .format = format};
        *graph = (roof_graph){.storage = storage,
                              .format = format->id,
                              .path = arena_strdup(arena, path),
                              .file_bytes = files[0].size_bytes,
                              .name = "",
                              .compiler = ""};
        status = fill(graph, workload, err);
    }
    if (status == ROOF_OK)
        *out = graph;
    else
        arena_free(arena);
    return status;
}

static roof_status read_bytes(const mapfile files[2], const char *path, const roof_workload *workload,
                              roof_graph **out, roof_error *err)
{
    if (files->size_bytes == 0)
        return error_at(err, ROOF_E_DATA, 0, "file is empty");
    const graph_format *format = sniff(files->bytes, files->size_bytes, false);
    if (!format && workload && workload->asks_memory)
        format = sniff(files->bytes, files->size_bytes, true);
    if (!format) {
        enum { LOOKED_AT = 512 };
        char start[40] = "";
        bool is_text = true;
        for (uint64_t i = 0; i < files->size_bytes && i < LOOKED_AT && is_text; i++)
            is_text = files->bytes[i] >= ' ' || memchr("\t\r\n", files->bytes[i], 3);
        if (is_text)
            return error_at(
                err, ROOF_E_DATA, 0,
                "is text, and is no known model, nor a profile; `roofline formats` lists what can be read");
        for (uint64_t i = 0; i < files->size_bytes && i < 8; i++)
            snprintf(start + 3 * i, (size_t)(sizeof start - 3 * i), "%02x ", files->bytes[i]);
        return error_at(err, ROOF_E_DATA, 0,
                        "starts with %sand is no known model; `roofline formats` lists what can be read",
                        start);
    }
    if (!format->wants)
        os_want(files->bytes, files->size_bytes);
    return read_as(format, files, path, workload, out, err);
}

roof_status graph_read_memory_as(const unsigned char *bytes, uint64_t size, const char *path,
                                 const roof_workload *workload, roof_graph **out, roof_error *err)
{
    TRY(read_bytes((const mapfile[2]){{bytes, size, false}}, path, workload, out, err));
    graph_set_hash(*out);
    return ROOF_OK;
}

roof_status graph_read_memory(const unsigned char *bytes, uint64_t size, const char *path, roof_graph **out,
                              roof_error *err)
{
    return graph_read_memory_as(bytes, size, path, NULL, out, err);
}

static roof_status read_files(const char *path, const char *behind, const roof_workload *workload,
                              roof_graph **out, roof_error *err)
{
    mapfile files[2] = {{0}, {0}};
    TRY(mapfile_open_sparse(path, &files[0], err));
    roof_status status = behind ? mapfile_open(behind, &files[1], err) : ROOF_OK;
    if (status == ROOF_OK && (status = read_bytes(files, path, workload, out, err)) != ROOF_OK)
        error_prefix(err, "%s%s%s%s", path, behind ? " with " : "", behind ? behind : "",
                     behind ? " behind it" : "");
    if (status == ROOF_OK) {
        mapfile_let_go(&files[0]);
        return ROOF_OK;
    }
    mapfile_close(&files[0]);
    mapfile_close(&files[1]);
    return status;
}

static roof_status find_whether_model(const char *path, bool *is)
{
    mapfile file = {0};
    roof_status status = mapfile_open_sparse(path, &file, NULL);
    *is = status == ROOF_OK && file.size_bytes && sniff(file.bytes, file.size_bytes, false);
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
    *is = !is_model && json_begins(path);
    return ROOF_OK;
}

roof_status roof_document_schema(const char *path, char *schema, size_t size, roof_error *err)
{
    return json_schema(path, schema, size, err);
}

static roof_status read_file(const char *path, const char *behind, roof_graph **out, roof_error *err)
{
    return read_files(path, behind, NULL, out, err);
}

roof_status roof_graph_read(const char *path, roof_graph **out, roof_error *err)
{
    return roof_graph_read_as(path, NULL, out, err);
}

roof_status roof_graph_read_as(const char *path, const roof_workload *workload, roof_graph **out,
                               roof_error *err)
{
    if (!path && !(workload && workload->product))
        return error_set(err, ROOF_E_USAGE, "no model is named");
    if (path && strcmp(path, "-") == 0)
        return error_set(
            err, ROOF_E_USAGE,
            "standard input cannot be a model, which is not read from begin to end; name a file");
    static const mapfile no_files[2];
    os_entry about;
    size_t i = 0;
    if (!path) {
        while (!formats[i]->takes_product) /* the format that has a use for a product makes its graph */
            i++;
        TRY(read_as(formats[i], no_files, "product", workload, out, err));
    } else if (os_look(OS_HERE, path, OS_FOLLOW, &about) && about.kind == OS_FOLDER) {
        while (!formats[i]->read_folder) /* the first format that knows folders */
            i++;
        TRY(formats[i]->read_folder(path, read_file, out, err));
    } else
        TRY(read_files(path, NULL, workload, out, err));
    graph_set_hash(*out); /* of a folder with what completed the file */
    return ROOF_OK;
}
