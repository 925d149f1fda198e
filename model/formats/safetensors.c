/* safetensors: the JSON in front of the weights, which says type, shape and place of each tensor; or the
 * index of a model in several such files. The config.json beside it has the numbers that follow from no
 * shape. Weights are never touched. Source: huggingface/safetensors README.md and safetensors/src/tensor.rs
 * (types, limit of the header).
 */
#include "core/findings.h"
#include "core/json/jsonpull.h"
#include "core/json/jsontree.h"
#include "core/platform/platform.h"
#include "model/formats/hf_config/lm_config.h"
#include "model/formats/stored/stored_model.h"

enum { LENGTH_BYTES = 8, LONGEST_HEADER = 100000000, SNIFFED = 4096 };
enum { MOST_FILES = 1 << 12, MOST_CONFIG = 1 << 24 };

static const struct {
    const char *name;
    roof_weight_format form;
    bool is_packed; /* of a matrix: nobody multiplies such numbers, so several weights lie in one */
} types[] = {{"F64", {"f64", 64, 0, 0, 0}, false},
             {"F32", {"f32", 32, 0, 0, 0}, false},
             {"F16", {"f16", 16, 0, 0, 0}, false},
             {"BF16", {"bf16", 16, 0, 0, 0}, false},
             {"F8_E4M3", {"f8_e4m3", 8, 0, 0, 0}, false},
             {"F8_E5M2", {"f8_e5m2", 8, 0, 0, 0}, false},
             {"F8_E8M0", {"f8_e8m0", 8, 0, 0, 0}, false},
             {"F6_E2M3", {"f6_e2m3", 6, 0, 0, 0}, false},
             {"F6_E3M2", {"f6_e3m2", 6, 0, 0, 0}, false},
             {"F4", {"f4", 4, 0, 0, 0}, false},
             {"C64", {"c64", 64, 0, 0, 0}, false},
             {"I8", {"int8", 8, 0, 0, 0}, false},
             {"U8", {"u8", 8, 0, 0, 0}, true},
             {"I16", {"i16", 16, 0, 0, 0}, true},
             {"U16", {"u16", 16, 0, 0, 0}, true},
             {"I32", {"i32", 32, 0, 0, 0}, true},
             {"U32", {"u32", 32, 0, 0, 0}, true},
             {"I64", {"i64", 64, 0, 0, 0}, true},
             {"U64", {"u64", 64, 0, 0, 0}, true},
             {"BOOL", {"bool", 8, 0, 0, 0}, true}};

typedef struct place {
    uint64_t from, to;
    text_span name;
} place;

typedef struct reader {
    const unsigned char *bytes;
    uint64_t size, header_bytes;
    jsonpull *puller;
    stored_list *list;
    place *places;
    uint32_t n_places;
    namemap *names;
    roof_arena *scratch;
    roof_error *err;
} reader;

/* ---- the header ---------------------------------------------------------------------------------------- */

#define fail_here(r, ...) error_line((r)->err, ROOF_E_DATA, jsonpull_line((r)->puller), __VA_ARGS__)

static roof_status whole(reader *r, const json_event *e, const char *what, uint64_t *out)
{
    if (e->kind != JSON_NUMBER || !(e->number >= 0 && e->number <= 0x1p53) ||
        e->number < (double)(uint64_t)e->number || e->number > (double)(uint64_t)e->number)
        return fail_here(r, "%s: want a whole number from 0 to 2^53", what);
    *out = (uint64_t)e->number;
    return ROOF_OK;
}

/* Numbers of an array that has begun. */
static roof_status numbers(reader *r, const char *what, uint64_t *out, uint32_t most, uint32_t *n)
{
    json_event e;
    *n = 0;
    for (;;) {
        TRY(jsonpull_next(r->puller, &e, r->err));
        if (e.kind == JSON_CLOSE)
            return ROOF_OK;
        if (*n == most)
            return fail_here(r, "%s has more than %u numbers", what, most);
        TRY(whole(r, &e, what, &out[(*n)++]));
    }
}

static roof_status check_tensor(reader *r, stored_tensor *t, const uint64_t *shape, uint32_t n,
                                const uint64_t *offsets, uint32_t n_offsets)
{
    checked elements = {1, false};
    if (!t->form || n_offsets != 2 || n == ROOF_NONE)
        return fail_here(r, "tensor '%s' has no dtype, shape or data_offsets", SHOWN(t->name));
    for (uint32_t i = 0; i < n; i++) {
        elements = checked_times(elements, shape[i]);
        /* rows last; dimensions in front of the fourth from behind are those of rows as well */
        if (n - 1 - i < STORED_MOST_DIMS)
            t->dims[n - 1 - i] = shape[i];
    }
    t->n_dims = n < STORED_MOST_DIMS ? n : STORED_MOST_DIMS;
    t->elements = elements.value;
    if (elements.overflow || elements.value >> 56)
        return fail_here(r, "tensor '%s' has more than 2^56 elements", SHOWN(t->name));
    const uint64_t bits = t->elements * t->form->bits;
    t->bytes = offsets[1] - offsets[0];
    if (offsets[0] > offsets[1] || bits % 8 || t->bytes != bits / 8)
        return fail_here(r,
                         "tensor '%s' has data_offsets [%" PRIu64 ", %" PRIu64 "), want %" PRIu64
                         " bytes by its shape in %s",
                         SHOWN(t->name), offsets[0], offsets[1], bits / 8, t->form->name);
    t->is_packed = t->is_packed && n > 1;
    return ROOF_OK;
}

static roof_status read_members(reader *r, stored_tensor *t, uint64_t offsets[2])
{
    uint64_t shape[ROOF_MAX_DIMS];
    uint32_t n = ROOF_NONE, n_offsets = 0;
    json_event e;
    for (;;) {
        TRY(jsonpull_next(r->puller, &e, r->err));
        if (e.kind == JSON_CLOSE)
            return check_tensor(r, t, shape, n, offsets, n_offsets);
        if (strcmp(e.key, "dtype") == 0 && !t->form) {
            const uint32_t i = NAMED_AT(types, N_OF(types), name, e.kind == JSON_STRING ? e.text : NULL);
            if (i == N_OF(types))
                return fail_here(r, "tensor '%s' is of an unknown type, '%s'", SHOWN(t->name),
                                 SHOWN_TEXT(e.text ? e.text : ""));
            t->form = &types[i].form;
            t->is_packed = types[i].is_packed;
        } else if (strcmp(e.key, "shape") == 0 && e.kind == JSON_ARRAY && n == ROOF_NONE)
            TRY(numbers(r, "shape", shape, ROOF_MAX_DIMS, &n));
        else if (strcmp(e.key, "data_offsets") == 0 && e.kind == JSON_ARRAY && !n_offsets)
            TRY(numbers(r, "data_offsets", offsets, 2, &n_offsets));
        else
            return fail_here(r, "tensor '%s': '%s' is there twice, unknown, or of another kind",
                             SHOWN(t->name), SHOWN_TEXT(e.key));
    }
}

static roof_status add_tensor(reader *r, const json_event *first)
{
    const text_span name = {arena_strdup(r->scratch, first->key), strlen(first->key)};
    uint64_t offsets[2] = {0, 0};
    stored_tensor t = {.name = name};
    TRY(arena_status(r->scratch, r->err));
    TRY(read_members(r, &t, offsets));
    if (!namemap_add(r->names, name.text, name.length, r->list->n))
        return fail_here(r, "tensor '%s' is there twice", SHOWN(name));
    TRY(ARENA_ADD(r->scratch, r->places, r->n_places, r->err, (place){offsets[0], offsets[1], name}));
    return ARENA_ADD(r->scratch, r->list->tensors, r->list->n, r->err, t);
}

static roof_status read_table(reader *r)
{
    json_event e;
    TRY(jsonpull_next(r->puller, &e, r->err));
    if (e.kind != JSON_OBJECT)
        return error_at(r->err, ROOF_E_DATA, LENGTH_BYTES, "the header is %s, want an object",
                        json_kind_text(e.kind));
    for (;;) {
        TRY(jsonpull_next(r->puller, &e, r->err));
        if (e.kind == JSON_CLOSE)
            break;
        if (strcmp(e.key, "__metadata__") == 0)
            TRY(jsonpull_skip(r->puller, r->err));
        else if (e.kind == JSON_OBJECT)
            TRY(add_tensor(r, &e));
        else
            return fail_here(r, "'%s' is %s, want a tensor", SHOWN_TEXT(e.key), json_kind_text(e.kind));
    }
    TRY(jsonpull_next(r->puller, &e, r->err)); /* nothing but blanks behind it */
    return ROOF_OK;
}

/* file: its name, for what is told of one of several; NULL. */
static roof_status read_file(reader *r, roof_graph *g, const char *file)
{
    enum { SHORTEST = 40 }; /* of a tensor with a name of one letter */
    uint64_t data_bytes = 0;
    os_want(r->bytes, LENGTH_BYTES);
    const uint64_t left = r->size < LENGTH_BYTES ? 0 : r->size - LENGTH_BYTES;
    for (int i = LENGTH_BYTES - 1; r->size >= LENGTH_BYTES && i >= 0; i--)
        r->header_bytes = r->header_bytes << 8 | r->bytes[i];
    if (r->header_bytes > left || r->header_bytes > LONGEST_HEADER)
        return error_at(r->err, ROOF_E_DATA, 0, "the header has %" PRIu64 " bytes, want at most %" PRIu64,
                        r->header_bytes, left < LONGEST_HEADER ? left : LONGEST_HEADER);
    os_want(r->bytes + LENGTH_BYTES, r->header_bytes);
    r->names = namemap_new(r->scratch, (size_t)(r->header_bytes / SHORTEST) + 1);
    r->puller = jsonpull_of_memory(r->bytes + LENGTH_BYTES, (size_t)r->header_bytes);
    roof_status status = r->names && r->puller ? read_table(r) : error_memory(r->err);
    jsonpull_free(r->puller);
    TRY(status);
    /* tensors lie behind one another, without gaps */
    order_sort(r->places, r->n_places, sizeof *r->places, ORDER_BY(RISING(place, from), RISING(place, to)));
    FOR_EACH(const place, p, r->places, r->n_places) {
        const uint64_t at = LENGTH_BYTES + r->header_bytes + p->from;
        if (p->from != data_bytes) /* a byte that the file has, where its weights are not cut off */
            return error_at(r->err, ROOF_E_DATA, at < r->size ? at : ROOF_UNKNOWN,
                            "tensor '%s' %s: it begins at %" PRIu64 ", want %" PRIu64, SHOWN(p->name),
                            p->from < data_bytes ? "lies in another one" : "leaves a gap", p->from,
                            data_bytes);
        data_bytes = p->to;
    }
    const uint64_t there = r->size - LENGTH_BYTES - r->header_bytes;
    if (!there && data_bytes)
        FIND(&g->storage->found, file, HEADER_ALONE, AS("B", data_bytes));
    else if (there < data_bytes)
        FIND(&g->storage->found, file, WEIGHTS_CUT, AS("B", data_bytes - there), AS("B", data_bytes));
    return ROOF_OK;
}

/* ---- beside the file ----------------------------------------------------------------------------------- */

static uint32_t small(jsontree *t, const cJSON *o, const char *keys)
{
    const cJSON *node = lm_first_of(o, keys);
    return cJSON_IsNumber(node) ? jsontree_small(t, node) : ROOF_NONE;
}

/* A decoder that also sees has an object of its own for the words. */
static void read_config(jsontree *t, stored_facts *f)
{
    const cJSON *root = jsontree_object(t, t->root), *text = jsontree_get(root, "text_config");
    const cJSON *o = cJSON_IsObject(text) ? text : root, *uses = jsontree_get(o, "use_sliding_window");
    const cJSON *type = jsontree_get(o, "model_type");
#define FACT(member, gguf, config) f->member = small(t, o, config);
#include "model/formats/stored/facts.def"
#undef FACT
    f->has_keys = true;
    f->architecture = cJSON_IsString(type) ? jsontree_name(t, type) : NULL;
    if (uses && !cJSON_IsTrue(uses))
        f->window = ROOF_NONE;
    const cJSON *list = jsontree_get(o, "layer_types");
    const uint32_t n = cJSON_IsArray(list) ? (uint32_t)cJSON_GetArraySize(list) : 0;
    bool *is_sliding = n ? NEW_ARRAY(t->arena, bool, n) : NULL;
    if (is_sliding) {
        f->is_sliding = is_sliding;
        for (const cJSON *item = list->child; item; item = item->next, f->n_sliding++)
            is_sliding[f->n_sliding] =
                cJSON_IsString(item) && (strcmp(item->valuestring, "sliding_attention") == 0 ||
                                         strcmp(item->valuestring, "chunked_attention") == 0);
    }
    const uint32_t heads = small(t, o, "linear_num_value_heads"),
                   width = small(t, o, "linear_value_head_dim");
    if (heads != ROOF_NONE && width != ROOF_NONE && (uint64_t)heads * width < ROOF_NONE)
        f->state_inner = heads * width;
}

/* ---- the index of several files ------------------------------------------------------------------------ */

typedef struct index_file {
    const char **files;
    uint32_t n;
    uint64_t total_bytes; /* ROOF_UNKNOWN: not said */
    namemap *names;
} index_file;

/* A name that a terminal can show, of a file in the same folder. */
static bool is_file_name(const char *text)
{
    const char *c = text;
    while ((unsigned char)*c >= ' ' && *c != 0x7f && *c != '/')
        c++;
    return *text && !*c;
}

static roof_status add_name(reader *r, const json_event *e, index_file *x)
{
    if (e->kind != JSON_STRING || !is_file_name(e->text))
        return fail_here(r, "/weight_map: want names of files beside it");
    if (namemap_find(x->names, e->text, e->text_length) != ROOF_NONE)
        return ROOF_OK;
    if (x->n == MOST_FILES)
        return error_line(r->err, ROOF_E_LIMIT, jsonpull_line(r->puller),
                          "/weight_map names more than %d files", MOST_FILES);
    x->files[x->n] = arena_strndup(r->scratch, e->text, e->text_length);
    TRY(arena_status(r->scratch, r->err));
    namemap_add(x->names, x->files[x->n], e->text_length, x->n);
    x->n++;
    return ROOF_OK;
}

/* The members of an object that has begun: /metadata/total_size, or names of files. */
static roof_status read_object(reader *r, index_file *x, bool is_map)
{
    json_event e;
    for (;;) {
        TRY(jsonpull_next(r->puller, &e, r->err));
        if (e.kind == JSON_CLOSE)
            return ROOF_OK;
        if (is_map)
            TRY(add_name(r, &e, x));
        else if (strcmp(e.key, "total_size") == 0)
            TRY(whole(r, &e, "/metadata/total_size", &x->total_bytes));
        else
            TRY(jsonpull_skip(r->puller, r->err));
    }
}

static roof_status read_index_members(reader *r, index_file *x)
{
    json_event e;
    TRY(jsonpull_next(r->puller, &e, r->err));
    for (bool is_open = e.kind == JSON_OBJECT; is_open;) {
        TRY(jsonpull_next(r->puller, &e, r->err));
        is_open = e.kind != JSON_CLOSE;
        const bool is_map = is_open && strcmp(e.key, "weight_map") == 0;
        if (is_open && e.kind == JSON_OBJECT && (is_map || strcmp(e.key, "metadata") == 0))
            TRY(read_object(r, x, is_map));
        else if (is_open)
            TRY(jsonpull_skip(r->puller, r->err));
    }
    TRY(jsonpull_next(r->puller, &e, r->err));
    return x->n ? ROOF_OK : error_data(r->err, "/weight_map: want an object that names files");
}

static roof_status add_file(reader *of, roof_graph *g, const char *name)
{
    mapfile file = {0};
    const char *path = arena_path_beside(g->storage->scratch, g->path, name);
    TRY(arena_status(of->scratch, of->err));
    TRY(mapfile_open_sparse(path, &file, of->err));
    reader r = {.bytes = file.bytes,
                .size = file.size_bytes,
                .list = of->list,
                .scratch = of->scratch,
                .err = of->err};
    roof_status status = error_placed(read_file(&r, g, name), of->err, "%s", path);
    mapfile_close(&file);
    return status;
}

/* Bytes of missing tensors are unknown one by one, so a step cannot be predicted. */
static roof_status check_there(reader *r, const roof_graph *g, const index_file *x)
{
    uint32_t missing = 0;
    const char *first = NULL;
    for (uint32_t i = 0; i < x->n; i++) {
        const char *path = arena_path_beside(g->storage->scratch, g->path, x->files[i]);
        TRY(arena_status(r->scratch, r->err));
        if (os_may(OS_HERE, path, OS_MAY_BE))
            continue;
        first = missing++ ? first : x->files[i];
    }
    if (!missing)
        return ROOF_OK;
    const char *total =
        x->total_bytes == ROOF_UNKNOWN
            ? ""
            : arena_printf(r->scratch, " (all together have %" PRIu64 " bytes of weights)", x->total_bytes);
    return error_data(
        r->err,
        "%u of %u files of the index are not beside it, the first is '%s'%s; their headers are enough, or "
        "ask the config.json",
        missing, x->n, SHOWN_TEXT(first ? first : ""), total ? total : "");
}

static roof_status read_index(reader *r, roof_graph *g)
{
    index_file x = {.total_bytes = ROOF_UNKNOWN};
    uint64_t bytes = 0;
    TRY(ARENA_GET(r->scratch, x.files, MOST_FILES, r->err));
    x.names = namemap_new(r->scratch, MOST_FILES);
    os_want(r->bytes, r->size);
    r->puller = jsonpull_of_memory(r->bytes, (size_t)r->size);
    roof_status status = x.names && r->puller ? read_index_members(r, &x) : error_memory(r->err);
    jsonpull_free(r->puller);
    TRY(status);
    TRY(check_there(r, g, &x));
    for (uint32_t i = 0; i < x.n; i++)
        TRY(add_file(r, g, x.files[i]));
    for (uint32_t i = 0; i < r->list->n; i++)
        (void)checked_add_known(&bytes, r->list->tensors[i].bytes);
    if (x.total_bytes != ROOF_UNKNOWN && x.total_bytes != bytes)
        FIND(&g->storage->found, NULL, TOTAL_DIFFERS, AS("B", x.total_bytes), AS("B", bytes));
    return ROOF_OK;
}

/* ---- the format ---------------------------------------------------------------------------------------- */

static bool is_index(const unsigned char *bytes, uint64_t size)
{
    text_span text = {(const char *)bytes, size < SNIFFED ? (size_t)size : SNIFFED};
    text = span_trim(text);
    return span_begins(text, "{") && (span_has(text, "\"weight_map\"") || span_has(text, ".safetensors\"")) &&
           !span_has(text, "\"model_type\"");
}

/* A length that fits into a header of 100 MB has zeroes behind it, and the header begins as an object. It
 * may read as the first field of a protobuf, so this format is asked before those are. */
static bool safetensors_sniff(const unsigned char *bytes, uint64_t size)
{
    return (size > LENGTH_BYTES && !memcmp(bytes + 4, "\0\0\0\0", 4) && bytes[LENGTH_BYTES] == '{') ||
           is_index(bytes, size);
}

static roof_status safetensors_read(roof_graph *g, roof_error *err)
{
    struct roof_graph_storage *s = g->storage;
    stored_list list = {0};
    stored_facts facts = stored_nothing();
    reader r = {
        .bytes = s->file.bytes, .size = s->file.size_bytes, .list = &list, .scratch = s->scratch, .err = err};
    s->found.arena = s->arena;
    TRY(is_index(r.bytes, r.size) ? read_index(&r, g) : read_file(&r, g, NULL));
    /* facts of the config.json beside the file; none where there is none */
    const char *path = arena_path_beside(g->storage->scratch, g->path, "config.json");
    cJSON *root = NULL;
    TRY(arena_status(g->storage->scratch, err));
    if (os_may(OS_HERE, path, OS_MAY_BE)) {
        jsontree t = {.name = path, .arena = g->storage->scratch, .err = err};
        TRY(jsontree_read(path, MOST_CONFIG, &root, err));
        t.root = root;
        read_config(&t, &facts);
        cJSON_Delete(root);
        TRY(t.status);
    }
    return stored_build(g, &list, &facts, err);
}

const graph_format format_safetensors = {
    .id = "safetensors",
    .doc = "safetensors of a language model, or the index of several; with the config.json beside it",
    .wants = true,
    .sniff = safetensors_sniff,
    .read = safetensors_read,
    LM_FORMAT,
};
