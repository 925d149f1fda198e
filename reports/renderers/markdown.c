/* GitHub-flavoured tables, for reviews and issues. Names are shown whole, in code spans. */
#include "reports/cells.h"
#include "reports/renderer.h"

static roof_status render_prediction(const roof_prediction *document, const roof_render_options *options,
                                     textbuf *out, roof_error *err)
{
    const text_paper paper = paper_of(options, out, true);
    return prediction_put(document, options, &paper, err);
}

static roof_status render_graph(const roof_graph *document, const roof_render_options *options, textbuf *out,
                                roof_error *err)
{
    const text_paper paper = paper_of(options, out, true);
    return inspect_put(document, options, &paper, err);
}

static roof_status render_reconciliation(const roof_reconciliation *document,
                                         const roof_render_options *options, textbuf *out, roof_error *err)
{
    const text_paper paper = paper_of(options, out, true);
    return reconcile_put(document, options, &paper, err);
}

const renderer_def renderer_markdown = {
    .id = "markdown",
    .prediction = render_prediction,
    .graph = render_graph,
    .reconciliation = render_reconciliation,
};
