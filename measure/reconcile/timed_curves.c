#include "measure/reconcile/steps.h"
#include "measure/profile/run_facts.h"

/* --- which experiments are points of one curve ---------------------------------------------------------- */

static const roof_experiment *source_of(const reconciler *r, const roof_reconciled *e)
{
    return &r->measured->experiments[e->source];
}

static const roof_run *run_of(const roof_reconciled *e)
{
    return e->bypass ? e->bypass : e->per_layer;
}

/* Key of a curve: all that its points share. Texts of documents are lines. NULL: no memory. */
static const char *key_of(const reconciler *r, const roof_reconciled *e)
{
    const roof_experiment *s = source_of(r, e);
    const char *const texts[] = {s->resolved_path ? s->resolved_path : s->model_name,
                                 s->hardware_id,
                                 s->device,
                                 s->stack,
                                 s->stack_version,
                                 s->weight_type,
                                 s->cache_type};
    const char *key = arena_printf(r->arena, "%u", run_batch(run_of(e)));
    for (size_t i = 0; i < N_OF(texts) && key; i++)
        key = arena_printf(r->arena, "%s\n%s", key, text_or_empty(texts[i]));
    return key;
}

/* A point, and the curve that it would be of. */
typedef struct placed {
    roof_timed_point point;
    uint32_t curve;
} placed;

static void add_curve(reconciler *r, const placed *points, uint32_t n)
{
    roof_reconciliation *out = r->out;
    roof_timed_curve *curve = &out->curves[out->n_curves];
    roof_reconciled *first = &out->experiments[points->point.experiment];
    const roof_experiment *s = source_of(r, first);
    *curve = (roof_timed_curve){.model = first->model,
                                .stack = s->stack,
                                .stack_version = s->stack_version,
                                .weights = s->weight_type,
                                .cache = s->cache_type,
                                .batch = run_batch(run_of(first)),
                                .first_point = out->n_curve_points,
                                .n_points = n,
                                .weights_s = NAN,
                                .launches_s = NAN,
                                .weight_bytes = ROOF_UNKNOWN,
                                .cache_bytes_per_s = NAN};
    for (uint32_t i = 0; i < n; i++) {
        out->curve_points[out->n_curve_points++] = points[i].point;
        out->experiments[points[i].point.experiment].curve = out->n_curves;
        curve->n_steps += points[i].point.phase == ROOF_TEXT_DECODE;
    }
    out->n_curves++;
}

static void add_curves(reconciler *r, const placed *all, uint32_t n, bool are_single)
{
    for (uint32_t i = 0, last; i < n; i = last) {
        const roof_reconciled *first = &r->out->experiments[all[i].point.experiment];
        bool is_one = false; /* two lengths of a phase make a curve */
        for (last = i + 1; last < n && all[last].curve == all[i].curve; last++)
            is_one = is_one || (all[last].point.phase == all[last - 1].point.phase &&
                                all[last].point.tokens != all[last - 1].point.tokens);
        const bool has_layers =
            (first->bypass && first->bypass->n_layers) || (first->per_layer && first->per_layer->n_layers);
        if (are_single ? !is_one && last == i + 1 && !has_layers : is_one)
            add_curve(r, &all[i], last - i);
    }
}

static roof_status collect(reconciler *r, placed *all, uint32_t *n)
{
    roof_reconciliation *out = r->out;
    namemap *keys = namemap_new(r->arena, out->n_experiments);
    TRY(ALLOCATED(keys, r->err));
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        roof_reconciled *e = &out->experiments[i];
        const uint32_t tokens = e->phase == ROOF_TEXT_DECODE ? e->context_tokens
                                : e->phase                   ? e->prompt_tokens
                                                             : 0;
        const roof_run *run = run_of(e);
        const double seconds = run ? times_typical(&run->total) : (double)NAN;
        e->curve = ROOF_NONE;
        if (!tokens || !(seconds > 0))
            continue;
        const char *key = key_of(r, e);
        TRY(ALLOCATED(key, r->err));
        namemap_add(keys, key, strlen(key), i); /* false: an earlier one has it */
        all[(*n)++] = (placed){{.experiment = i,
                                .phase = e->phase,
                                .tokens = tokens,
                                .seconds = seconds,
                                .ideal_s = NAN,
                                .expected_s = NAN,
                                .fitted_s = NAN,
                                .left_out_ratio = NAN,
                                .weights_s = NAN,
                                .cache_s = NAN,
                                .doubt_tokens = NAN},
                               namemap_find(keys, key, strlen(key))};
    }
    return ROOF_OK;
}

roof_status curves_group(reconciler *r)
{
    roof_reconciliation *out = r->out;
    placed *all;
    uint32_t n = 0;
    TRY(ARENA_GET(r->arena, all, out->n_experiments, r->err));
    TRY(collect(r, all, &n));
    if (!n)
        return ROOF_OK;
    order_sort(all, n, sizeof *all,
               ORDER_BY(RISING(placed, curve), FALLING(placed, point.phase), RISING(placed, point.tokens)));
    TRY(ARENA_GET2(r->arena, out->curves, out->curve_points, n, r->err));
    add_curves(r, all, n, false);
    if (out->n_curves) /* a document of curves has its single times in their table as well */
        add_curves(r, all, n, true);
    return ROOF_OK;
}

/* --- beside the prediction ------------------------------------------------------------------------------ */

static const char *why_no_ideal(const roof_reconciled *e, const roof_experiment *s)
{
    return e->not_compared     ? "it is not compared: the first sentence says why"
           : e->prediction     ? "the model or the hardware leaves it open"
           : !s->resolved_path ? "the document names no model; --model names it"
           : !e->hardware_id   ? "the document names no hardware that is described; --hw names it"
                               : "the model that the document names is not there; --model names it";
}

static bool count(const curve_model *m, uint32_t tokens, roof_language_counts *out)
{
    roof_language_point at = m->at;
    at.tokens = tokens;
    return m->language && roof_language_count(m->language, &at, out, NULL) == ROOF_OK;
}

static void compare_points(reconciler *r, const roof_timed_curve *curve, const curve_model *m)
{
    for (uint32_t i = 0; i < curve->n_points; i++) {
        roof_timed_point *p = &r->out->curve_points[curve->first_point + i];
        const roof_reconciled *e = &r->out->experiments[p->experiment];
        roof_language_counts counts;
        p->ideal_s = e->total.ideal_s;
        p->expected_s = e->total.expected_s;
        p->no_ideal = isnan(p->ideal_s) ? why_no_ideal(e, source_of(r, e)) : NULL;
        if (p->phase != ROOF_TEXT_DECODE || isnan(p->ideal_s) || !count(m, p->tokens, &counts))
            continue;
        /* Reads take all of a step of one sequence: a multiply-accumulate for each weight. */
        const double bytes = (double)counts.weight_bytes + (double)counts.kv_bytes;
        if (curve->batch <= 1 && bytes > 0) {
            p->weights_s = p->ideal_s * (double)counts.weight_bytes / bytes;
            p->cache_s = p->ideal_s - p->weights_s;
        }
    }
}

/* --- the constant, and the cache ------------------------------------------------------------------------ */

/* A form that is not stated is what a model is read with: bf16. */
static bool parse_form(const char *text, roof_weight_format *out)
{
    return roof_weight_format_parse(text ? text : "bf16", out, NULL) == ROOF_OK;
}

static curve_model model_of(const reconciler *r, const roof_timed_curve *curve)
{
    const roof_reconciled *e = &r->out->experiments[r->out->curve_points[curve->first_point].experiment];
    const roof_language_model *const *all = r->options ? r->options->languages : NULL;
    curve_model m = {.language = all ? all[e->source] : NULL,
                     .at = {.phase = ROOF_TEXT_DECODE, .tokens = 1, .batch = curve->batch}};
    if (!parse_form(curve->weights, &m.at.weights) || !parse_form(curve->cache, &m.at.cache))
        m.language = NULL;
    return m;
}

/* Bytes of cache that a step reads more for a token more of context, beyond all windows, over its time. */
static double cache_rate(const roof_timed_curve *curve, const curve_model *m, uint32_t tokens)
{
    roof_language_counts counts, longer;
    if (curve->steps.not_known || !(curve->steps.per_token_s.value > 0) || tokens > UINT32_MAX / 2 ||
        !count(m, tokens, &counts) || !count(m, 2 * tokens, &longer))
        return NAN;
    return ((double)longer.kv_bytes - (double)counts.kv_bytes) / tokens / curve->steps.per_token_s.value;
}

static void part_constant(roof_timed_curve *curve, double weights_s, roof_weights_basis basis)
{
    if (curve->steps.not_known || !(weights_s <= curve->steps.constant_s.value))
        return; /* what is longer than the whole is no part of it */
    curve->weights_s = weights_s;
    curve->launches_s = curve->steps.constant_s.value - weights_s;
    curve->weights_basis = basis;
}

static roof_status make_one(reconciler *r, roof_timed_curve *curve)
{
    roof_timed_point *steps = &r->out->curve_points[curve->first_point];
    const curve_model m = model_of(r, curve);
    roof_language_counts counts;
    uint32_t head_dim = 0, n_full = 0;
    const roof_reconciled *first = &r->out->experiments[steps->experiment];
    curve->hardware = first->hardware ? first->hardware : source_of(r, first)->device;
    compare_points(r, curve, &m);
    curve->steps = step_fit_make(steps, curve->n_steps);
    if (!m.language)
        return ROOF_OK;
    if (m.language->name)
        TRY((curve->model = arena_strdup(r->arena, m.language->name)) ? ROOF_OK : error_memory(r->err));
    if (count(&m, 1, &counts))
        curve->weight_bytes = counts.streamed_bytes;
    for (uint32_t k = 0; k < m.language->n_kinds; k++)
        if (m.language->kinds[k].mixer == ROOF_MIXER_FULL) {
            n_full += m.language->kinds[k].count;
            head_dim = m.language->kinds[k].head_dim;
        }
    if (n_full)
        curve->attention =
            arena_printf(r->arena, "%s_h%u_kv%u", m.language->attention, head_dim, m.language->kv_heads);
    if (!curve->n_steps)
        return arena_status(r->arena, r->err);
    part_constant(curve, steps->weights_s, ROOF_WEIGHTS_BOUND);
    const roof_prediction *p = first->prediction; /* by the built-in calibration of the runtime */
    const bool is_expected = p && p->is_language && p->language.expected.seconds > 0;
    part_constant(curve, is_expected ? p->language.expected.parts_s[ROOF_PART_WEIGHTS] : (double)NAN,
                  ROOF_WEIGHTS_EXPECTED);
    curve->cache_bytes_per_s = cache_rate(curve, &m, steps[curve->n_steps - 1].tokens);
    return arena_status(r->arena, r->err);
}

/* --- constants of stacks -------------------------------------------------------------------------------- */

static bool is_of(const roof_stack_fit *fit, const roof_timed_curve *c)
{
    return text_same(fit->stack, c->stack) && text_same(fit->stack_version, c->stack_version) &&
           text_same(fit->hardware, c->hardware);
}

static stack_member member_of(const reconciler *r, uint32_t i)
{
    const roof_timed_curve *curve = &r->out->curves[i];
    const curve_model m = model_of(r, curve);
    const uint32_t experts = m.language ? m.language->experts : 0; /* a curve is of a language model */
    stack_member out = {.curve = i,
                        .attention = curve->attention,
                        .weight_bytes = (double)curve->weight_bytes,
                        .expert_layers = experts ? m.language->layers : 0,
                        .steps = &r->out->curve_points[curve->first_point],
                        .n_steps = curve->n_steps};
    while (!text_same(r->out->curves[out.model].model, curve->model)) /* the first one's number */
        out.model++;
    for (uint32_t k = 0; m.language && k < m.language->n_kinds; k++)
        out.layers[m.language->kinds[k].mixer] += m.language->kinds[k].count;
    return out;
}

/* One for each stack, version and hardware of two models or more. Constants are of one sequence at a time. */
static roof_status fit_stacks(reconciler *r)
{
    roof_reconciliation *out = r->out;
    stack_member *members;
    TRY(ARENA_GET2(r->arena, members, out->stack_fits, out->n_curves, r->err));
    for (uint32_t i = 0; i < out->n_curves; i++) {
        const roof_timed_curve *first = &out->curves[i];
        roof_stack_fit fit = {
            .stack = first->stack, .stack_version = first->stack_version, .hardware = first->hardware};
        uint32_t n = 0;
        bool is_done = false, are_several = false;
        for (uint32_t k = 0; k < out->n_stack_fits; k++)
            is_done = is_done || is_of(&out->stack_fits[k], first);
        for (uint32_t k = i; k < out->n_curves && !is_done; k++) {
            const roof_timed_curve *c = &out->curves[k];
            if (is_of(&fit, c) && c->batch == 1 && c->n_steps > 1 && c->weight_bytes != ROOF_UNKNOWN)
                members[n++] = member_of(r, k);
            are_several = are_several || (n && members[n - 1].model != members[0].model);
        }
        if (!are_several)
            continue;
        TRY(stack_fit_make(members, n, r->arena, &fit, r->err));
        out->stack_fits[out->n_stack_fits++] = fit;
        for (uint32_t k = 0; k < fit.n_models && !fit.not_known; k++) {
            roof_timed_curve *curve = &out->curves[fit.models[k].curve];
            part_constant(curve, fit.constants->value * (double)curve->weight_bytes, ROOF_WEIGHTS_FITTED);
        }
    }
    return ROOF_OK;
}

/* --- times that cannot be ------------------------------------------------------------------------------- */

/* Printed digits round, so that a time may be a little below what it was. */
static const double rounding = 0.005;

WORD_OF(roof_point_doubt_text, roof_point_doubt, doubt,
        NULL, [ROOF_POINT_POSSIBLE] = "possible", [ROOF_POINT_OF_A_TOKEN] = "one_of_a_batch",
        [ROOF_POINT_OF_WEIGHTS] = "other_weights", [ROOF_POINT_OF_CONTEXT] = "other_context")

static bool is_impossible(const roof_timed_point *p)
{
    return p->seconds < p->ideal_s * (1 - rounding);
}

/* The largest form whose bound such a time would meet; NULL: not the smallest's either. */
static const char *form_of(const roof_timed_point *p, const curve_model *m)
{
    static const char *const forms[] = {"bf16", "q8_0", "int8", "q6_k", "q5_k", "q4_1", "q4_0", "int4"};
    curve_model with = *m;
    roof_language_counts stated, other;
    if (p->phase != ROOF_TEXT_DECODE || isnan(p->weights_s) || !count(m, p->tokens, &stated))
        return NULL;
    for (size_t i = 0; i < N_OF(forms); i++) {
        if (!parse_form(forms[i], &with.at.weights) || !count(&with, p->tokens, &other))
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

void curve_doubts_find(reconciler *r, roof_timed_curve *curve, const curve_model *m)
{
    roof_timed_point *points = &r->out->curve_points[curve->first_point];
    uint32_t n = 0;
    for (uint32_t i = 0; i < curve->n_points; i++)
        n += is_impossible(&points[i]);
    FOR_EACH(roof_timed_point, p, points, curve->n_points) {
        if (!is_impossible(p))
            continue;
        judge(p, curve, m, 2 * n > curve->n_points);
        if (p->is_beyond_kink && p->tokens == curve->steps.kink_tokens) {
            curve->steps.kink_tokens = 0;
            curve->steps.kink_ratio = NAN;
        }
        p->is_stray = p->is_stray || p->is_beyond_kink; /* a time that cannot be is of no kernel */
        p->is_beyond_kink = false;
        reconcile_find(r, &r->out->experiments[p->experiment], NULL, remark_of(p, curve));
    }
}

/* --- which part of a step grew -------------------------------------------------------------------------- */

/* The last step on the line of a curve that is no longer than `most`, or the first one; NULL: none is. */
static const roof_timed_point *step_of(const roof_reconciliation *out, const roof_timed_curve *curve,
                                       bool is_first, uint32_t most)
{
    const roof_timed_point *steps = &out->curve_points[curve->first_point], *found = NULL;
    for (uint32_t i = 0; i < curve->n_steps && !(found && is_first); i++)
        if (!steps[i].is_stray && !steps[i].is_beyond_kink && steps[i].tokens <= most)
            found = &steps[i];
    return found;
}

static void find_most(roof_growth *g)
{
    const double parts[] = {[ROOF_PART_WEIGHTS] = g->weights_s,
                            [ROOF_PART_CACHE] = g->cache_s,
                            [ROOF_PART_LAUNCHES] = g->launches_s};
    const double sign = g->total_s < 0 ? -1 : 1;
    g->most = ROOF_PART_CACHE;
    for (int i = 0; i < (int)N_OF(parts); i++)
        if (sign * parts[i] > sign * parts[g->most])
            g->most = (roof_language_part)i;
    g->rest_s = g->total_s - g->weights_s - g->cache_s - g->launches_s;
}

/* Between its shortest and its longest step only the cache grows. */
static bool along(const roof_reconciliation *out, uint32_t i, roof_growth *g)
{
    const roof_timed_curve *curve = &out->curves[i];
    const roof_timed_point *from = step_of(out, curve, true, UINT32_MAX),
                           *to = step_of(out, curve, false, UINT32_MAX);
    if (curve->steps.not_known || !from || !to || from->tokens == to->tokens)
        return false;
    *g = (roof_growth){.curves = {i, i},
                       .tokens = {from->tokens, to->tokens},
                       .total_s = to->seconds - from->seconds,
                       .cache_s = to->fitted_s - from->fitted_s};
    find_most(g);
    return true;
}

/* From one curve to another of the same model, at the longest step that both have. */
static bool between(const roof_reconciliation *out, uint32_t i, uint32_t k, roof_growth *g)
{
    const roof_timed_curve *a = &out->curves[i], *b = &out->curves[k];
    const roof_timed_point *at[] = {step_of(out, a, false, UINT32_MAX), step_of(out, b, false, UINT32_MAX)};
    while (at[0] && at[1] && at[0]->tokens != at[1]->tokens) {
        const int longer = at[0]->tokens < at[1]->tokens;
        at[longer] = step_of(out, longer ? b : a, false, at[!longer]->tokens);
    }
    if (a->steps.not_known || b->steps.not_known || !at[0] || !at[1])
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

static roof_status make_growths(reconciler *r)
{
    roof_reconciliation *out = r->out;
    TRY(ARENA_GET(r->arena, out->growths, 2 * (size_t)out->n_curves, r->err));
    for (uint32_t i = 0; i < out->n_curves; i++)
        out->n_growths += along(out, i, &out->growths[out->n_growths]);
    for (uint32_t i = 0; i < out->n_curves; i++) {
        const roof_timed_curve *own = &out->curves[i];
        bool is_found = false; /* the curve before of the same model, hardware and batch */
        for (uint32_t k = i; k-- && !is_found;) {
            const roof_timed_curve *c = &out->curves[k];
            is_found = text_same(c->model, own->model) && text_same(c->hardware, own->hardware) &&
                       c->batch == own->batch;
            if (is_found)
                out->n_growths += between(out, k, i, &out->growths[out->n_growths]);
        }
    }
    return ROOF_OK;
}

/* --- all of it ------------------------------------------------------------------------------------------ */

static void find(reconciler *r, const roof_timed_curve *curve)
{
    for (uint32_t i = 0; i < curve->n_steps; i++) {
        const roof_timed_point *p = &r->out->curve_points[curve->first_point + i];
        const roof_reconciled *e = &r->out->experiments[p->experiment];
        if (p->is_stray && !p->doubt)
            TELL(r, e, NULL, STRAY_STEP, AS_COUNT(p->tokens), AS_SECONDS(p->seconds),
                 AS_SECONDS(p->fitted_s));
        if (p->tokens == curve->steps.kink_tokens && p->is_beyond_kink) {
            TELL(r, e, NULL, KINK, AS_COUNT(p->tokens), AS_RATIO(-curve->steps.kink_ratio));
            break;
        }
    }
}

roof_status curves_make(reconciler *r)
{
    roof_reconciliation *out = r->out;
    if (!out->n_curves)
        return ROOF_OK;
    for (uint32_t i = 0; i < out->n_curves; i++)
        TRY(make_one(r, &out->curves[i]));
    TRY(fit_stacks(r));
    for (uint32_t i = 0; i < out->n_curves; i++) {
        const curve_model m = model_of(r, &out->curves[i]);
        curve_doubts_find(r, &out->curves[i], &m);
        find(r, &out->curves[i]);
    }
    return make_growths(r);
}
