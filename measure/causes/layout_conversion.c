/* ## Costs around the layers
 * ### layout_conversion
 * Condition: rows that only change a layout or a type, or copy, take at least 5 % of the time, and at most 95
 *   %: more is what was to be done. Their types say so (`Transpose`, `Permute`, `Reformat`, `Reorder`,
 *   `Cast`, `Convert`, `Copy`), or their names where a tool has one type for all rows: kernels of a GPU,
 *   layers of TensorRT. A row with an ideal is none: its gap says what it loses.
 * Gain: their time, at most: some of it moves into the layers around them. Sure: bound.
 * Advice: keep tensors in the layout and type that the layers want. Where a conversion stands between two
 *   layers, change one of them, or let the compiler choose the layouts of inputs and outputs. */
#include "measure/causes/cause_rule.h"
#include "measure/causes/conversions.h"

#include <math.h>
#include <stdlib.h>

static int longest_first(const void *a, const void *b, void *of)
{
    const roof_unit *units = of;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    double x = units[i].measured_s, y = units[k].measured_s;
    return x != y ? (x < y ? 1 : -1) : (i > k) - (i < k);
}

static void find(cause_search *in)
{
    const roof_reconciled *e = in->e;
    double sum_s = 0;
    uint32_t n = 0;
    if (e->has_doubtful_times || !(in->of_s > 0))
        return;
    uint32_t *units = NEW_ARRAY(in->r->arena, uint32_t, e->n_units);
    for (uint32_t i = 0; units && i < e->n_units; i++) {
        const roof_unit *u = &e->units[i];
        if (!u->n_rows || !isnan(u->ideal_s) || !(u->measured_s > 0) || roof_unit_is_repeated(u) ||
            !conversions_match(u->type, unit_row(e, u, 0)->name))
            continue;
        units[n++] = i;
        sum_s += u->measured_s;
    }
    roof_cause cause = cause_of(in, ROOF_CAUSE_LAYOUT, sum_s, ROOF_SURE_BOUND);
    if (!(cause.share_ratio >= CAUSE_LEAST_SHARE) || cause.share_ratio > 0.95)
        return;
    qsort_r(units, n, sizeof *units, longest_first, in->e->units);
    cause.units = units;
    cause.n_units = n;
    cause_add(in, cause, REMARK(CAUSE_LAYOUT, AS_COUNT(n), AS_SECONDS(sum_s), AS_SECONDS(in->of_s)));
}

const cause_rule cause_layout_conversion = {CAUSE_OF_ANY_HARDWARE, find};
