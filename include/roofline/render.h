/* roofline/render.h - documents as text, JSON, CSV, Markdown and timelines.
 *
 * Units: in every header of a table, once. 1 MAC = 2 ops.
 * Ownership: *out is malloc'ed, NUL-terminated, and the caller's to free(). The same input gives the same
 *   bytes: no timestamps, no locale.
 */
#ifndef ROOFLINE_RENDER_H
#define ROOFLINE_RENDER_H

#include "roofline/calibration.h"
#include "roofline/reconcile.h"

ROOF_BEGIN_C

typedef struct roof_render_options {
    const char *format; /* "text", "json", "csv", "markdown", "trace"; NULL is "text" */
    uint32_t width;     /* columns of the terminal; 0: 120 */
    bool ascii;         /* inspect as text: trees without the lines of Unicode */
    bool colour;        /* ANSI colours; they mean something and are never needed */
    /* text: every finding with its advice, not only their number; Markdown always has them */
    bool all_findings;
    /* text: columns that a first look does not need; inspect: ops and tensors too; reconcile: all layers, not only the largest */
    bool details;
    const roof_calibration *calibration; /* reconcile: shown with it; NULL: none was fitted */
} roof_render_options;

/* Renders a prediction: the verdict first, then one row per layer, then totals and what they rest on.
 * JSON is "roofline.prediction/1" (docs/schema). Errors: E_USAGE for a format that there is not, or that cannot show a
 * prediction (the message lists those that can), E_NO_MEMORY. */
ROOF_API roof_status roof_render_prediction(const roof_prediction *prediction,
                                            const roof_render_options *options, char **out, size_t *length,
                                            roof_error *err);

/* Renders what a file holds: target and fingerprint, compiler, the tree of subgraphs, layers, ops, tensors,
 * sizes. JSON is "roofline.inspection/1". Errors as above. */
ROOF_API roof_status roof_render_graph(const roof_graph *graph, const roof_render_options *options,
                                       char **out, size_t *length, roof_error *err);

/* Renders a reconciliation into a sink, piece by piece, since a profile may have a million rows: the verdict, the models,
 * the fits, where the time of each model goes, its layers, the findings. JSON is "roofline.reconciliation/1". Errors: as
 * above, and those of the sink. */
ROOF_API roof_status roof_render_reconciliation(const roof_reconciliation *reconciliation,
                                                const roof_render_options *options, roof_sink sink,
                                                roof_error *err);

/* The i-th format's name and what it is, for listings and --help; NULL past the end. */
ROOF_API const char *roof_renderer_name(size_t i);
ROOF_API const char *roof_renderer_doc(size_t i);

/* Whether the i-th format can show such a document. False past the end. */
typedef enum roof_document {
    ROOF_DOCUMENT_PREDICTION,
    ROOF_DOCUMENT_GRAPH,
    ROOF_DOCUMENT_RECONCILIATION,
    ROOF_DOCUMENTS
} roof_document;
ROOF_API bool roof_renderer_shows(size_t i, roof_document document);

ROOF_END_C
#endif
