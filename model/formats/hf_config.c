/* config.json of a Hugging Face model: the shapes of a language model, of which there is no compiled file.
 *
 * Families are rows of a table (hf_config/lm_families.c). One that is not there is read by the usual keys,
 * and said to be assumed, unless a key states that it is of another kind. Source: the configuration classes
 * of huggingface/transformers.
 */
#include "core/json/jsontree.h"
#include "model/graph/format.h"
#include "model/formats/hf_config/lm_config.h"
#include "model/formats/hf_config/lm_model.h"
#include "model/work/language_matrices.h"
#include "model/work/product.h"

enum { SNIFFED = 1 << 16 };

static bool hf_config_sniff(const unsigned char *bytes, uint64_t size)
{
    text_span text = {(const char *)bytes, size < SNIFFED ? (size_t)size : SNIFFED};
    span_skip(&text, "\xef\xbb\xbf");
    span_skip_any(&text, " \t\r\n");
    return span_begins(text, "{") && span_has(text, "\"model_type\"") &&
           (span_has(text, "\"hidden_size\"") || span_has(text, "\"num_hidden_layers\"") ||
            span_has(text, "\"architectures\""));
}

/* ---- the workload -------------------------------------------------------------------------------------- */

/* The requested form, else the file's. Errors: E_UNSUPPORTED for a file whose form is unknown. */
static roof_status set_forms(lm_model *m, lm_config *f, const roof_workload *w, roof_arena *arena,
                             roof_error *err)
{
    const lm_quantised *q = &f->quantised;
    TRY(roof_weight_format_parse(w->cache_type ? w->cache_type : "bf16", &m->point.cache, err));
    m->requested_type =
        w->weight_type ? arena_strdup(arena, w->weight_type) : NULL; /* borrowed for the call */
    if (w->weight_type) {
        /* "i8" and the like, as other commands take them */
        const char *own = data_type_name(w->weight_type, strlen(w->weight_type));
        TRY(roof_weight_format_parse(own ? own : w->weight_type, &m->point.weights, err));
    } else if (q->refused) {
        return error_set(err, ROOF_E_UNSUPPORTED, "%s; --dtype says another type", q->refused);
    } else if (q->method) {
        m->point.weights = q->form;
        f->shape.quantised = q->form.name;
    } else {
        TRY(roof_weight_format_parse("bf16", &m->point.weights, err));
    }
    m->types = arena_printf(arena, "bf16x%s", m->point.weights.name);
    return ROOF_OK;
}

/* ---- the format ---------------------------------------------------------------------------------------- */

/* The decoder's own type where it says one, else that of the document. */
static roof_status choose_family(jsontree *t, const cJSON *o, const cJSON *decoder, lm_config *f)
{
    const cJSON *own = jsontree_get(decoder, "model_type");
    f->model_type = jsontree_name(t, cJSON_IsString(own) ? own : jsontree_need(t, o, "model_type"));
    TRY(t->status);
    TRY(arena_status(t->arena, t->err));
    f->family = lm_family_named(f->model_type);
    if (!f->family)
        TRY(lm_assume_family(decoder, f->model_type, &f->family, t->err));
    f->name = jsontree_name(t, jsontree_get(o, "_name_or_path"));
    const cJSON *unseen = lm_first_of(o, "vision_config vision_tower_config visual audio_config");
    f->unseen = cJSON_IsObject(unseen) ? arena_strdup(t->arena, unseen->string) : NULL;
    return lm_read_config(t, o, decoder, f);
}

static roof_status read_file(struct roof_graph_storage *s, lm_config *f, roof_error *err)
{
    cJSON *root;
    jsontree t = {.name = "config.json", .arena = s->arena, .err = err};
    TRY(jsontree_parse((const char *)s->file.bytes, (size_t)s->file.size_bytes, t.name, &root, err));
    t.root = root;
    const cJSON *o = jsontree_object(&t, root);
    /* a model that also sees or hears has its decoder in an object of its own */
    const cJSON *own = lm_first_of(o, "text_config llm_config language_config");
    roof_status status = t.status;
    THEN(status, choose_family(&t, o, cJSON_IsObject(own) ? own : o, f));
    cJSON_Delete(root);
    return status != ROOF_OK ? status : arena_status(s->arena, err);
}

/* The matrices of the model that a quantised file leaves as they were: "routers, head". */
static const char *kept_of(const roof_language_model *m, roof_arena *arena)
{
    static const char *const words[ROOF_MATRIX_ROLES] = {"queries",
                                                         "keys",
                                                         "values",
                                                         "attention results",
                                                         "mixers",
                                                         "routers",
                                                         "up and gate",
                                                         "down",
                                                         "experts' up",
                                                         "experts' down",
                                                         "shared expert's up",
                                                         "shared expert's down",
                                                         NULL,
                                                         "head",
                                                         "embeddings"};
    const char *text = NULL;
    uint32_t kept = m->kept_ends & (1u << ROOF_MATRIX_HEAD | 1u << ROOF_MATRIX_EMBEDDING);
    for (uint32_t i = 0; i < m->n_kinds; i++) {
        language_matrix list[LANGUAGE_MOST_MATRICES];
        const uint32_t n = language_matrices(m, &m->kinds[i], list);
        for (uint32_t j = 0; j < n; j++)
            kept |= m->kinds[i].kept & 1u << list[j].role;
    }
    for (uint32_t i = 0; i < ROOF_MATRIX_ROLES; i++)
        if (words[i] && (kept >> i & 1))
            text = text ? arena_printf(arena, "%s, %s", text, words[i]) : words[i];
    return text;
}

static roof_status read_model(roof_graph *g, lm_model *m, roof_error *err)
{
    struct roof_graph_storage *s = g->storage;
    lm_config file = {0};
    TRY(read_file(s, &file, err));
    const lm_family *kind = file.family;
    if (!kind->has_window && file.uses_window && !file.layer_types)
        return error_set(err, ROOF_E_UNSUPPORTED,
                         "/use_sliding_window: attention of a part of the layers looks back at a window, "
                         "which cannot be counted without layer_types");
    *m = (lm_model){.has_qk_norm = kind->has_qk_norm,
                    .assumed_type = kind->is_assumed ? file.model_type : NULL,
                    .unseen = file.unseen,
                    .prediction_layers = file.prediction_layers};
    TRY(set_forms(m, &file, s->workload, s->arena, err));
    TRY(lm_list_layers(&file, &m->point.weights, err));
    bool has_bias = kind->reads_bias && file.attention_bias;
    m->shape = file.shape;
    m->has_qkv_bias = kind->has_qkv_bias || has_bias;
    m->has_o_bias = has_bias;
    m->has_mlp_bias = kind->reads_bias && file.mlp_bias;
    m->shape.attention = m->shape.latent.key_rank ? "mla" : kind->attention;
    m->shape.has_plain_network = kind->is_plain;
    m->shape.has_fused_keys = kind->has_fused_keys;
    m->shape.has_unused_keys = kind->has_unused_keys;
    m->kept = m->shape.quantised ? kept_of(&m->shape, s->arena) : NULL;
    /* "Llama-3.2-1B" of "meta-llama/Llama-3.2-1B"; most files are called config.json, which names nothing */
    const char *slash = file.name ? strrchr(file.name, '/') : NULL, *stem = graph_stem(g, s->arena);
    m->shape.name = !stem || strcmp(stem, "config") == 0 ? file.model_type : stem;
    if (slash && slash[1])
        m->shape.name = slash + 1;
    else if (file.name && *file.name && !slash)
        m->shape.name = file.name;
    m->build = lm_build;
    return lm_set_tokens(m, s->workload, err);
}

static roof_status hf_config_read(roof_graph *g, roof_error *err)
{
    lm_model *model;
    TRY(ARENA_GET(g->storage->arena, model, 1, err));
    TRY(read_model(g, model, err));
    return lm_begin(g, model, err);
}

const graph_format format_hf_config = {
    .id = "hf_config",
    .doc =
        "config.json of a Hugging Face language model: decoders with grouped or latent attention, experts, "
        "windows, state spaces; Whisper (docs/formats.md lists the architectures)",
    .sniff = hf_config_sniff,
    .read = hf_config_read,
    LM_FORMAT,
};
