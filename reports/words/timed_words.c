#include "reports/words/verdict_words.h"

void timed_say_impossible(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    uint32_t n = 0;
    (void)i;
    for (uint32_t k = 0; k < r->n_curve_points; k++)
        n += r->curve_points[k].doubt != ROOF_POINT_POSSIBLE;
    if (n)
        SAY(s,
            "IMPOSSIBLE: {} of {} times {is|are} below the bound; --findings gives the likely reason of "
            "each.",
            AS_COUNT(n), AS_COUNT(r->n_curve_points), AS_COUNT(n));
}

/* --- a curve -------------------------------------------------------------------------------------------- */

/* " by FastFlowLM v0.9.38, q4_1" */
static void say_maker(sentence *s, const roof_timed_curve *c)
{
    SAY(s, "[? by {<40}][? {<40}][?, {<40}][?, batch {}]", AS_TEXT(c->stack), AS_TEXT(c->stack_version),
        AS_TEXT(c->weights), AS_COUNT(c->batch > 1 ? c->batch : 0));
}

/* "66.1 tokens/s at 1024 tokens of context, 34.7 at 32768" */
static void say_ends(sentence *s, const roof_reconciliation *r, const roof_timed_curve *c)
{
    const roof_timed_point *first = &r->curve_points[c->first_point], *last = &first[c->n_steps - 1];
    if (!c->n_steps) {
        const roof_timed_point *longest = &first[c->n_points - 1];
        SAY(s, "a prompt of {} token{|s} takes {}, one of {} {}", AS_COUNT(first->tokens),
            AS_SECONDS(first->seconds), AS_COUNT(longest->tokens), AS_SECONDS(longest->seconds));
        return;
    }
    SAY(s, "{.1} tokens/s at {} token{|s} of context[?, {.1} at {}]", AS("", c->batch / first->seconds),
        AS_COUNT(first->tokens), AS("", c->batch / last->seconds),
        AS_COUNT(last != first ? last->tokens : 0));
}

/* The lower end of an interval that is worth a word; else NaN. */
static double low_of(const roof_estimate *e)
{
    return e->ci95_high - e->ci95_low > 1e-3 * fabs(e->value) && isfinite(e->ci95_low) ? e->ci95_low
                                                                                       : (double)NAN;
}

static void say_line(sentence *s, const roof_timed_curve *c)
{
    static const char *const basis_words[] = {
        "",
        [ROOF_WEIGHTS_BOUND] =
            ". Weights take at least {} of the constant part, launches and host at most {}",
        [ROOF_WEIGHTS_EXPECTED] =
            ". Weights take {} of the constant part by the constants of its stack, launches and host {}",
        [ROOF_WEIGHTS_FITTED] = ". Weights take {} of the constant part, launches and host {}"};
    const roof_step_fit *f = &c->steps;
    if (!c->n_steps)
        return;
    if (f->not_known) {
        SAY(s, "; no constants: {}", AS_TEXT(f->not_known));
        return;
    }
    SAY(s, ". A step takes {}[? ({} to {})] and {}[? ({} to {})] for each token of context",
        AS_SECONDS(f->constant_s.value), AS_SECONDS(low_of(&f->constant_s)),
        AS_SECONDS(f->constant_s.ci95_high), AS_SECONDS(f->per_token_s.value),
        AS_SECONDS(low_of(&f->per_token_s)), AS_SECONDS(f->per_token_s.ci95_high));
    SAY(s, "[? (median error {.1%} %, each point left out in turn)]", AS_RATIO(f->left_out_ratio));
    SAY(s, basis_words[c->weights_basis], AS_SECONDS(c->weights_s), AS_SECONDS(c->launches_s));
    SAY(s, "[?. From {} token{|s} on a step is {.0%} % faster than that: most likely another kernel]",
        AS_COUNT(f->kink_tokens), AS_RATIO(-f->kink_ratio));
}

/* Curves of two points or more. */
static uint32_t count_curves(const roof_reconciliation *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_curves; i++)
        n += r->curves[i].n_points > 1;
    return n;
}

/* "14 curves of language models: steps make 7.2 to 66.5 tokens/s; each by the others of its line is ..." */
void timed_say_all(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const uint32_t n = count_curves(r);
    double least = INFINITY, most = 0, worst = NAN;
    (void)i;
    if (n <= TIMED_FEW)
        return;
    FOR_EACH(const roof_timed_curve, c, r->curves, r->n_curves) {
        for (uint32_t p = 0; p < c->n_steps; p++) {
            const double rate = c->batch / r->curve_points[c->first_point + p].seconds;
            least = fmin(least, rate);
            most = fmax(most, rate);
        }
        worst = fmax(worst, c->steps.left_out_ratio); /* of NaN the other one */
    }
    SAY(s,
        "{} curves of language models[?: steps make {.1} to {.1} tokens/s][?; each by the others of its "
        "line is met within {.1%} % or less, in the median of a curve].",
        AS_COUNT(n), AS("", most > 0 ? least : (double)NAN), AS("", most), AS_RATIO(worst));
}

void timed_say_curve(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    if (count_curves(r) > TIMED_FEW)
        return;
    for (uint32_t k = 0; k < r->n_curves; k++) {
        const roof_timed_curve *c = &r->curves[k];
        if (c->n_points < 2 || i--)
            continue;
        SAY(s, "{<60}", AS_TEXT(c->model));
        say_maker(s, c);
        say(s, ": ");
        say_ends(s, r, c);
        say_line(s, c);
        FOR_EACH(const roof_growth, g, r->growths, r->n_growths)
            if (g->curves[0] == k && g->curves[1] == k && g->total_s > 0)
                SAY(s, ". From {} to {} token{|s} the cache adds {}", AS_COUNT(g->tokens[0]),
                    AS_COUNT(g->tokens[1]), AS_SECONDS(g->total_s));
        say(s, ".");
        return;
    }
}

/* --- stacks --------------------------------------------------------------------------------------------- */

void timed_say_stack(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    if (i >= r->n_stack_fits)
        return;
    const roof_stack_fit *f = &r->stack_fits[i];
    SAY(s, "{<40}[? {<40}][?: no constants over models: {}.]", AS_TEXT(f->stack ? f->stack : "One stack"),
        AS_TEXT(f->stack_version), AS_TEXT(f->not_known));
    if (f->not_known)
        return;
    const roof_stack_constant *w = f->constants;
    SAY(s,
        " reads weights at {} by the steps of {} curve{|s}[? ({} to {} without one of the models)]"
        "[?; models that are left out are met within {.1%} % in the median, {.1%} % in the mean]"
        "[?; those whose attention type or layer is in no other model only within {.1%} % in the median, "
        "{.1%} % in the mean].",
        AS("B/s", 1 / w->value), AS_COUNT(f->n_models), AS("B/s", 1 / w->range[1]),
        AS("B/s", w->range[0] > 0 ? 1 / w->range[0] : (double)NAN), AS_RATIO(f->left_out_median),
        AS_RATIO(f->left_out_mean), AS_RATIO(f->alone_median), AS_RATIO(f->alone_mean));
}

/* --- what grew ------------------------------------------------------------------------------------------ */

/* "A step of Llama at 32768 tokens by FastFlowLM v0.9.30, q4_1, took 20.1 ms less than one by FastFlowLM
 * v0.9.21, q4_1: mostly cache (18.2 ms less)." */
static void say_growth(sentence *s, const roof_reconciliation *r, const roof_growth *g)
{
    const roof_timed_curve *from = &r->curves[g->curves[0]], *to = &r->curves[g->curves[1]];
    const double parts[] = {[ROOF_PART_WEIGHTS] = g->weights_s,
                            [ROOF_PART_CACHE] = g->cache_s,
                            [ROOF_PART_LAUNCHES] = g->launches_s};
    SAY(s, "A step of {<60} at {} token{|s}", AS_TEXT(to->model), AS_COUNT(g->tokens[1]));
    say_maker(s, to);
    SAY(s, g->total_s < 0 ? ", took {} less than one" : ", took {} more than one",
        AS_SECONDS(fabs(g->total_s)));
    say_maker(s, from);
    SAY(s, ": mostly {}",
        AS_TEXT(g->most == ROOF_PART_LAUNCHES ? "launches and host" : roof_language_part_text(g->most)));
    SAY(s, parts[g->most] < 0 ? " ({} less)." : " ({} more).", AS_SECONDS(fabs(parts[g->most])));
}

void timed_say_growth(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    FOR_EACH(const roof_growth, g, r->growths, r->n_growths) {
        const roof_step_fit *f = &r->curves[g->curves[0]].steps;
        const double step_s = f->constant_s.value + g->tokens[0] * f->per_token_s.value;
        if (g->curves[0] != g->curves[1] && fabs(g->total_s) > 1e-3 * step_s && !i--) { /* less is rounding */
            say_growth(s, r, g);
            return;
        }
    }
}
