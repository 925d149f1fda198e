/* measure/compare/sample_tests.h - three statistics of what two sides took, the typical inference, the mean
 * and the tail, and what they decide.
 *
 * Units: seconds of one inference.
 */
#pragma once

#include "core/core.h"
#include "roofline/compare.h"

/* Times of one execution, of which an inference has so many. */
typedef struct sample_side {
    const roof_times *times;
    double executions;
} sample_side;

/* A row without any test. */
void sample_tests_none(roof_compared *out);

/* Fills test, figures and statistics of a row: by samples, where both sides have some; else by mean,
 * deviation and count, else by minimum, maximum and count; nothing without these. Errors: E_NO_MEMORY. */
roof_status sample_tests_make(sample_side a, sample_side b, roof_compared *out, roof_error *err);

/* True if a row is decided, as roof_compared has it. why_not: what leaves it undecided. */
bool sample_tests_is_decided(const roof_compared *row, roof_decided *why_not);

/* True if a statistic shows that B / A is above a factor. */
bool sample_tests_is_above(const roof_compared *row, roof_statistic_kind kind, double factor);

/* "typical inference", "mean", "P95". */
const char *sample_tests_name(roof_arena *arena, const roof_compared *row, roof_statistic_kind kind);

/* Why a row is undecided: "30 samples of each are needed, 5 and 5 cannot tell". NULL without memory. */
const char *sample_tests_say_undecided(roof_arena *arena, const roof_compared *row, const roof_decided *d,
                                       double factor);
