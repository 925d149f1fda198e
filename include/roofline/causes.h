/* roofline/causes.h - causes of lost time, ranked: the place, the gain, its evidence, and the reason.
 *
 * Units: _s seconds of one inference, _ratio none.
 * Ownership: causes belong to the reconciliation, or the prediction, that has them.
 */
#ifndef ROOFLINE_CAUSES_H
#define ROOFLINE_CAUSES_H

#include "roofline/finding.h"

ROOF_BEGIN_C

typedef enum roof_cause_kind {
#define CAUSE(name, word, class, what, advice) ROOF_CAUSE_##name,
#include "roofline/causes.def"
#undef CAUSE
    ROOF_CAUSE_COUNT
} roof_cause_kind;

/* Evidence for a gain. No kind of an answer: peers and a replay are both an expectation, and are said
 * apart; rules of causes state what they saw, and name no kinds (the test `families`). */
typedef enum roof_certainty {
    ROOF_SURE_MEASURED, /* times that the profile has */
    ROOF_SURE_PEERS,    /* layers of the same profile, as a comparison */
    ROOF_SURE_BOUND,    /* the bound: no more than this can be gained */
    ROOF_SURE_REPLAY,   /* the code, replayed with that change */
    ROOF_SURE_GUESS     /* the likeliest of several explanations */
} roof_certainty;

typedef struct roof_cause {
    roof_cause_kind kind;
    const char *subject;   /* a kind, a stage, the name of a layer, of an engine or a memory; NULL */
    const uint32_t *units; /* of the experiment, or layers of the prediction; those that save most first */
    uint32_t n_units;
    double gain_s, gain_ci95_s[2]; /* NaN: unknown */
    double share_ratio; /* of the time that it is a part of, which may be that of the per-layer run */
    roof_certainty sure;
    roof_remark why;
} roof_cause;

/* "slow_layer"; "one layer is slower than its like"; what to do; "peers". */
ROOF_API const char *roof_cause_text(roof_cause_kind kind);
ROOF_API const char *roof_cause_meaning(roof_cause_kind kind);
ROOF_API const char *roof_cause_advice(roof_cause_kind kind);
ROOF_API const char *roof_certainty_text(roof_certainty sure);

ROOF_END_C
#endif
