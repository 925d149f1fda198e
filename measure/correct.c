/* The cost of timing comes off each unit, but nothing becomes faster than what the hardware can do. */
#include "measure/steps.h"
#include "measure/unit_facts.h"

#include <math.h>
#include <string.h>

/* A corrected time this near to the bound is at the bound. */
#define AT_BOUND_RATIO 0.85

/* Times are printed with three decimals of a millisecond; a value this little below its bound may be rounding. */
#define ROUNDING_RATIO 0.002

static bool below(double seconds, double bound)
{
    return seconds < bound * (1 - ROUNDING_RATIO);
}

/* A unit is impossible when its typical time is below the bound, or its only row's fastest sample. */
static bool is_impossible(const roof_reconciled *e, const roof_unit *u)
{
    if (u->n_rows == 1 && below(unit_row(e, u, 0)->time.min_s, u->ideal_s))
        return true;
    return below(u->measured_s, u->ideal_s);
}

/* The least that a unit can take: its ideal, and what the host took of it. */
static double least_s(const roof_unit *u)
{
    return (isnan(u->ideal_s) ? 0 : u->ideal_s) + (isnan(u->host_s) ? 0 : u->host_s);
}

static void correct(const roof_reconciled *e, roof_unit *u)
{
    double room = u->measured_s - least_s(u);
    double cost = u->boundaries ? e->boundary_cost_s * u->boundaries : 0;
    u->overhead_s = isnan(u->measured_s) ? NAN : room <= 0 ? 0 : cost < room || isnan(cost) ? cost : room;
    bool clamped = u->overhead_s == room && !isnan(u->ideal_s);
    u->corrected_s = clamped ? least_s(u) : u->measured_s - u->overhead_s;
    u->gap_s = (isnan(u->overhead_s) ? u->measured_s : u->corrected_s) - u->ideal_s;
    if (!isnan(u->host_s))
        u->gap_s -= u->host_s;
}

static roof_verdict verdict_of(const roof_reconciled *e, const roof_unit *u)
{
    double corrected = isnan(u->corrected_s) ? u->measured_s : u->corrected_s;
    if (!u->n_layers && e->prediction)
        return ROOF_VERDICT_NO_LAYER;
    if (isnan(u->ideal_s))
        return ROOF_VERDICT_NO_IDEAL;
    if (isnan(u->measured_s))
        return ROOF_VERDICT_NOT_MEASURED;
    if (is_impossible(e, u))
        return has_bound(e) ? ROOF_VERDICT_IMPOSSIBLE : ROOF_VERDICT_BELOW_ESTIMATE;
    if (u->overhead_s > 0.5 * u->measured_s)
        return ROOF_VERDICT_OVERHEAD;
    if (u->host_s > 0.5 * u->measured_s)
        return ROOF_VERDICT_HOST;
    return u->ideal_s >= AT_BOUND_RATIO * (isnan(u->host_s) ? corrected : corrected - u->host_s)
               ? ROOF_VERDICT_AT_BOUND
               : ROOF_VERDICT_GAP;
}

void correct_units(roof_reconciled *e)
{
    for (uint32_t i = 0; i < e->n_units; i++) {
        roof_unit *u = &e->units[i];
        correct(e, u);
        u->verdict = verdict_of(e, u);
    }
}
