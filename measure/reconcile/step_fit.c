#include "measure/reconcile/steps.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>

/* A line whose noise goes with its height. */
typedef struct line {
    bool known;
    double constant, slope;
    double var_constant, var_slope, covariance; /* of a scatter of 1 */
    double scatter_ratio;                       /* NaN: as many points as constants */
    uint32_t dof;
} line;

/* Each is left out in turn, so that the work goes with their square. */
enum { MOST_STEPS = 256, LEFT_OUT_NONE = MOST_STEPS };

static double height(const line *l, double tokens)
{
    return l->constant + l->slope * tokens;
}

/* Weights are first those of what was measured, then those of the line, until these stand still: noise in a
 * weight would pull the line down. */
static line fit(const roof_timed_point *steps, uint32_t n, uint32_t left_out)
{
    enum { ROUNDS = 8 };
    double x[MOST_STEPS], y[MOST_STEPS], w[MOST_STEPS], squares = 0;
    line l = {.scatter_ratio = NAN};
    uint32_t taken = 0; /* those of the first n that are neither stray nor the one left out */
    for (uint32_t i = 0; i < n; i++)
        if (i != left_out && !steps[i].is_stray) {
            x[taken] = steps[i].tokens;
            y[taken++] = steps[i].seconds;
        }
    if (taken < 2 || !(x[taken - 1] > x[0]))
        return l;
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < taken; i++) {
            const double at = round ? height(&l, x[i]) : y[i];
            if (!(at > 0)) /* a line that crosses 0 is no time */
                return (line){.scatter_ratio = NAN};
            w[i] = 1 / (at * at);
        }
        gsl_fit_wlinear(x, 1, w, 1, y, 1, taken, &l.constant, &l.slope, &l.var_constant, &l.covariance,
                        &l.var_slope, &squares);
    }
    l.known = isfinite(l.constant) && isfinite(l.slope);
    l.dof = taken - 2;
    l.scatter_ratio = l.dof ? sqrt(squares / l.dof) : (double)NAN;
    return l;
}

/* Standard error of one more point there. */
static double error_of_another(const line *l, double tokens)
{
    const double at = height(l, tokens);
    const double variance = l->var_constant + 2 * tokens * l->covariance + tokens * tokens * l->var_slope;
    return l->scatter_ratio * sqrt(fmax(0, variance) + at * at);
}

/* --- what is taken out first ---------------------------------------------------------------------------- */

/* The fewest steps, three or more, behind which all are faster than the line through them. */
static uint32_t find_kink(const roof_timed_point *steps, uint32_t n, double *ratio)
{
    static const double worth_it = 0.03, quantile = 0.999;
    for (uint32_t s = ROOF_MIN_STEPS; s < n; s++) {
        const line l = fit(steps, s, LEFT_OUT_NONE);
        bool all = l.known && l.dof && steps[s].tokens > steps[s - 1].tokens;
        for (uint32_t i = s; i < n && all; i++) {
            const double at = height(&l, steps[i].tokens), below = at - steps[i].seconds;
            all = below > worth_it * at &&
                  below > gsl_cdf_tdist_Pinv(quantile, l.dof) * error_of_another(&l, steps[i].tokens);
        }
        if (all) {
            *ratio = steps[s].seconds / height(&l, steps[s].tokens) - 1;
            return s;
        }
    }
    return n;
}

static void find_stray(roof_timed_point *steps, uint32_t n)
{
    static const double unlikely = 0.005;
    double most = 0;
    uint32_t stray = n;
    for (uint32_t i = 0; i < n && n >= ROOF_MIN_ROBUST_POINTS; i++) {
        const line l = fit(steps, n, i);
        const double off = fabs(steps[i].seconds - height(&l, steps[i].tokens));
        const double t = off / error_of_another(&l, steps[i].tokens);
        /* without any noise of the others, what is off by a rounding would be as well */
        const bool is_seen = l.known && l.dof && off > 1e-9 * steps[i].seconds;
        if (is_seen && t > most && t > gsl_cdf_tdist_Pinv(1 - unlikely / 2 / n, l.dof)) {
            most = t;
            stray = i;
        }
    }
    if (stray < n)
        steps[stray].is_stray = true;
}

/* --- the line and its errors ---------------------------------------------------------------------------- */

double step_fit_median(double *values, uint32_t n)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            values[known++] = values[i];
    ORDER_VALUES(values, known);
    return !known      ? (double)NAN
           : known % 2 ? values[known / 2]
                       : (values[known / 2 - 1] + values[known / 2]) / 2;
}

static roof_estimate estimate(double value, double variance, const line *l)
{
    const double se = l->scatter_ratio * sqrt(fmax(0, variance)), half = roof_fit_t95(l->dof) * se;
    const double low = value - half; /* no time is below 0 */
    return (roof_estimate){value, se, value > 0 ? fmax(0, low) : low, value + half};
}

static void find_errors(roof_step_fit *out, roof_timed_point *steps, uint32_t n, const line *whole)
{
    double own[MOST_STEPS], others[MOST_STEPS];
    for (uint32_t i = 0; i < n; i++) {
        const line l = fit(steps, n, i);
        steps[i].fitted_s = height(whole, steps[i].tokens);
        steps[i].left_out_ratio =
            l.known && l.dof ? height(&l, steps[i].tokens) / steps[i].seconds - 1 : (double)NAN;
        own[i] = steps[i].is_stray ? (double)NAN : fabs(steps[i].fitted_s / steps[i].seconds - 1);
        others[i] = steps[i].is_stray ? (double)NAN : fabs(steps[i].left_out_ratio);
    }
    out->error_ratio = step_fit_median(own, n);
    out->left_out_ratio = step_fit_median(others, n);
}

roof_step_fit step_fit_make(roof_timed_point *steps, uint32_t n)
{
    const roof_estimate unknown = {NAN, NAN, NAN, NAN};
    roof_step_fit out = {.constant_s = unknown,
                         .per_token_s = unknown,
                         .scatter_ratio = NAN,
                         .error_ratio = NAN,
                         .left_out_ratio = NAN,
                         .kink_ratio = NAN};
    uint32_t lengths = 0;
    for (uint32_t i = 0; i < n; i++)
        lengths += !i || steps[i].tokens != steps[i - 1].tokens;
    if (lengths < ROOF_MIN_STEPS || n >= MOST_STEPS) {
        out.not_known = n >= MOST_STEPS ? "more steps than are fitted: keep fewer lengths"
                                        : "a line and its error take steps at three lengths or more";
        return out;
    }
    const uint32_t whole = find_kink(steps, n, &out.kink_ratio);
    if (whole < n)
        out.kink_tokens = steps[whole].tokens;
    for (uint32_t i = whole; i < n; i++)
        steps[i].is_beyond_kink = true;
    find_stray(steps, whole);
    const line l = fit(steps, whole, LEFT_OUT_NONE);
    if (!l.known || !l.dof) {
        out.not_known = "no line of positive times goes through them";
        return out;
    }
    out.points = l.dof + 2;
    out.dof = l.dof;
    out.scatter_ratio = l.scatter_ratio;
    out.constant_s = estimate(l.constant, l.var_constant, &l);
    out.per_token_s = estimate(l.slope, l.var_slope, &l);
    find_errors(&out, steps, whole, &l);
    return out;
}
