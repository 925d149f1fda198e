/* tests/support/pair_rows.h - rows of ../shared/data/measured/sibling_pairs.tsv, and the median of errors. */
#ifndef ROOF_TESTS_SUPPORT_PAIR_ROWS_H
#define ROOF_TESTS_SUPPORT_PAIR_ROWS_H

#include "tests/unit/fixture.h"

#include <stdlib.h>

/* The fields of a line; empty ones are "". */
static inline uint32_t split_row(char *line, char **fields, uint32_t most)
{
    uint32_t n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at && n < most;) {
        char *tab = strchr(at, '\t');
        fields[n++] = at;
        if (tab)
            *tab = '\0';
        at = tab ? tab + 1 : NULL;
    }
    return n;
}

static inline int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts them. */
static inline double median_of(double *values, uint32_t n)
{
    assert_true(n > 0);
    qsort(values, n, sizeof *values, by_value);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

#endif
