/* ## Costs of single layers
 * ### slow_stage
 * Condition: a *stage* is the layers of one output size (height x width), where the model states it. Each
 *   layer is compared with the layers of the same kind in other stages; a kind with fewer than 3 of them
 *   there is left out. Three quarters of the layers are more than 1.3 times as slow, and more than 4 errors,
 *   but never more than 2.7 times. The error is that of the mean, by the spread inside and outside
 *   the stage. At least 5 layers; the time above is at least 5 %.
 * Gain: the time of the stage above that of its kinds elsewhere, with an interval by the error. Sure: peers.
 * Advice: look at what this size does to these layers: tensors that no longer fit on the chip, or tiles
 *   that fill the array badly. */
#include "measure/causes/layer_groups.h"

/* Layers of a stage beside their kinds in other stages. */
typedef struct stage_comparison {
    uint32_t n, others; /* compared layers, and those elsewhere */
    double times;       /* that three quarters of them are slower: one or two slow layers are no stage */
    double error;       /* of its logarithm */
    double seconds, usual_s;
} stage_comparison;

static stage_comparison compare_stage(cause_search *in, const char *stage)
{
    stage_comparison out = {0};
    in->spread = cause_peers_spread(in, stage);
    for (uint32_t t = 0; t < in->types.n; t++) {
        const layer_group like = {.type = in->types.of[t], .not_stage = stage};
        const layer_peers elsewhere = cause_peers_of(in, &like);
        uint32_t before = out.n;
        FOR_EACH(cause_layer, layer, in->layers, in->n) {
            if (layer->type != like.type || layer->stage != stage)
                continue;
            layer->usual_s = elsewhere.n >= LEAST_PEERS ? elsewhere.together * layer->bound_s : NAN;
            if (isnan(layer->usual_s))
                continue;
            out.seconds += layer->seconds;
            out.usual_s += layer->usual_s;
            if (!layer->is_small)
                in->deviations[out.n++] = layer->seconds / layer->usual_s;
        }
        out.others += out.n > before ? elsewhere.n : 0;
    }
    double here =
        cause_peers_deviation(in->deviations, out.n, cause_layers_quantile(in->deviations, out.n, 0.5));
    out.times = cause_layers_quantile(in->deviations, out.n, 0.25);
    out.error = sqrt(here * here / out.n + in->spread * in->spread / out.others);
    return out;
}

/* The rest of the time of a stage's layers counts with their kinds. */
void cause_slow_stage(cause_search *in)
{
    for (uint32_t s = 0; s < in->stages.n; s++) {
        const char *stage = in->stages.of[s];
        double all_s = cause_group_sum(in, &(layer_group){.stage = stage}).seconds;
        if (!*stage || !(all_s >= CAUSE_LEAST_SHARE * in->of_s))
            continue;
        const stage_comparison found = compare_stage(in, stage);
        if (found.n < LEAST_OF_FACTOR ||
            !cause_peers_are_faster(found.times, SLOW_GROUP_RATIO, found.error) ||
            !(found.seconds - found.usual_s >= CAUSE_LEAST_SHARE * in->of_s))
            continue;
        cause_add_group(in,
                        cause_of_slower(in, ROOF_CAUSE_SLOW_STAGE, found.seconds, found.usual_s, found.error),
                        &(layer_group){.stage = stage, .compared_only = true},
                        REMARK(CAUSE_STAGE, AS_SECONDS(found.seconds), AS_SECONDS(found.usual_s)));
        FOR_EACH(cause_layer, layer, in->layers, in->n)
            if (layer->stage == stage && layer->seconds > layer->usual_s)
                cause_layer_explain(layer, layer->seconds - layer->usual_s);
    }
}
