#include "measure/reconcile/steps.h"
#include "core/error.h"
#include "core/text.h"

#include <math.h>

static bool is_of_line(const roof_timed_point *p)
{
    return !p->is_stray && !p->is_beyond_kink;
}

/* The last step on the line of a curve that is no longer than `most`; NULL: there is none. */
static const roof_timed_point *last_step(const roof_reconciliation *out, const roof_timed_curve *curve,
                                         uint32_t most)
{
    const roof_timed_point *steps = &out->curve_points[curve->first_point], *last = NULL;
    for (uint32_t i = 0; i < curve->n_steps; i++)
        if (is_of_line(&steps[i]) && steps[i].tokens <= most)
            last = &steps[i];
    return last;
}

static const roof_timed_point *first_step(const roof_reconciliation *out, const roof_timed_curve *curve)
{
    const roof_timed_point *steps = &out->curve_points[curve->first_point];
    for (uint32_t i = 0; i < curve->n_steps; i++)
        if (is_of_line(&steps[i]))
            return &steps[i];
    return NULL;
}

static void find_most(roof_growth *g)
{
    const double parts[] = {[ROOF_PART_WEIGHTS] = g->weights_s,
                            [ROOF_PART_CACHE] = g->cache_s,
                            [ROOF_PART_LAUNCHES] = g->launches_s};
    const double sign = g->total_s < 0 ? -1 : 1;
    g->most = ROOF_PART_CACHE;
    for (int i = 0; i < (int)(sizeof parts / sizeof *parts); i++)
        if (sign * parts[i] > sign * parts[g->most])
            g->most = (roof_language_part)i;
    g->rest_s = g->total_s - g->weights_s - g->cache_s - g->launches_s;
}

/* Between its shortest and its longest step only the cache grows. */
static bool along(const roof_reconciliation *out, uint32_t i, roof_growth *g)
{
    const roof_timed_curve *curve = &out->curves[i];
    const roof_timed_point *from = first_step(out, curve), *to = last_step(out, curve, UINT32_MAX);
    if (curve->steps.not_known || !from || !to || from->tokens == to->tokens)
        return false;
    *g = (roof_growth){.curves = {i, i},
                       .tokens = {from->tokens, to->tokens},
                       .total_s = to->seconds - from->seconds,
                       .cache_s = to->fitted_s - from->fitted_s};
    find_most(g);
    return true;
}

/* The longest step that both have. */
static bool find_common(const roof_reconciliation *out, const roof_timed_curve *a, const roof_timed_curve *b,
                        const roof_timed_point *found[2])
{
    found[0] = last_step(out, a, UINT32_MAX);
    found[1] = last_step(out, b, UINT32_MAX);
    while (found[0] && found[1] && found[0]->tokens != found[1]->tokens) {
        const int longer = found[0]->tokens < found[1]->tokens;
        found[longer] = last_step(out, longer ? b : a, found[!longer]->tokens);
    }
    return found[0] && found[1];
}

/* From one curve to another of the same model, at one length. */
static bool between(const roof_reconciliation *out, uint32_t i, uint32_t k, roof_growth *g)
{
    const roof_timed_curve *a = &out->curves[i], *b = &out->curves[k];
    const roof_timed_point *at[2];
    if (a->steps.not_known || b->steps.not_known || !find_common(out, a, b, at))
        return false;
    const double tokens = at[0]->tokens;
    *g = (roof_growth){.curves = {i, k},
                       .tokens = {at[0]->tokens, at[1]->tokens},
                       .total_s = at[1]->seconds - at[0]->seconds,
                       .weights_s = b->weights_s - a->weights_s,
                       .launches_s = b->launches_s - a->launches_s,
                       .cache_s = tokens * (b->steps.per_token_s.value - a->steps.per_token_s.value)};
    if (isnan(g->weights_s)) { /* without a model: the constant part as a whole */
        g->weights_s = 0;
        g->launches_s = b->steps.constant_s.value - a->steps.constant_s.value;
    }
    find_most(g);
    return true;
}

/* The curve before of the same model, hardware and batch; its own number: there is none. */
static uint32_t before(const roof_reconciliation *out, uint32_t i)
{
    const roof_timed_curve *own = &out->curves[i];
    for (uint32_t k = i; k--;) {
        const roof_timed_curve *c = &out->curves[k];
        if (text_same(c->model, own->model) && text_same(c->hardware, own->hardware) &&
            c->batch == own->batch)
            return k;
    }
    return i;
}

roof_status curve_growths_make(reconciler *r)
{
    roof_reconciliation *out = r->out;
    TRY(ARENA_GET(r->arena, out->growths, 2 * (size_t)out->n_curves, r->err));
    for (uint32_t i = 0; i < out->n_curves; i++)
        out->n_growths += along(out, i, &out->growths[out->n_growths]);
    for (uint32_t i = 0; i < out->n_curves; i++) {
        const uint32_t k = before(out, i);
        if (k != i)
            out->n_growths += between(out, k, i, &out->growths[out->n_growths]);
    }
    return ROOF_OK;
}
