/* reports/page/page_sections.h - what the page of a report is made of, and its sections, in their order, a
 * file each.
 *
 * Ownership: a page borrows everything; what its sections need on the way is of its arena. Models point into
 * comparisons, and series into trends, which live as long as it.
 * A failed allocation is remembered in the text that a section writes to, or by the arena.
 */
#pragma once

#include "reports/words/file_names.h"
#include "reports/words/html.h"
#include "reports/charts/gnuplot.h"
#include "reports/graph/network_drawing.h"
#include "reports/tables/views.h"
#include "reports/words/memory_words.h"
#include "roofline/report.h"

/* The row of a model's table of layers for each number of a layer, 0 where none is listed: rows of a profile
 * may stand for several layers, or leave some out. */
typedef struct page_rows {
    uint32_t *rows;
    uint32_t n;
} page_rows;

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
    page_rows table_rows;
    const memory_layers *memory_rows; /* finds the layer of a row of its memory */
    const char *const *peaks;         /* by a row of its table, which peaks it sets; NULL */
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
    const void *of;                     /* the answer that is alone on it; NULL: a report */
    const char *(*sentence)(const struct report_page *page, uint32_t i); /* of it; NULL: no more */
} report_page;

/* A section with its title. */
typedef struct page_section {
    const char *id, *title;
    bool is_wanted;
    void (*put)(const report_page *page, textbuf *out); /* NULL: of a report, the models, one by one */
} page_section;

/* Rows of a table that a browser sorts without a pause. */
enum { PAGE_MOST_ROWS = 20000 };

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

/* The page of a report; any page: the contents, where kind is the sort of page, the verdict, n sections in
 * their order. Errors: E_NO_MEMORY. */
roof_status page_put(const report_page *page, textbuf *out, roof_error *err);
roof_status page_put_all(const report_page *page, const char *title, const char *kind,
                         const page_section *sections, size_t n, textbuf *out, roof_error *err);

/* ---- page_verdict.c: what a reader sees first, the sentences and few numbers of a meeting ---- */

void page_put_verdict(const report_page *page, textbuf *out);
void page_put_key_figures(const report_page *page, textbuf *out);

/* ---- page_models.c: the tables and lines, of all models, then of each ---- */

void page_put_all_models(const report_page *page, textbuf *out); /* models, fits, where the time goes */
void page_put_model(const report_page *page, uint32_t model, textbuf *out);
void page_put_calibration(const report_page *page, textbuf *out);

/* ---- page_causes.c: what costs time in a model, ranked, a line each, the first one open ---- */

/* Nothing for a model that was not measured and has none. */
void page_put_causes(const report_page *page, uint32_t model, textbuf *out);

/* ---- page_figures.c: charts, with links from their marks to rows of tables ---- */

/* The figures of a model, ROOF_NONE: of all, or of a series, which stand in a place. */
void page_put_figures(const report_page *page, uint32_t model, figure_place place, textbuf *out);

/* True if there is any, drawn or not: its title is on the page. */
bool page_has_figure(const report_page *page, uint32_t model, figure_place place);

/* ---- page_graph.c: the graph of a network: its first level; page_graph.js draws the rest of data ---- */

/* Computes the drawings of all models of the page whose files are at hand. Errors: E_NO_MEMORY. */
roof_status page_graph_draw(report_page *page, roof_error *err);

/* Nothing for a language model, which has no file of operators. */
void page_put_graph(const report_page *page, uint32_t model, textbuf *out);

/* A link from a layer to its box; nothing where no graph is drawn. */
void page_put_node_link(const report_page *page, uint32_t model, uint32_t layer, textbuf *out);

/* ---- page_memory.c: whether it fits, pools, what is alive where most is; rows of its table ---- */

/* The first model with the same memory as this one: boards on which one file was predicted share it. */
uint32_t page_memory_model(const report_page *page, uint32_t model);

/* Nothing for a model of which no memory is told. */
void page_put_memory(const report_page *page, uint32_t model, textbuf *out);

/* By the row of a model's table of layers the peaks that it sets, in words; NULL: none is known. */
const char *const *page_peaks_of(const page_model *model, roof_arena *arena);

/* ---- page_appendix.c: findings, how the numbers came about, what the page was made from ---- */

void page_put_findings(const report_page *page, textbuf *out);
void page_put_method(const report_page *page, textbuf *out);
void page_put_constants(const report_page *page, textbuf *out);
void page_put_provenance(const report_page *page, textbuf *out);

/* ---- page_drawing.c: scripts and data of charts as they are made, pictures all at the end ---- */

typedef struct page_drawing {
    report_page *page;
    outputs_folder *folder;
    file_names names;
    drawn_picture *pictures; /* of all figures, wide and narrow */
    size_t n_pictures;
    bool is_alone; /* the page has no files beside it */
    roof_error *err;
} page_drawing;

/* A figure of the page, if the chart has something to show: wide, and narrow for small screens. name: what
 * its files are named after; NULL. model: ROOF_NONE for all of them. Errors: E_IO, E_NO_MEMORY. */
roof_status page_draw(page_drawing *drawing, const chart_def *chart, const chart_source *source,
                      const char *name, uint32_t model);

/* Draws the pictures. why: as in gnuplot_run. */
roof_status page_draw_end(page_drawing *drawing, const roof_draw_watch *watch, roof_error *why);

/* ---- page_baseline.c: what the models of a page were in a baseline: which is which ---- */

typedef struct page_baseline {
    roof_comparison **comparisons;
    uint32_t n;
} page_baseline;

/* Sets before and changes of each model that the baseline has; page->input says what there is. The
 * caller frees the comparisons, also after an error. Errors: E_DATA when it has none of them; E_NO_MEMORY. */
roof_status page_baseline_find(report_page *page, page_baseline *baseline, roof_error *err);

/* Puts the differences, in a table for each mode, and in a few words. */
void page_put_changes(const report_page *page, uint32_t model, textbuf *out);
const char *page_say_change(const report_page *page, const page_model *model);

/* ---- page_history.c: runs of months on a page: a chart a series, since when it is slower ---- */

/* Series that have a chart; the others are in the table. */
enum { PAGE_MOST_SERIES = 12 };

typedef struct page_history {
    roof_history_trends **trends; /* of each model that was looked for */
    uint32_t n;
    roof_history_trends shown; /* of all that belong to the page */
    const char **missing;      /* what the history has nothing of, in sentences */
    size_t n_missing;
} page_history;

/* Finds the series of the page's models on their devices, and makes them the page's. The caller frees the
 * trends, also after an error. Errors: those of roof_history_find_trends; none where there is no series. */
roof_status page_history_find(report_page *page, page_history *history, roof_error *err);

/* Of the page's trends, or those that it is alone of: a figure for each series that has a chart, the worst
 * first; each of these with its layers, then the table of all. */
roof_status page_history_draw(const report_page *page, page_drawing *drawing);
void page_put_series(const report_page *page, textbuf *out);
void page_put_history(const report_page *page, textbuf *out);
