/* measure/history/change_points.h - where the level of a series changes, and by how much: by ranks, so that
 * no distribution of its noise is assumed.
 *
 * Units: those of the values. Shapes: a series is in the order of its runs. Cost: n log n, and n for each
 *   change.
 *
 * Method: binary segmentation with Mann and Whitney's U, the test of `compare`, over all places to divide;
 *   the place of the least chance divides the series where that is below change_points_level, and so do its
 *   parts. Segments that a wave or a drift divided are then joined again, the least sure first: the
 *   autocorrelation within the segments widens the noise as in ranks_noise, where it is clear (at 1 %).
 * Source: L. Y. Vostrikova, Soviet Math. Doklady 24 (1981); A. N. Pettitt, Applied Statistics 28 (1979).
 */
#pragma once

#include "core/core.h"
#include "roofline/history.h"

/* A change is looked for where so many runs or more are on either side. */
enum { CHANGE_LEAST_RUNS = 3 };

/* A series without a change is divided in one of so many, whatever the distribution of its noise is. */
enum { CHANGE_ONE_FALSE_IN = 200 };

/* Segments of a series, ratios as `compare` has them. */
typedef struct change_points {
    roof_history_segment *segments; /* of the arena; one or more */
    uint32_t n;
    double noise_factor; /* of the variance, by values that follow each other; 1: they are independent */
} change_points;

/* Divides n values, which are above 0; n from 1 on. Errors: E_NO_MEMORY.
 * Example (tests/unit/test_change_points.c): 20 values around 1 and 5 around 1.1 are two segments. */
roof_status change_points_find(const double *values, uint32_t n, roof_arena *arena, change_points *out,
                               roof_error *err);

/* By how much values of a segment are above those of another one: the ratio and its interval as
 * roof_history_segment has them. Errors: E_NO_MEMORY. */
roof_status change_points_ratio(const double *values, const roof_history_segment *before,
                                const roof_history_segment *after, double noise_factor, roof_arena *arena,
                                roof_history_segment *out, roof_error *err);

/* The largest chance at the best place to divide n values that is taken for a change. */
double change_points_level(uint32_t n);

/* The chance of a sum u of Mann and Whitney as uneven as this, of n and m values; noise_factor: of the
 * variance. */
double change_points_p(double n, double m, double u, double noise_factor);

/* True if n runs can show a change that came with the newest five. */
bool change_points_can_tell(uint32_t n);
