/* measure/compare/ranks.h - whether samples of one run tend to be larger than those of another, and by how
 * much: by ranks, so that no distribution is assumed.
 *
 * Units: those of the samples. Shapes: both arrays are sorted, smallest first, and have a sample or more.
 *   work: an array of RANKS_WORK numbers.
 * Cost: linear in the samples, but for the few of them whose test is exact.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Up to so many pairs of samples the ways to choose ranks are counted, in a work array of so many numbers. */
enum { RANKS_EXACT_PAIRS = 100, RANKS_MOST_CHOSEN = 10, RANKS_SUMS = 2 * RANKS_EXACT_PAIRS + 1 };
enum { RANKS_WORK = (RANKS_MOST_CHOSEN + 1) * RANKS_SUMS };

/* The chance outside of an interval, at either end. */
#define RANKS_TAIL 0.025

typedef struct sorted_samples {
    const double *at;
    size_t n;
} sorted_samples;

/* How much more the mean of consecutive values scatters than that of independent ones (a drift, a busy
 * machine): the factor of a variance, as an estimate of so many degrees of freedom; {1, INFINITY}: none. */
typedef struct rank_noise {
    double factor, dof;
} rank_noise;

/* False where samples are sorted, so that their order tells nothing. */
bool ranks_have_order(const double *samples, size_t n);

/* The noise of values in their order, from 10 on: by an autoregression of first order with their
 * autocorrelation, or by ten batches, from 20 values on, whichever is larger.
 * Source: A. M. Law, W. D. Kelton, "Simulation Modeling and Analysis", batch means; F. H. C. Marriott,
 *   J. A. Pope, Biometrika 41 (1954).
 * Example (tests/unit/test_ranks.c): 1 and 2 in turns of four, 40 in all. */
rank_noise ranks_noise(const double *values, size_t n);

/* The correlation of values with those one place later. */
double ranks_correlation(const double *values, size_t n);

/* The ranks of samples among themselves, ties at their mean. */
void ranks_of(const double *samples, size_t n, sorted_samples sorted, double *out);

/* The noise of the difference of two runs of n and m samples. */
rank_noise ranks_noise_of_both(rank_noise a, size_t n, rank_noise b, size_t m);

/* U of Mann and Whitney: how many pairs have the larger one in a, ties as a half. */
double ranks_u(sorted_samples a, sorted_samples b);

/* How often samples of one distribution differ as much as these or more: two-sided.
 *
 * Method: Mann-Whitney U with mid-ranks for ties. Up to 100 pairs of samples without noise exactly, over all
 *   ways to choose a's places; else by the normal distribution with the variance of ties and a continuity
 *   correction, or by Student's with the noise.
 * Source: H. B. Mann, D. R. Whitney, Ann. Math. Statist. 18 (1947); E. L. Lehmann, "Nonparametrics" (1975),
 *   1.2 and 1.4.
 * Example (tests/unit/test_ranks.c): 1 2 3 and 4 5 6 have 2 / 20. */
double ranks_p(sorted_samples a, sorted_samples b, rank_noise noise, double *work);

/* By how much b is larger than a, and the 95 % interval of that. */
typedef struct rank_shift {
    double value, ci95[2]; /* ci95: NaN with too few samples, such as 3 and 3 */
} rank_shift;

/* Method: the median of the differences of all pairs, and the order statistics of these differences between
 *   which ranks_p, without ties, is above 0.05. A bisection counts differences; they are not stored.
 * Source: J. L. Hodges, E. L. Lehmann, Ann. Math. Statist. 34 (1963); Lehmann, 2.6.
 * Example (tests/unit/test_ranks.c): 1 2 3 4 and 11 12 13 14 are 10 apart, from 7 to 13. */
rank_shift ranks_shift(sorted_samples a, sorted_samples b, rank_noise noise, double *work);
