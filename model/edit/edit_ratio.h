/* model/edit/edit_ratio.h - how far the predicted ratio of two networks' times can be trusted.
 *
 * Formula: ratio = time before / time after; its interval is ratio * (1 -+ ROOF_EDIT_SPREAD), which covered
 *   13 of 15 and 7 of 7 pairs of networks of known graphs, measured on DPUs (docs/edits.md). Below
 *   ROOF_EDIT_LEAST_OPS operations ratios came out 18 to 22 % too high, so the low end is lower by that.
 * Units: times in seconds, operations of an inference (1 MAC = 2). NaN: unknown.
 * Example (tests/unit/test_edit.c): 11 ms before and 10 ms after are 1.1, from 0.99 to 1.21: a saving of 9 %
 *   is below what measurements tell from none.
 */
#ifndef ROOF_MODEL_EDIT_RATIO_H
#define ROOF_MODEL_EDIT_RATIO_H

#include "roofline/advise.h"

typedef struct edit_ratio {
    double ratio, low, high; /* low and high: NaN where no interval is known */
    const char *why;         /* why there is none, or why it is wider; NULL */
    bool is_distinguishable; /* one of both takes less by at least ROOF_EDIT_LEAST_SAVING */
} edit_ratio;

/* kind: of the times, expected or at least; is_estimate: the latter are estimates, which bound nothing.
 * least_ops: operations of the smaller network; ROOF_UNKNOWN is taken for many. */
edit_ratio edit_ratio_of(double before_s, double after_s, uint64_t least_ops, roof_answer_kind kind,
                         bool is_estimate, const roof_hw *hw);

#endif
