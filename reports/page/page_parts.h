/* reports/page/page_parts.h - what the page of a report is made of, and what its sections share.
 *
 * Ownership: a page borrows everything; what its sections need on the way is of its arena.
 * A failed allocation is remembered in the text that a section writes to, or by the arena.
 */
#ifndef ROOF_REPORTS_PAGE_PARTS_H
#define ROOF_REPORTS_PAGE_PARTS_H

#include "reports/words/html.h"
#include "reports/charts/chart.h"
#include "reports/charts/figure.h"
#include "reports/graph/network_drawing.h"
#include "reports/tables/predictions/predictions_view.h"
#include "roofline/report.h"

/* A model of the report: one that was measured, or one that was only predicted. */
typedef struct page_model {
    const char *name; /* of the model; with the hardware where one name stands for several models */
    const roof_reconciled *experiment; /* NULL: not measured */
    const roof_prediction *prediction; /* NULL: measured, and nobody knows the model */
    const chart_source *before;        /* in the baseline; NULL: it is not there */
    const roof_compared_run *changes;  /* beside that, one run a mode */
    uint32_t n_changes;
    const roof_compared_run *layer_changes; /* the one of the layers; NULL */
    const roof_report_memory *memory;       /* NULL: unknown */
    const network_drawing *graph;           /* NULL: its file is not at hand */
    const network_drawing *pair;            /* beside another network; NULL: none was given */
    const char *why_alone;                  /* one was, and cannot be beside it; NULL */
    bool is_point;         /* of a curve, which stands for all of them: no section and no pictures */
    const char *rows_file; /* which file of the folder has all rows of its table */
} page_model;

/* Marks of a picture that stand for rows of a table, and the canvas on which they have their places. */
typedef struct page_spots {
    chart_canvas canvas;
    const figure_spot *spots;
    size_t n;
} page_spots;

/* Where a figure stands: in the section of its model, in the block on its memory, beside its key figures,
 * with its series of runs. */
typedef enum figure_place { PLACE_MODEL, PLACE_MEMORY, PLACE_KEY_FIGURES, PLACE_HISTORY } figure_place;

/* A chart that was drawn, or that would have been. */
typedef struct page_figure {
    const char *stem; /* of its files, good for an attribute as it is */
    const char *title, *caption;
    uint32_t model;         /* it is about; ROOF_NONE: all of them; of a history, the series */
    const char *wide_svg;   /* as gnuplot wrote it; NULL: gnuplot did not draw it */
    const char *narrow_svg; /* for small screens; NULL: there is only the wide one */
    page_spots wide_spots, narrow_spots;
    figure_place place;
    bool is_alone; /* it has no files beside the page */
} page_figure;

/* A file that the report was made from, or one that lies beside the page. */
typedef struct page_file {
    const char *name;
    const char *what;    /* what it holds, for people; NULL for inputs */
    const char *sha256;  /* of inputs */
    uint64_t size_bytes; /* of inputs */
} page_file;

typedef struct report_page {
    const roof_report_input *input;
    roof_arena *arena;
    page_model *models;
    page_figure *figures;
    page_file *inputs, *files;
    uint32_t n_models, n_figures, n_inputs, n_files;
    const struct page_history *history; /* NULL: none was given */
} report_page;

/* Rows of a table that a browser sorts without a pause. */
enum { PAGE_MOST_ROWS = 20000 };

/* From the beginning of the document to <body>. */
void page_put_head(const char *title, roof_arena *arena, textbuf *out);

/* Parts of every page around its sections: the list of contents, where kind is the sort of page, with a line
 * for each; the beginning of a section, which ends in PAGE_SECTION_END; and the end of the page. */
#define PAGE_SECTION_END "</section>\n"
void page_begin_contents(const char *kind, textbuf *out);
void page_put_content(const char *id, const char *title, textbuf *out);
void page_end_contents(textbuf *out);
void page_begin_section(const char *id, const char *title, textbuf *out);
void page_put_end(textbuf *out);

/* A list of facts. */
void page_put_remarks(const char *classes, const remarks *lines, textbuf *out);

/* A table with its heading; nothing for one without rows. */
void page_put_grid(const cell_grid *grid, const char *id, const char *title, textbuf *out);

/* The i-th model's prediction if no earlier one has the same hardware with the same constants; else NULL. */
const roof_prediction *page_new_hardware(const report_page *page, uint32_t i);

bool page_is_of_boards(const report_page *page); /* more than one kind of hardware */

/* Predictions without a measurement, and failed ones, as pairs; those of one network have one path, whatever
 * file each board has it in. None without memory. */
predictions_view page_pairs(const report_page *page);

#endif
