#include "reports/words/fit_words.h"
#include "core/quantity.h"

#include <math.h>

enum { MOST_RATIOS = 6 };

/* The unit that gives a time few digits before the point, and what seconds are multiplied with. */
typedef struct time_unit {
    double factor;
    const char *unit; /* "ms" */
} time_unit;

static time_unit time_unit_of(double largest_s)
{
    static const struct {
        double from;
        time_unit scale;
    } scales[] = {{1, {1, "s"}}, {1e-4, {1e3, "ms"}}, {1e-7, {1e6, "us"}}, {0, {1e9, "ns"}}};
    size_t i = 0;
    while (i < 3 && !(fabs(largest_s) >= scales[i].from))
        i++;
    return scales[i].scale;
}

#define IN(u, seconds) AS((u).unit, (u).factor *(seconds))

bool fit_is_known(const roof_reconciliation *r, uint32_t which)
{
    const roof_fit *fit = &r->fits[which].fit;
    return fit->lines[fit->chosen].known;
}

/* --- ratios of all models ----------------------------------------------------------------------------- */

static double ratio_at(const roof_reconciliation *r, uint32_t i, size_t offset)
{
    return *(const double *)((const char *)&r->experiments[i] + offset);
}

static uint32_t ratios_known(const roof_reconciliation *r, size_t offset)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_experiments; i++)
        n += isnan(ratio_at(r, i, offset)) ? 0 : 1;
    return n <= MOST_RATIOS ? n : 0;
}

bool say_ratios(sentence *s, const roof_reconciliation *r, size_t offset, const ratio_words *words)
{
    uint32_t n = ratios_known(r, offset), told = 0;
    for (uint32_t i = 0; n && i < r->n_experiments; i++) {
        if (isnan(ratio_at(r, i, offset)))
            continue;
        told++;
        say(s, told == 1 ? words->before : told == n ? " and " : ", ");
        SAY(s, words->each, AS_RATIO(ratio_at(r, i, offset)));
    }
    say(s, n ? " %" : "");
    say(s, n ? words->after : "");
    return n > 0;
}

static bool say_errors(sentence *s, const roof_reconciliation *r, const char *before, size_t offset,
                       const char *after)
{
    return say_ratios(s, r, offset, &(ratio_words){before, "{+.1%}", after});
}

/* --- the fits ----------------------------------------------------------------------------------------- */

static const char *includes_zero(const roof_estimate *e)
{
    return e->ci95_low <= 0 && e->ci95_high >= 0 ? "includes zero" : "excludes zero";
}

/* "3 models leave 1 degree of freedom"; a model that ran twice is two points. */
static void say_freedom(sentence *s, const roof_reconciliation *r, const roof_overhead_fit *f)
{
    uint32_t n = 0;
    for (size_t i = 0; i < f->fit.n; i++)
        n += r->experiments[f->experiments[i]].first == f->experiments[i];
    if (n < f->fit.n)
        SAY(s, "{} points of ", AS_COUNT(f->fit.n));
    SAY(s, "{} {model|models} leave {} degree{|s} of freedom", AS_COUNT(n),
        AS_COUNT(f->fit.lines[ROOF_LINE_FREE].dof));
}

static void say_overhead(sentence *s, const roof_reconciliation *r, const roof_overhead_fit *f)
{
    const roof_line *line = &f->fit.lines[ROOF_LINE_FREE], *origin = &f->fit.lines[ROOF_LINE_ORIGIN];
    time_unit u = time_unit_of(line->slope.value);
    SAY(s, "Timing every layer costs {.3} {u} per boundary (± {.3} standard error); ",
        IN(u, line->slope.value), IN(u, line->slope.se));
    say_freedom(s, r, f);
    SAY(s, ", so the 95 % interval is [{.2}, {.2}] {u}, which {}. ", IN(u, line->slope.ci95_low),
        IN(u, line->slope.ci95_high), AS_TEXT(includes_zero(&line->slope)));
    SAY(s, "Through the origin: {.3} ± {.3} {u}, [{.3}, {.3}].", IN(u, origin->slope.value),
        IN(u, origin->slope.se), IN(u, origin->slope.ci95_low), IN(u, origin->slope.ci95_high));
    if (f->fit.chosen == ROOF_LINE_ORIGIN)
        SAY(s,
            " The data cannot tell the intercept ({.2} ± {.2} {u}) from zero, so the simpler line is "
            "preferred.",
            IN(u, line->intercept.value), IN(u, line->intercept.se));
}

static void say_host(sentence *s, const roof_reconciliation *r, const roof_overhead_fit *f)
{
    const roof_line *line = &f->fit.lines[f->fit.chosen];
    time_unit u = time_unit_of(line->intercept.value), small = time_unit_of(line->slope.value);
    const roof_reconciled *worst = NULL;
    double most = 0;
    SAY(s,
        "The host adds {.2} ± {.2} {u} to every inference, [{.2}, {.2}], and {.1} ± {.1} {u} per boundary.",
        IN(u, line->intercept.value), IN(u, line->intercept.se), IN(u, line->intercept.ci95_low),
        IN(u, line->intercept.ci95_high), IN(small, line->slope.value), IN(small, line->slope.se));
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        double share = quotient_of(e->total.host_s, e->total.bypass_s);
        worst = share > most ? e : worst;
        most = share > most ? share : most;
    }
    if (worst)
        SAY(s, " {.0%} % of the bypass time of {} is not the accelerator.", AS_RATIO(most),
            AS_TEXT(worst->model));
}

static void say_boundary(sentence *s, const roof_reconciliation *r, const roof_overhead_fit *f)
{
    const roof_line *line = &f->fit.lines[f->fit.chosen];
    time_unit u = time_unit_of(line->slope.value);
    SAY(s, "Inside the layers a boundary costs {.3} ± {.3} {u}, so bypass = sum of layers - {.3} {u} x ",
        IN(u, line->slope.value), IN(u, line->slope.se), IN(u, line->slope.value));
    SAY(s, line->intercept.value < 0 ? "boundaries + {.2} {u}: " : "boundaries - {.2} {u}: ",
        IN(u, fabs(line->intercept.value)));
    if (say_errors(s, r, "", TOTAL(corrected_error_ratio), " off the measured bypass times"))
        say_errors(s, r, " (", TOTAL(left_out_error_ratio), " when each model is left out of its own fit)");
    say(s, ".");
    if (!ratios_known(r, TOTAL(rule_error_ratio)))
        return;
    SAY(s,
        " The common rule subtracts {2} ms per boundary from \"the total profiled time\", which there means "
        "the sum of layers: ",
        AS("", 1e3 * r->rule_cost_s));
    say_errors(s, r, "", TOTAL(rule_error_ratio), " off.");
    say_errors(s, r, " Read as the per-layer total it is ", TOTAL(rule_total_error_ratio), " off.");
}

static const struct {
    void (*say)(sentence *s, const roof_reconciliation *r, const roof_overhead_fit *f);
    const char *meaning;
} fits[ROOF_FITS] = {
    [ROOF_FIT_OVERHEAD] =
        {say_overhead, "what timing every layer adds to an inference: without boundaries it adds nothing"},
    [ROOF_FIT_HOST] = {say_host, "what an inference takes outside its layers: a constant of the host, and a "
                                 "little per boundary"},
    [ROOF_FIT_BOUNDARY] = {say_boundary,
                           "what a boundary adds inside the layers; the intercept is minus the host's "
                           "constant, which only the bypass time has"}};

void say_fit(sentence *s, const roof_reconciliation *r, uint32_t which)
{
    if (fit_is_known(r, which))
        fits[which].say(s, r, &r->fits[which]);
    else
        SAY(s, "no line: it takes 3 models with different numbers of boundaries, and there {is|are} {}",
            AS_COUNT(r->fits[which].fit.distinct_x));
}

void say_fit_meaning(sentence *s, const roof_reconciliation *r, uint32_t which)
{
    (void)r;
    say(s, fits[which].meaning);
}

void say_fit_reason(sentence *s, const roof_reconciliation *r, uint32_t which)
{
    static const char *const reasons[] = {
        [ROOF_FIT_TOO_FEW] = "{} distinct {abscissa|abscissas}, want at least 3 for a line",
        [ROOF_FIT_INTERCEPT_DIFFERS] = "the 95 % interval of the intercept excludes zero",
        [ROOF_FIT_INTERCEPT_BELONGS] =
            "a constant belongs to it, though {} points cannot tell the intercept from zero",
        [ROOF_FIT_NO_INTERCEPT] =
            "{} points cannot tell the intercept from zero, and without boundaries no cost is expected"};
    const roof_fit *fit = &r->fits[which].fit;
    SAY(s, reasons[fit->reason], AS_COUNT(fit->reason == ROOF_FIT_TOO_FEW ? fit->distinct_x : fit->n));
}

/* --- what to measure next ----------------------------------------------------------------------------- */

void say_fit_next(sentence *s, const roof_reconciliation *r, uint32_t which)
{
    const roof_overhead_fit *f = &r->fits[which];
    const roof_line *line = &f->fit.lines[ROOF_LINE_FREE];
    double half = line->slope.ci95_high - line->slope.value;
    time_unit u = time_unit_of(half);
    if (!fit_is_known(r, which)) {
        say(s, r->by_epochs
                   ? "profile more networks on this board and reconcile them together with "
                     "--calibration-out FILE: that fits what starting an epoch costs, and software epochs"
                   : "measure both modes of at least three models with different numbers of boundaries");
        return;
    }
    if (isnan(f->next_half_width) || isnan(half))
        return;
    SAY(s, "one more model of about {.0} boundaries would shrink the interval from ± {.3} to ± {.3} {u}",
        AS("", f->next_boundaries), IN(u, half), IN(u, f->next_half_width));
    if (line->residual_std > 2 * f->noise)
        SAY(s,
            "; more runs of the same models would not: they scatter about the line by {.2} {u}, their means "
            "by {.2} {u}",
            IN(u, line->residual_std), IN(u, f->noise));
    else if (!isnan(f->noise))
        SAY(s,
            "; 4 times as many runs of the same models would halve their scatter of {.2} {u}, which is most "
            "of what is left",
            IN(u, f->noise));
}
