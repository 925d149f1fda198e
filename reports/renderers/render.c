#include "core/error.h"
#include "reports/nodes/node_values.h"
#include "reports/words/prediction_tables.h"
#include "reports/renderers/renderer.h"

#include <string.h>

#define RENDERER(id, doc) extern const renderer_def renderer_##id;
#include "reports/renderers.def"
#undef RENDERER

static const struct {
    const renderer_def *renderer;
    const char *doc;
} renderers[] = {
#define RENDERER(id, doc) {&renderer_##id, (doc)},
#include "reports/renderers.def"
#undef RENDERER
};

enum { N_RENDERERS = sizeof renderers / sizeof *renderers };

const char *roof_renderer_name(size_t i)
{
    return i < N_RENDERERS ? renderers[i].renderer->id : NULL;
}

const char *roof_renderer_doc(size_t i)
{
    return i < N_RENDERERS ? renderers[i].doc : NULL;
}

bool roof_renderer_shows(size_t i, roof_document document)
{
    return i < N_RENDERERS && document < ROOF_DOCUMENTS && renderers[i].renderer->put[document];
}

static roof_status fail_format(const char *format, bool exists, roof_document document, roof_error *err)
{
    static const char *const words[ROOF_DOCUMENTS] = {
        [ROOF_DOCUMENT_PREDICTION] = "a prediction",
        [ROOF_DOCUMENT_GRAPH] = "what a file holds",
        [ROOF_DOCUMENT_RECONCILIATION] = "a reconciliation",
        [ROOF_DOCUMENT_COMPARISON] = "a comparison",
        [ROOF_DOCUMENT_CHECKS] = "checks of a budget",
        [ROOF_DOCUMENT_PREDICTIONS] = "several predictions",
        [ROOF_DOCUMENT_SIBLINGS] = "a network before and after compiling",
        [ROOF_DOCUMENT_PERIODIC] = "networks at a rate",
        [ROOF_DOCUMENT_CONFIGURATIONS] = "configurations of a board",
        [ROOF_DOCUMENT_CURVE] = "the curve of a language model",

        [ROOF_DOCUMENT_TRENDS] = "trends of a history",
        [ROOF_DOCUMENT_ADVICE] = "edits of a network"};
    char known[160] = "";
    for (size_t i = 0; i < N_RENDERERS; i++) {
        if (!roof_renderer_shows(i, document))
            continue;
        strncat(known, *known ? ", " : "", sizeof known - strlen(known) - 1);
        strncat(known, roof_renderer_name(i), sizeof known - strlen(known) - 1);
    }
    return exists ? error_set(err, ROOF_E_USAGE, "format '%.40s' cannot show %s; there are %s", format,
                              words[document], known)
                  : error_set(err, ROOF_E_USAGE, "no format '%.40s'; there are %s", format, known);
}

static roof_status find_renderer(const char *format, roof_document document, const renderer_def **out,
                                 roof_error *err)
{
    const char *wanted = format ? format : "text";
    for (size_t i = 0; i < N_RENDERERS; i++) {
        *out = renderers[i].renderer;
        if (strcmp(wanted, (*out)->id) == 0)
            return (*out)->put[document] ? ROOF_OK : fail_format(wanted, true, document, err);
    }
    return fail_format(wanted, false, document, err);
}

static roof_status check_column(const table_selection *selection, roof_error *err)
{
    const char *columns = *selection->columns ? selection->columns + 2 : "none"; /* behind ", " */
    if (!selection->order.column || selection->is_found)
        return ROOF_OK;
    return error_set(err, ROOF_E_USAGE, "no table has a column '%s' to sort by; there are %.300s",
                     selection->column, columns);
}

bool roof_renderer_shows_operators(const char *format)
{
    for (size_t i = 0; i < N_RENDERERS; i++)
        if (format && strcmp(renderers[i].renderer->id, format) == 0)
            return renderers[i].renderer->shows_operators;
    return false;
}

roof_status roof_renderer_nameless_operators(const roof_prediction *prediction, uint32_t *n, roof_error *err)
{
    graph_values values;
    roof_arena *arena = arena_new(0);
    const bool is_made = arena && node_values_make(prediction, arena, &values);
    *n = 0;
    for (uint32_t i = 0; is_made && i < values.n_nodes; i++)
        *n += !node_values_address(prediction, &values.nodes[i], arena);
    roof_status status = is_made ? arena_status(arena, err) : error_memory(err);
    arena_free(arena);
    return status;
}

/* Numbers on a graph: whose, and which. */
static roof_status check_operators(const renderer_def *renderer, const rendering *r, roof_error *err)
{
    static const char *const metrics[] = {"ideal", "expected", NULL};
    const roof_prediction *p = r->prediction;
    const char *metric = r->options->metric;
    if (metric && !renderer->has_metrics)
        return error_set(err, ROOF_E_USAGE, "format '%s' has no metric to choose; model-explorer has",
                         renderer->id);
    if (metric && strcmp(metric, metrics[0]) != 0 && strcmp(metric, metrics[1]) != 0)
        return error_set(err, ROOF_E_USAGE, "no metric '%.40s'; there are %s and %s", metric, metrics[0],
                         metrics[1]);
    if (metric && strcmp(metric, metrics[1]) == 0 && roof_answer_is_bound(roof_rows_kind(p)))
        return error_set(err, ROOF_E_USAGE, "nothing is expected of this model, only ideal times are known");
    if (renderer->shows_operators && p->model.address == ROOF_ADDRESS_NONE)
        return error_set(err, ROOF_E_USAGE,
                         "format '%s' is for files whose graph other programs show, and none shows a '%.40s'",
                         renderer->id, p->model.format);
    if (renderer->needs_graph && !r->options->graph)
        return error_set(err, ROOF_E_USAGE, "format '%s' wants the graph that was predicted", renderer->id);
    return ROOF_OK;
}

/* Half a document helps nobody: text is not to be used when this fails. */
static roof_status render(rendering *r, roof_document document, const roof_render_options *options,
                          textbuf *text, roof_error *err)
{
    enum { LEAST_WIDTH = 20 };
    static const roof_render_options defaults;
    const renderer_def *renderer;
    table_selection selection;
    r->options = options ? options : &defaults;
    TRY(find_renderer(r->options->format, document, &renderer, err));
    TRY(table_selection_make(&selection, r->options, err));
    if (selection.is_asked && !renderer->has_tables)
        return error_set(err, ROOF_E_USAGE, "format '%s' has no tables whose rows could be chosen or sorted",
                         renderer->id);
    if (r->options->deadline_s > 0 && !renderer->has_lines)
        return error_set(err, ROOF_E_USAGE, "format '%s' does not tell of a deadline; text and markdown do",
                         renderer->id);
    TRY(check_operators(renderer, r, err));
    r->selection = &selection;
    r->out = text;
    size_t width = r->options->width ? r->options->width : WRITER_DEFAULT_WIDTH;
    r->writer = (text_writer){.out = text,
                              .width = width < LEAST_WIDTH ? LEAST_WIDTH : width,
                              .is_markdown = renderer->is_markdown,
                              .has_colour = r->options->colour && !renderer->is_markdown,
                              .is_ascii = r->options->ascii};
    r->arena = arena_new(0);
    if (!r->arena)
        return error_memory(err);
    renderer->put[document](r);
    roof_status status = arena_status(r->arena, err);
    if (status == ROOF_OK)
        status = check_column(&selection, err);
    arena_free(r->arena);
    return status == ROOF_OK ? text_status(text, err) : status;
}

static roof_status render_whole(rendering *r, roof_document document, const roof_render_options *options,
                                char **out, size_t *length, roof_error *err)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    roof_status status = render(r, document, options, &text, err);
    if (status != ROOF_OK) {
        text_free(&text);
        return status;
    }
    *out = text.bytes;
    *length = text.length;
    return ROOF_OK;
}

roof_status roof_render_prediction(const roof_prediction *prediction, const roof_render_options *options,
                                   char **out, size_t *length, roof_error *err)
{
    return render_whole(&(rendering){.prediction = prediction}, ROOF_DOCUMENT_PREDICTION, options, out,
                        length, err);
}

roof_status roof_render_graph(const roof_graph *graph, const roof_render_options *options, char **out,
                              size_t *length, roof_error *err)
{
    return render_whole(&(rendering){.graph = graph}, ROOF_DOCUMENT_GRAPH, options, out, length, err);
}

roof_status render_into(rendering *what, roof_document document, const roof_render_options *options,
                        roof_sink sink, roof_error *err)
{
    textbuf text;
    bool is_whole = options && (options->sort || options->height); /* the end decides */
    if (is_whole)
        text_init(&text, TEXT_MAX_BYTES);
    else
        text_init_draining(&text, sink.write, sink.context, err);
    roof_status status = render(what, document, options, &text, err);
    if (!is_whole && (status == ROOF_OK || text.drain_status != ROOF_OK))
        return text_finish(&text);
    if (status == ROOF_OK)
        status = sink.write(sink.context, text.bytes, text.length, err);
    text_free(&text);
    return status;
}

roof_status roof_render_reconciliation(const roof_reconciliation *reconciliation,
                                       const roof_render_options *options, roof_sink sink, roof_error *err)
{
    if (options)
        TRY(like_check(reconciliation, options, err));
    return render_into(&(rendering){.reconciliation = reconciliation}, ROOF_DOCUMENT_RECONCILIATION, options,
                       sink, err);
}

roof_status roof_render_comparison(const roof_comparison *comparison, const roof_render_options *options,
                                   roof_sink sink, roof_error *err)
{
    return render_into(&(rendering){.comparison = comparison}, ROOF_DOCUMENT_COMPARISON, options, sink, err);
}

roof_status roof_render_checks(const roof_checks *checks, const roof_render_options *options, roof_sink sink,
                               roof_error *err)
{
    return render_into(&(rendering){.checks = checks}, ROOF_DOCUMENT_CHECKS, options, sink, err);
}

roof_status roof_render_predictions(const roof_predictions *predictions, const roof_render_options *options,
                                    roof_sink sink, roof_error *err)
{
    return render_into(&(rendering){.predictions = predictions}, ROOF_DOCUMENT_PREDICTIONS, options, sink,
                       err);
}

roof_status roof_render_siblings(const roof_siblings *siblings, const roof_render_options *options,
                                 roof_sink sink, roof_error *err)
{
    return render_into(&(rendering){.siblings = siblings}, ROOF_DOCUMENT_SIBLINGS, options, sink, err);
}

roof_status roof_render_periodic(const roof_periodic *schedule, const roof_render_options *options,
                                 roof_sink sink, roof_error *err)
{
    return render_into(&(rendering){.periodic = schedule}, ROOF_DOCUMENT_PERIODIC, options, sink, err);
}

roof_status roof_render_configurations(const roof_configurations *configurations,
                                       const roof_render_options *options, roof_sink sink, roof_error *err)
{
    return render_into(&(rendering){.configurations = configurations}, ROOF_DOCUMENT_CONFIGURATIONS, options,
                       sink, err);
}

roof_status roof_render_curve(const roof_curve *curve, const roof_render_options *options, roof_sink sink,
                              roof_error *err)
{
    return render_into(&(rendering){.curve = curve}, ROOF_DOCUMENT_CURVE, options, sink, err);
}

roof_status roof_render_trends(const roof_history_trends *trends, const roof_render_options *options,
                               roof_sink sink, roof_error *err)
{
    return render_into(&(rendering){.trends = trends}, ROOF_DOCUMENT_TRENDS, options, sink, err);
}

roof_status roof_render_advice(const roof_advice *advice, const roof_render_options *options, roof_sink sink,
                               roof_error *err)
{
    return render_into(&(rendering){.advice = advice}, ROOF_DOCUMENT_ADVICE, options, sink, err);
}
