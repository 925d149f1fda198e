/* ## Costs of single layers
 * ### slow_layer
 * Condition: the ratio of a layer is more than 1.5 times the median of its peers, and more than 4 spreads
 *   above it, but never more than 2.7 times. Peers are layers of the same kind; if there are fewer
 *   than 3, all other layers. The time above the median ratio is at least 5 %.
 * Gain: the time above the median ratio of the peers, with an interval by the spread. Sure: peers.
 * Advice: look at this layer: its shape, what was fused with it, where its data lies. */
#include "measure/causes/layer_groups.h"

/* The rest of a layer's time is as that of its like, and counts with them. */
static void find_layer(cause_search *in, cause_layer *layer)
{
    layer_peers like = cause_peers_of(in, &(layer_group){.type = layer->type, .without = layer});
    if (like.n < LEAST_PEERS)
        like = cause_peers_of(in, &(layer_group){.without = layer});
    double like_s = like.median * layer->bound_s, excess_s = layer->seconds - like_s;
    if (like.n < LEAST_PEERS ||
        !cause_peers_are_faster(layer->seconds / like_s, SLOW_LAYER_RATIO, in->spread) ||
        !(excess_s >= CAUSE_LEAST_SHARE * in->of_s))
        return;
    cause_add_group(in, cause_of_slower(in, ROOF_CAUSE_SLOW_LAYER, layer->seconds, like_s, in->spread),
                    &(layer_group){.only = layer},
                    REMARK(CAUSE_LAYER, AS("", cause_layer_ratio(layer)), AS_SECONDS(layer->bound_s),
                           AS_COUNT(like.n), AS("", like.median)));
    layer->is_slow = true;
    cause_layer_explain(layer, excess_s);
}

void cause_slow_layer(cause_search *in)
{
    enum { MOST = 256 }; /* times may contradict one another: no more layers are looked at */
    in->spread = cause_peers_spread(in, NULL);
    for (uint32_t i = 0, layers = 0; i < in->n && layers < MOST; i++)
        if (in->layers[i].seconds >= CAUSE_LEAST_SHARE * in->of_s && !in->layers[i].match->is_unlisted) {
            find_layer(in, &in->layers[i]);
            layers++;
        }
}
