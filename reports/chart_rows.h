/* reports/chart_rows.h - what charts show of a layer, the same for predicted and for measured ones.
 *
 * Units: _s seconds, _bytes, _ratio. Unknown is NaN. Shapes: one row per layer of a prediction, or per unit of an
 * experiment that is in its sums. Ownership: rows are of the arena, texts are borrowed from the source.
 */
#ifndef ROOF_REPORTS_CHART_ROWS_H
#define ROOF_REPORTS_CHART_ROWS_H

#include "model/engine.h"
#include "reports/cells.h"
#include "reports/chart.h"

/* What binds a layer, as colours tell it. */
typedef enum bound_kind {
    BOUND_ARRAY = ENGINE_KIND_ARRAY,
    BOUND_SIDE = ENGINE_KIND_SIDE,
    BOUND_MEMORY = ENGINE_KIND_DATA,
    BOUND_OTHER = ENGINE_KIND_OTHER,
    BOUND_CLASSES
} bound_kind;

typedef struct chart_row {
    uint32_t number;   /* as in the tables, from 1; 0: stands for no single layer, there "--" */
    uint32_t n_layers; /* of the model: 0 when none fits, several where the profile joins them */
    bool is_unlisted;  /* all layers that the profile only sums up */
    uint32_t notes;    /* as in roof_unit */
    const char *name, *type, *bound; /* bound: name of the engine, or "" */
    bound_kind bound_class;
    double ops, bytes; /* of the layers; NaN: not known */
    double ideal_s;
    double measured_s, overhead_s, gap_s, corrected_s; /* NaN without a measurement */
    double host_s;                                     /* NaN: not told apart */
    bool is_estimated;                                 /* measured_s is none */
    double cov_ratio;
    roof_verdict verdict;
    const roof_times *times; /* of the row of the profile when there is exactly one; else NULL */
    double time_s;           /* what its share is of: measured, else ideal; 0 when not known */
    double share_ratio;      /* of all rows */
} chart_row;

typedef struct chart_rows {
    chart_row *rows; /* in order of execution */
    uint32_t n;
    uint32_t *by_time; /* indices, the longest first */
    bool is_measured;
    double total_s;       /* of time_s */
    name_prefixes prefix; /* need not be repeated; borrowed */
} chart_rows;

/* None without memory, which the arena knows. */
chart_rows chart_rows_of(const chart_source *source, roof_arena *arena);

/* The name without what all share. */
const char *chart_row_name(const chart_rows *rows, const chart_row *row);

bound_kind bound_class_of(const char *engine);
/* "MAC array", "side engine", "memory", "not known" */
typedef struct bound_look {
    const char *words;
    uint32_t colour;
} bound_look;
extern const bound_look bound_looks[BOUND_CLASSES];

/* "1.61 ms"; the unit that fits all times up to most_s: factor from seconds, and its word. */
typedef struct chart_scale {
    double factor;
    const char *unit;
} chart_scale;
chart_scale chart_scale_of(double most_s);

#endif
