/* measure/causes/cause_rule.h - what the rules share that find what costs time in a profile.
 *
 * Units: seconds; unknown is NaN.
 * Ownership: everything lives in the arena of the reconciliation, which remembers that memory ran out.
 */
#pragma once

#include "measure/matches/reconciler.h"
#include "measure/matches/match_facts.h"
#include "model/predict/cause_facts.h"

/* A tool may call every row a kind of its own, and every layer may have another output size: no more are
 * compared. */
enum { CAUSE_MOST_NAMES = 256 };

/* The executed layers of the accelerator, without what timing them and the CPU take. Rules take off what
 * they explain. */
typedef struct cause_layer {
    const roof_match *match;
    const char *type;   /* one of cause_search.types; NULL: there are more of them */
    const char *stage;  /* the same: the size of its output, "56x56"; "": it has none */
    const char *memory; /* that limits it, as its efficiency is called: "octoFlash"; NULL: another engine */
    double seconds, bound_s;
    double gap_s;    /* above the ideal, as tables have it */
    double usual_s;  /* as its kind in other stages; NaN: too few of them, or not compared yet */
    bool is_clocked; /* a faster clock would make it faster */
    bool is_small;   /* no example for others */
    bool is_slow;    /* a cause of its own, and no example either */
} cause_layer;

/* Each name once, so that pointers tell them apart. */
typedef struct cause_names_once {
    const char *of[CAUSE_MOST_NAMES];
    uint32_t n;
} cause_names_once;

typedef struct cause_search {
    reconciler *r;
    roof_reconciled *e;
    cause_layer *layers;
    uint32_t n;
    cause_names_once types, stages;
    double *ratios, *deviations; /* room for as many values as there are matches */
    double of_s, gap_s;          /* the time that gains are parts of; the gaps of all layers */
    double spread;               /* of layers about the median of their kind, in ln(ratio) */
    bool *is_part; /* of each row: the layer before it could do it as well; of the rule fusion */
} cause_search;

/* When a rule is asked. Where the profile is of other hardware, only rules with OF_ANY_HARDWARE are. */
enum {
    CAUSE_OF_ANY_HARDWARE = 1,
    CAUSE_OF_LAYERS = 2, /* there are layers to compare */
    CAUSE_OF_BOUND = 4   /* there is a prediction, and nothing is faster than it says is possible */
};

#define CAUSE(id, when) void cause_##id(cause_search *in);
#include "measure/causes.def"
#undef CAUSE

/* A cause whose gain is a part of the inference; its interval is unknown. */
roof_cause cause_of(const cause_search *in, roof_cause_kind kind, double gain_s, roof_certainty sure);

/* Lists it, unless the time that it is a part of is nothing beside it: then the times are not of one run. */
void cause_add(cause_search *in, roof_cause cause, roof_remark why);

/* Its matches: more time above the bound first. */
void cause_sort_units(const cause_search *in, roof_cause *cause);

/* A cause of all matches of which something is so, in their order: they have a time, which is its gain. */
typedef bool cause_match_is(const cause_search *in, const roof_match *u);
roof_cause cause_of_matches(cause_search *in, roof_cause_kind kind, roof_certainty sure, cause_match_is *is);

/* True if the plan leaves a match to the CPU, unless the plan is of other hardware; for rows without a layer,
 * if the profile says so. */
bool cause_match_is_on_host(const cause_search *in, const roof_match *u);

/* True if a row of a profile computes nothing: it changes a layout or a type, or copies. By its type, and
 * where that says nothing of what it does ("kernel", "copy"), by its name; each may be NULL. */
bool conversions_match(const char *type, const char *name);

/* Ranks what costs time in an experiment, once all else is known of it. */
void find_causes(reconciler *r, roof_reconciled *e);
