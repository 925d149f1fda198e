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

#include "roofline/calibration.h"
#include "roofline/draw.h"
#include "roofline/predictions.h"
#include "roofline/reconcile.h"

ROOF_BEGIN_C

typedef struct roof_report_input {
    const roof_reconciliation *reconciliation; /* NULL: nothing was measured */
    const roof_prediction *const *predictions; /* models without a measurement, in the order to show them */
    uint32_t n_predictions;
    const roof_pair *const *unpredicted; /* networks on boards that could not be predicted, with the reason */
    uint32_t n_unpredicted;
    const roof_calibration *calibration; /* NULL: none was fitted */
    /* What it was before. Measurements are compared with measurements and predictions with predictions, their
     * models and layers paired as by roof_compare: an arrow on the roofline, and a table of the differences.
     * NULL and 0: there is no baseline. */
    const roof_reconciliation *baseline;
    const roof_prediction *const *baseline_predictions;
    uint32_t n_baseline_predictions;
    const char *const *files; /* what all of it was read from; hashed for the provenance */
    uint32_t n_files;
    roof_draw_watch watch; /* while gnuplot draws */
} roof_report_input;

/* Writes the report. The folder is made if it is not there; files in it that the report does not write stay.
 * Either all files of the report are replaced or none is.
 *
 * Errors: E_USAGE without anything to report, for a folder that is a file, and when a file of the report
 *   would overwrite one of input->files; E_DATA for a baseline without any model of the report; E_NO_INPUT
 *   when one of these is not there; E_DEVICE when gnuplot is not there, too old, or at one picture for more
 *   than 20 s: the report is then written without pictures, but with the .gp and .dat of each, and the
 *   message says how to draw them; E_IO, E_NO_MEMORY.
 * Example (tests/unit/test_report.c): a second call with the same input changes no byte.
 */
ROOF_API roof_status roof_report_write(const roof_report_input *input, const char *folder, roof_error *err);

ROOF_END_C
#endif
