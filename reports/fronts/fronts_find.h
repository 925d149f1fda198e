/* reports/fronts/fronts_find.h - each Pareto front of configurations whose rates are known. */
#ifndef ROOF_REPORTS_FRONTS_FIND_H
#define ROOF_REPORTS_FRONTS_FIND_H

#include "roofline/fronts.h"

/* Chooses the cost (ROOF_COSTS: by what differs), and finds each front. Errors: E_USAGE, E_NO_MEMORY. */
roof_status fronts_find(roof_fronts *fronts, roof_cost_kind asked, roof_error *err);

#endif
