/* reports/renderer.h - what a renderer is: one output format for the documents that it can show. Renderers
 * know no other renderer. */
#ifndef ROOF_REPORTS_RENDERER_H
#define ROOF_REPORTS_RENDERER_H

#include "core/paper.h"
#include "roofline/render.h"

typedef enum paper_kind { PAPER_NONE, PAPER_TERMINAL, PAPER_MARKDOWN } paper_kind;

typedef struct renderer_def {
    const char *id, *doc;
    paper_kind paper; /* for people: every document has one way to be put on paper, below */
    /* Write the whole document into out; out remembers a failed allocation. NULL: cannot show this kind. */
    roof_status (*prediction)(const roof_prediction *prediction, const roof_render_options *options,
                              textbuf *out, roof_error *err);
    roof_status (*graph)(const roof_graph *graph, const roof_render_options *options, textbuf *out,
                         roof_error *err);
    roof_status (*reconciliation)(const roof_reconciliation *reconciliation,
                                  const roof_render_options *options, textbuf *out, roof_error *err);
} renderer_def;

/* Each document for people, as text or Markdown: in reports/, reports/inspect/, reports/reconcile/. */
roof_status prediction_put(const roof_prediction *p, const roof_render_options *options,
                           const text_paper *paper, roof_error *err);
roof_status inspect_put(const roof_graph *graph, const roof_render_options *options, const text_paper *paper,
                        roof_error *err);
roof_status reconcile_put(const roof_reconciliation *r, const roof_render_options *options,
                          const text_paper *paper, roof_error *err);

/* Of single formats. */
roof_status inspect_json(const roof_graph *graph, const roof_render_options *options, textbuf *out,
                         roof_error *err);
roof_status inspect_csv(const roof_graph *graph, const roof_render_options *options, textbuf *out,
                        roof_error *err);
roof_status reconcile_json(const roof_reconciliation *r, const roof_render_options *options, textbuf *out,
                           roof_error *err);
roof_status reconcile_csv(const roof_reconciliation *r, const roof_render_options *options, textbuf *out,
                          roof_error *err);
roof_status reconcile_trace(const roof_reconciliation *r, const roof_render_options *options, textbuf *out,
                            roof_error *err);

#endif
