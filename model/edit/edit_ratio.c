#include "model/edit/edit_ratio.h"
#include "core/quantity.h"

#include <math.h>
#include <string.h>

/* True if pairs of networks were measured on such hardware: the constants of the expected time were fitted on
 * these boards, and the law is of the whole. */
static bool has_measured_pairs(const roof_hw *hw)
{
    static const char prefix[] = "expect.";
    for (size_t i = 0; roof_hw_at(hw, i); i++) {
        const char *key = roof_hw_at(hw, i)->key;
        if (strncmp(key, prefix, sizeof prefix - 1) == 0 && strstr(key, ".serial.per_layer"))
            return true;
    }
    return false;
}

edit_ratio edit_ratio_of(double before_s, double after_s, uint64_t least_ops, roof_answer_kind kind,
                         bool is_estimate, const roof_hw *hw)
{
    const bool is_small = (double)least_ops < ROOF_EDIT_LEAST_OPS;
    edit_ratio r = {.ratio = quotient_of(before_s, after_s), .low = NAN, .high = NAN};
    const double saving = before_s > after_s ? 1 - after_s / before_s : 1 - before_s / after_s;
    r.is_distinguishable = saving >= ROOF_EDIT_LEAST_SAVING;
    if (roof_answer_is_bound(kind))
        r.why = is_estimate ? "times are estimates: how far a measured ratio is from theirs is unknown"
                            : "times are bounds: how far a measured ratio is from theirs is unknown";
    else if (!has_measured_pairs(hw))
        r.why = "no pair of networks was measured on such hardware";
    else {
        r.low = r.ratio * (1 - ROOF_EDIT_SPREAD) / (is_small ? 1 + ROOF_EDIT_SMALL_SPREAD : 1);
        r.high = r.ratio * (1 + ROOF_EDIT_SPREAD);
        r.why = is_small ? "not calibrated below 0.2 GOP: ratios were 18 to 22 % too high there" : NULL;
    }
    return r;
}
