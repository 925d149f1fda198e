/* reports/results/pareto_find.h - each Pareto front of configurations whose rates are known. */
#ifndef ROOF_REPORTS_RESULTS_PARETO_FIND_H
#define ROOF_REPORTS_RESULTS_PARETO_FIND_H

#include "roofline/pareto.h"

/* Chooses the cost (ROOF_COSTS: by what differs), and finds each front. Errors: E_USAGE, E_NO_MEMORY. */
roof_status pareto_find(roof_pareto *pareto, roof_cost_kind asked, roof_error *err);

#endif
