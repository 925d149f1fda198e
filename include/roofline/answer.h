/* roofline/answer.h - a number that says what it is: measured, expected, a bound or not known; what it
 * covers; under which conditions. And the only arithmetic that is done with such numbers.
 *
 * Units: those of the answer, "s", "1/s", "J", "B", "ratio"; a quantity is never negative. NaN: unknown;
 * an upper
 *   end that there is none of is INFINITY.
 * Shapes: an answer is a value; what it points to is its caller's.
 *
 * The range that the truth is in is the whole of the law (roof_answer_ends). Nothing else asks for the kind
 * of a number to decide anything:
 *   measured  its interval of 95 %, or the value alone
 *   expected  its interval of 95 %
 *   about     value / factor to value x factor; without a factor not known
 *   at least  value to infinity: a bound, certain
 *   at most   0 to value: likewise
 *   not known 0 to infinity
 * A time that leaves out something that runs has no upper end, whatever its kind; its lower end stays.
 */
#ifndef ROOFLINE_ANSWER_H
#define ROOFLINE_ANSWER_H

#include <stdbool.h>

#include "roofline/status.h"

ROOF_BEGIN_C

typedef enum roof_answer_kind {
    ROOF_NOT_KNOWN,
    ROOF_MEASURED,
    ROOF_EXPECTED,
    ROOF_ABOUT,
    ROOF_AT_LEAST,
    ROOF_AT_MOST,
    ROOF_ANSWER_KINDS
} roof_answer_kind;

/* "not_known", "measured", "expected", "about", "at_least", "at_most", as documents write them. */
ROOF_API const char *roof_answer_kind_text(roof_answer_kind kind);

/* Parts of an inference that a time may cover. */
typedef enum roof_covered_part {
    ROOF_COVERS_ACCELERATOR = 1,
    ROOF_COVERS_HOST = 2,
    ROOF_COVERS_TRANSFERS = 4,
    ROOF_COVERS_LAUNCHES = 8,
    ROOF_COVERS_INFERENCE = 15
} roof_covered_part;

typedef struct roof_covers {
    uint32_t parts;          /* bits of roof_covered_part; 0: not stated */
    uint32_t rows, rows_all; /* 5 of 6; 0: not of rows */
    uint32_t left_out;       /* parts or rows that run, and whose time is in none of it */
} roof_covers;

/* A condition: "busy cores", "3". A condition that is not listed is not stated. */
typedef struct roof_answer_condition {
    const char *name, *text;
} roof_answer_condition;

typedef struct roof_answer {
    roof_answer_kind kind;
    double value;     /* the point, or the bound; NaN: unknown */
    double low, high; /* of 95 %, or of ABOUT; NaN: not stated */
    const char *unit;
    const char *why; /* of NOT_KNOWN the reason; NULL: none is told */
    roof_covers covers;
    const roof_answer_condition *under;
    uint32_t n_under;
} roof_answer;

/* The range that the truth is in.
 *
 * Example (tests/unit/test_answer.c): at least 0.449 is 0.449 to infinity; expected 10.96 with 9.354 to
 * 12.85 where 6 rows are left out is 9.354 to infinity. */
ROOF_API void roof_answer_ends(const roof_answer *a, double *low, double *high);

/* The same as documents have them: NaN where there is none, 0 and infinity. */
ROOF_API void roof_answer_stated_ends(const roof_answer *a, double *low, double *high);

/* True for at least and at most: certain in one direction, open in the other. */
ROOF_API bool roof_answer_is_bound(roof_answer_kind kind);

/* True where value is a point inside the range, usable in ratios and sums. */
ROOF_API bool roof_answer_has_point(const roof_answer *a);

/* --- limits --------------------------------------------------------------------------------------------- */

typedef enum roof_held {
    ROOF_HELD_KEPT,
    ROOF_HELD_BROKEN,
    ROOF_HELD_NOT_KNOWN, /* a gate fails, too */
    ROOF_HELD_SKIPPED,   /* not known, and optional: of checks alone */
    ROOF_HELD_KINDS
} roof_held;

/* "kept", "broken", "not known", "skipped"; NULL for another value. */
ROOF_API const char *roof_held_text(roof_held held);

/* "At most limit", or with is_least "at least limit": kept where the whole range is, broken where none of it
 * is.
 *
 * Source: JCGM 106:2012, decisions with a guard band of the whole interval.
 * Example: expected 10.96 (9.354 to 12.85) keeps 13, breaks 9, and whether it keeps 11 is unknown. */
ROOF_API roof_held roof_answer_within(const roof_answer *a, double limit, bool is_least);

/* --- two of them ---------------------------------------------------------------------------------------- */

/* B / A: how many times as fast A is, of times. value: NaN where one of the two is no point. */
typedef struct roof_answer_ratio {
    double value, low, high;
} roof_answer_ratio;

/* Formula: of two points r = b / a, with independent errors in the logarithm: r exp(-hypot(ln(hi_a / a),
 * ln(b /
 *   lo_b))) to r exp(hypot(ln(a / lo_a), ln(hi_b / b))). Else lo_b / hi_a to hi_b / lo_a. */
ROOF_API roof_answer_ratio roof_answer_ratio_of(const roof_answer *a, const roof_answer *b);

typedef enum roof_outcome_kind {
    ROOF_OUTCOME_CANNOT_TELL,
    ROOF_OUTCOME_FASTER, /* A takes less */
    ROOF_OUTCOME_SLOWER,
    ROOF_OUTCOME_EQUAL,         /* within 5 % */
    ROOF_OUTCOME_NOT_COMPARABLE /* conditions differ, and nothing else is said of the two */
} roof_outcome_kind;

/* "cannot_tell", "faster", "slower", "equal", "not_comparable", as documents write them. */
ROOF_API const char *roof_outcome_text(roof_outcome_kind kind);

typedef struct roof_outcome {
    roof_outcome_kind is;
    roof_answer_ratio ratio; /* of NOT_COMPARABLE NaN */
    const char *unlike;      /* the first condition that differs; NULL: none */
} roof_outcome;

/* Ranks two times, of which less is better, as far as their ranges allow. Where one covers less, something is
 * left out of it beside the other.
 *
 * allowed: names of conditions that are asked about, and so may differ; ends with NULL; NULL: none.
 * Example: at least 10 and measured 20 (19.8 to 20.2) give no ranking: A could be up to 2.02 times as fast.
 * Two bounds never rank. */
ROOF_API roof_outcome roof_answer_compare(const roof_answer *a, const roof_answer *b,
                                          const char *const *allowed);

/* True where the ranges of two times allow no ranking and their points differ by less than a factor of 1.3:
 * of pairs of boards whose times differ by 1.1 to 2 nine of ten are in the right order; for nearer ones the
 * order is unknown (docs/hardware/boards.md). False where one has no point. */
ROOF_API bool roof_answer_about_same(const roof_answer *a, const roof_answer *b, const char *const *allowed);

/* The one of n that is faster than each other; ROOF_NONE: none is, or two are not comparable. may_be: n
 * flags, of those that no other is faster than; NULL: they are not wanted. */
ROOF_API uint32_t roof_answer_fastest(const roof_answer *answers, uint32_t n, const char *const *allowed,
                                      bool *may_be);

/* --- sums, rates, parts --------------------------------------------------------------------------------- */

/* Ends are added, since parts may err together. Unknown parts are counted as left out, and the sum is then at
 * least the known parts; the sum of no known part is unknown.
 * Example: expected 3 (2.5 to 3.6) and a part that is unknown are at least 2.5, with 1 left out. */
ROOF_API roof_answer roof_answer_total(const roof_answer *parts, uint32_t n);

/* n in that time: what was at least is at most. unit: of the rate.
 * Example: 1 in at least 0.449477777778 is at most 2.2248040936384323. */
ROOF_API roof_answer roof_answer_rate(const roof_answer *time, double n, const char *unit);

/* A row that was measured, and the least that it takes; NaN: it has no limit. */
typedef struct roof_limited {
    double measured_s, limit_s;
} roof_limited;

/* How many times their limit rows take. of_rows: of those with one; of_whole: where these hold 95 % of the
 * time; NaN: there is none. Example: 5 of 6 rows with 81 % of the time take 1.315 times their limit, and the
 * whole has none. */
typedef struct roof_limit_ratio {
    uint32_t rows, rows_all;
    double time_ratio, of_rows, of_whole;
} roof_limit_ratio;

ROOF_API roof_limit_ratio roof_answer_limit_ratio(const roof_limited *rows, uint32_t n, double total_s);

/* Rows that may overlap, in a span of time: work is the sum of their durations, which is no elapsed time,
 * busy their union. Sorts spans by begin. Example: four times 180 and 900 of another stream in 1000: work
 * 1620, busy 950, overlap 670, idle 50. */
typedef struct roof_time_span {
    double begin_s, end_s;
} roof_time_span;

typedef struct roof_overlap {
    double work_s, busy_s, overlap_s, idle_s;
} roof_overlap;

ROOF_API roof_overlap roof_answer_overlap(roof_time_span *spans, uint32_t n, double span_s);

ROOF_END_C
#endif
