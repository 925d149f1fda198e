/* roofline/fit.h - straight lines through few points, and how far they can be trusted.
 *
 * Units: slope is of y per x, intercept, residuals and widths are of y; _ratio has none.
 * Shapes: n points (x[i], y[i]) in any order; permuting them changes no bit of the lines.
 * Ownership: plain values; the residuals go to memory of the caller.
 *
 * A performance study has three models, seldom ten. With so few points the interval matters more than the
 * slope, so every estimate carries one, from Student's t with the true degrees of freedom. Unknown values are
 * NaN.
 */
#ifndef ROOFLINE_FIT_H
#define ROOFLINE_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include "roofline/status.h"

ROOF_BEGIN_C

/* Distinct x below which no line is drawn, and points below which no robust one is. */
enum { ROOF_MIN_DISTINCT_X = 3, ROOF_MIN_ROBUST_POINTS = 5 };

typedef struct roof_estimate {
    double value, se;
    double ci95_low, ci95_high;
} roof_estimate;

/* y = intercept + slope * x. */
typedef struct roof_line {
    bool known;
    roof_estimate slope;
    roof_estimate intercept; /* through the origin: 0, without error */
    double r2;           /* 1 - squares of residuals / squares about the mean of y, for every kind of line */
    double residual_std; /* sqrt(squares of residuals / dof) */
    uint32_t dof;
} roof_line;

typedef enum roof_line_kind {
    ROOF_LINE_FREE,
    ROOF_LINE_ORIGIN,
    ROOF_LINE_ROBUST,
    ROOF_LINE_KINDS
} roof_line_kind;

/* Intercept that physics expects before any point is seen. */
typedef enum roof_intercept {
    ROOF_INTERCEPT_NONE_EXPECTED, /* a cost per boundary: without boundaries there is none */
    ROOF_INTERCEPT_EXPECTED       /* a constant belongs to it, such as what a host adds to every inference */
} roof_intercept;

typedef enum roof_fit_reason {
    ROOF_FIT_TOO_FEW,           /* there is no line: distinct_x is below ROOF_MIN_DISTINCT_X */
    ROOF_FIT_INTERCEPT_DIFFERS, /* its interval excludes zero */
    ROOF_FIT_INTERCEPT_BELONGS, /* a constant is expected, though the points do not show it */
    ROOF_FIT_NO_INTERCEPT       /* none is expected, nor told from zero */
} roof_fit_reason;

typedef struct roof_fit {
    size_t n, distinct_x;
    double x_min, x_max;
    double x_mean, x_squares; /* sum of (x - x_mean)^2 */
    roof_line lines[ROOF_LINE_KINDS];
    roof_line_kind chosen;
    bool intercept_differs_from_zero; /* its 95 % interval of the free line excludes zero */
    roof_fit_reason reason;           /* why chosen is chosen, or why there is no line */
} roof_fit;

/* Fits all lines and chooses one.
 *
 * Free:   least squares; slope = Sxy/Sxx, se = s/sqrt(Sxx), dof = n - 2.
 * Origin: slope = sum xy / sum x^2, se = s/sqrt(sum x^2), dof = n - 1.
 * Robust: Tukey's bisquare by iterated reweighting (gsl_multifit_robust), dof = n - 2; from
 * ROOF_MIN_ROBUST_POINTS on.
 * Chosen: the free line where an intercept is expected or the data distinguish it from zero; otherwise the
 *   line through the origin, which then is the simpler one that the data cannot refuse.
 * x, y: n finite values each.
 * residuals: n values, y minus the chosen line, in the order of the points; NULL if not wanted; NaN without a
 * line. Fewer than ROOF_MIN_DISTINCT_X distinct x: no line is known, reason says so, and the result is still
 * ROOF_OK.
 * Errors: E_DATA for a value that is not finite (the message names its index); E_NO_MEMORY.
 * Source: any text on linear regression; GSL 2.7, "Linear Least-Squares Fitting".
 * Example (tests/unit/test_fit.c): boundaries 15, 36, 55 and 2.551, 5.354, 9.258 ms give slope 0.1671 +-
 * 0.0207,
 *   intercept -0.18 +- 0.81, R2 0.985 with one degree of freedom, and 0.1628 +- 0.0063 through the origin.
 */
ROOF_API roof_status roof_fit_line(const double *x, const double *y, size_t n, roof_intercept expected,
                                   roof_fit *out, double *residuals, roof_error *err);

/* Half the width of the slope's 95 % interval that one more point at x would leave, if it scattered like the
 * rest.
 *
 * Formula: t(0.975, dof + 1) s / sqrt(Sxx + (x - x_mean)^2 n / (n + 1)) for the free line, t s / sqrt(sum x^2
 *   + x^2) through the origin.
 * Result: NaN without a line.
 * Example (tests/unit/test_fit.c): the free line above, at 100: 0.040 ms instead of 0.263 ms.
 */
ROOF_API double roof_fit_slope_half_width_with(const roof_fit *fit, roof_line_kind kind, double x);

/* Half the width of the 95 % interval of the line itself, that is of the mean of y, at x.
 *
 * Formula: t(0.975, dof) s sqrt(1/n + (x - x_mean)^2 / Sxx) for the free line, t s |x| / sqrt(sum x^2)
 * through the origin.
 * Result: NaN without a line, and for the robust one, which has no such formula.
 * Source: N. R. Draper, H. Smith, "Applied Regression Analysis", 3rd edition, 1998, section 1.4.
 * Example (tests/unit/test_fit.c): the free line above, at 0: 10.2 ms, as the interval of its intercept.
 */
ROOF_API double roof_fit_mean_half_width(const roof_fit *fit, roof_line_kind kind, double x);

/* The factor t with which a standard error becomes half a 95 % interval: Student's 97.5 % quantile. NaN for
 * dof 0. Example (tests/unit/test_fit.c): 12.706 for 1, 4.303 for 2, 1.960 for very many.
 */
ROOF_API double roof_fit_t95(uint32_t dof);

ROOF_END_C
#endif
