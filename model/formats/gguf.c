/* GGUF: keys, and the table of tensors, of a model that ggml and llama.cpp load. Data behind the table is
 * never touched, so a file that ends there is as good.
 *
 * Sizes are not in the file: they follow from shapes and types. Limits are those of ggml's own reader,
 * which also wants each tensor right behind the one before. Source: the GGUF page of ggml-org/ggml,
 * src/gguf.cpp (versions 2 and 3); of version 1 counts, lengths and dimensions have 32 bits.
 */
#include "core/findings.h"
#include "core/platform/platform.h"
#include "model/formats/stored/stored_model.h"
#include "model/work/language_matrices.h"

enum { MAGIC_BYTES = 4, DEEPEST = 8, LONGEST_KEY = 1 << 16, DEFAULT_ALIGNMENT = 32, MOST_FILES = 1 << 10 };
static const uint64_t most_bytes = (uint64_t)1 << 62;

/* ---- types --------------------------------------------------------------------------------------------- */

static const struct {
    const char *gone; /* its name; NULL: it is known */
    roof_weight_format form;
} types[] = {
#define GGML_TYPE(number, name, weights, bytes) [number] = {NULL, FORM_OF_BLOCK(#name, weights, bytes, 0)},
#define GGML_GONE(number, name)                 [number] = {#name, {0}},
#include "model/work/ggml_types.def"
#undef GGML_TYPE
#undef GGML_GONE
};

enum { VALUE_STRING = 8, VALUE_ARRAY = 9, VALUE_TYPES = 13 };

/* By type: unsigned, signed, float, bool, string, array; and bytes, 0: it says its length itself. */
static const char value_kinds[] = "uiuiuifbsauif";
static const uint8_t value_bytes[VALUE_TYPES] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

/* ---- the file ------------------------------------------------------------------------------------------ */

typedef struct pair {
    text_span key;
    uint32_t type, item; /* item: of an array */
    uint64_t count, at;  /* count: of an array, else 1; at: where its values begin */
} pair;

typedef struct reader {
    const unsigned char *bytes;
    uint64_t at, size;
    bool is_big, is_narrow; /* narrow: counts have 32 bits */
    uint64_t alignment;
    pair *pairs;
    uint32_t n_pairs;
    namemap *keys;
    roof_arena *arena, *scratch;
    stored_list *list;
    uint64_t data_bytes, table_bytes;
    roof_error *err;
} reader;

#define fail_at(r, at, ...) error_at((r)->err, ROOF_E_DATA, (at), __VA_ARGS__)

static roof_status need(reader *r, uint64_t n, const char *what)
{
    return n <= r->size - r->at
               ? ROOF_OK
               : fail_at(r, r->at, "%s ends behind the file: want %" PRIu64 " bytes, %" PRIu64 " are left",
                         what, n, r->size - r->at);
}

static uint64_t number_at(const reader *r, uint64_t at, uint32_t n)
{
    uint64_t value = 0;
    os_want(r->bytes + at, n);
    for (uint32_t i = 0; i < n; i++)
        value = value << 8 | r->bytes[at + (r->is_big ? i : n - 1 - i)];
    return value;
}

static roof_status take(reader *r, uint32_t n, const char *what, uint64_t *out)
{
    TRY(need(r, n, what));
    *out = number_at(r, r->at, n);
    r->at += n;
    return ROOF_OK;
}

static roof_status take_u32(reader *r, const char *what, uint32_t *out)
{
    uint64_t value = 0;
    TRY(take(r, 4, what, &value));
    *out = (uint32_t)value;
    return ROOF_OK;
}

/* A count, a length or a dimension. */
static roof_status take_count(reader *r, const char *what, uint64_t *out)
{
    return take(r, r->is_narrow ? 4 : 8, what, out);
}

static roof_status take_string(reader *r, const char *what, uint64_t longest, text_span *out)
{
    uint64_t n = 0;
    const uint64_t at = r->at;
    TRY(take_count(r, what, &n));
    if (n > longest)
        return fail_at(r, at, "%s has %" PRIu64 " bytes, want at most %" PRIu64, what, n, longest);
    TRY(need(r, n, what));
    os_want(r->bytes + r->at, n);
    *out = (text_span){(const char *)r->bytes + r->at, (size_t)n};
    r->at += n;
    return ROOF_OK;
}

/* ---- keys ---------------------------------------------------------------------------------------------- */

static roof_status skip_value(reader *r, uint32_t type, uint32_t depth, pair *of);

static roof_status skip_array(reader *r, uint32_t depth, pair *of)
{
    const uint64_t at = r->at;
    uint32_t item = 0;
    uint64_t n = 0;
    if (depth == DEEPEST)
        return error_at(r->err, ROOF_E_LIMIT, at, "'%s' has arrays in one another, more than %d deep",
                        SHOWN(of->key), DEEPEST);
    TRY(take_u32(r, "the type of an array", &item));
    TRY(take_count(r, "the length of an array", &n));
    const uint64_t least = item < VALUE_TYPES && value_bytes[item] ? value_bytes[item] : r->is_narrow ? 4 : 8;
    if (item >= VALUE_TYPES)
        return fail_at(r, at, "'%s' is an array of type %u, want 0 to 12", SHOWN(of->key), item);
    if (n > (r->size - r->at) / least)
        return fail_at(r, at, "'%s' has %" PRIu64 " values, more than the file has room for", SHOWN(of->key),
                       n);
    if (!depth) {
        of->item = item;
        of->count = n;
        of->at = r->at;
    }
    if (value_bytes[item]) {
        r->at += n * value_bytes[item];
        return ROOF_OK;
    }
    for (uint64_t i = 0; i < n; i++)
        TRY(skip_value(r, item, depth + 1, of));
    return ROOF_OK;
}

static roof_status skip_value(reader *r, uint32_t type, uint32_t depth, pair *of)
{
    text_span text;
    if (type == VALUE_ARRAY)
        return skip_array(r, depth, of);
    if (type == VALUE_STRING)
        return take_string(r, "a text", r->size, &text);
    if (type >= VALUE_TYPES)
        return fail_at(r, r->at, "'%s' is of type %u, want 0 to 12", SHOWN(of->key), type);
    TRY(need(r, value_bytes[type], "a value"));
    r->at += value_bytes[type];
    return ROOF_OK;
}

static roof_status read_pairs(reader *r, uint64_t n)
{
    const uint64_t least = r->is_narrow ? 9 : 13; /* an empty key, a type, a byte */
    if (n > (r->size - r->at) / least || n >= ROOF_NONE)
        return fail_at(r, r->at, "%" PRIu64 " keys are more than the file has room for", n);
    TRY(ARENA_GET(r->scratch, r->pairs, n ? n : 1, r->err));
    r->keys = namemap_new(r->scratch, (size_t)n);
    TRY(ALLOCATED(r->keys, r->err));
    for (uint32_t i = 0; i < n; i++) {
        pair *p = &r->pairs[i];
        const uint64_t at = r->at;
        TRY(take_string(r, "a key", LONGEST_KEY, &p->key));
        TRY(take_u32(r, "the type of a value", &p->type));
        p->item = p->type;
        p->count = 1;
        p->at = r->at;
        TRY(skip_value(r, p->type, 0, p));
        if (!namemap_add(r->keys, p->key.text, p->key.length, i))
            return fail_at(r, at, "key '%s' is there twice", SHOWN(p->key));
        r->n_pairs++;
    }
    return ROOF_OK;
}

static const pair *find(const reader *r, const char *key)
{
    const uint32_t i = namemap_find(r->keys, key, strlen(key));
    return i == ROOF_NONE ? NULL : &r->pairs[i];
}

/* A whole number that is not below 0, of a number or the i-th of an array. */
static roof_status whole(reader *r, const pair *p, uint64_t i, uint64_t *out)
{
    const uint32_t n = p->item < VALUE_TYPES ? value_bytes[p->item] : 0;
    const uint64_t at = p->at + i * n;
    if (!n || value_kinds[p->item] == 'f')
        return fail_at(r, p->at, "'%s' is of type %u, want a whole number", SHOWN(p->key), p->item);
    *out = number_at(r, at, n);
    return value_kinds[p->item] == 'i' && *out >> (8 * n - 1)
               ? fail_at(r, at, "'%s' is below 0", SHOWN(p->key))
               : ROOF_OK;
}

/* A number below 2^32 - 1; the largest one of an array. */
static roof_status small(reader *r, const char *key, uint32_t *out)
{
    const pair *p = find(r, key);
    for (uint64_t i = 0; p && i < p->count; i++) {
        uint64_t value = 0;
        TRY(whole(r, p, i, &value));
        if (value >= ROOF_NONE)
            return fail_at(r, p->at, "'%s' is %" PRIu64 ", want less than 2^32 - 1", SHOWN(p->key), value);
        if (*out == ROOF_NONE || value > *out)
            *out = (uint32_t)value;
    }
    return ROOF_OK;
}

/* By layer, where the period is an array of flags. */
static roof_status read_sliding(reader *r, const char *key, stored_facts *f)
{
    const pair *p = find(r, key);
    bool *is_sliding;
    if (!p || p->type != VALUE_ARRAY || !p->count)
        return ROOF_OK;
    const uint32_t n = p->count < STORED_MOST_LAYERS ? (uint32_t)p->count : STORED_MOST_LAYERS;
    TRY(ARENA_GET(r->scratch, is_sliding, n, r->err));
    for (uint32_t i = 0; i < n; i++) {
        uint64_t value = 0;
        TRY(whole(r, p, i, &value));
        is_sliding[i] = value != 0;
    }
    f->is_sliding = is_sliding;
    f->n_sliding = n;
    return ROOF_OK;
}

static roof_status read_facts(reader *r, stored_facts *f)
{
    static const char period[] = "attention.sliding_window_pattern";
    const struct {
        const char *key;
        uint32_t *to;
    } keys[] = {
#define FACT(member, gguf, config) {gguf, &f->member},
#include "model/formats/stored/facts.def"
#undef FACT
    };
    *f = stored_nothing();
    f->has_keys = f->counts_further = true;
    const pair *named = find(r, "general.architecture");
    const uint32_t width = r->is_narrow ? 4 : 8; /* of the length of a text */
    if (!named || named->type != VALUE_STRING)
        return fail_at(r, MAGIC_BYTES, "has no key general.architecture, which is a text");
    f->architecture = arena_name(r->arena, (const char *)r->bytes + named->at + width,
                                 (size_t)number_at(r, named->at, width));
    TRY(arena_status(r->arena, r->err));
    for (size_t i = 0; i < N_OF(keys); i++) {
        const char *key = arena_printf(r->scratch, "%s.%s", f->architecture, keys[i].key);
        TRY(arena_status(r->scratch, r->err));
        TRY(small(r, key, keys[i].to));
        if (strcmp(keys[i].key, period) == 0)
            TRY(read_sliding(r, key, f));
    }
    return ROOF_OK;
}

/* ---- tensors ------------------------------------------------------------------------------------------- */

static roof_status read_shape(reader *r, stored_tensor *t)
{
    uint32_t n = 0;
    checked elements = {1, false};
    const uint64_t at = r->at;
    TRY(take_u32(r, "a tensor", &n));
    if (n > STORED_MOST_DIMS)
        return fail_at(r, at, "tensor '%s' has %u dimensions, want at most %d", SHOWN(t->name), n,
                       STORED_MOST_DIMS);
    for (t->n_dims = 0; t->n_dims < n; t->n_dims++) {
        TRY(take_count(r, "a tensor", &t->dims[t->n_dims]));
        elements = checked_times(elements, t->dims[t->n_dims]);
    }
    t->elements = elements.value;
    return !elements.overflow && elements.value <= most_bytes / 8 && elements.value
               ? ROOF_OK
               : fail_at(r, at, "tensor '%s' has no elements, or more than 2^59", SHOWN(t->name));
}

static roof_status set_type(reader *r, uint32_t type, uint64_t at, stored_tensor *t)
{
    if (type < N_OF(types) && types[type].gone)
        return error_at(r->err, ROOF_E_UNSUPPORTED, at,
                        "tensor '%s' is of type %u, %s, which ggml has removed; convert the model again",
                        SHOWN(t->name), type, types[type].gone);
    if (type >= N_OF(types) || !types[type].form.name)
        return fail_at(r, at, "tensor '%s' is of type %u, want one of ggml's, 0 to %zu", SHOWN(t->name), type,
                       N_OF(types) - 1);
    t->form = &types[type].form;
    if (t->form->group && (!t->n_dims || t->dims[0] % t->form->group))
        return fail_at(r, at, "tensor '%s' has rows of %" PRIu64 ", want a multiple of %u, a block of %s",
                       SHOWN(t->name), t->dims[0], t->form->group, t->form->name);
    t->bytes = roof_weight_format_bytes(t->form, t->elements, false);
    return ROOF_OK;
}

static roof_status read_tensor(reader *r, namemap *names, stored_tensor *t)
{
    uint32_t type = 0;
    uint64_t offset = 0;
    const uint64_t at = r->at;
    TRY(take_string(r, "the name of a tensor", LONGEST_KEY, &t->name));
    TRY(read_shape(r, t));
    TRY(take_u32(r, "a tensor", &type));
    TRY(set_type(r, type, r->at - 4, t));
    TRY(take(r, 8, "a tensor", &offset));
    const char *fault = offset % r->alignment    ? "is not aligned"
                        : offset < r->data_bytes ? "lies in the tensor before"
                        : offset > r->data_bytes ? "leaves a gap behind the tensor before"
                                                 : NULL;
    if (fault)
        return fail_at(r, r->at - 8, "tensor '%s' %s: its offset is %" PRIu64 ", want %" PRIu64,
                       SHOWN(t->name), fault, offset, r->data_bytes);
    if (!namemap_add(names, t->name.text, t->name.length, r->list->n))
        return fail_at(r, at, "tensor '%s' is there twice", SHOWN(t->name));
    if (t->bytes > most_bytes - r->alignment || r->data_bytes > most_bytes - r->alignment - t->bytes)
        return fail_at(r, at, "tensor '%s' ends behind 2^62 bytes", SHOWN(t->name));
    r->data_bytes += ceil_div(t->bytes, r->alignment) * r->alignment;
    return ROOF_OK;
}

static roof_status read_tensors(reader *r, uint64_t n)
{
    const uint64_t least = r->is_narrow ? 20 : 24; /* name, number of dimensions, type, offset */
    stored_list *list = r->list;
    if (n > (r->size - r->at) / least || n + list->n >= ROOF_NONE)
        return fail_at(r, r->at, "%" PRIu64 " tensors are more than the file has room for", n);
    namemap *names = namemap_new(r->scratch, (size_t)n);
    TRY(ALLOCATED(names, r->err));
    for (uint64_t i = 0; i < n; i++) {
        stored_tensor t = {.n_dims = 0};
        TRY(read_tensor(r, names, &t));
        TRY(ARENA_ADD(r->scratch, list->tensors, list->n, r->err, t));
    }
    return ROOF_OK;
}

/* ---- a file -------------------------------------------------------------------------------------------- */

static roof_status read_file(reader *r, stored_list *list)
{
    uint64_t n_tensors = 0, n_pairs = 0;
    uint32_t version = 0, alignment = ROOF_NONE;
    r->list = list;
    r->at = MAGIC_BYTES;
    TRY(take_u32(r, "the header", &version));
    if (version && !(version & 0xffff)) {
        r->is_big = true;
        version = (uint32_t)number_at(r, MAGIC_BYTES, 4);
    }
    r->is_narrow = version == 1;
    if (version < 1 || version > 3)
        return error_at(r->err, ROOF_E_UNSUPPORTED, MAGIC_BYTES, "is GGUF of version %u, want 1 to 3",
                        version);
    TRY(take_count(r, "the header", &n_tensors));
    TRY(take_count(r, "the header", &n_pairs));
    TRY(read_pairs(r, n_pairs));
    TRY(small(r, "general.alignment", &alignment));
    r->alignment = alignment == ROOF_NONE ? DEFAULT_ALIGNMENT : alignment;
    if (!r->alignment || r->alignment & (r->alignment - 1))
        return fail_at(r, MAGIC_BYTES, "general.alignment is %" PRIu64 ", want a power of two", r->alignment);
    TRY(read_tensors(r, n_tensors));
    r->table_bytes = ceil_div(r->at, r->alignment) * r->alignment;
    return ROOF_OK;
}

/* Bytes of weights that the file lacks; all of them: it is a header. */
static void tell_length(roof_graph *g, const reader *r, const char *file)
{
    const uint64_t want = r->table_bytes + r->data_bytes;
    if (r->size <= r->table_bytes)
        FIND(&g->storage->found, file, HEADER_ALONE, AS("B", r->data_bytes));
    else if (r->size < want && want - r->size >= r->alignment) /* the last tensor need not be padded */
        FIND(&g->storage->found, file, WEIGHTS_CUT, AS("B", want - r->size), AS("B", want));
}

static bool gguf_sniff(const unsigned char *bytes, uint64_t size)
{
    return size >= MAGIC_BYTES && memcmp(bytes, "GGUF", MAGIC_BYTES) == 0;
}

static roof_status add_part(roof_graph *g, const reader *first, uint32_t part, uint32_t of, stored_list *list)
{
    mapfile file = {0};
    uint32_t number = ROOF_NONE;
    /* "model-00002-of-00003.gguf" beside the first one, as llama.cpp's gguf-split names them */
    const char *tail = arena_printf(first->scratch, "-%05u-of-%05u.gguf", 1u, of);
    TRY(arena_status(first->scratch, first->err));
    text_span stem = span_of(g->path);
    if (!span_skip_end(&stem, tail))
        return error_data(
            first->err,
            "is the first of %u files of a model, and not called NAME%s: the others cannot be found", of,
            tail);
    const char *path =
        arena_printf(first->scratch, "%.*s-%05u-of-%05u.gguf", (int)stem.length, stem.text, part + 1, of);
    TRY(arena_status(first->scratch, first->err));
    TRY(mapfile_open_sparse(path, &file, first->err));
    reader r = {.bytes = file.bytes,
                .size = file.size_bytes,
                .arena = first->arena,
                .scratch = first->scratch,
                .err = first->err};
    const uint32_t before = list->n;
    os_want(r.bytes, MAGIC_BYTES);
    roof_status status =
        gguf_sniff(r.bytes, r.size) ? read_file(&r, list) : fail_at(&r, 0, "is no GGUF file");
    THEN(status, small(&r, "split.no", &number));
    if (status == ROOF_OK && number != part)
        status = error_data(r.err, "is part %u of a model, want part %u by its name", number, part);
    for (uint32_t i = before; status == ROOF_OK && i < list->n; i++) { /* names outlive the mapping */
        text_span *name = &list->tensors[i].name;
        name->text = arena_strndup(first->scratch, name->text, name->length);
    }
    if (status == ROOF_OK)
        tell_length(g, &r, path_base_name(path));
    else
        error_prefix(r.err, "%s", path);
    mapfile_close(&file);
    return status == ROOF_OK ? arena_status(first->scratch, first->err) : status;
}

/* ---- the format ---------------------------------------------------------------------------------------- */

static roof_status gguf_read(roof_graph *g, roof_error *err)
{
    struct roof_graph_storage *s = g->storage;
    reader r = {.bytes = s->file.bytes,
                .size = s->file.size_bytes,
                .arena = s->arena,
                .scratch = s->scratch,
                .err = err};
    stored_list list = {0};
    stored_facts facts;
    s->found.arena = s->arena;
    TRY(read_file(&r, &list));
    tell_length(g, &r, NULL);
    uint32_t of = ROOF_NONE, number = ROOF_NONE;
    TRY(small(&r, "split.count", &of));
    TRY(small(&r, "split.no", &number));
    if (of != ROOF_NONE && of >= 2) {
        if (of > MOST_FILES || number >= of)
            return error_data(r.err, "is part %u of %u files, want less of at most %d", number, of,
                              MOST_FILES);
        if (number)
            return error_data(
                r.err,
                "is file %u of %u of a model; name the first one, which has its keys: NAME-%05u-of-%05u.gguf",
                number + 1, of, 1u, of);
        for (uint32_t i = 1; i < of; i++)
            TRY(add_part(g, &r, i, of, &list));
    }
    TRY(read_facts(&r, &facts));
    return stored_build(g, &list, &facts, err);
}

const graph_format format_gguf = {
    .id = "gguf",
    .doc = "GGUF of a language model: versions 1 to 3, whole, split, or its header alone; weights are never "
           "read",
    .wants = true,
    .sniff = gguf_sniff,
    .read = gguf_read,
    LM_FORMAT,
};
