#include "model/formats/tflite/tflite_model.h"
#include "core/platform/platform.h"
#include "model/work/opmap.h"

/* Fields of tables. */
enum { MODEL_VERSION, MODEL_CODES, MODEL_SUBGRAPHS, MODEL_DESCRIPTION, MODEL_BUFFERS, MODEL_METADATA = 6 };
enum { METADATA_NAME, METADATA_BUFFER };
enum { CODE_SHORT, CODE_CUSTOM, CODE_VERSION, CODE_BUILTIN };
enum { SUBGRAPH_TENSORS, SUBGRAPH_INPUTS, SUBGRAPH_OUTPUTS, SUBGRAPH_OPERATORS, SUBGRAPH_NAME };
enum { OPERATOR_CODE, OPERATOR_INPUTS, OPERATOR_OUTPUTS, OPERATOR_OPTIONS_TYPE, OPERATOR_OPTIONS };
enum { TENSOR_SHAPE, TENSOR_TYPE, TENSOR_BUFFER, TENSOR_NAME, TENSOR_IS_VARIABLE = 5, TENSOR_SIGNATURE = 7 };
enum { TENSOR_HAS_RANK = 8 };
enum { BUFFER_DATA, BUFFER_OFFSET, BUFFER_SIZE };

enum { VERSION = 3 };

static const char *const builtins[] = {
#define BUILTIN(name) #name,
#include "model/formats/tflite/builtins.def"
#undef BUILTIN
};

/* A copy, up to its first NUL; with control characters, or bytes that are no text, as it is shown. NULL
 * without memory. */
static const char *copied(roof_arena *arena, text_span text)
{
    const char *copy = arena_strndup(arena, text.text, text.length);
    const size_t length = copy ? strlen(copy) : 0;
    return !copy || utf8_first_bad(copy, length) == length ? copy : arena_shown(arena, copy);
}

/* ---- operator codes ---- */

static roof_status read_code(const fb_vector *list, uint32_t i, roof_arena *arena, uint64_t *named_bytes,
                             tflite_code *out, roof_error *err)
{
    fb_table table;
    int64_t of_byte, of_int;
    text_span custom;
    TRY(fb_table_of(list, i, &table, err));
    TRY(fb_signed(&table, CODE_SHORT, 1, 0, &of_byte, err));
    TRY(fb_signed(&table, CODE_BUILTIN, 4, 0, &of_int, err));
    TRY(fb_string(&table, CODE_CUSTOM, &custom, err));
    const int64_t builtin =
        of_int > of_byte ? of_int : of_byte; /* the byte is that of older writers, up to 127 */
    *named_bytes += custom.length;
    if (*named_bytes > list->file_bytes) /* a single text that many share */
        return error_at(err, ROOF_E_LIMIT, table.at, "names of operators are longer than the file");
    const bool is_named = builtin >= 0 && builtin < (int64_t)N_OF(builtins);
    out->is_custom = is_named && strcmp(builtins[builtin], "CUSTOM") == 0;
    if (out->is_custom && custom.length && custom.text[0])
        out->type = copied(arena, custom);
    else if (is_named)
        out->type = builtins[builtin];
    else
        out->type = arena_printf(arena, "BUILTIN_%" PRId64, builtin);
    TRY(ALLOCATED(out->type, err));
    /* a custom operator may have the name of one that is known from elsewhere, and be another one */
    out->rule = out->is_custom ? ROOF_RULE_UNKNOWN : rule_of(out->type);
    return ROOF_OK;
}

bool tflite_is(const tflite_code *code, const char *types)
{
    return !code->is_custom && text_has_word(types, code->type);
}

static roof_status copy_text(const fb_table *table, uint32_t field, roof_arena *arena, const char **out,
                             roof_error *err)
{
    text_span text;
    TRY(fb_string(table, field, &text, err));
    *out = copied(arena, text);
    return ALLOCATED(*out, err);
}

static roof_status read_subgraph(const fb_table *table, tflite_model *out, roof_error *err)
{
    TRY(fb_elements(table, SUBGRAPH_TENSORS, 4, &out->tensors, err));
    TRY(fb_elements(table, SUBGRAPH_INPUTS, 4, &out->inputs, err));
    TRY(fb_elements(table, SUBGRAPH_OUTPUTS, 4, &out->outputs, err));
    return fb_elements(table, SUBGRAPH_OPERATORS, 4, &out->operators, err);
}

roof_status tflite_subgraph(const tflite_model *model, uint64_t i, tflite_model *out, roof_error *err)
{
    fb_table table;
    *out = *model;
    if (i >= model->subgraphs.n)
        return error_data(err, "it runs subgraph %" PRIu64 ", and there are %" PRIu32, i, model->subgraphs.n);
    TRY(fb_table_of(&model->subgraphs, (uint32_t)i, &table, err));
    return read_subgraph(&table, out, err);
}

roof_status tflite_open(const unsigned char *bytes, uint64_t size, roof_arena *arena, tflite_model *out,
                        roof_error *err)
{
    fb_table root, main;
    fb_vector codes;
    uint64_t version, named_bytes = 0;
    tflite_code *list;
    TRY(fb_root(bytes, size, &root, err));
    TRY(fb_unsigned(&root, MODEL_VERSION, 4, 0, &version, err));
    if (version != VERSION)
        return error_set(err, ROOF_E_UNSUPPORTED,
                         "is a TFLite model of schema version %" PRIu64 ", want %d: convert it anew", version,
                         VERSION);
    TRY(fb_elements(&root, MODEL_CODES, 4, &codes, err));
    TRY(fb_elements(&root, MODEL_SUBGRAPHS, 4, &out->subgraphs, err));
    TRY(fb_elements(&root, MODEL_BUFFERS, 4, &out->buffers, err));
    TRY(fb_elements(&root, MODEL_METADATA, 4, &out->metadata, err));
    TRY(copy_text(&root, MODEL_DESCRIPTION, arena, &out->description, err));
    if (!out->subgraphs.n)
        return error_at(err, ROOF_E_DATA, root.at, "the model has no subgraph");
    out->n_subgraphs = out->subgraphs.n;
    TRY(fb_table_of(&out->subgraphs, 0, &main, err));
    TRY(read_subgraph(&main, out, err));
    TRY(copy_text(&main, SUBGRAPH_NAME, arena, &out->name, err));
    if (!out->operators.n)
        return error_at(err, ROOF_E_DATA, main.at, "the main subgraph has no operator");

    TRY(ARENA_GET(arena, list, codes.n, err));
    for (uint32_t i = 0; i < codes.n; i++)
        TRY(error_placed(read_code(&codes, i, arena, &named_bytes, &list[i], err), err,
                         "operator code %" PRIu32, i));
    out->codes = list;
    out->n_codes = codes.n;
    return ROOF_OK;
}

/* ---- operators ---- */

static roof_status read_operator(const tflite_model *m, uint32_t i, tflite_operator *out, roof_error *err)
{
    fb_table table;
    uint64_t code, type;
    bool has_options;
    TRY(fb_table_of(&m->operators, i, &table, err));
    TRY(fb_unsigned(&table, OPERATOR_CODE, 4, 0, &code, err));
    if (code >= m->n_codes)
        return error_at(err, ROOF_E_DATA, table.at, "its code is number %" PRIu64 ", and there are %" PRIu32,
                        code, m->n_codes);
    out->code = &m->codes[code];
    TRY(fb_elements(&table, OPERATOR_INPUTS, 4, &out->inputs, err));
    TRY(fb_elements(&table, OPERATOR_OUTPUTS, 4, &out->outputs, err));
    TRY(fb_unsigned(&table, OPERATOR_OPTIONS_TYPE, 1, 0, &type, err));
    TRY(fb_enter(&table, OPERATOR_OPTIONS, &out->options, &has_options, err));
    out->options_type = has_options ? (uint32_t)type : 0;
    return ROOF_OK;
}

roof_status tflite_operator_of(const tflite_model *model, uint32_t i, tflite_operator *out, roof_error *err)
{
    return error_placed(read_operator(model, i, out, err), err, "operator %" PRIu32, i);
}

/* ---- tensors ---- */

/* Bits of an element by TensorType, 0 of a text or a resource: float32, float16, int32, uint8, int64, a text,
 * bool, int16, complex64, int8, float64, complex128, uint64, resource, variant, uint32, uint16, int4,
 * bfloat16, int2, uint4, float8 of two kinds. */
static const unsigned char element_bits[] = {32, 16, 32, 8,  64, 0, 8,  16, 64, 8, 64, 128,
                                             64, 0,  0,  32, 16, 4, 16, 2,  4,  8, 8};

bool tflite_has_shape(const roof_tensor *t)
{
    return t->n_dims != 1 || t->dims[0];
}

roof_status tflite_set_bytes(roof_tensor *t, roof_error *err)
{
    checked elements = {1, false};
    for (uint32_t k = 0; k < t->n_dims; k++)
        elements = checked_times(elements, t->dims[k]);
    const checked bits = checked_plus(checked_times(elements, t->bit_width), 7);
    if (bits.overflow)
        return error_set(err, ROOF_E_LIMIT, "tensor '%.200s': its bits overflow 64 bits", t->name);
    t->elements = elements.value;
    t->bytes = bits.value / 8;
    return ROOF_OK;
}

/* Where a buffer has its bytes, in the flatbuffer or behind it; none: *size is 0. */
static roof_status find_data(const tflite_model *m, uint64_t buffer, uint64_t *at, uint64_t *size,
                             roof_error *err)
{
    fb_table table;
    fb_vector data;
    uint64_t offset, behind;
    *at = *size = 0;
    if (!buffer) /* it stands for none */
        return ROOF_OK;
    if (buffer >= m->buffers.n)
        return error_data(err, "its buffer is number %" PRIu64 ", and there are %" PRIu32, buffer,
                          m->buffers.n);
    TRY(fb_table_of(&m->buffers, (uint32_t)buffer, &table, err));
    TRY(fb_elements(&table, BUFFER_DATA, 1, &data, err));
    TRY(fb_unsigned(&table, BUFFER_OFFSET, 8, 0, &offset, err));
    TRY(fb_unsigned(&table, BUFFER_SIZE, 8, 0, &behind, err));
    const bool is_behind = offset > 1; /* 0 and 1 stand for none, by the schema */
    if (is_behind && (offset > table.file_bytes || behind > table.file_bytes - offset))
        return error_at(err, ROOF_E_DATA, table.at,
                        "buffer %" PRIu64 " has %" PRIu64 " bytes from byte 0x%" PRIx64
                        " on, beyond the end: the file is truncated or damaged",
                        buffer, behind, offset);
    *at = data.n ? data.at : is_behind ? offset : 0;
    *size = data.n ? data.n : is_behind ? behind : 0;
    return ROOF_OK;
}

roof_status tflite_metadata(const tflite_model *m, const char *name, text_span *out, roof_error *err)
{
    *out = (text_span){NULL, 0};
    for (uint32_t i = 0; i < m->metadata.n && !out->text; i++) {
        fb_table table;
        text_span key;
        uint64_t buffer, at, size;
        TRY(fb_table_of(&m->metadata, i, &table, err));
        TRY(fb_string(&table, METADATA_NAME, &key, err));
        if (!span_is(key, name))
            continue;
        TRY(fb_unsigned(&table, METADATA_BUFFER, 4, 0, &buffer, err));
        TRY(find_data(m, buffer, &at, &size, err));
        *out = (text_span){(const char *)table.file + at, (size_t)size};
        os_want(out->text, size);
    }
    return ROOF_OK;
}

roof_status tflite_metadata_text(const tflite_model *m, const char *name, roof_arena *arena, const char **out,
                                 roof_error *err)
{
    text_span found;
    TRY(tflite_metadata(m, name, &found, err));
    *out = found.text ? copied(arena, found) : NULL;
    return found.text && !*out ? error_memory(err) : ROOF_OK;
}

static roof_status read_tensor(const tflite_model *m, uint32_t i, roof_arena *arena, roof_tensor *out,
                               tflite_tensor *more, roof_error *err)
{
    fb_table table;
    fb_vector shape, signature;
    text_span name;
    uint64_t type, buffer, is_variable, has_rank;
    bool is_known;
    *out = (roof_tensor){.name = ""};
    *more = (tflite_tensor){0};
    TRY(fb_table_of(&m->tensors, i, &table, err));
    TRY(fb_elements(&table, TENSOR_SHAPE, 4, &shape, err));
    TRY(fb_unsigned(&table, TENSOR_TYPE, 1, 0, &type, err));
    TRY(fb_unsigned(&table, TENSOR_BUFFER, 4, 0, &buffer, err));
    TRY(fb_string(&table, TENSOR_NAME, &name, err));
    TRY(fb_unsigned(&table, TENSOR_IS_VARIABLE, 1, 0, &is_variable, err));
    TRY(fb_elements(&table, TENSOR_SIGNATURE, 4, &signature, err));
    TRY(fb_unsigned(&table, TENSOR_HAS_RANK, 1, 0, &has_rank, err));
    TRY(find_data(m, buffer, &more->data_at, &more->data_bytes, err));
    more->has_data = more->data_bytes;
    more->is_variable = is_variable;
    more->is_whole = type == 2 || type == 4;
    if (arena)
        out->name =
            name.length && name.text[0] ? copied(arena, name) : arena_printf(arena, "tensor_%" PRIu32, i);
    TRY(ALLOCATED(out->name, err));
    out->bit_width = type < sizeof element_bits ? element_bits[type] : 0;
    /* unknown where the signature, or the shape itself, leaves something open that is not the first
     * dimension, or where it has more dimensions than this build counts with */
    is_known = shape.n <= ROOF_MAX_DIMS;
    for (uint32_t k = 0; k < shape.n && is_known; k++) {
        const int32_t dim = fb_int32_of(&shape, k);
        const bool is_left_open = dim == -1 || (signature.n == shape.n && fb_int32_of(&signature, k) == -1);
        out->dims[k] = dim >= 0 ? (uint32_t)dim : 1;
        more->is_open = more->is_open || (is_left_open && !k);
        is_known = dim >= -1 && (!is_left_open || !k);
    }
    out->n_dims = is_known ? shape.n : 0;
    /* no dimension is a single number where the file says so, or holds it; older files do not say it */
    is_known = is_known && out->bit_width && (shape.n || has_rank || more->has_data);
    if (!is_known)
        *out = (roof_tensor){.name = out->name, .n_dims = 1, .bit_width = 8};
    more->is_open = more->is_open && is_known;
    return tflite_set_bytes(out, err);
}

roof_status tflite_tensor_of(const tflite_model *model, uint32_t i, roof_arena *arena, roof_tensor *out,
                             tflite_tensor *more, roof_error *err)
{
    return error_placed(read_tensor(model, i, arena, out, more, err), err, "tensor %" PRIu32, i);
}
