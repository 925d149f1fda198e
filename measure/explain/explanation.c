/* Causes that fit numbers, and how likely each is. */
#include "measure/explain/explaining.h"

/* --- the rows of the table ------------------------------------------------------------------------------ */

enum grows { GROWS_TIME, GROWS_CALL, GROWS_BYTES, GROWS_LOADED };

#define IS ROOF_TRAIT
static const struct signature {
    const char *word;
    double alone, gap;
    enum grows with;
    double median, spread, factor;
    uint64_t needs, without, more, less;
    const char *meaning, *advice;
    double minutes;
} signatures[ROOF_SIGNATURES] = {
#define SIGNATURE(name, word, alone, gap, with, ...) {(word), (alone), (gap), GROWS_##with, __VA_ARGS__},
#include "roofline/signatures.def"
#undef SIGNATURE
};

static const struct {
    double times;
    const char *words;
} traits[ROOF_TRAITS] = {
#define TRAIT(name, times, words) {(times), (words)},
#include "roofline/traits.def"
#undef TRAIT
};

const char *roof_explain_trait_words(uint32_t bit)
{
    return bit < ROOF_TRAITS ? traits[bit].words : NULL;
}

/* --- how well a cause fits ------------------------------------------------------------------------------ */

#define STATED_PART       0.7  /* of the prior of a, in the amounts that the entry states */
#define LEAST_SPREAD      0.04 /* of a measured time */
#define LEAST_PROBABILITY 1e-4 /* of a cause that is told of */
#define LEAST_EFFECT      0.05 /* in the logarithm: what adds less is no cause of anything */
#define UNKNOWN_BYTES     3.0  /* times as unlikely is a cause of unknown bytes */

/* Faster than it should be: causes whose absence makes it so. */
static bool can_hasten(roof_signature kind)
{
    return kind == ROOF_SIGNATURE_CLOCK || kind == ROOF_SIGNATURE_CORES || kind == ROOF_SIGNATURE_BATCH ||
           kind == ROOF_SIGNATURE_NETWORK || kind == ROOF_SIGNATURE_DATA_TYPE;
}

/* u of a number; NaN: unknown. */
static double grown_with(const roof_explained_number *n, enum grows with)
{
    return with == GROWS_TIME    ? n->reference_s
           : with == GROWS_CALL  ? 1
           : with == GROWS_BYTES ? n->input_output_bytes
                                 : n->loaded_bytes;
}

/* The time of a number with an amount of a cause. */
static double time_with(const roof_explained_number *n, enum grows with, double amount, bool is_faster_one)
{
    return is_faster_one ? n->reference_s / (1 + amount) : n->reference_s + amount * grown_with(n, with);
}

/* ln of the density of all numbers. */
static double density_of(const roof_explanation *e, enum grows with, double amount)
{
    double sum = 0;
    FOR_EACH(const roof_explained_number, n, e->numbers, e->n_numbers) {
        const double time_s = time_with(n, with, amount, explaining_is_faster(e));
        /* what is added does not share the doubt of the reference, a factor does */
        const double part = with == GROWS_TIME ? 1 : n->reference_s / time_s;
        const double spread = hypot(n->spread * part, LEAST_SPREAD), z = log(n->measured_s / time_s) / spread;
        sum += -z * z / 2 - log(spread);
    }
    return sum;
}

/* Over all distributions of ln a; and the one that fits best, where it does so. */
typedef struct weighed {
    double likelihood, best, best_amount;
    const char *best_name;
} weighed;

/* Adds a normal distribution of ln a. */
static void weigh(const roof_explanation *e, enum grows with, const stated_amount *of, double part,
                  weighed *w)
{
    enum { STEPS = 60 };
    const double width = 7.0 / STEPS;
    double sum = 0, most = 0, amount_of_most = of->amount;
    for (int k = 0; k <= STEPS; k++) {
        const double z = -3.5 + k * width, amount = of->amount * exp(of->spread * z);
        const double ratio =
            time_with(e->numbers, with, amount, explaining_is_faster(e)) / e->numbers->reference_s;
        const double mass =
            part * exp(-z * z / 2) / sqrt(2 * M_PI) * width * exp(density_of(e, with, amount));
        if (fabs(log(ratio)) < LEAST_EFFECT)
            continue;
        sum += mass;
        amount_of_most = mass > most ? amount : amount_of_most;
        most = fmax(most, mass);
    }
    w->likelihood += sum;
    if (sum > w->best)
        *w = (weighed){w->likelihood, sum, amount_of_most, of->name};
}

static double prior_of(const roof_explanation *e, const struct signature *s)
{
    const bool is_device_known = e->hardware_id;
    double prior = e->traits & ROOF_TRAIT(ALONE) ? s->alone : s->gap;
    if (e->traits & s->without || (s->needs && is_device_known && !(e->traits & s->needs)))
        return 0;
    if (s->needs && !is_device_known)
        prior /= s->needs & IS(SEVERAL_CORES) ? 2 : 4; /* of all questions so many were of such a device */
    for (uint32_t bit = 0; bit < ROOF_TRAITS; bit++) {
        prior *= e->traits & s->more & (1ULL << bit) ? traits[bit].times : 1;
        prior /= e->traits & s->less & (1ULL << bit) ? traits[bit].times : 1;
    }
    return prior;
}

/* Prior times likelihood; 0: it cannot be. */
static double weigh_cause(explaining *x, roof_signature kind, roof_explained_cause *out)
{
    const struct signature *s = &signatures[kind];
    const roof_explanation *e = x->out;
    const roof_explained_number *first = e->numbers;
    const bool hastens = explaining_is_faster(e);
    double prior = hastens && !can_hasten(kind) ? 0 : prior_of(e, s);
    stated_amount stated[MOST_STATED], broad = {s->median, s->spread, NULL};
    enum grows with = s->with;
    weighed w = {0};
    uint32_t n = 0;
    if (prior > 0 && grown_with(first, with) > 0) {
        n = explaining_amounts(x, kind, stated);
    } else if (prior > 0) { /* bytes that are unknown: whether it can be at all is unknown either */
        prior = s->factor > 0 && first->loaded_bytes != 0 ? prior / UNKNOWN_BYTES : 0;
        with = GROWS_TIME;
        broad = (stated_amount){s->factor, 0.8, NULL};
    }
    if (!(prior > 0))
        return 0;
    weigh(e, with, &broad, n ? 1 - STATED_PART : 1, &w);
    for (uint32_t i = 0; i < n; i++)
        weigh(e, with, &stated[i], STATED_PART / n, &w);
#define RATIO(amount) (time_with(first, with, (amount), hastens) / first->reference_s)
    *out = (roof_explained_cause){.signature = kind,
                                  .kind = s->word,
                                  .title = s->meaning,
                                  .measure = s->advice,
                                  .minutes = s->minutes,
                                  .amount = w.best_amount,
                                  .size_ratio = RATIO(w.best_amount),
                                  .amount_name = w.best_name,
                                  .stated_ratio = NAN,
                                  .usual_low_ratio = RATIO(broad.amount * exp(-broad.spread)),
                                  .usual_high_ratio = RATIO(broad.amount * exp(broad.spread)),
                                  .pro = e->traits & s->more,
                                  .contra = e->traits & s->less};
    out->size_s = (out->size_ratio - 1) * first->reference_s;
    for (uint32_t i = 0; i < n; i++)
        if (stated[i].name == w.best_name)
            out->stated_ratio = RATIO(stated[i].amount);
#undef RATIO
    return prior * w.likelihood;
}

/* --- all of it ------------------------------------------------------------------------------------------ */

static void weigh_causes(explaining *x)
{
    /* Priors of nothing at all and of a cause that no row has, beside those of the rows. */
    static const double other_alone = 12, other_gap = 7, nothing_alone = 20, nothing_gap = 8;
    roof_explanation *e = x->out;
    const bool is_alone = e->traits & ROOF_TRAIT(ALONE);
    const stated_amount anything = {1, 1.4, NULL};
    weighed other = {0};
    weigh(e, GROWS_TIME, &anything, is_alone ? other_alone : other_gap, &other);
    double rest = other.likelihood +
                  (is_alone ? nothing_alone : nothing_gap) * exp(density_of(e, GROWS_TIME, 0)),
           sum = rest;
    for (uint32_t kind = 0; kind < ROOF_SIGNATURES; kind++) {
        roof_explained_cause *cause = &e->causes[e->n_causes];
        cause->probability = weigh_cause(x, (roof_signature)kind, cause);
        sum += cause->probability;
        e->n_causes += cause->probability > 0;
    }
    order_sort(e->causes, e->n_causes, sizeof *e->causes,
               ORDER_BY(FALLING(roof_explained_cause, probability), RISING(roof_explained_cause, signature)));
    for (uint32_t i = 0; i < e->n_causes; i++) {
        const double p = e->causes[i].probability /= sum;
        e->causes[i].likely = p > ROOF_EXPLAIN_LIKELY      ? "likely"
                              : p >= ROOF_EXPLAIN_POSSIBLE ? "possible"
                                                           : "unlikely";
    }
    while (e->n_causes && e->causes[e->n_causes - 1].probability < LEAST_PROBABILITY)
        rest += sum * e->causes[--e->n_causes].probability;
    e->other_probability = rest / sum;
    const bool is_second = e->n_causes > 1 && e->causes[1].minutes < e->causes[0].minutes;
    e->next = e->n_causes ? e->causes[is_second].measure : NULL;
}

roof_status roof_explain(const roof_explain_request *about, roof_explanation **out, roof_error *err)
{
    roof_arena *arena;
    roof_status status = ROOF_OK;
    *out = NULL;
    if (!about->n_numbers || about->n_numbers > ROOF_EXPLAIN_MOST)
        return error_set(err, ROOF_E_USAGE, "%u numbers; want 1 to %d", about->n_numbers, ROOF_EXPLAIN_MOST);
    roof_explanation *e = NEW_ROOT(&arena, roof_explanation, err);
    if (!e)
        return ROOF_E_NO_MEMORY;
    explaining x = {.requested = about, .out = e, .arena = arena, .err = err};
    e->arena = arena;
    e->traits = about->traits;
    e->hardware = about->hw ? arena_strdup(arena, roof_hw_name(about->hw)) : NULL;
    e->hardware_id = about->hw ? arena_strdup(arena, roof_hw_id(about->hw)) : NULL;
    e->not_in_database = about->hardware ? arena_strdup(arena, about->hardware) : NULL;
    e->n_numbers = about->n_numbers;
    e->numbers = NEW_ARRAY(arena, roof_explained_number, e->n_numbers);
    for (uint32_t i = 0; e->numbers && i < e->n_numbers && status == ROOF_OK; i++)
        status = explaining_expect(&x, i);
    if (e->numbers && status == ROOF_OK)
        weigh_causes(&x);
    roof_prediction_free(x.first);
    THEN(status, arena_status(arena, err));
    return GIVE(status, out, e, roof_explanation_free);
}

ARENA_FREES(roof_explanation_free, roof_explanation, explanation)
