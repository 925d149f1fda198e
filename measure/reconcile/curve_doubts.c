#include "measure/reconcile/steps.h"

#include <math.h>

/* Printed digits round, so that a time may be a little below what it was. */
static const double rounding = 0.005;

const char *roof_point_doubt_text(roof_point_doubt doubt)
{
    static const char *const words[ROOF_POINT_DOUBTS] = {[ROOF_POINT_POSSIBLE] = "possible",
                                                         [ROOF_POINT_OF_A_TOKEN] = "one_of_a_batch",
                                                         [ROOF_POINT_OF_WEIGHTS] = "other_weights",
                                                         [ROOF_POINT_OF_CONTEXT] = "other_context"};
    return words[doubt];
}

static bool is_impossible(const roof_timed_point *p)
{
    return p->seconds < p->ideal_s * (1 - rounding);
}

/* The largest form whose bound such a time would meet; NULL: not the smallest's either. */
static const char *form_of(const roof_timed_point *p, const curve_model *m)
{
    static const char *const forms[] = {"bf16", "q8_0", "int8", "q6_k", "q5_k", "q4_1", "q4_0", "int4"};
    roof_language_point at = m->at;
    roof_language_counts stated, other;
    at.tokens = p->tokens;
    if (!m->language || p->phase != ROOF_TEXT_DECODE || isnan(p->weights_s) ||
        roof_language_count(m->language, &at, &stated, NULL) != ROOF_OK)
        return NULL;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (roof_weight_format_parse(forms[i], &at.weights, NULL) != ROOF_OK ||
            roof_language_count(m->language, &at, &other, NULL) != ROOF_OK)
            continue;
        const double ratio = (double)other.weight_bytes / (double)stated.weight_bytes;
        if (ratio < 1 && p->seconds >= (p->weights_s * ratio + p->cache_s) * (1 - rounding))
            return forms[i];
    }
    return NULL;
}

/* Doubt about a point below its bound: other weights if most points are below, else another context. */
static void judge(roof_timed_point *p, const roof_timed_curve *curve, const curve_model *m, bool are_most)
{
    if (curve->batch > 1 && p->seconds * curve->batch >= p->ideal_s * (1 - rounding)) {
        p->doubt = ROOF_POINT_OF_A_TOKEN;
        return;
    }
    p->doubt = are_most ? ROOF_POINT_OF_WEIGHTS : ROOF_POINT_OF_CONTEXT;
    if (are_most)
        p->doubt_form = form_of(p, m);
    if (are_most || p->phase != ROOF_TEXT_DECODE)
        return;
    /* by the line of the other steps */
    const double tokens = (p->seconds - curve->steps.constant_s.value) / curve->steps.per_token_s.value;
    p->doubt_tokens = tokens >= 1 && tokens < p->tokens ? tokens : (double)NAN;
}

static roof_remark remark_of(const roof_timed_point *p, const roof_timed_curve *curve)
{
    const roof_operand tokens = AS_COUNT(p->tokens), took = AS_SECONDS(p->seconds),
                       bound = AS_SECONDS(p->ideal_s);
    if (p->doubt == ROOF_POINT_OF_A_TOKEN)
        return REMARK(POINT_OF_A_TOKEN, tokens, took, bound, AS_COUNT(curve->batch));
    if (p->doubt == ROOF_POINT_OF_WEIGHTS)
        return p->doubt_form ? REMARK(POINT_OF_FORM, tokens, took, bound, AS_TEXT(p->doubt_form))
                             : REMARK(POINT_OF_WEIGHTS, tokens, took, bound);
    return isnan(p->doubt_tokens) ? REMARK(POINT_OF_CONTEXT, tokens, took, bound)
                                  : REMARK(POINT_OF_TOKENS, tokens, took, bound, AS_COUNT(p->doubt_tokens));
}

/* A time that cannot be is of no kernel. */
static void take_from_kink(roof_timed_curve *curve, roof_timed_point *p)
{
    if (!p->is_beyond_kink)
        return;
    p->is_beyond_kink = false;
    p->is_stray = true;
    if (p->tokens == curve->steps.kink_tokens) {
        curve->steps.kink_tokens = 0;
        curve->steps.kink_ratio = NAN;
    }
}

void curve_doubts_find(reconciler *r, roof_timed_curve *curve, const curve_model *m)
{
    roof_timed_point *points = &r->out->curve_points[curve->first_point];
    uint32_t n = 0;
    for (uint32_t i = 0; i < curve->n_points; i++)
        n += is_impossible(&points[i]);
    for (uint32_t i = 0; i < curve->n_points; i++)
        if (is_impossible(&points[i])) {
            judge(&points[i], curve, m, 2 * n > curve->n_points);
            take_from_kink(curve, &points[i]);
            reconcile_find(r, &r->out->experiments[points[i].experiment], NULL, remark_of(&points[i], curve));
        }
}
