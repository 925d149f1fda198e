#include "model/predict/causes/predicted_cause.h"

uint32_t cause_bound_shares(const roof_prediction *p, bound_share shares[])
{
    const uint64_t whole = p->total.deployed.ideal_cycles;
    bound_share of[ROOF_MAX_ENGINES] = {0};
    uint32_t n = 0;
    if (!whole || whole == ROOF_UNKNOWN)
        return 0;
    FOR_EACH(const roof_layer_prediction, l, p->layers, p->n_layers) {
        if (l->deployed.bound >= p->n_engines)
            continue; /* ROOF_NONE: it has no bottleneck */
        of[l->deployed.bound].ratio += roof_layer_ideal_cycles(l) / (double)whole;
        of[l->deployed.bound].layers += !l->is_remainder; /* of no layer, but it takes time as well */
    }
    for (uint32_t e = 0; e < p->n_engines; e++) {
        of[e].engine = e;
        if (of[e].ratio > 0)
            shares[n++] = of[e];
    }
    order_sort(shares, n, sizeof *shares, ORDER_BY(FALLING(bound_share, ratio)));
    return n;
}

roof_status cause_add_predicted(roof_prediction *p, roof_cause cause, double of_s, roof_error *err)
{
    cause.gain_ci95_s[0] = cause.gain_ci95_s[1] = NAN;
    cause.share_ratio = cause.gain_s / of_s;
    if (!isnan(cause.gain_s) && !(cause.share_ratio >= CAUSE_LEAST_SHARE && cause.share_ratio <= 1))
        return ROOF_OK;
    roof_cause *all = arena_grow(p->arena, p->causes, p->n_causes, sizeof *all);
    TRY(ALLOCATED(all, err));
    all[p->n_causes++] = cause;
    p->causes = all;
    return ROOF_OK;
}

static int longest_first(const void *a, const void *b, void *of)
{
    const roof_prediction *p = of;
    const roof_layer_prediction *x = &p->layers[*(const uint32_t *)a], *y = &p->layers[*(const uint32_t *)b];
    double s = roof_layer_share_ratio(p, x), t = roof_layer_share_ratio(p, y);
    return s != t && !isnan(s) && !isnan(t) ? (s < t ? 1 : -1) : (x > y) - (x < y);
}

roof_status cause_set_layers(roof_prediction *p, roof_cause *cause,
                             bool (*is_of)(const roof_layer_prediction *layer, uint32_t engine),
                             uint32_t engine, roof_error *err)
{
    uint32_t *layers;
    TRY(ARENA_GET(p->arena, layers, p->n_layers, err));
    for (uint32_t i = 0; i < p->n_layers; i++)
        if (!p->layers[i].is_remainder && is_of(&p->layers[i], engine))
            layers[cause->n_units++] = i;
    cause->units = layers;
    if (cause->n_units)
        qsort_r(layers, cause->n_units, sizeof *layers, longest_first, p);
    return ROOF_OK;
}

double cause_replayed_s(const roof_prediction *p, const char *engine, double *of_s)
{
    size_t length = strlen(engine);
    FOR_EACH(const roof_what_if, w, p->schedule.what_ifs, p->schedule.n_what_ifs) {
        if (strncmp(w->label, engine, length) != 0 || strcmp(w->label + length, " x2") != 0)
            continue;
        bool is_expected = !isnan(w->expected_s);
        *of_s = is_expected ? number_as_derived(p->total.predicted_s) : roof_best_s(p);
        return *of_s - number_as_derived(is_expected ? w->expected_s : w->best_s);
    }
    return NAN;
}
