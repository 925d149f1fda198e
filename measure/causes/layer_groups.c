#include "measure/causes/layer_groups.h"
#include "model/laws/engine.h"

#define SLOW_DEVIATIONS 4
#define SURELY_SLOW     1.0 /* in ln(ratio): 2.7 times its like, however these spread */

/* A few layers may be alike by chance. And so much of a normal distribution is below its mean and one
 * deviation. */
#define DEVIATION_FLOOR 0.15
#define ONE_DEVIATION   0.8413

/* Layers that take less than this part of the mean layer are no example for others: starting them takes most
 * of their time. */
#define SMALL_LAYER 0.25

/* --- layers ------------------------------------------------------------------------------------------- */

static const char *name_once(cause_names_once *all, const char *name)
{
    const uint32_t i = WORD_AT(all->of, all->n, name);
    return i < all->n ? all->of[i] : all->n == CAUSE_MOST_NAMES ? NULL : (all->of[all->n++] = name);
}

static void fill_layer(cause_search *in, const roof_match *u, cause_layer *layer)
{
    const roof_prediction *p = in->e->prediction;
    const engine_info *engine = u->bound == ROOF_NONE ? NULL : engine_named(p->engines[u->bound]);
    bool is_memory = engine && engine->kind == ENGINE_KIND_DATA;
    const roof_times *t = u->n_rows == 1 ? &match_row(in->e, u, 0)->time : NULL;
    const char *size = match_output_size(in->e, u, in->r->arena);
    double seconds = isnan(u->corrected_s) ? u->measured_s : u->corrected_s;
    seconds -= isnan(u->host_s) ? 0 : u->host_s;
    *layer =
        (cause_layer){.match = u,
                      .type = name_once(&in->types, match_type(u)),
                      .stage = size ? name_once(&in->stages, size) : NULL,
                      .memory = is_memory ? engine->efficiency : NULL,
                      /* what the few slow executions of a row add to its mean says nothing of the layer */
                      .seconds = t && t->median_s < t->mean_s ? seconds * (t->median_s / t->mean_s) : seconds,
                      .bound_s = match_bound_s(u),
                      .gap_s = fmax(0, u->gap_s),
                      .usual_s = NAN,
                      /* pools and external memory have clocks of their own; a DPU's ports have the DPU's */
                      .is_clocked = !is_memory || !p->hardware.n_pools};
}

void cause_layers_find(cause_search *in)
{
    double sum_s = 0;
    for (uint32_t i = 0; in->e->prediction && i < in->e->n_matches; i++) {
        const roof_match *u = &in->e->matches[i];
        if (!u->n_layers || roof_match_is_repeated(u) || !(u->measured_s > 0) || !(match_bound_s(u) > 0) ||
            !layer_is_accelerated(match_layer(in->e, u, 0)))
            continue;
        cause_layer *layer = &in->layers[in->n++];
        fill_layer(in, u, layer);
        sum_s += layer->seconds;
        in->gap_s += layer->gap_s;
    }
    for (uint32_t i = 0; i < in->n; i++)
        in->layers[i].is_small =
            in->layers[i].match->is_unlisted || in->layers[i].seconds < SMALL_LAYER * sum_s / in->n;
}

double cause_layer_ratio(const cause_layer *layer)
{
    return layer->seconds / layer->bound_s;
}

void cause_layer_explain(cause_layer *layer, double excess_s)
{
    layer->seconds -= excess_s;
    layer->gap_s = fmax(0, layer->gap_s - excess_s);
}

/* --- groups ------------------------------------------------------------------------------------------- */

bool cause_layer_is_of(const cause_layer *layer, const layer_group *g)
{
    return layer != g->without && (!g->only || layer == g->only) &&
           (!g->type || (layer->type == g->type) != g->is_other) && (!g->stage || layer->stage == g->stage) &&
           (!g->not_stage || layer->stage != g->not_stage) &&
           (!g->memory || (layer->memory && strcmp(layer->memory, g->memory) == 0)) &&
           (!g->clocked_only || layer->is_clocked) && (!g->compared_only || !isnan(layer->usual_s));
}

group_sums cause_group_sum(const cause_search *in, const layer_group *group)
{
    group_sums all = {0};
    FOR_EACH(const cause_layer, layer, in->layers, in->n)
        if (cause_layer_is_of(layer, group)) {
            all.seconds += layer->seconds;
            all.bound_s += layer->bound_s;
            all.gap_s += layer->gap_s;
        }
    return all;
}

void cause_add_group(cause_search *in, roof_cause cause, const layer_group *group, roof_remark why)
{
    uint32_t *units = NEW_ARRAY(in->r->arena, uint32_t, in->n);
    for (uint32_t i = 0; units && i < in->n; i++)
        if (cause_layer_is_of(&in->layers[i], group))
            units[cause.n_units++] = (uint32_t)(in->layers[i].match - in->e->matches);
    cause.units = units;
    cause.subject = group->only    ? group->only->match->name
                    : group->type  ? group->type
                    : group->stage ? group->stage
                                   : group->memory;
    cause_sort_units(in, &cause);
    cause_add(in, cause, why);
}

double cause_layers_quantile(double *values, uint32_t n, double q)
{
    if (!n)
        return NAN;
    double at = q * (n - 1);
    uint32_t below = (uint32_t)at;
    ORDER_VALUES(values, n);
    return below + 1 < n ? values[below] + (at - below) * (values[below + 1] - values[below]) : values[below];
}

group_best cause_group_best(cause_search *in, const layer_group *group, bool is_other)
{
    group_best best = {0, NAN, NAN, 0};
    FOR_EACH(const cause_layer, layer, in->layers, in->n) {
        if (cause_layer_is_of(layer, group) == is_other)
            continue;
        best.sum_s += layer->seconds;
        if (!layer->is_small)
            in->ratios[best.n++] = cause_layer_ratio(layer);
    }
    best.ratio = cause_layers_quantile(in->ratios, best.n, 0.1);
    best.most = cause_layers_quantile(in->ratios, best.n, 0.4);
    return best;
}

bool cause_group_has_factor(const group_best *best, double within)
{
    return best->n >= LEAST_OF_FACTOR && best->ratio >= BEST_RATIO && best->most < within * best->ratio;
}

void cause_group_explain(cause_search *in, double factor, const layer_group *group)
{
    for (uint32_t i = 0; i < in->n; i++)
        if (cause_layer_is_of(&in->layers[i], group))
            in->layers[i].bound_s = fmin(in->layers[i].seconds, factor * in->layers[i].bound_s);
}

/* --- peers -------------------------------------------------------------------------------------------- */

static bool is_peer(const cause_layer *layer, const layer_group *g)
{
    return !layer->is_slow && !layer->is_small && cause_layer_is_of(layer, g);
}

layer_peers cause_peers_of(cause_search *in, const layer_group *group)
{
    layer_peers peers = {0, NAN, NAN};
    double seconds = 0, bound_s = 0;
    for (uint32_t i = 0; i < in->n; i++)
        if (is_peer(&in->layers[i], group))
            in->ratios[peers.n++] = cause_layer_ratio(&in->layers[i]);
    peers.median = cause_layers_quantile(in->ratios, peers.n, 0.5);
    FOR_EACH(const cause_layer, layer, in->layers, in->n) {
        if (!is_peer(layer, group) ||
            cause_layer_ratio(layer) > peers.median * exp(SLOW_DEVIATIONS * in->spread))
            continue;
        seconds += layer->seconds;
        bound_s += layer->bound_s;
    }
    peers.together = seconds / bound_s;
    return peers;
}

double cause_peers_spread(cause_search *in, const char *not_stage)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->types.n; i++) {
        const layer_group like = {.type = in->types.of[i], .not_stage = not_stage};
        double median = cause_peers_of(in, &like).median;
        for (uint32_t k = 0; k < in->n; k++)
            if (is_peer(&in->layers[k], &like))
                in->deviations[n++] = log(cause_layer_ratio(&in->layers[k]) / median);
    }
    return fmax(DEVIATION_FLOOR, cause_layers_quantile(in->deviations, n, ONE_DEVIATION));
}

double cause_peers_deviation(double *values, uint32_t n, double median)
{
    return fmax(DEVIATION_FLOOR, log(cause_layers_quantile(values, n, ONE_DEVIATION) / median));
}

bool cause_peers_are_faster(double ratio, double least_ratio, double error)
{
    return log(ratio) > fmax(log(least_ratio), fmin(SURELY_SLOW, SLOW_DEVIATIONS * error));
}

roof_cause cause_of_slower(const cause_search *in, roof_cause_kind kind, double seconds, double like_s,
                           double error)
{
    roof_cause cause = cause_of(in, kind, seconds - like_s, ROOF_SURE_PEERS);
    cause.gain_ci95_s[0] = fmax(0, seconds - like_s * exp(1.96 * error));
    cause.gain_ci95_s[1] = seconds - like_s * exp(-1.96 * error);
    return cause;
}

/* --- kinds -------------------------------------------------------------------------------------------- */

bool cause_kind_is_slow(cause_search *in, const char *type, kind_comparison *out)
{
    out->sums = cause_group_sum(in, &(layer_group){.type = type});
    if (!(fmax(out->sums.seconds, out->sums.gap_s) >= CAUSE_LEAST_SHARE * in->of_s))
        return false;
    const layer_peers own = cause_peers_of(in, &(layer_group){.type = type}),
                      others = cause_peers_of(in, &(layer_group){.type = type, .is_other = true});
    out->others_ratio = others.together;
    out->like_s = others.together * out->sums.bound_s;
    out->error = in->spread * sqrt(1.0 / own.n + 1.0 / others.n);
    return own.n >= 2 && others.n >= LEAST_PEERS &&
           cause_peers_are_faster(own.median / others.median, SLOW_GROUP_RATIO, out->error) &&
           out->sums.seconds - out->like_s >= CAUSE_LEAST_SHARE * in->of_s;
}

bool cause_kind_has_gap(const cause_search *in, double gap_s)
{
    return gap_s / in->gap_s >= 0.1 && gap_s >= CAUSE_LEAST_SHARE * in->of_s;
}
