/* reports/tables/sweep/sweep_view.h - a point of a sweep as a line of CSV or of JSON. */
#ifndef ROOF_REPORTS_SWEEP_VIEW_H
#define ROOF_REPORTS_SWEEP_VIEW_H

#include "core/text.h"
#include "roofline/sweep.h"

/* Adds the titles, with the end of their line. Errors: E_NO_MEMORY. */
roof_status sweep_view_titles(bool is_of_profiles, textbuf *out, roof_error *err);

/* Adds a point: "3,..." or {"index":3,...}, with the end of its line. Errors: E_NO_MEMORY. */
roof_status sweep_view_point(const roof_sweep_point *point, bool is_json, textbuf *out, roof_error *err);

#endif
