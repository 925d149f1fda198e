/* The expected time of a language model in a prediction, of which each row gets what it causes. */
#include "model/graph/format.h"
#include "model/predict/language_times.h"
#include "model/predict/predictor.h"

/* A row's amount of each part of the whole: weights that it reads, and products that it makes; layers whose
 * attention grows with the context; and the other time of a layer, which its operators share. Rows of a
 * program are those of its kinds of layers, and lm_head's. */
static void find_causes(const predictor *p, const language_constants *k, uint32_t row,
                        double out[ROOF_LANGUAGE_PARTS])
{
    const roof_language_model *m = p->graph->storage->language;
    const roof_layer_prediction *l = &p->out->layers[row];
    const roof_layer_kind *kind =
        row / LANGUAGE_BLOCK_ROWS < m->n_kinds ? &m->kinds[row / LANGUAGE_BLOCK_ROWS] : NULL;
    const uint32_t first = row / LANGUAGE_BLOCK_ROWS * LANGUAGE_BLOCK_ROWS;
    const bool is_attention = strcmp(l->type, "attention") == 0;
    const double times = l->repeat;
    memset(out, 0, ROOF_LANGUAGE_PARTS * sizeof *out);
    out[ROOF_PART_WEIGHTS] = times * known_count(l->deployed.traffic.weights_bytes);
    if (!is_attention)
        out[ROOF_PART_ARRAY] = times * known_count(l->macs);
    else if (p->out->language.point.phase == ROOF_TEXT_PREFILL)
        out[ROOF_PART_CACHE] = times * known_count(l->macs);
    else if ((kind && kind->mixer == ROOF_MIXER_FULL) || k->reads_windows_whole)
        out[ROOF_PART_CACHE] = times;
    else if (kind && kind->mixer == ROOF_MIXER_SLIDING && !isnan(k->cache_bytes_per_s))
        out[ROOF_PART_CACHE] =
            times * (kind->window ? fmin(1, (double)kind->window / p->out->language.point.tokens) : 1);
    double operators = 0;
    for (uint32_t i = first; kind && i < first + LANGUAGE_BLOCK_ROWS; i++)
        operators += p->program.rows[i].work.n_demands;
    if (kind && operators > 0) {
        const double layer_s = k->layer_s[kind->mixer] + (m->experts ? k->experts_s : 0);
        out[ROOF_PART_LAUNCHES] =
            times * p->program.rows[row].work.n_demands / operators * (isnan(layer_s) ? 1 : layer_s);
    }
}

static void spread(const predictor *p, const language_constants *k, const roof_language_expectation *x)
{
    double all[ROOF_LANGUAGE_PARTS] = {0}, own[ROOF_LANGUAGE_PARTS];
    for (uint32_t i = 0; i < p->out->n_layers; i++) {
        find_causes(p, k, i, own);
        for (int part = 0; part < ROOF_LANGUAGE_PARTS; part++)
            all[part] += own[part];
    }
    for (uint32_t i = 0; i < p->out->n_layers; i++) {
        double seconds = 0;
        find_causes(p, k, i, own);
        for (int part = 0; part < ROOF_LANGUAGE_PARTS; part++)
            seconds += all[part] > 0 ? x->parts_s[part] * own[part] / all[part] : 0;
        p->out->layers[i].predicted_s = seconds / p->out->layers[i].repeat;
    }
}

roof_status predictor_expect_language(predictor *p, const roof_predict_options *options, const char *stack)
{
    roof_language_expectation *x = &p->out->language.expected;
    const roof_language_model *model = p->graph->storage->language;
    language_constants constants;
    const language_request requested = {.view = &p->view,
                                        .hardware = p->out->hardware.id,
                                        .model = model,
                                        .point = p->out->language.point,
                                        .stack = stack ? arena_strdup(p->arena, stack) : NULL,
                                        .is_changed = predictor_is_changed(p)};
    TRY(language_constants_of(&requested, p->arena, &constants, p->err));
    if (options->n_anchors && p->out->language.point.phase == ROOF_TEXT_DECODE)
        TRY(language_anchor(&constants, &requested, options->anchors, options->n_anchors, p->arena, p->err));
    language_expect(&constants, model, &p->out->language.point, &p->out->language.counts,
                    &p->out->language.memory, x);
    language_keep_bound(p->out->total.deployed.ideal_s, x);
    if (x->not_known) {
        if (!isnan(p->out->total.predicted_s)) { /* by the constants of each of its kernels */
            x->not_known = NULL;
            x->seconds = p->out->total.predicted_s;
            if (requested.point.tokens > constants.most_tokens)
                FIND(&p->found, NULL, OUTSIDE_CONTEXTS, AS_COUNT(requested.point.tokens),
                     AS_COUNT(constants.most_tokens));
        }
        return ROOF_OK;
    }
    /* where kernels of the stack were timed in per-layer runs, they say how the whole is shared: rows of the
     * accelerator sum to what is expected of the whole */
    double sum = isnan(p->out->total.predicted_s) ? (double)NAN : 0;
    FOR_EACH(const roof_layer_prediction, l, p->out->layers, p->out->n_layers)
        if (l->executor == ROOF_BY_ACCELERATOR)
            sum += l->repeat * l->predicted_s;
    FOR_EACH(roof_layer_prediction, l, p->out->layers, sum > 0 ? p->out->n_layers : 0)
        l->predicted_s *= x->seconds / sum;
    if (!(sum > 0))
        spread(p, &constants, x);
    p->out->total.predicted_s = x->seconds;
    memcpy(p->out->total.predicted_ci95_s, x->ci95_s, sizeof x->ci95_s);
    TRY(predictor_serve(p, constants.stack ? constants.stack : "", false));
    const char *error = ""; /* where the entry states one */
    if (isfinite(100 * x->error))
        error = arena_printf(p->arena, ", median error %.0f %% on %s that were left out", 100 * x->error,
                             isnan(constants.factor) ? "models" : "devices");
    p->out->calibration =
        options->n_anchors
            ? arena_printf(p->arena, "%u measured step%s of one's own", options->n_anchors,
                           options->n_anchors == 1 ? "" : "s")
            : arena_printf(p->arena, "constants of %.30s on %.60s: %s from %.0f points%s", x->stack,
                           p->out->hardware.id, constants.method, x->points, error ? error : "");
    return arena_status(p->arena, p->err);
}
