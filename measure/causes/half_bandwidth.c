/* ## Costs of the whole device
 * ### half_bandwidth
 * Condition: for each memory (the ports of a DPU count as one): of the layers whose bottleneck it is, the
 *   lowest tenth of the ratios is 1.6 or more, and two fifths are within 1.35 of that; of the others it is
 *   below 1.35, or 1.6 times less where the bound is an estimate. At least 5 layers of the memory and 3
 *   others. It is no memory if these layers are of one kind, whose other layers are as slow. Caches of a
 *   processor are left
 *   out: what their short layers take is starting them. Not of a per-layer run whose profiling overhead is
 *   unknown.
 * Gain: the time that the layers of the memory would save if they came as near to their bound as the others.
 *   Sure: guess.
 * Advice: check the bus width, the clock of the memory, and what else uses it. Measure the memory with a
 *   copy. */
#include "measure/causes/layer_groups.h"

static bool is_of_kind(cause_search *in, const layer_group *bound, const group_best *slow)
{
    const char *type = NULL;
    uint32_t n = 0;
    FOR_EACH(const cause_layer, layer, in->layers, in->n) {
        if (!cause_layer_is_of(layer, bound) || layer->is_small)
            continue;
        if (type && type != layer->type)
            return false;
        type = layer->type;
    }
    for (uint32_t i = 0; i < in->n; i++)
        if (!cause_layer_is_of(&in->layers[i], bound) && !in->layers[i].is_small &&
            in->layers[i].type == type)
            in->ratios[n++] = cause_layer_ratio(&in->layers[i]);
    return cause_layers_quantile(in->ratios, n, 0.5) * OTHER_RATIO > slow->ratio;
}

static void find_memory(cause_search *in, const char *memory)
{
    const layer_group bound = {.memory = memory};
    const group_best slow = cause_group_best(in, &bound, false), others = cause_group_best(in, &bound, true);
    double factor = slow.ratio / others.ratio;
    bool others_are_fast = experiment_has_bound(in->e) ? others.ratio < OTHER_RATIO : factor >= BEST_RATIO;
    if (!isnan(experiment_timing_most_s(in->e)) || others.n < LEAST_PEERS || !others_are_fast ||
        !cause_group_has_factor(&slow, OTHER_RATIO) || is_of_kind(in, &bound, &slow))
        return;
    const roof_cause cause =
        cause_of(in, ROOF_CAUSE_HALF_BANDWIDTH, slow.sum_s * (1 - 1 / factor), ROOF_SURE_GUESS);
    cause_group_explain(in, factor, &bound);
    if (cause.share_ratio >= CAUSE_LEAST_SHARE)
        cause_add_group(in, cause, &bound,
                        REMARK(CAUSE_FACTOR, AS_COUNT(slow.n), AS_TEXT(memory), AS("", slow.ratio),
                               AS("", others.ratio)));
}

void cause_half_bandwidth(cause_search *in)
{
    static const char *const caches[] = {"l1", "l2", "l3"};
    const char *done[ROOF_MAX_ENGINES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->n; i++) {
        const char *memory = in->layers[i].memory;
        if (!memory || n == ROOF_MAX_ENGINES || IS_ONE_OF(caches, memory) || WORD_AT(done, n, memory) < n)
            continue;
        done[n++] = memory;
        find_memory(in, memory);
    }
}
