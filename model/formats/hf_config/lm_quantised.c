/* How a quantised checkpoint stores its weights, and which modules it left as they were.
 * Source: the quantisation classes of huggingface/transformers and of vllm-project/compressed-tensors; MLX's
 * own `quantization`. Forms: roofline/weight_forms.def.
 */
#include "model/formats/hf_config/lm_config.h"

enum { SCALE_BITS = 16, FLOAT_SCALE_BITS = 32 };
enum { MOST_ANYWHERE = 64, MOST_PATH = 128, NO_LAYER = LM_MOST_LAYERS };

/* ---- forms --------------------------------------------------------------------------------------------- */

static uint32_t small(jsontree *t, const cJSON *o, const char *key)
{
    const cJSON *node = jsontree_get(o, key);
    const uint32_t value = cJSON_IsNumber(node) ? jsontree_small(t, node) : 0;
    return value == ROOF_NONE ? 0 : value;
}

static void refuse(lm_quantised *q, roof_arena *arena, const char *what, uint32_t value)
{
    q->refused = arena_printf(arena, "/quantization_config/%s is %u; how such weights are stored is unknown",
                              what, value);
}

/* group 0: each row has a scale. */
static void set_form(lm_quantised *q, roof_arena *arena, const char *kind, uint32_t bits, uint32_t group,
                     uint32_t group_bits)
{
    char name[32];
    snprintf(name, sizeof name, "%s%u", kind, bits);
    if (bits > 8 || roof_weight_format_parse(name, &q->form, NULL) != ROOF_OK) {
        refuse(q, arena, "bits", bits);
        return;
    }
    q->form.group = group ? group : ROOF_GROUP_ROW;
    q->form.group_bits = group_bits;
}

/* A size, of which -1, null and what is absurd mean a whole row. */
static uint32_t group_of(const cJSON *o)
{
    const cJSON *node = jsontree_get(o, "group_size");
    const double value = cJSON_IsNumber(node) ? node->valuedouble : 0;
    return value >= 1 && value <= LM_MOST_WIDTH ? (uint32_t)value : 0;
}

/* A scale of 4 bytes for each block of rows and columns, or each row. */
static void read_fp8(jsontree *t, const cJSON *o, lm_quantised *q)
{
    const cJSON *size = jsontree_get(o, "weight_block_size");
    const cJSON *rows = cJSON_IsArray(size) ? size->child : NULL, *columns = rows ? rows->next : NULL;
    double block = 0;
    if (columns && cJSON_IsNumber(rows) && cJSON_IsNumber(columns))
        block = rows->valuedouble * columns->valuedouble;
    set_form(q, t->arena, "fp", 8, block >= 1 && block <= LM_MOST_WIDTH ? (uint32_t)block : 0,
             FLOAT_SCALE_BITS);
}

static void read_mxfp4(jsontree *t, const cJSON *o, lm_quantised *q)
{
    (void)o;
    set_form(q, t->arena, "mxfp", 4, 32, 8);
    q->has_experts_alone = true;
}

/* nf4: a largest value of 4 bytes for 64 weights; quantised twice, of 1 byte, and of those 256 share 4. */
static void read_bitsandbytes(jsontree *t, const cJSON *o, lm_quantised *q)
{
    enum { BLOCK = 64, BLOCKS = 256 };
    if (cJSON_IsTrue(jsontree_get(o, "load_in_8bit")))
        set_form(q, t->arena, "int", 8, 0, FLOAT_SCALE_BITS);
    else if (!cJSON_IsTrue(jsontree_get(o, "load_in_4bit")))
        q->refused = "/quantization_config says neither load_in_4bit nor load_in_8bit";
    else if (cJSON_IsTrue(jsontree_get(o, "bnb_4bit_use_double_quant")))
        set_form(q, t->arena, "nf", 4, BLOCK * BLOCKS, 8 * BLOCKS + FLOAT_SCALE_BITS);
    else
        set_form(q, t->arena, "nf", 4, BLOCK, FLOAT_SCALE_BITS);
}

/* compressed-tensors: groups of modules, which all have to be alike here. */
static void read_compressed(jsontree *t, const cJSON *o, lm_quantised *q)
{
    const cJSON *groups = jsontree_get(o, "config_groups"),
                *first = cJSON_IsObject(groups) ? groups->child : NULL;
    const cJSON *w = jsontree_get(first, "weights"), *type = jsontree_get(w, "type"),
                *strategy = jsontree_get(w, "strategy");
    const uint32_t bits = small(t, w, "num_bits");
    const bool is_float = cJSON_IsString(type) && strcmp(type->valuestring, "float") == 0;
    const bool is_asymmetric = cJSON_IsFalse(jsontree_get(w, "symmetric"));
    q->has_head = true;
    if (!first || !w || first->next) {
        q->refused =
            "/quantization_config/config_groups is not one group of weights; several forms at once cannot "
            "be counted";
        return;
    }
    const bool is_grouped = cJSON_IsString(strategy) && strstr(strategy->valuestring, "group");
    if (is_float && bits == 4) /* scales are of 8 bits: nvfp4 of 16, mxfp4 of 32 weights */
        set_form(q, t->arena, group_of(w) == 32 ? "mxfp" : "nvfp", 4, group_of(w) ? group_of(w) : 16, 8);
    else
        set_form(q, t->arena, is_float ? "fp" : "int", bits, is_grouped ? group_of(w) : 0,
                 SCALE_BITS + (is_asymmetric ? bits : 0));
}

static void read_modelopt(jsontree *t, const cJSON *o, lm_quantised *q)
{
    const cJSON *algorithm = jsontree_get(o, "quant_algo");
    const char *name = cJSON_IsString(algorithm) ? algorithm->valuestring : "";
    q->has_head = true;
    if (strcmp(name, "NVFP4") == 0)
        set_form(q, t->arena, "nvfp", 4, 16, 8);
    else if (strcmp(name, "FP8") == 0)
        set_form(q, t->arena, "fp", 8, 0, FLOAT_SCALE_BITS);
    else
        q->refused = arena_printf(
            t->arena, "/quantization_config/quant_algo is '%.40s'; NVFP4 and FP8 are known", name);
}

/* Bits and a scale for each group; a zero point, which GPTQ's files have whether or not it is needed, and
 * those without a method where they say so. */
static void read_packed(jsontree *t, const cJSON *o, lm_quantised *q)
{
    const uint32_t bits = small(t, o, "bits");
    const cJSON *zero = jsontree_get(o, "zero_point");
    const bool is_named = *q->method;
    const bool has_zero = is_named ? strcmp(q->method, "awq") != 0 || !cJSON_IsFalse(zero)
                                   : cJSON_IsTrue(zero) || cJSON_IsFalse(jsontree_get(o, "sym"));
    if (!is_named && (jsontree_get(o, "load_in_4bit") || jsontree_get(o, "load_in_8bit"))) {
        read_bitsandbytes(t, o, q);
        return;
    }
    if (!is_named && bits != 4 && bits != 8)
        refuse(q, t->arena, "bits", bits);
    else
        set_form(q, t->arena, "int", bits, group_of(o), SCALE_BITS + (has_zero ? bits : 0));
    q->has_head = cJSON_IsTrue(jsontree_get(o, "lm_head"));
}

static const struct {
    const char *name;
    void (*read)(jsontree *t, const cJSON *o, lm_quantised *q);
} methods[] = {{"awq", read_packed},
               {"gptq", read_packed},
               {"auto-round", read_packed},
               {"compressed-tensors", read_compressed},
               {"fp8", read_fp8},
               {"fbgemm_fp8", read_fp8},
               {"mxfp4", read_mxfp4},
               {"modelopt", read_modelopt},
               {"bitsandbytes", read_bitsandbytes},
               {"", read_packed}};

static void read_left_out(jsontree *t, const cJSON *o, lm_quantised *q)
{
    static const char *const keys[] = {"modules_to_not_convert", "ignore", "ignored_layers",
                                       "llm_int8_skip_modules", "exclude_modules"};
    for (size_t i = 0; i < N_OF(keys); i++) {
        const cJSON *list = jsontree_get(o, keys[i]);
        for (const cJSON *item = cJSON_IsArray(list) ? list->child : NULL; item; item = item->next) {
            if (q->n_left_out == LM_MOST_PATTERNS) {
                jsontree_refuse(t, item, ROOF_E_LIMIT, "more than %d modules are left out", LM_MOST_PATTERNS);
                return;
            }
            q->left_out[q->n_left_out++] = jsontree_name(t, item);
        }
    }
}

/* MLX quantises embeddings and routers too; modules of their own are named beside the form. */
static void read_mlx(jsontree *t, const cJSON *o, lm_quantised *q)
{
    const uint32_t bits = small(t, o, "bits");
    const cJSON *mode = jsontree_get(o, "mode");
    q->method = "mlx";
    q->has_head = q->has_embeddings = q->has_routers = true;
    if (cJSON_IsString(mode) && strcmp(mode->valuestring, "mxfp4") == 0)
        set_form(q, t->arena, "mxfp", 4, 32, 8);
    else if (cJSON_IsString(mode) && strcmp(mode->valuestring, "affine") != 0)
        q->refused = arena_printf(t->arena, "/quantization/mode is '%.40s'; affine and mxfp4 are known",
                                  mode->valuestring);
    else
        set_form(q, t->arena, "int", bits, group_of(o), 2 * SCALE_BITS);
    for (const cJSON *item = o->child; item; item = item->next) {
        const bool is_other = cJSON_IsObject(item) && small(t, item, "bits") != bits;
        text_span before = span_of(item->string);
        if (is_other && !(span_skip_end(&before, "gate") && before.length))
            q->refused = arena_printf(
                t->arena, "/quantization/%.80s has other bits; modules of several forms cannot be counted",
                item->string);
        if (cJSON_IsFalse(item) && strchr(item->string, '.') && q->n_left_out < LM_MOST_PATTERNS)
            q->left_out[q->n_left_out++] = jsontree_copy(t, item->string, strlen(item->string));
    }
}

void lm_read_quantised(jsontree *t, const cJSON *o, lm_quantised *q)
{
    const cJSON *own = jsontree_get(o, "quantization_config"), *mlx = jsontree_get(o, "quantization");
    own = own ? own : jsontree_get(o, "compression_config");
    const bool is_mlx = cJSON_IsObject(mlx);
    const cJSON *from = is_mlx ? mlx : jsontree_object(t, own);
    if (!from || cJSON_IsNull(from))
        return;
    q->left_out = NEW_ARRAY(t->arena, const char *, LM_MOST_PATTERNS);
    if (!q->left_out)
        return;
    if (is_mlx) {
        read_mlx(t, mlx, q);
        return;
    }
    const cJSON *method = jsontree_get(from, "quant_method");
    q->method = cJSON_IsString(method) ? jsontree_name(t, method) : "";
    const uint32_t i = NAMED_AT(methods, N_OF(methods), name, q->method);
    if (i < N_OF(methods))
        methods[i].read(t, from, q);
    else
        q->refused = arena_printf(
            t->arena, "/quantization_config/quant_method is '%.40s'; how it stores weights is unknown",
            q->method ? q->method : "");
    read_left_out(t, from, q);
}

/* ---- modules ------------------------------------------------------------------------------------------- */

/* Modules of a layer as families call them, and what belongs to none. */
static const struct {
    roof_matrix_role role;
    const char *path;
} modules[] = {
    {ROOF_MATRIX_QUERY, "self_attn.q_proj"},
    {ROOF_MATRIX_KEY, "self_attn.k_proj"},
    {ROOF_MATRIX_VALUE, "self_attn.v_proj"},
    {ROOF_MATRIX_RESULT, "self_attn.o_proj"},
    {ROOF_MATRIX_MIXER, "linear_attn.in_proj_qkvz"},
    {ROOF_MATRIX_MIXER, "linear_attn.in_proj_qkv"},
    {ROOF_MATRIX_MIXER, "mamba.in_proj"},
    {ROOF_MATRIX_MIXER, "mixer.in_proj"},
    {ROOF_MATRIX_MIXER, "conv.in_proj"},
    {ROOF_MATRIX_ROUTER, "mlp.gate"},
    {ROOF_MATRIX_ROUTER, "mlp.router"},
    {ROOF_MATRIX_ROUTER, "block_sparse_moe.gate"},
    {ROOF_MATRIX_UP, "mlp.up_proj"},
    {ROOF_MATRIX_DOWN, "mlp.down_proj"},
    {ROOF_MATRIX_EXPERT_UP, "mlp.experts.0.up_proj"},
    {ROOF_MATRIX_EXPERT_DOWN, "mlp.experts.0.down_proj"},
    {ROOF_MATRIX_SHARED_UP, "mlp.shared_expert.up_proj"},
    {ROOF_MATRIX_SHARED_UP, "mlp.shared_experts.up_proj"},
    {ROOF_MATRIX_SHARED_DOWN, "mlp.shared_expert.down_proj"},
    {ROOF_MATRIX_SHARED_DOWN, "mlp.shared_experts.down_proj"},
    {ROOF_MATRIX_HEAD, "lm_head"},
    {ROOF_MATRIX_EMBEDDING, "embed_tokens"},
};

/* Strips the prefixes before the decoder's own names. */
static const char *without_prefix(const char *pattern)
{
    static const char *const prefixes[] = {"model.", "model\\.", "language_model.", "backbone."};
    for (size_t i = 0; i < N_OF(prefixes); i++)
        if (strncmp(pattern, prefixes[i], strlen(prefixes[i])) == 0)
            return without_prefix(pattern + strlen(prefixes[i]));
    return pattern;
}

typedef enum step_kind { STEP_CHAR, STEP_ANY, STEP_MANY, STEP_END } step_kind;

/* One step of a pattern: a character, any one, any number of them. Returns its length; 0 at the end. */
static size_t step_of(const char *p, bool is_regex, step_kind *kind, char *c)
{
    *kind = STEP_CHAR;
    *c = *p;
    if (!*p)
        return 0;
    if (!is_regex) {
        *kind = *p == '*' ? STEP_MANY : STEP_CHAR;
        return 1;
    }
    if (p[0] == '.' && p[1] == '*') {
        *kind = STEP_MANY;
        return 2;
    }
    if (p[0] == '\\' && p[1] == 'd' && p[2] == '+') {
        *kind = STEP_MANY;
        return 3;
    }
    if (p[0] == '\\' && p[1]) {
        *c = p[1];
        return 2;
    }
    *kind = *p == '.' ? STEP_ANY : *p == '$' ? STEP_END : STEP_CHAR;
    return 1;
}

/* From the beginning of a path to its end, or to the end of one of its names. */
static bool matches_from(const char *p, bool is_regex, const char *path)
{
    const char *star = NULL, *resume = NULL;
    for (;;) {
        step_kind kind;
        char c;
        const size_t n = step_of(p, is_regex, &kind, &c);
        if (kind == STEP_MANY) {
            star = p += n;
            resume = path;
            continue;
        }
        if (!n && (is_regex || !*path || *path == '.'))
            return true;
        if (n && kind == STEP_END && !*path)
            return true;
        if (n && kind != STEP_END && *path && (kind == STEP_ANY || *path == c)) {
            p += n;
            path++;
            continue;
        }
        if (!star || !*resume)
            return false;
        p = star;
        path = ++resume;
    }
}

/* A plain name is of a module at any place; what follows "re:" is of a path from its beginning. */
static bool is_module(const char *pattern, const char *path)
{
    const bool is_regex = strncmp(pattern, "re:", 3) == 0;
    const char *p = without_prefix(is_regex ? pattern + 3 + (pattern[3] == '^') : pattern);
    if (is_regex)
        return matches_from(p, true, path);
    for (const char *at = path; at; at = strchr(at, '.') ? strchr(at, '.') + 1 : NULL)
        if (matches_from(p, false, at))
            return true;
    return false;
}

/* The layer that a pattern names; NO_LAYER: any. */
static uint32_t layer_in(const char *pattern)
{
    const char *at = strstr(pattern, "layers.");
    char *end;
    if (!at || at[7] < '0' || at[7] > '9')
        return NO_LAYER;
    const unsigned long n = strtoul(at + 7, &end, 10);
    return n < LM_MOST_LAYERS ? (uint32_t)n : NO_LAYER - 1;
}

static uint32_t roles_of(const char *pattern, uint32_t layer)
{
    uint32_t roles = 0;
    for (size_t i = 0; i < N_OF(modules); i++) {
        char path[MOST_PATH];
        const bool is_end = modules[i].role >= ROOF_MATRIX_HEAD;
        if (is_end != (layer == NO_LAYER))
            continue;
        if (is_end)
            snprintf(path, sizeof path, "%s", modules[i].path);
        else
            snprintf(path, sizeof path, "layers.%u.%s", layer, modules[i].path);
        if (is_module(pattern, path))
            roles |= 1u << modules[i].role;
    }
    return roles;
}

roof_status lm_kept(const lm_quantised *q, uint32_t layer, uint32_t *out, roof_error *err)
{
    uint32_t anywhere = 0;
    const uint32_t experts = 1u << ROOF_MATRIX_EXPERT_UP | 1u << ROOF_MATRIX_EXPERT_DOWN;
    /* roles of matrices that the method leaves alone in every layer */
    *out = (q->has_head ? 0 : 1u << ROOF_MATRIX_HEAD) |
           (q->has_embeddings ? 0 : 1u << ROOF_MATRIX_EMBEDDING) |
           (q->has_routers ? 0 : 1u << ROOF_MATRIX_ROUTER) |
           (q->has_experts_alone ? ((1u << ROOF_MATRIX_ROLES) - 1) & ~experts : 0);
    for (uint32_t i = 0; i < q->n_left_out; i++) {
        const char *pattern = q->left_out[i];
        if (!pattern)
            continue;
        if (strncmp(pattern, "re:", 3) == 0 && strpbrk(pattern + 3, "()[]{}|?"))
            return error_set(
                err, ROOF_E_UNSUPPORTED,
                "/quantization_config leaves out '%.80s', a pattern that is unknown; --dtype says "
                "what the weights are",
                pattern);
        const uint32_t named = layer_in(pattern);
        if (named == NO_LAYER && ++anywhere > MOST_ANYWHERE)
            return error_set(err, ROOF_E_LIMIT, "/quantization_config leaves out more than %d patterns",
                             MOST_ANYWHERE);
        if (named == NO_LAYER || named == layer)
            *out |= roles_of(pattern, layer);
    }
    return ROOF_OK;
}
