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
#include "roofline/history.h"
#include "roofline/language.h"
#include "roofline/memory.h"
#include "roofline/periodic.h"
#include "roofline/predictions.h"
#include "roofline/reconcile.h"
#include "roofline/siblings.h"

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
    /* Text, Markdown, CSV: rows of a table of layers or epochs at most, those of the largest time, and of any
     * table that is sorted; 0: as many as the format shows by itself; ROOF_NONE: all. */
    uint32_t most_rows;
    /* A column by its title, such as "gap", "gap:asc", "layer:desc": the largest number, or A of texts, comes
     * first, with ":asc" the smallest number and with ":desc" Z. Tables without it keep the order of
     * execution. NULL: all do. */
    const char *sort;
    /* text: rows of the terminal, below more than which the verdict is repeated; 0: it is not */
    uint32_t height;
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

/* Renders a prediction: the verdict first, then one row per layer, then totals and what they rest on.
 * JSON is "roofline.prediction/1" (docs/schema). Errors: E_USAGE for a format that there is not, or that
 * cannot show a prediction (the message lists those that can), or for a column to sort by that no table has
 * (it lists those that there are), or for numbers on a graph that no program shows, E_NO_MEMORY. */
ROOF_API roof_status roof_render_prediction(const roof_prediction *prediction,
                                            const roof_render_options *options, char **out, size_t *length,
                                            roof_error *err);

/* Whether the format puts numbers onto operators of the model's file, so that the prediction has to name them
 * (roof_predict_options.names_operators). */
ROOF_API bool roof_renderer_shows_operators(const char *format);

/* *n: operators that get no numbers so, since programs that show such files know them by name, and they have
 * none that is only theirs. Errors: E_NO_MEMORY. */
ROOF_API roof_status roof_renderer_nameless_operators(const roof_prediction *prediction, uint32_t *n,
                                                      roof_error *err);

/* Renders what a file holds: target and fingerprint, compiler, the tree of subgraphs, layers, ops, tensors,
 * sizes. JSON is "roofline.inspection/1". Errors as above. */
ROOF_API roof_status roof_render_graph(const roof_graph *graph, const roof_render_options *options,
                                       char **out, size_t *length, roof_error *err);

/* Renders a reconciliation into a sink, piece by piece, since a profile may have a million rows: the verdict,
 * the models, the fits, where the time of each model goes, its layers, the findings. JSON is
 * "roofline.reconciliation/1". Errors: as above, those of the sink; with options.like E_USAGE for a layout
 * that there is not, E_DATA where no profile has what it shows. */
ROOF_API roof_status roof_render_reconciliation(const roof_reconciliation *reconciliation,
                                                const roof_render_options *options, roof_sink sink,
                                                roof_error *err);

/* Renders a comparison: the answer, then each run's rows. JSON: "roofline.comparison/1". Errors: as above. */
ROOF_API roof_status roof_render_comparison(const roof_comparison *comparison,
                                            const roof_render_options *options, roof_sink sink,
                                            roof_error *err);

/* Renders what became of a budget: what is broken or not known; all of it with details and in formats for
 * programs. JSON is "roofline.checks/1". Errors: as above. */
ROOF_API roof_status roof_render_checks(const roof_checks *checks, const roof_render_options *options,
                                        roof_sink sink, roof_error *err);

/* Renders networks on boards: which board is fastest for which network and which cannot run it, one row a
 * pair, why a pair could not be predicted. JSON is "roofline.predictions/1". Errors: as above. */
ROOF_API roof_status roof_render_predictions(const roof_predictions *predictions,
                                             const roof_render_options *options, roof_sink sink,
                                             roof_error *err);

/* Renders a network before and after compiling: whether its layers are those that rules foretell, one row a
 * layer, why they differ. JSON is "roofline.siblings/1". Errors: as above. */
ROOF_API roof_status roof_render_siblings(const roof_siblings *siblings, const roof_render_options *options,
                                          roof_sink sink, roof_error *err);

/* Renders networks at a rate: whether their deadlines are met, one row a network, what would have to change.
 * JSON is "roofline.schedule/1"; a trace is the simulation with all networks asked for at once. Errors: as
 * above. */
ROOF_API roof_status roof_render_periodic(const roof_periodic *schedule, const roof_render_options *options,
                                          roof_sink sink, roof_error *err);

/* Renders the configurations of a board: the cheapest that is enough, one row each, what the figures rest on.
 * JSON is "roofline.configurations/1". Errors: as above. */
ROOF_API roof_status roof_render_configurations(const roof_configurations *configurations,
                                                const roof_render_options *options, roof_sink sink,
                                                roof_error *err);

/* Renders the curve of a language model: how fast at which length, one row a context or a prompt, whether it
 * fits, a session, a draft. JSON is "roofline.curve/1", which roof_curve_read reads. Errors: as above. */
ROOF_API roof_status roof_render_curve(const roof_curve *curve, const roof_render_options *options,
                                       roof_sink sink, roof_error *err);

/* Renders trends of a history: what changed and since when, one row a stretch between two changes. JSON is
 * "roofline.history_trends/1"; "benchmark" and "bencher" have the newest run of each series. Errors: as
 * above. */
ROOF_API roof_status roof_render_trends(const roof_history_trends *trends, const roof_render_options *options,
                                        roof_sink sink, roof_error *err);

/* Renders edits of a network: the one that gains most, the combination, one row an edit, those that cannot be
 * told apart behind. JSON is "roofline.advice/1". Errors: as above. */
ROOF_API roof_status roof_render_advice(const roof_advice *advice, const roof_render_options *options,
                                        roof_sink sink, roof_error *err);

/* The i-th format's name and what it is, for listings and --help; NULL past the end. */
ROOF_API const char *roof_renderer_name(size_t i);
ROOF_API const char *roof_renderer_doc(size_t i);

/* Whether the i-th format can show such a document. False past the end. */
typedef enum roof_document {
    ROOF_DOCUMENT_PREDICTION,
    ROOF_DOCUMENT_GRAPH,
    ROOF_DOCUMENT_RECONCILIATION,
    ROOF_DOCUMENT_COMPARISON,
    ROOF_DOCUMENT_CHECKS,
    ROOF_DOCUMENT_PREDICTIONS,
    ROOF_DOCUMENT_SIBLINGS,
    ROOF_DOCUMENT_PERIODIC,
    ROOF_DOCUMENT_CONFIGURATIONS,
    ROOF_DOCUMENT_CURVE,
    ROOF_DOCUMENT_TRENDS,
    ROOF_DOCUMENT_ADVICE,
    ROOF_DOCUMENTS
} roof_document;
ROOF_API bool roof_renderer_shows(size_t i, roof_document document);

ROOF_END_C
#endif
