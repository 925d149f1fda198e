/* Facts that all causes share: their kinds, their order, and how documents have them. */
#include "model/predict/cause_facts.h"
#include "core/json/remark_codec.h"

/* --- kinds --------------------------------------------------------------------------------------------- */

static const struct {
    const char *word, *meaning, *advice;
    enum { DOUBT, COST, GAP, RUN, UNLOCATED, LIMIT } class;
} kinds[] = {
#define CAUSE(name, word, class, meaning, advice)                                                            \
    [ROOF_CAUSE_##name] = {(word), (meaning), (advice), (class)},
#include "roofline/causes.def"
#undef CAUSE
};

const char *roof_cause_text(roof_cause_kind kind)
{
    return (unsigned)kind < ROOF_CAUSE_COUNT ? kinds[kind].word : "unknown";
}

const char *roof_cause_meaning(roof_cause_kind kind)
{
    return (unsigned)kind < ROOF_CAUSE_COUNT ? kinds[kind].meaning : "";
}

const char *roof_cause_advice(roof_cause_kind kind)
{
    return (unsigned)kind < ROOF_CAUSE_COUNT ? kinds[kind].advice : "";
}

WORD_OF(roof_certainty_text, roof_certainty, sure,
        "unknown", [ROOF_SURE_MEASURED] = "measured", [ROOF_SURE_PEERS] = "peers",
        [ROOF_SURE_BOUND] = "bound", [ROOF_SURE_REPLAY] = "replay", [ROOF_SURE_GUESS] = "guess")

bool cause_is_of_engine(const roof_cause *c)
{
    return c->kind == ROOF_CAUSE_COMPUTE || c->kind == ROOF_CAUSE_MEMORY;
}

bool cause_is_doubt(const roof_cause *c)
{
    return kinds[c->kind].class == DOUBT;
}

bool cause_is_limit(const roof_cause *c)
{
    return kinds[c->kind].class == LIMIT;
}

bool cause_is_unlocated(const roof_cause *c)
{
    return kinds[c->kind].class == UNLOCATED;
}

bool cause_is_of_one(const roof_cause *c)
{
    return c->n_units == 1 && c->kind == ROOF_CAUSE_SLOW_LAYER;
}

/* --- order --------------------------------------------------------------------------------------------- */

int cause_order(const void *cause, const void *other)
{
    const roof_cause *a = cause, *b = other;
    static const int ranks[] = {[DOUBT] = 0, [COST] = 1, [GAP] = 1, [RUN] = 2, [UNLOCATED] = 3, [LIMIT] = 4};
    int first = ranks[kinds[a->kind].class], second = ranks[kinds[b->kind].class];
    if (first != second)
        return first < second ? -1 : 1;
    double g = isnan(a->share_ratio) ? 2 : a->share_ratio, h = isnan(b->share_ratio) ? 2 : b->share_ratio;
    return g != h ? (g < h ? 1 : -1) : (a->kind > b->kind) - (a->kind < b->kind);
}

void causes_rank(roof_cause *causes, uint32_t n)
{
    if (n)
        qsort(causes, n, sizeof *causes, cause_order);
}

/* --- causes in several kinds of documents --------------------------------------------------------------- */

double cause_empty_lanes_ratio(uint32_t images, uint32_t batch_lanes)
{
    if (batch_lanes < 2 || !images)
        return 0;
    return 1 - images / ((double)ceil_div(images, batch_lanes) * batch_lanes);
}

/* --- documents ----------------------------------------------------------------------------------------- */

void causes_put(jsonout *j, const roof_cause *causes, uint32_t n, const cause_names *names,
                remark_words words)
{
    char why[ROOF_SENTENCE_SIZE];
    jsonout_array(j, "causes", false);
    FOR_EACH(const roof_cause, c, causes, n) {
        jsonout_object(j, NULL, false);
        jsonout_string(j, "kind", roof_cause_text(c->kind));
        jsonout_string(j, "what", roof_cause_meaning(c->kind));
        jsonout_string(j, "subject", c->subject);
        jsonout_derived(j, "gain_s", c->gain_s);
        jsonout_derived_pair(j, "gain_ci95_s", c->gain_ci95_s);
        jsonout_derived(j, "share_ratio", c->share_ratio);
        jsonout_string(j, "sure", roof_certainty_text(c->sure));
        jsonout_string(j, "why", words(&c->why, why));
        remark_put(j, &c->why);
        jsonout_string(j, "advice", roof_cause_advice(c->kind));
        jsonout_array(j, "layers", true);
        for (uint32_t k = 0; k < c->n_units; k++)
            jsonout_string(j, NULL, names->name(names->of, c->units[k]));
        jsonout_end(j);
        jsonout_end(j);
    }
    jsonout_end(j);
}
