/* reports/page/page_graph.h - the graph of a network on a page: the first level as a picture, and the data
 * of which page_graph.js draws the rest.
 */
#ifndef ROOF_REPORTS_PAGE_GRAPH_H
#define ROOF_REPORTS_PAGE_GRAPH_H

#include "reports/page/page_parts.h"

/* Computes the drawings of all models of the page whose files are at hand. Errors: E_NO_MEMORY. */
roof_status page_graph_draw(report_page *page, roof_error *err);

/* Nothing for a language model, which has no file of operators. */
void page_put_graph(const report_page *page, uint32_t model, textbuf *out);

/* A link from a layer to its box; nothing where no graph is drawn. */
void page_put_node_link(const report_page *page, uint32_t model, uint32_t layer, textbuf *out);

#endif
