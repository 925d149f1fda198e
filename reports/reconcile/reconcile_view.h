/* reports/reconcile_view.h - a reconciliation as tables and lines; shared by the text and Markdown renderers. */
#ifndef ROOF_REPORTS_RECONCILE_VIEW_H
#define ROOF_REPORTS_RECONCILE_VIEW_H

#include "core/jsonout.h"
#include "reports/cells.h"
#include "reports/grid.h"
#include "roofline/calibration.h"
#include "roofline/reconcile.h"

/* Times of a page in one unit. */
typedef struct roof_time_scale {
    double factor;
    const char *unit; /* "[ms]" */
    int digits;       /* behind the point */
} roof_time_scale;

roof_time_scale roof_time_scale_of(const roof_reconciliation *r);

/* One row a model: totals of both modes, estimate, error, ideal. */
void roof_view_models(const roof_reconciliation *r, roof_grid *grid, roof_arena *arena);

/* One row a line that was fitted; empty when none is known. */
void roof_view_fits(const roof_reconciliation *r, roof_grid *grid, roof_arena *arena);

/* One row for each inference that is attributed: shares of ideal, overhead, gap, host, and what is left. */
void roof_view_where(const roof_reconciliation *r, roof_grid *grid, roof_arena *arena);

/* One row a unit, and the sums. most: rows at most, the largest measured times in the order of execution; 0: all of them.
 * prefix: what to leave out at the beginning of names; length 0 for whole names.
 * Returns how many units were left out. */
uint32_t roof_view_units(const roof_reconciliation *r, const roof_reconciled *e, uint32_t most,
                         roof_name_prefix prefix, roof_grid *grid, roof_arena *arena);

/* What there is to say of an experiment beside its table: phases, kinds of layers, bytes, the split, the correction. */
enum { ROOF_VIEW_LINES = 5, ROOF_VIEW_LINE_SIZE = 1024 };
typedef struct roof_view_line {
    const char *label;
    char text[ROOF_VIEW_LINE_SIZE];
} roof_view_line;
uint32_t roof_view_lines(const roof_reconciliation *r, const roof_reconciled *e,
                         roof_view_line lines[ROOF_VIEW_LINES]);

/* "host 13.1 % (2.100 ms), run 80.6 % (12.900 ms), in no phase 6.3 % (1.000 ms) of 16.000 ms", of phases. */
void roof_view_attribution(const roof_attribution *a, char *text, size_t size);

/* "conv 41 %, conv+dw 30 %, ...": up to eight kinds. */
void roof_view_types(const roof_reconciled *e, char *text, size_t size);

/* One row a parameter: value, interval, prior, whether the data determine it. */
void roof_view_calibration(const roof_calibration *c, roof_grid *grid, roof_arena *arena);

/* What the calibration rests on, and how far off it is when a model is left out. */
void roof_view_calibration_line(const roof_calibration *c, char *text, size_t size);

/* "12 findings: 3 one_outlier, 9 rounded_rate", or "no findings". */
void roof_view_findings_summary(const roof_reconciliation *r, char *text, size_t size);

/* The engine that binds a unit, or "". */
const char *roof_unit_bound(const roof_reconciled *e, const roof_unit *u);

/* The names of the rows of a unit as an array; the index of a row that has none. */
void roof_put_row_names(roof_jsonout *json, const char *key, const roof_reconciled *e, const roof_unit *u);

/* Words for the notes of a unit, "one outlier; printed rate is rounded". */
void roof_view_notes(const roof_unit *u, char *text, size_t size);

#endif
