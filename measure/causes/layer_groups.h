/* measure/causes/layer_groups.h - layers of a profile beside others: what they have in common, and how near
 * they come to their bounds.
 *
 * A ratio is the time of a layer over its bound.
 */
#pragma once

#include "measure/causes/cause_rule.h"

/* The best layers of an accelerator come nearer to their bound than BEST_RATIO, whatever the network. Layers
 * that stand out from slow ones come nearer than OTHER_RATIO. */
#define BEST_RATIO  1.6
#define OTHER_RATIO 1.35

/* Layers, kinds and stages are slower than their like by so much. */
#define SLOW_LAYER_RATIO 1.5
#define SLOW_GROUP_RATIO 1.3

/* Layers that are an example for others; and those of one factor, which a few layers may have by chance. */
enum { LEAST_PEERS = 3, LEAST_OF_FACTOR = 5 };

/* Layers that have all of these in common; NULL: any. is_other: those of all other types. Neither `without`
 * nor those of not_stage; only: one of them. */
typedef struct layer_group {
    const char *type, *stage, *memory, *not_stage;
    const cause_layer *without, *only;
    bool is_other, clocked_only, compared_only;
} layer_group;

typedef struct group_sums {
    double seconds, bound_s, gap_s;
} group_sums;

/* The ratios that the best tenth and the best two fifths of a group reach. */
typedef struct group_best {
    uint32_t n;
    double ratio, most, sum_s;
} group_best;

/* Layers of a group that are an example for others. */
typedef struct layer_peers {
    uint32_t n;
    double median, together; /* of all together without those that are far above */
} layer_peers;

/* A kind beside all others. */
typedef struct kind_comparison {
    group_sums sums;
    double others_ratio, like_s, error;
} kind_comparison;

/* Fills the layers of a search with those that can be compared. */
void cause_layers_find(cause_search *in);

/* The q-th part of n values from below, between two of them in proportion; sorts them. */
double cause_layers_quantile(double *values, uint32_t n, double q);

bool cause_layer_is_of(const cause_layer *layer, const layer_group *group);
double cause_layer_ratio(const cause_layer *layer);
group_sums cause_group_sum(const cause_search *in, const layer_group *group);
/* Lists a cause of a group: its subject is what they have in common. */
void cause_add_group(cause_search *in, roof_cause cause, const layer_group *group, roof_remark why);

/* The best of a group, or, where is_other, of all other layers. */
group_best cause_group_best(cause_search *in, const layer_group *group, bool is_other);

/* True if one factor slows all of them: they meet one wall. */
bool cause_group_has_factor(const group_best *best, double within);

/* Takes the factor off the group's layers before single ones are judged. */
void cause_group_explain(cause_search *in, double factor, const layer_group *group);

layer_peers cause_peers_of(cause_search *in, const layer_group *group);

/* How far the upper part of all layers without those of a stage is above the median of their kind: no layer
 * is far below. */
double cause_peers_spread(cause_search *in, const char *not_stage);

/* A deviation of n values: as far as ONE_DEVIATION of them are above their median. */
double cause_peers_deviation(double *values, uint32_t n, double median);

/* True if a ratio is above least_ratio, and above chance. */
bool cause_peers_are_faster(double ratio, double least_ratio, double error);

/* A cause that takes more time than its like would; error: of the logarithm of that. */
roof_cause cause_of_slower(const cause_search *in, roof_cause_kind kind, double seconds, double like_s,
                           double error);

/* Takes off a layer's time what a cause explains of it: no other cause may explain it again. */
void cause_layer_explain(cause_layer *layer, double excess_s);

/* True if a kind is slower than the others, by a share of the time that counts as a cause. */
bool cause_kind_is_slow(cause_search *in, const char *type, kind_comparison *out);

/* True if the gap of a kind is a good part of the gap of all. */
bool cause_kind_has_gap(const cause_search *in, double gap_s);
