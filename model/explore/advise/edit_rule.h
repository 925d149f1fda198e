/* model/explore/advise/edit_rule.h - what the rules share that look for edits of a network.
 *
 * A rule sees the graph, its prediction and the hardware, and offers edits. It predicts nothing and ranks
 * nothing: whether an edit gains is what lowering and laws say of the edited graph (advise.c).
 *
 * Units: seconds; operators are indices of the graph, ROOF_NONE means none.
 * Ownership: everything lives in the arena of the search.
 */
#pragma once

#include "model/edit/edit.h"

/* Facts about an operator before anything is edited. */
typedef struct edit_place {
    uint32_t row;       /* of the prediction, that stands for it; ROOF_NONE: it has none of its own */
    uint32_t n_readers; /* operators that read it */
    uint32_t reader;    /* the last of these */
    uint32_t set;  /* the first operator of those whose channels change with its own; ROOF_NONE: they stay */
    uint32_t next; /* of the same set; ROOF_NONE: it is the last */
} edit_place;

typedef struct edit_candidate {
    const struct edit_rule *rule;
    const char *rule_id;
    const edit *edits;
    uint32_t n;
    double promise;  /* share of the touched rows in the metric, the most that it could change */
    bool is_on_host; /* it touches what the host runs, whose time is unknown */
    bool is_certain; /* it is tried whatever it touches: an edit of the whole, or one without a loss */
} edit_candidate;

typedef struct edit_search {
    const roof_graph *graph;
    const roof_prediction *base;
    const roof_hw *hw;
    const edit_place *places;         /* by operator */
    const unsigned char *is_constant; /* likewise: it is known before the network runs */
    bool by_memory;                   /* the metric is memory, not time */
    const struct edit_rule *rule;     /* looking now */
    const char *rule_id;
    edit_candidate *candidates;
    uint32_t n;
    uint32_t *seen, n_seen; /* by row, the last candidate that touched it; for edit_offer alone */
    uint32_t *offered;      /* by operator, the channels that were offered of it alone; likewise */
    roof_arena *arena;
    roof_error *err;
} edit_search;

typedef struct edit_rule {
    bool keeps_function;  /* outputs stay what they are, but for rounding */
    bool is_of_whole;     /* of all layers at once, as far as one likes: in no combination */
    const char *evidence; /* measured pairs of such an edit */
    roof_status (*find)(edit_search *s);
} edit_rule;

/* Edits that are alike, to be offered all together, and each alone. Begins as {0}. */
typedef struct edit_group {
    edit *edits;
    uint32_t n;
} edit_group;

roof_status edit_group_add(edit_search *s, edit_group *group, edit what);

/* One candidate of n edits; channels that were offered already are not again. */
roof_status edit_offer(edit_search *s, const edit *edits, uint32_t n);

/* All of a group as one candidate where there are several, and each as one. */
roof_status edit_offer_group(edit_search *s, const edit_group *group);

/* The number-th input of op that is computed; ROOF_NONE: there are fewer. */
uint32_t edit_map(const edit_search *s, uint32_t op, uint32_t number);

/* Height times width of what an operator makes, where that is a map of four dimensions; 0: it is none. */
uint64_t edit_area(const edit_search *s, uint32_t op);
uint32_t edit_channels(const edit_search *s, uint32_t op);

/* Groups of a convolution; 0: unknown. */
uint32_t edit_groups_of(const edit_search *s, uint32_t op);

/* True if its type is one of these words, of any case. */
bool edit_is_typed(const edit_search *s, uint32_t op, const char *const *words);

/* True if it is the product of two maps of the same shape, one of them a function of the other. */
bool edit_is_gated(const edit_search *s, uint32_t op);

/* A product of a map and one value a channel that is computed: which input is the map; ROOF_NONE: it is no
 * such. */
uint32_t edit_scaled_map(const edit_search *s, uint32_t op);

/* Channels that one pass of the array works on; 0: the hardware does not state it. */
uint32_t edit_lanes(const edit_search *s);
