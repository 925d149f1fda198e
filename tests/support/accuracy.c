#include "tests/support/accuracy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ROW_BYTES = 600 };

static void add_value(accuracy *a, const char *group, double value)
{
    uint32_t i = 0;
    assert_true(isfinite(value) && a->n < ACCURACY_MOST_POINTS && strlen(group) < ACCURACY_GROUP_BYTES);
    a->values[a->n++] = value;
    while (i < a->n_groups && strcmp(a->groups[i], group) != 0)
        i++;
    if (i == a->n_groups) {
        assert_true(a->n_groups < ACCURACY_MOST_GROUPS);
        snprintf(a->groups[a->n_groups++], ACCURACY_GROUP_BYTES, "%s", group);
    }
}

void accuracy_add(accuracy *a, const char *group, double expected, double measured, const double *interval)
{
    assert_non_null(a->constants);
    add_value(a, group, fabs(expected / measured - 1));
    if (!interval || isnan(interval[0]))
        return;
    a->inside += interval[0] <= measured && measured <= interval[1];
    a->outside += !(interval[0] <= measured && measured <= interval[1]);
}

void accuracy_add_bound(accuracy *a, const char *group, double bound, double measured)
{
    assert_null(a->constants);
    if (measured < bound)
        print_message("%s: %g is measured, and the bound is %g\n", group, measured, bound);
    add_value(a, group, measured / bound);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double accuracy_quantile(accuracy *a, double part)
{
    assert_true(a->n > 0);
    qsort(a->values, a->n, sizeof *a->values, by_size);
    const double at = part * (a->n - 1);
    const uint32_t low = (uint32_t)at, high = low + 1 < a->n ? low + 1 : low;
    return a->values[low] + (at - low) * (a->values[high] - a->values[low]);
}

double accuracy_mean(const accuracy *a)
{
    double sum = 0;
    for (uint32_t i = 0; i < a->n; i++)
        sum += a->values[i];
    return sum / a->n;
}

static void write_errors(accuracy *a, char row[ROW_BYTES])
{
    char held[48] = "none is stated", groups[48] = "nothing";
    if (a->inside + a->outside)
        snprintf(held, sizeof held, "%u of %u, %.0f %%", a->inside, a->inside + a->outside,
                 100.0 * a->inside / (a->inside + a->outside));
    if (a->left_out)
        snprintf(groups, sizeof groups, "%u %s", a->n_groups, a->left_out);
    snprintf(row, ROW_BYTES, "| %s | %s | %u | %s | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %s |\n", a->what,
             a->constants, a->n, groups, 100 * accuracy_quantile(a, 0.5), 100 * accuracy_mean(a),
             100 * accuracy_quantile(a, 0.9), 100 * accuracy_quantile(a, 1), held);
}

static void write_bounds(accuracy *a, char row[ROW_BYTES])
{
    uint32_t below = 0;
    for (uint32_t i = 0; i < a->n; i++)
        below += a->values[i] < 1;
    snprintf(row, ROW_BYTES, "| %s | %u | %u | %u | %.2f | %.2f |\n", a->what, a->n, a->n_groups, below,
             accuracy_quantile(a, 0), accuracy_quantile(a, 0.5));
}

void accuracy_tell(accuracy *a)
{
    char row[ROW_BYTES];
    const char *path = getenv("ROOFLINE_TABLES");
    if (a->constants)
        write_errors(a, row);
    else
        write_bounds(a, row);
    print_message("%s", row);
    FILE *file = path ? fopen(path, "a") : NULL;
    if (path && (!file || fputs(row, file) < 0))
        fail_msg("%s cannot be written", path);
    if (file)
        assert_int_equal(fclose(file), 0);
}
