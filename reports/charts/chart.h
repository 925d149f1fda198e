/* reports/charts/chart.h - what a chart is: one picture of a prediction or a reconciliation. Charts know no
 * other chart.
 *
 * To add one: reports/charts/<id>.c with `const chart_def chart_<id>`, reports/charts/<id>.gp with its
 * script where none is there that draws it, and a line in reports/charts.def.
 */
#pragma once

#include "model/laws/engine.h"
#include "reports/words/prediction_tables.h"
#include "reports/charts/chart_axes.h"
#include "roofline/compare.h"
#include "roofline/configurations.h"
#include "roofline/pareto.h"
#include "roofline/history.h"
#include "roofline/language.h"
#include "roofline/memory.h"

/* The values that axes have to hold, so that pictures that stand side by side have the same ones. */
typedef struct chart_frame {
    axis_extent x, y;
} chart_frame;

/* The sources that a chart is drawn from, NULL where there is none; without what it needs it is empty. */
typedef struct chart_source {
    const roof_prediction *prediction;         /* of one model; with an experiment always its prediction */
    const roof_reconciliation *reconciliation; /* of all experiments */
    const roof_reconciled *experiment;         /* one of them */
    const roof_sweep *sweep;                   /* one of its sweeps */
    const roof_prediction *const *devices;     /* one model on several devices */
    uint32_t n_devices;
    const struct chart_source *before;         /* the same model in the baseline; NULL: there is none */
    const roof_compared_run *changes;          /* rows of before, A, beside these; NULL: there are none */
    const roof_configurations *configurations; /* of a board, for one model */
    const roof_pareto *pareto;                 /* of a sweep */
    const roof_curve *curve;                   /* of a language model */
    const roof_history_series *series;         /* of runs */
    const roof_memory *memory;                 /* of a graph */
    const chart_frame *frame; /* of all models on this hardware; NULL: the chart stands alone */
} chart_source;

typedef enum chart_scope {
    CHART_MODEL,   /* one picture for every model: prediction, and experiment where it was measured */
    CHART_STUDY,   /* one of the whole reconciliation */
    CHART_LOAD,    /* one for every prediction of a load, and for every sweep */
    CHART_CURVE,   /* one for every curve of a language model */
    CHART_DEVICES, /* one for every model that there is on several devices */
    CHART_SERIES,  /* one for every series of runs */
    CHART_ANSWER   /* of an answer that is in no report: only a command draws it */
} chart_scope;

typedef struct chart_def {
    const char *id;     /* also of the file names: "roofline" */
    const char *script; /* "time_bars", where several share one; NULL: it is that of id */
    chart_scope scope;
    chart_canvas wide; /* where it is not canvas_wide */
    /* Fills the figure, which was begun; gives it no head when there is nothing to show. Parts without memory
     * are left out, since the figure's arena knows. */
    void (*draw)(const chart_source *source, chart_figure *f);
    /* Takes into the frame what the chart of a source shows; NULL: its axes are its own. */
    void (*extend)(const chart_source *source, chart_frame *frame, roof_arena *arena);
} chart_def;

/* The i-th chart in the order of the report; NULL past the end. */
const chart_def *chart_at(size_t i);
const chart_def *chart_named(const char *id);

/* Texts on top and at the bottom of all charts of a model; of the figure's arena, "" without memory. */
const char *chart_verdict(const chart_source *source, chart_figure *f);
const char *chart_conditions(const chart_source *source, chart_figure *f);
const char *chart_provenance(const chart_source *source, chart_figure *f);
/* "MobileNetV1 on KV260"; the model alone where the hardware is unknown. */
const char *chart_subject(const roof_reconciled *experiment, chart_figure *f);
/* The provenance of a whole study: "roofline 0.1.0 | 3 models on DPUCZDX8G B4096" */
const char *chart_study_provenance(const roof_reconciliation *r, chart_figure *f);

/* The size that a chart is made for, and a narrow one for small screens. */
extern const chart_canvas canvas_wide, canvas_narrow;
chart_canvas chart_wide_canvas(const chart_def *chart);

/* Draws and finishes. The figure is to be freed, also when it is empty; not after an error. */
roof_status chart_draw(const chart_def *chart, const chart_source *source, chart_canvas canvas,
                       chart_figure *f, bool *is_empty, roof_error *err);

/* --- what charts show of a layer, the same for predicted and for measured ones ------------------------ */

/* A layer of a prediction, or a unit of an experiment that is in its sums. Units: _s seconds, _bytes, _ratio;
 * unknown is NaN. Texts are borrowed. */
typedef struct chart_row {
    uint32_t number;   /* as in the tables, from 1; 0: stands for no single layer, there "--" */
    uint32_t n_layers; /* of the model: 0 when none fits, several where the profile joins them */
    uint32_t row;      /* of the run, the first one of its unit, or layer of the prediction; ROOF_NONE */
    bool is_unlisted;  /* all layers that the profile only sums up */
    uint64_t notes;    /* as in roof_match */
    const char *name, *type, *bound; /* bound: name of the engine, or "" */
    engine_kind bound_class;
    double ops, bytes; /* of the layers; NaN: unknown */
    double ideal_s;
    double measured_s, overhead_s, gap_s, corrected_s; /* NaN without a measurement */
    double host_s;                                     /* NaN: not distinguished */
    bool is_estimated;                                 /* measured_s is none */
    double cov_ratio;
    roof_verdict verdict;
    const roof_times *times; /* of the row of the profile when there is exactly one; else NULL */
    double time_s;           /* what its share is of: measured, else expected, else ideal; 0 when unknown */
    double share_ratio;      /* of all rows */
} chart_row;

typedef struct chart_rows {
    chart_row *rows; /* in order of execution */
    uint32_t n;
    chart_row **by_time; /* the longest first */
    bool is_measured;
    bool are_shares;      /* time_s and measured_s are shares of a time that is unknown */
    bool is_part;         /* measured, and rows are listed for a part of the time alone */
    double part_ratio;    /* of all the time, where is_part */
    bool is_expected;     /* not measured: time_s is expected, not ideal */
    double total_s;       /* of time_s */
    double whole_s;       /* measured, of which rows are listed; 0: nothing was */
    name_prefixes prefix; /* need not be repeated; borrowed */
} chart_rows;

/* None without memory, which the arena knows. */
chart_rows chart_rows_of(const chart_source *source, roof_arena *arena);

/* Makes shares that the profile states the measure, where it has no time of any row. */
void chart_rows_by_share(const roof_reconciled *e, chart_rows *rows);

/* Name, work, times, rate and distance to the ideal, for a tooltip, with "; " between; of f's arena. */
const char *chart_row_words(const chart_rows *rows, const chart_row *row, chart_figure *f);

/* "time", "expected time", "ideal time": what time_s is. */
const char *chart_time_words(const chart_rows *rows);

/* The class of a layer's bound, which has a colour. */
engine_kind chart_bound_class(const char *engine);
typedef struct bound_style {
    const char *words, *html_class; /* "memory", "b-memory" */
    uint32_t colour;
    unsigned symbol; /* of gnuplot, filled; the hollow one is one less. It is read without colours */
} bound_style;
extern const bound_style bound_styles[ENGINE_KINDS];

/* "1.61 ms"; the match that fits all times up to most_s: factor from seconds, and its word. */
typedef struct chart_scale {
    double factor;
    const char *unit;
} chart_scale;
chart_scale chart_scale_of(double most_s);
