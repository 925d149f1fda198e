/* How weights are stored: forms by name, and which matrix of a file has which.
 * Source: roofline/weight_forms.def.
 */
#include "model/work/language_matrices.h"

#include "model/work/product.h"

#include <strings.h>

enum {
#define GGML_TYPE(number, name, weights, bytes) WEIGHTS_##name = (weights), BYTES_##name = (bytes),
#define GGML_GONE(number, name)
#include "model/work/ggml_types.def"
#undef GGML_TYPE
#undef GGML_GONE
};

static const roof_weight_format formats[] = {
#define FORM(name, bits, group, group_bits, stored) {name, bits, group, group_bits, stored},
#define FORM_OF_GGML(name, type, stored)            FORM_OF_BLOCK(name, WEIGHTS_##type, BYTES_##type, stored),
#define FILE_TYPE(name, base, others, more, rule)
#include "roofline/weight_forms.def"
#undef FORM
#undef FORM_OF_GGML
#undef FILE_TYPE
};

typedef enum more_rule { NEVER, FIRST, ALTERNATE } more_rule;

typedef struct file_type {
    const char *name, *base, *ends, *more;
    more_rule rule;
} file_type;

static const file_type file_types[] = {
#define FORM(name, bits, group, group_bits, stored)
#define FORM_OF_GGML(name, type, stored)
#define FILE_TYPE(name, base, others, more, rule) {name, base, others, more, rule},
#include "roofline/weight_forms.def"
#undef FORM
#undef FORM_OF_GGML
#undef FILE_TYPE
};

/* Forms that llama.cpp takes where a row is no multiple of a block of 256: tensor_type_fallback. */
typedef struct fallback {
    const char *name, *instead;
} fallback;
static const fallback fallbacks[] = {{"q4_k", "q5_0"}, {"q5_k", "q5_1"}, {"q6_k", "q8_0"}};

enum { MOST_GROUP = 1 << 22, SCALE_BITS = 16, GGML_BLOCK = 32, EIGHT_EXPERTS = 8 };
enum { LAYERS_OF_70B = 80, HIDDEN_OF_70B = 8192, KEPT_BITS = 16, FILE_ROUTER_BITS = 32 };

const char *roof_weight_format_name(size_t i)
{
    return i < N_OF(formats) ? formats[i].name : NULL;
}

roof_status roof_weight_format_parse(const char *text, roof_weight_format *out, roof_error *err)
{
    const size_t length = strcspn(text, ":");
    double group = 0;
    const char *type = data_type_name(text, length); /* "fp16", which is f16 here, of "half" and "Float16" */
    for (size_t i = 0; i < N_OF(formats); i++) {
        const char *name = formats[i].name;
        const bool is_type =
            type && (strcmp(name, type) == 0 ||
                     (strncmp(type, "fp", 2) == 0 && *name == 'f' && strcmp(name + 1, type + 2) == 0));
        if (!is_type && (strlen(name) != length || strncasecmp(name, text, length) != 0))
            continue;
        *out = formats[i];
        if (!text[length])
            return ROOF_OK;
        const char *digits = text + length + 1;
        const size_t n = strlen(digits);
        if (strncmp(out->name, "int", 3) != 0 || !n || number_parse(digits, n, &group) != n ||
            !(group >= 1 && group <= MOST_GROUP) || group > (double)(uint32_t)group)
            return error_set(
                err, ROOF_E_USAGE,
                "'%.60s': want how many weights share a scale, behind int2 to int8 alone, as in int4:128",
                text);
        out->group = (uint32_t)group;
        out->group_bits = SCALE_BITS + out->bits;
        return ROOF_OK;
    }
    textbuf known;
    text_init(&known, 1024);
    for (size_t i = 0; i < N_OF(formats); i++)
        text_printf(&known, "%s, ", formats[i].name);
    error_set(err, ROOF_E_USAGE, "'%.60s' is no weight type that is known; want %sor int4:GROUP", text,
              known.failed ? "" : known.bytes);
    text_free(&known);
    return ROOF_E_USAGE;
}

uint64_t roof_weight_format_bytes(const roof_weight_format *f, uint64_t n, bool as_stored)
{
    const uint32_t shared = as_stored && f->stored_group_bits ? f->stored_group_bits : f->group_bits;
    const unsigned __int128 bits =
        f->group ? (unsigned __int128)n * ((uint64_t)f->bits * f->group + shared) / f->group
                 : (unsigned __int128)n * f->bits;
    return bits / 8 > INT64_MAX ? ROOF_UNKNOWN : (uint64_t)(bits / 8);
}

/* ---- files of several forms ---------------------------------------------------------------------------- */

static const file_type *file_type_of(const roof_weight_format *f)
{
    return f->name ? NAMED(file_types, N_OF(file_types), name, f->name) : NULL;
}

bool weight_format_is_file(const roof_weight_format *f)
{
    return file_type_of(f);
}

/* use_more_bits, and its like for the small sizes: src/llama-quant.cpp. */
bool language_has_more(const roof_weight_format *f, bool is_down, uint32_t i, uint32_t n)
{
    const file_type *t = file_type_of(f);
    if (!t || t->rule == NEVER)
        return false;
    if (t->rule == FIRST)
        return i < (is_down ? n / 8 : 4);
    return i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2;
}

/* Form of a matrix in llama.cpp's file, before rows that fit no block. */
static const char *form_in_file(const file_type *t, const roof_language_model *m, const roof_layer_kind *k,
                                roof_matrix_role role)
{
    const bool has_eight = strchr(t->base, 'k') && m->experts == EIGHT_EXPERTS;
    if (m->has_fused_keys && t->rule == ALTERNATE && role <= ROOF_MATRIX_VALUE)
        return strcmp(t->base, "q4_k") == 0 ? "q5_k" : "q6_k";
    switch (role) {
    case ROOF_MATRIX_HEAD:
        return t->ends;
    case ROOF_MATRIX_EMBEDDING:
        return m->is_tied ? t->ends : t->base;
    case ROOF_MATRIX_KEY:
        return has_eight ? "q8_0" : t->base;
    case ROOF_MATRIX_VALUE:
        if (has_eight)
            return "q8_0";
        if (k && k->has_more_value)
            return t->more;
        return strcmp(t->base, "q4_k") == 0 && m->layers == LAYERS_OF_70B && m->hidden == HIDDEN_OF_70B &&
                       m->heads != m->kv_heads
                   ? "q5_k"
                   : t->base;
    case ROOF_MATRIX_RESULT:
        return has_eight && strcmp(t->base, "q4_k") == 0 ? "q5_k" : t->base;
    case ROOF_MATRIX_DOWN:
    case ROOF_MATRIX_EXPERT_DOWN:
    case ROOF_MATRIX_SHARED_DOWN:
        return k && k->has_more_down ? t->more : t->base;
    default:
        return t->base;
    }
}

static roof_weight_format named(const char *name)
{
    const roof_weight_format *f = NAMED(formats, N_OF(formats), name, name);
    return f ? *f : formats[0];
}

roof_weight_format language_form_of(const roof_language_model *m, const roof_layer_kind *k,
                                    const roof_weight_format *weights, roof_matrix_role role, uint64_t row)
{
    static const roof_weight_format plain = {"bf16", KEPT_BITS, 0, 0, 0},
                                    routers = {"f32", FILE_ROUTER_BITS, 0, 0, 0};
    const file_type *t = file_type_of(weights);
    roof_weight_format out = *weights;
    if (role == ROOF_MATRIX_EXTRA)
        return plain;
    if (m->quantised && weights->name && strcmp(m->quantised, weights->name) == 0 &&
        (((k ? k->kept : 0) | m->kept_ends) >> role & 1))
        return plain;
    if (t && role == ROOF_MATRIX_ROUTER)
        return routers;
    if (t) {
        const char *name = form_in_file(t, m, k, role);
        const uint32_t block = named(name).group;
        if (block > GGML_BLOCK && row % block)
            name = ((const fallback *)NAMED(fallbacks, N_OF(fallbacks), name, name))->instead;
        out = named(name);
        if (row % GGML_BLOCK)
            out = named("f16");
    }
    if (out.group == ROOF_GROUP_ROW)
        out.group = row && row < MOST_GROUP ? (uint32_t)row : MOST_GROUP;
    return out;
}
