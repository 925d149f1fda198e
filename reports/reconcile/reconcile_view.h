/* reports/reconcile_view.h - a reconciliation as tables and lines; shared by the text and Markdown renderers. */
#ifndef ROOF_REPORTS_RECONCILE_VIEW_H
#define ROOF_REPORTS_RECONCILE_VIEW_H

#include "core/jsonout.h"
#include "reports/cells.h"
#include "reports/grid.h"
#include "roofline/calibration.h"
#include "roofline/reconcile.h"

/* Times of a page in one unit. */
typedef struct time_scale {
    double factor;
    const char *unit; /* "[ms]" */
    int digits;       /* behind the point */
} time_scale;

time_scale time_scale_of(const roof_reconciliation *r);

/* One row a model: totals of both modes, estimate, error, ideal. */
void view_models(const roof_reconciliation *r, text_grid *grid, roof_arena *arena);

/* One row a line that was fitted; empty when none is known. */
void view_fits(const roof_reconciliation *r, text_grid *grid, roof_arena *arena);

/* One row for each inference that is attributed: shares of ideal, overhead, gap, host, and what is left. */
void view_where(const roof_reconciliation *r, text_grid *grid, roof_arena *arena);

/* One row a unit, and the sums. most: rows at most, the largest measured times in the order of execution; 0: all of them.
 * prefix: what to leave out at the beginning of names; length 0 for whole names.
 * Returns how many units were left out. */
uint32_t view_units(const roof_reconciliation *r, const roof_reconciled *e, uint32_t most,
                    name_prefixes prefix, text_grid *grid, roof_arena *arena);

/* What there is to say of an experiment beside its table: phases, kinds of layers, bytes, the split, the correction. */
enum { VIEW_LINES = 5, VIEW_LINE_SIZE = 1024 };
typedef struct view_line {
    const char *label;
    char text[VIEW_LINE_SIZE];
} view_line;
uint32_t view_lines(const roof_reconciliation *r, const roof_reconciled *e, view_line lines[VIEW_LINES]);

/* "host 13.1 % (2.100 ms), run 80.6 % (12.900 ms), in no phase 6.3 % (1.000 ms) of 16.000 ms", of phases. */
void view_attribution(const roof_attribution *a, char *text, size_t size);

/* "conv 41 %, conv+dw 30 %, ...": up to eight kinds. */
void view_types(const roof_reconciled *e, char *text, size_t size);

/* One row a parameter: value, interval, prior, whether the data determine it. */
void view_calibration(const roof_calibration *c, text_grid *grid, roof_arena *arena);

/* What the calibration rests on, and how far off it is when a model is left out. */
void view_calibration_line(const roof_calibration *c, char *text, size_t size);

/* "12 findings: 3 one_outlier, 9 rounded_rate", or "no findings". */
void view_findings_summary(const roof_reconciliation *r, char *text, size_t size);

/* The engine that binds a unit, or "". */
const char *unit_bound(const roof_reconciled *e, const roof_unit *u);

/* The names of the rows of a unit as an array; the index of a row that has none. */
void put_row_names(jsonout *json, const char *key, const roof_reconciled *e, const roof_unit *u);

/* Words for the notes of a unit, "one outlier; printed rate is rounded". */
void view_notes(const roof_unit *u, char *text, size_t size);

#endif
