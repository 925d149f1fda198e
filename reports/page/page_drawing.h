/* reports/page/page_drawing.h - charts of a page: scripts and data as they are made, pictures all at the end.
 *
 * Ownership: page, folder and err are borrowed; what is made is of the page's arena.
 */
#ifndef ROOF_REPORTS_PAGE_DRAWING_H
#define ROOF_REPORTS_PAGE_DRAWING_H

#include "core/files/outputs.h"
#include "reports/charts/gnuplot.h"
#include "reports/page/page_parts.h"
#include "reports/words/file_names.h"

typedef struct page_drawing {
    report_page *page;
    outputs_folder *folder;
    file_names names;
    drawn_picture *pictures; /* of all figures, wide and narrow */
    size_t n_pictures;
    bool is_alone; /* the page has no files beside it */
    roof_error *err;
} page_drawing;

page_drawing page_drawing_into(report_page *page, outputs_folder *folder, roof_error *err);

/* A figure of the page, if the chart has something to show: wide, and narrow for small screens. name: what
 * its files are named after; NULL. model: ROOF_NONE for all of them. Errors: E_IO, E_NO_MEMORY. */
roof_status page_draw(page_drawing *drawing, const chart_def *chart, const chart_source *source,
                      const char *name, uint32_t model);

/* Draws the pictures. why: as in gnuplot_run. */
roof_status page_draw_end(page_drawing *drawing, const roof_draw_watch *watch, roof_error *why);

#endif
