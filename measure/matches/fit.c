#include "roofline/fit.h"
#include "core/core.h"
#include "core/platform/platform.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_multifit.h>

/* Points in one order, whatever order they came in: sums of doubles depend on it. */
typedef struct point {
    double x, y;
} point;

double roof_fit_t95(uint32_t dof)
{
    return dof ? gsl_cdf_tdist_Pinv(0.975, dof) : NAN;
}

static roof_estimate estimate(double value, double variance, uint32_t dof)
{
    double se = sqrt(fmax(variance, 0)), half = roof_fit_t95(dof) * se;
    return (roof_estimate){value, se, value - half, value + half};
}

/* Sets what all lines have in common, out of the squares of their residuals. */
static void judge(roof_line *line, const point *p, size_t n, double squares)
{
    double mean = 0, all = 0;
    for (size_t i = 0; i < n; i++)
        mean += p[i].y / (double)n;
    for (size_t i = 0; i < n; i++)
        all += (p[i].y - mean) * (p[i].y - mean);
    line->known = true;
    line->r2 = all > 0 ? 1 - squares / all : NAN;
    line->residual_std = sqrt(squares / line->dof);
}

/* gsl_fit_linear and gsl_fit_mul take strides in doubles: a point has two. */
enum { STRIDE = sizeof(point) / sizeof(double) };

static void plain_lines(const point *p, size_t n, roof_line *free_line, roof_line *origin_line)
{
    double intercept, slope, var_intercept, covariance, var_slope, squares;
    *free_line = (roof_line){.dof = (uint32_t)n - 2};
    gsl_fit_linear(&p->x, STRIDE, &p->y, STRIDE, n, &intercept, &slope, &var_intercept, &covariance,
                   &var_slope, &squares);
    free_line->slope = estimate(slope, var_slope, free_line->dof);
    free_line->intercept = estimate(intercept, var_intercept, free_line->dof);
    judge(free_line, p, n, squares);
    *origin_line = (roof_line){.dof = (uint32_t)n - 1};
    gsl_fit_mul(&p->x, STRIDE, &p->y, STRIDE, n, &slope, &var_slope, &squares);
    origin_line->slope = estimate(slope, var_slope, origin_line->dof);
    judge(origin_line, p, n, squares);
}

/* --- the robust line ------------------------------------------------------------------------------------ */

/* GSL allocates while it solves, and does not check. Its error handler is called first, and gives up. Memory
 * that GSL holds then is lost. */
static void on_error(const char *reason, const char *file, int line, int code)
{
    (void)reason, (void)file, (void)line;
    if (code == GSL_ENOMEM)
        os_give_up();
}

typedef struct robust_attempt {
    gsl_matrix *x;
    gsl_multifit_robust_workspace *gsl;
    const point *p;
    size_t n;
    roof_line *out;
} robust_attempt;

static void robust_try(void *attempt_)
{
    robust_attempt *a = attempt_;
    const point *p = a->p;
    double squares = 0, values[2], covariances[4];
    gsl_vector_const_view y = gsl_vector_const_view_array_with_stride(&p->y, STRIDE, a->n);
    gsl_vector_view c = gsl_vector_view_array(values, 2);
    gsl_matrix_view covariance = gsl_matrix_view_array(covariances, 2, 2);
    a->x = gsl_matrix_alloc(a->n, 2);
    a->gsl = gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, a->n, 2);
    for (size_t i = 0; i < a->n; i++) {
        gsl_matrix_set(a->x, i, 0, 1);
        gsl_matrix_set(a->x, i, 1, p[i].x);
    }
    if (gsl_multifit_robust(a->x, &y.vector, &c.vector, &covariance.matrix, a->gsl) != GSL_SUCCESS)
        return;
    roof_line line = {.dof = (uint32_t)a->n - 2};
    line.intercept = estimate(values[0], covariances[0], line.dof);
    line.slope = estimate(values[1], covariances[3], line.dof);
    for (size_t i = 0; i < a->n; i++) {
        double residual = p[i].y - line.intercept.value - line.slope.value * p[i].x;
        squares += residual * residual;
    }
    judge(&line, p, a->n, squares);
    if (isfinite(line.slope.value) && isfinite(line.intercept.value))
        *a->out = line;
}

/* Too few points, or no convergence: the line stays unknown. */
static roof_status robust_line(const point *p, size_t n, roof_line *out, roof_error *err)
{
    robust_attempt a = {.p = p, .n = n, .out = out};
    if (n < ROOF_MIN_ROBUST_POINTS)
        return ROOF_OK;
    gsl_error_handler_t *handler = gsl_set_error_handler(on_error); /* GSL's own aborts the program */
    bool memory = os_attempt(robust_try, &a);
    if (a.gsl)
        gsl_multifit_robust_free(a.gsl);
    gsl_matrix_free(a.x);
    gsl_set_error_handler(handler);
    return ALLOCATED(memory, err);
}

/* --- choosing ------------------------------------------------------------------------------------------- */

static const roof_line unknown_line = {
    .slope = {NAN, NAN, NAN, NAN}, .intercept = {NAN, NAN, NAN, NAN}, .r2 = NAN, .residual_std = NAN};

roof_status roof_fit_line(const double *x, const double *y, size_t n, roof_intercept expected, roof_fit *out,
                          double *residuals, roof_error *err)
{
    roof_fit f = {.n = n, .lines = {unknown_line, unknown_line, unknown_line}};
    roof_status status = ROOF_OK;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]) || !isfinite(y[i]))
            return error_data(err, "point %zu is (%g, %g), want finite numbers", i, x[i], y[i]);
    point *p = calloc(n + 1, sizeof *p);
    TRY(ALLOCATED(p, err));
    for (size_t i = 0; i < n; i++)
        p[i] = (point){x[i], y[i]};
    order_sort(p, n, sizeof *p, ORDER_BY(RISING(point, x), RISING(point, y)));
    for (size_t i = 0; i < n; i++) {
        f.distinct_x += i == 0 || p[i].x != p[i - 1].x;
        f.x_mean += p[i].x / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        f.x_squares += (p[i].x - f.x_mean) * (p[i].x - f.x_mean);
    f.x_min = n ? p[0].x : NAN;
    f.x_max = n ? p[n - 1].x : NAN;
    if (f.distinct_x >= ROOF_MIN_DISTINCT_X) {
        plain_lines(p, n, &f.lines[ROOF_LINE_FREE], &f.lines[ROOF_LINE_ORIGIN]);
        status = robust_line(p, n, &f.lines[ROOF_LINE_ROBUST], err);
        const roof_estimate *intercept = &f.lines[ROOF_LINE_FREE].intercept;
        f.intercept_differs_from_zero = intercept->ci95_low > 0 || intercept->ci95_high < 0;
        f.reason = f.intercept_differs_from_zero         ? ROOF_FIT_INTERCEPT_DIFFERS
                   : expected == ROOF_INTERCEPT_EXPECTED ? ROOF_FIT_INTERCEPT_BELONGS
                                                         : ROOF_FIT_NO_INTERCEPT;
        f.chosen = f.reason == ROOF_FIT_NO_INTERCEPT ? ROOF_LINE_ORIGIN : ROOF_LINE_FREE;
    }
    free(p);
    TRY(status);
    const roof_line *line = &f.lines[f.chosen];
    for (size_t i = 0; i < n && residuals; i++)
        residuals[i] = line->known ? y[i] - line->intercept.value - line->slope.value * x[i] : NAN;
    *out = f;
    return ROOF_OK;
}

double roof_fit_slope_half_width_with(const roof_fit *f, roof_line_kind kind, double x)
{
    const roof_line *line = &f->lines[kind];
    double n = (double)f->n, squares = f->x_squares + (x - f->x_mean) * (x - f->x_mean) * n / (n + 1);
    if (!line->known)
        return NAN;
    if (kind == ROOF_LINE_ORIGIN)
        squares = f->x_squares + n * f->x_mean * f->x_mean + x * x;
    return roof_fit_t95(line->dof + 1) * line->residual_std / sqrt(squares);
}

double roof_fit_mean_half_width(const roof_fit *f, roof_line_kind kind, double x)
{
    const roof_line *line = &f->lines[kind];
    double n = (double)f->n, off = x - f->x_mean;
    const double variance[ROOF_LINE_KINDS] = {
        [ROOF_LINE_FREE] = 1 / n + off * off / f->x_squares,
        [ROOF_LINE_ORIGIN] = x * x / (f->x_squares + n * f->x_mean * f->x_mean),
        [ROOF_LINE_ROBUST] = NAN,
    };
    return line->known ? roof_fit_t95(line->dof) * line->residual_std * sqrt(variance[kind]) : NAN;
}
