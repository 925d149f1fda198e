/* reports/tables/reconcile/busy_tables.h - how busy units of an accelerator were: a line, tables, members of
 * JSON. All but the line and the rate are for experiments with e->busy only. */
#ifndef ROOF_REPORTS_RECONCILE_BUSY_TABLES_H
#define ROOF_REPORTS_RECONCILE_BUSY_TABLES_H

#include "reports/tables/reconcile/reconcile_scope.h"

/* One line on the whole. */
void busy_add_line(const roof_reconciled *e, remarks *lines);

/* One row a layer type: time, ratios of units, shares that memory and computing limit. */
reconcile_view busy_view_types;

/* One row a unit of the reconciliation: time, ratios, external traffic, the busiest kind. */
reconcile_view busy_view_units;

/* One row a kernel whose profile has rates that are no share of the time: hits, occupancy, what it waits for.
 * No rows: none has. */
reconcile_view busy_view_rates;

/* External traffic as the profile counts it over the time of a unit; NaN where either is unknown. */
double busy_unit_bytes_per_s(const roof_reconciled *e, const roof_unit *u);

void busy_put_json(jsonout *json, const roof_reconciled *e);
void busy_put_unit_json(jsonout *json, const roof_reconciled *e, const roof_unit *u);

/* The member `rates` of a unit; nothing where it has none. */
void busy_put_rates_json(jsonout *json, const roof_reconciled *e, const roof_unit *u);

#endif
