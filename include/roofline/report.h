/* roofline/report.h - a design review as a folder: index.html with charts and tables, and all of it as files.
 *
 * Units: as in the documents it shows. Ownership: everything is borrowed for the call.
 * Shapes: FOLDER/index.html needs nothing else and no network. Beside it: report.json and report.csv of what
 *   was measured, prediction-MODEL.json and .csv for each model that was only predicted, calibration.json
 *   where one was fitted, and CHART-MODEL.svg, .gp and .dat for each chart. Names of models are made safe:
 *   a-z, 0-9, '.', '_' and '-'. The same input gives the same bytes.
 */
#ifndef ROOFLINE_REPORT_H
#define ROOFLINE_REPORT_H

#include "roofline/budget.h"
#include "roofline/calibration.h"
#include "roofline/draw.h"
#include "roofline/memory.h"
#include "roofline/predictions.h"
#include "roofline/reconcile.h"
#include "roofline/model_diff.h"

ROOF_BEGIN_C

/* Memory of a model: whether it fits, live bytes over rows, live buffers at the peak. */
typedef struct roof_report_memory {
    const roof_prediction *prediction; /* of the model, as it is in the report */
    const roof_memory *memory; /* of the file that was predicted; several may share one; NULL: see why */
    const char *why;           /* it is unknown, as in an error */
} roof_report_memory;

/* The file of a model, of which its graph is drawn: rows in blocks that open, the operators that they
 * stand for, and the tensors between them. */
typedef struct roof_report_graph {
    const roof_prediction *prediction; /* of the model, as it is in the report, with names_operators */
    const roof_graph *graph;           /* that was predicted; several may share one */
    /* Another network that it is drawn beside, as before: before it was compiled, or edited; NULL: none. */
    const roof_model_diff *diff; /* before and graph, compared; of the hardware of the prediction */
    const roof_graph *before;
    const char *why_alone; /* a sentence: one was requested, and cannot be beside it; NULL */
} roof_report_graph;

typedef struct roof_report_input {
    const roof_reconciliation *reconciliation; /* NULL: nothing was measured */
    const roof_prediction *const *predictions; /* models without a measurement, in the order to show them */
    uint32_t n_predictions;
    const roof_pair *const *unpredicted; /* networks on boards that could not be predicted, with the reason */
    uint32_t n_unpredicted;
    const roof_curve *const *curves; /* of language models, with what was measured: two charts each */
    uint32_t n_curves;
    const roof_report_memory *memories; /* of models whose files state it; the others have no block of it */
    uint32_t n_memories;
    const roof_report_graph *graphs; /* of models whose files are at hand; of the others none is drawn */
    uint32_t n_graphs;
    const roof_calibration *calibration; /* NULL: none was fitted */
    /* Baseline: an earlier state. Measurements are compared with measurements and predictions with
     * predictions, their models and layers paired as by roof_compare: an arrow on the roofline, a table of
     * the differences, and marks in the graph.
     * NULL and 0: there is no baseline. */
    const roof_reconciliation *baseline;
    const roof_prediction *const *baseline_predictions;
    uint32_t n_baseline_predictions;
    /* Runs of months, from which those of the report's models on its devices are taken: a chart a series,
     * where its level changed and with which layers. NULL: there is no history. */
    roof_history *history;
    const roof_checks
        *checks; /* against a budget: PASS or FAIL below the verdict; NULL: none was requested */
    const char *command, *date; /* by which, and when, as they are to be shown; NULL: not shown */
    bool is_summary;            /* one page of paper: verdict, causes, key figures and the chart of them */
    const char *const *files;   /* input files of all of it; hashed for the provenance */
    uint32_t n_files;
    roof_draw_watch watch; /* while gnuplot draws */
} roof_report_input;

/* Writes the report. The folder is made if it is not there; files in it that the report does not write stay.
 * Either all files of the report are replaced or none is; none is in a folder whose index.html is not of a
 * report.
 *
 * Errors: E_USAGE without anything to report, for a folder that is a file, and when a file of the report
 *   would overwrite one of input->files, or what is not of a report; E_DATA for a baseline without any model
 *   of the report; E_NO_INPUT when one of these is not there; E_DEVICE when gnuplot is not there, too old, or
 *   at one picture for more than 20 s: the report is then written without pictures, but with the .gp and .dat
 *   of each, and the message says how to draw them; E_IO, E_NO_MEMORY.
 * Example (tests/unit/test_report.c): a second call with the same input changes no byte.
 */
ROOF_API roof_status roof_report_write(const roof_report_input *input, const char *folder, roof_error *err);

/* Writes the page of a sweep, one file that needs no other and no network: which configurations are on the
 * front, the chart, the best of each model, and what has no result, counted by the reason.
 *
 * path: ends in .html. watch: NULL for none.
 * Errors: E_USAGE for another ending; E_DEVICE as above, the page is then written without pictures; E_IO,
 *   E_NO_MEMORY.
 * Example: tests/unit/test_pareto.c. */
ROOF_API roof_status roof_pareto_page_write(const roof_pareto *pareto, const char *path,
                                            const roof_draw_watch *watch, roof_error *err);

/* The same of trends: what became of each series, its chart, and which layers changed with it. With more than
 * twelve series only the worst have a chart.
 *
 * Errors: as above. Example: tests/unit/test_report.c. */
ROOF_API roof_status roof_trends_page_write(const roof_history_trends *trends, const char *path,
                                            const roof_draw_watch *watch, roof_error *err);

ROOF_END_C
#endif
