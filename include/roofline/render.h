/* roofline/render.h - documents as text, JSON, CSV, Markdown and timelines.
 *
 * Units: in every header of a table, once. 1 MAC = 2 ops.
 * Ownership: *out is malloc'ed, NUL-terminated, and the caller's to free(). The same input gives the same
 *   bytes: no timestamps, no locale.
 */
#ifndef ROOFLINE_RENDER_H
#define ROOFLINE_RENDER_H

#include "roofline/advise.h"
#include "roofline/budget.h"
#include "roofline/calibration.h"
#include "roofline/configurations.h"
#include "roofline/explanation.h"
#include "roofline/history.h"
#include "roofline/language.h"
#include "roofline/memory.h"
#include "roofline/realtime.h"
#include "roofline/predictions.h"
#include "roofline/published.h"
#include "roofline/reconcile.h"
#include "roofline/model_diff.h"

ROOF_BEGIN_C

typedef struct roof_render_options {
    /* "text", "json", "csv", "markdown", "trace", "netron", "model-explorer", "model-explorer-graph",
     * "junit", "benchmark", "bencher"; NULL is "text" */
    const char *format;
    uint32_t width; /* columns of the terminal; 0: 120 */
    bool ascii;     /* inspect as text: trees without the lines of Unicode */
    bool colour;    /* ANSI colours; they mean something and are never needed */
    /* text: every finding with its advice, not only their number; Markdown always has them */
    bool all_findings;
    /* text: columns that a first look does not need; inspect: ops and tensors too; reconcile: all layers */
    bool details;
    bool brief; /* text: the first answer alone, what stands above the tables */
    /* Text, Markdown, CSV: rows of a table of layers or epochs at most, those of the largest time, and of any
     * table that is sorted; 0: as many as the format shows by itself; ROOF_NONE: all. */
    uint32_t most_rows;
    /* A column by its title, such as "gap", "gap:asc", "layer:desc": the largest number, or A of texts, comes
     * first, with ":asc" the smallest number and with ":desc" Z. Tables without it keep the order of
     * execution. NULL: all do. */
    const char *sort;
    /* text: rows of the terminal, below more than which the verdict is repeated; 0: it is not */
    uint32_t height;
    /* text, Markdown: a sentence with the next command, the third of the first answer; NULL: the document's
     * own */
    const char *next;
    double deadline_s; /* reconcile: says how many inferences take no longer; 0: none */
    /* reconcile as text: in the layout of another tool, "npu_profiler" (epochs of a Neural-ART as ST's
     * profiler prints them, with what that does not print beside it); NULL: in ours */
    const char *like;
    /* model-explorer: the time that is shown, "ideal" or "expected"; NULL: the expected one where there is
     * one */
    const char *metric;
    const roof_graph *graph;             /* model-explorer-graph: the graph that the prediction is of */
    const roof_calibration *calibration; /* reconcile: shown with it; NULL: none was fitted */
    /* inspect: memory of that graph, shown in place of its layers, in JSON beside them; a prediction for
     * people: of its file, of which a line says whether it fits, and the layer that sets the peak is marked;
     * NULL: not shown */
    const roof_memory *memory;
} roof_render_options;

/* Documents that can be rendered; documents.def describes each. */
typedef enum roof_document {
#define DOCUMENT(kind, words, stem)      ROOF_DOCUMENT_##kind,
#define DOCUMENT_VIEW(kind, words, stem) ROOF_DOCUMENT_##kind,
#include "roofline/documents.def"
#undef DOCUMENT
#undef DOCUMENT_VIEW
    ROOF_DOCUMENTS
} roof_document;

/* Renders a document into a sink, piece by piece, since a profile may have a million rows. of: what the kind
 * says. Errors: E_USAGE for a format that there is not, or that cannot show such a document (the message
 * lists those that can), for a column to sort by that no table has (it lists those that there are), for
 * numbers on a graph that no program shows, with options.like for a layout that there is not; E_DATA where no
 * profile has what such a layout shows; E_NO_MEMORY; those of the sink. */
ROOF_API roof_status roof_render_document(roof_document kind, const void *of,
                                          const roof_render_options *options, roof_sink sink,
                                          roof_error *err);

/* The same as one text. */
ROOF_API roof_status roof_render_text(roof_document kind, const void *of, const roof_render_options *options,
                                      char **out, size_t *length, roof_error *err);

#ifndef __cplusplus
/* By the type of what is rendered: roof_render(prediction, &options, sink, &err);
 * roof_render_whole(prediction, &options, &text, &length, &err). */
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a type */
#define ROOF_DOCUMENT_IS(type, kind) const type * : ROOF_DOCUMENT_##kind, type * : ROOF_DOCUMENT_##kind
#define ROOF_DOCUMENT_OF(of)                                                                                 \
    _Generic((of), ROOF_DOCUMENT_IS(roof_prediction, PREDICTION), ROOF_DOCUMENT_IS(roof_graph, GRAPH),       \
             ROOF_DOCUMENT_IS(roof_reconciliation, RECONCILIATION),                                          \
             ROOF_DOCUMENT_IS(roof_comparison, COMPARISON), ROOF_DOCUMENT_IS(roof_checks, CHECKS),           \
             ROOF_DOCUMENT_IS(roof_predictions, PREDICTIONS), ROOF_DOCUMENT_IS(roof_model_diff, MODEL_DIFF), \
             ROOF_DOCUMENT_IS(roof_realtime, REALTIME),                                                      \
             ROOF_DOCUMENT_IS(roof_configurations, CONFIGURATIONS), ROOF_DOCUMENT_IS(roof_curve, CURVE),     \
             ROOF_DOCUMENT_IS(roof_history_trends, TRENDS), ROOF_DOCUMENT_IS(roof_published, PUBLISHED),     \
             ROOF_DOCUMENT_IS(roof_advice, ADVICE), ROOF_DOCUMENT_IS(roof_explanation, EXPLANATION))
#define roof_render(of, ...)       roof_render_document(ROOF_DOCUMENT_OF(of), (of), __VA_ARGS__)
#define roof_render_whole(of, ...) roof_render_text(ROOF_DOCUMENT_OF(of), (of), __VA_ARGS__)
#endif

/* True where the format puts numbers onto operators of the model's file, so that the prediction has to name
 * them (roof_predict_options.names_operators). */
ROOF_API bool roof_renderer_shows_operators(const char *format);

/* *n: operators that get no numbers so, since programs that show such files know them by name, and they have
 * none that is only theirs. Errors: E_NO_MEMORY. */
ROOF_API roof_status roof_renderer_nameless_operators(const roof_prediction *prediction, uint32_t *n,
                                                      roof_error *err);

/* The i-th format's name and what it is, for listings and --help; NULL past the end. */
ROOF_API const char *roof_renderer_name(size_t i);
ROOF_API const char *roof_renderer_doc(size_t i);

/* True where the i-th format can show such a document. False past the end. */
ROOF_API bool roof_renderer_shows(size_t i, roof_document document);

ROOF_END_C
#endif
