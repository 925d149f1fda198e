/* reports/page/page_sections.h - the sections of a page, in its order, a file each. */
#ifndef ROOF_REPORTS_PAGE_SECTIONS_H
#define ROOF_REPORTS_PAGE_SECTIONS_H

#include "reports/page/page_parts.h"

/* The page: head, navigation, the sections in their order. Errors: E_NO_MEMORY. */
roof_status page_put(const report_page *page, textbuf *out, roof_error *err);

/* ---- page_verdict.c: what a reader sees first, the sentences and few numbers of a meeting ---- */

void page_put_verdict(const report_page *page, textbuf *out);
void page_put_key_figures(const report_page *page, textbuf *out);

/* ---- page_models.c: the tables and lines, of all models, then of each ---- */

bool page_has_all_models(const report_page *page);
void page_put_all_models(const report_page *page, textbuf *out); /* models, fits, where the time goes */
void page_put_model(const report_page *page, uint32_t model, textbuf *out);
void page_put_calibration(const report_page *page, textbuf *out);

/* ---- page_work.c: columns of a model's table with what its roofline plots ---- */

/* The table of an experiment with operations, bytes, operations per byte and the measured rate behind its
 * columns, found by the number in the first one; of a prediction with the ideal rate alone, since the others
 * are there. Where there is a baseline, what each layer took there and the change follow. Rows without a
 * number, such as sums, have no such values. Returns how many columns were added. Without memory the arena of
 * the grid knows. */
size_t page_add_work(const chart_source *source, cell_grid *grid);

/* ---- page_causes.c: what costs time in a model, ranked, a line each, the first one open ---- */

/* Nothing for a model that was not measured and has none. */
void page_put_causes(const report_page *page, uint32_t model, textbuf *out);

/* ---- page_figures.c: charts, with links from their marks to rows of tables ---- */

/* The figures of a model, ROOF_NONE: of all, or of a series, which stand in a place. */
void page_put_figures(const report_page *page, uint32_t model, figure_place place, textbuf *out);

/* True if there is any, drawn or not: its title is on the page. */
bool page_has_figure(const report_page *page, uint32_t model, figure_place place);

/* The row of a model's table of layers for each number of a layer, 0 where none is listed: rows of a profile
 * may stand for several layers, or leave some out. None without memory. */
typedef struct page_rows {
    uint32_t *rows;
    uint32_t n;
} page_rows;
page_rows page_rows_of_layers(const report_page *page, const page_model *model);

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

/* Marks the rows of a model's table of layers that set a peak, with links to the block. */
void page_mark_peaks(const report_page *page, uint32_t model, html_table *layers);

/* ---- page_appendix.c: findings, how the numbers came about, what the page was made from ---- */

bool page_has_findings(const report_page *page);
void page_put_findings(const report_page *page, textbuf *out);
void page_put_method(const report_page *page, textbuf *out);
void page_put_constants(const report_page *page, textbuf *out);
void page_put_provenance(const report_page *page, textbuf *out);

#endif
