/* What all causes have in common: their words, their order, and how documents have them. */
#include "model/predict/cause_facts.h"
#include "model/laws/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- words --------------------------------------------------------------------------------------------- */

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

const char *roof_certainty_text(roof_certainty sure)
{
    static const char *const words[] = {[ROOF_SURE_MEASURED] = "measured",
                                        [ROOF_SURE_PEERS] = "peers",
                                        [ROOF_SURE_BOUND] = "bound",
                                        [ROOF_SURE_REPLAY] = "replay",
                                        [ROOF_SURE_GUESS] = "guess"};
    return (unsigned)sure < sizeof words / sizeof *words ? words[sure] : "unknown";
}

const char *roof_cause_sentence(const roof_cause *cause, char *buffer)
{
    sentence s = sentence_in(buffer);
    say_remark(&s, &cause->why);
    return buffer;
}

bool cause_is_of_engine(const roof_cause *c)
{
    return c->kind == ROOF_CAUSE_COMPUTE || c->kind == ROOF_CAUSE_MEMORY;
}

void cause_say_layers(sentence *s, const roof_cause *c)
{
    const char *subject = c->subject ? c->subject : "";
    if (c->kind == ROOF_CAUSE_SLOW_STAGE)
        SAY(s, "{} layer{|s} with {<40} outputs", AS_COUNT(c->n_units), AS_TEXT(subject));
    else
        SAY(s, *subject ? "{} {<40} {}" : "{}{<40} {}", AS_COUNT(c->n_units), AS_TEXT(subject),
            AS_TEXT(c->n_units == 1 ? "layer" : "layers"));
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

static void say_where(sentence *s, const roof_cause *c, const cause_names *names)
{
    enum { FEW = 2 };
    const char *subject = c->subject ? c->subject : "";
    bool is_one = cause_is_of_one(c);
    if (is_one)
        SAY(s, "{<80}", AS_TEXT(names->name(names->of, c->units[0])));
    else if (cause_is_of_engine(c))
        SAY(s, "{<40}", AS_TEXT(subject));
    else if (c->n_units && *subject)
        cause_say_layers(s, c);
    else
        say(s, roof_cause_meaning(c->kind));
    if (c->n_units && c->n_units <= FEW && !is_one)
        for (uint32_t i = 0; i < c->n_units; i++)
            SAY(s, i ? ", {<80}" : " ({<80}", AS_TEXT(names->name(names->of, c->units[i])));
    say(s, c->n_units && c->n_units <= FEW && !is_one ? ")" : "");
}

void cause_say(sentence *s, const roof_cause *c, const cause_names *names)
{
    say_where(s, c, names);
    say(s, ": ");
    say_remark(s, &c->why);
}

/* "1.2 ms (10 %) to gain": what the gain is, by what it rests on. */
static void say_gain(sentence *s, const roof_cause *c)
{
    static const char *const gains[] = {[ROOF_SURE_MEASURED] = "; {} ({.0%} %) to gain",
                                        [ROOF_SURE_PEERS] = "; {} ({.0%} %) to gain if as fast as the others",
                                        [ROOF_SURE_BOUND] = "; at most {} ({.0%} %) to gain",
                                        [ROOF_SURE_REPLAY] = "; {} ({.0%} %) to gain if twice as fast",
                                        [ROOF_SURE_GUESS] = "; about {} ({.0%} %) to gain"};
    if (!isnan(c->gain_s) && c->kind != ROOF_CAUSE_PROFILER) /* which the deployed inference is without */
        SAY(s, gains[c->sure], AS_SECONDS(c->gain_s), AS_RATIO(c->share_ratio));
    say(s, ".");
}

const char *cause_gain_before(const roof_cause *c)
{
    return c->sure == ROOF_SURE_BOUND ? "at most " : c->sure == ROOF_SURE_GUESS ? "about " : "";
}

const char *cause_gain_behind(const roof_cause *c)
{
    static const char *const words[] = {[ROOF_SURE_MEASURED] = ", measured",
                                        [ROOF_SURE_PEERS] = ", by comparison with the others",
                                        [ROOF_SURE_BOUND] = "",
                                        [ROOF_SURE_REPLAY] = ", by replay",
                                        [ROOF_SURE_GUESS] = ""};
    return words[c->sure];
}

static void say_first(sentence *s, const roof_cause *c, const cause_names *names)
{
    if (c->kind == ROOF_CAUSE_UNPROFILED) { /* nothing is gained by it */
        SAY(s, "Run a per-layer profile to locate the {}.", AS_SECONDS(c->gain_s));
        return;
    }
    const char *advice = roof_cause_advice(c->kind);
    char gist[120];
    size_t length = 0; /* up to where an advice goes into details */
    while (advice[length] && !(strchr(":;", advice[length]) && advice[length + 1] == ' '))
        length++;
    snprintf(gist, sizeof gist, "%.*s", (int)length, advice);
    const engine_info *engine = cause_is_of_engine(c) ? engine_named(c->subject) : NULL;
    if (engine && engine->subject && strncmp(engine->subject, "The ", 4) == 0)
        SAY(s, "First, the {}: {}", AS_TEXT(engine->subject + 4), AS_TEXT(gist));
    else if (cause_is_of_engine(c))
        SAY(s, "First, {}: {}", AS_TEXT(c->subject), AS_TEXT(gist));
    else if (c->kind == ROOF_CAUSE_FALLBACK && c->n_units == 1)
        SAY(s, "First: see why the compiler left '{<80}' to the host",
            AS_TEXT(names->name(names->of, c->units[0])));
    else if (c->kind == ROOF_CAUSE_FALLBACK && c->n_units)
        SAY(s, "First: see why the compiler left {} layers to the host", AS_COUNT(c->n_units));
    else
        SAY(s, "First: {}", AS_TEXT(gist));
    say_gain(s, c);
}

void causes_say_todo(sentence *s, const roof_cause *causes, uint32_t n, const cause_names *names)
{
    if (!n)
        return;
    say_first(s, &causes[0], names);
    if (n < 2 || kinds[causes[1].kind].class == GAP || cause_is_unlocated(&causes[1]) ||
        (cause_is_limit(&causes[1]) && !cause_is_limit(&causes[0])) ||
        !(causes[1].share_ratio >= causes[0].share_ratio / 2))
        return;
    say(s, " Next: ");
    say_where(s, &causes[1], names);
    say_gain(s, &causes[1]);
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

/* --- what several kinds of documents have causes of ----------------------------------------------------- */

double empty_lanes_ratio(uint32_t images, uint32_t batch_lanes)
{
    if (batch_lanes < 2 || !images)
        return 0;
    uint32_t passes = (images - 1) / batch_lanes + 1;
    return 1 - images / ((double)passes * batch_lanes);
}

/* --- documents ----------------------------------------------------------------------------------------- */

void causes_put(jsonout *j, const roof_cause *causes, uint32_t n, const cause_names *names)
{
    char why[ROOF_SENTENCE_SIZE];
    jsonout_array(j, "causes", false);
    for (uint32_t i = 0; i < n; i++) {
        const roof_cause *c = &causes[i];
        jsonout_object(j, NULL, false);
        jsonout_string(j, "kind", roof_cause_text(c->kind));
        jsonout_string(j, "what", roof_cause_meaning(c->kind));
        jsonout_string(j, "subject", c->subject);
        jsonout_derived(j, "gain_s", c->gain_s);
        jsonout_derived_pair(j, "gain_ci95_s", c->gain_ci95_s);
        jsonout_derived(j, "share_ratio", c->share_ratio);
        jsonout_string(j, "sure", roof_certainty_text(c->sure));
        jsonout_string(j, "why", roof_cause_sentence(c, why));
        jsonout_string(j, "advice", roof_cause_advice(c->kind));
        jsonout_array(j, "layers", true);
        for (uint32_t k = 0; k < c->n_units; k++)
            jsonout_string(j, NULL, names->name(names->of, c->units[k]));
        jsonout_end(j);
        jsonout_end(j);
    }
    jsonout_end(j);
}
