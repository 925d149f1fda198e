/* One's own times on a board: they move the level of its law, and ten of them all constants.
 *
 * Level: E times exp(the median over points of ln((t - base) / (T - base))), base = c + o rows, which no
 *   array's speed moves.
 * Constants: least squares of ln(T / t) / 0.2 with soft L1 loss at 1.5, and each logarithm of a constant
 *   drawn to that of the set with the deviation that devices of a maker have; E is drawn to nothing. By
 *   Levenberg and Marquardt, derivatives by differences.
 * Source: docs/hardware/boards.md, "Your own times". Example: tests/unit/test_board_own.c.
 */
#include "core/core.h"
#include "model/predict/boards.h"

#include <gsl/gsl_linalg.h>

/* From so many on all constants move; more tell little that these do not. */
enum { ALL_MOVE = 10, MOST_POINTS = 32, UNKNOWNS = BOARD_CONSTANTS };

/* Errors of networks of other families than those that were timed, where 1, 3 and 10 random ones of a device
 * were: median and nine of ten. NaN: no table has as many. The last is for stacks that none is known of: the
 * worst. */
static const struct own_errors {
    const char *stack, *data_type; /* NULL: any */
    double errors[3][2];
} own_errors[] = {
    {"edgetpu", NULL, {{0.19, 0.53}, {0.15, 0.44}, {0.11, 0.39}}},
    {"hailort", NULL, {{0.22, 0.53}, {0.17, 0.48}, {0.14, 0.40}}},
    {"rknn", NULL, {{0.18, 0.81}, {0.17, 0.55}, {NAN, NAN}}},
    {"qnn", "f16", {{0.26, 0.79}, {0.19, 0.47}, {0.14, 0.32}}},
    {"qnn", "int8", {{0.28, 0.89}, {0.24, 0.72}, {0.18, 0.43}}},
    {"tensorrt", NULL, {{0.16, 0.81}, {0.16, 0.59}, {NAN, NAN}}},
    {"ncnn", NULL, {{0.15, 0.43}, {0.13, 0.36}, {NAN, NAN}}},
    {"tflite", NULL, {{0.18, 0.70}, {0.16, 0.71}, {NAN, NAN}}},
    {NULL, NULL, {{0.28, 0.89}, {0.24, 0.72}, {0.24, 0.72}}},
};

/* A normal error has 95 of 100 within so many times what has 90 of 100. */
#define OF_95_TO_90 1.1915

static void set_errors(board_set *set, uint32_t n)
{
    size_t i = 0;
    while (own_errors[i].stack &&
           (strcmp(own_errors[i].stack, set->stack) != 0 ||
            (own_errors[i].data_type && strcmp(own_errors[i].data_type, set->data_type) != 0)))
        i++;
    uint32_t k = n >= ALL_MOVE ? 2U : n >= 3 ? 1U : 0U;
    k -= isnan(own_errors[i].errors[k][0]) ? 1U : 0U;
    set->median_error = own_errors[i].errors[k][0];
    set->p90_error = own_errors[i].errors[k][1];
    set->factor = exp(OF_95_TO_90 * log1p(set->p90_error));
}

/* --- the level ------------------------------------------------------------------------------------------ */

static double law(const board_set *set, const board_point *point)
{
    return board_seconds(set, point->sums, board_weights_share(set, point->sums, 1), false);
}

/* A fifth of a time is the array's at least, however much rows and calls are said to take. */
#define LEAST_SHARE 0.2

static void move_level(board_set *set, const board_point *points, uint32_t n)
{
    double logs[MOST_POINTS];
    for (uint32_t i = 0; i < n; i++) {
        /* time that no speed of the array changes */
        const double base_s =
                         (set->constants[BOARD_O] * points[i].sums->rows + set->constants[BOARD_C]) / 1e6,
                     own_s = points[i].seconds;
        logs[i] = log(fmax(own_s - base_s, LEAST_SHARE * own_s) / (law(set, &points[i]) - base_s));
    }
    ORDER_VALUES(logs, n);
    set->constants[BOARD_E] *= exp(board_median(logs, n, n));
}

/* --- all constants -------------------------------------------------------------------------------------- */

/* Deviations of the logarithm, of a device from the shape of its maker; of E any is as good. */
static const double deviations[UNKNOWNS] = {
    [BOARD_E] = INFINITY, [BOARD_DW] = 0.3,   [BOARD_K0] = 0.3, [BOARD_N0] = 0.3,
    [BOARD_K1] = 0.2,     [BOARD_MM] = 0.3,   [BOARD_F] = 0.35, [BOARD_W] = 0.4,
    [BOARD_OTH] = 0.3,    [BOARD_SILU] = 0.4, [BOARD_O] = 0.5,  [BOARD_C] = 0.6};

#define SIGMA    0.2
#define SOFT_AT  1.5
#define STEP_LOG 1e-4

enum { MOST_RESIDUALS = MOST_POINTS + UNKNOWNS, MOST_STEPS = 60 };

/* Residuals at logarithms of the constants, and their soft L1 cost. */
static double residuals_at(const board_set *set, const double logs[UNKNOWNS], const board_point *points,
                           uint32_t n, double out[MOST_RESIDUALS])
{
    board_set moved = *set;
    double cost = 0;
    for (size_t k = 0; k < UNKNOWNS; k++) {
        moved.constants[k] = exp(logs[k]);
        out[n + k] = (logs[k] - log(set->constants[k])) / deviations[k];
    }
    for (uint32_t i = 0; i < n; i++)
        out[i] = log(law(&moved, &points[i]) / points[i].seconds) / SIGMA;
    for (uint32_t i = 0; i < n + UNKNOWNS; i++)
        cost += sqrt(1 + out[i] * out[i] / (SOFT_AT * SOFT_AT)) - 1;
    return cost;
}

/* One step from logs, damped so much; false: its equations have no solution. */
static bool step(const board_set *set, const double logs[UNKNOWNS], const board_point *points, uint32_t n,
                 double damping, double next[UNKNOWNS])
{
    double at[MOST_RESIDUALS], beside[MOST_RESIDUALS], slopes[UNKNOWNS][MOST_RESIDUALS],
        matrix[UNKNOWNS * UNKNOWNS], side[UNKNOWNS];
    (void)residuals_at(set, logs, points, n, at);
    for (size_t k = 0; k < UNKNOWNS; k++) {
        memcpy(next, logs, UNKNOWNS * sizeof *next);
        next[k] += STEP_LOG;
        (void)residuals_at(set, next, points, n, beside);
        for (uint32_t i = 0; i < n + UNKNOWNS; i++)
            slopes[k][i] = (beside[i] - at[i]) / STEP_LOG;
    }
    for (size_t k = 0; k < UNKNOWNS; k++) {
        side[k] = 0;
        memset(&matrix[k * UNKNOWNS], 0, UNKNOWNS * sizeof *matrix);
        for (uint32_t i = 0; i < n + UNKNOWNS; i++) {
            const double weight = 1 / sqrt(1 + at[i] * at[i] / (SOFT_AT * SOFT_AT));
            side[k] -= weight * slopes[k][i] * at[i];
            for (size_t l = 0; l < UNKNOWNS; l++)
                matrix[k * UNKNOWNS + l] += weight * slopes[k][i] * slopes[l][i];
        }
    }
    for (size_t k = 0; k < UNKNOWNS; k++)
        matrix[k * UNKNOWNS + k] *= 1 + damping;
    gsl_matrix_view m = gsl_matrix_view_array(matrix, UNKNOWNS, UNKNOWNS);
    gsl_vector_view v = gsl_vector_view_array(side, UNKNOWNS);
    for (size_t k = 0; k < UNKNOWNS; k++)
        if (!(matrix[k * UNKNOWNS + k] > 0 && isfinite(matrix[k * UNKNOWNS + k]) && isfinite(side[k])))
            return false;
    (void)gsl_linalg_cholesky_decomp1(&m.matrix);
    (void)gsl_linalg_cholesky_svx(&m.matrix, &v.vector);
    for (size_t k = 0; k < UNKNOWNS; k++)
        next[k] = logs[k] + side[k];
    return true;
}

static void move_all(board_set *set, const board_point *points, uint32_t n)
{
    double logs[UNKNOWNS] = {0}, next[UNKNOWNS] = {0}, unused[MOST_RESIDUALS], damping = 1e-3;
    for (size_t k = 0; k < UNKNOWNS; k++)
        logs[k] = log(set->constants[k]);
    double cost = residuals_at(set, logs, points, n, unused);
    for (uint32_t i = 0; i < MOST_STEPS && damping < 1e9; i++) {
        const bool is_step = step(set, logs, points, n, damping, next);
        const double other = is_step ? residuals_at(set, next, points, n, unused) : INFINITY;
        damping *= other < cost ? 0.2 : 8;
        if (other < cost) {
            memcpy(logs, next, sizeof logs);
            cost = other;
        }
    }
    for (size_t k = 0; k < UNKNOWNS; k++)
        set->constants[k] = exp(logs[k]);
}

void board_calibrate(board_set *set, const board_point *points, uint32_t n)
{
    n = n < MOST_POINTS ? n : MOST_POINTS;
    move_level(set, points, n);
    if (n >= ALL_MOVE)
        move_all(set, points, n);
    set_errors(set, n);
}

/* --- a device without a set ----------------------------------------------------------------------------- */

bool board_shape(const board_question *q, board_set *out)
{
    double logs[BOARD_CONSTANTS] = {0};
    uint32_t n = 0;
    const board_set *set;
    for (size_t i = 0; q->stack && (set = board_at(NULL, i)); i++) {
        if (strcmp(set->stack, q->stack) != 0 ||
            (q->data_type && strcmp(set->data_type, q->data_type) != 0) || set->batch != q->batch ||
            (q->threads && set->threads != q->threads) || set->kind == BOARD_ONE_CONTEXT ||
            (n && strcmp(set->data_type, out->data_type) != 0))
            continue;
        *out = n++ ? *out : *set;
        for (size_t k = 0; k < BOARD_CONSTANTS; k++)
            logs[k] += log(set->constants[k]);
    }
    for (size_t k = 0; k < BOARD_CONSTANTS && n; k++)
        out->constants[k] = exp(logs[k] / n);
    out->points = n;
    out->hw = q->hw;
    return n;
}
