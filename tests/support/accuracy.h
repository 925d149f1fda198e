/* accuracy.h - how far what the program said lay from what was measured.
 *
 * A reference test adds its points and tells them at its end: as a line of its output, and, where the
 * environment names a file in ROOFLINE_TABLES, as a row of a table at the end of that file. Of these rows
 * cmake/benchmarks.cmake makes docs/benchmarks.md, so that no figure of that page is written by hand.
 *
 * Quantiles lie on the line between the two values beside them.
 */
#ifndef ROOF_TESTS_ACCURACY_H
#define ROOF_TESTS_ACCURACY_H

#include <stdbool.h>
#include <stdint.h>

enum { ACCURACY_MOST_POINTS = 2048, ACCURACY_MOST_GROUPS = 64, ACCURACY_GROUP_BYTES = 128 };

typedef struct accuracy {
    const char *what;      /* was measured */
    const char *constants; /* that the expected times rest on; NULL: these are bounds, which rest on none */
    const char *left_out; /* what a group is, of which nothing was fitted when it was predicted; NULL: nothing
                            * was left out */
    double values[ACCURACY_MOST_POINTS]; /* |expected / measured - 1|; of bounds, measured / bound */
    uint32_t n;
    char groups[ACCURACY_MOST_GROUPS][ACCURACY_GROUP_BYTES];
    uint32_t n_groups;
    uint32_t inside, outside; /* of the interval that was stated */
} accuracy;

/* A point. group: what is left out or belongs together; interval: that was stated; NULL, NaN: none. */
void accuracy_add(accuracy *a, const char *group, double expected, double measured, const double *interval);

/* A measured time beside its bound. */
void accuracy_add_bound(accuracy *a, const char *group, double bound, double measured);

/* The values up to which this part of them goes: 0.5 is the median. */
double accuracy_quantile(accuracy *a, double part);
double accuracy_mean(const accuracy *a);

/* Prints the row, and adds it to the file. Errors fail the test. */
void accuracy_tell(accuracy *a);

#endif
