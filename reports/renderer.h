/* reports/renderer.h - what a renderer is: one output format for the documents that it can show. Renderers
 * know no other renderer. */
#ifndef ROOF_REPORTS_RENDERER_H
#define ROOF_REPORTS_RENDERER_H

#include "core/arena.h"
#include "core/paper.h"
#include "roofline/render.h"

/* A document and what it is written on. A failed allocation is remembered by the text or by the arena. */
typedef struct rendering {
    const roof_prediction *prediction; /* the one that is shown, of the three */
    const roof_graph *graph;
    const roof_reconciliation *reconciliation;
    const roof_render_options *options;
    textbuf *out;
    text_paper paper;  /* with that text, for people */
    roof_arena *arena; /* of what is needed on the way */
} rendering;

/* Writes the whole document. */
typedef void renderer_put(const rendering *r);

typedef struct renderer_def {
    const char *id;
    bool is_markdown;
    renderer_put *put[ROOF_DOCUMENTS]; /* NULL: cannot show this one */
} renderer_def;

/* Writes a document into a sink, piece by piece. Errors: as of roof_render_reconciliation. */
roof_status render_into(rendering *what, roof_document document, const roof_render_options *options,
                        roof_sink sink, roof_error *err);

/* Each document for people, as text or Markdown, and in single formats: in reports/, reports/inspect/,
 * reports/reconcile/. */
renderer_put prediction_put, inspect_put, reconcile_put;
renderer_put inspect_json, inspect_csv, reconcile_json, reconcile_csv, reconcile_trace;

#endif
