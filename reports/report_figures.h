/* reports/report_figures.h - the charts of a report: which there are, their files, and their pictures.
 *
 * Ownership: everything is of the arena.
 */
#ifndef ROOF_REPORTS_REPORT_FIGURES_H
#define ROOF_REPORTS_REPORT_FIGURES_H

#include "core/outputs.h"
#include "reports/page/page_parts.h"
#include "reports/stems.h"

/* Draws every chart that has something to show, for the page's models, into the folder, and sets the page's figures.
 * *undrawn: set when gnuplot did not draw, and err says why; the figures are then without pictures.
 * Errors: those of drawing and saving but E_DEVICE. */
roof_status report_draw(report_page *page, file_stems *stems, outputs_folder *folder, bool *undrawn,
                        roof_error *err);

#endif
